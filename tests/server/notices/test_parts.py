"""The parts of messages by themselves: encryption, where they go, quiet hours, and never twice."""

from __future__ import annotations

import asyncio
import json
import socket
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import http_ece
import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hypothesis import given, settings
from hypothesis import strategies as st

from nevsky.server.notices.encrypting import Identity, decoded, encoded, encrypt, is_key
from nevsky.server.notices.guarding import resolve
from nevsky.server.notices.kinds import Offer, Wishes
from nevsky.server.notices.quiet import is_quiet, when
from nevsky.server.notices.store import NoticeStore
from nevsky.server.ownership import Lease
from nevsky.server.schema import SeatRow, TableRow, notices
from nevsky.server.storage import Storage, now
from tests.server.support import run

ZONES = [
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "Asia/Kathmandu",
    "Australia/Lord_Howe",
    "Pacific/Apia",
    "No/Where",
]


def test_the_example_of_rfc_8291() -> None:
    private = int.from_bytes(decoded("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), "big")
    found = encrypt(
        b"When I grow up, I want to be a watermelon",
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "BTBZMqHH6r4Tts7J_aSIgg",
        ec.derive_private_key(private, ec.SECP256R1()),
        decoded("DGv6ra1nlYgDCS1FRnbzlw"),
    )
    assert encoded(found) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_"
        "yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


@given(st.binary(max_size=3000))
@settings(max_examples=20, deadline=None)
def test_a_browser_reads_what_was_written_for_it(message: bytes) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    public = encoded(key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))
    body = encrypt(message, public, encoded(b"a" * 16))
    assert http_ece.decrypt(body, private_key=key, auth_secret=b"a" * 16, version="aes128gcm") == message


def test_push_services_know_who_sends_and_all_processes_are_the_same() -> None:
    one, other = (
        Identity("a secret of servers", "mailto:a@b.example"),
        Identity("a secret of servers", "mailto:a@b.example"),
    )
    assert one.public == other.public != Identity("another secret", "mailto:a@b.example").public
    assert is_key(one.public)
    assert not any(map(is_key, ["", "A" * 87, "?", encoded(b"\4" + b"\0" * 64)]))
    header = one.authorization("https://push.example.com:443/some/where?x=1")
    token = header.removeprefix("vapid t=").partition(",")[0]
    signed, _, signature = token.rpartition(".")
    raw = decoded(signature)
    der = utils.encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(other.public))
    public.verify(der, signed.encode(), ec.ECDSA(hashes.SHA256()))
    claims = json.loads(decoded(signed.partition(".")[2]))
    assert claims["aud"] == "https://push.example.com:443"
    assert claims["sub"] == "mailto:a@b.example"


@pytest.mark.parametrize(
    ("address", "allowed"),
    [
        ("93.184.216.34", True),
        ("10.0.0.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("::1", False),
        ("fd00::1", False),
        ("fe80::1%eth0", False),
        ("::ffff:127.0.0.1", False),
        ("64:ff9b::7f00:1", False),
        ("2002:7f00:1::", False),
        ("2606:4700::1111", True),
    ],
)
def test_a_name_that_leads_into_our_network_is_not_followed(
    monkeypatch: pytest.MonkeyPatch, address: str, allowed: bool
) -> None:
    async def lookup(*_: Any, **__: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 443))]

    async def scenario() -> None:
        monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", lookup, raising=False)
        target = await resolve("https://push.example.com/x?y", anywhere=False)
        assert (target is not None) == allowed
        if target is not None:
            assert target.authority == target.host == "push.example.com"
            assert address.partition("%")[0] in target.url

    run(scenario())


moments = st.datetimes(datetime(2024, 1, 1), datetime(2030, 1, 1)).map(lambda at: at.replace(tzinfo=UTC))
minutes = st.integers(0, 1439)


@given(moments, minutes, minutes, st.sampled_from(ZONES))
@settings(max_examples=300, deadline=None)
def test_nothing_is_sent_in_quiet_hours_and_everything_soon_after(
    at: datetime, start: int, end: int, zone: str
) -> None:
    wishes = Wishes(zone=zone, quiet_from=start, quiet_until=end)
    due = when(at, wishes)
    assert due >= at
    assert not is_quiet(due, wishes)
    assert due - at <= timedelta(hours=26)
    if not is_quiet(at, wishes):
        assert due == at
    else:
        assert is_quiet(due - timedelta(minutes=1), wishes) or due - timedelta(minutes=1) < at


steps = st.lists(st.tuples(st.sampled_from(["offer", "tell", "restart"]), st.integers(1, 4)), max_size=25)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a table where somebody is waited for."""
    path = tmp_path_factory.mktemp("notices") / "n.db"

    async def make() -> None:
        storage = await Storage.open(path)
        await storage.add_guest("anna", "Anna")
        row = TableRow("t1", now(), now(), "playing", {}, False, "relaxed", False, to_move=0, to_move_shown=0)
        await storage.add_table(row, [SeatRow(0, "x", guest="anna", name="Anna"), SeatRow(1, "y", level="easy")])
        await storage.close()

    run(make())
    return path


@given(steps)
@settings(max_examples=12, deadline=None)
def test_no_turn_is_told_twice_whatever_happens_in_between(prepared: Path, todo: list[tuple[str, int]]) -> None:
    async def scenario() -> None:
        storage = await Storage.open(prepared)
        async with storage.writing() as connection:
            await connection.execute(notices.delete())
        told: list[int] = []
        for step, number in todo:
            store = NoticeStore(storage)
            if step == "offer":
                await store.record(Offer(Lease("t1", 0), "anna", 0, "turn", number), now(1))
            elif step == "restart":
                await storage.close()
                storage = await Storage.open(prepared)
            else:  # several look at once, and each believes that it is theirs to tell
                for due, still in await store.due(10):
                    assert still
                    told += [due.number] * sum(await asyncio.gather(*(store.claim(due) for _ in range(number))))
        await storage.close()
        assert told == sorted(set(told))

    run(scenario())
