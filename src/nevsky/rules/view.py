"""What a seat may know: the only way out of the rules for players, spectators, logs and bots (section 12)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple

from nevsky.cards import CARDS, KIND, PILES
from nevsky.rules.actions import ACTIONS
from nevsky.rules.constants import BUILDING, DUES, GREEN, NONE, PURPLE, TURN
from nevsky.rules.course import whole_box
from nevsky.rules.part_data import describe_parts
from nevsky.rules.parts import each_part
from nevsky.rules.position import Position
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.snapshot import face_down, turn_down

__all__ = [
    "Facts",
    "HandCard",
    "PlayerView",
    "SharedView",
    "View",
    "as_seen",
    "facts_of_players",
    "hand_of_others",
    "make_view",
    "seats_that_changed",
]


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


class SharedView:
    """What everybody sees of a position. Views of several seats share it, so that it is looked up once.

    Given what was seen of the position before, it takes over whatever is still the same: whoever compares the views of
    two positions passes over that at a glance.
    """

    def __init__(self, position: Position, ruleset: Ruleset, before: SharedView | None = None) -> None:
        played = _played(ruleset.market)
        self.position = position
        sizes, tokens = position.pile_n, position.token
        self.row1 = _exact(position.row_of(1))
        self.row2 = _exact(position.row_of(2))
        self.piles = {PILES[p]: sizes[p] for p in played}
        self.tokens = {PILES[p]: tokens[p] for p in played}
        self.discard = _exact(position.discard_list())
        self.out = _exact(position.out_list())
        self.whole_box = whole_box(position) is not None
        """The Market or a module is in play."""
        self._table: dict[str, Any] = describe_parts(position) if self.whole_box else {}
        self._own: dict[int, tuple[PlayerView, _Own, PlayerView]] = {}
        """By seat: what it was made of, and how the player sees themselves."""
        self._facts: tuple[Facts, ...]
        self.players: tuple[PlayerView, ...]
        """As the others see them."""
        if before is None:
            self._facts = tuple(facts_of_players(position, ruleset, range(ruleset.players)))
            self.players = tuple(map(_player, self._facts))
        else:
            self._keep(before, ruleset)

    def _keep(self, before: SharedView, ruleset: Ruleset) -> None:
        if self.row1 == before.row1:
            self.row1 = before.row1
        if self.row2 == before.row2:
            self.row2 = before.row2
        if self.piles == before.piles:
            self.piles = before.piles
        if self.tokens == before.tokens:
            self.tokens = before.tokens
        if self.discard == before.discard:
            self.discard = before.discard
        if self.out == before.out:
            self.out = before.out
        self._own = before._own
        facts, players = list(before._facts), list(before.players)
        down = any(facts.face_down for facts in before._facts)
        seats = seats_that_changed(self.position, before.position, ruleset, down)
        for seat, new in zip(seats, facts_of_players(self.position, ruleset, seats), strict=True):
            if new != facts[seat]:
                facts[seat], players[seat] = new, _player(new)
        self._facts, self.players = tuple(facts), tuple(players)

    def players_for(self, viewer: int | None) -> tuple[PlayerView, ...]:
        """All players; the viewer sees their own rubles and hand."""
        if viewer is None:
            return self.players
        others, position = self.players[viewer], self.position
        own = position.rubles[viewer], position.hand_of(viewer), position.seen_of(viewer)
        known = self._own.get(viewer)
        if known is None or known[0] is not others or known[1] != own:
            hand = tuple(_hand(own[1], own[2], shown=True))
            known = self._own[viewer] = (others, own, others._replace(rubles=own[0], hand=hand))
        return (*self.players[:viewer], known[2], *self.players[viewer + 1 :])

    def table_for(self, viewer: int | None) -> dict[str, Any]:
        """What the Market and the modules add."""
        if not self.whole_box:
            return self._table
        table = self._table.copy()
        for part, full in each_part(self.position):
            part.hide(table, full, viewer)
        return table


def make_view(position: Position, ruleset: Ruleset, seat: int | None, shared: SharedView | None = None) -> View:
    """The view of a seat, or of a spectator with None; ``shared`` may have been made of the same position before."""
    seen = as_seen(position, ruleset, seat)
    if shared is None or seen is not position:
        shared = SharedView(seen, ruleset)
    deciding = seen.due >= 0
    own_decision = deciding and seat == seen.seat
    drawn = seen.drawn
    return View(
        seat,
        ruleset,
        seen.round,
        PILES[seen.phase],
        DUES[seen.due] if deciding else None,
        seen.seat if deciding else None,
        seen.passes,
        bool(seen.must_buy),
        bool(seen.last_round),
        shared.row1,
        shared.row2,
        shared.piles,
        shared.discard,
        shared.out,
        shared.tokens,
        CARDS[drawn].exact if drawn != NONE and (own_decision or seen.drawn_pile == NONE) else None,
        PILES[seen.drawn_pile] if drawn != NONE and seen.drawn_pile != NONE else None,
        shared.players_for(seat),
        tuple(map(_text, seen.legal())) if own_decision else (),
        shared.table_for(seat),
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


@cache
def _text(action: int) -> str:
    return ACTIONS[action].text


@cache
def _played(market: bool) -> tuple[int, ...]:
    """The phases of a round, by number."""
    return tuple(p for p, name in enumerate(PILES) if market or name != "market")


_Own = tuple[int, list[int], list[bool]]
"""Rubles, cards on the hand, and whether everybody has seen them."""


class Facts(NamedTuple):
    """What the others may see of a player, and their hand: all that their view is made of."""

    rubles: int | None
    points: int
    hand: list[int]
    seen: list[bool]
    shown: bool
    limit: int
    area: dict[int, int]
    face_down: dict[str, int]
    income: dict[str, tuple[int, int]]
    nobles: int


def seats_that_changed(position: Position, earlier: Position, ruleset: Ruleset, down: bool) -> Sequence[int]:
    """The seats that may look otherwise than in an earlier position of the game, where cards lay face down or did not.

    Modules have their own ways to change what a seat earns.
    """
    ends = (position.due < 0) != (earlier.due < 0)
    if whole_box(position) is not None or ends or (down and position.phase != earlier.phase):
        return range(ruleset.players)
    changed = position.seats_changed(earlier)
    return [seat for seat in range(ruleset.players) if changed >> seat & 1]


def facts_of_players(position: Position, ruleset: Ruleset, seats: Iterable[int]) -> list[Facts]:
    """What the others may see of some players."""
    over = position.due < 0
    colours = [colour for colour in _played(ruleset.market) if GREEN <= colour < PURPLE]
    points, limits, down = position.points, position.hand_limit, face_down(position)
    open_rubles = position.rubles if ruleset.open_rubles or over else None
    return [
        Facts(
            rubles=None if open_rubles is None else open_rubles[seat],
            points=points[seat],
            hand=position.hand_of(seat),
            seen=position.seen_of(seat),
            shown=ruleset.open_hands or over,
            limit=limits[seat],
            area=position.area_of(seat),
            face_down=down[seat],
            income={PILES[c]: _income(position, seat, c, down[seat]) for c in colours},
            nobles=position.nobles(seat),
        )
        for seat in seats
    ]


def hand_of_others(facts: Facts) -> list[HandCard]:
    """A hand as the others see it; the order in which cards came to it is none of their business."""
    cards = _hand(facts.hand, facts.seen, shown=facts.shown)
    cards.sort(key=lambda card: (PILES.index(card.pile), card.card or ""))
    return cards


def _player(facts: Facts) -> PlayerView:
    return PlayerView(
        rubles=facts.rubles,
        points=facts.points,
        hand=tuple(hand_of_others(facts)),
        hand_limit=facts.limit,
        area={CARDS[k].exact: count for k, count in facts.area.items()},
        face_down=facts.face_down,
        income=facts.income,
        different_nobles=facts.nobles,
    )


def _income(position: Position, seat: int, colour: int, down: dict[str, int]) -> tuple[int, int]:
    """What the next scoring would pay; cards face down after the building phase are turned up before it (3.7 d)."""
    if down and colour == BUILDING < position.phase:
        position = position.copy()
        for text in down:
            turn_down(position, seat, KIND[text], 0)
    return position.income(seat, colour)


def _hand(kinds: list[int], seen: list[bool], *, shown: bool) -> list[HandCard]:
    known = zip(kinds, seen, strict=True)
    return [HandCard(CARDS[k].pile, CARDS[k].exact if shown or open_ else None, open_) for k, open_ in known]


def _exact(kinds: list[int]) -> tuple[str, ...]:
    return tuple([CARDS[k].exact for k in kinds])
