"""Bots in processes of their own: one for each seat and game, shown all that the seat sees and nothing else."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import pytest

from nevsky import Game, Ruleset
from nevsky.bots import BOTS, LEVELS, Level
from nevsky.rules.view import make_view
from nevsky.server.actor import Table
from nevsky.server.bot_pool import BotPool, SeatBot, levels
from nevsky.server.live_bots import BotCall, LiveBots
from nevsky.server.scheduler import Place
from nevsky.server.settings import Settings
from tests.server import watchful
from tests.server.support import Table as Socket
from tests.server.support import run, running


class Note(NamedTuple):
    """What a watchful bot knew when it decided."""

    seed: str
    process: str
    seat: int
    decided: int
    shown: int
    digest: str


class Notes:
    """The file in which watchful bots write."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> list[Note]:
        lines = self.path.read_text().splitlines() if self.path.exists() else []
        return [Note(a, b, int(c), int(d), int(e), f) for a, b, c, d, e, f in map(str.split, lines)]


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Notes:
    """A level of watchful bots, here and in workers."""
    monkeypatch.setenv(watchful.NOTES, str(tmp_path / "notes"))
    monkeypatch.setattr("nevsky.server.workers.prepare", watchful.prepare_watchful)
    monkeypatch.setitem(BOTS, watchful.NAME, watchful.WatchfulBot)
    monkeypatch.setitem(LEVELS, watchful.NAME, Level(watchful.NAME, 50))
    return Notes(tmp_path / "notes")


def seen(game: Game, seat: int, moves: int | None = None) -> tuple[int, str]:
    """How many different views in a row a seat had in the first moves, and a digest of them."""
    positions = [game.start_position, *(after for _, after in game.replay())]
    texts = [make_view(position, game.ruleset, seat).to_bytes() for position in positions]
    if moves is not None:
        del texts[moves + 1 :]
    different = [text for i, text in enumerate(texts) if i == 0 or text != texts[i - 1]]
    return len(different), sha256(b"".join(different)).hexdigest()[:16]


def test_a_process_that_dies_is_replaced() -> None:
    async def scenario() -> None:
        bot_pool = BotPool(Settings(bot_workers=1, bot_milliseconds=5))
        game = Game(Ruleset("second", 2), 1)
        view = game.view(game.to_move)
        assert bot_pool.away_level in levels()

        async def decide(bot: SeatBot) -> str:
            return await bot_pool.decide(bot, view, lambda: [view])

        try:
            bot = bot_pool.new_bot(levels()[0])
            assert await decide(bot) in view.legal
            (process,) = bot_pool.workers[0].pids
            os.kill(process, signal.SIGKILL)
            assert await decide(bot) in view.legal
            assert bot_pool.workers[0].pids != [process]
            assert (await bot_pool.explain(view, Place("address", "guest")))[0].action in view.legal
            assert await decide(bot_pool.new_bot("no such level")) in view.legal
        finally:
            bot_pool.close()

    run(scenario())


def test_bots_share_the_processes_and_each_stays_in_its_own() -> None:
    bot_pool = BotPool(Settings(bot_workers=3))
    bots = [bot_pool.new_bot("easy") for _ in range(6)]
    assert [worker.bots for worker in bot_pool.workers] == [2, 2, 2]
    bot_pool.release(bots[4])
    assert bot_pool.new_bot("easy").worker is bots[4].worker
    assert len({bot.id for bot in bots}) == 6


def test_bots_of_tables_that_are_gone_make_room(notes: Notes) -> None:
    game = Game(Ruleset("second", 2), 1)
    view = game.view(game.to_move)
    live = LiveBots(most=3)

    def decide(bot: str, **options: object) -> str | None:
        call = BotCall(bot, watchful.NAME, 50, view)
        return live.decide(call._replace(**options)).action  # type: ignore[arg-type]

    for number in range(10):
        assert decide(f"bot-{number}") is None, "it observes and has seen nothing yet"
        assert decide(f"bot-{number}", news=(view,), whole=True) in view.legal
        assert len(live) == min(number + 1, 3)
    assert decide("bot-9") in view.legal
    assert decide("bot-2") is None, "it has to be shown the game again"
    live.release("bot-9")
    assert len(live) == 2
    assert [note.decided for note in notes.read() if note.seed == "bot-9"] == [1, 2]


def test_a_bot_that_fails_forfeits_its_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(watchful.WatchfulBot):
        def decide(self, view: object, milliseconds: int) -> str:
            raise RuntimeError("no idea")

    monkeypatch.setitem(BOTS, watchful.NAME, Broken)
    monkeypatch.setitem(LEVELS, watchful.NAME, Level(watchful.NAME, 50))
    game = Game(Ruleset("second", 2), 1)
    view = game.view(game.to_move)
    answer = LiveBots().decide(BotCall("bot", watchful.NAME, 50, view, (view,), whole=True))
    assert answer.action in view.legal
    assert "no idea" in answer.failure


