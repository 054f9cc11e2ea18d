"""Sections 5 and 6: the owner price and exchange cards."""

from __future__ import annotations

import pytest

from tests.rules.table import (
    BLUE_EXCHANGE,
    BUILDINGS,
    EDITIONS,
    GREEN_EXCHANGE,
    NOBLES,
    PRINTED,
    RED_EXCHANGE,
    WORKERS,
    arrange,
    onto,
    passes,
    play,
    price,
    scoring,
    texts,
)

every_edition = pytest.mark.parametrize("edition", EDITIONS)
CRAFTS = {
    "carpenter_workshop": "lumberjack",
    "gold_smelter": "gold_miner",
    "weaving_mill": "shepherd",
    "fur_shop": "fur_trapper",
    "wharf": "ship_builder",
}


def below(card: str) -> str:
    """A card that this exchange card may replace: the cheapest of its colour, or the one of its craft."""
    return CRAFTS.get(card, {"blue": "pub", "red": "author"}.get(PRINTED[card].colour, ""))


# 5.1
@every_edition
@pytest.mark.parametrize("card", [*WORKERS, *BUILDINGS, *NOBLES])
def test_without_reductions_a_card_costs_what_is_printed(edition: str, card: str) -> None:
    game = arrange(edition, row1=[card], hands=[[], [card] if PRINTED[card].copies > 1 else []])
    assert price(game, f"buy {card}") == PRINTED[card].cost(edition)
    if PRINTED[card].copies > 1:
        assert price(passes(game, 1), f"play {card}") == PRINTED[card].cost(edition)


@pytest.mark.parametrize("card", ["lumberjack", "theater", "judge", "warehouse"])
def test_a_card_of_row_2_costs_one_less(card: str) -> None:
    assert price(arrange(row2=[card]), f"buy {card} row 2") == PRINTED[card].second - 1


@pytest.mark.parametrize("own", [1, 2, 3, 4])
@pytest.mark.parametrize("card", ["ship_builder", "customs_house", "warehouse_manager"])
def test_every_own_card_of_the_same_name_takes_one_off(card: str, own: int) -> None:
    game = arrange(row1=[card], areas=[[card] * own])
    assert price(game, f"buy {card}") == PRINTED[card].second - own


def test_cards_of_another_name_or_of_another_player_take_nothing_off() -> None:
    game = arrange(row1=["market"], areas=[["customs_house", "pub"], ["market", "market"]])
    assert price(game, "buy market") == 5


def test_cards_of_the_same_name_on_the_hand_take_nothing_off() -> None:
    game = arrange(row1=["author"], hands=[["author", "author"]])
    assert price(game, "buy author") == 4
    assert price(game, "play author") == 4


@every_edition
def test_the_carpenter_workshop_makes_blue_cards_one_cheaper_and_no_others(edition: str) -> None:
    game = arrange(edition, row1=["theater", "author", "shepherd"], areas=[["carpenter_workshop"]])
    assert [price(game, f"buy {card}") for card in ("theater", "author", "shepherd")] == [19, 4, 5]


@every_edition
def test_the_gold_smelter_makes_red_cards_one_cheaper_and_no_others(edition: str) -> None:
    game = arrange(edition, row1=["author", "theater", "shepherd"], areas=[["gold_smelter"]])
    assert [price(game, f"buy {card}") for card in ("author", "theater", "shepherd")] == [3, 20, 5]


def test_reductions_hold_only_for_their_owner() -> None:
    game = arrange(row1=["theater", "author"], areas=[[], ["carpenter_workshop", "gold_smelter"]])
    assert [price(game, f"buy {card}") for card in ("theater", "author")] == [20, 4]


def test_all_reductions_add_up() -> None:
    game = arrange(row2=["customs_house"], areas=[["carpenter_workshop", "customs_house", "customs_house"]])
    assert price(game, "buy customs_house row 2") == 8 - 1 - 2 - 1


@pytest.mark.parametrize(("card", "helper"), [("bank", "carpenter_workshop"), ("admiral", "gold_smelter")])
def test_reductions_hold_for_exchange_cards_of_the_colour(card: str, helper: str) -> None:
    base = below(card)
    without = price(arrange(row1=[card], areas=[[base]]), f"buy {card} onto {base}")
    assert price(arrange(row1=[card], areas=[[base, helper]]), f"buy {card} onto {base}") == without - 1


