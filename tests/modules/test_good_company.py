"""Rule 11.2 and D11: the cards of Good Company, at the scorings and at the till."""

from __future__ import annotations

from typing import Any

import pytest

from nevsky import Game, Ruleset
from tests.market.table import COMPANY, MODULE, arrange, finish, go_on_to, held, purse, quietly, to_scoring, undoing
from tests.rules.table import PHASES, WORKERS, onto, passes, play, price, scoring, texts

with_and_without = pytest.mark.parametrize("market", [False, True])
COLOUR_PHASE = {
    "october_revolution": "worker",
    **dict.fromkeys(("sycophant", "merchant", "lieutenant_kije", "mayor"), "noble"),
}
"""The phases in which those cards score that do not score with the buildings."""
NAMED = {"ship_builder": "ship_builder:fish", "market": "market:fish"}


def company(*areas: list[str], market: bool = True, **position: Any) -> Game:
    return arrange(max(2, len(areas)), market=market, modules=(2,), areas=areas, **position)


def built(*areas: list[str], **position: Any) -> Game:
    """A building phase in which everybody has passed."""
    return to_scoring(company(*areas, **{"phase": "building", **position}))


# the box
@with_and_without
def test_twelve_cards_in_their_piles(market: bool) -> None:
    piles = Game(Ruleset("second", 4, market=market, modules=(2,)), seed=1).piles
    found = {pile: sorted(card for card in cards if card in COMPANY) for pile, cards in piles.items()}
    assert sum(map(len, found.values())) == 12
    assert found["building"] == ["coffee_house", "debtors_prison", "trading_house"]
    assert found["noble"] == ["sycophant", "sycophant"]
    assert len(found["exchange"]) == 7


@pytest.mark.parametrize("card", [card for card in COMPANY if MODULE[card].pile != "exchange"])
def test_prices_of_buildings_and_nobles(card: str) -> None:
    assert price(company(row1=[card]), f"buy {card}") == MODULE[card].cost


@pytest.mark.parametrize(
    ("card", "below", "worth"),
    [
        ("october_revolution", "lumberjack", 3),
        ("guild_hall", "pub", 1),
        ("textile_factory", "pub", 1),
        ("university", "pub", 1),
        ("merchant", "author", 4),
        ("lieutenant_kije", "author", 4),
        ("mayor", "author", 4),
    ],
)
def test_prices_of_exchange_cards(card: str, below: str, worth: int) -> None:
    assert price(company([below], row1=[card]), f"buy {card} onto {below}") == MODULE[card].cost - worth


@with_and_without
@pytest.mark.parametrize("card", COMPANY)
def test_printed_income(card: str, market: bool) -> None:
    row = MODULE[card]
    phase = COLOUR_PHASE.get(card, "building")
    game = company([card], market=market, phase=phase)
    assert scoring(game)[0] == (row.rubles, row.points)


@pytest.mark.parametrize("card", ["trading_house", "coffee_house", "debtors_prison"])
def test_its_buildings_can_be_replaced(card: str) -> None:
    game = company([card], row1=["bank"])
    assert price(game, f"buy bank onto {card}") == 13 - MODULE[card].cost


# 11.2 a
@with_and_without
def test_the_trading_house_changes_three_rubles_into_two_points(market: bool) -> None:
    game = built(["trading_house", "theater"], market=market)
    assert (game.due, game.to_move, purse(game)) == ("trading_house", 0, (25, 6))
    assert texts(game) == {"trading_house pay", "trading_house skip"}
    play(game, "trading_house pay")
    assert (purse(game), game.phase) == ((22, 8), "noble")


def test_it_need_not_be_used() -> None:
    game = play(built(["trading_house"]), "trading_house skip")
    assert (purse(game), game.phase) == ((25, 0), "noble")


@pytest.mark.parametrize(("rubles", "can"), [(0, False), (2, False), (3, True)])
def test_whoever_cannot_pay_three_rubles_cannot_use_it(rubles: int, can: bool) -> None:
    assert ("trading_house pay" in texts(built(["trading_house"], rubles=rubles))) == can


def test_the_income_of_the_scoring_can_be_spent_there() -> None:
    assert "trading_house pay" in texts(built(["trading_house", "bank"], rubles=0))


@pytest.mark.parametrize("phase", ["worker", "market", "noble", "exchange"])
def test_only_after_the_building_scoring(phase: str) -> None:
    assert passes(company(["trading_house"], phase=phase)).due == "turn"


# 11.2 b
@pytest.mark.parametrize("nobles", [[], ["author"], ["author", "author", "tax_man", "sycophant"]])
def test_the_coffee_house_pays_a_ruble_per_red_card(nobles: list[str]) -> None:
    game = company(["coffee_house", *nobles], ["judge"], phase="building")
    assert scoring(game)[0] == (len(nobles), 0)


