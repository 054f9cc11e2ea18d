"""Who is away at the moment, for the tables of this process. The database has it for all of them."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from nevsky.server.schema import vacations
from nevsky.server.storage import Storage, now

__all__ = ["Away", "Vacations"]


class Away(NamedTuple):
    """Since when and until when somebody is away; the same twice, for clocks and for people."""

    begins: float
    until: float
    shown: str
    """Until when, as it stands in the database and in messages."""

    @classmethod
    def read(cls, begins: str, until: str) -> Away:
        """From the database."""
        return cls(datetime.fromisoformat(begins).timestamp(), datetime.fromisoformat(until).timestamp(), until)

    @property
    def age(self) -> float:
        """Seconds since it began."""
        return max(0.0, time.time() - self.begins)

    @property
    def left(self) -> float:
        """Seconds until it ends."""
        return max(0.0, self.until - time.time())


class Vacations:
    """Kept in memory, since tables ask after every move."""

    def __init__(self) -> None:
        self._away: dict[str, Away] = {}
        self.on_change: Callable[[str], object] = str
        """Called with a guest who has gone away or is back."""
        self.on_move: Callable[[str], object] = str
        """Called with a guest who is away and has made a decision all the same."""

    async def load(self, storage: Storage) -> None:
        """Take over what the database says."""
        query = sa.select(vacations.c.guest, vacations.c.begins, vacations.c.until).where(vacations.c.until > now())
        async with storage.reading() as connection:
            rows = (await connection.execute(query.order_by(vacations.c.until))).all()
        found = {row.guest: Away.read(row.begins, row.until) for row in rows}
        different = {guest for guest in (*found, *self._away) if found.get(guest) != self._away.get(guest)}
        self._away = found
        for guest in different:
            self.on_change(guest)

    def of(self, guest: str | None) -> Away | None:
        """Until when a guest is away; None if they are here."""
        away = None if guest is None else self._away.get(guest)
        if away is None or away.until > time.time():
            return away
        del self._away[guest or ""]
        return None

    def put(self, guest: str, away: Away | None) -> None:
        """Somebody goes away, or is back."""
        self._away = {each: known for each, known in self._away.items() if known.until > time.time() and each != guest}
        if away is not None:
            self._away[guest] = away
        self.on_change(guest)

    def hear(self, news: Any) -> None:
        """The same at another process."""
        if isinstance(news, list) and len(news) == 3 and isinstance(news[0], str):
            guest, begins, until = news
            self.put(guest, Away.read(str(begins), str(until)) if until else None)

    def moved(self, guest: str | None) -> None:
        """Somebody has decided something: whoever does that is not away any more."""
        if guest is not None and self.of(guest) is not None:
            self.on_move(guest)
