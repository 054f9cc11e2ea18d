"""Opponents that answer inside of a batch: which there are, and policies of one's own as arrays."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from math import isfinite
from pathlib import Path
from typing import Any, Final, TypeAlias

from nevsky.bots.core.features import NUMBER_OF_WEIGHTS
from nevsky.bots.core.heuristic import HeuristicPolicy
from nevsky.bots.core.policy_net import PolicyNet
from nevsky.bots.master import trained_policy, weighted_policy
from nevsky.bots.policy_weights import load_weights
from nevsky.encoding import SIZE
from nevsky.envs.options import check_choice, check_flag
from nevsky.envs.rivals import NetworkRival, PolicyRival, Rival
from nevsky.errors import NevskyError
from nevsky.rules.actions import ACTIONS
from nevsky.rules.ruleset import Ruleset

__all__ = ["NAMES", "FrozenNetwork", "FrozenWeights", "Inside", "InsideLike", "choose_inside", "make_rivals"]

NAMES: Final = ("random", "heuristic", "master-policy")
"""Opponents that have a name."""
_ACTIVATIONS: Final = ("relu", "tanh")
_MOST_LAYERS: Final = 16
_SUFFIXES: Final = (".weights", ".habits")


class FrozenWeights:
    """Policy weights, as ``nevsky train policy`` writes them for one number of players: one number for each feature.

    >>> FrozenWeights([0.0])
    Traceback (most recent call last):
    nevsky.errors.NevskyError: Policy weights are 15452 finite numbers.
    """

    def __init__(self, weights: Sequence[float]) -> None:
        try:
            self.table = array("d", weights)
        except (TypeError, ValueError) as error:
            raise NevskyError("env.weights", number=NUMBER_OF_WEIGHTS) from error
        if len(self.table) != NUMBER_OF_WEIGHTS or not all(map(isfinite, self.table)):
            raise NevskyError("env.weights", number=NUMBER_OF_WEIGHTS)


class FrozenNetwork:
    """A policy as the arrays of a network: plain layers from an observation to a number for each action.

    A layer is a pair: weights with a row for each output, as in ``torch.nn.Linear``, and biases. The first layer has
    2,079 inputs, the last one 5,206 outputs. In between comes ``relu`` or ``tanh``. The best legal action is taken;
    with ``sample`` one is drawn, with the chances that a softmax of the numbers gives.

    What was learned with ``actions="ruleset"`` has an output for each of those of the ``ruleset`` that is given here,
    and plays that ruleset, or others with the same actions. With ``memory`` it sees the rubles of the others.
    """

    def __init__(
        self,
        layers: Sequence[tuple[Any, Any]],
        activation: str = "relu",
        *,
        sample: bool = False,
        ruleset: Ruleset | None = None,
        memory: bool = False,
    ) -> None:
        import numpy as np

        from nevsky.envs.action_sets import action_set

        self.tanh = check_choice("activation", activation, _ACTIVATIONS) == "tanh"
        self.sample = check_flag("sample", sample)
        self.memory = check_flag("memory", memory)
        self.actions = None if ruleset is None else tuple(action_set(ruleset).to_full.tolist())
        """The ids of the outputs, None if they are all ids."""
        number_of_actions = len(ACTIONS) if self.actions is None else len(self.actions)
        if not 1 <= len(layers) <= _MOST_LAYERS:
            raise NevskyError("env.layers", most=_MOST_LAYERS, number=len(layers))
        sizes, weights, biases = [SIZE], array("f"), array("f")
        for number, (weight, bias) in enumerate(layers, 1):
            w, b = np.asarray(weight, np.float32), np.asarray(bias, np.float32)
            last = number == len(layers)
            outputs = number_of_actions if last else w.shape[0] if w.ndim else 0
            if outputs == 0 or w.shape != (outputs, sizes[-1]) or b.shape != (outputs,):
                wanted = f"({number_of_actions if last else 'n'}, {sizes[-1]})"
                raise NevskyError("env.layer", layer=number, wanted=wanted, weights=w.shape, biases=b.shape)
            if not (np.isfinite(w).all() and np.isfinite(b).all()):
                raise NevskyError("env.layer_finite", layer=number)
            if last and self.actions is not None:
                w, b = _spread(w, self.actions), _spread(b, self.actions)
            weights.frombytes((w if last else np.ascontiguousarray(w.T)).tobytes())
            biases.frombytes(b.tobytes())
            sizes.append(len(b))
        self.sizes = tuple(sizes)
        self.weights = weights
        self.biases = biases

    def net(self, ruleset: Ruleset) -> PolicyNet:
        """The network at work; all of them share the weights."""
        from nevsky.envs.action_sets import action_set

        if self.actions is not None and self.actions != tuple(action_set(ruleset).to_full.tolist()):
            raise NevskyError("env.other_actions")
        return PolicyNet(
            self.sizes,
            self.weights,
            self.biases,
            tanh=self.tanh,
            sample=self.sample,
            open_rubles=ruleset.open_rubles or self.memory,
            open_hands=ruleset.open_hands,
        )


def _spread(rows: Any, ids: tuple[int, ...]) -> Any:
    """The same rows at the places of their ids; in between are actions that can never come up."""
    import numpy as np

    found = np.zeros((len(ACTIONS), *rows.shape[1:]), np.float32)
    found[list(ids)] = rows
    return found


Inside: TypeAlias = str | FrozenWeights | FrozenNetwork
"""An opponent that needs nothing more to play: one of `NAMES`, or arrays."""
InsideLike: TypeAlias = Inside | Path | Sequence[float]
"""The same as people give it: also a file of policy weights, or the weights themselves."""


def choose_inside(
    wanted: InsideLike | Sequence[InsideLike] | None, number: int, ruleset: Ruleset
) -> tuple[Inside, ...]:
    """So many opponents: one for all of them or a list, clockwise from the learner.

    >>> choose_inside(["random", "heuristic"], 2, Ruleset(players=3))
    ('random', 'heuristic')
    >>> choose_inside("strong", 2, Ruleset(players=3))
    Traceback (most recent call last):
    nevsky.errors.NevskyError: There is no opponent 'strong': choose random, heuristic or master-policy.
    """
    if wanted is None:
        return ()
    if isinstance(wanted, list | tuple) and not (wanted and isinstance(wanted[0], int | float)):
        if len(wanted) != number:
            if number == 1:
                raise NevskyError("env.one_opponent", given=len(wanted))
            raise NevskyError("env.number_of_opponents", number=number, given=len(wanted))
        return tuple(_inside(one, ruleset) for one in wanted)
    return (_inside(wanted, ruleset),) * number


def _inside(wanted: object, ruleset: Ruleset) -> Inside:
    if isinstance(wanted, FrozenWeights | FrozenNetwork):
        return wanted
    if isinstance(wanted, Path) or (isinstance(wanted, str) and wanted.endswith(_SUFFIXES)):
        return FrozenWeights(load_weights(ruleset.players, Path(wanted)))
    if isinstance(wanted, str):
        return check_choice("opponent", wanted, NAMES)
    if hasattr(wanted, "__len__") and hasattr(wanted, "__getitem__"):
        return FrozenWeights(wanted)  # type: ignore[arg-type]
    raise NevskyError("env.inside", names=", ".join(NAMES), value=repr(wanted))


def make_rivals(opponents: tuple[Inside, ...], ruleset: Ruleset) -> Rival | None:
    """The opponents in a row. Those that are the same share what they keep about a game."""
    policies: dict[int | str, HeuristicPolicy | PolicyNet] = {}
    row: Rival | None = None
    for opponent in reversed(opponents):
        if opponent == "random":
            row = Rival(row)
            continue
        key = opponent if isinstance(opponent, str) else id(opponent)
        policy = policies.get(key)
        if policy is None:
            policy = policies[key] = _policy(opponent, ruleset)
        row = NetworkRival(policy, row) if isinstance(policy, PolicyNet) else PolicyRival(policy, row)
    return row


def _policy(opponent: Inside, ruleset: Ruleset) -> HeuristicPolicy | PolicyNet:
    if isinstance(opponent, FrozenNetwork):
        return opponent.net(ruleset)
    if isinstance(opponent, FrozenWeights):
        return weighted_policy(opponent.table)
    return HeuristicPolicy() if opponent == "heuristic" else trained_policy(ruleset)
