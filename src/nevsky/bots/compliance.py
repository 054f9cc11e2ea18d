"""Checks that a bot keeps to the protocol: run `check_bot` on any new bot."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from nevsky.bots.checked import CheckedBot
from nevsky.bots.driver import show
from nevsky.bots.external import ExternalBot
from nevsky.bots.protocol import Bot
from nevsky.errors import Words
from nevsky.rules.game import Game, redeal
from nevsky.rules.ruleset import Ruleset

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
    patience: float | None = None,
    deterministic: bool = True,
    memory: bool = True,
) -> None:
    """Let a bot play whole games on all seats; a sentence tells where it does not keep to the protocol.

    It must answer with legal actions, most of them in time and none after ``patience`` seconds, and leave views as
    they are. Who observes is told what it sees, as in a match. With ``deterministic`` a second bot of the same
    seed, which gets the view of another deal that its seat cannot tell from the real one, must decide the same way.
    Without ``memory`` it is not told what it could remember.

    >>> from nevsky.bots import BOTS
    >>> check_bot(BOTS["random"])
    """
    for ruleset in rulesets:
        for number in range(games):
            own_seed = f"{seed}-{number}"
            teams = [
                {
                    seat: CheckedBot(
                        make, f"{own_seed}-{seat}", milliseconds=milliseconds, patience=patience, memory=memory
                    )
                    for seat in range(ruleset.players)
                }
                for _ in range(3 if deterministic else 2)
            ]
            _check_game(teams, ruleset, own_seed)


def _check_game(teams: Sequence[Mapping[int, CheckedBot]], ruleset: Ruleset, seed: str) -> None:
    """One game. The first team plays, the second explains, and the third, if there is one, repeats the first."""
    bots, explainers, *twins = teams
    game = Game(ruleset, seed)
    while (seat := game.to_move) is not None:
        for team in teams:
            show(game, team)
        if len(game.legal_ids) == 1:
            game.push_auto(game.legal_ids[0])
            continue
        memory = bots[seat].memory
        view = game.view(seat, memory=memory)
        decided = len(game.moves)
        action = bots[seat].decide(view)
        for team in twins:
            again = team[seat].decide(redeal(view, f"{seed}-{decided}").view(seat, memory=memory))
            if again != action:
                raise bots[seat].failure(view, Words("bot.check.repeat", action=repr(action), again=repr(again)))
        if decided % _EXPLAINED == 0 and not isinstance(explainers[seat].bot, ExternalBot):  # programs give no reasons
            explainers[seat].explain(view, bots[seat].milliseconds)
        game.push(action)
    for team in teams:
        show(game, team)
    for seat, bot in bots.items():
        bot.check_pace(game.view(seat))
