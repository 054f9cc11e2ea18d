"""What has changed between two states, as a JSON Patch (RFC 6902) of `add`, `replace` and `remove`.

States share whatever has not changed, so most of them is passed over at a glance. Patches are written as text at once.
This runs for every viewer after every move, so it is compiled; the C types are in `patches.pxd`, and no index is ever
negative.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import orjson

from nevsky.server.protocol import PatchOperation, StatePatch

__all__ = ["NO_PIECE", "Piece", "json_patch", "patch_piece", "patched"]

MOST = 8192
"""Texts and steps that are remembered; then it begins anew."""
MOST_FIELDS = 2
"""An element of a list with more changed fields than these is shorter to send as a whole."""
_WINDOWS: Final = ("/log", "/chat")
"""Lists that hold the newest lines: what comes in at their end pushes something out at the front."""
_PLAYERS: Final = frozenset(f"/players/{seat}" for seat in range(5))
"""What changes of a player is always sent by itself."""
_CLOCKS: Final = ("clock_seconds", "reserve_seconds")
_ASKED: Final = "choices"
"""What an element has that somebody is asked about."""
_MISSING: Final = object()


class Piece(NamedTuple):
    """Operations of a patch as they are sent, without brackets around them; empty without any."""

    text: bytes
    tells: bool
    """Something other than clocks has changed, which run by themselves."""


NO_PIECE: Final = Piece(b"", False)


def json_patch(old: Mapping[str, Any], new: Mapping[str, Any], path: str = "") -> list[PatchOperation]:
    """The operations that make the new state of the old one, or a part of it that stands at a path.

    >>> json_patch({"a": 1, "log": [1, 2]}, {"a": 2, "log": [2, 3]})[1:]
    [{'op': 'remove', 'path': '/log/0'}, {'op': 'add', 'path': '/log/-', 'value': 3}]
    """
    operations: list[PatchOperation] = orjson.loads(b"[%b]" % patch_piece(old, new, path).text)
    return operations


def patch_piece(old: Mapping[str, Any], new: Mapping[str, Any], path: str = "") -> Piece:
    """The same as text. Nothing that stands in a list is changed later, so its text is kept."""
    writer = Writer()
    writer.objects(old, new, path)
    return Piece(b",".join(writer.texts), writer.tells) if writer.texts else NO_PIECE


_KEPT: dict[int, tuple[object, bytes]] = {}
"""By the id of something, which it keeps alive: its text."""
_STEPS: dict[tuple[int, int], tuple[object, object, bytes]] = {}
"""By the ids of two elements of a list: the operations that make the one of the other, wherever it stands."""
_SOMEWHERE: Final = "@"
_FROM_THERE: Final = b'"path":"@'


def _kept_text(value: Any) -> bytes:
    found = _KEPT.get(id(value))
    if found is None:
        if len(_KEPT) >= MOST:
            _KEPT.clear()
        found = _KEPT[id(value)] = (value, orjson.dumps(value))
    return found[1]


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1") if "/" in key or "~" in key else key


def _equal(old: Any, new: Any) -> bool:
    return old is new or bool(old == new)


class Writer:
    """Collects the operations of one patch."""

    def __init__(self) -> None:
        self.texts: list[bytes] = []
        self.tells = False

    def put(self, path: str, text: bytes) -> None:
        """Something has another value."""
        self.texts.append(b'{"op":"replace","path":%b,"value":%b}' % (orjson.dumps(path), text))
        if not self.tells and not path.endswith(_CLOCKS):
            self.tells = True

    def add(self, path: str, text: bytes) -> None:
        """Something is new."""
        self.texts.append(b'{"op":"add","path":%b,"value":%b}' % (orjson.dumps(path), text))
        self.tells = True

    def remove(self, path: str) -> None:
        """Something is gone."""
        self.texts.append(b'{"op":"remove","path":%b}' % orjson.dumps(path))
        self.tells = True

    def objects(self, old: Mapping[str, Any], new: Mapping[str, Any], path: str) -> None:
        """Field by field."""
        added = 0
        for key, value in new.items():
            before = old.get(key, _MISSING)
            if before is value:
                continue
            where = f"{path}/{_escaped(key)}"
            if before is _MISSING:
                added += 1
                self.add(where, orjson.dumps(value))
            else:
                self.values(before, value, where)
        if len(new) - added != len(old):
            for key in old:
                if key not in new:
                    self.remove(f"{path}/{_escaped(key)}")

    def values(self, old: Any, new: Any, path: str) -> None:
        """Whatever it is."""
        kind = type(new)
        if kind is dict and type(old) is dict:
            self.objects(old, new, path)
        elif kind is list and type(old) is list:
            self.lists(old, new, path)
        elif old != new:
            self.put(path, orjson.dumps(new))

    def lists(self, old: list[Any], new: list[Any], path: str) -> None:
        """Element by element; what was taken out or put in is in one place."""
        if path in _WINDOWS and self.moved_on(old, new, path):
            return
        shorter = min(len(old), len(new))
        if shorter > 1 and self.asked_everywhere(old, new, shorter):
            self.put_list(new, path)
            return
        if len(old) == len(new):
            for place in range(len(new)):
                if old[place] is not new[place]:
                    self.element(old[place], new[place], f"{path}/{place}")
            return
        start = 0
        while start < shorter and _equal(old[start], new[start]):
            start += 1
        end = 0
        while end < shorter - start and _equal(old[len(old) - 1 - end], new[len(new) - 1 - end]):
            end += 1
        stop = shorter - end
        if start == end == 0 and (not shorter or 2 * len(new) < len(old)):
            self.put_list(new, path)
            return
        for place in range(start, stop):
            self.element(old[place], new[place], f"{path}/{place}")
        for _ in range(len(old) - shorter):
            self.remove(f"{path}/{stop}")
        for place in range(stop, len(new) - end):
            self.add(f"{path}/{place}", self.text_of(new[place]))

    def asked_everywhere(self, old: list[Any], new: list[Any], shorter: int) -> bool:
        """Whether somebody was asked about all elements, or is asked about all of them now."""
        for place in range(shorter):
            before, now = old[place], new[place]
            if before is now or type(now) is not dict or type(before) is not dict:
                return False
            if not (before.get(_ASKED) or now.get(_ASKED)) or before == now:
                return False
        return True

    def put_list(self, new: list[Any], path: str) -> None:
        """All of it has another value."""
        self.put(path, b"[%b]" % b",".join([self.text_of(value) for value in new]))

    def text_of(self, value: Any) -> bytes:
        """An element of a list as text."""
        return _kept_text(value) if type(value) is dict else orjson.dumps(value)

    def element(self, old: Any, new: Any, path: str) -> None:
        """An element of a list, field by field or, where much has changed, as a whole."""
        if type(new) is not dict or type(old) is not dict or path in _PLAYERS:
            self.values(old, new, path)
            return
        if old.get(_ASKED) or new.get(_ASKED):  # whose turn begins or ends sees most of it otherwise
            if old != new:
                self.put(path, _kept_text(new))
            return
        key = (id(old), id(new))
        found = _STEPS.get(key)
        if found is None:
            if len(_STEPS) >= MOST:
                _STEPS.clear()
            found = _STEPS[key] = (old, new, _step(old, new))
        if found[2]:
            self.texts.append(found[2].replace(_FROM_THERE, b'"path":"%b' % path.encode()))
            self.tells = True

    def moved_on(self, old: list[Any], new: list[Any], path: str) -> bool:
        """Lines have come in at the end, and perhaps as many have gone at the front."""
        for gone in range(len(old)):
            kept = len(old) - gone
            if 0 < kept <= len(new) and _equal(old[gone], new[0]) and old[gone:] == new[:kept]:
                for _ in range(gone):
                    self.remove(f"{path}/0")
                for line in new[kept:]:
                    self.add(f"{path}/-", orjson.dumps(line))
                return True
        return False


def _step(old: dict[str, Any], new: dict[str, Any]) -> bytes:
    changed = []
    same_names = len(old) == len(new)
    for key, value in new.items():
        before = old.get(key, _MISSING)
        if before is _MISSING:
            same_names = False
        elif before is value or before == value:
            continue
        changed.append(key)
    writer = Writer()
    if not same_names:
        writer.objects(old, new, _SOMEWHERE)
    elif len(changed) > MOST_FIELDS:
        writer.put(_SOMEWHERE, _kept_text(new))
    else:
        for key in changed:
            writer.values(old[key], new[key], f"{_SOMEWHERE}/{_escaped(key)}")
    return b",".join(writer.texts)


def patched(state: Mapping[str, Any], message: StatePatch) -> dict[str, Any]:
    """The state that a patch makes of the one it belongs to, for clients in Python; the old one stays as it is."""
    if state["serial"] != message["base"]:
        raise ValueError("The patch belongs to another state.")
    new: dict[str, Any] = {**orjson.loads(orjson.dumps(state)), "serial": message["serial"]}
    for operation in message["patch"]:
        *way, last = [key.replace("~1", "/").replace("~0", "~") for key in operation["path"].split("/")[1:]]
        at: Any = new
        for key in way:
            at = at[int(key)] if isinstance(at, list) else at[key]
        place: Any = last if isinstance(at, dict) else len(at) if last == "-" else int(last)
        if operation["op"] == "remove":
            del at[place]
        elif operation["op"] == "add" and isinstance(at, list):
            at.insert(place, operation["value"])
        else:
            at[place] = operation["value"]
    return new
