"""Positions as plain data: for arranged positions, records and re-dealt games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from nevsky.cards import CARDS, KIND, PILES, find_card
from nevsky.errors import NevskyError, Words
from nevsky.rules.action import CANONICAL
from nevsky.rules.constants import (
    ABOUT_DRAWN,
    BUILDING,
    DISCARD_ROOM,
    DRAWN,
    DUES,
    HAND_ROOM,
    NONE,
    OBSERVATORY,
    OUT_ROOM,
    OVER,
    PILE_ROOM,
    PUB,
    ROW_ROOM,
    SCORING,
    SECOND,
    SMALL_DISPLAY,
    TURN,
    WORKER,
)
from nevsky.rules.course import FullPosition, whole_box
from nevsky.rules.part_data import describe_parts, part_fields, restore_parts
from nevsky.rules.parts import PARTS, each_part, parts_of
from nevsky.rules.position import Position
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.tables import Tables, copies, tables_for

__all__ = ["blank", "card_kind", "deal_position", "describe", "phases", "restore", "turn_down"]

_BLANKS: dict[Ruleset, Position] = {}


def blank(ruleset: Ruleset) -> Position:
    """A fresh position of this ruleset with nothing dealt."""
    found = _BLANKS.get(ruleset)
    if found is None:
        t = tables_for(ruleset)
        found = (
            FullPosition(t, ruleset)
            if ruleset.market or ruleset.modules
            else Position(t, ruleset.players, SMALL_DISPLAY)
        )
        _BLANKS[ruleset] = found
    return found.copy()


def phases(ruleset: Ruleset) -> tuple[str, ...]:
    """The phases of a round (3.1)."""
    return tuple(p for p in PILES if ruleset.market or p != "market")


def card_kind(text: object) -> int:
    """The kind that a card text names; a sentence if there is none."""
    if isinstance(text, str):
        kind = KIND.get(text)
        if kind is None:
            kind = find_card(text)
    else:
        kind = None
    if kind is None:
        raise NevskyError("card.unknown", card=repr(text))
    return kind


def _whole(value: object, what: Words, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise NevskyError("position.whole", what=what, least=least, most=most, value=repr(value))
    return value


def _cards(value: object, what: Words | str) -> list[int]:
    if isinstance(value, str) or not isinstance(value, list | tuple | Iterable):  # the first two are found at once
        raise NevskyError("position.cards", what=what, value=repr(value))
    texts = list(value)
    try:
        return [KIND[text] for text in texts]
    except (KeyError, TypeError):  # an abbreviation, or no card at all
        return [card_kind(text) for text in texts]


def _counts(value: object, what: Words | str) -> Counter[int]:
    """Cards with their number, given as a mapping or as a list."""
    if isinstance(value, dict | Mapping):
        return Counter({card_kind(text): _copies(count, text) for text, count in value.items()})
    return Counter(_cards(value, what))


def _copies(count: object, text: object) -> int:
    if type(count) is int and 0 <= count <= 31:
        return count
    return _whole(count, Words("position.what.copies", card=text), 0, 31)


def _per_seat(ruleset: Ruleset, value: object, what: str) -> Sequence[Any]:
    if isinstance(value, str) or not isinstance(value, list | tuple | Sequence) or len(value) != ruleset.players:
        raise NevskyError("position.field_per_seat", field=what, players=ruleset.players)
    return value


def _set_tokens(position: Position, ruleset: Ruleset, tokens: object) -> None:
    expected = phases(ruleset)
    if not isinstance(tokens, Mapping) or set(tokens) != set(expected):
        raise NevskyError("position.tokens", phases=", ".join(expected))
    token = position.token
    for phase, seat in tokens.items():
        token[PILES.index(phase)] = _whole(seat, Words("position.what.token", phase=phase), 0, ruleset.players - 1)
    position.token = token


def _set_piles(position: Position, ruleset: Ruleset, piles: object) -> Counter[int]:
    expected = phases(ruleset)
    if not isinstance(piles, Mapping) or not set(piles) <= set(expected):
        raise NevskyError("position.piles", piles=", ".join(expected))
    pile, sizes = position.pile, position.pile_n
    seen: Counter[int] = Counter()
    for name, texts in piles.items():
        p = PILES.index(name)
        kinds = [
            _with_back(kind, name)
            for kind in _cards(texts, Words("position.what.pile", pile=Words(f"the_pile.{name}")))
        ]
        for kind in kinds:
            if CARDS[kind].pile != name:
                raise NevskyError("position.wrong_pile", card=CARDS[kind].text, pile=Words(f"the_pile.{name}"))
        if len(kinds) >= PILE_ROOM:
            raise NevskyError("position.pile_large", pile=Words(f"the_pile.{name}"))
        for i, kind in enumerate(reversed(kinds)):
            pile[p * PILE_ROOM + i] = kind
        sizes[p] = len(kinds)
        seen.update(kinds)
    position.pile, position.pile_n = pile, sizes
    return seen


def _with_back(kind: int, pile: str) -> int:
    """The purple card of this text that has the back of the pile."""
    if CARDS[kind].pile == pile:
        return kind
    for card in CARDS:
        if CANONICAL[card.kind] == CANONICAL[kind] and card.pile == pile and card.text == CARDS[kind].text:
            return card.kind
    return kind


@cache
def all_copies(ruleset: Ruleset) -> tuple[int, ...]:
    """How many of each kind of card are in the box of this ruleset."""
    return tuple(copies(ruleset, card.kind) for card in CARDS)


def check_copies(ruleset: Ruleset, seen: Counter[int]) -> None:
    """Refuse more copies of a card than the box holds."""
    box = all_copies(ruleset)
    for kind, count in seen.items():
        most = box[kind]
        if count > most:
            card = CARDS[kind].text
            if most == 0:
                raise NevskyError("position.not_in_game", card=card)
            raise NevskyError("position.copies", most=most, card=card, count=count)


def deal_position(ruleset: Ruleset, piles: object, tokens: object, deal: Mapping[str, Any]) -> Position:
    """A game from complete piles (top first), tokens and what the modules deal, its first workers laid out."""
    position = blank(ruleset)
    _set_tokens(position, ruleset, tokens)
    seen = _set_piles(position, ruleset, piles)
    check_copies(ruleset, seen)
    t: Tables = position.t
    for name in phases(ruleset):
        p = PILES.index(name)
        if position.pile_n[p] != t.deck_size[p]:
            raise NevskyError(
                "deal.pile_size", pile=Words(f"the_pile.{name}"), size=t.deck_size[p], count=position.pile_n[p]
            )
    position.begin()
    expected = set(dealt_names(ruleset))
    if set(deal) != expected:
        raise NevskyError("deal.fields", fields=", ".join(sorted(expected)) or Words("deal.no_fields"))
    full = whole_box(position)
    if full is not None:
        restore_parts(
            full, ruleset, {part.dealt: part.arranged(deal[part.dealt]) for part in PARTS if part.dealt in deal}
        )
        for part in parts_of(full):
            part.check_deal(full, ruleset)
    return position


def dealt_names(ruleset: Ruleset) -> list[str]:
    """What the modules of a ruleset deal at the start beside piles and tokens."""
    return [part.dealt for part in PARTS if part.dealt and part.number in ruleset.modules]


def describe(position: Position) -> dict[str, Any]:
    """Everything about a position as plain data; `restore` makes the position again."""
    n = position.n
    played = [p for p, name in enumerate(PILES) if position.t.deck_size[p]]
    data = {
        "round": position.round,
        "phase": PILES[position.phase],
        "due": DUES[position.due] if position.due >= 0 else None,
        "to_move": position.seat if position.due >= 0 else None,
        "passes": position.passes,
        "must_buy": bool(position.must_buy),
        "last_round": bool(position.last_round),
        "rubles": position.rubles[:n],
        "points": position.points[:n],
        "hands": [[CARDS[k].exact for k in position.hand_of(s)] for s in range(n)],
        "hands_seen": [position.seen_of(s) for s in range(n)],
        "areas": [{CARDS[k].exact: c for k, c in position.area_of(s).items()} for s in range(n)],
        "face_down": face_down(position),
        "row1": [CARDS[k].exact for k in position.row_of(1)],
        "row2": [CARDS[k].exact for k in position.row_of(2)],
        "piles": {PILES[p]: [CARDS[k].exact for k in position.pile_of(p)] for p in played},
        "discard": [CARDS[k].exact for k in position.discard_list()],
        "out": [CARDS[k].exact for k in position.out_list()],
        "drawn": CARDS[position.drawn].exact if position.drawn != NONE else None,
        "tokens": {PILES[p]: position.token[p] for p in played},
    }
    data.update(describe_parts(position))
    return data


def face_down(position: Position) -> list[dict[str, int]]:
    """The cards that lie face down, per seat."""
    found: list[dict[str, int]] = []
    observatories, parts = position.down, list(each_part(position))
    for seat in range(position.n):
        down = {OBSERVATORY: observatories[seat]}
        for part, full in parts:
            down.update(part.face_down(full, seat))
        found.append({CARDS[kind].text: count for kind, count in down.items() if count})
    return found


_FIELDS = frozenset(
    "round phase due to_move passes must_buy last_round rubles points hands hands_seen areas face_down"
    " row1 row2 piles discard out drawn tokens".split()
)


def restore(ruleset: Ruleset, data: Mapping[str, Any]) -> Position:
    """The position that `describe` told of, or an arranged one: whatever is left out has its value at the start."""
    if not isinstance(data, Mapping):
        raise NevskyError("position.mapping")
    unknown = set(data) - _FIELDS - part_fields(ruleset)
    if unknown:
        raise NevskyError("position.unknown", fields=", ".join(sorted(map(str, unknown))))
    n = ruleset.players
    position = blank(ruleset)
    position.round = _whole(data.get("round", 1), Words("position.what.round"), 1, 99)
    phase = data.get("phase", "worker")
    if phase not in phases(ruleset):
        raise NevskyError("position.phase", phase=repr(phase))
    position.phase = PILES.index(phase)
    _set_tokens(position, ruleset, data.get("tokens", dict.fromkeys(phases(ruleset), 0)))
    seen = _set_piles(position, ruleset, data.get("piles", {}))
    seen.update(_restore_display(position, data))
    for seat in range(n):
        _restore_seat(position, ruleset, data, seat, seen)
    check_copies(ruleset, seen)
    _restore_decision(position, ruleset, data)
    full = whole_box(position)
    if full is not None:
        full.turn_seat = full.seat
        if full.due == PUB:
            full.stage, full.part, full.sub = SCORING, 1, 2
        elif full.due not in (TURN, DRAWN, OVER) and "flow" not in data:
            raise NevskyError("position.flow", decision=repr(data["due"]))
        restore_parts(full, ruleset, data)
        for part in parts_of(full):
            seen.update(card_kind(card) for card in part.own_cards(part.describe(full)))
        check_copies(ruleset, seen)
    return position


def _restore_display(position: Position, data: Mapping[str, Any]) -> Counter[int]:
    seen: Counter[int] = Counter()
    row, row_n = position.row, position.row_n
    for number in (1, 2):
        kinds = _cards(data.get(f"row{number}", []), Words("position.what.row", row=number))
        if len(kinds) >= ROW_ROOM:
            raise NevskyError("position.row_large", row=number)
        row[number * ROW_ROOM : number * ROW_ROOM + len(kinds)] = kinds
        row_n[number] = len(kinds)
        seen.update(kinds)
    position.row, position.row_n = row, row_n
    discard = _cards(data.get("discard", []), Words("position.what.discard"))
    out = _cards(data.get("out", []), Words("position.what.out"))
    seen.update(discard)
    seen.update(out)
    if len(discard) > DISCARD_ROOM or len(out) > OUT_ROOM:
        raise NevskyError("position.discarded")
    position.discard = discard + [0] * (DISCARD_ROOM - len(discard))
    position.discard_n = len(discard)
    position.out = out + [0] * (OUT_ROOM - len(out))
    position.out_n = len(out)
    if data.get("drawn") is not None:
        position.drawn = card_kind(data["drawn"])
        if data.get("due") == "drawn":
            position.drawn_pile = PILES.index(CARDS[position.drawn].pile)
        seen[position.drawn] += 1
    return seen


def _restore_seat(position: Position, ruleset: Ruleset, data: Mapping[str, Any], seat: int, seen: Counter[int]) -> None:
    n = ruleset.players
    rubles, points = position.rubles, position.points
    if "rubles" in data:
        rubles[seat] = _whole(
            _per_seat(ruleset, data["rubles"], "Rubles")[seat], Words("position.what.rubles"), 0, 9999
        )
    if "points" in data:
        points[seat] = _whole(
            _per_seat(ruleset, data["points"], "Points")[seat], Words("position.what.score"), -999, 9999
        )
    position.rubles, position.points = rubles, points
    area = _counts(_per_seat(ruleset, data.get("areas", [{}] * n), "Areas")[seat], Words("position.what.area"))
    for kind, count in area.items():
        for _ in range(count):
            position.put_in_area(seat, kind)
    hand = _cards(_per_seat(ruleset, data.get("hands", [[]] * n), "Hands")[seat], Words("position.what.hand"))
    flags = data.get("hands_seen")
    open_cards = _per_seat(ruleset, flags, "Hands_seen")[seat] if flags is not None else [True] * len(hand)
    if len(hand) > HAND_ROOM - 2:
        raise NevskyError("position.hand", number=len(hand))
    if not isinstance(open_cards, Sequence) or len(open_cards) != len(hand):
        raise NevskyError("position.hands_seen")
    for kind, is_open in zip(hand, open_cards, strict=True):
        position.add_to_hand(seat, kind, bool(is_open))
    down = _counts(_per_seat(ruleset, data.get("face_down", [{}] * n), "Face_down")[seat], "Face_down")
    for kind, count in down.items():
        if count > area[kind] or not turn_down(position, seat, kind, count):
            raise NevskyError("position.face_down", count=count, card=CARDS[kind].text)
    seen.update(area)
    seen.update(hand)


def turn_down(position: Position, seat: int, kind: int, count: int) -> bool:
    """Arrange cards of an area face down; False if no such card can lie so."""
    if kind == OBSERVATORY:
        position.turn_down(seat, kind, count)
        return True
    return any(part.turn_down(full, seat, kind, count) for part, full in each_part(position))


def _restore_decision(position: Position, ruleset: Ruleset, data: Mapping[str, Any]) -> None:
    n = ruleset.players
    played = [p for p in range(5) if position.t.deck_size[p]]
    empty = any(position.pile_n[p] == 0 for p in played)
    position.last_round = int(bool(data.get("last_round", empty)))
    due = data.get("due", "turn")
    most_passes = n - 1 if due == "turn" else n
    position.passes = _whole(data.get("passes", 0), Words("position.what.passes"), 0, most_passes)
    if due is None:
        position.due = OVER
        return
    if due not in DUES:
        raise NevskyError("position.due", decision=repr(due))
    position.due = DUES.index(due)
    position.seat = position.token[position.phase]
    if data.get("to_move") is not None:
        position.seat = _whole(data["to_move"], Words("position.what.to_move"), 0, n - 1)
    first_workers = position.round == 1 and position.phase == WORKER and position.t.edition == SECOND
    position.must_buy = int(bool(data.get("must_buy", first_workers and position.row_n[1] > 0)))
    if position.due == PUB and (position.phase != BUILDING or not position.pub[position.seat]):
        raise NevskyError("position.pub")
    if (due in ABOUT_DRAWN) != (position.drawn != NONE):
        raise NevskyError("position.drawn")
    position.asked = (position.seat - position.token[position.phase]) % n if position.due == PUB else 0
