# ruff: noqa: D101
"""The ruleset of a table: as it is asked for, and as it is told."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from nevsky.server.protocol.base import Model, plain

Edition = Literal["first", "second"]


class RulesetRequest(Model):
    edition: Edition = "second"
    players: int = Field(default=3, ge=2, le=5)
    market: bool = False
    modules: list[Annotated[int, Field(ge=1, le=99)]] = Field(default_factory=list, max_length=99)
    """Their numbers; the rules know which there are."""
    good_company: list[Annotated[str, Field(max_length=40)]] | None = Field(default=None, max_length=12)
    real_obstacles: int | None = Field(default=None, ge=0, le=5)
    youngest: int | None = Field(default=None, ge=0, le=4)
    open_rubles: bool = False
    open_hands: bool = False


@plain
class RulesetOptions(TypedDict):
    youngest: int | None
    """Seat of the youngest player; None: a random seat."""
    open_rubles: bool
    open_hands: bool
    good_company: list[str] | None
    """With module 2: the cards of it that take part; None: all."""
    real_obstacles: int | None
    """With module 6: the number of real obstacles; None: the standard set-up."""


@plain
class RulesetInfo(TypedDict):
    """The game that is played at a table."""

    edition: Edition
    players: int
    market: bool
    modules: list[int]
    """Numbers of the modules in play."""
    options: RulesetOptions
