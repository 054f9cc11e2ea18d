"""A table is one process's at a time, whatever happens to the processes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from websockets.exceptions import ConnectionClosed

from nevsky.server.errors import Refusal
from nevsky.server.ownership import Elsewhere, ElsewhereError, Lease
from nevsky.server.postgres_backend import PostgresBackend
from nevsky.server.processes import Processes
from nevsky.server.schema import ChatRow, Entry, SeatRow, TableRow
from nevsky.server.storage import Storage, now
from tests.server.engines import Postgres
from tests.server.support import Server, Table, Visitor, run, running


@asynccontextmanager
async def process(database: str, name: str, seconds: float = 1.0) -> AsyncIterator[tuple[Storage, Processes]]:
    """The parts of a server that own tables."""
    storage = await Storage.open(database)
    assert isinstance(storage.backend, PostgresBackend)
    processes = Processes(storage.backend, f"http://{name}", seconds)
    await processes.open()
    try:
        yield storage, processes
    finally:
        await processes.close()
        await storage.close()


async def new_table(storage: Storage, name: str = "t") -> None:
    await storage.add_table(
        TableRow(name, now(), now(), "playing", {}, True, "none", True), [SeatRow(0, "x"), SeatRow(1, "y")]
    )


async def claimed(processes: Processes, table: str = "t") -> Lease:
    lease = await processes.claim(table)
    assert isinstance(lease, Lease)
    return lease


def an_entry(number: int) -> Entry:
    return Entry(number, 0, "pass", "player", now())


def test_a_table_has_one_owner_and_moves_on_when_it_is_released(database: str) -> None:
    async def scenario() -> None:
        async with process(database, "a") as (storage, one), process(database, "b") as (_, two):
            await new_table(storage)
            first = await claimed(one)
            assert first == Lease("t", 1)
            assert await two.claim("t") == Elsewhere(one.id, "http://a")
            assert await claimed(one) > first  # an earlier claim of our own is shut out as well
            await one.release(await claimed(one))
            second = await claimed(two)
            assert second.epoch > first.epoch
            assert await one.claim("t") == Elsewhere(two.id, "http://b")
            with pytest.raises(Refusal, match="no such table"):
                await one.claim("nowhere")

    run(scenario())


def test_every_write_of_an_earlier_owner_is_refused(database: str) -> None:
    async def scenario() -> None:
        async with process(database, "a") as (storage, one):
            await new_table(storage)
            old = await claimed(one)
            await storage.append(old, an_entry(1), round=1)
            new = await claimed(one)
            writes = [
                storage.append(old, an_entry(2), round=7),
                storage.save_seat(old, SeatRow(0, "x", name="Anna"), round=7),
                storage.save_seats(old, [SeatRow(0, "z")], round=7),
                storage.save_table(old, round=7),
                storage.say(old, ChatRow(0, "Anna", "hello", now())),
                storage.delete_table(old),
            ]
            for write in writes:
                with pytest.raises(Refusal) as refused:
                    await write
                assert refused.value.code == "moved"
            stored = await storage.load("t")
            assert stored is not None
            assert (stored.table.round, len(stored.log), stored.seats[0].token, stored.chat) == (1, 1, "x", ())
            await storage.append(new, an_entry(2), round=2)
            await storage.delete_table(new)
            assert await storage.load("t") is None

    run(scenario())


def test_a_lost_table_does_no_harm_to_others_in_the_same_batch(database: str) -> None:
    async def scenario() -> None:
        async with process(database, "a") as (storage, one):
            leases = []
            for n in range(20):
                await new_table(storage, f"t{n}")
                leases.append(await claimed(one, f"t{n}"))
            for n in range(0, 20, 3):
                await claimed(one, f"t{n}")
            await storage.append("t1", an_entry(2))
            told = await asyncio.gather(
                *(storage.append(lease, an_entry(2)) for lease in leases), return_exceptions=True
            )
            for n, answer in enumerate(told):
                stored = await storage.load(f"t{n}")
                assert stored is not None
                if n % 3 == 0:
                    assert isinstance(answer, Refusal)
                    assert (answer.code, stored.log) == ("moved", ())
                elif n == 1:
                    assert type(answer).__name__ == "ConflictError"
                else:
                    assert answer is None
                    assert len(stored.log) == 1

    run(scenario())


def test_the_tables_of_a_silent_process_are_free_after_its_lease(database: str, postgres: Postgres) -> None:
    async def scenario() -> None:
        async with process(database, "a") as (storage, one), process(database, "b") as (_, two):
            await new_table(storage)
            lease, name = await claimed(one), one.id
            assert one._task is not None
            one._task.cancel()
            while isinstance(await two.claim("t"), Elsewhere):
                await asyncio.sleep(0.05)
            assert not one.holds()
            with pytest.raises(Refusal) as refused:
                await storage.append(lease, an_entry(1))
            assert refused.value.code == "moved"
            lost: list[str] = []

            class Listening:
                def lost_all(self) -> None:
                    lost.append(one.id)

                def __getattr__(self, _: str) -> object:
                    return lambda *_: None

            one.tell(Listening())  # type: ignore[arg-type]
            await one._beat()
            assert lost == [name]
            assert one.id != name
            assert one.holds()

    run(scenario())


async def at_a_table(server: Server) -> tuple[Visitor, Table, str]:
    anna = await server.visitor()
    made = await anna.create("me easy")
    table = await anna.open(made["table"])
    await table.my_turn()
    return anna, table, made["table"]


async def sent_away(table: Table) -> int:
    """The code with which the connection ends."""
    while True:
        try:
            await table.receive()
        except ConnectionClosed as closed:
            assert closed.rcvd is not None
            return closed.rcvd.code


@pytest.mark.usefixtures("quick_bots")
def test_whoever_asks_another_server_talks_to_the_owner_of_the_table(database: str) -> None:
    async def scenario() -> None:
        async with running(database) as one, running(database) as two:
            anna, table, name = await at_a_table(one)
            with pytest.raises(ElsewhereError) as elsewhere:
                await two.components.hub.get(name)
            assert elsewhere.value.owner.address == f"http://127.0.0.1:{one.port}"
            boris = await two.visitor()
            boris.http.cookies.update(anna.http.cookies)
            assert (await boris.http.get(f"/api/tables/{name}")).json()["you"] == 0
            again = await boris.open(name)
            await again.my_turn()
            await again.play(again.state["choices"][0]["action"])
            await table.until(lambda state: state["version"] >= again.state["version"])

    run(scenario())


@pytest.mark.usefixtures("quick_bots")
def test_a_new_table_belongs_to_the_first_server_that_is_asked_about_it(database: str) -> None:
    async def scenario() -> None:
        async with running(database) as one, running(database) as two:
            anna = await one.visitor()
            name = (await anna.create("me open"))["table"]
            boris = await two.visitor()
            assert (await boris.http.post(f"/api/tables/{name}/join")).status_code == 200
            with pytest.raises(ElsewhereError):
                await one.components.hub.get(name)
            assert (await (await anna.open(name)).receive())["status"] == "playing"

    run(scenario())


@pytest.mark.usefixtures("quick_bots")
def test_a_process_that_was_taken_for_dead_lets_go_of_its_tables(database: str, postgres: Postgres) -> None:
    async def scenario() -> None:
        async with running(database) as one, running(database) as two:
            anna, table, name = await at_a_table(one)
            processes = one.components.processes
            assert processes is not None
            before = processes.id
            postgres.sql(f"UPDATE processes SET until = now() WHERE id = '{before}'", database.rpartition("/")[2])
            assert await sent_away(table) == 4421
            boris = await two.visitor()
            boris.http.cookies.update(anna.http.cookies)
            again = await boris.open(name)
            assert (await again.my_turn())["version"] == table.state["version"]
            await again.play(again.state["choices"][0]["action"])
            while processes.id == before:
                await asyncio.sleep(0.05)
            with pytest.raises(ElsewhereError):
                await one.components.hub.get(name)

    run(scenario())


@pytest.mark.usefixtures("quick_bots")
def test_a_table_that_was_taken_away_sends_its_viewers_there_with_the_next_move(
    database: str, postgres: Postgres
) -> None:
    async def scenario() -> None:
        async with running(database) as one:
            anna, table, name = await at_a_table(one)
            postgres.sql("UPDATE leases SET epoch = epoch + 1", database.rpartition("/")[2])
            await table.act(table.state["choices"][0]["action"])
            assert (await table.error())["code"] == "moved"
            assert await sent_away(table) == 4421
            again = await anna.open(name)
            assert (await again.my_turn())["version"] == table.state["version"]
            await again.play(again.state["choices"][0]["action"])

    run(scenario())


@pytest.mark.usefixtures("quick_bots")
def test_idle_tables_are_given_back(database: str) -> None:
    async def scenario() -> None:
        async with running(database, idle_seconds=0.2) as one, running(database) as two:
            _, table, name = await at_a_table(one)
            await table.socket.close()
            while len(one.components.hub):
                await asyncio.sleep(0.05)
            await two.components.hub.get(name)

    run(scenario())
