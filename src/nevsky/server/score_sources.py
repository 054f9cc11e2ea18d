"""Where the points of a finished game came from, round by round."""

from __future__ import annotations

from collections import defaultdict
from typing import Final, get_args

from nevsky.cards import CARDS, COLOURS, PILES
from nevsky.rules.actions import PASS
from nevsky.rules.game import Game
from nevsky.rules.modules import OBSTACLES
from nevsky.rules.moves import Move, Played
from nevsky.rules.position import Position
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.snapshot import blank, describe, restore
from nevsky.server.protocol import Race, RacePart, RaceSource
from nevsky.telling import MoveFacts, move_facts

__all__ = ["race"]

_ORDER: Final = get_args(RaceSource)
_COLOURS: Final[dict[str, RaceSource]] = {
    "worker": "worker",
    "market": "market",
    "building": "building",
    "noble": "noble",
}
_VERBS: Final[dict[str, RaceSource]] = {"pub": "pub", "trading_house": "pub", "guild_hall": "building"}
_CARRIERS: Final = frozenset(card.text for card in CARDS if card.goods)
_END: Final = 1000
"""Stands for the final scoring, after all rounds."""
Parts = dict[tuple[int, RaceSource], list[int]]


class _Booking:
    """Goes through a game move by move and books every change of a score under its source."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.parts: Parts = defaultdict(lambda: [0] * game.ruleset.players)
        self.steps: dict[tuple[int, RaceSource], int] = {}
        self.scored: tuple[int, str] = (0, "")
        self.market = [0] * game.ruleset.players
        """What the scoring of the market brought so far, bonuses of tiles included."""

    def book(self, move: Move, source: RaceSource, seat: int, points: int) -> None:
        if points:
            self.parts[move.round, source][seat] += points
            self.steps[move.round, source] = move.number

    def add(self, played: Played) -> None:
        move, before, after = played
        if after.in_final_scoring():
            return  # the track stands still from now on
        facts = move_facts(played, self.game.ruleset)
        phase = (move.round, move.phase)
        begins = facts.scoring and self.scored != phase and move.phase in _COLOURS
        if begins:
            self.scored = phase
        for seat in range(after.n):
            points = after.points[seat] - before.points[seat]
            if seat == move.seat:
                points -= self._own(move, facts, points)
            if begins:
                points -= self._income(move, before, seat)
            if move.phase == "market" and facts.scoring:
                self.market[seat] += points
            else:
                self.book(move, "obstacles" if facts.tiles or facts.due in OBSTACLES.dues else "other", seat, points)
        if move.phase == "market" and PILES[after.phase] != "market":
            self._market_is_over(move, after)

    def _own(self, move: Move, facts: MoveFacts, points: int) -> int:
        """What the player paid for or chose."""
        told = points - sum(gain.points for gain in facts.gains if gain.seat == move.seat)
        told += sum(tile.lost for tile in facts.tiles if tile.seat == move.seat)
        self.book(move, _VERBS.get(move.action.verb, "other"), move.seat, told)
        return told

    def _income(self, move: Move, before: Position, seat: int) -> int:
        """What the cards of the phase's colour bring, exchange cards apart."""
        colour = PILES.index(move.phase)
        points = before.income(seat, colour)[1]
        exchange = max(0, min(points, self._exchange(before, seat, colour)))
        self.book(move, "exchange", seat, exchange)
        self.book(move, _COLOURS[move.phase], seat, points - exchange)
        return points

    def _exchange(self, position: Position, seat: int, colour: int) -> int:
        """The part of a colour's points that would be missing without its exchange cards."""
        whole, rest = blank(self.game.ruleset), blank(self.game.ruleset)
        for kind, count in position.area_of(seat).items():
            for _ in range(count):
                whole.put_in_area(seat, kind)
                if not CARDS[kind].exchange or CARDS[kind].colour != COLOURS[colour]:
                    rest.put_in_area(seat, kind)
        return whole.income(seat, colour)[1] - rest.income(seat, colour)[1]

    def _market_is_over(self, move: Move, after: Position) -> None:
        goods = self._goods(after, move.round) if OBSTACLES.in_play(self.game.ruleset) else self.market
        for seat, (whole, points) in enumerate(zip(self.market, goods, strict=True)):
            self.book(move, "market", seat, points)
            self.book(move, "obstacles", seat, whole - points)
        self.market = [0] * after.n

    def _goods(self, after: Position, number: int) -> list[int]:
        """What the goods alone bring: the same market, scored where no tiles lie on the track."""
        ruleset = Ruleset("second", players=after.n, market=True)
        there = describe(after)
        given = there["tiles"]["given"]
        areas = [
            {card: count for card, count in area.items() if card in _CARRIERS or card in given[seat]}
            for seat, area in enumerate(there["areas"])
        ]
        start = {
            "round": number,
            "phase": "market",
            "areas": areas,
            "tiles": there["tiles"],
            "rubles": [50] * after.n,
        }
        twin = restore(ruleset, start)
        while PILES[twin.phase] == "market":
            twin.play(PASS if PASS in twin.legal() else twin.legal()[0])
        return twin.points[: after.n]

    def begin(self, start: Position) -> None:
        """What a game that began in the middle had brought before."""
        if any(start.points[: start.n]):
            self.parts[start.round, "other"] = list(start.points[: start.n])
            self.steps[start.round, "other"] = 0

    def finish(self) -> None:
        """The final scoring (8.2); a game that was given up has none."""
        result = self.game.result
        if result is None:
            for seat, points in enumerate(self.market):
                self.parts[self.game.position.round, "market"][seat] += points
                self.steps.setdefault((self.game.position.round, "market"), len(self.game.moves))
            return
        for final in result.final:
            parts: list[tuple[RaceSource, int]] = [
                ("final_nobles", final.nobles),
                ("assignment", final.assignment),
                ("rubles", final.rubles),
                ("hand", final.hand),
                ("final_obstacles", final.obstacles),
            ]
            for source, points in parts:
                self.parts[_END, source][final.seat] = points
                self.steps[_END, source] = len(self.game.moves)


def race(game: Game) -> Race:
    """All points of a finished game; the parts of a seat add up to its final score.

    Points that were there when a game began in the middle have no source.
    """
    booking = _Booking(game)
    booking.begin(game.start_position)
    for played in game.played():
        booking.add(played)
    booking.finish()
    keys = sorted(booking.parts, key=lambda key: (key[0], _ORDER.index(key[1])))
    return Race(
        rounds=game.position.round,
        parts=[
            RacePart(
                round=None if key[0] == _END else key[0],
                source=key[1],
                points=booking.parts[key],
                step=booking.steps[key],
            )
            for key in keys
            if any(booking.parts[key])
        ],
    )
