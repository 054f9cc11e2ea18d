"""The server is killed at random moments, again and again: what was answered is there, once."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import socket
import sqlite3
import subprocess
from contextlib import AsyncExitStack
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from tests.cli.command import COMMAND
from tests.server.support import FAST, Json, Table, run

GAMES = 3
KILLS = 5


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


class Process:
    """`nevsky serve` in a process of its own."""

    def __init__(self, database: Path, port: int, **settings: object) -> None:
        environment = {f"NEVSKY_{key.upper()}": str(value) for key, value in {**FAST, **settings}.items()}
        self.port = port
        self.database = database
        command = [*COMMAND, "serve", "--port", str(port), "--database", str(database)]
        self.process = subprocess.Popen(
            command,
            env={**os.environ, **environment, "NEVSKY_LOG_LEVEL": "error"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    async def ready(self) -> None:
        assert self.process.stdout is not None
        line = await asyncio.to_thread(self.process.stdout.readline)
        assert f"http://localhost:{self.port}/" in line, self.process.communicate()[1]

    async def end(self, number: signal.Signals) -> tuple[int, str]:
        self.process.send_signal(number)
        _, errors = await asyncio.to_thread(self.process.communicate)
        return self.process.returncode, errors


class Player:
    """Plays one seat at random, and remembers what was acknowledged."""

    def __init__(self, port: int, made: Json, seed: int) -> None:
        self.address = f"ws://127.0.0.1:{port}/api/tables/{made['table']}/ws?seat={made['seat_token']}"
        self.table = made["table"]
        self.rng = random.Random(seed)
        self.acknowledged: dict[int, str] = {}
        self.doubtful: dict[int, str] = {}
        self.seen = 0
        self.over = False

    async def play(self) -> None:
        """Until the connection breaks or the game is over."""
        with contextlib.suppress(OSError, WebSocketException, TimeoutError):
            async with connect(self.address) as socket:
                table = Table(socket)
                while True:
                    state = await table.my_turn()
                    self.learn(state)
                    if self.over:
                        return
                    action = self.rng.choice(state["choices"])["action"]
                    self.doubtful[state["version"] + 1] = action
                    await table.act(action)
                    while table.state["version"] == state["version"]:
                        message = await table.receive()
                        if message["type"] == "error":
                            assert message["code"] == "shutting_down"
                            return
                    self.learn(table.state)
                    self.acknowledged[state["version"] + 1] = action

    def learn(self, state: Json) -> None:
        assert state["version"] >= self.seen, "an acknowledged move is lost"
        self.seen = state["version"]
        self.over = state["status"] == "over"


def stored(database: Path, table: str) -> list[tuple[int, int, str]]:
    with contextlib.closing(sqlite3.connect(database)) as connection:
        query = "SELECT number, seat, action FROM log WHERE table_id = ? ORDER BY number"
        return connection.execute(query, (table,)).fetchall()


@pytest.mark.parametrize("seed", [1])
def test_killed_again_and_again(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    port, database = free_port(), tmp_path / "n.db"

    async def scenario() -> None:
        players: list[Player] = []
        for kill in range(KILLS + 1):
            server = Process(database, port)
            try:
                await server.ready()
                if not players:
                    players += await sit_down(port)
                playing = asyncio.gather(*(player.play() for player in players))
                if kill < KILLS:
                    await asyncio.sleep(rng.uniform(0.3, 1.2))
                    await server.end(signal.SIGKILL)
                    await playing
                else:
                    await asyncio.wait_for(playing, 60)
                    code, errors = await server.end(signal.SIGTERM)
                    assert code in (0, -signal.SIGTERM), errors
                    assert "Traceback" not in errors
            finally:
                if server.process.poll() is None:
                    server.process.kill()
                    server.process.communicate()
            check(database, players)
        assert all(player.over for player in players)

    run(scenario(), 120)


async def sit_down(port: int) -> list[Player]:
    players = []
    async with AsyncExitStack() as stack:
        for number in range(GAMES):
            client = await stack.enter_async_context(httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}"))
            table = {"ruleset": {"players": 2}, "seats": [{"kind": "me"}, {"kind": "bot", "level": "easy"}]}
            answer = await client.post("/api/tables", json=table)
            players.append(Player(port, answer.json(), number))
    return players


def check(database: Path, players: list[Player]) -> None:
    for player in players:
        log = stored(database, player.table)
        assert [number for number, _, _ in log] == list(range(1, len(log) + 1))
        assert len(log) >= player.seen
        moves = {number: action for number, _, action in log}
        for number, action in player.acknowledged.items():
            assert moves[number] == action


def test_a_terminated_server_leaves_in_good_order(tmp_path: Path) -> None:
    async def scenario() -> None:
        server = Process(tmp_path / "n.db", free_port())
        try:
            await server.ready()
            players = await sit_down(server.port)
            playing = asyncio.gather(*(player.play() for player in players))
            await asyncio.sleep(0.7)
            code, errors = await server.end(signal.SIGTERM)
            await playing
            assert code in (0, -signal.SIGTERM), errors
            assert "Traceback" not in errors, errors
            check(tmp_path / "n.db", players)
        finally:
            if server.process.poll() is None:
                server.process.kill()
                server.process.communicate()

    run(scenario())


def test_a_port_in_use_is_told_in_a_sentence(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        command = [*COMMAND, "serve", "--port", port, "--database", str(tmp_path / "n.db")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert "Choose another with --port." in done.stderr
        assert "Traceback" not in done.stderr
