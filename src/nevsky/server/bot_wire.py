"""What goes to the bots' workers and comes back, as data: views and answers in JSON, and never code.

NamedTuples are lists here, since both sides know their fields. What was written is read as exactly the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import orjson

from nevsky.review.luck import Sample
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.view import HandCard, PlayerView, View
from nevsky.server.evaluating import Measured
from nevsky.server.live_bots import BotAnswer, BotCall, Fixed

if TYPE_CHECKING:
    from nevsky.bots.protocol import Suggestion

__all__ = [
    "VERSION",
    "read_answer",
    "read_call",
    "read_json",
    "read_measured",
    "read_question",
    "read_samples",
    "read_suggestions",
    "read_task",
    "write",
    "write_call",
    "write_question",
    "write_suggestions",
]

VERSION: Final = 4
"""Of everything that servers and workers say to each other: those of another version do not see one another."""


def write(data: object) -> bytes:
    """Plain data and NamedTuples of it."""
    return orjson.dumps(data, default=list)


def write_call(call: BotCall) -> bytes:
    """A decision that a bot is asked for."""
    views = [_without_ruleset(view) for view in (call.view, *call.news)]
    how = [call.bot, call.level, call.milliseconds, call.whole, call.after, call.fixed]
    return write([*how, _text(call.view.ruleset), views])


def read_call(text: bytes) -> BotCall:
    """What `write_call` wrote."""
    bot, level, milliseconds, whole, after, fixed, ruleset, rows = orjson.loads(text)
    view, *news = _views(rows, ruleset)
    return BotCall(bot, level, milliseconds, view, tuple(news), whole, after, None if fixed is None else Fixed(*fixed))


def read_answer(text: bytes) -> BotAnswer:
    """What a bot has decided."""
    action, failure = orjson.loads(text)
    if not isinstance(action, str | None) or not isinstance(failure, str):
        raise ValueError("This is no decision.")
    return BotAnswer(action, failure)


def write_question(level: str, view: View, milliseconds: int) -> bytes:
    """Advice that somebody asks for."""
    return write([level, milliseconds, _text(view.ruleset), _without_ruleset(view)])


def read_question(text: bytes) -> tuple[str, View, int]:
    """What `write_question` wrote."""
    level, milliseconds, ruleset, row = orjson.loads(text)
    return level, _views([row], ruleset)[0], milliseconds


def write_suggestions(found: Sequence[Suggestion]) -> bytes:
    """Advice."""
    return write(list(found))


def read_suggestions(text: bytes) -> list[Suggestion]:
    """What `write_suggestions` wrote."""
    from nevsky.bots.protocol import Comparison, Suggestion
    from nevsky.bots.reasons import Reason

    found = []
    for action, expected, win, reason, why, comparison in orjson.loads(text):
        compared = None
        if comparison is not None:
            behind, doubt, close, chances, playouts, thorough = comparison
            compared = Comparison(behind, doubt, close, tuple(chances), playouts, thorough)
        found.append(Suggestion(action, expected, win, reason, None if why is None else Reason(*why), compared))
    return found


def read_task(text: bytes) -> tuple[str, list[Any]]:
    """What is wanted of a finished game, and the game with what belongs to that."""
    task, *given = orjson.loads(text)
    return task, given


def read_json(text: bytes) -> Any:
    """What `write` wrote, where it was plain data."""
    return orjson.loads(text)


def read_measured(text: bytes) -> list[Measured]:
    """What was found about some steps of it."""
    return [Measured(*row) for row in orjson.loads(text)]


def read_samples(text: bytes) -> list[Sample]:
    """What came of some batches of games."""
    return [Sample(*map(tuple, row)) for row in orjson.loads(text)]


def _without_ruleset(view: View) -> list[Any]:
    """All views of a message have the same one, so it goes once."""
    return [view.seat, *view[2:]]


@lru_cache(64)
def _text(ruleset: Ruleset) -> str:
    return orjson.dumps(ruleset.to_dict()).decode()


@lru_cache(64)
def _ruleset(text: str) -> Ruleset:
    return Ruleset.from_dict(orjson.loads(text))


def _views(rows: list[list[Any]], text: str) -> list[View]:
    ruleset = _ruleset(text)
    return [_view(row, ruleset) for row in rows]


def _view(row: list[Any], ruleset: Ruleset) -> View:
    view = View(row[0], ruleset, *row[1:])
    return view._replace(
        row1=tuple(view.row1),
        row2=tuple(view.row2),
        discard=tuple(view.discard),
        out=tuple(view.out),
        players=tuple(map(_player, view.players)),
        legal=tuple(view.legal),
    )


def _player(row: Sequence[Any]) -> PlayerView:
    player = PlayerView(*row)
    return player._replace(
        hand=tuple([HandCard(*card) for card in player.hand]),
        income={phase: (rubles, points) for phase, (rubles, points) in player.income.items()},
    )
