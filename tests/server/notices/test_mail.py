"""The same messages by mail, for those who have an address and want it."""

from __future__ import annotations

import asyncio
from pathlib import Path

from nevsky.server.schema import mail_addresses
from tests.server.notices.test_pushing import SOON, together, until_asked
from tests.server.support import run, running

MAIL = {"smtp_url": "log", "mail_from": "Nevsky <nevsky@play.example>", "public_url": "https://play.example"}


def test_mail_tells_where_to_play_and_how_to_stop(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", **SOON, **MAIL) as server:
            posted = []
            mailer = server.components.mail
            mailer.post = lambda mail: bool(posted.append(mail)) or True  # type: ignore[method-assign, func-returns-value]
            anna, boris, table = await together(server)
            await boris.http.get("/api/me")
            wanted = {"kinds": ["turn"], "language": "fr", "zone": "Europe/Paris", "mail": True}
            assert (await boris.http.put("/api/notices", json=wanted)).json()["mail"] is None  # no address yet
            async with server.components.storage.reading() as connection:
                rows = await connection.exec_driver_sql("SELECT guest FROM notice_wishes")
                who = rows.scalar_one()
            async with server.components.storage.writing() as connection:
                row = {"address": "boris@mail.example", "guest": who, "confirmed": "2026", "language": "fr"}
                await connection.execute(mail_addresses.insert().values(**row))
            assert (await boris.http.get("/api/notices")).json()["mail"] is True
            await boris.http.post(f"/api/tables/{table}/join", json={})
            here = await anna.open(table)
            await here.receive()
            await until_asked(here, 1)
            async with asyncio.timeout(10):
                while not posted:
                    await asyncio.sleep(0.05)
            [mail] = posted
            assert (mail.to, mail.subject) == ("boris@mail.example", "À vous de jouer")
            assert f"https://play.example/table/{table}\n" in mail.text
            assert "https://play.example/stop?token=" in mail.text
            assert mail.headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
            stop = mail.headers["List-Unsubscribe"].strip("<>").removeprefix("https://play.example")
            provider = await server.visitor()
            assert (await provider.http.post(stop, data={"List-Unsubscribe": "One-Click"})).status_code == 204
            assert (await boris.http.get("/api/notices")).json()["mail"] is False

    run(scenario())
