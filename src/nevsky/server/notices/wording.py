"""What messages say: nothing that only some at the table may know, in the language of whoever gets them."""

from __future__ import annotations

import json
from typing import NamedTuple

from nevsky.server.notices.kinds import Due
from nevsky.texts import LANGUAGES, join, text

__all__ = ["Told", "payload", "words"]

_MOST_NAMES = 100


class Told(NamedTuple):
    """A message."""

    title: str
    body: str
    url: str
    tag: str
    """A newer one with the same tag takes its place."""
    language: str


def words(due: Due, names: list[str], language: str) -> Told:
    """What a message says to one of the players; `names` are the others."""
    language = language if language in LANGUAGES else "en"
    others = join(names, language)[:_MOST_NAMES]
    return Told(
        text(f"notice.{due.kind}", language),
        text(f"notice.{due.kind}.text", language, names=others or "Nevsky"),
        f"/table/{due.table}",
        f"{due.kind}-{due.table}",
        language,
    )


def payload(said: Told) -> bytes:
    """As the service worker reads it."""
    whole = {**said._asdict(), "stop": text("notice.stop", said.language)}
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":")).encode()
