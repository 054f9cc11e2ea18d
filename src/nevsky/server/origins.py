"""Which pages may use this server: its own, and those that the settings name."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from nevsky.server.settings import Settings

__all__ = ["same_origin"]

_LOCAL: Final = ("localhost", "127.0.0.1", "::1")


def same_origin(connection: HTTPConnection, settings: Settings) -> bool:
    """Whether a request comes from an own page; programs that are no browsers say nothing about it."""
    origin = connection.headers.get("origin")
    if origin is None:
        return True
    if origin in [each.strip() for each in settings.origins.split(",") if each.strip()]:
        return True
    host = connection.headers.get("host", "")
    try:
        asked, from_page = urlsplit(f"//{host}"), urlsplit(origin)
    except ValueError:
        return False
    if from_page.netloc.lower() == host.lower():
        return True
    return asked.hostname in _LOCAL and from_page.hostname in _LOCAL  # a development server on another port
