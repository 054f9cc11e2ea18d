"""Running the server."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import threading
import time
import webbrowser
from collections.abc import Callable

import structlog
import uvicorn
from fastapi import FastAPI
from sqlalchemy.exc import DBAPIError

from nevsky.errors import NevskyError, Words
from nevsky.server.app import create_app
from nevsky.server.collecting import Collector
from nevsky.server.components import Components
from nevsky.server.database_file import StartLock
from nevsky.server.logs import set_up_logs
from nevsky.server.protocols import HttpConnection, SocketConnection
from nevsky.server.redis_link import check_redis
from nevsky.server.secret_file import load_secret
from nevsky.server.settings import Settings, unknown
from nevsky.server.storage import Storage

__all__ = ["serve", "uvicorn_config"]

_MOST_MESSAGE = 65_536
log = structlog.get_logger()


class _Server(uvicorn.Server):
    """Finishes the moves in flight and says goodbye before the connections close; looks for garbage now and then."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._collector = Collector()

    @property
    def _components(self) -> Components | None:
        found = getattr(getattr(self.config.app, "state", None), "components", None)
        return found if isinstance(found, Components) else None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._collector.start()

    async def on_tick(self, counter: int) -> bool:
        components = self._components
        if components is not None:
            connections, hub = components.connections, components.hub
            self._collector.tick(len(connections) + len(hub), connections.left + hub.left)
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        components = self._components
        if components is not None:
            await components.stop()
        await super().shutdown(sockets)


def uvicorn_config(app: FastAPI) -> uvicorn.Config:
    """How uvicorn runs the application: with our own connections, which have limits."""
    return uvicorn.Config(
        app,
        http=HttpConnection,
        ws=SocketConnection,
        log_config=None,
        access_log=False,  # its lines would hold the tokens of seat links
        server_header=False,
        proxy_headers=False,  # addresses.py reads them
        ws_max_size=_MOST_MESSAGE,
        ws_per_message_deflate=False,  # compression.py does it where it is worth it
        timeout_graceful_shutdown=10,
        lifespan="on",
    )


def serve(settings: Settings, *, say: Callable[[str], None], open_browser: bool = False) -> None:
    """Serve until a signal comes."""
    settings.check()
    set_up_logs(settings.log_level)
    for name, meant in unknown(os.environ).items():
        log.warning("unknown_setting", name=name, meant=meant or None)
    asyncio.run(_check(settings))
    listening = _listen(settings)
    port = listening.getsockname()[1]
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    address = f"http://{'localhost' if settings.host in ('0.0.0.0', '::', '127.0.0.1') else host}:{port}/"  # noqa: S104
    settings = settings._replace(advertise=settings.advertise or advertised(settings.host, port))
    server = _Server(uvicorn_config(create_app(settings)))

    def announce() -> None:
        while not server.started and not server.should_exit:
            time.sleep(0.02)
        if server.started:
            say(f"Nevsky is at {address}")
            if open_browser:
                webbrowser.open(address)

    threading.Thread(target=announce, daemon=True).start()
    server.run(sockets=[listening])


def advertised(host: str, port: int) -> str:
    """Where others reach a server that listens there; one that listens everywhere is known by its name.

    >>> advertised("127.0.0.1", 8000), advertised("::1", 8000)
    ('http://127.0.0.1:8000', 'http://[::1]:8000')
    """
    if host in ("0.0.0.0", "::", ""):  # noqa: S104
        host = socket.gethostname()
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


async def _check(settings: Settings) -> None:
    """What is wrong with the files and engines is told in a sentence before anything starts."""
    if settings.redis:
        if settings.postgres is None:
            raise NevskyError("server.redis_alone")
        await check_redis(settings.redis)
    if settings.postgres is not None:
        load_secret(settings)
        await (await Storage.open(settings.postgres)).close()
        return
    path = settings.database_path
    try:
        if path.exists() and not path.is_file():
            raise NevskyError("server.database", path=path, reason=Words("file.no_file"))
        with StartLock(path):
            load_secret(settings)
            await (await Storage.open(path)).close()
    except OSError as error:  # a file where a folder should be
        reason = os.strerror(errno.ENOTDIR) if isinstance(error, FileExistsError) else error.strerror
        raise NevskyError("server.database", path=path, reason=reason) from error
    except DBAPIError as error:
        raise NevskyError("server.database", path=path, reason=str(error.orig)) from error


def _listen(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listening = socket.socket(family)
    if os.name == "posix":  # on Windows it would take the port from a server that runs
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((settings.host, settings.port))
    except (OSError, TypeError, UnicodeError) as error:  # the last two where the host is no name
        listening.close()
        raise NevskyError(
            "server.listen",
            host=settings.host,
            port=settings.port,
            reason=getattr(error, "strerror", None) or Words("server.no_address"),
        ) from error
    return listening
