"""The game at a table together with its log of entries: who may do what, and which version each viewer has seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from nevsky.errors import NevskyError
from nevsky.rules.actions import Action, parse_action
from nevsky.rules.game import Game
from nevsky.rules.modules import BANQUET
from nevsky.rules.moves import Played
from nevsky.rules.position import Position
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.view import SharedView, View, as_seen, make_view
from nevsky.server.errors import Refusal
from nevsky.server.schema import Entry
from nevsky.server.table_log import TableLog

__all__ = ["Match", "Outcome", "deal_data", "deal_game"]

_OWN: Final = frozenset({"player", "auto"})
"""Entries by the players themselves."""
_TOLD: Final = 60
"""Moves that are found out about when a game is loaded: at least as many as people are shown."""


class Outcome(NamedTuple):
    """Where an entry leads."""

    game: Game
    played: Sequence[Played]
    """The decision and the forced ones after it; empty where one was taken back."""


class Decision(NamedTuple):
    """A decision that still stands."""

    seat: int
    own: bool
    """The player made it, and no bot for them."""
    start: int
    """How many moves had been made before it."""
    seen: bool | None = None
    """Somebody has seen something hidden after it; None where nobody has asked yet."""
    shown: frozenset[int] = frozenset()
    """Seats that have shown cards from the hand which nobody else knew."""


def deal_data(game: Game) -> dict[str, Any]:
    """The deal of a game, ready to be stored; of one that began in the middle, all that lay on the table."""
    start = {key: value for key, value in (game.arranged or {}).items() if key not in ("piles", "tokens")}
    return {"piles": game.piles, "tokens": game.tokens, "deal": start or game.deal, "seed": game.seed}


def deal_game(ruleset: Ruleset, deal: dict[str, Any], names: Sequence[str]) -> Game:
    """The game that was dealt, before its first decision."""
    game = Game.from_piles(ruleset, deal["piles"], deal["tokens"], seats=names, auto=True, **deal["deal"])
    game.seed = deal["seed"]
    return game


def _shown(before: Position, after: Position, players: int) -> frozenset[int]:
    """The seats with fewer cards on the hand than before that nobody else knows."""
    return frozenset(
        seat for seat in range(players) if after.seen_of(seat).count(False) < before.seen_of(seat).count(False)
    )


class Match:
    """A game and the entries that led to where it stands."""

    def __init__(self, game: Game, entries: Sequence[Entry] = ()) -> None:
        self.game = game
        self.entries = 0
        self._made: list[Decision] = []
        self._hidden: list[int] = []
        self._views: dict[int | None, View] = {}
        self._shared: SharedView | None = None
        self._shared_of: Game | None = None
        """What everybody sees, and the game it was made of: it may be from before the last entry."""
        if entries and not BANQUET.in_play(game.ruleset):
            self.log = self._loaded(entries)
            return
        self.log = TableLog(game)
        for entry in entries:
            self.add(entry, self.tried(entry.seat, None if entry.action is None else parse_action(entry.action)))

    def _loaded(self, entries: Sequence[Entry]) -> TableLog:
        """Carry out entries again where no question is secret; what followed is found out when somebody asks."""
        game, late = self.game, set[int]()
        for entry in entries:
            if entry.action is None:
                self._take_back(game, entry.seat)
                del self._made[self._last_of(entry.seat) :]
                late = {number for number in late if number <= game.made}
                continue
            if game.to_move != entry.seat:
                raise NevskyError("game.not_to_move", seat=entry.seat)
            self._made.append(Decision(entry.seat, entry.by in _OWN, game.made))
            if entry.by == "time":
                late.add(game.made + 1)
            game.push(parse_action(entry.action))
        self.entries = entries[-1].number
        log = TableLog(game, _TOLD)
        log.late = late
        return log

    def view(self, seat: int | None) -> View:
        """The view of a seat, made once however often it is asked for."""
        found = self._views.get(seat)
        if found is None:
            shared = self.shared()
            found = self._views[seat] = make_view(shared.position, self.game.ruleset, seat, shared)
        return found

    def shared(self) -> SharedView:
        """What everybody sees."""
        shared = self._shared
        if shared is None or self._shared_of is not self.game:
            shared = self._shared = SharedView(self.game.looked_at, self.game.ruleset, shared)
            self._shared_of = self.game
        return shared

    def version(self, viewer: int | None) -> int:
        """How many entries the viewer may know of: a secret question leaves no trace for the others."""
        if not self._hidden:
            return self.entries
        return self.entries - sum(seat != viewer for seat in self._hidden)

    def tried(self, seat: int, action: Action | None) -> Outcome:
        """Where a decision of the seat leads, or with None the taking back of its last one; nothing changes yet.

        What others have decided since is taken back with it.
        """
        game = self.game.copy()
        if action is None:
            self._take_back(game, seat)
            return Outcome(game, ())
        if game.to_move != seat:
            raise NevskyError("game.not_to_move", seat=seat)
        return Outcome(game, game.play(action))

    def _take_back(self, game: Game, seat: int) -> None:
        last = self._last_of(seat)
        if last < 0:
            raise NevskyError("game.nothing_to_undo")
        for _ in self._made[last:]:
            game.undo()

    def add(self, entry: Entry, outcome: Outcome) -> None:
        """Take over an entry and where it led."""
        self.game, played = outcome
        self._views.clear()
        self.entries = entry.number
        if not played:
            del self._made[self._last_of(entry.seat) :]
            self.log.take_back(self.game)
            return
        hidden = self.log.add(self.game, played, entry.by == "time")
        if hidden:
            self._hidden.append(entry.seat)
        decision = Decision(entry.seat, entry.by in _OWN, played[0].move.number - 1, hidden or None)
        self._made.append(decision if hidden else self._judged(decision, played))

    def _judged(self, decision: Decision, played: Sequence[Played]) -> Decision:
        """What others know by a decision and the forced ones after it."""
        before, after = played[0].before, played[-1].after
        if self._reveals(before, after):
            return decision._replace(seen=True)
        return decision._replace(seen=False, shown=_shown(before, after, self.game.ruleset.players))

    def _judge(self, first: int) -> list[Decision]:
        """All decisions since one of them, with what others know by them."""
        made = self._made
        if any(each.seen is None for each in made[first:]):
            start = made[first].start
            moves = list(self.game.played(start))
            ends = [each.start for each in made[first + 1 :]] + [self.game.made]
            for n, end in enumerate(ends, first):
                if made[n].seen is None:
                    made[n] = self._judged(made[n], moves[made[n].start - start : end - start])
        return made[first:]

    def _reveals(self, before: Position, after: Position) -> bool:
        """Whether cards were drawn or the last secrets told, or a phase began that may begin with a secret question.

        Whether there was such a question must not make a difference.
        """
        if after.over or before.pile_n != after.pile_n or before.choices_open() != after.choices_open():
            return True
        return BANQUET.in_play(self.game.ruleset) and (before.round, before.phase) != (after.round, after.phase)

    def _last_of(self, seat: int) -> int:
        """The place of the seat's last decision, -1 if it has made none."""
        place = len(self._made) - 1
        while place >= 0 and self._made[place].seat != seat:
            place -= 1
        return place

    def by_bots(self, seat: int) -> tuple[int, int]:
        """How many decisions of a seat that still stand a bot has made, and how many there are."""
        own = [made.own for made in self._made if made.seat == seat]
        return own.count(False), len(own)

    def decisions(self, seat: int) -> int:
        """How many decisions of a seat led to where the game stands."""
        return sum(each.seat == seat for each in self._made)

    def can_undo(self, seat: int | None, alone: bool = False) -> bool:
        """Whether the seat's last decision is the last of all, was its player's own, and nothing hidden was seen since.

        A player alone with bots may also take back what the bots have decided since.
        """
        if seat is None or not self._made or not (alone or self._made[-1].seat == seat):
            return False
        last = self._last_of(seat)
        if last < 0 or not self._made[last].own:
            return False
        return not any(each.seen or each.shown - {seat} for each in self._judge(last))

    def check(self, seat: int, action: Action) -> None:
        """Refuse an action that is not legal for the seat whose turn it is or seems to be."""
        if self.game.over:
            raise Refusal("illegal", NevskyError("game.over"))
        seen = as_seen(self.game.looked_at, self.game.ruleset, seat)
        if seen.seat != seat:
            raise Refusal("not_your_turn", "turn")
        if action.id not in seen.legal():
            raise Refusal("illegal", NevskyError("action.impossible", action=repr(action.text)))
