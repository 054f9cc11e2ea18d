"""Cards on the screen: as boxes with a frame where there is room, else as chips of one line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from rich.cells import cell_len
from rich.text import Text

from nevsky.rules.explain import Price
from nevsky.terminal.choices import Decision
from nevsky.terminal.layout import cut
from nevsky.terminal.names import Names, face, tint
from nevsky.terminal.texts import NO_PRICE, short

__all__ = ["Box", "boxes", "chips", "make_box"]

_NARROWEST: Final = 16
_WIDEST: Final = 26
_PLAIN: Final = "┌─┐│└┘"
_DOUBLE: Final = "╔═╗║╚╝"
_SHORT: Final = frozenset(
    "worth pub hand observe reduce per_red rubles_per_red rubles_per_green rubles_per_blue points_per_carpet split"
    " trade search sycophant upkeep".split()
)


class Box(NamedTuple):
    """What a card shows to the person who decides."""

    name: str
    colour: str
    exchange: bool
    cost: str
    income: str
    label: str
    """The choices that take or lay it."""
    payable: bool


def make_box(decision: Decision, card: str, row: int) -> Box:
    """The box of a card that can be bought from a row or, with row 0, played from the hand."""
    verb = "buy" if row else "play"
    prices = decision.prices(verb, card, row)
    return Box(
        name=decision.names.plain(card),
        colour=tint(card),
        exchange=face(card).exchange,
        cost=_cost(decision.names.cost(card), prices) if face(card).colour != "purple" else "",
        income=_income(card, decision.names),
        label=_label(decision, card, row),
        payable=any(price.price <= (decision.own.rubles or 0) for price in prices),
    )


def _cost(cost: int, prices: Sequence[Price]) -> str:
    if not prices:
        return f"{cost}→{NO_PRICE}"
    low, high = min(price.price for price in prices), max(price.price for price in prices)
    if low != high:
        return f"{cost}→{low}-{high}"
    return f"{cost}→{low}" if low != cost else str(cost)


def _income(card: str, names: Names) -> str:
    row = face(card)
    if row.colour == "purple":
        return names.say("short.purple")
    words = "" if row.rubles == row.points == 0 else short(row.rubles, row.points)
    special = next((_special(word, argument, card, names) for word, argument in row.effects if word in _SHORT), "")
    if special:
        words = f"{words} {special}" if row.rubles else special
    if row.good and names.ruleset.market:
        good = names.say(f"good.{row.good}")
        words += f" {good}" if row.goods == 1 else f" {row.goods} {good}"
    return words.strip() or "+0"


def _special(word: str, argument: str, card: str, names: Names) -> str:
    key = f"short.{word}.{names.ruleset.edition}" if word == "per_red" else f"short.{word}"
    colours = "/".join(names.say(f"colour.{colour}") for colour in face(card).effect_all("reduce"))
    return names.say(key, argument=argument, colours=colours)


def _span(numbers: Sequence[int]) -> str:
    return f"{numbers[0]}" if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]}"


def _label(decision: Decision, card: str, row: int) -> str:
    parts = [(verb, decision.numbers(verb, card, row)) for verb in ("buy", "take")]
    return " ".join(decision.names.say(f"label.{verb}", numbers=_span(numbers)) for verb, numbers in parts if numbers)


def boxes(cards: Sequence[Box], width: int) -> list[Text]:
    """Cards with frames, in lines of equal length."""
    if not cards:
        return []
    narrowest = max(_NARROWEST, *(len(card.cost) + len(card.income) + 5 for card in cards))
    number_of_lines = -(-len(cards) // max(width // narrowest, 1))
    per_line = -(-len(cards) // number_of_lines)
    size = max(min(width // per_line, _WIDEST), narrowest)
    lines: list[Text] = []
    for start in range(0, len(cards), per_line):
        three = [Text(), Text(), Text()]
        for card in cards[start : start + per_line]:
            for line, part in zip(three, _box(card, size), strict=True):
                line.append_text(part)
        lines += three
    return lines


def _box(card: Box, size: int) -> tuple[Text, Text, Text]:
    corner, edge, corner_2, side, corner_3, corner_4 = _DOUBLE if card.exchange else _PLAIN
    inner = size - 2
    name = cut(card.name, inner - 2)
    label = card.label if len(card.label) <= inner - 2 else ""
    top = Text(corner + " ", style=card.colour).append(name, style=f"name.{card.colour}")
    top.append(" " + edge * (inner - cell_len(name) - 2) + corner_2)
    space = inner - 2 - len(card.cost) - len(card.income)
    middle = Text(side + " ", style=card.colour)
    middle.append(card.cost, style="box.price" if card.payable else "box.quiet")
    middle.append(" " * max(space, 1)).append(card.income, style="default").append(" " + side)
    bottom = Text(corner_3, style=card.colour)
    if label:
        bottom.append(edge * (inner - len(label) - 2) + " ").append(label, style="default").append(" " + corner_4)
    else:
        bottom.append(edge * inner + corner_4)
    return top, middle, bottom


def chips(cards: Sequence[Box], coloured: bool) -> list[Text]:
    """Cards as chips of one line."""
    left, right = (" ", " ") if coloured else ("[", "]")
    pieces = []
    for card in cards:
        mark = "⇄ " if card.exchange else ""
        words = " ".join(filter(None, (card.name, card.cost, card.income)))
        pieces.append(Text(f"{left}{mark}{words}{right}", style=f"chip.{card.colour}"))
    return pieces
