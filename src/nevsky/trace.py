"""The trace: a whole game as JSON lines that other programs can check, decision by decision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from nevsky.record import result_dict
from nevsky.rules.actions import ACTIONS
from nevsky.rules.game import Game
from nevsky.rules.position import Position
from nevsky.rules.ruleset import RULES_VERSION
from nevsky.rules.snapshot import describe

__all__ = ["trace"]

_INNER = ("must_buy", "last_round", "hands_seen", "flow")


def after(position: Position) -> dict[str, Any]:
    """The state after a decision as the trace writes it."""
    data = {key: value for key, value in describe(position).items() if key not in _INNER}
    data["piles"] = {name: len(cards) for name, cards in data["piles"].items()}
    return {key: plain(value) for key, value in data.items()}


def plain(data: Any) -> Any:
    """The same data with card ids as the notation writes them: without the mark of a purple card's second back."""
    if isinstance(data, str):
        return data.partition("@")[0]
    if isinstance(data, list):
        return [plain(item) for item in data]
    if isinstance(data, dict):
        return {plain(key): plain(value) for key, value in data.items()}
    return data


def header(game: Game) -> dict[str, Any]:
    """The first line: ruleset, seats and the complete deal."""
    ruleset = game.ruleset.to_dict()
    options = dict(ruleset["options"])
    if options["youngest"] is None and game.ruleset.players == 3 and not game.ruleset.market:
        options["youngest"] = Counter(game.tokens.values()).most_common(1)[0][0]
    return {
        "rules": RULES_VERSION,
        **ruleset,
        "options": options,
        "seats": list(game.seats),
        "piles": plain(game.piles),
        "tokens": game.tokens,
        **game.deal,
        **({"start": game.arranged} if game.arranged is not None else {}),
    }


def trace(game: Game, legal: bool = False) -> Iterator[dict[str, Any]]:
    """All lines of the trace; with ``legal`` each decision also lists its legal actions.

    >>> lines = list(trace(Game(seed=7)))
    >>> sorted(lines[0]["tokens"])
    ['building', 'exchange', 'noble', 'worker']
    """
    yield header(game)
    choices = [ACTIONS[i].text for i in game.start_position.legal()] if legal else []
    for move, position in game.replay():
        line: dict[str, Any] = {
            "n": move.number,
            "round": move.round,
            "phase": move.phase,
            "seat": move.seat,
            "action": move.action.text,
        }
        if move.price is not None:
            line["price"] = move.price
        line["auto"] = move.auto
        if legal:
            line["legal"] = choices
            choices = [ACTIONS[i].text for i in position.legal()]
        line["after"] = after(position)
        yield line
    result = result_dict(game)
    if result is not None:
        yield result
