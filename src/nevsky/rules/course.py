"""The whole box: a position with the Market and any modules, and the course of such a game.

Every hook of the rules calls the modules in play, in the order that stands here.
"""

from __future__ import annotations

from nevsky.rules.constants import F_CHOICE, LARGE_DISPLAY, SMALL_DISPLAY
from nevsky.rules.market import Market
from nevsky.rules.modules import ASSIGNMENTS, ASSISTANTS, BANQUET, EVENTS, GOOD_COMPANY, OBSTACLES
from nevsky.rules.modules.assignments.rules import Assignments
from nevsky.rules.modules.assistants.rules import Assistants
from nevsky.rules.modules.banquet.rules import Banquet
from nevsky.rules.modules.events.rules import Events
from nevsky.rules.modules.good_company.rules import GoodCompany
from nevsky.rules.modules.obstacles.rules import Obstacles
from nevsky.rules.position import Position
from nevsky.rules.rng import Rng
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.state import State
from nevsky.rules.tables import Tables

IN_BANQUET = BANQUET.number
IN_GOOD_COMPANY = GOOD_COMPANY.number
IN_ASSISTANTS = ASSISTANTS.number
IN_EVENTS = EVENTS.number
IN_ASSIGNMENTS = ASSIGNMENTS.number
IN_OBSTACLES = OBSTACLES.number


