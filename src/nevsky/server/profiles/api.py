"""The part of the HTTP API that is about profiles. Nothing here is ever needed to play."""

from __future__ import annotations

from typing import Annotated, Any, Final

import sqlalchemy as sa
from fastapi import APIRouter, Depends, Path, Request, Response
from starlette.responses import JSONResponse

from nevsky.server.components import Components
from nevsky.server.errors import Refusal
from nevsky.server.http import REFUSALS, Address, ComponentsHere, Someone, Spoken, Visitor
from nevsky.server.languages import language_of
from nevsky.server.mail.addresses import clean_address
from nevsky.server.profiles.challenges import Challenges
from nevsky.server.profiles.devices import browser, devices_of, sign_out
from nevsky.server.profiles.entering import become, check_switched_on, enter
from nevsky.server.profiles.erasing import erase
from nevsky.server.profiles.holdings import everything_about
from nevsky.server.profiles.links import MOST, find_link, send_link, use_link
from nevsky.server.profiles.pages import page_of
from nevsky.server.profiles.parties import party_of, the_party
from nevsky.server.profiles.passkeys import add_passkey, asked_for, checked_new, signed_by, wanted
from nevsky.server.profiles.statistics import favourites, figures, played_by
from nevsky.server.protocol import (
    DeviceInfo,
    LinkInfo,
    LinkRequest,
    MailRequest,
    OwnProfile,
    PasskeyAnswer,
    PasskeyInfo,
    PasskeyOptions,
    PlayerProfile,
    ProfileChange,
    SignedIn,
)
from nevsky.server.schema import devices, mail_addresses, passkeys, profiles
from nevsky.server.seating import Guest
from nevsky.server.storage import now
from nevsky.server.summaries import summary

__all__ = ["router"]

_RECENT: Final = 10
_MAKE: Final = "make"
_USE: Final = "use"


def switched_on(components: ComponentsHere) -> None:
    """Everything here can be switched off."""
    check_switched_on(components)


router = APIRouter(prefix="/api", responses=REFUSALS, dependencies=[Depends(switched_on)])


async def owner(found: Visitor, components: ComponentsHere) -> Guest:
    """Whoever is signed in to a profile."""
    if found is None or not await components.storage.profiles_among([found.id]):
        raise Refusal("not_allowed", "no_profile")
    return found


Owner = Annotated[Guest, Depends(owner)]
Key = Annotated[str, Path(max_length=1400)]


def _challenges(components: Components) -> Challenges:
    return Challenges(components.settings, components.storage)


async def _rows(components: Components, query: sa.Select[Any]) -> list[Any]:
    async with components.storage.reading() as connection:
        return list(await connection.execute(query))


@router.get("/profile")
async def get_profile(request: Request, someone: Someone, components: ComponentsHere) -> OwnProfile:
    """What I have to sign in with, and where I am signed in."""
    mine = await _rows(components, sa.select(profiles).where(profiles.c.guest == someone.id))
    keys = await _rows(
        components, sa.select(passkeys).where(passkeys.c.guest == someone.id).order_by(passkeys.c.created)
    )
    mail = await _rows(components, sa.select(mail_addresses.c.address).where(mail_addresses.c.guest == someone.id))
    here = components.sessions.device(request)
    return OwnProfile(
        id=(await components.ties.allowed(someone.id)).handle if mine else None,
        name=someone.name,
        created=mine[0].created if mine else None,
        public=bool(mine[0].public) if mine else False,
        offers_passkeys=party_of(request, components.settings) is not None,
        offers_mail=components.mail.enabled,
        passkeys=[PasskeyInfo(id=key.id, name=key.name, created=key.created, last_used=key.last_used) for key in keys],
        mail=[row[0] for row in mail],
        devices=[
            DeviceInfo(**{name: each[name] for name in ("id", "name", "created", "last_used")}, here=each["id"] == here)
            for each in await devices_of(components.storage, someone.id)
        ],
    )


@router.put("/profile", status_code=204)
async def put_profile(wish: ProfileChange, me: Owner, components: ComponentsHere) -> None:
    """Whether others may see my page."""
    async with components.storage.writing() as connection:
        await connection.execute(profiles.update().where(profiles.c.guest == me.id).values(public=wish.public))


