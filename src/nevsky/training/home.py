"""The directory of a training: where its files lie, that they are whole, and that they belong to its plan."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, Final

from nevsky.errors import NevskyError
from nevsky.locking import hold
from nevsky.training.plan import Plan

__all__ = ["Directory", "Home", "PolicyHome"]

_VALUE: Final = "nevsky-training-1"
_POLICY: Final = "nevsky-policy-1"


class Directory:
    """A directory, new or with files of the same plan; any other is refused and left as it is."""

    def __init__(self, directory: Path, wanted: dict[str, Any]) -> None:
        self.directory = directory
        self._plan = directory / "plan.json"
        self._lock: IO[str] | None = None
        try:
            directory.mkdir(parents=True, exist_ok=True)
            if not self._plan.exists():
                self.write(self._plan, (json.dumps(wanted, indent=2) + "\n").encode())
            self._lock = self._locked()
            self._compare(self._lock.read(), wanted)
            self._furnish()
        except (OSError, UnicodeDecodeError) as error:
            self.close()
            raise self._error(error) from error
        except NevskyError:
            self.close()
            raise

    def _furnish(self) -> None:
        """Make what has to be there, now that the directory is ours."""

    def _locked(self) -> IO[str]:
        file = self._plan.open("r+", encoding="utf-8")
        try:
            hold(file.fileno())
        except OSError as error:
            file.close()
            raise NevskyError("training.busy", path=self.directory) from error
        return file

    def _compare(self, text: str, wanted: dict[str, Any]) -> None:
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict) or found.get("format") not in (_VALUE, _POLICY):
            raise NevskyError("training.no_plan", path=self._plan)
        if found["format"] != wanted["format"]:
            raise NevskyError("training.other_kind", path=self.directory)
        names = [name for name in {**wanted, **found} if found.get(name) != wanted.get(name)]
        if names:
            differences = ", ".join(f"{name} ({_word(found.get(name))} there)" for name in names)
            raise NevskyError("training.other_plan", path=self.directory, differences=differences)

    def _error(self, error: OSError | UnicodeDecodeError) -> NevskyError:
        what = getattr(error, "strerror", None) or str(error)
        return NevskyError("training.unwritable", path=self.directory, reason=what)

    def make(self, path: Path, fill: Callable[[Path], object]) -> None:
        """Make a file that is there as a whole or not at all, whatever happens in between."""
        draft = path.with_name(f"{path.name}.tmp")
        try:
            fill(draft)
            with draft.open("rb+") as file:
                os.fsync(file.fileno())
            draft.replace(path)
        except OSError as error:
            raise self._error(error) from error

    def write(self, path: Path, data: bytes) -> None:
        """The same for a file of these bytes."""
        self.make(path, lambda draft: draft.write_bytes(data))

    def append(self, path: Path, line: str) -> None:
        """Write a line at the end of a file."""
        try:
            with path.open("a", encoding="utf-8") as file:
                file.write(f"{line}\n")
        except OSError as error:
            raise self._error(error) from error

    def close(self) -> None:
        """Let others use the directory."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None


class Home(Directory):
    """Where a network learns what positions are worth."""

    def __init__(self, directory: Path, plan: Plan, weights: str | None = None) -> None:
        self.curves = directory / "curves.jsonl"
        self.plot = directory / "curves.svg"
        named = {} if weights is None else {"weights": weights}
        super().__init__(directory, {"format": _VALUE, **plan.to_dict(), **named})

    def _furnish(self) -> None:
        (self.directory / "samples").mkdir(exist_ok=True)

    def samples(self, generation: int, chunk: int) -> Path:
        """The file of a chunk."""
        return self.directory / "samples" / f"{generation}-{chunk:05}.bin"

    def network(self, generation: int) -> Path:
        """The file of the network that a generation learned."""
        return self.directory / f"net-{generation}.net"


class PolicyHome(Directory):
    """Where policy weights are learned."""

    def __init__(self, directory: Path, plan: dict[str, Any]) -> None:
        self.updates = directory / "policy.jsonl"
        self.plot = directory / "policy.svg"
        self.state = directory / "policy.state"
        self.weights = directory / "policy.weights"
        super().__init__(directory, {"format": _POLICY, **plan})


def _word(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "nothing" if value is None else str(value)
