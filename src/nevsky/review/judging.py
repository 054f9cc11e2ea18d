"""Judges decisions by the search of master.

First the search looks for the best actions, as master does. Then these and the one that was played are played out
equally often by a search that has forgotten everything, so that none has been thought about longer; this shows which
one seems best. Last that one and what was played are compared in fresh deals, both in the same: whoever chooses the
highest of several noisy numbers must not believe the number itself.

All chance follows from what the seat could know at the time, and everything is counted, so verdicts can be repeated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from nevsky.errors import NevskyError
from nevsky.review.verdict import NOTICED, Verdict, mark_of
from nevsky.rules.actions import ACTIONS
from nevsky.rules.game import Game
from nevsky.rules.moves import Played
from nevsky.rules.redeal import redeal_position
from nevsky.rules.rng import Rng
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.view import View

if TYPE_CHECKING:
    from nevsky.bots.comparing import Playouts, Root
    from nevsky.bots.core.tree import Tree

__all__ = ["VERSION", "Effort", "decisions", "judge", "judging_tree", "play_beside", "review_seat"]

VERSION: Final = 1
"""Verdicts of another one are not the same."""
_CANDIDATES: Final = 3
"""Actions that may turn out to be the best one, beside the one that was played."""
_CHUNK: Final = 50
"""Playouts between two looks at how sure it is."""
_PRECISION: Final = 0.8
"""Points up to which the difference is to be known, or a part of it if it is large."""
_SHARE: Final = 1 / 3
_LEAST: Final = 20
_MOST: Final = 20_000


class Effort(NamedTuple):
    """How much is done for a decision."""

    descents: int = 300
    """To find the best actions."""

    def check(self) -> None:
        """Refuse what is too little to say anything, or would take for ever."""
        if not _LEAST <= self.descents <= _MOST:
            raise NevskyError("review.descents", number=self.descents, least=_LEAST, most=_MOST)

    @property
    def tried(self) -> int:
        """Playouts of each of these."""
        return max(8, self.descents // 5)

    @property
    def most(self) -> int:
        """Pairs of playouts in the end, if it is close."""
        return max(_CHUNK, 2 * self.descents)

    @property
    def enough(self) -> int:
        """The same where the best action was played: how far the next one is behind need not be known so well."""
        return max(_CHUNK, self.descents // 4)


def decisions(game: Game, seat: int | None = None) -> Iterator[Played]:
    """Where a seat, or anybody, had a choice, with the positions around it."""
    for each in game.played():
        if seat in (None, each.move.seat) and len(each.before.legal()) > 1:
            yield each


def judge(ruleset: Ruleset, played: Played, effort: Effort = Effort()) -> Verdict:  # noqa: B008
    """What the decision was worth, as far as its seat could know."""
    from nevsky.bots.comparing import Playouts, Root
    from nevsky.bots.hint_reasons import hint_reasons

    seat, chosen = played.move.seat, played.move.action.id
    view = Game.from_position(played.before, ruleset).view(seat, memory=True)
    rng = Rng.of("review", VERSION, effort.descents, view.to_bytes().decode())
    position = redeal_position(view, rng)
    root = Root(position, position.copy(), seat, int(ruleset.open_hands))
    tree = judging_tree(ruleset)
    ranked = _ranked(tree, root, view, rng, chosen, effort)
    rival = next(action for action in ranked if action != chosen)
    first = ranked[0] == chosen
    own, other = Playouts(chosen, root), Playouts(rival, root)
    _compare(tree, own, other, rng, effort.enough if first else effort.most)
    point = Playouts.point([own, other])
    behind, doubt = _rounded(_over(other.rewards, own.rewards), 2, point)
    lost, lost_doubt = _rounded(_over(other.wins, own.wins), 4)
    best, second = (own, other) if behind <= 0 else (other, own)
    compared = [each.beside(best, point, thorough=True) for each in (best, second)]
    words = dict(zip([best.action, second.action], hint_reasons(view, compared), strict=True))
    return Verdict(
        step=played.move.number - 1,
        seat=seat,
        round=played.move.round,
        phase=played.move.phase,
        due=view.due or "",
        played=played.move.action.text,
        better=ACTIONS[rival].text,
        mark=mark_of(behind, doubt, first=first),
        behind=behind,
        doubt=doubt,
        lost=lost,
        lost_doubt=lost_doubt,
        chance=round(sum(own.wins) / len(own.wins), 4),
        stake=round(_over(other.rewards, own.rewards)[0], 4),
        playouts=len(own.rewards),
        why=words[rival],
        why_not=words[chosen],
    )


def review_seat(
    game: Game,
    seat: int,
    effort: Effort = Effort(),  # noqa: B008
    progress: Callable[[int, int], None] = lambda done, total: None,  # noqa: ARG005
) -> list[Verdict]:
    """All decisions of a seat. ``progress`` is told how many are done, of how many."""
    chosen = list(decisions(game, seat))
    found = []
    for number, each in enumerate(chosen):
        progress(number, len(chosen))
        found.append(judge(game.ruleset, each, effort))
    return found


@lru_cache(4)
def judging_tree(ruleset: Ruleset) -> Tree:
    """The search that judges; whoever uses it lets it forget everything first."""
    from nevsky.bots.master import master_tree

    return master_tree(ruleset)


def _ranked(tree: Tree, root: Root, view: View, rng: Rng, chosen: int, effort: Effort) -> list[int]:
    """The actions that seem best and the chosen one, best first."""
    from nevsky.bots.comparing import Playouts

    tree.clear()
    root.grow(tree, rng, max(effort.descents, len(view.legal)))
    seen = {action: (visits, visits * reward) for action, visits, reward, *_ in tree.actions()}
    found = sorted(seen, key=lambda action: (-seen[action][0], -seen[action][1], action))[:_CANDIDATES]
    if chosen not in found:
        found.append(chosen)
    if len(found) == 1:  # the search never looked at anything else
        found.append(next(number for number in root.position.legal() if number != chosen))
    tree.clear()
    records = [Playouts(action, root) for action in found]
    play_beside(tree, records, rng, effort.tried)
    means = {each.action: _pooled(each.rewards, *seen.get(each.action, (0, 0.0))) for each in records}
    return sorted(found, key=lambda action: (-means[action], action))


def _pooled(rewards: Sequence[float], visits: int, total: float) -> float:
    return (sum(rewards) + total) / (len(rewards) + visits)


def play_beside(tree: Tree, records: Sequence[Playouts], rng: Rng, number: int) -> None:
    """So many playouts of each action, all in the same deals and with the same luck."""
    for _ in range(number):
        luck = rng.fork()
        for record in records:
            record.play(tree, luck)


def _compare(tree: Tree, own: Playouts, other: Playouts, rng: Rng, most: int) -> None:
    """As often as it takes to know the difference well, and no more often than that."""
    from nevsky.bots.comparing import Playouts

    while len(own.rewards) < most:
        play_beside(tree, [own, other], rng, min(_CHUNK, most - len(own.rewards)))
        point = Playouts.point([own, other])
        behind, doubt = (value / point for value in _over(other.rewards, own.rewards))
        if doubt <= max(_PRECISION, _SHARE * abs(behind)) or behind + doubt < NOTICED:
            break


def _over(ours: Sequence[float], theirs: Sequence[float]) -> tuple[float, float]:
    from nevsky.bots.comparing import difference

    return difference(ours, theirs)


def _rounded(values: tuple[float, float], digits: int, unit: float = 1.0) -> tuple[float, float]:
    return round(values[0] / unit, digits), round(values[1] / unit, digits)
