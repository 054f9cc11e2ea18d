"""How the server is set up: by the environment (NEVSKY_...) and by flags."""

from __future__ import annotations

import os
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, NamedTuple, get_type_hints

from nevsky.errors import NevskyError
from nevsky.server.clock import Pace
from nevsky.server.setting_kinds import (
    POSTGRES,
    Advertised,
    Count,
    CountOrAll,
    Database,
    Days,
    DaysAway,
    Entrants,
    LeaseSeconds,
    Level,
    LogLevel,
    MailFrom,
    Milliseconds,
    Minutes,
    Networks,
    Origins,
    Patience,
    Pause,
    Port,
    PublicUrl,
    RateText,
    RedisUrl,
    Reserve,
    Seconds,
    Secret,
    SmtpUrl,
    Workers,
    convert,
    without_password,
)

__all__ = ["USUAL", "Settings", "unknown", "unlimited"]

_PREFIX: Final = "NEVSKY_"
_OTHER: Final = ("NEVSKY_PURE", "NEVSKY_NO_WEB", "NEVSKY_TEST_")
"""Variables that are no settings: those of the build, and beginnings of those that tests use."""


def _default_database() -> str:
    base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return str(Path(base) / "nevsky" / "nevsky.db")


class Settings(NamedTuple):
    """Everything that can be set; NEVSKY_PORT sets ``port`` and so on."""

    host: str = "127.0.0.1"
    port: Port = 8000
    database: Database = ""
    """The SQLite file; empty: nevsky/nevsky.db in the user's data directory. Or postgresql://user:password@host/name."""
    redis: RedisUrl = ""
    """Where Redis is, for several processes that serve together; empty: there is none."""
    advertise: Advertised = ""
    """Where other servers on the same PostgreSQL reach this one; empty: http:// with its host and port."""
    lease_seconds: LeaseSeconds = 3.0
    """How long a server on PostgreSQL may be silent before others take over its tables."""
    secret: Secret = ""
    """Signs the cookies; empty: kept in a file beside the database. With PostgreSQL it has to be set."""
    origins: Origins = ""
    """More origins, with commas, that may open WebSockets and send requests, besides the server's own."""
    trusted_proxies: Networks = "127.0.0.1,::1"
    """Addresses and networks, with commas, whose X-Forwarded-For is believed."""
    secure_cookies: bool = False
    """Whether browsers send the cookie over HTTPS only: switch on behind a TLS proxy."""
    public_url: PublicUrl = ""
    """Where people reach the server, like https://play.example: for links in mail, and for passkeys."""
    profiles: bool = True
    """Whether guests may have something to sign in with."""
    passkeys: bool = True
    """Whether that may be a passkey."""
    smtp_url: SmtpUrl = ""
    """The mail server, smtp://user:password@host:587 or smtps://; empty: nothing is sent; log: it goes to the log."""
    mail_from: MailFrom = ""
    """Who mail comes from, like Nevsky <nevsky@play.example>."""
    bot_workers: Workers = 0
    """Processes that think for bots; 0: one less than there are cores, but at least one. With Redis workers elsewhere
    think instead, and 0 is one, which starts when there is no worker."""
    bot_milliseconds: Milliseconds = 2000
    """How long a bot may think at most; each level has its own time."""
    bot_grace: Patience = 15.0
    """Seconds beyond its thinking time after which a worker that has not answered is killed and replaced."""
    bot_queue: Count = 60
    """Hints that may wait for one address, and so for reviews; ten times as many for all."""
    bot_pause: Pause = 0.7
    """Seconds that a bot waits before it moves, so that people can follow and take back."""
    away_level: Level = ""
    """Level of the bot that stands in for people; empty: a middle one."""
    idle_seconds: Seconds = 300.0
    """A table that nobody watches leaves memory after this time."""
    away_seconds: Seconds = 60.0
    """Others may let a bot play for somebody who has been disconnected for this long."""
    live_seconds: Seconds = 120.0
    """Time for each decision at live tables, unless the table says otherwise."""
    live_reserve_seconds: Reserve = 300.0
    """What a player has beyond that for the whole game; then a bot decides."""
    relaxed_seconds: Seconds = 48 * 3600.0
    """The same at relaxed tables."""
    relaxed_reserve_seconds: Reserve = 72 * 3600.0
    message_rate: RateText = "40 per 5 second"
    """Of one connection; the next five are of one guest."""
    chat_rate: RateText = "5 per 10 second"
    hint_rate: RateText = "10 per minute"
    review_rate: RateText = "20 per hour"
    request_rate: RateText = "600 per minute"
    table_rate: RateText = "30 per minute"
    invitation_rate: RateText = "20 per minute"
    message_rate_per_address: RateText = "500 per 5 second"
    chat_rate_per_address: RateText = "100 per 10 second"
    hint_rate_per_address: RateText = "60 per minute"
    review_rate_per_address: RateText = "100 per hour"
    request_rate_per_address: RateText = "3000 per minute"
    table_rate_per_address: RateText = "60 per minute"
    invitation_rate_per_address: RateText = "60 per minute"
    guest_rate_per_address: RateText = "100 per minute"
    """New guests."""
    sign_in_rate_per_address: RateText = "100 per 10 minute"
    """Passkeys and links of mail that somebody tries to use."""
    mail_rate: RateText = "5 per hour"
    """Links that are sent to one mailbox, whoever asks for them."""
    mail_rate_per_address: RateText = "30 per hour"
    """Links that one address asks for."""
    sockets: CountOrAll = 0
    """WebSockets in all; 0: as many as the limit of open files leaves room for."""
    sockets_per_address: Count = 200
    connections_per_address: Count = 500
    """Connections of any kind, where no trusted proxy is in between."""
    spectators_per_address: Count = 60
    """At one table."""
    keep_guests_days: Days = 30.0
    """Guests who sit at no table are forgotten so long after their last visit."""
    keep_open_days: Days = 7.0
    """Tables that never started are deleted after this time without a change."""
    keep_chat_days: Days = 90.0
    """The chat of finished games is deleted after this time."""
    keep_games_days: Days = 0.0
    """Finished games are deleted after this time; 0: never."""
    keep_ended_days: Days = 30.0
    """Games that whoever runs the server has stopped are deleted after this time."""
    keep_unattended_days: Days = 7.0
    """Games of bots among themselves are deleted after this time without a move."""
    keep_unfinished_days: Days = 180.0
    """All other games are deleted so long after the last move, unless a clock runs; 0: never."""
    keep_audit_days: Days = 365.0
    """The same for the audit log."""
    keep_devices_days: Days = 365.0
    """A browser that has not been here for so long is signed out."""
    open_table_minutes: Minutes = 15.0
    """An open table where nobody waits any more leaves the public list after this time."""
    open_tables_per_guest: Count = 10
    open_tables_per_address: Count = 60
    public_tables_per_address: Count = 25
    """Open ones, on the public list."""
    bot_tables_per_address: Count = 100
    """Games of bots among themselves that are not over."""
    lobby: bool = True
    """Whether the first page shows live who is there and which tables wait."""
    matching: bool = True
    """Whether people may wait there to be matched with others."""
    waiting_per_address: Count = 20
    """How many of one address may wait at the same time."""
    people: bool = True
    """Whether people may follow, block and invite each other."""
    push: bool = True
    """Whether browsers can be sent messages while nobody looks at the page."""
    push_anywhere: bool = False
    """Send messages also to addresses of the own network, and unencrypted: for tests only."""
    notice_seconds: Pause = 60.0
    """So long after something has happened people who are not there are told."""
    service_worker: bool = True
    """Whether the app can be installed; off: browsers that have a service worker lose it."""
    daily: bool = True
    """Whether there is a deal of the day and one of the week."""
    daily_rate_per_address: RateText = "30 per day"
    """Tries that count."""
    keep_daily_days: Days = 400.0
    """Deals of days and weeks are deleted after this time, with their tables."""
    puzzles: bool = True
    """Whether there are puzzles."""
    puzzle_rate: RateText = "60 per minute"
    """Answers of one guest, and of one address."""
    puzzle_rate_per_address: RateText = "600 per minute"
    ratings: bool = True
    """Whether tables can be rated."""
    tournaments: bool = True
    """Whether people may make tournaments."""
    tournaments_per_guest: Count = 3
    """That one guest has made and that are not over."""
    tournaments_per_address: Count = 10
    tournament_players: Entrants = 64
    """Of one tournament."""
    tournament_players_per_address: Count = 32
    keep_tournaments_days: Days = 400.0
    """Tournaments that are over are deleted after this time; their games stay."""
    vacation_days: DaysAway = 14
    """How long somebody may be away in one stretch; 0: nobody can."""
    vacation_days_per_year: DaysAway = 30
    log_level: LogLevel = "info"

    @property
    def postgres(self) -> str | None:
        """The address of the PostgreSQL, None with SQLite."""
        return self.database if self.database.startswith(POSTGRES) else None

    @property
    def shown_database(self) -> str:
        """Where the database is, without passwords."""
        return str(self.database_path) if self.postgres is None else without_password(self.postgres)

    @property
    def where(self) -> Path | str:
        """What the storage is opened with."""
        return self.postgres or self.database_path

    @property
    def database_path(self) -> Path:
        """Where the database lies, if it is a file."""
        return Path(self.database or _default_database())

    @property
    def public_address(self) -> str:
        """Where people reach the server, as links begin."""
        return self.public_url.rstrip("/") or f"http://{self.host}:{self.port}"

    @property
    def switched_off(self) -> list[str]:
        """What pages need not lead to, since there is no such thing here."""
        there = {
            "people": self.people,
            "puzzles": self.puzzles,
            "daily": self.daily,
            "matching": self.lobby and self.matching,
            "ratings": self.ratings and self.profiles,
            "tournaments": self.tournaments,
        }
        return [name for name, on in there.items() if not on]

    @property
    def live(self) -> Pace:
        """How much time there usually is at live tables."""
        return Pace(self.live_seconds, self.live_reserve_seconds)

    @property
    def relaxed(self) -> Pace:
        """The same at relaxed tables."""
        return Pace(self.relaxed_seconds, self.relaxed_reserve_seconds)

    def pace(self, kind: str) -> Pace | None:
        """How much time there usually is at tables of this kind, None without a clock."""
        return {"live": self.live, "relaxed": self.relaxed}.get(kind)

    @classmethod
    def read(cls, environment: Mapping[str, str] | None = None, **flags: Any) -> Settings:
        """Settings from the environment; flags that are not None win."""
        source = os.environ if environment is None else environment
        values: dict[str, Any] = {}
        types = get_type_hints(cls)
        for name in cls._fields:
            given = source.get(_variable(name))
            if given is not None and given != "":
                values[name] = convert(name.upper(), given, types[name])
        values.update((name, value) for name, value in flags.items() if value is not None)
        settings = cls(**values)
        settings.check()
        return settings

    def check(self) -> None:
        """Refuse what makes no sense, in a sentence."""
        for name, kind in get_type_hints(Settings, include_extras=True).items():
            for bounds in getattr(kind, "__metadata__", ()):
                bounds(name.upper(), getattr(self, name))
        if self.smtp_url not in ("", "log") and not (self.public_url and self.mail_from):
            raise NevskyError("setting.mail")


def unknown(environment: Mapping[str, str]) -> dict[str, str]:
    """Variables that look like settings and are none, each with the setting that may be meant, or nothing."""
    known = [_variable(name) for name in Settings._fields]
    return {
        name: next(iter(get_close_matches(name, known, 1, 0.8)), "")
        for name in sorted(environment)
        if name.startswith(_PREFIX) and name not in known and not name.startswith(_OTHER)
    }


def _variable(name: str) -> str:
    return f"{_PREFIX}{name.upper()}"


USUAL: Final = Settings()
"""A server where nothing was set."""


def unlimited() -> dict[str, Any]:
    """Settings that let one address do what a thousand would, for measurements."""
    rates = {name: "1000000 per second" for name in Settings._fields if "_rate" in name}
    counts = {name: 1_000_000 for name in Settings._fields if name.endswith(("_per_address", "_per_guest"))}
    return counts | rates
