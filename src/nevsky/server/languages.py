"""The language of a request: what its address says, else what the browser prefers."""

from __future__ import annotations

from starlette.requests import HTTPConnection

from nevsky.server.protocol import Language
from nevsky.texts import LANGUAGES

__all__ = ["as_language", "language_of"]


def as_language(wanted: str | None) -> Language | None:
    """The language of a code such as ``de`` or ``de-CH``; None if we do not speak it."""
    code = (wanted or "").strip().lower().partition("-")[0]
    return next((language for language in LANGUAGES if language == code), None)


def language_of(connection: HTTPConnection) -> Language:
    """``?language=`` first, then Accept-Language, then English."""
    asked = as_language(connection.query_params.get("language"))
    return asked or _preferred(connection.headers.get("accept-language", "")) or "en"


def _preferred(header: str) -> Language | None:
    found: list[tuple[float, Language]] = []
    for part in header[:500].split(","):
        code, _, parameter = part.partition(";")
        language = as_language(code)
        if language is not None:
            found.append((_quality(parameter), language))
    found = [each for each in found if each[0] > 0]
    return max(found, key=lambda each: each[0])[1] if found else None


def _quality(parameter: str) -> float:
    name, _, value = parameter.strip().partition("=")
    try:
        return float(value) if name.strip() == "q" else 1.0
    except ValueError:
        return 0.0
