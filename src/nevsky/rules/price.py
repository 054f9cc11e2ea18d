"""A price and how it comes about."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Price", "Reduction"]


class Reduction(NamedTuple):
    """One reason why a card is cheaper."""

    reason: str
    """``replaced``, ``row_2``, ``same_name``, the id of a card that lowers prices, or ``minimum``."""
    rubles: int
    """How much it takes off; negative for the minimum of one ruble."""
    card: str = ""


class Price(NamedTuple):
    """The price of laying a card and how it comes about."""

    card: str
    cost: int
    reductions: tuple[Reduction, ...]
    price: int

    @property
    def text(self) -> str:
        """One line, as on a receipt.

        >>> Price("theater", 20, (Reduction("row_2", 1), Reduction("same_name", 1, "theater")), 18).text
        'theater 20 - 1 (row 2) - 1 (1 theater) = 18'
        """
        words = [f"{self.card} {self.cost}"]
        for reduction in self.reductions:
            if reduction.reason == "replaced":
                words.append(f"- {reduction.rubles} (replaces {reduction.card})")
            elif reduction.reason == "row_2":
                words.append(f"- {reduction.rubles} (row 2)")
            elif reduction.reason == "same_name":
                words.append(f"- {reduction.rubles} ({reduction.rubles} {reduction.card})")
            elif reduction.reason == "minimum":
                words.append("but at least 1")
            else:
                words.append(f"- {reduction.rubles} ({reduction.reason})")
        return " ".join(words) + f" = {self.price}"
