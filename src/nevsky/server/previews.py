"""What the page of an address says about itself to those who do not run it, such as messengers that show a link."""

from __future__ import annotations

from collections.abc import Collection
from html import escape
from typing import Final, NamedTuple

from fastapi import Request

from nevsky.rules.modules import ROOMS
from nevsky.server.components import Components
from nevsky.server.errors import Refusal
from nevsky.server.guide.scripts import SCRIPTS
from nevsky.server.languages import language_of
from nevsky.server.protocol import Language
from nevsky.server.schema import STOPPED, SeatRow, TableRow
from nevsky.texts import join, read_texts, text
from nevsky.texts.former import shown_names

__all__ = ["Preview", "preview"]

_PAGES: Final = {
    "": "home.title",
    "new": "new_table",
    "games": "tables.mine",
    "people": "people",
    "stop": "notices",
    "rules": "rules",
    "rules/cards": "gallery",
    "about": "about",
    "profile": "profile",
    "sign-in": "sign_in",
    "guide": "guide",
    "guides": "guides",
    "daily": "daily",
    "puzzles": "puzzles",
    "ratings": "ratings",
    "tournaments": "tournaments",
    "guide/market": "market",
    **{f"guide/{room.id}": f"module.{room.number}" for room in ROOMS if room.id in SCRIPTS},
}
_TITLE: Final = "<title>Nevsky</title>"
_PICTURE: Final = "/preview.png"


class Preview(NamedTuple):
    """Title, description and picture of a page."""

    title: str
    description: str
    language: Language
    base: str
    """Scheme and host, since pictures need whole addresses."""
    path: str
    """Without its query: that may hold the secret of a seat."""
    found: bool = True

    def into(self, page: str, off: Collection[str] = ()) -> str:
        """The page with all this in its head, and what this server does not have."""
        title = f"{self.title} – Nevsky"
        properties = {
            "og:site_name": "Nevsky",
            "og:type": "website",
            "og:locale": self.language,
            "og:title": self.title,
            "og:description": self.description,
            "og:url": f"{self.base}{self.path}",
            "og:image": f"{self.base}{_PICTURE}",
            "og:image:width": "1200",
            "og:image:height": "630",
        }
        lines = [f'<meta property="{name}" content="{escape(value)}" />' for name, value in properties.items()]
        lines.append(f'<meta name="description" content="{escape(self.description)}" />')
        lines.append('<meta name="twitter:card" content="summary_large_image" />')
        lacks = f' data-off="{" ".join(off)}"' if off else ""
        page = page.replace('<html lang="en">', f'<html lang="{self.language}"{lacks}>', 1)
        page = page.replace(_TITLE, f"<title>{escape(title)}</title>", 1)
        return page.replace("</head>", "    " + "\n    ".join(lines) + "\n  </head>", 1)


async def preview(request: Request, path: str) -> Preview:
    """The preview of the page of an address; what is not there is not found, but is a page all the same."""
    language = language_of(request)
    base = f"{request.url.scheme}://{request.url.netloc}"
    first, _, rest = path.strip("/").partition("/")
    said = read_texts(language, "web")  # what the pages call themselves
    nowhere = Preview(said["missing"], text("page.description", language), language, base, request.url.path, False)
    if path.strip("/") in _PAGES:
        return nowhere._replace(title=said[_PAGES[path.strip("/")]], found=True)
    if first in ("table", "replay") and rest and "/" not in rest:
        return await _of_table(request, rest, nowhere, replay=first == "replay")
    if first in ("daily", "player", "puzzles", "tournament") and rest and "/" not in rest:
        return nowhere._replace(title=said[first], found=True)  # the page itself says whether there is one
    return nowhere


async def _of_table(request: Request, table: str, nowhere: Preview, *, replay: bool) -> Preview:
    components = request.app.state.components
    assert isinstance(components, Components)
    language = nowhere.language
    title = text("page.replay" if replay else "page.table", language)
    try:
        stored = await components.storage.short(table)
    except Refusal:
        return nowhere._replace(title=title, found=True)  # the page itself will say what is wrong
    if stored is None or stored[0].status in STOPPED:
        return nowhere
    row, places = stored
    names = join(shown_names((place.name for place in places if place.name), language), language)
    if row.public and names:
        title = text("page.replay_of" if replay else "page.table_of", language, names=names)
    return nowhere._replace(title=title, description=_state(row, places, language), found=True)


def _state(row: TableRow, places: list[SeatRow], language: Language) -> str:
    """How far the game is. Who plays at a private table is not told to those who only see its address."""
    if row.status == "open":
        free = sum(place.free for place in places)
        return text("page.open", language, free=free, players=len(places))
    if row.status != "over":
        return text("page.playing", language, round=row.round or 1)
    winners = shown_names((places[seat].name or "" for seat in row.winners or ()), language)
    if not row.public or not winners:
        return text("page.over", language)
    return text("page.won", language, names=join(winners, language))
