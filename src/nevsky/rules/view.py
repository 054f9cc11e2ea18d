"""What a seat may know: the only way out of the rules for players, spectators, logs and bots (section 12)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from nevsky.cards import CARDS, KIND, PILES
from nevsky.rules.actions import ACTIONS
from nevsky.rules.constants import BUILDING, DUES, GREEN, NONE, PURPLE, TURN
from nevsky.rules.part_data import describe_parts
from nevsky.rules.parts import each_part
from nevsky.rules.position import Position
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.snapshot import face_down, phases, turn_down

__all__ = ["HandCard", "PlayerView", "View", "as_seen", "make_view"]


class HandCard(NamedTuple):
    """A card on a hand: everybody sees the colour of its back, some know its face."""

    pile: str
    card: str | None
    seen: bool
    """Whether everybody has seen it: it was taken openly (12.2)."""


class PlayerView(NamedTuple):
    """One player as the viewer sees them."""

    rubles: int | None
    """None where rubles are secret."""
    points: int
    hand: tuple[HandCard, ...]
    hand_limit: int
    area: dict[str, int]
    face_down: dict[str, int]
    income: dict[str, tuple[int, int]]
    """Rubles and points that each phase's scoring would pay now."""
    different_nobles: int


class View(NamedTuple):
    """Everything that one seat, or a spectator, may know. Nothing else is in it."""

    seat: int | None
    """The viewer; None for a spectator."""
    ruleset: Ruleset
    round: int
    phase: str
    due: str | None
    """The kind of decision that is due, None when the game is over."""
    to_move: int | None
    passes: int
    must_buy: bool
    last_round: bool
    row1: tuple[str, ...]
    row2: tuple[str, ...]
    piles: dict[str, int]
    discard: tuple[str, ...]
    out: tuple[str, ...]
    tokens: dict[str, int]
    drawn: str | None
    """The card being looked at, if the viewer may see it."""
    drawn_pile: str | None
    players: tuple[PlayerView, ...]
    legal: tuple[str, ...]
    """The legal actions, if the decision is the viewer's."""
    table: dict[str, Any]
    """What the Market and the modules add: goods, tiles, attached cards, assistants, events, obstacles and so on."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        data = self._asdict()
        data["ruleset"] = self.ruleset.to_dict()
        data["players"] = [
            {**player._asdict(), "hand": [card._asdict() for card in player.hand]} for player in self.players
        ]
        return data

    def to_bytes(self) -> bytes:
        """Canonical JSON: equal views have equal bytes."""
        import json

        return json.dumps(self.to_dict(), sort_keys=True, separators=(",", ":")).encode()


def make_view(
    position: Position, ruleset: Ruleset, seat: int | None, others: dict[int, PlayerView] | None = None
) -> View:
    """The view of a seat, or of a spectator with None.

    A player looks the same to everybody else: ``others`` keeps that for the next view of the same position.
    """
    played = [PILES.index(name) for name in phases(ruleset)]
    position = as_seen(position, ruleset, seat)
    deciding = position.due >= 0
    own_decision = deciding and seat == position.seat
    drawn = position.drawn
    return View(
        seat=seat,
        ruleset=ruleset,
        round=position.round,
        phase=PILES[position.phase],
        due=DUES[position.due] if deciding else None,
        to_move=position.seat if deciding else None,
        passes=position.passes,
        must_buy=bool(position.must_buy),
        last_round=bool(position.last_round),
        row1=tuple(CARDS[k].exact for k in position.row_of(1)),
        row2=tuple(CARDS[k].exact for k in position.row_of(2)),
        piles={PILES[p]: position.pile_n[p] for p in played},
        discard=tuple(CARDS[k].exact for k in position.discard_list()),
        out=tuple(CARDS[k].exact for k in position.out_list()),
        tokens={PILES[p]: position.token[p] for p in played},
        drawn=CARDS[drawn].exact if drawn != NONE and (own_decision or position.drawn_pile == NONE) else None,
        drawn_pile=PILES[position.drawn_pile] if drawn != NONE and position.drawn_pile != NONE else None,
        players=tuple(_players(position, ruleset, seat, {} if others is None else others)),
        legal=tuple(ACTIONS[i].text for i in position.legal()) if own_decision else (),
        table=_table(position, seat),
    )


def as_seen(position: Position, ruleset: Ruleset, viewer: int | None) -> Position:
    """The position with the question that the viewer sees.

    Where nobody may learn from a question that there is one, others see the turn that follows.
    """
    if position.due == TURN or viewer == position.seat or ruleset.open_hands:
        return position
    if not any(part.asks_in_secret(full, full.seat) for part, full in each_part(position)):
        return position
    masked = position.copy()
    masked.due = TURN
    masked.seat = masked.token[masked.phase]
    return masked


def _table(position: Position, viewer: int | None) -> dict[str, Any]:
    table = describe_parts(position)
    for part, full in each_part(position):
        part.hide(table, full, viewer)
    return table


def _players(
    position: Position, ruleset: Ruleset, viewer: int | None, others: dict[int, PlayerView]
) -> Iterator[PlayerView]:
    for seat in range(ruleset.players):
        if seat == viewer:
            yield _player(position, ruleset, seat, own=True)
            continue
        if seat not in others:
            others[seat] = _player(position, ruleset, seat, own=False)
        yield others[seat]


def _player(position: Position, ruleset: Ruleset, seat: int, own: bool) -> PlayerView:
    over = position.due < 0
    colours = [PILES.index(name) for name in phases(ruleset)]
    return PlayerView(
        rubles=position.rubles[seat] if own or ruleset.open_rubles or over else None,
        points=position.points[seat],
        hand=_hand(position, seat, own, own or ruleset.open_hands or over),
        hand_limit=position.hand_limit[seat],
        area={CARDS[k].exact: count for k, count in position.area_of(seat).items()},
        face_down=face_down(position)[seat],
        income={PILES[c]: _income(position, seat, c) for c in colours if GREEN <= c < PURPLE},
        different_nobles=position.nobles(seat),
    )


def _income(position: Position, seat: int, colour: int) -> tuple[int, int]:
    """What the next scoring would pay; cards face down after the building phase are turned up before it (3.7 d)."""
    if colour == BUILDING < position.phase:
        down = face_down(position)[seat]
        if down:
            position = position.copy()
            for text in down:
                turn_down(position, seat, KIND[text], 0)
    return position.income(seat, colour)


def _hand(position: Position, seat: int, own: bool, shown: bool) -> tuple[HandCard, ...]:
    cards = [
        HandCard(CARDS[kind].pile, CARDS[kind].exact if shown or seen else None, seen)
        for kind, seen in zip(position.hand_of(seat), position.seen_of(seat), strict=True)
    ]
    if not own:  # the order in which cards came to a hand is nobody else's business
        cards.sort(key=lambda card: (PILES.index(card.pile), card.card or ""))
    return tuple(cards)
