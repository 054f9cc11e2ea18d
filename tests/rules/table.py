"""A table for the rule tests: positions to arrange, and short words for what one does at it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from nevsky import Game, Ruleset

EDITIONS = ("first", "second")
PHASES = ("worker", "building", "noble", "exchange")
PILE_SIZES = {"worker": 31, "building": 28, "noble": 27, "exchange": 30}


class Printed(NamedTuple):
    """What stands on a card."""

    pile: str
    colour: str
    copies: int
    first: int
    """Cost in the first edition."""
    second: int
    rubles: int
    points: int

    def cost(self, edition: str) -> int:
        return self.first if edition == "first" else self.second


PRINTED = {
    "lumberjack": Printed("worker", "green", 6, 3, 3, 3, 0),
    "gold_miner": Printed("worker", "green", 6, 4, 4, 3, 0),
    "shepherd": Printed("worker", "green", 6, 5, 5, 3, 0),
    "fur_trapper": Printed("worker", "green", 6, 6, 6, 3, 0),
    "ship_builder": Printed("worker", "green", 6, 7, 7, 3, 0),
    "czar_and_carpenter": Printed("worker", "green", 1, 8, 8, 3, 0),
    "market": Printed("building", "blue", 5, 5, 5, 0, 1),
    "customs_house": Printed("building", "blue", 5, 8, 8, 0, 2),
    "firehouse": Printed("building", "blue", 3, 11, 11, 0, 3),
    "hospital": Printed("building", "blue", 3, 14, 14, 0, 4),
    "library": Printed("building", "blue", 3, 17, 17, 0, 5),
    "theater": Printed("building", "blue", 2, 20, 20, 0, 6),
    "academy": Printed("building", "blue", 1, 23, 23, 0, 7),
    "potemkin_village": Printed("building", "blue", 1, 2, 2, 0, 0),
    "pub": Printed("building", "blue", 2, 1, 1, 0, 0),
    "warehouse": Printed("building", "blue", 1, 2, 2, 0, 0),
    "observatory": Printed("building", "blue", 2, 6, 7, 0, 1),
    "author": Printed("noble", "red", 6, 4, 4, 1, 0),
    "administrator": Printed("noble", "red", 5, 7, 7, 2, 0),
    "warehouse_manager": Printed("noble", "red", 5, 10, 10, 3, 0),
    "secretary": Printed("noble", "red", 4, 12, 12, 4, 0),
    "controller": Printed("noble", "red", 3, 14, 14, 4, 1),
    "judge": Printed("noble", "red", 2, 16, 17, 5, 2),
    "mistress_of_ceremonies": Printed("noble", "red", 2, 18, 20, 6, 3),
    "carpenter_workshop": Printed("exchange", "green", 1, 4, 4, 3, 0),
    "gold_smelter": Printed("exchange", "green", 1, 6, 6, 3, 0),
    "weaving_mill": Printed("exchange", "green", 2, 8, 8, 6, 0),
    "fur_shop": Printed("exchange", "green", 3, 10, 10, 3, 2),
    "wharf": Printed("exchange", "green", 3, 12, 12, 6, 1),
    "mariinsky_theater": Printed("exchange", "blue", 1, 10, 15, 0, 0),
    "bank": Printed("exchange", "blue", 1, 13, 13, 5, 1),
    "peterhof": Printed("exchange", "blue", 1, 14, 14, 4, 2),
    "st_isaacs_cathedral": Printed("exchange", "blue", 1, 15, 15, 3, 3),
    "church_of_the_resurrection": Printed("exchange", "blue", 1, 16, 16, 2, 4),
    "harbor": Printed("exchange", "blue", 1, 16, 16, 5, 2),
    "catherine_palace": Printed("exchange", "blue", 1, 17, 17, 1, 5),
    "smolny_cathedral": Printed("exchange", "blue", 1, 17, 17, 4, 3),
    "hermitage": Printed("exchange", "blue", 1, 18, 18, 3, 4),
    "winter_palace": Printed("exchange", "blue", 1, 19, 19, 2, 5),
    "abbot": Printed("exchange", "red", 1, 6, 6, 1, 1),
    "chamber_maid": Printed("exchange", "red", 1, 8, 8, 0, 2),
    "weapon_master": Printed("exchange", "red", 1, 8, 8, 4, 0),
    "builder": Printed("exchange", "red", 1, 10, 10, 5, 0),
    "senator": Printed("exchange", "red", 1, 12, 12, 2, 2),
    "patriarch": Printed("exchange", "red", 1, 16, 16, 0, 4),
    "tax_man": Printed("exchange", "red", 1, 17, 17, 0, 0),
    "admiral": Printed("exchange", "red", 1, 18, 18, 3, 3),
    "foreign_minister": Printed("exchange", "red", 1, 20, 20, 2, 4),
    "czarina": Printed("exchange", "red", 1, 24, 24, 0, 6),
}
WORKERS, BUILDINGS, NOBLES = (tuple(c for c, row in PRINTED.items() if row.pile == p) for p in PHASES[:3])
GREEN_EXCHANGE, BLUE_EXCHANGE, RED_EXCHANGE = (
    tuple(c for c, row in PRINTED.items() if row.pile == "exchange" and row.colour == colour)
    for colour in ("green", "blue", "red")
)


def rest_of_box(used: Iterable[str] = ()) -> dict[str, list[str]]:
    """The piles of all cards but the used ones."""
    gone = Counter(used)
    piles: dict[str, list[str]] = {phase: [] for phase in PHASES}
    for card, row in PRINTED.items():
        piles[row.pile] += [card] * (row.copies - gone[card])
    return piles


def tokens(worker: int = 0, building: int = 0, noble: int = 0, exchange: int = 0) -> dict[str, int]:
    return {"worker": worker, "building": building, "noble": noble, "exchange": exchange}


def deal(edition: str = "second", players: int = 2, held: Mapping[str, int] | None = None, **tops: list[str]) -> Game:
    """A new game in which the named piles have these cards on top."""
    top = [card for cards in tops.values() for card in cards]
    piles = {pile: tops.get(pile, []) + cards for pile, cards in rest_of_box(top).items()}
    return Game.from_piles(Ruleset(edition, players), piles, held or tokens())


def arrange(
    edition: str = "second",
    players: int = 2,
    *,
    piles: Mapping[str, Sequence[str]] | None = None,
    held: Mapping[str, int] | None = None,
    options: Mapping[str, Any] | None = None,
    areas: Sequence[Sequence[str]] = (),
    hands: Sequence[Sequence[str]] = (),
    rubles: int | Sequence[int] = 25,
    **position: Any,
) -> Game:
    """A position in round 2, seat 0 to move.

    Seats that ``areas`` or ``hands`` do not reach have none; one number of rubles is everybody's. Piles that are not
    given hold whatever is left of the box, in the order of `PRINTED`.
    """
    every_area = [list(areas[seat]) if seat < len(areas) else [] for seat in range(players)]
    every_hand = [list(hands[seat]) if seat < len(hands) else [] for seat in range(players)]
    used = [card for cards in (*every_area, *every_hand) for card in cards]
    for place in ("row1", "row2", "discard"):
        used += position.get(place, [])
    if position.get("drawn"):
        used.append(position["drawn"])
    position = {"round": 2, **position}
    return Game.from_piles(
        Ruleset(edition, players, **(options or {})),
        {**rest_of_box(used), **(piles or {})},
        held or tokens(),
        areas=every_area,
        hands=every_hand,
        rubles=[rubles] * players if isinstance(rubles, int) else list(rubles),
        **position,
    )


def at(place: str, *cards: str) -> dict[str, Any]:
    """A keyword for `arrange` that is chosen by a test's parameter."""
    return {place: list(cards)}


