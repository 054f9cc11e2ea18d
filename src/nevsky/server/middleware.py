"""What every HTTP request passes: limits, sizes, origins, security headers, log and counters."""

from __future__ import annotations

import time
from typing import Final

import structlog
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from nevsky.server.components import Components
from nevsky.server.errors import STATUS, Refusal
from nevsky.server.languages import language_of
from nevsky.server.metrics import REFUSALS, REQUESTS, SECONDS
from nevsky.server.origins import same_origin
from nevsky.server.protocol import ApiError

__all__ = ["Middleware", "error_response"]

_MOST_BYTES: Final = 32_768
_SAFE: Final = ("GET", "HEAD", "OPTIONS")
_UNLIMITED: Final = ("/health", "/ready", "/metrics")
_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self'; connect-src 'self' ws: wss:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
log = structlog.get_logger()


def error_response(refusal: Refusal, connection: HTTPConnection) -> JSONResponse:
    """A refusal as an answer, in the language of the request."""
    REFUSALS.labels(code=refusal.code).inc()
    body = ApiError(code=refusal.code, message=refusal.say(language_of(connection))).model_dump()
    return JSONResponse(body, STATUS[refusal.code])


class Middleware:
    """The outermost layer around the application."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or send it away."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, status = time.perf_counter(), 500
        request = Request(scope)

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                if request.url.path.startswith("/api/"):
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        try:
            refusal = _refusal(request)
            if refusal is not None:
                await error_response(refusal, request)(scope, receive, answer)
            else:
                await self._app(scope, _measured(receive), answer)
        except _TooLargeError:
            await error_response(_too_large(), request)(scope, receive, answer)
        finally:
            seconds = time.perf_counter() - started
            REQUESTS.labels(method=request.method, status=status).inc()
            SECONDS.observe(seconds)
            log.debug(
                "request", method=request.method, path=request.url.path, status=status, ms=round(seconds * 1000, 1)
            )


class _TooLargeError(Exception):
    pass


def _too_large() -> Refusal:
    return Refusal("bad_message", "too_large", bytes=_MOST_BYTES)


def _measured(receive: Receive) -> Receive:
    total = 0

    async def counted() -> Message:
        nonlocal total
        message = await receive()
        total += len(message.get("body", b""))
        if total > _MOST_BYTES:
            raise _TooLargeError
        return message

    return counted


def _refusal(request: Request) -> Refusal | None:
    components = request.app.state.components
    assert isinstance(components, Components)
    length = request.headers.get("content-length", "0")
    if not length.isdecimal() or int(length[:12]) > _MOST_BYTES:
        return _too_large()
    if request.method not in _SAFE and not same_origin(request, components.settings):
        return Refusal("not_allowed", "page")
    try:
        if request.url.path not in _UNLIMITED and not request.url.path.startswith("/assets/"):
            components.limits.check("request", request.client.host if request.client else "")
    except Refusal as refusal:
        return refusal
    return None
