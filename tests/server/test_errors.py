"""Every refusal: the right code, a sentence, and nothing has changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from nevsky.server import conversation
from tests.server.support import Json, Server, Table, Visitor, run, running


async def alone(server: Server, seats: str = "me open") -> tuple[Visitor, Json]:
    anna = await server.visitor()
    return anna, await anna.create(seats)


async def started(server: Server) -> tuple[Table, Table, Json]:
    """A table of two: who is to move, who is not, and how it was made."""
    anna, made = await alone(server)
    boris = await server.visitor()
    await boris.http.post(f"/api/tables/{made['table']}/join")
    pair = [await anna.open(made["table"]), await boris.open(made["table"])]
    for table in pair:
        await table.until(lambda state: state["status"] == "playing" and all(p["connected"] for p in state["players"]))
    pair.sort(key=lambda table: table.state["to_move"] != table.state["you"])
    return pair[0], pair[1], made


async def refused(table: Table, code: str, **message: Any) -> str:
    """Send a message that is refused, and get the sentence."""
    await table.send(**message)
    error = await table.error()
    assert error["code"] == code, error
    text = error["message"]
    assert isinstance(text, str)
    assert text.endswith(".")
    return text


def test_wrong_seat_wrong_turn_stale_and_illegal(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            active, other, made = await started(server)
            version, action = active.state["version"], active.state["choices"][0]["action"]
            spectator = await (await server.visitor()).open(made["table"])
            await refused(spectator, "not_allowed", type="act", version=version, action=action)
            await refused(spectator, "not_allowed", type="chat", text="hello")  # nobody knows their name
            await refused(spectator, "not_allowed", type="undo", version=version)
            await refused(spectator, "not_allowed", type="away", away=True, seat=0)
            await refused(other, "not_your_turn", type="act", version=version, action=action)
            await refused(active, "stale", type="act", version=version + 1, action=action)
            await refused(active, "stale", type="undo", version=version - 1)
            await refused(active, "illegal", type="act", version=version, action="buy academy")
            await refused(active, "illegal", type="act", version=version, action="pass")
            await refused(active, "illegal", type="act", version=version, action="burn the city")
            await refused(active, "illegal", type="undo", version=version)
            await refused(active, "not_allowed", type="away", away=False, seat=other.state["you"])
            await refused(active, "refused", type="away", away=True, seat=4)
            await active.play(action)
            text = await refused(active, "stale", type="act", version=version, action=action)
            assert "in the meantime" in text
            assert active.state["version"] == version + 1

    run(scenario())


def test_a_doubled_message_is_one_move(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            active, _, _ = await started(server)
            message = {"type": "act", "version": 0, "action": active.state["choices"][0]["action"]}
            await active.send(**message)
            await active.send(**message)
            assert (await active.error())["code"] == "stale"
            await active.until(lambda state: state["version"] == 1)
            assert await active.quiet() or active.state["version"] == 1

    run(scenario())


UNREADABLE = (
    "",
    "hello",
    "[]",
    "null",
    "{}",
    '{"type":"dance"}',
    '{"type":"act","action":"pass"}',
    '{"type":"act","version":0,"action":5}',
    '{"type":"act","version":0,"action":"pass","seat":1}',
    '{"type":"chat","text":""}',
    '{"type":"auto_pass","until":"christmas"}',
    '{"type":"language","language":"ru"}',
    '{"type":"chat","text":"' + "x" * 301 + '"}',
    "[" * 3000,
    '{"type":"chat","text":"' + "x" * 5000 + '"}',
)


def test_what_cannot_be_read(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna, made = await alone(server)
            table = await anna.open(made["table"])
            await table.receive()
            for text in (*UNREADABLE, b"\x00\xff"):
                await table.socket.send(text)
                error = await table.error()
                assert error["code"] == "bad_message", text
                assert error["message"].endswith(".")
            await table.send(type="ping")
            assert (await table.receive())["type"] == "pong"

    run(scenario())


def test_a_huge_message_ends_the_connection(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna, made = await alone(server)
            table = await anna.open(made["table"])
            await table.receive()
            await table.socket.send("x" * 200_000)
            with pytest.raises(ConnectionClosed) as closed:
                await table.until(lambda _: False)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1009

    run(scenario())


async def turned_away(table: Table, code: str, number: int) -> None:
    assert (await table.error())["code"] == code
    with pytest.raises(ConnectionClosed) as closed:
        await table.receive()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == number


def test_unknown_table_forged_token_and_foreign_page(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna, made = await alone(server)
            table = made["table"]
            await turned_away(await anna.open("nowhere"), "not_found", 4404)
            mallory = await server.visitor()
            await turned_away(await mallory.open(table, "x" * 32), "not_allowed", 4403)
            assert (await (await anna.open(table, "x" * 32)).receive())["you"] == 0, "her cookie is enough"
            await turned_away(await anna.open(table, Origin="https://evil.example"), "not_allowed", 4403)
            for path in ("", "/log", "/record", "/replay"):
                answer = await anna.http.get(f"/api/tables/nowhere{path}")
                assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
            assert (await mallory.http.get(f"/api/tables/{table}/log?seat=forged")).json()["code"] == "not_allowed"
            foreign = {"Origin": "https://evil.example"}
            answer = await anna.http.post(f"/api/tables/{table}/join", headers=foreign)
            assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed")

    run(scenario())


def test_a_free_seat_has_no_working_token(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            _, made = await alone(server)
            table = await server.components.hub.get(made["table"])
            mallory = await server.visitor()
            await turned_away(await mallory.open(made["table"], table.seats[1].token), "not_allowed", 4403)

    run(scenario())


def test_a_forged_cookie_is_nobody(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna, made = await alone(server)
            real = anna.http.cookies["nevsky_guest"]
            for forged in (real[:-2] + "AA", real.split(".")[0], "x", "IjEi.x", "é"):
                mallory = await server.visitor()
                headers = [(b"cookie", f"nevsky_guest={forged}".encode())]
                answer = await mallory.http.get(f"/api/tables/{made['table']}", headers=headers)
                assert answer.json()["you"] is None
                assert answer.json()["seat_token"] is None
                answer = await mallory.http.post(f"/api/tables/{made['table']}/leave", headers=headers)
                assert answer.json()["code"] == "not_allowed"
            assert (await anna.http.get(f"/api/tables/{made['table']}")).json()["you"] == 0

    run(scenario())


async def flood(table: Table) -> None:
    for _ in range(400):
        await table.send(type="ping")
        await table.receive()


def test_floods_are_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversation, "_PAUSE", 0.001)

    async def scenario() -> None:
        rates = {"message_rate": "20 per minute", "chat_rate": "3 per minute", "table_rate": "2 per minute"}
        async with running(tmp_path / "n.db", **rates) as server:
            anna, made = await alone(server)
            table = await anna.open(made["table"])
            await table.receive()
            for _ in range(4):
                await table.send(type="chat", text="hello")
            assert (await table.error())["code"] == "too_fast"
            assert len(table.state["chat"]) <= 3
            with pytest.raises(ConnectionClosed) as closed:
                await flood(table)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 4429
            assert "too_fast" in [seen.get("code") for seen in table.seen]
            await anna.create("me open")
            answer = await anna.http.post("/api/tables", json={"seats": [{"kind": "me"}] * 2})
            assert (answer.status_code, answer.json()["code"]) == (429, "too_fast")

    run(scenario())


def test_too_many_requests(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", request_rate="3 per minute") as server:
            anna = await server.visitor()
            codes = [(await anna.http.get("/api/meta")).status_code for _ in range(4)]
            assert codes == [200, 200, 200, 429]
            assert (await anna.http.get("/health")).status_code == 200

    run(scenario())


def test_scripts_stay_plain_text(tmp_path: Path) -> None:
    async def scenario() -> None:
        script = "<script>alert(1)</script>"
        async with running(tmp_path / "n.db") as server:
            anna = await server.visitor()
            name = (await anna.http.put("/api/me", json={"name": "<b>\u202eA\x00nna</b>"})).json()["name"]
            assert name == "<b>Anna</b>"
            made = await anna.create("me open")
            table = await anna.open(made["table"])
            await table.receive()
            await table.send(type="chat", text=f"{script}\x1b[31m")
            state = await table.until(lambda state: state["chat"] != [])
            assert state["chat"][0]["text"] == f"{script}[31m"
            assert state["chat"][0]["name"] == "<b>Anna</b>"
            answer = await anna.http.get("/api/me")
            assert answer.headers["content-type"] == "application/json"
            assert answer.headers["x-content-type-options"] == "nosniff"

    run(scenario())


IMPOSSIBLE: tuple[tuple[Any, str, str], ...] = (
    ({"ruleset": {"players": 5}, "seats": [{"kind": "bot"}] * 5}, "refused", "Market"),
    ({"ruleset": {"players": 3}, "seats": [{"kind": "me"}] * 2}, "refused", "3 seats"),
    ({"ruleset": {"players": 2}, "seats": [{"kind": "me"}] * 2}, "refused", "only one seat"),
    ({"ruleset": {"players": 2}, "seats": [{"kind": "bot", "level": "tsar"}] * 2}, "refused", "no level"),
    ({"ruleset": {"edition": "first", "players": 2, "modules": [1]}, "seats": [{}] * 2}, "refused", "no modules"),
    ({"ruleset": {"players": 9}, "seats": [{}] * 2}, "bad_message", "players"),
    ({"seats": [{}] * 2, "colour": "red"}, "bad_message", "colour"),
    ({"seats": []}, "bad_message", "seats"),
    ([], "bad_message", ""),
)


def test_tables_that_cannot_be(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna = await server.visitor()
            for table, code, words in IMPOSSIBLE:
                answer = await anna.http.post("/api/tables", json=table)
                assert answer.status_code == {"refused": 422, "bad_message": 400}[code]
                assert answer.json()["code"] == code
                assert words in answer.json()["message"]

    run(scenario())


def test_requests_that_cannot_be_read(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna = await server.visitor()
            for content in (b"{", b"\xff", b'"', json.dumps({"name": "x" * 99}).encode(), b'{"name": "\\u0000"}'):
                answer = await anna.http.put("/api/me", content=content, headers={"Content-Type": "application/json"})
                assert answer.status_code in (400, 422), content
                assert answer.json()["code"] in ("bad_message", "refused")
            answer = await anna.http.put("/api/me", content=b"x" * 40_000)
            assert (answer.status_code, answer.json()["code"]) == (400, "bad_message")

            async def chunks() -> Any:
                for _ in range(50):
                    yield b"x" * 1000

            answer = await anna.http.put("/api/me", content=chunks(), headers={"Content-Type": "application/json"})
            assert (answer.status_code, answer.json()["code"]) == (400, "bad_message")
            answer = await anna.http.get("/api/meta?language=ru")
            assert (answer.status_code, answer.json()["code"]) == (400, "bad_message")
            answer = await anna.http.delete("/api/me")
            assert answer.json()["code"] in ("bad_message", "not_found")

    run(scenario())


def test_what_only_a_finished_or_an_open_table_has(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            active, _, made = await started(server)
            anna = await server.visitor()
            for path in ("record", "replay"):
                answer = await anna.http.get(f"/api/tables/{made['table']}/{path}")
                assert (answer.status_code, answer.json()["code"]) == (422, "refused")
            assert (await anna.http.post(f"/api/tables/{made['table']}/join")).json()["code"] == "refused"
            token = made["seat_token"]
            for path in ("leave", "rematch"):
                answer = await anna.http.post(f"/api/tables/{made['table']}/{path}?seat={token}")
                assert answer.json()["code"] == "refused"
            assert (await anna.http.post(f"/api/tables/{made['table']}/rematch")).json()["code"] == "not_allowed"
            assert active.state["status"] == "playing"

    run(scenario())


def test_shutting_down_finishes_moves_and_says_so(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            active, other, made = await started(server)
            await active.act(active.state["choices"][0]["action"])
            await other.until(lambda state: state["version"] == 1)
            await server.components.hub.close()
            assert (await other.error())["code"] == "shutting_down"
            anna = await server.visitor()
            answer = await anna.http.get(f"/api/tables/{made['table']}")
            assert (answer.status_code, answer.json()["code"]) == (503, "shutting_down")
            assert (await anna.http.get("/ready")).status_code == 503

    run(scenario())
