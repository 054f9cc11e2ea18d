"""The log of a game at a table, told to each viewer as they may know it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from nevsky.narrate import consequences
from nevsky.rules.game import Game
from nevsky.rules.modules import BANQUET
from nevsky.rules.moves import Move, Played
from nevsky.server.protocol import LogLine
from nevsky.telling import HIDDEN, Known, Listener, Opening, Telling
from nevsky.texts import text
from nevsky.texts.sentences import Wording

__all__ = ["TableLog", "Window"]


class Window(NamedTuple):
    """Some lines of a log to which more are added while it goes on."""

    all: list[LogLine]
    start: int
    end: int

    def lines(self) -> list[LogLine]:
        """The lines themselves."""
        return self.all[self.start : self.end]


class TableLog:
    """All moves of a game so far, and the lines that viewers read about them.

    What is loaded from a database begins with the newest moves; the others follow once somebody asks for them.
    """

    def __init__(self, game: Game, newest: int | None = None) -> None:
        self._game = game
        self.telling = Telling(game, newest)
        self.late: set[int] = set()
        """Numbers of the moves that a bot made because the time had run out."""
        self.resigned: tuple[tuple[int, int], ...] = ()
        """Seats whose players have resigned, each with the number of moves that had been made by then."""
        self._pages: dict[tuple[int | None, str, bool], _Page] = {}
        self._hearings: dict[tuple[int | None, bool], _Hearing] = {}
        self._told: _Told = {}
        """Lines of the newest moves, which most viewers read in the same words."""

    def take_back(self, game: Game) -> None:
        """Forget the moves that the game does not have any more."""
        self._game = game
        if game.made < self.telling.skipped:
            self.telling = Telling(game)
        else:
            self.telling.take_back(game)
        self.late = {number for number in self.late if number <= game.made}
        self._forget()

    def add(self, game: Game, played: Sequence[Played], late: bool = False) -> bool:
        """Note new moves, and the game after them; returns whether nobody but the player may know of them."""
        self._game = game
        self._told.clear()
        if late:
            self.late.add(played[0].move.number)
        new = [self.telling.add(each) for each in played]
        return all(self.telling.secrecy(facts, None) == HIDDEN for facts in new)

    def newest(self, viewer: int | None, wording: Wording, most: int) -> Window:
        """The last lines of the log as the viewer may know it."""
        if self.resigned:
            lines = self.lines(viewer, wording, most)
            return Window(lines, 0, len(lines))
        lines = self._back_to(most, viewer, wording)
        return Window(lines, max(0, len(lines) - most), len(lines))

    def _back_to(self, most: int, viewer: int | None, wording: Wording) -> list[LogLine]:
        """At least the last lines."""
        lines = self._page(viewer, wording).back_to(most, wording)
        if len(lines) < most and self.telling.skipped:
            self._tell_everything()
            lines = self._page(viewer, wording).back_to(most, wording)
        return lines

    def _tell_everything(self) -> None:
        if self.telling.skipped:
            self.telling = Telling(self._game)
            self._forget()

    def _forget(self) -> None:
        self._pages.clear()
        self._hearings.clear()
        self._told.clear()

    def _page(self, viewer: int | None, wording: Wording) -> _Page:
        key = (viewer, wording.language, self.telling.revealed)
        page = self._pages.get(key)
        if page is None:
            page = self._pages[key] = _Page(self._hearing(viewer), viewer, self._told, self.late)
        page.hear(wording)
        return page

    def _hearing(self, viewer: int | None) -> _Hearing:
        """Where no question is secret everybody hears of the same moves; each knows more of their own."""
        listener = viewer if BANQUET.in_play(self._game.ruleset) else None
        key = (listener, self.telling.revealed)
        found = self._hearings.get(key)
        if found is None:
            found = self._hearings[key] = _Hearing(self.telling, listener)
        return found

    def lines(
        self, viewer: int | None, wording: Wording, most: int | None = None, first_moves: int | None = None
    ) -> list[LogLine]:
        """The log as the viewer may know it, its newest lines or what it tells of the first moves."""
        if most is not None and not self.resigned:
            return self._back_to(most, viewer, wording)[-most:]
        self._tell_everything()
        page = self._page(viewer, wording)
        if first_moves is not None:
            lines = page.first(first_moves, wording)
            resigned = [each for each in self.resigned if each[1] <= first_moves]
        else:
            told, resigned = page.back_to(most, wording), list(self.resigned)
            lines = told[:] if most is None else told[-most:]
        for seat, after in resigned:
            lines = _with_resignation(lines, seat, page.known_of(after), wording, viewer, whole=most is None)
        return lines if most is None else lines[-most:]


_Told = dict[tuple[object, ...], list[LogLine]]


class _Hearing:
    """All moves so far as they are heard of: by whoever has made them, and by everybody else."""

    def __init__(self, telling: Telling, listener: int | None) -> None:
        self._telling = telling
        self._listener = Listener(telling, listener)
        self.others: list[Known | None] = []
        """By move; None for those that nobody else may know of."""
        self.own: list[Known | None] = []

    def hear(self) -> int:
        """Take in the moves that are new; how many there are."""
        moves = self._telling.moves
        for place in range(len(self.others), len(moves)):
            facts = moves[place]
            known = self._listener.hear(facts)
            self.others.append(known)
            if known is not None and (known.unnamed or known.auto != facts.move.auto):
                known = known._replace(unnamed=False, auto=facts.move.auto)
            self.own.append(known)
        return len(moves)


class _Page:
    """The log so far as one viewer reads it, kept so that a move has to be told only once.

    Old moves are put into words when somebody reads so far back: after a restart most of them never are.
    """

    def __init__(self, hearing: _Hearing, viewer: int | None, told: _Told, late: set[int]) -> None:
        self._hearing = hearing
        self._viewer = viewer
        self._told = told
        self._late = late
        self._worded = self._end = hearing.hear()
        """The moves from the one to the other are put into words, and theirs are the lines."""
        self._lines: list[LogLine] = []

    def hear(self, wording: Wording) -> None:
        """Take in the moves that are new."""
        end = self._hearing.hear()
        for place in range(self._end, end):
            self._lines += self._words(place, wording)
        self._end = end

    def _known(self, place: int) -> Known | None:
        known = self._hearing.others[place]
        if known is not None and known.facts.move.seat == self._viewer:
            return self._hearing.own[place]
        return known

    def back_to(self, most: int | None, wording: Wording) -> list[LogLine]:
        """The lines that were put into words so far: at least so many if there are, or all of them.

        The list goes on to grow; it is another one once older lines come in.
        """
        if not self._worded or (most is not None and len(self._lines) >= most):
            return self._lines
        older: list[list[LogLine]] = []
        missing = None if most is None else most - len(self._lines)
        while self._worded and (missing is None or missing > 0):
            self._worded -= 1
            older.append(self._words(self._worded, wording))
            missing = None if missing is None else missing - len(older[-1])
        if older:
            self._lines = [line for lines in reversed(older) for line in lines] + self._lines
        return self._lines

    def first(self, moves: int, wording: Wording) -> list[LogLine]:
        """What there is to read about the first moves."""
        return [line for place in range(min(moves, self._end)) for line in self._words(place, wording)]

    def known_of(self, moves: int) -> int:
        """The number of the last of the first moves that the viewer knows of."""
        heard = reversed(self._hearing.others[: min(moves, self._end)])
        return next((known.number for known in heard if known is not None), 0)

    def _words(self, place: int, wording: Wording) -> list[LogLine]:
        known = self._known(place)
        if known is None:
            return []
        facts = known.facts
        named = self._viewer if self._viewer in facts.named else None
        heading = known.opening is not None
        key = (facts.move.number, known.number, known.unnamed, known.auto, heading, named, wording.language)
        lines = self._told.get(key)
        if lines is None:
            lines = self._told[key] = _tell(known, wording, named, facts.move.number in self._late)
        return lines


def _with_resignation(
    lines: list[LogLine], seat: int, after: int, wording: Wording, viewer: int | None, *, whole: bool
) -> list[LogLine]:
    """The lines with the one that says who resigned after a move; not where they begin later than that."""
    place = sum(line["number"] <= after for line in lines)
    if not place and lines and not whole and lines[0]["number"] > 1:
        return lines
    words = "log.resigned.you" if seat == viewer else "log.resigned"
    before = lines[place - 1] if place else None
    line: LogLine = {
        "number": after,
        "round": 1 if before is None else before["round"],
        "phase": "worker" if before is None else before["phase"],
        "seat": None,
        "text": text(words, wording.language, name=wording.seat(seat)),
        "auto": False,
        "late": False,
        "passed": False,
    }
    return [*lines[:place], line, *lines[place:]]


def _tell(known: Known, wording: Wording, viewer: int | None, late: bool) -> list[LogLine]:
    facts = known.facts
    move, lines = facts.move, []
    if known.opening is not None:
        heading = _heading(known.opening, known.new_round, wording.language)
        lines.append(_line(known.number, move, None, heading))
    own = move.seat == viewer
    words = wording.log(
        move.action,
        facts.paid,
        name=text("you", wording.language) if own else wording.seat(move.seat),
        you=own,
        due=facts.due,
        secret=known.unnamed,
    )
    lines.append(_line(known.number, move, move.seat, words, known.auto, late))
    followed = [_line(known.number, move, None, words) for words in consequences(facts, wording, viewer)]
    if facts.gains:  # told first
        followed[0]["gains"] = [
            {"seat": seat, "rubles": rubles, "points": points} for seat, rubles, points in facts.gains
        ]
    return lines + followed


def _line(number: int, move: Move, seat: int | None, words: str, auto: bool = False, late: bool = False) -> LogLine:
    return {
        "number": number,
        "round": move.round,
        "phase": move.phase,
        "seat": seat,
        "text": words,
        "passed": seat is not None and move.action.verb == "pass",
        "auto": auto,
        "late": late,
    }


def _heading(opening: Opening, new_round: bool, language: str) -> str:
    words = text(f"phase.{opening.phase}", language)
    if not new_round:
        return words
    last = f" {text('title.last', language)}" if opening.last_round else ""
    return text("pair", language, one=f"{text('title.round', language, number=opening.round)}{last}", other=words)
