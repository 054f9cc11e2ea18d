"""A table for the tests of the Market and its modules: the whole box, and positions to arrange with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from nevsky import Game, Ruleset
from tests.rules.table import PHASES, PRINTED

GOODS = ("sack", "chicken", "apple", "fish", "cabbage")
MARKET_PHASES = ("worker", "market", "building", "noble", "exchange")
SYMBOLS = {"ship_builder": ("sack", "chicken", "apple", "cabbage", "fish", "?"), "market": GOODS}
"""The cards that exist once with each of these market symbols (D21)."""
BLUE_SYMBOLS = {
    "bank": "sack",
    "peterhof": "chicken",
    "st_isaacs_cathedral": "apple",
    "church_of_the_resurrection": "cabbage",
    "harbor": "fish",
}


class Yellow(NamedTuple):
    """What stands on a card of the market pile."""

    good: str
    copies: int
    cost: int
    symbols: int
    rubles: int


YELLOW = {
    "ear_of_wheat": Yellow("sack", 3, 5, 1, 2),
    "grain_sack": Yellow("sack", 2, 4, 2, 1),
    "field": Yellow("sack", 1, 3, 3, 0),
    "sack_special": Yellow("sack", 1, 1, 4, 0),
    "chick": Yellow("chicken", 3, 5, 1, 2),
    "hen": Yellow("chicken", 2, 4, 2, 1),
    "chicken_coop": Yellow("chicken", 1, 3, 3, 0),
    "chicken_special": Yellow("chicken", 1, 1, 4, 0),
    "apple": Yellow("apple", 3, 5, 1, 2),
    "apple_crate": Yellow("apple", 2, 4, 2, 1),
    "apple_orchard": Yellow("apple", 1, 3, 3, 0),
    "apple_special": Yellow("apple", 1, 1, 4, 0),
    "fish": Yellow("fish", 3, 5, 1, 2),
    "fish_basket": Yellow("fish", 2, 4, 2, 1),
    "caviar": Yellow("fish", 1, 3, 3, 0),
    "fish_special": Yellow("fish", 1, 1, 4, 0),
    "cabbage": Yellow("cabbage", 3, 5, 1, 2),
    "vegetable_basket": Yellow("cabbage", 2, 4, 2, 1),
    "vegetable_garden": Yellow("cabbage", 1, 3, 3, 0),
    "cabbage_special": Yellow("cabbage", 1, 1, 4, 0),
}
ORANGE = tuple(f"{good}_special" for good in GOODS)


class Module(NamedTuple):
    """What stands on a card of a module; a second back is told apart by the pile after the @."""

    module: int
    pile: str
    copies: int
    cost: int
    rubles: int = 0
    points: int = 0


MODULE = {
    "czar_superstar": Module(1, "exchange", 1, 9, 3),
    "potemkin_village_1_4": Module(1, "building", 1, 1),
    "potemkin_village_3_8": Module(1, "building", 1, 3),
    "away_with_it": Module(1, "building", 1, 0),
    "away_with_it@noble": Module(1, "noble", 1, 0),
    "black_market": Module(1, "noble", 2, 0),
    "black_market@market": Module(1, "market", 1, 0),
    "money_collector": Module(1, "market", 1, 0),
    "moocher": Module(1, "market", 1, 0),
    "golden_donkey": Module(1, "exchange", 1, 0),
    "double_turn": Module(1, "exchange", 1, 0),
    "pick_pocket": Module(1, "exchange", 1, 0),
    "banquet": Module(1, "exchange", 1, 0),
    "jester": Module(1, "exchange", 1, 0),
    "trading_house": Module(2, "building", 1, 2),
    "coffee_house": Module(2, "building", 1, 6),
    "debtors_prison": Module(2, "building", 1, 8, 0, 1),
    "sycophant": Module(2, "noble", 2, 1),
    "october_revolution": Module(2, "exchange", 1, 15, 6, 3),
    "guild_hall": Module(2, "exchange", 1, 13),
    "textile_factory": Module(2, "exchange", 1, 16),
    "university": Module(2, "exchange", 1, 18, 0, 6),
    "merchant": Module(2, "exchange", 1, 6, 3),
    "lieutenant_kije": Module(2, "exchange", 1, 12, 0, 3),
    "mayor": Module(2, "exchange", 1, 13),
}
PURPLE = tuple(card for card, row in MODULE.items() if row.module == 1 and row.cost == 0)
COMPANY = tuple(card for card, row in MODULE.items() if row.module == 2)


def box(ruleset: Ruleset) -> dict[str, Counter[str]]:
    """Every copy of every card that takes part, by pile."""
    piles: dict[str, Counter[str]] = {name: Counter() for name in (MARKET_PHASES if ruleset.market else PHASES)}
    for card, row in PRINTED.items():
        if ruleset.market and card in SYMBOLS:
            piles[row.pile].update(f"{card}:{symbol}" for symbol in SYMBOLS[card])
        else:
            piles[row.pile][card] = row.copies
    if ruleset.market:
        piles["market"].update({card: row.copies for card, row in YELLOW.items()})
    for card, module in MODULE.items():
        out_by_choice = module.module == 2 and ruleset.good_company is not None and card not in ruleset.good_company
        prison_beside_banquet = card == "debtors_prison" and 1 in ruleset.modules
        if (
            module.module in ruleset.modules
            and module.pile in piles
            and not out_by_choice
            and not prison_beside_banquet
        ):
            piles[module.pile][card] = module.copies
    return piles


def held(players: int, **seats: int) -> dict[str, int]:
    """The tokens: seat 0 has those that are not named."""
    assert all(seat < players for seat in seats.values())
    return {phase: seats.get(phase, 0) for phase in MARKET_PHASES}


def arrange(
    players: int = 2,
    *,
    market: bool = True,
    modules: tuple[int, ...] = (),
    options: Mapping[str, Any] | None = None,
    tokens: Mapping[str, int] | None = None,
    piles: Mapping[str, Sequence[str]] | None = None,
    areas: Sequence[Sequence[str]] = (),
    hands: Sequence[Sequence[str]] = (),
    rubles: int | Sequence[int] = 25,
    **position: Any,
) -> Game:
    """A position of round 2 in which seat 0 holds all tokens.

    Seats that ``areas`` or ``hands`` do not reach have none; one number of rubles is everybody's. Piles that are not
    given hold whatever is left of the box.
    """
    ruleset = Ruleset("second", players, market=market, modules=modules, **(options or {}))
    every_area = [list(areas[seat]) if seat < len(areas) else [] for seat in range(players)]
    every_hand = [list(hands[seat]) if seat < len(hands) else [] for seat in range(players)]
    used = Counter(card for cards in (*every_area, *every_hand) for card in cards)
    for place in ("row1", "row2", "discard", "out"):
        used.update(position.get(place, ()))
    for attached in position.get("attached", ()):
        used.update(list(attached))
    rest = {pile: sorted((cards - used).elements()) for pile, cards in box(ruleset).items()}
    usual = held(players) if market else dict.fromkeys(PHASES, 0)
    return Game.from_piles(
        ruleset,
        {**rest, **(piles or {})},
        tokens or usual,
        areas=every_area,
        hands=every_hand,
        rubles=[rubles] * players if isinstance(rubles, int) else list(rubles),
        **{"round": 2, **position},
    )


def goods(game: Game, seat: int = 0) -> dict[str, int]:
    """The seat's position at the goods of which it has a symbol (10.1)."""
    return {good: symbols for good, symbols in game.state()["goods"][seat].items() if symbols}


