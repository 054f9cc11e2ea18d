"""The table as the person sees it at a decision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from rich.text import Text

from nevsky.rules.explain import Price
from nevsky.rules.view import HandCard, View
from nevsky.terminal import texts
from nevsky.terminal.cards import boxes, chips, make_box
from nevsky.terminal.choices import Choice, Decision
from nevsky.terminal.extras import card_notes, common_lines, market_words, player_words
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
    view, names, width, seats = decision.view, decision.names, paper.width, len(decision.view.players)
    opponents: list[Text] = []
    for i in range(1, seats):
        opponents += _player(decision, (decision.names.seat + i) % seats, paper, style.spread)
    common = common_lines(view, names, width, style.spread)
    if style.spread:
        lines = [_title(view, names, width), *_piles(view, names, width), *common, *opponents]
    else:
        lines = [*common, *opponents, *_short_title(view, names, width)]
    lines += _display(decision, paper, style.framed)
    lines += _player(decision, decision.names.seat, paper, style.spread)
    lines += _log(decision, width, style)
    lines += _choices(decision, width, style.spread)
    return [*lines, *hanging(f"[quiet]{names.say('screen.commands')}[/]", width, 2)] if style.spread else lines


def _title(view: View, names: Names, width: int) -> Text:
    title = names.say("screen.title", number=view.round, phase=names.say(f"phase.{view.phase}"))
    line = Text().append("──", style="quiet").append(f" {title} ", style="head")
    room = width - line.cell_len
    if not view.last_round:
        return line.append("─" * max(room, 0), style="quiet")
    last = f" {names.say('screen.last_round')} "
    line.append("─" * max(room - len(last) - 2, 0), style="quiet")
    return line.append(last, style="banner").append("──", style="quiet")


def _short_title(view: View, names: Names, width: int) -> list[Text]:
    title = names.say("screen.short_title", number=view.round, phase=names.say(f"phase.{view.phase}"))
    line = Text().append(title, style="head")
    if view.last_round:
        line.append("  ").append(f" {names.say('screen.last_round')} ", style="banner")
    return flow(line, _pile_sizes(view, names), width)


def _piles(view: View, names: Names, width: int) -> list[Text]:
    pieces = _pile_sizes(view, names)
    top = view.discard[-1] if view.discard else None
    key = "screen.discarded_top" if top else "screen.discarded"
    words = names.say(key, number=len(view.discard), card=names.plain(top) if top else "")
    pieces.append(Text(f" {words}", style="quiet"))
    return flow(Text().append(names.say("screen.piles"), style="head"), pieces, width)


def _pile_sizes(view: View, names: Names) -> list[Text]:
    pieces = []
    for pile, count in view.piles.items():
        words = f" {names.say(f'pile.{pile}')} {count}"
        pieces.append(Text(words, style=texts.COLOURS.get(pile, "default")))
    value = market_words(view, names)
    return [*pieces, Text(f" {value}", style="name.yellow")] if value else pieces


def _display(decision: Decision, paper: Paper, framed: bool) -> list[Text]:
    view, names = decision.view, decision.names
    lines: list[Text] = []
    for row, cards in ((1, view.row1), (2, view.row2)):
        heading, legend = names.say(f"screen.row_{row}"), names.say(f"screen.legend_{row}")
        label = Text().append(heading, style="head")
        shown = [make_box(decision, card, row) for card in cards]
        if not cards:
            lines.append(label.append(f" {names.say('screen.empty_row')}", style="quiet"))
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
    held = [names.say(f"token.{phase}") for phase, holder in view.tokens.items() if holder == seat]
    tokens = names.say("screen.token" if len(held) == 1 else "screen.tokens", held=names.join(held)) if held else ""
    hand = names.say("screen.hand_size", number=len(player.hand), limit=player.hand_limit)
    known = [] if own else _known(player.hand, names)
    parts = [
        names.amount(player.points, "point"),
        names.say("screen.hidden_rubles") if player.rubles is None else names.amount(player.rubles, "ruble"),
        tokens,
        f"{hand} ({', '.join(known)})" if known else hand,
        *player_words(view, names, seat),
    ]
    lines = hanging(f"[player]{names.heading(seat)}[/]  {' · '.join(filter(None, parts))}", paper.width, 4)
    lines += _area(decision, seat, paper.width, spread)
    if own and player.hand:
        shown = [make_box(decision, card.card, 0) for card in player.hand if card.card is not None]
        lines += flow(Text(f"  {names.say('screen.hand')}"), chips(shown, paper.coloured), paper.width)
    return lines


def _known(hand: Sequence[HandCard], names: Names) -> list[str]:
    """The cards on another player's hand: by name where everybody has seen them, else by their backs."""
    seen = Counter(names.card(card.card) for card in hand if card.card is not None)
    backs = Counter(card.pile for card in hand if card.card is None)
    known = [card if count == 1 else f"{card} ×{count}" for card, count in seen.items()]
    return known + [names.amount(count, f"back.{pile}") for pile, count in backs.items()]


