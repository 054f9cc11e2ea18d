"""A mail server for tests, which keeps what it gets."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

from aiosmtpd.smtp import SMTP, Envelope, Session


class Postbox:
    """Listens at a free port of this machine."""

    def __init__(self) -> None:
        self.mails: asyncio.Queue[EmailMessage] = asyncio.Queue()
        self.refusals: list[str] = []
        """What is answered to the next mails, instead of taking them."""
        self.url = ""

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        if self.refusals:
            return self.refusals.pop(0)
        assert isinstance(envelope.content, bytes)
        found = message_from_bytes(envelope.content.replace(b"\r\n", b"\n"), policy=policy.default)
        assert isinstance(found, EmailMessage)
        assert envelope.rcpt_tos == [found["To"]]
        self.mails.put_nowait(found)
        return "250 OK"

    async def next(self) -> EmailMessage:
        """The next mail that comes."""
        return await asyncio.wait_for(self.mails.get(), 10)


@asynccontextmanager
async def postbox(**options: Any) -> AsyncIterator[Postbox]:
    """Open while a test needs it."""
    box = Postbox()
    listening = await asyncio.get_running_loop().create_server(lambda: SMTP(box, **options), "127.0.0.1", 0)
    try:
        box.url = f"smtp://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
        yield box
    finally:
        listening.close()
        await listening.wait_closed()
