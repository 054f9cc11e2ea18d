"""nginx and Caddy in front of several servers, with the configurations of the documentation."""

from __future__ import annotations

import asyncio
import shutil
import socket
import subprocess
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.server.engines import free_port

__all__ = ["PROXIES", "configured", "proxied"]

DEPLOY = Path(__file__).parents[2] / "deploy"
HASHED = "    hash $nevsky_table consistent;"


BY_TABLE = "\t\tlb_policy header X-Nevsky-Table\n"
PROXIES = {"nginx": "nginx-light", "caddy": "caddy"}
"""With the packages that they come in."""


def configured(
    folder: Path, servers: Sequence[str], port: int, plain: int, *, hashed: bool, name: str = "nginx"
) -> list[str]:
    """How a proxy is started; the certificate is made here."""
    if shutil.which(name) is None or shutil.which("openssl") is None:
        pytest.skip(f"{name} is not installed (on Debian: apt install {PROXIES[name]} openssl).")
    words = (
        "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout privkey.pem -out fullchain.pem"
    )
    subprocess.run(words.split(), cwd=folder, check=True, capture_output=True)
    return (_nginx if name == "nginx" else _caddy)(folder, servers, port, plain, hashed)


def _changed(file: str, *changes: tuple[str, str]) -> str:
    """A configuration of the documentation, for this place."""
    site = (DEPLOY / file).read_text(encoding="utf-8")
    for old, new in changes:
        assert old in site, old
        site = site.replace(old, new)
    return site


def _caddy(folder: Path, servers: Sequence[str], port: int, plain: int, hashed: bool) -> list[str]:
    here = f"https://localhost:{port} {{\n\tbind 127.0.0.1\n\ttls {folder}/fullchain.pem {folder}/privkey.pem"
    site = _changed(
        "Caddyfile-several",
        ("play.example {", here),
        ("10.0.0.11:8000 10.0.0.12:8000", " ".join(servers)),
        (BY_TABLE, BY_TABLE if hashed else "\t\tlb_policy round_robin\n"),
    )
    options = f"admin off\n\tauto_https disable_redirects\n\thttp_port {plain}\n\tstorage file_system {folder}"
    (folder / "Caddyfile").write_text(f"{{\n\t{options}\n}}\n{site}")
    return ["caddy", "run", "--adapter", "caddyfile", "--config", f"{folder}/Caddyfile"]


def _nginx(folder: Path, servers: Sequence[str], port: int, plain: int, hashed: bool) -> list[str]:
    first, second = (f"    server 10.0.0.1{number}:8000 max_fails=1 fail_timeout=2s;\n" for number in (1, 2))
    site = _changed(
        "nginx-several.conf",
        ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        ("play.example;", "localhost;"),
        ("/etc/letsencrypt/live/play.example", str(folder)),
        ("/var/log/nginx", str(folder)),
        (first, "".join(f"    server {each} max_fails=1 fail_timeout=2s;\n" for each in servers)),
        (second, ""),
        (HASHED, HASHED if hashed else ""),
    )
    (folder / "site.conf").write_text(site)
    temporary = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/error.log; worker_processes 1;\n"
        f"events {{ worker_connections 4096; }}\nhttp {{ access_log off; include {folder}/site.conf;\n"
        + "".join(f"{kind}_temp_path {folder};\n" for kind in temporary)
        + "}\n"
    )
    return ["nginx", "-p", str(folder), "-e", f"{folder}/error.log", "-c", f"{folder}/nginx.conf"]


@asynccontextmanager
async def proxied(
    folder: Path, servers: Sequence[str], *, hashed: bool, port: int = 0, name: str = "nginx"
) -> AsyncIterator[int]:
    """The port of a proxy that speaks HTTPS."""
    port = port or free_port()
    words = configured(folder, servers, port, free_port(), hashed=hashed, name=name)
    with (folder / "output").open("wb") as output:
        proxy = subprocess.Popen(words, stdout=output, stderr=output)
    try:
        while True:
            with socket.socket() as trying:
                if trying.connect_ex(("127.0.0.1", port)) == 0:
                    break
            assert proxy.poll() is None, (folder / "output").read_text()
            await asyncio.sleep(0.05)
        yield port
    finally:
        proxy.terminate()
        proxy.wait(20)
