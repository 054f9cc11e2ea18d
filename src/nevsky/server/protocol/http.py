# ruff: noqa: D101
"""HTTP: what the browser asks for, and what it is answered."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from nevsky.server.protocol.base import PROTOCOL_VERSION, ErrorCode, Language, Model, Status
from nevsky.server.protocol.ruleset import RulesetInfo, RulesetRequest
from nevsky.server.protocol.state import PaceInfo, TableState


class SeatRequest(Model):
    kind: Literal["me", "open", "bot"] = "open"
    level: str | None = Field(default=None, max_length=20)


class NewTable(Model):
    """POST /api/tables. A table whose seats are all taken starts at once; `quick` games are you against bots."""

    ruleset: RulesetRequest = Field(default_factory=RulesetRequest)
    seats: list[SeatRequest] = Field(min_length=2, max_length=5)
    public: bool = False
    pace: Literal["live", "relaxed", "none"] = "none"
    decision_seconds: float | None = None
    """The free part of each decision; None: as usual at this pace."""
    reserve_seconds: float | None = None
    """What every player has beyond that for the whole game."""
    show_seen_cards: bool = True
    """Whether the screen shows cards that others took openly (12.2)."""
    rated: bool = False
    """Whether the game changes ratings: for people with a profile, without bots and with a clock."""


class NameRequest(Model):
    name: str = Field(min_length=1, max_length=24)


class Me(Model):
    name: str
    named: bool
    """Whether you have chosen it."""
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
    reserved: list[str | None]
    """For whom a free seat is kept; None where it is for everybody."""
    owner: int | None
    """The seat of whoever may change the table before the start."""
    clock: PaceInfo | None
    """None without a clock."""
    bots: list[str | None]
    """Level of a bot, None for people."""
    round: int | None
    to_move: int | None
    you: int | None
    your_turn: bool
    public: bool
    updated: str
    deadline: str | None
    """When whoever is to move runs out of time, at relaxed tables whose clock runs."""
    winners: list[int] | None
    scores: list[int] | None
    """The final score of every seat, once the game is over."""
    resigned: list[bool]
    deletable: bool
    """You are the only person who sits there, so you may delete it."""
    seat_token: str | None = None
    """Your own, only from GET /api/tables/ID: for the link to your seat."""
    rematch: str | None = None
    rated: bool = False
    players: list[str | None] | None = None
    """By seat, in lists of games: for /player/ID, where somebody has such a page."""
    invitations: list[str | None] | None = None
    """By seat, only for the owner, from GET /api/tables/ID and what changes a table: what the link
    /table/ID?invitation=TOKEN of a seat needs that is kept for somebody."""


class TableList(Model):
    tables: list[TableSummary]
    next: str | None = None
    """For ``?after=``: there are more tables than these."""


NoticeKind = Literal["turn", "start", "over", "invite"]
Minute = Annotated[int, Field(ge=0, lt=1440)]
"""Of a day."""


class NoticeInfo(Model):
    """GET /api/notices: what you are told while you are not there."""

    key: str | None
    """The server's key, with which browsers subscribe; None where nothing is pushed."""
    kinds: list[NoticeKind]
    quiet: list[int] | None
    """From when until when nothing is sent, in minutes after midnight."""
    devices: int
    """How many browsers get messages."""
    mail: bool | None
    """Whether mail is sent as well; None where you have no address, or the server sends no mail."""


class NoticeRequest(Model):
    """PUT /api/notices."""

    kinds: list[NoticeKind] = Field(max_length=4)
    quiet: list[Minute] | None = Field(default=None, min_length=2, max_length=2)
    language: Language
    zone: str = Field(max_length=64)
    """Like Europe/Berlin."""
    mail: bool = False


class DeviceKeys(Model):
    p256dh: str = Field(max_length=100)
    auth: str = Field(max_length=40)


