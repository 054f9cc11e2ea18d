"""Models of the HTTP API that the front end needs no types for."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from nevsky.server.protocol import Language, Model

__all__ = ["Health", "JoinRequest", "Race", "RacePart", "RaceSource", "RuleBook", "RuleSection", "RuleText"]


class JoinRequest(Model):
    """POST /api/tables/ID/join; without a seat any free one."""

    seat: int | None = Field(default=None, ge=0, le=4)


class RuleText(Model):
    """One paragraph of the rules."""

    number: str | None
    """Such as 5.1; None for a paragraph without a number."""
    text: str
    """Markdown."""


class RuleSection(Model):
    """A part of the rules under one heading."""

    number: str | None
    title: str
    level: int
    """2 for sections, 3 for parts of them."""
    rules: list[RuleText]


class RuleBook(Model):
    """GET /api/rules?language=de: the rules as we play them, whole and in pieces."""

    language: Language
    title: str
    markdown: str
    sections: list[RuleSection]


RaceSource = Literal[
    "worker",
    "market",
    "building",
    "noble",
    "exchange",
    "pub",
    "obstacles",
    "other",
    "final_nobles",
    "assignment",
    "rubles",
    "hand",
    "final_obstacles",
]


class RacePart(Model):
    """Points of one source in one round."""

    round: int | None
    """None for the final scoring."""
    source: RaceSource
    """Cards of a colour, exchange cards of all colours, bought points (pub, Trading House), tiles of the track …"""
    points: list[int]
    """One number for every seat."""
    step: int
    """The step of the replay that brought the last of them."""


class Race(Model):
    """GET /api/tables/ID/race: where all points of a finished game came from. They add up to the final scores."""

    rounds: int
    parts: list[RacePart]


class Health(Model):
    """How the server is."""

    status: Literal["ok", "not_ready"]
    version: str
