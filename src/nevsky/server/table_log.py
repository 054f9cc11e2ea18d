"""The log of a game, kept move by move, and told to each viewer as he may know it."""

from __future__ import annotations

from typing import NamedTuple

from nevsky.cards import PILES
from nevsky.narrate import HIDDEN, UNNAMED, Changes, changes, secrecy, told_price
from nevsky.rules.constants import DUES
from nevsky.rules.explain import explain
from nevsky.rules.full import FullPosition
from nevsky.rules.game import Game, Move
from nevsky.rules.position import Position
from nevsky.server.protocol import LogLine
from nevsky.texts import amount, amounts, text
from nevsky.texts.sentences import Wording

__all__ = ["Chronicle"]


class Told(NamedTuple):
    """One move with what followed from it."""

    move: Move
    due: str
    after: Changes
    before: Position | None
    """Kept only where something about the move is secret."""
    last_round: bool
    auto: bool
    """Everybody may know that there was no choice: no card on the hand was unseen."""


class Chronicle:
    """All moves of a game so far."""

    def __init__(self, game: Game) -> None:
        self._position = game.start_position
        self.moves: list[Told] = []
        self._tellings: dict[tuple[int | None, str, bool], _Telling] = {}
        self.catch_up(game)

    def catch_up(self, game: Game) -> None:
        """Note the moves that are new."""
        for action, auto in game.moves[len(self.moves) :]:
            before = self._position
            after = before.copy()
            price = explain(before, before.seat, action)
            move = Move(
                number=len(self.moves) + 1,
                round=before.round,
                phase=PILES[before.phase],
                seat=before.seat,
                action=action,
                price=None if price is None else price.price,
                auto=auto,
            )
            after.play(action.id)
            secret = secrecy(move, before, game, None) != "" or DUES[before.due] == "assignment"
            self.moves.append(
                Told(
                    move,
                    DUES[before.due],
                    changes(move, before, after),
                    before if secret else None,
                    bool(before.last_round),
                    auto and all(before.seen_of(before.seat)),
                )
            )
            self._position = after

    def take_back(self, game: Game) -> None:
        """Forget the moves that the game does not have any more."""
        del self.moves[len(game.moves) :]
        self._tellings.clear()
        self._position = game.position

    def hidden(self, game: Game, since: int) -> bool:
        """Whether nobody but the player may know of what happened after so many moves."""
        new = self.moves[since:]
        return bool(new) and all(_secrecy(told, game, None) == HIDDEN for told in new)

    def lines(
        self,
        game: Game,
        viewer: int | None,
        wording: Wording,
        most: int | None = None,
        first_moves: int | None = None,
    ) -> list[LogLine]:
        """The log as the viewer may know it, its newest lines or what it tells of the first moves."""
        key = (viewer, wording.language, _revealed(game))
        telling = self._tellings.get(key)
        if telling is None:
            telling = self._tellings[key] = _Telling()
        for told in self.moves[len(telling.ends) :]:
            telling.add(told, game, viewer, wording)
        if first_moves is not None:
            return telling.lines[: telling.ends[first_moves - 1] if first_moves else 0]
        return telling.lines[:] if most is None else telling.lines[-most:]


class _Telling:
    """The log so far as one viewer reads it, kept so that a move has to be told only once."""

    def __init__(self) -> None:
        self.lines: list[LogLine] = []
        self.ends: list[int] = []
        """For each move the number of lines up to it."""
        self._number = 0
        self._heading = (0, "")

    def add(self, told: Told, game: Game, viewer: int | None, wording: Wording) -> None:
        """One more move."""
        secret = _secrecy(told, game, viewer)
        if secret != HIDDEN:
            self._tell(told, game, viewer, wording, secret == UNNAMED)
        self.ends.append(len(self.lines))

    def _tell(self, told: Told, game: Game, viewer: int | None, wording: Wording, unnamed: bool) -> None:
        self._number += 1
        move = told.move
        if (move.round, move.phase) != self._heading:
            self.lines.append(_line(self._number, move, None, _heading(told, self._heading[0], wording), False))
            self._heading = (move.round, move.phase)
        own = move.seat == viewer
        words = wording.log(
            move.action,
            told_price(move),
            name=_name(move.seat, viewer, wording),
            you=own,
            due=told.due,
            secret=unnamed,
        )
        auto = move.auto if own or game.over or game.ruleset.open_hands else told.auto
        self.lines.append(_line(self._number, move, move.seat, words, auto))
        self.lines += _following(told, self._number, viewer, wording)


def _revealed(game: Game) -> bool:
    """Whether what was secret about moves is so no more."""
    position = game.position
    return game.over or (isinstance(position, FullPosition) and position.assignments_open())


def _secrecy(told: Told, game: Game, viewer: int | None) -> str:
    return "" if told.before is None else secrecy(told.move, told.before, game, viewer)


def _line(number: int, move: Move, seat: int | None, words: str, auto: bool) -> LogLine:
    return LogLine(number=number, round=move.round, phase=move.phase, seat=seat, text=words, auto=auto)


def _name(seat: int, viewer: int | None, wording: Wording) -> str:
    return text("you", wording.language) if seat == viewer else wording.seat(seat)


def _heading(told: Told, round_before: int, wording: Wording) -> str:
    language = wording.language
    words = text(f"phase.{told.move.phase}", language)
    if told.move.round == round_before:
        return words
    last = f" {text('title.last', language)}" if told.last_round else ""
    return f"{text('title.round', language, number=told.move.round)}{last}: {words}"


def _following(told: Told, number: int, viewer: int | None, wording: Wording) -> list[LogLine]:
    language, after = wording.language, told.after
    lines = []
    if after.gains:
        parts = [
            text(
                "log.gains",
                language,
                name=_name(gain.seat, viewer, wording),
                gains=amounts(gain.rubles, gain.points, language, signed=True),
            )
            for gain in after.gains
        ]
        key = "title.scoring" if after.scoring else "title.gains"
        lines.append(_line(number, told.move, None, text(key, language, parts="; ".join(parts)), False))
    for tile in after.tiles:
        words = text(
            f"log.obstacle.{tile.how}",
            language,
            you=tile.seat == viewer,
            name=_name(tile.seat, viewer, wording),
            space=tile.space,
            points=amount(tile.lost, "point", language),
        )
        lines.append(_line(number, told.move, None, words, False))
    return lines
