"""Rule 11.1 d and D20: the Money Collector."""

from __future__ import annotations

from typing import Any

import pytest

from nevsky import Game
from tests.market.table import arrange, finish, goods, purse, to_scoring, undoing
from tests.rules.table import legal, onto, play, price, scoring, texts


def collector(hand: tuple[str, ...] = (), **position: Any) -> Game:
    """Seat 0 has the Money Collector on the hand."""
    return arrange(modules=(1,), hands=[["money_collector", *hand]], **position)


def halving(*hand: str, **position: Any) -> Game:
    """Seat 0 has just played it."""
    return play(collector(hand, **position), "play money_collector")


def with_chip(area: list[str], covered: str, **position: Any) -> Game:
    """Seat 0 has an area in which this card is covered."""
    return arrange(modules=(1,), areas=[area], covered=[covered, None], out=["money_collector"], **position)


# the purchase
def test_a_card_is_laid_at_once_and_nothing_else_is_possible() -> None:
    game = halving("author", row1=["judge", "golden_donkey"], row2=["pub"])
    assert (game.due, game.to_move, game.state()["out"]) == ("half", 0, ["money_collector"])
    assert texts(game) == {"buy judge", "buy pub row 2", "play author"}


@pytest.mark.parametrize(
    ("card", "half"), [("academy", 11), ("theater", 10), ("judge", 8), ("shepherd", 2), ("pub", 1), ("chick", 2)]
)
def test_half_the_price_rounded_down_at_least_one(card: str, half: int) -> None:
    game = halving(row1=[card])
    assert price(game, f"buy {card}") == half
    play(game, f"buy {card}")
    assert game.state()["areas"][0] == {card: 1}
    assert (game.to_move, game.due) == (1, "turn")


def test_it_is_the_owner_price_that_is_halved() -> None:
    area = ["theater", "carpenter_workshop"]
    game = halving(areas=[area], row2=["theater"])
    assert price(game, "buy theater row 2") == (20 - 1 - 1 - 1) // 2


def test_after_the_minimum_of_one_ruble() -> None:
    assert price(halving(row1=["lumberjack"], areas=[["lumberjack"] * 4]), "buy lumberjack") == 1


def test_an_exchange_card_costs_half_the_difference() -> None:
    game = halving(row1=["wharf"], areas=[["ship_builder:fish"]])
    assert price(game, "buy wharf onto ship_builder:fish") == (12 - 7) // 2
    play(game, "buy wharf onto ship_builder:fish")
    assert game.state()["discard"] == ["ship_builder:fish"]
    assert game.state()["covered"] == ["wharf", None]


def test_from_the_hand_too() -> None:
    game = halving("judge")
    assert price(game, "play judge") == 8
    assert play(game, "play judge").state()["hands"][0] == []


def test_a_card_that_is_only_affordable_at_half_price() -> None:
    game = collector(row1=["judge", "academy"], rubles=8)
    assert legal(game, "buy") == set()
    assert texts(play(game, "play money_collector")) == {"buy judge"}


@pytest.mark.parametrize(
    "position",
    [
        {"row1": ["judge"], "rubles": 7},
        {"row1": ["pub"], "rubles": 0},
        {"row1": ["wharf"]},
        {"row1": ["golden_donkey"]},
        {},
    ],
)
def test_it_cannot_be_played_if_no_card_could_be_laid(position: dict[str, Any]) -> None:
    assert "play money_collector" not in texts(collector(**position))


def test_the_next_purchase_has_its_full_price_again() -> None:
    game = play(halving(row1=["pub", "judge"]), "buy pub", "pass")
    assert price(game, "buy judge") == 17


def test_a_question_mark_gets_its_tile() -> None:
    game = play(halving(row1=["ship_builder:?"]), "buy ship_builder:?")
    assert (game.due, game.to_move) == ("good", 0)
    assert goods(play(game, "good fish")) == {"fish": 1}
    assert game.state()["covered"] == ["ship_builder:?", None]


def test_the_price_is_explained() -> None:
    explained = halving(row2=["academy"]).explain("buy academy row 2")
    assert explained is not None
    assert [(reduction.reason, reduction.rubles) for reduction in explained.reductions] == [
        ("row_2", 1),
        ("money_collector", 11),
    ]
    assert explained.price == 11


def test_the_history_tells_the_price_that_was_paid() -> None:
    game = play(halving(row1=["judge"]), "buy judge")
    assert [(move.action.text, move.price) for move in game.history] == [
        ("play money_collector", None),
        ("buy judge", 8),
    ]


# the chip
@pytest.mark.parametrize(
    ("card", "phase", "plain", "covered"),
    [
        ("judge", "noble", (5, 2), (5, 0)),
        ("theater", "building", (0, 6), (0, 0)),
        ("bank", "building", (5, 1), (5, 0)),
        ("wharf", "worker", (6, 1), (6, 0)),
        ("observatory", "building", (0, 1), (0, 0)),
        ("tax_man", "noble", (1, 0), (1, 0)),
        ("chick", "market", (2, 2), (2, 2)),
    ],
)
def test_the_covered_card_never_brings_its_points(
    card: str, phase: str, plain: tuple[int, int], covered: tuple[int, int]
) -> None:
    green = ["fur_trapper"] if card == "tax_man" else []
    assert scoring(arrange(modules=(1,), phase=phase, areas=[[card, *green]]))[0] == plain
    assert scoring(with_chip([card, *green], card, phase=phase))[0] == covered


