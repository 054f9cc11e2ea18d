"""Rules 10.3 b and 10.5, D5: special offers, their upkeep, and how they leave the game."""

from __future__ import annotations

from typing import Any

import pytest

from nevsky import Game, NevskyError
from tests.market.table import GOODS, ORANGE, arrange, finish, go_on_to, goods, held, purse, to_scoring, undoing
from tests.rules.table import passes, play, price, texts

every_orange = pytest.mark.parametrize("card", ORANGE)


def upkeep(*areas: list[str], **position: Any) -> Game:
    """A market phase in which everybody has passed."""
    players = max(2, len(areas))
    return to_scoring(arrange(players, phase="market", areas=areas, **position))


def asked(game: Game) -> list[tuple[int | None, str]]:
    """Who is asked for which card, when all pay."""
    questions = []
    while game.due == "upkeep":
        questions.append((game.to_move, game.legal_actions[0].card))
        game.push(game.legal_actions[0])
    return questions


# 10.5
@every_orange
def test_a_special_offer_costs_one_ruble_and_has_four_symbols(card: str) -> None:
    game = arrange(row1=[card], rubles=1)
    assert price(game, f"buy {card}") == 1
    assert goods(play(game, f"buy {card}")) == {card.removesuffix("_special"): 4}


@every_orange
def test_from_row_2_it_still_costs_one_ruble(card: str) -> None:
    assert price(arrange(row2=[card]), f"buy {card} row 2") == 1


@every_orange
def test_it_may_be_taken_into_the_hand_and_played_later(card: str) -> None:
    game = play(arrange(row1=[card]), f"take {card}", "pass")
    assert game.state()["hands"][0] == [card]
    assert price(game, f"play {card}") == 1


def test_on_the_hand_it_asks_for_no_upkeep() -> None:
    game = arrange(phase="market", hands=[["fish_special"]])
    assert passes(game).phase == "building"
    assert game.state()["hands"][0] == ["fish_special"]


def test_it_pays_no_rubles() -> None:
    assert purse(upkeep(["fish_special"])) == (25, 0)


# 10.3 b
@every_orange
@pytest.mark.parametrize(("number", "higher"), [(1, 1), (2, 2), (3, 3), (5, 5), (6, 6), (9, 6)])
def test_upkeep_is_the_higher_number_of_the_value_tile(card: str, number: int, higher: int) -> None:
    game = upkeep([card], round=number)
    assert texts(game) == {f"upkeep {card} pay", f"upkeep {card} drop"}
    play(game, f"upkeep {card} pay")
    assert purse(game) == (25 - higher, higher)
    assert game.state()["areas"][0] == {card: 1}


@every_orange
def test_or_the_card_is_lost_and_out_of_the_game(card: str) -> None:
    state = play(upkeep([card]), f"upkeep {card} drop").state()
    assert (state["areas"][0], state["out"], state["discard"]) == ({}, [card], [])
    assert (state["rubles"][0], state["points"][0], state["phase"]) == (25, 0, "building")
    assert set(state["goods"][0].values()) == {0}


@pytest.mark.parametrize(("rubles", "can"), [(0, False), (3, False), (4, True)])
def test_who_cannot_pay_loses_it(rubles: int, can: bool) -> None:
    game = upkeep(["fish_special"], round=4, rubles=rubles)
    assert ("upkeep fish_special pay" in texts(game)) == can
    assert "upkeep fish_special drop" in texts(game)


def test_that_can_happen_by_itself() -> None:
    game = upkeep(["fish_special"], rubles=1)
    game.push_auto("upkeep fish_special drop")
    assert game.history[-1].auto
    with pytest.raises(NevskyError, match="not the only choice"):
        upkeep(["fish_special"], rubles=2).push_auto("upkeep fish_special drop")


def test_each_card_is_decided_on_its_own_in_the_order_of_the_goods() -> None:
    game = upkeep(["cabbage_special", "apple_special", "sack_special", "fish_special", "chicken_special"])
    assert asked(game) == [(0, f"{good}_special") for good in GOODS]
    assert purse(game) == (25 - 5 * 2, 5 * 2)


def test_some_can_be_kept_and_others_lost() -> None:
    game = upkeep(["apple_special", "sack_special", "fish_special"], rubles=5)
    play(game, "upkeep sack_special drop", "upkeep apple_special pay", "upkeep fish_special pay")
    assert game.state()["areas"][0] == {"apple_special": 1, "fish_special": 1}
    assert purse(game) == (5 - 4, 4)


