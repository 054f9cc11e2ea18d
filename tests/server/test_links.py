"""A database that is named by a link: what is beside it stands beside the file, and two names are one database."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import subprocess
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from nevsky.errors import NevskyError
from nevsky.server import actor
from nevsky.server.admin.asking import ask
from nevsky.server.admin.backup import back_up, restore
from nevsky.server.database_file import DatabaseFile, StartLock
from nevsky.server.errors import Refusal
from nevsky.server.schema import Entry, SeatRow, TableRow
from nevsky.server.settings import Settings
from nevsky.server.storage import Storage, now
from tests.cli.command import COMMAND
from tests.server.support import run, running


@pytest.fixture
def linked(tmp_path: Path) -> tuple[Path, Path]:
    """A link, and where it leads; there is no database yet."""
    link, real = tmp_path / "link.db", tmp_path / "real" / "n.db"
    real.parent.mkdir()
    link.symlink_to(real)
    return link, real


def test_two_servers_do_not_share_a_database_under_two_names(linked: tuple[Path, Path]) -> None:
    link, real = linked
    for held, other in (linked, (real, link)):
        command = [*COMMAND, "serve", "--port", "0", "--database", str(other)]
        with StartLock(held):
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
            assert (done.returncode, "Traceback" in done.stderr) == (2, False)
            assert f"is already at work on {other}" in done.stderr
            with pytest.raises(NevskyError, match="already at work"):
                StartLock(other)
        StartLock(other).release()


def test_a_link_to_itself_is_refused_in_a_sentence(tmp_path: Path) -> None:
    link = tmp_path / "n.db"
    link.symlink_to(link)
    command = [*COMMAND, "serve", "--port", "0", "--database", str(link)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert "cannot be used" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.usefixtures("quick_bots")
def test_moves_are_played_through_a_link(linked: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    link, real = linked

    async def scenario() -> None:
        async with running(link) as server:
            anna = await server.visitor()
            made = await anna.create("me easy")
            table = await anna.open(made["table"])
            for _ in range(3):
                await table.my_turn()
                await table.play(table.state["choices"][0]["action"])
            for name in (link, real):  # the socket is found by both
                listed: Any = await asyncio.to_thread(ask, Settings(database=str(name)), "tables.list")
                assert [each["id"] for each in listed] == [made["table"]]

    log = Mock()
    monkeypatch.setattr(actor, "log", log)
    run(scenario())
    log.exception.assert_not_called()
    beside = {each.name for each in link.parent.iterdir()}
    assert beside == {"link.db", "link.db.secret", "real"}  # cookies are those of the name
    with contextlib.closing(sqlite3.connect(real)) as connection:
        assert connection.execute("SELECT COUNT(*) FROM log WHERE by = 'player'").fetchone()[0] >= 3


def test_a_link_that_leads_elsewhere_takes_no_moves(linked: tuple[Path, Path], tmp_path: Path) -> None:
    link, real = linked

    async def scenario() -> None:
        storage = await Storage.open(link)
        await storage.add_guest("anna", "Anna")
        (tmp_path / "other.db").write_bytes(real.read_bytes())
        link.unlink()
        link.symlink_to(tmp_path / "other.db")
        with pytest.raises(Refusal):
            await storage.add_guest("boris", "Boris")
        assert await storage.trouble() == "replaced"
        await storage.close()

    run(scenario())


def test_a_missing_journal_makes_no_committed_move_a_failed_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where a file system knows no journal of this kind."""

    def elsewhere(file: DatabaseFile) -> None:
        file._wal = tmp_path / "elsewhere-wal"
        remember(file)

    remember = DatabaseFile.remember_wal
    monkeypatch.setattr(DatabaseFile, "remember_wal", elsewhere)
    row = TableRow("playing", now(), now(), "playing", {}, True, "none", True)

    async def scenario() -> None:
        storage = await Storage.open(tmp_path / "n.db")
        await storage.add_guest("anna", "Anna")
        await storage.add_table(row, [SeatRow(0, "x", "anna", "Anna")])
        for number in (1, 2):
            await storage.append(row.id, Entry(number, 0, "pass", "player", now()))
        await storage.close()

    run(scenario())
    with contextlib.closing(sqlite3.connect(tmp_path / "n.db")) as connection:
        assert connection.execute("SELECT COUNT(*) FROM log").fetchone() == (2,)


def test_a_backup_is_put_where_the_link_leads(linked: tuple[Path, Path], tmp_path: Path) -> None:
    link, real = linked

    async def visit(guest: str) -> None:
        storage = await Storage.open(link)
        await storage.add_guest(guest, guest)
        await storage.close()

    def guests_in(path: Path) -> list[str]:
        with contextlib.closing(sqlite3.connect(path)) as connection:
            return sorted(row[0] for row in connection.execute("SELECT id FROM guests"))

    run(visit("anna"))
    copy, _ = back_up(link, tmp_path / "backup.db")
    run(visit("boris"))
    kept, _ = restore(link, copy)
    assert link.is_symlink()
    assert guests_in(real) == guests_in(link) == ["anna"]
    assert kept is not None
    assert kept.parent == real.parent
    assert guests_in(kept) == ["anna", "boris"]
