"""Pages that are too old for the server hear so; everybody else does not notice."""

from __future__ import annotations

from pathlib import Path

import pytest
from websockets.asyncio.client import connect

from nevsky.server.protocol import OLDEST_PROTOCOL, PROTOCOL_VERSION
from tests.server.support import Table, run, running
from tests.server.test_errors import alone, turned_away

TOO_OLD = str(OLDEST_PROTOCOL - 1)
FINE = (str(PROTOCOL_VERSION), str(PROTOCOL_VERSION + 1), "9" * 300, "", "-1", "x", "²")


def test_a_request_of_an_old_page_is_refused(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna = await server.visitor()
            answer = await anna.http.get("/api/me", headers={"X-Nevsky-Protocol": TOO_OLD, "Accept-Language": "de"})
            assert (answer.status_code, answer.json()["code"]) == (426, "outdated")
            assert "neue Version" in answer.json()["message"]
            for said in FINE:
                headers = {b"X-Nevsky-Protocol": said.encode()}
                assert (await anna.http.get("/api/me", headers=headers)).status_code == 200, said
            assert (await anna.http.get("/api/me")).json()["protocol"] == PROTOCOL_VERSION
            page = await anna.http.get("/", headers={"X-Nevsky-Protocol": str(PROTOCOL_VERSION)})
            assert page.status_code == 200

    run(scenario())


@pytest.mark.parametrize("said", [TOO_OLD, *FINE[:3]])
def test_the_connection_of_an_old_page_is_closed_with_a_code_of_its_own(tmp_path: Path, said: str) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            _, made = await alone(server)
            url = f"ws://127.0.0.1:{server.port}/api/tables/{made['table']}/ws?protocol={said}"
            async with connect(url) as socket:
                if said == TOO_OLD:
                    await turned_away(Table(socket), "outdated", 4426)
                else:
                    assert (await Table(socket).receive())["type"] == "state"

    run(scenario())
