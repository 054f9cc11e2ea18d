"""Rules 11.6 c and D12: the five real obstacles at each of the five spaces."""

from __future__ import annotations

import pytest

from nevsky import Game
from tests.modules.arranged import SPACES, arrange, lost, one_tile, passed, scores
from tests.rules.table import play, texts

WORKERS = ("lumberjack", "gold_miner", "shepherd", "fur_trapper", "ship_builder:fish", "wharf")
ONE_EACH = ("fish", "chick", "apple", "cabbage", "ear_of_wheat")
MORE_FISH = {
    3: ("fish_basket",),
    4: ("caviar",),
    5: ("fish_special",),
    6: ("caviar", "fish_basket"),
    7: ("caviar", "fish_basket", "fish"),
}
"""With one fish these make a position of 3 to 7."""
COUNTS = [(10, 1), (20, 2), (35, 3), (50, 4), (70, 5)]
GREEN, RED, BLUE = ("wharf",), ("builder",), ("bank",)


def scoring(phase: str, tile: str, at: int, area: tuple[str, ...], start: int) -> Game:
    """The phase is scored; seat 0 begins at ``start`` with 20 rubles."""
    game = arrange(6, phase=phase, passes=1, areas=[area], points=[start, 0], rubles=20, obstacles=one_tile(tile, at))
    return play(game, "pass")


def buildings(tile: str, at: int, *area: str) -> Game:
    """Seat 0 stands two spaces before the tile and gains 3 points with a firehouse, more with other blue cards."""
    return scoring("building", tile, at, ("firehouse", *area), at - 2)


def is_stopped(game: Game, at: int, rest: int = 2) -> bool:
    """Whether seat 0 stands before the tile, has lost the rest of the points, and the game goes on."""
    return (scores(game)[1], lost(game), at in passed(game), game.due) == (at - 1, rest, False, "turn")


# R1
@pytest.mark.parametrize(("at", "different"), [(10, 3), (20, 4), (35, 5), (50, 5), (70, 6)])
def test_r1_wants_different_green_cards_and_has_no_bonus(at: int, different: int) -> None:
    game = buildings("R1", at, *WORKERS[:different])
    assert scores(game) == (20, at + 1)
    assert at in passed(game)
    missed = buildings("R1", at, *WORKERS[: different - 1], "lumberjack", "lumberjack", "author", "hen")
    assert is_stopped(missed, at)
    assert scores(missed)[0] == 20


def test_r1_takes_ship_builders_with_different_symbols_as_one_name() -> None:
    builders = ("ship_builder:fish", "ship_builder:apple", "ship_builder:sack")
    assert is_stopped(buildings("R1", 10, *builders, "shepherd"), 10)


# R2
POSITIONS = [(10, 2, 3), (20, 3, 4), (35, 4, 5), (50, 5, 6), (70, 5, 7)]


@pytest.mark.parametrize(("at", "goods", "position"), POSITIONS)
def test_r2_wants_markers_and_a_high_one_and_pays_points_for_the_markers_and_rubles_for_one(
    at: int, goods: int, position: int
) -> None:
    game = buildings("R2", at, *ONE_EACH[:goods], *MORE_FISH[position])
    assert (game.due, game.to_move) == ("bonus", 0)
    assert scores(game) == (20, at + 1)
    names = ("fish", "chicken", "apple", "cabbage", "sack")[:goods]
    assert texts(game) == {f"bonus {good}" for good in names}
    other = play(game.copy(), "bonus chicken")
    assert scores(other) == (21, at + 1 + goods)
    assert scores(play(game, "bonus fish")) == (20 + position, at + 1 + goods)


@pytest.mark.parametrize(("at", "goods", "position"), POSITIONS)
def test_r2_is_missed_with_one_marker_too_few(at: int, goods: int, position: int) -> None:
    assert is_stopped(buildings("R2", at, *ONE_EACH[: goods - 1], *MORE_FISH[position]), at)


@pytest.mark.parametrize(("at", "goods", "position"), POSITIONS)
def test_r2_is_missed_with_a_position_too_low(at: int, goods: int, position: int) -> None:
    lower = {2: ("fish",), **MORE_FISH}[position - 1]
    assert is_stopped(buildings("R2", at, *ONE_EACH[:goods], *lower, "chick", "apple"), at)


# R3
@pytest.mark.parametrize(("at", "cards"), COUNTS)
def test_r3_wants_blue_cards_and_pays_rubles_for_each_and_the_points_of_one(at: int, cards: int) -> None:
    """The Mistress of Ceremonies brings 6 rubles and 3 points."""
    area = ("customs_house",) * (cards - 1) + ("harbor",)
    game = scoring("noble", "R3", at, ("mistress_of_ceremonies", *area), at - 2)
    assert (game.due, game.to_move) == ("bonus", 0)
    assert texts(game) == {"bonus harbor points"} | ({"bonus customs_house points"} if cards > 1 else set())
    assert scores(play(game, "bonus harbor points")) == (26 + cards, at + 1 + 2)


@pytest.mark.parametrize(("at", "cards"), COUNTS)
def test_r3_is_missed_with_one_blue_card_too_few(at: int, cards: int) -> None:
    area = ("mistress_of_ceremonies", *("customs_house",) * (cards - 1), "shepherd", "hen", "author")
    game = scoring("noble", "R3", at, area, at - 2)
    assert is_stopped(game, at)
    assert scores(game)[0] == 20 + 6 + 1


