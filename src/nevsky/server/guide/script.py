"""What a guided round is made of, and how it is played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from nevsky.cards import CARDS
from nevsky.rules.game import Game
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.tables import copies
from nevsky.server.protocol import GuidePoint

__all__ = ["PAIR", "Script", "ScriptedStep", "filled", "short_round"]

PAIR: Final = ("Giuliano", "Chiye")
"""Who play the short rounds; the learner is Giuliano."""


class ScriptedStep(NamedTuple):
    """What happens at the table before a text is shown, and what the learner is then asked to do."""

    key: str
    point: GuidePoint
    moves: tuple[str, ...] = ()
    """Of the others, after the learner's own move of the step before."""
    expected: str | None = None


class Script(NamedTuple):
    """A guided round."""

    texts: str
    """What its keys begin with."""
    begin: Callable[[], Game]
    """The game before the first step."""
    steps: tuple[ScriptedStep, ...]
    learner: int = 0

    def played(self) -> Iterator[tuple[ScriptedStep, Game]]:
        """Every step with the game as it stands then; it goes on with the next one."""
        game, own_move = self.begin(), None
        for step in self.steps:
            for action in (own_move, *step.moves):
                if action is not None:
                    game.push(action)
            own_move = step.expected
            yield step, game


def filled(
    ruleset: Ruleset, tops: Mapping[str, Sequence[str]], used: Counter[str] | None = None
) -> dict[str, list[str]]:
    """Piles with these cards on top and below them all others that are not used yet."""
    laid = Counter(card for cards in tops.values() for card in cards) + (used or Counter())
    names = dict.fromkeys(card.pile for card in CARDS if ruleset.market or card.pile != "market")
    return {
        pile: [
            *tops.get(pile, ()),
            *(
                exact
                for card in CARDS
                if card.pile == pile
                for exact in [card.exact if ruleset.market or card.module else card.text]
                for _ in range(copies(ruleset, card.kind) - laid[exact])
            ),
        ]
        for pile in names
    }


def short_round(name: str, module: int | None, steps: tuple[ScriptedStep, ...], **position: Any) -> Script:
    """A round of two with one module, or only the Market, from a position in the middle of a game."""
    return Script(f"guide.{name}", lambda: _arranged(module, **position), steps)


def _arranged(
    module: int | None, *, market: bool = True, tops: Mapping[str, Sequence[str]] | None = None, **position: Any
) -> Game:
    """A position in the middle of a game of two with one module, the learner's cards first everywhere."""
    ruleset = Ruleset("second", 2, market=market, modules=() if module is None else (module,))
    position = {"hands": [[], []], **position}
    used = Counter(card for place in ("areas", "hands") for cards in position[place] for card in cards)
    used.update(card for place in ("row1", "row2") for card in position[place])
    tokens = {"worker": 0, "market": 0, "building": 0, "noble": 0, "exchange": 0, **position.pop("tokens", {})}
    if not market:
        del tokens["market"]
    return Game.from_piles(ruleset, filled(ruleset, tops or {}, used), tokens, seats=PAIR, **position)
