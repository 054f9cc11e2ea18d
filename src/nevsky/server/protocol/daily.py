# ruff: noqa: D101
"""The deals of days and weeks, over HTTP."""

from __future__ import annotations

from typing import Literal

from nevsky.server.protocol.base import Model
from nevsky.server.protocol.ruleset import RulesetInfo

DailyStatus = Literal["playing", "over", "late", "gone"]


class DailyBot(Model):
    level: str
    name: str


class DailyTry(Model):
    table: str
    status: DailyStatus
    """`late`: not finished in time. `gone`: ended without a result, or deleted."""
    score: int | None
    place: int | None
    """At the table, among the bots."""


class DailyDeal(Model):
    deal: str
    """Its name, and that of a day or a week in UTC: 2026-11-18, 2026-W47."""
    kind: Literal["day", "week"]
    stage: Literal["open", "closing", "published"]
    """`closing`: nobody can begin any more, and whoever has begun may finish."""
    ends: str
    """Until when a try that counts can begin."""
    closes: str
    """Until when it has to be finished; then the seed is published, and everybody may see all tries."""
    ruleset: RulesetInfo
    seat: int
    bots: list[DailyBot | None]
    """By seat; None is where you sit."""
    players: int
    """How many have begun."""
    commitment: str
    """SHA-256 of the seed."""
    seed: str | None
    """Once it is published. `Game(ruleset, seed)` deals the game."""
    own: DailyTry | None
    """Your try that counts."""


class DailyHome(Model):
    """GET /api/daily: the deals of today and of this week; none where they are switched off."""

    deals: list[DailyDeal]
    streak: int
    """Days in a row whose deal you have played to the end, up to today or yesterday."""


class DailyScore(Model):
    rank: int
    name: str
    player: str | None
    """For /player/ID, if they have such a page."""
    score: int
    place: int
    you: bool


class DailyStandings(Model):
    """GET /api/daily/DEAL. Until you have finished your own try, scores are kept from you while the deal is played."""

    deal: DailyDeal
    shown: bool
    """Whether you may see the scores."""
    finished: int
    median: float | None
    master: int | None
    """What the master made of the same seat, as soon as that is known."""
    rank: int | None
    """Your own place among all."""
    scores: list[DailyScore]
    """The best of all, and your own."""


class DailyArchive(Model):
    """GET /api/daily/archive: what was played before, newest first."""

    deals: list[DailyDeal]
    next: str | None
    """For ``?before=``."""
