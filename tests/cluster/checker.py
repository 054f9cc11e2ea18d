"""Compares what everybody was told with what the database holds at the end."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from typing import Any, NamedTuple

import orjson

from nevsky.errors import NevskyError
from tests.cluster.history import Asked, History, Outcome, Seat
from tests.cluster.pictures import expected
from tests.cluster.replaying import Line, StoredTable, games

__all__ = ["Stored", "Violation", "Write", "check"]


class Write(NamedTuple):
    """Noted by the database itself when a line was added to a log: who did so, and whose the table was then."""

    table: str
    number: int
    writer: str
    """The user of the database: every server has its own."""
    owner: str | None
    epoch: int | None


class Stored(NamedTuple):
    """The database at the end."""

    tables: dict[str, StoredTable]
    writes: list[Write] | None = None
    """None where there is only one server."""
    claims: dict[tuple[str, int], list[tuple[str, str]]] | None = None
    """By table and epoch: the users who wrote the lease, each with the owner that they wrote."""


class Violation(NamedTuple):
    """Something that must not happen."""

    kind: str
    table: str
    what: str


def check(history: History, stored: Stored) -> list[Violation]:
    """All violations; none if everything is well."""
    return list(_violations(history, stored))


def _violations(history: History, stored: Stored) -> Iterator[Violation]:
    by_table: dict[str, dict[int | None, Any]] = defaultdict(dict)
    for (table, seat), versions in history.told.items():
        by_table[table][seat] = versions
    for table in sorted(by_table.keys() | history.asked.keys() | {table for table, _ in history.seats}):
        found = stored.tables.get(table)
        if found is None:
            if table not in history.left:
                yield Violation("lost table", table, "it is not in the database")
            continue
        yield from _numbers(table, found)
        yield from _moves(table, found, history.asked.get(table, []))
        yield from _chat(table, found, history.asked.get(table, []))
        yield from _people(table, found, history)
        yield from _states(table, found, history, by_table[table])
    for table in sorted(history.gone & stored.tables.keys()):
        yield Violation("table of nobody", table, "everybody has left it, and it is still there")
    for table, others in history.rematches.items():
        if len(others) > 1:
            yield Violation("two rematches", table, str(sorted(others)))
        elif table in stored.tables and stored.tables[table].rematch not in others:
            yield Violation("lost rematch", table, f"{stored.tables[table].rematch}, not {others}")
    if stored.writes is not None:
        yield from _owners(stored.writes, stored.claims or {})


def _numbers(table: str, found: StoredTable) -> Iterator[Violation]:
    numbers = [line.number for line in found.log]
    if numbers != list(range(1, len(numbers) + 1)):
        yield Violation("gap", table, f"the numbers of the log: {numbers}")


def _moves(table: str, found: StoredTable, asked: list[Asked]) -> Iterator[Violation]:
    log = {line.number: line for line in found.log}
    sent: dict[tuple[int, int | None, str | None], list[Asked]] = defaultdict(list)
    passing = {each.seat for each in asked if each.kind == "auto_pass"}
    for each in asked:
        if each.kind not in ("act", "undo"):
            continue
        sent[each.version + 1, each.seat, each.action].append(each)
        line = log.get(each.version + 1)
        if each.outcome is Outcome.DONE and (line is None or not _is(line, each)):
            yield Violation("lost move", table, f"{each!r}, but the log has {line}")
    for line in found.log:
        if line.by == "auto" and line.seat not in passing:
            yield Violation("invented move", table, f"{line}: nobody has asked to pass")
        if line.by != "player":
            continue
        senders = sent.get((line.number, line.seat, line.action), [])
        if not senders:
            again = [key for key in sent if key[1:] == (line.seat, line.action) and _is(log.get(key[0]), line)]
            kind = "doubled move" if again else "invented move"
            yield Violation(kind, table, f"{line} was never sent" + (f", but for {again}" if again else ""))
        elif all(each.outcome is Outcome.REFUSED for each in senders):
            yield Violation("refused move", table, f"{line} was made although {senders}")


def _is(line: Line | None, other: Asked | Line) -> bool:
    return line is not None and line.by == "player" and (line.seat, line.action) == (other.seat, other.action)


def _chat(table: str, found: StoredTable, asked: list[Asked]) -> Iterator[Violation]:
    lines = Counter(found.chat)
    said = {each.action or "": each for each in asked if each.kind == "chat"}
    for text, number in lines.items():
        if number > 1:
            yield Violation("doubled chat", table, f"{text!r}: {number} times")
        if text not in said:
            yield Violation("invented chat", table, f"{text!r}")
    for text, each in said.items():
        if each.outcome is Outcome.DONE and not lines[text]:
            yield Violation("lost chat", table, f"{text!r}")
        if each.outcome is Outcome.REFUSED and lines[text]:
            yield Violation("refused chat", table, f"{text!r}: {each.code}")


def _people(table: str, found: StoredTable, history: History) -> Iterator[Violation]:
    for (where, seat), token in history.seats.items():
        if where == table and table not in history.left and seat is not None and found.tokens[seat] != token:
            yield Violation("lost seat", table, f"seat {seat} belongs to somebody else")
    for each in history.asked.get(table, []):
        if each.kind == "resign" and each.outcome is Outcome.DONE and not found.resigned[each.seat or 0]:
            yield Violation("lost resignation", table, f"of seat {each.seat}")
    resigned = {each.seat for each in history.asked.get(table, []) if each.kind == "resign"}
    if any(found.resigned[seat] and seat not in resigned for seat in range(len(found.resigned))):
        yield Violation("invented resignation", table, str(found.resigned))


def _states(
    table: str, found: StoredTable, history: History, told: Mapping[int | None, Mapping[int, Any]]
) -> Iterator[Violation]:
    last = len(found.log)
    for seat, versions in told.items():
        late = [version for version in versions if version > last]
        if late:
            what = f"seat {seat} was told of {max(late)} lines, but the log has only {last}"
            yield Violation("lost move", table, what)
    if found.deal is None:
        return
    over = False
    try:
        for version, game in enumerate(games(found)):
            over = game.over
            for seat, versions in told.items():
                yield from _pictures(history, (table, seat), version, found, versions, game.view(seat))
                advised = history.hints.get((table, seat), {}).get(version, set())
                wrong = advised - set(game.view(seat).legal) if advised else set()
                if wrong:
                    yield Violation("strange hint", table, f"seat {seat} at {version}: {sorted(wrong)}")
    except NevskyError as error:
        yield Violation("illegal log", table, str(error))
        return
    ended = over or found.conceded
    if (found.status == "over") != ended:
        yield Violation("wrong status", table, f"{found.status}, although the game is {'' if ended else 'not '}over")
    winners = history.final.get(table)
    if winners is not None and (found.status != "over" or winners != found.winners):
        yield Violation("lost end", table, f"{winners} were said to have won, not {found.winners}")


def _pictures(
    history: History, seat: Seat, version: int, found: StoredTable, versions: Mapping[int, Any], view: Any
) -> Iterator[Violation]:
    if version not in versions:
        return
    right = [expected(view, False)]
    if found.conceded and version == len(found.log):
        right.append(expected(view, True))
    digests = [blake2b(each, digest_size=16).digest() for each in right]
    for told in versions[version]:
        if told.digest not in digests:
            different = _difference(history.picture(told), orjson.loads(right[-1]))
            yield Violation("wrong state", seat[0], f"seat {seat[1]} at {version} was told {different}")


def _difference(told: Any, right: Any, path: str = "") -> str:
    """The first places where two pictures differ."""
    if isinstance(told, dict) and isinstance(right, dict) and told.keys() == right.keys():
        parts = [_difference(told[key], right[key], f"{path}/{key}") for key in told if told[key] != right[key]]
        return "; ".join(parts[:3])
    if isinstance(told, list) and isinstance(right, list) and len(told) == len(right):
        pairs = enumerate(zip(told, right, strict=True))
        return "; ".join([_difference(one, other, f"{path}/{n}") for n, (one, other) in pairs if one != other][:3])
    return f"{path}: {told}, not {right}"


def _owners(writes: list[Write], claims: dict[tuple[str, int], list[tuple[str, str]]]) -> Iterator[Violation]:
    """No line of an older epoch after a newer one, and each epoch belongs to one process of one server."""
    by_table: dict[str, list[Write]] = defaultdict(list)
    for write in writes:
        by_table[write.table].append(write)
    for table, lines in by_table.items():
        before = -1
        for write in sorted(lines, key=lambda each: each.number):
            if write.epoch is None or write.owner is None:
                yield Violation("no owner", table, f"{write} was written without a lease")
                continue
            if write.epoch < before:
                yield Violation("old owner", table, f"{write} after epoch {before}")
            before = write.epoch
            claimed = claims.get((table, write.epoch), [])
            if (write.writer, write.owner) not in claimed:
                yield Violation("two owners", table, f"{write}, but the lease is {claimed}")
    for (table, epoch), claimed in claims.items():
        if len({owner for _, owner in claimed}) > 1:
            yield Violation("two owners", table, f"epoch {epoch}: {claimed}")
