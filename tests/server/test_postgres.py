"""PostgreSQL instead of a file: the same games, and a database that goes away and comes back."""

from __future__ import annotations

import asyncio
import random

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from nevsky.errors import NevskyError
from nevsky.server.run import _check
from nevsky.server.schema import metadata
from nevsky.server.settings import Settings
from nevsky.server.storage import Storage
from tests.server.engines import Postgres, free_port
from tests.server.support import SECRET, play_randomly, run, running


def test_migrations_lead_to_the_tables_that_the_code_knows(database: str) -> None:
    async def scenario() -> None:
        storage = await Storage.open(database)
        async with storage.reading() as connection:
            found = await connection.run_sync(lambda sync: compare_metadata(MigrationContext.configure(sync), metadata))
            sorting = sa.text(
                "SELECT DISTINCT collation_name FROM information_schema.columns WHERE table_schema = 'public'"
                " AND data_type = 'character varying' AND table_name <> 'alembic_version'"
            )
            assert (await connection.execute(sorting)).scalars().all() == ["C"]
        await storage.close()
        assert [each for each in found if each[0] not in ("remove_index", "remove_fk")] == []

    run(scenario())


def test_many_that_start_at_once_migrate_once(database: str) -> None:
    async def scenario() -> None:
        for storage in await asyncio.gather(*(Storage.open(database) for _ in range(8))):
            await storage.close()

    run(scenario())


@pytest.mark.usefixtures("quick_bots")
def test_a_game_is_played_to_its_end_and_read_again(database: str) -> None:
    async def scenario() -> None:
        async with running(database) as server:
            anna = await server.visitor()
            made = await anna.create("me easy", market=True, modules=[1, 2, 3, 4, 5, 6])
            table = await anna.open(made["table"])
            await table.my_turn()
            await table.send(type="chat", text="hello 🂡")
            await play_randomly(table, random.Random(1))
            cookies = dict(anna.http.cookies)
        async with running(database) as server:
            anna = await server.visitor()
            anna.http.cookies.update(cookies)
            again = await anna.open(made["table"])
            state = await again.until(lambda _: True)
            assert state["final"] == table.state["final"]
            assert [line["text"] for line in state["chat"]] == ["hello 🂡"]
            played = (await anna.http.get("/api/tables/played")).json()["tables"]
            assert [each["table"] for each in played] == [made["table"]]

    run(scenario())


def said(settings: Settings) -> str:
    async def start() -> None:
        settings.check()
        await _check(settings)

    with pytest.raises(NevskyError) as error:
        asyncio.run(start())
    assert "ruble" not in str(error.value)
    return str(error.value)


def test_what_is_wrong_is_told_in_a_sentence(postgres: Postgres, database: str) -> None:
    def with_url(url: str, secret: str = SECRET) -> str:
        return said(Settings(database=url, secret=secret))

    assert "the user or the password is wrong" in with_url(postgres.url("postgres", "nobles"))
    assert "there is no such database" in with_url(postgres.url("nowhere"))
    assert "nobody answers there" in with_url(postgres.url(port=free_port()))
    assert "NEVSKY_SECRET" in with_url(database, "")
    for wrong in ("mysql://a:ruble@b/c", "postgresql://", "postgresql://a:ruble@b", "postgresql://a:ruble@b:x/c"):
        assert "NEVSKY_DATABASE is a file, or an address like" in with_url(wrong)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("nevsky.server.postgres.OLDEST", 99)
        assert "Nevsky needs 99 or newer" in with_url(database)
    postgres.sql("UPDATE alembic_version SET version_num = '9999'", _migrated(database))
    assert "newer version" in with_url(database)


def _migrated(database: str) -> str:
    async def scenario() -> None:
        await (await Storage.open(database)).close()

    run(scenario())
    return database.rpartition("/")[2]
