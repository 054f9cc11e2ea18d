"""What the Market and the modules add to the table on the screen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.text import Text

from nevsky.rules.view import View
from nevsky.terminal.layout import hanging
from nevsky.terminal.names import Names, face
from nevsky.texts.things import assignment_text, obstacle_text

__all__ = ["card_notes", "common_lines", "market_words", "player_words"]


def market_words(view: View, names: Names) -> str:
    """The value tile and the good tiles that are left."""
    tiles = view.table.get("tiles")
    if not tiles:
        return ""
    high, low = tiles["value"]
    return names.say("screen.value", high=high, low=low)


def common_lines(view: View, names: Names, width: int, spread: bool) -> list[Text]:
    """Events that are left, own assignments and the obstacles on the track."""
    table = view.table
    lines: list[Text] = []
    if table.get("events_left"):
        events = [names.say(f"event.{event}.name") for event in table["events_left"]]
        lines += hanging(f"[head]{names.say('screen.events')}[/]  {', '.join(events)}", width, 2)
    own = (table.get("assignments") or {names.seat: None})[names.seat]
    if own:
        players = len(view.players)
        words = (
            [f"[number]{n}[/]: {assignment_text(n, players, names.language)}" for n in own] if spread else map(str, own)
        )
        lines += hanging(f"[head]{names.say('screen.assignments')}[/]  {'; '.join(words)}", width, 2)
    if "obstacles" in table:
        lines += hanging(f"[head]{names.say('screen.obstacles')}[/]  {_obstacles(table, names, spread)}", width, 2)
    return lines


def _obstacles(table: Mapping[str, Any], names: Names, spread: bool) -> str:
    words = []
    for space, tile in table["obstacles"]["tiles"].items():
        if int(space) in table["obstacles"]["passed"][names.seat]:
            continue
        needs, bonus = obstacle_text(tile, int(space), names.language)
        key = "screen.obstacle.real" if needs else "screen.obstacle.bonus"
        if spread:
            words.append(names.say(key, space=f"[number]{space}[/]", needs=needs, bonus=bonus))
        else:
            words.append(f"[number]{space}[/] {needs or bonus}")
    return " · ".join(words) or "–"


def player_words(view: View, names: Names, seat: int) -> list[str]:
    """What lies at a player beside cards: goods, assistant, event, obstacles passed."""
    table = view.table
    words = []
    goods = {good: number for good, number in table.get("goods", [{}] * (seat + 1))[seat].items() if number}
    if goods:
        listed = ", ".join(f"{names.say(f'good.{good}')} {number}" for good, number in goods.items())
        words.append(f"[yellow]{names.say('screen.goods')} {listed}[/]")
    for name, holder in table.get("assistants", {}).items():
        if holder == seat:
            words.append(names.say("screen.assistant", name=names.card(name)))
    if table.get("events_used", [False] * (seat + 1))[seat]:
        words.append(names.say("screen.event_used"))
    if "obstacles" in table and table["obstacles"]["passed"][seat]:
        spaces = ", ".join(map(str, table["obstacles"]["passed"][seat]))
        words.append(names.say("screen.obstacles_passed", spaces=spaces))
    return words


def card_notes(view: View, names: Names, seat: int, card: str) -> list[str]:
    """What lies on a card of an area: a chip, a purple card, a good tile."""
    table = view.table
    notes = []
    if table.get("covered", [None] * (seat + 1))[seat] == card:
        notes.append(names.say("screen.covered"))
    for purple, below in table.get("attached", [{}] * (seat + 1))[seat].items():
        if below == card:
            notes.append(names.say("screen.with_card", card=names.plain(purple)))
    tile = table.get("tiles", {"given": [{}] * (seat + 1)})["given"][seat].get(face(card).text)
    if tile:
        notes.append(names.say("screen.tile", good=names.say(f"good.{tile}")))
    return notes
