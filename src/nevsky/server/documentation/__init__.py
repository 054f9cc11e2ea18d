"""The documentation, where it was built: the pages of `make docs` under /docs/."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from nevsky.server.errors import Refusal

__all__ = ["PLACE", "SITE", "routes"]

PLACE: Final = "/docs/"
SITE: Final = Path(__file__).parent / "site"
_NAMED_BY_CONTENT: Final = "assets/"


class _Pages(StaticFiles):
    """The built pages; somebody who asks for them where there are none is told so."""

    async def check_config(self) -> None:
        """Asked before every answer until there is something to show."""
        assert self.directory is not None
        if not (Path(self.directory) / "index.html").is_file():
            raise Refusal("not_found", "documentation")

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A page or a file, as fresh as it has to be."""
        answer = await super().get_response(path, scope)
        kept = path.startswith(_NAMED_BY_CONTENT)
        answer.headers["Cache-Control"] = "public, max-age=31536000, immutable" if kept else "no-cache"
        return answer


def routes() -> list[Route | Mount]:
    """What answers for the documentation."""

    async def inside(_: Request) -> Response:
        return RedirectResponse(PLACE)

    return [
        Route(PLACE.rstrip("/"), inside, methods=["GET", "HEAD"], include_in_schema=False),
        Mount(PLACE, _Pages(directory=SITE, html=True, check_dir=False)),
    ]
