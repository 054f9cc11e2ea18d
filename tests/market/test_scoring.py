"""Rules 10.3 and 10.4, D7 and D15: the scoring of the market phase, and the worked example X6."""

from __future__ import annotations

import pytest

from tests.market.table import GOODS, YELLOW, arrange, go_on_to, goods, held, purse, quietly, to_scoring
from tests.rules.table import passes, play, scoring

VALUES = [(1, 1, 0), (2, 2, 1), (3, 3, 1), (4, 4, 2), (5, 5, 2), (6, 6, 3), (7, 6, 3), (12, 6, 3)]
ROWS = {1: "fish", 2: "fish_basket", 3: "caviar"}
"""A card for each number of fishes."""


def fishers(*numbers: int, round_number: int = 3) -> list[int]:
    """Points at a market scoring in which the seats have these numbers of fishes."""
    areas = [[ROWS[number]] if number else [] for number in numbers]
    game = arrange(len(numbers), phase="market", round=round_number, areas=areas)
    return [points for _, points in scoring(game)]


# 10.3 a
@pytest.mark.parametrize("card", [card for card in YELLOW if "special" not in card])
def test_yellow_cards_pay_their_rubles(card: str) -> None:
    assert scoring(arrange(phase="market", areas=[[card]]))[0][0] == YELLOW[card].rubles


def test_every_copy_pays() -> None:
    game = arrange(phase="market", areas=[["chick", "chick", "chick", "hen", "hen"], ["fish", "apple", "field"]])
    assert [rubles for rubles, _ in scoring(game)] == [3 * 2 + 2 * 1, 2 + 2 + 0]


def test_cards_of_other_colours_do_not_pay_in_the_market_phase() -> None:
    game = arrange(phase="market", areas=[["lumberjack", "bank", "judge"]])
    assert scoring(game)[0] == (0, 2)  # two points for the sack on the bank, nobody else has one


@pytest.mark.parametrize("phase", ["worker", "building", "noble", "exchange"])
def test_yellow_cards_and_goods_count_in_no_other_phase(phase: str) -> None:
    assert scoring(arrange(phase=phase, areas=[["chick", "fish", "caviar"]]))[0] == (0, 0)


def test_nothing_on_the_hand_counts() -> None:
    assert scoring(arrange(phase="market", hands=[["chick", "caviar"]]))[0] == (0, 0)


def test_a_card_that_was_just_bought_counts() -> None:
    game = play(arrange(phase="market", row1=["chick"]), "buy chick")
    assert scoring(game)[0] == (2, 2)


# 10.3 c
def test_the_most_symbols_score_the_higher_number_the_second_the_lower() -> None:
    assert fishers(3, 2, 1) == [3, 1, 0]
    assert fishers(1, 3, 2) == [0, 3, 1]


def test_the_place_counts_not_the_difference() -> None:
    assert fishers(3, 1) == [3, 1]
    assert fishers(2, 1) == [3, 1]


def test_alone_at_a_good() -> None:
    assert fishers(0, 1, 0) == [0, 3, 0]


def test_tie_for_first_all_score_the_higher_number_and_there_is_no_second() -> None:
    assert fishers(2, 2, 1) == [3, 3, 0]
    assert fishers(2, 2, 1, 1) == [3, 3, 0, 0]
    assert fishers(1, 1) == [3, 3]


def test_tie_for_second_all_score_the_lower_number() -> None:
    assert fishers(3, 1, 1) == [3, 1, 1]


def test_players_without_a_symbol_score_nothing() -> None:
    assert fishers(0, 0) == [0, 0]
    assert fishers(3, 0, 0) == [3, 0, 0]


# D7
def test_ties_of_three_and_more_are_like_ties_of_two() -> None:
    assert fishers(1, 1, 1) == [3, 3, 3]
    assert fishers(2, 1, 2, 0, 1) == [3, 0, 3, 0, 0]
    assert fishers(1, 3, 1, 1) == [1, 3, 1, 1]


def test_three_tied_first_leave_no_second_place() -> None:
    game = arrange(
        5,
        phase="market",
        round=6,
        areas=[["fish"], ["harbor"], ["market:fish"], [], ["ship_builder:fish", "fish"]],
    )
    assert [points for _, points in scoring(game)] == [3, 3, 3, 0, 6]


def test_third_place_scores_nothing() -> None:
    areas = [["caviar", "fish"], ["fish_basket", "fish"], ["fish_basket"], ["fish"]]
    game = arrange(4, phase="market", round=6, areas=areas)
    assert [points for _, points in scoring(game)] == [6, 3, 0, 0]


def test_every_good_is_scored_on_its_own() -> None:
    areas = [
        ["field", "hen", "apple", "fish", "vegetable_basket"],
        ["ear_of_wheat", "chicken_coop", "apple", "cabbage"],
    ]
    game = arrange(2, phase="market", round=4, areas=areas)
    # sack 4:2, chicken 2:4, apple 4:4, fish 4:0, cabbage 4:2
    assert scoring(game) == [(0 + 1 + 2 + 2 + 1, 4 + 2 + 4 + 4 + 4), (2 + 0 + 2 + 2, 2 + 4 + 4 + 0 + 2)]