def texts(game: Game) -> set[str]:
    """The legal actions; equal cards are one action."""
    found = [action.text for action in game.legal_actions]
    assert len(found) == len(set(found))
    return set(found)


def legal(game: Game, verb: str) -> set[str]:
    """The legal actions that begin with this word."""
    return {text for text in texts(game) if text.split()[0] == verb}


def onto(game: Game, card: str) -> set[str]:
    """The cards onto which the seat to move may buy this card from row 1."""
    return {
        action.onto for action in game.legal_actions if action.verb == "buy" and action.card == card and action.row == 1
    }


def play(game: Game, *actions: str) -> Game:
    for action in actions:
        game.push(action)
    return game


def passes(game: Game, number: int | None = None) -> Game:
    """Everybody passes once, or this many passes are made."""
    return play(game, *["pass"] * (game.ruleset.players if number is None else number))


def pass_until(game: Game, phase: str) -> Game:
    """Pass on until this phase begins (again)."""
    while True:
        before = game.phase
        game.push("pub 0" if game.due == "pub" else "pass")
        if game.over or (game.phase == phase and before != phase):
            return game


def finish(game: Game) -> Game:
    """Pass on until the game is over."""
    while not game.over:
        game.push("pub 0" if game.due == "pub" else "pass")
    return game


def price(game: Game, action: str) -> int:
    """What the seat to move pays for a legal action; the explanation says the same."""
    seat = game.to_move
    after = game.copy()
    after.push(action)
    paid: int = game.state()["rubles"][seat] - after.state()["rubles"][seat]
    explained = game.explain(action)
    assert explained is not None
    assert explained.price == paid
    assert explained.cost - sum(reduction.rubles for reduction in explained.reductions) == paid
    return paid


def scoring(game: Game) -> list[tuple[int, int]]:
    """Rubles and points that each seat gets when all pass until the phase is scored."""
    then = game.copy()
    while (then.phase, then.due) == (game.phase, "turn"):
        then.push("pass")
    before, after = game.state(), then.state()
    return [
        (after["rubles"][seat] - before["rubles"][seat], after["points"][seat] - before["points"][seat])
        for seat in range(game.ruleset.players)
    ]
