"""Rule 11.6 b: the bonus tiles."""

from __future__ import annotations

from typing import Any

import pytest

from nevsky import Game
from tests.modules.arranged import SPACES, arrange, lost, one_tile, passed, scores, take_back, tokens, track
from tests.rules.table import play, texts

FIREHOUSE = ("firehouse",)
"""Brings 3 points at the scoring of buildings."""


def building_scoring(
    tile: str, at: int, area: tuple[str, ...], *, start: int, modules: tuple[int, ...] = (), **position: Any
) -> Game:
    """Buildings are scored; seat 0 begins at ``start`` with 20 rubles."""
    return play(
        arrange(
            *modules,
            6,
            phase="building",
            passes=1,
            areas=[area],
            points=[start, 0],
            rubles=20,
            obstacles=one_tile(tile, at),
            **position,
        ),
        "pass",
    )


# when
@pytest.mark.parametrize("at", SPACES)
@pytest.mark.parametrize(("before", "reached"), [(4, False), (3, True), (2, True), (1, True)])
def test_as_soon_as_the_score_reaches_or_passes_the_space(at: int, before: int, reached: bool) -> None:
    game = building_scoring("B1", at, (*FIREHOUSE, "author", "author"), start=at - before)
    assert scores(game) == (20, at - before + 3 + (2 if reached else 0))
    assert (at in passed(game)) == reached


def test_it_pays_once() -> None:
    game = building_scoring("B1", 10, (*FIREHOUSE, "author"), start=7)
    assert scores(game) == (20, 11)
    while (game.phase, game.round) != ("noble", 3):
        game.push("pass")
    assert scores(game)[1] == 14


def test_whoever_fell_below_and_comes_back_is_not_paid_again() -> None:
    obstacles = {**one_tile("B1", 10), "passed": [list(SPACES)] * 2}
    game = arrange(6, phase="building", passes=1, areas=[["firehouse", "author"]], points=8, obstacles=obstacles)
    assert scores(play(game, "pass"))[1] == 11


def test_each_player_is_paid_for_the_own_cards() -> None:
    game = arrange(
        6,
        phase="building",
        players=3,
        passes=2,
        to_move=2,
        held=tokens(building=0),
        areas=[["firehouse", "author"], ["firehouse", "judge", "judge"], ["firehouse"]],
        points=8,
        obstacles=one_tile("B1", 10, players=3),
    )
    assert play(game, "pass").state()["points"] == [12, 13, 11]
    assert all(10 in passed(game, seat) for seat in range(3))


def test_the_tile_is_there_for_those_who_come_later() -> None:
    game = building_scoring("B1", 10, (*FIREHOUSE, "author"), start=8)
    assert 10 not in passed(game, 1)


# B1
def test_b1_pays_a_point_for_each_red_card() -> None:
    game = building_scoring("B1", 20, (*FIREHOUSE, "author", "author", "judge", "abbot", "shepherd"), start=18)
    assert scores(game) == (20, 21 + 4)


def test_b1_pays_nothing_without_red_cards_and_is_done() -> None:
    game = building_scoring("B1", 20, FIREHOUSE, start=18)
    assert scores(game) == (20, 21)
    assert 20 in passed(game)


# B2
def test_b2_pays_a_ruble_for_each_blue_card() -> None:
    game = building_scoring("B2", 20, (*FIREHOUSE, "warehouse", "market:fish", "market:apple", "author"), start=18)
    assert scores(game) == (24, 23)


def test_b2_counts_exchange_cards_too() -> None:
    game = building_scoring("B2", 20, (*FIREHOUSE, "bank"), start=18)
    assert scores(game) == (20 + 5 + 2, 22)


# B3
GOODS = ("hen", "chick", "caviar", "apple")
"""Markers on three goods."""


@pytest.mark.parametrize(("choice", "gain"), [("rubles", (23, 21)), ("points", (20, 24))])
def test_b3_pays_one_choice_for_each_good_with_a_marker(choice: str, gain: tuple[int, int]) -> None:
    game = building_scoring("B3", 20, (*FIREHOUSE, *GOODS), start=18)
    assert (game.due, game.to_move) == ("bonus", 0)
    assert scores(game) == (20, 21)
    assert texts(game) == {"bonus rubles", "bonus points"}
    assert scores(play(game, f"bonus {choice}")) == gain


def test_b3_asks_nothing_without_markers() -> None:
    game = building_scoring("B3", 20, FIREHOUSE, start=18)
    assert (game.phase, game.due) == ("noble", "turn")
    assert 20 in passed(game)


# B4
def test_b4_pays_a_ruble_and_a_point_for_each_exchange_card() -> None:
    game = building_scoring("B4", 20, (*FIREHOUSE, "wharf", "wharf", "abbot", "bank", "author"), start=18)
    assert scores(game) == (20 + 5 + 4, 18 + 4 + 4)


# B5
def test_b5_asks_before_the_scoring_goes_on() -> None:
    game = building_scoring("B5", 20, (*FIREHOUSE, "judge", "pub"), start=18)
    assert (game.due, game.to_move) == ("bonus", 0)
    assert play(game, "bonus judge points").due == "pub"
    assert scores(game) == (20, 23)


