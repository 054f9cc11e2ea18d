"""What does not change while the server runs: cards, levels and modules in every language."""

from __future__ import annotations

from functools import cache

from nevsky.cards import CARDS, card_name
from nevsky.rules.modules import GOOD_COMPANY, ROOMS
from nevsky.server.bot_pool import levels
from nevsky.server.protocol import CardInfo, CardList, LevelInfo, Meta, ModuleInfo
from nevsky.texts import all_texts, text
from nevsky.texts.sentences import symbol_name
from nevsky.texts.things import card_text

__all__ = ["card_list", "meta"]


@cache
def card_list(language: str) -> CardList:
    """Every card of the box."""
    return CardList(
        cards=[
            CardInfo(
                card=card.exact,
                name=symbol_name(card.exact, language, "second"),
                name_first=card_name(card.exact, language, "first"),
                pile=card.pile,
                colour=card.colour,
                exchange=card.exchange,
                orange=card.orange,
                module=card.module,
                cost_first=card.cost_first,
                cost_second=card.cost_second,
                rubles=card.rubles,
                points=card.points,
                crafts=list(card.crafts),
                good=card.good,
                goods=card.goods,
                explanation=" ".join(card_text(card.exact, language, market=True)),
            )
            for card in CARDS
        ]
    )


@cache
def meta(language: str) -> Meta:
    """What a new table can be made of."""
    return Meta(
        levels=[
            LevelInfo(
                level=level,
                name=_words(f"level.{level}.name", language, level.capitalize()),
                description=_words(f"level.{level}.description", language, ""),
            )
            for level in levels()
        ],
        modules=[
            ModuleInfo(
                number=room.number,
                name=text(f"module.{room.number}", language),
                description=text(f"module.{room.number}.description", language),
                needs_market=room.needs_market,
                cards=list(dict.fromkeys(card.id for card in CARDS if card.module == room.number))
                if room is GOOD_COMPANY
                else [],
            )
            for room in ROOMS
        ],
    )


def _words(key: str, language: str, otherwise: str) -> str:
    return all_texts(language).get(key, otherwise)
