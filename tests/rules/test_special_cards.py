"""Section 9, except the observatory: the special cards of the base game."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.table import (
    BLUE_EXCHANGE,
    EDITIONS,
    PRINTED,
    RED_EXCHANGE,
    arrange,
    at,
    finish,
    legal,
    onto,
    passes,
    play,
    price,
    scoring,
    texts,
)

every_edition = pytest.mark.parametrize("edition", EDITIONS)
HAND = ["author", "judge", "controller", "secretary"]


# 9.1
@every_edition
@pytest.mark.parametrize(
    ("card", "cost"),
    [("carpenter_workshop", 1), ("gold_smelter", 1), ("weaving_mill", 1), ("fur_shop", 2), ("wharf", 4)],
)
def test_czar_and_carpenter_is_replaced_by_every_green_exchange_card(edition: str, card: str, cost: int) -> None:
    game = arrange(edition, row1=[card], areas=[["czar_and_carpenter"]])
    assert onto(game, card) == {"czar_and_carpenter"}
    assert price(game, f"buy {card} onto czar_and_carpenter") == cost
    play(game, f"buy {card} onto czar_and_carpenter")
    assert game.state()["areas"][0] == {card: 1}
    assert game.state()["discard"] == ["czar_and_carpenter"]


@every_edition
@pytest.mark.parametrize("card", [*BLUE_EXCHANGE, *RED_EXCHANGE])
def test_czar_and_carpenter_is_replaced_by_no_other_card(edition: str, card: str) -> None:
    assert onto(arrange(edition, row1=[card], areas=[["czar_and_carpenter"]]), card) == set()


def test_czar_and_carpenter_is_a_worker_that_costs_8_and_pays_3() -> None:
    assert price(arrange(row1=["czar_and_carpenter"]), "buy czar_and_carpenter") == 8
    assert scoring(arrange(phase="worker", areas=[["czar_and_carpenter"]]))[0] == (3, 0)


def test_czar_and_carpenter_bears_no_other_worker_s_name() -> None:
    game = arrange(row1=["lumberjack", "ship_builder"], areas=[["czar_and_carpenter"]])
    assert price(game, "buy lumberjack") == 3
    assert price(game, "buy ship_builder") == 7


def test_the_potemkin_village_pays_nothing() -> None:
    assert scoring(arrange(phase="building", areas=[["potemkin_village"]]))[0] == (0, 0)


@every_edition
@pytest.mark.parametrize("card", BLUE_EXCHANGE)
def test_the_potemkin_village_counts_as_6_when_replaced(edition: str, card: str) -> None:
    game = arrange(edition, row1=[card], areas=[["potemkin_village"]])
    assert price(game, f"buy {card} onto potemkin_village") == PRINTED[card].cost(edition) - 6


@pytest.mark.parametrize(("place", "words", "cost"), [("row1", "", 2), ("row2", " row 2", 1)])
def test_the_potemkin_village_is_bought_for_2(place: str, words: str, cost: int) -> None:
    assert price(arrange(**at(place, "potemkin_village")), f"buy potemkin_village{words}") == cost


def test_the_potemkin_village_from_the_hand_costs_2_and_then_counts_as_6() -> None:
    game = arrange(hands=[["potemkin_village", "peterhof"]])
    assert price(game, "play potemkin_village") == 2
    play(game, "play potemkin_village", "pass")
    assert price(game, "play peterhof onto potemkin_village") == 8


# 9.2
@pytest.mark.parametrize(
    ("helper", "base", "card", "cost"),
    [("carpenter_workshop", "lumberjack", "market", 5), ("gold_smelter", "gold_miner", "administrator", 7)],
)
def test_a_reduction_holds_from_the_moment_the_card_lies_in_the_area(
    helper: str, base: str, card: str, cost: int
) -> None:
    game = arrange(row1=[card], hands=[[helper]], areas=[[base]])
    assert price(game, f"buy {card}") == cost  # on the hand it does nothing
    play(game, f"play {helper} onto {base}", "pass")
    assert price(game, f"buy {card}") == cost - 1


@every_edition
@pytest.mark.parametrize("place", ["row1", "row2", "hand"])
def test_workshop_and_smelter_reduce_cards_from_everywhere(edition: str, place: str) -> None:
    area = ["carpenter_workshop", "gold_smelter"]
    for card in ("hospital", "secretary"):
        if place == "hand":
            assert price(arrange(edition, hands=[[card]], areas=[area]), f"play {card}") == PRINTED[card].second - 1
        else:
            words, off = ("", 1) if place == "row1" else (" row 2", 2)
            game = arrange(edition, areas=[area], **at(place, card))
            assert price(game, f"buy {card}{words}") == PRINTED[card].second - off


def test_workshop_and_smelter_still_pay_3_rubles() -> None:
    assert scoring(arrange(phase="worker", areas=[["carpenter_workshop", "gold_smelter"]]))[0] == (6, 0)


def test_the_workshop_reduces_a_card_that_the_observatory_shows() -> None:
    game = arrange(
        phase="building", areas=[["carpenter_workshop", "observatory"]], piles={"building": ["theater", "pub"]}
    )
    play(game, "observe building")
    assert price(game, "buy theater drawn") == 19


# 9.4
@every_edition
def test_the_warehouse_makes_the_hand_limit_4(edition: str) -> None:
    game = arrange(edition, row1=["shepherd"], hands=[HAND[:3]], areas=[["warehouse"]])
    assert legal(game, "take") == {"take shepherd"}
    play(game, "take shepherd", "pass")
    assert len(game.state()["hands"][0]) == 4


@every_edition
def test_there_is_no_fifth_card_with_the_warehouse(edition: str) -> None:
    game = arrange(edition, row1=["shepherd"], hands=[HAND], areas=[["warehouse"]])
    assert legal(game, "take") == set()


def test_the_warehouse_works_as_soon_as_it_lies_in_the_area() -> None:
    game = arrange(row1=["shepherd", "warehouse"], hands=[HAND[:3]])
    assert legal(game, "take") == set()
    play(game, "buy warehouse", "pass")
    assert legal(game, "take") == {"take shepherd"}


def test_a_warehouse_on_the_hand_or_of_another_player_gives_no_room() -> None:
    assert legal(arrange(row1=["shepherd"], hands=[["warehouse", *HAND[:2]]]), "take") == set()
    assert legal(arrange(row1=["shepherd"], hands=[HAND[:3]], areas=[[], ["warehouse"]]), "take") == set()


@every_edition
def test_when_the_warehouse_is_replaced_the_cards_on_the_hand_stay(edition: str) -> None:
    game = arrange(edition, row1=["bank", "shepherd"], hands=[HAND], areas=[["warehouse"]])
    play(game, "buy bank onto warehouse", "pass")
    assert game.state()["hands"][0] == HAND
    assert legal(game, "take") == set()


def test_and_the_limit_is_3_again_for_taking_further_cards() -> None:
    hand = ["author", "author", "author", "author"]
    game = arrange(row1=["bank", "shepherd"], hands=[hand], areas=[["warehouse"]])
    play(game, "buy bank onto warehouse", "pass", "play author", "pass")
    assert legal(game, "take") == set()
    play(game, "play author", "pass")
    assert legal(game, "take") == {"take shepherd"}


def test_the_warehouse_gives_room_for_the_card_of_the_observatory() -> None:
    position: dict[str, Any] = {"hands": [HAND[:3]], "piles": {"noble": ["author", "judge"]}, "phase": "building"}
    without = play(arrange(areas=[["observatory"]], **position), "observe noble")
    assert "take author drawn" not in texts(without)
    game = play(arrange(areas=[["observatory", "warehouse"]], **position), "observe noble")
    assert "take author drawn" in texts(game)


# 9.5
@every_edition
@pytest.mark.parametrize(("pubs", "most"), [(1, 5), (2, 10)])
def test_a_pub_sells_up_to_5_points_and_two_sell_10(edition: str, pubs: int, most: int) -> None:
    game = passes(arrange(edition, phase="building", areas=[["pub"] * pubs]))
    assert texts(game) == {f"pub {points}" for points in range(most + 1)}


def test_two_owners_of_one_pub_each_buy_up_to_5_points() -> None:
    game = passes(arrange(phase="building", areas=[["pub"], ["pub"]]))
    assert len(texts(game)) == 6
    play(game, "pub 5")
    assert len(texts(game)) == 6
    play(game, "pub 5")
    assert game.state()["points"] == [5, 5]
    assert game.state()["rubles"] == [15, 15]


def test_a_pub_bought_in_this_building_phase_is_open() -> None:
    game = play(arrange(phase="building", row1=["pub"]), "buy pub", "pass", "pass")
    assert (game.due, game.to_move) == ("pub", 0)


# 7.2 once more, through a purchase
@pytest.mark.parametrize(("edition", "cost", "income"), [("first", 5, (2, 0)), ("second", 10, (0, 2))])
def test_the_mariinsky_theater_of_both_editions(edition: str, cost: int, income: tuple[int, int]) -> None:
    game = arrange(edition, phase="building", row1=["mariinsky_theater"], areas=[["market", "judge", "senator"]])
    assert price(game, "buy mariinsky_theater onto market") == cost
    play(game, "buy mariinsky_theater onto market", "pass")
    assert scoring(game)[0] == income


def test_the_tax_man_is_a_noble_of_his_own() -> None:
    game = arrange(phase="noble", row1=["tax_man"], areas=[["judge", "wharf", "shepherd"]])
    assert price(game, "buy tax_man onto judge") == 1
    play(game, "buy tax_man onto judge", "pass")
    assert scoring(game)[0] == (2, 0)


def test_the_tax_man_counts_as_a_different_noble() -> None:
    result = finish(arrange(phase="exchange", last_round=True, areas=[["tax_man", "author"]])).result
    assert result is not None
    assert result.final[0].nobles == 3
