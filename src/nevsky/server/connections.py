"""How many connections there may be: in all, so that files never run out, and from one address."""

from __future__ import annotations

import asyncio
import os
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from heapq import nlargest
from pathlib import Path
from typing import Final

import structlog
from prometheus_client.core import GaugeMetricFamily

from nevsky.server.addresses import bucket, trusted_proxies, trusts
from nevsky.server.errors import Refusal
from nevsky.server.metrics import count_refusal
from nevsky.server.places import CANNOT_YIELD, Connection, Held, Socket
from nevsky.server.settings import Settings

__all__ = ["Connections", "raise_file_limit"]

_MOST_FILES: Final = 65_536
"""More than one process can serve; some systems allow a thousand million."""
_RESERVE: Final = 128
"""Files kept for the database, the bots' processes, pages and the operator's own requests."""
_NEAR: Final = 0.8
_PASSED_ON: Final = "passed on from "
_STEPS: Final = (1, 4, 16, 64, 256)
_SECONDS_BETWEEN_LINES: Final = 60.0
log = structlog.get_logger()


def raise_file_limit() -> int:
    """Raise the limit of open files as far as it goes, and say what it is."""
    try:
        import resource
    except ImportError:  # there are systems without such a limit
        return _MOST_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, _MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    return _MOST_FILES if soft == resource.RLIM_INFINITY else min(soft, _MOST_FILES)


