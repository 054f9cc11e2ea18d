"""The game loop: asks the person, lets the opponents choose, and answers questions in between."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from rich.markup import escape

from nevsky.rules.game import Game
from nevsky.rules.view import View
from nevsky.terminal import help as helping
from nevsky.terminal.choices import Choice, Decision, list_choices
from nevsky.terminal.final import show_final
from nevsky.terminal.hints import hint_lines
from nevsky.terminal.journal import Journal, sentences
from nevsky.terminal.layout import hanging
from nevsky.terminal.names import Names
from nevsky.terminal.opponents import Opponent, Opponents, think_about
from nevsky.terminal.paper import Paper
from nevsky.terminal.receipt import receipt
from nevsky.terminal.table import choice_words, draw, log_lines

__all__ = ["Session"]

_WORDS: Final = {
    "help": "?",
    "hint": "h",
    "explain": "e",
    "card": "c",
    "log": "l",
    "undo": "u",
    "quit": "q",
    "pass": "p",
}
_LONGEST_ECHO: Final = 30


class _LeaveError(Exception):
    """The person leaves the table."""


class Session:
    """One person's game, from the first decision to the final scoring."""

    def __init__(
        self,
        game: Game,
        paper: Paper,
        read: Callable[[str], str] = input,
        *,
        seat: int = 0,
        language: str = "en",
        opponents: Sequence[Opponent] = (),
    ) -> None:
        self.game = game
        self.seat = seat
        self.names = Names(game.ruleset, game.seats, seat, language)
        self.journal = Journal(game, self.names)
        self._paper = paper
        self._read = read
        self._decisions: list[tuple[int, list[int]]] = []
        """Own decisions: how many moves there were before each, and how many hidden cards."""
        self._note = ""
        self._opponents = Opponents(game, seat, opponents, self._wait_for)

    def run(self) -> bool:
        """Play to the end; False if the person left before."""
        try:
            self._opponents.play_on()
            while not self.game.over:
                self._decide()
                self._opponents.play_on()
        except EOFError:
            self._paper.say()
            self._say("input_ended")
            return False
        except _LeaveError:
            return False
        self.journal.catch_up()
        self._paper.clear()
        self._paper.say(f"[head]{self.names.say('screen.since')}[/]")
        self._paper.lines(log_lines(self._news(), self._paper.width))
        show_final(self.game, self.names, self._paper)
        for seat, number, reason in self._opponents.failures():
            self._say("bot_failed", name=self.names.within(seat), number=number, reason=escape(reason))
        return True

    def _say(self, key: str, **values: object) -> None:
        self._paper.say(self.names.say(f"screen.{key}", you=False, **values))

    def _wait_for(self, name: str) -> None:
        """Say who thinks, or with no name that nobody does any more."""
        self._paper.wait(self.names.say("screen.thinking", name=escape(name)) if name else "")

    def _news(self) -> list[str]:
        last = self._decisions[-1][0] if self._decisions else -1
        news = sentences(self.journal.since(last), self.names)
        if self._note:
            news.insert(0, self._note)
        return news

    def decision(self) -> Decision:
        """The decision that is due, as it is drawn."""
        self.journal.catch_up()
        view = self.game.view(self.seat)
        title = self.names.say("screen.since" if self._decisions else "screen.beginning")
        return Decision(view, self.names, list_choices(view, self.game.explain), self.game.explain, title, self._news())

    def _decide(self) -> None:
        decision = self.decision()
        moves = len(self.game.moves)
        draw(decision, self._paper)
        while True:
            entry = self._read(self.names.say("screen.prompt") + " ").strip()
            if not entry:
                draw(decision, self._paper)
                continue
            choice = self._answer(entry, decision)
            if choice is not None:
                self._decisions.append((moves, _hidden(decision.view)))
                self._note = ""
                self.game.push(choice.action)
                return
            if len(self.game.moves) != moves:
                return

    def _answer(self, entry: str, decision: Decision) -> Choice | None:
        """The choice that was made; None when it was a command or a mistake."""
        first, last = decision.choices[0].number, decision.choices[-1].number
        if entry.isdecimal():
            choice = _numbered(entry, decision)
            if choice is None:
                self._say("no_such_number", first=first, last=last)
            return choice
        command, rest = _split(entry)
        match command:
            case "p":
                passing = next((choice for choice in decision.choices if choice.action.verb == "pass"), None)
                if passing is None:
                    self._say("must_act")
                return passing
            case "?":
                self._paper.lines(helping.help_lines(self.names, self._paper.width))
            case "h":
                self._hint(decision)
            case "e":
                self._explain(rest, decision)
            case "c":
                self._card(rest, decision)
            case "l":
                self._log(everything=rest.casefold() == "all")
            case "u":
                self._undo(decision)
            case "q":
                self._quit()
            case _:
                self._say("not_understood", entry=_echo(entry), first=first, last=last)
        return None

    def _hint(self, decision: Decision) -> None:
        """The best choices as the strongest bot sees them, with the reason for each."""
        self._paper.wait(self.names.say("screen.hint_thinking"))
        try:
            view = self.game.view(self.seat, memory=True)
            found = think_about(view)
        finally:
            self._paper.wait("")
        if not found:
            self._say("no_hint")
            return
        choices = {choice.action.text: choice for choice in decision.choices}
        self._say("hint")
        for suggestion in found:
            choice = choices[suggestion.action]
            words = f"[number]{choice.number:>3}[/]  {choice_words(choice, self.names, view.due)}"
            for line in hint_lines(suggestion, words, self.names, first=suggestion is found[0]):
                self._paper.lines(hanging(line, self._paper.width, 5))
        compared = found[0].comparison
        if compared is not None and not compared.thorough:
            self._say("hint_hurried", number=compared.playouts)

    def _explain(self, rest: str, decision: Decision) -> None:
        choice = _numbered(rest, decision)
        if choice is None:
            self._say("what_number", command="e", first=decision.choices[0].number, last=decision.choices[-1].number)
            return
        if choice.price is None:
            words = choice_words(choice, self.names, decision.view.due)
            self._say("costs_nothing", number=choice.number, words=words)
            return
        self._paper.lines(receipt(choice.price, decision.own.rubles or 0, self.names))

    def _card(self, rest: str, decision: Decision) -> None:
        if not rest:
            self._say("no_card_named")
            return
        choice = _numbered(rest, decision)
        if choice is not None and choice.action.card:
            cards, problem = [choice.action.card], ""
        else:
            cards, problem = helping.look_up(_echo(rest, markup=False), self.names)
        if problem:
            self._paper.say(problem)
        elif len(cards) > 1:
            self._paper.say(helping.several(cards, self.names))
        else:
            for line in helping.card_lines(cards[0], self.names):
                self._paper.lines(hanging(line, self._paper.width, 2))

    def _log(self, *, everything: bool) -> None:
        entries = [entry for entry in self.journal.entries if everything or entry.round == self.game.round]
        self._paper.lines(log_lines(sentences(entries, self.names), self._paper.width))

    def _undo(self, decision: Decision) -> None:
        """Take back the last own decision, unless the person has seen hidden cards since."""
        if not self._decisions:
            self._say("nothing_to_undo")
            return
        moves, hidden = self._decisions[-1]
        if hidden != _hidden(decision.view):
            self._say("seen_since")
            return
        self._decisions.pop()
        words = self.journal.since(moves)[0].text
        while len(self.game.moves) > moves:
            self.game.undo()
        self.journal.forget()
        self._opponents.rewind()
        self._note = self.names.say("screen.taken_back", words=words)

    def _quit(self) -> None:
        answer = self._read(self.names.say("screen.leave") + " ").strip().casefold()
        if answer in self.names.say("screen.yes").split():
            raise _LeaveError
        self._say("going_on")


def _hidden(view: View) -> list[int]:
    """How many cards of each pile and of each hand, and how many assignments, the person has not seen."""
    assignments = sum(own is None for own in view.table.get("assignments", ()))
    hands = [sum(card.card is None for card in player.hand) for player in view.players]
    return [*view.piles.values(), *hands, assignments]


def _split(entry: str) -> tuple[str, str]:
    """The command and what stands behind it, as in ``e 7``, ``e7`` or ``explain 7``."""
    word, _, rest = entry.partition(" ")
    glued = re.fullmatch(r"([a-zA-Z])(\d+)", word)
    if glued and not rest:
        word, rest = glued.groups()
    word = word.casefold()
    return _WORDS.get(word, word), rest.strip()


def _numbered(entry: str, decision: Decision) -> Choice | None:
    if not entry.isdecimal() or len(entry) > 4:
        return None
    return next((choice for choice in decision.choices if choice.number == int(entry)), None)


def _echo(entry: str, *, markup: bool = True) -> str:
    """What was typed, short and safe to print."""
    words = "".join(letter if letter.isprintable() else "?" for letter in entry)
    words = words if len(words) <= _LONGEST_ECHO else words[:_LONGEST_ECHO] + "…"
    return escape(words) if markup else words
