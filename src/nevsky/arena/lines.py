"""The lines of results and timings: written so that any text survives, and checked when they are read."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Final, NamedTuple

from nevsky.errors import NevskyError, Words

__all__ = ["FORMAT", "Frame", "Line", "cut_off", "read_results", "read_timings", "write_line"]

FORMAT: Final = "nevsky-arena-1"
_BEGINNING: Final = f'{{"format":"{FORMAT}","setup":'.encode()
_MOST: Final = 10**15
Line = dict[str, Any]


class Frame(NamedTuple):
    """What the setup says about the lines that follow it."""

    labels: tuple[str, ...]
    """The bots."""
    sizes: tuple[int, ...]
    """The games of a pairing of each matchup."""
    players: int


def write_line(file: IO[str], line: Mapping[str, Any]) -> None:
    """Append a line; in ASCII, since bots can raise texts that no encoding takes."""
    file.write(json.dumps(line, separators=(",", ":")) + "\n")
    file.flush()


def cut_off(path: Path) -> bool:
    """Whether nothing but a part of the first line was written before a crash."""
    with path.open("rb") as file:
        line = file.readline()
    return not line.endswith(b"\n") and line[: len(_BEGINNING)] == _BEGINNING[: len(line)]


def read_results(path: Path) -> tuple[Line, dict[int, Line], Frame]:
    """The setup and the games of a results file, and what the setup says about them.

    A last line that was cut off while it was written is left out.
    """
    first, *rest = _whole_lines(path) or [""]
    head = _parsed(first)
    if head is None or head.get("format") != FORMAT:
        raise NevskyError("arena.results_format", path=path, format=repr(FORMAT))
    setup = head.get("setup")
    frame = _frame_of(setup)
    if not isinstance(setup, dict) or frame is None:
        raise NevskyError("arena.results_setup", path=path)
    return setup, _games(path, rest, 2, lambda line: _is_result(line, frame)), frame


def read_timings(path: Path, players: int) -> dict[int, Line]:
    """The games of a timings file."""
    return _games(path, _whole_lines(path), 1, lambda line: _is_timing(line, players))


def _frame_of(setup: object) -> Frame | None:
    """What a setup says about its lines, None if it is not one."""
    try:
        frame = Frame(
            tuple(bot["label"] for bot in setup["bots"]),  # type: ignore[index]
            tuple(len(orders[0]) for orders in setup["matchups"]),  # type: ignore[index]
            setup["ruleset"]["players"],  # type: ignore[index]
        )
    except (KeyError, IndexError, TypeError):
        return None
    return frame if _is_number(frame.players) and all(isinstance(label, str) for label in frame.labels) else None


def _whole_lines(path: Path) -> list[str]:
    try:
        text = path.read_bytes().decode()
    except (OSError, UnicodeDecodeError) as error:
        raise NevskyError(
            "file.unreadable", path=path, reason=getattr(error, "strerror", None) or Words("file.no_text")
        ) from error
    return text.split("\n")[:-1]  # not splitlines: that would also divide texts at rarer characters


def _games(path: Path, lines: Sequence[str], first: int, good: Callable[[Line], bool]) -> dict[int, Line]:
    found: dict[int, Line] = {}
    for number, text in enumerate(lines, first):
        line = _parsed(text)
        if line is None or not _is_number(line.get("game")) or not good(line):
            raise NevskyError("arena.results_line", path=path, line=number)
        found[line["game"]] = line
    return found


def _parsed(text: str) -> Line | None:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def _is_result(line: Line, frame: Frame) -> bool:
    n, bots = frame.players, len(frame.labels)
    matchup = line.get("matchup")
    return (
        isinstance(matchup, int)
        and _is_number(matchup)
        and matchup < len(frame.sizes)
        and all(_is_number(line.get(name)) for name in ("deal", "rounds"))
        and _by_seat(line.get("seats"), n, lambda seat: _is_number(seat) and seat < bots)
        and _by_seat(line.get("scores"), n, _is_figure)
        and _by_seat(line.get("places"), n, lambda place: _is_number(place) and place > 0)
        and 1 in line["places"]
        and _by_seat(line.get("decisions"), n, _is_number)
        and _by_seat(
            line.get("forfeits"), n, lambda kinds: isinstance(kinds, dict) and all(map(_is_number, kinds.values()))
        )
    )


def _is_timing(line: Line, players: int) -> bool:
    return (
        all(_by_seat(line.get(name), players, _is_figure) for name in ("ms", "longest"))
        and _by_seat(line.get("processor", [None] * players), players, lambda used: used is None or _is_figure(used))
        and _by_seat(line.get("overruns"), players, _is_number)
        and _by_seat(line.get("failures", [""] * players), players, lambda text: isinstance(text, str))
    )


def _by_seat(values: object, players: int, good: Callable[[Any], bool]) -> bool:
    return isinstance(values, list) and len(values) == players and all(map(good, values))


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _MOST


def _is_figure(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < _MOST
