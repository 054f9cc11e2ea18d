"""Guests and addresses that whoever runs the server does not let in, and guests who may not write."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from typing import Final

import sqlalchemy as sa

from nevsky.errors import NevskyError
from nevsky.server.errors import Refusal
from nevsky.server.schema import address_bans, guests
from nevsky.server.storage import Storage

__all__ = ["Bans", "Network", "banned", "erased", "network_of"]

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
_IPV6_SHARED: Final = 64
"""An IPv6 address never stands alone: its /64 belongs to one household."""
_IPV4_MAPPED: Final = 96
"""Bits before an IPv4 address that is written as one of IPv6."""


def banned() -> Refusal:
    """For whom the door stays shut."""
    return Refusal("not_allowed", "banned")


def erased() -> Refusal:
    """For somebody whose data are gone."""
    return Refusal("not_allowed", "erased")


def network_of(text: str) -> Network:
    """An address or a network as people write it.

    >>> str(network_of("192.0.2.7")), str(network_of("::ffff:192.0.2.7")), str(network_of("2001:db8::7"))
    ('192.0.2.7/32', '192.0.2.7/32', '2001:db8::/64')
    """
    try:
        found = ipaddress.ip_network(text.strip(), strict=False)
    except ValueError as error:
        raise NevskyError("admin.network", network=repr(text)) from error
    if isinstance(found, ipaddress.IPv4Network):
        return found
    mapped = found.network_address.ipv4_mapped
    if mapped is not None and found.prefixlen >= _IPV4_MAPPED:
        return ipaddress.IPv4Network((mapped, found.prefixlen - _IPV4_MAPPED))
    return found.supernet(new_prefix=_IPV6_SHARED) if found.prefixlen > _IPV6_SHARED else found


class Bans:
    """Kept in memory, since every request asks; the database has them for the next start."""

    def __init__(self) -> None:
        self._banned: set[str] = set()
        self._muted: set[str] = set()
        self._networks: dict[str, Network] = {}
        self.on_change: Callable[[], object] = bool
        """Called after others may be banned than before."""

    async def load(self, storage: Storage) -> None:
        """Take over what the database says."""
        async with storage.reading() as connection:
            marked = (guests.c.banned.is_not(None)) | (guests.c.muted.is_not(None))
            rows = (
                await connection.execute(sa.select(guests.c.id, guests.c.banned, guests.c.muted).where(marked))
            ).all()
            networks = (await connection.execute(sa.select(address_bans.c.network))).scalars().all()
        self._banned = {row.id for row in rows if row.banned is not None}
        self._muted = {row.id for row in rows if row.muted is not None}
        self._networks = {each: network_of(each) for each in networks}
        self.on_change()

    def bans_guest(self, guest: str | None) -> bool:
        """Whether a guest is not let in."""
        return guest is not None and guest in self._banned

    def bans_address(self, address: str) -> bool:
        """Whether nobody from an address is let in; it is written as limits count it, IPv6 by /64."""
        if not self._networks or not address:
            return False
        found = ipaddress.ip_network(address)
        return any(
            found.version == network.version and found.subnet_of(network)  # type: ignore[arg-type]
            for network in self._networks.values()
        )

    def check(self, guest: str | None, address: str) -> None:
        """Send away who is banned."""
        if self.bans_guest(guest) or self.bans_address(address):
            raise banned()

    def check_writing(self, *guests: str | None) -> None:
        """Refuse the words of somebody who was muted."""
        if any(guest in self._muted for guest in guests):
            raise Refusal("not_allowed", "muted")
