# ruff: noqa: D101
"""What the Market and the modules show at a table.

A module that shows something has a model and a field with an empty default here, and a function in
`nevsky.server.modules` that fills it.
"""

from __future__ import annotations

from pydantic import Field

from nevsky.server.protocol.base import Model


class EventInfo(Model):
    event: str
    name: str
    description: str


class ObstacleInfo(Model):
    space: int
    """Where on the score track it lies."""
    tile: str
    description: str
    """Condition and bonus in one line."""
    needs: str | None
    """What a player must have to pass; None for a bonus tile."""
    bonus: str


class AssignmentInfo(Model):
    number: int
    description: str
    worth: int | None
    """Its points if the game ended now; None where that depends on rubles that the viewer does not see."""
    chosen: bool


class ModuleState(Model):
    """What lies on the table beside the cards."""

    value_tile: list[int] | None = None
    """Market: the points for the most and the second most goods in this round."""
    tile_supply: list[str] = Field(default_factory=list)
    """Market: the goods tiles that nobody has."""
    events_left: list[EventInfo] = Field(default_factory=list)
    obstacles: list[ObstacleInfo] = Field(default_factory=list)
    assignments: list[AssignmentInfo] = Field(default_factory=list)
    """The viewer's own ones."""


class PlayerModules(Model):
    """What lies in front of a player beside the cards."""

    goods: dict[str, int] | None = None
    """Market: goods by name; None without the Market."""
    assistants: list[str] = Field(default_factory=list)
    event_used: bool | None = None
    """None without the Events."""
    passed_obstacles: list[int] = Field(default_factory=list)
    """Spaces of the tiles that were passed."""
    stuck_at: int | None = None
    """The space of the obstacle that holds the player back."""
