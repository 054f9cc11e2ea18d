"""What the games of an arena say about each bot."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any, Final, NamedTuple

from nevsky.arena.intervals import Estimate, mean_interval, share_interval
from nevsky.arena.ratings import Rating, rate
from nevsky.bots.driver import FAILURES

__all__ = ["QUANTILES", "Figures", "Meeting", "Standing", "sum_up", "win_shares"]

QUANTILES: Final = {"min": 0.0, "q05": 0.05, "q25": 0.25, "median": 0.5, "q75": 0.75, "q95": 0.95, "max": 1.0}
Line = Mapping[str, Any]


class Standing(NamedTuple):
    """The figures of one bot."""

    label: str
    games: int
    wins: Estimate
    """Share of its games that one of its seats won; a shared victory counts in parts."""
    fair: float
    """The share that would be won if everybody were equally strong."""
    score: Estimate
    ranks: dict[int, int]
    """How often its seats came in at each place."""
    quantiles: dict[str, float]
    rating: Rating
    decisions: int
    per_second: float | None
    mean_ms: float | None
    longest_ms: float | None
    overruns: int
    forfeits: dict[str, int]
    last_failure: str
    """What it said when it failed last, if it said something."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        data = self._asdict()
        data["wins"], data["score"] = self.wins.to_dict(), self.score.to_dict()
        data["rating"] = {name: round(value, 3) for name, value in self.rating._asdict().items()}
        data["fair"] = round(self.fair, 5)
        return data


class Meeting(NamedTuple):
    """How one bot fared at the tables where it met another."""

    one: str
    other: str
    games: int
    wins: Estimate


class Figures(NamedTuple):
    """All figures of an arena."""

    games: int
    pairings: int
    rounds: float
    standings: tuple[Standing, ...]
    """Best first."""
    meetings: tuple[Meeting, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return {
            "games": self.games,
            "pairings": self.pairings,
            "rounds": round(self.rounds, 3),
            "bots": [standing.to_dict() for standing in self.standings],
            "meetings": [{**meeting._asdict(), "wins": meeting.wins.to_dict()} for meeting in self.meetings],
        }


def win_shares(line: Line) -> list[float]:
    """What each seat has of the victory."""
    winners = sum(place == 1 for place in line["places"])
    return [1 / winners if place == 1 else 0.0 for place in line["places"]]


def sum_up(
    labels: Sequence[str], sizes: Sequence[int], results: Mapping[int, Line], timings: Mapping[int, Line]
) -> Figures | None:
    """The figures over all complete pairings, None if there is none; ``sizes`` tells the games of each matchup's."""
    pairings: defaultdict[tuple[int, int], list[Line]] = defaultdict(list)
    for number in sorted(results):
        line = results[number]
        pairings[line["matchup"], line["deal"]].append(line)
    whole = {key: lines for key, lines in pairings.items() if len(lines) == sizes[key[0]]}
    lines = [line for found in whole.values() for line in found]
    if not lines:
        return None
    ratings = rate(len(labels), lines)
    standings = [
        _standing(i, labels[i], lines, timings, ratings[i])
        for i in range(len(labels))
        if any(i in line["seats"] for line in lines)
    ]
    standings.sort(key=lambda standing: (-(standing.wins.value - standing.fair), standing.label))
    return Figures(
        len(lines), len(whole), fmean(line["rounds"] for line in lines), tuple(standings), _meetings(labels, lines)
    )


def _by_deal(entrant: int, lines: Sequence[Line]) -> list[float]:
    """The share of victories of a bot with each deal."""
    deals: defaultdict[int, list[float]] = defaultdict(list)
    for line in lines:
        if entrant in line["seats"]:
            shares = win_shares(line)
            deals[line["deal"]].append(sum(shares[seat] for seat, i in enumerate(line["seats"]) if i == entrant))
    return [fmean(found) for found in deals.values()]


def _standing(entrant: int, label: str, lines: Sequence[Line], timings: Mapping[int, Line], rating: Rating) -> Standing:
    own = [(line, [seat for seat, i in enumerate(line["seats"]) if i == entrant]) for line in lines]
    own = [(line, seats) for line, seats in own if seats]
    deals: defaultdict[int, list[int]] = defaultdict(list)
    for line, seats in own:
        deals[line["deal"]] += [line["scores"][seat] for seat in seats]
    scores = sorted(score for found in deals.values() for score in found)
    forfeits: Counter[str] = Counter()
    for line, seats in own:
        for seat in seats:
            forfeits.update(line["forfeits"][seat])
    decisions = sum(line["decisions"][seat] for line, seats in own for seat in seats)
    timed = [(line, timings[line["game"]], seats) for line, seats in own if line["game"] in timings]
    asked = sum(line["decisions"][seat] for line, _, seats in timed for seat in seats)
    spent = sum(timing["ms"][seat] for _, timing, seats in timed for seat in seats)
    return Standing(
        label=label,
        games=len(own),
        wins=share_interval(_by_deal(entrant, lines), len(own)),
        fair=fmean(len(seats) / len(line["seats"]) for line, seats in own),
        score=mean_interval([fmean(found) for found in deals.values()]),
        ranks=dict(sorted(Counter(line["places"][seat] for line, seats in own for seat in seats).items())),
        quantiles={name: scores[min(len(scores) - 1, int(q * len(scores)))] for name, q in QUANTILES.items()},
        rating=rating,
        decisions=decisions,
        per_second=round(1000 * asked / spent, 1) if spent else None,
        mean_ms=round(spent / asked, 3) if asked else None,
        longest_ms=max((timing["longest"][seat] for _, timing, seats in timed for seat in seats), default=None),
        overruns=sum(timing["overruns"][seat] for _, timing, seats in timed for seat in seats),
        forfeits={kind: forfeits[kind] for kind in FAILURES if forfeits[kind]},
        last_failure=_last_failure(timed) if forfeits else "",
    )


def _last_failure(timed: Iterable[tuple[Line, Line, Sequence[int]]]) -> str:
    told = [timing["failures"][seat] for _, timing, seats in timed if "failures" in timing for seat in seats]
    return next((text for text in reversed(told) if text), "")


def _meetings(labels: Sequence[str], lines: Sequence[Line]) -> tuple[Meeting, ...]:
    meetings = []
    for one, label in enumerate(labels):
        for other, rival in enumerate(labels):
            met = [line for line in lines if one != other and {one, other} <= set(line["seats"])]
            if met:
                meetings.append(Meeting(label, rival, len(met), share_interval(_by_deal(one, met), len(met))))
    return tuple(meetings)
