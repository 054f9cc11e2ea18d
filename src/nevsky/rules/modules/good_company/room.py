"""What there is to say and to decide in Good Company, and which of its cards take part."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nevsky.cards import CARDS, KIND
from nevsky.errors import NevskyError
from nevsky.rules.action import Action, plain_block
from nevsky.rules.modules.banquet.room import ROOM as BANQUET
from nevsky.rules.room import Room

if TYPE_CHECKING:
    from nevsky.rules.ruleset import Ruleset

DEBTORS_PRISON = KIND["debtors_prison"]
GUILD_TOTAL = 4
"""What the Guild Hall pays in all (11.2 g)."""
TRADE_PRICE = 3
TRADE_POINTS = 2
"""What the Trading House sells (11.2 a)."""
SYCOPHANT_PRICE = 1


def check(ruleset: Ruleset) -> None:
    """A choice of cards needs the module (1.4)."""
    if ruleset.good_company is None:
        return
    if ROOM.number not in ruleset.modules:
        raise NevskyError("ruleset.company")
    known = {card.id for card in CARDS if card.module == ROOM.number}
    for card in ruleset.good_company:
        if card not in known:
            raise NevskyError("ruleset.company_card", card=repr(card))


def choose(ruleset: Ruleset, cards: frozenset[str]) -> frozenset[str]:
    """All cards or those that were chosen (1.4); no Debtors' Prison beside cards that search as well (1.5)."""
    if ruleset.good_company is not None:
        cards &= set(ruleset.good_company)
    if BANQUET.number in ruleset.modules:
        cards -= {"debtors_prison"}
    return cards


ROOM = Room(
    number=2,
    id="good_company",
    name="Good Company",
    needs_market=False,
    dues=("guild_hall", "trading_house", "sycophant"),
    blocks=(
        plain_block("USE_PRISON", "use", "use the Debtors' Prison", [(Action("use", card="debtors_prison"), 0)]),
        plain_block(
            "GUILD",
            "guild_hall",
            "so many rubles of the Guild Hall's income",
            [(Action("guild_hall", number=rubles), rubles) for rubles in range(GUILD_TOTAL + 1)],
        ),
        plain_block(
            "TRADE",
            "trading_house",
            "pay at the Trading House, or skip it",
            [(Action("trading_house", choice=choice), declined) for declined, choice in enumerate(("pay", "skip"))],
        ),
        plain_block(
            "SYCOPHANT",
            "sycophant",
            "pay the Sycophant, or drop it",
            [(Action("sycophant", choice=choice), declined) for declined, choice in enumerate(("pay", "drop"))],
        ),
    ),
    check=check,
    choose=choose,
)
