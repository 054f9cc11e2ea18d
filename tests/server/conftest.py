import pytest

from nevsky.server.logs import set_up_logs
from tests.server.engines import anywhere, database, postgres, redis, redis_server
from tests.server.support import quick_bots

__all__ = ["anywhere", "database", "postgres", "quick_bots", "redis", "redis_server"]


@pytest.fixture(autouse=True, scope="session")
def _no_logs() -> None:
    set_up_logs("critical")
