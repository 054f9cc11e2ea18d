"""A real PostgreSQL and a real Redis, on free ports and in folders of their own; they end with the tests.

Both can be stopped, killed and started again where they were. Where they are not installed, tests that ask for them are
skipped with a sentence.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import pwd
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

__all__ = ["Postgres", "Redis", "anywhere", "database", "free_port", "postgres", "redis", "redis_server"]

PASSWORD = "ruble-and-noble"
_OPTIONS = (
    "listen_addresses=127.0.0.1",
    "fsync=off",  # processes die here, machines do not
    "full_page_writes=off",
    "synchronous_commit=on",
    "max_connections=200",
    "shared_buffers=32MB",
    "log_min_messages=fatal",
)


def free_port() -> int:
    """A port that nobody listens at, and that the system gives to no outgoing connection meanwhile."""
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as trying:
            try:
                trying.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port


class _Engine:
    """A process with a folder of its own."""

    def __init__(self, name: str, user: str | None) -> None:
        self.port = free_port()
        self._user = user
        self.folder = Path(tempfile.mkdtemp(prefix=f"nevsky-{name}-"))
        if user is not None:
            shutil.chown(self.folder, user)
        self.process: subprocess.Popen[bytes] | None = None
        self._watchdog: subprocess.Popen[bytes] | None = None

    def _command(self) -> Sequence[str]:
        raise NotImplementedError

    def _run(self, *command: str) -> str:
        done = subprocess.run(
            command, user=self._user, cwd=self.folder, capture_output=True, text=True, check=False, timeout=60
        )
        assert done.returncode == 0, done.stderr + done.stdout
        return done.stdout

    def start(self) -> None:
        """Start, also once more, and wait until it answers."""
        with (self.folder / "output").open("ab") as output:
            self.process = subprocess.Popen(
                self._command(),
                user=self._user,
                cwd=self.folder,
                stdout=output,
                stderr=output,
            )
        self._watch(self.process.pid)
        until = time.monotonic() + 60
        while not self._answers():
            assert self.process.poll() is None, (self.folder / "output").read_text()
            assert time.monotonic() < until
            time.sleep(0.02)

    def _watch(self, pid: int) -> None:
        """Whatever happens to the tests, even kill -9: the engine does not outlive them."""
        self._unwatch()
        words = f'read word; [ "$word" = done ] || {{ kill -9 {pid}; sleep 1; rm -rf {self.folder}; }}'
        self._watchdog = subprocess.Popen(["/bin/sh", "-c", words], stdin=subprocess.PIPE, start_new_session=True)

    def _unwatch(self) -> None:
        if self._watchdog is not None:
            self._watchdog.communicate(b"done\n")
            self._watchdog = None

    def _answers(self) -> bool:
        raise NotImplementedError

    def signal(self, number: signal.Signals) -> None:
        """SIGSTOP lets it hang, SIGCONT go on."""
        assert self.process is not None
        self.process.send_signal(number)

    def kill(self) -> None:
        """As if the power went out."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def stop(self) -> None:
        """Let it finish what it does."""
        if self.process is not None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(30)
            self.process = None

    def remove(self) -> None:
        """End it, and leave nothing behind."""
        self.kill()
        self._unwatch()
        shutil.rmtree(self.folder, ignore_errors=True)