class NewDevice(Model):
    """POST /api/notices/devices: a subscription as browsers write it."""

    endpoint: str = Field(max_length=1000)
    keys: DeviceKeys
    expirationTime: float | None = None  # noqa: N815


class DeviceGone(Model):
    """DELETE /api/notices/devices."""

    endpoint: str = Field(max_length=1000)


class Turns(Model):
    """GET /api/turns: where you are waited for."""

    number: int
    tables: list[str]
    """The most urgent ones first; at most fifty."""
    invited: int
    """Invitations that wait for you."""


class CardInfo(Model):
    """A card of the box, for pictures and explanations; loaded once with GET /api/cards?language=de."""

    card: str
    name: str
    name_first: str
    """Its name in the first edition."""
    hyphens: str
    """The name with soft hyphens where its long words may be divided."""
    hyphens_first: str
    bought: str
    """The name as what one buys, with its article: a Lumberjack, einen Holzfäller."""
    bought_first: str
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
    explanation_first: str
    symbols: str
    """What its market symbols mean, which count only with the Market; empty where it has none."""


class CardList(Model):
    cards: list[CardInfo]


class LevelInfo(Model):
    level: str
    name: str
    description: str


GuideName = Literal["first", "market", "banquet", "good_company", "assistants", "events", "assignments", "obstacles"]


class ModuleInfo(Model):
    number: int
    id: str
    guide: GuideName | None
    """Its guided round, if there is one."""
    name: str
    description: str
    needs_market: bool
    cards: list[str]
    """The cards of it that can be left out one by one; only Good Company has some."""


class Meta(Model):
    """GET /api/meta?language=de: what a new table can be made of."""

    levels: list[LevelInfo]
    modules: list[ModuleInfo]
    paces: list[PaceInfo]
    """What is usual at each pace with a clock."""
    ratings: bool
    """Whether tables can be rated."""


class Explanations(Model):
    """GET /api/explanations?language=de: what lies on a table beside the cards, in words."""

    topics: dict[str, str]
    """By topic: assistant, good, value, tiles, event, assignment, bonus, obstacle."""
    assistants: dict[str, str]
    """What each assistant does."""


class ApiError(Model):
    """Body of every answer that is not a success."""

    code: ErrorCode
    message: str


class JoinRequest(Model):
    """POST /api/tables/ID/join; without a seat any free one."""

    seat: int | None = Field(default=None, ge=0, le=4)
    name: str | None = Field(default=None, min_length=1, max_length=24)
    """Your name from now on, also at this table; one that somebody else has there is refused."""
    invitation: str | None = Field(default=None, max_length=64)
    """Of the link /table/ID?invitation=TOKEN: the seat that is kept for you."""


class SeatChange(Model):
    """PUT /api/tables/ID/seats/N by the owner, before the start. Whoever sits there leaves the seat."""

    kind: Literal["open", "bot", "reserved"]
    level: str | None = Field(default=None, max_length=20)
    """Of a bot; None: a middle one."""
    name: str | None = Field(default=None, min_length=1, max_length=24)
    """For whom a seat is kept."""


class TableChange(Model):
    """PATCH /api/tables/ID by the owner, before the start; None leaves something as it is."""

    ruleset: RulesetRequest | None = None
    """With another number of players the last seats come or go; those that go must not be taken by people."""
    public: bool | None = None
    pace: Literal["live", "relaxed", "none"] | None = None
    """With another pace the times are as usual there, unless they are set."""
    decision_seconds: float | None = None
    reserve_seconds: float | None = None
    show_seen_cards: bool | None = None
    rated: bool | None = None
    """Only as long as nobody else sits there can a table become rated."""


class StartRequest(Model):
    """POST /api/tables/ID/start by the owner: bots take the free seats."""

    level: str | None = Field(default=None, max_length=20)


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


ReadyReason = Literal[
    "closing",
    "gone",
    "replaced",
    "truncated",
    "damaged",
    "full",
    "locked",
    "readonly",
    "io_error",
    "unreachable",
]


