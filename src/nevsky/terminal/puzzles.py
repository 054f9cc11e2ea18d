"""Puzzles in the terminal: the table as at a decision, one answer, and what was best and why."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Final

from rich.markup import escape

from nevsky.bots.names import PEOPLE
from nevsky.puzzles import Puzzle, Value, shipped
from nevsky.rules.game import redeal
from nevsky.terminal.choices import Choice, Decision, list_choices
from nevsky.terminal.layout import hanging
from nevsky.terminal.names import Names
from nevsky.terminal.paper import Paper, make_console
from nevsky.terminal.table import choice_words, draw
from nevsky.texts import amount, decimal, text

__all__ = ["solve"]

_LEAVING: Final = ("q", "quit")


def solve(language: str, read: Callable[[str], str] = input, paper: Paper | None = None) -> None:
    """One puzzle after the other, in any order, until the person has enough."""
    paper = Paper(make_console()) if paper is None else paper
    names = list(shipped().kept)
    secrets.SystemRandom().shuffle(names)
    right = 0
    for number, name in enumerate(names, 1):
        puzzle = shipped().get(name)
        assert puzzle is not None
        try:
            right += _Screen(puzzle, paper, language, read).solved()
            paper.say(text("puzzle.count", language, right=right, number=number))
            if read(text("puzzle.next", language) + " ").strip().casefold() in _LEAVING:
                return
        except (EOFError, KeyboardInterrupt, _LeaveError):
            paper.say()
            return


class _LeaveError(Exception):
    """The person has enough."""


class _Screen:
    def __init__(self, puzzle: Puzzle, paper: Paper, language: str, read: Callable[[str], str]) -> None:
        assert puzzle.view.seat is not None
        view, seat = puzzle.view, puzzle.view.seat
        seats = list(PEOPLE[: view.ruleset.players])
        seats[seat] = text("you", language)
        self._puzzle = puzzle
        self._paper = paper
        self._names = Names(view.ruleset, seats, seat, language)
        self._read = read
        pricing = redeal(view, "prices").explain
        self._decision = Decision(view, self._names, list_choices(view, pricing), pricing, "", [])

    def solved(self) -> bool:
        """Ask, and tell what was best."""
        draw(self._decision, self._paper)
        self._say("puzzle.title", id=self._puzzle.id, rating=self._puzzle.rating)
        chosen = self._ask().action.text
        best = self._puzzle.proof.best
        right = chosen == best
        self._say("puzzle.right" if right else "puzzle.wrong")
        for value in self._puzzle.proof.values:
            if value.action in (chosen, best) or value is self._puzzle.proof.values[1]:
                self._tell(value)
        margin = self._puzzle.proof.again
        language = self._names.language
        points, doubt = amount(round(margin.points, 1), "point", language), decimal(margin.doubt, language)
        self._say("puzzle.margin", points=points, doubt=doubt, chance=decimal(100 * margin.chance, language))
        return right

    def _ask(self) -> Choice:
        choices = {str(choice.number): choice for choice in self._decision.choices}
        while True:
            entry = self._read(self._names.say("puzzle.prompt") + " ").strip()
            if entry.casefold() in _LEAVING:
                raise _LeaveError
            if entry in choices:
                return choices[entry]
            self._say("puzzle.number", first=min(map(int, choices)), last=max(map(int, choices)))

    def _tell(self, value: Value) -> None:
        names = self._names
        choice = next(each for each in self._decision.choices if each.action.text == value.action)
        points = amount(round(value.behind, 1), "point", names.language)
        best = value.action == self._puzzle.proof.best
        standing = names.say("screen.hint_best") if best else names.say("screen.hint_behind", points=points)
        words = choice_words(choice, names, self._decision.view.due)
        reason = value.why.say(names.language, names.ruleset.edition, names.seats)
        line = f"[number]{choice.number:>3}[/]  {words}  [head]{standing}[/]"
        self._paper.lines([*hanging(line, self._paper.width, 5), f"     [quiet]{escape(reason)}[/]"])

    def _say(self, key: str, **values: object) -> None:
        self._paper.say(self._names.say(key, you=False, **values))
