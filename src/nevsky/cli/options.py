"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final, NamedTuple

import typer

from nevsky.errors import NevskyError
from nevsky.rules.ruleset import Ruleset
from nevsky.texts import LANGUAGES

Seed = Annotated[str, typer.Option(help="the same seed gives the same games")]
WantedMarket = Annotated[
    bool | None, typer.Option("--market/--no-market", help="only games with, or without, the Market")
]
WantedModules = Annotated[str | None, typer.Option("--modules", help="only games of these modules", metavar="NUMBERS")]
Json = Annotated[bool, typer.Option("--json", help="print the figures as JSON")]
Bots = Annotated[
    list[str] | None,
    typer.Option(
        help="a bot by its name, as file.py:Class or module:Class, torch:FILE or sb3:FILE for a checkpoint, or"
        " file.weights for master with these weights; give several",
        metavar="BOT",
    ),
]
BotCommands = Annotated[
    list[str] | None, typer.Option(help="a bot that is a program of its own, as a command", metavar="COMMAND")
]
Time = Annotated[int | None, typer.Option(help="milliseconds for a decision", metavar="MS", show_default="200")]
Jobs = Annotated[int, typer.Option(help="processes; 0 for one per core")]
Ray = Annotated[str | None, typer.Option(help="play on the Ray cluster at this address, or 'local'", metavar="ADDRESS")]
Keep = Annotated[Path, typer.Option(help="keep everything in this directory; the same command goes on there")]
Language = Annotated[str, typer.Option(help=", ".join(LANGUAGES))]


class RulesetOptions(NamedTuple):
    """Which game is played, as the command line says it."""

    edition: Annotated[str, typer.Option(help="first or second edition")] = "second"
    players: Annotated[int, typer.Option(help="number of players")] = 4
    market: Annotated[bool, typer.Option("--market", help="play with the Market")] = False
    modules: Annotated[str, typer.Option(help="modules in play, as in 1,2,5", metavar="NUMBERS")] = ""
    good_company: Annotated[
        str | None, typer.Option(help="with module 2: only these of its cards, by their ids", metavar="IDS")
    ] = None
    real_obstacles: Annotated[
        int | None, typer.Option(help="with module 6: how many real obstacles, at random places")
    ] = None
    youngest: Annotated[
        int | None, typer.Option(help="seat of the youngest player, from 0; otherwise a random one")
    ] = None
    open_rubles: Annotated[bool, typer.Option("--open-rubles", help="everybody sees everybody's rubles")] = False
    open_hands: Annotated[bool, typer.Option("--open-hands", help="everybody sees everybody's hand")] = False

    def ruleset(self) -> Ruleset:
        """The ruleset that the options ask for; a combination that does not exist raises."""
        return Ruleset(
            edition=self.edition,
            players=self.players,
            market=self.market,
            modules=_numbers(self.modules),
            youngest=self.youngest,
            open_rubles=self.open_rubles,
            open_hands=self.open_hands,
            good_company=None if self.good_company is None else tuple(_parts(self.good_company)),
            real_obstacles=self.real_obstacles,
        )


EVERYTHING: Final = RulesetOptions._fields
GAME: Final = EVERYTHING[:-2]
"""The options of games in which no person has secrets."""


def another_game(ruleset: Ruleset, market: bool | None, modules: str | None) -> NevskyError | None:
    """An error if a game is not of the kind that was asked for, else nothing; a kind that does not exist raises."""
    numbers = None if modules is None else _numbers(modules)
    if numbers is not None:
        Ruleset(market=market is not False, modules=numbers)
    wrong = (market is not None and market != ruleset.market) or (
        numbers is not None and tuple(sorted(set(numbers))) != ruleset.modules
    )
    return NevskyError("ruleset.other_game", game=describe(ruleset)) if wrong else None


class Where(str):
    """A file by any name that the system allows, text or not, or an address."""

    __slots__ = ()


def check_language(language: str) -> None:
    """Refuse a language that the game does not speak."""
    from nevsky.texts import known_language

    known_language(language)


def check_jobs(jobs: int) -> None:
    """Refuse a number of processes that makes no sense; 0 is one for each core."""
    if jobs < 0:
        raise NevskyError("jobs.from_zero", jobs=jobs)


def describe(ruleset: Ruleset) -> str:
    """The game that is played, in a few words."""
    words = [f"{ruleset.edition} edition", f"{ruleset.players} players"]
    words += ["Market"] if ruleset.market else []
    if ruleset.modules:
        numbers = ", ".join(map(str, ruleset.modules))
        words.append(f"{'module' if len(ruleset.modules) == 1 else 'modules'} {numbers}")
    return ", ".join(words)


def _parts(words: str) -> list[str]:
    return words.replace(",", " ").split()


def _numbers(words: str) -> tuple[int, ...]:
    parts = _parts(words)
    if not all(part.isascii() and part.isdecimal() and len(part) < 4 for part in parts):
        raise NevskyError("ruleset.module_words", modules=repr(words))
    return tuple(int(part) for part in parts)
