"""From where somebody sits down at a rated table: hashes that tell whether two seats have the same browser or address.

They hold the table, so that those of two tables cannot be compared, and they go when the game is settled.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from nevsky.errors import NevskyError
from nevsky.server.bans import network_of
from nevsky.server.secret_file import load_secret
from nevsky.server.settings import Settings

__all__ = ["COOKIE", "Mark", "Marks", "Visit"]

COOKIE: Final = "nevsky_browser"
_SECONDS: Final = 90 * 24 * 3600
_OURS: Final = re.compile(r"[A-Za-z0-9_-]{22}")


class Mark(NamedTuple):
    """Of one seat."""

    browser: str | None = None
    network: str | None = None


class Visit(NamedTuple):
    """Somebody who asks for a seat."""

    secret: str
    browser: str
    network: str

    def at(self, table: str) -> Mark:
        """What is kept of them at a table."""
        return Mark(*(self._hashed(table, what) for what in (f"browser {self.browser}", f"network {self.network}")))

    def _hashed(self, table: str, what: str) -> str:
        return hmac.new(self.secret.encode(), f"rated {table} {what}".encode(), hashlib.sha256).hexdigest()


class Marks:
    """A browser that sits down at a rated table gets a cookie of its own, which stays when another profile signs in."""

    def __init__(self, settings: Settings) -> None:
        self._secret = load_secret(settings)
        self._secure = settings.secure_cookies

    def visit(self, request: Request, response: Response, address: str) -> Visit:
        """Who asks; a browser without a cookie gets one."""
        browser = request.cookies.get(COOKIE, "")
        if not _OURS.fullmatch(browser):
            browser = secrets.token_urlsafe(16)
            response.set_cookie(
                COOKIE, browser, max_age=_SECONDS, path="/api", httponly=True, samesite="lax", secure=self._secure
            )
        try:
            network = str(network_of(address))
        except NevskyError:  # a socket has none
            network = address
        return Visit(self._secret, browser, network)
