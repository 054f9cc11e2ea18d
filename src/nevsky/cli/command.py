"""Commands as people read them: words for what an option takes, and options that several commands share."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, Final, NoReturn, get_args, get_type_hints

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from nevsky.cli.options import GAME, RulesetOptions, Where
from nevsky.cli.saying import say
from nevsky.errors import NevskyError
from nevsky.extras import extra_for, extra_with, missing
from nevsky.printable import is_text
from nevsky.rules.ruleset import Ruleset
from nevsky.texts import LANGUAGES

__all__ = ["Command", "Group", "in_order", "names_a_game", "refuse", "with_ruleset"]

_ORDER: Final = "nevsky.order"
_WORDS: Final = {int: "INTEGER", float: "NUMBER", str: "TEXT", Path: "PATH"}


def refuse(error: NevskyError, language: str = "en") -> NoReturn:
    """Say what is wrong and leave with exit code 2."""
    say(f"nevsky: {error.text(language)}", err=True)
    sys.exit(2)


def _word(annotation: Any) -> str:
    """What the help says of the values of an option or argument."""
    return _WORDS.get(next(iter(get_args(annotation)), annotation), "TEXT")


def _name_values(parameters: list[Any]) -> list[Any]:
    for parameter in parameters:
        described = getattr(parameter, "type_descriptor", None)
        if described is None:  # typer before 0.29, which has such words itself
            continue
        if isinstance(parameter, TyperOption) and parameter.metavar is None:
            parameter.metavar = "" if parameter.is_flag else _word(described.annotation)
        elif isinstance(parameter, TyperArgument) and not described.is_choice:
            word = _word(described.annotation)
            parameter.display_type = lambda ctx, word=word: word  # type: ignore[method-assign, misc]  # noqa: ARG005
    return parameters


def _check_text(ctx: Any) -> None:
    """What is not a file's name has to be text: bytes that are none would fail where it is used."""
    files = {each.name for each in ctx.command.params if getattr(getattr(each, "type", None), "name", "") == "path"}
    for name, value in ctx.params.items():
        if name in files:  # typer before 0.29 makes paths of them later
            continue
        for each in value if isinstance(value, list | tuple) else [value]:
            if isinstance(each, str) and not isinstance(each, Where) and not is_text(each):
                raise NevskyError("option.text", option=f"--{name.replace('_', '-')}", value=repr(each))


class Command(TyperCommand):
    """Says INTEGER or TEXT where typer would name a type of Python, and keeps the order of the options."""

    def get_params(self, ctx: Any) -> list[Any]:
        """As usual, with words for people."""
        return _name_values(super().get_params(ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """As usual, but the order is not lost between two options that may be given several times."""
        _, _, order = self.make_parser(ctx).parse_args(args=list(args))
        ctx.meta[_ORDER] = [option.name for option in order]
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """As usual, but a command with an option for the language says in it what is wrong, or what is missing."""
        language = ctx.params.get("language")
        if language not in LANGUAGES:
            language = "en"
        try:
            _check_text(ctx)
            return super().invoke(ctx)
        except ModuleNotFoundError as error:
            library = error.name or ""
            extra = extra_for(error) or extra_with(library)
            if extra is None:
                raise
            command = "nevsky" + ctx.command_path.removeprefix(ctx.find_root().command_path)
            refuse(missing(command, library, extra), language)
        except NevskyError as error:
            refuse(error, language)


class Group(TyperGroup):
    """The same for what stands above commands."""

    def get_params(self, ctx: Any) -> list[Any]:
        """As usual, with words for people."""
        return _name_values(super().get_params(ctx))


def in_order(ctx: typer.Context, bots: list[str] | None, commands: list[str] | None) -> list[str]:
    """Bots and programs as the command line names them."""
    from nevsky.arena.entrants import Command as Program

    named, started = iter(bots or ()), map(Program, commands or ())
    return [next(named) if name == "bot" else next(started) for name in ctx.meta[_ORDER] if name in ("bot", "bot_cmd")]


def names_a_game(ctx: typer.Context) -> bool:
    """Whether the command line says anything about the game that is to be played."""
    return any(name in GAME for name in ctx.meta[_ORDER])


def with_ruleset(*names: str, **defaults: object) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A command with a parameter ``ruleset`` gets the options for it in this place, all of a usual game or those named.

    Defaults replace the usual ones. If the ruleset may be None, it is where no option was given another value.
    """
    offered = names or GAME
    usual = RulesetOptions(**defaults)  # type: ignore[arg-type]
    hints = get_type_hints(RulesetOptions, include_extras=True)
    options = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=getattr(usual, name), annotation=hints[name])
        for name in offered
    ]

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(command, eval_str=True)
        optional = signature.parameters["ruleset"].annotation != Ruleset
        parameters: list[inspect.Parameter] = []
        for parameter in signature.parameters.values():
            parameters += options if parameter.name == "ruleset" else [parameter]

        @wraps(command)
        def expanded(**given: Any) -> None:
            chosen = usual._replace(**{name: given.pop(name) for name in offered})
            command(ruleset=None if optional and chosen == usual else chosen.ruleset(), **given)

        expanded.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        expanded.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return expanded

    return decorate
