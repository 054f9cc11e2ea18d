"""What the lobbies of several processes tell each other, by notices of the PostgreSQL that they share.

Notices are fleeting and only say where to look: what counts is in the database. Who is online is told as it changes,
and all of it every few seconds, so that whoever has missed something knows soon.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

import structlog

from nevsky.server.errors import Refusal
from nevsky.server.lobby.presence import SILENT, Presence
from nevsky.server.storage import Storage

__all__ = ["Bulletin"]

_PERIOD: Final = 0.3
"""Seconds between two notices, at least."""
_WHOLE: Final = SILENT / 3
"""Seconds after which everything is told again."""
_IN_ONE: Final = 150
"""Guests; a notice has less than 8000 bytes."""
log = structlog.get_logger()


class Bulletin:
    """Tells the others and listens to them."""

    def __init__(
        self, storage: Storage, process: Callable[[], str], presence: Presence, look: Callable[[set[str]], object]
    ) -> None:
        self._storage = storage
        self._process = process
        self._presence = presence
        self._look = look
        """Called with what has changed: "tables", "queue", or "guest ..."."""
        self._changed: set[str] = set()
        self._something = asyncio.Event()
        presence.news = {}
        self._task = asyncio.create_task(self._run())

    def changed(self, what: str) -> None:
        """Others have to look at something again."""
        self._changed.add(what)
        self._something.set()

    def came_or_went(self) -> None:
        """Somebody did."""
        self._something.set()

    async def close(self) -> None:
        """Say goodbye: nobody is online here any more."""
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task
        with contextlib.suppress(Refusal):
            await self._say([{"bye": True}])

    async def _run(self) -> None:
        whole, somebody = 0.0, True
        while True:
            patience = max(0.0, whole - time.monotonic()) if somebody else None
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._something.wait(), patience)
            self._something.clear()
            notices = list(self._news())
            if time.monotonic() >= whole:
                notices += self._everything()
                whole, somebody = time.monotonic() + _WHOLE, False
            somebody = somebody or bool(self._presence.here())  # if nobody is here the others hear so once
            try:
                await self._say(notices)
            except Refusal:
                whole, somebody = (
                    time.monotonic() + _PERIOD,
                    True,
                )  # the database is away: all of it soon, and the lists besides
                self._changed |= {"tables", "queue"}
            except Exception:
                log.exception("nothing_told")
            await asyncio.sleep(_PERIOD)

    def _news(self) -> Iterator[dict[str, Any]]:
        changed, self._changed = sorted(self._changed), set()
        for part in _parts(changed):
            yield {"look": part}
        news, self._presence.news = self._presence.news or {}, {}
        for part in _parts(list(news)):
            yield {
                "came": [each for each in part if news[each]],
                "gone": [each for each in part if not news[each]],
            }

    def _everything(self) -> Iterable[dict[str, Any]]:
        parts = _parts(self._presence.here()) or [[]]
        return [{"here": part, "last": part is parts[-1]} for part in parts]

    async def _say(self, notices: Sequence[dict[str, Any]]) -> None:
        if notices:
            async with self._storage.writing() as connection:
                for notice in notices:
                    await self._storage.backend.tell(connection, lobby={"from": self._process(), **notice})

    def hear(self, news: Any) -> None:
        """Another process says something; our own words come back, too."""
        if not isinstance(news, dict) or news.get("from") == self._process():
            return
        process = str(news.get("from"))
        if "look" in news:
            self._look(set(map(str, news["look"])))
        if "came" in news:
            self._presence.hear(process, list(map(str, news["came"])), list(map(str, news["gone"])))
        if "here" in news:
            self._presence.hear_all(process, list(map(str, news["here"])), last=bool(news["last"]))
        if "bye" in news:
            self._presence.forget(process)


def _parts(every: Sequence[str]) -> list[list[str]]:
    return [list(every[first : first + _IN_ONE]) for first in range(0, len(every), _IN_ONE)]
