"""What the server counts, for Prometheus. The list in docs/server.md is compared with this one by a test.

No label holds anything that visitors choose: each has a fixed set of values.
"""

from __future__ import annotations

from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Info,
    ProcessCollector,
    disable_created_metrics,
)

from nevsky._version import __version__
from nevsky.server.tallies import Spread, Tally, register

__all__ = [
    "BOT_QUEUE",
    "BOT_RETURNED",
    "BOT_TIMEOUTS",
    "BOT_WAIT",
    "BOT_WORKERS_REPLACED",
    "BROADCAST_SECONDS",
    "COLLECTED",
    "DATABASE_MOVES",
    "DATABASE_READS",
    "DATABASE_WRITES",
    "INVITATIONS",
    "LOBBY_VISITORS",
    "MAILS",
    "MATCHED",
    "MESSAGE_SECONDS",
    "NOTICES",
    "ONLINE",
    "PUSHES",
    "REDIS_RECONNECTS",
    "REDIS_SECONDS",
    "REDIS_UP",
    "REGISTRY",
    "REQUEST_SECONDS",
    "SENT_HTTP",
    "SENT_WEBSOCKET",
    "SHARED_PROCESSES",
    "SHARED_QUEUE",
    "SHARED_WAIT",
    "SHARED_WORKERS",
    "STATES",
    "STORAGE_FAILURES",
    "TABLES",
    "VIEWERS",
    "count_forwarded",
    "count_move",
    "count_refusal",
    "count_request",
]

_FAST: Final = (0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3)
"""Seconds, for what usually takes less than a hundredth."""
_METHODS: Final = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "DELETE")

disable_created_metrics()  # type: ignore[no-untyped-call]  # they would double the list, and nobody asks for them
REGISTRY: Final = CollectorRegistry()
ProcessCollector(registry=REGISTRY)
Info("nevsky", "The version of the server", registry=REGISTRY).info({"version": __version__})

_MOVES: Final[dict[str, Tally]] = {}
register(REGISTRY, "nevsky_moves", "Entries written to the logs of tables", _MOVES, "by")
NOTICES: Final = Counter(
    "nevsky_notices_total", "What people who are not there were to be told", ["result"], registry=REGISTRY
)
PUSHES: Final = Counter("nevsky_pushes_total", "Messages to browsers", ["result"], registry=REGISTRY)
STATES: Final = Tally()
register(REGISTRY, "nevsky_states", "States built for viewers", STATES)
BROADCAST_SECONDS: Final = Spread(_FAST)
register(
    REGISTRY, "nevsky_broadcast_seconds", "Time to work out what all viewers of a table see now", BROADCAST_SECONDS
)
COLLECTED: Final = Histogram(
    "nevsky_collection_seconds", "Time to look for cycles in everything, while everybody waits", registry=REGISTRY
)
MESSAGE_SECONDS: Final = Spread(_FAST)
register(REGISTRY, "nevsky_message_seconds", "Time to carry out a message of a WebSocket", MESSAGE_SECONDS)
SENT_WEBSOCKET: Final = Tally()
SENT_HTTP: Final = Tally()
_SENT: Final = {"websocket": SENT_WEBSOCKET, "http": SENT_HTTP}
register(REGISTRY, "nevsky_sent_bytes", "Bytes of messages and answers sent", _SENT, "kind")
_REFUSALS: Final = Counter(
    "nevsky_refusals_total", "Requests and messages refused", ["code", "reason"], registry=REGISTRY
)
_REQUESTS: Final = Counter("nevsky_requests_total", "HTTP requests answered", ["method", "status"], registry=REGISTRY)
REQUEST_SECONDS: Final = Histogram("nevsky_request_seconds", "Time to answer an HTTP request", registry=REGISTRY)
TABLES: Final = Gauge("nevsky_tables_in_memory", "Tables in memory", registry=REGISTRY)
_DATABASE: Final = Histogram(
    "nevsky_database_seconds",
    "Time of one transaction: a batch of moves, another write, or a read",
    ["kind"],
    buckets=_FAST,
    registry=REGISTRY,
)
DATABASE_MOVES: Final = _DATABASE.labels(kind="moves")
DATABASE_WRITES: Final = _DATABASE.labels(kind="write")
DATABASE_READS: Final = _DATABASE.labels(kind="read")
STORAGE_FAILURES: Final = Counter(
    "nevsky_storage_failures_total", "Reads and writes that the database could not do", ["reason"], registry=REGISTRY
)
MAILS: Final = Counter("nevsky_mails_total", "Mails, by what became of them", ["result"], registry=REGISTRY)
for _result in ("sent", "failed", "dropped"):
    MAILS.labels(result=_result)
