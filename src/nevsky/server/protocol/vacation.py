"""Being away for a while, over HTTP."""

from __future__ import annotations

from pydantic import AwareDatetime

from nevsky.server.protocol.base import Model


class VacationInfo(Model):
    """GET /api/vacation: whether the clocks of your games over days stand still."""

    until: str | None
    """Until when you are away; None if you are not."""
    days: int
    """For how many days you could go away now."""
    longest: int
    """How many days in a row there may be; 0 where nobody can go away."""
    year: int
    """How many days within a year."""


class VacationRequest(Model):
    """PUT /api/vacation: from now on."""

    until: AwareDatetime
