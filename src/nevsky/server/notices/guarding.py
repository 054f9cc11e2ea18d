"""Where messages may be sent to. Browsers name the address, so it may be anybody's: never one of our own network."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from nevsky.server.errors import Refusal

__all__ = ["Target", "check_endpoint", "resolve"]

LONGEST: Final = 1000
_PORT: Final = 443


class Target(NamedTuple):
    """An endpoint with the one address that it is reached at: what was checked is what is used."""

    url: str
    """With the address in the place of the name."""
    host: str
    authority: str


def check_endpoint(endpoint: str, anywhere: bool) -> None:
    """Refuse what is no address of a push service; where its name leads is looked at when something is sent."""
    try:
        found = urlsplit(endpoint)
        host, port = found.hostname or "", found.port
    except ValueError:
        raise Refusal("refused", "push_endpoint") from None
    plain = endpoint.isascii() and endpoint.isprintable() and " " not in endpoint and "\\" not in endpoint
    named = plain and bool(host) and found.username is None and not found.fragment and len(endpoint) <= LONGEST
    allowed = found.scheme in ("https", "http") if anywhere else found.scheme == "https" and port in (None, _PORT)
    if not named or not allowed or not (anywhere or _may_be_public(host)):
        raise Refusal("refused", "push_endpoint")


def _may_be_public(host: str) -> bool:
    """Whether a name could lead out of our network; numbers are no names of push services."""
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        last = host.rstrip(".").rpartition(".")
        return bool(last[0]) and not last[2].isdecimal() and last[2] not in ("localhost", "local", "internal", "arpa")
    return False


async def resolve(endpoint: str, anywhere: bool) -> Target | None:
    """Where an endpoint is; None if it leads nowhere, or to where nothing shall be sent."""
    found = urlsplit(endpoint)
    host, port = found.hostname or "", found.port or (_PORT if found.scheme == "https" else 80)
    loop = asyncio.get_running_loop()
    try:
        answers = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return None
    addresses = [str(answer[4][0]).partition("%")[0] for answer in answers]
    if not addresses or not (anywhere or all(_is_public(address) for address in addresses)):
        return None
    first = f"[{addresses[0]}]" if ":" in addresses[0] else addresses[0]
    return Target(
        f"{found.scheme}://{first}:{port}{found.path or '/'}{f'?{found.query}' if found.query else ''}",
        host,
        found.netloc,
    )


def _is_public(address: str) -> bool:
    found = ipaddress.ip_address(address)
    if isinstance(found, ipaddress.IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour or (found.teredo[1] if found.teredo else None)
        if inner is not None and not inner.is_global:
            return False
        if found in ipaddress.ip_network("64:ff9b::/96"):
            return False
    return found.is_global and not found.is_multicast
