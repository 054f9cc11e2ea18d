"""The strongest bot: the search, with policy weights that were learned in games against itself."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from nevsky.bots.core.heuristic import HeuristicPolicy
from nevsky.bots.core.tree import Tree
from nevsky.bots.parameters import Parameters
from nevsky.bots.policy_weights import BOX_WEIGHTS, MASTER_WEIGHTS, load_weights
from nevsky.bots.search import SearchBot
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.view import View

__all__ = ["MasterBot", "calm_policy", "calm_tree", "master_tree", "trained_policy", "weighted_policy"]

_SHARPNESS: Final = 3.0
"""Points by which an action may look worse and still be tried: playouts tell more than the first look does."""
_NOISE: Final = 0.4
_UNIFORM_PRIOR: Final = 0.1
"""The share of a uniform distribution in the prior at the root: the policy may be blind to the best action."""
_CALM_NOISE: Final = 4.0
_CALM_EXPLORE: Final = 1.0
_DUEL: Final = 2
_OWN_SHARE: Final = 0.15
"""How much its own points count among several rivals: who only minds the lead takes cards away from one of them,
to the joy of the others, and hurries the end."""


def trained_policy(ruleset: Ruleset, weights: Path | None = None) -> HeuristicPolicy:
    """The heuristic policy as master has it in such a game, or with the weights of another file."""
    return weighted_policy(_weights(ruleset, weights))


def weighted_policy(weights: Sequence[float]) -> HeuristicPolicy:
    """The heuristic policy as master has it, with these weights."""
    return HeuristicPolicy(Parameters(noise=_NOISE), weights)


def _weights(ruleset: Ruleset, weights: Path | None = None) -> array[float]:
    if weights is None:
        weights = BOX_WEIGHTS if ruleset.market or ruleset.modules else MASTER_WEIGHTS
    return load_weights(ruleset.players, weights)


def _own_share(ruleset: Ruleset) -> float:
    return _OWN_SHARE if ruleset.players > _DUEL else 0.0


def master_tree(ruleset: Ruleset, weights: Path | None = None) -> Tree:
    """The search of master."""
    policy = trained_policy(ruleset, weights)
    return Tree(policy, sharpness=_SHARPNESS, own_share=_own_share(ruleset), uniform_prior=_UNIFORM_PRIOR)


def calm_policy(ruleset: Ruleset) -> HeuristicPolicy:
    """The policy of master for looking at deals and positions: any of several actions that are nearly as good."""
    return HeuristicPolicy(Parameters(noise=_CALM_NOISE), _weights(ruleset))


def calm_tree(ruleset: Ruleset) -> Tree:
    """A search for looking at positions: where several actions are nearly as good it tries them all.

    Master itself takes the best one nearly every time, also in its playouts. That is strong play, but then one card
    more or less in a pile decides about a whole round for all of them at once.
    """
    return Tree(
        calm_policy(ruleset),
        explore=_CALM_EXPLORE,
        sharpness=_SHARPNESS,
        own_share=_own_share(ruleset),
        uniform_prior=_UNIFORM_PRIOR,
    )


class MasterBot(SearchBot):
    """Plays games out the way it has learned to play, and looks at more of what seems worse at first."""

    name = "master"

    def __init__(self, seed: int | str = 0, playouts: int | None = None, weights: Path | None = None) -> None:
        super().__init__(seed, playouts)
        self._weights = weights

    def _make_tree(self, view: View) -> Tree:
        return master_tree(view.ruleset, self._weights)
