# ruff: noqa: D101
"""What the Market and the modules show at a table.

A module that shows something has a type and a field here, and a function in `nevsky.server.modules` that fills it.
"""

from __future__ import annotations

from typing_extensions import TypedDict

from nevsky.server.protocol.base import plain


@plain
class EventInfo(TypedDict):
    event: str
    name: str
    description: str


@plain
class ObstacleInfo(TypedDict):
    space: int
    """Where on the score track it lies."""
    tile: str
    description: str
    """Condition and bonus in one line."""
    needs: str | None
    """What a player must have to pass; None for a bonus tile."""
    bonus: str


@plain
class AssignmentInfo(TypedDict):
    number: int
    description: str
    worth: int | None
    """Its points if the game ended now; None where that depends on rubles that the viewer does not see."""
    chosen: bool


@plain
class ModuleState(TypedDict):
    """What lies on the table beside the cards."""

    value_tile: list[int] | None
    """Market: the points for the most and the second most goods in this round."""
    tile_supply: list[str]
    """Market: the goods tiles that nobody has."""
    events_left: list[EventInfo]
    obstacles: list[ObstacleInfo]
    assignments: list[AssignmentInfo]
    """The viewer's own ones."""


@plain
class PlayerModules(TypedDict):
    """What lies in front of a player beside the cards."""

    goods: dict[str, int] | None
    """Market: goods by name; None without the Market."""
    assistants: list[str]
    event_used: bool | None
    """None without the Events."""
    passed_obstacles: list[int]
    """Spaces of the tiles that were passed."""
    stuck_at: int | None
    """The space of the obstacle that holds the player back."""
