"""The part of the HTTP API that is about other people."""

from __future__ import annotations

from fastapi import APIRouter, Depends

from nevsky.server.errors import Refusal
from nevsky.server.http import REFUSALS, Address, ComponentsHere, Here, Someone
from nevsky.server.people.acquaintance import people_of, speaker_at, speakers_of
from nevsky.server.protocol import (
    InvitationAccepted,
    InvitationInfo,
    InvitationRequest,
    People,
    PeopleChange,
    PeopleSettings,
    SpeakerList,
    SpeakerRequest,
    TieRequest,
)

__all__ = ["router"]


async def switched_on(components: ComponentsHere) -> None:
    """Whether this server knows of people at all."""
    if not components.settings.people:
        raise Refusal("not_found", "address")


router = APIRouter(prefix="/api", responses=REFUSALS, dependencies=[Depends(switched_on)])


@router.get("/people")
async def get_people(someone: Someone, components: ComponentsHere) -> People:
    """Whom I follow, with whom I have played, who is here, and whom I block."""
    return await people_of(someone.id, components.ties, components.lobby.presence)


@router.patch("/people")
async def patch_people(wanted: PeopleChange, someone: Someone, components: ComponentsHere) -> PeopleSettings:
    """Who may invite me, and whether I am seen."""
    allowed = await components.ties.allow(someone.id, **wanted.model_dump(exclude_none=True))
    return PeopleSettings(invitations=allowed.invitations, shown=allowed.shown)


@router.put("/people/{person}", status_code=204)
async def put_person(person: str, wanted: TieRequest, someone: Someone, components: ComponentsHere) -> None:
    """Follow somebody, block them, or neither."""
    other = await components.ties.guest_of(person)
    await components.ties.tie(someone.id, other, wanted.tie)
    components.lobby.changed(f"guest {someone.id}")


@router.get("/tables/{table_id}/speakers")
async def get_speakers(table: Here, someone: Someone, components: ComponentsHere) -> SpeakerList:
    """Whose words in this chat I do not want to see."""
    bonds = await components.ties.of(someone.id)
    return SpeakerList(speakers=speakers_of(table, [each for each, kind in bonds.items() if kind == "block"]))


@router.put("/tables/{table_id}/speakers", status_code=204)
async def put_speaker(table: Here, wanted: SpeakerRequest, someone: Someone, components: ComponentsHere) -> None:
    """Block whoever wrote something, or no longer."""
    other = await speaker_at(table, components.storage, wanted.speaker)
    before = (await components.ties.of(someone.id)).get(other)
    if wanted.blocked or before == "block":
        await components.ties.tie(someone.id, other, "block" if wanted.blocked else None)
        components.lobby.changed(f"guest {someone.id}")


@router.post("/tables/{table_id}/invitations", status_code=204)
async def post_invitation(
    table: Here, wanted: InvitationRequest, someone: Someone, components: ComponentsHere, where: Address
) -> None:
    """Ask somebody to come to the table where I sit."""
    components.limits.check("invitation", someone.id, where)
    if not any(place.guest == someone.id for place in table.seats):
        raise Refusal("not_allowed", "seat")
    if table.match is not None:
        raise Refusal("refused", "started")
    if not any(place.free for place in table.seats):
        raise Refusal("refused", "seats_taken")
    receiver = await components.ties.guest_of(wanted.person)
    await components.ties.known([someone.id])  # the invited one answers to a handle
    await components.inviting.invite(someone.id, someone.name, table.row.id, receiver)


@router.get("/invitations")
async def get_invitations(someone: Someone, components: ComponentsHere) -> list[InvitationInfo]:
    """Where I am invited."""
    return await components.inviting.waiting_for(someone.id)


@router.post("/invitations/{invitation}/accept")
async def post_accept(invitation: str, someone: Someone, components: ComponentsHere) -> InvitationAccepted:
    """Go there."""
    return InvitationAccepted(table=await components.inviting.accept(someone.id, invitation))


@router.post("/invitations/{invitation}/decline", status_code=204)
async def post_decline(invitation: str, someone: Someone, components: ComponentsHere) -> None:
    """Not now."""
    await components.inviting.decline(someone.id, invitation)
