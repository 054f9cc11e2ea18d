"""The application: everything wired together."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import structlog
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from prometheus_client import generate_latest
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import JSONResponse

from nevsky._version import __version__
from nevsky.errors import NevskyError
from nevsky.server import http, pages, websocket
from nevsky.server.components import Components
from nevsky.server.errors import Refusal
from nevsky.server.languages import language_of
from nevsky.server.metrics import REGISTRY
from nevsky.server.middleware import Middleware, error_response
from nevsky.server.protocol import ApiError, Health
from nevsky.server.settings import Settings
from nevsky.texts import text

__all__ = ["create_app"]

log = structlog.get_logger()


def create_app(settings: Settings) -> FastAPI:
    """The application for these settings; the database is opened when it starts."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.components = await Components.open(settings)
        log.info("started", version=__version__, database=str(settings.database_path))
        try:
            yield
        finally:
            await app.state.components.close()
            log.info("stopped")

    app = FastAPI(
        title="Nevsky",
        version=__version__,
        lifespan=lifespan,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        responses={status: {"model": ApiError} for status in (400, 403, 404, 409, 422, 429, 503)},
    )
    app.include_router(http.router)
    app.include_router(websocket.router)
    _add_operations(app)
    app.include_router(pages.router)
    _add_error_answers(app)
    app.add_middleware(GZipMiddleware, minimum_size=2000)
    app.add_middleware(Middleware)
    return app


def _add_operations(app: FastAPI) -> None:
    @app.get("/health")
    async def health() -> Health:
        """The process lives."""
        return Health(status="ok", version=__version__)

    @app.get("/ready", responses={503: {"model": Health}})
    async def ready(request: Request, response: Response) -> Health:
        """The database answers and new players are welcome."""
        components = request.app.state.components
        assert isinstance(components, Components)
        try:
            await components.storage.ping()
            fine = not components.hub.closing
        except Exception:
            log.exception("not_ready")
            fine = False
        response.status_code = 200 if fine else 503
        return Health(status="ok" if fine else "not_ready", version=__version__)

    @app.get("/metrics", include_in_schema=False)
    async def metrics() -> Response:
        """For Prometheus."""
        return Response(generate_latest(REGISTRY), media_type="text/plain; version=0.0.4")


def _add_error_answers(app: FastAPI) -> None:
    @app.exception_handler(Refusal)
    async def refused(request: Request, refusal: Refusal) -> Response:
        return error_response(refusal, request)

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
        body = ApiError(code=refusal.code, message=refusal.say(language_of(request)))
        return JSONResponse(body.model_dump(), error.status_code, headers=error.headers)

    @app.exception_handler(Exception)
    async def broken(request: Request, error: Exception) -> Response:
        log.error("request_failed", path=request.url.path, exc_info=error)
        body = ApiError(code="refused", message=text("no.broken", language_of(request)))
        return JSONResponse(body.model_dump(), 500)
