# ruff: noqa: D101
"""People one knows: whom one follows, blocks and invites."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from nevsky.server.protocol.base import Model
from nevsky.server.protocol.ruleset import RulesetInfo

Tie = Literal["follow", "block"]
Welcome = Literal["all", "friends", "nobody"]


class PersonInfo(Model):
    """Somebody else. Names are not unique and change; `person` is always the same."""

    person: str
    name: str
    online: bool
    tie: Tie | None
    """Whether you follow or block them."""
    invitable: bool
    """Whether they would hear of an invitation of yours."""
    page: bool
    """Whether there is a page /player/PERSON about them."""


class PeopleSettings(Model):
    invitations: Welcome
    """Who may invite you: all whom you met or who see you in the lobby, only those whom you follow, or nobody."""
    shown: bool
    """Whether others see that you are online."""


class PeopleChange(Model):
    """PATCH /api/people; None leaves something as it is."""

    invitations: Welcome | None = None
    shown: bool | None = None


class People(Model):
    """GET /api/people: everybody whom you may want to play with."""

    own: PeopleSettings
    friends: list[PersonInfo]
    """Whom you follow, those who are online first."""
    recent: list[PersonInfo]
    """With whom you have played, the last ones first."""
    here: list[PersonInfo]
    """Others who are online and let themselves be seen."""
    blocked: list[PersonInfo]


class TieRequest(Model):
    """PUT /api/people/PERSON: follow somebody, block them, or neither."""

    tie: Tie | None


class SpeakerRequest(Model):
    """PUT /api/tables/ID/speakers: block whoever wrote in the chat, or no longer."""

    speaker: str = Field(max_length=64)
    blocked: bool


class SpeakerList(Model):
    """GET /api/tables/ID/speakers: the marks that those whom you block have in this chat."""

    speakers: list[str]


class InvitationRequest(Model):
    """POST /api/tables/ID/invitations: ask somebody to come to the table where you sit."""

    person: str = Field(max_length=32)


class InvitationInfo(Model):
    """You are invited to a table."""

    invitation: str
    person: str
    name: str
    table: str
    ruleset: RulesetInfo
    seconds: int
    """Until it expires."""


class InvitationAccepted(Model):
    """POST /api/invitations/ID/accept: sit down at this table."""

    table: str
