# ruff: noqa: D101
"""Everything that goes over the wire, typed once: the browser's types are generated from these models.

The browser knows no rules. Whatever it shows, prices, choices, reasons and questions, is in these messages, in the
language of the connection.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

PROTOCOL_VERSION = 1

Language = Literal["en", "de", "fr", "it"]
Status = Literal["open", "playing", "over"]
ErrorCode = Literal[
    "bad_message",  # not JSON, unknown type, wrong fields, too large
    "not_found",  # no such table
    "not_allowed",  # wrong or missing token, not your seat, spectators cannot act
    "not_your_turn",
    "stale",  # the version that came with the move is not the current one
    "illegal",  # not a legal action now
    "refused",  # a ruleset or a request that cannot be carried out, with the sentence that says why
    "too_fast",  # rate limit
    "shutting_down",
]


class Model(BaseModel):
    """Strict: unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")


# ---- HTTP: what the browser asks for


class RulesetRequest(Model):
    edition: Literal["first", "second"] = "second"
    players: int = Field(default=3, ge=2, le=5)
    market: bool = False
    modules: list[Annotated[int, Field(ge=1, le=6)]] = Field(default_factory=list, max_length=6)
    good_company: list[Annotated[str, Field(max_length=40)]] | None = Field(default=None, max_length=12)
    real_obstacles: int | None = Field(default=None, ge=0, le=5)
    youngest: int | None = Field(default=None, ge=0, le=4)
    open_rubles: bool = False
    open_hands: bool = False


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
    ruleset: dict[str, Any]
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


class Meta(Model):
    """GET /api/meta?language=de: what a new table can be made of, with reasons for what is impossible."""

    levels: list[LevelInfo]
    modules: list[dict[str, Any]]
    """number, name, description, needs_market, cards (of Good Company)."""


class ApiError(Model):
    """Body of every answer that is not a success."""

    code: ErrorCode
    message: str


# ---- WebSocket /api/tables/ID/ws?language=de&seat=TOKEN : browser to server


class Act(Model):
    type: Literal["act"]
    version: int
    action: str = Field(max_length=200)


class Undo(Model):
    type: Literal["undo"]
    version: int


class AutoPass(Model):
    """Pass without being asked: until another card could be had, until the phase ends, or no longer."""

    type: Literal["auto_pass"]
    until: Literal["change", "phase", "off"]


class Chat(Model):
    type: Literal["chat"]
    text: str = Field(min_length=1, max_length=300)


class HintRequest(Model):
    type: Literal["hint"]
    version: int


class Away(Model):
    """Let a bot play for me, or take the seat back."""

    type: Literal["away"]
    away: bool
    seat: int | None = None
    """Another player's seat, whom the table may replace when he has been gone for a while."""


class LanguageChange(Model):
    type: Literal["language"]
    language: Language


class Ping(Model):
    type: Literal["ping"]


ClientMessage = Annotated[
    Act | Undo | AutoPass | Chat | HintRequest | Away | LanguageChange | Ping, Field(discriminator="type")
]


# ---- WebSocket: server to browser


class PriceStep(Model):
    text: str
    """In words, such as 'same name: 2 Fur Trappers'."""
    rubles: int


class Choice(Model):
    """One legal action, ready to be shown."""

    action: str
    label: str
    verb: str
    card: str | None
    row: int | None
    onto: str | None
    price: int | None
    steps: list[PriceStep]
    """How the price comes about, beginning with the printed cost."""
    confirm: bool
    """A slip here is costly: ask again."""


class DisplayCard(Model):
    card: str
    cost: int
    price: int | None
    """Your cheapest price now, None for spectators and for cards that cannot be bought."""
    buy: bool
    take: bool
    why_not: list[str]
    """Sentences for what is not possible."""
    choices: list[int]
    """Places in `choices` of the state."""


class HandView(Model):
    pile: str
    card: str | None
    price: int | None
    choices: list[int]


