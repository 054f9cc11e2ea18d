"""What has changed between two states, as a JSON Patch (RFC 6902) of `add`, `replace` and `remove`.

States share whatever has not changed, so most of them is passed over at a glance. This runs for every viewer after
every move, so it is compiled; the C types are in `patches.pxd`, and no index is ever negative.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import orjson

from nevsky.server.protocol import PatchOperation, StatePatch

__all__ = ["json_patch", "patched"]

_WINDOWS: Final = ("/log", "/chat")
"""Lists that hold the newest lines: what comes in at their end pushes something out at the front."""
_PLAYERS: Final = frozenset(f"/players/{seat}" for seat in range(5))
"""What changes of a player is always sent by itself."""
_MOST_FIELDS: Final = 2
"""Any other element of a list with more changed fields than these is shorter to send as a whole."""
_MISSING: Final = object()


def json_patch(old: Mapping[str, Any], new: Mapping[str, Any], path: str = "") -> list[PatchOperation]:
    """The operations that make the new state of the old one, or a part of it that stands at a path.

    >>> json_patch({"a": 1, "log": [1, 2]}, {"a": 2, "log": [2, 3]})[1:]
    [{'op': 'remove', 'path': '/log/0'}, {'op': 'add', 'path': '/log/-', 'value': 3}]
    """
    operations: list[PatchOperation] = []
    _objects(old, new, path, operations)
    return operations


def _objects(old: Mapping[str, Any], new: Mapping[str, Any], path: str, to: list[PatchOperation]) -> None:
    added = 0
    for key, value in new.items():
        before = old.get(key, _MISSING)
        if before is value:
            continue
        where = f"{path}/{_escaped(key)}"
        if before is _MISSING:
            added += 1
            to.append({"op": "add", "path": where, "value": value})
        else:
            _values(before, value, where, to)
    if len(new) - added != len(old):
        to += [{"op": "remove", "path": f"{path}/{_escaped(key)}"} for key in old if key not in new]


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1") if "/" in key or "~" in key else key


def _values(old: Any, new: Any, path: str, to: list[PatchOperation]) -> None:
    kind = type(new)
    if kind is dict and type(old) is dict:
        _objects(old, new, path, to)
    elif kind is list and type(old) is list:
        _lists(old, new, path, to)
    elif old != new:
        to.append({"op": "replace", "path": path, "value": new})


def _lists(old: list[Any], new: list[Any], path: str, to: list[PatchOperation]) -> None:
    if path in _WINDOWS and _moved_on(old, new, path, to):
        return
    if len(old) == len(new):
        for place, (was, now) in enumerate(zip(old, new, strict=True)):
            if was is not now:
                _element(was, now, f"{path}/{place}", to)
        return
    shorter = min(len(old), len(new))
    start = 0
    while start < shorter and _equal(old[start], new[start]):
        start += 1
    end = 0
    while end < shorter - start and _equal(old[len(old) - 1 - end], new[len(new) - 1 - end]):
        end += 1
    stop = shorter - end
    if start == end == 0 and (not shorter or 2 * len(new) < len(old)):
        if old or new:
            to.append({"op": "replace", "path": path, "value": new})
        return
    for place in range(start, stop):
        _element(old[place], new[place], f"{path}/{place}", to)
    to += [{"op": "remove", "path": f"{path}/{stop}"} for _ in range(len(old) - shorter)]
    to += [{"op": "add", "path": f"{path}/{place}", "value": new[place]} for place in range(stop, len(new) - end)]


def _equal(old: Any, new: Any) -> bool:
    return old is new or bool(old == new)


def _element(old: Any, new: Any, path: str, to: list[PatchOperation]) -> None:
    if type(new) is not dict or type(old) is not dict or path in _PLAYERS:
        _values(old, new, path, to)
    else:
        _fields(old, new, path, to)


def _fields(old: dict[str, Any], new: dict[str, Any], path: str, to: list[PatchOperation]) -> None:
    """An element of a list, field by field or, where much has changed, as a whole."""
    changed = []
    same_names = len(old) == len(new)
    for key, value in new.items():
        before = old.get(key, _MISSING)
        if before is _MISSING:
            same_names = False
        elif before is value or before == value:
            continue
        changed.append(key)
    if not same_names:
        _objects(old, new, path, to)
    elif len(changed) > _MOST_FIELDS:
        to.append({"op": "replace", "path": path, "value": new})
    else:
        for key in changed:
            _values(old[key], new[key], f"{path}/{_escaped(key)}", to)


def _moved_on(old: list[Any], new: list[Any], path: str, to: list[PatchOperation]) -> bool:
    """Lines have come in at the end, and perhaps as many have gone at the front."""
    for gone in range(len(old)):
        kept = len(old) - gone
        if 0 < kept <= len(new) and _equal(old[gone], new[0]) and old[gone:] == new[:kept]:
            to += [{"op": "remove", "path": f"{path}/0"} for _ in range(gone)]
            to += [{"op": "add", "path": f"{path}/-", "value": line} for line in new[kept:]]
            return True
    return False


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
