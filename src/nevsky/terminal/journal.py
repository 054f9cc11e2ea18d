"""The log of the game: what everybody has seen happen, and nothing else (12.3)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from nevsky.rules.game import Game
from nevsky.rules.moves import Move
from nevsky.telling import HIDDEN, UNNAMED, MoveFacts, Opening, Telling
from nevsky.terminal.names import Names
from nevsky.texts import amounts, series

__all__ = ["Entry", "Journal", "sentences"]


class Entry(NamedTuple):
    """One line of the log."""

    number: int
    """The move it belongs to."""
    round: int
    text: str
    auto: bool = False
    passed: int | None = None
    """The seat that passed: passes in a row are told in one sentence."""


class Journal:
    """Keeps the log of a game as one seat has seen it."""

    def __init__(self, game: Game, names: Names) -> None:
        self._game = game
        self._names = names
        self._telling = Telling(game)
        self._told = 0
        opponents = [names.person(seat).name for seat in range(game.ruleset.players) if seat != names.seat]
        edition = names.say(f"edition.{game.ruleset.edition}")
        self.entries = [Entry(0, 1, names.say("journal.welcome", edition=edition, names=names.join(opponents)))]

    def catch_up(self) -> None:
        """Write down the moves that are new."""
        self._telling.catch_up(self._game)
        for facts in self._telling.moves[self._told :]:
            self._note(facts)
        self._told = len(self._telling.moves)

    def forget(self) -> None:
        """Strike out the moves that were taken back."""
        self._telling.take_back(self._game)
        self._told = len(self._telling.moves)
        self.entries = [entry for entry in self.entries if entry.number <= self._told]

    def since(self, number: int) -> list[Entry]:
        """The entries that belong to moves after this one."""
        return [entry for entry in self.entries if entry.number > number]

    def _note(self, facts: MoveFacts) -> None:
        move, viewer = facts.move, self._names.seat
        secret = self._telling.secrecy(facts, viewer)
        if secret == HIDDEN:
            return
        passed = move.seat if move.action.verb == "pass" and facts.due == "turn" else None
        self._add(move, self._sentence(facts, secret == UNNAMED), self._telling.auto(facts, viewer), passed)
        for line in self._following(facts):
            self._add(move, line)
        if facts.opening is not None:
            self._phase(move, facts.opening)

    def _phase(self, move: Move, opening: Opening) -> None:
        """A new round or phase and its cards."""
        names, lines = self._names, []
        if opening.round != move.round:
            line = names.say("journal.round", number=opening.round)
            if opening.cleared:
                line += " " + names.say("journal.cleared", cards=", ".join(map(names.card, opening.cleared)))
            if opening.value is not None:
                line += " " + names.say("journal.value", high=opening.value[0], low=opening.value[1])
            lines.append(line)
        if opening.phase != move.phase:
            new = ", ".join(map(names.card, opening.new)) or names.say("nothing")
            lines.append(names.say("journal.phase", phase=names.say(f"phase.{opening.phase}"), cards=new))
        if opening.empty_pile is not None:
            lines.append(names.say("journal.last_round", pile=names.say(f"the_pile.{opening.empty_pile}")))
        for line in lines:
            self._add(move, line, round_=opening.round)

    def _add(self, move: Move, text: str, auto: bool = False, passed: int | None = None, *, round_: int = 0) -> None:
        text = text.replace("![/].", "![/]")  # some cards end in an exclamation mark
        self.entries.append(Entry(move.number, round_ or move.round, text, auto, passed))

    def _sentence(self, facts: MoveFacts, unnamed: bool) -> str:
        who = self._names.person(facts.move.seat)
        told = self._names.wording.log(
            facts.move.action, facts.paid, name=who.name, you=who.you, due=facts.due, secret=unnamed
        )
        return f"{told}."

    def _following(self, facts: MoveFacts) -> list[str]:
        """What the scoring, cards, events and tiles have brought."""
        names = self._names
        shares = [
            names.say(
                "log.gains",
                name=names.within(gain.seat),
                gains=amounts(gain.rubles, gain.points, names.language, signed=not facts.scoring),
            )
            for gain in facts.gains
        ]
        lines = []
        scored = facts.scoring and facts.move.phase != "exchange"
        if scored and (shares or facts.move.action.verb == "pass"):
            scoring = names.say(f"scoring.{facts.move.phase}")
            shown = series(shares, names.language) or names.say("journal.nobody")
            lines.append(names.say("journal.scored", scoring=scoring, shares=shown))
        elif shares:
            lines.append(names.say("journal.gains", shares=series(shares, names.language)))
        for tile in facts.tiles:
            who = names.person(tile.seat)
            points = names.amount(tile.lost, "point")
            key = f"log.obstacle.{tile.how}"
            lines.append(names.say(key, you=who.you, name=who.name, space=tile.space, points=points) + ".")
        return lines


def sentences(entries: Iterable[Entry], names: Names) -> list[str]:
    """Entries as sentences; players who passed one after the other share one."""
    told: list[str] = []
    passing: list[int] = []
    automatic = False
    mark = f" {names.say('journal.automatic')}"
    for entry in entries:
        if entry.passed is None:
            told.append(entry.text + (mark if entry.auto else ""))
            passing = []
            continue
        if passing and entry.auto == automatic and entry.passed not in passing:
            told.pop()
        else:
            passing = []
        passing.append(entry.passed)
        automatic = entry.auto
        told.append((entry.text if len(passing) == 1 else _passes(passing, names)) + (mark if automatic else ""))
    return told


def _passes(seats: list[int], names: Names) -> str:
    return names.say("log.pass_all", you=names.seat in seats, names=names.together(seats)) + "."
