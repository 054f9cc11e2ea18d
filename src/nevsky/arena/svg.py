"""Small plots as SVG text, readable on light and dark pages and on phones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import ceil, floor, isfinite
from typing import Final, NamedTuple

__all__ = [
    "COLOURS",
    "STYLE",
    "Band",
    "Bar",
    "Point",
    "bands",
    "bars",
    "colour",
    "columns",
    "courses",
    "outlines",
    "shares",
    "standalone",
]

WIDTH: Final = 360
COLOURS: Final = 11
_NAMED: Final = {
    **dict.fromkeys(("worker", "workers"), 4),
    "market": 3,
    **dict.fromkeys(("building", "buildings"), 2),
    **dict.fromkeys(("noble", "nobles"), 1),
    **dict.fromkeys(("exchange", "other"), 7),
    "different nobles": 8,
    "rubles": 9,
    "hand": 6,
    "pub": 0,
    "assignment": 5,
    "obstacles": 10,
}
"""Cards and what comes from them have the colours that they have on the table."""

_LIGHT: Final = "--ink:#23312f;--line:#cfc1a0;--paper:#f4eddd;--sheet:#fbf7ec;--mute:#5d6a66;" + "".join(
    f"--c{i}:{colour};"
    for i, colour in enumerate(
        "#0e6a70 #a5322c #2d609b #8c6407 #4b7f3a #6c468e #ad4e0d #6b6355 #d98a80 #c9a95a #7fa6a8".split()
    )
)
_DARK: Final = "--ink:#efe7d3;--line:#2f4744;--paper:#10201f;--sheet:#172b29;--mute:#a9b5ae;" + "".join(
    f"--c{i}:{colour};"
    for i, colour in enumerate(
        "#4fb3b3 #e27a70 #7fb0e6 #d8ac4e #8cc47a #b795d8 #e89a5b #b3a893 #a84e47 #8c6f2c #3d7376".split()
    )
)
STYLE: Final = (
    f":root{{color-scheme:light dark;{_LIGHT}}}@media(prefers-color-scheme:dark){{:root{{{_DARK}}}}}"
    "svg text{font:12px system-ui,sans-serif;fill:var(--ink)}svg .mute{fill:var(--mute);font-size:11px}"
    "svg .end{text-anchor:end}svg .mid{text-anchor:middle}"
    "svg .axis{stroke:var(--line);stroke-width:1}svg .mark{stroke:var(--ink);stroke-width:1.5}"
    "svg .fair{stroke:var(--mute);stroke-dasharray:3 3}"
    + "".join(
        f"svg .c{i}{{fill:var(--c{i})}}svg .l{i}{{stroke:var(--c{i});fill:none;stroke-width:2}}" for i in range(COLOURS)
    )
)
"""The style that all plots of a page share."""


class Bar(NamedTuple):
    """One bar of a chart."""

    label: str
    value: float
    low: float
    high: float
    fair: float | None = None
    """A mark for what would be expected."""


class Point(NamedTuple):
    """A place of a curve, and between what it may lie."""

    x: float
    value: float
    low: float
    high: float


class Band(NamedTuple):
    """A curve with what lies around it."""

    label: str
    points: Sequence[Point]


def colour(names: Sequence[str], name: str) -> int:
    """The number of a name's colour: its own, or else by its place."""
    return _NAMED.get(name, list(names).index(name) % COLOURS)


def _svg(height: float, parts: Sequence[str], title: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" role="img"'
        f' aria-label="{escape(title)}">{"".join(parts)}</svg>'
    )


def standalone(svg: str) -> str:
    """A plot as a file of its own, with its style and a ground to lie on."""
    ground = '<rect width="100%" height="100%" style="fill:var(--sheet)"/>'
    head, _, rest = svg.partition(">")
    return f"{head}><style>{STYLE}</style>{ground}{rest}\n"


def _text(x: float, y: float, text: str, css: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{css}">{escape(text)}</text>'


def _rect(x: float, y: float, width: float, height: float, css: str, title: str = "") -> str:
    inside = f"<title>{escape(title)}</title>" if title else ""
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.1f}" height="{max(height, 0):.1f}" class="{css}">'
        f"{inside}</rect>"
    )


