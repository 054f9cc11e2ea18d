"""Rule 11.1 a, b, c, f, k and D14: purple cards, and the plainer ones among them."""

from __future__ import annotations

from typing import Any

import pytest

from nevsky import Game, NevskyError, Ruleset
from tests.market.table import MODULE, PURPLE, arrange, finish, goods, purse, quietly, undoing
from tests.rules.table import legal, passes, play, price, texts

every_purple = pytest.mark.parametrize("card", PURPLE)


def name(card: str) -> str:
    """What the notation writes for a card of either back."""
    return card.partition("@")[0]


def banquet(*hands: list[str], **position: Any) -> Game:
    return arrange(modules=(1,), hands=hands, **position)


# 11.1 a
@every_purple
@pytest.mark.parametrize("row", ["row1", "row2"])
def test_a_purple_card_can_only_be_taken(card: str, row: str) -> None:
    place = " row 2" if row == "row2" else ""
    game = banquet(**{row: [card]})
    assert texts(game) == {f"take {name(card)}{place}", "pass"}
    play(game, f"take {name(card)}{place}")
    assert game.state()["hands"][0] == [card]
    assert purse(game) == (25, 0)


@every_purple
def test_the_hand_limit_applies(card: str) -> None:
    full = banquet(["author", "author", "author"], row1=[card])
    assert legal(full, "take") == set()
    loaded = banquet([card, "author", "author"], row1=["judge"])
    assert legal(loaded, "take") == set()


@every_purple
def test_it_costs_no_points_at_the_end(card: str) -> None:
    game = finish(banquet([card, "author"], phase="exchange", last_round=True, rubles=9))
    assert game.result is not None
    assert game.result.final[0].hand == -5


def test_it_is_never_bought() -> None:
    with pytest.raises(NevskyError, match="not an action"):
        play(banquet(row1=["jester"]), "buy jester")


@every_purple
def test_cleared_from_row_2_it_goes_to_the_discard_pile(card: str) -> None:
    state = passes(arrange(modules=(1,), phase="exchange", row2=["pub", card, "fish_special"])).state()
    assert (state["discard"], state["out"]) == (["pub", card], ["fish_special"])


@every_purple
def test_drawn_by_an_observatory_it_is_taken_or_discarded(card: str) -> None:
    pile = MODULE[card].pile
    rest = {"building": "pub", "noble": "author", "market": "chick", "exchange": "wharf"}[pile]
    game = arrange(modules=(1,), phase="building", areas=[["observatory"]], piles={pile: [card, rest]})
    play(game, f"observe {pile}")
    assert texts(game) == {f"take {name(card)} drawn", f"discard {name(card)} drawn"}
    assert play(game.copy(), f"take {name(card)} drawn").state()["hands"][0] == [card]
    state = play(game, f"discard {name(card)} drawn").state()
    assert (state["discard"], state["out"]) == ([card], [])


def test_it_cannot_be_thrown_away_otherwise() -> None:
    game = banquet(["pick_pocket", "banquet", "jester"])
    assert texts(game) == {"pass"}


def test_playing_one_is_an_action_that_breaks_the_chain_of_passes() -> None:
    game = play(banquet(["golden_donkey"], passes=1), "play golden_donkey")
    assert (game.to_move, game.phase, game.state()["passes"]) == (1, "worker", 0)


def test_a_card_taken_this_turn_is_played_by_a_later_action() -> None:
    game = play(banquet(row1=["golden_donkey"]), "take golden_donkey")
    assert game.to_move == 1
    assert purse(play(game, "pass", "play golden_donkey")) == (30, 0)


@pytest.mark.parametrize("phase", ["worker", "market", "building", "noble", "exchange"])
def test_it_can_be_played_in_any_phase(phase: str) -> None:
    assert "play golden_donkey" in texts(banquet(["golden_donkey"], phase=phase))


@pytest.mark.parametrize("order", [["black_market", "black_market@market"], ["black_market@market", "black_market"]])
def test_equal_cards_with_two_backs_are_one_action_and_the_leftmost_is_taken(order: list[str]) -> None:
    game = banquet(row1=["pub", *order])
    assert legal(game, "take") == {"take pub", "take black_market"}
    play(game, "take black_market")
    assert (game.state()["hands"][0], game.state()["row1"]) == (order[:1], ["pub", order[1]])


# 11.1 f
def test_the_golden_donkey_brings_five_rubles() -> None:
    game = play(banquet(["golden_donkey"]), "play golden_donkey")
    assert purse(game) == (30, 0)
    assert (game.state()["out"], game.state()["discard"], game.state()["hands"][0]) == (["golden_donkey"], [], [])


