"""What does not change while the server runs: cards, levels and modules in every language."""

from __future__ import annotations

from functools import cache

from nevsky.cards import CARDS
from nevsky.rules.modules import GOOD_COMPANY, ROOMS
from nevsky.rules.modules.assistants.room import ASSISTANTS
from nevsky.server.bot_pool import levels
from nevsky.server.guide.scripts import SCRIPTS
from nevsky.server.protocol import CardInfo, CardList, Explanations, LevelInfo, Meta, ModuleInfo
from nevsky.server.settings import USUAL, Settings
from nevsky.texts import all_texts, read_texts, text
from nevsky.texts.phrases import CardPhrase, hyphenated
from nevsky.texts.things import card_text, symbols_text

__all__ = ["card_list", "explanations", "meta"]


@cache
def card_list(language: str) -> CardList:
    """Every card of the box."""
    return CardList(
        cards=[
            CardInfo(
                card=card.exact,
                name=str(CardPhrase(card.exact, language)),
                name_first=str(CardPhrase(card.exact, language, "first")),
                hyphens=hyphenated(card.exact, language),
                hyphens_first=hyphenated(card.exact, language, "first"),
                bought=format(CardPhrase(card.exact, language), "a"),
                bought_first=format(CardPhrase(card.exact, language, "first"), "a"),
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
                explanation=" ".join(card_text(card.exact, language)),
                explanation_first=" ".join(card_text(card.exact, language, "first")),
                symbols="" if card.pile == "market" else symbols_text(card.exact, language),
            )
            for card in CARDS
        ]
    )


@cache
def explanations(language: str) -> Explanations:
    """What the Market and the modules lay on a table."""
    return Explanations(
        topics={key.removeprefix("explain."): words for key, words in read_texts(language, "explain").items()},
        assistants={name: text(f"assistant.{name}.effect", language) for name in ASSISTANTS},
    )


@cache
def meta(language: str, settings: Settings = USUAL) -> Meta:
    """What a new table can be made of."""
    live, relaxed = settings.live, settings.relaxed
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
                id=room.id,
                guide=next((name for name in SCRIPTS if name == room.id), None),
                name=text(f"module.{room.number}", language),
                description=text(f"module.{room.number}.description", language),
                needs_market=room.needs_market,
                cards=list(dict.fromkeys(card.id for card in CARDS if card.module == room.number))
                if room is GOOD_COMPANY
                else [],
            )
            for room in ROOMS
        ],
        paces=[
            {"pace": "live", "decision_seconds": live.decision, "reserve_seconds": live.reserve},
            {"pace": "relaxed", "decision_seconds": relaxed.decision, "reserve_seconds": relaxed.reserve},
        ],
        ratings=settings.ratings and settings.profiles,
    )


def _words(key: str, language: str, otherwise: str) -> str:
    return all_texts(language).get(key, otherwise)
