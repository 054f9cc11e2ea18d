"""The deal of Nevsky-mini: Saint Petersburg with ten cards and one round, small enough to be solved.

The rules are those of the second edition for two players, and the same code plays them. Only the start is arranged:
what is not named here is out of the game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from nevsky.cards import CARDS, KIND, PILES
from nevsky.envs.action_sets import ActionSet
from nevsky.envs.openspiel_deal import Outcomes, from_pile
from nevsky.rules.actions import parse_action
from nevsky.rules.constants import WORKER
from nevsky.rules.position import Position
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.snapshot import restore
from nevsky.rules.tables import copies

__all__ = ["ACTION_TEXTS", "AREA", "BOX", "DISPLAY", "HAND_LIMIT", "RUBLES", "TOKENS", "MiniDeal", "mini_actions"]

BOX: Final[dict[str, tuple[str, ...]]] = {
    "worker": ("lumberjack", "gold_miner"),
    "building": ("market", "pub"),
    "noble": ("author", "author", "administrator", "administrator"),
    "exchange": (),
}
"""The cards that are dealt or turned up, by pile."""
AREA: Final = ("lumberjack",)
"""What lies before each player from the start."""
RUBLES: Final = 3
DISPLAY: Final = 1
"""The display is filled up to so many cards."""
HAND_LIMIT: Final = 1
TOKENS: Final = {"worker": 0, "building": 1, "noble": 0, "exchange": 1}
ACTION_TEXTS: Final = (
    *("pass", "buy lumberjack", "buy gold_miner", "buy market", "buy pub", "buy author", "buy administrator"),
    *("play lumberjack", "play pub", "play author", "play administrator"),
    *("take lumberjack", "take gold_miner", "take market", "take pub", "take author", "take administrator"),
    *("pub 0", "pub 1", "pub 2", "pub 3"),
)
"""Everything that somebody can ever choose, in the order of its numbers in OpenSpiel."""
_RULESET: Final = Ruleset("second", 2)
_SECRETS: Final = 2
"""A noble for each player."""


@cache
def mini_actions() -> ActionSet:
    """The numbers that actions have in Nevsky-mini, with the mapping to and from ids.

    >>> numbers = mini_actions()
    >>> len(numbers), int(numbers.to_full[4]), int(numbers.to_reduced[parse_action("buy pub").id])
    (21, 21, 4)
    """
    return ActionSet([parse_action(text).id for text in ACTION_TEXTS])


class MiniDeal(NamedTuple):
    """A noble for each player, which only they see, and the first workers."""

    ruleset: Ruleset = _RULESET

    @property
    def length(self) -> int:
        """How many outcomes make a deal."""
        return _SECRETS + DISPLAY

    def chances(self, dealt: Sequence[int]) -> Outcomes:
        """What may be dealt next, and how likely."""
        secret = len(dealt) < _SECRETS
        counts = Counter(KIND[card] for card in BOX["noble" if secret else "worker"])
        counts.subtract(dealt if secret else dealt[_SECRETS:])
        return from_pile(dict(sorted(counts.items())))

    def words(self, dealt: Sequence[int], number: int) -> str:
        """An outcome as people write it."""
        seat = self.receiver(dealt)
        return f"+{CARDS[number].exact}" if seat is None else f"{CARDS[number].exact} to {seat}"

    def receiver(self, dealt: Sequence[int]) -> int | None:
        """The only seat that sees what is dealt next; None for everybody."""
        return len(dealt) if len(dealt) < _SECRETS else None

    def told(self, dealt: Sequence[int]) -> str:
        """What the others are told of a noble that somebody got."""
        return f"noble to {len(dealt)}"

    def secret_card(self, at: int) -> bool:
        """The nobles are secret."""
        return at < _SECRETS

    def begin(self, dealt: Sequence[int]) -> Position:
        """The position after the deal."""
        return _begin(tuple(dealt)).copy()


@cache
def _begin(dealt: tuple[int, ...]) -> Position:
    hands, row = dealt[:_SECRETS], dealt[_SECRETS:]
    piles: dict[str, list[str]] = {}
    for name, cards in BOX.items():
        left = Counter(KIND[card] for card in cards)
        left.subtract(kind for kind in dealt if CARDS[kind].pile == name)
        piles[name] = [CARDS[kind].exact for kind in sorted(left.elements())]
    unused = Counter({card.kind: copies(_RULESET, card.kind) for card in CARDS})
    unused.subtract(KIND[card] for cards in BOX.values() for card in cards)
    unused.subtract(KIND[card] for card in AREA * _SECRETS)
    position = restore(
        _RULESET,
        {
            "phase": PILES[WORKER],
            "tokens": TOKENS,
            "piles": piles,
            "row1": [CARDS[kind].exact for kind in row],
            "hands": [[CARDS[kind].exact] for kind in hands],
            "hands_seen": [[False]] * _SECRETS,
            "rubles": [RUBLES, RUBLES],
            "areas": [dict.fromkeys(AREA, 1)] * _SECRETS,
            "out": [CARDS[kind].exact for kind in unused.elements()],
            "last_round": True,
            "must_buy": False,
        },
    )
    position.display = DISPLAY
    position.hand_limit = [HAND_LIMIT] * len(position.hand_limit)
    return position
