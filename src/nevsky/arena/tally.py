"""What many recorded games say about winning."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from math import sqrt
from statistics import fmean, pvariance
from typing import Final, NamedTuple, TypeVar

from nevsky.arena.facts import Facts

__all__ = ["LAST_ROUND", "Sample", "Tally", "tally"]

LAST_ROUND: Final = 7
"""Rounds from here on are counted together."""
_Key = TypeVar("_Key", bound=Hashable)


class Sample(NamedTuple):
    """What happened to the seats that did something."""

    number: int
    wins: float
    """Their share of victories."""
    lift: float
    """How much more they won than their bots win on average."""
    margin: float
    """Half the 95 % interval of the lift, as if all seats were independent."""
    score: float


class Tally(NamedTuple):
    """All figures of the report."""

    games: int
    players: int
    edition: str
    names: tuple[str, ...]
    """The bots, most victories first."""
    average: dict[str, Sample]
    scores: dict[str, list[int]]
    places: dict[str, Counter[int]]
    seats: dict[int, Sample]
    order: dict[int, Sample]
    """By the place in the order of play of the first worker phase."""
    rounds: Counter[int]
    triggers: Counter[str]
    nobles: dict[int, Sample]
    openings: dict[str, Sample]
    cards: dict[str, Sample]
    by_round: dict[tuple[str, int], Sample]
    winners: dict[int, dict[str, float]]
    """Points of winning seats by round and source, on average over all games."""
    others: dict[int, dict[str, float]]


class _Seat(NamedTuple):
    share: float
    lift: float
    score: int


def _sample(seats: Sequence[_Seat]) -> Sample:
    lifts = [seat.lift for seat in seats]
    margin = 1.96 * sqrt(pvariance(lifts) / len(lifts)) if len(lifts) > 1 else float("inf")
    return Sample(len(seats), fmean(s.share for s in seats), fmean(lifts), margin, fmean(seat.score for seat in seats))


def _samples(found: Iterable[tuple[_Key, _Seat]]) -> dict[_Key, Sample]:
    groups: defaultdict[_Key, list[_Seat]] = defaultdict(list)
    for key, seat in found:
        groups[key].append(seat)
    return {key: _sample(seats) for key, seats in groups.items()}


def tally(games: Sequence[Facts]) -> Tally:
    """Sum up games of one ruleset."""
    players = games[0].ruleset.players
    shares: defaultdict[str, list[float]] = defaultdict(list)
    for game in games:
        for name, share in zip(game.names, game.shares, strict=True):
            shares[name].append(share)
    usual = {name: fmean(found) for name, found in shares.items()}
    names = tuple(sorted(usual, key=lambda name: (-usual[name], name)))
    table = [
        (game, [_Seat(game.shares[s], game.shares[s] - usual[game.names[s]], game.scores[s]) for s in range(players)])
        for game in games
    ]
    every = [(game, number, seat) for game, seats in table for number, seat in enumerate(seats)]
    laid = [(card, min(turn, LAST_ROUND), seats[seat]) for game, seats in table for seat, card, turn in game.laid]
    scores: dict[str, list[int]] = {name: [] for name in names}
    places: dict[str, Counter[int]] = {name: Counter() for name in names}
    for game, number, _ in every:
        scores[game.names[number]].append(game.scores[number])
        places[game.names[number]][game.places[number]] += 1
    return Tally(
        games=len(games),
        players=players,
        edition=games[0].ruleset.edition,
        names=names,
        average=_samples((game.names[number], seat) for game, number, seat in every),
        scores=scores,
        places=places,
        seats=_samples((number, seat) for _, number, seat in every),
        order=_samples(((number - game.starter) % players, seat) for game, number, seat in every),
        rounds=Counter(game.rounds for game in games),
        triggers=Counter(game.trigger for game in games),
        nobles=_samples((game.nobles[number], seat) for game, number, seat in every),
        openings=_samples((game.openings[number], seat) for game, number, seat in every),
        cards=_samples((card, seat) for card, _, seat in laid),
        by_round=_samples(((card, turn), seat) for card, turn, seat in laid),
        winners=_sources(games, won=True),
        others=_sources(games, won=False),
    )


def _sources(games: Sequence[Facts], *, won: bool) -> dict[int, dict[str, float]]:
    total: defaultdict[int, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
    seats = sum((share > 0) == won for game in games for share in game.shares)
    for game in games:
        for (seat, turn, source), value in game.points.items():
            if (game.shares[seat] > 0) == won:
                total[turn][source] += value / seats
    return {turn: dict(sources) for turn, sources in total.items()}