@router.delete("/profile", status_code=204)
async def delete_profile(response: Response, me: Owner, components: ComponentsHere) -> None:
    """Forget me; the games of others stay."""
    await erase(components.storage, components.hub, me.id)
    components.sessions.sign_out(response)


@router.get("/profile/export")
async def get_export(me: Someone, components: ComponentsHere) -> Response:
    """Everything that is stored about me."""
    headers = {"Content-Disposition": 'attachment; filename="nevsky.json"'}
    return JSONResponse(await everything_about(components.storage, me.id), headers=headers)


@router.post("/profile/passkeys/options")
async def post_passkey_options(
    request: Request, response: Response, someone: Someone, components: ComponentsHere, where: Address
) -> PasskeyOptions:
    """Begin to make a passkey."""
    components.limits.check("sign_in", where, where)
    party = the_party(request, components.settings)
    keys = await _rows(components, sa.select(passkeys.c.id).where(passkeys.c.guest == someone.id))
    challenge = _challenges(components).give(response, _MAKE, someone.id)
    return PasskeyOptions(options=await wanted(party, challenge, someone, [row[0] for row in keys]))


@router.post("/profile/passkeys", status_code=204)
async def post_passkey(
    made: PasskeyAnswer,
    request: Request,
    response: Response,
    someone: Someone,
    components: ComponentsHere,
    where: Address,
) -> None:
    """A passkey was made; a guest has a profile from now on."""
    components.limits.check("sign_in", where, where)
    party = the_party(request, components.settings)
    challenge = await _challenges(components).take(request, response, _MAKE, someone.id)
    name = browser(request.headers.get("user-agent", ""))
    new = await checked_new(party, challenge, made.credential, name)
    async with components.storage.writing() as connection:
        await add_passkey(connection, someone.id, new)
        await become(components, connection, request, response, someone.id)


@router.delete("/profile/passkeys/{key}", status_code=204)
async def delete_passkey(key: Key, me: Owner, components: ComponentsHere) -> None:
    """Remove a passkey, unless it is the last way in."""
    await _remove(components, me.id, passkeys, (passkeys.c.id == key) & (passkeys.c.guest == me.id))


@router.delete("/profile/mail/{address}", status_code=204)
async def delete_mail(address: Key, me: Owner, components: ComponentsHere) -> None:
    """Remove a mail address, unless it is the last way in."""
    mine = (mail_addresses.c.address == address) & (mail_addresses.c.guest == me.id)
    await _remove(components, me.id, mail_addresses, mine)


async def _remove(components: Components, guest: str, table: sa.Table, which: sa.ColumnElement[bool]) -> None:
    async with components.storage.writing() as connection:
        gone = await connection.execute(table.delete().where(which))
        ways = 0
        for each in (passkeys, mail_addresses):
            number = sa.select(sa.func.count()).select_from(each).where(each.c.guest == guest)
            ways += await connection.scalar(number) or 0
        if gone.rowcount and not ways:
            raise Refusal("refused", "last_way")
        if not gone.rowcount:
            raise Refusal("not_found", "address")


@router.post("/profile/sign-in/options")
async def post_sign_in_options(
    request: Request, response: Response, components: ComponentsHere, where: Address
) -> PasskeyOptions:
    """Begin to sign in with a passkey."""
    components.limits.check("sign_in", where, where)
    party = the_party(request, components.settings)
    return PasskeyOptions(options=await asked_for(party, _challenges(components).give(response, _USE, None)))


@router.post("/profile/sign-in")
async def post_sign_in(
    answer: PasskeyAnswer,
    request: Request,
    response: Response,
    found: Visitor,
    components: ComponentsHere,
    where: Address,
) -> SignedIn:
    """Sign in with a passkey; what the guest of this browser had comes along."""
    components.limits.check("sign_in", where, where)
    party = the_party(request, components.settings)
    challenge = await _challenges(components).take(request, response, _USE, None)
    profile = await signed_by(components.storage, party, challenge, answer.credential)
    return await enter(components, request, response, found, profile)


