"""The application: everything wired together."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from threading import Lock
from typing import Final

import structlog
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from prometheus_client import generate_latest
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

from nevsky._version import __version__
from nevsky.errors import NevskyError
from nevsky.server import games_api, hosting_api, http, own_api, pages, replays_api
from nevsky.server.components import Components
from nevsky.server.daily import api as daily_api
from nevsky.server.documentation import routes as documentation_routes
from nevsky.server.errors import Refusal, moved
from nevsky.server.judged import api as judged_api
from nevsky.server.languages import language_of
from nevsky.server.lobby import socket as lobby_socket
from nevsky.server.metrics import REGISTRY
from nevsky.server.middleware import Middleware, error_response, said
from nevsky.server.notices import api as notices_api
from nevsky.server.ownership import ElsewhereError
from nevsky.server.people import api as people_api
from nevsky.server.profiles import api as profiles_api
from nevsky.server.protocol import Health
from nevsky.server.puzzles import api as puzzles_api
from nevsky.server.ratings import api as ratings_api
from nevsky.server.settings import Settings
from nevsky.server.tournaments import api as tournaments_api
from nevsky.server.vacations import api as vacations_api
from nevsky.server.websocket import WebSockets
from nevsky.texts import text

__all__ = ["create_app"]

log = structlog.get_logger()


class _Description:
    """Of the API, as OpenAPI: made when somebody asks, beside the other work, and once, since no setting changes it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._text = b""

    def of(self, app: FastAPI) -> bytes:
        """As JSON; takes a while the first time."""
        with self._lock:
            self._text = self._text or json.dumps(app.openapi(), separators=(",", ":")).encode()
            return self._text


_description: Final = _Description()


def create_app(settings: Settings) -> FastAPI:
    """The application for these settings; the database is opened when it starts."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await run_in_threadpool(str)  # the first thread loads modules, for which nobody should wait
        app.state.components = await Components.open(settings)
        log.info("started", version=__version__, database=settings.shown_database)
        try:
            yield
        finally:
            await app.state.components.close()
            log.info("stopped")

    app = FastAPI(
        title="Nevsky",
        version=__version__,
        lifespan=lifespan,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        responses=http.REFUSALS,
    )
    # include_router would build all of it once more, when the first request comes
    rooms = (
        *(http, hosting_api, games_api, replays_api, daily_api, profiles_api),
        *(notices_api, own_api, judged_api, people_api, puzzles_api, ratings_api, vacations_api, tournaments_api),
    )
    app.router.routes.extend([*(route for room in rooms for route in room.router.routes), lobby_socket.route])
    _add_operations(app)
    app.router.routes.extend([*documentation_routes(), *pages.router.routes])
    _add_error_answers(app)
    app.add_middleware(GZipMiddleware, minimum_size=2000)
    app.add_middleware(Middleware)
    app.add_middleware(WebSockets)
    return app


def _add_operations(app: FastAPI) -> None:
    @app.get("/health")
    async def health() -> Health:
        """The process lives."""
        return Health(status="ok", version=__version__)

    @app.get("/ready", responses={503: {"model": Health}})
    async def ready(request: Request, response: Response) -> Health:
        """The database can be written, and new players are welcome."""
        components = request.app.state.components
        assert isinstance(components, Components)
        reason = "closing" if components.hub.closing else await components.storage.trouble()
        response.status_code = 200 if reason is None else 503
        return Health(status="ok" if reason is None else "not_ready", version=__version__, reason=reason)

    @app.get("/api/openapi.json", include_in_schema=False)
    def description() -> Response:
        """What can be asked for."""
        return Response(_description.of(app), media_type="application/json")

    @app.get("/metrics", include_in_schema=False)
    async def metrics() -> Response:
        """For Prometheus."""
        return Response(generate_latest(REGISTRY), media_type="text/plain; version=0.0.4")


def _add_error_answers(app: FastAPI) -> None:
    @app.exception_handler(Refusal)
    async def refused(request: Request, refusal: Refusal) -> Response:
        return error_response(refusal, request)

    @app.exception_handler(ElsewhereError)
    async def elsewhere(request: Request, _: ElsewhereError) -> Response:
        return error_response(moved(), request)

    @app.exception_handler(NevskyError)
    async def impossible(request: Request, error: NevskyError) -> Response:
        return error_response(Refusal("refused", error), request)

    @app.exception_handler(RequestValidationError)
    async def unreadable(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"] if part != "body")
        detail = f"{where + ': ' if where else ''}{first['msg']}"
        return error_response(Refusal("bad_message", "request", detail=detail), request)

    @app.exception_handler(HTTPException)
    async def other(request: Request, error: HTTPException) -> Response:
        refusal = Refusal("bad_message", "request", detail=error.detail)
        if error.status_code == 404:
            refusal = Refusal("not_found", "address")
        elif error.status_code == 405:
            refusal = Refusal("bad_message", "method")
        answer = said(refusal.code, refusal.say(language_of(request)), error.status_code, request)
        answer.headers.update(error.headers or {})
        return answer

    @app.exception_handler(Exception)
    async def broken(request: Request, error: Exception) -> Response:
        log.error("request_failed", path=request.url.path, exc_info=error)
        return said("refused", text("no.broken", language_of(request)), 500, request)
