"""What the parts of a position add to its plain data, put together: there and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nevsky.errors import NevskyError
from nevsky.rules.constants import FINAL, SCORING, SCORING_PARTS, SEATS
from nevsky.rules.course import FullPosition
from nevsky.rules.market_data import FLOW_PARTS
from nevsky.rules.part import per_seat, unreadable, whole
from nevsky.rules.parts import PARTS, each_part, parts_of
from nevsky.rules.position import Position
from nevsky.rules.ruleset import Ruleset

__all__ = ["describe_parts", "part_fields", "restore_parts"]


def describe_parts(position: Position) -> dict[str, Any]:
    """The part of a position's description that only the Market and modules have, secrets included."""
    data: dict[str, Any] = {}
    flow: dict[str, int] = {}
    for part, full in each_part(position):
        data.update(part.describe(full))
        flow.update(part.flow(full))
    if flow:
        data["flow"] = flow
    return data


def part_fields(ruleset: Ruleset) -> set[str]:
    """The names that `describe` uses for the Market and modules; all of them in any game that has one."""
    if not ruleset.market and not ruleset.modules:
        return set()
    return {"flow"}.union(*(part.restorers for part in PARTS))


def restore_parts(position: FullPosition, ruleset: Ruleset, data: Mapping[str, Any]) -> None:
    """Set what `describe_parts` told of; anything that is left out has its value at the start."""
    for part in parts_of(position):
        for what, restorer in part.restorers.items():
            if data.get(what) is None:
                continue
            try:
                restorer(position, ruleset, data[what])
            except NevskyError:
                raise
            except (KeyError, ValueError, TypeError, IndexError, AttributeError, OverflowError) as error:
                raise unreadable(what) from error
    _restore_flow(position, ruleset, data.get("flow") or {})


def _restore_flow(position: FullPosition, ruleset: Ruleset, flow: object) -> None:
    if not isinstance(flow, Mapping):
        raise unreadable("flow")
    known = {name for part in PARTS for name in part.flow_names}
    if set(flow) - known - set(FLOW_PARTS):
        raise unreadable("flow")
    numbers = {name: whole(value, -1, 20) for name, value in flow.items() if name not in FLOW_PARTS}
    for part in parts_of(position):
        part.restore_flow(position, numbers)
    for told, name in FLOW_PARTS.items():
        if told in flow:
            parts = [whole(number, -9999, 9999) for number in per_seat(ruleset, flow[told])]
            setattr(position, name, parts + [0] * (SEATS - len(parts)))
    if not 0 <= position.turn_seat < ruleset.players or not 0 <= position.asked <= ruleset.players:
        raise unreadable("flow")
    if not 0 <= position.stage <= FINAL or position.part < 0 or position.sub < 0:
        raise unreadable("flow")
    if position.stage == SCORING and position.part > SCORING_PARTS:
        raise unreadable("flow")
