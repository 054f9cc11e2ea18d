"""Connections to PostgreSQL, what its errors mean, and sentences about what is wrong at the start."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

import asyncpg
import sqlalchemy as sa

from nevsky.errors import NevskyError, Words
from nevsky.server.database_file import Trouble
from nevsky.server.setting_kinds import without_password

__all__ = ["FAILURES", "OLDEST", "Connection", "check_version", "connect", "refused", "trouble"]


class Connection(Protocol):
    """One of asyncpg, as far as it is used."""

    async def execute(self, query: str, *values: object) -> str: ...  # noqa: D102
    async def fetch(self, query: str, *values: object) -> list[Sequence[Any]]: ...  # noqa: D102
    async def fetchrow(self, query: str, *values: object) -> Sequence[Any]: ...  # noqa: D102
    async def fetchval(self, query: str, *values: object) -> Any: ...  # noqa: D102
    async def add_listener(self, channel: str, callback: Callable[..., None]) -> None: ...  # noqa: D102
    async def close(self) -> None: ...  # noqa: D102
    def terminate(self) -> None: ...  # noqa: D102
    def is_closed(self) -> bool: ...  # noqa: D102
    def get_server_version(self) -> Any: ...  # noqa: D102


FAILURES: Final[tuple[type[Exception], ...]] = (
    sa.exc.DBAPIError,
    sa.exc.TimeoutError,  # no connection was free
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    OSError,  # nobody answers; a TimeoutError is one too
)
OLDEST: Final = 14
"""The oldest version that is good enough."""
_CONNECT: Final = 3.0
"""Seconds."""
_STATEMENT: Final = 5.0
"""Seconds: a database that hangs is no better than none."""
_SETTINGS: Final = {
    "application_name": "nevsky",
    "synchronous_commit": "on",
    # of somebody who is gone without a word; others wait for what it holds
    "idle_in_transaction_session_timeout": "5000",
    "lock_timeout": "5000",
    "timezone": "UTC",
}
_BY_STATE: Final[dict[str, Trouble]] = {
    "08": "unreachable",
    "25006": "readonly",
    "28": "unreachable",
    "3D000": "gone",
    "42P01": "gone",  # there is a database, but not our tables
    "53100": "full",
    "53": "unreachable",  # no connection or no memory left
    "55P03": "locked",
    "40P01": "locked",
    "57": "unreachable",  # it is about to stop, or to start
    "58": "io_error",
    "XX001": "damaged",
    "XX002": "damaged",
}


async def connect(url: str, statement_seconds: float | None = _STATEMENT) -> Connection:
    """A new connection; a statement that takes longer has failed."""
    found: Connection = await asyncpg.connect(
        url, timeout=_CONNECT, command_timeout=statement_seconds, server_settings=_SETTINGS
    )
    return found


def trouble(error: BaseException) -> Trouble:
    """What is wrong, in a word."""
    cause = error
    while True:
        state = getattr(cause, "sqlstate", None)
        if isinstance(state, str):
            return _BY_STATE.get(state) or _BY_STATE.get(state[:2]) or "io_error"
        following = getattr(cause, "orig", None) or cause.__cause__
        if following is None:
            break
        cause = following
    return "unreachable"


def refused(url: str, error: BaseException) -> NevskyError:
    """Why the database cannot be used, in a sentence."""
    reason: object = Words("server.postgres_silent", reason=str(error) or type(error).__name__)
    if isinstance(error, asyncpg.InvalidAuthorizationSpecificationError):  # also for a wrong password
        reason = Words("server.postgres_password")
    elif isinstance(error, asyncpg.InvalidCatalogNameError):
        reason = Words("server.postgres_no_database")
    elif isinstance(error, asyncpg.PostgresError | sa.exc.DBAPIError | asyncpg.ClientConfigurationError | ValueError):
        reason = str(getattr(error, "orig", None) or error).splitlines()[0]
    return NevskyError("server.database", path=without_password(url), reason=reason)


def check_version(url: str, connection: Connection) -> None:
    """Refuse a server that is too old."""
    found = connection.get_server_version()
    if found.major < OLDEST:
        reason = Words("server.postgres_old", version=found.major, least=OLDEST)
        raise NevskyError("server.database", path=without_password(url), reason=reason)
