"""The Banquet as plain data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from nevsky.cards import CARDS, KIND
from nevsky.rules.constants import DUES, OBSERVATORY
from nevsky.rules.course import FullPosition, whole_box
from nevsky.rules.modules.banquet.room import BANQUET, CHIP, JESTER, MARKS, ROOM
from nevsky.rules.modules.banquet.rules import Banquet
from nevsky.rules.part import Part, Restorer, per_seat, unreadable
from nevsky.rules.position import Position
from nevsky.rules.price import Reduction
from nevsky.rules.ruleset import Ruleset

__all__ = ["PART", "at_full_price", "at_half_price"]

_PICK_POCKET: Final = DUES.index("pick_pocket")
_PICK_POCKET_CARD: Final = KIND["pick_pocket"]
_FACE_DOWN: Final = "face_down"


def _state(p: FullPosition) -> Banquet:
    assert p.banquet is not None
    return p.banquet


def at_half_price(position: Position) -> bool:
    """Whether the next card is laid for half its owner price."""
    full = whole_box(position)
    return full is not None and full.banquet is not None and full.banquet.halved != 0


def at_full_price(position: Position) -> None:
    """Forget that the next card is laid for half its owner price."""
    full = whole_box(position)
    if full is not None and full.banquet is not None:
        full.banquet.halved = 0


class BanquetPart(Part):
    """The chip, and the purple cards that lie on others."""

    number = ROOM.number
    flow_names = ("halved", "picking")

    def state(self, p: FullPosition) -> Banquet:
        return _state(p)

    def describe(self, p: FullPosition) -> dict[str, Any]:
        own = _state(p)
        seats, kinds = own.mark_seat, own.mark_kind
        return {
            "attached": [
                {MARKS[mark]: CARDS[kinds[mark]].exact for mark in (BANQUET, JESTER) if seats[mark] == seat}
                for seat in range(p.n)
            ],
            "covered": [CARDS[kinds[CHIP]].exact if seats[CHIP] == seat else None for seat in range(p.n)],
            "together": _together(own),
        }

    @property
    def restorers(self) -> dict[str, Restorer]:
        return {"covered": _covered, "attached": _attached, "together": _set_together}

    def asks_in_secret(self, p: FullPosition, seat: int) -> bool:
        """Nobody may learn from the question that a Pick Pocket was drawn unseen."""
        if p.due != _PICK_POCKET:
            return False
        hand = zip(p.hand_of(seat), p.seen_of(seat), strict=True)
        return not any(kind == _PICK_POCKET_CARD and seen for kind, seen in hand)

    def own_cards(self, table: Mapping[str, Any]) -> Iterable[str]:
        return [name for attached in table.get("attached", ()) for name in attached]

    def last_reduction(self, p: FullPosition, price: int) -> Reduction | None:
        full = max(price, 1)
        if not _state(p).halved or full == 1:
            return None
        return Reduction("money_collector", full - max(full // 2, 1))


def _together(own: Banquet) -> list[list[str]]:
    """What lies on the same copy of a card, where that is more than one thing (D32)."""
    where = {name: (own.mark_seat[i], own.mark_kind[i], own.copy[i]) for i, name in enumerate(MARKS)}
    groups: dict[tuple[int, int, int], list[str]] = {}
    for name, place in where.items():
        if place[0] >= 0:
            groups.setdefault(place, []).append(name)
    if own.chip_down:
        groups[where["chip"]].append(_FACE_DOWN)
    return [names for names in groups.values() if len(names) > 1]


def _owned(p: FullPosition, seat: int, text: str, what: str) -> int:
    if not p.area_of(seat).get(KIND[text]):
        raise unreadable(what)
    return KIND[text]


def _covered(p: FullPosition, ruleset: Ruleset, value: Sequence[Any]) -> None:
    for seat, text in enumerate(per_seat(ruleset, value)):
        if text is not None:
            if _state(p).mark_seat[CHIP] >= 0:
                raise unreadable("covered card")
            kind = _owned(p, seat, text, "covered card")
            down = kind == OBSERVATORY and p.down[seat] > 0  # the covered one is turned first (D32)
            _state(p).cover(p, seat, kind, int(down))


def _attached(p: FullPosition, ruleset: Ruleset, value: Sequence[Any]) -> None:
    for seat, cards in enumerate(per_seat(ruleset, value)):
        for name, text in cards.items():
            mark, kind = MARKS.index(name), _owned(p, seat, text, "attached cards")
            if mark == CHIP or _state(p).mark_seat[mark] >= 0:
                raise unreadable("attached cards")
            _state(p).attach(p, mark, seat, kind)


def _set_together(p: FullPosition, _ruleset: Ruleset, value: Sequence[Sequence[str]]) -> None:
    own = _state(p)
    named = [name for names in value for name in names]
    turned = _FACE_DOWN in named
    seat, kind = own.mark_seat[CHIP], own.mark_kind[CHIP]
    if len(set(named)) != len(named) or any(_FACE_DOWN in names and MARKS[CHIP] not in names for names in value):
        raise unreadable("cards on one copy")
    if turned and not (kind == OBSERVATORY and p.down[seat]):
        raise unreadable("cards on one copy")
    if seat >= 0:
        own.cover(p, seat, kind, int(turned))
    copies = list(range(len(MARKS)))
    for names in value:
        marks = sorted(MARKS.index(name) for name in names if name != _FACE_DOWN)
        places = {(own.mark_seat[mark], own.mark_kind[mark]) for mark in marks}
        if len(places) != 1 or (-1, -1) in places:
            raise unreadable("cards on one copy")
        for mark in marks:
            copies[mark] = marks[0]
    own.copy = copies
    for mark in range(len(MARKS)):
        seat, kind = own.mark_seat[mark], own.mark_kind[mark]
        alike = {copies[i] for i in range(len(MARKS)) if (own.mark_seat[i], own.mark_kind[i]) == (seat, kind)}
        if seat >= 0 and len(alike) > p.area_of(seat)[kind]:
            raise unreadable("cards on one copy")


PART = BanquetPart()
