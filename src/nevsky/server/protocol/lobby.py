"""WebSocket /api/lobby/ws?language=de&since=STAMP: the messages of both sides.

First comes the whole lobby, unless the visitor has it already, and after it what changes.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from nevsky.server.protocol.base import Model
from nevsky.server.protocol.http import TableSummary
from nevsky.server.protocol.people import InvitationInfo
from nevsky.server.protocol.ruleset import Edition
from nevsky.server.protocol.socket import ErrorReply, Ping, Pong


class LobbyState(Model):
    """The whole lobby."""

    type: Literal["lobby"] = "lobby"
    stamp: str
    """Names this edition: with ``?since=`` it is not sent again as long as nothing has changed."""
    online: int
    """Guests with a connection, at tables or in the lobby, at all servers."""
    waiting: int
    """How many of them wait to be matched."""
    matching: bool
    """Whether one may wait here."""
    tables: list[TableSummary]
    """Public ones with free seats, the newest first, as far as they fit on the first page."""


class LobbyUpdate(Model):
    """What has changed since the edition `base`."""

    type: Literal["lobby_update"] = "lobby_update"
    base: str
    stamp: str
    online: int
    waiting: int
    matching: bool
    put: list[TableSummary]
    """New ones, and those that look different now."""
    gone: list[str]


class Wish(Model):
    """Match me with others who wait, now. It replaces what I wished for before, and ends with the connection."""

    type: Literal["wish"]
    editions: list[Edition] = Field(min_length=1, max_length=2)
    """Those that I would play."""
    market: bool | None = None
    """With the Market or without; None: either."""
    seats: list[Annotated[int, Field(ge=2, le=5)]] = Field(min_length=1, max_length=4)
    """How many may play; five only with the Market."""
    bots_after: int | None = Field(default=None, ge=0, le=600)
    """Seconds after which bots may take the places of those who are missing; None: never."""
    number: int = Field(default=0, ge=0, le=1_000_000_000)
    """Of what I say about wishes through this connection; `own` tells up to which one it knows."""


class Unwish(Model):
    """I do not wait any longer."""

    type: Literal["unwish"]
    number: int = Field(default=0, ge=0, le=1_000_000_000)
    """As of `wish`."""


class LobbyOwn(Model):
    """What concerns only you."""

    type: Literal["own"] = "own"
    wish: Wish | None
    """What you wait for; None if you do not wait."""
    seconds: int
    """For how long you have waited."""
    table: str | None
    """The table that was just made for you and others: go there."""
    invitations: list[InvitationInfo]
    """Of people who would like to play with you, the newest first."""
    number: int = 0
    """Of the last wish, or the last word that you do not wait any longer, which this takes into account."""


LobbyClientMessage = Annotated[Wish | Unwish | Ping, Field(discriminator="type")]
LobbyServerMessage = Annotated[LobbyState | LobbyUpdate | LobbyOwn | ErrorReply | Pong, Field(discriminator="type")]
