"""The front end: files that Vite has built, and one page for all its addresses."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Final

from fastapi import APIRouter, Request, Response
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse

from nevsky.server.errors import Refusal
from nevsky.server.languages import language_of
from nevsky.server.manifest import MANIFEST, manifest
from nevsky.server.middleware import error_response
from nevsky.server.previews import preview
from nevsky.server.settings import Settings
from nevsky.texts import text

__all__ = ["STATIC", "router"]

STATIC: Final = Path(__file__).parent / "static"
_FRESH: Final = {"Cache-Control": "no-cache"}
_WORKER: Final = "sw.js"
_FAREWELL: Final = "farewell.js"
"""Takes the place of the service worker where there shall be none, and takes itself away."""
_MISSING: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Nevsky</title></head>
<body><h1>Nevsky</h1>
<p>The server is running, but its front end has not been built. In the directory <code>web</code> run
<code>npm ci</code> and <code>npm run build</code>, then load this page again.</p>
<p>The API is at <a href="/api/openapi.json">/api/openapi.json</a>.</p></body></html>
"""

router = APIRouter(include_in_schema=False)


@router.api_route("/api/{path:path}", methods=["GET", "POST", "PUT", "DELETE", "PATCH"])
async def no_such_api(request: Request) -> Response:
    """What the API does not have."""
    return error_response(Refusal("not_found", "address"), request)


@router.api_route("/{path:path}", methods=["GET", "HEAD"])
async def page(request: Request, path: str) -> Response:
    """A file of the front end, or its page for one of its own addresses."""
    file = _file(_FAREWELL if path == _WORKER and not the_settings(request).service_worker else path)
    if file is not None and path == MANIFEST:
        return manifest(file, language_of(request))
    if file is not None:
        response = FileResponse(file)
        kept = path.startswith("assets/")  # their names change with their contents
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable" if kept else "no-cache"
        return response
    if _is_file_name(path):
        return PlainTextResponse(text("no.address", language_of(request)), 404)
    if not (STATIC / "index.html").is_file():
        return HTMLResponse(_MISSING, headers=_FRESH)
    shown = await preview(request, path)
    return HTMLResponse(
        shown.into(_index(), the_settings(request).switched_off),
        200 if shown.found else 404,
        headers={**_FRESH, "Vary": "Accept-Language"},
    )


def the_settings(request: Request) -> Settings:
    """How the server is set up."""
    settings = request.app.state.components.settings
    assert isinstance(settings, Settings)
    return settings


def _is_file_name(path: str) -> bool:
    """Whether somebody looks for a file and not for a page: then a page would not help."""
    return path.startswith("assets/") or "." in path.rsplit("/", 1)[-1] or "\0" in path


def _index() -> str:
    file = STATIC / "index.html"
    return _read(file, file.stat().st_mtime_ns)


@lru_cache(maxsize=2)
def _read(file: Path, _changed: int) -> str:
    return file.read_text(encoding="utf-8")


def _file(path: str) -> Path | None:
    if not path or "\0" in path:
        return None
    try:
        file = (STATIC / path).resolve()
        return file if file.is_file() and file.is_relative_to(STATIC.resolve()) else None
    except OSError:
        return None
