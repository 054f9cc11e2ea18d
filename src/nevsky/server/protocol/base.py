"""What every part of the wire shares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, with_config

from nevsky.texts import LANGUAGES

PROTOCOL_VERSION = 2
OLDEST_PROTOCOL = 2
"""Pages of this version and newer are served. Whoever raises it makes the older ones load themselves anew."""

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
    "busy",  # too many connections, in all or from this address
    "replaced",  # the same seat was opened too often: this connection made room for a newer one
    "broken",  # the table cannot be read
    "shutting_down",
    "moved",  # another process has the table now: come back at once; nothing has changed
    "outdated",  # the page is too old for this server: load it anew
    "storage",  # the database cannot be read or written just now; nothing has changed
]


_STRICT: Final = ConfigDict(extra="forbid", use_attribute_docstrings=True)


class Model(BaseModel):
    """What comes in, and answers that are seldom made. Strict: unknown fields are refused."""

    model_config = _STRICT


plain = with_config(_STRICT)
"""Marks a TypedDict of the wire: what is made anew after every move is plain data, which costs least to make."""