class FullPosition(Market):  # c: border
    """A position of any ruleset; a module that is not in play is None."""

    banquet: Banquet | None
    good_company: GoodCompany | None
    assistants: Assistants | None
    events: Events | None
    assignments: Assignments | None
    obstacles: Obstacles | None

    def __init__(self, t: Tables, ruleset: Ruleset) -> None:
        Market.__init__(self, t, ruleset.players, LARGE_DISPLAY if ruleset.market else SMALL_DISPLAY)
        self.banquet = Banquet() if IN_BANQUET in ruleset.modules else None
        self.good_company = GoodCompany() if IN_GOOD_COMPANY in ruleset.modules else None
        self.assistants = Assistants() if IN_ASSISTANTS in ruleset.modules else None
        self.events = Events() if IN_EVENTS in ruleset.modules else None
        self.assignments = Assignments() if IN_ASSIGNMENTS in ruleset.modules else None
        self.obstacles = Obstacles(ruleset.real_obstacles) if IN_OBSTACLES in ruleset.modules else None

    def copy(self) -> FullPosition:
        """An independent copy."""
        c = FullPosition.__new__(FullPosition)
        c.clear_fields()
        self.copy_into(c)
        return c

    def copy_into(self, c: State) -> None:  # c: o: FullPosition
        Market.copy_into(self, c)
        assert isinstance(c, FullPosition)
        o = c
        o.banquet = self.banquet.copied(o.banquet) if self.banquet is not None else None
        o.good_company = self.good_company.copied(o.good_company) if self.good_company is not None else None
        o.assistants = self.assistants.copied(o.assistants) if self.assistants is not None else None
        o.events = self.events.copied(o.events) if self.events is not None else None
        o.assignments = self.assignments.copied(o.assignments) if self.assignments is not None else None
        o.obstacles = self.obstacles.copied(o.obstacles) if self.obstacles is not None else None

    # set-up and secrets

    def deal_tokens(self, rng: Rng, youngest: int) -> None:
        Market.deal_tokens(self, rng, youngest)
        if self.assistants is not None:
            self.assistants.deal(self, rng)
        if self.assignments is not None:
            self.assignments.deal(self, rng)
        if self.obstacles is not None:
            self.obstacles.deal(rng)

    def deal_secrets(self, viewer: int, rng: Rng) -> None:
        if self.assignments is not None:
            self.assignments.deal_secrets(self, viewer, rng)

    # cards on the move

    def remove_from_row(self, row: int, kind: int) -> int:
        if self.events is not None:
            self.events.card_leaves(self, row, kind)
        return Market.remove_from_row(self, row, kind)

    def lay_card(self, seat: int, kind: int, onto: int) -> None:
        Market.lay_card(self, seat, kind, onto)
        if self.banquet is not None:
            self.banquet.laid(self, seat, kind)

    def change_area(self, seat: int, kind: int, by: int) -> None:
        if by < 0 and self.banquet is not None:
            self.banquet.leave(self, seat, kind)
        Market.change_area(self, seat, kind, by)

    def turned(self, seat: int, kind: int) -> None:
        if self.banquet is not None:
            self.banquet.turned(self, seat, kind)
        Market.turned(self, seat, kind)

    def face_down(self, seat: int, kind: int) -> int:
        down = Market.face_down(self, seat, kind)
        if self.good_company is not None:
            down += self.good_company.face_down(seat, kind)
        return down

    def replaceable(self, seat: int, kind: int) -> int:
        cards = Market.replaceable(self, seat, kind)
        if self.banquet is not None:
            cards -= self.banquet.covered_open(seat, kind)
        return cards

    # what cards cost and pay

    def owner_price(self, seat: int, kind: int, row: int, onto: int) -> int:
        price = Market.owner_price(self, seat, kind, row, onto)
        return price if self.banquet is None else self.banquet.half(price)

    def counting(self, seat: int, kind: int) -> int:
        cards = Market.counting(self, seat, kind)
        if self.banquet is not None:
            cards -= self.banquet.covered_open(seat, kind)
        return cards

    def value_rubles(self, seat: int, kind: int) -> int:
        rubles = Market.value_rubles(self, seat, kind)
        if self.good_company is not None:
            rubles += self.good_company.value_rubles(self, seat, kind)
        return rubles

    def open_points(self, seat: int, kind: int) -> int:
        points = Market.open_points(self, seat, kind)
        if self.good_company is not None:
            points += self.good_company.open_points(self, seat, kind)
        return points

    def counted_points(self, seat: int, kind: int) -> int:
        if self.good_company is not None and self.good_company.chosen_income(kind):
            return 0
        return self.open_points(seat, kind)

    def variable_rubles(self, seat: int, colour: int) -> int:
        rubles = Market.variable_rubles(self, seat, colour)
        if self.good_company is not None:
            rubles += self.good_company.variable_rubles(self, seat, colour)
        if self.banquet is not None:
            rubles += self.banquet.attached_gain(self, seat, colour, 0)
        return rubles

    def variable_points(self, seat: int, colour: int) -> int:
        points = Market.variable_points(self, seat, colour)
        if self.good_company is not None:
            points += self.good_company.variable_points(self, seat, colour)
        if self.banquet is not None:
            points -= self.banquet.covered_points(self, seat, colour)
            points += self.banquet.attached_gain(self, seat, colour, 1)
        return points

    def gain_points(self, seat: int, points: int) -> None:
        if self.obstacles is not None and points > 0:
            points = self.obstacles.move(self, seat, points)
        Market.gain_points(self, seat, points)

    def penalised_cards(self, seat: int) -> int:
        cards = Market.penalised_cards(self, seat)
        return cards if self.banquet is None else cards - self.banquet.purple_in_hand(self, seat)

    # turns

    def start_turns(self) -> None:
        Market.start_turns(self)
        if self.events is not None:
            self.events.start_turns(self)
        if self.banquet is not None:
            self.banquet.start_turns(self)

    def list_purple(self, n: int, seat: int, kind: int) -> int:
        return n if self.banquet is None else self.banquet.list_purple(self, n, seat, kind)

    def play_purple(self, seat: int, kind: int) -> None:
        if self.banquet is not None:
            self.banquet.play_purple(self, seat, kind)

    def list_special(self, n: int, seat: int) -> int:
        n = Market.list_special(self, n, seat)
        if self.good_company is not None:
            n = self.good_company.list_special(self, n, seat)
        if self.events is not None:
            n = self.events.list_special(self, n, seat)
        return n

    def pass_turn(self) -> None:
        if self.banquet is None or not self.banquet.keeps_pick_pocket(self):
            Market.pass_turn(self)

    def turn_done(self) -> None:
        if self.events is not None and self.events.more_stack(self):
            return
        if self.banquet is not None and self.banquet.picked(self):
            return
        Market.turn_done(self)

    # scoring

    def score_colour(self, seat: int, colour: int) -> None:
        Market.score_colour(self, seat, colour)
        if self.banquet is not None:
            self.banquet.scored(self, seat, colour)

    def ask_pending(self) -> int:
        if Market.ask_pending(self):
            return 1
        return 0 if self.obstacles is None else self.obstacles.ask_pending(self)

    def ask_during_scoring(self, seat: int) -> int:
        return 0 if self.good_company is None else self.good_company.ask_during_scoring(self, seat)

    def ask_after_scoring(self, seat: int) -> int:
        if self.good_company is not None and self.good_company.ask_after_scoring(self, seat):
            return 1
        return Market.ask_after_scoring(self, seat)

    def end_round(self) -> None:
        Market.end_round(self)
        if self.good_company is not None:
            self.good_company.end_round(self)
        if self.assistants is not None:
            self.assistants.end_round(self)

    # the end

    def final_in_steps(self) -> int:
        return 1 if self.assignments is not None or self.obstacles is not None else 0

    def ask_final(self, seat: int) -> int:
        return 0 if self.assignments is None else self.assignments.ask_final(self, seat)

    def chosen_points(self, seat: int, early: int) -> int:
        return 0 if self.assignments is None else self.assignments.chosen_points(self, seat, early)

    # decisions of the modules' own

    def list_other(self) -> int:
        module = self.t.asks[self.due]
        if module == IN_BANQUET and self.banquet is not None:
            return self.banquet.list_choices(self)
        if module == IN_GOOD_COMPANY and self.good_company is not None:
            return self.good_company.list_choices(self)
        if module == IN_EVENTS and self.events is not None:
            return self.events.list_choices(self)
        if module == IN_ASSIGNMENTS and self.assignments is not None:
            return self.assignments.list_choices(self)
        if module == IN_OBSTACLES and self.obstacles is not None:
            return self.obstacles.list_choices(self)
        return Market.list_other(self)

    def do_other(self, number: int) -> None:
        module = self.t.does[self.t.verb[number]]
        if module == IN_BANQUET and self.banquet is not None:
            self.banquet.do(self, number)
        elif module == IN_GOOD_COMPANY and self.good_company is not None:
            self.good_company.do(self, number)
        elif module == IN_EVENTS and self.events is not None:
            self.events.do(self, number)
        elif module == IN_ASSIGNMENTS and self.assignments is not None:
            self.assignments.do(self, number)
        elif module == IN_OBSTACLES and self.obstacles is not None:
            self.obstacles.do(self, number)
        else:
            Market.do_other(self, number)

    # the border: what other code may ask

    def final_parts(self, seat: int) -> tuple[int, int, int]:
        """Points of the final scoring: for nobles, for rubles, and minus points for the hand."""
        if self.final:
            return self.part_nobles[seat], self.part_rubles[seat], self.part_hand[seat]
        return Market.final_parts(self, seat)

    def arrange_tile(self, card: int, seat: int, good: int) -> None:
        """Arrange a good tile on a "?" card: 0 the ship builder, 1 Czar & Carpenter."""
        self.give_tile(card, seat, good)

    def choices_open(self) -> bool:
        """Whether nothing that was chosen for the final scoring is secret any more."""
        return self.over or (self.final != 0 and self.part > F_CHOICE)

    def in_final_scoring(self) -> bool:
        """Whether the final scoring has begun: the track stands still from then on."""
        return self.over or self.final != 0


def whole_box(position: Position) -> FullPosition | None:
    """The position, if the Market or a module is in play."""
    return position if isinstance(position, FullPosition) else None