class Connections:
    """Counts what is open. The WebSockets leave room for plain requests, and both leave files for everything else."""

    def __init__(self, settings: Settings, files: int) -> None:
        self._settings = settings
        self._proxies = trusted_proxies(settings.trusted_proxies)
        self.files = files
        reserve = min(_RESERVE, files // 4)
        self._most = files - reserve
        self._most_trusted = files - reserve // 2
        self.most_sockets = min(settings.sockets or files, self._most - self._most // 10)
        self._open: Counter[str] = Counter()
        self._idle: Held[Connection] = Held()
        """Connections that are neither a WebSocket that was let in nor being answered."""
        self._sockets: Counter[str] = Counter()
        self.elsewhere: Callable[[str], int] = lambda _: 0
        """How many WebSockets of an address other processes have."""
        self._yielding: tuple[Held[Socket], ...] = tuple(Held() for _ in range(CANNOT_YIELD))
        self.left = 0
        """How many have gone so far."""
        self.others_come = False
        """Whether processes of ours connect, too: one too many may be theirs, so its first request is read."""
        self._near = False
        self._last_line = -_SECONDS_BETWEEN_LINES

    def arrive(self, host: str, end: Callable[[], object] = str) -> Connection | None:
        """A connection from this host: what to `leave` with, None if there is no room for it.

        If there is none, whoever holds the most idle ones loses the oldest. A trusted proxy brings many people, so its
        connections are only counted in all, and it may use part of the reserve: whoever looks after the server asks
        from there.
        """
        trusted = trusts(self._proxies, host)
        key = "" if trusted else bucket(host)
        total = self._open.total()
        full = not trusted and self._open[key] >= self._settings.connections_per_address
        unproven = full and self._may_be_ours(key)
        if full and not unproven:
            self._complain("address_has_too_many_connections", address=key, open=self._open[key])
            if not self._drop(self._idle.of(key)):
                return None
        elif total >= (self._most_trusted if trusted else self._most):
            self._complain("connections_exhausted", open=total, files=self.files)
            if not self._drop(self._idle.too_much(key)) and not (
                total < self._most_trusted and self._someone_yields(key)
            ):
                return None
        self._open[key] += 1
        connection = Connection(key, end)
        connection.unproven = unproven
        self.rest(connection)
        return connection

    def _may_be_ours(self, key: str) -> bool:
        return self.others_come and self._open[key] < 2 * self._settings.connections_per_address

    def prove(self, connection: Connection | None) -> bool:
        """The first request is a visitor's: whether their address still has room for it."""
        if connection is None or not connection.unproven:
            return True
        connection.unproven = False
        self.work(connection)
        key = connection.key
        if self._open[key] <= self._settings.connections_per_address:
            return True
        self._complain("address_has_too_many_connections", address=key, open=self._open[key])
        return self._drop(self._idle.of(key))

    def leave(self, connection: Connection) -> None:
        """The connection is gone."""
        connection.gone = True
        self.left += 1
        self._idle.discard(connection.key, connection)
        _one_less(self._open, connection.key)

    def __len__(self) -> int:
        return self._open.total()

    def vouch(self, connection: Connection | None) -> None:
        """Another of our processes has made it, on behalf of anybody: from now on it counts like a trusted proxy's."""
        if connection is not None and connection.key and not connection.gone:
            self._idle.discard(connection.key, connection)
            _one_less(self._open, connection.key)
            connection.key = ""
            connection.unproven = False
            self._open[""] += 1

    def work(self, connection: Connection | None) -> None:
        """Somebody waits for an answer on this connection: it is not given to others meanwhile."""
        if connection is not None:
            self._idle.discard(connection.key, connection)

    def rest(self, connection: Connection | None) -> None:
        """Nobody waits for anything on this connection."""
        if connection is not None and connection.key and not connection.gone:
            self._idle.add(connection.key, connection)

    def _drop(self, connections: Collection[Connection]) -> bool:
        """The oldest of them goes: that one has said nothing for the longest time."""
        for oldest in connections:
            self.work(oldest)
            count_refusal("busy", "connection_made_room")
            oldest.end()
            return True
        return False

    @contextmanager
    def socket(
        self, address: str, who: str, connection: Connection | None = None, *, passed_on: bool = False
    ) -> Iterator[Socket]:
        """A WebSocket of somebody at this address, if there is room for it, or somebody else makes room.

        One that was passed on to us counts where the visitor came in; here it only takes one of all places.
        """
        total = self._sockets.total()
        if passed_on:
            address = f"{_PASSED_ON}{address}"
        if not passed_on and self._sockets_of(address) >= self._settings.sockets_per_address:
            self._complain("address_has_too_many_sockets", address=address, open=self._sockets_of(address))
            here = [Held((each.who, each) for each in held.of(address)) for held in self._yielding]
            if not any(self._send_away(held.too_much(who)) for held in here):
                raise Refusal("busy", "sockets_of_address")
        elif total >= self.most_sockets:
            self._complain("sockets_exhausted", open=total, files=self.files)
            if not self._someone_yields(address):
                raise Refusal("busy", "sockets")
        self._sockets[address] += 1
        self._warn()
        socket = Socket(address, who)
        self.work(connection)
        try:
            yield socket
        finally:
            self._keep(socket)
            self.rest(connection)
            _one_less(self._sockets, address)
            self._warn()

    async def goodbye(self, seconds: float) -> None:
        """Wait until all WebSockets have been told why they end, but not for those who do not listen."""
        end = time.monotonic() + seconds
        while self._sockets and time.monotonic() < end:
            await asyncio.sleep(0.01)

    def _sockets_of(self, address: str) -> int:
        return self._sockets[address] + self.elsewhere(address)

    def busiest(self, number: int) -> dict[str, int]:
        """The addresses with the most WebSockets that came in here."""
        own = ((address, count) for address, count in self._sockets.items() if not address.startswith(_PASSED_ON))
        return dict(nlargest(number, own, lambda each: each[1]))

    def may_yield(self, socket: Socket, rank: int, end: Callable[[], object]) -> None:
        """From now on the socket may be ended, if others need its place more."""
        socket.rank, socket.end = rank, end
        if rank < CANNOT_YIELD:
            self._yielding[rank].add(socket.address, socket)

    def _keep(self, socket: Socket) -> None:
        if socket.rank < CANNOT_YIELD:
            self._yielding[socket.rank].discard(socket.address, socket)

    def _someone_yields(self, address: str) -> bool:
        return any(self._send_away(held.too_much(address)) for held in self._yielding)

    def _send_away(self, sockets: list[Socket]) -> bool:
        """The newest of them goes: whoever was there first stays."""
        if not sockets:
            return False
        self._keep(sockets[-1])
        count_refusal("busy", "socket_made_room")
        sockets[-1].end()
        return True

    def _warn(self) -> None:
        total = self._sockets.total()
        near = total >= _NEAR * self.most_sockets
        if near and not self._near:
            log.warning("sockets_nearly_exhausted", open=total, most=self.most_sockets, files=self.files)
        self._near = near or (self._near and total >= (_NEAR - 0.1) * self.most_sockets)

    def _complain(self, event: str, **values: object) -> None:
        if time.monotonic() - self._last_line >= _SECONDS_BETWEEN_LINES:
            self._last_line = time.monotonic()
            log.warning(event, **values)

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """For Prometheus; addresses are counted, not named."""
        yield GaugeMetricFamily("nevsky_open_files", "Open files of the process", _open_files())
        yield GaugeMetricFamily("nevsky_file_limit", "How many files may be open", self.files)
        yield GaugeMetricFamily("nevsky_connections", "Open connections of all kinds", self._open.total())
        yield GaugeMetricFamily("nevsky_sockets_limit", "How many WebSockets may be open", self.most_sockets)
        busiest = max(self._sockets.values(), default=0)
        yield GaugeMetricFamily("nevsky_sockets_of_busiest_address", "WebSockets of the busiest address", busiest)
        counts = GaugeMetricFamily("nevsky_addresses", "Addresses with at most so many WebSockets", labels=["sockets"])
        for step in _STEPS:
            counts.add_metric([str(step)], sum(number <= step for number in self._sockets.values()))
        counts.add_metric(["+Inf"], len(self._sockets))
        yield counts


def _one_less(counted: Counter[str], key: str) -> None:
    counted[key] -= 1
    if counted[key] <= 0:
        del counted[key]


def _open_files() -> int:
    for path in (Path("/proc/self/fd"), Path("/dev/fd")):
        try:
            return len(os.listdir(path))  # noqa: PTH208
        except OSError:
            continue
    return 0
