"""What the server answers when it cannot do what it was asked."""

from __future__ import annotations

from typing import Final

from nevsky.server.protocol import ErrorCode

__all__ = ["STATUS", "Refusal"]

STATUS: Final[dict[ErrorCode, int]] = {
    "bad_message": 400,
    "not_found": 404,
    "not_allowed": 403,
    "not_your_turn": 409,
    "stale": 409,
    "illegal": 409,
    "refused": 422,
    "too_fast": 429,
    "shutting_down": 503,
}


class Refusal(Exception):  # noqa: N818
    """A request that is not carried out; the message is a sentence for people. Nothing has changed."""

    def __init__(self, code: ErrorCode, message: str) -> None:
        super().__init__(message)
        self.code: ErrorCode = code
        self.message = message


def no_such_table() -> Refusal:
    """For ids that lead nowhere."""
    return Refusal("not_found", "There is no such table.")


def not_your_seat() -> Refusal:
    """For everybody who has no seat, or not this one."""
    return Refusal("not_allowed", "This is not your seat.")
