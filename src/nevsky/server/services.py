"""What tables share."""

from __future__ import annotations

from typing import NamedTuple

from nevsky.server.bans import Bans
from nevsky.server.bot_pool import Bots
from nevsky.server.notices.looking import Looking, Nobody
from nevsky.server.ownership import Alone, Ownership
from nevsky.server.settings import Settings
from nevsky.server.speakers import Speakers
from nevsky.server.storage import Storage
from nevsky.server.vacations.registry import Vacations

__all__ = ["Services"]


class Services(NamedTuple):
    """Handed to every table."""

    settings: Settings
    storage: Storage
    bot_pool: Bots
    speakers: Speakers
    bans: Bans
    ownership: Ownership = Alone()
    notices: Looking = Nobody()
    vacations: Vacations = Vacations()
    """Who is away; nobody where tables stand alone."""
