"""How the server is set up: by the environment (NEVSKY_...) and by flags."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

from nevsky.errors import NevskyError

__all__ = ["Settings"]

_TRUE = ("1", "true", "yes", "on")
_FALSE = ("0", "false", "no", "off")


def _default_database() -> str:
    base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return str(Path(base) / "nevsky" / "nevsky.db")


class Settings(NamedTuple):
    """Everything that can be set; NEVSKY_PORT sets ``port`` and so on."""

    host: str = "127.0.0.1"
    port: int = 8000
    database: str = ""
    """The SQLite file; empty: nevsky/nevsky.db in the user's data directory."""
    secret: str = ""
    """Signs the cookies; empty: kept in a file beside the database."""
    origins: str = ""
    """More origins, with commas, that may open WebSockets and send requests, besides the server's own."""
    secure_cookies: bool = False
    """Whether browsers send the cookie over HTTPS only: switch on behind a TLS proxy."""
    bot_workers: int = 0
    """Processes that think for bots; 0: one less than there are cores, but at least one."""
    bot_milliseconds: int = 2000
    """How long a bot may think at most; each level has its own time."""
    bot_pause: float = 0.7
    """Seconds that a bot waits before it moves, so that people can follow and take back."""
    away_level: str = ""
    """Level of the bot that stands in for people; empty: a middle one."""
    idle_seconds: float = 300.0
    """A table that nobody watches leaves memory after this time."""
    away_seconds: float = 60.0
    """Others may let a bot play for somebody who has been disconnected for this long."""
    live_seconds: float = 120.0
    """Time for a decision at live tables; then a bot decides."""
    relaxed_seconds: float = 48 * 3600.0
    """The same at relaxed tables."""
    message_rate: str = "40 per 5 second"
    chat_rate: str = "5 per 10 second"
    hint_rate: str = "10 per minute"
    request_rate: str = "600 per minute"
    table_rate: str = "30 per minute"
    log_level: str = "info"

    @property
    def database_path(self) -> Path:
        """Where the database lies."""
        return Path(self.database or _default_database())

    def seconds_for(self, pace: str) -> float | None:
        """The time for a decision at this pace, None without a clock."""
        return {"live": self.live_seconds, "relaxed": self.relaxed_seconds}.get(pace)

    @classmethod
    def read(cls, environment: Mapping[str, str] | None = None, **flags: Any) -> Settings:
        """Settings from the environment; flags that are not None win."""
        source = os.environ if environment is None else environment
        values: dict[str, Any] = {}
        types = get_type_hints(cls)
        for name in cls._fields:
            given = source.get(f"NEVSKY_{name.upper()}")
            if given is not None and given != "":
                values[name] = _convert(name, given, types[name])
        values.update((name, value) for name, value in flags.items() if value is not None)
        return cls(**values)


def _convert(name: str, text: str, kind: type) -> Any:
    if kind is bool:
        word = text.strip().lower()
        if word not in _TRUE + _FALSE:
            raise NevskyError("setting.boolean", name=name.upper(), value=repr(text))
        return word in _TRUE
    try:
        return kind(text)
    except ValueError as error:
        raise NevskyError("setting.number", name=name.upper(), value=repr(text)) from error
