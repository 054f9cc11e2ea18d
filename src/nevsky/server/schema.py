"""The tables of the database as the newest migration leaves them, and their rows in Python."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import sqlalchemy as sa

__all__ = [
    "CHAT_SHOWN",
    "DUE",
    "ENDED",
    "GIVEN_UP",
    "STOPPED",
    "VOID",
    "ChatRow",
    "Entry",
    "SeatRow",
    "Stored",
    "TableRow",
    "address_bans",
    "audit",
    "chat",
    "companions",
    "daily_deals",
    "daily_tries",
    "devices",
    "evaluations",
    "guests",
    "invitations",
    "leases",
    "log",
    "mail_addresses",
    "mail_links",
    "notice_wishes",
    "notices",
    "passkeys",
    "people",
    "processes",
    "profiles",
    "push_devices",
    "puzzle_ratings",
    "puzzle_tries",
    "rated_seats",
    "rating_changes",
    "ratings",
    "reviews",
    "seats",
    "tables",
    "ties",
    "tournament_players",
    "tournament_tables",
    "tournaments",
    "used_challenges",
    "vacations",
    "wishes",
]

ENDED: Final = "ended"
"""The status of a game that whoever runs the server has stopped."""
GIVEN_UP: Final = "given_up"
"""The status of a game that its players have ended without a result."""
STOPPED: Final = (ENDED, GIVEN_UP)
DUE: Final = "due"
"""The rating of a table whose game counts, as long as it is not settled; then it is ``done`` or ``void``."""
VOID: Final = "void"
"""The rating of a table whose game did not count."""
CHAT_SHOWN: Final = 50
"""Lines of chat that are loaded with a table."""
metadata: Final = sa.MetaData()

guests: Final = sa.Table(
    "guests",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("name", sa.String(40), nullable=False),
    sa.Column("created", sa.String(32), nullable=False),
    sa.Column("last_seen", sa.String(32), nullable=False, server_default=""),
    sa.Column("muted", sa.String(32)),
    sa.Column("banned", sa.String(32)),
    sa.Column("named", sa.Boolean, nullable=False, server_default=sa.false()),
)
tables: Final = sa.Table(
    "tables",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("created", sa.String(32), nullable=False),
    sa.Column("updated", sa.String(32), nullable=False),
    sa.Column("status", sa.String(8), nullable=False),
    sa.Column("ruleset", sa.JSON, nullable=False),
    sa.Column("public", sa.Boolean, nullable=False),
    sa.Column("pace", sa.String(8), nullable=False),
    sa.Column("show_seen_cards", sa.Boolean, nullable=False),
    sa.Column("deal", sa.JSON),
    sa.Column("round", sa.Integer),
    sa.Column("to_move", sa.Integer),
    sa.Column("to_move_shown", sa.Integer),
    sa.Column("winners", sa.JSON),
    sa.Column("rematch", sa.String(32)),
    sa.Column("clock", sa.JSON(none_as_null=True)),
    sa.Column("deadline", sa.String(32)),
    sa.Column("scores", sa.JSON(none_as_null=True)),
    sa.Column("owner", sa.String(32)),
    sa.Column("daily", sa.String(10)),
    sa.Column("practice", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("rating", sa.String(8)),
    sa.Column("tournament", sa.String(32)),
)
seats: Final = sa.Table(
    "seats",
    metadata,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("guest", sa.String(32)),
    sa.Column("token", sa.String(64), nullable=False),
    sa.Column("name", sa.String(40)),
    sa.Column("level", sa.String(20)),
    sa.Column("away", sa.Boolean, nullable=False),
    sa.Column("reserved_for", sa.String(32)),
    sa.Column("passing", sa.JSON),
    sa.Column("resigned", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("wants_end", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("reserved_name", sa.String(40)),
    sa.Column("resigned_after", sa.Integer),
)
log: Final = sa.Table(
    "log",
    metadata,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("action", sa.String(200)),
    sa.Column("by", sa.String(8), nullable=False),
    sa.Column("at", sa.String(32), nullable=False),
)
chat: Final = sa.Table(
    "chat",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("table_id", sa.String(32)),
    sa.Column("seat", sa.Integer),
    sa.Column("name", sa.String(40), nullable=False),
    sa.Column("text", sa.String(300), nullable=False),
    sa.Column("at", sa.String(32), nullable=False),
    sa.Column("guest", sa.String(32)),
)
companions: Final = sa.Table(
    "companions",
    metadata,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("guest", sa.String(32), primary_key=True),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("at", sa.String(32), nullable=False),
)
evaluations: Final = sa.Table(
    "evaluations",
    metadata,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("game", sa.String(64), nullable=False),
    sa.Column("scores", sa.JSON, nullable=False),
    sa.Column("chances", sa.JSON, nullable=False),
)
"""What a search thought of every step of a finished game; `game` tells which moves, and which search."""
profiles: Final = sa.Table(
    "profiles",
    metadata,
    sa.Column("guest", sa.String(32), primary_key=True),
    sa.Column("created", sa.String(32), nullable=False),
    sa.Column("public", sa.Boolean, nullable=False, server_default=sa.true()),
)
"""Guests who have something to sign in with. They are the same guests everywhere else."""
passkeys: Final = sa.Table(
    "passkeys",
    metadata,
    sa.Column("id", sa.String(1400), primary_key=True),
    sa.Column("guest", sa.String(32), nullable=False),
    sa.Column("public_key", sa.Text, nullable=False),
    sa.Column("sign_count", sa.BigInteger, nullable=False),
    sa.Column("name", sa.String(40), nullable=False),
    sa.Column("created", sa.String(32), nullable=False),
    sa.Column("last_used", sa.String(32), nullable=False),
)
"""Credentials of WebAuthn; ids and keys are in base64url."""
mail_addresses: Final = sa.Table(
    "mail_addresses",
    metadata,
    sa.Column("address", sa.String(254), primary_key=True),
    sa.Column("guest", sa.String(32), nullable=False),
    sa.Column("confirmed", sa.String(32), nullable=False),
    sa.Column("language", sa.String(8), nullable=False),
)
"""In small letters, each of one profile, and only once its link was used."""
devices: Final = sa.Table(
    "devices",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("guest", sa.String(32), nullable=False),
    sa.Column("name", sa.String(40), nullable=False),
    sa.Column("created", sa.String(32), nullable=False),
    sa.Column("last_used", sa.String(32), nullable=False),
)
"""Browsers that are signed in to a profile. The cookie of one that is not here any more is worth nothing."""
mail_links: Final = sa.Table(
    "mail_links",
    metadata,
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("address", sa.String(254), nullable=False),
    sa.Column("guest", sa.String(32)),
    sa.Column("created", sa.String(32), nullable=False),
    sa.Column("used", sa.Boolean, nullable=False, server_default=sa.false()),
)
"""Links that were sent, by the hash of their token; they also tell how many mails an address got of late."""
used_challenges: Final = sa.Table(
    "used_challenges",
    metadata,
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("expires", sa.String(32), nullable=False),
)
"""Challenges of passkeys that were answered, for as long as somebody could answer them once more."""
reviews: Final = sa.Table(
    "reviews",
    metadata,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("game", sa.String(64), nullable=False),
    sa.Column("verdicts", sa.JSON, nullable=False),
    sa.Column("luck", sa.JSON(none_as_null=True)),
)
"""The verdicts on the decisions of a seat in a finished game, part by part; `game` tells which moves, and the judge.
`luck` is how good the deal was, once it is known."""
notice_wishes: Final = sa.Table(
    "notice_wishes",
    metadata,
    sa.Column("guest", sa.String(32), primary_key=True),
    sa.Column("kinds", sa.String(60), nullable=False),
    sa.Column("language", sa.String(8), nullable=False),
    sa.Column("zone", sa.String(64), nullable=False),
    sa.Column("quiet_from", sa.Integer),
    sa.Column("quiet_until", sa.Integer),
    sa.Column("mail", sa.Boolean, nullable=False, server_default=sa.false()),
)
"""What guests want to be told of while they are not there."""
push_devices: Final = sa.Table(
    "push_devices",
    metadata,
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("guest", sa.String(32), nullable=False),
    sa.Column("endpoint", sa.String(1000), nullable=False),
    sa.Column("p256dh", sa.String(100), nullable=False),
    sa.Column("auth", sa.String(40), nullable=False),
    sa.Column("created", sa.String(32), nullable=False),
    sa.Column("failures", sa.Integer, nullable=False),
)
"""Browsers that take messages, by the hash of the address where their push service takes them."""
notices: Final = sa.Table(
    "notices",
    metadata,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("guest", sa.String(32), primary_key=True),
    sa.Column("kind", sa.String(8), primary_key=True),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("due", sa.String(32), nullable=False),
    sa.Column("sent", sa.String(32)),
)
"""The last thing of each kind that somebody is to be told about a table, and whether they were: never twice."""
vacations: Final = sa.Table(
    "vacations",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("guest", sa.String(32), nullable=False),
    sa.Column("begins", sa.String(32), nullable=False),
    sa.Column("until", sa.String(32), nullable=False),
)
"""When guests are away, and were within the last year, since that is counted."""
daily_deals: Final = sa.Table(
    "daily_deals",
    metadata,
    sa.Column("id", sa.String(10), primary_key=True),
    sa.Column("begins", sa.String(32), nullable=False),
    sa.Column("seed", sa.String(64), nullable=False),
    sa.Column("ruleset", sa.JSON, nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("bots", sa.JSON, nullable=False),
    sa.Column("master", sa.JSON(none_as_null=True)),
    sa.Column("thinking", sa.String(32)),
)
"""The deals of days and weeks. `master`: the scores where master played the seat; `thinking`: since when somebody
finds that out."""
daily_tries: Final = sa.Table(
    "daily_tries",
    metadata,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("deal", sa.String(10), nullable=False),
    sa.Column("guest", sa.String(32)),
    sa.Column("name", sa.String(40), nullable=False),
    sa.Column("started", sa.String(32), nullable=False),
    sa.Column("status", sa.String(8), nullable=False),
    sa.Column("score", sa.Integer),
    sa.Column("place", sa.Integer),
)
"""Tries that count, one of each guest for each deal. They outlive their tables, and the guests too."""
puzzle_tries: Final = sa.Table(
    "puzzle_tries",
    metadata,
    sa.Column("guest", sa.String(32), primary_key=True),
    sa.Column("puzzle", sa.String(8), primary_key=True),
    sa.Column("action", sa.String(200), nullable=False),
    sa.Column("solved", sa.Boolean, nullable=False),
    sa.Column("change", sa.Float, nullable=False),
    sa.Column("at", sa.String(32), nullable=False),
)
"""The first answer of each guest to each puzzle, and what it changed about their rating."""
puzzle_ratings: Final = sa.Table(
    "puzzle_ratings",
    metadata,
    sa.Column("puzzle", sa.String(8), primary_key=True),
    sa.Column("change", sa.Float, nullable=False),
    sa.Column("tries", sa.Integer, nullable=False),
    sa.Column("solved", sa.Integer, nullable=False),
)
"""How the ratings of puzzles have changed since they were mined. Nobody is named here."""
ratings: Final = sa.Table(
    "ratings",
    metadata,
    sa.Column("guest", sa.String(32), primary_key=True),
    sa.Column("family", sa.String(8), primary_key=True),
    sa.Column("players", sa.Integer, primary_key=True),
    sa.Column("mu", sa.Float, nullable=False),
    sa.Column("sigma", sa.Float, nullable=False),
    sa.Column("games", sa.Integer, nullable=False),
    sa.Column("updated", sa.String(32), nullable=False),
)
"""How strong profiles seem to be, by what is played and how many play it."""
rating_changes: Final = sa.Table(
    "rating_changes",
    metadata,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("guest", sa.String(32), nullable=False),
    sa.Column("family", sa.String(8), nullable=False),
    sa.Column("players", sa.Integer, nullable=False),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("place", sa.Integer, nullable=False),
    sa.Column("weight", sa.Float, nullable=False),
    sa.Column("mu_before", sa.Float, nullable=False),
    sa.Column("sigma_before", sa.Float, nullable=False),
    sa.Column("mu", sa.Float, nullable=False),
    sa.Column("sigma", sa.Float, nullable=False),
    sa.Column("at", sa.String(32), nullable=False),
)
"""What every rated game did to a rating; `number` counts the games of a guest. They outlive their tables."""
rated_seats: Final = sa.Table(
    "rated_seats",
    metadata,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("guest", sa.String(32), nullable=False),
    sa.Column("browser", sa.String(64)),
    sa.Column("network", sa.String(64)),
)
"""From where people sat down at a rated table, as hashes that mean nothing elsewhere; until the game is settled."""
tournaments: Final = sa.Table(
    "tournaments",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("name", sa.String(60), nullable=False),
    sa.Column("owner", sa.String(32)),
    sa.Column("origin", sa.String(32)),
    sa.Column("created", sa.String(32), nullable=False),
    sa.Column("updated", sa.String(32), nullable=False),
    sa.Column("status", sa.String(8), nullable=False),
    sa.Column("public", sa.Boolean, nullable=False),
    sa.Column("ruleset", sa.JSON, nullable=False),
    sa.Column("pace", sa.String(8), nullable=False),
    sa.Column("decision", sa.Float, nullable=False),
    sa.Column("reserve", sa.Float, nullable=False),
    sa.Column("rounds", sa.Integer, nullable=False),
    sa.Column("round", sa.Integer, nullable=False),
    sa.Column("automatic", sa.Boolean, nullable=False),
)
"""What is played in them and how far they are. `origin` stands for the address of the maker while it goes on."""
tournament_players: Final = sa.Table(
    "tournament_players",
    metadata,
    sa.Column("tournament", sa.String(32), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("guest", sa.String(32)),
    sa.Column("name", sa.String(40), nullable=False),
    sa.Column("origin", sa.String(32)),
    sa.Column("joined", sa.String(32), nullable=False),
    sa.Column("dropped", sa.Boolean, nullable=False),
)
"""Who takes part. Everything else knows them by their numbers."""
tournament_tables: Final = sa.Table(
    "tournament_tables",
    metadata,
    sa.Column("tournament", sa.String(32), primary_key=True),
    sa.Column("round", sa.Integer, primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("table_id", sa.String(32), nullable=False),
    sa.Column("players", sa.JSON, nullable=False),
    sa.Column("status", sa.String(8), nullable=False),
    sa.Column("places", sa.JSON(none_as_null=True)),
    sa.Column("scores", sa.JSON(none_as_null=True)),
)
"""Who sat where in each round, and what came of it; the result outlives its table."""
address_bans: Final = sa.Table(
    "address_bans",
    metadata,
    sa.Column("network", sa.String(64), primary_key=True),
    sa.Column("at", sa.String(32), nullable=False),
    sa.Column("reason", sa.String(200), nullable=False),
)
audit: Final = sa.Table(
    "audit",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("at", sa.String(32), nullable=False),
    sa.Column("who", sa.String(40), nullable=False),
    sa.Column("command", sa.String(40), nullable=False),
    sa.Column("target", sa.String(200), nullable=False),
    sa.Column("details", sa.JSON, nullable=False),
)
processes: Final = sa.Table(
    "processes",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("address", sa.String(300), nullable=False),
    sa.Column("version", sa.String(32), nullable=False),
    sa.Column("started", sa.DateTime(timezone=True), nullable=False),
    sa.Column("until", sa.DateTime(timezone=True), nullable=False),
)
"""Servers that run, on one database; each renews its row all the time. Times are those of the database's clock."""
leases: Final = sa.Table(
    "leases",
    metadata,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("owner", sa.String(32)),
    sa.Column("epoch", sa.Integer, nullable=False),
)
"""In whose memory a table is. Whenever the owner changes, also to nobody, the epoch rises."""
wishes: Final = sa.Table(
    "wishes",
    metadata,
    sa.Column("guest", sa.String(32), primary_key=True),
    sa.Column("process", sa.String(32), nullable=False),
    sa.Column("ticket", sa.String(64), nullable=False),
    sa.Column("origin", sa.String(32), nullable=False),
    sa.Column("wanted", sa.JSON, nullable=False),
    sa.Column("since", sa.String(32), nullable=False),
    sa.Column("table_id", sa.String(32)),
)
"""Who waits to be matched, through which connection of which process, and the table once it is there."""
people: Final = sa.Table(
    "people",
    metadata,
    sa.Column("guest", sa.String(32), primary_key=True),
    sa.Column("handle", sa.String(32), nullable=False, unique=True),
    sa.Column("invitations", sa.String(8), nullable=False),
    sa.Column("shown", sa.Boolean, nullable=False),
)
"""What others may call a guest by whose id they never see, and what the guest allows."""
ties: Final = sa.Table(
    "ties",
    metadata,
    sa.Column("guest", sa.String(32), primary_key=True),
    sa.Column("other", sa.String(32), primary_key=True),
    sa.Column("kind", sa.String(8), nullable=False),
    sa.Column("at", sa.String(32), nullable=False),
)
"""Whom a guest follows, and whom they block: one or the other."""
invitations: Final = sa.Table(
    "invitations",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("table_id", sa.String(32), nullable=False),
    sa.Column("sender", sa.String(32), nullable=False),
    sa.Column("receiver", sa.String(32), nullable=False),
    sa.Column("at", sa.String(32), nullable=False),
    sa.Column("until", sa.String(32), nullable=False),
    sa.Column("declined", sa.Boolean, nullable=False),
)
"""Somebody is asked to come to a table; whoever declined is not asked again by the same person until it expires."""


