"""Writing the tables: part by part, so that memory does not grow with the number of games, and then in one piece."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from functools import partial
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from nevsky.datasets.rows import decision_rows, decision_schema, game_row, game_schema
from nevsky.datasets.sources import find_records
from nevsky.encoding import Encoder
from nevsky.errors import NevskyError
from nevsky.extras import needing
from nevsky.parallel import follow_parent, make_pool, over_processes
from nevsky.printable import is_text
from nevsky.record import load

if TYPE_CHECKING:
    from polars import Schema

__all__ = ["Exported", "check_target", "decisions_path", "export"]

_CHUNK: Final = 40
"""Records that are held in memory at a time."""
_AHEAD: Final = 2
_ROW_GROUP: Final = 16_384
"""Rows that a reader has to take at once."""
_SUFFIX: Final = ".parquet"


class Exported(NamedTuple):
    """What became of the records."""

    games: int
    decisions: int
    unfinished: tuple[Path, ...]
    """Games that are not over: they are left out."""
    refused: tuple[tuple[Path, str], ...]
    """Files that are not records of legal games, and why: they are left out."""


class _Part(NamedTuple):
    number: int
    decisions: int
    games: int
    unfinished: list[int]
    refused: list[tuple[int, str]]


def decisions_path(out: Path) -> Path:
    """Where the decisions go that belong to a file of games."""
    return out.with_name(f"{out.stem}-decisions{out.suffix}")


def export(
    given: Iterable[Path],
    out: Path,
    *,
    observations: bool = False,
    overwrite: bool = False,
    jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Exported:
    """Write the games of records to a Parquet file, and their decisions to a second one beside it.

    Files that cannot be used are left out and told. If none is left, or anything goes wrong, nothing is written.
    """
    polars = _import_polars()
    if jobs is not None and jobs < 1:
        raise NevskyError("jobs.from_one", jobs=jobs)
    check_target(out, overwrite=overwrite)
    files = find_records(given)
    if not files:
        raise NevskyError("export.nothing_named")
    try:
        with TemporaryDirectory(dir=out.parent, prefix=f".{out.stem}-") as directory:
            draft = Path(directory)
            parts = _write_parts(files, draft, observations, jobs, progress)
            exported = _sum_up(parts, files)
            if not exported.games:
                raise _nothing(exported)
            _join(draft, "games", len(parts), game_schema())
            _join(draft, "decisions", len(parts), decision_schema(observations=observations))
            check_target(out, overwrite=overwrite)
            _move(draft, out)
    except (OSError, polars.exceptions.PolarsError) as error:
        what = getattr(error, "strerror", None) or str(error)
        raise NevskyError("export.unwritable", path=out, reason=what) from error
    return exported


def _import_polars() -> ModuleType:
    with needing("data", "nevsky.datasets"):
        return import_module("polars")


def check_target(out: Path, *, overwrite: bool) -> None:
    """Refuse a place where the tables cannot go."""
    if not is_text(str(out)):
        raise NevskyError("option.text", option="--out", value=repr(str(out)))
    if out.suffix != _SUFFIX:
        raise NevskyError("export.suffix", suffix=_SUFFIX, name=repr(out.name))
    if not out.parent.is_dir():
        raise NevskyError("file.no_directory", path=out.parent)
    for path in (out, decisions_path(out)):
        if path.is_dir():
            raise NevskyError("export.is_directory", path=path)
        if path.exists() and not overwrite:
            raise NevskyError("export.exists", path=path)


def _write_parts(
    files: Sequence[Path],
    draft: Path,
    observations: bool,
    jobs: int | None,
    progress: Callable[[int, int], None] | None,
) -> list[_Part]:
    starts = range(0, len(files), _CHUNK)
    workers = min(jobs or os.cpu_count() or 1, len(starts))
    work = partial(_write_part, draft, observations)
    items = ((number, start, files[start : start + _CHUNK]) for number, start in enumerate(starts))
    found: Generator[_Part, None, None]
    if workers == 1:
        found = (work(item) for item in items)
    else:
        died = NevskyError("export.died")
        found = over_processes(make_pool(workers, follow_parent), work, items, workers * _AHEAD, died)
    parts: list[_Part] = []
    done = 0
    with closing(found):
        for part in found:
            parts.append(part)
            done += part.games + len(part.unfinished) + len(part.refused)
            if progress:
                progress(done, len(files))
    return sorted(parts)


def _write_part(draft: Path, observations: bool, item: tuple[int, int, Sequence[Path]]) -> _Part:
    """Write the tables of some records; the number of a game is the place of its file among all."""
    import polars as pl

    number, start, files = item
    encoder = Encoder() if observations else None
    games: list[tuple[Any, ...]] = []
    decisions: list[tuple[Any, ...]] = []
    part = _Part(number, 0, 0, [], [])
    for place, file in enumerate(files, start):
        try:
            game = load(file)
        except NevskyError as error:
            part.refused.append((place, str(error)))
            continue
        if not game.over:
            part.unfinished.append(place)
            continue
        games.append(game_row(game, place, str(file)))
        decisions += decision_rows(game, place, encoder)
    for name, rows, schema in (
        ("games", games, game_schema()),
        ("decisions", decisions, decision_schema(observations=observations)),
    ):
        pl.DataFrame(rows, schema=schema, orient="row").write_parquet(_part_path(draft, name, number))
    return part._replace(games=len(games), decisions=len(decisions))


def _part_path(draft: Path, name: str, number: int) -> Path:
    return draft / f"{name}-{number:06}{_SUFFIX}"


def _sum_up(parts: Sequence[_Part], files: Sequence[Path]) -> Exported:
    return Exported(
        sum(part.games for part in parts),
        sum(part.decisions for part in parts),
        tuple(files[place] for part in parts for place in part.unfinished),
        tuple((files[place], why) for part in parts for place, why in part.refused),
    )


def _nothing(exported: Exported) -> NevskyError:
    """Why there is nothing to write."""
    if exported.refused:
        file, why = exported.refused[0]
        return NevskyError("export.refused", file=file, why=why)
    return NevskyError("export.unfinished", file=exported.unfinished[0])


def _join(draft: Path, name: str, parts: int, schema: Schema) -> None:
    """One file of all parts, without holding them in memory."""
    import polars as pl

    paths = [_part_path(draft, name, number) for number in range(parts)]
    whole = draft / f"{name}{_SUFFIX}"
    pl.scan_parquet(paths, schema=schema).sink_parquet(whole, row_group_size=_ROW_GROUP)
    for path in paths:
        path.unlink()
    with whole.open("rb+") as file:
        os.fsync(file.fileno())


def _move(draft: Path, out: Path) -> None:
    """Both tables to their places, the games last: where there are games, their decisions are too."""
    out.unlink(missing_ok=True)
    (draft / f"decisions{_SUFFIX}").replace(decisions_path(out))
    try:
        (draft / f"games{_SUFFIX}").replace(out)
    except OSError:
        decisions_path(out).unlink()
        raise
