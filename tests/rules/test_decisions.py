"""Section 13: what we do where the books disagree or are silent, as far as the base game is concerned."""

from __future__ import annotations

import pytest

from tests.rules.table import (
    BLUE_EXCHANGE,
    EDITIONS,
    GREEN_EXCHANGE,
    RED_EXCHANGE,
    arrange,
    finish,
    legal,
    onto,
    passes,
    play,
    price,
    scoring,
    texts,
    tokens,
)

every_edition = pytest.mark.parametrize("edition", EDITIONS)


# D1
@every_edition
def test_d1_a_phase_does_not_end_when_the_display_is_empty(edition: str) -> None:
    game = arrange(edition, row1=["lumberjack"], hands=[[], ["shepherd"]])
    play(game, "buy lumberjack")
    assert (game.phase, game.to_move) == ("worker", 1)
    assert texts(game) == {"play shepherd", "pass"}


def test_d1_with_an_empty_display_observatories_can_still_be_used() -> None:
    game = arrange(phase="building", row1=["pub"], areas=[[], ["observatory"]])
    play(game, "buy pub")
    assert game.phase == "building"
    assert legal(game, "observe")


def test_d1_a_decision_with_one_option_may_be_made_automatically_and_is_marked() -> None:
    game = arrange(players=3, row1=["lumberjack"], rubles=[25, 0, 0], hands=[[], ["pub"] * 2 + ["market"]], auto=True)
    assert game.moves == ()  # seat 0 has a choice
    play(game, "pass")
    assert [(move.action.text, move.seat, move.auto) for move in game.history] == [
        ("pass", 0, False),
        ("pass", 1, True),
    ]
    assert game.to_move == 2  # may take the lumberjack


def test_d1_a_first_decision_with_one_option_may_be_made_automatically_too() -> None:
    game = arrange(row1=["lumberjack"], rubles=0, hands=[["pub", "market", "market"]], auto=True)
    assert [(move.seat, move.action.text, move.auto) for move in game.history] == [(0, "pass", True)]
    assert game.to_move == 1


def test_d1_without_auto_even_a_forced_decision_is_left_to_the_player() -> None:
    game = arrange()
    assert texts(game) == {"pass"}
    assert not game.history
    play(game, "pass")
    assert [move.auto for move in game.history] == [False]


def test_d1_taking_back_takes_back_the_forced_decisions_that_followed() -> None:
    game = arrange(players=3, row1=["lumberjack"], rubles=[25, 0, 0], hands=[[], ["pub"] * 2 + ["market"]], auto=True)
    before = game.state()
    play(game, "pass").undo()
    assert game.state() == before
    assert game.moves == ()


# D2
@every_edition
def test_d2_a_fourth_card_stays_when_the_warehouse_is_replaced(edition: str) -> None:
    hand = ["author", "judge", "author", "secretary"]
    game = arrange(edition, row1=["bank"], row2=["pub"], hands=[hand], areas=[["warehouse"]])
    play(game, "buy bank onto warehouse", "pass")
    assert game.state()["hands"][0] == hand
    assert game.due == "turn"
    assert legal(game, "take") == set()


# D3
@every_edition
@pytest.mark.parametrize(
    ("helper", "card", "others"),
    [
        ("carpenter_workshop", "theater", ["lumberjack", "lumberjack", "market", "customs_house", "pub"]),
        ("gold_smelter", "judge", ["gold_miner", "gold_miner", "author", "controller", "secretary"]),
    ],
)
def test_d3_workshop_and_smelter_take_off_one_ruble_however_many_cards_one_owns(
    edition: str, helper: str, card: str, others: list[str]
) -> None:
    full = price(arrange(edition, row1=[card], areas=[others]), f"buy {card}")
    assert price(arrange(edition, row1=[card], areas=[[*others, helper]]), f"buy {card}") == full - 1


# D4
def test_d4_the_mariinsky_theater_of_the_second_edition_costs_15() -> None:
    explained = arrange(row1=["mariinsky_theater"], areas=[["market"]]).explain("buy mariinsky_theater onto market")
    assert explained is not None
    assert (explained.cost, explained.price) == (15, 10)


# D8
@pytest.mark.parametrize(("edition", "winner"), [("first", 0), ("second", 1)])
def test_d8_the_first_edition_breaks_ties_by_all_rubles_before_paying_in_tens(edition: str, winner: int) -> None:
    game = arrange(edition, phase="exchange", last_round=True, points=[0, 1], rubles=[20, 19])
    result = finish(game).result
    assert result is not None
    assert [final.total for final in result.final] == [2, 2]
    assert result.winners == (winner,)