class TableRow(NamedTuple):
    """One row of ``tables``."""

    id: str
    created: str
    updated: str
    """When the last change happened that everybody could see; the clock runs from then."""
    status: str
    ruleset: dict[str, Any]
    public: bool
    pace: str
    show_seen_cards: bool
    deal: dict[str, Any] | None = None
    """Piles, tokens, seed and what the modules dealt; None until the game starts."""
    round: int | None = None
    to_move: int | None = None
    to_move_shown: int | None = None
    """Who seems to be to move for everybody else: a secret question is not told of."""
    winners: list[int] | None = None
    rematch: str | None = None
    clock: dict[str, Any] | None = None
    """The times of the players; None without a clock."""
    deadline: str | None = None
    """When somebody's time runs out at a relaxed table."""
    scores: list[int] | None = None
    """The final score of every seat, once the game is over."""
    owner: str | None = None
    """The guest who may change the table before the game starts."""
    daily: str | None = None
    """The day or week whose deal is played."""
    practice: bool = False
    """Whether it is a try at such a deal that does not count."""
    rating: str | None = None
    """Of a rated game: ``due``, and once it is settled ``done`` or ``void``."""
    tournament: str | None = None
    """Of which it is a part."""

    @property
    def rated(self) -> bool:
        """Whether the game changes the ratings of its players."""
        return self.rating is not None

    @property
    def counts(self) -> bool:
        """Whether it is the try at such a deal that counts."""
        return self.daily is not None and not self.practice


