"""The part of the HTTP API that is about vacations."""

from __future__ import annotations

from fastapi import APIRouter

from nevsky.server.components import Components
from nevsky.server.errors import Refusal
from nevsky.server.http import REFUSALS, Address, ComponentsHere, Someone, Visitor
from nevsky.server.protocol import VacationInfo, VacationRequest

__all__ = ["router"]

router = APIRouter(prefix="/api", responses=REFUSALS)


async def _info(components: Components, guest: str | None) -> VacationInfo:
    allowed = components.stays.allowed
    away = components.vacations.of(guest)
    if away is not None:
        return VacationInfo(until=away.shown, days=0, longest=allowed.stretch, year=allowed.year)
    days = min(allowed) if guest is None else await components.stays.days_left(guest)
    return VacationInfo(until=None, days=days, longest=allowed.stretch, year=allowed.year)


@router.get("/vacation")
async def get_vacation(found: Visitor, components: ComponentsHere) -> VacationInfo:
    """Until when I am away, and for how long I could be."""
    return await _info(components, None if found is None else found.id)


@router.put("/vacation")
async def put_vacation(
    wanted: VacationRequest, someone: Someone, components: ComponentsHere, where: Address
) -> VacationInfo:
    """Go away now."""
    components.limits.check("table", someone.id, where)
    if not components.stays.allowed.stretch:
        raise Refusal("refused", "vacation_off")
    await components.stays.begin(someone.id, wanted.until)
    return await _info(components, someone.id)


@router.delete("/vacation")
async def delete_vacation(someone: Someone, components: ComponentsHere) -> VacationInfo:
    """Be back."""
    await components.stays.end(someone.id)
    return await _info(components, someone.id)