class AreaCard(Model):
    card: str
    count: int
    face_down: int
    covered: bool
    attached: list[str]
    tile: str | None


class Income(Model):
    phase: str
    rubles: int
    points: int


class PlayerState(Model):
    seat: int
    name: str
    bot: str | None
    connected: bool
    away: bool
    rubles: int | None
    points: int
    hand: list[HandView]
    hand_limit: int
    area: list[AreaCard]
    income: list[Income]
    different_nobles: int
    noble_points: int
    next_noble_points: int
    """What one more different noble would add."""
    projected: int | None
    """Score if the game ended now, where the viewer may know it."""
    goods: dict[str, int] | None
    assistants: list[str]
    event_used: bool | None
    passed_obstacles: list[int]
    stuck_at: int | None
    clock_seconds: float | None


class LogLine(Model):
    number: int
    round: int
    phase: str
    seat: int | None
    text: str
    auto: bool


class ChatLine(Model):
    seat: int | None
    name: str
    text: str
    at: str


class ModuleState(Model):
    value_tile: list[int] | None
    tile_supply: list[str]
    events_left: list[dict[str, str]]
    """event, name, description."""
    obstacles: list[dict[str, Any]]
    """space, tile, description."""
    assignments: list[dict[str, Any]]
    """Own ones: number, description, worth (now)."""


class FinalLine(Model):
    seat: int
    track: int
    nobles: int
    assignment: int | None
    rubles: int
    hand: int
    obstacles: int | None
    total: int
    tie: int
    place: int


class State(Model):
    """The whole table as the viewer may see it; sent after every change."""

    type: Literal["state"] = "state"
    table: str
    version: int
    status: Status
    you: int | None
    ruleset: dict[str, Any]
    round: int
    phase: str
    phases: list[str]
    due: str | None
    question: str
    """What is asked of you, or whom the table waits for."""
    to_move: int | None
    last_round: bool
    tokens: dict[str, int]
    piles: dict[str, int]
    row1: list[DisplayCard]
    row2: list[DisplayCard]
    drawn: str | None
    drawn_choices: list[int]
    discard: list[str]
    out: list[str]
    remaining: dict[str, dict[str, int]]
    """By pile: the cards whose place the viewer does not know, with their number."""
    players: list[PlayerState]
    choices: list[Choice]
    can_undo: bool
    auto_pass: Literal["change", "phase", "off"]
    modules: ModuleState
    log: list[LogLine]
    """The newest lines; earlier ones with GET /api/tables/ID/log."""
    chat: list[ChatLine]
    final: list[FinalLine] | None
    winners: list[int] | None
    rematch: str | None
    """Table of the rematch once there is one."""


class SuggestionLine(Model):
    action: str
    label: str
    expected: float | None
    win: float | None
    reason: str


class HintReply(Model):
    type: Literal["hint"] = "hint"
    version: int
    suggestions: list[SuggestionLine]


class ErrorReply(Model):
    type: Literal["error"] = "error"
    code: ErrorCode
    message: str


class Pong(Model):
    type: Literal["pong"] = "pong"


ServerMessage = Annotated[State | HintReply | ErrorReply | Pong, Field(discriminator="type")]


# ---- Replay of a finished game: GET /api/tables/ID/replay?step=N&seat=S&language=de


class ReplayStep(Model):
    steps: int
    step: int
    state: State
    evaluation: list[list[float]]
    """Per step the expected final score of every seat, as far as it has been computed."""


# ---- The guided first round: GET /api/guide?language=de

GuidePoint = Literal["phases", "row1", "row2", "question", "area", "players", "track"]


class GuideStep(Model):
    title: str
    text: str
    state: State
    expected: str | None
    """The action that the learner is asked for, one of `choices`; None where there is only something to read."""
    otherwise: str | None
    """What to say to another legal action."""
    point: GuidePoint
    """The part of the table that the text is about."""


class Guide(Model):
    """The worked example of the rules, seen from the seat that the learner has."""

    steps: list[GuideStep]
