"""What the Market and the modules add to a position, as plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from nevsky.cards import CARDS, GOODS, KIND
from nevsky.errors import NevskyError
from nevsky.rules.actions import EVENTS
from nevsky.rules.constants import CZAR_AND_CARPENTER, NONE, QUEUE_ROOM, SHIP_BUILDER_ANY
from nevsky.rules.full import FullPosition
from nevsky.rules.ruleset import Ruleset

__all__ = ["ASSISTANTS", "SPACES", "TILES", "describe_extras", "restore_extras"]

ASSISTANTS: Final = ("master_craftsman", "mistress_of_the_manor", "architect", "lawyer", "czars_daughter")
SPACES: Final = (10, 20, 35, 50, 70)
TILES: Final = ("B1", "B2", "B3", "B4", "B5", "R1", "R2", "R3", "R4", "R5")
ANY_CARDS: Final = (SHIP_BUILDER_ANY, CZAR_AND_CARPENTER)
_FLOW: Final = (
    "stage part sub asked turn_seat again halved extra picking stack first_space to_ask open_tile final".split()
)
_PARTS: Final = "standing part_nobles part_assignment part_rubles part_hand".split()


def describe_extras(p: FullPosition) -> dict[str, Any]:
    """The part of a position's description that only the Market and modules have, secrets included."""
    n = p.n
    data: dict[str, Any] = {}
    if p.t.market:
        data["goods"] = [dict(zip(GOODS, p.goods[5 * s : 5 * s + 5], strict=True)) for s in range(n)]
        given: list[dict[str, str]] = [{} for _ in range(n)]
        for card, good, seat in zip(ANY_CARDS, p.tile, p.tile_seat, strict=True):
            if good != NONE:
                given[seat][CARDS[card].text] = GOODS[good]
        data["tiles"] = {
            "value": [min(p.round, 6), min(p.round, 6) // 2],
            "supply": [good for i, good in enumerate(GOODS) if i not in p.tile],
            "given": given,
        }
    if p.t.modules >> 1 & 1:
        data["attached"] = [
            {
                name: CARDS[kind].exact
                for name, seat, kind in zip(("banquet", "jester"), p.attached_seat, p.attached_kind, strict=True)
                if seat == s
            }
            for s in range(n)
        ]
        data["covered"] = [CARDS[p.covered_kind].exact if p.covered_seat == s else None for s in range(n)]
    if p.t.modules >> 3 & 1:
        data["assistants"] = {name: seat for name, seat in zip(ASSISTANTS, p.assistant, strict=True) if seat != NONE}
    if p.t.modules >> 4 & 1:
        data["events_left"] = [event for i, event in enumerate(EVENTS) if p.events_left >> i & 1]
        data["events_used"] = [bool(p.had_event >> s & 1) for s in range(n)]
        data["storeroom"] = p.storeroom_seat if p.storeroom_seat != NONE else None
    if p.t.modules >> 5 & 1:
        data["assignments"] = [p.assignments[3 * s : 3 * s + 3] for s in range(n)]
        data["chosen"] = [number or None for number in p.chosen[:n]]
    if p.t.modules >> 6 & 1:
        data["obstacles"] = {
            "tiles": {str(at): TILES[tile] for at, tile in zip(SPACES, p.obstacle, strict=True)},
            "passed": [[at for i, at in enumerate(SPACES) if p.passed[s] >> i & 1] for s in range(n)],
            "due": [[SPACES[p.bonus[QUEUE_ROOM * s + i]] for i in range(p.bonus_n[s])] for s in range(n)],
            "lost": p.lost[:n],
        }
    data["flow"] = {name: getattr(p, name) for name in _FLOW}
    if p.final:
        data["flow"].update({name: getattr(p, name)[:n] for name in _PARTS})
    return data


EXTRA_FIELDS: Final = frozenset(
    "goods tiles attached covered assistants events_left events_used storeroom assignments chosen obstacles"
    " flow".split()
)


DEALT: Final = {3: "assistants", 5: "assignments", 6: "obstacles"}
"""What the modules deal at the start beside piles and tokens."""


def check_deal(p: FullPosition, ruleset: Ruleset) -> None:
    """Refuse a deal that the rules cannot have made (11.3 b, 11.5, 11.6 a)."""
    n = ruleset.players
    if 3 in ruleset.modules:
        present = {i for i, seat in enumerate(p.assistant) if seat != NONE}
        wanted = {2: {2, 3}, 3: {2, 3, 4}, 4: {1, 2, 3, 4}, 5: {0, 1, 2, 3, 4}}[n]
        right = {1: (p.token[1] - 1) % n} if n >= 4 else {}
        if n == 5:
            right[0] = (p.token[0] - 1) % n
        seats = [seat for seat in p.assistant if seat != NONE]
        if present != wanted or len(set(seats)) != n or any(p.assistant[i] != seat for i, seat in right.items()):
            raise NevskyError("deal.assistants")
    if 5 in ruleset.modules and n == 2 and {2, 8, 15} & set(p.assignments):
        raise NevskyError("deal.two_players")
    if 6 in ruleset.modules:
        real = [tile >= 5 for tile in p.obstacle]
        standard = real == [False, True, True, False, False]
        if not standard if ruleset.real_obstacles is None else sum(real) != ruleset.real_obstacles:
            raise NevskyError("deal.obstacles")


def _bad(what: str) -> NevskyError:
    return NevskyError("position.unreadable", field=what)


def restore_extras(p: FullPosition, ruleset: Ruleset, data: Mapping[str, Any]) -> None:
    """Set what `describe_extras` told of; anything that is left out has its value at the start."""
    for what, restore in _RESTORERS.items():
        if data.get(what) is None:
            continue
        try:
            restore(p, ruleset, data[what])
        except NevskyError:
            raise
        except (KeyError, ValueError, TypeError, IndexError, AttributeError, OverflowError) as error:
            raise _bad(what) from error


def _tiles(p: FullPosition, ruleset: Ruleset, value: Mapping[str, Any]) -> None:
    for seat, given in enumerate(_per_seat(ruleset, value["given"])):
        for text, good in given.items():
            card = ANY_CARDS.index(KIND[text])
            if not p.area_of(seat).get(KIND[text]) or GOODS.index(good) in p.tile:
                raise _bad("tiles")
            p.arrange_tile(card, seat, GOODS.index(good))


def _per_seat(ruleset: Ruleset, value: Sequence[Any]) -> Sequence[Any]:
    if isinstance(value, (str, Mapping)) or len(value) != ruleset.players:
        raise NevskyError("position.per_seat", players=ruleset.players)
    return value


def _attached(p: FullPosition, ruleset: Ruleset, value: Sequence[Any]) -> None:
    seats, kinds = p.attached_seat, p.attached_kind
    for seat, cards in enumerate(_per_seat(ruleset, value)):
        for name, text in cards.items():
            if not p.area_of(seat).get(KIND[text]):
                raise _bad("attached cards")
            seats[("banquet", "jester").index(name)] = seat
            kinds[("banquet", "jester").index(name)] = KIND[text]
    p.attached_seat, p.attached_kind = seats, kinds


def _covered(p: FullPosition, ruleset: Ruleset, value: Sequence[Any]) -> None:
    for seat, text in enumerate(_per_seat(ruleset, value)):
        if text is not None:
            if not p.area_of(seat).get(KIND[text]):
                raise _bad("covered card")
            p.arrange_cover(seat, KIND[text])


def _assistants(p: FullPosition, ruleset: Ruleset, value: Mapping[str, int]) -> None:
    for name, seat in value.items():
        p.arrange_assistant(ASSISTANTS.index(name), _seat(ruleset, seat))


def _seat(ruleset: Ruleset, seat: object) -> int:
    if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < ruleset.players:
        raise NevskyError("seat.none", seat=repr(seat))
    return seat


def _events_left(p: FullPosition, _: Ruleset, value: Sequence[str]) -> None:
    p.events_left = sum(1 << EVENTS.index(event) for event in set(value))


def _events_used(p: FullPosition, ruleset: Ruleset, value: Sequence[bool]) -> None:
    p.had_event = sum(1 << seat for seat, used in enumerate(_per_seat(ruleset, value)) if used)


def _storeroom(p: FullPosition, ruleset: Ruleset, value: int) -> None:
    seat = _seat(ruleset, value)
    p.storeroom_seat = seat
    limits = p.hand_limit
    limits[seat] += 1
    p.hand_limit = limits


def _assignments(p: FullPosition, ruleset: Ruleset, value: Sequence[Sequence[int]]) -> None:
    numbers = [_small(number, 1, 15) for own in _per_seat(ruleset, value) for number in own]
    if len(numbers) != 3 * ruleset.players or len(set(numbers)) != len(numbers):
        raise _bad("assignments")
    p.assignments = numbers + [0] * (15 - len(numbers))


def _small(value: object, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise NevskyError("position.number", value=repr(value), least=least, most=most)
    return value


def _chosen(p: FullPosition, ruleset: Ruleset, value: Sequence[int | None]) -> None:
    numbers = [_small(number or 0, 0, 15) for number in _per_seat(ruleset, value)]
    for seat, number in enumerate(numbers):
        if number and number not in p.assignments[3 * seat : 3 * seat + 3]:
            raise _bad("chosen assignments")
    p.chosen = numbers + [0] * (5 - len(numbers))


def _obstacles(p: FullPosition, ruleset: Ruleset, value: Mapping[str, Any]) -> None:
    tiles = [TILES.index(value["tiles"][str(at)]) for at in SPACES]
    if len(set(tiles)) != len(tiles):
        raise _bad("obstacles")
    p.obstacle = tiles
    passed, queue, sizes, lost = p.passed, p.bonus, p.bonus_n, p.lost
    none: list[list[int]] = [[] for _ in range(ruleset.players)]
    for seat, spaces in enumerate(_per_seat(ruleset, value.get("passed", none))):
        passed[seat] = sum(1 << SPACES.index(at) for at in set(spaces))
    for seat, spaces in enumerate(_per_seat(ruleset, value.get("due", none))):
        if len(spaces) > 5:
            raise _bad("obstacles")
        sizes[seat] = len(spaces)
        for i, at in enumerate(spaces):
            queue[QUEUE_ROOM * seat + i] = SPACES.index(at)
    for seat, points in enumerate(_per_seat(ruleset, value.get("lost", [0] * ruleset.players))):
        lost[seat] = _small(points, 0, 9999)
    p.passed, p.bonus, p.bonus_n, p.lost = passed, queue, sizes, lost


def _flow(p: FullPosition, ruleset: Ruleset, value: Mapping[str, Any]) -> None:
    unknown = set(value) - set(_FLOW) - set(_PARTS)
    if unknown:
        raise _bad("flow")
    for name in _FLOW:
        if name in value:
            setattr(p, name, _small(value[name], -1, 20))
    for name in _PARTS:
        if name in value:
            numbers = [_small(number, -9999, 9999) for number in _per_seat(ruleset, value[name])]
            setattr(p, name, numbers + [0] * (5 - len(numbers)))
    if p.open_tile != NONE:
        seats = p.tile_seat
        seats[p.open_tile] = p.seat
        p.tile_seat = seats
    if p.stack > p.row_n[1] or p.turn_seat >= ruleset.players or p.turn_seat < 0:
        raise _bad("flow")


_RESTORERS: Final[dict[str, Callable[[FullPosition, Ruleset, Any], None]]] = {
    "tiles": _tiles,
    "attached": _attached,
    "covered": _covered,
    "assistants": _assistants,
    "events_left": _events_left,
    "events_used": _events_used,
    "storeroom": _storeroom,
    "assignments": _assignments,
    "chosen": _chosen,
    "obstacles": _obstacles,
    "flow": _flow,
}
