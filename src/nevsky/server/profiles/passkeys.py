"""Passkeys (WebAuthn): making one, and signing in with it."""

from __future__ import annotations

import json
from typing import Any, Final

import sqlalchemy as sa
import structlog
from sqlalchemy.ext.asyncio import AsyncConnection
from starlette.concurrency import run_in_threadpool

from nevsky.server.errors import Refusal
from nevsky.server.profiles.parties import Party
from nevsky.server.schema import passkeys
from nevsky.server.seating import Guest
from nevsky.server.storage import Storage, now

__all__ = ["MOST", "NewPasskey", "add_passkey", "asked_for", "checked_new", "signed_by", "wanted"]

MOST: Final = 20
"""Of one profile."""
log = structlog.get_logger()


class NewPasskey(dict[str, Any]):
    """A row of the table, not yet of anybody."""


def _encoded(data: bytes) -> str:
    from webauthn.helpers import bytes_to_base64url

    return bytes_to_base64url(data)


async def wanted(party: Party, challenge: bytes, guest: Guest, known: list[str]) -> str:
    """What the browser needs to make a passkey."""

    def make() -> str:
        from webauthn import generate_registration_options, options_to_json
        from webauthn.helpers import base64url_to_bytes
        from webauthn.helpers.structs import (
            AuthenticatorSelectionCriteria,
            PublicKeyCredentialDescriptor,
            ResidentKeyRequirement,
            UserVerificationRequirement,
        )

        options = generate_registration_options(
            rp_id=party.id,
            rp_name="Nevsky",
            user_id=guest.id.encode(),
            user_name=guest.name,
            user_display_name=guest.name,
            challenge=challenge,
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED,
                require_resident_key=True,
                user_verification=UserVerificationRequirement.PREFERRED,
            ),
            exclude_credentials=[PublicKeyCredentialDescriptor(id=base64url_to_bytes(each)) for each in known],
        )
        return options_to_json(options)

    return await run_in_threadpool(make)


async def asked_for(party: Party, challenge: bytes) -> str:
    """What the browser needs to sign in with any passkey that it has for us."""

    def make() -> str:
        from webauthn import generate_authentication_options, options_to_json

        return options_to_json(generate_authentication_options(rp_id=party.id, challenge=challenge))

    return await run_in_threadpool(make)


async def checked_new(party: Party, challenge: bytes, credential: str, name: str) -> NewPasskey:
    """The passkey that a browser has made for this challenge and this page; anything else is refused."""

    def check() -> NewPasskey:
        from webauthn import verify_registration_response

        found = verify_registration_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=party.id,
            expected_origin=party.origins,
        )
        return NewPasskey(
            id=_encoded(found.credential_id),
            public_key=_encoded(found.credential_public_key),
            sign_count=found.sign_count,
            name=name,
            created=now(),
            last_used=now(),
        )

    try:
        return await run_in_threadpool(check)
    except Exception as error:  # whatever a stranger may have put together
        log.info("passkey_refused", reason=type(error).__name__)
        raise Refusal("refused", "passkey") from error


async def add_passkey(connection: AsyncConnection, guest: str, new: NewPasskey) -> None:
    """Within a transaction: it is somebody's now; one that is known already is refused."""
    number = sa.select(sa.func.count()).select_from(passkeys).where(passkeys.c.guest == guest)
    if (await connection.scalar(number) or 0) >= MOST:
        raise Refusal("refused", "passkeys", most=MOST)
    known = await connection.execute(sa.select(passkeys.c.id).where(passkeys.c.id == new["id"]))
    if known.first() is not None:
        raise Refusal("refused", "passkey")
    await connection.execute(passkeys.insert().values(guest=guest, **new))


async def signed_by(storage: Storage, party: Party, challenge: bytes, credential: str) -> str:
    """Whose passkey has answered this challenge on this page; anything else is refused, whatever is wrong with it."""
    refused = Refusal("not_allowed", "sign_in")
    try:
        answer = json.loads(credential)
        key, handle = str(answer["id"])[:1400], answer["response"].get("userHandle")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise refused from error
    async with storage.reading() as connection:
        row = (await connection.execute(sa.select(passkeys).where(passkeys.c.id == key))).one_or_none()
    if row is None:
        raise refused

    def check() -> int:
        from webauthn import verify_authentication_response
        from webauthn.helpers import base64url_to_bytes

        if handle and base64url_to_bytes(handle) != row.guest.encode():
            raise ValueError("somebody else's")
        found = verify_authentication_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=party.id,
            expected_origin=party.origins,
            credential_public_key=base64url_to_bytes(row.public_key),
            credential_current_sign_count=row.sign_count,
        )
        return found.new_sign_count

    try:
        count = await run_in_threadpool(check)
    except Exception as error:  # whatever a stranger may have put together
        log.info("passkey_refused", reason=type(error).__name__)
        raise refused from error
    async with storage.writing() as connection:
        used = passkeys.update().where((passkeys.c.id == key) & (passkeys.c.sign_count <= count))
        if (await connection.execute(used.values(sign_count=count, last_used=now()))).rowcount != 1:
            raise refused
    assert isinstance(row.guest, str)
    return row.guest
