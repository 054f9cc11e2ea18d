# ruff: noqa: D101
"""The state of a table as one viewer may see it: what is on the table, and what can be done."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from nevsky.server.protocol.base import Status, plain
from nevsky.server.protocol.modules import ModuleState, PlayerModules
from nevsky.server.protocol.ruleset import RulesetInfo


@plain
class PriceStep(TypedDict):
    text: str
    """In words, such as 'same name: 2 Fur Trappers'."""
    rubles: int


@plain
class Choice(TypedDict):
    """One legal action, ready to be shown."""

    action: str
    label: str
    verb: str
    card: str | None
    row: int | None
    onto: str | None
    to: Literal["area", "hand"] | None
    """Where the card will lie with the player; None if it does not come to them, or not at once."""
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


@plain
class Reason(TypedDict):
    """Why something cannot be done with a card now."""

    key: ReasonKey
    text: str
    """The whole sentence."""
    missing: int | None
    """With the key `price`: how many rubles are missing."""


@plain
class DisplayCard(TypedDict):
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


@plain
class HandView(TypedDict):
    pile: str
    card: str | None
    """None where only the back is known."""
    price: int | None
    """Your cheapest price now; None on the hands of others and for cards that cannot be played for rubles."""
    why_not: list[Reason]
    """Why one of your own cards cannot be played now."""
    choices: list[int]


@plain
class AreaCard(TypedDict):
    card: str
    count: int
    face_down: int
    covered: bool
    attached: list[str]
    tile: str | None


@plain
class Income(TypedDict):
    phase: str
    rubles: int
    points: int


@plain
class PaceInfo(TypedDict):
    """How much time there is at a table with a clock."""

    pace: Literal["live", "relaxed"]
    decision_seconds: float
    """The free part of each decision."""
    reserve_seconds: float
    """What every player has beyond that for the whole game."""


@plain
class PlayerInfo(TypedDict):
    """Who sits on a seat."""

    seat: int
    name: str
    """Empty for a free seat."""
    bot: str | None
    """The level of a bot, None for people."""
    connected: bool
    away: bool
    """A bot plays for this person."""
    clock_seconds: float | None
    """The player to move: what is left of the free part of the decision."""
    reserve_seconds: float | None
    """What is left of the player's reserve, which is used when the free part is; None without a clock."""
    missed: int
    """How many decisions in a row a bot has made because the player's time ran out."""
    resigned: bool
    """A bot plays to the end for this person, who comes last."""
    wants_end: bool
    """This person would end the game without a result."""
    reserved: str | None
    """For whom a free seat is kept; None where it is for everybody."""
    vacation: str | None
    """Until when this person is away: a clock that counts days stands still for them. None if they are not."""


@plain
class PlayerCards(PlayerModules):
    """What lies in front of a player: nothing until the cards are dealt."""

    rubles: int | None
    """None where the viewer may not know them."""
    points: int
    hand: list[HandView]
    hand_limit: int
    area: list[AreaCard]
    income: list[Income]
    """What the next scoring of each phase would bring."""
    different_nobles: int
    noble_points: int
    next_noble_points: int
    """What one more different noble would add."""
    projected: int | None
    """Score if the game ended now, where the viewer may know it."""


@plain
class PlayerState(PlayerInfo, PlayerCards):
    """A seat: who sits there and what lies there."""


@plain
class GainLine(TypedDict):
    """What a seat got beyond what its action says, at a scoring or from cards, events and tiles."""

    seat: int
    rubles: int
    points: int


@plain
class LogLine(TypedDict):
    number: int
    round: int
    phase: str
    seat: int | None
    text: str
    passed: bool
    """The move was to pass."""
    auto: bool
    late: bool
    """A bot decided, since the player's time had run out."""
    gains: NotRequired[list[GainLine]]
    """What the line tells of, where it tells what players got."""


@plain
class ChatLine(TypedDict):
    seat: int | None
    name: str
    text: str
    at: str
    speaker: str
    """The same for all lines of one guest at this table, whatever their name; it says nothing else about them."""


@plain
class FinalLine(TypedDict):
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


@plain
class DailyMark(TypedDict):
    deal: str
    """Its name: 2026-11-18, 2026-W47."""
    counts: bool
    """Whether it is the try that counts: without hints, and nothing is taken back."""


@plain
class TableInfo(TypedDict):
    """What all viewers see alike of a table: what it is, and what was said at it."""

    type: Literal["state"]
    table: str
    status: Status
    owner: int | None
    """The seat of whoever may change the table before the start."""
    public: bool
    show_seen_cards: bool
    ruleset: RulesetInfo
    phases: list[str]
    clock: PaceInfo | None
    """None without a clock."""
    paused: bool
    """No player is there: clocks stand still, and bots wait."""
    conceded: bool
    """Everybody but one has resigned: the game is over, without a final scoring."""
    chat: list[ChatLine]
    rematch: str | None
    """Table of the rematch once there is one."""
    daily: DailyMark | None
    """Where the deal of a day or a week is played."""
    rated: bool
    """Whether the game changes the ratings of its players."""
    tournament: str | None
    """Of which the game is a part."""


@plain
class TableCards(TypedDict):
    """What lies openly on the table: nothing until the cards are dealt."""

    round: int
    phase: str
    due: str | None
    """The kind of decision that is due."""
    to_move: int | None
    last_round: bool
    tokens: dict[str, int]
    """By phase: the seat that begins."""
    piles: dict[str, int]
    """By pile: how many cards are left."""
    discard: list[str]
    out: list[str]
    """Cards out of the game."""
    final: list[FinalLine] | None
    winners: list[int] | None


@plain
class SharedState(TableInfo, TableCards):
    """What all viewers see alike."""


@plain
class OwnCards(TypedDict):
    """What each viewer sees in their own way: what they can do, what it costs them, and what they alone may know."""

    you: int | None
    """Your seat, None for spectators."""
    row1: list[DisplayCard]
    row2: list[DisplayCard]
    drawn: str | None
    """The card being looked at, if you may see it."""
    drawn_price: int | None
    """Your cheapest price for the drawn card."""
    drawn_why_not: list[Reason]
    """What you cannot do with the drawn card, and why."""
    drawn_choices: list[int]
    """Places in `choices` that are about the drawn card."""
    remaining: dict[str, dict[str, int]]
    """By pile: the cards whose place the viewer does not know, with their number."""
    choices: list[Choice]
    may_pass: bool
    """Whether you may pass now or, while others decide, at your next turn of this phase."""
    modules: ModuleState


@plain
class OwnState(OwnCards):
    """All that is different for each viewer, but for the log and how they see themselves."""

    serial: int
    """Grows with every change that the viewer sees; patches say to which state they belong."""
    version: int
    question: str
    """What is asked of you, or whom the table waits for."""
    can_undo: bool
    auto_pass: Literal["change", "phase", "off"]


@plain
class TableState(SharedState, OwnState):
    """The whole table as the viewer may see it."""

    log: list[LogLine]
    """The newest lines; earlier ones with GET /api/tables/ID/log."""
    players: list[PlayerState]
