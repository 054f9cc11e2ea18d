"""The ways a message can take: to browsers, and by mail."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from nevsky.server.mail.sender import Mail, Mailer
from nevsky.server.notices.kinds import TURN, Due, Wishes
from nevsky.server.notices.sending import Pusher
from nevsky.server.notices.store import NoticeStore
from nevsky.server.notices.wording import Told, payload
from nevsky.texts import text

__all__ = ["STOP_PAGE", "Channels"]

STOP_PAGE: Final = "/stop"
_ONE_CLICK: Final = {"List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}


class Channels:
    """Hands messages on to whatever can bring them."""

    def __init__(
        self, store: NoticeStore, pusher: Pusher | None, mailer: Mailer, stop_token: Callable[[str], str]
    ) -> None:
        self._store = store
        self.pusher = pusher
        """None where it is switched off."""
        self._mailer = mailer
        self._stop_token = stop_token

    @property
    def full(self) -> bool:
        """Whether nothing more should be given to them for now."""
        return self.pusher is not None and self.pusher.full

    @property
    def mails(self) -> bool:
        """Whether mail can be sent."""
        return self._mailer.enabled

    async def send(self, due: Due, said: Told, wishes: Wishes) -> None:
        """Send a message by every way that its reader has chosen."""
        if self.pusher is not None:
            for device in await self._store.devices(due.guest):
                self.pusher.post(device, payload(said), said.tag, due.kind == TURN)
        if wishes.mail and self.mails:
            address = await self._store.mail_address(due.guest)
            if address is not None:
                self._mailer.post(self._mail(address, due.guest, said))

    def _mail(self, address: str, guest: str, said: Told) -> Mail:
        """The link in it stops everything, for people on a page with a button, for their mail program at once."""
        token = self._stop_token(guest)
        table, stop = self._mailer.link(said.url), self._mailer.link(f"{STOP_PAGE}?token={token}")
        at_once = self._mailer.link(f"/api/notices/stop?token={token}")
        body = "\n\n".join((said.body, table, text("notice.mail", said.language) + "\n" + stop)) + "\n"
        return Mail(address, said.title, body, {"List-Unsubscribe": f"<{at_once}>", **_ONE_CLICK})

    async def close(self) -> None:
        """Stop."""
        if self.pusher is not None:
            await self.pusher.close()
