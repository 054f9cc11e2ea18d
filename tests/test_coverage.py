"""Nothing in the box stays unplayed: every card, event, assignment and obstacle comes up in random games."""

from __future__ import annotations

from collections import Counter

from nevsky import ACTIONS, Ruleset
from nevsky.cards import CARDS
from nevsky.rules.actions import ids
from nevsky.rules.course import whole_box
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


def play_and_count(games: int, seed: str, wanted: frozenset[str] = frozenset()) -> Counter[str]:
    """How often everything comes up, or at least once: when all that is wanted has, the other games are not watched."""
    seen: Counter[str] = Counter()
    watched = True
    rulesets = module_sets() + [Ruleset("first", players) for players in (2, 3, 4)]
    by_number: Counter[int] = Counter()
    for game in range(games):
        rng = Rng.of(seed, game)
        ruleset = rulesets[rng.below(len(rulesets))]
        position = blank(ruleset)
        position.new_game(rng)
        if wanted and watched and game % 100 == 0:
            watched = not wanted <= set(seen).union(*map(words, by_number))
        if not watched:
            position.play_random(rng)
        while not position.over:
            legal = position.legal()
            number = legal[rng.below(len(legal))]
            by_number[number] += 1
            position.play(number)
        full = whole_box(position)
        if full is not None and full.obstacles is not None:
            for seat in range(ruleset.players):
                for space, tile in enumerate(full.obstacles.tile):
                    if full.obstacles.passed[seat] >> space & 1:
                        seen[f"obstacle {tile} passed"] += 1
                if full.obstacles.stopped(full, seat) >= 0:
                    seen["stuck"] += 1
    for number, count in by_number.items():
        for word in words(number):
            seen[word] += count
    return seen


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
    wanted = frozenset(expected())
    missing = wanted - set(play_and_count(20_000, "coverage", wanted))
    assert not missing, f"never seen: {sorted(missing)}"
