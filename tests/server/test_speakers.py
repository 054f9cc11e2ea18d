"""What is said at a table, and by whom: a mark stays with each person, and tells nothing else."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

from tests.server.pairs import mine, seated, two_players
from tests.server.support import Json, Visitor, run, running


def _speakers(state: Json) -> dict[str, str]:
    return {line["text"]: line["speaker"] for line in state["chat"]}


async def _say(visitor: Visitor, table: str, text: str, token: str | None = None) -> dict[str, str]:
    seat = await visitor.open(table, token)
    await seat.send(type="chat", text=text)
    state = await seat.until(lambda state: any(line["text"] == text for line in state["chat"]))
    await seat.socket.close()
    return _speakers(state)


def test_a_speaker_is_a_person_and_not_a_name(tmp_path: Path, quick_bots: None) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna, boris, clara = [await server.visitor() for _ in range(3)]
            made = await anna.create("me open")
            table = made["table"]
            for visitor in (boris, clara):
                assert (await visitor.http.put("/api/me", json={"name": "Anna"})).status_code == 200
            await _say(anna, table, "mine")
            await _say(boris, table, "of Boris")
            assert (await boris.http.put("/api/me", json={"name": "Somebody"})).status_code == 200
            await _say(boris, table, "of Boris again")
            await _say(clara, table, "of Clara")
            other_device = await server.visitor()
            before = await _say(other_device, table, "by the link", made["seat_token"])
            assert before["mine"] == before["by the link"]
            assert before["of Boris"] == before["of Boris again"]
            assert len({before["mine"], before["of Boris"], before["of Clara"]}) == 3
            with contextlib.closing(sqlite3.connect(tmp_path / "n.db")) as database:
                guests = [guest for (guest,) in database.execute("SELECT id FROM guests")]
            assert len(guests) >= 3
            assert not any(guest in str(before) for guest in guests)
            elsewhere = (await anna.create("me open"))["table"]
            assert (await _say(anna, elsewhere, "mine"))["mine"] != before["mine"]
        async with running(tmp_path / "n.db") as server:
            again = await (await server.visitor()).open(table)
            assert _speakers(await again.until(lambda state: True)) == before, "a restart changes nobody's mark"

    run(scenario())


def test_spectators_with_a_name_can_write(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", chat_rate="2 per minute") as server:
            active, other = await seated(pair := await two_players(server))
            clara = await server.visitor()
            await clara.http.put("/api/me", json={"name": "Clara"})
            watching = await clara.open(pair[2])
            await watching.receive()
            await watching.send(type="chat", text="Good luck!")
            await active.send(type="chat", text="Thank you.")
            for table in (active, other, watching):
                state = await table.until(lambda state: len(state["chat"]) == 2)
                assert {(line["seat"], line["name"], line["text"]) for line in state["chat"]} == {
                    (None, "Clara", "Good luck!"),
                    (active.state["you"], mine(active.state)["name"], "Thank you."),
                }
            again = await clara.open(pair[2])  # a second connection is no second chance
            await again.receive()
            await again.send(type="chat", text="one")
            await again.send(type="chat", text="two")
            assert (await again.error())["code"] == "too_fast"

    run(scenario())
