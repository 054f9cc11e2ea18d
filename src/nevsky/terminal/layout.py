"""Putting pieces of text next to each other."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

__all__ = ["columns", "cut", "flow", "hanging", "marked"]

_MEASURE = Console(width=80)


def marked(markup: str) -> Text:
    """Markup as text; nobody's name turns into an emoji."""
    return Text.from_markup(markup, emoji=False)


def cut(words: str, width: int) -> str:
    """The words, shortened to a width."""
    text = Text(words)
    text.truncate(width, overflow="ellipsis")
    return text.plain


def flow(label: Text, pieces: Sequence[Text], width: int) -> list[Text]:
    """A label and behind it the pieces, in as few lines as they need."""
    indent = label.cell_len
    lines = [label]
    for piece in pieces:
        if lines[-1].cell_len > indent and lines[-1].cell_len + 1 + piece.cell_len > width:
            lines.append(Text(" " * indent))
        lines[-1].append(" ").append_text(piece)
    return lines


def columns(pieces: Sequence[Text], width: int, *, gap: int = 3, most: int = 4) -> list[Text]:
    """Pieces in as many columns as fit, read downwards."""
    for number in range(min(most, len(pieces)), 0, -1):
        height = -(-len(pieces) // number)
        stacks = [pieces[start : start + height] for start in range(0, len(pieces), height)]
        widths = [max(piece.cell_len for piece in stack) for stack in stacks]
        if number > 1 and sum(widths) + gap * (len(stacks) - 1) > width:
            continue
        lines = [Text() for _ in range(height)]
        for stack, room in zip(stacks, widths, strict=True):
            for line, piece in zip(lines, stack, strict=False):
                line.append_text(piece).append(" " * (room - piece.cell_len + gap))
        for line in lines:
            line.rstrip()
        return lines
    return []


def hanging(markup: str, width: int, indent: int) -> list[Text]:
    """A paragraph whose further lines are indented."""
    text = marked(markup)
    if text.cell_len <= width:
        return [text]
    first, *rest = text.wrap(_MEASURE, width)
    for line in rest:
        line.rstrip()
    remaining = Text(" ").join(rest)
    lines = [first]
    for line in remaining.wrap(_MEASURE, max(width - indent, 1)):
        lines.append(Text(" " * indent).append_text(line))
    for line in lines:
        line.rstrip()
    return lines
