"""What deploy/cluster/compose.yaml starts, on one machine and without containers.

Two servers, two workers, a PostgreSQL, a Redis and nginx in front of them, in a temporary folder, until Ctrl-C:

    python -m tools.try_cluster --port 8443

Kill a server while you play, and see what happens. Needs PostgreSQL, Redis and nginx (on Debian: apt install postgresql
redis-server nginx-light).
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import secrets
import signal
import tempfile
from pathlib import Path

from tests.cluster.cluster import Server, clustered
from tests.deploy.several import proxied


async def start(port: int, servers: int, workers: int) -> None:
    """Start everything, say where it is, and wait."""
    ended = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    settings = {"secret": secrets.token_urlsafe(32), "log_level": "warning"}
    with tempfile.TemporaryDirectory(prefix="nevsky-cluster-") as name:
        folder = Path(name)
        print("Starting PostgreSQL, Redis, the servers and the workers ...", flush=True)
        async with (
            clustered(folder, servers, workers, settings, linked=False) as cluster,
            proxied(folder, cluster.addresses, hashed=True, port=port) as front,
        ):
            print(f"Nevsky is at https://localhost:{front}/ with a certificate of its own (press Ctrl-C to stop)")
            for server in cluster.servers:
                print(f"  {server.name}: process {server.pid}, http://127.0.0.1:{server.port}/")
            for worker in cluster.workers:
                print(f"  {worker.name}: process {worker.pid}")
            print(f"  PostgreSQL: {cluster.postgres.url(cluster.database)}")
            print(f"  Redis: {cluster.redis.url}", flush=True)
            restarting = asyncio.create_task(_restart(cluster.servers))
            await ended.wait()
            restarting.cancel()
            await asyncio.gather(restarting, return_exceptions=True)


async def _restart(servers: list[Server]) -> None:
    """Who was killed comes back after a while, as under systemd."""
    while True:
        await asyncio.sleep(0.5)
        for server in servers:
            if not server.running:
                print(f"  {server.name} has ended, and starts again in 10 seconds", flush=True)
                await asyncio.sleep(10)
                await server.start()
                print(f"  {server.name}: process {server.pid}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--port", type=int, default=8443, help="of nginx")
    parser.add_argument("--servers", type=int, default=2)
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(start(asked.port, asked.servers, asked.workers))
