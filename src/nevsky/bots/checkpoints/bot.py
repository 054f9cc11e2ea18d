"""A bot that asks a network what each legal action is worth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from nevsky.bots.protocol import UNHURRIED, Suggestion
from nevsky.encoding import SIZE, Encoder
from nevsky.errors import NevskyError
from nevsky.rules.actions import ACTIONS, parse_action
from nevsky.rules.redeal import redeal_position
from nevsky.rules.rng import Rng
from nevsky.rules.view import View

__all__ = ["CheckpointBot", "Judge", "Network", "observation"]

Judge: TypeAlias = Callable[[npt.NDArray[Any], npt.NDArray[Any]], npt.NDArray[Any]]
"""Gets an observation and the legal actions in the network's own numbers, and gives a logit for each of these."""


class Network(NamedTuple):
    """What a file holds."""

    judge: Judge
    actions: int = len(ACTIONS)
    """How many actions it knows: all ids, or those of a ruleset."""


_FINE: Final = 1 << 30
_SHOWN: Final = 5


def observation(view: View) -> npt.NDArray[Any]:
    """What the environments observe at this decision, from the view alone.

    Whatever is hidden is dealt anew, which changes no number of an observation.
    """
    assert view.seat is not None
    ruleset = view.ruleset
    encoder = Encoder()
    position = redeal_position(view, Rng.of("observation"))
    encoder.encode(position, view.seat, int(ruleset.open_rubles), int(ruleset.open_hands))
    places: Any = np.zeros(SIZE + 64, np.int16)
    values: Any = np.zeros(SIZE + 64, np.float32)
    n = encoder.write(places, values, 0)
    row = np.zeros(SIZE, np.float32)
    row[places[:n]] = values[:n]
    return row


class CheckpointBot:
    """Takes the action that its network likes best, or draws one by the network's chances."""

    def __init__(self, name: str, network: Network, seed: int | str = 0, *, sample: bool = False) -> None:
        self.name = name
        self._network = network
        self._sample = sample
        self._rng = Rng.of("checkpoint", seed)

    def decide(self, view: View, milliseconds: int) -> str:  # noqa: ARG002
        """One of the legal actions."""
        if not view.legal:
            raise NevskyError("bot.nothing_to_decide")
        chances = self._chances(view)
        if not self._sample:
            return view.legal[int(chances.argmax())]
        drawn = self._rng.below(_FINE) / _FINE
        return view.legal[min(int(np.searchsorted(np.cumsum(chances), drawn, "right")), len(view.legal) - 1)]

    def explain(self, view: View, milliseconds: int = UNHURRIED) -> list[Suggestion]:  # noqa: ARG002
        """The actions that the network likes best, with its chances."""
        if not view.legal:
            return []
        chances = self._chances(view)
        best = np.argsort(-chances, kind="stable")[:_SHOWN]
        return [Suggestion(view.legal[i], None, None, f"The network gives it {chances[i]:.0%}.") for i in best]

    def _chances(self, view: View) -> npt.NDArray[Any]:
        legal = np.array([parse_action(text).id for text in view.legal], np.int64)
        if self._network.actions != len(ACTIONS):
            legal = self._reduced(view, legal)
        logits = np.asarray(self._network.judge(observation(view), legal), np.float64)
        powers = np.exp(logits - logits.max())
        found: npt.NDArray[Any] = powers / powers.sum()
        return found

    def _reduced(self, view: View, legal: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The numbers of a network that learned with the actions of a ruleset."""
        from nevsky.envs.action_sets import action_set

        known = action_set(view.ruleset)
        if len(known) != self._network.actions:
            raise NevskyError("checkpoint.actions", actions=self._network.actions, have=len(known))
        return known.to_reduced[legal]
