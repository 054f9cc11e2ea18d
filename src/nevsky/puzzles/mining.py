"""Mining: master plays games against itself, and where it finds what quicker bots do not, it has to be proved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import count
from typing import Final

from nevsky.bots.core.heuristic import HeuristicPolicy
from nevsky.bots.greedy import GreedyBot
from nevsky.bots.master import trained_policy
from nevsky.puzzles.proof import Look, look, prove
from nevsky.puzzles.puzzle import Puzzle
from nevsky.rules.actions import ACTIONS, parse_action
from nevsky.rules.game import Game
from nevsky.rules.redeal import redeal_position
from nevsky.rules.rng import Rng
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.view import View

__all__ = ["fooled_by", "mine", "ruleset_of"]

_CHOICES: Final = 4
"""Legal actions that there must be at least."""
_DECIDED: Final = 0.8
_FOUND: Final = 0.5
"""The share of a short search's descents that must have gone through the best action; the second one where it had to
find it against the policy."""
_OPEN: Final = 0.03
"""The chance to win, and to lose, that there must be at least."""
_OF_A_GAME: Final = 4
"""Puzzles of one game at most, none of them of the same seat in the same phase."""
_SOME: Final = 3
_PHASE: Final = 0.4
_ROUND: Final = 0.3
_VERB: Final = 0.4
"""The greatest shares of one phase, of one round and of one kind of action among all puzzles, beyond the first few."""
_KINDS: Final = ("base", "base", "market", "base", "first", "module")
"""The games that are played, over and over, with two, three and four players in turn; those of two are half of all."""
_PLAYERS: Final = (2, 3, 2, 4)
_MODULES: Final = (1, 2, 3, 4, 5, 6)


def ruleset_of(number: int) -> Ruleset:
    """What is played in the game with this number."""
    turn, place = divmod(number, len(_KINDS))
    players = _PLAYERS[(turn + place) % len(_PLAYERS)]
    match _KINDS[place]:
        case "market":
            return Ruleset(players=players, market=True)
        case "first":
            return Ruleset("first", players)
        case "module":
            return Ruleset(players=players, market=True, modules=(_MODULES[turn % len(_MODULES)],))
    return Ruleset(players=players)


class _Spread:
    """Sees to it that no phase, round or kind of action has more than its share."""

    def __init__(self) -> None:
        self._total = 0
        self._numbers: Counter[tuple[str, str | int]] = Counter()
        self._seen: set[tuple[object, ...]] = set()

    def wants(self, view: View, best: str) -> bool:
        """Whether such a puzzle may come next, and there is none like it."""
        shares = zip(self._kinds(view, best), (_PHASE, _ROUND, _VERB), strict=True)
        few = all(self._numbers[kind] < _SOME + share * self._total for kind, share in shares)
        return few and self._likeness(view, best) not in self._seen

    def add(self, view: View, best: str) -> None:
        """One more."""
        self._total += 1
        self._numbers.update(self._kinds(view, best))
        self._seen.add(self._likeness(view, best))

    @staticmethod
    def _kinds(view: View, best: str) -> list[tuple[str, str | int]]:
        return [("phase", view.phase), ("round", view.round), ("verb", parse_action(best).verb)]

    @staticmethod
    def _likeness(view: View, best: str) -> tuple[object, ...]:
        return view.ruleset, view.round, view.phase, view.due, best, tuple(sorted(view.legal))


def mine(seed: int | str) -> Iterator[Puzzle]:
    """Puzzles without end, the same for the same seed: whoever wants fewer gets the first of them."""
    spread = _Spread()
    for number in count():
        game = Game(ruleset_of(number), f"puzzles {seed} {number}", auto=True)
        yield from _mine_game(game, number, spread)


def _mine_game(game: Game, number: int, spread: _Spread) -> Iterator[Puzzle]:
    found: set[tuple[int, int, str]] = set()
    while (seat := game.to_move) is not None:
        view = game.view(seat, memory=True)
        looked = look(view)
        when = seat, view.round, view.phase
        if len(found) < _OF_A_GAME and when not in found and spread.wants(view, looked.best):
            puzzle = _puzzle(view, looked, number, game.made)
            if puzzle is not None:
                found.add(when)
                spread.add(view, looked.best)
                yield puzzle
        game.push(looked.best)


def _puzzle(view: View, looked: Look, number: int, move: int) -> Puzzle | None:
    if len(view.legal) < _CHOICES or looked.share < _FOUND or not _OPEN <= looked.chance <= 1 - _OPEN:
        return None
    fooled = fooled_by(view, looked.best)
    if "policy" not in fooled and ("greedy" not in fooled or looked.share < _DECIDED):
        return None
    proof = prove(view, looked)
    return None if proof is None else Puzzle(number, move, view, proof, fooled)


def fooled_by(view: View, best: str) -> tuple[str, ...]:
    """The quick bots that would not take this action: at a first glance, greedy, and master without its search."""
    position = redeal_position(view, Rng.of("puzzle glance"))

    def glance(policy: HeuristicPolicy) -> str:
        number = policy.appraise(position)
        values = policy.values[:number]
        return ACTIONS[position.legal()[values.index(max(values))]].text

    choices = {
        "glance": glance(HeuristicPolicy()),
        "greedy": GreedyBot().decide(view, 0),
        "policy": glance(_policy(view.ruleset)),
    }
    return tuple(name for name, choice in choices.items() if choice != best)


@lru_cache(8)
def _policy(ruleset: Ruleset) -> HeuristicPolicy:
    return trained_policy(ruleset)
