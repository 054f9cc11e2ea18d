"""What the commands of nevsky admin share: asking, and showing the answer."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from nevsky.errors import NevskyError
from nevsky.printable import printable

if TYPE_CHECKING:
    from nevsky.server.settings import Settings

__all__ = ["Asked", "JsonAnswer", "show"]

JsonAnswer = Annotated[bool, typer.Option("--json", help="print the answer as JSON")]


class Asked(NamedTuple):
    """Whom the commands ask."""

    settings: Settings

    def ask(self, command: str, **options: Any) -> Any:
        """The answer to a command."""
        from nevsky.server.admin.asking import ask

        return ask(self.settings, command, **options)

    def file(self) -> Path:
        """Where the database lies, which may not be there; other databases have tools of their own."""
        if self.settings.postgres is not None:
            raise NevskyError("admin.pg_dump")
        return self.settings.database_path

    def database(self) -> Path:
        """The database, which is there."""
        path = self.file()
        if not path.exists():
            raise NevskyError("admin.no_database", path=path)
        return path


def show(answer: Any, as_json: bool = False) -> None:
    """Print an answer for people, or as JSON."""
    if as_json:
        print(json.dumps(answer, indent=1))
    elif isinstance(answer, list):
        _show_rows(answer)
    else:
        for name, value in answer.items():
            if isinstance(value, list) and value and isinstance(value[0], Mapping):
                print(f"{name}:")
                _show_rows(value)
            else:
                print(f"{name}: {_word(value)}")


def _show_rows(rows: Sequence[Mapping[str, Any]]) -> None:
    if not rows:
        print("none")
        return
    lines = [list(rows[0]), *([_word(value) for value in row.values()] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        print("  ".join(word.ljust(width) for word, width in zip(line, widths, strict=True)).rstrip())


def _word(value: Any) -> str:
    if value is None or value == "":
        return "-"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_word(each)}" for name, each in value.items()) or "-"
    return printable(value)