def _area(decision: Decision, seat: int, width: int, spread: bool) -> list[Text]:
    """The area by colours: in one line if it fits, else in a line for each colour or, to save room, one by one."""
    groups = _groups(decision.view, decision.names, seat)
    if not groups:
        return [Text(f"  {decision.names.say('screen.no_cards')}", style="quiet")]
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
        label.pad_right(max(_HEADING - label.cell_len, 0))
        lines += flow(label, words, width)
    return lines


def _groups(view: View, names: Names, seat: int) -> list[tuple[Text, list[Text]]]:
    """The area by colours, each under a heading with its number of cards and its income."""
    player = view.players[seat]
    groups = []
    cards = sorted(player.area, key=lambda card: (face(card).exchange, names.cost(card)))
    for phase, colour in texts.COLOURS.items():
        listed = [card for card in cards if face(card).colour == colour]
        if not listed:
            continue
        count = sum(player.area[card] for card in listed)
        group = names.say("screen.group", count=count, colour=names.say(f"colour.{colour}"))
        heading = f"[name.{colour}]{group} {texts.short(*player.income[phase])}[/]"
        words = [_area_card(view, names, seat, card) for card in listed]
        words = [f"{word}," for word in words[:-1]] + words[-1:]
        if colour == "red":
            words.append(f"[red]{names.say('screen.kinds', number=player.different_nobles)}[/]")
        groups.append((marked(heading), [marked(word) for word in words]))
    return groups


def _area_card(view: View, names: Names, seat: int, card: str) -> str:
    """Equal cards in an area."""
    count, down = view.players[seat].area[card], view.players[seat].face_down.get(card, 0)
    name = f"[orange]{names.plain(card)}[/]" if face(card).orange else names.plain(card)
    words = [name if count == 1 else f"{name} ×{count}"]
    if down:
        words.append(names.say("screen.face_down" if count == 1 else "screen.some_face_down", number=down))
    return " ".join([*words, *card_notes(view, names, seat, card)])


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
        lines = [Text(f"  {decision.names.say('screen.more_log')}", style="quiet"), *log_lines(paragraphs, width)]
    return [marked(title), *lines] if style.spread else lines


def choice_words(choice: Choice, names: Names, due: str | None = None) -> str:
    """A choice without its number, with its price."""
    words = names.wording.choice(choice.action, due)
    if choice.price is None:
        return words
    return f"{words}: [price]{names.amount(choice.price.price, 'ruble')}[/]{_sum(choice.price, names)}"


def _sum(price: Price, names: Names) -> str:
    """The figures of a price, where there is more than one."""
    steps = "".join(f" - {part.rubles}" for part in price.reductions if part.reason != "minimum")
    least = any(part.reason == "minimum" for part in price.reductions)
    return f" ({price.cost}{steps}{names.say('screen.at_least_1') if least else ''})" if steps else ""


def _choices(decision: Decision, width: int, spread: bool) -> list[Text]:
    due = decision.view.due
    lines = hanging(f"[head]{decision.question}[/]", width, 2)
    groups = [
        [f"[number]{choice.number:>3}[/]  {choice_words(choice, decision.names, due)}" for choice in group]
        for _, group in groupby(decision.choices, key=lambda choice: choice.action.verb)
    ]
    if not spread:
        return lines + flow(Text(), [marked(piece) for group in groups for piece in group], width)
    for group in groups:
        pieces = [marked(piece) for piece in group]
        if max(piece.cell_len for piece in pieces) > width:
            lines += [line for piece in group for line in hanging(piece, width, 5)]
        else:
            lines += columns(pieces, width)
    return lines