# 11.1 b
def test_away_with_it_puts_another_card_of_the_hand_on_the_discard_pile() -> None:
    game = play(banquet(["away_with_it", "judge", "wharf"], discard=["pub"]), "play away_with_it")
    assert (game.due, game.to_move) == ("throw", 0)
    assert texts(game) == {"throw judge", "throw wharf"}
    state = play(game, "throw judge").state()
    assert (state["hands"][0], state["discard"], state["out"]) == (["wharf"], ["pub", "judge"], ["away_with_it"])
    assert (state["to_move"], state["due"], state["rubles"]) == (1, "turn", [25, 25])


def test_away_with_it_throws_a_purple_card_on_the_discard_pile() -> None:  # D30
    state = play(banquet(["away_with_it@noble", "moocher"]), "play away_with_it", "throw moocher").state()
    assert (state["out"], state["discard"], state["hands"][0]) == (["away_with_it@noble"], ["moocher"], [])


def test_away_with_it_can_throw_the_other_one_of_its_kind() -> None:
    game = play(banquet(["away_with_it", "away_with_it@noble"]), "play away_with_it")
    assert texts(game) == {"throw away_with_it"}
    state = play(game, "throw away_with_it").state()
    assert (state["out"], state["discard"], state["hands"][0]) == (["away_with_it"], ["away_with_it@noble"], [])


def test_away_with_it_throws_a_special_offer_out_of_the_game() -> None:
    state = play(banquet(["away_with_it", "fish_special"]), "play away_with_it", "throw fish_special").state()
    assert (state["out"], state["discard"]) == (["away_with_it", "fish_special"], [])


def test_away_with_it_needs_another_card_on_the_hand() -> None:
    assert texts(banquet(["away_with_it"])) == {"pass"}


def test_away_with_it_saves_five_points() -> None:
    game = banquet(["away_with_it", "judge"], phase="exchange", last_round=True, rubles=9)
    result = finish(play(game, "play away_with_it", "throw judge")).result
    assert result is not None
    assert result.final[0].total == 0


# 11.1 c
def searching(**position: Any) -> Game:
    usual: dict[str, Any] = {"discard": ["judge", "pub", "judge", "author"]}
    return banquet(["black_market", "wharf"], **{**usual, **position})


def test_black_market_chooses_any_card_of_the_discard_pile() -> None:
    game = play(searching(), "play black_market")
    assert (game.due, game.to_move, game.state()["out"]) == ("search", 0, ["black_market"])
    assert texts(game) == {"search author", "search judge", "search pub"}


def test_then_it_is_bought_taken_or_put_back_on_top() -> None:
    game = play(searching(), "play black_market", "search pub")
    assert (game.due, game.to_move, game.state()["drawn"]) == ("found", 0, "pub")
    assert texts(game) == {"buy pub drawn", "take pub drawn", "return pub drawn"}
    assert game.state()["discard"] == ["judge", "judge", "author"]


def test_black_market_buys_it_without_a_row_2_reduction() -> None:
    game = play(searching(areas=[["judge"]], discard=["judge"]), "play black_market", "search judge")
    assert price(game, "buy judge drawn") == 17 - 1
    state = play(game, "buy judge drawn").state()
    assert (state["areas"][0], state["discard"], state["drawn"]) == ({"judge": 2}, [], None)
    assert (state["to_move"], state["due"]) == (1, "turn")


def test_black_market_takes_it_into_the_hand() -> None:
    state = play(searching(), "play black_market", "search pub", "take pub drawn").state()
    assert (state["hands"][0], state["discard"]) == (["wharf", "pub"], ["judge", "judge", "author"])
    assert state["rubles"] == [25, 25]


def test_black_market_puts_it_back_on_top() -> None:
    state = play(searching(), "play black_market", "search pub", "return pub drawn").state()
    assert (state["discard"], state["drawn"]) == (["judge", "judge", "author", "pub"], None)
    assert (state["to_move"], state["hands"][0], state["out"]) == (1, ["wharf"], ["black_market"])


def test_of_equal_cards_it_is_the_topmost() -> None:
    game = play(searching(), "play black_market", "search judge")
    assert game.state()["discard"] == ["judge", "pub", "author"]


def test_black_market_lays_an_exchange_card_onto_another() -> None:
    game = searching(areas=[["ship_builder:sack"]], discard=["wharf"])
    play(game, "play black_market", "search wharf", "buy wharf drawn onto ship_builder:sack")
    assert game.state()["areas"][0] == {"wharf": 1}
    assert game.state()["discard"] == ["ship_builder:sack"]
    assert purse(game) == (25 - 5, 0)


