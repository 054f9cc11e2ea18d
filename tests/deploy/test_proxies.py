"""Real proxies with the configurations of the documentation in front of a real server, on loopback."""

from __future__ import annotations

import asyncio
import re
import shutil
import socket
import ssl
import subprocess
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from ipaddress import ip_address
from itertools import chain
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect

from nevsky.server.rate_limits import _FILES
from nevsky.server.rates import Rate
from nevsky.server.settings import USUAL
from tests.server.support import Server, Table, Visitor, run, running

DEPLOY = Path(__file__).parents[2] / "deploy"
SITES = {name: (DEPLOY / name).read_text(encoding="utf-8") for name in ("nginx.conf", "nginx-several.conf")}
MAIN = (DEPLOY / "cluster" / "nginx.conf").read_text(encoding="utf-8")
VISITOR = "127.0.0.2"
"""Somebody who is no trusted proxy."""
pytestmark = pytest.mark.usefixtures("quick_bots")


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def _certificate(folder: Path) -> None:
    words = (
        "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout privkey.pem -out fullchain.pem"
    )
    subprocess.run(words.split(), cwd=folder, check=True, capture_output=True)


def _number(before: str, text: str) -> int:
    """What a configuration says behind these words."""
    [found] = re.findall(rf"{before} ?(\d+)", text)
    return int(found)


def _nginx(folder: Path, https: int, plain: int, server: int, change: Callable[[str], str] = str) -> list[str]:
    site = change(SITES["nginx.conf"])
    for old, new in (
        ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("listen 443 ssl", f"listen 127.0.0.1:{https} ssl"),
        ("play.example;", "localhost;"),
        ("/etc/letsencrypt/live/play.example", str(folder)),
        ("/var/log/nginx", str(folder)),
        ("127.0.0.1:8000", f"127.0.0.1:{server}"),
    ):
        assert old in site, old
        site = site.replace(old, new)
    (folder / "site.conf").write_text(site)
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/error.log; worker_processes 1;\n"
        f"events {{ worker_connections {_number('worker_connections', MAIN)}; }}\n"
        f"http {{ access_log off; include {folder}/site.conf;\n"
        + "".join(f"{kind}_temp_path {folder};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        + "}\n"
    )
    return ["nginx", "-p", str(folder), "-e", f"{folder}/error.log", "-c", f"{folder}/nginx.conf"]


def _caddy(folder: Path, https: int, plain: int, server: int) -> list[str]:
    site = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    for old, new in (
        (
            "play.example {",
            f"https://localhost:{https} {{\n\tbind 127.0.0.1\n\ttls {folder}/fullchain.pem {folder}/privkey.pem",
        ),
        ("127.0.0.1:8000", f"127.0.0.1:{server}"),
    ):
        assert old in site, old
        site = site.replace(old, new)
    options = (
        f"{{\n\tadmin off\n\tauto_https disable_redirects\n\thttp_port {plain}\n\tstorage file_system {folder}\n}}\n"
    )
    (folder / "Caddyfile").write_text(options + site)
    return ["caddy", "run", "--adapter", "caddyfile", "--config", f"{folder}/Caddyfile"]


PROXIES: dict[str, Callable[..., list[str]]] = {"nginx": _nginx, "caddy": _caddy}


class Front:
    """The proxy as its visitors know it."""

    def __init__(self, port: int, server: Server) -> None:
        self.port = port
        self.server = server
        self.trust = ssl._create_unverified_context()

    async def visitor(self, address: str = VISITOR) -> Visitor:
        transport = httpx.AsyncHTTPTransport(verify=self.trust, local_address=address)
        client = httpx.AsyncClient(base_url=f"https://localhost:{self.port}", transport=transport, timeout=20)
        return Visitor(self.server, await self.server.stack.enter_async_context(client))

    async def open(self, visitor: Visitor, table: str, **headers: str) -> Table:
        cookies = "; ".join(f"{key}={value}" for key, value in visitor.http.cookies.items())
        more = {"Cookie": cookies, "Origin": f"https://localhost:{self.port}", **headers}
        address = f"wss://localhost:{self.port}/api/tables/{table}/ws"
        opening = connect(address, ssl=self.trust, additional_headers=more, host="127.0.0.1", local_addr=(VISITOR, 0))
        return Table(await self.server.stack.enter_async_context(opening))


@asynccontextmanager
async def _fronted(folder: Path, name: str, *changes: Callable[[str], str]) -> AsyncIterator[Front]:
    if shutil.which(name) is None or shutil.which("openssl") is None:
        pytest.skip(f"{name} is not installed")
    _certificate(folder)
    https = _free_port()
    async with running(folder / "n.db", secure_cookies=True) as server:
        words = PROXIES[name](folder, https, _free_port(), server.port, *changes)
        with (folder / "output").open("wb") as output:
            proxy = subprocess.Popen(words, stdout=output, stderr=output)
        try:
            for _ in range(200):
                with socket.socket() as trying:
                    if trying.connect_ex(("127.0.0.1", https)) == 0:
                        break
                assert proxy.poll() is None, (folder / "output").read_text()
                await asyncio.sleep(0.05)
            yield Front(https, server)
        finally:
            proxy.terminate()
            proxy.wait(20)


