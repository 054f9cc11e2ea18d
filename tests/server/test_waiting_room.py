"""Before the start: names, who may sit where, and what the owner of a table may change."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nevsky.server.sanitize import clean_name, distinct_name, same_name
from tests.server.support import Json, Server, Table, Visitor, run, running

pytestmark = pytest.mark.usefixtures("quick_bots")


async def called(server: Server, name: str) -> Visitor:
    visitor = await server.visitor()
    assert (await visitor.http.put("/api/me", json={"name": name})).status_code == 200
    return visitor


async def join(visitor: Visitor, table: str, **wanted: Any) -> httpx.Response:
    return await visitor.http.post(f"/api/tables/{table}/join", json=wanted)


async def seat(visitor: Visitor, table: str, number: int, kind: str, **more: Any) -> httpx.Response:
    return await visitor.http.put(f"/api/tables/{table}/seats/{number}", json={"kind": kind, **more})


async def change(visitor: Visitor, table: str, **wanted: Any) -> httpx.Response:
    return await visitor.http.patch(f"/api/tables/{table}", json=wanted)


def refused(answer: httpx.Response, words: str, status: int = 422) -> None:
    assert answer.status_code == status, answer.text
    assert words in answer.json()["message"]


def names(state: Json) -> list[str]:
    return [player["name"] for player in state["players"]]


async def room(server: Server, seats: str = "me open open", **options: Any) -> tuple[Visitor, str, Table]:
    """Anna has made a table and looks at it."""
    anna = await called(server, "Anna")
    made = await anna.create(seats, **options)
    table = await anna.open(made["table"])
    await table.until(lambda state: state["status"] == "open")
    return anna, made["table"], table


NAMES = st.text("abcdefgAB 123é", min_size=1, max_size=24).filter(lambda name: name.strip())


@given(NAMES, st.lists(NAMES, max_size=6))
def test_a_distinct_name_is_short_and_nobody_elses(name: str, taken: list[str]) -> None:
    name = clean_name(name)
    found = distinct_name(name, taken)
    assert clean_name(found) == found
    assert not any(same_name(found, other) for other in taken)
    if not any(same_name(name, other) for other in taken):
        assert found == name


def test_who_has_chosen_a_name_is_remembered(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            boris = await server.visitor()
            given_name = (await boris.http.get("/api/me")).json()
            assert not given_name["named"]
            await boris.http.put("/api/me", json={"name": given_name["name"]})  # they may keep it
            assert (await boris.http.get("/api/me")).json() == {**given_name, "named": True}

    run(scenario())


def test_a_name_comes_with_sitting_down_and_can_be_changed_until_the_start(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            _, table, watching = await room(server)
            boris = await server.visitor()
            await boris.http.get("/api/me")
            for wrong in ("", " ", "\u200b", "x" * 25):
                assert (await join(boris, table, name=wrong)).status_code in (400, 422)
            refused(await join(boris, table, name=" aNNa "), "is already called aNNa")
            me = (await boris.http.get("/api/me")).json()
            assert not me["named"]
            assert (await join(boris, table, name=" Boris ")).json()["seat"] == 1
            await watching.until(lambda state: names(state) == ["Anna", "Boris", ""])
            assert (await boris.http.get("/api/me")).json()["name"] == "Boris"
            refused(await join(boris, table, name="Anna"), "is already called Anna")
            assert (await join(boris, table, name="Bo")).json()["seat"] == 1
            await watching.until(lambda state: names(state) == ["Anna", "Bo", ""])
            clara = await server.visitor()
            assert (await join(clara, table, name="Clara")).json()["seat"] == 2
            await watching.until(lambda state: state["status"] == "playing")
            assert (await join(boris, table, name="Late")).json()["seat"] == 1
            assert names(watching.state) == ["Anna", "Bo", "Clara"]

    run(scenario())


def test_equal_names_at_a_table_are_told_apart(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            _, table, watching = await room(server)
            for _ in range(2):
                assert (await join(await called(server, "anna"), table)).status_code == 200
            state = await watching.until(lambda state: state["status"] == "playing")
            assert names(state) == ["Anna", "anna 2", "anna 3"]

    run(scenario())


def test_the_owner_fills_seats_with_bots_and_empties_them(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna, table, watching = await room(server)
            assert (await seat(anna, table, 1, "bot", level="easy")).json()["bots"] == [None, "easy", None]
            state = await watching.until(lambda state: state["players"][1]["bot"] == "easy")
            assert state["players"][1]["name"]
            assert (await seat(anna, table, 1, "bot", level="hard")).status_code == 200
            await watching.until(lambda state: state["players"][1]["bot"] == "hard")
            assert (await seat(anna, table, 1, "open")).status_code == 200
            state = await watching.until(lambda state: state["players"][1]["bot"] is None)
            assert names(state) == ["Anna", "", ""]
            refused(await seat(anna, table, 1, "bot", level="divine"), "There is no level")
            refused(await seat(anna, table, 0, "bot"), "You sit here yourself")
            refused(await seat(anna, table, 3, "bot"), "0 to 2")
            assert (await seat(anna, table, 1, "king")).status_code == 400
            await seat(anna, table, 1, "bot")
            await seat(anna, table, 2, "bot")  # nobody is missing any more
            await watching.until(lambda state: state["status"] == "playing")
            refused(await seat(anna, table, 2, "open"), "already started")
            refused(await change(anna, table, public=True), "already started")

    run(scenario())


def test_only_the_owner_may_change_a_table_and_who_stays_inherits_it(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna, table, watching = await room(server)
            boris, clara = await called(server, "Boris"), await called(server, "Clara")
            await join(boris, table, seat=2)
            for other in (boris, clara):
                refused(await seat(other, table, 1, "bot"), "Only the host", 403)
                refused(await change(other, table, public=True), "Only the host", 403)
                refused(await other.http.post(f"/api/tables/{table}/start"), "Only the host", 403)
            assert watching.state["owner"] == 0
            looking = await boris.open(table)
            await anna.http.post(f"/api/tables/{table}/leave")
            await looking.until(lambda state: state["owner"] == 2)
            await join(clara, table, seat=0)
            await join(anna, table, seat=1)
            state = await looking.until(lambda state: state["status"] == "playing")
            assert state["owner"] == 2

    run(scenario())


def test_somebody_whose_seat_is_given_away_is_told_and_may_watch(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna, table, _ = await room(server)
            boris = await called(server, "Boris")
            token = (await join(boris, table)).json()["seat_token"]
            theirs = await boris.open(table)
            await theirs.until(lambda state: state["you"] == 1)
            await seat(anna, table, 1, "open")
            assert "given your seat to others" in (await theirs.error())["message"]
            await theirs.until(lambda state: state["you"] is None and names(state) == ["Anna", "", ""])
            assert (await boris.http.get(f"/api/tables/{table}?seat={token}")).status_code == 403
            assert (await join(boris, table)).json()["seat"] == 1

    run(scenario())


def test_a_kept_seat_is_for_whoever_has_the_invitation(anywhere: Path | str) -> None:
    async def scenario() -> None:
        async with running(anywhere) as server:
            anna, table, watching = await room(server, "me open")
            answer = await seat(anna, table, 1, "reserved", name=" Boris ")
            invitation = answer.json()["invitations"][1]
            state = await watching.until(lambda state: state["players"][1]["reserved"] == "Boris")
            assert (names(state), state["status"]) == (["Anna", ""], "open")
            stranger = await called(server, "Clara")
            summary = (await stranger.http.get(f"/api/tables/{table}")).json()
            assert (summary["reserved"], summary["names"]) == ([None, "Boris"], ["Anna", None])
            assert summary["invitations"] is None
            assert invitation not in str(state)
            refused(await join(stranger, table), "kept for others")
            refused(await join(stranger, table, seat=1, invitation="wrong"), "kept for others")
            assert (await stranger.http.get(f"/api/tables/{table}?seat={invitation}")).status_code == 403
            boris = await server.visitor()
            made = (await join(boris, table, invitation=invitation, name="Bo")).json()
            assert made["seat"] == 1
            assert made["seat_token"] != invitation, "whoever sent the invitation must not have the seat"
            state = await watching.until(lambda state: state["status"] == "playing")
            assert (names(state), state["players"][1]["reserved"]) == (["Anna", "Bo"], None)

    run(scenario())


def test_seats_of_a_rematch_are_kept_under_their_names(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna, table, watching = await room(server, "me open", edition="first")
            boris = await called(server, "Boris")
            await join(boris, table)
            second = await boris.open(table)
            await second.until(lambda state: state["status"] == "playing")
            await second.send(type="resign")
            await watching.until(lambda state: state["status"] == "over")
            again = (await anna.http.post(f"/api/tables/{table}/rematch")).json()["table"]
            summary = (await boris.http.get(f"/api/tables/{again}")).json()
            assert (summary["reserved"], summary["owner"]) == ([None, "Boris"], 0)
            refused(await join(await called(server, "Clara"), again), "kept for others")
            assert (await join(boris, again)).json()["seat"] == 1

    run(scenario())


def test_the_owner_changes_rules_and_times_and_everybody_sees_it_at_once(anywhere: Path | str) -> None:
    async def scenario() -> None:
        async with running(anywhere) as server:
            anna, table, _ = await room(server)
            boris = await called(server, "Boris")
            await join(boris, table)
            looking = await boris.open(table)
            assert (await looking.until(lambda _: True))["clock"] is None
            assert (await change(anna, table, pace="live", reserve_seconds=60)).status_code == 200
            state = await looking.until(lambda state: state["clock"] is not None)
            assert state["clock"] == {"pace": "live", "decision_seconds": 120, "reserve_seconds": 60}
            assert (await change(anna, table, decision_seconds=30)).status_code == 200
            state = await looking.until(lambda state: state["clock"]["decision_seconds"] == 30)
            assert state["clock"]["reserve_seconds"] == 60, "what is not said stays"
            ruleset = {"players": 4, "market": True, "modules": [1], "open_hands": True}
            assert (await change(anna, table, ruleset=ruleset, public=True, show_seen_cards=False)).status_code == 200
            state = await looking.until(lambda state: state["ruleset"]["market"])
            assert (state["ruleset"]["modules"], names(state)) == ([1], ["Anna", "Boris", "", ""])
            assert state["public"] and not state["show_seen_cards"]
            before = (await anna.http.get(f"/api/tables/{table}")).json()
            refused(await change(anna, table, ruleset={"players": 5}), "Five players need the Market")
            refused(await change(anna, table, decision_seconds=1), "15 seconds")
            refused(await change(anna, table, pace="none", decision_seconds=30), "clock")
            assert (await change(anna, table, pace="hurried")).status_code == 400
            assert (await anna.http.get(f"/api/tables/{table}")).json() == before
            await change(anna, table, ruleset={"players": 2}, pace="none")  # both of us, at once
            state = await looking.until(lambda state: state["status"] == "playing")
            assert (names(state), state["clock"]) == (["Anna", "Boris"], None)

    run(scenario())


def test_nobody_loses_their_seat_when_there_are_fewer(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna, table, watching = await room(server, "me open open")
            await join(await called(server, "Boris"), table, seat=2)
            refused(await change(anna, table, ruleset={"players": 2}), "no seat left for somebody")
            await watching.until(lambda state: names(state) == ["Anna", "", "Boris"])

    run(scenario())


def test_what_was_changed_is_there_after_a_restart(anywhere: Path | str) -> None:
    async def scenario() -> None:
        async with running(anywhere) as server:
            anna, table, _ = await room(server)
            cookies = dict(anna.http.cookies)
            await change(anna, table, ruleset={"players": 4, "edition": "first"}, pace="relaxed")
            await seat(anna, table, 1, "bot", level="easy")
            told = (await seat(anna, table, 3, "reserved", name="Boris")).json()
        async with running(anywhere) as server:
            again = await server.visitor()
            again.http.cookies.update(cookies)
            assert (await again.http.get(f"/api/tables/{table}")).json() == told
            boris = await server.visitor()
            assert (await join(boris, table, invitation=told["invitations"][3])).json()["seat"] == 3
            answer = await again.http.post(f"/api/tables/{table}/start", json={"level": "hard"})
            assert (answer.json()["status"], answer.json()["bots"]) == ("playing", [None, "easy", "hard", None])
            refused(await again.http.post(f"/api/tables/{table}/start"), "already started")

    run(scenario())


def test_a_private_table_cannot_slip_into_a_full_list(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", public_tables_per_address=1) as server:
            anna = await called(server, "Anna")
            await anna.create("me open", public=True)
            hidden = (await anna.create("me open"))["table"]
            refused(await change(anna, hidden, public=True), "address")
            listed = (await anna.http.get("/api/tables")).json()["tables"]
            assert hidden not in [each["table"] for each in listed]
            assert (await change(anna, hidden, pace="live")).status_code == 200

    run(scenario())
