"""The table as the person sees it at a decision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from rich.text import Text

from nevsky.rules.view import HandCard, PlayerView, View
from nevsky.terminal import texts
from nevsky.terminal.cards import boxes, chips, make_box
from nevsky.terminal.choices import Choice, Decision
from nevsky.terminal.layout import columns, flow, hanging, marked
from nevsky.terminal.names import Names, face
from nevsky.terminal.paper import Paper

__all__ = ["choice_words", "draw", "log_lines"]


class Style(NamedTuple):
    """How much room the drawing takes."""

    framed: bool
    """Cards with frames instead of chips."""
    spread: bool
    """Headings, and areas and choices in columns."""
    listed: bool
    """Every sentence of the log on its own line."""
    log: int
    """How many lines of the log."""


_HEADING = 18
_STYLES = (
    Style(framed=True, spread=True, listed=True, log=99),
    Style(framed=True, spread=True, listed=False, log=99),
    Style(framed=True, spread=False, listed=False, log=4),
    Style(framed=False, spread=False, listed=False, log=99),
    Style(framed=False, spread=False, listed=False, log=4),
)


def draw(decision: Decision, paper: Paper) -> None:
    """Draw the table as spaciously as the screen allows."""
    lines: list[Text] = []
    for style in _STYLES:
        lines = _lines(decision, paper, style)
        if paper.height is None or len(lines) < paper.height:
            break
    paper.clear()
    paper.lines(lines)


def _lines(decision: Decision, paper: Paper, style: Style) -> list[Text]:
    """The whole screen; what may scroll away when it is too small stands at the top."""
    view, width, seats = decision.view, paper.width, len(decision.view.players)
    opponents: list[Text] = []
    for i in range(1, seats):
        opponents += _player(decision, (decision.names.seat + i) % seats, paper, style.spread)
    lines = [_title(view, width), _piles(view), *opponents] if style.spread else [*opponents, _short_title(view)]
    lines += _display(decision, paper, style.framed)
    lines += _player(decision, decision.names.seat, paper, style.spread)
    lines += _log(decision, width, style)
    lines += _choices(decision, width, style.spread)
    return [*lines, Text(texts.COMMANDS, style="quiet")] if style.spread else lines


def _title(view: View, width: int) -> Text:
    title = texts.title(view.round, view.phase)
    line = Text().append("──", style="quiet").append(title, style="head")
    room = width - line.cell_len
    if not view.last_round:
        return line.append("─" * max(room, 0), style="quiet")
    line.append("─" * max(room - len(texts.LAST_ROUND) - 2, 0), style="quiet")
    return line.append(texts.LAST_ROUND, style="banner").append("──", style="quiet")


def _short_title(view: View) -> Text:
    line = Text().append(texts.short_title(view.round, view.phase), style="head")
    if view.last_round:
        line.append("  ").append(texts.LAST_ROUND, style="banner")
    return line.append_text(_pile_sizes(view))


def _piles(view: View) -> Text:
    line = Text().append(texts.PILES, style="head").append_text(_pile_sizes(view))
    return line.append(f"  {texts.discarded(len(view.discard))}", style="quiet")


def _pile_sizes(view: View) -> Text:
    line = Text()
    for pile, count in view.piles.items():
        line.append("  ").append(f"{pile} {count}", style=texts.COLOURS.get(pile, "default"))
    return line


def _display(decision: Decision, paper: Paper, framed: bool) -> list[Text]:
    view = decision.view
    lines: list[Text] = []
    for row, cards, heading, legend in (
        (1, view.row1, texts.ROW_1, texts.LEGEND_1),
        (2, view.row2, texts.ROW_2, texts.LEGEND_2),
    ):
        label = Text().append(heading, style="head")
        shown = [make_box(decision, card, row) for card in cards]
        if not cards:
            lines.append(label.append(f" {texts.EMPTY_ROW}", style="quiet"))
        elif framed:
            label.append(" " * max(paper.width - len(heading) - len(legend), 2)).append(legend, style="quiet")
            lines += [label, *boxes(shown, paper.width)]
        else:
            lines += flow(label, chips(shown, paper.coloured), paper.width)
    return lines


def _player(decision: Decision, seat: int, paper: Paper, spread: bool) -> list[Text]:
    view, names = decision.view, decision.names
    player = view.players[seat]
    own = seat == names.seat
    held = [texts.TOKENS[phase] for phase, holder in view.tokens.items() if holder == seat]
    parts = [
        texts.many(player.points, "point"),
        texts.HIDDEN_RUBLES if player.rubles is None else texts.many(player.rubles, "ruble"),
        texts.tokens(held),
        texts.hand(len(player.hand), player.hand_limit, [] if own else _known(player.hand, names)),
    ]
    lines = hanging(f"[player]{names.heading(seat)}[/]  {' · '.join(filter(None, parts))}", paper.width, 4)
    lines += _area(player, names, paper.width, spread)
    if own and player.hand:
        shown = [make_box(decision, card.card, 0) for card in player.hand if card.card is not None]
        lines += flow(Text(f"  {texts.HAND}"), chips(shown, paper.coloured), paper.width)
    return lines


def _known(hand: Sequence[HandCard], names: Names) -> list[str]:
    """The cards on another player's hand: by name where everybody has seen them, else by their backs."""
    seen = Counter(names.card(card.card) for card in hand if card.card is not None)
    backs = Counter(card.pile for card in hand if card.card is None)
    known = [texts.area_card(card, count, 0) for card, count in seen.items()]
    return known + [texts.unseen(count, pile) for pile, count in backs.items()]


