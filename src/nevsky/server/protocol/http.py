# ruff: noqa: D101
"""HTTP: what the browser asks for, and what it is answered."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from nevsky.server.protocol.base import PROTOCOL_VERSION, ErrorCode, Language, Model, Status
from nevsky.server.protocol.ruleset import RulesetInfo, RulesetRequest
from nevsky.server.protocol.state import TableState


class SeatRequest(Model):
    kind: Literal["me", "open", "bot"] = "open"
    level: str | None = Field(default=None, max_length=20)


class NewTable(Model):
    """POST /api/tables. A table whose seats are all taken starts at once; `quick` games are you against bots."""

    ruleset: RulesetRequest = Field(default_factory=RulesetRequest)
    seats: list[SeatRequest] = Field(min_length=2, max_length=5)
    public: bool = False
    pace: Literal["live", "relaxed", "none"] = "none"
    show_seen_cards: bool = True
    """Whether the screen shows cards that others took openly (12.2)."""


class NameRequest(Model):
    name: str = Field(min_length=1, max_length=24)


class Me(Model):
    name: str
    version: str
    protocol: int = PROTOCOL_VERSION


class TableCreated(Model):
    table: str
    seat: int | None
    seat_token: str | None
    """Belongs to the seat: the seat's own link is /table/ID?seat=TOKEN and works on any device."""


class TableSummary(Model):
    table: str
    status: Status
    ruleset: RulesetInfo
    names: list[str | None]
    """None for a free seat."""
    bots: list[str | None]
    """Level of a bot, None for people."""
    round: int | None
    to_move: int | None
    you: int | None
    your_turn: bool
    public: bool
    updated: str
    winners: list[int] | None
    seat_token: str | None = None
    """Your own, only from GET /api/tables/ID: for the link to your seat."""
    rematch: str | None = None


class TableList(Model):
    tables: list[TableSummary]


class CardInfo(Model):
    """A card of the box, for pictures and explanations; loaded once with GET /api/cards?language=de."""

    card: str
    name: str
    name_first: str
    """Its name in the first edition."""
    pile: str
    colour: str
    exchange: bool
    orange: bool
    module: int
    cost_first: int
    cost_second: int
    rubles: int
    points: int
    crafts: list[str]
    good: str
    goods: int
    explanation: str


class CardList(Model):
    cards: list[CardInfo]


class LevelInfo(Model):
    level: str
    name: str
    description: str


class ModuleInfo(Model):
    number: int
    name: str
    description: str
    needs_market: bool
    cards: list[str]
    """The cards of it that can be left out one by one; only Good Company has some."""


class Meta(Model):
    """GET /api/meta?language=de: what a new table can be made of."""

    levels: list[LevelInfo]
    modules: list[ModuleInfo]


class ApiError(Model):
    """Body of every answer that is not a success."""

    code: ErrorCode
    message: str


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


class ReplayStep(Model):
    """GET /api/tables/ID/replay?step=N&seat=S&language=de: a finished game after so many steps."""

    steps: int
    step: int
    state: TableState
    evaluation: list[list[float]]
    """Per step the expected final score of every seat, as far as it has been computed."""


GuidePoint = Literal["phases", "row1", "row2", "question", "area", "players", "track"]


class GuideStep(Model):
    title: str
    text: str
    state: TableState
    expected: str | None
    """The action that the learner is asked for, one of `choices`; None where there is only something to read."""
    otherwise: str | None
    """What to say to another legal action."""
    point: GuidePoint
    """The part of the table that the text is about."""


class Guide(Model):
    """GET /api/guide?language=de: the worked example of the rules, seen from the learner's seat."""

    steps: list[GuideStep]
