"""The page of the report: intervals that can be true, and none where nothing is known."""

from __future__ import annotations

import re

from nevsky.arena.facts import Facts, facts
from nevsky.arena.page import page
from nevsky.arena.tally import tally
from nevsky.simulate import play_random_game
from tests.rulesets import CONFIGURATIONS


def games(number: int) -> list[Facts]:
    return [facts(play_random_game(CONFIGURATIONS["second-2"], f"page-{each}")) for each in range(number)]


def won_by(game: Facts, winner: int) -> Facts:
    """The same game, but with this winner."""
    shares = tuple(float(seat == winner) for seat in range(2))
    return game._replace(shares=shares, names=tuple("strong" if share else "weak" for share in shares))


def test_intervals_of_seats_stay_between_nothing_and_everything() -> None:
    found = page("A title", tally([won_by(game, int(n > 0)) for n, game in enumerate(games(20))]), None, 2)
    intervals = re.findall(r"([\d.-]+)% \[(\S+)%, (\S+)%\]", found)
    assert ("5.0", "0.9", "23.6") in intervals and len(intervals) == 4
    assert all(0 <= float(low) <= float(value) <= float(high) <= 100 for value, low, high in intervals)


def test_a_bot_that_always_wins_gives_no_lift_and_no_certainty() -> None:
    found = page("A title", tally([won_by(game, n % 2) for n, game in enumerate(games(12))]), None, 2)
    assert "± 0.0" not in found and "<td>–</td>" in found


def test_the_page_says_what_its_intervals_leave_out() -> None:
    assert "count all seats as independent" in page("A title", tally(games(2)), None, 2)
