"""The bot that chooses at random: the measure of all others."""

from __future__ import annotations

from nevsky.bots.protocol import UNHURRIED, Suggestion
from nevsky.bots.reasons import Reason, suggestion
from nevsky.errors import NevskyError
from nevsky.rules.rng import Rng
from nevsky.rules.view import View

__all__ = ["RandomBot"]


class RandomBot:
    """Every legal action is equally likely."""

    name = "random"

    def __init__(self, seed: int | str = 0) -> None:
        self._rng = Rng.of("random", seed)

    def decide(self, view: View, milliseconds: int) -> str:  # noqa: ARG002
        """One of the legal actions."""
        if not view.legal:
            raise NevskyError("bot.nothing_to_decide")
        return view.legal[self._rng.below(len(view.legal))]

    def explain(self, view: View, milliseconds: int = UNHURRIED) -> list[Suggestion]:  # noqa: ARG002
        """All legal actions: none is better than another."""
        return [suggestion(action, None, None, Reason("chance"), view.ruleset.edition) for action in view.legal]