@router.post("/profile/mail", status_code=202)
async def post_mail(
    wish: MailRequest, request: Request, someone: Someone, components: ComponentsHere, where: Address
) -> None:
    """Send a link to an address. The answer is the same whether somebody has it or not."""
    if not components.mail.enabled:
        raise Refusal("refused", "no_mail")
    address = clean_address(wish.address)
    components.limits.check("mail", where, where)
    language = language_of(request)
    await send_link(components.storage, components.mail, components.settings, address, someone.id, language)


@router.post("/profile/link/look")
async def post_look(link: LinkRequest, found: Visitor, components: ComponentsHere, where: Address) -> LinkInfo:
    """What a link would do; nothing is used up, and it is no GET so that the token is in no log."""
    components.limits.check("sign_in", where, where)
    seen = await find_link(components.storage, link.token)
    return LinkInfo(
        address=seen.address,
        name=seen.name or "",
        signs_in=seen.profile is not None,
        here=found is not None and found.id == seen.asked,
    )


@router.post("/profile/link")
async def post_link(
    link: LinkRequest,
    request: Request,
    response: Response,
    found: Visitor,
    components: ComponentsHere,
    where: Address,
) -> SignedIn:
    """Use a link: sign in here, or give the address to whoever asked for it."""
    components.limits.check("sign_in", where, where)
    used = await use_link(components.storage, link.token)
    if used.profile is not None:
        return await enter(components, request, response, found, used.profile)
    if used.asked is None:
        raise Refusal("not_found", "sign_in_link")
    async with components.storage.writing() as connection:
        asked = mail_addresses.c.guest == used.asked
        number = sa.select(sa.func.count()).select_from(mail_addresses).where(asked)
        if (await connection.scalar(number) or 0) >= MOST:
            raise Refusal("refused", "mails", most=MOST)
        values = {"address": used.address, "guest": used.asked, "confirmed": now(), "language": language_of(request)}
        await connection.execute(mail_addresses.insert().values(values))
        if found is not None and found.id == used.asked:
            await become(components, connection, request, response, used.asked)
        elif not (await connection.execute(sa.select(profiles).where(profiles.c.guest == used.asked))).first():
            await connection.execute(profiles.insert().values(guest=used.asked, created=now()))
    return SignedIn(twice=[])


@router.post("/profile/sign-out", status_code=204)
async def post_sign_out(request: Request, response: Response, me: Owner, components: ComponentsHere) -> None:
    """Sign out here; this browser is a new guest then."""
    here = components.sessions.device(request)
    await sign_out(components.storage, components.hub, me.id, devices.c.id == (here or ""))
    components.sessions.sign_out(response)


@router.post("/profile/sign-out-everywhere", status_code=204)
async def post_sign_out_everywhere(response: Response, me: Owner, components: ComponentsHere) -> None:
    """Sign out on all devices, here too."""
    await sign_out(components.storage, components.hub, me.id)
    components.sessions.sign_out(response)


@router.delete("/profile/devices/{device}", status_code=204)
async def delete_device(device: Key, me: Owner, components: ComponentsHere) -> None:
    """Sign out on another device."""
    if not await sign_out(components.storage, components.hub, me.id, devices.c.id == device):
        raise Refusal("not_found", "address")


@router.get("/players/{player}")
async def get_player(player: str, found: Visitor, components: ComponentsHere, spoken: Spoken) -> PlayerProfile:
    """The games of a profile."""
    page = await page_of(components, player, found)
    games = await played_by(components.storage, page.guest)
    every, rulesets, opponents = figures(games)
    recent = [each for each in games if page.own or each.table.public][:_RECENT]
    pages = await components.ties.pages_at([game.seats for game in recent])
    return PlayerProfile(
        id=page.handle,
        name=page.name,
        since=page.since,
        you=page.own,
        all=every,
        rulesets=rulesets,
        opponents=opponents,
        cards=await favourites(components.storage, games),
        recent=[
            summary(game.table, list(game.seats), game.seat if page.own else None, spoken).model_copy(
                update={"players": players}
            )
            for game, players in zip(recent, pages, strict=True)
        ],
    )
