"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated, Any, Final

import typer
from typer.core import TyperCommand

from nevsky.errors import NevskyError
from nevsky.rules.ruleset import Ruleset
from nevsky.texts import LANGUAGES

_ORDER: Final = "nevsky.order"

Edition = Annotated[str, typer.Option(help="first or second edition")]
Players = Annotated[int, typer.Option(help="number of players")]
Market = Annotated[bool, typer.Option("--market", help="play with the Market")]
Modules = Annotated[str, typer.Option(help="modules in play, as in 1,2,5", metavar="NUMBERS")]
GoodCompany = Annotated[
    str | None, typer.Option(help="with module 2: only these of its cards, by their ids", metavar="IDS")
]
RealObstacles = Annotated[int | None, typer.Option(help="with module 6: how many real obstacles, at random places")]
Youngest = Annotated[int | None, typer.Option(help="seat of the youngest player, from 0; otherwise a random one")]
Seed = Annotated[str, typer.Option(help="the same seed gives the same games")]
WantedMarket = Annotated[
    bool | None, typer.Option("--market/--no-market", help="only games with, or without, the Market")
]
WantedModules = Annotated[str | None, typer.Option("--modules", help="only games of these modules", metavar="NUMBERS")]
Json = Annotated[bool, typer.Option("--json", help="print the figures as JSON")]
Bots = Annotated[
    list[str] | None,
    typer.Option(
        help="a bot by its name, as file.py:Class, or file.weights for master with these weights; give several"
    ),
]
BotCommands = Annotated[
    list[str] | None, typer.Option(help="a bot that is a program of its own, as a command", metavar="COMMAND")
]
Language = Annotated[str, typer.Option(help=", ".join(LANGUAGES))]


class InOrder(TyperCommand):
    """Keeps the order of the options, which otherwise is lost between two that may be given several times."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse as usual, and remember the names of the options in the order in which they stand."""
        _, _, order = self.make_parser(ctx).parse_args(args=list(args))
        ctx.meta[_ORDER] = [option.name for option in order]
        return super().parse_args(ctx, args)


def in_order(ctx: typer.Context, bots: list[str] | None, commands: list[str] | None) -> list[str]:
    """Bots and programs as the command line names them, for a command that is `InOrder`."""
    from nevsky.arena.entrants import Command

    named, started = iter(bots or ()), map(Command, commands or ())
    return [next(named) if name == "bot" else next(started) for name in ctx.meta[_ORDER] if name in ("bot", "bot_cmd")]


def make_ruleset(
    edition: str,
    players: int,
    *,
    market: bool = False,
    modules: str = "",
    good_company: str | None = None,
    real_obstacles: int | None = None,
    youngest: int | None = None,
    open_rubles: bool = False,
    open_hands: bool = False,
) -> Ruleset:
    """The ruleset that the options ask for; a combination that does not exist raises."""
    return Ruleset(
        edition=edition,
        players=players,
        market=market,
        modules=_numbers(modules),
        youngest=youngest,
        open_rubles=open_rubles,
        open_hands=open_hands,
        good_company=None if good_company is None else tuple(_parts(good_company)),
        real_obstacles=real_obstacles,
    )


def another_game(ruleset: Ruleset, market: bool | None, modules: str | None) -> NevskyError | None:
    """An error if a game is not of the kind that was asked for, else nothing; a kind that does not exist raises."""
    numbers = None if modules is None else _numbers(modules)
    if numbers is not None:
        Ruleset(market=market is not False, modules=numbers)
    wrong = (market is not None and market != ruleset.market) or (
        numbers is not None and tuple(sorted(set(numbers))) != ruleset.modules
    )
    return NevskyError("ruleset.other_game", game=describe(ruleset)) if wrong else None


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