def _line(x1: float, y1: float, x2: float, y2: float, css: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{css}"/>'


def bars(rows: Sequence[Bar], title: str) -> str:
    """Shares from 0 to 1 as bars with their intervals."""
    left, right, step = 8, WIDTH - 12, 42
    parts = []

    def x(share: float) -> float:
        return left + (right - left) * min(1.0, max(0.0, share))

    for i, row in enumerate(rows):
        top = 6 + i * step
        figures = f"{row.value:.1%}" + (f" [{row.low:.1%}, {row.high:.1%}]" if isfinite(row.low) else "")
        parts += [_text(left, top + 11, row.label), _text(right, top + 11, figures, "end mute")]
        parts.append(_rect(left, top + 17, x(row.value) - left, 12, f"c{i % COLOURS}"))
        if isfinite(row.low):
            parts.append(_line(x(row.low), top + 23, x(row.high), top + 23, "mark"))
            parts += [_line(x(end), top + 19, x(end), top + 27, "mark") for end in (row.low, row.high)]
        if row.fair is not None:
            parts.append(_line(x(row.fair), top + 14, x(row.fair), top + 32, "fair"))
    bottom = 6 + len(rows) * step
    parts.append(_line(left, bottom, right, bottom, "axis"))
    for share in (0, 0.25, 0.5, 0.75, 1):
        css = "mute" if share == 0 else "mute end" if share == 1 else "mute mid"
        parts.append(_text(x(share), bottom + 14, f"{share:.0%}", css))
    return _svg(bottom + 20, parts, title)


def shares(rows: Sequence[tuple[str, Mapping[str, float]]], title: str) -> str:
    """One full bar for each row, divided among its parts."""
    left, right, step = 8, WIDTH - 12, 40
    parts = []
    names = list(dict.fromkeys(name for _, row in rows for name in row))
    for i, (label, row) in enumerate(rows):
        top = 6 + i * step
        total = sum(row.values()) or 1
        parts.append(_text(left, top + 11, label))
        at = float(left)
        for name, value in row.items():
            width = (right - left) * value / total
            css = f"c{colour(names, name)}"
            parts.append(_rect(at, top + 17, width, 14, css, f"{name}: {value:g} ({value / total:.1%})"))
            at += width
    return _svg(6 + len(rows) * step, parts, title)


def _steps(low: float, high: float) -> list[float]:
    """Round numbers for an axis."""
    span = max(high - low, 1e-9)
    size = 10.0 ** floor(len(str(int(span))) - 1) if span >= 1 else 0.1
    while span / size > 6:
        size *= 2 if str(size)[0] in "15" else 2.5
    while span / size < 3:
        size /= 2
    return [size * i for i in range(ceil(low / size - 1e-9), floor(high / size + 1e-9) + 1)]


Stacks = Sequence[tuple[str, Mapping[str, float]]]


def columns(stacks: Stacks, names: Sequence[str], title: str, beside: Stacks = ()) -> str:
    """Stacked columns in the order of the names; what is below zero hangs down. ``beside`` gets the same scale."""
    left, right, top, bottom = 34, WIDTH - 8, 10, 200
    high = max([sum(v for v in stack.values() if v > 0) for _, stack in (*stacks, *beside)] + [1e-9])
    low = min([sum(v for v in stack.values() if v < 0) for _, stack in (*stacks, *beside)] + [0.0])

    def y(value: float) -> float:
        return bottom - (bottom - top) * (value - low) / (high - low)

    parts = []
    for value in _steps(low, high):
        parts += [
            _line(left, y(value), right, y(value), "axis"),
            _text(left - 4, y(value) + 4, f"{value:g}", "mute end"),
        ]
    width = (right - left) / max(1, len(stacks))
    for i, (label, stack) in enumerate(stacks):
        up = down = 0.0
        for name in names:
            value = stack.get(name, 0.0)
            if not value:
                continue
            start = up if value > 0 else down
            upper, lower = max(start, start + value), min(start, start + value)
            css = f"c{colour(names, name)}"
            hint = f"{label}, {name}: {value:.2f}"
            parts.append(_rect(left + (i + 0.15) * width, y(upper), 0.7 * width, y(lower) - y(upper), css, hint))
            up, down = (start + value, down) if value > 0 else (up, start + value)
        parts.append(_text(left + (i + 0.5) * width, bottom + 15, label, "mute mid"))
    return _svg(bottom + 22, parts, title)


def outlines(series: Sequence[tuple[str, Sequence[float]]], title: str) -> str:
    """How values are spread, one line for each series, all of the same area."""
    left, right, top, bottom = 8, WIDTH - 12, 10, 170
    values = [value for _, found in series for value in found]
    low, high = min(values), max(values)
    size = max(1, ceil((high - low + 1) / 24))
    first = floor(low / size) * size
    count = floor((high - first) / size) + 1
    tallest = 1e-9
    spreads = []
    for _, found in series:
        bins = [0.0] * count
        for value in found:
            bins[floor((value - first) / size)] += 1 / len(found)
        tallest = max(tallest, *bins)
        spreads.append(bins)
    width = (right - left) / count
    parts = []
    for i, ((label, _), bins) in enumerate(zip(series, spreads, strict=True)):
        points = [f"{left},{bottom}"]
        for place, share in enumerate(bins):
            level = bottom - (bottom - top) * share / tallest
            points += [f"{left + place * width:.1f},{level:.1f}", f"{left + (place + 1) * width:.1f},{level:.1f}"]
        points.append(f"{right},{bottom}")
        parts.append(
            f'<polyline points="{" ".join(points)}" class="l{i % COLOURS}"><title>{escape(label)}</title></polyline>'
        )
    parts.append(_line(left, bottom, right, bottom, "axis"))
    for value in _steps(first, first + count * size):
        x = left + (value - first) / size * width
        parts.append(_text(x, bottom + 15, f"{value:g}", "mute mid"))
    return _svg(bottom + 22, parts, title)


def courses(panels: Sequence[tuple[str, Sequence[Sequence[float]]]], labels: Sequence[str], title: str) -> str:
    """How figures change step by step: a panel for each, in it one line after the other for each label."""
    left, right, high = 52, WIDTH - 12, 130
    parts = []
    top = 0.0
    for name, runs in panels:
        values = [value for run in runs for value in run if isfinite(value)] or [0.0]
        least, most = min(values), max(values)
        margin = 0.05 * (most - least) or 0.05 * abs(most) or 0.05
        low, span = least - margin, most - least + 2 * margin
        bottom = top + 28 + high
        step = (right - left) / max(1, sum(map(len, runs)))
        parts.append(_text(8, top + 16, name))
        for value in _steps(low, low + span):
            y = bottom - high * (value - low) / span
            parts += [_line(left, y, right, y, "axis"), _text(left - 4, y + 4, f"{value:.6g}", "mute end")]
        at = 0
        for i, (label, run) in enumerate(zip(labels, runs, strict=True)):
            places = [(left + (at + j + 0.5) * step, value) for j, value in enumerate(run) if isfinite(value)]
            points = [(x, bottom - high * (value - low) / span) for x, value in places]
            line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
            parts.append(f'<polyline points="{line}" class="l{i % COLOURS}"><title>{escape(label)}</title></polyline>')
            for (x, y), (_, value) in zip(points, places, strict=True):
                hint = f"<title>{escape(label)}: {value:.4g}</title>"
                parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" class="c{i % COLOURS}">{hint}</circle>')
            parts.append(_text(left + (at + len(run) / 2) * step, bottom + 15, label, "mute mid"))
            at += len(run)
        top = bottom + 26
    return _svg(top, parts, title)


def bands(panels: Sequence[tuple[str, str, Sequence[Band]]], title: str) -> str:
    """Shares from 0 to 1 that change with something: a panel for each title and name of that something.

    Labels have the same colour in all panels, and stand below them.
    """
    left, right, high = 40, WIDTH - 12, 120
    labels = list(dict.fromkeys(band.label for _, _, found in panels for band in found))
    parts = []
    top = 0.0
    for name, axis, found in panels:
        bottom = top + 26 + high
        most = max([point.x for band in found for point in band.points] + [1e-9])
        parts.append(_text(8, top + 16, name))
        for share in (0, 0.25, 0.5, 0.75, 1):
            y = bottom - high * share
            parts += [_line(left, y, right, y, "axis"), _text(left - 4, y + 4, f"{share:.0%}", "mute end")]
        for band in found:
            i = labels.index(band.label) % COLOURS
            at = [(left + (right - left) * point.x / most, point) for point in band.points]
            upper = [f"{x:.1f},{bottom - high * point.high:.1f}" for x, point in at]
            lower = [f"{x:.1f},{bottom - high * point.low:.1f}" for x, point in reversed(at)]
            line = [f"{x:.1f},{bottom - high * point.value:.1f}" for x, point in at]
            hint = f"<title>{escape(band.label)}</title>"
            parts.append(f'<polygon points="{" ".join(upper + lower)}" class="c{i}" fill-opacity="0.2"/>')
            parts.append(f'<polyline points="{" ".join(line)}" class="l{i}">{hint}</polyline>')
        for value in _steps(0, most):
            parts.append(_text(left + (right - left) * value / most, bottom + 15, f"{value:g}", "mute mid"))
        parts.append(_text(right, bottom + 28, axis, "mute end"))
        top = bottom + 34
    for i, label in enumerate(labels):
        parts += [_rect(left, top + 4, 12, 12, f"c{i % COLOURS}"), _text(left + 18, top + 14, label)]
        top += 18
    return _svg(top + 6, parts, title)
