"""nevsky worker: processes that think for the bots of servers."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from nevsky.cli.loading import loading
from nevsky.cli.saying import say


def worker(
    *,
    redis: Annotated[str | None, typer.Option(help="where Redis is", show_default="NEVSKY_REDIS")] = None,
    processes: Annotated[
        int | None, typer.Option(min=1, max=1024, help="how many think at once", show_default="one for each core")
    ] = None,
) -> None:
    """Think for the bots of all servers that share a Redis.

    Decisions, hints and reviews are taken from a queue in Redis. Workers
    come and go as they like, also on other machines. SIGTERM or Ctrl-C lets
    one finish what it thinks about; a second time, it goes at once.

    Of the settings in the environment it knows NEVSKY_REDIS and
    NEVSKY_LOG_LEVEL. What they mean is in docs/server.md, and the whole
    picture in docs/scaling.md.
    """
    with loading():
        from nevsky.errors import NevskyError
        from nevsky.server.bot_worker import work
        from nevsky.server.settings import Settings

    settings = Settings.read(redis=redis)
    if not settings.redis:
        raise NevskyError("server.no_redis")
    number = processes or os.cpu_count() or 1
    work(settings.redis, number, settings.log_level, lambda: say(f"{number} processes think for bots."))
