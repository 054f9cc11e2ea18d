"""Speed figures, with a fixed calibration loop beside them so that machines can be compared."""

from __future__ import annotations

import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import nevsky
from nevsky.bots.core.heuristic import HeuristicPolicy
from nevsky.bots.master import trained_policy
from nevsky.errors import NevskyError
from nevsky.rules.game import Game
from nevsky.rules.modules import MODULES
from nevsky.rules.rng import Rng
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.snapshot import blank
from nevsky.simulate import play_random_game

__all__ = ["calibration", "figures", "import_milliseconds", "kernel_figures", "run"]

_PROCESSOR: Final = "NEVSKY_BENCH_PROCESSOR"
"""Set for the processes that measure, the C kernel among them, when only processor time counts."""
_MOST_DECISIONS: Final = 4000
"""Far more than a game has."""


def _now() -> float:
    return time.process_time() if os.environ.get(_PROCESSOR) else time.perf_counter()


def calibration(seconds: float = 0.5) -> float:
    """A fixed piece of plain Python, in thousands of steps a second: how fast this machine is today."""
    steps = 0
    end = _now() + seconds
    x = 1
    while _now() < end:
        for _ in range(10_000):
            x = (x * 1103515245 + 12345) & 0x7FFFFFFF
        steps += 10
    return steps / seconds


def _rate(work: Callable[[], int], seconds: float) -> float:
    """How many units of work a second."""
    done = 0
    start = _now()
    while (elapsed := _now() - start) < seconds:
        done += work()
    return done / elapsed


def _random_play(ruleset: Ruleset, seconds: float) -> dict[str, float]:
    start_position = blank(ruleset)
    rng = Rng.of("bench")
    games = 0

    def batch() -> int:
        nonlocal games
        decisions = 0
        for _ in range(20 if nevsky.COMPILED else 1):
            position = start_position.copy()
            position.new_game(rng)
            decisions += position.play_random(rng)
            games += 1
        return decisions

    start = _now()
    actions = _rate(batch, seconds)
    return {"games_per_second": games / (_now() - start), "actions_per_second": actions}


def _playouts(ruleset: Ruleset, seconds: float, policy: HeuristicPolicy) -> float:
    """Whole games a second that the policy behind a search plays, deals included."""
    start_position = blank(ruleset)
    rng = Rng.of("bench")

    def batch() -> int:
        games = 20 if nevsky.COMPILED else 1
        for _ in range(games):
            position = start_position.copy()
            position.new_game(rng)
            policy.playout(position, rng, _MOST_DECISIONS)
        return games

    return _rate(batch, seconds)


def _middle(ruleset: Ruleset) -> Game:
    """A game half-way through."""
    whole = play_random_game(ruleset, "bench")
    game = Game(ruleset, "bench")
    for action, _ in whole.moves[: len(whole.moves) // 2]:
        game.push(action)
    return game


WHOLE_BOX = Ruleset("second", 5, market=True, modules=tuple(MODULES))


def figures(seconds: float = 1.0, chosen: Ruleset = WHOLE_BOX) -> dict[str, Any]:
    """All figures of the rules as they are imported now."""
    found: dict[str, Any] = {"compiled": nevsky.COMPILED, "calibration": calibration(min(seconds, 0.5))}
    for players in (2, 4):
        found[f"random_play_{players}"] = _random_play(Ruleset("second", players), seconds)
    found["random_play_full"] = _random_play(chosen, seconds)
    base = found["random_play_4"]["actions_per_second"]
    found["full_ratio"] = found["random_play_full"]["actions_per_second"] / base
    for players in (2, 4):
        ruleset = Ruleset("second", players)
        found[f"playouts_{players}"] = _playouts(ruleset, seconds, HeuristicPolicy())
        found[f"master_playouts_{players}"] = _playouts(ruleset, seconds, trained_policy(ruleset))
    found["playouts_full"] = _playouts(chosen, seconds, HeuristicPolicy())
    game = _middle(Ruleset("second", 4))
    position = game.position

    def repeat(work: Callable[[], object], times: int) -> Callable[[], int]:
        def batch() -> int:
            for _ in range(times):
                work()
            return times

        return batch

    short = min(seconds, 0.5)
    found["clone_us"] = 1e6 / _rate(repeat(position.copy, 500), short)
    found["game_copy_us"] = 1e6 / _rate(repeat(game.copy, 200), short)
    found["legal_us"] = 1e6 / _rate(repeat(position.legal, 200), short)
    found["view_us"] = 1e6 / _rate(repeat(lambda: game.view(0), 20), short)
    return found


def import_milliseconds(tries: int = 7) -> float:
    """What ``import nevsky`` adds to starting Python: the best of some tries."""

    def best(code: str) -> float:
        times = []
        for _ in range(tries):
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], check=True)  # noqa: S603
            times.append(time.perf_counter() - start)
        return min(times)

    return (best("import nevsky") - best("pass")) * 1e3


def kernel_figures(source: Path, seconds: float = 1.0) -> dict[str, Any] | None:
    """The hand-written C kernel of the base game, listing all legal actions as we do; None without it or a compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None or not source.is_file():
        return None
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as directory:
        for name, flags in (("listing", ["-DLIST"]), ("counting", [])):
            program = str(Path(directory) / name)
            subprocess.run([compiler, "-std=c11", "-O3", *flags, str(source), "-o", program], check=True)  # noqa: S603
            for players in (2, 4):
                out = subprocess.run(  # noqa: S603
                    [program, "bench", "2", str(players), str(seconds)], check=True, capture_output=True, text=True
                ).stdout.split()
                found[f"{name}_{players}"] = float(out[out.index("games_per_second") + 1])
    return found


def _uncompiled(seconds: float, chosen: Ruleset) -> dict[str, Any]:
    code = (
        "import json; from nevsky import Ruleset; from nevsky.bench import figures;"
        f"print(json.dumps(figures({seconds}, Ruleset.from_dict({chosen.to_dict()!r}))))"
    )
    environment = {**os.environ, "NEVSKY_PURE": "1"}
    out = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, env=environment
    )
    return dict(json.loads(out.stdout))


def run(seconds: float, kernel: Path, chosen: Ruleset = WHOLE_BOX, *, processor: bool = False) -> dict[str, Any]:
    """Everything ``nevsky bench`` shows; with ``processor`` only processor time counts, for machines that are busy."""
    before = os.environ.get(_PROCESSOR)
    os.environ[_PROCESSOR] = "1" if processor else ""
    try:
        return _run(seconds, kernel, chosen) | {"clock": "processor" if processor else "wall"}
    finally:
        if before is None:
            del os.environ[_PROCESSOR]
        else:
            os.environ[_PROCESSOR] = before


def _run(seconds: float, kernel: Path, chosen: Ruleset) -> dict[str, Any]:
    if not (math.isfinite(seconds) and seconds > 0):
        raise NevskyError("bench.seconds", seconds=seconds)
    words = [f"{chosen.edition} edition"] if chosen.edition == "first" else []
    words += [f"{chosen.players} players"] + ["Market"] * chosen.market
    words += [f"modules {', '.join(map(str, chosen.modules))}"] if chosen.modules else []
    found: dict[str, Any] = {
        "version": nevsky.__version__,
        "chosen": ", ".join(words),
        "import_ms": import_milliseconds(),
    }
    if nevsky.COMPILED:
        found["compiled"] = figures(seconds, chosen)
        found["uncompiled"] = _uncompiled(seconds, chosen)
    else:
        found["uncompiled"] = figures(seconds, chosen)
    found["kernel"] = kernel_figures(kernel, seconds)
    return found
