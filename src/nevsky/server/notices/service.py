"""Everything about messages together, for the server."""

from __future__ import annotations

from collections.abc import Callable
from email.utils import parseaddr

from itsdangerous import BadSignature, URLSafeSerializer

from nevsky.server.mail.sender import Mailer
from nevsky.server.notices.channels import Channels
from nevsky.server.notices.dispatch import Dispatcher
from nevsky.server.notices.encrypting import Identity
from nevsky.server.notices.sending import Pusher
from nevsky.server.notices.store import NoticeStore
from nevsky.server.notices.watching import Watch
from nevsky.server.settings import Settings
from nevsky.server.storage import Storage
from nevsky.server.vacations.registry import Vacations

__all__ = ["Notices"]


class Notices:
    """Opened and closed with the server."""

    def __init__(self, settings: Settings, storage: Storage, secret: str, mailer: Mailer, vacations: Vacations) -> None:
        self._vacations = vacations
        self.store = NoticeStore(storage)
        self.anywhere = settings.push_anywhere
        self._stops = URLSafeSerializer(secret, salt="nevsky-stop-notices")
        pusher = Pusher(Identity(secret, _contact(settings)), self.store, self.anywhere) if settings.push else None
        self.channels = Channels(self.store, pusher, mailer, self.stop_token)
        self.watch = Watch(settings, self.store)
        self._seconds = settings.notice_seconds
        self._dispatcher: Dispatcher | None = None

    def open(self, is_there: Callable[[str, int], bool]) -> None:
        """Begin to tell people, unless they look at the table: that is asked with a table and a seat."""
        self._dispatcher = Dispatcher(self.store, self.channels, is_there, self._vacations, self._seconds)

    @property
    def key(self) -> str | None:
        """What browsers need to subscribe; None where nothing is pushed."""
        return None if self.channels.pusher is None else self.channels.pusher.identity.public

    def stop_token(self, guest: str) -> str:
        """For a link that stops all messages without signing in."""
        return str(self._stops.dumps(guest))

    def who_stops(self, token: str) -> str | None:
        """Whose messages a link stops; None if it is none of ours."""
        try:
            guest = self._stops.loads(token)
        except BadSignature:
            return None
        return guest if isinstance(guest, str) else None

    async def close(self) -> None:
        """Stop."""
        if self._dispatcher is not None:
            await self._dispatcher.close()
        await self.watch.close()
        await self.channels.close()


def _contact(settings: Settings) -> str:
    """Where push services reach whoever runs the server, which they want to know."""
    address = parseaddr(settings.mail_from)[1]
    if address:
        return f"mailto:{address}"
    return settings.public_address if settings.public_url.startswith("https://") else "mailto:nevsky@localhost"
