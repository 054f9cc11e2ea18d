import pytest

from nevsky.server.logs import set_up_logs
from tests.server.support import quick_bots

__all__ = ["quick_bots"]


@pytest.fixture(autouse=True, scope="session")
def _no_logs() -> None:
    set_up_logs("critical")
