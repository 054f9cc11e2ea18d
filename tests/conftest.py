"""How tests are spread over several workers: ``pytest -n 4 --dist loadscope``.

Half of the tests wait most of their time, for clocks, leases and processes, and those in the browser never do. So there
are two lanes for the browser, begun first, while other workers take all the rest, file by file or test by test.
"""

from __future__ import annotations

import gc
import signal
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from xdist.scheduler import LoadScopeScheduling

ROOT = Path(__file__).parent.parent
BROWSER = "tests/browser/"
LANES = 2
PROCESSES = ("tests/cluster/", "tests/deploy/test_several", "tests/server/test_cluster")
"""Where several servers start at once: never beside each other, since they promise to be back within seconds."""
LONG = (*PROCESSES, "tests/deploy/", "tests/training/", "tests/test_", "tests/envs/test_examples")
"""Where single tests take many seconds: begun early, so that no worker is left alone with one at the end."""
DIVIDED = ("tests/arena/", "tests/bots/", "tests/server/", *LONG)
"""Where the tests of a file may go to several workers, unless they share something that takes a while to make."""


def pytest_configure() -> None:
    """Ctrl-C means what it usually does, also for all that tests start: in the background it means nothing."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[Any]:
    """What is imported and collected stays to the end: nobody looks through it for garbage, now or later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@cache
def unit(file: str) -> str:
    """What the tests of a file are done together with, by the same worker; empty if each goes where there is room."""
    if file.startswith(BROWSER):
        files = sorted(path.name for path in (ROOT / BROWSER).glob("test_*.py"))
        return f"{BROWSER}{files.index(file.removeprefix(BROWSER)) % LANES}"
    if file.startswith(PROCESSES):
        return "processes"
    shares = 'scope="module"' in (ROOT / file).read_text(encoding="utf-8")
    return "" if file.startswith(DIVIDED) and not shares else file


def rank(file: str) -> int:
    """Which come first."""
    return 0 if file.startswith(BROWSER) else 1 if file.startswith(LONG) else 2


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadScopeScheduling | None:
    """Ours instead of the one that knows files only."""
    from xdist.scheduler import LoadScopeScheduling

    class Lanes(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return unit(nodeid.partition("::")[0]) or nodeid

    if config.getvalue("dist") != "loadscope":
        return None
    config.option.loadscopereorder = False
    return Lanes(config, log)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """On every worker in the same order, and only there: alone, tests come as they stand."""
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: rank(item.nodeid.partition("::")[0]))
