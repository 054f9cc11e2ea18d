"""How the server bears attacks from one address, with the limits it has by default.

Each attack has a server of its own. Honest people at other addresses play, ping and open pages before, during and
after it, so the figures say what the attack costs them. Everything stays on this machine and ends by itself.
"""

from __future__ import annotations

import asyncio
import math
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

from nevsky._version import __version__
from nevsky.errors import NevskyError
from nevsky.server.abuse import on_bots, on_tables, on_wire
from nevsky.server.abuse.honest import Honest
from nevsky.server.abuse.scene import Attack, Scene
from nevsky.server.load_server import BROKEN, LoadServer, raise_file_limit, serving, waited_seconds

__all__ = ["ATTACKS", "run"]

ATTACKS: Final[dict[str, Attack]] = {**on_bots.ATTACKS, **on_tables.ATTACKS, **on_wire.ATTACKS}
_MOST_SECONDS: Final = 120
_QUIET: Final = 3.0
_FILES: Final = 4000
_PATIENCE: Final = 600.0
"""Seconds that an attack may take besides its own: 20,000 connections need some minutes."""


def run(
    names: Sequence[str] = (),
    seconds: float = 8.0,
    *,
    scale: float = 1.0,
    python: str = "",
    say: Callable[[str], object] = str,
) -> dict[str, Any]:
    """Figures for each attack by name, all of them if none is named; `python` may run another version of the server."""
    unknown = [name for name in names if name not in ATTACKS]
    if unknown:
        raise NevskyError("load.attack", attack=unknown[0], known=", ".join(ATTACKS))
    if not (math.isfinite(seconds) and 0 < seconds <= _MOST_SECONDS):
        raise NevskyError("load.seconds", most=_MOST_SECONDS, seconds=seconds)
    if not Path("/proc/self/status").exists():
        raise NevskyError("load.linux")
    raise_file_limit(_FILES)
    found = {}
    with ProcessPoolExecutor(1, get_context("spawn")) as attackers:
        for name in names or ATTACKS:
            with tempfile.TemporaryDirectory(prefix="nevsky-abuse-") as folder:
                try:
                    found[name] = asyncio.run(_attack(Path(folder), name, seconds, scale, python, attackers))
                except BROKEN as error:
                    raise NevskyError("load.too_much", error=type(error).__name__, reason=str(error)) from error
            say(_line(name, found[name]))
    return {"version": __version__, "seconds": seconds, "scale": scale, "attacks": found}


def _elsewhere(name: str, scene: Scene) -> Scene:
    """In a process of its own, so that the attacker's work does not delay the honest people's clocks."""
    raise_file_limit(_FILES)
    loop = asyncio.new_event_loop()
    try:
        attack = loop.create_task(ATTACKS[name].run(scene))
        loop.run_until_complete(asyncio.wait({attack}, timeout=scene.seconds + _PATIENCE))
        if not attack.done():
            raise NevskyError("load.too_much", error="TimeoutError", reason=name)
        attack.result()  # connections that do not end are not waited for
    finally:
        loop.close()
    return scene


async def _attack(
    folder: Path, name: str, seconds: float, scale: float, python: str, attackers: Executor
) -> dict[str, Any]:
    attack = ATTACKS[name]
    settings = {"log_level": "warning", **({"bot_pause": 0} if attack.quick else {})}
    async with serving(folder, settings, limited=True, files=attack.files, python=python) as server:
        scene = Scene(server, seconds, scale)
        honest = Honest(scene)
        await honest.begin()
        try:
            quiet = max(0.5, _QUIET * min(1.0, scale * 4))
            await asyncio.sleep(quiet)
            before, resources = honest.figures(), _resources(server)
            busy, started = server.processor_seconds(), time.perf_counter()
            waited = server.waited_seconds(), waited_seconds(os.getpid())
            scene = await asyncio.get_running_loop().run_in_executor(attackers, _elsewhere, name, scene)
            passed = time.perf_counter() - started
            during = honest.figures()
            busy = server.processor_seconds() - busy
            waited = server.waited_seconds() - waited[0], waited_seconds(os.getpid()) - waited[1]
            await asyncio.sleep(quiet)
            after = honest.figures()
            rest = _resources(server)
        finally:
            await honest.end()
        lines = server.log.read_text(encoding="utf-8").splitlines()
    return {
        "what": attack.what,
        "seconds": round(passed, 1),
        "before": before,
        "during": during,
        "after": after,
        "attacker": dict(scene.answers.most_common()),
        "found": scene.found,
        "memory_kb": [resources[0], rest[0]],
        "open_files": [resources[1], rest[1]],
        "server_cpu_percent": round(100 * busy / passed),
        "waiting_for_processor_percent": [round(100 * each / passed) for each in waited],
        "log_lines": len(lines),
        "tracebacks": sum("Traceback" in line or '"exception"' in line for line in lines),
    }


def _resources(server: LoadServer) -> tuple[int, int]:
    return server.memory(), server.open_files()


def _line(name: str, found: dict[str, Any]) -> str:
    during, before = found["during"]["answer_ms"], found["before"]["answer_ms"]
    refused = found["during"]["refused"]
    return (
        f"{name:16} answers p50 {before['p50']:.0f} → {during['p50']:.0f} ms, p99 {before['p99']:.0f} → "
        f"{during['p99']:.0f}, max {during['max']:.0f}; bots max {found['during']['bot_ms']['max']:.0f} ms; refused "
        f"{refused or 0}; memory {found['memory_kb'][0] // 1024} → {found['memory_kb'][1] // 1024} MB, files "
        f"{found['open_files'][0]} → {found['open_files'][1]}, processor {found['server_cpu_percent']} %, "
        f"server and people waited for one {' and '.join(map(str, found['waiting_for_processor_percent']))} %"
        + (f"; {found['found']}" if found["found"] else "")
    )
