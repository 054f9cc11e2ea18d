"""What every HTTP request passes: limits, sizes, origins, security headers, log and counters."""

from __future__ import annotations

import asyncio
import time
from typing import Final

import structlog
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from nevsky.server.addresses import VOUCHED, address_of
from nevsky.server.components import Components
from nevsky.server.documentation import PLACE as DOCUMENTATION
from nevsky.server.error_pages import error_page, wants_page
from nevsky.server.errors import STATUS, Refusal
from nevsky.server.languages import language_of
from nevsky.server.metrics import SENT_HTTP, count_refusal, count_request
from nevsky.server.origins import same_origin
from nevsky.server.places import CONNECTION, UNTOUCHED
from nevsky.server.protocol import ApiError, ErrorCode
from nevsky.server.rate_limits import FILE
from nevsky.server.turns import Turn
from nevsky.server.versions import PAGE_HEADER, check_page

__all__ = ["TURN", "Middleware", "error_response"]

TURN: Final = "nevsky.turn"
"""Where a request finds its turn, to give it back when it only waits."""
_MOST_BYTES: Final = 32_768
_SAFE: Final = ("GET", "HEAD", "OPTIONS")
_FOR_OPERATORS: Final = ("/health", "/ready", "/metrics")
_FILES: Final = ("/assets/", DOCUMENTATION)
_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; "
    "object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
log = structlog.get_logger()


def error_response(refusal: Refusal, connection: HTTPConnection) -> Response:
    """A refusal as an answer, in the language of the request: a message, or a page for people."""
    count_refusal(refusal.code, refusal.reason)
    answer = said(refusal.code, refusal.say(language_of(connection)), STATUS[refusal.code], connection)
    if refusal.code == "moved":
        answer.headers[UNTOUCHED] = "yes"
    return answer


def said(code: ErrorCode, sentence: str, status: int, connection: HTTPConnection) -> Response:
    """A sentence as a message, or as a page for people."""
    if wants_page(connection):
        return error_page(sentence, status, connection)
    return JSONResponse(ApiError(code=code, message=sentence).model_dump(), status)


class Middleware:
    """The outermost layer around the application."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or send it away."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        status: int | None = None
        request = Request(scope)
        turn: Turn | None = None

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                if turn is not None:
                    turn.give_back()
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                if request.url.path.startswith("/api/"):
                    headers.setdefault("Cache-Control", "no-store")
            SENT_HTTP.inc(len(message.get("body", b"")))
            await send(message)

        components = request.app.state.components
        assert isinstance(components, Components)
        try:
            forwarding = components.forwarding
            if forwarding is not None and forwarding.vouching.accept(request) is not None:
                components.connections.vouch(scope.get(CONNECTION))
            address = address_of(request, components.settings)
            who = components.sessions.signed(request)
            _check(request, components, address, who)
            body = await _whole(receive)  # a turn is no time to wait for the visitor
            scope[TURN] = turn = await components.turns.take(address, who or address)
            if forwarding is None or not await forwarding.answer(request, body, answer, address, turn):
                await self._app(scope, _again(body, receive), answer)
        except Refusal as refusal:
            await components.turns.rest(refusal)
            await error_response(refusal, request)(scope, receive, answer)
        except asyncio.CancelledError:  # the server stops, and has waited for long enough
            if status is None:
                await error_response(Refusal("shutting_down", "unanswered"), request)(scope, receive, answer)
        finally:
            if turn is not None:
                turn.give_back()
            seconds = time.perf_counter() - started
            count_request(request.method, status or 500, seconds)
            log.debug(
                "request", method=request.method, path=request.url.path, status=status, ms=round(seconds * 1000, 1)
            )


def _too_large() -> Refusal:
    return Refusal("bad_message", "too_large", bytes=_MOST_BYTES)


async def _whole(receive: Receive) -> bytes | None:
    """The whole body, which is not large; None if the visitor has gone."""
    whole = bytearray()
    message: Message = {"type": "http.request", "more_body": True}
    while message.get("more_body", False):
        message = await receive()
        if message["type"] != "http.request":
            return None
        whole += message.get("body", b"")
        if len(whole) > _MOST_BYTES:
            raise _too_large()
    return bytes(whole)


def _again(body: bytes | None, receive: Receive) -> Receive:
    """Hand a body on in one piece."""
    waiting: list[Message] = [{"type": "http.disconnect"} if body is None else {"type": "http.request", "body": body}]

    async def fetched() -> Message:
        return waiting.pop() if waiting else await receive()

    return fetched


def _check(request: Request, components: Components, address: str, who: str | None) -> None:
    length = request.headers.get("content-length", "0")
    if not length.isdecimal() or int(length[:12]) > _MOST_BYTES:
        raise _too_large()
    if VOUCHED in request.scope:  # where the visitor came in all this was counted and looked at
        components.bans.check(who, address)
        return
    if request.method not in _SAFE and not same_origin(request, components.settings):
        raise Refusal("not_allowed", "page")
    if request.url.path in _FOR_OPERATORS or request.url.path.startswith(_FILES):
        components.limits.check(FILE, who or address, address)
    else:
        components.bans.check(who, address)
        components.limits.check("request", who or address, address)
        check_page(request.headers.get(PAGE_HEADER))
