"""D30 to D33: what lies on one copy of a card stays with that copy."""

from __future__ import annotations

from typing import Any

import pytest

from nevsky import Game, redeal
from tests.market.table import arrange, go_on_to, quietly, undoing
from tests.rules.table import onto, play, scoring, texts


def with_marks(area: list[str], **position: Any) -> Game:
    return arrange(modules=(1,), areas=[area], rubles=60, **position)


def covered_last(first: Game, card: str) -> Game:
    """Seat 0 lays a card with the Money Collector, as its next action."""
    return play(first, "pass", "play money_collector", f"buy {card}")


# a face-down card and a covered one
def used_and_covered() -> Game:
    game = arrange(
        modules=(1,),
        phase="building",
        areas=[["observatory"]],
        hands=[["money_collector"]],
        row1=["observatory"],
        rubles=60,
    )
    play(game, "observe noble")
    play(game, next(text for text in texts(game) if text.startswith("discard")))
    return covered_last(game, "observatory")


def test_a_used_observatory_and_a_covered_one_bring_nothing() -> None:
    assert scoring(used_and_covered())[0] == (0, 0)


def test_neither_of_them_can_be_replaced() -> None:
    game = go_on_to(used_and_covered(), "exchange")
    while game.to_move != 0:
        quietly(game)
    assert "bank" in game.state()["row1"] + game.state()["piles"]["exchange"]
    state = game.state()
    again = Game.from_piles(
        game.ruleset,
        **{**state, "row1": ["bank"], "piles": {**state["piles"], "exchange": [], "noble": []}, "discard": []},
    )
    assert state["face_down"][0] == {"observatory": 1}
    assert onto(again, "bank") == set()


def test_in_the_next_round_the_one_without_a_chip_can_be_replaced_again() -> None:
    game = used_and_covered()
    number = game.round
    while not game.over and game.round == number:
        quietly(game)
    state = game.state()
    assert (state["face_down"][0], state["together"]) == ({}, [])
    assert state["covered"] == ["observatory", None]


def test_the_covered_one_is_turned_face_down_first() -> None:
    game = with_marks(["observatory"] * 2, phase="building", covered=["observatory", None], row1=["bank"])
    play(game, "observe noble")
    play(game, next(text for text in texts(game) if text.startswith("discard")), "pass")
    assert game.state()["together"] == [["chip", "face_down"]]
    assert onto(game, "bank") == {"observatory"}
    assert scoring(game)[0] == (0, 1)


def test_what_is_on_one_copy_is_part_of_every_view_and_is_dealt_anew() -> None:
    game = used_and_covered()
    for seat in (0, 1, None):
        assert redeal(game.view(seat), seed=3).view(seat) == game.view(seat)


# Banquet and Jester
def both_on_one(row: list[str]) -> Game:
    game = arrange(
        modules=(1,), phase="noble", areas=[["controller"]], hands=[["banquet", "jester"]], row1=row, rubles=60
    )
    return play(game, "play banquet onto controller", "pass", "play jester onto controller", "pass")


def test_both_stay_on_their_copy_when_a_second_one_comes() -> None:
    game = play(both_on_one(["controller"]), "buy controller")
    assert game.state()["together"] == [["banquet", "jester"]]
    assert scoring(game)[0] == (2 + 4, 8 + 1)


def test_the_banquet_stays_on_a_covered_copy() -> None:
    game = arrange(
        modules=(1,),
        phase="noble",
        hands=[["money_collector", "banquet"]],
        row1=["controller", "controller"],
        rubles=60,
    )
    play(game, "play money_collector", "buy controller", "pass", "play banquet onto controller", "pass")
    assert game.state()["together"] == [["chip", "banquet"]]
    play(game, "buy controller")
    assert scoring(game)[0] == (4 + 4 + 4, 1)


def test_a_purple_card_goes_first_to_a_copy_with_nothing_on_it() -> None:
    game = with_marks(["controller"] * 2, phase="noble", attached=[{"banquet": "controller"}, {}], hands=[["jester"]])
    assert play(game, "play jester onto controller").state()["together"] == []
    assert scoring(game)[0] == (4 + 4 + 1, 1 + 1 + 4)


def test_the_one_with_the_jester_is_replaced_before_the_one_with_the_banquet() -> None:
    game = with_marks(
        ["controller"] * 2,
        phase="noble",
        attached=[{"banquet": "controller", "jester": "controller"}, {}],
        row1=["admiral"],
    )
    assert game.state()["together"] == []
    state = undoing(game, "buy admiral onto controller").state()
    assert (state["attached"][0], state["out"]) == ({"banquet": "controller"}, ["jester"])


@pytest.mark.parametrize("purple", ["banquet", "jester"])
def test_the_one_with_nothing_on_it_is_replaced_first(purple: str) -> None:
    game = with_marks(["controller"] * 2, phase="noble", attached=[{purple: "controller"}, {}], row1=["admiral"])
    state = play(game, "buy admiral onto controller").state()
    assert (state["attached"][0], state["out"]) == ({purple: "controller"}, [])


def test_both_go_with_the_copy_they_lie_on() -> None:
    game = play(both_on_one(["admiral"]), "buy admiral onto controller")
    assert (game.state()["attached"][0], sorted(game.state()["out"])) == ({}, ["banquet", "jester"])


def test_a_covered_copy_is_never_replaced() -> None:
    game = with_marks(["controller"] * 2, phase="noble", covered=["controller", None], row1=["admiral", "senator"])
    play(game, "buy admiral onto controller", "pass")
    assert game.state()["covered"] == ["controller", None]
    assert onto(game, "senator") == set()


# D33
def test_a_covered_card_with_the_jester_pays_nothing() -> None:
    game = with_marks(["judge"], phase="noble", attached=[{"jester": "judge"}, {}], covered=["judge", None])
    assert scoring(game)[0] == (0, 0)


def test_a_covered_guild_hall_pays_four_rubles() -> None:
    game = arrange(modules=(1, 2), phase="building", areas=[["guild_hall"]], covered=["guild_hall", None])
    play(game, "pass", "pass")
    assert texts(game) == {"guild_hall 4"}


@pytest.mark.parametrize(("number", "worth"), [(11, 3), (15, 0)])
def test_assignments_do_not_count_what_is_covered(number: int, worth: int) -> None:
    from nevsky.rules.modules.assignments.data import worth as worth_now

    game = arrange(
        modules=(1, 5),
        areas=[["hermitage", "market:fish"]],
        covered=["hermitage", None],
        assignments=[[number, 3, 4], [5, 6, 7]],
    )
    assert worth_now(game.position, 0, number) == worth


def test_assignments_do_not_count_what_lies_face_down() -> None:
    from nevsky.rules.modules.assignments.data import worth as worth_now

    game = arrange(
        modules=(5,),
        phase="building",
        areas=[["observatory"]],
        face_down=[["observatory"], []],
        assignments=[[11, 3, 4], [5, 6, 7]],
    )
    assert worth_now(game.position, 0, 11) == 0
