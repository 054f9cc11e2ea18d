"""The result of an evaluation: written as JSON, read again with every doubt, and compared only where it can be."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from nevsky._version import __version__
from nevsky.arena.entrants import Entrant
from nevsky.arena.figures import win_shares
from nevsky.arena.intervals import Estimate, mean_interval, share_interval
from nevsky.arena.lines import Line
from nevsky.arena.store import Store
from nevsky.benchmark.agents import agent_dict
from nevsky.benchmark.protocol import NEVSKY_1, Cell, Protocol
from nevsky.benchmark.rating import Won, overall, rate
from nevsky.bots.driver import FAILURES
from nevsky.errors import NevskyError, Words

__all__ = ["FORMAT", "Result", "estimate", "read_result", "result_of", "write_result"]

FORMAT: Final = "nevsky-evaluation-1"
_MOST_BYTES: Final = 1_000_000
Result = dict[str, Any]


def result_of(protocol: Protocol, agent: Entrant, stores: Mapping[str, Store]) -> Result:
    """Everything that is told about an evaluation. Only what stands under ``time`` depends on the machine."""
    cells = {cell.name: _cell(cell, stores[cell.name]) for cell in protocol.cells}
    forfeits: Counter[str] = Counter()
    for cell in cells.values():
        forfeits.update(cell["forfeits"])
    return {
        "format": FORMAT,
        "protocol": protocol.name,
        "digest": protocol.digest,
        "comparable": protocol.name == NEVSKY_1.name and not forfeits["timeout"],
        "version": __version__,
        "rules": protocol.rules,
        "agent": agent_dict(agent),
        **_ratings(protocol, cells),
        "cells": cells,
        "forfeits": {kind: forfeits[kind] for kind in FAILURES if forfeits[kind]},
        "time": _time(protocol, stores),
    }


def estimate(data: Mapping[str, float]) -> Estimate:
    """A figure with its interval, as a result has it."""
    return Estimate(data["value"], data["low"], data["high"])


def _ratings(protocol: Protocol, cells: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    found = {
        track.name: rate(
            [
                Won(
                    protocol.anchors[track.name][rival.name],
                    track.ruleset.players,
                    cells[f"{track.name}-{rival.name}"]["games"],
                    estimate(cells[f"{track.name}-{rival.name}"]["wins"]),
                )
                for rival in protocol.rivals
            ],
            protocol.spread,
        )
        for track in protocol.tracks
    }
    return {
        "rating": overall(list(found.values()))._asdict(),
        "tracks": {name: each._asdict() for name, each in found.items()},
    }


def _cell(cell: Cell, store: Store) -> dict[str, Any]:
    lines = [store.results[number] for number in range(cell.games)]
    seats = [line["seats"].index(0) for line in lines]
    won = [win_shares(line)[seat] for line, seat in zip(lines, seats, strict=True)]
    part = [_score_share(line["scores"], seat) for line, seat in zip(lines, seats, strict=True)]
    own = [float(line["scores"][seat]) for line, seat in zip(lines, seats, strict=True)]
    places = range(cell.track.ruleset.players)
    forfeits: Counter[str] = Counter()
    for line, seat in zip(lines, seats, strict=True):
        forfeits.update(line["forfeits"][seat])
    return {
        "games": len(lines),
        "wins": share_interval(_by_deal(lines, won), len(lines)).to_dict(),
        "fair": round(1 / cell.track.ruleset.players, 5),
        "score": mean_interval(_by_deal(lines, own)).to_dict(),
        "score_share": mean_interval(_by_deal(lines, part)).to_dict(),
        "wins_by_seat": [
            round(fmean(w for w, seat in zip(won, seats, strict=True) if seat == place), 5) for place in places
        ],
        "decisions": sum(line["decisions"][seat] for line, seat in zip(lines, seats, strict=True)),
        "forfeits": dict(sorted(forfeits.items())),
    }


def _score_share(scores: Sequence[float], seat: int) -> float:
    """What one has of all points at the table; who is below zero has none."""
    total = sum(max(score, 0) for score in scores)
    return max(scores[seat], 0) / total if total else 1 / len(scores)


def _by_deal(lines: Sequence[Line], values: Sequence[float]) -> list[float]:
    deals: defaultdict[int, list[float]] = defaultdict(list)
    for line, value in zip(lines, values, strict=True):
        deals[line["deal"]].append(value)
    return [fmean(found) for found in deals.values()]


def _time(protocol: Protocol, stores: Mapping[str, Store]) -> dict[str, Any]:
    """Milliseconds for a decision, by track: told, not judged. A processor's only where the system tells it."""
    found: dict[str, Any] = {}
    for track in protocol.tracks:
        decisions, spent, longest = 0, 0.0, 0.0
        used: list[float | None] = []
        for rival in protocol.rivals:
            store = stores[f"{track.name}-{rival.name}"]
            for number, line in store.results.items():
                seat, timing = line["seats"].index(0), store.timings.get(number)
                if timing is not None:
                    decisions += line["decisions"][seat]
                    spent += timing["ms"][seat]
                    used.append(timing.get("processor", [None] * len(line["seats"]))[seat])
                    longest = max(longest, timing["longest"][seat])
        if decisions:
            known = [each for each in used if each is not None]
            found[track.name] = {
                "processor_ms": round(sum(known) / decisions, 3) if len(known) == len(used) else None,
                "clock_ms": round(spent / decisions, 3),
                "longest_ms": round(longest, 1),
            }
    return found


def write_result(result: Result, path: Path) -> None:
    """As JSON that people can read and compare."""
    try:
        path.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as error:
        raise NevskyError("evaluate.unwritable", path=path, reason=error.strerror or str(error)) from error


def read_result(path: Path, protocol: Protocol = NEVSKY_1) -> Result:
    """A result that can be compared with all others of the protocol; any other is refused with the reason."""
    try:
        with path.open("rb") as file:
            data = json.loads(file.read(_MOST_BYTES))
    except OSError as error:
        raise NevskyError("file.unreadable", path=path, reason=error.strerror or str(error)) from error
    except (ValueError, RecursionError) as error:
        raise NevskyError("evaluate.incomparable", path=path, why=Words("evaluate.broken")) from error
    if why := _doubt(data, protocol):
        raise NevskyError("evaluate.incomparable", path=path, why=why)
    result: Result = data
    return result


def _doubt(data: object, protocol: Protocol) -> Words | None:
    """Why a result cannot be compared."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        return Words("evaluate.broken")
    if data.get("protocol") != protocol.name or data.get("digest") != protocol.digest:
        return Words("evaluate.other_protocol", protocol=repr(data.get("protocol")), wanted=protocol.title)
    if data.get("rules") != protocol.rules:
        return Words("evaluate.other_rules", found=repr(data.get("rules")), wanted=protocol.rules)
    if data.get("comparable") is not True:
        return Words("evaluate.late")
    try:
        agent = data["agent"]
        if not all(isinstance(agent[key], str) for key in ("name", "kind", "what")) or not agent["name"].isprintable():
            return Words("evaluate.broken")
        wrong = [cell.name for cell in protocol.cells if data["cells"][cell.name]["games"] != cell.games]
        if wrong:
            return Words("evaluate.other_games", cell=wrong[0])
        if any(data[key] != found for key, found in _ratings(protocol, data["cells"]).items()):
            return Words("evaluate.other_rating")
        for times in data["time"].values():
            float(times["clock_ms"]), float(times["processor_ms"] or 0)
    except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError):
        return Words("evaluate.broken")
    return None
