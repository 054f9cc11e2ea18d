"""Guests and their cookies."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Final

from itsdangerous import BadSignature, URLSafeSerializer
from starlette.requests import HTTPConnection
from starlette.responses import Response

from nevsky.server.protocol import Language
from nevsky.server.seating import Guest
from nevsky.server.settings import Settings
from nevsky.server.storage import Storage
from nevsky.texts import text

__all__ = ["COOKIE", "Sessions", "load_secret"]

COOKIE: Final = "nevsky_guest"
_YEAR: Final = 365 * 24 * 3600


def load_secret(settings: Settings) -> str:
    """The secret from the settings, or from a file beside the database that only its owner can read."""
    if settings.secret:
        return settings.secret
    path = Path(f"{settings.database_path}.secret")
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        found = path.read_text(encoding="ascii").strip()
        if found:
            return found
        path.unlink()
        return load_secret(settings)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(secrets.token_urlsafe(32))
        file.flush()
        os.fsync(file.fileno())
    return path.read_text(encoding="ascii").strip()


class Sessions:
    """Signs and reads cookies. A guest is nobody until they have one."""

    def __init__(self, settings: Settings, storage: Storage) -> None:
        self._serializer = URLSafeSerializer(load_secret(settings), salt="nevsky-guest")
        self._storage = storage
        self._secure = settings.secure_cookies

    async def read(self, connection: HTTPConnection) -> Guest | None:
        """The guest of a request; None without a cookie, with a forged one or one of another database."""
        cookie = connection.cookies.get(COOKIE)
        if not cookie or len(cookie) > 200:
            return None
        try:
            guest = self._serializer.loads(cookie)
        except BadSignature:
            return None
        if not isinstance(guest, str):
            return None
        name = await self._storage.guest_name(guest)
        return None if name is None else Guest(guest, name)

    async def create(self, response: Response, language: Language) -> Guest:
        """A new guest, with their cookie in the answer."""
        name = text("guest", language, number=100 + secrets.randbelow(900))
        guest = Guest(secrets.token_urlsafe(16), name)
        await self._storage.add_guest(guest.id, guest.name)
        cookie = self._serializer.dumps(guest.id)
        assert isinstance(cookie, str)
        response.set_cookie(COOKIE, cookie, max_age=_YEAR, path="/", httponly=True, samesite="lax", secure=self._secure)
        return guest
