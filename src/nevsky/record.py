"""Game records: what is saved, loaded, replayed and verified. JSON, never pickle."""

from __future__ import annotations

import json
import stat
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from nevsky.errors import NevskyError, Words
from nevsky.rules.actions import parse_action
from nevsky.rules.game import Game
from nevsky.rules.modules import ASSIGNMENTS, BANQUET, EVENTS, OBSTACLES, ROOMS
from nevsky.rules.ruleset import RULES_VERSION, Ruleset

__all__ = ["FORMAT", "from_json", "load", "save", "to_dict", "to_json"]

FORMAT: Final = "nevsky-record-1"
"""What a record says that it is, under ``format``."""
_MOST_BYTES: Final = 4_000_000
_OPENED: Final = ("/dev/stdin", "/dev/fd/", "/proc/self/fd/")
_REPLAYED: Final[dict[str, dict[int, tuple[str, ...]]]] = {
    "1.0": {BANQUET.number: ("D30", "D32", "D33"), EVENTS.number: ("D31",)},
    RULES_VERSION: {},
}
"""The versions of the rules whose records are read, with what has changed since then in which module."""
_MOST_ACTIONS: Final = 20_000
_FIELDS: Final = frozenset("format rules ruleset seats seed piles tokens deal start actions auto result".split())


def result_dict(game: Game) -> dict[str, Any] | None:
    """The final scoring as plain data, None while the game goes on."""
    result = game.result
    if result is None:
        return None
    final = []
    for entry in result.final:
        parts = entry._asdict()
        parts["passed"] = list(entry.passed)
        if not ASSIGNMENTS.in_play(game.ruleset):
            del parts["assignment"]
        if not OBSTACLES.in_play(game.ruleset):
            del parts["obstacles"], parts["passed"], parts["stuck"]
        final.append(parts)
    return {"final": final, "winners": list(result.winners)}


def to_dict(game: Game) -> dict[str, Any]:
    """The record of a game as plain data."""
    data: dict[str, Any] = {
        "format": FORMAT,
        "rules": RULES_VERSION,
        "ruleset": game.ruleset.to_dict(),
        "seats": list(game.seats),
        "seed": game.seed,
        "piles": game.piles,
        "tokens": game.tokens,
        "actions": [action.text for action, _ in game.moves],
        "auto": [index for index, (_, auto) in enumerate(game.moves) if auto],
        "result": result_dict(game),
    }
    if game.deal:
        data["deal"] = game.deal
    if game.arranged is not None:
        data["start"] = {k: v for k, v in game.arranged.items() if k not in ("piles", "tokens")}
    return data


def to_json(game: Game) -> str:
    """The record of a game as JSON text.

    >>> game = Game(seed=7)
    >>> from_json(to_json(game)).state() == game.state()
    True
    """
    return json.dumps(to_dict(game), ensure_ascii=False, indent=1) + "\n"


def save(game: Game, path: str | Path) -> None:
    """Write the record, and beside it the same game as a readable text."""
    from nevsky.narrate import narrate

    target = Path(path)
    if target.suffix == ".txt":
        raise NevskyError("record.name")
    # half a character, which a name in a record may hold, is written as JSON writes it
    target.write_text(to_json(game), encoding="utf-8", errors="backslashreplace")
    target.with_suffix(".txt").write_text(narrate(game), encoding="utf-8", errors="backslashreplace")


def load(path: str | Path) -> Game:
    """Read a record and replay it; anything that is not a legal game raises with a sentence that says where."""
    file = Path(path)
    try:
        if not _may_be_read(file):
            raise NevskyError("file.unreadable", path=file, reason=Words("file.no_file"))
        with file.open("rb") as opened:
            data = opened.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            raise NevskyError("record.file_large", file=file.name)
        text = data.decode()
    except OSError as error:
        raise NevskyError("file.unreadable", path=file, reason=error.strerror) from error
    except UnicodeDecodeError as error:
        raise NevskyError("file.not_text", file=file.name) from error
    return from_json(text)


def _may_be_read(file: Path) -> bool:
    """Files, and what the command was given opened: a pipe that nobody writes to, or a device, would be waited for."""
    mode = file.stat().st_mode
    return stat.S_ISREG(mode) or stat.S_ISDIR(mode) or str(file).startswith(_OPENED)


def from_json(text: str) -> Game:
    """Read a record from JSON text and replay it."""
    if len(text) > _MOST_BYTES:
        raise NevskyError("record.text_large")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NevskyError("record.broken", reason=_reason(error)) from error
    return from_dict(data)


