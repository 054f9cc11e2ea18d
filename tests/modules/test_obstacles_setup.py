"""Rule 11.6 a: ten tiles, five of them on the track."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest

from nevsky import Game, NevskyError, Ruleset
from tests.modules.arranged import BONUS_TILES, REAL_TILES, SPACES, box, tokens

SEEDS = range(120)
STANDARD = {"10": "B1", "20": "R1", "35": "R2", "50": "B3", "70": "B5"}


def table(real: int | None = None, players: int = 2) -> Ruleset:
    return Ruleset("second", players, market=True, modules=(6,), real_obstacles=real)


def tiles(game: Game) -> dict[str, str]:
    """Tile by space, as everybody sees them."""
    found: dict[str, str] = game.view(None).table["obstacles"]["tiles"]
    return found


def dealt(real: int | None = None) -> list[dict[str, str]]:
    return [tiles(Game(table(real), seed=seed)) for seed in SEEDS]


def from_deal(placed: dict[str, str], real: int | None = None) -> Game:
    return Game.from_piles(table(real), box(table(real)), tokens(), obstacles=placed)


def test_standard_bonus_tiles_at_10_50_70_and_real_ones_at_20_35() -> None:
    for placed in dealt():
        assert set(placed) == {str(at) for at in SPACES}
        assert {placed["10"], placed["50"], placed["70"]} <= set(BONUS_TILES)
        assert {placed["20"], placed["35"]} <= set(REAL_TILES)


def test_standard_every_tile_comes_to_every_space_of_its_sort() -> None:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for placed in dealt():
        for at, tile in placed.items():
            found[at].add(tile)
    assert found["10"] == found["50"] == found["70"] == set(BONUS_TILES)
    assert found["20"] == found["35"] == set(REAL_TILES)


@pytest.mark.parametrize("real", [None, 0, 1, 2, 3, 4, 5])
def test_no_tile_is_there_twice(real: int | None) -> None:
    assert all(len(set(placed.values())) == 5 for placed in dealt(real))


@pytest.mark.parametrize("real", [0, 1, 2, 3, 4, 5])
def test_variant_so_many_real_ones(real: int) -> None:
    for placed in dealt(real):
        assert sum(tile in REAL_TILES for tile in placed.values()) == real


@pytest.mark.parametrize("real", [1, 2, 3, 4])
def test_variant_every_sort_comes_to_every_space(real: int) -> None:
    for at in SPACES:
        assert {placed[str(at)][0] for placed in dealt(real)} == {"B", "R"}


@pytest.mark.parametrize("real", [0, 5])
def test_variant_all_of_one_sort_at_random(real: int) -> None:
    orders = {tuple(placed.values()) for placed in dealt(real)}
    assert len(orders) > 60
    assert {tile for order in orders for tile in order} == set(REAL_TILES if real else BONUS_TILES)


def test_nobody_is_done_with_any_of_them() -> None:
    assert Game(table(), seed=1).view(None).table["obstacles"]["passed"] == [[], []]


@pytest.mark.parametrize("real", [-1, 6, True, "2"])
def test_another_number_of_real_ones_is_refused(real: Any) -> None:
    with pytest.raises(NevskyError, match="0 to 5 real obstacles"):
        table(real)


def test_the_variant_needs_the_module() -> None:
    with pytest.raises(NevskyError, match="module 6"):
        Ruleset("second", 2, market=True, modules=(5,), real_obstacles=2)


def test_a_standard_deal_can_be_given() -> None:
    assert tiles(from_deal(STANDARD)) == STANDARD
    assert from_deal(STANDARD).deal["obstacles"] == STANDARD


@pytest.mark.parametrize(
    ("placed", "real"),
    [
        ({**STANDARD, "10": "R3"}, None),
        ({**STANDARD, "20": "B2"}, None),
        ({"10": "B1", "20": "B2", "35": "R2", "50": "R3", "70": "B5"}, None),
        (STANDARD, 3),
        ({**STANDARD, "50": "B1"}, None),
        ({**STANDARD, "50": "B6"}, None),
        ({at: tile for at, tile in STANDARD.items() if at != "70"}, None),
    ],
)
def test_a_deal_that_cannot_be_is_refused(placed: dict[str, str], real: int | None) -> None:
    with pytest.raises(NevskyError):
        from_deal(placed, real)


def test_the_same_two_real_ones_elsewhere_are_a_variant() -> None:
    placed = {"10": "B1", "20": "B2", "35": "R2", "50": "R3", "70": "B5"}
    assert tiles(from_deal(placed, real=2)) == placed
