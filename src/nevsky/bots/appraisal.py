"""A view seen by somebody who plays: what laying, keeping and taking cards would change, in points."""

from __future__ import annotations

from typing import Final

from nevsky.bots.outlook import Outlook
from nevsky.bots.parameters import HOPE, HOPE_ROUNDS, HOPELESS, LOST_CARD, SAVED, Parameters
from nevsky.bots.worth import TARGETS, Worth
from nevsky.cards import CARDS, COLOURS, KIND, PILES
from nevsky.rules.action import CANONICAL
from nevsky.rules.modules.assignments.data import worth
from nevsky.rules.modules.assignments.room import RICHEST
from nevsky.rules.modules.banquet.data import at_half_price
from nevsky.rules.position import Position
from nevsky.rules.view import View

__all__ = ["Appraisal"]

_TYPICAL_TARGET: Final = {"green": "shepherd", "blue": "market:sack", "red": "author"}
_PURPLE: Final = {
    "away_with_it": 1.0,
    "black_market": 2.0,
    "money_collector": 3.0,
    "moocher": 4.0,
    "golden_donkey": 2.5,
}
_PURPLE_LATER: Final = {**_PURPLE, "double_turn": 0.5, "pick_pocket": 1.5, "banquet": 3.0, "jester": 2.0}