class Health(Model):
    """How the server is."""

    status: Literal["ok", "not_ready"]
    version: str
    reason: ReadyReason | None = None
    """Why it is not ready."""


class ReplayStep(Model):
    """GET /api/tables/ID/replay?step=N&seat=S&language=de: a finished game after so many steps."""

    steps: int
    step: int
    state: TableState


class Evaluation(Model):
    """GET /api/tables/ID/evaluation: what a search expects of a finished game, for the deal and after each step.

    As far as it has been computed, which takes a while the first time: ask again until there is one entry more
    than there are steps.
    """

    steps: int
    scores: list[list[float]]
    """The final score of every seat."""
    chances: list[list[float]]
    """The chance to win of every seat, from 0 to 1."""


class JudgedDecision(Model):
    """One decision beside the best one that was found, by what the seat could know at the time."""

    step: int
    """The step of the replay at which it was due."""
    round: int
    phase: str
    mark: Literal["best", "good", "inaccuracy", "mistake", "blunder"]
    played: str
    played_label: str
    better: str
    """The action it was compared with: the best one, or the second best if the best one was played."""
    better_label: str
    behind: float
    """Points lost; below 0 what the other action would have lost."""
    doubt: float
    """By how much this may be wrong (95 %)."""
    lost: float
    """The part of the win that was lost, from 0 to 1, and by how much this may be wrong."""
    lost_doubt: float
    chance: float
    """The chance to win after it."""
    sure: bool
    """Whether the difference is more than noise."""
    playouts: int
    why: str
    """What speaks for the other action, and for or against the one that was played."""
    why_not: str


class DealLuck(Model):
    """How good the deal of a finished game was for a seat: quick bots on all seats played it, and other deals."""

    points: float
    """What they make of this deal on this seat."""
    average: float
    """What they make of others."""
    luck: float
    """The difference of the two."""
    doubt: float
    """By how much it may be wrong (95 %)."""
    chance: float
    """To win with this deal, from 0 to 1."""
    chance_luck: float
    chance_doubt: float
    better: float
    """The share of other deals that give the seat fewer points, from 0 to 1."""
    sure: bool
    """Whether the difference is more than noise."""
    made: int | None
    """The points that the seat made in this game; None if it was not played to its end."""
    games: int
    deals: int


class TablePlayers(Model):
    """GET /api/tables/ID/players: who on the seats has a page."""

    players: list[str | None]
    """For /player/ID; None for everybody else."""


class SeatReviewed(Model):
    """GET /api/tables/ID/review?seat=N: how well a seat of a finished game played, as far as it is known.

    POST asks for it. Then ask again, with the number of decisions in `known`, until there are `total`, and the luck.
    """

    seat: int
    asked: bool
    failed: bool
    total: int
    """Decisions with a choice."""
    decisions: list[JudgedDecision]
    accuracy: float | None
    """From 0 to 100."""
    phases: dict[str, float]
    marks: dict[str, int]
    moments: list[int]
    """The steps of the decisions on which most depended, once all are known."""
    luck: DealLuck | None
    """None until it is known."""
    luck_done: float
    """How much of what it takes to know it is done, from 0 to 1."""


class PlayOn(Model):
    """POST /api/tables/ID/play-on: a new private table that begins where a finished game stood."""

    step: int = Field(ge=0)
    seat: int = Field(ge=0, le=4)
    """Yours. What it could not know at that step is dealt anew."""
    levels: list[str | None] = Field(default=[None], min_length=1, max_length=5)
    """Of the bots, by seat (yours is not looked at), or one for all of them; None is a middle one."""


GuidePoint = Literal[
    "phases", "row1", "row2", "question", "hand", "area", "players", "track", "market", "modules", "end"
]


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
    """GET /api/guide?language=de&which=market: a guided round, seen from the learner's seat."""

    steps: list[GuideStep]
