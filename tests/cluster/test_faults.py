"""Three servers, two workers, PostgreSQL and Redis under load, and something breaks all the time.

Nothing that was acknowledged is lost or done twice, no two servers write to one table, nobody is told what only others
may know, and all tables play again soon after the last fault. NEVSKY_FAULTS and NEVSKY_FAULT_TABLES set other numbers
for the long run, NEVSKY_FAULT_SEED another course.
"""

from __future__ import annotations

import asyncio
import bisect
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cluster.checker import check
from tests.cluster.cluster import Cluster, clustered
from tests.cluster.history import History
from tests.cluster.nemesis import Fault, Nemesis
from tests.cluster.people import Club
from tests.cluster.support import run

BACK = 10.0
"""Seconds after the last fault in which every table plays again, beyond what they need when nothing is broken: that is
measured first, as it depends on the machine and on what else runs there."""
BROKEN = "Traceback: "
"""What nobody has thought of; that the database is away is told without one."""


class Trial:
    """People, faults and what comes of both."""

    def __init__(self, cluster: Cluster, folder: Path, seed: int, pause: float, say: Callable[[str], None]) -> None:
        self.cluster = cluster
        self.history = History(folder / "history")
        self.club = Club([server.port for server in cluster.servers], self.history, seed, pause)
        self.nemesis = Nemesis(cluster, seed, say)
        self.say = say
        self.begun = time.monotonic()
        self.calm = 0.0
        """Seconds in which somebody moves at every table while nothing is broken."""

    async def run(self, faults: int, tables: int) -> dict[str, Any]:
        playing = asyncio.create_task(self.club.run(tables, spectators=2 + tables // 20))
        breaking = asyncio.create_task(self._break(faults, tables))
        try:
            await asyncio.wait([playing, breaking], return_when=asyncio.FIRST_COMPLETED)
            if playing.done():
                playing.result()
            back = await breaking
        finally:
            self.club.closing = True
            for task in (playing, breaking):
                task.cancel()
            await asyncio.gather(playing, breaking, return_exceptions=True)
        stored = await asyncio.to_thread(self.cluster.stored)
        begun = time.monotonic()
        violations = await asyncio.to_thread(check, self.history, stored)
        figures: dict[str, Any] = {
            "seconds": round(begun - self.begun),
            "checking": round(time.monotonic() - begun),
            "calm": round(self.calm, 1),
            "back": round(back, 1),
            "faults": dict(self.nemesis.counted()),
            "without a move": self._gaps(),
            "lines": sum(len(table.log) for table in stored.tables.values()),
            "owners": len(stored.claims or {}),
            "counted": dict(sorted(self.history.counted.items())),
            "complaints": dict(self._errors()),
            "violations": dict(Counter(each.kind for each in violations)),
        }
        self.say(json.dumps(figures, indent=1))
        self.say(
            f"{self._sum()}; {sum(figures['faults'].values())} faults in {figures['seconds']} s, "
            f"{len(violations)} violations; all tables play again after {figures['back']} s "
            f"({figures['calm']} s when nothing is broken)"
        )
        assert not [each for each in figures["complaints"] if each.startswith(BROKEN)], "see the logs of the servers"
        assert violations == [], "\n".join(map(str, violations[:20]))
        return figures

    async def _break(self, faults: int, tables: int) -> float:
        """Seconds until all tables play again after the last fault."""
        await self._all_play(0.0, tables, 180)
        self.calm = await self._round(tables)
        for number in range(0, faults, 25):
            await self.nemesis.run(min(faults, number + 25))
            self.say(f"{len(self.nemesis.faults)} faults, {time.monotonic() - self.begun:.0f} s: {self._sum()}")
        return await self._round(tables)

    async def _round(self, tables: int) -> float:
        """Seconds until somebody has moved at every table: the time of the servers, not that of thinking."""
        usual, self.club.pause = self.club.pause, min(self.club.pause, 0.2)
        try:
            return await self._all_play(time.monotonic(), tables, 4 * BACK)
        finally:
            self.club.pause = usual

    def _sum(self) -> str:
        counted = self.history.counted
        return ", ".join(f"{counted[name]} {name}" for name in ("act done", "undo done", "chat done", "games"))

    async def _all_play(self, since: float, tables: int, seconds: float) -> float:
        """Until somebody has moved at every table since then, or it was over and another one began."""
        waiting, begun = set(self.club.tables), time.monotonic()
        while time.monotonic() - begun < seconds:
            waiting = {
                table
                for table in (set(self.club.tables) if not since else waiting & self.club.tables.keys())
                if not self.history.moved[table] or self.history.moved[table][-1] <= since
            }
            if not waiting and len(self.club.tables) >= tables * 0.8:
                return time.monotonic() - begun
            await asyncio.sleep(0.05)
        self.say(f"{len(waiting)} of {len(self.club.tables)} tables do not play: {sorted(waiting)[:10]}")
        return time.monotonic() - begun

    def _gaps(self) -> dict[str, Any]:
        """Seconds from the beginning of a fault to the next move at each table that was played at then.

        Where something else broke meanwhile, nothing is known.
        """
        found: dict[str, list[float]] = {}
        begins = sorted(fault.begun for fault in self.nemesis.faults)
        for fault in self.nemesis.faults:
            later = bisect.bisect(begins, fault.begun)
            alone = all(other is fault or other.ended < fault.begun for other in self.nemesis.faults[:later])
            if alone:
                until = begins[later] if later < len(begins) else float("inf")
                found.setdefault(fault.kind, []).extend(self._until_next_move(fault, until))
        return {kind: _spread(seconds) for kind, seconds in found.items() if seconds}

    def _until_next_move(self, fault: Fault, until: float) -> list[float]:
        gaps = []
        for moves in self.history.moved.values():
            place = bisect.bisect(moves, fault.begun)
            if 0 < place < len(moves) and fault.begun - moves[place - 1] < 5 and moves[place] < until:
                gaps.append(moves[place] - fault.begun)
        return gaps

    def _errors(self) -> Counter[str]:
        """What the processes complained about, in few words."""
        found: Counter[str] = Counter()
        for process in self.cluster.processes:
            for line in process.said():
                if line.startswith("{"):
                    said = json.loads(line)
                    last = said.get("exception", "").strip().rpartition("\n")[2]
                    found[f"{BROKEN}{said['event']}: {last}" if last else f"{said['event']}: {said.get('reason')}"] += 1
        return found


def _spread(seconds: list[float]) -> dict[str, float]:
    ordered = sorted(seconds)
    ranks = {"p50": 50, "p90": 90, "p99": 99, "max": 100}
    return {"tables": len(ordered)} | {
        name: round(ordered[-(-part * len(ordered) // 100) - 1], 2) for name, part in ranks.items()
    }


async def _try(folder: Path, faults: int, tables: int, pause: float, seed: int, say: Callable[[str], None]) -> None:
    async with clustered(folder) as cluster:
        trial = Trial(cluster, folder, seed, pause, say)
        try:
            figures = await trial.run(faults, tables)
        finally:
            trial.history.close()
    assert figures["back"] <= BACK + figures["calm"]
    assert figures["counted"]["act done"] > 5 * tables
    assert sum(figures["faults"].values()) >= faults


def test_a_dozen_faults(tmp_path: Path) -> None:
    run(_try(tmp_path, 12, 8, 0.2, 1, lambda line: print(line, file=sys.stderr)), 240)


@pytest.mark.long
def test_three_hundred_faults(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    def say(line: str) -> None:
        with capfd.disabled():
            print(line, file=sys.stderr, flush=True)

    faults = int(os.environ.get("NEVSKY_FAULTS", "300"))
    tables = int(os.environ.get("NEVSKY_FAULT_TABLES", "100"))
    seed = int(os.environ.get("NEVSKY_FAULT_SEED", "1"))
    run(_try(tmp_path, faults, tables, 2.0, seed, say), 600 + 12 * faults)