@pytest.mark.parametrize("card", ["wharf", "fur_shop", "weaving_mill"])
def test_green_exchange_cards_are_not_reduced_by_workshop_or_smelter(card: str) -> None:
    base = CRAFTS[card]
    game = arrange(row1=[card], areas=[[base, "carpenter_workshop", "gold_smelter"]])
    assert price(game, f"buy {card} onto {base}") == PRINTED[card].second - PRINTED[base].second


def test_the_price_is_explained_reduction_by_reduction() -> None:
    game = arrange(row2=["st_isaacs_cathedral", "market"], areas=[["market", "carpenter_workshop"]])
    explained = game.explain("buy st_isaacs_cathedral row 2 onto market")
    assert explained is not None
    assert (explained.card, explained.cost, explained.price) == ("st_isaacs_cathedral", 15, 8)
    assert [(r.reason, r.rubles) for r in explained.reductions] == [
        ("replaced", 5),
        ("row_2", 1),
        ("carpenter_workshop", 1),
    ]
    same = game.explain("buy market row 2")
    assert same is not None
    assert same.text == "market 5 - 1 (row 2) - 1 (1 market) - 1 (carpenter_workshop) = 2"


def test_the_difference_is_explained() -> None:
    explained = arrange(row1=["carpenter_workshop"], areas=[["lumberjack"]]).explain(
        "buy carpenter_workshop onto lumberjack"
    )
    assert explained is not None
    assert explained.text == "carpenter_workshop 4 - 3 (replaces lumberjack) = 1"


def test_only_laying_a_card_has_a_price() -> None:
    game = arrange(row1=["market"])
    assert game.explain("take market") is None
    assert game.explain("pass") is None


# 5.2
@every_edition
@pytest.mark.parametrize("card", [*GREEN_EXCHANGE, *BLUE_EXCHANGE, *RED_EXCHANGE])
def test_an_exchange_card_costs_the_difference(edition: str, card: str) -> None:
    base = below(card)
    game = arrange(edition, row1=[card], areas=[[base]], rubles=30)
    assert price(game, f"buy {card} onto {base}") == PRINTED[card].cost(edition) - PRINTED[base].cost(edition)


@pytest.mark.parametrize("base", ["market", "customs_house", "firehouse", "hospital", "library"])
def test_the_dearer_the_card_below_the_cheaper_the_exchange(base: str) -> None:
    game = arrange(row1=["winter_palace"], areas=[[base]])
    assert price(game, f"buy winter_palace onto {base}") == 19 - PRINTED[base].second


def test_the_row_2_reduction_holds_for_exchange_cards() -> None:
    assert price(arrange(row2=["wharf"], areas=[["ship_builder"]]), "buy wharf row 2 onto ship_builder") == 4


@pytest.mark.parametrize(("card", "own"), [("wharf", 1), ("wharf", 2), ("fur_shop", 2), ("weaving_mill", 1)])
def test_the_same_name_reduction_holds_for_exchange_cards(card: str, own: int) -> None:
    base = CRAFTS[card]
    game = arrange(row1=[card], areas=[[base] + [card] * own])
    assert price(game, f"buy {card} onto {base}") == PRINTED[card].second - PRINTED[base].second - own


# 5.3
@pytest.mark.parametrize(
    ("card", "words", "area"),
    [
        ("pub", "row 2", []),
        ("pub", "row 2", ["pub", "carpenter_workshop"]),
        ("lumberjack", "row 2", ["lumberjack"] * 5),
        ("bank", "row 2 onto theater", ["theater"]),
        ("abbot", "row 2 onto judge", ["judge", "gold_smelter"]),
        ("carpenter_workshop", "row 2 onto lumberjack", ["lumberjack"]),
    ],
)
def test_no_card_costs_less_than_one_ruble(card: str, words: str, area: list[str]) -> None:
    game = arrange(row2=[card], areas=[area], rubles=1)
    assert price(game, f"buy {card} {words}") == 1
    assert f"buy {card} {words}" not in texts(arrange(row2=[card], areas=[area], rubles=0))


def test_the_minimum_is_explained() -> None:
    explained = arrange(row1=["bank"], areas=[["theater"]]).explain("buy bank onto theater")
    assert explained is not None
    assert explained.text == "bank 13 - 20 (replaces theater) but at least 1 = 1"


# 5.4
def test_cards_played_from_the_hand_get_same_name_and_colour_reductions_but_not_row_2() -> None:
    area = ["market", "market", "carpenter_workshop"]
    game = arrange(row2=["market"], hands=[["market"]], areas=[area])
    assert price(game, "play market") == 5 - 2 - 1
    assert price(game, "buy market row 2") == 5 - 2 - 1 - 1


