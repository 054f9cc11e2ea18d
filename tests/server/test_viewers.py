"""Everybody at a table is written to in one go, each through a connection of their own."""

from __future__ import annotations

import asyncio

import pytest

from nevsky import Game, Ruleset
from nevsky.server import screens
from nevsky.server.protocol import Act
from nevsky.server.viewer import Viewer
from tests.server.test_own_part import table_of


class End:
    """Of a connection."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self.broken = False

    def write_now(self, data: bytes) -> bool:
        if self.broken:
            raise RuntimeError("no way")
        self.written.append(data)
        return True


async def speak(viewer: Viewer, end: End) -> None:
    while texts := await viewer.outgoing():
        end.written += texts


def test_one_who_cannot_be_written_to_does_not_hold_up_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(screens.log, "exception", said.append, raising=False)

    async def scenario() -> None:
        table = table_of(Game(Ruleset("second", players=3), 4, auto=True), show_seen=True)
        ends = [End() for _ in range(3)]
        viewers = [Viewer(seat, "en", outlet=end) for seat, end in enumerate(ends)]
        speaking = [asyncio.create_task(speak(*each)) for each in zip(viewers, ends, strict=True)]
        for viewer in viewers:
            await table.call(lambda viewer=viewer: table.arrive(viewer))  # type: ignore[misc]
        await asyncio.sleep(0.05)
        assert table.match is not None
        seat = table.match.game.to_move
        assert seat is not None
        ends[0].broken = True
        before = [len(end.written) for end in ends]
        move = Act(type="act", version=table.match.version(seat), action=table.match.game.legal_actions[0].text)
        await table.call(lambda: table.act(viewers[seat], move))
        await asyncio.sleep(0.05)
        assert [len(end.written) - was for end, was in zip(ends, before, strict=True)][1:] == [1, 1]
        assert [viewer.closed for viewer in viewers] == [True, False, False]
        assert all(b'"type":"patch"' in end.written[-1] for end in ends[1:])
        for task in speaking:
            task.cancel()
        await table.close()

    asyncio.run(scenario())
    assert said == ["viewer_failed"]
