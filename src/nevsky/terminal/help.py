"""The help of the terminal game: how to play, and what a card does, with the numbers of the rules."""

from __future__ import annotations

from typing import Final

from rich.markup import escape
from rich.text import Text

from nevsky.cards import CARDS, KIND, LANGUAGES, Card, card_name, find_card
from nevsky.rules.actions import can_replace
from nevsky.terminal.layout import hanging, marked
from nevsky.terminal.names import Names
from nevsky.terminal.texts import amounts

__all__ = ["card_lines", "help_lines", "look_up"]

RULES: Final = (
    ("The aim", "Have the most points at the end. Workers bring rubles, buildings points, nobles a little of both."),
    (
        "A round (3.1)",
        "Worker, building, noble and exchange phase. Each phase fills the display up to 8 cards from its pile (3.2) "
        "and goes on until all players have passed one after the other; who has passed may act again before that "
        "(3.4). The holder of the phase's token starts (3.3).",
    ),
    (
        "A turn (4)",
        "Buy a card of either row, take one into the hand for free (at most 3 there), play one from the hand, or pass. "
        "Cards of every colour can be bought in every phase.",
    ),
    (
        "The price (5)",
        "The printed cost; 1 less from row 2; 1 less for each card of the same name that you own; 1 less for a "
        "carpenter workshop (blue cards) or a gold smelter (red cards); at least 1 ruble.",
    ),
    (
        "Exchange cards (6)",
        "Drawn with a double frame or marked ⇄. They replace a card of their colour that you own, and you pay the "
        "difference. Green ones need the same craft: axe, gold, carpet, fur or ship.",
    ),
    (
        "Scoring (7)",
        "After the worker phase all green cards pay, after the building phase all blue ones, after the noble phase all "
        "red ones; after the exchange phase none.",
    ),
    ("End of a round (3.7)", "Row 2 is discarded, row 1 moves down, every token goes to the next player."),
    (
        "End of the game (8)",
        "When a pile is empty the round is the last. Then different nobles score 1, 3, 6, 10, 15 ... 55 points, every "
        "10 rubles 1 point, and every card left on the hand costs 5 points.",
    ),
)
KEYS: Final = (
    ("7", "make choice 7"),
    ("p", "pass"),
    ("e 7", "explain the price of choice 7 with all its reductions"),
    ("c pub", "what a card does, by any part of its name (c 7: the card of choice 7)"),
    ("l", "the log of this round (l all: of the whole game)"),
    ("u", "undo: take back your last decision, unless hidden cards were seen since"),
    ("? or h", "this help"),
    ("q", "quit; the game is not saved"),
    ("Enter", "draw the table again"),
)
HOW_TO_PLAY: Final = "What you can type"

NO_CARD_NAMED: Final = "Name a card, for example [number]c pub[/], or a choice, for example [number]c 1[/]."

_CRAFTS: Final = {"axe": "axe", "gold": "gold", "carpet": "carpet", "fur": "fur", "ship": "ship"}
_SPECIAL: Final = {
    "worth": "It counts as 6 rubles when an exchange card replaces it (6.4).",
    "pub": "After each building scoring its owner may buy up to 5 points for 2 rubles each (7.3).",
    "hand": "Its owner may hold 4 cards on the hand instead of 3 (9.4).",
    "observe": "Once a round, in the building phase, instead of another action: look at the top card of a pile and "
    "buy it, take it or discard it. The observatory is then turned face down and brings no point in this round (9.3).",
    "rubles_per_green": "At the noble scoring it pays 1 ruble for each green card of its owner (7.2).",
}
_REDUCE: Final = "All {colour} cards cost its owner 1 ruble less (5.1, 9.2)."
_PER_RED: Final = "At the building scoring it pays 1 {unit} for each red card of its owner (7.2)."


def help_lines(width: int) -> list[Text]:
    """A short course in the game and its commands."""
    lines = []
    for heading, words in RULES:
        lines += hanging(f"[head]{heading}[/]  {words}", width, 2)
    lines += [Text(), marked(f"[head]{HOW_TO_PLAY}[/]")]
    for key, words in KEYS:
        lines += hanging(f"  [number]{key:<8}[/]{words}", width, 10)
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
        return [], f"There is no card “{escape(words)}” in this game."
    shown = [text for text in found if wanted in names.plain(text).casefold()]
    return shown or found, ""


def in_game(card: Card, names: Names) -> bool:
    """Whether the card belongs to the piles of the base game."""
    return card.module == 0 and card.kind == KIND[card.text] and names.copies(card.text) > 0


def several(cards: list[str], names: Names) -> str:
    """The answer when a word fits more than one card."""
    return f"Several cards fit: {', '.join(names.card(card) for card in cards)}. Type a little more of the name."


def card_lines(text: str, names: Names) -> list[str]:
    """What there is to know about a card."""
    card = CARDS[KIND[text]]
    kind = f"{card.colour} exchange card" if card.exchange else f"{card.colour} {card.pile} card"
    copies = "the only one" if names.copies(text) == 1 else f"{names.copies(text)} cards"
    lines = [f"[head]{names.card(text)}[/]: {kind}, {copies} in the game, cost {names.cost(text)}."]
    if card.rubles or card.points:
        phase = {"green": "worker", "blue": "building", "red": "noble"}[card.colour]
        lines.append(f"At each {phase} scoring it pays {amounts(card.rubles, card.points)} (7.1).")
    lines += [_SPECIAL[word] for word, _ in card.effects if word in _SPECIAL]
    lines += [_REDUCE.format(colour=colour) for colour in card.effect_all("reduce")]
    if card.has("per_red"):
        lines.append(_PER_RED.format(unit="ruble" if names.ruleset.edition == "first" else "point"))
    lines.append(_replacing(card, names))
    return ["  " + line if number else line for number, line in enumerate(lines)]


def _replacing(card: Card, names: Names) -> str:
    others = [other for other in CARDS if in_game(other, names)]
    crafts = ", ".join(_CRAFTS[craft] for craft in card.crafts)
    if card.exchange and card.colour == "green":
        below = ", ".join(names.card(other.text) for other in others if can_replace(card, other))
        return f"It replaces a card with the craft {crafts}: {below} (6.1)."
    if card.exchange:
        pile = {"blue": "building", "red": "noble"}[card.colour]
        return f"It replaces any {card.colour} card of the {pile} pile (6.1)."
    if card.colour == "green":
        above = ", ".join(names.card(other.text) for other in others if can_replace(other, card))
        return f"Craft: {crafts}. It can be replaced by {above} (6.1)."
    return f"It can be replaced by every {card.colour} exchange card (6.1)."
