"""Turns of the base game are shown in a quick way: everybody sees exactly what views would show them."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest

from nevsky import Game, Ruleset
from nevsky.server import screens
from nevsky.server.actor import Services, Table
from nevsky.server.context import Sitting
from nevsky.server.match import deal_data
from nevsky.server.ownership import Lease
from nevsky.server.present import present, turn_state
from nevsky.server.protocol import Act
from nevsky.server.schema import SeatRow, Stored, TableRow
from nevsky.server.screens import Screen
from nevsky.server.settings import Settings
from nevsky.server.storage import now
from nevsky.server.viewer import Viewer
from nevsky.texts.sentences import Wording


class Nowhere:
    """A storage that keeps nothing."""

    async def append(self, *_: Any, **__: Any) -> None:
        pass


def table_of(game: Game, *, show_seen: bool) -> Table:
    row = TableRow(
        "t", now(), now(), "playing", game.ruleset.to_dict(), False, "none", show_seen, deal_data(game), 1, game.to_move
    )
    seats = tuple(SeatRow(seat, f"token{seat}", f"guest{seat}", f"Name{seat}") for seat in range(game.ruleset.players))
    unused: Any = None
    storage: Any = Nowhere()
    return Table(Stored(row, seats, (), ()), Services(Settings(), storage, unused, unused, unused), Lease("t", 0))


def from_nothing(table: Table, screen: Screen) -> dict[str, Any]:
    assert table.match is not None
    seat, language = screen._seat, screen._language
    sitting, view = Sitting(table), table.match.game.view(seat)
    wording = Wording(language, table.ruleset.edition, table.names)
    lines, own = table.match.log.lines(seat, wording, 60), sitting.own(seat, table.match)
    return {**present(view, sitting.context(view.to_move), language, own=own, log=lines)}


@pytest.mark.parametrize(
    ("options", "show_seen", "quick"),
    [
        ({}, True, True),
        ({"edition": "first"}, False, True),
        ({"players": 2, "open_hands": True, "open_rubles": True}, True, True),
        ({"players": 3}, False, True),
        ({"market": True, "modules": (1, 2, 3, 4, 5, 6)}, True, False),
    ],
)
@pytest.mark.parametrize("seed", [5, 6])
def test_everybody_sees_what_is_made_anew(
    monkeypatch: pytest.MonkeyPatch, options: dict[str, Any], show_seen: bool, quick: bool, seed: int
) -> None:
    looks = 0

    def counted(*arguments: Any) -> Any:
        nonlocal looks
        looks += 1
        return turn_state(*arguments)

    monkeypatch.setattr(screens, "turn_state", counted)
    ruleset = Ruleset(**{"edition": "second", "players": 4, **options})

    async def scenario() -> None:
        rng = random.Random(seed)
        table = table_of(Game(ruleset, seed, auto=True), show_seen=show_seen)
        viewers = [Viewer(seat, "de" if seat == 1 else "en") for seat in (*range(ruleset.players), None)]
        for viewer in viewers:
            await table.call(lambda viewer=viewer: table.arrive(viewer))  # type: ignore[misc]
        assert table.match is not None
        while not table.match.game.over:
            seat = table.match.game.to_move
            assert seat is not None
            action, version = rng.choice(table.match.game.legal_actions).text, table.match.version(seat)
            move = Act(type="act", version=version, action=action)
            await table.call(lambda seat=seat, move=move: table.act(viewers[seat], move))  # type: ignore[misc]
            await asyncio.sleep(0)
            for screen in table.screens._screens.values():
                assert {**screen.state, "serial": 0} == {**from_nothing(table, screen), "serial": 0}
        await table.close()

    asyncio.run(scenario())
    assert looks > 200 if quick else not looks
