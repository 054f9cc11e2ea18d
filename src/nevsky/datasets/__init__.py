"""Recorded games as tables for data frames and learning: Parquet files with a row for each game and each decision."""

from __future__ import annotations

from nevsky.datasets.sources import find_records
from nevsky.datasets.writing import Exported, decisions_path, export

__all__ = ["Exported", "decisions_path", "export", "find_records"]
