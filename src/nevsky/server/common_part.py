"""What everybody sees alike at a turn of the base game, made of the position without a view.

Whatever else is asked is shown by `present`, and both show the same. What has not changed since the last look is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from nevsky.cards import CARDS, PILES
from nevsky.rules.constants import DUES, NONE, TURN
from nevsky.rules.position import Position
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.snapshot import phases
from nevsky.rules.view import Facts, facts_of_players, hand_of_others, seats_that_changed
from nevsky.server.leaves import backs
from nevsky.server.modules import NO_PLAYER_MODULES
from nevsky.server.present import Common, TableContext, table_info
from nevsky.server.protocol import AreaCard, PlayerCards, PlayerState, SharedState
from nevsky.server.shared import SeatInfo, area_card, incomes, noble_points, seat_fields

__all__ = ["CommonPart"]

_TURN: Final = DUES[TURN]


class CommonPart:
    """A table as it was shown last, in one language."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self._whole_box = ruleset.market or bool(ruleset.modules)
        self._piles = [(PILES.index(pile), pile) for pile in phases(ruleset)]
        self._position: Position | None = None
        self._show_seen = False
        self._down = False
        """Cards have lain face down."""
        self._infos: list[SeatInfo | None] = [None] * ruleset.players
        self._cards: dict[int, PlayerCards] = {}
        self._players: list[PlayerState | None] = [None] * ruleset.players
        self._discard: tuple[list[int], list[str]] = ([], [])
        self._out: tuple[list[int], list[str]] = ([], [])

    def shows(self, p: Position) -> bool:
        """Whether it is for us to show, as long as somebody is asked at all."""
        return not self._whole_box and p.due == TURN and p.drawn == NONE

    def look(self, p: Position, context: TableContext) -> Common:
        """Look at a table."""
        self._look_at_players(p, context)
        self._discard = _named(self._discard, p.discard_list())
        self._out = _named(self._out, p.out_list())
        sizes, tokens = p.pile_n, p.token
        fields: SharedState = {
            **table_info(context, self._ruleset),
            "round": p.round,
            "phase": PILES[p.phase],
            "due": _TURN,
            "to_move": p.seat,
            "last_round": bool(p.last_round),
            "tokens": {pile: tokens[number] for number, pile in self._piles},
            "piles": {pile: sizes[number] for number, pile in self._piles},
            "discard": self._discard[1],
            "out": self._out[1],
            "final": None,
            "winners": None,
        }
        return Common(fields, self._players)

    def _look_at_players(self, p: Position, context: TableContext) -> None:
        before, ruleset = self._position, self._ruleset
        changed: Sequence[int] = range(ruleset.players)
        if before is not None and context.show_seen == self._show_seen:
            changed = seats_that_changed(p, before, ruleset, self._down)
        self._position, self._show_seen = p, context.show_seen
        for seat, facts in zip(changed, facts_of_players(p, ruleset, changed), strict=True):
            self._cards[seat] = self._player(p, seat, facts)
            self._down = self._down or bool(facts.face_down)
        seats = set(changed)
        seats.update(seat for seat, info in enumerate(context.seats) if info is not self._infos[seat])
        if seats:
            self._infos = list(context.seats)
            self._players = [
                {**seat_fields(context.seats[seat], seat), **self._cards[seat]} if seat in seats else known
                for seat, known in enumerate(self._players)
            ]

    def _player(self, p: Position, seat: int, facts: Facts) -> PlayerCards:
        points = noble_points(facts.nobles)
        return {
            "rubles": facts.rubles,
            "points": facts.points,
            "hand": backs(hand_of_others(facts), self._show_seen or facts.shown),
            "hand_limit": facts.limit,
            "area": _area(facts),
            "income": incomes(tuple(facts.income.items())),
            "different_nobles": facts.nobles,
            "noble_points": points,
            "next_noble_points": noble_points(facts.nobles + 1) - points,
            "projected": None if facts.rubles is None else p.total(seat)[0],
            **NO_PLAYER_MODULES,
        }


def _area(facts: Facts) -> list[AreaCard]:
    down = facts.face_down
    cards = [(CARDS[kind].exact, count) for kind, count in facts.area.items()]
    return [area_card(exact, count, down.get(exact, 0), False, (), None) for exact, count in cards]


def _named(before: tuple[list[int], list[str]], kinds: list[int]) -> tuple[list[int], list[str]]:
    return before if before[0] == kinds else (kinds, [CARDS[kind].exact for kind in kinds])
