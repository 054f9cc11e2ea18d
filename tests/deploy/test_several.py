"""nginx and Caddy in front of several servers, with the configurations of the documentation."""

from __future__ import annotations

import asyncio
import contextlib
import random
import ssl
import subprocess
import time
from functools import partial
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.deploy.several import configured, proxied
from tests.server.cluster import Cluster, clustered
from tests.server.engines import Postgres, database, free_port, postgres
from tests.server.support import Table, run

__all__ = ["database", "postgres"]

FORWARDED = "nevsky_forwarded_total{"


@pytest.mark.parametrize("hashed", [True, False])
def test_nginx_takes_the_configuration(tmp_path: Path, hashed: bool) -> None:
    servers = [f"127.0.0.1:{free_port()}" for _ in range(2)]
    words = configured(tmp_path, servers, free_port(), free_port(), hashed=hashed)
    checked = subprocess.run([*words, "-t"], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
    assert "test is successful" in checked.stderr


def test_what_may_have_been_carried_out_is_not_sent_again() -> None:
    site = (Path(__file__).parents[2] / "deploy" / "nginx-several.conf").read_text(encoding="utf-8")
    [line] = [each for each in site.splitlines() if each.strip().startswith("proxy_next_upstream ")]
    assert "non_idempotent" not in line


class Player:
    """Somebody who knows the proxy only."""

    def __init__(self, port: int, client: httpx.AsyncClient, trust: ssl.SSLContext) -> None:
        self.http = client
        self._port = port
        self._trust = trust

    async def open(self, table: str) -> Table:
        cookies = "; ".join(f"{each.name}={each.value}" for each in self.http.cookies.jar)
        url = f"wss://localhost:{self._port}/api/tables/{table}/ws"
        headers = {"Cookie": cookies, "Origin": f"https://localhost:{self._port}"}
        socket: ClientConnection = await connect(url, ssl=self._trust, additional_headers=headers, host="127.0.0.1")
        return Table(socket)

    async def come_back(self, table: str) -> Table:
        while True:
            with contextlib.suppress(ConnectionClosed, InvalidHandshake, OSError, TimeoutError):
                found = await self.open(table)
                if (await found.receive(5))["type"] == "state":
                    return found
            await asyncio.sleep(0.3)


def _passed_on(cluster: Cluster) -> float:
    """How much the servers have passed on to each other."""
    lines = [line for each in cluster.running for line in _metrics(each.port) if line.startswith(FORWARDED)]
    return sum(float(line.split()[-1]) for line in lines)


def _metrics(port: int) -> list[str]:
    return httpx.get(f"http://127.0.0.1:{port}/metrics").text.splitlines()


@pytest.mark.parametrize(("name", "hashed"), [("nginx", True), ("nginx", False), ("caddy", True)])
def test_a_game_goes_on_through_the_proxy_when_a_server_is_killed(
    tmp_path: Path, postgres: Postgres, database: str, name: str, hashed: bool
) -> None:
    async def scenario() -> None:
        trust = ssl._create_unverified_context()
        sql = partial(postgres.sql, name=database.rsplit("/", 1)[1])
        async with clustered(database, 3, secure_cookies=True) as cluster:
            servers = [f"127.0.0.1:{each.port}" for each in cluster.all]
            async with (
                proxied(tmp_path, servers, hashed=hashed, name=name) as port,
                httpx.AsyncClient(base_url=f"https://localhost:{port}", verify=trust, timeout=20) as client,
            ):
                anna = Player(port, client, trust)
                body = {"ruleset": {"players": 2, "edition": "first"}, "seats": [{"kind": "me"}, {"kind": "bot"}]}
                made = (await client.post("/api/tables", json=body)).json()
                table = await anna.open(made["table"])
                await table.receive()
                await asyncio.gather(*(client.get(f"/api/tables/{made['table']}") for _ in range(6)))
                assert (_passed_on(cluster) == 0) == hashed
                rng = random.Random(1)
                for _ in range(2):
                    await table.my_turn()
                    await table.play(rng.choice(table.state["choices"])["action"])
                    await table.my_turn()
                    known = [line["text"] for line in table.state["log"]]
                    owner = await cluster.owner_of(made["table"], sql)
                    owner.kill()
                    killed = time.monotonic()
                    table = await anna.come_back(made["table"])
                    print(f"playing again after {time.monotonic() - killed:.1f} s")
                    assert time.monotonic() - killed < 6
                    assert [line["text"] for line in table.state["log"]][: len(known)] == known
                    answers = [await client.get(f"/api/tables/{made['table']}") for _ in range(6)]
                    assert {each.status_code for each in answers} == {200}
                await table.socket.close()

    run(scenario(), 180)
