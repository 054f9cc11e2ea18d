"""Plays by learned weights at the first glance: ``nevsky arena --bot examples/bots/instinct.py:Instinct --bot greedy``.

The weights are those of the baseline that ``nevsky train policy`` made (docs/baselines.md). Master looks ahead with
such weights; here nothing is looked at but the position.
"""

from pathlib import Path

from nevsky import ACTIONS, View
from nevsky.bots import Suggestion
from nevsky.bots.core.heuristic import HeuristicPolicy
from nevsky.bots.parameters import Parameters
from nevsky.bots.policy_weights import load_weights
from nevsky.rules.redeal import redeal_position
from nevsky.rules.rng import Rng

WEIGHTS = Path(__file__).parents[2] / "benchmarks" / "baselines" / "policy.weights"
SHOWN = 5


class Instinct:
    """Takes the action of the highest value."""

    name = "instinct"

    def __init__(self, seed: int | str = 0) -> None:
        self._rng = Rng.of(self.name, seed)

    def decide(self, view: View, milliseconds: int) -> str:
        return self._ranked(view)[0][1]

    def explain(self, view: View, milliseconds: int = 1000) -> list[Suggestion]:
        shown = self._ranked(view)[:SHOWN] if view.legal else []
        return [Suggestion(text, None, None, f"It looks worth {value:.1f} points.") for value, text in shown]

    def _ranked(self, view: View) -> list[tuple[float, str]]:
        """The legal actions with their values, the best first; what is hidden is dealt anew and does not matter."""
        policy = HeuristicPolicy(Parameters(), load_weights(view.ruleset.players, WEIGHTS))
        position = redeal_position(view, self._rng)
        number = policy.appraise(position)
        found = zip(policy.values[:number], (ACTIONS[action].text for action in position.legal()), strict=True)
        return sorted(found, key=lambda entry: -entry[0])
