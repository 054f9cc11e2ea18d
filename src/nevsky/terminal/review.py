"""A review on the terminal: how accurate a seat was, how good its deal, what was better, and what decided most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from nevsky.printable import printable
from nevsky.review import Luck, Verdict, moments, summarize
from nevsky.rules.actions import parse_action
from nevsky.rules.game import Game
from nevsky.texts import amount, decimal, series, text
from nevsky.texts.sentences import Wording

__all__ = ["show_review"]

_COLOURS: Final = {
    "best": "green",
    "good": "default",
    "inaccuracy": "yellow",
    "mistake": "dark_orange",
    "blunder": "red",
}


def show_review(
    console: Console, game: Game, seat: int, verdicts: Sequence[Verdict], luck: Luck | None, language: str
) -> None:
    """Everything about one seat."""
    page = _Page(console, game, language)
    page.head(seat, verdicts)
    if luck is not None and game.result is not None:
        page.luck(luck, game.result.final[seat].total)
    page.list("review.improve", [each for each in verdicts if each.mark not in ("best", "good")])
    page.list("review.moments", moments(verdicts))


class _Page:
    def __init__(self, console: Console, game: Game, language: str) -> None:
        self._console = console
        self._language = language
        self._names = [printable(name) for name in game.seats]
        self._wording = Wording(language, game.ruleset.edition, self._names)

    def _say(self, key: str, **values: Any) -> str:
        return text(key, self._language, **values)

    def head(self, seat: int, verdicts: Sequence[Verdict]) -> None:
        summary = summarize(verdicts)
        accuracy = "–" if summary.accuracy is None else decimal(summary.accuracy, self._language)
        title = self._say("review.title", name=self._names[seat], accuracy=accuracy)
        self._print(Text(title, "bold"))
        each = [
            f"{self._say(f'phase.{phase}')} {decimal(value, self._language)} %"
            for phase, value in summary.phases.items()
        ]
        self._print(Text(series(each, self._language)))
        counts = Text()
        for mark, number in summary.marks.items():
            counts.append(f"{self._say(f'review.mark.{mark}')} {number}   ", _COLOURS[mark])
        self._print(counts)

    def luck(self, luck: Luck, made: int) -> None:
        key = "review.luck" if luck.sure else "review.luck.unclear"
        values = {
            "luck": self._signed(luck.luck),
            "doubt": decimal(luck.doubt, self._language),
            "better": round(100 * luck.better),
            "chance": self._signed(100 * luck.chance_luck),
            "chance_doubt": decimal(100 * luck.chance_doubt, self._language),
        }
        self._print(Text(self._say(key, **values)))
        points = amount(made, "point", self._language)
        rest = self._signed(made - luck.points)
        expected = decimal(luck.points, self._language)
        self._print(Text(self._say("review.luck.made", made=points, expected=expected, rest=rest), "dim"))

    def _signed(self, number: float) -> str:
        sign = "−" if number < 0 else "+"
        return sign + decimal(abs(number), self._language)

    def list(self, title: str, verdicts: Sequence[Verdict]) -> None:
        if not verdicts:
            return
        self._print(Text(f"\n{self._say(title)}", "bold"))
        for each in verdicts:
            line = Text(f"{each.step + 1:4}. ")
            line.append(self._say(f"review.mark.{each.mark}"), f"bold {_COLOURS[each.mark]}")
            when = self._say("review.round", number=each.round, phase=self._say(f"pile.{each.phase}"))
            self._print(line.append(f"  {self._lost(each)}  ").append(when, "dim"))
            self._print(Padding(self._words(each), (0, 0, 0, 6)))

    def _words(self, each: Verdict) -> Text:
        words = Text(self._say("review.played", choice=self._choice(each, each.played)))
        other = self._choice(each, each.better)
        if each.mark == "best":
            return words.append(f"\n{self._say('review.found', choice=other)}", "dim")
        words.append(f"\n{self._say('review.better', choice=other)}")
        return words.append(f" {each.why.say(self._language, self._wording.edition, self._names)}", "dim")

    def _choice(self, each: Verdict, action: str) -> str:
        return self._wording.choice(parse_action(action), each.due)

    def _lost(self, each: Verdict) -> str:
        key = "review.gained" if each.mark == "best" else "review.points"
        points = amount(round(abs(each.behind), 1), "point", self._language)
        chance = decimal(100 * max(0.0, each.lost), self._language)
        return self._say(key, points=points, doubt=decimal(each.doubt, self._language), chance=chance)

    def _print(self, words: Text | Padding) -> None:
        self._console.print(words)
