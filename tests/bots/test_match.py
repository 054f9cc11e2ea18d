"""Matches: figures, seats, and who beats whom."""

from __future__ import annotations

import pytest

from nevsky import NevskyError, Ruleset
from nevsky.bots import BOTS
from nevsky.bots.match import play_match

GREEDY, RANDOM = BOTS["greedy"], BOTS["random"]


def test_greedy_beats_random_clearly() -> None:
    result = play_match([GREEDY, RANDOM], Ruleset("second", 2), 60, "quick")
    assert result.shares[0].wins >= 0.95


@pytest.mark.parametrize("modules", [(), (1, 2, 3, 4, 5, 6)])
def test_greedy_beats_three_random_players_at_the_market(modules: tuple[int, ...]) -> None:
    result = play_match([GREEDY, RANDOM, RANDOM, RANDOM], Ruleset("second", 4, market=True, modules=modules), 20)
    assert result.shares[0].wins >= 0.8


def test_a_match_adds_up() -> None:
    result = play_match([RANDOM] * 3, Ruleset("first", 3), 30, "sum")
    assert result.games == 30
    assert sum(share.wins for share in result.shares) == pytest.approx(1)
    assert all(0 <= share.low <= share.wins <= share.high <= 1 for share in result.shares)
    assert 4 <= result.rounds <= 12


def test_the_same_seed_gives_the_same_match() -> None:
    one, other, third = (play_match([GREEDY, RANDOM], Ruleset("second", 2), 4, seed) for seed in (1, 1, 2))
    assert one == other != third


def test_a_share_reads_well() -> None:
    share = play_match([RANDOM, GREEDY], Ruleset("second", 2), 2).shares[1]
    assert str(share).startswith("greedy: 100.0% [34.2%, 100.0%]")


@pytest.mark.parametrize(("bots", "games"), [([RANDOM], 1), ([RANDOM] * 2, 0)])
def test_a_match_that_cannot_be_played_is_refused(bots: list, games: int) -> None:  # type: ignore[type-arg]
    with pytest.raises(NevskyError):
        play_match(bots, Ruleset("second", 2), games)
