"""A module's door sign: what everybody may know about it before a game is made."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from nevsky.cards import CARDS
from nevsky.rules.action import Action, Block

if TYPE_CHECKING:
    from nevsky.rules.possible import Box
    from nevsky.rules.ruleset import Ruleset

__all__ = ["Room"]


def _nothing_to_check(_ruleset: Ruleset) -> None:
    pass


def _all_cards(_ruleset: Ruleset, cards: frozenset[str]) -> frozenset[str]:
    return cards


def _any_action(_box: Box, _action: Action) -> bool:
    return True


@cache
def _printed(number: int) -> frozenset[str]:
    """The ids of all cards with a module's number: asked for again and again whenever a position is restored."""
    return frozenset(card.id for card in CARDS if card.module == number)


class Room(NamedTuple):
    """One of the modules (1.3). Its state and rules are in ``rules.py`` beside it, its plain data in ``data.py``."""

    number: int
    id: str
    """The name of its folder, and of its state in a position."""
    name: str
    needs_market: bool
    dues: tuple[str, ...] = ()
    """The decisions that only this module asks for."""
    about_drawn: tuple[str, ...] = ()
    """Those of them that are about a card being looked at."""
    secret_dues: tuple[str, ...] = ()
    """Those of them that are decided in secret, until all have chosen."""
    blocks: tuple[Block, ...] = ()
    """The actions that only this module has."""
    dealt: str = ""
    """The name under which a record tells what the module dealt at the start; empty if it deals nothing."""
    check: Callable[[Ruleset], None] = _nothing_to_check
    """Refuses options of this module that cannot be played."""
    choose: Callable[[Ruleset, frozenset[str]], frozenset[str]] = _all_cards
    """Which of the module's cards take part."""
    possible: Callable[[Box, Action], bool] = _any_action
    """Whether one of the module's actions, all cards of which take part, can come up."""

    def in_play(self, ruleset: Ruleset) -> bool:
        """Whether it is one of the modules of this table."""
        return self.number in ruleset.modules

    def cards(self, ruleset: Ruleset) -> frozenset[str]:
        """The ids of the cards that the module brings to this table."""
        return self.choose(ruleset, _printed(self.number))
