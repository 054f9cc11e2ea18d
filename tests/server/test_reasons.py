"""Every card that cannot be had says why, and never anything else than what the rules say."""

from __future__ import annotations

import random
from typing import Any

import pytest

from nevsky import Game, Ruleset
from nevsky.server.present import SeatInfo, TableContext, present, present_open
from nevsky.server.protocol import Reason, TableState
from nevsky.texts import LANGUAGES
from tests.market import table as market
from tests.rules.table import arrange, play, rest_of_box


def context(game: Game, status: Any = "playing") -> TableContext:
    return TableContext("t", status, [SeatInfo(f"Player {seat}") for seat in range(game.ruleset.players)])


def shown(game: Game, seat: int | None = 0, language: str = "en") -> TableState:
    return present(game.view(seat), context(game), language)


def keys(reasons: list[Reason]) -> list[str]:
    return [reason["key"] for reason in reasons]


def held(game: Game, seat: int = 0) -> list[str]:
    """The reasons of the first card on a hand."""
    return keys(shown(game, seat)["players"][seat]["hand"][0]["why_not"])


def test_too_few_rubles_are_counted() -> None:
    game = arrange(phase="building", hands=[["theater"]], row1=["library"], rubles=13)
    state = shown(game)
    reason, offered = state["players"][0]["hand"][0]["why_not"][0], state["row1"][0]["why_not"]
    assert (reason["key"], reason["missing"]) == ("price", 7)
    assert reason["text"] == "It costs you 20 rubles, but you have 13 rubles: you are 7 rubles short."
    assert [(each["key"], each["missing"]) for each in offered] == [("price", 4)]


def test_what_can_be_played_needs_no_reason() -> None:
    state = shown(arrange(phase="building", hands=[["theater"]], row1=["market"], rubles=20))
    assert state["players"][0]["hand"][0]["why_not"] == state["row1"][0]["why_not"] == []


def test_an_exchange_card_may_find_nothing_to_replace() -> None:
    assert held(arrange(phase="exchange", hands=[["wharf"]], areas=[["lumberjack"]])) == ["replace"]
    assert held(arrange(phase="exchange", hands=[["wharf"]], areas=[["ship_builder"]])) == []
    assert held(arrange(phase="exchange", hands=[["wharf"]], areas=[["ship_builder"]], rubles=4)) == ["price"]


def test_a_used_observatory_cannot_be_replaced_in_its_phase() -> None:
    game = arrange(phase="building", hands=[["bank"]], areas=[["observatory"]])
    assert held(game) == []
    play(game, "observe worker", "discard lumberjack drawn", "pass")
    assert held(game) == ["replace"]


def test_a_full_hand_takes_nothing_more() -> None:
    game = arrange(phase="building", hands=[["author"] * 3], row1=["market", "theater"], rubles=5)
    cheap, dear = shown(game)["row1"]
    assert (keys(cheap["why_not"]), keys(dear["why_not"])) == (["hand"], ["price", "hand"])


def test_it_may_be_somebody_elses_turn() -> None:
    game = arrange(phase="building", hands=[[], ["theater"]], row1=["market"], rubles=13)
    assert held(game, 1) == ["turn", "price"]
    assert keys(shown(game, 1)["row1"][0]["why_not"]) == ["turn"]
    assert shown(game, None)["row1"][0]["why_not"] == []


def test_another_question_comes_first() -> None:
    game = arrange(phase="building", hands=[["market"]], areas=[["observatory"]], row1=["pub"], rubles=5)
    play(game, "observe noble")
    state = shown(game)
    assert held(game) == keys(state["row1"][0]["why_not"]) == ["question"]


def test_the_drawn_card_says_what_cannot_be_done_with_it() -> None:
    piles = {"noble": ["judge", *rest_of_box(["judge", *["author"] * 3])["noble"]]}
    game = arrange(phase="building", hands=[["author"] * 3], areas=[["observatory"]], piles=piles, rubles=5)
    play(game, "observe noble")
    state = shown(game)
    assert (state["drawn"], state["drawn_price"]) == ("judge", 17)
    assert [(each["key"], each["missing"]) for each in state["drawn_why_not"]] == [("price", 12), ("hand", None)]
    other = shown(game, 1)
    assert (other["drawn_price"], other["drawn_why_not"]) == (None, [])


def test_the_first_workers_must_be_bought() -> None:
    game = Game(Ruleset("second", 2), seed=3)
    state = shown(game, game.to_move)
    assert {tuple(keys(card["why_not"])) for card in state["row1"]} == {("must_buy",)}


@pytest.mark.parametrize(
    ("card", "position", "words"),
    [
        ("banquet", {}, "rubles and points"),
        ("jester", {}, "rubles and points"),
        ("away_with_it", {}, "no other card"),
        ("black_market", {"discard": []}, "discard pile is empty"),
        ("money_collector", {"row1": ["judge"], "rubles": 2}, "half its price"),
        ("moocher", {}, "Nobody else"),
        ("pick_pocket", {}, "when a phase begins"),
    ],
)
def test_a_purple_card_says_what_its_effect_needs(card: str, position: dict[str, Any], words: str) -> None:
    game = market.arrange(modules=(1,), hands=[[card]], **position)
    (reason,) = shown(game)["players"][0]["hand"][0]["why_not"]
    assert reason["key"] == "effect"
    assert words in reason["text"]


def test_a_purple_card_of_the_display_can_only_be_taken() -> None:
    game = market.arrange(modules=(1,), row1=["moocher"])
    assert keys(shown(game)["row1"][0]["why_not"]) == ["purple"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_reasons_and_choices_agree_all_game_long(language: str) -> None:
    """A card of the own hand has a reason exactly where it has no choice; a card of the display has either or both."""
    rng = random.Random(language)
    game = Game(Ruleset("second", 4, market=True, modules=(1, 2, 3, 4, 5, 6)), seed=11)
    while not game.over:
        for seat in range(4):
            state = shown(game, seat, language)
            for mine in state["players"][seat]["hand"]:
                assert bool(mine["why_not"]) != bool(mine["choices"])
            for card in (*state["row1"], *state["row2"]):
                assert card["choices"] or card["why_not"]
                assert all(reason["text"] for reason in card["why_not"])
            rubles = state["players"][seat]["rubles"]
            for reason in [
                each for mine in state["players"][seat]["hand"] for each in mine["why_not"] if each["key"] == "price"
            ]:
                assert reason["missing"] is not None and rubles is not None and reason["missing"] > 0
        for _ in range(9):
            if not game.over:
                game.push(rng.choice(game.legal_actions))
    for mine in shown(game)["players"][0]["hand"]:
        assert mine["why_not"] == []


def test_a_table_looks_the_same_before_and_after_the_deal() -> None:
    """What has nothing to do with cards is the same in both messages, and both have the same fields."""
    game = Game(Ruleset("second", 3, market=True, modules=(2, 6), real_obstacles=1), seed=5)
    waiting: dict[str, Any] = {**present_open(game.ruleset, context(game), 1, 2, "de")}
    dealt: dict[str, Any] = {**present(game.view(1), context(game), "de")}
    assert list(waiting) == list(dealt)
    for name in ("table", "version", "status", "you", "ruleset", "phases", "can_undo", "auto_pass", "chat", "rematch"):
        assert waiting[name] == dealt[name]
    for before, after in zip(waiting["players"], dealt["players"], strict=True):
        assert list(before) == list(after)
        for name in ("seat", "name", "bot", "connected", "away", "clock_seconds"):
            assert before[name] == after[name]