def test_nor_points_that_are_counted_anew() -> None:
    area = ["mariinsky_theater", "author", "judge", "pub"]
    assert scoring(arrange(modules=(1,), phase="building", areas=[area[:-1]]))[0] == (0, 2)
    assert scoring(with_chip(area[:-1], "mariinsky_theater", phase="building"))[0] == (0, 0)


def test_textile_factory_and_guild_hall_bring_no_points_either() -> None:
    area = ["textile_factory", "shepherd", "shepherd"]
    options: dict[str, Any] = {"modules": (1, 2), "phase": "building"}
    assert scoring(arrange(areas=[area], **options))[0] == (0, 4)
    assert scoring(arrange(areas=[area], covered=["textile_factory", None], **options))[0] == (0, 0)
    game = to_scoring(arrange(areas=[["guild_hall"]], covered=["guild_hall", None], **options))
    assert texts(game) == {"guild_hall 4"}
    assert purse(play(game, "guild_hall 4")) == (29, 0)


def test_it_cannot_be_replaced() -> None:
    assert onto(with_chip(["market:fish", "pub"], "pub", row1=["bank"]), "bank") == {"market:fish"}
    assert onto(with_chip(["ship_builder:fish"], "ship_builder:fish", row1=["wharf"]), "wharf") == set()


def test_bought_with_it_it_cannot_be_replaced_from_then_on() -> None:
    game = play(halving(row1=["pub", "bank"]), "buy pub", "pass")
    assert texts(game) == {"take bank", "pass"}


def test_of_equal_cards_the_covered_one_is_the_last_to_leave() -> None:
    area = ["customs_house", "customs_house"]
    game = with_chip(area, "customs_house", row1=["bank", "harbor"], phase="building")
    assert scoring(game)[0] == (0, 2)
    play(game, "buy bank onto customs_house", "pass")
    assert game.state()["covered"] == ["customs_house", None]
    assert onto(game, "harbor") == set()
    assert scoring(game)[0] == (5, 1)


def test_a_second_card_of_the_name_can_be_replaced_and_scores() -> None:
    game = with_chip(["customs_house"], "customs_house", row1=["customs_house", "bank"], phase="building")
    assert price(game, "buy customs_house") == 8 - 1
    play(game, "buy customs_house", "pass")
    assert onto(game, "bank") == {"customs_house"}
    assert scoring(game)[0] == (0, 2)


def test_it_still_counts_as_a_card_of_its_colour_and_name() -> None:
    game = with_chip(["judge", "mariinsky_theater"], "judge", phase="building", row1=["judge"])
    assert scoring(game)[0] == (0, 1)
    assert price(game, "buy judge") == 17 - 1
    assert game.view(0).players[0].different_nobles == 1


def test_a_covered_noble_counts_in_the_final_scoring() -> None:
    result = finish(with_chip(["judge", "author"], "judge", phase="exchange", last_round=True, rubles=9)).result
    assert result is not None
    assert (result.final[0].nobles, result.final[0].total) == (3, 3)


def test_a_covered_observatory_can_be_used() -> None:
    game = with_chip(["observatory"], "observatory", phase="building", piles={"noble": ["judge", "author"]})
    play(game, "observe noble", "discard judge drawn")
    assert scoring(game)[0] == (0, 0)


def test_one_of_two_observatories_is_covered_and_one_used() -> None:
    game = with_chip(
        ["observatory"] * 2, "observatory", phase="building", face_down=[["observatory"], []], row1=["bank"]
    )
    # either the covered one was used, and the other one scores and can be replaced, or neither of both
    assert (scoring(game)[0], onto(game, "bank")) in [((0, 1), {"observatory"}), ((0, 0), set())]


def test_a_covered_warehouse_pub_and_reduction_card_work() -> None:
    assert with_chip(["warehouse"], "warehouse").view(0).players[0].hand_limit == 4
    assert to_scoring(with_chip(["pub"], "pub", phase="building")).due == "pub"
    assert price(with_chip(["carpenter_workshop"], "carpenter_workshop", row1=["pub", "library"]), "buy library") == 16


def test_a_covered_special_offer_still_asks_for_upkeep_and_takes_the_chip_along() -> None:
    game = to_scoring(with_chip(["fish_special"], "fish_special", phase="market"))
    assert purse(play(game.copy(), "upkeep fish_special pay")) == (23, 2)
    play(game, "upkeep fish_special drop")
    assert game.state()["covered"] == [None, None]
    assert game.state()["out"] == ["money_collector", "fish_special"]


# undo and views
def test_it_can_be_taken_back() -> None:
    game = undoing(collector(row1=["judge"]), "play money_collector", "buy judge", "pass")
    assert game.state()["covered"] == ["judge", None]


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_everybody_sees_the_chip(viewer: int | None) -> None:
    game = halving(row1=["judge"])
    assert (game.view(viewer).due, game.view(viewer).to_move) == ("half", 0)
    assert play(game, "buy judge").view(viewer).table["covered"] == ["judge", None]
