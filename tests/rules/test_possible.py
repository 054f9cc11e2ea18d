"""Which actions can come up in a ruleset: all that do, and hardly any other."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nevsky import ACTIONS, Game, Ruleset, parse_action
from nevsky.rules.possible import possible_actions
from tests.rulesets import CONFIGURATIONS

NUMBERS = {
    "first-2": 1068,
    "second-4": 1068,
    "market-5": 1496,
    "module-1": 1418,
    "module-2": 1704,
    "module-2-subset": 1326,
    "module-6-all-real": 1537,
    "all-modules-2": 3027,
    "all-modules-5": 3312,
}


def legal_in_play(ruleset: Ruleset, seed: int) -> set[int]:
    """All actions that were legal somewhere in a random game."""
    game, rng = Game(ruleset, seed, auto=True), random.Random(seed)
    found: set[int] = set()
    while not game.over:
        legal = game.legal_ids
        found.update(legal)
        game.push(rng.choice(legal))
    return found


def possible(text: str, ruleset: Ruleset) -> bool:
    return parse_action(text).id in possible_actions(ruleset)


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_whatever_is_legal_is_possible(configuration: str) -> None:
    ruleset = CONFIGURATIONS[configuration]
    for seed in range(25):
        assert legal_in_play(ruleset, seed) <= set(possible_actions(ruleset))


MARKETS = st.tuples(st.integers(2, 5), st.sets(st.integers(1, 6)), st.none() | st.integers(0, 5))


@given(MARKETS, st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_whatever_is_legal_is_possible_in_any_mixture(chosen: tuple[int, set[int], int | None], seed: int) -> None:
    players, modules, real = chosen
    ruleset = Ruleset(
        "second", players, market=True, modules=tuple(modules), real_obstacles=real if 6 in modules else None
    )
    assert legal_in_play(ruleset, seed) <= set(possible_actions(ruleset))


@pytest.mark.parametrize("configuration", ["second-2", "module-2-subset"])
def test_whatever_is_possible_comes_up_one_day(configuration: str) -> None:
    ruleset = CONFIGURATIONS[configuration]
    missing = set(possible_actions(ruleset))
    for seed in range(40_000):
        missing -= legal_in_play(ruleset, seed)
        if not missing:
            return
    pytest.fail(f"never legal: {[ACTIONS[number].text for number in sorted(missing)]}")


@pytest.mark.parametrize("configuration", NUMBERS)
def test_the_numbers_stay_what_they_are(configuration: str) -> None:
    """Networks that were trained with them depend on it."""
    found = possible_actions(CONFIGURATIONS[configuration])
    assert list(found) == sorted(set(found)) and len(found) == NUMBERS[configuration]
    assert found[0] == parse_action("pass").id
    assert not any(ACTIONS[number].reserved for number in found)


def test_cards_that_take_no_part_are_never_named() -> None:
    base, market = Ruleset("second", 3), Ruleset("second", 3, market=True)
    assert possible("buy ship_builder", base) and not possible("buy ship_builder", market)
    assert possible("buy ship_builder:fish", market) and not possible("buy ship_builder:fish", base)
    assert possible("buy wharf onto ship_builder:fish", market) and not possible("buy wharf onto ship_builder", market)
    assert possible("observe market", market) and not possible("observe market", base)
    assert possible("upkeep fish_special pay", market) and not possible("upkeep fish_special pay", base)


def test_only_what_can_be_found_is_searched_for() -> None:
    company, banquet = Ruleset("second", 3, modules=(2,)), Ruleset("second", 3, modules=(1,))
    assert possible("search lumberjack", company) and not possible("search lumberjack", Ruleset("second", 3))
    assert not possible("search debtors_prison", company), "the only one is the card that searches"
    assert possible("search black_market", banquet)
    assert not possible("search fish_special", Ruleset("second", 3, market=True, modules=(1,))), "never there (10.5)"


def test_the_moocher_asks_seats_that_are_taken_for_what_cards_pay() -> None:
    ruleset = Ruleset("second", 3, market=True, modules=(1, 2))
    assert possible("mooch lumberjack of 2 rubles", ruleset)
    assert not possible("mooch lumberjack of 3 rubles", ruleset)
    assert not possible("mooch lumberjack of 2 points", ruleset)
    assert possible("mooch mariinsky_theater of 0 points", ruleset)
    assert not possible("mooch mariinsky_theater of 0 rubles", ruleset)
    assert possible("mooch guild_hall of 0 rubles", ruleset) and possible("mooch guild_hall of 0 points", ruleset)
    assert not possible("mooch potemkin_village of 0 rubles", ruleset)
    assert not possible("mooch lumberjack of 0 rubles", Ruleset("second", 3, modules=(1,))), "no Moocher in the box"


def test_banquet_and_jester_are_only_attached() -> None:
    ruleset = Ruleset("second", 3, modules=(1,))
    assert not possible("play banquet", ruleset) and possible("play golden_donkey", ruleset)
    assert possible("play banquet onto fur_shop", ruleset) and not possible("play banquet onto author", ruleset)


def test_assignments_and_bonuses_follow_from_the_box() -> None:
    two, three = (Ruleset("second", players, market=True, modules=(5, 6)) for players in (2, 3))
    assert possible("assignment 2", three) and not possible("assignment 2", two)
    real, none = (Ruleset("second", 3, market=True, modules=(6,), real_obstacles=number) for number in (5, 0))
    assert possible("bonus fish", real) and not possible("bonus fish", none)
    assert possible("bonus rubles", none) and not possible("bonus rubles", real)
    assert possible("bonus author rubles", real) and not possible("bonus lumberjack rubles", real)
    assert possible("bonus lumberjack rubles", none)