class Postgres(_Engine):
    """A cluster of databases. Its one user is `nevsky`, with a password."""

    def __init__(self) -> None:
        found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
        binary = str(found[-1]) if found else shutil.which("initdb")
        if binary is None:
            pytest.skip("PostgreSQL is not installed (on Debian: apt install postgresql).")
        root = os.geteuid() == 0
        if root and not any(user.pw_name == "postgres" for user in pwd.getpwall()):
            pytest.skip("PostgreSQL does not run as root, and there is no user postgres.")
        super().__init__("postgres", "postgres" if root else None)
        self._bin = Path(binary).parent
        self._names = itertools.count(1)
        password = self.folder / "password"
        password.write_text(PASSWORD)
        self._run(
            *(str(self._bin / "initdb"), "-D", str(self.folder / "data"), "-U", "nevsky", "--pwfile", str(password)),
            *("--auth=scram-sha-256", "--no-sync", "--encoding=UTF8", "--locale=C.UTF-8"),
        )

    def _command(self) -> Sequence[str]:
        options = [part for option in (*_OPTIONS, f"port={self.port}") for part in ("-c", option)]
        folder = f"unix_socket_directories={self.folder}"
        return [str(self._bin / "postgres"), "-D", str(self.folder / "data"), *options, "-c", folder]

    def _answers(self) -> bool:
        asked = [str(self._bin / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        return subprocess.run(asked, check=False).returncode == 0

    def kill(self) -> None:
        """All its processes at once, as if the power went out."""
        if self.process is not None:
            children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
            pids = [int(pid) for pid in children.read_text().split()] if children.exists() else []
            self.process.send_signal(signal.SIGSTOP)
            for pid in pids:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        super().kill()

    def url(self, name: str = "postgres", password: str = PASSWORD, port: int | None = None) -> str:
        """How Nevsky is told of a database; another port for a proxy in between."""
        return f"postgresql://nevsky:{password}@127.0.0.1:{port or self.port}/{name}"

    def sql(self, statement: str, name: str = "postgres") -> str:
        """What psql says, one line each row."""
        return self._run(str(self._bin / "psql"), "-X", "-q", "-A", "-t", "-c", statement, self.url(name))

    def tool(self, name: str, *arguments: str) -> str:
        """Another program of PostgreSQL, as pg_dump."""
        return self._run(str(self._bin / name), *arguments)

    def new_database(self, template: str = "template1") -> str:
        """The name of a fresh database."""
        name = f"n{next(self._names)}"
        self.sql(f"CREATE DATABASE {name} TEMPLATE {template}")
        return name


class Redis(_Engine):
    """A Redis that keeps nothing."""

    def __init__(self) -> None:
        found = shutil.which("redis-server") or shutil.which("valkey-server")
        if found is None:
            pytest.skip("Redis is not installed (on Debian: apt install redis-server).")
        super().__init__("redis", None)
        self._binary = found

    def _command(self) -> Sequence[str]:
        return [
            *(self._binary, "--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.folder)),
            *("--save", "", "--appendonly", "no", "--daemonize", "no"),
        ]

    def ask(self, *words: str) -> bytes:
        """The beginning of an answer, without any library."""
        with socket.create_connection(("127.0.0.1", self.port), 2) as connection:
            connection.sendall((" ".join(words) + "\r\n").encode())
            return connection.recv(4096)

    def _answers(self) -> bool:
        try:
            return self.ask("PING") == b"+PONG\r\n"
        except OSError:
            return False

    @property
    def url(self) -> str:
        """How Nevsky is told of it."""
        return f"redis://127.0.0.1:{self.port}/0"


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """One for all tests of a worker; whoever stops it starts it again."""
    engine = Postgres()
    try:
        engine.start()
        yield engine
    finally:
        engine.remove()


@pytest.fixture
def database(postgres: Postgres) -> Iterator[str]:
    """The address of a database that no other test has used."""
    name = postgres.new_database()
    yield postgres.url(name)
    postgres.sql(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


@pytest.fixture(params=["sqlite", "postgresql"])
def anywhere(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    """A new database of each kind."""
    if request.param == "sqlite":
        return tmp_path / "n.db"
    found: str = request.getfixturevalue("database")
    return found


@pytest.fixture(scope="session")
def redis_server() -> Iterator[Redis]:
    """One for all tests of a worker; whoever stops it starts it again."""
    engine = Redis()
    try:
        engine.start()
        yield engine
    finally:
        engine.remove()


@pytest.fixture
def redis(redis_server: Redis) -> str:
    """The address of a Redis with nothing in it."""
    redis_server.ask("FLUSHALL")
    return redis_server.url
