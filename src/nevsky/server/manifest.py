"""What a system shows of the installed app, in the language of whoever installs it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from fastapi import Response

from nevsky.server.protocol import Language
from nevsky.texts import read_texts, text

__all__ = ["MANIFEST", "manifest"]

MANIFEST: Final = "manifest.webmanifest"
_SHORTCUTS: Final = {"/games": "tables.mine", "/new": "new_table", "/rules": "rules"}
_ICON: Final = {"src": "/icon-192.png", "sizes": "192x192", "type": "image/png"}


def manifest(file: Path, language: Language) -> Response:
    """The manifest of the app with the words of a language."""
    said = read_texts(language, "web")
    shown = json.loads(file.read_text(encoding="utf-8"))
    shown |= {"lang": language, "description": text("page.description", language)}
    shown["shortcuts"] = [{"name": said[key], "url": url, "icons": [_ICON]} for url, key in _SHORTCUTS.items()]
    headers = {"Cache-Control": "no-cache", "Vary": "Accept-Language"}
    return Response(json.dumps(shown, ensure_ascii=False), media_type="application/manifest+json", headers=headers)