def test_an_exchange_card_played_from_the_hand_is_reduced_by_its_colour() -> None:
    game = arrange(hands=[["senator"]], areas=[["author", "gold_smelter"]])
    assert price(game, "play senator onto author") == 12 - 4 - 1


# 6.1
@every_edition
@pytest.mark.parametrize("card", GREEN_EXCHANGE)
def test_a_green_exchange_card_replaces_the_worker_of_its_craft_or_the_czar(edition: str, card: str) -> None:
    game = arrange(edition, row1=[card], areas=[[*WORKERS, *BUILDINGS, *NOBLES]])
    assert onto(game, card) == {CRAFTS[card], "czar_and_carpenter"}


@every_edition
@pytest.mark.parametrize("card", BLUE_EXCHANGE)
def test_a_blue_exchange_card_replaces_any_building(edition: str, card: str) -> None:
    game = arrange(edition, row1=[card], areas=[[*WORKERS, *BUILDINGS, *NOBLES]])
    assert onto(game, card) == set(BUILDINGS)


@every_edition
@pytest.mark.parametrize("card", RED_EXCHANGE)
def test_a_red_exchange_card_replaces_any_noble(edition: str, card: str) -> None:
    game = arrange(edition, row1=[card], areas=[[*WORKERS, *BUILDINGS, *NOBLES]])
    assert onto(game, card) == set(NOBLES)


@every_edition
@pytest.mark.parametrize(
    ("cards", "bases", "worth"),
    [(BLUE_EXCHANGE, BUILDINGS, {"potemkin_village": 6}), (RED_EXCHANGE, NOBLES, {})],
    ids=["blue", "red"],
)
@pytest.mark.parametrize("rubles", range(24))
def test_it_replaces_exactly_those_for_which_its_owner_can_pay(
    edition: str, cards: tuple[str, ...], bases: tuple[str, ...], worth: dict[str, int], rubles: int
) -> None:
    values = {base: worth.get(base, PRINTED[base].cost(edition)) for base in bases}
    for card in cards:
        game = arrange(edition, row1=[card], areas=[bases], rubles=rubles)
        payable = {base for base in bases if max(1, PRINTED[card].cost(edition) - values[base]) <= rubles}
        assert onto(game, card) == payable


# 6.2
@pytest.mark.parametrize(
    ("card", "area"),
    [("fur_shop", ["fur_shop", "wharf"]), ("bank", ["harbor", "hermitage"]), ("senator", ["abbot", "czarina"])],
)
def test_an_exchange_card_never_replaces_an_exchange_card(card: str, area: list[str]) -> None:
    assert texts(arrange(row1=[card], areas=[area])) == {f"take {card}", "pass"}


def test_a_face_down_card_cannot_be_replaced() -> None:
    game = arrange(phase="noble", row1=["bank"], areas=[["observatory", "pub"]], face_down=[["observatory"], []])
    assert onto(game, "bank") == {"pub"}


# 6.3
def test_the_replaced_card_goes_to_the_discard_pile() -> None:
    game = arrange(row1=["bank"], areas=[["market", "market", "pub"]], discard=["author"])
    play(game, "buy bank onto market")
    state = game.state()
    assert state["areas"][0] == {"market": 1, "pub": 1, "bank": 1}
    assert state["discard"] == ["author", "market"]


def test_the_exchange_card_pays_in_place_of_the_replaced_one() -> None:
    game = arrange(phase="noble", row1=["czarina"], areas=[["judge"]])
    assert scoring(game)[0] == (5, 2)
    assert scoring(play(game, "buy czarina onto judge", "pass"))[0] == (0, 6)


def test_a_replaced_card_no_longer_makes_its_like_cheaper() -> None:
    game = arrange(row1=["bank", "market"], areas=[["market", "market"]])
    assert price(game, "buy market") == 3
    play(game, "buy bank onto market", "pass")
    assert price(game, "buy market") == 4


# 6.4
@pytest.mark.parametrize("card", BLUE_EXCHANGE)
def test_the_potemkin_village_costs_2_but_counts_as_6_when_replaced(card: str) -> None:
    game = arrange(row1=["potemkin_village", card])
    assert price(game, "buy potemkin_village") == 2
    play(game, "buy potemkin_village", "pass")
    assert price(game, f"buy {card} onto potemkin_village") == PRINTED[card].second - 6


# 6.5
def test_the_workshop_stays_and_goes_on_reducing_when_another_card_is_laid() -> None:
    game = arrange(row1=["wharf", "theater"], areas=[["carpenter_workshop", "ship_builder"]])
    play(game, "buy wharf onto ship_builder", "pass")
    assert price(game, "buy theater") == 19
