"""Whole games with the Market and the modules through the terminal, in every language."""

from __future__ import annotations

import re
from typing import Any

import pytest

from nevsky import Game, Ruleset, redeal
from nevsky.rules.constants import DUES
from nevsky.rules.rng import Rng
from nevsky.terminal import Paper, new_game
from nevsky.terminal.choices import Decision, list_choices
from nevsky.terminal.layout import marked
from nevsky.terminal.names import Names
from nevsky.terminal.table import choice_words, draw
from nevsky.texts import LANGUAGES, text
from tests.rulesets import ALL_MODULES, MARKET, MODULES
from tests.terminal.seat import Seat, any_of, arrange, flat, number_of, screen, script

TABLES = {**MARKET, **MODULES, **ALL_MODULES}
LEFT_OVER = re.compile(r"[{}]|\[/|\[[a-z]*\||<.*object")


@pytest.fixture
def some_screens(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw one screen of five: drawing takes most of the time of a game."""
    decisions = 0

    def sometimes(decision: Decision, paper: Paper) -> None:
        nonlocal decisions
        decisions += 1
        if decisions % 5 == 0:
            draw(decision, paper)
        else:
            paper.say()

    monkeypatch.setattr("nevsky.terminal.loop.draw", sometimes)


@pytest.mark.usefixtures("some_screens")
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", TABLES)
def test_whole_games(name: str, language: str) -> None:
    game = new_game(TABLES[name], f"terminal-{name}", "Anna")
    width = 80 if len(name) % 2 else 120
    output = Seat(game, any_of(name), width=width, language=language).run()
    assert game.over
    assert game.result is not None
    assert not LEFT_OVER.search(output)
    assert all(len(line) <= width for line in output.splitlines())
    table = output.partition(text("screen.final.title", language))[2]
    for final in game.result.final:
        assert str(final.total) in table


@pytest.mark.usefixtures("some_screens")
@pytest.mark.parametrize("name", ["market-5", "module-1-market", "module-4", "module-5", "all-modules-3"])
def test_the_screen_shows_nothing_that_the_person_cannot_know(name: str) -> None:
    game = new_game(TABLES[name], f"secrets-{name}", "You")
    choose = any_of(3)
    seen = 0

    def chooser(decision: Decision) -> str:
        nonlocal seen
        seen += 1
        if seen % 6 == 0:
            rubles = {other: 90 + other for other in range(1, game.ruleset.players)}
            other = redeal(decision.view, seen, rubles=rubles)
            assert screen(other, seat.session) == screen(game, seat.session)
        return choose(decision)

    seat = Seat(game, chooser)
    seat.run()
    assert seen > 10


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_decision_has_its_question(language: str) -> None:
    """Random games until every kind of decision of a full game has come up."""
    asked: dict[str, str] = {}
    for seed in range(60):
        game = Game(ALL_MODULES["all-modules-2"], f"kinds-{seed}")
        rng = Rng.of(seed, "kinds")
        names = Names(game.ruleset, game.seats, 0, language)
        while not game.over:
            if game.to_move == 0 and game.due not in asked:
                view = game.view(0)
                choices = list_choices(view, game.explain)
                asked[str(game.due)] = Decision(view, names, choices, game.explain, "", ()).question
                for choice in choices:
                    assert not LEFT_OVER.search(marked(choice_words(choice, names, game.due)).plain)
            game.push(game.legal_ids[rng.below(len(game.legal_ids))])
        if len(asked) == len(DUES):
            break
    assert set(asked) == set(DUES)
    assert all(marked(question).plain.endswith((".", "?")) for question in asked.values())


def market_game(**position: object) -> Game:
    data: dict[str, Any] = {
        "round": 3,
        "phase": "market",
        "to_move": 0,
        "rubles": [30, 7],
        "areas": [{"market:fish": 1, "fish_special": 1, "czar_and_carpenter": 1}, {"hen": 2}],
        "tiles": {"given": [{"czar_and_carpenter": "apple"}, {}]},
        "row1": ["chick", "banquet"],
        "row2": ["caviar"],
        **position,
    }
    piles = {name: [card] * 2 for name, card in {"worker": "lumberjack", "building": "pub", "noble": "author"}.items()}
    piles |= {"market": ["apple"], "exchange": ["wharf", "jester"]}
    ruleset = Ruleset("second", 2, market=True, modules=(1, 3, 4, 5, 6))
    return Game.from_piles(
        ruleset,
        piles,
        dict.fromkeys(("worker", "market", "building", "noble", "exchange"), 0),
        seats=("You", "Vasily"),
        assistants={"architect": 0, "lawyer": 1},
        assignments=[[1, 3, 12], [4, 5, 6]],
        obstacles={"tiles": {"10": "B1", "20": "R1", "35": "R2", "50": "B2", "70": "B3"}},
        **data,
    )


def test_the_table_shows_market_and_modules() -> None:
    output = Seat(market_game(), script("?", "c banquet", "c special", "c czar"), width=120).run()
    shown = flat(output)
    for words in (
        "value tile 3/1",
        "goods apple 1, fish 5",
        "goods chicken 4",
        "assistant Architect",
        "Events left Second Card, Gift",
        "Your assignments 1: 2 points for each red card",
        "5 points, and 1 for every 4 cards in your area",
        "20 needs 4 different green cards; then no bonus",
        "(“?” = apple)",
        "take the Banquet",
        "event Gift: 6 rubles for you, 2 for everybody else",
        "The Market (10)",
        "Obstacles (11.6)",
        "Banquet: purple card from the exchange pile, the only one in the game",
        "both count double at its next scoring",
    ):
        assert words in shown
    assert "Good Company (11.2)" not in shown
    assert "4 5 6" not in shown


def test_upkeep_is_asked_with_its_price() -> None:
    game = market_game()
    for action in ("pass", "pass"):
        game.push(action)
    assert game.due == "upkeep"
    output = " ".join(Seat(game, script("1")).run().split())
    assert "Do you pay 3 rubles to keep the Special Offer: Fish (10.3)?" in output
    assert "You pay the upkeep of the Special Offer: Fish for 3." in output


def test_a_pick_pocket_drawn_unseen_is_not_in_the_log() -> None:
    game = arrange(
        ruleset=Ruleset("second", 3, modules=(1,)),
        areas=[{}, {"observatory": 1}, {}],
        exchange=["pick_pocket", "czarina", "admiral"],
    )
    for action in ("pass", "observe exchange", "take pick_pocket drawn", "pass", "pass", "pass", "pass"):
        game.push(action)
    output = Seat(game, script("l all")).run()
    assert game.phase == "noble"
    assert "Pick Pocket" not in output
    assert output.count("Vasily uses") == 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_prices_and_cards_are_explained_in_every_language(language: str) -> None:
    game = market_game(phase="building", row1=["market:apple", "bank"], row2=[])
    buy = number_of(game, "buy bank onto market:fish")
    output = Seat(game, script(f"e {buy}", f"c {buy}", "c Zar und Zimmermann"), width=120, language=language).run()
    shown = flat(output)
    architect = text("assistant.architect.name", language)
    assert flat(text("screen.receipt.reduction", language, card=architect)) in shown
    assert text("replaces.blue", language) in shown
    assert flat(text("symbols.any", language)) in shown
