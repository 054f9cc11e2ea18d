"""Results and the leaderboard as pages of Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from nevsky.arena.intervals import Estimate
from nevsky.arena.tables import interval_text, score_text, table
from nevsky.benchmark.protocol import NEVSKY_1, Protocol
from nevsky.benchmark.results import Result, estimate, read_result
from nevsky.errors import NevskyError

__all__ = ["leaderboard", "milliseconds_text", "rating_text", "read_all", "result_page", "write_page"]

_SUBMIT: Final = """\
## How to take part

1. `nevsky evaluate --bot SPEC --out NAME.json`, on any machine. An agent that searches needs `--playouts N`.
2. Put `NAME.json` into this folder and write the page anew: `nevsky evaluate --leaderboard benchmarks/{protocol}`.
3. Propose the change, and say where the agent can be had, so that others can repeat it. The same agent gives the same
   file, apart from `time`.

What an agent knows, how it may have learned and what the figures mean: see [the protocol](../../docs/benchmark.md).
"""


def rating_text(rating: Estimate) -> str:
    """A rating with half its interval.

    >>> rating_text(Estimate(1000.4, 980.4, 1020.4))
    '1000 ± 20'
    """
    return f"{rating.value:.0f} ± {rating.high - rating.value:.0f}"


def milliseconds_text(times: Mapping[str, float | None] | None) -> str:
    """What a decision took of a processor, or by the clock where nobody could tell that.

    >>> milliseconds_text({"processor_ms": 2.04, "clock_ms": 2.9})
    '2.0'
    >>> milliseconds_text({"processor_ms": None, "clock_ms": 2.9})
    '2.9 (clock)'
    """
    if not times:
        return ""
    used = times["processor_ms"]
    return f"{times['clock_ms']:,.1f} (clock)" if used is None else f"{used:,.1f}"


def result_page(result: Result, protocol: Protocol = NEVSKY_1) -> str:
    """One result, cell by cell."""
    name = _plain(result["agent"]["name"])
    parts = [f"# {name}: {protocol.title}\n", f"Rating {rating_text(estimate(result['rating']))}.{_warning(result)}\n"]
    for track in protocol.tracks:
        parts += [
            f"## {track.title[0].upper()}{track.title[1:]}\n",
            f"Rating {rating_text(estimate(result['tracks'][track.name]))}. {_thinking(result, track.name)}\n",
            table(
                ["against", "games", "wins [95 %]", "fair share", "score", "score share"],
                [
                    [
                        rival.name,
                        f"{cell['games']}",
                        interval_text(estimate(cell["wins"])),
                        f"{cell['fair']:.1%}",
                        _score(cell["score"]),
                        _share(cell["score_share"]),
                    ]
                    for rival in protocol.rivals
                    for cell in (result["cells"][f"{track.name}-{rival.name}"],)
                ],
            ),
        ]
    if result["forfeits"]:
        told = ", ".join(f"{kind} {count:,}" for kind, count in result["forfeits"].items())
        parts.append(f"Forfeited decisions: {told}.\n")
    parts.append(f"Nevsky {result['version']}, rules {result['rules']}, protocol `{result['digest'][:16]}`.\n")
    return "\n".join(parts)


def read_all(folder: Path, protocol: Protocol = NEVSKY_1) -> list[Result]:
    """All results of a folder, best first; one that cannot be compared is an error."""
    if not folder.is_dir():
        raise NevskyError("file.no_directory", path=folder)
    found = [read_result(path, protocol) for path in sorted(folder.glob("*.json"))]
    if not found:
        raise NevskyError("evaluate.no_results", path=folder)
    names = [result["agent"]["name"] for result in found]
    for name in names:
        if names.count(name) > 1:
            raise NevskyError("evaluate.names_alike", name=name, path=folder)
    return sorted(found, key=lambda result: (-result["rating"]["value"], result["agent"]["name"]))


def leaderboard(results: Sequence[Result], protocol: Protocol = NEVSKY_1) -> str:
    """The page of a folder of results."""
    ratings = [
        [
            f"{place}",
            _plain(result["agent"]["name"]),
            rating_text(estimate(result["rating"])),
            *(rating_text(estimate(result["tracks"][track.name])) for track in protocol.tracks),
            _milliseconds(result),
        ]
        for place, result in enumerate(results, 1)
    ]
    best = protocol.rivals[-1].name
    wins = [
        [
            _plain(result["agent"]["name"]),
            *(interval_text(estimate(result["cells"][f"{track.name}-{best}"]["wins"])) for track in protocol.tracks),
        ]
        for result in results
    ]
    names = [track.name for track in protocol.tracks]
    return "\n".join(
        [
            f"# {protocol.title}: the leaderboard\n",
            "Written by `nevsky evaluate --leaderboard`; please do not edit. Ratings with half their 95 % interval;"
            " greedy is near 1000 everywhere. The last column is processor time, told and not judged.\n",
            table(["", "agent", "rating", *names, "ms per decision"], ratings),
            f"Wins against {best}, alone against all other seats [95 %]:\n",
            table(["agent", *names], wins),
            _SUBMIT.format(protocol=protocol.name),
        ]
    )


def write_page(text: str, path: Path) -> None:
    """Write a page."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise NevskyError("evaluate.unwritable", path=path, reason=error.strerror or str(error)) from error


def _warning(result: Result) -> str:
    return "" if result["comparable"] else " **Not comparable: this result stands on no leaderboard.**"


def _thinking(result: Result, track: str) -> str:
    times = result["time"].get(track)
    if times is None:
        return ""
    used = times["processor_ms"]
    told = f"{used:,.2f} ms of processor time" if used is not None else f"{times['clock_ms']:,.2f} ms on the clock"
    return f"{told} per decision."


def _milliseconds(result: Result) -> str:
    times = list(result["time"].values())
    if not times:
        return ""
    used = [each["processor_ms"] for each in times]
    clock = fmean(each["clock_ms"] for each in times)
    return milliseconds_text({"processor_ms": None if None in used else fmean(used), "clock_ms": clock})


def _score(data: dict[str, Any]) -> str:
    return f"{data['value']:.1f}" if data["high"] is None else score_text(estimate(data))


def _share(data: dict[str, Any]) -> str:
    return f"{data['value']:.1%}" if data["high"] is None else interval_text(estimate(data))


def _plain(name: str) -> str:
    """A stranger's name among ours: no mark of Markdown or HTML in it does anything."""
    return "".join(f"\\{char}" if char in "\\`*_[]<>#|!&~" else char for char in name)
