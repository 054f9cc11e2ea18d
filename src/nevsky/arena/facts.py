"""What one recorded game tells about winning."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Final, NamedTuple

from nevsky.cards import CARDS, KIND, PILES
from nevsky.errors import NevskyError
from nevsky.record import load
from nevsky.rules.game import Game
from nevsky.rules.ruleset import Ruleset
from nevsky.telling import move_facts

__all__ = ["FINAL", "SOURCES", "Facts", "facts", "read_facts"]

SOURCES: Final = (
    "workers",
    "market",
    "buildings",
    "nobles",
    "pub",
    "other",
    "different nobles",
    "rubles",
    "hand",
    "assignment",
    "obstacles",
)
"""Where points come from: the scorings, the pub, everything else in the rounds, and the parts of the final scoring."""
FINAL: Final = 0
"""Stands in place of the round for the final scoring."""
_SCORED: Final = {"worker": "workers", "market": "market", "building": "buildings", "noble": "nobles"}


class Facts(NamedTuple):
    """One finished game."""

    ruleset: Ruleset
    names: tuple[str, ...]
    shares: tuple[float, ...]
    """What each seat has of the victory."""
    scores: tuple[int, ...]
    places: tuple[int, ...]
    rounds: int
    trigger: str
    """The pile that ran out."""
    starter: int
    """The seat that began the first worker phase."""
    laid: tuple[tuple[int, str, int], ...]
    """Seat, card and round of the first copy that a seat laid."""
    openings: tuple[str, ...]
    """The cards that each seat laid in the first worker phase."""
    nobles: tuple[int, ...]
    """Different nobles of each seat at the end."""
    points: dict[tuple[int, int, str], int]
    """Points by seat, round and source."""


def read_facts(path: Path) -> Facts | None:
    """The facts of a record, None if the game is not over; what is not a legal game raises."""
    try:
        game = load(path)
    except NevskyError as error:
        raise NevskyError("file.error", path=path, why=error) from error
    return facts(game) if game.over else None


def facts(game: Game) -> Facts:
    """The facts of a finished game."""
    result = game.result
    assert result is not None
    n = game.ruleset.players
    first: dict[tuple[int, str], int] = {}
    opening: list[list[str]] = [[] for _ in range(n)]
    points: defaultdict[tuple[int, int, str], int] = defaultdict(int)
    for played in game.played():
        move, before, after = played
        action = move.action
        if action.verb in ("buy", "play") and action.card:
            card = CARDS[KIND[action.card]].id
            first.setdefault((move.seat, card), move.round)
            if move.round == 1 and move.phase == "worker":
                opening[move.seat].append(card)
        scoring = move_facts(played, game.ruleset).scoring
        for seat in range(n):
            gained = after.points[seat] - before.points[seat]
            if action.verb == "pub" and seat == move.seat:
                points[seat, move.round, "pub"] += action.number
                gained -= action.number
            if gained:
                points[seat, move.round, _SCORED.get(move.phase, "other") if scoring else "other"] += gained
    for entry in result.final:
        parts = (entry.nobles, entry.rubles, entry.hand, entry.assignment, entry.obstacles)
        for source, value in zip(SOURCES[6:], parts, strict=True):
            if value:
                points[entry.seat, FINAL, source] += value
    end = game.position
    empty = [PILES[p] for p in range(len(PILES)) if end.t.deck_size[p] and not end.pile_n[p]]
    return Facts(
        ruleset=game.ruleset,
        names=game.seats,
        shares=tuple(1 / len(result.winners) if seat in result.winners else 0.0 for seat in range(n)),
        scores=tuple(entry.total for entry in result.final),
        places=tuple(entry.place for entry in result.final),
        rounds=game.round,
        trigger=empty[0] if empty else "none",
        starter=game.tokens["worker"],
        laid=tuple((seat, card, number) for (seat, card), number in first.items()),
        openings=tuple(" + ".join(sorted(cards)) for cards in opening),
        nobles=tuple(end.nobles(seat) for seat in range(n)),
        points=dict(points),
    )
