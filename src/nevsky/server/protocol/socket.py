# ruff: noqa: D101
"""WebSocket /api/tables/ID/ws?language=de&seat=TOKEN&states=patches: the messages of both sides.

The first state is whole. After it come patches, or with ``states=full`` whole states.
"""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field, JsonValue
from typing_extensions import TypedDict

from nevsky.server.protocol.base import ErrorCode, Language, Model, plain
from nevsky.server.protocol.state import TableState


class Act(Model):
    type: Literal["act"]
    version: int
    action: str = Field(max_length=200)


class Undo(Model):
    type: Literal["undo"]
    version: int


class AutoPass(Model):
    """Pass without being asked: until another card could be had, until the phase ends, or no longer."""

    type: Literal["auto_pass"]
    until: Literal["change", "phase", "off"]


class Chat(Model):
    type: Literal["chat"]
    text: str = Field(min_length=1, max_length=300)


class HintRequest(Model):
    type: Literal["hint"]
    version: int


class Away(Model):
    """Let a bot play for me, or take the seat back."""

    type: Literal["away"]
    away: bool
    seat: int | None = None
    """Another player's seat: somebody who has been gone for a while may be replaced."""


class Resign(Model):
    """Let a bot play to the end for me, and come last."""

    type: Literal["resign"]


class EndGame(Model):
    """End the game without a result: at once if I am alone with bots, else when all agree who are not away."""

    type: Literal["end_game"]
    agree: bool = True


class LanguageChange(Model):
    type: Literal["language"]
    language: Language


BotSpeed = Literal["slow", "normal", "quick", "instant"]


class BotSpeedChange(Model):
    """How quickly I would like bots to move here; the slowest wish of the players counts."""

    type: Literal["bot_speed"]
    speed: BotSpeed


class Refresh(Model):
    """Send me the whole state: a patch came that does not fit the one I have."""

    type: Literal["refresh"]


class Ping(Model):
    type: Literal["ping"]


ClientMessage = Annotated[
    Act
    | Undo
    | AutoPass
    | Chat
    | HintRequest
    | Away
    | Resign
    | EndGame
    | LanguageChange
    | BotSpeedChange
    | Refresh
    | Ping,
    Field(discriminator="type"),
]


@plain
class PatchOperation(TypedDict):
    """One operation of a JSON Patch (RFC 6902)."""

    op: Literal["add", "replace", "remove"]
    path: str
    """Such as ``/players/1/rubles``; ``/log/-`` is the end of a list."""
    value: NotRequired[JsonValue]
    """With ``add`` and ``replace``."""


@plain
class StatePatch(TypedDict):
    """What has changed since the state with the serial `base`; the result has the serial `serial`."""

    type: Literal["patch"]
    base: int
    serial: int
    patch: list[PatchOperation]


class SuggestionLine(Model):
    action: str
    label: str
    expected: float | None
    """The final score."""
    behind: float | None
    """Points that it costs against the best action, which costs 0."""
    close: bool
    """Whether it may be as good as the best action: the difference is within the uncertainty."""
    chances: list[float]
    """The chance to win of every seat, from 0 to 1; empty if there is no choice."""
    reason: str


class HintReply(Model):
    type: Literal["hint"] = "hint"
    version: int
    suggestions: list[SuggestionLine]
    """The best first; the same for the same position whenever it is asked for, if they are thorough."""
    playouts: int | None
    """How often each action was played out."""
    thorough: bool
    """False if time ran out before that was as often as planned."""


class ErrorReply(Model):
    type: Literal["error"] = "error"
    code: ErrorCode
    message: str
    about: str | None = None
    """The type of the message that was refused, where it was one."""


class Pong(Model):
    type: Literal["pong"] = "pong"


class Nudge(Model):
    """Something concerns you that is not at this table, such as an invitation: GET /api/turns tells."""

    type: Literal["nudge"] = "nudge"


ServerMessage = Annotated[TableState | StatePatch | HintReply | ErrorReply | Pong | Nudge, Field(discriminator="type")]
