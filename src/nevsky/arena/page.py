"""The report as one page of HTML that needs nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import isfinite
from typing import Final

from nevsky.arena.facts import FINAL, SOURCES
from nevsky.arena.figures import QUANTILES, Figures
from nevsky.arena.intervals import wilson
from nevsky.arena.run import league_plot
from nevsky.arena.svg import COLOURS, STYLE, Bar, bars, colour, columns, outlines, shares
from nevsky.arena.tables import extent_text, forfeits_text, interval_text, score_text
from nevsky.arena.tally import LAST_ROUND, Sample, Tally
from nevsky.cards import CARDS, PILES, card_name

__all__ = ["page"]

_OPENINGS: Final = 20
_VISIBLE: Final = 0.0005
"""Less than this shows as 0.0 percentage points."""
_KINDS: Final = {card.id: card.kind for card in reversed(CARDS)}
"""The first kind of each id: some cards exist with several market symbols."""
_STYLE: Final = (
    "*{box-sizing:border-box}body{margin:0;padding:1rem;background:var(--paper);color:var(--ink);"
    "font:16px/1.5 system-ui,sans-serif}main{max-width:76rem;margin:0 auto}h1{font-size:1.6rem;margin:.2rem 0}"
    "h2{font-size:1.2rem;margin:0 0 .6rem}section{background:var(--sheet);border:1px solid var(--line);"
    "border-radius:10px;padding:1rem;margin:1rem 0}p{max-width:46rem;margin:.3rem 0 .8rem}.note{color:var(--mute)}"
    ".pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,20rem),1fr));gap:1rem 2rem}"
    "figure{margin:0;max-width:34rem}figcaption{font-weight:600;margin-bottom:.3rem}svg{width:100%;height:auto}"
    ".wide{overflow-x:auto}table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums}"
    "th,td{padding:.25rem .6rem;text-align:right;border-bottom:1px solid var(--line);white-space:nowrap}"
    "th:first-child,td:first-child{text-align:left;position:sticky;left:0;background:var(--sheet)}"
    ".legend{display:flex;flex-wrap:wrap;gap:.2rem .9rem;list-style:none;padding:0;margin:.3rem 0;font-size:.85rem}"
    ".legend i{display:inline-block;width:.8rem;height:.8rem;border-radius:2px;margin-right:.35rem;"
    "vertical-align:-1px}" + "".join(f"i.c{i}{{background:var(--c{i})}}" for i in range(COLOURS))
)


def page(title: str, facts: Tally, figures: Figures | None, least: int) -> str:
    """The whole report; what fewer than ``least`` seats did is left out of the lists."""
    sections = [_league(figures)] if figures is not None else []
    sections += [
        _scores(facts),
        _seats(facts),
        _end(facts),
        _points(facts),
        _nobles(facts),
        _openings(facts, least),
        _cards(facts, least),
    ]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}{_STYLE}</style></head><body><main>"
        f'<h1>What wins</h1><p class="note">{escape(title)}. {facts.games:,} recorded games, {facts.players} players.'
        " <em>Lift</em> is by how many percentage points a seat won more often than its bot does on average; behind"
        " it stands half its 95 % interval. It shows what goes with winning, not what causes it."
        " Intervals of seats and lifts count all seats as independent, though those of one deal are not.</p>"
        f"{''.join(sections)}</main></body></html>\n"
    )


def _section(title: str, *parts: str) -> str:
    return f"<section><h2>{escape(title)}</h2>{''.join(parts)}</section>"


def _figure(caption: str, plot: str, names: Sequence[str] = ()) -> str:
    legend = "".join(f'<li><i class="c{colour(names, name)}"></i>{escape(name)}</li>' for name in names)
    keys = f'<ul class="legend">{legend}</ul>' if names else ""
    return f"<figure><figcaption>{escape(caption)}</figcaption>{keys}{plot}</figure>"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Cells are HTML already."""
    top = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
    body = "".join(f"<tr>{''.join(_cell(cell) for cell in row)}</tr>" for row in rows)
    return f'<div class="wide"><table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>'