class Appraisal:
    """One decision of one seat. All values are differences to doing nothing."""

    def __init__(self, view: View, position: Position, parameters: Parameters) -> None:
        assert view.seat is not None
        self.view = view
        self.position = position
        self.seat = view.seat
        self.player = view.players[self.seat]
        self.parameters = parameters
        self.outlook = Outlook(view, position, parameters)
        self.worth = Worth(view, self.outlook)
        self.area = position.area_of(self.seat)
        self.purse = self.player.rubles or 0
        self._cash = self.outlook.cash(self.purse)
        expected = self.player.points + self.worth.area(self.area) + self._cash
        self.worth.face_obstacles(expected)
        self._area_worth = self.worth.area(self.area)
        self._hand: dict[int, float] = {}
        self._gain: dict[tuple[int, int], float] = {}
        self._halved = at_half_price(position)

    @property
    def standing(self) -> float:
        """The final score this seat may expect."""
        hand = sum(
            self.keep_purple(kind) if self.purple(kind) else self.in_hand(kind)
            for kind in self.position.hand_of(self.seat)
        )
        return self.player.points + self._area_worth + self._cash + hand

    def rubles(self, more: int) -> float:
        """What gaining or paying rubles changes."""
        return self.outlook.cash(max(self.purse + more, 0)) - self._cash

    def price(self, kind: int, row: int, onto: int) -> int:
        """The owner price, as the rules say."""
        return self.position.price_of(self.seat, kind, row, onto)

    def gain(self, kind: int, onto: int) -> float:
        """What a card in the area would bring, the price aside."""
        key = (kind, onto)
        value = self._gain.get(key)
        if value is None:
            after = dict(self.area)
            if onto >= 0:
                after[onto] -= 1
                if not after[onto]:
                    del after[onto]
            after[kind] = after.get(kind, 0) + 1
            value = self._gain[key] = self.worth.area(after) - self._area_worth
        return value

    def lay(self, kind: int, row: int, onto: int) -> float:
        """What paying for a card and laying it changes."""
        value = self.gain(kind, onto) + self.rubles(-self.price(kind, row, onto))
        if self._halved:  # the chip covers its points for ever (11.1 d)
            value -= CARDS[kind].points * self.outlook.points[COLOURS.index(CARDS[kind].colour)]
        return value

    def without(self, kind: int) -> float:
        """What a card of the area is worth."""
        after = dict(self.area)
        after[kind] -= 1
        if not after[kind]:
            del after[kind]
        return self._area_worth - self.worth.area(after)

    def targets(self, kind: int) -> list[int]:
        """Where a card could be laid: -1 for a free space."""
        if not CARDS[kind].exchange:
            return [-1]
        return [onto for onto in TARGETS[kind] if onto in self.area]

    def best_lay(self, kind: int, row: int) -> float:
        """The best way to lay a card that can be paid now, or a great loss if there is none."""
        if self.purple(kind):
            return LOST_CARD
        ways = [onto for onto in self.targets(kind) if self.price(kind, row, onto) <= self.purse]
        return max((self.lay(kind, row, onto) for onto in ways), default=LOST_CARD)

    def best_use(self, kind: int, row: int) -> float:
        """Buying or taking a card, whichever is better."""
        return max(self.best_lay(kind, row), self.take(kind) if self.room else LOST_CARD)

    @property
    def room(self) -> bool:
        """Whether the hand has room for a card."""
        return len(self.player.hand) < self.player.hand_limit

    def take(self, kind: int) -> float:
        """What taking a card into the hand changes; the last space of the hand is worth most."""
        value = self.keep_purple(kind) if self.purple(kind) else self._keep(kind, self._promised())
        cards = len(self.player.hand)
        space = self.parameters.hand_space * (cards + 1) / max(self.player.hand_limit - 1, 1)
        return value - space * min(1.0, self.outlook.time)

    def in_hand(self, kind: int) -> float:
        """What a card on the hand is worth."""
        value = self._hand.get(kind)
        if value is None:
            value = self._hand[kind] = self._keep(kind, 0)
        return value

    def _promised(self) -> int:
        """Rubles that the cards on the hand will ask for."""
        cards = [kind for kind in self.position.hand_of(self.seat) if not self.purple(kind)]
        return sum(min((self.price(kind, 0, onto) for onto in self.targets(kind)), default=5) for kind in cards)

    def _keep(self, kind: int, promised: int) -> float:
        ways = self.targets(kind)
        card = CARDS[kind]
        if ways:
            best = max(self._later(kind, onto, promised) for onto in ways)
            return max(best * self.parameters.kept if best > 0 else best, LOST_CARD)
        typical = KIND[_TYPICAL_TARGET[card.colour]]
        gain = self.worth.card(kind) - self.worth.card(typical)
        cost = self.outlook.ruble(self.outlook.time) * max(self.price(kind, 0, typical), 1)
        hope = HOPE * min(1.0, self.outlook.rounds / HOPE_ROUNDS)
        return hope * max(gain - cost, 0.0) + (1 - hope) * LOST_CARD * HOPELESS

    def _later(self, kind: int, onto: int, promised: int) -> float:
        """Laying a card as soon as the rubles suffice: the scorings until then are missed."""
        outlook, price = self.outlook, self.price(kind, 0, onto)
        order = outlook.order
        place, missed, passed = outlook.at, 0, 0.0
        rubles = float(self.purse - promised)
        colour = COLOURS.index(CARDS[kind].colour)
        scored = not outlook.acting
        while rubles < price or scored:
            if not scored and place < len(order) - 1:
                rubles += SAVED * self.player.income[PILES[order[place]]][0]
                missed += order[place] == colour
            scored = False
            place = (place + 1) % len(order)
            passed += 1 / len(order)
            if passed >= outlook.time or missed > 6:
                return LOST_CARD
        card = CARDS[kind]
        here = outlook.ruble(outlook.time)
        each = card.rubles * here + card.points
        if onto >= 0:
            each -= CARDS[onto].rubles * here + CARDS[onto].points
        return self.gain(kind, onto) - missed * each - price * outlook.marginal(self.purse / 2, outlook.time - passed)

    def draw(self, pile: str) -> float:
        """What an unseen card of a pile brings on average, if only wanted ones are kept (9.3)."""
        kinds = self.position.pile_of(PILES.index(pile))
        uses = {kind: max(0.0, self.best_use(kind, 0)) for kind in set(kinds)}
        return 0.9 * sum(uses[kind] for kind in kinds) / max(len(kinds), 1)

    def best_discard(self) -> float:
        """The best card of the discard pile."""
        return max((self.best_use(KIND[text], 0) for text in set(self.view.discard)), default=0.0)

    def pays(self, seat: int, kind: int) -> tuple[int, int]:
        """Rubles and points that a card pays its owner now, as the rules say."""
        return self.position.value(seat, kind)

    def assignment(self, number: int) -> float:
        """What an assignment brings at the end."""
        if number == RICHEST:  # who is richest is a secret
            return 10 + 10 / self.view.ruleset.players
        return float(worth(self.position, self.seat, number))

    # Purple cards (11.1)

    @staticmethod
    def purple(kind: int) -> bool:
        """Whether a card is purple."""
        return CARDS[kind].colour == "purple"

    def keep_purple(self, kind: int) -> float:
        """What a purple card on the hand is worth: it costs nothing at the end, so never less than nothing."""
        later = _PURPLE_LATER[CARDS[CANONICAL[kind]].id] * min(1.0, self.outlook.time)
        return 0.8 * max(later, 0.0)

    def attach(self, kind: int, onto: int) -> float:
        """Doubling or swapping the income of an own card at its next scoring (11.1 h)."""
        card = CARDS[onto]
        if not self.outlook.points[COLOURS.index(card.colour)]:
            return 0.0
        here = self.outlook.ruble(self.outlook.time)
        if CARDS[kind].id == "banquet":
            return card.points + card.rubles * here
        return (card.rubles - card.points) * (1 - here)

    def play_purple(self, kind: int) -> float:
        """What playing a purple card now brings."""
        name = CARDS[kind].id
        if name == "golden_donkey":
            return self.rubles(5)
        if name == "away_with_it":
            own = [k for k in self.position.hand_of(self.seat) if not self.purple(k)]
            return -min((self.in_hand(k) for k in own), default=0.0)
        if name == "black_market":
            return self.best_discard()
        if name == "money_collector":
            return self._best_half()
        if name == "moocher":
            others = [s for s in range(self.view.ruleset.players) if s != self.seat]
            gains = [self.pays(s, k) for s in others for k in self.position.area_of(s)]
            return max((max(float(points), self.rubles(rubles)) for rubles, points in gains), default=0.0)
        if name == "pick_pocket":
            return self._best_display() - 2
        return 1.0  # Double Turn: two actions before anybody else has one

    def _best_display(self) -> float:
        cards = [(text, 1) for text in self.view.row1] + [(text, 2) for text in self.view.row2]
        return max((self.best_use(KIND[text], row) for text, row in cards), default=0.0)

    def _best_half(self) -> float:
        """Laying a card for half its price, its points covered (11.1 d)."""
        best = 0.0
        cards = [(KIND[text], 1) for text in self.view.row1] + [(KIND[text], 2) for text in self.view.row2]
        for kind, row in cards:
            if self.purple(kind):
                continue
            covered = CARDS[kind].points * self.outlook.points[COLOURS.index(CARDS[kind].colour)]
            for onto in self.targets(kind):
                half = max(self.price(kind, row, onto) // 2, 1)
                if half <= self.purse:
                    best = max(best, self.gain(kind, onto) - covered + self.rubles(-half))
        return best