def decisions(table: Table, seat: int) -> list[int]:
    """How many moves there were before each decision of a seat."""
    assert table.match is not None
    return [move.number - 1 for move in table.match.game.history if move.seat == seat and not move.auto]


async def bots_turn_is_over(table: Table, seat: int) -> None:
    """Wait until the game waits for a person."""
    while table.match is None or table.match.game.to_move != seat or table.bots.thinking or table.mailbox.waiting:
        await asyncio.sleep(0.01)


async def play_until(seat: Socket, table: Table, done: Callable[[], bool]) -> None:
    """Let a person on the first seat play until something has happened and it is their turn again."""
    while True:
        await seat.my_turn()
        await bots_turn_is_over(table, 0)
        if done():
            return
        assert table.match is not None
        while seat.state["version"] != table.match.version(0):
            await seat.receive()
        await seat.play(seat.state["choices"][0]["action"])


def test_a_bot_at_a_table_sees_the_whole_game_once(tmp_path: Path, notes: Notes) -> None:
    """One bot for each seat and game: shown every change, in order, whoever made it."""

    async def scenario() -> None:
        async with running(tmp_path / "n.db", bot_workers=2) as server:
            person = await server.visitor()
            made = await person.create(f"me {watchful.NAME} {watchful.NAME}", market=True, modules=[1, 2, 3, 4, 5, 6])
            seat = await person.open(made["table"])
            table = await server.components.hub.get(made["table"])
            await play_until(seat, table, lambda: min(len(decisions(table, number)) for number in (1, 2)) > 5)
            check(table, notes.read())

    def check(table: Table, written: list[Note]) -> None:
        assert table.match is not None
        for number in (1, 2):
            own, made = [note for note in written if note.seat == number], decisions(table, number)
            assert len(own) == len(made) > 3
            assert len({note.seed for note in own}) == len({note.process for note in own}) == 1
            assert [note.decided for note in own] == list(range(1, len(own) + 1))
            assert [(note.shown, note.digest) for note in own] == [
                seen(table.match.game, number, moves) for moves in made
            ]
        assert {note.seed for note in written if note.seat == 1}.isdisjoint(n.seed for n in written if n.seat == 2)

    run(scenario())


def test_a_bot_is_made_anew_when_its_process_dies_or_a_move_is_taken_back(tmp_path: Path, notes: Notes) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            person = await server.visitor()
            made = await person.create(f"me {watchful.NAME}")
            seat = await person.open(made["table"])
            table = await server.components.hub.get(made["table"])
            await play_until(seat, table, lambda: len(notes.read()) >= 2)
            (process,) = server.components.own_bots.workers[0].pids
            os.kill(process, signal.SIGKILL)
            number = len(notes.read())
            await play_until(seat, table, lambda: len(notes.read()) > number)
            before, last = notes.read()[number - 1 : number + 1]
            assert (before.decided, last.decided) == (number, 1), "it begins again"
            assert last.seed == before.seed and last.process != before.process
            assert table.match is not None
            assert (last.shown, last.digest) == seen(table.match.game, 1, decisions(table, 1)[number])

    run(scenario())


def test_after_undo_no_bot_remembers_what_did_not_happen(tmp_path: Path, notes: Notes) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", bot_pause=0.0) as server:
            people = [await server.visitor() for _ in range(2)]
            made = await people[0].create(f"me open {watchful.NAME}")
            await people[1].http.post(f"/api/tables/{made['table']}/join")
            seats = [await each.open(made["table"]) for each in people]
            table = await server.components.hub.get(made["table"])
            for each in seats:
                await each.until(lambda state: state["status"] == "playing")
            at_undo: int | None = None
            while at_undo is None or len(notes.read()) == at_undo:
                match = table.match
                assert match is not None
                mover = match.game.to_move
                if mover is None or mover == 2 or table.bots.thinking:
                    await asyncio.sleep(0.01)
                    continue
                player = seats[mover]
                while player.state["version"] != match.version(mover):
                    await player.receive()
                await player.play(player.state["choices"][0]["action"])
                if notes.read() and at_undo is None and match.can_undo(mover) and match.game.to_move != 2:
                    await player.send(type="undo", version=player.state["version"])
                    await player.until(lambda state: not state["can_undo"])
                    at_undo = len(notes.read())
                    assert not table.bots._bots
            while len(decisions(table, 2)) < len(notes.read()):
                await asyncio.sleep(0.01)
            before, after = notes.read()[at_undo - 1 : at_undo + 1]
            assert after.seed != before.seed and after.decided == 1
            assert table.match is not None
            assert (after.shown, after.digest) == seen(table.match.game, 2, decisions(table, 2)[at_undo])

    run(scenario())
