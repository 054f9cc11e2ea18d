"""Games of OpenSpiel for the tests: the rulesets they are played with, and ways through them."""


# ruff: noqa: E402  (OpenSpiel is not to be had for every Python)

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

pyspiel = pytest.importorskip("pyspiel")


from nevsky import ACTIONS
from nevsky.envs import openspiel
from nevsky.envs.openspiel_play import unseen
from nevsky.envs.openspiel_state import NevskyState

ALL_MODULES = "market=True,modules=1/2/3/4/5/6/"
SPECIFICATIONS = [
    "edition=first,players=2",
    "edition=first,players=3,auto=False",
    "edition=second,players=2,reward=score",
    "edition=second,players=4",
    "players=3,reward=score,modules=1/2/",
    "players=5,market=True",
    "players=4,market=True,modules=5/,open_hands=True",
    "players=2,open_rubles=True," + ALL_MODULES,
    "players=5," + ALL_MODULES,
    "players=2,actions=ruleset",
    "players=3,actions=ruleset," + ALL_MODULES,
]
SECRETIVE = [
    "players=2",
    "players=3,modules=1/",
    "players=2,modules=1/,auto=False",
    "players=4,market=True,modules=5/",
    "players=5," + ALL_MODULES,
    "players=3,actions=ruleset," + ALL_MODULES,
]
"""Rulesets in which the others have something to hide."""


def load(parameters: str = "players=2") -> Any:
    return pyspiel.load_game(f"{openspiel.SHORT_NAME}({parameters})")


def curious(state: NevskyState, rng: random.Random) -> int:
    """A player who likes to look at cards and to keep them."""
    legal: list[int] = state.legal_actions()
    meant = [ACTIONS[id_] for id_ in state.play.legal()]
    liked = [
        number
        for number, action in zip(legal, meant, strict=True)
        if action.verb == "observe"
        or (action.verb == "take" and action.drawn)
        or (action.verb in ("buy", "play") and action.card == "observatory")
    ]
    return rng.choice(liked if liked and rng.random() < 0.8 else legal)


def go_on(state: NevskyState, rng: random.Random, wish: int = -1) -> None:
    """One more step; whoever looks at a card finds the one that is wished for, if it is there."""
    if not state.is_chance_node():
        state.apply_action(curious(state, rng))
        return
    outcomes, shares = zip(*state.chance_outcomes(), strict=True)
    looks = state.play.position is not None and " observe " in state.play.history[-1].text
    state.apply_action(wish if looks and wish in outcomes else rng.choices(outcomes, shares)[0])


def course(game: Any, seed: int, wish: int = -1) -> Iterator[NevskyState]:
    """All states of a game of curious players."""
    rng = random.Random(seed)
    state: NevskyState = game.new_initial_state()
    while not state.is_terminal():
        yield state
        go_on(state, rng, wish)
    yield state


def knowledge(state: NevskyState, seat: int) -> tuple[object, ...]:
    return (
        state.information_state_string(seat),
        state.information_state_tensor(seat),
        state.observation_string(seat),
        state.observation_tensor(seat),
    )


def find(game: Any, wish: int, seeds: int = 60) -> Iterator[NevskyState]:
    """States in which a seat decides while somebody else has an unseen card."""
    for seed in range(seeds):
        for state in course(game, seed, wish):
            position = state.play.position
            if position is not None and not state.is_chance_node() and not state.is_terminal():
                mover = state.current_player()
                if any(unseen(position, seat) for seat in range(position.n) if seat != mover):
                    yield state
