"""Nothing in the box stays unplayed: every card, event, assignment and obstacle comes up in random games."""

from __future__ import annotations

from collections.abc import Iterator

from nevsky import ACTIONS, Ruleset
from nevsky.cards import CARDS
from nevsky.rules.actions import ids
from nevsky.rules.course import whole_box
from nevsky.rules.position import Position
from nevsky.rules.rng import Rng
from nevsky.rules.snapshot import blank
from tests.test_simulation import module_sets


def words(number: int) -> list[str]:
    """What an action exercises, boiled down to the effects that must all occur."""
    action = ACTIONS[number]
    if action.verb in ("pass", "observe"):
        return [action.text]
    if action.verb in ("pub", "guild_hall", "assignment"):
        return [f"{action.verb} {action.number}"]
    if action.verb in ("good", "event", "trading_house", "sycophant"):
        return [f"{action.verb} {action.choice}"]
    if action.verb == "upkeep":
        return [action.text]
    if action.verb == "bonus":
        return [f"bonus {'card ' if action.card else ''}{action.choice}"]
    if action.verb == "mooch":
        return [f"mooch {action.choice}"]
    place = "drawn" if action.drawn else f"row {action.row}"
    found = [f"{action.verb} {place}"]
    if action.verb in ("buy", "play"):
        found.append(f"lay {action.card}")
    if action.verb == "take":
        found.append(f"take {action.card}")
    if action.card in ("banquet", "jester"):
        found.append(f"attach {action.card}")
    return found


def play_and_strike(missing: set[str], games: int, seed: str) -> None:
    """Strike out what comes up. Once everything has, the other games are played without being watched."""
    rulesets = module_sets() + [Ruleset("first", players) for players in (2, 3, 4)]
    known: set[int] = set()
    for game in range(games):
        rng = Rng.of(seed, game)
        ruleset = rulesets[rng.below(len(rulesets))]
        position = blank(ruleset)
        position.new_game(rng)
        if not missing:
            position.play_random(rng)
        while not position.over:
            legal = position.legal()
            number = legal[rng.below(len(legal))]
            if number not in known:
                known.add(number)
                missing.difference_update(words(number))
            position.play(number)
        missing.difference_update(about_obstacles(position))


def about_obstacles(position: Position) -> Iterator[str]:
    full = whole_box(position)
    if full is not None and full.obstacles is not None:
        for seat in range(position.n):
            for space, tile in enumerate(full.obstacles.tile):
                if full.obstacles.passed[seat] >> space & 1:
                    yield f"obstacle {tile} passed"
            if full.obstacles.stopped(full, seat) >= 0:
                yield "stuck"


def expected() -> set[str]:
    wanted = {f"lay {card.text}" for card in CARDS if card.colour != "purple"}
    wanted |= {f"take {card.text}" for card in CARDS}
    purple = {card.text for card in CARDS if card.colour == "purple"}
    wanted |= {f"lay {text}" for text in purple}
    wanted |= {f"assignment {number}" for number in range(1, 16)}
    wanted |= {f"obstacle {tile} passed" for tile in range(10)} | {"stuck"}
    for number in ids().values():
        wanted |= {word for word in words(number) if not word.startswith(("lay", "take "))}
    return wanted


def test_twenty_thousand_random_games_leave_nothing_unplayed() -> None:
    missing = expected()
    play_and_strike(missing, 20_000, "coverage")
    assert not missing, f"never seen: {sorted(missing)}"
