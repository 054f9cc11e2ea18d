"""The bot for a first game: it sees what cards bring, but often misjudges it."""

from __future__ import annotations

from typing import Final

from nevsky.bots.core.heuristic import HeuristicPolicy
from nevsky.bots.parameters import Parameters
from nevsky.bots.protocol import UNHURRIED, Suggestion
from nevsky.bots.reasons import Reason, suggestion
from nevsky.errors import NevskyError
from nevsky.rules.actions import ACTIONS
from nevsky.rules.redeal import redeal_position
from nevsky.rules.rng import Rng
from nevsky.rules.view import View

__all__ = ["NoviceBot"]

_NOISE: Final = 9.0
"""By how many points it may misjudge an action, more or less."""
_SHOWN: Final = 5


class NoviceBot:
    """Values every legal action at a glance, adds a good deal of chance, and takes the best."""

    name = "novice"

    def __init__(self, seed: int | str = 0) -> None:
        self._rng = Rng.of(self.name, seed)

    def decide(self, view: View, milliseconds: int) -> str:  # noqa: ARG002
        """The action that looks best to it now."""
        if not view.legal:
            raise NevskyError("bot.nothing_to_decide")
        if len(view.legal) == 1:
            return view.legal[0]
        policy = HeuristicPolicy(Parameters(noise=_NOISE))
        return ACTIONS[policy.pick(redeal_position(view, self._rng), self._rng)].text

    def explain(self, view: View, milliseconds: int = UNHURRIED) -> list[Suggestion]:  # noqa: ARG002
        """The best actions at a first glance, without the chance."""
        if not view.legal:
            return []
        policy = HeuristicPolicy()
        position = redeal_position(view, self._rng)
        number = policy.appraise(position)
        ranked = sorted(zip(policy.values[:number], position.legal(), strict=True), key=lambda entry: -entry[0])
        return [
            suggestion(
                ACTIONS[action].text,
                None,
                None,
                Reason("worth", {"points": float(value)}) if value > 0 else Reason("nothing"),
                view.ruleset.edition,
            )
            for value, action in ranked[:_SHOWN]
        ]
