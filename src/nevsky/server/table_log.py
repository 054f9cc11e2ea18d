"""The log of a game at a table, told to each viewer as they may know it."""

from __future__ import annotations

from collections.abc import Sequence

from nevsky.narrate import consequences
from nevsky.rules.game import Game
from nevsky.rules.moves import Move, Played
from nevsky.server.protocol import LogLine
from nevsky.telling import HIDDEN, Known, Listener, MoveFacts, Opening, Telling
from nevsky.texts import text
from nevsky.texts.sentences import Wording

__all__ = ["TableLog"]


class TableLog:
    """All moves of a game so far, and the lines that viewers read about them."""

    def __init__(self, game: Game) -> None:
        self.telling = Telling(game)
        self._pages: dict[tuple[int | None, str, bool], _Page] = {}

    def take_back(self, game: Game) -> None:
        """Forget the moves that the game does not have any more."""
        self.telling.take_back(game)
        self._pages.clear()

    def add(self, played: Sequence[Played]) -> bool:
        """Note new moves; returns whether nobody but the player may know of them."""
        new = [self.telling.add(each) for each in played]
        return all(self.telling.secrecy(facts, None) == HIDDEN for facts in new)

    def lines(
        self, viewer: int | None, wording: Wording, most: int | None = None, first_moves: int | None = None
    ) -> list[LogLine]:
        """The log as the viewer may know it, its newest lines or what it tells of the first moves."""
        telling = self.telling
        key = (viewer, wording.language, telling.revealed)
        page = self._pages.get(key)
        if page is None:
            page = self._pages[key] = _Page(telling, viewer)
        for facts in telling.moves[len(page.ends) :]:
            page.add(facts, wording)
        if first_moves is not None:
            return page.lines[: page.ends[first_moves - 1] if first_moves else 0]
        return page.lines[:] if most is None else page.lines[-most:]


class _Page:
    """The log so far as one viewer reads it, kept so that a move has to be told only once."""

    def __init__(self, telling: Telling, viewer: int | None) -> None:
        self.lines: list[LogLine] = []
        self.ends: list[int] = []
        """For each move the number of lines up to it."""
        self._viewer = viewer
        self._listener = Listener(telling, viewer)

    def add(self, facts: MoveFacts, wording: Wording) -> None:
        """One more move."""
        known = self._listener.hear(facts)
        if known is not None:
            self._tell(known, wording)
        self.ends.append(len(self.lines))

    def _tell(self, known: Known, wording: Wording) -> None:
        facts, viewer = known.facts, self._viewer
        move = facts.move
        if known.opening is not None:
            heading = _heading(known.opening, known.new_round, wording.language)
            self.lines.append(_line(known.number, move, None, heading))
        own = move.seat == viewer
        words = wording.log(
            move.action,
            facts.paid,
            name=text("you", wording.language) if own else wording.seat(move.seat),
            you=own,
            due=facts.due,
            secret=known.unnamed,
        )
        self.lines.append(_line(known.number, move, move.seat, words, known.auto))
        self.lines += [_line(known.number, move, None, words) for words in consequences(facts, wording, viewer)]


def _line(number: int, move: Move, seat: int | None, words: str, auto: bool = False) -> LogLine:
    return LogLine(number=number, round=move.round, phase=move.phase, seat=seat, text=words, auto=auto)


def _heading(opening: Opening, new_round: bool, language: str) -> str:
    words = text(f"phase.{opening.phase}", language)
    if not new_round:
        return words
    last = f" {text('title.last', language)}" if opening.last_round else ""
    return f"{text('title.round', language, number=opening.round)}{last}: {words}"
