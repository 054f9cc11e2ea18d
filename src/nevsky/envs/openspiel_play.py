"""A game that is dealt while it is played: a card is drawn when it is turned up, and not before.

Elsewhere the whole deal is made at the start, and a search in such a game would see the next cards. As long as nobody
has seen a card of a pile its order means nothing, so drawing the top card at the moment it is turned up, each card of
the pile being equally likely, is the same game.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Final, NamedTuple

from nevsky.cards import CARDS
from nevsky.encoding import Encoder
from nevsky.envs.action_sets import ActionSet
from nevsky.envs.openspiel_deal import Deal, Outcomes, from_pile
from nevsky.errors import NevskyError
from nevsky.rules.action import KIND_ROOM
from nevsky.rules.actions import ACTIONS, OBSERVE, PASS, TAKE_DRAWN
from nevsky.rules.constants import DUES, NONE
from nevsky.rules.modules import ASSIGNMENTS
from nevsky.rules.part_data import describe_parts
from nevsky.rules.position import Position
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.view import as_seen

__all__ = ["CHANCE", "HistoryEntry", "Play"]

CHANCE: Final = -1
"""Who acts when something is dealt or turned up."""
_PILES: Final = 5
_END_OF_TAKE_DRAWN: Final = TAKE_DRAWN + KIND_ROOM
_PICK_POCKET: Final = DUES.index("pick_pocket")
_ASSIGNMENT: Final = DUES.index("assignment")


class HistoryEntry(NamedTuple):
    """One thing that happened, and who knows of it."""

    actor: int
    """A seat, or CHANCE."""
    number: int
    """The id of the action, or the outcome."""
    text: str
    knower: int | None = None
    """The only seat that knows all of it; None for everybody."""
    others: str | None = None
    """What the other seats know of it; None if they do not even know that anything happened."""
    shown: int = NONE
    """A card that nobody but its owner knew until it left the hand now."""

    def seen_by(self, seat: int | None) -> str | None:
        """What a seat knows of it, or a spectator with None."""
        return self.text if self.knower is None or self.knower == seat else self.others


class Play:
    """A game in the making. Positions are never changed, only replaced, so that copies may share them."""

    __slots__ = (
        "_action", "_left", "_need", "_partly", "_pile", "_texts", "auto", "deal", "history", "inputs", "mover",
        "numbering", "over", "position", "reward", "ruleset", "turned"
    )  # fmt: skip

    def __init__(self, deal: Deal, auto: bool, reward: str = "win", numbering: ActionSet | None = None) -> None:
        self.deal = deal
        self.ruleset: Ruleset = deal.ruleset
        self.auto = auto
        self.reward = reward
        self.numbering = numbering
        """Which numbers OpenSpiel has for actions, None if they are ids."""
        self.mover = CHANCE
        """The seat whose decision is due, or CHANCE."""
        self.over = False
        """Whether the game has ended."""
        self.inputs: list[int] = []
        """Everything that `apply` was given."""
        self.history: list[HistoryEntry] = []
        """Everything that happened, forced decisions too."""
        self.position: Position | None = None
        """The position before whatever is being turned up; None until the deal is complete."""
        self.turned: list[int] = []
        """The cards that the last action has turned up so far."""
        self._texts: list[str] = []  # the texts of all entries, so that information states are quick to write
        self._partly: list[int] = []  # the entries of which not everybody knows all
        self._action = NONE
        self._pile = NONE
        self._need = 0
        self._left: dict[int, int] = {}  # what is left of the pile from which cards are being turned up

    def __deepcopy__(self, memo: object) -> Play:
        other = Play.__new__(Play)
        other.deal, other.ruleset, other.auto, other.reward = self.deal, self.ruleset, self.auto, self.reward
        other.numbering = self.numbering
        other.mover, other.over = self.mover, self.over
        other.inputs = self.inputs[:]
        other.history = self.history[:]
        other.position = self.position
        other.turned = self.turned[:]
        other._texts = self._texts[:]
        other._partly = self._partly[:]
        other._action, other._pile, other._need = self._action, self._pile, self._need
        other._left = self._left.copy()
        return other

    def __reduce__(self) -> tuple[object, ...]:
        return _replayed, (self.deal, self.auto, self.reward, self.numbering, self.inputs)

    def legal(self) -> list[int]:
        """The ids of the legal actions, lowest first."""
        return [] if self.position is None or self._action != NONE else sorted(self.position.legal())

    def choices(self) -> list[int]:
        """The same in OpenSpiel's numbers."""
        return self.legal() if self.numbering is None else self.numbering.reduced(self.legal())

    def chances(self) -> Outcomes:
        """What may be dealt or turned up next."""
        if self.position is None:
            return self.deal.chances(self.inputs)
        return from_pile(self._left)

    def words(self, actor: int, number: int) -> str:
        """An action or outcome as people write it."""
        if actor >= 0:
            return _text(number)
        if self.position is None:
            return self.deal.words(self.inputs, number)
        return f"+{CARDS[number].exact}"

    def apply(self, number: int) -> None:
        """Decide, in OpenSpiel's numbers, deal or turn up. What is not possible raises and changes nothing."""
        if self.position is None:
            self._deal(number)
        elif self._action != NONE:
            self._turn_up(number)
        else:
            self._decide(number if self.numbering is None else self.numbering.full(number))
        self.inputs.append(number)
        position = self.position
        while position is not None and self._action == NONE:
            forced = position.forced() if self.auto else NONE
            if forced == NONE:
                self.mover, self.over = position.seat, position.over
                return
            self._decide(forced)
            position = self.position
        self.mover = CHANCE

    def _note(self, step: HistoryEntry) -> None:
        if step.knower is not None:
            self._partly.append(len(self.history))
        self.history.append(step)
        self._texts.append(step.text)

    def _deal(self, number: int) -> None:
        _check_outcome(number, any(number == outcome for outcome, _ in self.chances()))
        seat = self.deal.receiver(self.inputs)
        others = None if seat is None else self.deal.told(self.inputs)
        self._note(HistoryEntry(CHANCE, number, self.deal.words(self.inputs, number), seat, others))
        if len(self.inputs) + 1 == self.deal.length:
            self.position = self.deal.begin([*self.inputs, number])

    def _decide(self, number: int) -> None:
        before = self.position
        assert before is not None
        after = before.copy()
        after.play(number)
        self._note(self._step(before, number, after))
        sizes, left = before.pile_n, after.pile_n
        if sizes == left:
            self.position = after
            return
        for pile in range(_PILES):
            if sizes[pile] != left[pile]:
                # an action turns up cards of one pile only, and how many does not depend on which they are
                self._action, self._pile, self._need = number, pile, sizes[pile] - left[pile]
                self._left = before.pile_counts(pile)
                self.turned = []
                return

    def _turn_up(self, number: int) -> None:
        position = self.position
        assert position is not None
        _check_outcome(number, self._left.get(number, 0) > 0)
        secret = OBSERVE <= self._action < OBSERVE + _PILES
        self._note(_turned_up(number, position.seat if secret else None))
        self._left[number] -= 1
        self.turned.append(number)
        if len(self.turned) < self._need:
            return
        after = position.copy()
        after.put_on_top(self._pile, self.turned)
        after.play(self._action)
        self.position = after
        self._action = NONE
        self._left = {}
        self.turned = []

    def _step(self, before: Position, number: int, after: Position) -> HistoryEntry:
        """A decision: what the others know of it, and whether it shows them a card."""
        seat, due = before.seat, before.due
        if due == _PICK_POCKET and number == PASS and self.secret_question:
            return HistoryEntry(seat, number, f"{seat} {_text(number)} pick_pocket", seat, None)
        if due == _ASSIGNMENT:
            return HistoryEntry(seat, number, f"{seat} {_text(number)}", seat, f"{seat} assignment")
        open_step = _open_step(seat, number)
        if self.ruleset.open_hands:
            return open_step
        if TAKE_DRAWN <= number < _END_OF_TAKE_DRAWN and before.drawn_pile != NONE:
            return HistoryEntry(seat, number, open_step.text, seat, f"{seat} take drawn")
        if after.hand_n[seat] < before.hand_n[seat]:
            text, shown = open_step.text, NONE
            for kind in (Counter(unseen(before, seat)) - Counter(unseen(after, seat))).elements():
                shown = kind
                text += f" ({CARDS[kind].exact} of {CARDS[kind].pile})"
            return HistoryEntry(seat, number, text, None, None, shown)
        return open_step

    @property
    def secret_question(self) -> bool:
        """Whether only the mover knows that they are asked (a Pick Pocket that nobody has seen)."""
        position = self.position
        if position is None or self._action != NONE:
            return False
        return as_seen(position, self.ruleset, None) is not position

    def assignments_open(self) -> bool:
        """Whether everybody knows everybody's assignments."""
        position = self.position
        return position is not None and position.choices_open()

    def information(self, seat: int | None) -> str:
        """Everything a seat, or a spectator with None, knows who forgets nothing: what was seen to happen, in order."""
        told: list[str | None] = [*self._texts]
        for i in self._partly:
            told[i] = self.history[i].seen_by(seat)
        told.append("spectator" if seat is None else f"seat {seat}")
        position = self.position
        if position is not None and ASSIGNMENTS.in_play(self.ruleset) and self.assignments_open():
            parts = describe_parts(position)
            dealt = [number for own in parts["assignments"] for number in own]
            told.append(f"assignments {dealt} chosen {[number or 0 for number in parts['chosen']]}")
        if position is not None and self.over:
            hands = [sorted(CARDS[kind].exact for kind in position.hand_of(at)) for at in range(position.n)]
            told.append(f"hands {hands}")
        return "; ".join([text for text in told if text is not None])

    def encode(self, encoder: Encoder, seat: int, memory: bool) -> None:
        """Write down what a seat sees; with ``memory`` also the rubles of the others, which it can have counted."""
        position = self.position
        if position is None:
            encoder.n = 0
            return
        ruleset = self.ruleset
        seen = as_seen(position, ruleset, seat)
        encoder.encode(seen, seat, int(memory or ruleset.open_rubles), int(ruleset.open_hands))


def unseen(position: Position, seat: int) -> list[int]:
    """The cards on a hand that only their owner has seen."""
    return [kind for kind, seen in zip(position.hand_of(seat), position.seen_of(seat), strict=True) if not seen]


@cache
def _open_step(seat: int, number: int) -> HistoryEntry:
    """A decision of which everybody knows all."""
    return HistoryEntry(seat, number, f"{seat} {_text(number)}")


@cache
def _turned_up(kind: int, knower: int | None) -> HistoryEntry:
    return HistoryEntry(CHANCE, kind, f"+{CARDS[kind].exact}", knower, None if knower is None else "+?")


@cache
def _text(number: int) -> str:
    return ACTIONS[number].text


def _check_outcome(number: int, possible: bool) -> None:
    if not possible:
        raise NevskyError("env.chance", outcome=number)


def _replayed(deal: Deal, auto: bool, reward: str, numbering: ActionSet | None, inputs: list[int]) -> Play:
    play = Play(deal, auto, reward, numbering)
    for number in inputs:
        play.apply(number)
    return play
