"""What the strongest bot advises, in lines for the screen."""

from __future__ import annotations

from rich.markup import escape

from nevsky.bots.protocol import Suggestion
from nevsky.terminal.names import Names
from nevsky.texts import amount, decimal

__all__ = ["hint_lines"]

_INDENT = "     "


def hint_lines(suggestion: Suggestion, words: str, names: Names, *, first: bool) -> list[str]:
    """The choice with what it costs against the best one, the figures and the reason."""
    compared, reason = suggestion.comparison, suggestion.reason
    if suggestion.why is not None:
        reason = suggestion.why.say(names.language, names.ruleset.edition, names.seats)
    told = f"{_INDENT}[quiet]{escape(reason)}[/]"
    if compared is None:
        return [words, told]
    if first:
        standing = names.say("screen.hint_best")
    elif compared.close:
        standing = names.say("screen.hint_close")
    else:
        standing = names.say("screen.hint_behind", points=amount(compared.behind, "point", names.language))
    seats = sorted(range(len(compared.chances)), key=lambda seat: seat != names.seat)
    chances = ", ".join(f"{names.within(seat)} {100 * compared.chances[seat]:.0f} %" for seat in seats)
    figures = names.say("screen.hint_figures", score=decimal(suggestion.expected or 0.0, names.language), names=chances)
    return [f"{words}  [head]{standing}[/]", told, f"{_INDENT}[quiet]{figures}[/]"]
