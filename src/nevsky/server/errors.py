"""What the server answers when it cannot do what it was asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from nevsky.errors import NevskyError
from nevsky.server.protocol import ErrorCode, ErrorReply
from nevsky.texts import sentence

__all__ = ["STATUS", "Refusal", "close_code"]

STATUS: Final[dict[ErrorCode, int]] = {
    "bad_message": 400,
    "not_found": 404,
    "not_allowed": 403,
    "not_your_turn": 409,
    "stale": 409,
    "illegal": 409,
    "refused": 422,
    "too_fast": 429,
    "busy": 503,
    "replaced": 409,
    "broken": 500,
    "shutting_down": 503,
    "moved": 503,
    "outdated": 426,
    "storage": 503,
}
_CLOSE: Final[dict[ErrorCode, int]] = {
    "not_found": 4404,
    "not_allowed": 4403,
    "replaced": 4409,
    "moved": 4421,
    "outdated": 4426,
    "too_fast": 4429,
    "broken": 4500,
    "busy": 4503,
    "shutting_down": 1012,
    "storage": 1013,
}


def close_code(code: ErrorCode) -> int:
    """How a WebSocket ends after an error that ends it; the code tells the browser whether to come back."""
    return _CLOSE.get(code, 1008)


class Refusal(Exception):  # noqa: N818
    """A request that is not carried out, with a sentence for people in every language. Nothing has changed.

    It is made from the key of a text (without its ``no.``) and its values, or from an error of the rules.

    >>> Refusal("refused", "replay_seat", last=3).say("de")
    'Es gibt die Plätze 0 bis 3.'
    >>> Refusal("refused", NevskyError("ruleset.five_players")).say("fr")
    'À cinq, il faut le Marché (règle 1.2).'
    """

    def __init__(self, code: ErrorCode, what: str | NevskyError, **values: object) -> None:
        self.code: ErrorCode = code
        self._what = what
        self._values: Mapping[str, object] = values
        super().__init__(self.say("en"))

    @property
    def reason(self) -> str:
        """The key of the sentence."""
        return self._what.key if isinstance(self._what, NevskyError) else self._what

    def say(self, language: str) -> str:
        """The sentence."""
        if isinstance(self._what, NevskyError):
            return self._what.text(language)
        return sentence(f"no.{self._what}", language, self._values)

    def reply(self, language: str, about: str | None = None) -> ErrorReply:
        """The message for a WebSocket; about which type of message, where it answers one."""
        return ErrorReply(code=self.code, message=self.say(language), about=about)


def no_such_table() -> Refusal:
    """For ids that lead nowhere."""
    return Refusal("not_found", "table")


def ended_table() -> Refusal:
    """For a game that whoever runs the server has stopped."""
    return Refusal("not_found", "ended")


def tournament_table_ended() -> Refusal:
    """For a game of a tournament that its maker has stopped."""
    return Refusal("not_found", "tournament_table_ended")


def given_up_table() -> Refusal:
    """For a game that its players have ended."""
    return Refusal("not_found", "given_up")


def moved() -> Refusal:
    """For a table that another process has now."""
    return Refusal("moved", "moved")


def not_your_seat() -> Refusal:
    """For everybody who has no seat, or not this one."""
    return Refusal("not_allowed", "seat")
