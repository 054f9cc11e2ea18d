"""What the evaluation of cards and rubles believes: numbers that greedy and the compiled heuristic policy share.

Greedy looks at a view closely and reckons exactly; the compiled policy takes short cuts and is a thousand times faster.
What both believe about the game stands here.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = [
    "GROWTH",
    "HAND_BONUS",
    "HAND_BONUS_ROUNDS",
    "HOPE",
    "HOPELESS",
    "HOPE_ROUNDS",
    "LAST_ROUND",
    "LOOK_A_ROUND",
    "LOST_CARD",
    "MARKET_PACE",
    "PACE_ROUNDS",
    "SAVED",
    "USUAL_PACE",
    "Parameters",
]

LOST_CARD = -5.0
"""A card left on the hand at the end (8.2)."""
USUAL_PACE = 3.5
"""Cards of a pile that are laid out in a round, in games in general."""
MARKET_PACE = 4.0
"""The same with the Market."""
PACE_ROUNDS = 8.0
"""Rounds of this game that weigh as much as the usual pace."""
LAST_ROUND = 0.3
"""The part of a round by which games last longer than their piles promise."""
HAND_BONUS = 0.4
"""One more place on the hand, for each round to come, up to a number of them."""
HAND_BONUS_ROUNDS = 3.0
LOOK_A_ROUND = 0.5
"""To look at cards of a pile once a round (9.3)."""
GROWTH = 0.5
"""Cards of a colour that each further round brings to an area."""
SAVED = 0.6
"""The part of the incomes to come that is left for a card on the hand."""
HOPE = 0.35
"""The chance that an exchange card on the hand finds a card to replace, if enough rounds are left."""
HOPE_ROUNDS = 2.0
HOPELESS = 0.5
"""How likely an exchange card that finds none is still there at the end."""


class Parameters(NamedTuple):
    """The numbers that were tuned in games of bots against each other."""

    last_ruble: float = 0.1
    """A ruble when nothing can be bought any more: a tenth of a point."""
    round_ruble: float = 0.1
    """What the chance to buy something within the round adds to it."""
    early_ruble: float = 0.5
    """What each further round adds."""
    spare_ruble: float = 0.1
    """The same for rubles that are hardly needed."""
    needed_rubles: float = 20.0
    """How many rubles are soon put to use."""
    nobles_to_come: float = 0.25
    """Different nobles that each further round brings."""
    kept: float = 0.75
    """How much of a card's value is left when it goes by way of the hand."""
    hand_space: float = 0.4
    """What the last free space of the hand is worth, more or less."""
    reduction: float = 0.7
    """How many cards of a colour that has become cheaper are bought between two of its scorings."""
    observation: float = 1.0
    """What to look at a card of a pile is worth. This and the rest concern the compiled policy alone."""
    goods: float = 0.25
    """The share of a market scoring that each symbol brings."""
    passing: float = 0.0
    noise: float = 0.6
    """By how many points it misjudges actions, more or less."""
