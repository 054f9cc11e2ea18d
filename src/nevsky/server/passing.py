"""Passing without being asked: until another card could be had, or until the phase ends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from nevsky.rules.view import View

__all__ = ["AutoPassing"]


class AutoPassing(NamedTuple):
    """A player's wish to pass, and what he knew when he said so."""

    until: str
    """``change`` or ``phase``."""
    round: int
    phase: str
    known: frozenset[str] | None
    """What he could have done instead; None until he is asked for the first time."""

    @classmethod
    def start(cls, until: str, view: View) -> AutoPassing:
        """Begin with the present view."""
        known = frozenset(view.legal) if view.to_move == view.seat and view.due == "turn" else None
        return cls(until, view.round, view.phase, known)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> AutoPassing:
        """Read what `to_dict` wrote."""
        known = data["known"]
        return cls(data["until"], data["round"], data["phase"], None if known is None else frozenset(known))

    def to_dict(self) -> dict[str, Any]:
        """The wish as it is stored."""
        return {**self._asdict(), "known": None if self.known is None else sorted(self.known)}

    def lasts(self, view: View) -> bool:
        """Whether it still holds."""
        if view.due is None or (view.round, view.phase) != (self.round, self.phase):
            return False
        if self.until == "phase" or view.to_move != view.seat or view.due != "turn" or self.known is None:
            return True
        return self.known >= set(view.legal)

    def passes(self, view: View) -> bool:
        """Whether this decision is answered with a pass."""
        return view.to_move == view.seat and view.due == "turn" and "pass" in view.legal
