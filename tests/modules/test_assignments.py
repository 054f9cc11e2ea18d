"""Rule 11.5: what each of the fifteen assignments is worth."""

from __future__ import annotations

from typing import Any

import pytest

from nevsky import Game
from tests.modules.arranged import final_position, settled
from tests.rules.table import play

NOT_FOR_TWO = (2, 8, 15)


def three_each(number: int, players: int) -> list[list[int]]:
    """Assignments for all, the first of seat 0 being this one."""
    rest = [other for other in range(1, 16) if other != number and (players > 2 or other not in NOT_FOR_TWO)]
    return [[number, *rest[:2]], *(rest[3 * seat - 1 : 3 * seat + 2] for seat in range(1, players))]


def chosen(number: int, *modules: int, players: int = 3, **position: Any) -> Game:
    """A finished game in which seat 0 chose this assignment, the others whatever they hold first."""
    game = final_position(5, *modules, players=players, assignments=three_each(number, players), **position)
    play(game, "pass")
    while not game.over:
        game.push(game.legal_actions[0])
    return game


def worth(number: int, *area: str, modules: tuple[int, ...] = (), **position: Any) -> int:
    """The points that an assignment brings for this area."""
    return settled(chosen(number, *modules, areas=[area], **position))[0].assignment


MIXED = (
    *("shepherd", "shepherd", "lumberjack", "fur_shop"),
    *("hen", "chick", "fish_special"),
    *("market:apple", "market:fish", "customs_house", "bank", "catherine_palace"),
    *("author", "author", "judge", "admiral"),
)
"""Sixteen cards: 4 green, 3 yellow, 5 blue, 4 red; goods: 3 chickens, 5 fish, 1 apple, 1 sack."""


