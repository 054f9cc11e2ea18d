"""Write web/src/lib/protocol.ts from the models of the wire: `python tools/protocol_types.py [--check]`."""

from __future__ import annotations

import inspect
import sys
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from typing_extensions import get_original_bases, is_typeddict

from nevsky.server import protocol
from nevsky.server.protocol import (
    base,
    daily,
    http,
    lobby,
    modules,
    people,
    profile,
    puzzles,
    ratings,
    ruleset,
    socket,
    state,
    tournament,
    vacation,
)

sys.path.insert(0, str(Path(__file__).parent.parent))  # for when it is run as a file
from tools.generated import ROOT, write_or_check

TARGET = ROOT / "web" / "src" / "lib" / "protocol.ts"
HEAD = """\
// Made by tools/protocol_types.py from src/nevsky/server/protocol. Do not edit.

export type JsonValue = unknown;
"""
PARTS = (
    *(base, ruleset, modules, state, http, daily, puzzles, profile, socket, people, lobby, ratings, vacation),
    tournament,
)
ALIASES = {
    getattr(protocol, name).__args__: name
    for name in (
        *("Language", "Status", "ErrorCode", "Edition", "ReasonKey"),
        *("RaceSource", "GuideName", "GuidePoint", "Tie", "Welcome", "NoticeKind", "RatingFamily"),
    )
}
"""Literals that have a name, by their values."""
WIDTH = 140
Schema = Mapping[str, Any]


def models() -> list[type]:
    """Every type of the wire, models and plain data, in the order of the files."""
    found = [
        thing
        for module in PARTS
        for thing in vars(module).values()
        if inspect.isclass(thing)
        and (is_typeddict(thing) or issubclass(thing, protocol.Model))
        and thing.__module__ == module.__name__
        and thing is not protocol.Model
    ]
    return list(dict.fromkeys(found))


def type_of(schema: Schema) -> str:
    """The TypeScript type of a JSON schema, as far as pydantic writes them."""
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[-1]
    if "const" in schema:
        return _literal(schema["const"])
    if "enum" in schema:
        values = tuple(schema["enum"])
        return ALIASES.get(values) or " | ".join(_literal(value) for value in values)
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " | ".join(dict.fromkeys(type_of(part) for part in schema[key]))
    match schema.get("type"):
        case "string":
            return "string"
        case "integer" | "number":
            return "number"
        case "boolean":
            return "boolean"
        case "null":
            return "null"
        case "array" if "prefixItems" in schema:
            return "[" + ", ".join(type_of(part) for part in schema["prefixItems"]) + "]"
        case "array":
            item = type_of(schema["items"])
            return f"({item})[]" if " " in item else f"{item}[]"
        case "object":
            more = schema.get("additionalProperties")
            if isinstance(more, dict):
                return f"Record<string, {type_of(more)}>"
    raise TypeError(f"Everything on the wire has a type, but this has none: {dict(schema)}.")


def _literal(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value).lower()


def _comment(text: str | None, indent: str) -> str:
    if not text:
        return ""
    lines = textwrap.wrap(text.replace("None", "null"), WIDTH - len(indent) - len("/**  */"))
    if len(lines) == 1:
        return f"{indent}/** {lines[0]} */\n"
    return "".join([f"{indent}/**\n", *(f"{indent} * {line}\n" for line in lines), f"{indent} */\n"])


def interface(model: type, schema: Schema, *, sent: bool) -> str:
    """One type as an interface; what the browser sends may leave out what has a default."""
    required = set(schema.get("required", ()))
    bases = [base.__name__ for base in get_original_bases(model) if is_typeddict(base)]
    inherited = {name for base in get_original_bases(model) if is_typeddict(base) for name in base.__annotations__}
    extends = f" extends {', '.join(bases)}" if bases else ""
    lines = [
        _comment(model.__doc__ if "__doc__" in vars(model) else None, ""),
        f"export interface {model.__name__}{extends} {{\n",
    ]
    for name, part in schema.get("properties", {}).items():
        if name in inherited:
            continue
        optional = "?" if name not in required and (sent or is_typeddict(model)) else ""
        lines += [_comment(part.get("description"), "  "), f"  {name}{optional}: {type_of(part)};\n"]
    return "".join([*lines, "}\n"])


def generate() -> str:
    """The whole file."""
    every = models()
    _, schema = TypeAdapter.json_schemas([(model.__name__, "validation", TypeAdapter(model)) for model in every])
    definitions = schema["$defs"]
    sent = _sent(definitions)
    parts = [HEAD, f"export const PROTOCOL_VERSION = {protocol.PROTOCOL_VERSION};\n\n"]
    for values, name in ALIASES.items():
        parts.append(_union_type(name, [_literal(value) for value in values]))
    for model in every:
        parts += [interface(model, definitions[model.__name__], sent=model.__name__ in sent), "\n"]
    for name in ("ClientMessage", "ServerMessage", "LobbyClientMessage", "LobbyServerMessage"):
        parts.append(_union_type(name, [model.__name__ for model in _union(name)]))
    return "".join(parts).rstrip() + "\n"


def _union_type(name: str, members: Sequence[str]) -> str:
    line = f"export type {name} = {' | '.join(members)};\n\n"
    if len(line) <= WIDTH:
        return line
    return "".join([f"export type {name} =", *(f"\n  | {member}" for member in members), ";\n\n"])


def _union(name: str) -> tuple[type, ...]:
    union: tuple[type, ...] = getattr(protocol, name).__origin__.__args__
    return union


def _sent(definitions: Mapping[str, Schema]) -> set[str]:
    """Names of the models that only the browser sends, with the models inside them."""
    roots = {model.__name__ for name in ("ClientMessage", "LobbyClientMessage") for model in _union(name)}
    roots |= {name for name in definitions if name.startswith("New") or name.endswith(("Request", "Change"))}
    while True:
        inner = {ref for name in roots for ref in definitions if f"/{ref}'" in str(definitions[name])}
        if inner <= roots:
            return roots
        roots |= inner


if __name__ == "__main__":
    sys.exit(write_or_check(TARGET, generate(), __file__))