def _area(player: PlayerView, names: Names, width: int, spread: bool) -> list[Text]:
    """The area by colours: in one line if it fits, else in a line for each colour or, to save room, one by one."""
    groups = _groups(player, names)
    if not groups:
        return [Text(f"  {texts.NO_CARDS}", style="quiet")]
    pieces: list[Text] = []
    for heading, words in groups:
        if pieces:
            pieces[-1] = pieces[-1] + ";"
        pieces += [heading + " " + words[0], *words[1:]]
    together = flow(Text(" "), pieces, width)
    if not spread or len(together) == 1:
        return together
    lines = []
    for heading, words in groups:
        label = Text("  ") + heading
        label.pad_right(_HEADING - label.cell_len)
        lines += flow(label, words, width)
    return lines


def _groups(player: PlayerView, names: Names) -> list[tuple[Text, list[Text]]]:
    """The area by colours, each under a heading with its number of cards and its income."""
    groups = []
    cards = sorted(player.area, key=lambda card: (face(card).exchange, names.cost(card)))
    for phase, colour in texts.COLOURS.items():
        listed = [card for card in cards if face(card).colour == colour]
        if not listed:
            continue
        heading = texts.group(colour, sum(player.area[card] for card in listed), *player.income[phase])
        words = [
            texts.area_card(names.plain(card), player.area[card], player.face_down.get(card, 0)) for card in listed
        ]
        words = [f"{word}," for word in words[:-1]] + words[-1:]
        if colour == "red":
            words.append(texts.kinds(player.different_nobles))
        groups.append((marked(heading), [marked(word) for word in words]))
    return groups


def log_lines(sentences: Sequence[str], width: int) -> list[Text]:
    """The log, one sentence after the other."""
    lines = []
    for sentence in sentences:
        lines += hanging(f"  · {sentence}", width, 4)
    return lines


def _log(decision: Decision, width: int, style: Style) -> list[Text]:
    title = f"[head]{decision.log_title}[/]"
    if style.listed:
        return [marked(title), *log_lines(decision.log, width)]
    paragraphs: list[str] = []
    for sentence in decision.log:  # headings of phases begin a new line
        if paragraphs and not sentence.startswith("[head]"):
            paragraphs[-1] += f" {sentence}"
        else:
            paragraphs.append(sentence)
    lines = log_lines(paragraphs, width)
    while len(lines) > style.log and len(paragraphs) > 1:
        paragraphs = paragraphs[1:]
        lines = [Text(f"  {texts.MORE_LOG}", style="quiet"), *log_lines(paragraphs, width)]
    return [marked(title), *lines] if style.spread else lines


def choice_words(choice: Choice, names: Names) -> str:
    """A choice without its number."""
    action = choice.action
    card = names.card(action.card) if action.card else ""
    onto = names.card(action.onto) if action.onto else ""
    return texts.choice(action, choice.price, card, onto)


def _choices(decision: Decision, width: int, spread: bool) -> list[Text]:
    view = decision.view
    drawn = decision.names.a_card(view.drawn) if view.drawn else ""
    question = texts.due(view.due, view.must_buy, decision.own.rubles or 0, drawn, view.drawn_pile or "")
    lines = hanging(f"[head]{question}[/]", width, 2)
    groups = [
        [marked(f"[number]{choice.number:>3}[/]  {choice_words(choice, decision.names)}") for choice in group]
        for _, group in groupby(decision.choices, key=lambda choice: choice.action.verb)
    ]
    if not spread:
        return lines + flow(Text(), [piece for group in groups for piece in group], width)
    return lines + [line for group in groups for line in columns(group, width)]