def test_r3_pays_the_rubles_even_if_no_blue_card_has_points() -> None:
    game = scoring("noble", "R3", 20, ("mistress_of_ceremonies", "pub", "warehouse"), 18)
    assert (game.phase, game.due) == ("exchange", "turn")
    assert scores(game) == (28, 21)


def test_r3_offers_the_variable_points_of_the_mariinsky_theater() -> None:
    game = scoring("noble", "R3", 10, ("mistress_of_ceremonies", "author", "mariinsky_theater"), 8)
    assert scores(play(game, "bonus mariinsky_theater points")) == (20 + 7 + 1, 11 + 2)


# R4
@pytest.mark.parametrize(("at", "cards"), COUNTS)
def test_r4_wants_red_cards_and_pays_points_for_each_and_the_rubles_of_one(at: int, cards: int) -> None:
    game = buildings("R4", at, *("author",) * (cards - 1), "builder")
    assert (game.due, game.to_move) == ("bonus", 0)
    assert texts(game) == {"bonus builder rubles"} | ({"bonus author rubles"} if cards > 1 else set())
    assert scores(play(game, "bonus builder rubles")) == (25, at + 1 + cards)


@pytest.mark.parametrize(("at", "cards"), COUNTS)
def test_r4_is_missed_with_one_red_card_too_few(at: int, cards: int) -> None:
    assert is_stopped(buildings("R4", at, *("author",) * (cards - 1), "shepherd", "hen"), at)


def test_r4_pays_the_points_even_if_no_red_card_has_rubles() -> None:
    game = buildings("R4", 20, "patriarch", "czarina")
    assert (game.phase, game.due) == ("noble", "turn")
    assert scores(game) == (20, 21 + 2)


def test_r4_offers_the_variable_rubles_of_the_tax_man() -> None:
    game = buildings("R4", 10, "tax_man", "shepherd", "shepherd", "judge")
    assert texts(game) == {"bonus tax_man rubles", "bonus judge rubles"}
    assert scores(play(game, "bonus tax_man rubles")) == (22, 11 + 2)


# R5
@pytest.mark.parametrize(("at", "cards"), [(10, 1), (20, 2), (35, 3), (70, 4)])
def test_r5_wants_exchange_cards_and_pays_2_points_for_each(at: int, cards: int) -> None:
    area = ("wharf", "builder", "abbot", "weaving_mill", "fur_shop")
    game = buildings("R5", at, *area[:cards], "author", "shepherd")
    assert scores(game) == (20, at + 1 + 2 * cards)
    assert at in passed(game)
    assert is_stopped(buildings("R5", at, *area[: cards - 1], "author", "shepherd", "hen"), at)


def test_r5_at_50_wants_one_of_each_of_three_colours() -> None:
    """The bank brings 5 rubles and 1 point."""
    game = buildings("R5", 50, *GREEN, *RED, *BLUE)
    assert scores(game) == (25, 52 + 6)
    assert 50 in passed(game)


@pytest.mark.parametrize(
    ("area", "rest"),
    [
        ((*GREEN, *RED, "fur_shop", "abbot", "firehouse"), 5),
        ((*GREEN, *BLUE, "fur_shop", "author"), 3),
        ((*RED, *BLUE, "abbot", "shepherd"), 3),
        ((*GREEN, *RED, "customs_house"), 4),
    ],
)
def test_r5_at_50_is_missed_with_a_colour_missing(area: tuple[str, ...], rest: int) -> None:
    assert is_stopped(buildings("R5", 50, *area), 50, rest)


def test_r5_elsewhere_any_colours_will_do() -> None:
    assert scores(buildings("R5", 70, "wharf", "wharf", "wharf", "fur_shop")) == (20, 71 + 8)


# the space before it (D12)
MET = {"R1": WORKERS, "R5": ("wharf", "wharf", "fur_shop", "builder")}


@pytest.mark.parametrize("at", [10, 20, 35, 70])
@pytest.mark.parametrize("tile", ["R1", "R5"])
def test_it_is_checked_on_the_space_before_it(tile: str, at: int) -> None:
    bonus = 8 if tile == "R5" else 0
    two_before = scoring("building", tile, at, ("firehouse", *MET[tile]), at - 5)
    assert (scores(two_before)[1], at in passed(two_before)) == (at - 2, False)
    before = scoring("building", tile, at, ("firehouse", *MET[tile]), at - 4)
    assert (scores(before)[1], at in passed(before)) == (at - 1 + bonus, True)


@pytest.mark.parametrize("at", SPACES)
def test_whoever_just_reaches_the_space_before_it_unready_loses_nothing(at: int) -> None:
    assert is_stopped(scoring("building", "R1", at, ("firehouse",), at - 4), at, rest=0)


@pytest.mark.parametrize("at", SPACES)
def test_unready_nobody_gets_onto_it(at: int) -> None:
    assert is_stopped(scoring("building", "R1", at, ("firehouse",), at - 3), at, rest=1)


def test_without_a_gain_nothing_is_checked() -> None:
    game = scoring("building", "R1", 20, WORKERS, 19)
    assert (scores(game)[1], passed(game)) == (19, [10, 35, 50, 70])
