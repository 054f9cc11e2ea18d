"""What travels to the workers and back is read as exactly what was written."""

from __future__ import annotations

import random

import orjson
import pytest

from nevsky import Game
from nevsky.bots import make_bot
from nevsky.bots.protocol import Comparison, Suggestion
from nevsky.bots.reasons import Reason
from nevsky.rules.view import View
from nevsky.server.bot_wire import (
    read_answer,
    read_call,
    read_measured,
    read_question,
    read_suggestions,
    write,
    write_call,
    write_question,
    write_suggestions,
)
from nevsky.server.evaluating import Measured
from nevsky.server.live_bots import BotAnswer, BotCall
from tests.rulesets import CONFIGURATIONS


def shape(value: object) -> object:
    """The types of everything in it: a list that should be a tuple is not equal in this."""
    if isinstance(value, dict):
        return {name: shape(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return type(value), [shape(each) for each in value]
    return type(value)


def same(view: View, other: View) -> bool:
    return view == other and shape(view) == shape(other) and view.to_bytes() == other.to_bytes()


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_every_view_of_a_game_arrives_as_it_was(name: str) -> None:
    ruleset, rng = CONFIGURATIONS[name], random.Random(name)
    seats = [*range(ruleset.players), None]
    game = Game(ruleset, name)
    views: list[View] = []
    while game.to_move is not None:
        seat = rng.choice(seats)
        if rng.random() < 0.8:  # the others are much like it
            game.push(rng.choice(game.legal_ids))
            continue
        views.append(game.view(seat, memory=seat is not None))
        view = game.view(game.to_move, memory=True)
        call = BotCall("bot", "easy", 50, view, tuple(views[-2:]), rng.random() < 0.5, rng.choice([None, -1, 7]))
        found = read_call(write_call(call))
        assert found == call
        assert same(found.view, view) and all(map(same, found.news, call.news))
        level, asked, milliseconds = read_question(write_question("hard", view, 1000))
        assert (level, milliseconds) == ("hard", 1000) and same(asked, view)
        game.push(rng.choice(game.legal_ids))
    views += [game.view(seat) for seat in seats]
    whole = BotCall("bot", "easy", 50, views[-1], tuple(views), whole=True, after=3)
    found = read_call(write_call(whole))
    assert found == whole and all(map(same, found.news, views))


def test_rulesets_with_options_arrive_too() -> None:
    ruleset = CONFIGURATIONS["second-3"]._replace(open_hands=True, open_rubles=True, youngest=2)
    game = Game(ruleset, 1)
    view = game.view(0)
    assert same(read_question(write_question("easy", view, 1))[1], view)


def test_answers_arrive_as_they_were() -> None:
    game = Game(CONFIGURATIONS["market-3"], 1)
    advice = make_bot("master").explain(game.view(game.to_move, memory=True), 30)
    assert advice[0].comparison is not None and advice[0].why is not None
    made_up = [
        Suggestion("pass", None, None, "Why not?"),
        Suggestion("pass", 1.5, 0.5, "", Reason("helps", {"player": 1, "points": 2.31})),
        Suggestion("pass", 2, 0, "", None, Comparison(0.1, 0.2, True, (0.25, 0.75), 10, False)),
    ]
    for suggestions in (advice, made_up, []):
        found = read_suggestions(write_suggestions(suggestions))
        assert found == suggestions and shape(found) == shape(suggestions)
    for answer in (BotAnswer("pass"), BotAnswer(None), BotAnswer("pass", "Es ging schief: „ähm“.")):
        assert read_answer(write(answer)) == answer
    rows = [Measured([1.5, 2.25], [0.5, 0.5], 3.75, True), Measured([1.0, 0.1], [1 / 3, 2 / 3], 0.0, False)]
    assert read_measured(write(rows)) == rows


@pytest.mark.parametrize("text", [b"", b"{}", b"[1, 2]", b'["pass"]', b"cos\nsystem\n(S'true'\ntR.", b"[[], 1]"])
def test_what_is_none_of_it_is_an_error(text: bytes) -> None:
    for read in (read_answer, read_call, read_question):
        with pytest.raises((ValueError, TypeError, orjson.JSONDecodeError)):
            read(text)
