"""`nevsky worker` with the bots of tests: python -m tests.server.worker_main PREPARE URL NUMBER."""

from __future__ import annotations

import os
import sys
import threading
from importlib import import_module

from nevsky.server import workers
from nevsky.server.bot_worker import work


def end_with_the_test() -> None:
    sys.stdin.read()
    os._exit(1)


def main() -> None:
    threading.Thread(target=end_with_the_test, daemon=True).start()
    prepare, url, number = sys.argv[1:]
    module, _, name = prepare.rpartition(".")
    workers.prepare = getattr(import_module(module), name)
    work(url, int(number), "warning", lambda: None)


if __name__ == "__main__":
    main()
