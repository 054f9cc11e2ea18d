"""Recorded games as tables for data frames and learning: Parquet files with a row for each game and each decision."""

from __future__ import annotations

from nevsky.datasets.card import card_path, fingerprint, write_card
from nevsky.datasets.making import Recipe, make_games, records_path
from nevsky.datasets.sources import find_records
from nevsky.datasets.writing import Exported, check_target, decisions_path, export

__all__ = [
    "Exported",
    "Recipe",
    "card_path",
    "check_target",
    "decisions_path",
    "export",
    "find_records",
    "fingerprint",
    "make_games",
    "records_path",
    "write_card",
]
