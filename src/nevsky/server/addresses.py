"""Whose connection it is: the address that limits are counted by."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from starlette.requests import HTTPConnection

from nevsky.errors import NevskyError

if TYPE_CHECKING:
    from nevsky.server.settings import Settings

__all__ = ["VOUCHED", "address_of", "bucket", "trusted_proxies", "trusts"]

VOUCHED: Final = "nevsky.vouched"
"""Where a request that another process has passed on finds the address of its visitor."""
_MOST_HOPS: Final = 16
_IPV6_HOST_BITS: Final = 64
_Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def address_of(connection: HTTPConnection, settings: Settings) -> str:
    """The address a request is counted under, as `bucket` writes it.

    That is the other end of the connection. Only where this is a trusted proxy does ``X-Forwarded-For`` count: it is
    read from its end, each hop vouching for the one before it, up to the first that is no trusted proxy. A hop that
    cannot be read is nobody's word, so the proxy that wrote it stands for it.
    """
    vouched = connection.scope.get(VOUCHED)
    if isinstance(vouched, str):
        return vouched  # another of our processes knows it, and has signed it
    peer = _parsed(connection.client.host) if connection.client else None
    if peer is None:
        return ""
    trusted = trusted_proxies(settings.trusted_proxies)
    hops = ",".join(connection.headers.getlist("x-forwarded-for")).rsplit(",", _MOST_HOPS)[-_MOST_HOPS:]
    while hops and trusts(trusted, peer):
        before = _parsed(_without_port(hops.pop().strip()))
        if before is None:
            break
        peer = before
    return _bucket(peer)


def bucket(host: str) -> str:
    """What shares its limits with a host: an IPv4 address alone, an IPv6 address its /64.

    >>> bucket("192.0.2.7"), bucket("::ffff:192.0.2.7"), bucket("2001:db8:1:2:3:4:5:6")
    ('192.0.2.7', '192.0.2.7', '2001:db8:1:2::/64')
    """
    found = _parsed(host)
    return "" if found is None else _bucket(found)


@lru_cache(maxsize=8)
def trusted_proxies(setting: str) -> tuple[_Network, ...]:
    """The networks named in NEVSKY_TRUSTED_PROXIES."""
    words = [word.strip() for word in setting.split(",") if word.strip()]
    try:
        return tuple(ipaddress.ip_network(word) for word in words)
    except ValueError as error:
        raise NevskyError("setting.proxies", value=repr(setting)) from error


def trusts(networks: Sequence[_Network], host: _Address | str) -> bool:
    """Whether what a host says about others is believed."""
    found = _parsed(host) if isinstance(host, str) else host
    return any(found in network for network in networks)


def _bucket(address: _Address) -> str:
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    prefix = int(address) >> _IPV6_HOST_BITS << _IPV6_HOST_BITS
    return f"{ipaddress.IPv6Address(prefix)}/{_IPV6_HOST_BITS}"


@lru_cache(maxsize=4096)
def _parsed(text: str) -> _Address | None:
    try:
        found = ipaddress.ip_address(text)
    except ValueError:
        return None
    if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped is not None:
        return found.ipv4_mapped
    return found


def _without_port(hop: str) -> str:
    """``[2001:db8::1]:443``, ``[2001:db8::1]`` and ``192.0.2.7:80`` without brackets and port."""
    if hop.startswith("["):
        host, closed, rest = hop[1:].partition("]")
        return host if closed and (not rest or _is_port(rest)) else hop
    host, colon, port = hop.partition(":")
    return host if colon and "." in host and _is_port(colon + port) else hop


def _is_port(text: str) -> bool:
    return text[0] == ":" and text[1:].isdecimal() and len(text) <= len(":65535")