def _reason(error: Exception) -> Words:
    if isinstance(error, json.JSONDecodeError):
        return Words("record.json_line", line=error.lineno, column=error.colno)
    return Words("record.json")


def from_dict(data: object) -> Game:
    """Replay a record given as plain data."""
    if not isinstance(data, Mapping) or data.get("format") != FORMAT:
        raise NevskyError("record.format", format=repr(FORMAT))
    unknown = set(data) - _FIELDS
    missing = _FIELDS - set(data) - {"start", "seed", "deal"}
    if unknown or missing:
        raise NevskyError(
            "record.unknown_fields" if unknown else "record.missing_fields",
            fields=", ".join(sorted(map(str, unknown or missing))),
        )
    if not isinstance(data["rules"], str) or data["rules"] not in _REPLAYED:
        raise NevskyError("record.rules", version=repr(data["rules"]))
    if not isinstance(data["seats"], list):
        raise NevskyError("record.seats")
    game = _start(data)
    try:
        _replay(game, data["actions"], data["auto"])
        if data["result"] != result_dict(game):
            raise NevskyError("record.result")
    except NevskyError as error:
        changed = _changed_since(data["rules"], game)
        if not changed:
            raise
        raise NevskyError("record.changed", version=data["rules"], rules=changed, why=error) from error
    return game


def _changed_since(version: str, game: Game) -> str:
    """The rules of a game that are not what they were in an older version."""
    modules = game.ruleset.modules
    return ", ".join(rule for module, rules in _REPLAYED[version].items() if module in modules for rule in rules)


def _start(data: Mapping[str, Any]) -> Game:
    ruleset = Ruleset.from_dict(data["ruleset"])
    start = data.get("start")
    if start is None:
        _check_tokens(ruleset, data["tokens"])
        deal = data.get("deal", {})
        if not isinstance(deal, Mapping) or not set(deal) <= {room.dealt for room in ROOMS}:
            raise NevskyError("record.deal")
        game = Game.from_piles(ruleset, data["piles"], data["tokens"], seats=data["seats"], **deal)
    else:
        if not isinstance(start, Mapping) or not start or not all(isinstance(key, str) for key in start):
            raise NevskyError("record.start")
        if set(start) & {"piles", "tokens", "ruleset", "seats", "auto"}:
            raise NevskyError("record.start_piles")
        game = Game.from_piles(ruleset, data["piles"], data["tokens"], seats=data["seats"], **start)
    seed = data.get("seed", "")
    if not isinstance(seed, str) or len(seed) > 200:
        raise NevskyError("record.seed")
    game.seed = seed
    return game


def _check_tokens(ruleset: Ruleset, tokens: object) -> None:
    """Tokens are dealt as evenly as 2.3 says."""
    if not isinstance(tokens, Mapping):
        raise NevskyError("record.tokens")
    shares = Counter(tokens.values()) if all(isinstance(seat, int) for seat in tokens.values()) else Counter()
    held = sorted((shares[seat] for seat in range(ruleset.players)), reverse=True)
    fair = ([3, 2], [2, 2, 1], [2, 1, 1, 1], [1, 1, 1, 1, 1]) if ruleset.market else ([2, 2], [2, 1, 1], [1, 1, 1, 1])
    if held not in fair:
        raise NevskyError("record.tokens_dealt")
    if ruleset.players == 3 and not ruleset.market and ruleset.youngest is not None and shares[ruleset.youngest] != 2:
        raise NevskyError("record.youngest")


def _replay(game: Game, actions: object, auto: object) -> None:
    if not isinstance(actions, list) or len(actions) > _MOST_ACTIONS:
        raise NevskyError("record.actions")
    if not isinstance(auto, list) or not all(isinstance(i, int) and 0 <= i < len(actions) for i in auto):
        raise NevskyError("record.auto")
    automatic = set(auto)
    for index, text in enumerate(actions):
        try:
            if not isinstance(text, str):
                raise NevskyError("action.unreadable", action=repr(text))
            action = parse_action(text)
            if index in automatic:
                game.push_auto(action)
            else:
                game.push(action)
        except NevskyError as error:
            where = Words("record.where", round=game.round, phase=game.phase)
            if game.over:
                where = Words("record.after_end")
            raise NevskyError("record.action", number=index + 1, where=where, why=error) from error