_FORWARDED: Final = Counter(
    "nevsky_forwarded_total", "Requests and WebSockets passed on to the owner of a table", ["kind"], registry=REGISTRY
)
for _kind in ("http", "websocket"):
    _FORWARDED.labels(kind=_kind)
VIEWERS: Final = Gauge("nevsky_viewers", "Open WebSockets", registry=REGISTRY)
LOBBY_VISITORS: Final = Gauge("nevsky_lobby_visitors", "WebSockets of the lobby", registry=REGISTRY)
MATCHED: Final = Counter("nevsky_matched_total", "Guests for whom a table was found", registry=REGISTRY)
INVITATIONS: Final = Counter("nevsky_invitations_total", "Invitations sent to people", registry=REGISTRY)
ONLINE: Final = Gauge("nevsky_online", "Guests with a connection to this process", registry=REGISTRY)
BOT_QUEUE: Final = Gauge("nevsky_bot_queue", "Jobs waiting for a bot worker", ["kind"], registry=REGISTRY)
BOT_WAIT: Final = Histogram(
    "nevsky_bot_wait_seconds",
    "Time a job waited for a bot worker",
    ["kind"],
    buckets=(0.001, 0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10, 30, 60, 120),
    registry=REGISTRY,
)
BOT_TIMEOUTS: Final = Counter("nevsky_bot_timeouts_total", "Jobs that ran out of time in a worker", registry=REGISTRY)
BOT_WORKERS_REPLACED: Final = Counter(
    "nevsky_bot_workers_replaced_total",
    "Worker processes that died or were killed, and were replaced",
    registry=REGISTRY,
)
BOT_RETURNED: Final = Counter(
    "nevsky_bot_returned_total",
    "Jobs that workers elsewhere did not do, so that the server did them itself",
    ["reason"],
    registry=REGISTRY,
)
SHARED_WORKERS: Final = Gauge("nevsky_shared_workers", "Workers that think for all servers", registry=REGISTRY)
SHARED_PROCESSES: Final = Gauge("nevsky_shared_worker_processes", "Their processes", registry=REGISTRY)
SHARED_QUEUE: Final = Gauge("nevsky_shared_bot_queue", "Jobs of all servers waiting", ["kind"], registry=REGISTRY)
SHARED_WAIT: Final = Gauge(
    "nevsky_shared_bot_wait_seconds",
    "For how long none of these jobs was begun although some wait",
    ["kind"],
    registry=REGISTRY,
)
REDIS_UP: Final = Gauge("nevsky_redis_up", "Whether Redis answers; 0 without one", registry=REGISTRY)
REDIS_SECONDS: Final = Histogram(
    "nevsky_redis_seconds", "Time for a batch of commands to Redis and back", buckets=_FAST, registry=REGISTRY
)
REDIS_RECONNECTS: Final = Counter("nevsky_redis_lost_total", "How often Redis went away", registry=REGISTRY)
for _kind in ("live", "hint", "review"):
    BOT_QUEUE.labels(kind=_kind)
    BOT_WAIT.labels(kind=_kind)
    SHARED_QUEUE.labels(kind=_kind)
    SHARED_WAIT.labels(kind=_kind)
for _reason in ("away", "died", "down", "late", "lost", "nobody"):
    BOT_RETURNED.labels(reason=_reason)


for _result in ("sent", "needless", "dropped"):
    NOTICES.labels(result=_result)
for _result in ("sent", "gone", "failed", "dropped"):
    PUSHES.labels(result=_result)


def count_forwarded(kind: str) -> None:
    """Something was passed on to the process that has the table."""
    _FORWARDED.labels(kind=kind).inc()


def count_move(by: str) -> None:
    """An entry was written."""
    found = _MOVES.get(by)
    if found is None:
        found = _MOVES[by] = Tally()
    found.inc()


def count_refusal(code: str, reason: str) -> None:
    """Something was refused, for a reason that is the key of a text and nothing that a visitor has written."""
    _REFUSALS.labels(code=code, reason=reason).inc()


def count_request(method: str, status: int, seconds: float) -> None:
    """A request was answered; methods that nobody should use count as one."""
    _REQUESTS.labels(method=method if method in _METHODS else "other", status=status).inc()
    REQUEST_SECONDS.observe(seconds)