def _cell(text: str) -> str:
    return text if text.startswith("<td") else f"<td>{text}</td>"


def _lift(sample: Sample, *, short: bool = False) -> str:
    """The lift as a cell, the greener or redder the more it is."""
    strength = min(1.0, abs(sample.lift) / 0.2) * 0.45
    rgb = "44,140,73" if sample.lift > 0 else "190,53,45"
    points = 100 * sample.lift if abs(sample.lift) >= _VISIBLE else 0.0
    spread = isfinite(sample.margin) and sample.margin >= _VISIBLE
    if not points and not spread:  # all of them won as usual, perhaps never: that tells nothing
        return "–"
    margin = f" ± {100 * sample.margin:.1f}" if spread else ""
    hint = f' title="{points:+.1f}{margin}, {sample.number:,} seats"' if short else ""
    return f'<td{hint} style="background:rgba({rgb},{strength:.2f})">{points:+.1f}{"" if short else margin}</td>'


def _bar(label: str, sample: Sample, players: int) -> Bar:
    return Bar(f"{label} ({sample.number:,})", *wilson(sample.wins, sample.number), 1 / players)


def _league(figures: Figures) -> str:
    rows = [
        [
            escape(bot.label),
            f"{bot.games:,}",
            interval_text(bot.wins),
            f"{bot.fair:.1%}",
            score_text(bot.score),
            f"{bot.rating.mu:.1f} ± {bot.rating.sigma:.1f}",
            "" if bot.per_second is None else f"{bot.per_second:,.0f}",
            forfeits_text(bot),
        ]
        for bot in figures.standings
    ]
    head = ["bot", "games", "wins [95 %]", "fair share", "score", "rating", "decisions/s", "forfeited"]
    return _section(
        "League",
        f'<p class="note">{extent_text(figures)}; a pairing is one deal with'
        " everybody on every seat. The broken line is what equally strong bots would win.</p>",
        _figure("Share of games won", league_plot(figures)),
        _table(head, rows),
    )


def _scores(facts: Tally) -> str:
    series = [(name, facts.scores[name]) for name in facts.names]
    places = sorted({place for counts in facts.places.values() for place in counts})
    ranks = [(name, {f"{place}.": float(facts.places[name][place]) for place in places}) for name in facts.names]
    rows = []
    for name, scores in series:
        found = sorted(scores)
        values = [found[min(len(found) - 1, int(q * len(found)))] for q in QUANTILES.values()]
        rows.append([escape(name), f"{facts.average[name].score:.1f}", *(f"{value:g}" for value in values)])
    return _section(
        "Scores and places",
        '<div class="pair">',
        _figure("Final scores", outlines(series, "Distribution of final scores"), facts.names),
        _figure("Places", shares(ranks, "Distribution of places"), [f"{place}." for place in places]),
        "</div>",
        _table(["bot", "mean", *QUANTILES], rows),
    )


def _seats(facts: Tally) -> str:
    seats = [_bar(f"seat {seat + 1}", sample, facts.players) for seat, sample in sorted(facts.seats.items())]
    order = [_bar(f"{place + 1}. to play", sample, facts.players) for place, sample in sorted(facts.order.items())]
    return _section(
        "Seats",
        '<div class="pair">',
        _figure("Wins by seat", bars(seats, "Share of games won by seat")),
        _figure("Wins by order of play in the first worker phase", bars(order, "Share of games won by order")),
        "</div>",
    )