@pytest.mark.parametrize(
    ("choice", "gain"),
    [
        ("firehouse points", (20, 24)),
        ("shepherd rubles", (23, 21)),
        ("judge rubles", (25, 21)),
        ("judge points", (20, 23)),
        ("hen rubles", (21, 21)),
    ],
)
def test_b5_offers_what_brings_anything(choice: str, gain: tuple[int, int]) -> None:
    game = building_scoring("B5", 20, (*FIREHOUSE, "shepherd", "judge", "hen", "chicken_coop", "warehouse"), start=18)
    assert texts(game) == {
        "bonus firehouse points",
        "bonus shepherd rubles",
        "bonus judge rubles",
        "bonus judge points",
        "bonus hen rubles",
    }
    assert scores(play(game, f"bonus {choice}")) == gain


@pytest.mark.parametrize(("choice", "gain"), [("tax_man rubles", (23, 22)), ("mariinsky_theater points", (20, 24))])
def test_b5_counts_variable_income_as_it_would_pay_now(choice: str, gain: tuple[int, int]) -> None:
    area = ("mariinsky_theater", "market:fish", "tax_man", "author", "shepherd", "shepherd", "shepherd")
    game = building_scoring("B5", 20, area, start=19)
    assert scores(game) == (20, 19 + 2 + 1)
    assert scores(play(game, f"bonus {choice}")) == gain


def test_b5_takes_a_guild_hall_as_4_and_no_points_of_a_covered_card() -> None:
    area = (*FIREHOUSE, "guild_hall")
    game = building_scoring("B5", 20, area, start=18, modules=(1, 2), covered=["firehouse", None])
    assert game.due == "guild_hall"
    play(game, "guild_hall 0")
    assert texts(game) == {"bonus guild_hall rubles", "bonus guild_hall points"}
    assert scores(play(game, "bonus guild_hall points")) == (20, 26)


def test_b5_brings_nothing_for_an_observatory_that_lies_face_down() -> None:
    area = ("observatory", *FIREHOUSE)
    game = building_scoring("B5", 20, area, start=18, face_down=[{"observatory": 1}, {}])
    assert texts(game) == {"bonus firehouse points"}


def test_cards_with_different_symbols_are_different_choices() -> None:
    game = building_scoring("B5", 20, ("market:fish", "market:apple"), start=18)
    assert texts(game) == {"bonus market:fish points", "bonus market:apple points"}


def test_b5_asks_nothing_of_whoever_has_nothing() -> None:
    game = arrange(6, phase="building", areas=[["pub"]], points=9, obstacles=one_tile("B5", 10))
    play(game, "pass", "pass", "pub 1")
    assert (game.phase, game.due) == ("noble", "turn")
    assert (scores(game)[1], 10 in passed(game)) == (10, True)


# in the course of the game
def test_points_of_a_pub_reach_a_tile_too() -> None:
    game = arrange(6, phase="building", areas=[["pub", "author", "hen"]], points=9, obstacles=one_tile("B3", 10))
    play(game, "pass", "pass", "pub 1")
    assert (game.due, game.to_move) == ("bonus", 0)
    play(game, "bonus points")
    assert scores(game) == (23, 11)
    assert (game.phase, game.due) == ("noble", "turn")


def test_two_owners_of_pubs_reach_it_one_after_the_other() -> None:
    areas = [["pub", "hen"], ["pub", "fish"]]
    game = play(
        arrange(6, phase="building", areas=areas, points=9, obstacles=one_tile("B3", 10)), "pass", "pass", "pub 1"
    )
    play(game, "bonus points")
    assert (game.due, game.to_move) == ("pub", 1)
    play(game, "pub 2")
    assert (game.due, game.to_move) == ("bonus", 1)


def test_points_of_the_market_reach_a_tile_good_by_good() -> None:
    """In round 2 the first place brings 2 points: the second good passes the space."""
    game = arrange(6, phase="market", areas=[["hen", "apple", "author"]], points=7, obstacles=one_tile("B1", 10))
    assert scores(play(game, "pass", "pass"))[1] == 7 + 2 + 2 + 1


def test_points_in_the_middle_of_a_turn_reach_a_tile_before_the_next_turn() -> None:
    game = arrange(1, 6, hands=[["moocher"]], areas=[["hen"], ["library"]], points=8, obstacles=one_tile("B3", 10))
    play(game, "play moocher", "mooch library of 1 points")
    assert (game.due, game.to_move) == ("bonus", 0)
    assert play(game, "bonus rubles").to_move == 1
    assert scores(game) == (26, 13)


def test_another_player_is_asked_out_of_turn() -> None:
    game = arrange(
        6, phase="building", passes=1, areas=[[], ["library", "hen"]], points=8, obstacles=one_tile("B3", 10)
    )
    play(game, "pass")
    assert (game.due, game.to_move) == ("bonus", 1)
    assert game.view(0).legal == ()
    play(game, "bonus points")
    assert (game.phase, game.due, game.to_move) == ("noble", "turn", 0)


def test_nothing_is_lost_at_bonus_tiles() -> None:
    game = building_scoring("B1", 10, FIREHOUSE, start=8)
    assert lost(game) == 0


def test_bonus_choices_can_be_taken_back() -> None:
    area = ["library", "hen", "judge"]
    game = arrange(6, phase="building", areas=[area], points=17, obstacles=track({20: "B3", 35: "B5"}), round=2)
    take_back(game, "pass", "pass", "bonus points", "pass")
    take_back(game, "pass", "pass", "bonus rubles", "pass")
