"""Sending mail: at once for whoever asks, and over SMTP one after the other.

What waits is not kept over a restart, so nothing may depend on it that nobody can ask for again.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from email.message import EmailMessage
from email.utils import formatdate, make_msgid, parseaddr
from typing import Any, Final, NamedTuple
from urllib.parse import unquote, urlsplit

import structlog

from nevsky.server.metrics import MAILS
from nevsky.server.settings import Settings

__all__ = ["Mail", "Mailer"]

_MOST_WAITING: Final = 1000
_TRIES: Final = (2.0, 10.0, 60.0)
"""Seconds before a mail is tried once more; others wait meanwhile, since the mail server is away for them as well."""
_PATIENCE: Final = 20.0
"""Seconds for the mail server to answer."""
_LOCAL: Final = ("localhost", "127.0.0.1", "::1")
log = structlog.get_logger()


class Mail(NamedTuple):
    """Plain text for one person."""

    to: str
    """An address as `clean_address` writes it."""
    subject: str
    text: str
    headers: Mapping[str, str] = {}
    """More of them, for example ``List-Unsubscribe``."""


class Mailer:
    """One for each process; switched off without a mail server."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._waiting: asyncio.Queue[Mail] = asyncio.Queue(_MOST_WAITING)
        self._task: asyncio.Task[None] | None = None

    @property
    def enabled(self) -> bool:
        """Whether mail can be sent; if not, nothing that needs it is offered."""
        return bool(self._settings.smtp_url)

    def link(self, path: str) -> str:
        """The whole address of a page, for a mail. It never comes from what a visitor says."""
        return f"{self._settings.public_address}{path}"

    def post(self, mail: Mail) -> bool:
        """Send a mail soon; whether it was taken. Nobody waits for it."""
        if not self.enabled:
            return False
        try:
            self._waiting.put_nowait(mail)
        except asyncio.QueueFull:
            MAILS.labels(result="dropped").inc()
            log.error("mail_dropped", waiting=_MOST_WAITING)
            return False
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())
        return True

    async def close(self) -> None:
        """Send what can be sent in a moment, and stop."""
        if self._task is not None:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(self._task), 2.0)
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        """Until nothing waits any more."""
        while not self._waiting.empty():
            await self._deliver(self._waiting.get_nowait())

    async def _deliver(self, mail: Mail) -> None:
        for pause in (*_TRIES, None):
            try:
                await self._send(mail)
            except Exception as error:  # whatever the mail server or the network comes up with
                final = pause is None or _is_final(error)
                log.warning("mail_failed", reason=_shown(error), final=final)
                if final:
                    MAILS.labels(result="failed").inc()
                    return
                assert pause is not None
                await asyncio.sleep(pause)
            else:
                MAILS.labels(result="sent").inc()
                return

    async def _send(self, mail: Mail) -> None:
        if self._settings.smtp_url == "log":
            log.info("mail", to=mail.to, subject=mail.subject, text=mail.text)
            return
        import aiosmtplib  # most servers send none

        await aiosmtplib.send(self._message(mail), **_connection(self._settings.smtp_url))

    def _message(self, mail: Mail) -> EmailMessage:
        message = EmailMessage()
        message["From"] = self._settings.mail_from
        message["To"] = mail.to
        message["Subject"] = mail.subject
        message["Date"] = formatdate(usegmt=True)
        domain = parseaddr(self._settings.mail_from)[1].rpartition("@")[2]
        message["Message-ID"] = make_msgid(domain=domain)
        message["Auto-Submitted"] = "auto-generated"
        for name, value in mail.headers.items():
            message[name] = value
        message.set_content(mail.text)
        return message


def _connection(url: str) -> dict[str, Any]:
    """A password goes over the network only encrypted."""
    found = urlsplit(url)
    secure = found.scheme == "smtps"
    user = None if found.username is None else unquote(found.username)
    return {
        "hostname": found.hostname,
        "port": found.port or (465 if secure else 587),
        "username": user,
        "password": None if found.password is None else unquote(found.password),
        "use_tls": secure,
        "start_tls": False if secure else (True if user is not None and found.hostname not in _LOCAL else None),
        "timeout": _PATIENCE,
    }


def _is_final(error: Exception) -> bool:
    """Whether the mail server does not want this mail, now or later: an address that does not exist, mostly."""
    import aiosmtplib

    if isinstance(error, aiosmtplib.SMTPRecipientsRefused):
        return all(each.code >= 500 for each in error.recipients)
    return isinstance(error, aiosmtplib.SMTPResponseException) and error.code >= 500


def _shown(error: Exception) -> str:
    """Without the address of whoever the mail is for."""
    code = getattr(error, "code", None)
    return type(error).__name__ + (f" {code}" if isinstance(code, int) else "")
