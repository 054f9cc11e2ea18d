"""nevsky cards: every card of the box, under the id that actions, records and views use."""

from __future__ import annotations

import json
from typing import Final

from nevsky.cards import CARDS, Card, card_name
from nevsky.cli.options import Json, Language, check_language

_WIDE: Final = 130


def cards(language: Language = "en", as_json: Json = False) -> None:
    """List all cards with their ids, names, numbers, costs and income."""
    check_language(language)
    if as_json:
        print(json.dumps([_row(card, language) for card in CARDS], ensure_ascii=False, indent=1))
        return
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    table = Table(
        "id", "name", "pile", "colour", "module", "copies", "cost", "rubles", "points", box=SIMPLE_HEAD, pad_edge=False
    )
    for column in table.columns:
        column.no_wrap = True
    for card in CARDS:
        table.add_row(
            card.exact,
            card_name(card.id, language),
            card.pile,
            card.colour,
            str(card.module or ""),
            _both(card.copies_first, card.copies_second),
            _both(card.cost_first, card.cost_second),
            str(card.rubles or ""),
            str(card.points or ""),
        )
    console = Console(width=max(Console().width, _WIDE))  # ids are there to be copied: none is cut
    console.print(table)
    console.print("Copies and costs of the first and the second edition, where they differ.")


def _both(first: int, second: int) -> str:
    return str(second) if first == second else f"{first} / {second}"


def _row(card: Card, language: str) -> dict[str, object]:
    return {
        "id": card.exact,
        "kind": card.kind,
        "name": card_name(card.id, language),
        "same_name": card.name,
        "pile": card.pile,
        "colour": card.colour,
        "exchange": card.exchange,
        "module": card.module or None,
        "copies": {"first": card.copies_first, "second": card.copies_second, "market": card.copies_market},
        "cost": {"first": card.cost_first, "second": card.cost_second},
        "rubles": card.rubles,
        "points": card.points,
        "crafts": list(card.crafts),
        "good": card.good or None,
        "goods": card.goods,
        "effects": dict(card.effects),
    }
