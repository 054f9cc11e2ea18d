"""The figures: intervals that respect pairings, ratings, and sums that add up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from nevsky.arena.figures import sum_up
from nevsky.arena.intervals import mean_interval, share_interval, student
from nevsky.arena.ratings import rate
from nevsky.arena.tables import failures, markdown
from nevsky.bots.guard import overrun
from nevsky.rules.rng import Rng


def line(number: int, deal: int, seats: Sequence[int], places: Sequence[int], **more: Any) -> dict[str, Any]:
    n = len(seats)
    return {
        "game": number,
        "matchup": 0,
        "deal": deal,
        "seats": list(seats),
        "places": list(places),
        "scores": [100 - 10 * place for place in places],
        "rounds": 6,
        "decisions": [50] * n,
        "forfeits": [{}] * n,
        **more,
    }


def duel(wins: Sequence[tuple[int, int]]) -> dict[int, dict[str, Any]]:
    """Pairings of bot 0 and bot 1, given the winner of both games of each."""
    lines = {}
    for deal, pair in enumerate(wins):
        for turn, winner in enumerate(pair):
            seats = (0, 1) if turn == 0 else (1, 0)
            places = [1 if entrant == winner else 2 for entrant in seats]
            lines[2 * deal + turn] = line(2 * deal + turn, deal, seats, places)
    return lines


def test_student_is_as_in_the_books() -> None:
    table = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 10: 2.228, 30: 2.042, 1000: 1.962}
    assert {n: pytest.approx(student(n), rel=0.01) for n in table} == table


def test_a_mean_has_students_interval() -> None:
    found = mean_interval([1.0, 2.0, 3.0, 4.0])
    assert found == pytest.approx((2.5, 2.5 - 2.054, 2.5 + 2.054), abs=0.02)


def test_pairings_that_balance_each_other_make_the_interval_narrow() -> None:
    """The same victories: when every deal is shared one knows more than when deals decide everything."""
    shared = sum_up(["a", "b"], [2], duel([(0, 1)] * 20 + [(0, 0), (1, 1)]), {})
    decided = sum_up(["a", "b"], [2], duel([(0, 0), (1, 1)] * 11), {})
    assert shared is not None and decided is not None
    one, other = shared.standings[0].wins, decided.standings[0].wins
    assert one.value == other.value == 0.5
    assert one.high - one.low < 0.75 * (other.high - other.low)


def test_intervals_contain_the_truth_as_often_as_they_say() -> None:
    """Deals with a strength of their own: over single games the interval would be far too narrow."""
    hits = 0
    for trial in range(300):
        rng = Rng.of("coverage", trial)
        means = []
        for _ in range(40):
            chance = 0.35 if rng.below(2) else 0.85  # 0.6 on average
            means.append(sum(rng.below(1000) < 1000 * chance for _ in range(4)) / 4)
        found = share_interval(means, 160)
        hits += found.low <= 0.6 <= found.high
    assert 0.91 <= hits / 300 <= 0.985


def test_deals_that_are_alike_are_worth_the_games_played_and_no_more() -> None:
    """Otherwise one deal that differs a little would turn a wide interval into a certainty."""
    alike, almost = share_interval([1 / 3] * 10, 30), share_interval([1 / 3] * 9 + [0.34], 30)
    assert alike == pytest.approx(almost, abs=0.001)
    assert alike.low < 0.2 and alike.high > 0.5
    assert share_interval([1 / 3] * 10).high > alike.high, "a deal of one game tells less"


def test_one_victory_less_never_makes_the_lower_end_higher() -> None:
    swept, nearly = share_interval([1.0] * 10, 20), share_interval([1.0] * 9 + [0.5], 20)
    assert swept.low > nearly.low


def test_even_shared_deals_are_no_certainty_in_the_league() -> None:
    figures = sum_up(["a", "b"], [2], duel([(0, 1)] * 10), {})
    assert figures is not None
    assert figures.standings[0].wins == share_interval([0.5] * 10, 20)
    assert figures.meetings[0].wins == share_interval([0.5] * 10, 20)


def test_one_deal_says_nothing_about_the_spread() -> None:
    assert share_interval([0.5]) == (0.5, 0.0, 1.0)
    assert mean_interval([3.0]).to_dict() == {"value": 3.0, "low": None, "high": None}


def test_a_pairing_that_is_not_complete_is_left_out() -> None:
    results = duel([(0, 0), (0, 1), (1, 1)])
    del results[5]
    figures = sum_up(["a", "b"], [2], results, {})
    assert figures is not None
    assert (figures.games, figures.pairings) == (4, 2)
    assert {s.label: s.wins.value for s in figures.standings} == {"a": 0.75, "b": 0.25}
    assert sum_up(["a", "b"], [2], {0: results[0]}, {}) is None


def test_a_shared_victory_counts_in_parts() -> None:
    results = {
        0: line(0, 0, (0, 1, 1), (1, 1, 3)),
        1: line(1, 0, (1, 0, 1), (1, 2, 1)),
        2: line(2, 0, (1, 1, 0), (2, 2, 1)),
    }
    figures = sum_up(["a", "b"], [3], results, {})
    assert figures is not None
    found = {s.label: s for s in figures.standings}
    assert found["a"].wins.value == pytest.approx((0.5 + 0 + 1) / 3)
    assert found["b"].wins.value == pytest.approx((0.5 + 1 + 0) / 3)
    assert found["a"].fair == pytest.approx(1 / 3) and found["b"].fair == pytest.approx(2 / 3)
    assert found["b"].ranks == {1: 3, 2: 2, 3: 1}
    assert [s.label for s in figures.standings] == ["a", "b"], "who wins more than the fair share stands first"


def test_times_and_forfeits_are_added_up() -> None:
    results = duel([(0, 1)])
    results[0]["forfeits"] = [{"timeout": 2, "crash": 1}, {}]
    results[1]["forfeits"] = [{}, {"timeout": 1}]
    timings = {
        0: {"game": 0, "ms": [100.0, 10.0], "longest": [30.0, 5.0], "overruns": [1, 0]},
        1: {"game": 1, "ms": [10.0, 300.0], "longest": [2.0, 90.0], "overruns": [0, 2]},
    }
    figures = sum_up(["a", "b"], [2], results, timings)
    assert figures is not None
    a = next(s for s in figures.standings if s.label == "a")
    assert a.forfeits == {"timeout": 3, "crash": 1}
    assert (a.decisions, a.mean_ms, a.per_second, a.longest_ms, a.overruns) == (100, 4.0, 250.0, 90.0, 3)
    text = markdown(figures, "A title")
    assert "What went wrong" not in text, "nothing is known about it"
    assert "| a | 100 | 250.0 | 4.00 | 90.0 | 3 | 4 (timeout 3, crash 1) |" in text


def test_the_last_failure_is_told_on_one_short_line() -> None:
    results = duel([(0, 1)])
    results[0]["forfeits"] = [{"crash": 2}, {}]
    times = {"ms": [1.0, 1.0], "longest": [1.0, 1.0], "overruns": [0, 0]}
    timings = {
        0: {"game": 0, **times, "failures": ["KeyError: 'first'", ""]},
        1: {"game": 1, **times, "failures": ["not forfeited, not told", "ValueError: `a`\n\x1b[1m\ud800" + "b" * 200]},
    }
    figures = sum_up(["a", "b"], [2], results, timings)
    assert figures is not None
    ((label, text),) = failures(figures)
    assert label == "a" and text.startswith("ValueError: `a` \\x1b[1m\\ud800bbb") and len(text) == 120
    table = markdown(figures, "A title")
    assert "What went wrong last:\n\n- a: `ValueError: 'a' \\x1b" in table and table.encode()
    assert "4 games" not in table and "2 games in 1 pairing, 6.00 rounds." in table


@pytest.mark.parametrize(
    ("taken", "budget", "expected"), [(61, 10, True), (59, 10, False), (1201, 1000, True), (1199, 1000, False)]
)
def test_an_overrun_is_more_than_a_fifth_and_more_than_50_ms(taken: float, budget: int, expected: bool) -> None:
    assert overrun(taken, budget) is expected


def test_ratings_follow_the_placings() -> None:
    games = [line(n, n, (0, 1, 2), (1, 2, 3)) for n in range(30)]
    best, middle, last = rate(3, games)
    assert best.mu > middle.mu > last.mu
    assert best.sigma < 25 / 3 and best.cautious < best.mu
    assert rate(3, reversed(games)) == [best, middle, last], "the order in which lines were written does not matter"


def test_a_bot_on_several_seats_has_one_rating() -> None:
    one, rest = rate(2, [line(n, n, (0, 1, 1, 1), (1, 2, 3, 4)) for n in range(20)])
    assert one.mu > 30 > rest.mu
