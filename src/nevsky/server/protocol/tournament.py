# ruff: noqa: D101
"""Tournaments, over HTTP."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from nevsky.server.protocol.base import Model
from nevsky.server.protocol.ruleset import RulesetInfo, RulesetRequest
from nevsky.server.protocol.state import PaceInfo

TournamentStatus = Literal["open", "playing", "over", "ended"]
GameStatus = Literal["playing", "over", "ended", "given_up", "gone"]


class NewTournament(Model):
    """POST /api/tournaments. As many play at a table as the ruleset says, or fewer where numbers do not divide."""

    name: str = Field(min_length=1, max_length=60)
    ruleset: RulesetRequest = Field(default_factory=RulesetRequest)
    rounds: int = Field(default=3, ge=1, le=12)
    pace: Literal["live", "relaxed"] = "live"
    decision_seconds: float | None = None
    """The free part of each decision; None: as usual at this pace."""
    reserve_seconds: float | None = None
    public: bool = False
    automatic: bool = False
    """Whether each round begins as soon as the one before is over; else its maker begins it."""


class TournamentMade(Model):
    tournament: str


class TournamentJoin(Model):
    """POST /api/tournaments/ID/join."""

    name: str | None = Field(default=None, min_length=1, max_length=24)
    """Your name from now on."""


class TournamentInfo(Model):
    tournament: str
    name: str
    status: TournamentStatus
    """`ended`: by its maker, before the last round was over."""
    public: bool
    ruleset: RulesetInfo
    clock: PaceInfo
    rounds: int
    round: int
    """The present one; 0 before the start."""
    automatic: bool
    players: int
    maker: bool
    """Whether you have made it."""
    updated: str


class TournamentList(Model):
    """GET /api/tournaments."""

    mine: list[TournamentInfo]
    """That you have made or take part in."""
    public: list[TournamentInfo]
    """Others that are public and not over."""


class TournamentPlayer(Model):
    player: int
    name: str
    dropped: bool
    """They play in no further round."""


class TournamentSeat(Model):
    player: int | None
    """None for a bot."""
    name: str | None
    place: int | None
    """None while the game goes on, and for whoever gets nothing."""
    score: int | None
    points: float | None


class TournamentGame(Model):
    round: int
    table: str
    status: GameStatus
    """`ended`: stopped by the maker. `given_up`: by its players. `gone`: the table was deleted."""
    seats: list[TournamentSeat]


class TournamentLine(Model):
    place: int
    """Equals share one."""
    player: int
    points: float
    wins: int
    share: float
    """The own part of the scores at one's tables, summed up over the games."""
    games: int


class TournamentState(Model):
    """GET /api/tournaments/ID."""

    info: TournamentInfo
    you: int | None
    """Which player you are."""
    most_players: int
    players: list[TournamentPlayer]
    games: list[TournamentGame]
    standings: list[TournamentLine]