# 11.2 d
@with_and_without
def test_each_sycophant_is_paid_or_discarded_after_the_income(market: bool) -> None:
    game = to_scoring(company(["sycophant", "author"], market=market, phase="noble", rubles=0))
    assert (game.due, game.to_move, purse(game)) == ("sycophant", 0, (1, 0))
    assert texts(game) == {"sycophant pay", "sycophant drop"}
    paid = play(game.copy(), "sycophant pay").state()
    assert (paid["rubles"][0], paid["areas"][0], paid["phase"]) == (0, {"author": 1, "sycophant": 1}, "exchange")
    dropped = play(game, "sycophant drop").state()
    assert (dropped["rubles"][0], dropped["areas"][0]) == (1, {"author": 1})
    assert (dropped["discard"], dropped["out"]) == (["sycophant"], [])


def test_whoever_cannot_pay_must_discard_it() -> None:
    game = to_scoring(company(["sycophant"], phase="noble", rubles=0))
    assert texts(game) == {"sycophant drop"}


def test_two_sycophants_are_asked_for_one_by_one() -> None:
    game = to_scoring(company(["sycophant", "sycophant"], phase="noble", rubles=1))
    play(game, "sycophant pay")
    assert (game.due, texts(game)) == ("sycophant", {"sycophant drop"})
    play(game, "sycophant drop")
    assert (game.state()["areas"][0], purse(game), game.phase) == ({"sycophant": 1}, (0, 0), "exchange")


@pytest.mark.parametrize("drops", [("drop", "pay"), ("drop", "drop"), ("pay", "pay")])
def test_in_any_mix(drops: tuple[str, str]) -> None:
    game = to_scoring(company(["sycophant", "sycophant"], phase="noble"))
    play(game, *(f"sycophant {choice}" for choice in drops))
    kept = drops.count("pay")
    assert game.state()["areas"][0].get("sycophant", 0) == kept
    assert (purse(game), game.phase) == ((25 - kept, 0), "exchange")


@pytest.mark.parametrize("bust", [0, 1])
def test_after_the_income_of_all_clockwise_from_the_start_player(bust: int) -> None:
    tokens = held(2, noble=bust)
    game = to_scoring(
        company(["sycophant", "judge"], ["sycophant", "judge"], phase="noble", tokens=tokens, to_move=bust)
    )
    assert [purse(game, seat) for seat in (0, 1)] == [(30, 2), (30, 2)]
    assert game.to_move == bust
    play(game, "sycophant pay")
    assert (game.due, game.to_move) == ("sycophant", 1 - bust)
    assert play(game, "sycophant pay").phase == "exchange"


def test_it_counts_as_a_noble() -> None:
    result = finish(company(["sycophant", "sycophant", "author"], phase="exchange", last_round=True, rubles=9)).result
    assert result is not None
    assert result.final[0].nobles == 3
    assert scoring(company(["sycophant", "mariinsky_theater"], phase="building"))[0] == (0, 1)


def test_it_can_be_replaced_and_makes_its_like_cheaper() -> None:
    game = company(["sycophant"], row1=["abbot", "sycophant"])
    assert price(game, "buy abbot onto sycophant") == 6 - 1
    assert price(game, "buy sycophant") == 1


def test_on_the_hand_it_asks_for_nothing() -> None:
    assert passes(company(phase="noble", hands=[["sycophant"]])).due == "turn"


# 11.2 e, D11
@with_and_without
def test_the_october_revolution_replaces_any_worker(market: bool) -> None:
    workers = [NAMED.get(card, card) if market else card for card in WORKERS]
    game = company([*workers, "wharf", "pub", "author"], row1=["october_revolution"], market=market)
    assert onto(game, "october_revolution") == set(workers)


def test_it_pays_six_rubles_and_three_points() -> None:
    assert scoring(company(["october_revolution"]))[0] == (6, 3)


def test_it_has_no_craft_and_cannot_be_replaced() -> None:
    row = ["wharf", "weaving_mill", "fur_shop", "carpenter_workshop", "gold_smelter"]
    game = company(["october_revolution"], row1=row)
    assert {card for card in row if onto(game, card)} == set()
    assert scoring(company(["october_revolution", "textile_factory"], phase="building"))[0] == (0, 0)


# 11.2 f
@pytest.mark.parametrize(
    ("green", "points"),
    [
        ([], 0),
        (["shepherd"], 2),
        (["shepherd", "shepherd", "weaving_mill"], 6),
        (["czar_and_carpenter"], 2),
        (["lumberjack", "fur_shop", "ship_builder:sack", "gold_miner"], 0),
    ],
)
def test_the_textile_factory_scores_two_points_per_carpet(green: list[str], points: int) -> None:
    game = company(["textile_factory", *green], ["shepherd"], phase="building")
    assert scoring(game)[0] == (0, points)


