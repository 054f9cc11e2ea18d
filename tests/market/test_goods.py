"""Rules 10.1 and 10.2, D18: goods, their symbols, and the tiles of the "?" cards."""

from __future__ import annotations

from typing import Any

import pytest

from nevsky import Game, NevskyError, Ruleset, redeal
from tests.market.table import (
    BLUE_SYMBOLS,
    GOODS,
    ORANGE,
    YELLOW,
    arrange,
    go_on_to,
    goods,
    held,
    purse,
    quietly,
    supply,
    to_scoring,
    undoing,
)
from tests.rules.table import PRINTED, passes, play, price, texts

ANY_CARDS = ("ship_builder:?", "czar_and_carpenter")
every_any_card = pytest.mark.parametrize("card", ANY_CARDS)
ALL_TILES = {f"good {good}" for good in GOODS}


def laid(card: str, tile: str) -> dict[str, Any]:
    """Keywords for an area of seat 0 in which a "?" card has this tile."""
    return {"areas": [[card]], "tiles": {"given": [{card: tile}, {}]}}


# 10.1
@pytest.mark.parametrize("card", YELLOW)
def test_yellow_cards_bring_their_symbols_at_their_price(card: str) -> None:
    game = arrange(row1=[card])
    assert price(game, f"buy {card}") == YELLOW[card].cost
    assert goods(play(game, f"buy {card}")) == {YELLOW[card].good: YELLOW[card].symbols}


@pytest.mark.parametrize("good", GOODS)
@pytest.mark.parametrize("name", ["ship_builder", "market"])
def test_ship_builders_and_markets_bring_one_symbol(name: str, good: str) -> None:
    game = arrange(row1=[f"{name}:{good}"])
    assert price(game, f"buy {name}:{good}") == PRINTED[name].second
    assert goods(play(game, f"buy {name}:{good}")) == {good: 1}


@pytest.mark.parametrize("card", BLUE_SYMBOLS)
def test_five_blue_exchange_cards_bring_one_symbol(card: str) -> None:
    game = arrange(row1=[card], areas=[["pub"]])
    assert goods(play(game, f"buy {card} onto pub")) == {BLUE_SYMBOLS[card]: 1}


def test_no_other_card_brings_any() -> None:
    others = [card for card in PRINTED if card not in ("ship_builder", "market", "czar_and_carpenter", *BLUE_SYMBOLS)]
    assert goods(arrange(areas=[others])) == {}


def test_symbols_add_up_over_all_cards_of_the_area() -> None:
    game = arrange(areas=[["fish", "fish", "caviar", "fish_special", "ship_builder:fish", "harbor", "apple", "pub"]])
    assert goods(game) == {"fish": 1 + 1 + 3 + 4 + 1 + 1, "apple": 1}


def test_only_the_own_area_counts() -> None:
    game = arrange(areas=[[], ["chick"]], hands=[["hen"]], row1=["chicken_coop"], discard=["chick"])
    assert (goods(game, 0), goods(game, 1)) == ({}, {"chicken": 1})


def test_a_replaced_card_takes_its_symbol_along() -> None:
    game = play(arrange(row1=["bank"], areas=[["market:apple", "apple"]]), "buy bank onto market:apple")
    assert goods(game) == {"apple": 1, "sack": 1}
    assert game.state()["discard"] == ["market:apple"]


def test_cards_with_different_symbols_share_one_name() -> None:
    game = arrange(
        row1=["market:fish"],
        row2=["ship_builder:?"],
        areas=[["market:apple", "market:sack", "ship_builder:fish", "ship_builder:sack"]],
    )
    assert price(game, "buy market:fish") == 5 - 2
    assert price(game, "buy ship_builder:? row 2") == 7 - 1 - 2


def test_yellow_cards_of_one_name_make_each_other_cheaper() -> None:
    game = arrange(row1=["chick"], row2=["hen", "grain_sack"], areas=[["chick", "chick", "hen"]])
    assert price(game, "buy chick") == 5 - 2
    assert price(game, "buy hen row 2") == 4 - 1 - 1
    assert price(game, "buy grain_sack row 2") == 4 - 1


def test_the_symbol_is_part_of_the_action() -> None:
    game = arrange(row1=["market:fish", "market:apple"], areas=[["ship_builder:sack", "ship_builder:fish"]])
    wanted = {f"{verb} market:{good}" for verb in ("buy", "take") for good in ("fish", "apple")}
    assert texts(game) == {*wanted, "pass"}
    with pytest.raises(NevskyError, match="not possible"):
        game.push("buy market")
    wharf = arrange(row1=["wharf"], areas=[["ship_builder:sack", "ship_builder:?"]])
    assert {"buy wharf onto ship_builder:sack", "buy wharf onto ship_builder:?"} <= texts(wharf)


