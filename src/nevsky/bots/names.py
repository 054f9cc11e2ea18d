"""Names for bots at a table."""

from __future__ import annotations

from typing import Final

__all__ = ["PEOPLE"]

PEOPLE: Final = (  # builders, scholars and courtiers of the first century of the city
    "Vasily",
    "Katarina",
    "Mikhail",
    "Natalia",
    "Domenico",
    "Varvara",
    "Bartolomeo",
    "Yelizaveta",
    "Grigory",
    "Praskovya",
)
