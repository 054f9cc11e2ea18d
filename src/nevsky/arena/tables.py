"""The league table as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Final

from nevsky.arena.figures import QUANTILES, Figures, Standing
from nevsky.arena.intervals import Estimate

__all__ = ["extent_text", "failures", "forfeits_text", "interval_text", "markdown", "score_text", "table"]

_LONGEST: Final = 120


def interval_text(share: Estimate) -> str:
    """A share with its interval.

    >>> interval_text(Estimate(0.5, 0.45, 0.55))
    '50.0% [45.0%, 55.0%]'
    """
    return f"{share.value:.1%} [{share.low:.1%}, {share.high:.1%}]"


def score_text(score: Estimate) -> str:
    """A mean score with half its interval."""
    return f"{score.value:.1f} ± {score.high - score.value:.1f}" if isfinite(score.high) else f"{score.value:.1f}"


def forfeits_text(standing: Standing) -> str:
    """How many decisions were forfeited, and why."""
    total = sum(standing.forfeits.values())
    reasons = ", ".join(f"{kind} {count:,}" for kind, count in standing.forfeits.items())
    return f"{total:,} ({reasons})" if total else "0"


def failures(figures: Figures) -> list[tuple[str, str]]:
    """What went wrong last, on one short line for each bot that forfeited something."""
    told = [(bot.label, _one_line(bot.last_failure)) for bot in figures.standings if bot.forfeits]
    return [(label, text) for label, text in told if text]


def _one_line(text: str) -> str:
    words = " ".join(text.split())
    plain = "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in words)
    return plain if len(plain) <= _LONGEST else f"{plain[: _LONGEST - 1]}…"


def extent_text(figures: Figures) -> str:
    """How much was played."""
    return f"{figures.games:,} games in {figures.pairings:,} pairing{'s' if figures.pairings != 1 else ''}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of Markdown."""
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', '/') for cell in line)} |\n" for line in lines)


def _number(value: float | None, form: str = ",.1f") -> str:
    return "" if value is None else format(value, form)


def markdown(figures: Figures, title: str) -> str:
    """All figures as tables, best bot first."""
    bots = figures.standings
    parts = [
        f"# {title}\n",
        f"{extent_text(figures)}, {figures.rounds:.2f} rounds.\n",
        _strength(bots),
        "## Places\n",
        _places(bots),
        "## Scores\n",
        table(["bot", *QUANTILES], [[b.label, *(f"{b.quantiles[name]:g}" for name in QUANTILES)] for b in bots]),
        "## Decisions\n",
        _decisions(bots),
    ]
    if failed := failures(figures):
        parts.append("What went wrong last:\n")
        parts.append("".join(f"- {label}: `{text.replace('`', chr(39))}`\n" for label, text in failed))
    if len(bots) > 2:
        parts += ["## Wins against each other\n", _meetings(figures)]
    parts.append("Intervals are of 95 % and over deals: games of the same deal are not counted as independent.\n")
    return "\n".join(parts)


def _strength(bots: Sequence[Standing]) -> str:
    rows = [
        [
            bot.label,
            f"{bot.games:,}",
            interval_text(bot.wins),
            f"{bot.fair:.1%}",
            score_text(bot.score),
            f"{bot.rating.mu:.1f} ± {bot.rating.sigma:.1f}",
        ]
        for bot in bots
    ]
    return table(["bot", "games", "wins", "fair share", "score", "rating"], rows)


def _places(bots: Sequence[Standing]) -> str:
    places = sorted({place for bot in bots for place in bot.ranks})
    rows = [[b.label, *(f"{b.ranks.get(p, 0) / sum(b.ranks.values()):.1%}" for p in places)] for b in bots]
    return table(["bot", *(f"{place}." for place in places)], rows)


def _decisions(bots: Sequence[Standing]) -> str:
    rows = [
        [
            bot.label,
            f"{bot.decisions:,}",
            _number(bot.per_second),
            _number(bot.mean_ms, ",.2f"),
            _number(bot.longest_ms),
            f"{bot.overruns:,}",
            forfeits_text(bot),
        ]
        for bot in bots
    ]
    return table(["bot", "decisions", "per second", "mean, ms", "longest, ms", "too long", "forfeited"], rows)


def _meetings(figures: Figures) -> str:
    bots = figures.standings
    met = {(meeting.one, meeting.other): meeting for meeting in figures.meetings}
    rows = []
    for bot in bots:
        cells = [met.get((bot.label, other.label)) for other in bots]
        rows.append([bot.label, *("" if cell is None else f"{cell.wins.value:.1%}" for cell in cells)])
    return table(["bot", *(f"against {bot.label}" for bot in bots)], rows)