# 11.2 g
@with_and_without
@pytest.mark.parametrize("rubles", range(5))
def test_the_guild_hall_brings_four_in_any_split(rubles: int, market: bool) -> None:
    game = built(["guild_hall"], market=market)
    assert (game.due, game.to_move) == ("guild_hall", 0)
    assert texts(game) == {f"guild_hall {number}" for number in range(5)}
    play(game, f"guild_hall {rubles}")
    assert (purse(game), game.phase) == ((25 + rubles, 4 - rubles), "noble")


def test_in_every_building_scoring_anew() -> None:
    game = play(built(["guild_hall"]), "guild_hall 4")
    game = to_scoring(go_on_to(game, "building"))
    assert (game.due, game.round) == ("guild_hall", 3)
    assert purse(play(game, "guild_hall 1")) == (25 + 4 + 1, 3)


# 11.2 h
@pytest.mark.parametrize("blue", [[], ["pub"], ["pub", "market:fish", "bank", "observatory"]])
def test_the_mayor_pays_a_ruble_per_blue_card(blue: list[str]) -> None:
    game = company(
        ["mayor", *blue], ["library"], phase="noble", face_down=[["observatory"] * ("observatory" in blue), []]
    )
    assert scoring(game)[0] == (len(blue), 0)


# 11.2 i
def test_university_merchant_and_lieutenant_kije_pay_plainly() -> None:
    area = ["university", "merchant", "lieutenant_kije"]
    assert scoring(company(area, phase="building"))[0] == (0, 6)
    assert scoring(company(area, phase="noble"))[0] == (3, 3)


# 11.2 j
def asked(game: Game) -> list[tuple[int | None, str | None]]:
    """Who is asked what in the scoring."""
    questions = []
    while game.phase == "building":
        questions.append((game.to_move, game.due))
        quietly(game)
    return questions


def test_guild_hall_first_then_trading_house_and_pub_of_each_player() -> None:
    game = built(["trading_house", "pub"], [], ["guild_hall", "pub"], tokens=held(3, building=1), to_move=1)
    assert asked(game) == [(2, "guild_hall"), (2, "pub"), (0, "trading_house"), (0, "pub")]


def test_guild_hall_comes_before_a_pub_of_the_start_player() -> None:
    game = built(["pub"], [], ["guild_hall", "trading_house"])
    assert asked(game) == [(2, "guild_hall"), (0, "pub"), (2, "trading_house")]


def test_a_trading_house_next_to_a_pub_is_asked_for() -> None:
    assert asked(built(["pub"], ["trading_house"])) == [(0, "pub"), (1, "trading_house")]


def test_a_pub_next_to_a_trading_house_is_asked_for() -> None:
    assert asked(built(["trading_house"], ["pub"])) == [(0, "trading_house"), (1, "pub")]


def test_the_split_is_asked_right_after_that_seat_s_income() -> None:
    game = built(["theater", "bank"], ["guild_hall", "theater"], ["library"])
    assert (game.due, game.to_move) == ("guild_hall", 1)
    assert [purse(game, seat) for seat in range(3)] == [(30, 7), (25, 6), (25, 0)]
    play(game, "guild_hall 0")
    assert [purse(game, seat) for seat in range(3)] == [(30, 7), (25, 10), (25, 5)]


@with_and_without
def test_every_owner_of_a_pub_is_asked(market: bool) -> None:
    game = built(["pub"], ["pub"], market=market)
    play(game, "pub 2")
    assert (game.due, game.to_move) == ("pub", 1)
    assert play(game, "pub 5").state()["points"] == [2, 5]


def test_what_the_guild_hall_paid_can_be_spent_at_the_pub() -> None:
    game = built(["guild_hall", "pub", "trading_house"], rubles=0)
    play(game, "guild_hall 4", "trading_house pay")
    assert texts(game) == {"pub 0"}
    game = play(built(["guild_hall", "pub"], rubles=0), "guild_hall 4")
    assert texts(game) == {"pub 0", "pub 1", "pub 2"}


def test_the_decisions_can_be_taken_back() -> None:
    undoing(
        company(["guild_hall", "trading_house", "pub"], phase="building"),
        *["pass", "pass", "guild_hall 1", "trading_house pay", "pub 3", "pass"],
    )
    undoing(company(["sycophant", "sycophant"], phase="noble"), "pass", "pass", "sycophant drop", "sycophant pay")


@pytest.mark.parametrize("viewer", [0, 1, None])
@pytest.mark.parametrize(
    ("phase", "card"), [("building", "guild_hall"), ("building", "trading_house"), ("noble", "sycophant")]
)
def test_everybody_sees_who_decides(viewer: int | None, phase: str, card: str) -> None:
    view = to_scoring(company([card], phase=phase)).view(viewer)
    assert (view.due, view.to_move, bool(view.legal)) == (card, 0, viewer == 0)


def test_the_module_alone_has_the_phases_of_the_base_game() -> None:
    game = company(market=False)
    seen = [game.phase]
    while game.round == 2:
        quietly(game)
        if game.phase != seen[-1]:
            seen.append(game.phase)
    assert tuple(seen[:4]) == PHASES
