"""The help of the terminal game: how to play, and what a card does, with the numbers of the rules."""

from __future__ import annotations

from typing import Final

from rich.markup import escape
from rich.text import Text

from nevsky.cards import CARDS, KIND, Card, card_name, find_card
from nevsky.rules.action import can_replace
from nevsky.terminal.layout import hanging, marked
from nevsky.terminal.names import Names
from nevsky.texts import LANGUAGES
from nevsky.texts.things import card_text, card_type

__all__ = ["card_lines", "help_lines", "look_up", "several"]

_TOPICS: Final = ("aim", "round", "turn", "price", "exchange", "scoring", "end_round", "end")
_KEYS: Final = (
    ("7", "number"),
    ("p", "p"),
    ("h", "h"),
    ("e 7", "e"),
    ("c pub", "c"),
    ("l", "l"),
    ("u", "u"),
    ("?", "help"),
    ("q", "q"),
    ("Enter", "enter"),
)


def help_lines(names: Names, width: int) -> list[Text]:
    """A short course in the game and its commands."""
    ruleset = names.ruleset
    topics = [*_TOPICS, *(["market"] if ruleset.market else []), *(f"module_{number}" for number in ruleset.modules)]
    lines = []
    for topic in topics:
        words = names.say(f"help.{topic}", display=10 if ruleset.market else 8)
        lines += hanging(f"[head]{names.say(f'help.{topic}.title')}[/]  {words}", width, 2)
    lines += [Text(), marked(f"[head]{names.say('help.keys.title')}[/]")]
    for key, topic in _KEYS:
        lines += hanging(f"  [number]{key:<8}[/]{names.say(f'help.key.{topic}')}", width, 10)
    return lines


def look_up(words: str, names: Names) -> tuple[list[str], str]:
    """The cards of this game that fit the words, by the name in any language; a sentence if there is none."""
    there = [card.text for card in CARDS if in_game(card, names)]
    kind = find_card(words)
    if kind is not None and CARDS[kind].text in there:
        return [CARDS[kind].text], ""
    wanted = words.casefold()
    found = []
    for text in there:
        all_names = [card_name(text, language, names.ruleset.edition).casefold() for language in LANGUAGES]
        if any(wanted in name for name in all_names):
            found.append(text)
    if not found:
        return [], names.say("screen.no_such_card", entry=escape(words))
    shown = [text for text in found if wanted in names.plain(text).casefold()]
    exact = [text for text in shown if wanted == card_name(text, names.language, names.ruleset.edition).casefold()]
    cards = exact or shown or found
    alike = len({CARDS[KIND[text]].id for text in cards}) == 1
    return cards[:1] if alike else cards, ""


def in_game(card: Card, names: Names) -> bool:
    """Whether the card belongs to the piles of this game."""
    return card.kind == KIND[card.text] and names.copies(card.text) > 0


def several(cards: list[str], names: Names) -> str:
    """The answer when a word fits more than one card."""
    return names.say("screen.several", cards=", ".join(names.card(card) for card in cards))


def card_lines(text: str, names: Names) -> list[str]:
    """What there is to know about a card."""
    card = CARDS[KIND[text]]
    number = names.copies(text)
    copies = names.amount(number, "screen.copies")
    kind = card_type(text, names.language)
    lines = [names.say("screen.card", card=names.card(text), kind=kind, copies=copies, cost=names.cost(text))]
    lines += card_text(text, names.language, names.ruleset.edition, market=names.ruleset.market)
    others = [other for other in CARDS if in_game(other, names)]
    if card.colour == "green":
        key = "screen.replaces" if card.exchange else "screen.replaced_by"
        fitting = [
            other for other in others if (can_replace(card, other) if card.exchange else can_replace(other, card))
        ]
        shown = list(dict.fromkeys(f"[{other.colour}]{_name(other, names)}[/]" for other in fitting))
        lines.append(names.say(key, cards=", ".join(shown)))
    return ["  " + line if number else line for number, line in enumerate(lines)]


def _name(card: Card, names: Names) -> str:
    return card_name(card.text, names.language, names.ruleset.edition)
