"""nginx in front of several servers, with the configuration of the documentation."""

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

__all__ = ["configured", "proxied"]

DEPLOY = Path(__file__).parents[2] / "deploy"
HASHED = "    hash $nevsky_table consistent;"


def configured(folder: Path, servers: Sequence[str], port: int, plain: int, *, hashed: bool) -> list[str]:
    """How nginx is started; the certificate is made here."""
    if shutil.which("nginx") is None or shutil.which("openssl") is None:
        pytest.skip("nginx is not installed (on Debian: apt install nginx-light openssl).")
    words = (
        "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout privkey.pem -out fullchain.pem"
    )
    subprocess.run(words.split(), cwd=folder, check=True, capture_output=True)
    site = (DEPLOY / "nginx-several.conf").read_text(encoding="utf-8")
    first, second = (f"    server 10.0.0.1{number}:8000 max_fails=1 fail_timeout=2s;\n" for number in (1, 2))
    for old, new in (
        ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        ("play.example;", "localhost;"),
        ("/etc/letsencrypt/live/play.example", str(folder)),
        ("/var/log/nginx", str(folder)),
        (first, "".join(f"    server {each} max_fails=1 fail_timeout=2s;\n" for each in servers)),
        (second, ""),
        (HASHED, HASHED if hashed else ""),
    ):
        assert old in site, old
        site = site.replace(old, new)
    (folder / "site.conf").write_text(site)
    temporary = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/error.log; worker_processes 1;\n"
        f"events {{}}\nhttp {{ access_log off; include {folder}/site.conf;\n"
        + "".join(f"{kind}_temp_path {folder};\n" for kind in temporary)
        + "}\n"
    )
    return ["nginx", "-p", str(folder), "-e", f"{folder}/error.log", "-c", f"{folder}/nginx.conf"]


@asynccontextmanager
async def proxied(folder: Path, servers: Sequence[str], *, hashed: bool, port: int = 0) -> AsyncIterator[int]:
    """The port of a proxy that speaks HTTPS."""
    port = port or free_port()
    words = configured(folder, servers, port, free_port(), hashed=hashed)
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
