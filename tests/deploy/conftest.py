from tests.server.conftest import _no_logs, quick_bots

__all__ = ["_no_logs", "quick_bots"]
