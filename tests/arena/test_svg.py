"""Plots say what they were given."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from nevsky.arena.svg import Band, Point, bands, standalone

SVG = "{http://www.w3.org/2000/svg}"


def numbers(element: ElementTree.Element) -> list[tuple[float, float]]:
    """The points of a line or an area."""
    pairs = (pair.split(",") for pair in element.get("points", "").split())
    return [(float(x), float(y)) for x, y in pairs]


def test_a_band_lies_around_its_curve() -> None:
    curve = [Point(0, 0.0, 0.0, 0.1), Point(2, 0.5, 0.25, 0.75), Point(4, 1.0, 0.9, 1.0)]
    panels = [("PPO", "games", [Band("won", curve)]), ("DQN", "games", [Band("lost", curve), Band("won", curve)])]
    plot = ElementTree.fromstring(standalone(bands(panels, "Learning")))
    lines, areas = list(plot.iter(f"{SVG}polyline")), list(plot.iter(f"{SVG}polygon"))
    assert [line.get("class") for line in lines] == ["l0", "l1", "l0"]  # a label has one colour in all panels
    assert [area.get("class") for area in areas] == ["c0", "c1", "c0"]
    line, area = numbers(lines[0]), numbers(areas[0])
    assert line[1][0] == pytest.approx((line[0][0] + line[2][0]) / 2)
    assert line[1][1] == pytest.approx((line[0][1] + line[2][1]) / 2)
    upper, lower = area[:3], area[:2:-1]
    for (x, y), (_, top), (_, bottom) in zip(line, upper, lower, strict=True):
        assert top <= y <= bottom  # SVG counts downwards
        assert {x} == {place for place, _ in (*upper, *lower) if abs(place - x) < 1}
    words = [text.text for text in plot.iter(f"{SVG}text")]
    assert words.count("won") == words.count("lost") == 1
    assert {"PPO", "DQN", "games", "0%", "100%"} <= set(words)


def test_a_panel_without_curves_is_empty_and_no_error() -> None:
    assert "<polyline" not in bands([("PPO", "games", [])], "Learning")