# 10.2
@every_any_card
def test_a_question_mark_asks_for_a_good_when_it_is_laid(card: str) -> None:
    game = play(arrange(row1=[card]), f"buy {card}")
    assert (game.due, game.to_move) == ("good", 0)
    assert texts(game) == ALL_TILES


@every_any_card
@pytest.mark.parametrize("good", GOODS)
def test_the_tile_counts_as_one_symbol_and_leaves_the_supply(card: str, good: str) -> None:
    game = play(arrange(row1=[card]), f"buy {card}", f"good {good}")
    assert goods(game) == {good: 1}
    assert supply(game) == set(GOODS) - {good}
    assert game.state()["tiles"]["given"] == [{card: good}, {}]
    assert (game.due, game.to_move) == ("turn", 1)


@every_any_card
def test_on_the_hand_it_has_no_tile_and_played_it_gets_one(card: str) -> None:
    game = play(arrange(row1=[card]), f"take {card}")
    assert (game.due, game.to_move, supply(game)) == ("turn", 1, set(GOODS))
    play(game, "pass", f"play {card}")
    assert (game.due, game.to_move) == ("good", 0)
    assert goods(play(game, "good cabbage")) == {"cabbage": 1}


def test_a_card_drawn_by_an_observatory_gets_one_too() -> None:
    game = arrange(phase="building", areas=[["observatory"]], piles={"worker": ["ship_builder:?", "shepherd"]})
    play(game, "observe worker", "buy ship_builder:? drawn")
    assert (game.due, game.to_move) == ("good", 0)
    assert goods(play(game, "good sack")) == {"sack": 1}
    assert game.to_move == 1


def test_each_tile_exists_once() -> None:
    game = arrange(
        row1=["czar_and_carpenter"], areas=[[], ["ship_builder:?"]], tiles={"given": [{}, {"ship_builder:?": "fish"}]}
    )
    assert texts(play(game, "buy czar_and_carpenter")) == ALL_TILES - {"good fish"}
    assert supply(play(game, "good sack")) == {"chicken", "apple", "cabbage"}


def test_one_player_can_own_both_question_marks() -> None:
    game = arrange(row1=["czar_and_carpenter"], **laid("ship_builder:?", "apple"))
    play(game, "buy czar_and_carpenter", "good fish")
    assert goods(game) == {"apple": 1, "fish": 1}
    assert game.state()["tiles"]["given"][0] == {"ship_builder:?": "apple", "czar_and_carpenter": "fish"}


@pytest.mark.parametrize("action", ["pass", "good fish", "buy lumberjack", "good gold"])
def test_nothing_else_can_be_said_then(action: str) -> None:
    game = arrange(
        row1=["ship_builder:?", "lumberjack"],
        areas=[["czar_and_carpenter"]],
        tiles={"given": [{"czar_and_carpenter": "fish"}, {}]},
    )
    play(game, "buy ship_builder:?")
    before = game.state()
    with pytest.raises(NevskyError):
        game.push(action)
    assert game.state() == before


def test_buying_breaks_the_chain_of_passes_and_the_good_is_no_turn_of_its_own() -> None:
    game = arrange(3, row1=["ship_builder:?"], passes=2)
    play(game, "buy ship_builder:?", "good fish")
    assert (game.state()["passes"], game.to_move, game.phase) == (0, 1, "worker")


# D18
@pytest.mark.parametrize(("card", "by"), [("ship_builder:?", "wharf"), ("czar_and_carpenter", "weaving_mill")])
def test_when_the_card_leaves_the_area_its_tile_goes_back(card: str, by: str) -> None:
    game = arrange(row1=[by], **laid(card, "fish"))
    assert goods(game) == {"fish": 1}
    play(game, f"buy {by} onto {card}")
    assert (goods(game), supply(game)) == ({}, set(GOODS))
    assert game.state()["tiles"]["given"] == [{}, {}]
    assert game.state()["discard"] == [card]


def test_a_tile_that_went_back_can_be_given_again() -> None:
    game = arrange(row1=["wharf", "czar_and_carpenter"], **laid("ship_builder:?", "fish"))
    play(game, "buy wharf onto ship_builder:?", "buy czar_and_carpenter")
    assert texts(game) == ALL_TILES
    assert goods(play(game, "good fish"), 1) == {"fish": 1}


