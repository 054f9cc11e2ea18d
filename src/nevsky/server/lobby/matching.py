"""Who of those who wait plays with whom: the oldest first, as many as can be, and nobody with whom they will not."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import product
from typing import Final, NamedTuple

__all__ = ["GAMES", "Game", "Group", "Waiting", "find"]

_MOST_TRIED: Final = 200
"""Ways to put a group together that are looked at, where people block each other."""


class Game(NamedTuple):
    """What may be played."""

    edition: str
    market: bool
    players: int


GAMES: Final = tuple(
    Game(edition, market, players)
    for players, market, edition in product((5, 4, 3, 2), (False, True), ("second", "first"))
    if (players < 5 or market) and not (market and edition == "first")  # 1.2
)
"""All there are; where several fit, the first one is played."""


class Waiting(NamedTuple):
    """Somebody who waits."""

    guest: str
    editions: frozenset[str]
    market: bool | None
    seats: frozenset[int]
    seconds: float = 0.0
    """For how long."""
    bots_after: float | None = None
    """After so many seconds bots may play in the place of those who are missing; None: never."""

    def accepts(self, game: Game) -> bool:
        """Whether they would play this."""
        return game.edition in self.editions and self.market in (None, game.market) and game.players in self.seats

    @property
    def impatient(self) -> bool:
        """Whether they have waited long enough to play with bots."""
        return self.bots_after is not None and self.seconds >= self.bots_after


class Group(NamedTuple):
    """Who plays what; bots take the seats that are left."""

    guests: tuple[str, ...]
    game: Game


def find(waiting: Sequence[Waiting], apart: Collection[frozenset[str]] = ()) -> Group | None:
    """A group that can play now, None if there is none; those who wait for longest come first.

    No two guests who are to be kept apart are in it.
    """
    ordered = sorted(waiting, key=lambda each: -each.seconds)
    for anchor in ordered:
        for game in filter(anchor.accepts, GAMES):
            others = [each for each in ordered if each is not anchor and each.accepts(game)]
            group = next(_groups(anchor, others, game.players, apart), None)
            if group is not None:
                return Group(group, game)
    for anchor in ordered:
        found = _with_bots(anchor, ordered, apart) if anchor.impatient else None
        if found is not None:
            return found
    return None


def _with_bots(anchor: Waiting, ordered: Iterable[Waiting], apart: Collection[frozenset[str]]) -> Group | None:
    """As many people as there are who do not mind bots, and as few bots as possible."""
    best: tuple[int, int, Group] | None = None
    for game in filter(anchor.accepts, GAMES):
        others = [each for each in ordered if each is not anchor and each.accepts(game) and each.bots_after is not None]
        for size in range(game.players - 1, 0, -1):
            group = next(_groups(anchor, others, size, apart), None)
            if group is not None:
                if best is None or (size, -game.players) > best[:2]:
                    best = size, -game.players, Group(group, game)
                break
    return None if best is None else best[2]


def _groups(
    anchor: Waiting, others: Sequence[Waiting], size: int, apart: Collection[frozenset[str]]
) -> Iterator[tuple[str, ...]]:
    """Groups of a size around somebody, the most obvious first; after many tries no more."""
    tried = 0

    def more(group: tuple[str, ...], start: int) -> Iterator[tuple[str, ...]]:
        nonlocal tried
        if len(group) == size:
            yield group
            return
        for place in range(start, len(others)):
            new = others[place].guest
            if tried >= _MOST_TRIED or len(group) + len(others) - place < size:
                return
            if new in group or any(frozenset((new, old)) in apart for old in group):
                tried += 1
                continue
            yield from more((*group, new), place + 1)

    return more((anchor.guest,), 0)
