"""In a process of a worker: what comes as data is done, and the answer is data again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from nevsky.server import live_bots
from nevsky.server.bot_wire import read_call, read_question, read_task, write, write_suggestions
from nevsky.server.evaluating import evaluate
from nevsky.server.fair_queue import Kind
from nevsky.server.judged.work import judge_part, luck_part

__all__ = ["do"]


_REVIEWS: Final[dict[str, Callable[..., object]]] = {"evaluate": evaluate, "judge": judge_part, "luck": luck_part}
"""What can be wanted of finished games."""


def do(kind: Kind, text: bytes) -> bytes:
    """Decide, explain, or look at a finished game."""
    match kind:
        case "live":
            return write(live_bots.decide(read_call(text)))
        case "hint":
            return write_suggestions(live_bots.explain(*read_question(text)))
        case "review":
            task, given = read_task(text)
            return write(_REVIEWS[task](*given))
