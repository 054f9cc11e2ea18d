"""Bringing messages to push services: a few at a time, each with little patience, never where a redirect leads."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Final

import httpx
import structlog

from nevsky.server.metrics import PUSHES
from nevsky.server.notices.encrypting import Identity, encrypt
from nevsky.server.notices.guarding import resolve
from nevsky.server.notices.kinds import Device
from nevsky.server.notices.store import NoticeStore

__all__ = ["Pusher"]

_PATIENCE: Final = 10.0
"""Seconds for everything, the name and the answer included."""
_AT_ONCE: Final = 64
_AT_ONE_HOST: Final = 32
_MOST_WAITING: Final = 2000
_PAUSES: Final = (30.0, 300.0, 1800.0)
"""Seconds before a message that was not taken is tried once more."""
_DAY: Final = 24 * 3600
_MOST_ANSWER: Final = 4096
_GONE: Final = (404, 410)
log = structlog.get_logger()


class Pusher:
    """Sends without anybody waiting for it. What is not sent when the server stops is not sent."""

    def __init__(
        self, identity: Identity, store: NoticeStore, anywhere: bool, pauses: tuple[float, ...] = _PAUSES
    ) -> None:
        self.identity = identity
        self._store = store
        self._anywhere = anywhere
        self._pauses = pauses
        self._client: httpx.AsyncClient | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._places = asyncio.Semaphore(_AT_ONCE)
        self._hosts: Counter[str] = Counter()

    @property
    def full(self) -> bool:
        """Whether nothing more should be given to it for now."""
        return len(self._tasks) >= _MOST_WAITING

    def post(self, device: Device, message: bytes, tag: str, urgent: bool) -> None:
        """Send a message soon."""
        if self.full:
            PUSHES.labels(result="dropped").inc()
            return
        task = asyncio.create_task(self._deliver(device, message, tag, urgent))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _deliver(self, device: Device, message: bytes, tag: str, urgent: bool) -> None:
        for pause in (*self._pauses, None):
            try:
                result = await self._try(device, message, tag, urgent)
            except Exception:
                log.exception("push_failed")
                result = "failed"
            if result != "later" or pause is None:
                break
            await asyncio.sleep(pause)
        PUSHES.labels(result=result if result != "later" else "failed").inc()
        try:
            if result == "gone":
                await self._store.drop_device(device.endpoint)
            else:
                await self._store.note_result(device.endpoint, result == "sent")
        except Exception as error:  # the database is away: it is found out next time
            log.warning("push_not_noted", reason=type(error).__name__)

    async def _try(self, device: Device, message: bytes, tag: str, urgent: bool) -> str:
        """What became of it: sent, gone, failed; or later, if it was certainly not taken."""
        async with self._places:
            try:
                async with asyncio.timeout(_PATIENCE):
                    return await self._post(device, message, tag, urgent)
            except (httpx.ConnectError, httpx.ConnectTimeout):
                return "later"
            except (TimeoutError, httpx.HTTPError):  # perhaps it was taken, and nobody is told twice
                return "failed"

    async def _post(self, device: Device, message: bytes, tag: str, urgent: bool) -> str:
        target = await resolve(device.endpoint, self._anywhere)
        if target is None:
            return "failed"
        if self._hosts[target.host] >= _AT_ONE_HOST:  # one slow host shall not keep the others waiting
            return "later"
        self._hosts[target.host] += 1
        try:
            headers = {
                "Host": target.authority,
                "Authorization": self.identity.authorization(device.endpoint),
                "Content-Encoding": "aes128gcm",
                "Content-Type": "application/octet-stream",
                "TTL": str(_DAY),
                "Topic": tag,
                "Urgency": "high" if urgent else "normal",
            }
            body = encrypt(message, device.p256dh, device.auth)
            extensions = {"sni_hostname": target.host}
            async with self._http().stream(
                "POST", target.url, content=body, headers=headers, extensions=extensions
            ) as answer:
                read = 0
                async for part in answer.aiter_raw():
                    read += len(part)
                    if read > _MOST_ANSWER:
                        break
                return _meaning(answer.status_code)
        finally:
            self._hosts[target.host] -= 1
            if not self._hosts[target.host]:
                del self._hosts[target.host]

    def _http(self) -> httpx.AsyncClient:
        if self._client is None:
            limits = httpx.Limits(max_connections=_AT_ONCE, max_keepalive_connections=0)
            self._client = httpx.AsyncClient(follow_redirects=False, trust_env=False, timeout=_PATIENCE, limits=limits)
        return self._client

    async def close(self) -> None:
        """Stop; what is under way has a moment."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=2.0)
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._client is not None:
            await self._client.aclose()


def _meaning(status: int) -> str:
    if 200 <= status < 300:
        return "sent"
    if status in _GONE:
        return "gone"
    return "later" if status == 429 or status >= 500 else "failed"
