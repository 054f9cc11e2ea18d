"""For whom passkeys are made: the host that people know the server by, and the pages that may ask for them."""

from __future__ import annotations

import ipaddress
from typing import NamedTuple
from urllib.parse import urlsplit

from starlette.requests import Request

from nevsky.server.errors import Refusal
from nevsky.server.settings import Settings

__all__ = ["Party", "party_of"]


class Party(NamedTuple):
    """The relying party of WebAuthn."""

    id: str
    origins: list[str]


def party_of(request: Request, settings: Settings) -> Party | None:
    """None where passkeys cannot be: at an address in numbers, or if they are switched off."""
    if not (settings.profiles and settings.passkeys):
        return None
    if settings.public_url:
        public = settings.public_url.rstrip("/")
        host = urlsplit(public).hostname or ""
        return None if _is_number(host) else Party(host, [public])
    try:
        asked = urlsplit(f"//{request.headers.get('host', '')}")
        host, port = asked.hostname or "", asked.port
    except ValueError:
        return None
    if not host or _is_number(host):
        return None
    if host == "localhost":
        return Party(host, [f"http://localhost:{port or 80}", *_own_page(request)])
    return Party(host, [f"https://{asked.netloc.lower()}"])


def the_party(request: Request, settings: Settings) -> Party:
    """The same, for somebody who needs it."""
    found = party_of(request, settings)
    if found is None:
        raise Refusal("refused", "no_passkeys")
    return found


def _own_page(request: Request) -> list[str]:
    """While somebody works on the front end it comes from another port of the same machine."""
    origin = request.headers.get("origin", "")
    try:
        found = urlsplit(origin)
    except ValueError:
        return []
    return [origin] if found.hostname == "localhost" and found.scheme == "http" else []


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
