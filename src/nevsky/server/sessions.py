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
_LONGEST: Final = 300


class Sessions:
    """Signs and reads cookies. A guest is nobody until they have one."""

    def __init__(self, settings: Settings, storage: Storage) -> None:
        self._serializer = URLSafeSerializer(load_secret(settings), salt="nevsky-guest")
        self._read = lru_cache(_MOST_READ)(self._verified)
        self._storage = storage
        self._secure = settings.secure_cookies

    def _loaded(self, connection: HTTPConnection) -> tuple[str | None, str | None]:
        """What this server has signed: a guest, and of profiles a device."""
        cookie = connection.cookies.get(COOKIE)
        return (None, None) if not cookie or len(cookie) > _LONGEST else self._read(cookie)

    def _verified(self, cookie: str) -> tuple[str | None, str | None]:
        try:
            found = self._serializer.loads(cookie)
        except BadSignature:
            return None, None
        match found:
            case str():
                return found, None
            case [str() as guest, str() as device]:
                return guest, device
        return None, None

    def signed(self, connection: HTTPConnection) -> str | None:
        """The id in the cookie of a request, if this server has signed it; the guest may be gone all the same."""
        return self._loaded(connection)[0]

    def device(self, connection: HTTPConnection) -> str | None:
        """The device of a request, if it is signed in to a profile or was so."""
        return self._loaded(connection)[1]

    async def read(self, connection: HTTPConnection) -> Guest | None:
        """The guest of a request; None without a cookie, with a forged one, one of another database, or signed out."""
        guest, device = self._loaded(connection)
        found = None if guest is None else await self._storage.greet(guest, device)
        return None if guest is None or found is None else Guest(guest, *found)

    async def create(self, response: Response, language: Language) -> Guest:
        """A new guest, with their cookie in the answer."""
        name = text("guest", language, number=100 + secrets.randbelow(900))
        guest = Guest(new_guest_id(), name)
        await self._storage.add_guest(guest.id, guest.name)
        self._give(response, guest.id)
        return guest

    def sign_in(self, response: Response, guest: str, device: str) -> None:
        """The cookie of a device that is signed in to a profile."""
        self._give(response, [guest, device])

    def sign_out(self, response: Response) -> None:
        """From now on the browser is nobody again."""
        response.delete_cookie(COOKIE, path="/", httponly=True, samesite="lax", secure=self._secure)

    def _give(self, response: Response, who: str | list[str]) -> None:
        cookie = self._serializer.dumps(who)
        assert isinstance(cookie, str)
        response.set_cookie(COOKIE, cookie, max_age=_YEAR, path="/", httponly=True, samesite="lax", secure=self._secure)
