"""An evaluation from the agent to its result."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from contextlib import closing
from pathlib import Path

from nevsky.arena.entrants import Entrant
from nevsky.arena.playing import Played, play
from nevsky.arena.store import Store
from nevsky.arena.workers import of_several
from nevsky.benchmark.protocol import Cell, Protocol, check_rules
from nevsky.errors import NevskyError

__all__ = ["Progress", "check_repeats", "evaluate"]

Progress = Callable[[int, int], None]
"""Is told how many games are done, and of how many."""


def check_repeats(protocol: Protocol, agent: Entrant) -> None:
    """Refuse an agent that plays a game differently when it is played again: nobody could check its result."""
    for track in protocol.tracks:
        rival = min(protocol.rivals, key=lambda rival: rival.playouts or 0)
        setup = protocol.setup(Cell(track, rival), agent)._replace(records=True)
        if play(setup, 0).record != play(setup, 0).record:
            raise NevskyError("evaluate.repeat", agent=agent.label, track=track.title)


def evaluate(
    protocol: Protocol,
    agent: Entrant,
    *,
    keep: Path | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> dict[str, Store]:
    """Play every cell of a protocol; with a directory to keep games in, those that are there are not played again."""
    check_rules(protocol)
    if jobs is not None and jobs < 1:
        raise NevskyError("jobs.from_one", jobs=jobs)
    setups = [protocol.setup(cell, agent) for cell in protocol.cells]
    stores: list[Store] = []
    try:
        for cell, setup in zip(protocol.cells, setups, strict=True):
            stores.append(Store(setup, None if keep is None else keep / cell.name))
        todo = [(place, number) for place, store in enumerate(stores) for number in store.missing()]
        total = sum(cell.games for cell in protocol.cells)
        if progress:
            progress(total - len(todo), total)
        workers = min(jobs or os.cpu_count() or 1, max(1, len(todo)))
        games: Generator[tuple[int, Played], None, None] = of_several(setups, todo, workers)
        with closing(games):
            for done, (place, played) in enumerate(games, total - len(todo) + 1):
                stores[place].add(played)
                if progress:
                    progress(done, total)
    finally:
        for store in stores:
            store.close()
    return {cell.name: store for cell, store in zip(protocol.cells, stores, strict=True)}
