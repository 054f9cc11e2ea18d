"""What a visitor says about messages."""

from __future__ import annotations

from typing import Annotated, Final, get_args

from fastapi import APIRouter, Query

from nevsky.server.errors import Refusal
from nevsky.server.http import REFUSALS, Address, ComponentsHere, Someone, Visitor
from nevsky.server.notices.encrypting import decoded, is_key
from nevsky.server.notices.guarding import check_endpoint
from nevsky.server.notices.kinds import Device, Wishes
from nevsky.server.notices.quiet import is_zone
from nevsky.server.notices.service import Notices
from nevsky.server.protocol import DeviceGone, NewDevice, NoticeInfo, NoticeKind, NoticeRequest

__all__ = ["router"]

_KINDS: Final[tuple[NoticeKind, ...]] = get_args(NoticeKind)
router = APIRouter(prefix="/api", responses=REFUSALS)


@router.get("/notices")
async def get_notices(found: Visitor, components: ComponentsHere) -> NoticeInfo:
    """What I want to be told, and how."""
    if found is None:
        return NoticeInfo(key=components.notices.key, kinds=list(_KINDS), quiet=None, devices=0, mail=None)
    return await _info(components.notices, found.id)


async def _info(notices: Notices, guest: str) -> NoticeInfo:
    wishes = await notices.store.wishes(guest) or Wishes()
    start, end = wishes.quiet_from, wishes.quiet_until
    by_mail = notices.channels.mails and await notices.store.mail_address(guest) is not None
    return NoticeInfo(
        key=notices.key,
        kinds=[kind for kind in _KINDS if kind in wishes.kinds],
        quiet=None if start is None or end is None else [start, end],
        devices=len(await notices.store.devices(guest)),
        mail=wishes.mail if by_mail else None,
    )


@router.put("/notices")
async def put_notices(wanted: NoticeRequest, someone: Someone, components: ComponentsHere) -> NoticeInfo:
    """Change what I want to be told."""
    if not is_zone(wanted.zone):
        raise Refusal("refused", "zone")
    start, end = wanted.quiet or (None, None)
    kinds = tuple(kind for kind in _KINDS if kind in wanted.kinds)
    wishes = Wishes(kinds, wanted.language, wanted.zone, start, end, wanted.mail)
    await components.notices.store.wish(someone.id, wishes)
    return await _info(components.notices, someone.id)


@router.post("/notices/devices", status_code=204)
async def post_device(wanted: NewDevice, someone: Someone, components: ComponentsHere, where: Address) -> None:
    """Send messages to this browser, too."""
    notices = components.notices
    if notices.key is None:
        raise Refusal("refused", "push_off")
    components.limits.check("table", someone.id, where)
    check_endpoint(wanted.endpoint, notices.anywhere)
    if not is_key(wanted.keys.p256dh) or not _is_auth(wanted.keys.auth):
        raise Refusal("refused", "push_keys")
    if await notices.store.wishes(someone.id) is None:
        await notices.store.wish(someone.id, Wishes())
    await notices.store.add_device(someone.id, Device(wanted.endpoint, wanted.keys.p256dh, wanted.keys.auth))


def _is_auth(text: str) -> bool:
    try:
        return len(decoded(text)) == 16
    except ValueError:
        return False


@router.delete("/notices/devices", status_code=204)
async def delete_device(gone: DeviceGone, components: ComponentsHere) -> None:
    """No more messages to a browser. Whoever knows its address, which nobody can guess, may say so."""
    await components.notices.store.drop_device(gone.endpoint)


@router.post("/notices/stop", status_code=204)
async def post_stop(
    found: Visitor, components: ComponentsHere, token: Annotated[str | None, Query(max_length=200)] = None
) -> None:
    """No more messages at all: mine, or with a link from a mail, also without signing in."""
    guest = (None if found is None else found.id) if token is None else components.notices.who_stops(token)
    if guest is None:
        raise Refusal("not_allowed", "stop_link")
    await components.notices.store.stop(guest)
