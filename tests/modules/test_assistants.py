"""Rule 11.3: the Assistants."""

from __future__ import annotations

from typing import Any

import pytest

from nevsky import Game, NevskyError, Ruleset
from tests.market.table import arrange, go_on_to, held, undoing
from tests.rules.table import passes, play, price, texts

SEEDS = range(120)
DEALT = {
    2: {"architect", "lawyer"},
    3: {"architect", "lawyer", "czars_daughter"},
    4: {"mistress_of_the_manor", "architect", "lawyer", "czars_daughter"},
    5: {"master_craftsman", "mistress_of_the_manor", "architect", "lawyer", "czars_daughter"},
}
every_number = pytest.mark.parametrize("players", DEALT)


def dealt(players: int, seed: int) -> Game:
    return Game(Ruleset("second", players, market=True, modules=(3,)), seed=seed)


def helped(*names: str, **position: Any) -> Game:
    """Seat 0 has these assistants."""
    return arrange(modules=(3,), assistants=dict.fromkeys(names, 0), **position)


# 11.3 a
GREEN, YELLOW, BLUE, RED = "fur_trapper", "chick", "library", "judge"
PLAIN = {GREEN: 6, YELLOW: 5, BLUE: 17, RED: 17}


@pytest.mark.parametrize(
    ("assistant", "cheaper"),
    [
        ("master_craftsman", GREEN),
        ("mistress_of_the_manor", YELLOW),
        ("architect", BLUE),
        ("lawyer", RED),
        ("czars_daughter", ""),
    ],
)
def test_cards_of_one_colour_cost_one_less(assistant: str, cheaper: str) -> None:
    game = helped(assistant, row1=list(PLAIN))
    assert {card: price(game, f"buy {card}") for card in PLAIN} == {
        card: cost - (card == cheaper) for card, cost in PLAIN.items()
    }


@pytest.mark.parametrize(
    ("assistant", "green", "blue", "red"),
    [
        ("master_craftsman", 1, 0, 0),
        ("mistress_of_the_manor", 0, 0, 0),
        ("architect", 0, 1, 0),
        ("lawyer", 0, 0, 1),
        ("czars_daughter", 2, 2, 2),
    ],
)
def test_they_hold_for_exchange_cards_of_the_colour(assistant: str, green: int, blue: int, red: int) -> None:
    area = ["ship_builder:fish", "pub", "author"]
    game = helped(assistant, areas=[area], row1=["wharf", "bank", "admiral"])
    assert price(game, "buy wharf onto ship_builder:fish") == 12 - 7 - green
    assert price(game, "buy bank onto pub") == 13 - 1 - blue
    assert price(game, "buy admiral onto author") == 18 - 4 - red


def test_only_for_the_player_who_has_them() -> None:
    game = arrange(modules=(3,), assistants={"architect": 1}, row1=[BLUE])
    assert price(game, f"buy {BLUE}") == 17
    assert price(play(game, "pass"), f"buy {BLUE}") == 16


def test_they_add_to_each_other_and_to_other_reductions() -> None:
    game = helped("architect", "czars_daughter", areas=[["carpenter_workshop", "pub"]], row2=["bank"])
    assert price(game, "buy bank row 2 onto pub") == 13 - 1 - 1 - 1 - 1 - 2
    game = helped("architect", areas=[["library", "carpenter_workshop"]], row2=["library"])
    assert price(game, "buy library row 2") == 17 - 1 - 1 - 1 - 1


def test_never_less_than_one_ruble() -> None:
    assert price(helped("architect", row1=["pub"]), "buy pub") == 1
    game = helped(
        "czars_daughter", "master_craftsman", areas=[["ship_builder:fish"]], row2=["carpenter_workshop", "wharf"]
    )
    assert price(game, "buy wharf row 2 onto ship_builder:fish") == 12 - 7 - 1 - 1 - 2
    game = helped("lawyer", "czars_daughter", areas=[["judge"]], row1=["senator"])
    assert price(game, "buy senator onto judge") == 1


def test_for_special_offers_there_is_nothing_to_take_off() -> None:
    assert price(helped("mistress_of_the_manor", row1=["fish_special"]), "buy fish_special") == 1


def test_from_the_hand_and_from_an_observatory_too() -> None:
    game = helped(
        "lawyer", phase="building", hands=[["judge"]], areas=[["observatory"]], piles={"noble": ["secretary", "author"]}
    )
    assert price(game, "play judge") == 16
    assert price(play(game, "observe noble"), "buy secretary drawn") == 11


def test_a_card_that_only_an_assistant_makes_affordable() -> None:
    assert "buy judge" not in texts(helped(row1=["judge"], rubles=16))
    assert "buy judge" in texts(helped("lawyer", row1=["judge"], rubles=16))


def test_the_money_collector_halves_what_is_left() -> None:
    game = arrange(modules=(1, 3), assistants={"lawyer": 0}, hands=[["money_collector"]], row1=["judge"])
    assert price(play(game, "play money_collector"), "buy judge") == (17 - 1) // 2


