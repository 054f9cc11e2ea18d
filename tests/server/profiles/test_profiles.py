"""Guests become profiles, sign in elsewhere, take along what they had, and are forgotten."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import sqlalchemy as sa
from websockets.exceptions import ConnectionClosed

from nevsky.server.profiles.holdings import about
from nevsky.server.schema import companions, mail_addresses, mail_links, metadata, seats
from tests.server.profiles.authenticator import Authenticator
from tests.server.profiles.postbox import Postbox, postbox
from tests.server.support import Json, Server, Visitor, run, running

ORIGIN = "https://play.example"
PUBLIC: Json = {"public_url": ORIGIN}
pytestmark = pytest.mark.usefixtures("quick_bots")


async def _make_passkey(visitor: Visitor, key: Authenticator) -> int:
    options = (await visitor.http.post("/api/profile/passkeys/options")).json()["options"]
    return (await visitor.http.post("/api/profile/passkeys", json={"credential": key.make(options)})).status_code


async def _sign_in(visitor: Visitor, key: Authenticator) -> int:
    options = (await visitor.http.post("/api/profile/sign-in/options")).json()["options"]
    return (await visitor.http.post("/api/profile/sign-in", json={"credential": key.sign(options)})).status_code


async def _profile(visitor: Visitor) -> Json:
    found: Json = (await visitor.http.get("/api/profile")).json()
    return found


async def _named(server: Server, name: str) -> Visitor:
    visitor = await server.visitor()
    await visitor.http.put("/api/me", json={"name": name})
    return visitor


async def _mine(visitor: Visitor) -> set[str]:
    return {each["table"] for each in (await visitor.http.get("/api/tables/mine")).json()["tables"]}


async def _guest(server: Server, handle: str) -> str:
    return await server.components.ties.guest_of(handle)


async def _rows(server: Server, query: sa.Select[tuple[object, ...]]) -> list[tuple[object, ...]]:
    async with server.components.storage.reading() as connection:
        return [tuple(row) for row in await connection.execute(query)]


def test_a_passkey_makes_a_profile_and_signs_in_elsewhere(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", **PUBLIC) as server:
            anna, phone = await _named(server, "Anna"), await _named(server, "Anna on the phone")
            old, key = await anna.create("me easy"), Authenticator(ORIGIN)
            assert (await _profile(anna))["id"] is None
            before = dict(anna.http.cookies)
            assert await _make_passkey(anna, key) == 204
            mine = await _profile(anna)
            assert (mine["name"], len(mine["passkeys"]), len(mine["devices"])) == ("Anna", 1, 1)
            me = await _guest(server, mine["id"])
            assert me != mine["id"], "others never see it"
            assert await server.components.storage.profiles_among([me, "nobody"]) == {me}
            new = await phone.create("me easy")
            waits = await phone.create("me open")
            assert await _sign_in(phone, key) == 200
            assert (await _profile(phone))["id"] == mine["id"]
            assert await _mine(phone) == await _mine(anna) == {old["table"], new["table"], waits["table"]}
            table = await phone.open(new["table"])
            assert (await table.my_turn())["you"] == 0
            plain = await server.visitor()
            plain.http.cookies.update(before)
            async with server.components.storage.writing() as connection:
                await connection.execute(sa.text("UPDATE profiles SET created = '2026-01-01'"))
            assert (await _profile(plain))["id"] is None  # the cookie from before is worth nothing any more
            assert await _mine(anna) == {old["table"], new["table"], waits["table"]}

    run(scenario())


def test_where_both_sit_each_keeps_their_seat(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", **PUBLIC) as server:
            anna, phone, key = await _named(server, "Anna"), await _named(server, "Phone"), Authenticator(ORIGIN)
            both = await anna.create("me open easy")
            assert (await phone.http.post(f"/api/tables/{both['table']}/join")).status_code == 200
            linked = await phone.create("me easy")
            await anna.http.post(f"/api/tables/{linked['table']}/devices?seat={linked['seat_token']}")
            await _make_passkey(anna, key)
            options = (await phone.http.post("/api/profile/sign-in/options")).json()["options"]
            answer = await phone.http.post("/api/profile/sign-in", json={"credential": key.sign(options)})
            (twice,) = answer.json()["twice"]
            assert twice["table"] == both["table"]
            table = await phone.open(both["table"], twice["seat_token"])
            assert (await table.until(lambda state: state["status"] == "playing"))["you"] == 1
            assert (await (await phone.open(both["table"])).until(lambda _: True))["you"] == 0
            assert await _rows(server, sa.select(companions)) == []  # it is their own seat now
            at = await _rows(server, sa.select(seats.c.guest).where(seats.c.table_id == both["table"]))
            assert len(set(at)) == 3

    run(scenario())


def test_strangers_do_not_get_in(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", **PUBLIC) as server:
            anna, eve, key = await _named(server, "Anna"), await _named(server, "Eve"), Authenticator(ORIGIN)
            await _make_passkey(anna, key)
            user = key.user
            assert await _make_passkey(eve, key) == 422  # somebody else's
            assert await _make_passkey(eve, Authenticator("https://evil.example")) == 422
            key.origin = "https://evil.example"
            assert await _sign_in(eve, key) == 403
            key.origin = ORIGIN
            forged = Authenticator(ORIGIN)
            forged.id, forged.user = key.id, user
            assert await _sign_in(eve, forged) == 403
            assert await _sign_in(eve, key) == 403  # it says that it is Eve's
            key.user = user
            assert await _sign_in(eve, Authenticator(ORIGIN)) == 403
            options = (await eve.http.post("/api/profile/sign-in/options")).json()["options"]
            kept = dict(eve.http.cookies)
            answer = {"credential": key.sign(options)}
            assert (await eve.http.post("/api/profile/sign-in", json={"credential": "{"})).status_code == 403
            for again in (answer, answer):  # a challenge is used up by the first try
                other = await server.visitor()
                other.http.cookies.update(kept)
                assert (await other.http.post("/api/profile/sign-in", json=again)).status_code == 409
            assert await _sign_in(eve, key) == 200
            headers = {"Origin": "https://evil.example"}
            for path in ("sign-in/options", "mail", "link", "sign-out-everywhere"):
                assert (await anna.http.post(f"/api/profile/{path}", headers=headers)).status_code == 403
            assert (await anna.http.delete("/api/profile", headers=headers)).status_code == 403
            bad = await (await server.visitor()).http.delete("/api/profile")
            assert bad.status_code == 403

    run(scenario())


def test_devices_are_signed_out_one_by_one_and_all_at_once(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", **PUBLIC) as server:
            anna, phone, key = await _named(server, "Anna"), await server.visitor(), Authenticator(ORIGIN)
            made = await anna.create("me easy")
            await _make_passkey(anna, key)
            await _sign_in(phone, key)
            there = next(each for each in (await _profile(anna))["devices"] if not each["here"])
            table = await phone.open(made["table"])
            await table.my_turn()
            assert (await anna.http.delete(f"/api/profile/devices/{there['id']}")).status_code == 204
            assert (await table.error())["code"] == "not_allowed"
            with pytest.raises(ConnectionClosed):
                await table.receive()
            assert await _mine(phone) == set()
            assert (await anna.http.delete(f"/api/profile/devices/{there['id']}")).status_code == 404
            await _sign_in(phone, key)
            assert (await phone.http.post("/api/profile/sign-out-everywhere")).status_code == 204
            assert await _mine(anna) == await _mine(phone) == set()
            assert await _sign_in(anna, key) == 200
            assert await _mine(anna) == {made["table"]}
            last = (await _profile(anna))["passkeys"][0]["id"]
            assert (await anna.http.delete(f"/api/profile/passkeys/{last}")).status_code == 422

    run(scenario())


def _token(text: str) -> str:
    found = re.search(rf"{ORIGIN}/sign-in#(\S+)", text)
    assert found, text
    return found[1]


def _mailing(box: Postbox) -> Json:
    return {**PUBLIC, "smtp_url": box.url, "mail_from": "nevsky@play.example"}


async def _link(visitor: Visitor, box: Postbox, address: str, language: str = "en") -> str:
    asked = await visitor.http.post(f"/api/profile/mail?language={language}", json={"address": address})
    assert (asked.status_code, asked.text) == (202, "null")
    mail = await box.next()
    assert mail["To"] == address.strip().lower()
    return _token(mail.get_content())


async def _use(visitor: Visitor, token: str) -> int:
    return (await visitor.http.post("/api/profile/link", json={"token": token})).status_code


def test_a_link_by_mail_keeps_the_games_and_signs_in_elsewhere(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with postbox() as box, running(tmp_path / "n.db", **_mailing(box)) as server:
            anna, phone = await _named(server, "Anna"), await _named(server, "Phone")
            made, also = await anna.create("me easy"), await phone.create("me easy")
            token = await _link(anna, box, "Anna@Mail.example")
            seen = (await anna.http.post("/api/profile/link/look", json={"token": token})).json()
            assert seen == {"address": "anna@mail.example", "name": "Anna", "signs_in": False, "here": True}
            assert await _use(anna, token) == 200
            assert await _use(anna, token) == 404  # once
            assert (await _profile(anna))["mail"] == ["anna@mail.example"]
            first = (await _profile(anna))["id"]
            mailed = await server.components.storage.mail_of(await _guest(server, first))
            assert mailed == ("anna@mail.example", "en")
            token = await _link(phone, box, "anna@mail.example", "de")
            assert await _use(phone, token) == 200
            assert (await _profile(phone))["id"] == first
            assert await _mine(phone) == {made["table"], also["table"]}
            hashes = await _rows(server, sa.select(mail_links.c.id))
            assert all(token not in str(each) for each in hashes)

    run(scenario())


def test_a_link_is_good_for_what_it_was_asked_for_only(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with postbox() as box, running(tmp_path / "n.db", **_mailing(box)) as server:
            anna, eve = await _named(server, "Anna"), await _named(server, "Eve")
            hers = await anna.create("me easy")
            await eve.http.get("/api/me")
            token = await _link(eve, box, "anna@mail.example")  # Eve knows the address, not the mailbox
            seen = (await anna.http.post("/api/profile/link/look", json={"token": token})).json()
            assert (seen["name"], seen["here"]) == ("Eve", False)
            assert await _use(anna, token) == 200
            assert (await _profile(anna))["id"] is None  # Anna stays who she is, and keeps what she has
            assert await _mine(anna) == {hers["table"]}
            assert await _use(eve, "x" * 32) == 404
            late = await _link(anna, box, "late@mail.example")
            async with server.components.storage.writing() as connection:
                await connection.execute(mail_links.update().values(created="2026-01-01T00:00:00+00:00"))
            assert await _use(anna, late) == 404
            assert await _rows(server, sa.select(mail_addresses.c.address)) == [("anna@mail.example",)]

    run(scenario())


def test_a_mailbox_gets_few_links_whoever_asks(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with postbox() as box:
            options = {**_mailing(box), "mail_rate": "2 per hour"}
            async with running(tmp_path / "n.db", **options) as server:
                people = [await server.visitor() for _ in range(3)]
                asked = [await each.http.post("/api/profile/mail", json={"address": "a@b.example"}) for each in people]
                assert [each.status_code for each in asked] == [202, 202, 429]
                other = await people[2].http.post("/api/profile/mail", json={"address": "c@b.example"})
                assert other.status_code == 202
                assert (await people[2].http.post("/api/profile/mail", json={"address": "c@b"})).status_code == 422
        async with running(tmp_path / "n.db") as server:
            visitor = await server.visitor()
            assert not (await _profile(visitor))["offers_mail"]
            assert (await visitor.http.post("/api/profile/mail", json={"address": "a@b.example"})).status_code == 422
        async with running(tmp_path / "n.db", profiles=False) as server:
            assert (await (await server.visitor()).http.get("/api/profile")).status_code == 404

    run(scenario())


def test_who_is_forgotten_leaves_the_games_of_others_whole(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", **PUBLIC) as server:
            anna, boris, key = await _named(server, "Anna"), await _named(server, "Boris"), Authenticator(ORIGIN)
            game = await anna.create("me open")
            await boris.http.post(f"/api/tables/{game['table']}/join")
            waits = await anna.create("me open")
            his = await boris.open(game["table"])
            hers = await anna.open(game["table"])
            await hers.send(type="chat", text="my secret")
            await his.until(lambda state: state["chat"])
            await _make_passkey(anna, key)
            whole = (await anna.http.get("/api/profile/export")).json()
            assert whole["guest"]["name"] == "Anna"
            assert [len(whole[each]) for each in ("passkeys", "devices", "chat", "seats", "tables")] == [1, 1, 1, 2, 2]
            page = (await _profile(anna))["id"]
            me = await _guest(server, page)
            assert (await boris.http.get(f"/api/players/{page}")).json()["name"] == "Anna"
            assert (await boris.http.get(f"/api/players/{me}")).status_code == 404, "an id is no address"
            assert (await anna.http.get(f"/api/players/{me}")).json()["id"] == page, "an older one of one's own"
            path = f"/api/tables/{game['table']}"
            assert (await boris.http.get(f"{path}/players")).json() == {"players": [page, None]}
            (listed,) = (await boris.http.get("/api/tables/mine")).json()["tables"]
            assert listed["players"] == [page, None]
            await anna.http.put("/api/profile", json={"public": False})
            assert (await boris.http.get(f"/api/players/{page}")).status_code == 404
            assert (await boris.http.get(f"{path}/players")).json() == {"players": [None, None]}
            assert (await anna.http.delete("/api/profile?language=de")).status_code == 204
            state = await his.until(lambda state: "Former player" in [each["name"] for each in state["players"]])
            assert state["chat"] == []
            await his.send(type="language", language="de")
            await his.until(lambda state: "Ehemals dabei" in [each["name"] for each in state["players"]])
            (listed,) = (await boris.http.get("/api/tables/mine", headers={"Accept-Language": "fr"})).json()["tables"]
            assert "Ancien membre" in listed["names"]
            assert (await boris.http.get("/api/people")).json()["recent"] == []
            assert (await boris.http.get(f"/api/tables/{waits['table']}")).status_code == 404
            assert await _sign_in(anna, key) == 403
            for table in metadata.sorted_tables:
                rows = await _rows(server, sa.select(table))
                assert not any({me, page, "Anna"} & set(map(str, row)) for row in rows), table.name

    run(scenario())


def test_what_names_a_guest_is_known_to_export_and_erasing() -> None:
    """A new table either has a column `guest`, or `holdings` and `erasing` have to learn of its name for it."""
    words = ("guest", "owner", "player", "profile", "reserved_for", "target", "member", "friend", "sender")
    found = {
        f"{table.name}.{column.name}" for table in metadata.sorted_tables for column in table.c if column.name in words
    }
    of_guests = {f"{table.name}.guest" for table in about()}
    assert found - of_guests == {
        "tables.owner",
        "tournaments.owner",
        "seats.reserved_for",
        "audit.target",
        "leases.owner",
        "invitations.sender",
    }
