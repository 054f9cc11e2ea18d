"""A review as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nevsky.review.judging import VERSION
from nevsky.review.summary import moments, summarize
from nevsky.review.verdict import Verdict
from nevsky.rules.game import Game

__all__ = ["review_dict"]


def review_dict(game: Game, seat: int, verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """All about one seat."""
    summary = summarize(verdicts)
    return {
        "seat": seat,
        "name": game.seats[seat],
        "version": VERSION,
        **summary._asdict(),
        "moments": [each.step for each in moments(verdicts)],
        "verdicts": [each.to_dict() for each in verdicts],
    }