@pytest.mark.parametrize(
    ("number", "points"),
    [
        (1, 2 * 4),
        (2, 10 + 4),
        (3, 2 * 4 + 5),
        (4, 5 + 3),
        (5, 3 * 3),
        (6, 10 + 10),
        (7, 3 * 3),
        (8, 2 * 3),
        (9, 2 * 4),
        (10, 4 * 3),
        (11, 3 * 5),
        (12, 5 + 16 // 3),
        (13, 2 * 3),
        (14, 2 * 4),
        (15, 2 * (1 + 5)),
    ],
)
def test_each_assignment_for_one_and_the_same_area(number: int, points: int) -> None:
    assert worth(number, *MIXED) == points


@pytest.mark.parametrize("number", range(1, 16))
def test_each_assignment_for_nothing_at_all(number: int) -> None:
    assert worth(number) == {2: 10, 6: 20, 12: 5}.get(number, 0)


# 1 and 2: cards of a colour
def test_1_counts_every_red_card_also_equal_and_exchange_ones() -> None:
    assert worth(1, "author", "author", "senator", "tax_man") == 8


def test_1_counts_a_sycophant() -> None:
    assert worth(1, "author", "sycophant", modules=(2,)) == 4


def test_2_counts_every_green_card_also_equal_and_exchange_ones() -> None:
    assert worth(2, "shepherd", "shepherd", "wharf", "czar_and_carpenter", "market:fish") == 14


# 3 and 4: markers
def test_3_adds_the_best_marker_to_2_for_each_marker() -> None:
    assert worth(3, "hen", "caviar", "fish", "apple") == 2 * 3 + 4


def test_3_with_all_five_markers() -> None:
    assert worth(3, "chick", "fish", "apple", "cabbage", "ear_of_wheat") == 10 + 1


def test_4_adds_the_two_best_markers() -> None:
    assert worth(4, "hen", "hen", "caviar", "apple", "vegetable_basket") == 4 + 3


def test_4_with_equal_markers() -> None:
    assert worth(4, "hen", "apple_crate", "fish_basket") == 2 + 2


def test_4_with_a_single_marker() -> None:
    assert worth(4, "hen", "chicken_coop") == 5


@pytest.mark.parametrize(("number", "points"), [(3, 2 * 1 + 3), (4, 3)])
def test_symbols_on_other_cards_and_tiles_move_the_markers_too(number: int, points: int) -> None:
    tiles = {"given": [{"czar_and_carpenter": "fish"}, {}, {}]}
    assert worth(number, "ship_builder:fish", "market:fish", "czar_and_carpenter", tiles=tiles) == points


# 5: Market, Customs House and Firehouse
def test_5_counts_three_kinds_of_buildings_and_no_others() -> None:
    area = ("market:fish", "market:apple", "market:sack", "customs_house", "firehouse", "firehouse", "hospital", "bank")
    assert worth(5, *area) == 3 * 6


def test_5_does_not_count_cards_of_the_market_pile() -> None:
    assert worth(5, "apple", "fish_basket", "market:sack") == 3


# 6: the most rubles
@pytest.mark.parametrize(
    ("rubles", "points"),
    [
        ([8, 7, 7], 20),
        ([7, 7, 0], 20),
        ([7, 7, 7], 20),
        ([0, 0, 0], 20),
        ([7, 8, 0], 10),
        ([7, 0, 8], 10),
        ([0, 1, 0], 10),
    ],
)
def test_6_brings_10_and_10_more_if_nobody_has_more_rubles(rubles: list[int], points: int) -> None:
    assert worth(6, rubles=rubles) == points


def test_6_counts_the_rubles_before_the_tens_are_paid_in() -> None:
    """After that seat 1 would have more: 9 rubles against 0."""
    final = settled(chosen(6, rubles=[30, 29, 0]))[0]
    assert (final.assignment, final.rubles, final.rubles_left) == (20, 3, 0)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_6_looks_at_everybody(players: int) -> None:
    assert worth(6, players=players, rubles=[5] * (players - 1) + [6]) == 10


# 7, 8 and 14: names
def test_7_counts_each_name_of_green_cards_once() -> None:
    area = ("shepherd", "shepherd", "ship_builder:fish", "ship_builder:apple", "wharf", "wharf", "czar_and_carpenter")
    assert worth(7, *area) == 3 * 4


def test_8_counts_what_is_beyond_the_first_of_each_name() -> None:
    area = ("shepherd", "shepherd", "shepherd", "author", "author", "hen", "hen", "bank", "wharf", "wharf")
    assert worth(8, *area) == 2 * (2 + 1 + 1 + 1)


def test_8_takes_cards_with_different_symbols_as_one_name() -> None:
    assert worth(8, "market:fish", "market:apple", "ship_builder:fish", "ship_builder:?") == 2 * 2


def test_8_takes_all_potemkin_villages_as_one_name() -> None:
    assert worth(8, "potemkin_village", "potemkin_village_1_4", "potemkin_village_3_8", modules=(1,)) == 4


def test_14_counts_each_name_of_blue_cards_once() -> None:
    assert worth(14, "market:fish", "market:apple", "pub", "pub", "observatory", "bank", "warehouse") == 2 * 5


def test_14_takes_all_potemkin_villages_as_one_name() -> None:
    assert worth(14, "potemkin_village", "potemkin_village_1_4", "library", modules=(1,)) == 4


# 9: exchange cards
def test_9_counts_exchange_cards_of_every_colour() -> None:
    assert worth(9, "wharf", "wharf", "bank", "abbot", "shepherd", "author", "market:fish") == 2 * 4


# 10, 11 and 15: points
def test_10_takes_the_red_card_with_the_most_points_four_times() -> None:
    assert worth(10, "controller", "czarina", "mistress_of_ceremonies", "academy") == 4 * 6


def test_10_is_nothing_for_nobles_without_points() -> None:
    assert worth(10, "author", "builder", "tax_man", "academy") == 0


def test_11_takes_the_blue_card_with_the_most_points_three_times() -> None:
    assert worth(11, "academy", "theater", "czarina") == 3 * 7


def test_11_and_15_count_the_mariinsky_theater_as_it_would_score_now() -> None:
    area = ("mariinsky_theater", "hospital", "author", "author", "author", "judge", "abbot")
    assert worth(11, *area) == 3 * 5
    assert worth(15, *area) == 2 * 5


def test_11_and_15_count_the_textile_factory_as_it_would_score_now() -> None:
    area = ("textile_factory", "shepherd", "shepherd", "weaving_mill", "lumberjack", "library")
    assert worth(11, *area, modules=(2,)) == 3 * 6
    assert worth(15, *area, modules=(2,)) == 2 * 6


def test_11_and_15_count_the_guild_hall_as_4() -> None:
    area = ("guild_hall", "firehouse", "market:fish")
    assert worth(11, *area, modules=(2,)) == 3 * 4
    assert worth(15, *area, modules=(2,)) == 2 * 4


def test_10_counts_a_plain_noble_of_good_company() -> None:
    assert worth(10, "lieutenant_kije", "judge", "mayor", modules=(2,)) == 4 * 3


def test_15_adds_the_points_of_all_blue_exchange_cards_and_of_no_others() -> None:
    area = ("winter_palace", "bank", "peterhof", "academy", "czarina", "wharf")
    assert worth(15, *area) == 2 * (5 + 1 + 2)


@pytest.mark.parametrize(
    ("number", "area", "covered", "points"),
    [
        (10, ("czarina", "judge"), "czarina", 4 * 2),
        (11, ("theater", "library"), "theater", 3 * 5),
        (11, ("theater", "theater"), "theater", 3 * 6),
        (11, ("mariinsky_theater", "author", "author", "market:fish"), "mariinsky_theater", 3 * 1),
        (11, ("guild_hall", "customs_house"), "guild_hall", 3 * 2),
        (15, ("guild_hall", "bank"), "guild_hall", 2 * 1),
        (15, ("textile_factory", "shepherd", "bank"), "textile_factory", 2 * 1),
        (15, ("winter_palace", "bank"), "winter_palace", 2 * 1),
    ],
)
def test_a_covered_card_has_no_points(number: int, area: tuple[str, ...], covered: str, points: int) -> None:
    assert worth(number, *area, modules=(1, 2), covered=[covered, None, None]) == points


@pytest.mark.parametrize(("number", "points"), [(1, 4), (9, 2), (12, 6), (14, 2)])
def test_but_it_still_counts_as_a_card_of_its_colour_and_name(number: int, points: int) -> None:
    assert worth(number, "author", "author", "bank", modules=(1,), covered=["bank", None, None]) == points


# 12: cards in the area
@pytest.mark.parametrize(
    ("players", "cards", "points"),
    [
        *[(2, 3, 5), (2, 4, 6), (2, 8, 7)],
        *[(3, 2, 5), (3, 3, 6), (3, 6, 7)],
        *[(4, 1, 5), (4, 2, 6), (4, 8, 9)],
        *[(5, 1, 5), (5, 2, 6), (5, 9, 9)],
    ],
)
def test_12_is_5_and_1_for_so_many_cards(players: int, cards: int, points: int) -> None:
    area = ("shepherd", "hen", "pub", "author", "bank", "wharf", "abbot", "fish_special", "judge")[:cards]
    assert worth(12, *area, players=players) == points


# 13: yellow cards
def test_13_counts_yellow_cards_orange_ones_too() -> None:
    assert worth(13, "hen", "hen", "chick", "fish_special", "market:fish", "ship_builder:fish") == 2 * 4


# cards on the hand
@pytest.mark.parametrize("number", [1, 2, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15])
def test_nothing_on_the_hand_counts(number: int) -> None:
    for hand in (["judge", "abbot", "author"], ["hen", "market:fish", "winter_palace"], ["shepherd", "wharf"]):
        assert worth(number, hands=[hand]) == worth(number)
