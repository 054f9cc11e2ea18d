"""What the finished games of a person tell."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Final, NamedTuple

import sqlalchemy as sa

from nevsky.rules.ruleset import Ruleset
from nevsky.server.present import ruleset_info
from nevsky.server.protocol import CardCount, OpponentResults, Results, RulesetResults
from nevsky.server.schema import Entry, SeatRow, TableRow, log, seats, tables
from nevsky.server.storage import Storage

__all__ = ["Played", "favourites", "figures", "played_by"]

_MOST_GAMES: Final = 1000
_MOST_LOGS: Final = 60
"""Games whose moves are looked through for cards."""
_SHOWN: Final = 6
_LAYS: Final = ("buy", "play")


class Played(NamedTuple):
    """One finished game, from one seat."""

    table: TableRow
    seats: Sequence[SeatRow]
    seat: int

    @property
    def score(self) -> int:
        """The own one."""
        return (self.table.scores or [])[self.seat]

    @property
    def won(self) -> bool:
        """Alone or together with others; whoever has resigned has not."""
        return self.seat in (self.table.winners or ()) and not self.seats[self.seat].resigned

    @property
    def level(self) -> str | None:
        """Of the opponents."""
        others = {place.level for place in self.seats if place.seat != self.seat}
        return None if None in others else next(iter(others)) if len(others) == 1 else "mixed"


async def played_by(storage: Storage, guest: str) -> list[Played]:
    """Finished games of somebody's own seats, newest first."""
    mine = seats.alias()
    query = (
        sa.select(tables, mine.c.seat.label("own"))
        .join(mine, (mine.c.table_id == tables.c.id) & (mine.c.guest == guest))
        .where((tables.c.status == "over") & tables.c.scores.is_not(None))
        .order_by(tables.c.updated.desc(), tables.c.id)
        .limit(_MOST_GAMES)
    )
    async with storage.reading() as connection:
        found = [tuple(row) for row in await connection.execute(query)]
        at = sa.select(*[seats.c[name] for name in SeatRow._fields], seats.c.table_id)
        ids = [row[0] for row in found]
        places: defaultdict[str, list[SeatRow]] = defaultdict(list)
        for first in range(0, len(ids), 200):
            some = at.where(seats.c.table_id.in_(ids[first : first + 200])).order_by(seats.c.table_id, seats.c.seat)
            for row in await connection.execute(some):
                places[row[-1]].append(SeatRow(*row[:-1]))
    return [Played(TableRow(*row[:-1]), places[row[0]], row[-1]) for row in found]


def _results(games: Sequence[Played]) -> dict[str, Any]:
    scores = [game.score for game in games]
    return {
        "games": len(games),
        "won": sum(game.won for game in games),
        "average": round(sum(scores) / len(scores), 1),
        "best": max(scores),
    }


def _grouped(games: Iterable[tuple[Hashable, Played]]) -> list[list[Played]]:
    """Groups, the largest first."""
    groups: defaultdict[Hashable, list[Played]] = defaultdict(list)
    for key, game in games:
        groups[key].append(game)
    return sorted(groups.values(), key=len, reverse=True)


def figures(games: Sequence[Played]) -> tuple[Results | None, list[RulesetResults], list[OpponentResults]]:
    """All together, by what was played, and by whom against."""
    if not games:
        return None, [], []
    infos = [(ruleset_info(Ruleset.from_dict(game.table.ruleset)), game) for game in games]
    kinds = _grouped(
        ((info["edition"], info["players"], info["market"], tuple(info["modules"])), game) for info, game in infos
    )
    rulesets = [
        RulesetResults(ruleset=ruleset_info(Ruleset.from_dict(group[0].table.ruleset)), **_results(group))
        for group in kinds[: 2 * _SHOWN]
    ]
    levels = _grouped((game.level, game) for game in games)
    return (
        Results(**_results(games)),
        rulesets,
        [OpponentResults(level=group[0].level, **_results(group)) for group in levels],
    )


async def favourites(storage: Storage, games: Sequence[Played]) -> list[CardCount]:
    """The cards somebody laid most often, in their newest games."""
    own = {game.table.id: game.seat for game in games[:_MOST_LOGS]}
    laid: Counter[str] = Counter()
    columns = sa.select(log.c.table_id, *[log.c[name] for name in Entry._fields])
    entries: defaultdict[str, list[Entry]] = defaultdict(list)
    async with storage.reading() as connection:
        query = columns.where(log.c.table_id.in_(list(own))).order_by(log.c.table_id, log.c.number)
        for row in await connection.execute(query):
            entries[row[0]].append(Entry(*row[1:]))
    for table, lines in entries.items():
        for entry in _kept(lines):
            verb, _, rest = (entry.action or "").partition(" ")
            if entry.seat == own[table] and verb in _LAYS and rest:
                laid[rest.split(" ")[0]] += 1
    return [CardCount(card=card, number=number) for card, number in sorted(laid.items(), key=_by_number)[:_SHOWN]]


def _by_number(each: tuple[str, int]) -> tuple[int, str]:
    return -each[1], each[0]


def _kept(entries: Iterable[Entry]) -> list[Entry]:
    """Without what was taken back."""
    kept: list[Entry] = []
    for entry in entries:
        if entry.action is not None:
            kept.append(entry)
            continue
        while kept:
            last = kept.pop()
            if last.seat == entry.seat and last.by == "player":
                break
    return kept
