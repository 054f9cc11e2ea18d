"""The documentation states the limits that hold, and says why they are as they are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from nevsky.server.protocols import _FRAMES_PER_SECOND, _MOST_FRAMES, _MOST_PARTS
from nevsky.server.settings import USUAL, Settings

PAGE = (Path(__file__).parents[2] / "docs" / "server.md").read_text(encoding="utf-8")
ROWS = dict(
    re.findall(r"^\| ([^|]+) \| [^|]+ \| ([^|]+) \| [^|]+ \|$", PAGE.partition("For an address | ")[2], re.MULTILINE)
)
"""The table of reasons: what is limited, and the default."""
STATED = {
    "message_rate_per_address": "messages",
    "chat_rate_per_address": "chat",
    "hint_rate_per_address": "hints",
    "review_rate_per_address": "reviews",
    "request_rate_per_address": "requests",
    "table_rate_per_address": "new tables",
    "invitation_rate_per_address": "invitations",
    "guest_rate_per_address": "new guests",
    "sign_in_rate_per_address": "attempts to sign in",
    "mail_rate_per_address": "links by mail",
    "daily_rate_per_address": "tries at the [deal of the day](daily.md) that count",
    "puzzle_rate_per_address": "answers to [puzzles](puzzles.md)",
    "sockets_per_address": "WebSockets",
    "connections_per_address": "connections",
    "spectators_per_address": "spectators at one table",
    "open_tables_per_address": "open tables",
    "public_tables_per_address": "open tables",
    "bot_tables_per_address": "games of bots among themselves",
    "waiting_per_address": "people who wait to be matched",
    "tournaments_per_address": "[tournaments](tournaments.md) that are not over",
    "tournament_players_per_address": "players of one tournament",
}


@pytest.mark.parametrize("name", [name for name in Settings._fields if name.endswith("_per_address")])
def test_every_limit_of_an_address_has_its_reason(name: str) -> None:
    value = str(getattr(USUAL, name))
    assert re.search(rf"\b{value}\b", ROWS[STATED[name]]), (name, ROWS[STATED[name]])


def test_the_frames_of_a_websocket_are_as_many_as_it_says() -> None:
    [stated] = re.findall(
        r"A WebSocket may send ([\d,]+) frames at once and (\d+) a second from then on, .* in at most (\d+) parts", PAGE
    )
    assert [int(number.replace(",", "")) for number in stated] == [_MOST_FRAMES, _FRAMES_PER_SECOND, _MOST_PARTS]
