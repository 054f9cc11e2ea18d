# ruff: noqa: D101
"""Ratings of people, and of bots beside them."""

from __future__ import annotations

from typing import Literal

from nevsky.server.protocol.base import Model

RatingFamily = Literal["first", "second", "market", "modules"]


class RatingInfo(Model):
    rating: int
    uncertainty: int
    """Two standard deviations."""
    games: int


class RatingLine(RatingInfo):
    rank: int | None
    """Among people; None for bots."""
    name: str | None
    """None for bots."""
    player: str | None
    """For /player/ID; None for bots."""
    level: str | None
    """Of a bot."""
    you: bool


class RatingBoard(Model):
    """GET /api/ratings?family=second&players=2&page=0: who is strongest."""

    family: RatingFamily
    players: int
    page: int
    pages: int
    least: int
    """Whoever has played fewer rated games is not in it."""
    people: int
    lines: list[RatingLine]


class RatingPoint(Model):
    table: str
    at: str
    rating: int
    uncertainty: int
    place: int


class PlayerRating(RatingInfo):
    family: RatingFamily
    players: int
    points: list[RatingPoint]
    """After each of the newest games, the oldest first."""


class PlayerRatings(Model):
    """GET /api/players/ID/ratings: by what was played, that with most games first."""

    ratings: list[PlayerRating]


class SeatRating(RatingInfo):
    seat: int
    change: int | None
    """By what this game has changed the rating; None while it is not over, and where it did not count."""


class TableRating(Model):
    """GET /api/tables/ID/rating: the ratings of those who sit at a rated table, as far as they have one."""

    status: Literal["due", "done", "void"]
    """`void`: it did not count, since the same people have played too many rated games today, or everybody left."""
    family: RatingFamily
    seats: list[SeatRating]
