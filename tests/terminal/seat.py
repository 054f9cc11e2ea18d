"""A person at the terminal whose answers come from a test."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from nevsky import Game, Ruleset
from nevsky.rules.rng import Rng
from nevsky.terminal import Opponent, Paper, Session, make_console, new_game
from nevsky.terminal.choices import Decision, list_choices
from nevsky.terminal.table import draw

Chooser = Callable[[Decision], str]


class Seat:
    """A person whose answers come from the test."""

    def __init__(
        self,
        game: Game,
        chooser: Chooser,
        *,
        width: int = 80,
        language: str = "en",
        opponents: Sequence[Opponent] = (),
    ) -> None:
        self.output = io.StringIO()
        self.chooser = chooser
        paper = Paper(make_console(self.output, size=(width, 40)))
        self.session = Session(game, paper, self.read, language=language, opponents=opponents)

    def read(self, prompt: str) -> str:
        self.output.write(prompt)
        return self.chooser(self.session.decision())

    def run(self) -> str:
        self.session.run()
        return self.output.getvalue()


def first(decision: Decision) -> str:
    return str(decision.choices[0].number)


def any_of(seed: object) -> Chooser:
    rng = Rng.of(seed)
    return lambda decision: str(decision.choices[rng.below(len(decision.choices))].number)


def script(*entries: str) -> Chooser:
    """Type these entries, then end the input."""
    left = iter(entries)

    def read(_: Decision) -> str:
        try:
            return next(left)
        except StopIteration:
            raise EOFError from None

    return read


def play_script(entries: Iterable[str], **arranged: Any) -> tuple[str, Game]:
    game = arrange(**arranged) if arranged else new_game(Ruleset("second", 3), "7", "You")
    return Seat(game, script(*entries)).run(), game


def arrange(**position: Any) -> Game:
    """A building phase in which it is the person's turn."""
    ruleset = position.pop("ruleset", Ruleset("second", 3))
    exchange = position.pop("exchange", ["hermitage", "czarina", "admiral"])
    data: dict[str, Any] = {
        "round": 3,
        "phase": "building",
        "to_move": 0,
        "rubles": [30, 7, 7],
        "areas": [{"observatory": 1, "ship_builder": 2}, {"market": 1}, {"market": 1}],
        "row1": ["market", "library", "wharf"],
        "row2": ["library", "fur_trapper"],
    }
    piles = {
        "worker": ["lumberjack"] * 3,
        "building": ["hospital"] * 3,
        "noble": ["author"] * 3,
        "exchange": exchange,
    }
    tokens = {"worker": 0, "building": 0, "noble": 1, "exchange": 2}
    return Game.from_piles(
        ruleset, piles, tokens, seats=("You", "Vasily", "Katarina"), auto=True, **{**data, **position}
    )


def screen(game: Game, seats: Session) -> str:
    """What is drawn of a game, apart from the log."""
    view = game.view(0)
    output = io.StringIO()
    decision = Decision(view, seats.names, list_choices(view, game.explain), game.explain, "", ())
    draw(decision, Paper(make_console(output, size=(80, 40))))
    return output.getvalue()


def number_of(game: Game, text: str) -> str:
    return next(str(choice.number) for choice in list_choices(game.view(0), game.explain) if choice.action.text == text)


def flat(words: str) -> str:
    """Words in one line with single plain spaces, however they were broken."""
    return " ".join(words.split())
