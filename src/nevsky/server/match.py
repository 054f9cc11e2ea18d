"""The game at a table together with its log of entries: who may do what, and which version each viewer has seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from nevsky.errors import NevskyError
from nevsky.rules.actions import Action, parse_action
from nevsky.rules.game import Game
from nevsky.rules.moves import Played
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.view import PlayerView, View, make_view
from nevsky.server.errors import Refusal
from nevsky.server.schema import Entry
from nevsky.server.table_log import TableLog

__all__ = ["Match", "Outcome", "deal_data", "deal_game"]


class Outcome(NamedTuple):
    """Where an entry leads."""

    game: Game
    played: Sequence[Played]
    """The decision and the forced ones after it; empty where one was taken back."""


class Decision(NamedTuple):
    """A decision that still stands."""

    seat: int
    can_undo: bool
    """A person made it, and nothing hidden was seen since."""


def deal_data(game: Game) -> dict[str, Any]:
    """The deal of a game, ready to be stored."""
    return {"piles": game.piles, "tokens": game.tokens, "deal": game.deal, "seed": game.seed}


def deal_game(ruleset: Ruleset, deal: dict[str, Any], names: Sequence[str]) -> Game:
    """The game that was dealt, before its first decision."""
    game = Game.from_piles(ruleset, deal["piles"], deal["tokens"], seats=names, auto=True, **deal["deal"])
    game.seed = deal["seed"]
    return game


class Match:
    """A game and the entries that led to where it stands."""

    def __init__(self, game: Game, entries: Sequence[Entry] = ()) -> None:
        self.game = game
        self.log = TableLog(game)
        self.entries = 0
        self._made: list[Decision] = []
        self._hidden: list[int] = []
        self._views: dict[int | None, View] = {}
        self._others: dict[int, PlayerView] = {}
        for entry in entries:
            self.add(entry, self.tried(entry.seat, None if entry.action is None else parse_action(entry.action)))

    def view(self, seat: int | None) -> View:
        """The view of a seat, made once however often it is asked for."""
        found = self._views.get(seat)
        if found is None:
            found = make_view(self.game.position, self.game.ruleset, seat, self._others)
            self._views[seat] = found
        return found

    def version(self, viewer: int | None) -> int:
        """How many entries the viewer may know of: a secret question leaves no trace for the others."""
        return self.entries - sum(seat != viewer for seat in self._hidden)

    def tried(self, seat: int, action: Action | None) -> Outcome:
        """Where a decision of the seat leads, or with None the taking back of its last one; nothing changes yet."""
        game = self.game.copy()
        if action is None:
            game.undo()
            return Outcome(game, ())
        if game.to_move != seat:
            raise NevskyError("game.not_to_move", seat=seat)
        return Outcome(game, game.play(action))

    def add(self, entry: Entry, outcome: Outcome) -> None:
        """Take over an entry and where it led."""
        self.game, played = outcome
        self._views.clear()
        self._others.clear()
        self.entries = entry.number
        if not played:
            self._made.pop()
            self.log.take_back(self.game)
            return
        hidden = self.log.add(played)
        if hidden:
            self._hidden.append(entry.seat)
        seen = hidden or self.game.over or played[0].before.pile_n != played[-1].after.pile_n
        self._made.append(Decision(entry.seat, entry.by != "bot" and not seen))

    def can_undo(self, seat: int | None) -> bool:
        """Whether the last decision is the seat's own and nothing hidden was seen since."""
        return seat is not None and bool(self._made) and self._made[-1] == Decision(seat, True)

    def check(self, seat: int, action: Action) -> None:
        """Refuse an action that is not legal for the seat whose turn it is or seems to be."""
        if self.game.over:
            raise Refusal("illegal", NevskyError("game.over"))
        view = self.view(seat)
        if view.to_move != seat:
            raise Refusal("not_your_turn", "turn")
        if action.text not in view.legal:
            raise Refusal("illegal", NevskyError("action.impossible", action=repr(action.text)))
