"""What every part of the wire shares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict

from nevsky.texts import LANGUAGES

PROTOCOL_VERSION = 1

if TYPE_CHECKING:
    Language: TypeAlias = str
else:
    Language = Literal[LANGUAGES]
Status = Literal["open", "playing", "over"]
ErrorCode = Literal[
    "bad_message",  # not JSON, unknown type, wrong fields, too large
    "not_found",  # no such table
    "not_allowed",  # wrong or missing token, not your seat, spectators cannot act
    "not_your_turn",
    "stale",  # the version that came with the move is not the current one
    "illegal",  # not a legal action now
    "refused",  # a ruleset or a request that cannot be carried out, with the sentence that says why
    "too_fast",  # rate limit
    "shutting_down",
]


class Model(BaseModel):
    """Strict: unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)
