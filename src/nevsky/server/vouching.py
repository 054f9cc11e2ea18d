"""What one process tells another about a visitor whose request it passes on: signed, for one use, and for a moment."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from typing import Final

import structlog
from itsdangerous import BadData, URLSafeSerializer
from starlette.requests import HTTPConnection

from nevsky.server.addresses import VOUCHED
from nevsky.server.errors import Refusal, moved

__all__ = ["HEADER", "OWN", "Vouching", "target_of"]

HEADER: Final = "x-nevsky-forwarded"
OWN: Final = "nevsky.own"
"""Where a request says whether one of our processes has thought of it, and not a visitor."""
_SECONDS: Final = 30.0
"""For which it is good, either way: the clocks of two machines are never quite the same."""
_MOST_USED: Final = 100_000
_LONGEST: Final = 6000
log = structlog.get_logger()


def target_of(connection: HTTPConnection) -> str:
    """What is asked for, as it came."""
    path: bytes = connection.scope.get("raw_path") or connection.scope["path"].encode()
    query: bytes = connection.scope.get("query_string", b"")
    return (path.split(b"?")[0] + (b"?" + query if query else b"")).decode("latin-1")


class Vouching:
    """Signs with the one secret of all processes, and believes what was signed with it: once, and by us for us.

    Nothing is passed on twice, so there is no circle: whoever reads a voucher answers, or says that the table moved.
    """

    def __init__(self, secret: str, process: Callable[[], str], clock: Callable[[], float] = time.time) -> None:
        self._serializer = URLSafeSerializer(secret, salt="nevsky-forwarding")
        self._process = process
        self._clock = clock
        self._used: dict[str, float] = {}
        """What was used and when it was signed, in the order in which it came."""
        self._not_before = 0.0

    def sign(self, owner: str, method: str, target: str, address: str | None) -> str:
        """For a process that has the table: whose request this is; None if it is our own and no visitor's."""
        voucher = [secrets.token_urlsafe(12), round(self._clock(), 3), owner, address, method, target]
        signed = self._serializer.dumps(voucher)
        assert isinstance(signed, str)
        return signed

    def accept(self, connection: HTTPConnection) -> str | None:
        """The address of the visitor if a request was passed on to us, which is remembered; else None."""
        found = connection.headers.getlist(HEADER)
        if not found:
            return None
        if len(found) > 1 or len(found[0]) > _LONGEST:
            raise self._refused("form")
        try:
            once, at, owner, address, method, target, *_ = self._serializer.loads(found[0])
        except (BadData, ValueError, TypeError) as error:
            raise self._refused("signature") from error
        if abs(at - self._clock()) > _SECONDS or at <= self._not_before:
            raise self._refused("time")
        if once in self._used:
            raise self._refused("again")
        if (method, target) != (connection.scope.get("method", "GET"), target_of(connection)):
            raise self._refused("other")
        self._remember(once, at)
        if owner != self._process():
            raise moved()
        connection.scope[VOUCHED] = address or ""
        connection.scope[OWN] = address is None
        return address or ""

    def _remember(self, once: str, at: float) -> None:
        old = self._clock() - 2 * _SECONDS
        while self._used:
            first = next(iter(self._used))
            if self._used[first] > old and len(self._used) < _MOST_USED:
                break
            if self._used[first] > old:  # what is forgotten too early counts as too old
                self._not_before = max(self._not_before, self._used[first])
            del self._used[first]
        self._used[once] = at

    def _refused(self, why: str) -> Refusal:
        log.warning("voucher_refused", why=why)
        return Refusal("not_allowed", "forwarded")
