"""The log of the game: what everybody has seen happen, and nothing else (12.3)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from nevsky.cards import PILES
from nevsky.narrate import HIDDEN, UNNAMED, Changes, changes, secrecy, told_price
from nevsky.rules.constants import DUES
from nevsky.rules.explain import explain
from nevsky.rules.game import Game, Move
from nevsky.rules.position import Position
from nevsky.rules.view import View, make_view
from nevsky.terminal.names import Names
from nevsky.texts import amounts

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
        self._known = 0
        self._before = game.start_position
        opponents = [names.person(seat).name for seat in range(game.ruleset.players) if seat != names.seat]
        edition = names.say(f"edition.{game.ruleset.edition}")
        self.entries = [Entry(0, 1, names.say("journal.welcome", edition=edition, names=names.join(opponents)))]

    def catch_up(self) -> None:
        """Write down the moves that are new."""
        for action, auto in self._game.moves[self._known :]:  # not replay(): that would begin at the start each time
            before, after = self._before, self._before.copy()
            after.play(action.id)
            price = explain(before, before.seat, action)
            self._known += 1
            move = Move(
                number=self._known,
                round=before.round,
                phase=PILES[before.phase],
                seat=before.seat,
                action=action,
                price=None if price is None else price.price,
                auto=auto,
            )
            self._note(move, before, after)
            self._before = after

    def forget(self) -> None:
        """Strike out the moves that were taken back."""
        self._known = len(self._game.moves)
        self._before = self._game.position
        self.entries = [entry for entry in self.entries if entry.number <= self._known]

    def since(self, number: int) -> list[Entry]:
        """The entries that belong to moves after this one."""
        return [entry for entry in self.entries if entry.number > number]

    def _note(self, move: Move, before: Position, after: Position) -> None:
        secret = secrecy(move, before, self._game, self._names.seat)
        if secret == HIDDEN:
            return
        passed = move.seat if move.action.verb == "pass" and DUES[before.due] == "turn" else None
        self._add(move, self._told(move, before, secret), move.auto, passed)
        for line in self._following(move, changes(move, before, after)):
            self._add(move, line)
        was, now = ((p.round, p.phase, p.last_round) for p in (before, after))
        if was != now and not after.over:
            self._phase(move, self._view(before), self._view(after))

    def _view(self, position: Position) -> View:
        return make_view(position, self._game.ruleset, self._names.seat)

    def _phase(self, move: Move, before: View, after: View) -> None:
        """A new round or phase and its cards."""
        names = self._names
        if after.round != move.round:
            line = names.say("journal.round", number=after.round)
            if before.row2:
                line += " " + names.say("journal.cleared", cards=", ".join(names.card(card) for card in before.row2))
            if names.ruleset.market:
                high, low = after.table["tiles"]["value"]
                line += " " + names.say("journal.value", high=high, low=low)
            self._add(move, line, round_=after.round)
        if after.phase != move.phase:
            drawn = max(before.piles[after.phase] - after.piles[after.phase], 0)
            new = ", ".join(names.card(card) for card in after.row1[:drawn]) or names.say("nothing")
            line = names.say("journal.phase", phase=names.say(f"phase.{after.phase}"), cards=new)
            self._add(move, line, round_=after.round)
        if after.last_round and not before.last_round:
            empty = next(pile for pile, count in after.piles.items() if count == 0)
            line = names.say("journal.last_round", pile=names.say(f"the_pile.{empty}"))
            self._add(move, line, round_=after.round)

    def _add(self, move: Move, text: str, auto: bool = False, passed: int | None = None, *, round_: int = 0) -> None:
        text = text.replace("![/].", "![/]")  # some cards end in an exclamation mark
        self.entries.append(Entry(move.number, round_ or move.round, text, auto, passed))

    def _told(self, move: Move, before: Position, secret: str) -> str:
        who = self._names.person(move.seat)
        told = self._names.telling.log(
            move.action,
            told_price(move),
            name=who.name,
            you=who.you,
            due=DUES[before.due],
            secret=secret == UNNAMED,
        )
        return f"{told}."

    def _following(self, move: Move, after: Changes) -> list[str]:
        """What the scoring, cards, events and tiles have brought."""
        names = self._names
        shares = [
            names.say(
                "log.gains",
                name=names.within(gain.seat),
                gains=amounts(gain.rubles, gain.points, names.language, signed=not after.scoring),
            )
            for gain in after.gains
        ]
        lines = []
        scored = after.scoring and move.phase != "exchange"
        if scored and (shares or move.action.verb == "pass"):
            scoring = names.say(f"scoring.{move.phase}")
            shown = "; ".join(shares) or names.say("journal.nobody")
            lines.append(names.say("journal.scored", scoring=scoring, shares=shown))
        elif shares:
            lines.append(names.say("journal.gains", shares="; ".join(shares)))
        for tile in after.tiles:
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