def test_whoever_cannot_pay_cannot_buy_it() -> None:
    game = play(searching(rubles=16), "play black_market", "search judge")
    assert texts(game) == {"take judge drawn", "return judge drawn"}


def test_black_market_itself_makes_room_but_a_full_hand_has_none() -> None:
    three = play(banquet(["black_market", "author", "author"], discard=["judge"]), "play black_market", "search judge")
    assert "take judge drawn" in texts(three)
    four = banquet(["black_market", "author", "author", "author"], discard=["judge"])
    assert "take judge drawn" not in texts(play(four, "play black_market", "search judge"))


def test_black_market_needs_a_discard_pile() -> None:
    assert texts(searching(discard=[])) == {"pass"}


@every_purple
def test_a_purple_card_of_the_discard_pile_is_taken_or_put_back(card: str) -> None:
    own = "black_market" if card == "black_market@market" else "black_market@market"
    game = play(banquet([own], discard=[card, "pub"]), "play black_market", f"search {name(card)}")
    assert texts(game) == {f"take {name(card)} drawn", f"return {name(card)} drawn"}
    assert play(game.copy(), f"take {name(card)} drawn").state()["hands"][0] == [card]
    assert play(game, f"return {name(card)} drawn").state()["discard"] == ["pub", card]


def test_a_yellow_card_of_the_discard_pile_brings_its_symbols() -> None:
    game = play(searching(discard=["caviar"]), "play black_market", "search caviar", "buy caviar drawn")
    assert goods(game) == {"fish": 3}


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_a_card_found_in_the_discard_pile_is_seen_by_all(viewer: int | None) -> None:
    game = play(searching(), "play black_market", "search pub")
    assert (game.view(viewer).drawn, game.view(viewer).due) == ("pub", "found")
    play(game, "take pub drawn")
    assert "pub" in [card.card for card in game.view(viewer).players[0].hand]


def test_black_market_and_away_with_it_can_be_taken_back() -> None:
    undoing(searching(), "play black_market", "search judge", "take judge drawn", "pass", "play judge")
    undoing(banquet(["away_with_it", "judge"]), "play away_with_it", "throw judge", "pass")


# 11.1 k, D14
def test_without_the_market_its_three_cards_are_left_out() -> None:
    piles = Game(Ruleset("second", 3, modules=(1,)), seed=1).piles
    cards = [card for pile in piles.values() for card in pile]
    assert [cards.count(card) for card in ("money_collector", "moocher", "black_market")] == [0, 0, 2]
    assert {pile: len(pile_cards) for pile, pile_cards in piles.items()} == {
        "worker": 31,
        "building": 31,
        "noble": 30,
        "exchange": 36,
    }
    for card in ("money_collector", "moocher", "black_market@market"):
        with pytest.raises(NevskyError, match="not part of this game"):
            arrange(market=False, modules=(1,), discard=[card])


def test_the_backs_of_the_purple_cards() -> None:
    piles = Game(Ruleset("second", 3, market=True, modules=(1,)), seed=1).piles
    purple = {name(card) for card in PURPLE}
    found = {pile: sorted(card for card in cards if card in purple) for pile, cards in piles.items()}
    assert found == {
        "worker": [],
        "market": ["black_market", "money_collector", "moocher"],
        "building": ["away_with_it"],
        "noble": ["away_with_it", "black_market", "black_market"],
        "exchange": ["banquet", "double_turn", "golden_donkey", "jester", "pick_pocket"],
    }
    assert sum(MODULE[card].copies for card in MODULE if MODULE[card].module == 1) == 15


@pytest.mark.parametrize(("card", "back"), [("black_market", "noble"), ("black_market@market", "market")])
def test_others_see_the_back_of_a_purple_card_on_the_hand(card: str, back: str) -> None:
    view = banquet([card], hands_seen=[[False], []]).view(1)
    assert view.players[0].hand == ((back, None, False),)


@pytest.mark.parametrize("modules", [(1,), (1, 2)])
def test_a_deal_can_be_written_down_and_dealt_again(modules: tuple[int, ...]) -> None:
    game = Game(Ruleset("second", 4, market=True, modules=modules), seed=9)
    assert Game.from_piles(game.ruleset, game.piles, game.tokens).state() == game.state()


def test_the_module_works_without_the_market() -> None:
    game = arrange(market=False, modules=(1,), hands=[["golden_donkey", "black_market"]], discard=["judge"])
    play(game, "play golden_donkey", "pass", "play black_market", "search judge", "buy judge drawn")
    assert purse(game) == (25 + 5 - 17, 0)
    assert quietly(game).to_move == 0
