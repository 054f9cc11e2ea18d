"""Challenges of passkeys: in a signed cookie while they are open, and in the database once they were answered.

So nothing is kept for whoever asks for one and goes away, and any process can take the answer, once.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import Final

import sqlalchemy as sa
from itsdangerous import BadData, URLSafeTimedSerializer
from starlette.requests import Request
from starlette.responses import Response

from nevsky.server.errors import Refusal
from nevsky.server.schema import used_challenges
from nevsky.server.secret_file import load_secret
from nevsky.server.settings import Settings
from nevsky.server.storage import Storage, now

__all__ = ["COOKIE", "SECONDS", "Challenges"]

COOKIE: Final = "nevsky_challenge"
SECONDS: Final = 300
_PATH: Final = "/api/profile"


class Challenges:
    """Gives them out and takes them back."""

    def __init__(self, settings: Settings, storage: Storage) -> None:
        self._serializer = URLSafeTimedSerializer(load_secret(settings), salt="nevsky-challenge")
        self._storage = storage
        self._secure = settings.secure_cookies

    def give(self, response: Response, what: str, guest: str | None) -> bytes:
        """A new one, for one purpose and one guest."""
        challenge = secrets.token_bytes(32)
        cookie = self._serializer.dumps([what, challenge.hex(), guest])
        assert isinstance(cookie, str)
        response.set_cookie(
            COOKIE, cookie, max_age=SECONDS, path=_PATH, httponly=True, samesite="strict", secure=self._secure
        )
        return challenge

    async def take(self, request: Request, response: Response, what: str, guest: str | None) -> bytes:
        """The open one of a browser; it is good once, whatever comes of it."""
        response.delete_cookie(COOKIE, path=_PATH)
        try:
            found = self._serializer.loads(request.cookies.get(COOKIE, "")[:500], max_age=SECONDS)
        except BadData as error:
            raise _stale() from error
        if not isinstance(found, list) or found[0] != what or found[2] != guest:
            raise _stale()
        challenge = bytes.fromhex(found[1])
        try:
            async with self._storage.writing() as connection:
                await connection.execute(used_challenges.delete().where(used_challenges.c.expires < now()))
                values = {"id": hashlib.sha256(challenge).hexdigest(), "expires": now(-SECONDS)}
                await connection.execute(used_challenges.insert().values(values))
        except sa.exc.IntegrityError as error:
            raise _stale() from error
        return challenge


def _stale() -> Refusal:
    return Refusal("stale", "challenge")