@pytest.mark.parametrize("good", GOODS)
def test_the_tile_of_a_question_mark_is_scored_like_a_symbol(good: str) -> None:
    game = arrange(phase="market", areas=[["ship_builder:?"]], tiles={"given": [{"ship_builder:?": good}, {}]})
    assert scoring(game) == [(0, 2), (0, 0)]


def test_all_goods_of_one_player_who_is_alone() -> None:
    game = arrange(
        phase="market", round=5, areas=[["field", "chicken_coop", "apple_orchard", "caviar", "vegetable_garden"]]
    )
    assert scoring(game) == [(0, 25), (0, 0)]


# 10.4, D15
@pytest.mark.parametrize(("number", "higher", "lower"), VALUES)
def test_the_value_tile_of_the_round(number: int, higher: int, lower: int) -> None:
    assert fishers(3, 2, round_number=number) == [higher, lower]
    assert arrange(round=number).state()["tiles"]["value"] == [higher, lower]


def test_the_next_value_tile_comes_into_force_at_the_end_of_the_round() -> None:
    game = arrange(phase="market", areas=[["caviar"]], round=1)
    passes(game)
    assert (purse(game), game.state()["tiles"]["value"]) == ((25, 1), [1, 0])
    go_on_to(game, "worker")
    assert game.state()["tiles"]["value"] == [2, 1]
    go_on_to(go_on_to(game, "market"), "building")
    assert purse(game) == (25, 1 + 2)


# the three parts in their order
def test_rubles_come_before_upkeep_and_upkeep_before_points() -> None:
    game = to_scoring(arrange(phase="market", rubles=[0, 25], areas=[["chick", "fish_special"], ["caviar"]]))
    assert (game.due, game.to_move) == ("upkeep", 0)
    assert [purse(game, seat) for seat in (0, 1)] == [(2, 0), (25, 0)]
    paid = play(game.copy(), "upkeep fish_special pay")
    assert [purse(paid, seat) for seat in (0, 1)] == [(0, 2 + 2), (25, 1)]
    dropped = play(game, "upkeep fish_special drop")
    assert [purse(dropped, seat) for seat in (0, 1)] == [(2, 2), (25, 2)]
    assert goods(dropped) == {"chicken": 1}


def test_all_get_their_rubles_before_anybody_is_asked() -> None:
    game = to_scoring(arrange(phase="market", rubles=0, areas=[["apple_special"], ["chick", "fish_special"]]))
    assert (game.due, game.to_move) == ("upkeep", 0)
    assert purse(game, 1) == (2, 0)


def test_all_upkeep_comes_before_any_points() -> None:
    areas = [["apple_special"], ["fish_special", "apple"]]
    game = play(to_scoring(arrange(phase="market", areas=areas)), "upkeep apple_special pay")
    assert (game.due, game.to_move, game.state()["points"]) == ("upkeep", 1, [0, 0])
    assert quietly(game).state()["points"] == [2, 1]


def test_then_the_building_phase_begins() -> None:
    game = arrange(phase="market", tokens=held(2, building=1), areas=[["chick"]])
    assert passes(game).phase == "building"
    assert (game.to_move, game.due) == (1, "turn")


# 7.3 goes on as in the base game
@pytest.mark.parametrize("cathedral", [0, 1, 2])
def test_every_owner_of_a_pub_is_asked_clockwise_from_the_start_player(cathedral: int) -> None:
    for first, second in ((0, 1), (1, 2), (2, 0)):
        areas: list[list[str]] = [[], [], []]
        areas[first] = areas[second] = ["pub"]
        tokens = held(3, building=cathedral)
        game = to_scoring(arrange(3, phase="building", areas=areas, tokens=tokens, to_move=cathedral))
        asked = []
        while game.due == "pub":
            asked.append(game.to_move)
            play(game, "pub 1")
        clockwise = [(cathedral + step) % 3 for step in range(3)]
        assert asked == [seat for seat in clockwise if seat in (first, second)]


# X6
def test_x6_the_market_of_five_players() -> None:
    konrad, chiye, giuliano, holger, peter = range(5)
    areas: list[list[str]] = [[] for _ in range(5)]
    areas[konrad] = ["hen", "grain_sack", "cabbage"]
    areas[chiye] = ["hen", "vegetable_garden"]
    areas[giuliano] = ["apple"]
    areas[holger] = ["chicken_coop"]
    areas[peter] = ["fish_basket", "vegetable_basket"]
    game = arrange(5, phase="market", round=3, areas=areas)
    assert game.state()["tiles"]["value"] == [3, 1]
    points = [gain for _, gain in scoring(game)]
    assert [points[seat] for seat in (konrad, chiye, peter, holger, giuliano)] == [4, 4, 4, 3, 3]
