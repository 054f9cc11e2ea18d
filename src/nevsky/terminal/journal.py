"""The log of the game: what everybody has seen happen, and nothing else (12.3)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

from nevsky.rules.game import Game, Move
from nevsky.rules.view import View, make_view
from nevsky.terminal import telling
from nevsky.terminal.names import Names

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
        self._before = make_view(game.start_position, game.ruleset, names.seat)
        opponents = [names.person(seat).name for seat in range(game.ruleset.players) if seat != names.seat]
        self.entries = [Entry(0, 1, telling.welcome(game.ruleset.edition, opponents))]

    def catch_up(self) -> None:
        """Write down the moves that are new."""
        game = self._game
        for move, position in islice(game.replay(), self._known, None):
            after = make_view(position, game.ruleset, self._names.seat)
            self._note(move, self._before, after)
            self._before = after
            self._known = move.number

    def forget(self) -> None:
        """Strike out the moves that were taken back."""
        self._known = len(self._game.moves)
        self._before = self._game.view(self._names.seat)
        self.entries = [entry for entry in self.entries if entry.number <= self._known]

    def since(self, number: int) -> list[Entry]:
        """The entries that belong to moves after this one."""
        return [entry for entry in self.entries if entry.number > number]

    def _note(self, move: Move, before: View, after: View) -> None:
        passed = move.seat if move.action.verb == "pass" else None
        self._add(move, self._told(move), move.auto, passed)
        ended = after.phase != move.phase or after.due is None
        if move.phase != "exchange" and move.action.verb != "pub" and (ended or after.due == "pub"):
            self._add(move, telling.scored(move.phase, self._gains(after, move.phase)))
        if after.round != move.round:
            cleared = [self._names.card(card) for card in before.row2]
            self._add(move, telling.round_begins(after.round, cleared), round_=after.round)
        if after.phase != move.phase:
            drawn = max(before.piles[after.phase] - after.piles[after.phase], 0)
            new = [self._names.card(card) for card in after.row1[:drawn]]
            self._add(move, telling.phase_begins(after.phase, new), round_=after.round)
        if after.last_round and not before.last_round:
            empty = next(pile for pile, count in after.piles.items() if count == 0)
            self._add(move, telling.last_round(empty), round_=after.round)

    def _add(self, move: Move, text: str, auto: bool = False, passed: int | None = None, *, round_: int = 0) -> None:
        self.entries.append(Entry(move.number, round_ or move.round, text, auto, passed))

    def _told(self, move: Move) -> str:
        names, action = self._names, move.action
        secret = action.verb == "take" and action.drawn and move.seat != names.seat and not names.ruleset.open_hands
        card = names.a_card(action.card) if action.card and not secret else ""
        onto = names.a_card(action.onto) if action.onto else ""
        return telling.move(names.person(move.seat), action, move.price, card, onto)

    def _gains(self, view: View, phase: str) -> list[tuple[telling.Person, int, int]]:
        """What a scoring has paid: nothing that counts for it has changed since."""
        first = view.tokens[phase]
        seats = [(first + i) % len(view.players) for i in range(len(view.players))]
        return [(self._names.person(seat), *view.players[seat].income[phase]) for seat in seats]


def sentences(entries: Iterable[Entry], names: Names) -> list[str]:
    """Entries as sentences; players who passed one after the other share one."""
    told: list[str] = []
    passing: list[int] = []
    automatic = False
    for entry in entries:
        if entry.passed is None:
            told.append(entry.text + (telling.AUTOMATIC if entry.auto else ""))
            passing = []
            continue
        if passing and entry.auto == automatic and entry.passed not in passing:
            told.pop()
        else:
            passing = []
        passing.append(entry.passed)
        automatic = entry.auto
        told.append(telling.passes([names.person(seat) for seat in passing]) + (telling.AUTOMATIC if automatic else ""))
    return told
