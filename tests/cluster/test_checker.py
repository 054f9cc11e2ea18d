"""The checker finds what must not happen: each violation is planted into a true history of one game."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import orjson
import pytest

from nevsky.rules.game import Game
from nevsky.rules.ruleset import Ruleset
from tests.cluster.checker import Stored, Violation, Write, check
from tests.cluster.history import Asked, History, Outcome
from tests.cluster.pictures import expected
from tests.cluster.replaying import Line, StoredTable

TABLE = "t1"
TOKENS = ["anna", "boris"]


class Played:
    """A game of two people at random, and what both were told of it."""

    def __init__(self, folder: Path, moves: int = 60) -> None:
        self.history = History(folder / "history")
        self.game = Game(Ruleset(players=2), seed=3, auto=True)
        self.log: list[Line] = []
        self.rng = random.Random(5)
        self.chat = ["hello"]
        self.resigned = [False, False]
        self.rematch: str | None = None
        self.deal = {"piles": self.game.piles, "tokens": self.game.tokens, "deal": self.game.deal, "seed": ""}
        said = self.history.ask(Asked("chat", TABLE, 0, action="hello"))
        self.history.answer(said, Outcome.DONE)
        for seat, token in enumerate(TOKENS):
            self.history.seats[TABLE, seat] = token
        self.tell()
        for number in range(1, moves + 1):
            self.move(number)

    def move(self, number: int) -> None:
        seat = self.game.to_move
        assert seat is not None
        action = self.rng.choice(self.game.legal_actions).text
        sent = self.history.ask(Asked("act", TABLE, seat, number - 1, action))
        self.game.push(action)
        self.log.append(Line(number, seat, action, "player"))
        self.tell()
        self.history.answer(sent, Outcome.DONE)

    def take_back(self) -> None:
        seat = self.log[-1].seat
        sent = self.history.ask(Asked("undo", TABLE, seat, len(self.log)))
        self.game.undo()
        self.log.append(Line(len(self.log) + 1, seat, None, "player"))
        self.history.answer(sent, Outcome.DONE)
        self.tell()

    def tell(self) -> None:
        for seat in (0, 1, None):
            self.history.tell((TABLE, seat), len(self.log), expected(self.game.view(seat), False))

    def stored(self) -> Stored:
        over = self.game.over
        result = self.game.result
        table = StoredTable(
            status="over" if over else "playing",
            ruleset=self.game.ruleset.to_dict(),
            deal=self.deal,
            rematch=self.rematch,
            winners=None if result is None else list(result.winners),
            tokens=TOKENS,
            resigned=self.resigned,
            log=self.log,
            chat=self.chat,
        )
        return Stored({TABLE: table})

    def found(self) -> list[str]:
        return sorted({violation.kind for violation in check(self.history, self.stored())})


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Played]:
    found = Played(tmp_path)
    yield found
    found.history.close()


def test_a_true_history_is_fine(played: Played) -> None:
    assert played.found() == []
    played.take_back()
    played.move(len(played.log) + 1)
    assert played.found() == []


def _lose_the_last_move(played: Played) -> None:
    played.log.pop()


def _lose_a_move_and_play_on(played: Played) -> None:
    """The log goes on where it was before the last acknowledged move."""
    lost = played.log.pop()
    played.game.undo()
    other = next(action.text for action in played.game.legal_actions if action.text != lost.action)
    sent = played.history.ask(Asked("act", TABLE, lost.seat, len(played.log), other))
    played.game.push(other)
    played.log.append(Line(lost.number, lost.seat, other, "player"))
    played.history.answer(sent, Outcome.DONE)


def _make_a_move_twice(played: Played) -> None:
    """A pass that was sent once stands in the log a second time, where passing is legal again."""
    while True:
        line = played.log[-1]
        if line.action == "pass":
            seat, number = played.game.to_move, len(played.log) + 1
            before = [each for each in played.log if (each.seat, each.action) == (seat, "pass")]
            if before and seat is not None and "pass" in played.game.view(seat).legal:
                played.game.push("pass")
                played.log.append(Line(number, seat, "pass", "player"))
                return
        played.move(len(played.log) + 1)


def _make_a_refused_move(played: Played) -> None:
    sent = played.history.asked[TABLE][-1]
    sent.outcome = Outcome.REFUSED


def _skip_a_number(played: Played) -> None:
    last = played.log[-1]
    played.log[-1] = last._replace(number=last.number + 1)


def _break_a_rule(played: Played) -> None:
    number = len(played.log) + 1
    seat = played.game.to_move
    assert seat is not None
    other = Game(Ruleset(players=2), seed=4).legal_actions
    wrong = next(action.text for action in other if action.text not in played.game.view(seat).legal)
    played.log.append(Line(number, seat, wrong, "bot"))


def _show_the_rubles_of_the_other(played: Played) -> None:
    picture = orjson.loads(expected(played.game.view(0), False))
    picture["players"][1]["rubles"] = played.game.view(1).players[1].rubles
    _told(played, 0, picture)


def _show_a_card_of_the_other(played: Played) -> None:
    picture = orjson.loads(expected(played.game.view(None), False))
    picture["players"][1]["hand"].append(["noble", "author"])
    _told(played, None, picture)


def _show_the_screen_of_the_other(played: Played) -> None:
    _told(played, 0, orjson.loads(expected(played.game.view(1), False)))


def _told(played: Played, seat: int | None, picture: object) -> None:
    played.history.tell((TABLE, seat), len(played.log), orjson.dumps(picture, option=orjson.OPT_SORT_KEYS))


def _forget_a_line_of_chat(played: Played) -> None:
    played.chat.clear()


def _say_something_twice(played: Played) -> None:
    played.chat.append("hello")


def _forget_a_resignation(played: Played) -> None:
    played.history.answer(played.history.ask(Asked("resign", TABLE, 1)), Outcome.DONE)


def _give_a_seat_away(played: Played) -> None:
    played.history.seats[TABLE, 1] = "somebody"


def _make_two_rematches(played: Played) -> None:
    played.history.rematches[TABLE] |= {"t2", "t3"}


def _advise_something_illegal(played: Played) -> None:
    played.history.hints[TABLE, 0][len(played.log)].add("dance")


@pytest.mark.parametrize(
    ("plant", "kinds"),
    [
        (_lose_the_last_move, ["lost move"]),
        (_lose_a_move_and_play_on, ["lost move", "wrong state"]),
        (_make_a_move_twice, ["doubled move"]),
        (_make_a_refused_move, ["refused move"]),
        (_skip_a_number, ["gap", "invented move", "lost move"]),
        (_break_a_rule, ["illegal log"]),
        (_show_the_rubles_of_the_other, ["wrong state"]),
        (_show_a_card_of_the_other, ["wrong state"]),
        (_show_the_screen_of_the_other, ["wrong state"]),
        (_forget_a_line_of_chat, ["lost chat"]),
        (_say_something_twice, ["doubled chat"]),
        (_forget_a_resignation, ["lost resignation"]),
        (_give_a_seat_away, ["lost seat"]),
        (_make_two_rematches, ["two rematches"]),
        (_advise_something_illegal, ["strange hint"]),
    ],
)
def test_what_must_not_happen_is_found(played: Played, plant: Callable[[Played], None], kinds: list[str]) -> None:
    plant(played)
    assert played.found() == kinds


def test_a_move_without_an_answer_may_be_there_or_not(played: Played) -> None:
    seat = played.game.to_move
    assert seat is not None
    action = played.game.legal_actions[0].text
    played.history.ask(Asked("act", TABLE, seat, len(played.log), action))
    assert played.found() == []
    played.log.append(Line(len(played.log) + 1, seat, action, "player"))
    assert played.found() == []


def test_a_lost_table_is_found(played: Played) -> None:
    assert [each.kind for each in check(played.history, Stored({}))] == ["lost table"]
    played.history.left.add(TABLE)
    assert check(played.history, Stored({})) == []


def _owners(played: Played, writes: list[Write], claims: dict[tuple[str, int], list[tuple[str, str]]]) -> list[str]:
    stored = played.stored()._replace(writes=writes, claims=claims)
    found: list[Violation] = check(played.history, stored)
    return [violation.kind for violation in found]


def test_two_owners_are_found(played: Played) -> None:
    claims = {(TABLE, 1): [("one", "p1")], (TABLE, 2): [("two", "p2")]}
    first, second = Write(TABLE, 1, "one", "p1", 1), Write(TABLE, 2, "two", "p2", 2)
    assert _owners(played, [first, second], claims) == []
    assert _owners(played, [first, second, Write(TABLE, 3, "one", "p1", 1)], claims) == ["old owner"]
    assert _owners(played, [first, Write(TABLE, 2, "two", "p1", 1)], claims) == ["two owners"]
    assert _owners(played, [first, Write(TABLE, 2, "two", None, None)], claims) == ["no owner"]
    claims[TABLE, 2].append(("three", "p3"))
    assert _owners(played, [first, second], claims) == ["two owners"]
