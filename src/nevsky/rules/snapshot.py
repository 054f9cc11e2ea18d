"""Positions as plain data: for arranged positions, records and re-dealt games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from nevsky.cards import CARDS, KIND, PILES, find_card
from nevsky.errors import NevskyError
from nevsky.rules.actions import CANONICAL
from nevsky.rules.constants import (
    BUILDING,
    DEBTORS_PRISON,
    DRAWN,
    DUES,
    FOUND,
    HAND_ROOM,
    NONE,
    OBSERVATORY,
    OVER,
    PILE_ROOM,
    PUB,
    ROW_ROOM,
    SCAVENGE,
    SCORING,
    SECOND,
    TURN,
    WORKER,
)
from nevsky.rules.extras import DEALT, EXTRA_FIELDS, check_deal, describe_extras, restore_extras
from nevsky.rules.full import FullPosition
from nevsky.rules.position import Position
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.tables import Tables, copies, tables_for

__all__ = ["blank", "card_kind", "deal_position", "describe", "phases", "restore"]

_BLANKS: dict[Ruleset, Position] = {}


def blank(ruleset: Ruleset) -> Position:
    """A fresh position of this ruleset with nothing dealt."""
    found = _BLANKS.get(ruleset)
    if found is None:
        t = tables_for(ruleset)
        found = (
            FullPosition(t, ruleset.players, 10 if ruleset.market else 8)
            if ruleset.market or ruleset.modules
            else Position(t, ruleset.players, 8)
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
        raise NevskyError(f"There is no card {text!r}.")
    return kind


def _whole(value: object, what: str, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise NevskyError(f"{what} is a whole number from {least} to {most}, not {value!r}.")
    return value


def _cards(value: object, what: str) -> list[int]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise NevskyError(f"{what} is a list of cards, not {value!r}.")
    return [card_kind(text) for text in value]


def _counts(value: object, what: str) -> Counter[int]:
    """Cards with their number, given as a mapping or as a list."""
    if isinstance(value, Mapping):
        return Counter(
            {card_kind(text): _whole(count, f"The number of {text}", 0, 31) for text, count in value.items()}
        )
    return Counter(_cards(value, what))


def _per_seat(ruleset: Ruleset, value: object, what: str) -> Sequence[Any]:
    if isinstance(value, str) or not isinstance(value, Sequence) or len(value) != ruleset.players:
        raise NevskyError(f"{what} has one entry for each of the {ruleset.players} players.")
    return value


def _set_tokens(position: Position, ruleset: Ruleset, tokens: object) -> None:
    expected = phases(ruleset)
    if not isinstance(tokens, Mapping) or set(tokens) != set(expected):
        raise NevskyError(f"The tokens name a seat for each of {', '.join(expected)}.")
    token = position.token
    for phase, seat in tokens.items():
        token[PILES.index(phase)] = _whole(seat, f"The holder of the {phase} token", 0, ruleset.players - 1)
    position.token = token


def _set_piles(position: Position, ruleset: Ruleset, piles: object) -> Counter[int]:
    expected = phases(ruleset)
    if not isinstance(piles, Mapping) or not set(piles) <= set(expected):
        raise NevskyError(f"The piles are {', '.join(expected)}.")
    pile, sizes = position.pile, position.pile_n
    seen: Counter[int] = Counter()
    for name, texts in piles.items():
        p = PILES.index(name)
        kinds = [_with_back(kind, name) for kind in _cards(texts, f"The {name} pile")]
        for kind in kinds:
            if CARDS[kind].pile != name:
                raise NevskyError(f"{CARDS[kind].text} does not belong to the {name} pile.")
        if len(kinds) >= PILE_ROOM:
            raise NevskyError(f"The {name} pile has too many cards.")
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


def check_copies(ruleset: Ruleset, seen: Counter[int]) -> None:
    """Refuse more copies of a card than the box holds."""
    for kind, count in seen.items():
        most = copies(ruleset, kind)
        if count > most:
            card = CARDS[kind].text
            if most == 0:
                raise NevskyError(f"{card} is not part of this game.")
            raise NevskyError(f"There are only {most} of {card}, not {count}.")


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
            raise NevskyError(f"A whole {name} pile has {t.deck_size[p]} cards, not {position.pile_n[p]}.")
    position.begin()
    expected = {name for module, name in DEALT.items() if module in ruleset.modules}
    if set(deal) != expected:
        raise NevskyError(f"This deal tells of {', '.join(sorted(expected)) or 'nothing but piles and tokens'}.")
    if isinstance(position, FullPosition):
        restore_extras(position, ruleset, {k: {"tiles": v} if k == "obstacles" else v for k, v in deal.items()})
        check_deal(position, ruleset)
    return position


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
    if isinstance(position, FullPosition):
        data.update(describe_extras(position))
    return data


def face_down(position: Position) -> list[dict[str, int]]:
    """The cards that lie face down, per seat."""
    found: list[dict[str, int]] = []
    for seat in range(position.n):
        down = {CARDS[OBSERVATORY].text: position.down[seat]}
        if isinstance(position, FullPosition):
            down[CARDS[DEBTORS_PRISON].text] = position.prison_down[seat]
        found.append({card: count for card, count in down.items() if count})
    return found


_FIELDS = frozenset(
    "round phase due to_move passes must_buy last_round rubles points hands hands_seen areas face_down"
    " row1 row2 piles discard out drawn tokens".split()
)


def restore(ruleset: Ruleset, data: Mapping[str, Any]) -> Position:
    """The position that `describe` told of, or an arranged one: whatever is left out has its value at the start."""
    if not isinstance(data, Mapping):
        raise NevskyError("A position is a mapping of names to values.")
    unknown = set(data) - _FIELDS - (EXTRA_FIELDS if ruleset.market or ruleset.modules else frozenset())
    if unknown:
        raise NevskyError(f"A position has no {', '.join(sorted(map(str, unknown)))}.")
    n = ruleset.players
    position = blank(ruleset)
    position.round = _whole(data.get("round", 1), "The round", 1, 99)
    phase = data.get("phase", "worker")
    if phase not in phases(ruleset):
        raise NevskyError(f"There is no {phase!r} phase in this game.")
    position.phase = PILES.index(phase)
    _set_tokens(position, ruleset, data.get("tokens", dict.fromkeys(phases(ruleset), 0)))
    seen = _set_piles(position, ruleset, data.get("piles", {}))
    seen += _restore_display(position, data)
    for seat in range(n):
        seen += _restore_seat(position, ruleset, data, seat)
    check_copies(ruleset, seen)
    _restore_decision(position, ruleset, data)
    if isinstance(position, FullPosition):
        position.turn_seat = position.seat
        position.first_space = int(position.row_n[1] > 0)
        if position.due == PUB:
            position.stage, position.part, position.sub = SCORING, 1, 2
        elif position.due not in (TURN, DRAWN, OVER) and "flow" not in data:
            raise NevskyError(f"A position in the middle of the decision {data['due']!r} also tells its flow.")
        restore_extras(position, ruleset, data)
    return position


def _restore_display(position: Position, data: Mapping[str, Any]) -> Counter[int]:
    seen: Counter[int] = Counter()
    row, row_n = position.row, position.row_n
    for number in (1, 2):
        kinds = _cards(data.get(f"row{number}", []), f"Row {number}")
        if len(kinds) >= ROW_ROOM:
            raise NevskyError(f"Row {number} has too many cards.")
        row[number * ROW_ROOM : number * ROW_ROOM + len(kinds)] = kinds
        row_n[number] = len(kinds)
        seen.update(kinds)
    position.row, position.row_n = row, row_n
    discard = _cards(data.get("discard", []), "The discard pile")
    out = _cards(data.get("out", []), "The list of cards out of the game")
    seen.update(discard)
    seen.update(out)
    if len(discard) > 192 or len(out) > 32:
        raise NevskyError("More cards are discarded than the box holds.")
    position.discard = discard + [0] * (192 - len(discard))
    position.discard_n = len(discard)
    position.out = out + [0] * (32 - len(out))
    position.out_n = len(out)
    if data.get("drawn") is not None:
        position.drawn = card_kind(data["drawn"])
        if data.get("due") == "drawn":
            position.drawn_pile = PILES.index(CARDS[position.drawn].pile)
        seen[position.drawn] += 1
    return seen


def _restore_seat(position: Position, ruleset: Ruleset, data: Mapping[str, Any], seat: int) -> Counter[int]:
    n = ruleset.players
    rubles, points = position.rubles, position.points
    if "rubles" in data:
        rubles[seat] = _whole(_per_seat(ruleset, data["rubles"], "Rubles")[seat], "A number of rubles", 0, 9999)
    if "points" in data:
        points[seat] = _whole(_per_seat(ruleset, data["points"], "Points")[seat], "A score", -999, 9999)
    position.rubles, position.points = rubles, points
    area = _counts(_per_seat(ruleset, data.get("areas", [{}] * n), "Areas")[seat], "An area")
    for kind, count in area.items():
        for _ in range(count):
            position.put_in_area(seat, kind)
    hand = _cards(_per_seat(ruleset, data.get("hands", [[]] * n), "Hands")[seat], "A hand")
    flags = data.get("hands_seen")
    open_cards = _per_seat(ruleset, flags, "Hands_seen")[seat] if flags is not None else [True] * len(hand)
    if len(hand) > HAND_ROOM - 2:
        raise NevskyError(f"A hand of {len(hand)} cards is too large.")
    if not isinstance(open_cards, Sequence) or len(open_cards) != len(hand):
        raise NevskyError("Hands_seen says for each card on a hand whether all have seen it.")
    for kind, is_open in zip(hand, open_cards, strict=True):
        position.add_to_hand(seat, kind, bool(is_open))
    down = _counts(_per_seat(ruleset, data.get("face_down", [{}] * n), "Face_down")[seat], "Face_down")
    for kind, count in down.items():
        if kind not in (OBSERVATORY, DEBTORS_PRISON) or count > area[kind]:
            raise NevskyError(f"{count} of {CARDS[kind].text} cannot lie face down there.")
        if kind == OBSERVATORY:
            position.turn_down(seat, kind, count)
        elif isinstance(position, FullPosition):
            position.arrange_prison(seat, count)
    seen = area + Counter(hand)
    attached = data.get("attached")
    if attached is not None and isinstance(position, FullPosition):
        seen += _counts(list(_per_seat(ruleset, attached, "Attached")[seat]), "Attached")
    return seen


def _restore_decision(position: Position, ruleset: Ruleset, data: Mapping[str, Any]) -> None:
    n = ruleset.players
    played = [p for p in range(5) if position.t.deck_size[p]]
    empty = any(position.pile_n[p] == 0 for p in played)
    position.last_round = int(bool(data.get("last_round", empty)))
    due = data.get("due", "turn")
    most_passes = n - 1 if due == "turn" else n
    position.passes = _whole(data.get("passes", 0), "The number of passes in a row", 0, most_passes)
    if due is None:
        position.due = OVER
        return
    if due not in DUES:
        raise NevskyError(f"No decision is called {due!r}.")
    position.due = DUES.index(due)
    position.seat = position.token[position.phase]
    if data.get("to_move") is not None:
        position.seat = _whole(data["to_move"], "The seat to move", 0, n - 1)
    first_workers = position.round == 1 and position.phase == WORKER and position.t.edition == SECOND
    position.must_buy = int(bool(data.get("must_buy", first_workers and position.row_n[1] > 0)))
    if position.due == PUB and (position.phase != BUILDING or not position.pub[position.seat]):
        raise NevskyError("Only the owner of a pub decides about it, in the building phase.")
    if (position.due in (DRAWN, FOUND, SCAVENGE)) != (position.drawn != NONE):
        raise NevskyError("A drawn card and the decision about it go together.")
    position.asked = (position.seat - position.token[position.phase]) % n if position.due == PUB else 0