@pytest.mark.parametrize("name", PROXIES)
def test_a_game_is_played_through_the_proxy(tmp_path: Path, name: str) -> None:
    async def scenario() -> None:
        async with _fronted(tmp_path, name) as front:
            anna = await front.visitor()
            own = {"Origin": f"https://localhost:{front.port}", "X-Forwarded-For": "203.0.113.9"}
            anna.http.headers.update(own)
            created = await anna.create("me easy")
            table = await front.open(anna, created["table"], **{"X-Forwarded-For": "203.0.113.9"})
            await table.my_turn()
            assert dict(front.server.components.connections._sockets) == {VISITOR: 1}, (
                "the forged address is not believed"
            )
            for _ in range(3):
                await table.my_turn()
                await table.play(table.state["choices"][0]["action"])
            await table.send(type="ping")
            while (await table.receive())["type"] != "pong":
                pass

    run(scenario())


@pytest.mark.parametrize("name", PROXIES)
def test_the_proxy_keeps_its_duties(tmp_path: Path, name: str) -> None:
    async def scenario() -> None:
        async with _fronted(tmp_path, name) as front:
            anna = await front.visitor()
            answer = await anna.http.get("/api/me")
            assert answer.headers["strict-transport-security"] == "max-age=31536000"
            assert "Secure" in answer.headers["set-cookie"]
            assert "connect-src 'self';" in answer.headers["content-security-policy"]
            assert (await anna.http.get("/health")).status_code == 200
            for hidden in ("/metrics", "/ready"):
                assert (await anna.http.get(hidden)).status_code == 404
            strange = await anna.http.post("/api/tables", headers={"Origin": "https://elsewhere.example"}, json={})
            assert strange.status_code == 403
            large = await anna.http.put("/api/me", json={"name": "x" * 40_000})
            assert large.status_code in (400, 413)

    run(scenario())


def test_nginx_gives_one_address_only_so_many_connections(tmp_path: Path) -> None:
    begun = b"PUT /api/me HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{"

    async def scenario() -> None:
        async with _fronted(tmp_path, "nginx") as front:
            anna, boris = await front.visitor(), await front.visitor("127.0.0.3")
            writers = []
            for _ in range(_number("limit_conn nevsky_connections", SITES["nginx.conf"])):
                opening = asyncio.open_connection("127.0.0.1", front.port, ssl=front.trust, local_addr=(VISITOR, 0))
                writers.append((await opening)[1])
                writers[-1].write(begun)
                await writers[-1].drain()
            while (status := (await anna.http.get("/health")).status_code) == 200:
                await asyncio.sleep(0.05)
            assert status == 429
            assert (await boris.http.get("/health")).status_code == 200
            for writer in writers:
                writer.transport.abort()

    run(scenario())


def test_nginx_refuses_nobody_whom_the_server_would_let_in() -> None:
    requests = Rate.read("request_rate_per_address", USUAL.request_rate_per_address)
    for site in SITES.values():
        rate = _number("zone=nevsky_requests:10m rate=", site)
        assert rate > requests.per_second + _FILES.per_second
        assert _number("burst=", site) > requests.amount + _FILES.amount, "all of it may come at once"
        most = _number("limit_conn nevsky_connections", site)
        assert USUAL.connections_per_address < most <= 1.25 * USUAL.connections_per_address
        assert 20 * 2 * most < _number("worker_connections", MAIN) <= _number("worker_rlimit_nofile", MAIN)


def test_the_documentation_says_how_many_connections_nginx_needs() -> None:
    text = (DEPLOY.parent / "docs" / "proxy.md").read_text(encoding="utf-8")
    for name in ("worker_rlimit_nofile", "worker_connections"):
        assert f"{name} {_number(name, MAIN)};" in text


def test_fifty_people_open_the_page_in_ten_seconds(tmp_path: Path) -> None:
    """With seven requests of the app and 21 files each, and as fast as this machine can, which is harder still."""
    paths = [f"/api/{name}" for name in ("me", "meta", "cards", "tables", "rules", "explanations", "vacation")]
    paths += ["/favicon.svg"] * 21

    async def scenario() -> None:
        async with _fronted(tmp_path, "nginx") as front:

            async def one() -> list[int]:
                visitor = await front.visitor()
                return [(await visitor.http.get(path)).status_code for path in paths]

            found = Counter(chain(*await asyncio.gather(*(one() for _ in range(50)))))
            assert found.total() == 1400
            assert not {429, 503} & set(found), found

    run(scenario())


def test_nginx_counts_the_network_of_an_ipv6_address(tmp_path: Path) -> None:
    """What it counts by is asked for at a place of its own, and a header says where a visitor comes from."""
    [counted] = re.findall(r"(map \$binary_remote_addr .*?\n}\n)", SITES["nginx.conf"], re.DOTALL)
    assert counted in SITES["nginx-several.conf"]
    for site in SITES.values():
        assert len(re.findall(r"_zone +\$nevsky_address zone=", site)) == 2
    networks = {
        "192.0.2.7": ip_address("192.0.2.7").packed,
        "::ffff:192.0.2.7": ip_address("192.0.2.7").packed,
        "2001:db8:1:2:3:4:5:6": ip_address("2001:db8:1:2::").packed[:8],
        "2001:db8:1:2::9": ip_address("2001:db8:1:2::").packed[:8],
        "a0a:a0a:a0a:a0a::9": b"\n" * 8,
        "2001:db8::1": ip_address("2001:db8::").packed[:8],
    }

    def asked(site: str) -> str:
        place = 'location = /counted { return 200 "$nevsky_address"; }\n    location / {'
        return site.replace("location / {", place).replace(
            "server {", "set_real_ip_from 127.0.0.0/8;\nreal_ip_header X-Tried;\nserver {", 1
        )

    async def scenario() -> None:
        async with _fronted(tmp_path, "nginx", asked) as front:
            anna = await front.visitor()
            for address, network in networks.items():
                assert (await anna.http.get("/counted", headers={"X-Tried": address})).content == network

    run(scenario())