# D9
@every_edition
def test_d9_a_face_down_observatory_cannot_be_replaced(edition: str) -> None:
    game = arrange(edition, phase="exchange", row1=["bank"], areas=[["observatory"]], face_down=[["observatory"], []])
    assert onto(game, "bank") == set()
    passes(game)
    passes(game, 1)
    assert (game.round, game.to_move) == (3, 0)
    assert "buy bank row 2 onto observatory" in texts(game)


# D10
@pytest.mark.parametrize("card", [*GREEN_EXCHANGE, *BLUE_EXCHANGE, *RED_EXCHANGE])
def test_d10_czar_and_carpenter_of_the_first_edition_is_replaced_by_green_cards_only(card: str) -> None:
    game = arrange("first", row1=[card], areas=[["czar_and_carpenter"]])
    assert (onto(game, card) == {"czar_and_carpenter"}) is (card in GREEN_EXCHANGE)


# D13
@every_edition
@pytest.mark.parametrize("viewer", [1, None])
def test_d13_an_observatory_card_is_secret_on_the_hand_and_seen_otherwise(edition: str, viewer: int | None) -> None:
    game = arrange(edition, phase="building", areas=[["observatory"]], piles={"noble": ["judge", "author"]})
    play(game, "observe noble")
    assert b"judge" not in game.view(viewer).to_bytes()
    assert b"judge" not in play(game.copy(), "take judge drawn").view(viewer).to_bytes()
    assert play(game.copy(), "buy judge drawn").view(viewer).players[0].area == {"observatory": 1, "judge": 1}
    assert play(game.copy(), "discard judge drawn").view(viewer).discard == ("judge",)


# D17
@every_edition
@pytest.mark.parametrize("start", [0, 1, 2, 3])
def test_d17_pubs_clockwise_from_the_start_player_of_the_building_phase(edition: str, start: int) -> None:
    areas = [["pub"], [], [], ["pub"]]
    game = passes(arrange(edition, 4, phase="building", held=tokens(building=start, noble=2), areas=areas))
    asked = []
    while game.due == "pub":
        asked.append(game.to_move)
        game.push("pub 0")
    assert asked == ([0, 3] if start == 0 else [3, 0])


# D18
@every_edition
def test_d18_a_score_may_fall_below_0(edition: str) -> None:
    result = finish(arrange(edition, phase="exchange", last_round=True, rubles=0, hands=[["judge"]])).result
    assert result is not None
    assert result.final[0].total == -5


@pytest.mark.parametrize(("edition", "cost"), [("first", 5), ("second", 6)])
def test_d18_a_face_down_observatory_counts_by_its_name(edition: str, cost: int) -> None:
    game = arrange(
        edition, phase="building", row1=["observatory"], areas=[["observatory"]], face_down=[["observatory"], []]
    )
    assert price(game, "buy observatory") == cost


@every_edition
def test_d18_an_observatory_may_be_used_in_the_phase_in_which_it_was_bought(edition: str) -> None:
    piles = {"noble": ["author", "judge"]}
    game = arrange(edition, phase="building", row1=["observatory"], piles=piles)
    play(game, "buy observatory", "pass", "observe noble", "take author drawn", "pass")
    assert game.state()["hands"][0] == ["author"]
    assert scoring(game)[0] == (0, 0)


# D19
@every_edition
def test_d19_the_observatory_never_shows_the_last_card_of_a_pile(edition: str) -> None:
    game = arrange(edition, phase="building", areas=[["observatory"]], piles={"noble": ["judge"]})
    assert legal(game, "observe") == {"observe worker", "observe building", "observe exchange"}


# D21
@pytest.mark.parametrize(
    ("card", "first", "second"), [("observatory", 6, 7), ("judge", 16, 17), ("mistress_of_ceremonies", 18, 20)]
)
def test_d21_costs_that_were_pictures_in_the_books(card: str, first: int, second: int) -> None:
    assert price(arrange("first", row1=[card]), f"buy {card}") == first
    assert price(arrange("second", row1=[card]), f"buy {card}") == second


def test_d21_the_mariinsky_theater_of_the_first_edition_costs_10() -> None:
    game = arrange("first", row1=["mariinsky_theater"], areas=[["market"]])
    assert price(game, "buy mariinsky_theater onto market") == 10 - 5
