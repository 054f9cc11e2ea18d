"""The other players: who they are and how they choose."""

from __future__ import annotations

import secrets

from nevsky.bots.names import PEOPLE
from nevsky.errors import NevskyError
from nevsky.rules.game import Game
from nevsky.rules.rng import Rng
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.view import View

__all__ = ["choose", "new_game", "opponent_names"]


def new_game(ruleset: Ruleset, seed: str | None, name: str) -> Game:
    """A game for one person, who sits on seat 0, and opponents."""
    if not name.isprintable():
        raise NevskyError("A player's name has printable characters only.")
    short_seed = seed if seed is not None else secrets.token_hex(4)  # short enough to be typed again
    others = opponent_names(ruleset.players - 1, short_seed, name)
    return Game(ruleset, short_seed, seats=[name, *others], auto=True)


def opponent_names(number: int, seed: str, taken: str) -> list[str]:
    """Names for the opponents, none of them like the person's own."""
    names = [name for name in PEOPLE if name.casefold() != taken.strip().casefold()]
    order = list(range(len(names)))
    Rng.of(seed, "names").shuffle(order)
    return [names[i] for i in order[:number]]


def choose(view: View, rng: Rng) -> str:
    """One of the legal actions, all equally likely. An opponent knows its own view and nothing else."""
    return view.legal[rng.below(len(view.legal))]
