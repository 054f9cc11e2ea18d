"""Checks that a bot keeps to the protocol: run `check_bot` on any new bot."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import isfinite
from typing import Final

from nevsky.bots.protocol import Bot, Suggestion
from nevsky.errors import NevskyError
from nevsky.rules.game import Game, redeal
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.view import View

__all__ = ["RULESETS", "check_bot"]

RULESETS: Final = (
    Ruleset("first", 3),
    Ruleset("second", 2),
    Ruleset("second", 4, modules=(1, 2)),
    Ruleset("second", 5, market=True),
    Ruleset("second", 3, market=True, modules=(6,), real_obstacles=5),
    Ruleset("second", 4, market=True, modules=(1, 2, 3, 4, 5, 6)),
)
"""Rulesets that between them ask for every kind of decision."""
_EXPLAINED: Final = 7
"""Every so many decisions the bot is also asked to explain itself."""


def check_bot(
    make: Callable[[int | str], Bot],
    rulesets: Iterable[Ruleset] = RULESETS,
    *,
    games: int = 1,
    seed: int | str = 0,
    milliseconds: int = 50,
    deterministic: bool = True,
) -> None:
    """Let a bot play whole games on all seats; a sentence tells where it does not keep to the protocol.

    It must answer with legal actions and leave views as they are. With ``deterministic`` a second bot of the same
    seed, which gets the view of another deal that its seat cannot tell from the real one, must decide the same way.

    >>> from nevsky.bots import BOTS
    >>> check_bot(BOTS["random"])
    """
    name = make(seed).name
    if not isinstance(name, str) or not name.strip():
        raise NevskyError("A bot has a name.")
    for ruleset in rulesets:
        for number in range(games):
            _check_game(make, ruleset, f"{seed}-{number}", milliseconds, deterministic)


def _check_game(
    make: Callable[[int | str], Bot], ruleset: Ruleset, seed: str, milliseconds: int, deterministic: bool
) -> None:
    game = Game(ruleset, seed)
    bots = [make(f"{seed}-{seat}") for seat in range(ruleset.players)]
    twins = [make(f"{seed}-{seat}") for seat in range(ruleset.players)] if deterministic else []
    explainers = [make(f"{seed}-{seat}") for seat in range(ruleset.players)]
    while (seat := game.to_move) is not None:
        view = game.view(seat)
        decided = len(game.moves)
        action = _decide(bots[seat], view, milliseconds)
        if deterministic:
            other = redeal(view, f"{seed}-{decided}").view(seat)
            again = _decide(twins[seat], other, milliseconds)
            if again != action:
                raise _failure(bots[seat], view, f"decided {action!r}, but {again!r} on an equal view with its seed")
        if decided % _EXPLAINED == 0:
            _check_explanation(explainers[seat], view, milliseconds)
        game.push(action)


def _decide(bot: Bot, view: View, milliseconds: int) -> str:
    before = view.to_bytes()
    try:
        action = bot.decide(view, milliseconds)
    except Exception as error:
        raise _failure(bot, view, f"raised {type(error).__name__} ({error})") from error
    if not isinstance(action, str):
        raise _failure(bot, view, f"answered with a {type(action).__name__}, not with an action text")
    if action not in view.legal:
        raise _failure(bot, view, f"answered {action!r}, which is not legal")
    if view.to_bytes() != before:
        raise _failure(bot, view, "changed the view")
    return action


def _check_explanation(bot: Bot, view: View, milliseconds: int) -> None:
    try:
        suggestions = bot.explain(view, milliseconds)
    except Exception as error:
        raise _failure(bot, view, f"raised {type(error).__name__} ({error}) when asked to explain") from error
    if not isinstance(suggestions, list) or not suggestions:
        raise _failure(bot, view, "suggested nothing")
    for suggestion in suggestions:
        if not isinstance(suggestion, Suggestion):
            raise _failure(bot, view, f"suggested {suggestion!r}, which is not a Suggestion")
        if suggestion.action not in view.legal:
            raise _failure(bot, view, f"suggested {suggestion.action!r}, which is not legal")
        if suggestion.expected is not None and not isfinite(suggestion.expected):
            raise _failure(bot, view, f"expects a score of {suggestion.expected}")
        if suggestion.win is not None and not 0 <= suggestion.win <= 1:
            raise _failure(bot, view, f"sees a chance of {suggestion.win}, which is not from 0 to 1")
        if not suggestion.reason:
            raise _failure(bot, view, f"gave no reason for {suggestion.action!r}")
    if len({suggestion.action for suggestion in suggestions}) != len(suggestions):
        raise _failure(bot, view, "suggested an action twice")


def _failure(bot: Bot, view: View, what: str) -> NevskyError:
    return NevskyError(
        f"The bot {bot.name} {what}: {view.ruleset.edition} edition, {view.ruleset.players} players,"
        f" market {view.ruleset.market}, modules {list(view.ruleset.modules)}, round {view.round},"
        f" {view.phase} phase, decision {view.due!r}, seat {view.seat}, legal {list(view.legal)}."
    )
