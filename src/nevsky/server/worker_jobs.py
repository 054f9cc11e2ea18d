"""In a process of a worker: what comes as data is done, and the answer is data again."""

from __future__ import annotations

from nevsky.server import live_bots
from nevsky.server.bot_wire import read_call, read_game, read_question, write, write_suggestions
from nevsky.server.evaluating import evaluate
from nevsky.server.fair_queue import Kind

__all__ = ["do"]


def do(kind: Kind, text: bytes) -> bytes:
    """Decide, explain or evaluate."""
    match kind:
        case "live":
            return write(live_bots.decide(read_call(text)))
        case "hint":
            return write_suggestions(live_bots.explain(*read_question(text)))
        case "review":
            return write(evaluate(*read_game(text)))
