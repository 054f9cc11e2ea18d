"""Random games to the end in compiled code, for OpenSpiel's searches: the same chances, many times as fast."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING

from nevsky.extras import needing

with needing("openspiel", __name__):
    import numpy as np
    import numpy.typing as npt

from nevsky.envs.openspiel_deal import Outcomes, even
from nevsky.envs.openspiel_play import CHANCE, Play
from nevsky.envs.options import check_number
from nevsky.rules.constants import PILE_ROOM
from nevsky.rules.position import Position
from nevsky.rules.rng import Rng

if TYPE_CHECKING:
    from nevsky.envs.openspiel_state import NevskyState

__all__ = ["RolloutEvaluator"]


class RolloutEvaluator:
    """Values a state by random games from it; takes the place of OpenSpiel's ``RandomRolloutEvaluator``."""

    def __init__(self, rollouts: int = 1, seed: int | str = 0) -> None:
        self.rollouts = check_number("rollouts", rollouts, 1)
        self._rng = Rng.of("rollout", seed)

    def evaluate(self, state: NevskyState) -> npt.NDArray[np.float64]:
        """What each player gets on average."""
        total = np.zeros(state.play.ruleset.players)
        for _ in range(self.rollouts):
            total += state.utilities(self._end(state.play))
        return total / self.rollouts

    def prior(self, state: NevskyState) -> Outcomes:
        """Every action is as good as any other; chance has its own probabilities."""
        return state.play.chances() if state.play.mover == CHANCE else even(state.legal_actions())

    def _end(self, play: Play) -> Position:
        if play.mover == CHANCE:
            play = deepcopy(play)
            while play.mover == CHANCE:
                play.apply(self._draw(play.chances()))
        assert play.position is not None
        position = play.position.copy()
        if not position.over:
            self._shuffle(position)
            position.play_random(self._rng)
        return position

    def _draw(self, outcomes: Outcomes) -> int:
        at = self._rng.below(1 << 30) / (1 << 30)
        for number, share in outcomes:
            at -= share
            if at < 0:
                return number
        return outcomes[-1][0]

    def _shuffle(self, position: Position) -> None:
        """Piles have no order until they are drawn from; here all is drawn at once."""
        cards, sizes = position.pile, position.pile_n
        for pile, size in enumerate(sizes):
            order = cards[pile * PILE_ROOM : pile * PILE_ROOM + size]
            self._rng.shuffle(order)
            cards[pile * PILE_ROOM : pile * PILE_ROOM + size] = order
        position.pile = cards
