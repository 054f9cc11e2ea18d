"""Running the server."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
import webbrowser
from collections.abc import Callable

import uvicorn
from sqlalchemy.exc import DBAPIError

from nevsky.errors import NevskyError, Words
from nevsky.server.app import create_app
from nevsky.server.bot_pool import BotPool
from nevsky.server.components import Components
from nevsky.server.logs import set_up_logs
from nevsky.server.rate_limits import Limits
from nevsky.server.sessions import load_secret
from nevsky.server.settings import Settings
from nevsky.server.storage import Storage

__all__ = ["serve"]

_MOST_MESSAGE = 65_536


class _Server(uvicorn.Server):
    """Finishes the moves in flight and says goodbye before the connections close."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        components = getattr(getattr(self.config.app, "state", None), "components", None)
        if isinstance(components, Components):
            await components.hub.close()
        await super().shutdown(sockets)


def serve(settings: Settings, *, say: Callable[[str], None], open_browser: bool = False) -> None:
    """Serve until a signal comes."""
    set_up_logs(settings.log_level)
    asyncio.run(_check(settings))
    listening = _listen(settings)
    port = listening.getsockname()[1]
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    address = f"http://{'localhost' if settings.host in ('0.0.0.0', '::', '127.0.0.1') else host}:{port}/"  # noqa: S104
    config = uvicorn.Config(
        create_app(settings),
        log_config=None,
        access_log=False,  # its lines would hold the tokens of seat links
        server_header=False,
        ws_max_size=_MOST_MESSAGE,
        ws_max_queue=16,
        timeout_graceful_shutdown=10,
        lifespan="on",
    )
    server = _Server(config)

    def announce() -> None:
        while not server.started and not server.should_exit:
            time.sleep(0.02)
        if server.started:
            say(f"Nevsky is at {address}")
            if open_browser:
                webbrowser.open(address)

    threading.Thread(target=announce, daemon=True).start()
    server.run(sockets=[listening])


async def _check(settings: Settings) -> None:
    """Whatever the settings say wrong is told in a sentence before anything starts."""
    Limits(settings)
    BotPool(settings)
    path = settings.database_path
    try:
        load_secret(settings)
        await (await Storage.open(path)).close()
    except OSError as error:
        raise NevskyError("server.database", path=path, reason=error.strerror) from error
    except DBAPIError as error:
        raise NevskyError("server.database", path=path, reason=str(error.orig)) from error


def _listen(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((settings.host, settings.port))
    except (OSError, OverflowError) as error:
        listening.close()
        raise NevskyError(
            "server.listen",
            host=settings.host,
            port=settings.port,
            reason=getattr(error, "strerror", None) or Words("server.no_port"),
        ) from error
    return listening