def supply(game: Game) -> set[str]:
    """The good tiles that are left (10.2)."""
    return set(game.state()["tiles"]["supply"])


def quietly(game: Game) -> Game:
    """Make the decision that is due without doing anything: pass, buy no points, pay nothing."""
    choices = [action.text for action in game.legal_actions]
    game.push(next((text for text in choices if text in ("pass", "pub 0")), choices[-1]))
    return game


def go_on_to(game: Game, phase: str) -> Game:
    """Go on quietly until this phase begins (again), or the game is over."""
    while True:
        before = game.phase
        quietly(game)
        if game.over or (game.phase == phase and before != phase):
            return game


def finish(game: Game) -> Game:
    """Go on quietly until the game is over."""
    while not game.over:
        quietly(game)
    return game


def to_scoring(game: Game) -> Game:
    """All pass until the phase's scoring asks something, or the next phase begins."""
    phase = game.phase
    while (game.phase, game.due) == (phase, "turn"):
        game.push("pass")
    return game


def purse(game: Game, seat: int = 0) -> tuple[int, int]:
    """Rubles and points of a seat."""
    state = game.state()
    return state["rubles"][seat], state["points"][seat]


def undoing(game: Game, *actions: str) -> Game:
    """Make decisions, take each of them back, and make them again: nothing is left behind."""
    states = [game.state()]
    for action in actions:
        game.push(action)
        states.append(game.state())
    for state in reversed(states[:-1]):
        game.undo()
        assert game.state() == state
    for action in actions:
        game.push(action)
    assert game.state() == states[-1]
    return game
