"""Positions with the Market and its modules 4 to 6 for the rule tests, and short words for what happens in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from nevsky import Game, Ruleset
from nevsky.cards import CARDS
from nevsky.rules.game import Final
from nevsky.rules.tables import copies

PHASES = ("worker", "market", "building", "noble", "exchange")
SPACES = (10, 20, 35, 50, 70)
BONUS_TILES = ("B1", "B2", "B3", "B4", "B5")
REAL_TILES = ("R1", "R2", "R3", "R4", "R5")


def box(ruleset: Ruleset, used: Iterable[str] = ()) -> dict[str, list[str]]:
    """The piles of all cards of this ruleset but the used ones."""
    gone = Counter(used)
    piles: dict[str, list[str]] = {phase: [] for phase in PHASES}
    for card in CARDS:
        piles[card.pile] += [card.exact] * (copies(ruleset, card.kind) - gone[card.exact])
    return piles


def tokens(worker: int = 0, market: int = 0, building: int = 0, noble: int = 0, exchange: int = 0) -> dict[str, int]:
    return {"worker": worker, "market": market, "building": building, "noble": noble, "exchange": exchange}


def arrange(
    *modules: int,
    players: int = 2,
    piles: Mapping[str, Sequence[str]] | None = None,
    held: Mapping[str, int] | None = None,
    areas: Sequence[Sequence[str]] = (),
    hands: Sequence[Sequence[str]] = (),
    rubles: int | Sequence[int] = 25,
    points: int | Sequence[int] = 0,
    **position: Any,
) -> Game:
    """A position with the Market in round 2, seat 0 to move.

    Seats that ``areas`` or ``hands`` do not reach have none; one number of rubles or points is everybody's. Piles that
    are not given hold whatever is left of the box.
    """
    ruleset = Ruleset("second", players, market=True, modules=modules)
    every_area = [list(areas[seat]) if seat < len(areas) else [] for seat in range(players)]
    every_hand = [list(hands[seat]) if seat < len(hands) else [] for seat in range(players)]
    used = [card for cards in (*every_area, *every_hand) for card in cards]
    for place in ("row1", "row2", "discard", "out"):
        used += position.get(place, [])
    position = {"round": 2, **position}
    return Game.from_piles(
        ruleset,
        {**box(ruleset, used), **(piles or {})},
        held or tokens(),
        areas=every_area,
        hands=every_hand,
        rubles=[rubles] * players if isinstance(rubles, int) else list(rubles),
        points=[points] * players if isinstance(points, int) else list(points),
        **position,
    )


def final_position(*modules: int, players: int = 2, **position: Any) -> Game:
    """The last exchange phase; one more pass ends it."""
    return arrange(
        *modules,
        players=players,
        phase="exchange",
        last_round=True,
        passes=players - 1,
        to_move=players - 1,
        **position,
    )


def settled(game: Game) -> tuple[Final, ...]:
    """The final scoring of a finished game, seat by seat."""
    assert game.result is not None
    for final in game.result.final:
        parts = final.track + final.nobles + final.assignment + final.rubles + final.hand + final.obstacles
        assert final.total == parts
    return game.result.final


def track(placed: Mapping[int, str], players: int = 2) -> dict[str, Any]:
    """Obstacles: these tiles at these spaces; everybody is done with all other spaces."""
    spare = [tile for tile in BONUS_TILES + REAL_TILES if tile not in placed.values()]
    done = [at for at in SPACES if at not in placed]
    return {
        "tiles": {str(at): placed[at] if at in placed else spare.pop() for at in SPACES},
        "passed": [done] * players,
    }


def one_tile(tile: str, at: int, players: int = 2) -> dict[str, Any]:
    """Obstacles: this tile is the only one that still matters."""
    return track({at: tile}, players)


def scores(game: Game, seat: int = 0) -> tuple[int, int]:
    """Rubles and points of a seat."""
    state = game.state()
    return state["rubles"][seat], state["points"][seat]


def passed(game: Game, seat: int = 0) -> list[int]:
    """The spaces whose tile the seat is done with."""
    spaces: list[int] = game.state()["obstacles"]["passed"][seat]
    return spaces


def lost(game: Game, seat: int = 0) -> int:
    """The points that the seat has lost at real obstacles."""
    points: int = game.state()["obstacles"]["lost"][seat]
    return points


def take_back(game: Game, *actions: str) -> None:
    """Play these actions, then take them back one by one: every position on the way is the same as before."""
    before = []
    for action in actions:
        before.append((game.state(), game.legal_actions))
        game.push(action)
    for state, legal in reversed(before):
        game.undo()
        assert (game.state(), game.legal_actions) == (state, legal)
