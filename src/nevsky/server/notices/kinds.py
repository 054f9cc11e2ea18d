"""What people can be told of, and what they wish."""

from __future__ import annotations

from typing import Final, NamedTuple

from nevsky.server.ownership import Lease

__all__ = ["INVITE", "KINDS", "OVER", "START", "TURN", "Device", "Due", "Offer", "Wishes"]

TURN: Final = "turn"
START: Final = "start"
OVER: Final = "over"
INVITE: Final = "invite"
KINDS: Final = (TURN, START, OVER, INVITE)


class Offer(NamedTuple):
    """Something that somebody at a table may want to know."""

    lease: Lease
    guest: str
    seat: int
    kind: str
    number: int
    """Which turn of the seat it is: the same one is never told twice."""


class Wishes(NamedTuple):
    """What a guest wants to be told, when, and in which language."""

    kinds: tuple[str, ...] = KINDS
    language: str = "en"
    zone: str = "UTC"
    quiet_from: int | None = None
    """Minutes after midnight, in the zone; None without quiet hours."""
    quiet_until: int | None = None
    mail: bool = False


class Due(NamedTuple):
    """A row of `notices` whose time has come."""

    table: str
    guest: str
    kind: str
    number: int
    seat: int


class Device(NamedTuple):
    """A browser that wants messages, as it described itself."""

    endpoint: str
    p256dh: str
    auth: str
