"""Another game that a seat cannot tell from the real one: what happened, with new secrets of the others.

All cards that the seat cannot place are equally likely to be wherever one of them is, so they are dealt anew. The whole
game is then played again, for what the others remember must be true as well.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from nevsky.envs.openspiel_deal import plan
from nevsky.envs.openspiel_play import CHANCE, HistoryEntry, Play, unseen
from nevsky.errors import NevskyError
from nevsky.rules.actions import PASS, STARTS, TAKE_DRAWN
from nevsky.rules.constants import NONE
from nevsky.rules.modules import ASSIGNMENTS
from nevsky.rules.modules.assignments.room import NUMBERS, PER_SEAT, in_box
from nevsky.rules.position import Position
from nevsky.rules.rng import Rng

_ASSIGNMENT_1 = STARTS["ASSIGNMENT"]

__all__ = ["follow", "guess", "has_secrets"]


class Wanted(NamedTuple):
    """A step that the other game has to make."""

    actor: int
    number: int
    seen: str
    """What the seat that guesses must see of it."""


class Slot(NamedTuple):
    """A card that somebody drew and took into the hand unseen, or is still looking at."""

    drawn: int
    """The step in which it was turned up."""
    taken: int | None
    """The step in which it was taken."""


def has_secrets(play: Play, viewer: int) -> bool:
    """Whether there is anything now that somebody else knows and the viewer does not."""
    position = play.position
    if position is None:
        return any(step.knower not in (None, viewer) for step in play.history)
    if position.over:
        return False
    if ASSIGNMENTS.in_play(play.ruleset) and not play.assignments_open():
        return True
    if position.drawn != NONE and position.drawn_pile != NONE and position.seat != viewer:
        return True
    return not play.ruleset.open_hands and any(
        unseen(position, seat) for seat in range(play.ruleset.players) if seat != viewer
    )


def guess(play: Play, viewer: int, rng: Rng) -> list[Wanted]:
    """The course of the game as the viewer saw it, with secrets it might have had."""
    numbers = [step.number for step in play.history]
    _new_assignments(play, viewer, rng, numbers)
    _new_cards(play, viewer, rng, numbers)
    wanted = []
    for step, number in zip(play.history, numbers, strict=True):
        seen = step.seen_by(viewer)
        if seen is not None:
            wanted.append(Wanted(step.actor, number, seen))
    return wanted


def follow(play: Play, apply: Callable[[int], None], viewer: int, wanted: list[Wanted]) -> bool:
    """Play a new game through ``apply`` as wanted; whether that was possible.

    Forced decisions make themselves. A secret question that nobody saw an answer to was answered with a pass.
    """
    made = at = 0
    while True:
        for step in play.history[made:]:
            seen = step.seen_by(viewer)
            if seen is None:
                continue
            if at == len(wanted) or wanted[at] != (step.actor, step.number, seen):
                return False
            at += 1
        made = len(play.history)
        if at == len(wanted):
            return True
        actor, number, _ = wanted[at]
        if play.mover != viewer and play.secret_question and not (actor == play.mover and number in play.legal()):
            actor, number = play.mover, PASS
        if actor != play.mover or play.over:
            return False
        try:
            apply(number)
        except NevskyError:
            return False


def _new_assignments(play: Play, viewer: int, rng: Rng, numbers: list[int]) -> None:
    if play.assignments_open() or not ASSIGNMENTS.in_play(play.ruleset):
        return
    dealt = [i for i, name in enumerate(plan(play.ruleset)[: len(play.history)]) if name == "assignment"]
    theirs = [i for i in dealt if play.history[i].knower != viewer]
    known = {numbers[i] for i in dealt if play.history[i].knower == viewer}
    left = sorted(in_box(play.ruleset.players) - known)
    rng.shuffle(left)
    own: dict[int | None, list[int]] = {}
    for i in theirs:
        numbers[i] = left.pop()
        own.setdefault(play.history[i].knower, []).append(numbers[i])
    for i, step in enumerate(play.history):
        if step.actor != CHANCE and _chooses_assignment(step) and step.knower != viewer:
            numbers[i] = _ASSIGNMENT_1 + own[step.knower][rng.below(PER_SEAT)] - 1


def _chooses_assignment(step: HistoryEntry) -> bool:
    return step.knower is not None and _ASSIGNMENT_1 <= step.number < _ASSIGNMENT_1 + NUMBERS


def _new_cards(play: Play, viewer: int, rng: Rng, numbers: list[int]) -> None:
    """Cards that others took unseen: those that came to light were one of them, the rest may be any unseen card."""
    position = play.position
    if position is None or position.over:
        return
    pile_of = position.t.pile
    slots: dict[tuple[int, int], list[Slot]] = {}
    for i, step in enumerate(play.history):
        if step.actor == CHANCE:
            if step.knower is None or step.knower == viewer:
                continue
            if i < play.deal.length:
                if play.deal.secret_card(i):
                    slots.setdefault((step.knower, pile_of[step.number]), []).append(Slot(i, None))
                continue
            taken = i + 1 if i + 1 < len(play.history) else None
            if taken is None or play.history[taken].knower is not None:
                slots.setdefault((step.knower, pile_of[step.number]), []).append(Slot(i, taken))
        elif step.shown != NONE and step.actor != viewer:
            own = slots[step.actor, pile_of[step.shown]]
            _fill(play, own.pop(rng.below(len(own))), step.shown, numbers)
    for pile in range(5):
        theirs = [slot for (_, which), own in slots.items() if which == pile for slot in own]
        if not theirs:
            continue
        pool = sorted(_unplaced(play, position, viewer, pile))
        rng.shuffle(pool)
        for slot in theirs:
            _fill(play, slot, pool.pop(), numbers)


def _unplaced(play: Play, position: Position, viewer: int, pile: int) -> list[int]:
    """All cards with this back that the viewer cannot place: in the pile, unseen on a hand, or being looked at."""
    cards = position.pile_of(pile)
    for kind in play.turned:
        if position.t.pile[kind] == pile:
            cards.remove(kind)
    if not play.ruleset.open_hands:
        for seat in range(position.n):
            if seat != viewer:
                cards += [kind for kind in unseen(position, seat) if position.t.pile[kind] == pile]
    if position.drawn != NONE and position.drawn_pile == pile and position.seat != viewer:
        cards.append(position.drawn)
    return cards


def _fill(play: Play, slot: Slot, kind: int, numbers: list[int]) -> None:
    assert play.position is not None
    numbers[slot.drawn] = kind
    if slot.taken is not None:
        numbers[slot.taken] = TAKE_DRAWN + play.position.t.index[kind]
