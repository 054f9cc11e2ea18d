"""Why a search prefers one action to another, in words.

What greedy sees in an action says most, as long as the playouts agree with it. Where they do not, the words are about
what became of the playouts: whose points they changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from nevsky.bots.appraisal import Appraisal
from nevsky.bots.comparing import Compared
from nevsky.bots.greedy import appraise
from nevsky.bots.reasons import Reason, reason
from nevsky.cards import CARDS, COLOURS, KIND
from nevsky.rules.actions import ACTIONS
from nevsky.rules.view import View

__all__ = ["hint_reasons"]

_PRAISE: Final = ("good_scored", "rid", "keep", "save", "observe", "no_loss", "worth")
_BLAME: Final = ("dear_scored", "no_room", "broke", "leave", "nothing")
_NOTICED: Final = 0.5
"""Points from which on a difference is worth a word."""


def hint_reasons(view: View, found: Sequence[Compared]) -> list[Reason]:
    """One sentence for each of the actions, of which the first is the best."""
    assert view.seat is not None
    appraisal, values = appraise(view)
    best = found[0]
    told = []
    for each in found:
        action = ACTIONS[each.action]
        seen = _plain(reason(appraisal, action, values[action.text]), appraisal)
        good = each.comparison.close
        if seen.key in (_PRAISE if good else _BLAME):
            told.append(seen)
        elif each is best:
            told.append(_better(best, found[1], view.seat))
        else:
            told.append(Reason("close") if good else _worse(each, best, view.seat))
    return told


def _plain(seen: Reason, appraisal: Appraisal) -> Reason:
    """What a card costs and how often it is scored: its worth in points holds mostly what its rubles will buy."""
    if seen.key not in ("good", "dear"):
        return seen
    colour = COLOURS.index(CARDS[KIND[str(seen.values["card"])]].colour)
    scorings = round(appraisal.outlook.points[colour])
    return Reason(f"{seen.key}_scored", {"rubles": seen.values["rubles"], "number": scorings})


def _better(best: Compared, second: Compared, seat: int) -> Reason:
    """For the best action, beside the second."""
    if second.comparison.close:
        return Reason("even")
    own, rival, gained = _changes(best, second, seat)
    if own >= _NOTICED:
        return Reason("more", {"points": own})
    if own - gained >= _NOTICED:
        return Reason("holds", {"player": rival, "points": own - gained})
    return Reason("often")


def _worse(each: Compared, best: Compared, seat: int) -> Reason:
    own, _, _ = _changes(each, best, seat)
    if -own >= _NOTICED:
        return Reason("fewer", {"points": -own})
    _, rival, lost = _changes(best, each, seat)
    gained = -lost
    if gained - own >= _NOTICED:
        return Reason("helps", {"player": rival, "points": gained - own})
    return Reason("seldom")


def _changes(one: Compared, other: Compared, seat: int) -> tuple[float, int, float]:
    """What one action brings its seat more than the other, whom of the rivals least, and what it brings them."""
    changes = [ours - theirs for ours, theirs in zip(one.scores, other.scores, strict=True)]
    rival = min((at for at in range(len(changes)) if at != seat), key=changes.__getitem__)
    return changes[seat], rival, changes[rival]
