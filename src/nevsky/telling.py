"""What followed from each move of a game, found out once; others put it into words.

Facts are what everybody will know when the game is over. Before that, ask the `Telling` who may know what.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from nevsky.cards import CARDS, PILES
from nevsky.rules.constants import DRAWN, DUES, PUB, SCORING, SECRET_DUES
from nevsky.rules.course import whole_box
from nevsky.rules.game import Game
from nevsky.rules.market import value_tile
from nevsky.rules.modules import BANQUET
from nevsky.rules.modules.good_company.room import GUILD_TOTAL, SYCOPHANT_PRICE, TRADE_POINTS, TRADE_PRICE
from nevsky.rules.modules.obstacles.room import FIRST_REAL, SPACES
from nevsky.rules.modules.obstacles.rules import Obstacles
from nevsky.rules.moves import Move, Played
from nevsky.rules.position import Position
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.snapshot import phases
from nevsky.rules.view import as_seen

__all__ = [
    "HIDDEN",
    "UNNAMED",
    "Gain",
    "Known",
    "Listener",
    "MoveFacts",
    "Opening",
    "Telling",
    "Tile",
    "move_facts",
]

HIDDEN: Final = "hidden"
"""Nobody but the player may know that there was a decision at all."""
UNNAMED: Final = "unnamed"
"""Everybody sees that something was chosen, but not what."""


class Gain(NamedTuple):
    """What a seat got beyond what its action says."""

    seat: int
    rubles: int
    points: int


class Tile(NamedTuple):
    """An obstacle that a seat has met."""

    seat: int
    space: int
    how: str
    """``bonus``, ``passed`` or ``stuck``."""
    lost: int = 0


class Opening(NamedTuple):
    """The display at the start of a phase, or when the last round is announced."""

    round: int
    phase: str
    last_round: bool
    row1: tuple[str, ...]
    row2: tuple[str, ...]
    value: tuple[int, int] | None = None
    """Rubles and points of the value tile; None without the Market."""
    new: tuple[str, ...] = ()
    """Cards laid out for this phase."""
    cleared: tuple[str, ...] = ()
    """Cards that lay in row 2 until the new round."""
    empty_pile: str | None = None
    """The pile whose end makes this the last round, if that is news."""


class MoveFacts(NamedTuple):
    """One move with everything that followed from it."""

    move: Move
    due: str
    """The kind of decision it was."""
    paid: int | None
    """The rubles that the sentence about the move names."""
    scoring: bool
    """A phase is being scored; otherwise the gains come from cards, events or tiles."""
    gains: tuple[Gain, ...]
    """What the move and everything after it brought, apart from what the sentence about it tells."""
    tiles: tuple[Tile, ...]
    opening: Opening | None
    """The phase that begins after the move."""
    secret: str
    """What the others may not know before the end: nothing, ``hidden`` or ``unnamed`` (12.2)."""
    seen_auto: bool
    """Everybody may know that there was no choice: no card on the hand was unseen."""
    named: frozenset[int]
    """The seats of which the move tells; they read "you" there."""


class Telling:
    """All moves of a game so far. It is given each of them once.

    Whoever wants to hear only of the newest moves says how many, and is told of those since the phase before them.
    """

    def __init__(self, game: Game, newest: int | None = None) -> None:
        self._ruleset = game.ruleset
        self._position = game.start_position
        self.start = _opening(self._position, self._ruleset)
        self.heading = (0, "")
        """Round and phase of the last move that is not told of."""
        self.skipped = 0
        """How many of the first moves are not told of."""
        self.moves: list[MoveFacts] = []
        if newest is not None and not BANQUET.in_play(game.ruleset):  # there, how they are counted depends on secrets
            self._skip(game, game.made - newest)
        self.catch_up(game)

    def _skip(self, game: Game, most: int) -> None:
        """Leave out the first moves, but no more than so many, up to one after which a phase begins."""
        stage, last = _stage(self._position), 0
        for number, position in enumerate(game.walk(most), 1):
            now = _stage(position)
            if now != stage:
                stage, last = now, number
        if not last:
            return
        before_it = next(game.played(last - 1))
        facts = move_facts(before_it, self._ruleset)
        assert facts.opening is not None
        self.start, self.heading = facts.opening, (facts.move.round, facts.move.phase)
        self.skipped, self._position = last, before_it.after

    @property
    def number(self) -> int:
        """How many moves there are, told of or not."""
        return self.skipped + len(self.moves)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._position.over

    @property
    def revealed(self) -> bool:
        """Whether what was secret about moves is so no more; nothing becomes secret after that."""
        return self._position.choices_open()

    def catch_up(self, game: Game) -> list[MoveFacts]:
        """Note the moves that are new."""
        return [self.add(played) for played in game.played(self.number, self._position)]

    def add(self, played: Played) -> MoveFacts:
        """Note one move more."""
        facts = move_facts(played, self._ruleset)
        self._position = played.after
        self.moves.append(facts)
        return facts

    def take_back(self, game: Game) -> None:
        """Forget the moves that the game does not have any more, none of those that were left out."""
        assert game.made >= self.skipped
        del self.moves[game.made - self.skipped :]
        self._position = game.position

    def secrecy(self, facts: MoveFacts, viewer: int | None) -> str:
        """What the viewer may not know about a move now: nothing, ``hidden`` or ``unnamed`` (12.2)."""
        if self.over or facts.move.seat == viewer:
            return ""
        if facts.due in SECRET_DUES and self._position.choices_open():
            return ""
        return facts.secret

    def auto(self, facts: MoveFacts, viewer: int | None) -> bool:
        """Whether the viewer may know that there was no choice."""
        if self.over or self._ruleset.open_hands or facts.move.seat == viewer:
            return facts.move.auto
        return facts.seen_auto


class Known(NamedTuple):
    """A move as one viewer knows it."""

    number: int
    """From 1, counting only the moves that the viewer knows of."""
    facts: MoveFacts
    unnamed: bool
    """The viewer does not know what was chosen."""
    auto: bool
    opening: Opening | None
    """The phase that begins with this move, to be told before it."""
    new_round: bool
    """With it a round begins."""


class Listener:
    """One viewer, who hears of the moves one after the other; with ``all_secrets`` somebody who may know everything."""

    def __init__(self, telling: Telling, viewer: int | None, *, all_secrets: bool = False) -> None:
        self._telling = telling
        self._viewer = viewer
        self._all_secrets = all_secrets
        self._opening = telling.start
        self._heading = telling.heading
        self._number = telling.skipped

    def hear(self, facts: MoveFacts) -> Known | None:
        """The next move as the viewer knows it; None if they may not know of it."""
        telling, move = self._telling, facts.move
        secret = "" if self._all_secrets or not facts.secret else telling.secrecy(facts, self._viewer)
        opening, self._opening = self._opening, facts.opening or self._opening
        if secret == HIDDEN:
            return None
        heading, self._heading = self._heading, (move.round, move.phase)
        self._number += 1
        return Known(
            self._number,
            facts,
            secret == UNNAMED,
            move.auto and (self._all_secrets or telling.auto(facts, self._viewer)),
            opening if heading != self._heading else None,
            heading[0] != move.round,
        )


def move_facts(played: Played, ruleset: Ruleset) -> MoveFacts:
    """What followed from a move."""
    move, before, after = played
    paid = _paid(move, before)
    told_rubles, told_points = _told(move, paid)
    rubles = [now - was for was, now in zip(before.rubles, after.rubles, strict=True)]
    points = [now - was for was, now in zip(before.points, after.points, strict=True)]
    rubles[move.seat] -= told_rubles
    points[move.seat] -= told_points
    tiles: list[Tile] = []
    track_before, track = _obstacles(before), _obstacles(after)
    if track_before is not None and track is not None:
        lost = [now - was for was, now in zip(track_before.lost, track.lost, strict=True)]
        tiles += _tiles(track_before, track, lost)
        if not after.in_final_scoring():
            points = [change + less for change, less in zip(points, lost, strict=True)]
    gains = [Gain(seat, rubles[seat], points[seat]) for seat in range(after.n) if rubles[seat] or points[seat]]
    return MoveFacts(
        move=move,
        due=DUES[before.due],
        paid=paid,
        scoring=_scoring(before, after),
        gains=tuple(gains),
        tiles=tuple(tiles),
        opening=_news(before, after, ruleset),
        secret=_secret(move, before, ruleset),
        seen_auto=move.auto and all(before.seen_of(before.seat)),
        named=frozenset([move.seat, *(gain.seat for gain in gains), *(tile.seat for tile in tiles)]),
    )


def _paid(move: Move, before: Position) -> int | None:
    if move.action.verb == "upkeep" and move.action.choice == "pay":
        return value_tile(before.round)[0]
    return move.price


def _told(move: Move, paid: int | None) -> tuple[int, int]:
    """The rubles and points that the sentence about a move tells."""
    action = move.action
    match action.verb, action.choice:
        case "pub", _:
            return -2 * action.number, action.number
        case "guild_hall", _:
            return action.number, GUILD_TOTAL - action.number
        case "trading_house", "pay":
            return -TRADE_PRICE, TRADE_POINTS
        case "sycophant", "pay":
            return -SYCOPHANT_PRICE, 0
    return -(paid or 0), 0


def _scoring(before: Position, after: Position) -> bool:
    if (before.phase, before.round) != (after.phase, after.round):
        return True
    full_before, full = whole_box(before), whole_box(after)
    if full_before is not None and full is not None:
        return SCORING in (full_before.stage, full.stage)
    return after.over or PUB in (before.due, after.due)


def _obstacles(position: Position) -> Obstacles | None:
    full = whole_box(position)
    return None if full is None else full.obstacles


def _tiles(before: Obstacles, after: Obstacles, lost: Sequence[int]) -> Iterator[Tile]:
    passed_before, passed, tiles = before.passed, after.passed, after.tile
    for seat in range(len(lost)):
        for i, space in enumerate(SPACES):
            if (passed[seat] & ~passed_before[seat]) >> i & 1:
                yield Tile(seat, space, "bonus" if tiles[i] < FIRST_REAL else "passed")
        if lost[seat]:
            ahead = next(i for i in range(len(SPACES)) if not passed[seat] >> i & 1)
            yield Tile(seat, SPACES[ahead], "stuck", lost[seat])


def _secret(move: Move, before: Position, ruleset: Ruleset) -> str:
    if DUES[before.due] in SECRET_DUES:
        return UNNAMED
    if ruleset.open_hands:
        return ""
    if before.due == DRAWN and move.action.verb == "take":
        return UNNAMED
    if move.action.verb == "pass" and as_seen(before, ruleset, None) is not before:
        return HIDDEN
    return ""


def _opening(position: Position, ruleset: Ruleset) -> Opening:
    row1, row2 = (tuple(CARDS[kind].exact for kind in position.row_of(row)) for row in (1, 2))
    value = value_tile(position.round) if ruleset.market else None
    return Opening(position.round, PILES[position.phase], bool(position.last_round), row1, row2, value)


def _stage(position: Position) -> tuple[int, int, int]:
    return position.round, position.phase, position.last_round


def _news(before: Position, after: Position, ruleset: Ruleset) -> Opening | None:
    """What is new on the display after a move, None within a phase."""
    if _stage(before) == _stage(after) or after.over:
        return None
    opening = _opening(after, ruleset)
    if after.round != before.round:
        opening = opening._replace(cleared=tuple(CARDS[kind].exact for kind in before.row_of(2)))
    if after.phase != before.phase:
        drawn = max(before.pile_n[after.phase] - after.pile_n[after.phase], 0)
        opening = opening._replace(new=opening.row1[:drawn])
    if after.last_round and not before.last_round:
        empty = (name for name in phases(ruleset) if not after.pile_n[PILES.index(name)])
        opening = opening._replace(empty_pile=next(empty, None))
    return opening
