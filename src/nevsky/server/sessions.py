"""Guests and their cookies."""

from __future__ import annotations

import secrets
from functools import lru_cache
from typing import Final

from itsdangerous import BadSignature, URLSafeSerializer
from starlette.requests import HTTPConnection
from starlette.responses import Response

from nevsky.server.ids import new_guest_id
from nevsky.server.protocol import Language
from nevsky.server.seating import Guest
from nevsky.server.secret_file import load_secret
from nevsky.server.settings import Settings
from nevsky.server.storage import Storage
from nevsky.texts import text

__all__ = ["COOKIE", "Sessions"]

COOKIE: Final = "nevsky_guest"
_YEAR: Final = 365 * 24 * 3600
_MOST_READ: Final = 4096
"""Cookies that were read lately, and need not be read again."""


class Sessions:
    """Signs and reads cookies. A guest is nobody until they have one."""

    def __init__(self, settings: Settings, storage: Storage) -> None:
        self._serializer = URLSafeSerializer(load_secret(settings), salt="nevsky-guest")
        self._read = lru_cache(_MOST_READ)(self._verified)
        self._storage = storage
        self._secure = settings.secure_cookies

    def signed(self, connection: HTTPConnection) -> str | None:
        """The id in the cookie of a request, if this server has signed it; the guest may be gone all the same."""
        cookie = connection.cookies.get(COOKIE)
        if not cookie or len(cookie) > 200:
            return None
        return self._read(cookie)

    def _verified(self, cookie: str) -> str | None:
        try:
            guest = self._serializer.loads(cookie)
        except BadSignature:
            return None
        return guest if isinstance(guest, str) else None

    async def read(self, connection: HTTPConnection) -> Guest | None:
        """The guest of a request; None without a cookie, with a forged one or one of another database."""
        return await self.known(self.signed(connection))

    async def known(self, guest: str | None) -> Guest | None:
        """The guest of an id that was signed."""
        found = None if guest is None else await self._storage.greet(guest)
        return None if guest is None or found is None else Guest(guest, *found)

    async def create(self, response: Response, language: Language) -> Guest:
        """A new guest, with their cookie in the answer."""
        name = text("guest", language, number=100 + secrets.randbelow(900))
        guest = Guest(new_guest_id(), name)
        await self._storage.add_guest(guest.id, guest.name)
        cookie = self._serializer.dumps(guest.id)
        assert isinstance(cookie, str)
        response.set_cookie(COOKIE, cookie, max_age=_YEAR, path="/", httponly=True, samesite="lax", secure=self._secure)
        return guest
