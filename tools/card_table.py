"""Write the table of all cards, docs/cards.md, from the cards themselves.

python tools/card_table.py [--check]
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parent.parent))

from nevsky.cards import CARDS, Card, card_name
from nevsky.texts import LANGUAGES
from tools.generated import ROOT, write_or_check

HEAD: Final = """# The cards and their ids

Actions, records, views and tables name cards by these ids. `nevsky cards` prints the same, `nevsky cards --json` with
crafts, goods and effects for programs. What the cards do stands in [the rules](../src/nevsky/texts/en/rules.md).
Copies and costs are those of the first and the second edition, where they differ. Cards with a symbol after the colon
are those of games with the Market, where they take the place of the ones without.

"""


def both(first: int, second: int) -> str:
    """Of both editions, once where they agree."""
    return str(second) if first == second else f"{first} / {second}"


def lines(cards: Sequence[Card]) -> list[str]:
    """The rows of some cards."""
    found = ["| id | " + " | ".join(LANGUAGES) + " | copies | with the Market | cost | rubles | points |"]
    found.append("|---|" + "---|" * len(LANGUAGES) + "---:|---:|---:|---:|---:|")
    for card in cards:
        names = " | ".join(card_name(card.id, language) for language in LANGUAGES)
        figures = (
            both(card.copies_first, card.copies_second),
            str(card.copies_market),
            both(card.cost_first, card.cost_second),
            str(card.rubles),
            str(card.points),
        )
        found.append(f"| `{card.exact}` | {names} | {' | '.join(figures)} |")
    return found


def page() -> str:
    """All cards, by module and pile."""
    text = HEAD
    groups: dict[str, list[Card]] = {}
    for card in sorted(CARDS, key=lambda each: each.module):
        title = f"Module {card.module}" if card.module else f"{card.pile.capitalize()} cards"
        groups.setdefault(title, []).append(card)
    for title, cards in groups.items():
        text += f"## {title}\n\n" + "\n".join(lines(cards)) + "\n\n"
    return text.rstrip() + "\n"


if __name__ == "__main__":
    sys.exit(write_or_check(ROOT / "docs" / "cards.md", page(), __file__))
