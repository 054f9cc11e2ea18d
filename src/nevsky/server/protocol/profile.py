# ruff: noqa: D101
"""Profiles: what they are signed in with, and what others see of them."""

from __future__ import annotations

from pydantic import Field

from nevsky.server.protocol.base import Model
from nevsky.server.protocol.http import TableCreated, TableSummary
from nevsky.server.protocol.ruleset import RulesetInfo


class PasskeyInfo(Model):
    id: str
    name: str
    created: str
    last_used: str


class DeviceInfo(Model):
    id: str
    name: str
    """Browser and system; empty where nothing is known."""
    created: str
    last_used: str
    here: bool
    """This is the one that asks."""


class OwnProfile(Model):
    """GET /api/profile. A guest without a profile has nothing to sign in with, and may stay so."""

    id: str | None
    """For /player/ID; None without a profile. It is what others know one by, and good for nothing else."""
    name: str
    created: str | None
    public: bool
    """Whether others may see the page of the profile."""
    offers_passkeys: bool
    offers_mail: bool
    passkeys: list[PasskeyInfo]
    mail: list[str]
    devices: list[DeviceInfo]


class ProfileChange(Model):
    """PUT /api/profile."""

    public: bool


class PasskeyOptions(Model):
    """What navigator.credentials needs."""

    options: str
    """JSON, for PublicKeyCredential.parseCreationOptionsFromJSON and parseRequestOptionsFromJSON."""


class PasskeyAnswer(Model):
    """What navigator.credentials has answered."""

    credential: str = Field(max_length=16_000)
    """JSON, as the toJSON of the credential gives it."""


class MailRequest(Model):
    """POST /api/profile/mail: a link goes there, whether we know the address or not."""

    address: str = Field(min_length=3, max_length=254)


class LinkRequest(Model):
    token: str = Field(min_length=1, max_length=64)


class LinkInfo(Model):
    """What the link of a mail would do."""

    address: str
    name: str
    """Of the profile that it signs in to, or that gets the address."""
    signs_in: bool
    """The address belongs to a profile: this browser is signed in to it. Else it is given to whoever asked for it."""
    here: bool
    """This browser has asked for it."""


class SignedIn(Model):
    twice: list[TableCreated]
    """Seats at tables where the profile has another: they stay apart, and their links let you in."""


class Results(Model):
    games: int
    won: int
    average: float
    best: int


class RulesetResults(Results):
    ruleset: RulesetInfo


class OpponentResults(Results):
    level: str | None
    """Of the bots; None where people played as well, and ``mixed`` for bots of several levels."""


class CardCount(Model):
    card: str
    number: int


class PlayerProfile(Model):
    """GET /api/players/ID: the finished games of a profile."""

    id: str
    name: str
    since: str
    you: bool
    all: Results | None
    """None before the first finished game."""
    rulesets: list[RulesetResults]
    opponents: list[OpponentResults]
    cards: list[CardCount]
    """Those that were laid most often in the newest games."""
    recent: list[TableSummary]
    """Finished games that everybody may see; your own also if they are private."""
