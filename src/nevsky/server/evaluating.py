"""The expected final scores at every step of a finished game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from nevsky.rules.game import Game
from nevsky.rules.position import Position
from nevsky.rules.rng import Rng
from nevsky.rules.ruleset import Ruleset

if TYPE_CHECKING:
    from nevsky.bots.core.heuristic import HeuristicPolicy

__all__ = ["evaluate"]

_PLAYOUTS: Final = 25
_MOST_DECISIONS: Final = 4000


def evaluate(ruleset: dict[str, Any], deal: dict[str, Any], actions: list[int]) -> list[list[float]]:
    """For the deal and after each action, what each seat may expect; done in a process of the bots.

    The rest of the game is played many times, with the piles shuffled anew. All hands are open by then.
    """
    from nevsky.bots.master import trained_policy

    game = Game.from_piles(Ruleset.from_dict(ruleset), deal["piles"], deal["tokens"], **deal["deal"])
    for number in actions:
        game.push(number)
    positions = [game.start_position, *(after for _, after in game.replay())]
    policy = trained_policy(game.ruleset)
    return [_expected(position, policy, Rng.of("evaluate", step)) for step, position in enumerate(positions)]


def _expected(position: Position, policy: HeuristicPolicy, rng: Rng) -> list[float]:
    from nevsky.rules.redealer import Redealer

    seats = range(position.n)
    if position.over:
        return [float(position.total(seat)[0]) for seat in seats]
    redealer = Redealer()
    sums = [0] * position.n
    for _ in range(_PLAYOUTS):
        rest = position.copy()
        redealer.deal(rest, -1, 1, rng)
        policy.playout(rest, rng, _MOST_DECISIONS)
        for seat in seats:
            sums[seat] += rest.total(seat)[0]
    return [round(total / _PLAYOUTS, 1) for total in sums]
