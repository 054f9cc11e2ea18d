"""Everything that decides how policy weights are learned: the same plan gives the same weights."""

from __future__ import annotations

from math import isfinite
from typing import Any, Final, NamedTuple

from nevsky._version import __version__
from nevsky.bots.core.features import NUMBER_OF_WEIGHTS
from nevsky.bots.policy_weights import COUNTS
from nevsky.errors import NevskyError
from nevsky.rules.modules import MODULES
from nevsky.rules.rng import Rng
from nevsky.rules.ruleset import RULES_VERSION, Ruleset

__all__ = ["PART", "PolicyPlan", "make_policy_plan"]

PART: Final = 250
"""Games that are played in one go; sums are made part by part, so that they are the same wherever parts are played."""
_LIMITS: Final = {"updates": (1, 100_000), "games": (1, 1_000_000)}
_MOST: Final = 10.0


class PolicyPlan(NamedTuple):
    """What is played between two updates of the weights, and how far they move."""

    players: int
    updates: int
    games: int
    """Games before each update."""
    temperature: float
    """How much chance there is in the play that teaches."""
    rate: float
    """How far a weight moves at first; at the end it is a tenth of that."""
    seed: str
    box: bool = False
    """With the Market and modules."""

    @property
    def ruleset(self) -> Ruleset:
        """What weights are measured in: the base game, where five players need the Market (1.2), or the whole box."""
        return Ruleset(
            "second", self.players, self.box or self.players == COUNTS[-1], tuple(MODULES) if self.box else ()
        )

    def ruleset_of(self, update: int, part: int) -> Ruleset:
        """What a part is played with: from the whole box the Market, and each module in half of the parts."""
        if not self.box:
            return self.ruleset
        rng = Rng.of("policy", "ruleset", self.seed, update, part)
        modules = tuple(module for module in MODULES if rng.below(2))
        return Ruleset("second", self.players, market=True, modules=modules)

    @property
    def parts(self) -> int:
        """How many parts the games of an update have."""
        return -(-self.games // PART)

    def games_of(self, part: int) -> int:
        """How many games a part has; the last one may be smaller."""
        return min(PART, self.games - part * PART)

    def rate_of(self, update: int) -> float:
        """How far weights move in an update, counted from 1."""
        return self.rate * (1 - 0.9 * (update - 1) / max(1, self.updates - 1))

    def to_dict(self) -> dict[str, Any]:
        """The plan as it is kept."""
        return {
            "version": __version__,
            "rules": RULES_VERSION,
            "weights": NUMBER_OF_WEIGHTS,
            "part": PART,
            **self._asdict(),
        }


def make_policy_plan(
    players: int,
    updates: int = 200,
    games: int = 1500,
    temperature: float = 0.4,
    rate: float = 0.06,
    seed: int | str = 0,
    *,
    box: bool = False,
) -> PolicyPlan:
    """A plan, checked."""
    if players not in COUNTS:
        raise NevskyError("training.players", least=COUNTS[0], most=COUNTS[-1], players=players)
    for name, number in (("updates", updates), ("games", games)):
        least, most = _LIMITS[name]
        if not least <= number <= most:
            raise NevskyError("training.number", name=name, least=least, most=most, number=number)
    for name, value in (("temperature", temperature), ("rate", rate)):
        if not (isfinite(value) and 0.001 <= value <= _MOST):
            raise NevskyError("training.decimal", name=name, most=_MOST, value=value)
    return PolicyPlan(players, updates, games, float(temperature), float(rate), str(seed), box)
