# ruff: noqa: D101
"""The state of a table as one viewer may see it: what is on the table, and what can be done."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from nevsky.server.protocol.base import Model, Status
from nevsky.server.protocol.modules import ModuleState, PlayerModules
from nevsky.server.protocol.ruleset import RulesetInfo


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


ReasonKey = Literal[
    "turn",  # it is somebody else's turn
    "question",  # another question comes first
    "price",  # not enough rubles
    "replace",  # no card that it could replace
    "purple",  # purple cards can only be taken
    "effect",  # the effect of a purple card is of no use now
    "must_buy",  # the first workers can only be bought
    "hand",  # the hand is full
    "now",
]


class Reason(Model):
    """Why something cannot be done with a card now."""

    key: ReasonKey
    text: str
    """The whole sentence."""
    missing: int | None = None
    """With the key `price`: how many rubles are missing."""


class DisplayCard(Model):
    card: str
    cost: int
    price: int | None
    """Your cheapest price now, None for spectators and for cards that cannot be bought."""
    buy: bool
    take: bool
    why_not: list[Reason]
    """What stands against buying it, and against taking it."""
    choices: list[int]
    """Places in `choices` of the state."""


class HandView(Model):
    pile: str
    card: str | None
    """None where only the back is known."""
    price: int | None = None
    """Your cheapest price now; None on the hands of others and for cards that cannot be played for rubles."""
    why_not: list[Reason] = Field(default_factory=list)
    """Why one of your own cards cannot be played now."""
    choices: list[int] = Field(default_factory=list)


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


class PlayerState(PlayerModules):
    """A seat and what lies there; what has a default has it until the cards are dealt."""

    seat: int
    name: str
    """Empty for a free seat."""
    bot: str | None
    """The level of a bot, None for people."""
    connected: bool
    away: bool
    """A bot plays for this person."""
    rubles: int | None = None
    """None where the viewer may not know them."""
    points: int = 0
    hand: list[HandView] = Field(default_factory=list)
    hand_limit: int = 3
    area: list[AreaCard] = Field(default_factory=list)
    income: list[Income] = Field(default_factory=list)
    """What the next scoring of each phase would bring."""
    different_nobles: int = 0
    noble_points: int = 0
    next_noble_points: int = 1
    """What one more different noble would add."""
    projected: int | None = None
    """Score if the game ended now, where the viewer may know it."""
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


class TableState(Model):
    """The whole table as the viewer may see it; sent after every change.

    What has a default has it until the cards are dealt.
    """

    type: Literal["state"] = "state"
    table: str
    version: int
    status: Status
    you: int | None
    """Your seat, None for spectators."""
    ruleset: RulesetInfo
    round: int = 0
    phase: str = "worker"
    phases: list[str]
    due: str | None = None
    """The kind of decision that is due."""
    question: str
    """What is asked of you, or whom the table waits for."""
    to_move: int | None = None
    last_round: bool = False
    tokens: dict[str, int] = Field(default_factory=dict)
    """By phase: the seat that begins."""
    piles: dict[str, int] = Field(default_factory=dict)
    """By pile: how many cards are left."""
    row1: list[DisplayCard] = Field(default_factory=list)
    row2: list[DisplayCard] = Field(default_factory=list)
    drawn: str | None = None
    """The card being looked at, if you may see it."""
    drawn_price: int | None = None
    """Your cheapest price for the drawn card."""
    drawn_why_not: list[Reason] = Field(default_factory=list)
    """What you cannot do with the drawn card, and why."""
    drawn_choices: list[int] = Field(default_factory=list)
    """Places in `choices` that are about the drawn card."""
    discard: list[str] = Field(default_factory=list)
    out: list[str] = Field(default_factory=list)
    """Cards out of the game."""
    remaining: dict[str, dict[str, int]] = Field(default_factory=dict)
    """By pile: the cards whose place the viewer does not know, with their number."""
    players: list[PlayerState]
    choices: list[Choice] = Field(default_factory=list)
    can_undo: bool
    auto_pass: Literal["change", "phase", "off"]
    modules: ModuleState = Field(default_factory=ModuleState)
    log: list[LogLine]
    """The newest lines; earlier ones with GET /api/tables/ID/log."""
    chat: list[ChatLine]
    final: list[FinalLine] | None = None
    winners: list[int] | None = None
    rematch: str | None
    """Table of the rematch once there is one."""
