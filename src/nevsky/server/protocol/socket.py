# ruff: noqa: D101
"""WebSocket /api/tables/ID/ws?language=de&seat=TOKEN: the messages of both sides."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from nevsky.server.protocol.base import ErrorCode, Language, Model
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


class LanguageChange(Model):
    type: Literal["language"]
    language: Language


class Ping(Model):
    type: Literal["ping"]


ClientMessage = Annotated[
    Act | Undo | AutoPass | Chat | HintRequest | Away | LanguageChange | Ping, Field(discriminator="type")
]


class SuggestionLine(Model):
    action: str
    label: str
    expected: float | None
    win: float | None
    reason: str


class HintReply(Model):
    type: Literal["hint"] = "hint"
    version: int
    suggestions: list[SuggestionLine]


class ErrorReply(Model):
    type: Literal["error"] = "error"
    code: ErrorCode
    message: str


class Pong(Model):
    type: Literal["pong"] = "pong"


ServerMessage = Annotated[TableState | HintReply | ErrorReply | Pong, Field(discriminator="type")]