def test_the_reduction_is_explained() -> None:
    game = helped("architect", "czars_daughter", areas=[["pub"]], row1=["bank"])
    explained = game.explain("buy bank onto pub")
    assert explained is not None
    assert {(part.reason, part.rubles) for part in explained.reductions} == {
        ("replaced", 1),
        ("architect", 1),
        ("czars_daughter", 2),
    }


# 11.3 b
@every_number
def test_so_many_assistants_one_for_each_player(players: int) -> None:
    for seed in SEEDS:
        assistants = dealt(players, seed).deal["assistants"]
        assert set(assistants) == DEALT[players]
        assert sorted(assistants.values()) == list(range(players))


@pytest.mark.parametrize("players", [4, 5])
def test_the_mistress_of_the_manor_sits_to_the_right_of_the_sack(players: int) -> None:
    for seed in SEEDS:
        game = dealt(players, seed)
        assert game.deal["assistants"]["mistress_of_the_manor"] == (game.tokens["market"] - 1) % players


def test_with_five_the_master_craftsman_sits_to_the_right_of_the_hammer() -> None:
    for seed in SEEDS:
        game = dealt(5, seed)
        assert game.deal["assistants"]["master_craftsman"] == (game.tokens["worker"] - 1) % 5


@every_number
@pytest.mark.parametrize("assistant", ["architect", "lawyer"])
def test_the_others_are_dealt_at_random(players: int, assistant: str) -> None:
    assert {dealt(players, seed).deal["assistants"][assistant] for seed in SEEDS} == set(range(players))


def test_they_are_dealt_after_the_tokens() -> None:
    for seed in range(20):
        plain = Game(Ruleset("second", 4, market=True), seed=seed)
        game = dealt(4, seed)
        assert (game.tokens, game.piles) == (plain.tokens, plain.piles)


@pytest.mark.parametrize(
    ("players", "assistants"),
    [
        (2, {"architect": 0, "lawyer": 0}),
        (2, {"architect": 0, "czars_daughter": 1}),
        (2, {"architect": 0}),
        (3, {"architect": 0, "lawyer": 1}),
        (4, {"mistress_of_the_manor": 1, "architect": 0, "lawyer": 2, "czars_daughter": 3}),
        (5, {"master_craftsman": 0, "mistress_of_the_manor": 4, "architect": 1, "lawyer": 2, "czars_daughter": 3}),
    ],
)
def test_a_deal_that_breaks_the_rule_is_refused(players: int, assistants: dict[str, int]) -> None:
    piles = Game(Ruleset("second", players, market=True), seed=1).piles
    with pytest.raises(NevskyError, match=r"rule 11\.3"):
        Game.from_piles(
            Ruleset("second", players, market=True, modules=(3,)), piles, held(players), assistants=assistants
        )


def test_a_deal_that_keeps_it_is_accepted() -> None:
    piles = Game(Ruleset("second", 4, market=True), seed=1).piles
    assistants = {"mistress_of_the_manor": 3, "architect": 0, "lawyer": 2, "czars_daughter": 1}
    ruleset = Ruleset("second", 4, market=True, modules=(3,))
    game = Game.from_piles(ruleset, piles, held(4), assistants=assistants)
    assert game.state()["assistants"] == assistants


# 11.3 c
@every_number
def test_at_the_end_of_the_round_they_go_counter_clockwise(players: int) -> None:
    seats = {name: place % players for place, name in enumerate(sorted(DEALT[players]))}
    game = arrange(players, modules=(3,), phase="exchange", assistants=seats)
    after = passes(game).state()["assistants"]
    assert after == {name: (seat - 1) % players for name, seat in seats.items()}


def test_at_no_other_time() -> None:
    game = arrange(modules=(3,), assistants={"architect": 0, "lawyer": 1})
    go_on_to(game, "exchange")
    assert game.state()["assistants"] == {"architect": 0, "lawyer": 1}
    assert go_on_to(game, "worker").state()["assistants"] == {"architect": 1, "lawyer": 0}


def test_their_reduction_goes_along() -> None:
    game = arrange(
        3, modules=(3,), phase="exchange", assistants={"architect": 1, "czars_daughter": 0}, row1=["library"]
    )
    passes(game)
    assert game.to_move == 1
    assert price(game, "buy library row 2") == 16
    play(game, "pass", "pass")
    assert price(game, "buy library row 2") == 15


def test_the_end_of_a_round_can_be_taken_back() -> None:
    game = arrange(modules=(3,), phase="exchange", assistants={"architect": 0, "lawyer": 1}, row1=["library"])
    undoing(game, "pass", "pass", "buy library row 2")


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_everybody_sees_them(viewer: int | None) -> None:
    assert helped("architect").view(viewer).table["assistants"] == {"architect": 0}
