"""One simulation harness: random games in which every invariant of the rules is checked at every decision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from copy import deepcopy
from functools import cache
from operator import attrgetter
from typing import Any

import orjson
import pytest

from nevsky import ACTIONS, COMPILED, Game, NevskyError, Ruleset, parse_action, redeal
from nevsky.cards import CARDS, KIND, PILES
from nevsky.record import from_json, to_json
from nevsky.rules.course import whole_box
from nevsky.rules.modules import ASSIGNMENTS, ROOMS
from nevsky.rules.modules.assignments.room import in_box
from nevsky.rules.parts import each_part
from nevsky.rules.position import Position
from nevsky.rules.redealer import Redealer
from nevsky.rules.rng import Rng
from nevsky.rules.snapshot import blank, describe, restore
from nevsky.rules.tables import copies
from nevsky.rules.view import make_view

DERIVED = "named pub count income_rubles income_points price owned hand_limit down area".split()
_WORKED_OUT = {"legal_ids", "named", "count", "income_rubles", "income_points", "price", "owned"}
DERIVED_FULL = "goods tile tile_seat open_tile stage part sub turn_seat again extra final standing".split()


Numbers = list[tuple[object, ...]]


def fingerprint(position: Position) -> str:
    return orjson.dumps(describe(position), option=orjson.OPT_SORT_KEYS).decode()


def numbers(position: Position) -> Numbers:
    """Every number that is not worked out from others, in a third of the time of a fingerprint, but only for one game.

    What lies behind the end of a pile or of a queue is among them, and that depends on the way there.
    """
    full = whole_box(position)
    states = [position, *(getattr(full, room.id) for room in ROOMS)] if full is not None else [position]
    found = [_reader(type(state), state)(state) for state in states if state is not None]
    return found if COMPILED else deepcopy(found)  # compiled, every look at a list is a copy


_readers: dict[type, attrgetter[tuple[object, ...]]] = {}


def _reader(kind: type, state: object) -> attrgetter[tuple[object, ...]]:
    if kind not in _readers:
        _readers[kind] = attrgetter("__class__", *(name for name in all_names(state) if name not in _WORKED_OUT))
    return _readers[kind]


def cards_everywhere(position: Position) -> Counter[str]:
    found: Counter[str] = Counter()
    for p in range(5):
        found.update(CARDS[k].text for k in position.pile_of(p))
    for row in (1, 2):
        found.update(CARDS[k].text for k in position.row_of(row))
    found.update(CARDS[k].text for k in position.discard_list())
    found.update(CARDS[k].text for k in position.out_list())
    for seat in range(position.n):
        found.update(CARDS[k].text for k in position.hand_of(seat))
        for kind, count in position.area_of(seat).items():
            found[CARDS[kind].text] += count
    if position.drawn >= 0:
        found[CARDS[position.drawn].text] += 1
    for part, full in each_part(position):
        found.update(part.own_cards(part.describe(full)))
    return +found


_BEHIND_ITS_END = {"bonus"}


def state_names(state: object) -> list[str]:
    """The numbers that a module declares; a queue is as long as it says, and what lies behind its end means nothing."""
    return [] if state is None else [name for name in all_names(state) if name not in _BEHIND_ITS_END]


def all_names(state: object) -> list[str]:
    names = [name for name in dir(state) if not name.startswith("_")]
    return [name for name in names if isinstance(getattr(state, name), int | list)]


@cache
def the_box(ruleset: Ruleset) -> Counter[str]:
    found: Counter[str] = Counter()
    for card in CARDS:
        found[card.text] += copies(ruleset, card.kind)
    return +found


def check_position(position: Position, ruleset: Ruleset) -> None:
    """What must hold in every position."""
    assert cards_everywhere(position) == the_box(ruleset), "cards are lost or made"
    assert all(rubles >= 0 for rubles in position.rubles), "negative rubles"
    data = describe(position)
    print_ = orjson.dumps(data, option=orjson.OPT_SORT_KEYS).decode()
    again = restore(ruleset, data)
    for name in DERIVED:
        assert getattr(again, name) == getattr(position, name), f"{name} was not kept up to date"
    full, full_again = whole_box(position), whole_box(again)
    if full is not None and full_again is not None:
        for name in DERIVED_FULL:
            assert getattr(full_again, name) == getattr(full, name), f"{name} was not kept up to date"
        for room in ROOMS:
            state, state_again = getattr(full, room.id), getattr(full_again, room.id)
            for name in state_names(state):
                assert getattr(state_again, name) == getattr(state, name), f"{name} of {room.name} is not restored"
    assert fingerprint(again) == print_
    legal = position.legal()
    assert len(legal) == len(set(legal)), "an action is listed twice"
    assert bool(legal) != position.over
    for number in legal:
        assert parse_action(ACTIONS[number].text).id == number
    assert again.legal() == legal


def permute_hidden(position: Position, ruleset: Ruleset, seat: int | None, rng: Rng) -> Position:
    """Everything that the seat may not know, changed at random."""
    data = describe(position)
    hidden: dict[str, list[str]] = {name: list(cards) for name, cards in data["piles"].items()}
    slots: list[tuple[int, int, str]] = []
    for other in range(ruleset.players):
        if other == seat or ruleset.open_hands:
            continue
        for i, (text, seen) in enumerate(zip(data["hands"][other], data["hands_seen"][other], strict=True)):
            if not seen:
                pile = CARDS[position.hand_of(other)[i]].pile
                slots.append((other, i, pile))
                hidden[pile].append(text)
    drawn_pile = None
    if data["due"] == "drawn" and seat != position.seat:
        drawn_pile = CARDS[position.drawn].pile
        hidden[drawn_pile].append(data["drawn"])
    for name in hidden:
        kinds = [KIND[text] for text in hidden[name]]
        rng.shuffle(kinds)
        hidden[name] = [CARDS[kind].exact for kind in kinds]
    for other, i, pile in slots:
        data["hands"][other][i] = hidden[pile].pop()
    if drawn_pile is not None:
        data["drawn"] = hidden[drawn_pile].pop()
    data["piles"] = hidden
    if ASSIGNMENTS.in_play(ruleset) and not position.choices_open():
        permute_assignments(data, ruleset, seat, rng)
    if not ruleset.open_rubles:
        data["rubles"] = [r if s == seat else rng.below(60) for s, r in enumerate(data["rubles"])]
    return restore(ruleset, data)


def permute_assignments(data: dict[str, Any], ruleset: Ruleset, seat: int | None, rng: Rng) -> None:
    numbers = sorted(in_box(ruleset.players) - set(data["assignments"][seat] if seat is not None else ()))
    rng.shuffle(numbers)
    for other in range(ruleset.players):
        if other != seat:
            data["assignments"][other] = [numbers.pop() for _ in range(3)]
            data["chosen"][other] = data["assignments"][other][0] if data["chosen"][other] else None


def check_views(position: Position, ruleset: Ruleset, rng: Rng, seats: Iterable[int | None] | None = None) -> None:
    """No view tells a secret, and a re-dealt game cannot be told from the real one."""
    for seat in seats or (None, *range(ruleset.players)):
        view = make_view(position, ruleset, seat)
        if position.over:
            continue
        seen = view.to_bytes()
        other = permute_hidden(position, ruleset, seat, rng)
        assert make_view(other, ruleset, seat).to_bytes() == seen, f"seat {seat} sees a secret"
        unseen = position.copy()
        Redealer().deal(unseen, -1 if seat is None else seat, int(ruleset.open_hands), rng)
        assert make_view(unseen, ruleset, seat).to_bytes() == seen, f"seat {seat} sees what is dealt anew"
        dealt = redeal(view, rng.below(1 << 30))
        assert dealt.view(seat).to_bytes() == seen, f"the re-dealt game is another one for seat {seat}"


def check_hand_limits(before: Position, after: Position) -> None:
    for seat in range(after.n):
        size = after.hand_n[seat]
        assert size <= after.hand_limit[seat] or size <= before.hand_n[seat], "a card was taken without room"


def check_rubles(before: Position, after: Position, number: int) -> None:
    """Every ruble that came or went has a cause: a price, the pub, or the scoring of a phase (base game)."""
    action, mover = ACTIONS[number], before.seat
    expected = before.rubles[: before.n]
    if action.verb in ("buy", "play"):
        onto = KIND[action.onto] if action.onto else -1
        expected[mover] -= before.price_of(mover, KIND[action.card], action.row, onto)
    if action.verb == "pub":
        expected[mover] -= 2 * action.number
    scored = before.due != 2 and (
        after.due == 2 or (after.phase, after.round) != (before.phase, before.round) or after.over
    )
    if scored and before.phase != PILES.index("exchange"):
        colour = PILES[before.phase]
        for seat in range(before.n):
            expected[seat] += printed_rubles(after.area_of(seat), colour, after.t.edition)
    assert after.rubles[: after.n] == expected, "rubles changed without a cause"


def printed_rubles(area: dict[int, int], phase: str, edition: int) -> int:
    colour = {"worker": "green", "building": "blue", "noble": "red", "market": "yellow"}[phase]

    def number(of: str) -> int:
        return sum(count for kind, count in area.items() if CARDS[kind].colour == of)

    rubles = sum(CARDS[kind].rubles * count for kind, count in area.items() if CARDS[kind].colour == colour)
    if colour == "red" and KIND["tax_man"] in area:
        rubles += number("green")
    if colour == "blue" and edition == 1 and KIND["mariinsky_theater"] in area:
        rubles += number("red")
    return rubles


def play_checked(ruleset: Ruleset, seed: str, positions_every: int = 1, views_every: int = 9) -> Game:
    """A random game in which everything is checked on the way and at its end; the slow checks at random decisions."""
    game = Game(ruleset, seed)
    rng = Rng.of("harness", seed)
    past: list[tuple[Position, Numbers]] = []
    while not game.over:
        before = game.position
        past.append((before, numbers(before)))
        if rng.below(positions_every) == 0:
            check_position(before, ruleset)
        if rng.below(views_every) == 0:
            check_views(before, ruleset, rng)
            check_mask_and_copies(game, rng)
        legal = game.legal_ids
        number = legal[rng.below(len(legal))]
        game.push(number)
        after = game.position
        check_hand_limits(before, after)
        if not getattr(ruleset, "market", False) and not getattr(ruleset, "modules", ()):
            check_rubles(before, after, number)
    check_position(game.position, ruleset)
    check_end(game)
    for position, expected in past:
        assert numbers(position) == expected, "a past state was changed"
    check_undo(game, [expected for _, expected in past])
    return game


def check_mask_and_copies(game: Game, rng: Rng) -> None:
    mask = game.legal_mask
    assert [i for i, legal in enumerate(mask) if legal] == sorted(game.legal_ids)
    before = numbers(game.position)
    copy = game.copy()
    for _ in range(5):
        if not copy.over:
            copy.push(copy.legal_ids[rng.below(len(copy.legal_ids))])
    assert numbers(game.position) == before, "a copy is not independent"
    illegal = next(i for i in range(rng.below(len(mask)), 2 * len(mask)) if not mask[i % len(mask)]) % len(mask)
    with pytest.raises(NevskyError):
        game.push(illegal)
    assert numbers(game.position) == before, "a refused action changed the game"


def check_end(game: Game) -> None:
    result = game.result
    assert result is not None
    for final in result.final:
        assert final.total == game.position.total(final.seat)[0]
    assert min(final.place for final in result.final) == 1
    text = to_json(game)
    again = from_json(text)
    assert to_json(again) == text
    assert again.result == result
    assert fingerprint(again.position) == fingerprint(game.position)


def check_undo(game: Game, past: list[Numbers]) -> None:
    copy = game.copy()
    for expected in reversed(past):
        copy.undo()
        assert numbers(copy.position) == expected, "undo does not lead back"
    with pytest.raises(NevskyError):
        copy.undo()


def play_sampled(ruleset: Ruleset, seed: str) -> None:
    """A random game at compiled speed with all checks at one random decision and at the end."""
    rng = Rng.of("sampled", seed)
    position = blank(ruleset)
    position.new_game(rng)
    position.play_random(rng, rng.below(300))
    check_position(position, ruleset)
    check_views(position, ruleset, rng, [rng.below(ruleset.players)])
    position.play_random(rng)
    assert position.over
    check_position(position, ruleset)


def checksum(ruleset: Ruleset, seed: str) -> dict[str, Any]:
    """A game boiled down to what must be equal compiled and uncompiled."""
    position = blank(ruleset)
    position.new_game(Rng.of(seed))
    decisions = position.play_random(Rng.of(seed, "play"))
    return {"decisions": decisions, "end": describe(position)}