class SeatRow(NamedTuple):
    """One row of ``seats``. It is free if it has neither a guest nor a level."""

    seat: int
    token: str
    guest: str | None = None
    name: str | None = None
    level: str | None = None
    """Of a bot; None for people."""
    away: bool = False
    """A bot stands in for the player."""
    reserved_for: str | None = None
    """After a rematch was asked for: the guest who may sit down here."""
    passing: dict[str, Any] | None = None
    """The player's wish to pass without being asked."""
    resigned: bool = False
    """A bot plays to the end for the player."""
    wants_end: bool = False
    """The player would end the game without a result."""
    reserved_name: str | None = None
    """For whom a free seat is kept. Whoever has its token may sit down, and a guest who is named in `reserved_for`."""
    resigned_after: int | None = None
    """How many moves had been made when the player resigned; unknown for some of older databases."""

    @property
    def free(self) -> bool:
        """Whether nobody sits here yet."""
        return self.guest is None and self.level is None

    @property
    def reserved(self) -> bool:
        """Whether it is free, but not for everybody."""
        return self.free and (self.reserved_for is not None or self.reserved_name is not None)

    @property
    def kept_for(self) -> str | None:
        """The name of whom a free seat is kept for, empty where it is not known; None where it is for everybody."""
        return (self.reserved_name or "") if self.reserved else None

    def emptied(self) -> SeatRow:
        """The same seat with nobody on it."""
        return SeatRow(self.seat, self.token)


class Entry(NamedTuple):
    """One line of a table's log; entries are only ever added."""

    number: int
    """From 1, without gaps."""
    seat: int
    action: str | None
    """None: the seat took back its last decision, with everything since."""
    by: str
    """``player``, ``bot``, ``time`` (a bot, since the time was up) or ``auto`` (passing without being asked)."""
    at: str


class ChatRow(NamedTuple):
    """One line of chat."""

    seat: int | None
    name: str
    text: str
    at: str
    guest: str | None = None
    """Who wrote it; unknown for some lines of older databases, and never told to others."""


class Stored(NamedTuple):
    """A whole table as it lies in the database."""

    table: TableRow
    seats: tuple[SeatRow, ...]
    log: tuple[Entry, ...]
    chat: tuple[ChatRow, ...]
    companions: tuple[tuple[str, int], ...] = ()
    """Guests who have used the link of a seat, the first one first."""
