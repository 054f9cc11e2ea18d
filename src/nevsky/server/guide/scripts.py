"""All guided rounds by name, in the order in which they are offered."""

from __future__ import annotations

from typing import Final

from nevsky.server.guide import (
    assignments,
    assistants,
    banquet,
    events,
    first_round,
    good_company,
    market,
    obstacles,
)
from nevsky.server.guide.script import Script
from nevsky.server.protocol import GuideName

__all__ = ["SCRIPTS"]

SCRIPTS: Final[dict[GuideName, Script]] = {
    "first": first_round.SCRIPT,
    "market": market.SCRIPT,
    "banquet": banquet.SCRIPT,
    "good_company": good_company.SCRIPT,
    "assistants": assistants.SCRIPT,
    "events": events.SCRIPT,
    "assignments": assignments.SCRIPT,
    "obstacles": obstacles.SCRIPT,
}
