"""The command, as the other tests of it call it, and what most trainings here need."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from nevsky import NevskyError
from nevsky.training.plan import Plan, make_plan
from nevsky.training.run import Listener, train
from tests.cli.conftest import run

__all__ = ["run"]


@pytest.fixture
def small() -> Plan:
    """Three chunks: two of a search, one of the heuristic policy."""
    return make_plan(games=26, descents=4, playouts=1, epochs=2, seed="neva")


@pytest.fixture
def no_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that can play but not learn."""
    monkeypatch.setitem(sys.modules, "torch", None)


def play(
    plan: Plan, directory: Path, *, generations: int = 1, jobs: int = 1, listener: Listener | None = None
) -> dict[str, bytes]:
    """Make the samples, where nothing can be learned; what the files hold."""
    with pytest.raises(NevskyError, match="Training needs torch"):
        train(plan, directory, generations, jobs=jobs, listener=listener)
    return {path.name: path.read_bytes() for path in sorted((directory / "samples").iterdir())}
