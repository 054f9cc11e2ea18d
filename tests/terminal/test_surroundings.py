"""What is around the table: opponents and the picture in the documentation."""

from __future__ import annotations

from pathlib import Path

from nevsky import Ruleset
from nevsky.terminal import new_game


def test_opponents_have_other_names() -> None:
    for seed in range(20):
        seats = new_game(Ruleset("second", 4), str(seed), "vasily").seats
        assert len({name.casefold() for name in seats}) == 4


def test_picture_loads_nothing_from_elsewhere() -> None:
    picture = (Path(__file__).parents[2] / "docs" / "terminal.svg").read_text(encoding="utf-8")
    assert picture.count("://") == 1  # the name of the SVG format itself
    assert "@font-face" not in picture
    assert "Saint" in picture