def _end(facts: Tally) -> str:
    triggers = {pile: float(facts.triggers[pile]) for pile in (*PILES, "none") if facts.triggers[pile]}
    rounds = [(str(number), {"games": count / facts.games * 100}) for number, count in sorted(facts.rounds.items())]
    return _section(
        "The end",
        '<div class="pair"><div>',
        _figure("The pile that ran out", shares([("all games", triggers)], "Pile that ended the game"), list(triggers)),
        _table(["pile", "games"], [[pile, f"{count / facts.games:.1%}"] for pile, count in triggers.items()]),
        "</div>",
        _figure("Rounds, % of games", columns(rounds, ["games"], "Number of rounds")),
        "</div>",
    )


def _points(facts: Tally) -> str:
    turns = sorted({*facts.winners, *facts.others}, key=lambda turn: (turn == FINAL, turn))
    used = [
        source
        for source in SOURCES
        if any(stack.get(source) for side in (facts.winners, facts.others) for stack in side.values())
    ]

    def stacks(side: Mapping[int, Mapping[str, float]]) -> list[tuple[str, Mapping[str, float]]]:
        return [("final" if turn == FINAL else str(turn), side.get(turn, {})) for turn in turns]

    winners, others = stacks(facts.winners), stacks(facts.others)
    rows = []
    for source in used:
        sums = [sum(stack.get(source, 0.0) for stack in side.values()) for side in (facts.winners, facts.others)]
        rows.append([escape(source), *(f"{total:.1f}" for total in sums)])
    return _section(
        "Where points come from",
        '<p class="note">Points of one seat on average, by round and in the final scoring.</p><div class="pair">',
        _figure("Winners", columns(winners, used, "Points of winners by round", others), used),
        _figure("All others", columns(others, used, "Points of all others by round", winners), used),
        "</div>",
        _table(["source", "winners", "others"], rows),
    )


def _nobles(facts: Tally) -> str:
    found = sorted(facts.nobles.items())
    rows = [[str(number), f"{s.number:,}", f"{s.wins:.1%}", _lift(s), f"{s.score:.1f}"] for number, s in found]
    return _section("Different nobles at the end", _table(["nobles", "seats", "wins", "lift", "score"], rows))


def _openings(facts: Tally, least: int) -> str:
    found = [(cards, sample) for cards, sample in facts.openings.items() if sample.number >= least]
    found.sort(key=lambda item: (-item[1].number, item[0]))
    rows = [
        [
            escape(", ".join(_name(card, facts) for card in cards.split(" + "))) if cards else "nothing",
            f"{s.number:,}",
            f"{s.wins:.1%}",
            _lift(s),
            f"{s.score:.1f}",
        ]
        for cards, s in found[:_OPENINGS]
    ]
    return _section(
        "Openings",
        '<p class="note">What a seat laid in the worker phase of the first round; the most frequent first.</p>',
        _table(["cards", "seats", "wins", "lift", "score"], rows),
    )


def _cards(facts: Tally, least: int) -> str:
    found = [(card, sample) for card, sample in facts.cards.items() if sample.number >= least]
    found.sort(key=lambda item: (-item[1].lift, item[0]))
    rows = []
    for card, s in found:
        row = [escape(_name(card, facts)), _pile(card), f"{s.number:,}", f"{s.wins:.1%}", _lift(s)]
        for turn in range(1, LAST_ROUND + 1):
            part = facts.by_round.get((card, turn))
            row.append("" if part is None or part.number < least else _lift(part, short=True))
        rows.append(row)
    turns = [f"round {turn}{'+' if turn == LAST_ROUND else ''}" for turn in range(1, LAST_ROUND + 1)]
    return _section(
        "Cards",
        f'<p class="note">Seats that laid a card at least once, and the lift by the round in which they laid the first'
        f" copy. Cells with fewer than {least:,} seats are left empty.</p>",
        _table(["card", "pile", "seats", "wins", "lift", *turns], rows),
    )


def _name(card: str, facts: Tally) -> str:
    return card_name(_KINDS[card], edition=facts.edition)


def _pile(card: str) -> str:
    return CARDS[_KINDS[card]].pile
