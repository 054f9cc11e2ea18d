"""A review as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nevsky.review.judging import VERSION
from nevsky.review.luck import Luck
from nevsky.review.summary import moments, summarize
from nevsky.review.verdict import Verdict
from nevsky.rules.game import Game

__all__ = ["review_dict"]


def review_dict(game: Game, seat: int, verdicts: Sequence[Verdict], luck: Luck | None) -> dict[str, Any]:
    """All about one seat."""
    summary = summarize(verdicts)
    result = game.result
    return {
        "seat": seat,
        "name": game.seats[seat],
        "version": VERSION,
        "made": None if result is None else result.final[seat].total,
        "luck": None if luck is None else luck.to_dict(),
        **summary._asdict(),
        "moments": [each.step for each in moments(verdicts)],
        "verdicts": [each.to_dict() for each in verdicts],
    }