def test_replacing_another_ship_builder_leaves_the_tile_where_it_is() -> None:
    game = arrange(
        row1=["wharf"],
        areas=[["ship_builder:?", "ship_builder:sack"]],
        tiles={"given": [{"ship_builder:?": "fish"}, {}]},
    )
    play(game, "buy wharf onto ship_builder:sack")
    assert (goods(game), supply(game)) == ({"fish": 1}, set(GOODS) - {"fish"})


def test_laid_again_the_card_gets_a_new_tile() -> None:
    game = arrange(modules=(1,), row1=["wharf"], hands=[[], ["black_market"]], **laid("ship_builder:?", "fish"))
    play(
        game, "buy wharf onto ship_builder:?", "play black_market", "search ship_builder:?", "buy ship_builder:? drawn"
    )
    assert (game.due, game.to_move) == ("good", 1)
    assert texts(game) == ALL_TILES
    play(game, "good cabbage")
    assert (goods(game, 0), goods(game, 1)) == ({}, {"cabbage": 1})


# the first worker phase
def first_deal() -> Game:
    ruleset = Ruleset("second", 2, market=True)
    piles = Game(ruleset, seed=1).piles
    first = ["ship_builder:?", "czar_and_carpenter", "lumberjack", "gold_miner"]
    for card in first:
        piles["worker"].remove(card)
    piles["worker"][:0] = first
    return Game.from_piles(ruleset, piles, held(2))


def test_a_question_mark_among_the_first_workers_asks_at_once() -> None:
    game = play(first_deal(), "buy ship_builder:?", "good fish")
    assert (game.due, game.to_move) == ("turn", 1)
    assert texts(game) == {"buy czar_and_carpenter", "buy lumberjack", "buy gold_miner"}


def test_even_if_it_is_the_last_of_them() -> None:
    game = play(
        first_deal(), "buy lumberjack", "buy gold_miner", "buy ship_builder:?", "good fish", "buy czar_and_carpenter"
    )
    assert (game.due, game.to_move, game.phase) == ("good", 1, "worker")
    assert purse(game, 0) == (25 - 3 - 7, 0)
    play(game, "good apple")
    assert (game.phase, game.due) == ("market", "turn")
    assert [purse(game, seat) for seat in (0, 1)] == [(25 - 3 - 7 + 6, 0), (25 - 4 - 8 + 6, 0)]


def test_without_the_market_nothing_is_asked() -> None:
    game = play(arrange(market=False, modules=(2,), row1=["czar_and_carpenter"]), "buy czar_and_carpenter")
    assert (game.due, game.to_move) == ("turn", 1)


# undo and views
def test_the_choice_of_a_good_can_be_taken_back() -> None:
    game = undoing(arrange(row1=["ship_builder:?"]), "buy ship_builder:?", "good fish", "pass")
    game.undo()
    game.undo()
    assert (game.due, supply(game)) == ("good", set(GOODS))
    assert goods(play(game, "good sack")) == {"sack": 1}


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_goods_and_tiles_are_public(viewer: int | None) -> None:
    view = arrange(round=3, **laid("czar_and_carpenter", "fish")).view(viewer)
    assert view.table["goods"] == [{**dict.fromkeys(GOODS, 0), "fish": 1}, dict.fromkeys(GOODS, 0)]
    assert view.table["tiles"] == {
        "value": [3, 1],
        "supply": ["sack", "chicken", "apple", "cabbage"],
        "given": [{"czar_and_carpenter": "fish"}, {}],
    }


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_everybody_sees_who_has_to_choose_a_good(viewer: int | None) -> None:
    game = play(arrange(row1=["ship_builder:?"]), "buy ship_builder:?")
    view = game.view(viewer)
    assert (view.due, view.to_move) == ("good", 0)
    assert set(view.legal) == (ALL_TILES if viewer == 0 else set())
    assert redeal(view, seed=3).view(viewer) == view


def test_a_tile_cannot_be_arranged_twice_or_on_a_card_that_is_not_there() -> None:
    for given in ([{"ship_builder:?": "fish", "czar_and_carpenter": "fish"}, {}], [{}, {"ship_builder:?": "fish"}]):
        with pytest.raises(NevskyError, match="tiles"):
            arrange(areas=[list(ANY_CARDS)], tiles={"given": given})


def test_positions_hold_from_round_to_round() -> None:
    game = arrange(areas=[["caviar", "fish", *ORANGE]])
    go_on_to(game, "exchange")
    assert goods(quietly(passes(game))) == {"fish": 4}
    assert goods(to_scoring(game)) == {"fish": 4}