def test_what_was_paid_for_one_is_missing_for_the_next() -> None:
    game = play(upkeep(["apple_special", "sack_special"], rubles=3), "upkeep sack_special pay")
    assert texts(game) == {"upkeep apple_special drop"}


@pytest.mark.parametrize("sack", [0, 1, 2])
def test_the_players_decide_clockwise_from_the_holder_of_the_sack(sack: int) -> None:
    areas = [["cabbage_special"], ["sack_special", "fish_special"], ["apple_special"]]
    game = upkeep(*areas, tokens=held(3, market=sack, worker=1, building=2))
    by_seat = [
        [(0, "cabbage_special")],
        [(1, "sack_special"), (1, "fish_special")],
        [(2, "apple_special")],
    ]
    assert asked(game) == by_seat[sack] + by_seat[(sack + 1) % 3] + by_seat[(sack + 2) % 3]
    assert game.phase == "building"


def test_it_is_asked_again_in_every_round() -> None:
    game = upkeep(["fish_special"])
    play(game, "upkeep fish_special pay")
    go_on_to(game, "market")
    to_scoring(game)
    assert (game.round, game.due) == (3, "upkeep")
    play(game, "upkeep fish_special pay")
    assert purse(game) == (25 - 2 - 3, 2 + 3)


@pytest.mark.parametrize("phase", ["worker", "building", "noble", "exchange"])
def test_it_is_asked_in_no_other_phase(phase: str) -> None:
    game = passes(arrange(phase=phase, areas=[["fish_special"]]))
    assert (game.due, game.state()["areas"][0]) == ("turn", {"fish_special": 1})


def test_a_lost_card_no_longer_scores_but_the_others_move_up() -> None:
    game = play(upkeep(["fish_special"], ["fish"], ["caviar"]), "upkeep fish_special drop")
    assert game.state()["points"] == [0, 1, 2]


# D5
@every_orange
def test_cleared_from_row_2_it_is_out_of_the_game(card: str) -> None:
    game = passes(arrange(phase="exchange", row2=["chick", card, "hen"], discard=["pub"]))
    state = game.state()
    assert (state["discard"], state["out"]) == (["pub", "chick", "hen"], [card])


@every_orange
def test_from_row_1_it_moves_to_row_2(card: str) -> None:
    state = passes(arrange(phase="exchange", row1=["chick", card, "hen"])).state()
    assert (state["row2"], state["out"]) == (["chick", card, "hen"], [])


@every_orange
def test_drawn_by_an_observatory_and_not_wanted_it_is_out_of_the_game(card: str) -> None:
    game = arrange(phase="building", areas=[["observatory"]], piles={"market": [card, "hen"]})
    state = play(game, "observe market", f"discard {card} drawn").state()
    assert (state["discard"], state["out"], state["drawn"]) == ([], [card], None)


def test_an_observatory_can_look_at_the_market_pile() -> None:
    game = arrange(phase="building", areas=[["observatory"]], piles={"market": ["caviar", "hen"]})
    assert goods(play(game, "observe market", "buy caviar drawn")) == {"fish": 3}
    lean = arrange(phase="building", areas=[["observatory"]], piles={"market": ["caviar"]})
    assert "observe market" not in texts(lean)


def test_ordinary_yellow_cards_go_to_the_discard_pile() -> None:
    game = arrange(phase="building", areas=[["observatory"]], piles={"market": ["caviar", "hen"]})
    state = play(game, "observe market", "discard caviar drawn").state()
    assert (state["discard"], state["out"]) == (["caviar"], [])


def test_a_special_offer_on_the_hand_costs_five_points_at_the_end() -> None:
    game = finish(arrange(phase="exchange", hands=[["fish_special"], ["chick", "hen"]], rubles=9, last_round=True))
    assert game.result is not None
    assert [final.hand for final in game.result.final] == [-5, -10]
    assert [final.total for final in game.result.final] == [-5, -10]


# undo and views
def test_upkeep_can_be_taken_back() -> None:
    game = undoing(
        upkeep(["sack_special", "fish_special"], ["fish"]), "upkeep sack_special pay", "upkeep fish_special drop"
    )
    assert game.state()["out"] == ["fish_special"]


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_everybody_sees_the_question_and_what_left_the_game(viewer: int | None) -> None:
    game = upkeep(["fish_special", "sack_special"])
    view = game.view(viewer)
    assert (view.due, view.to_move, bool(view.legal)) == ("upkeep", 0, viewer == 0)
    play(game, "upkeep sack_special drop", "upkeep fish_special pay")
    assert game.view(viewer).out == ("sack_special",)
