"""Section 7: scoring a phase."""

from __future__ import annotations

import pytest

from tests.rules.table import (
    EDITIONS,
    GREEN_EXCHANGE,
    NOBLES,
    PRINTED,
    arrange,
    legal,
    passes,
    play,
    scoring,
    texts,
    tokens,
)

every_edition = pytest.mark.parametrize("edition", EDITIONS)
PHASE_OF = {"green": "worker", "blue": "building", "red": "noble"}


# 7.1
@every_edition
@pytest.mark.parametrize("card", PRINTED)
def test_a_card_pays_its_rubles_and_points_in_the_phase_of_its_colour(edition: str, card: str) -> None:
    row = PRINTED[card]
    game = arrange(edition, phase=PHASE_OF[row.colour], areas=[[], [card]])
    assert scoring(game) == [(0, 0), (row.rubles, row.points)]


@pytest.mark.parametrize("phase", ["worker", "building", "noble", "exchange"])
@pytest.mark.parametrize("card", ["wharf", "harbor", "admiral", "shepherd", "library", "judge"])
def test_it_pays_in_no_other_phase(phase: str, card: str) -> None:
    pays = phase == PHASE_OF[PRINTED[card].colour]
    assert (scoring(arrange(phase=phase, areas=[[card]]))[0] != (0, 0)) is pays


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_card_of_every_player_pays(players: int) -> None:
    areas = [["judge", "judge", "author"], ["administrator", "controller"], ["author"], ["senator", "author"]][:players]
    expected = [(11, 4), (6, 1), (1, 0), (3, 2)][:players]
    assert scoring(arrange(players=players, phase="noble", areas=areas)) == expected


@pytest.mark.parametrize(("phase", "card", "income"), [("worker", "lumberjack", 3), ("noble", "author", 1)])
def test_a_card_bought_in_this_phase_pays_at_once(phase: str, card: str, income: int) -> None:
    game = play(arrange(phase=phase, row1=[card]), f"buy {card}", "pass")
    before = game.state()["rubles"][0]
    passes(game, 1)
    assert game.phase != phase
    assert game.state()["rubles"][0] == before + income


def test_a_card_bought_in_another_phase_pays_in_its_own() -> None:
    game = play(arrange(phase="worker", row1=["library"]), "buy library", "pass", "pass")
    assert game.state()["points"] == [0, 0]
    assert passes(game).state()["points"] == [5, 0]


def test_it_pays_again_in_every_round() -> None:
    game = passes(arrange(phase="building", areas=[["library"]]))
    while not (game.round == 3 and game.phase == "noble"):
        game.push("pass")
    assert game.state()["points"] == [10, 0]


def test_nothing_on_the_hand_counts() -> None:
    hands = [["lumberjack", "wharf"], ["theater", "bank"]]
    for phase in ("worker", "building"):
        assert scoring(arrange(phase=phase, hands=hands)) == [(0, 0), (0, 0)]


# 7.2
@pytest.mark.parametrize(("edition", "each"), [("first", (1, 0)), ("second", (0, 1))])
@pytest.mark.parametrize("nobles", [0, 1, 3, 6])
def test_the_mariinsky_theater_pays_for_every_red_card(edition: str, each: tuple[int, int], nobles: int) -> None:
    game = arrange(edition, phase="building", areas=[["mariinsky_theater"] + ["author"] * nobles])
    assert scoring(game)[0] == (each[0] * nobles, each[1] * nobles)


@every_edition
def test_the_mariinsky_theater_counts_red_exchange_cards(edition: str) -> None:
    game = arrange(edition, phase="building", areas=[["mariinsky_theater", "czarina", "tax_man", "judge"]])
    assert sum(scoring(game)[0]) == 3


@every_edition
def test_the_mariinsky_theater_counts_only_the_own_area(edition: str) -> None:
    game = arrange(edition, phase="building", areas=[["mariinsky_theater"], ["author"] * 3], hands=[["judge"]])
    assert scoring(game) == [(0, 0), (0, 0)]


@every_edition
def test_the_mariinsky_theater_pays_beside_other_buildings(edition: str) -> None:
    game = arrange(edition, phase="building", areas=[["mariinsky_theater", "market", "bank", "author", "judge"]])
    assert scoring(game)[0] == ((7, 2) if edition == "first" else (5, 4))


@every_edition
def test_the_mariinsky_theater_counts_at_the_moment_of_scoring(edition: str) -> None:
    game = arrange(edition, phase="building", row1=["author", "pub"], areas=[["mariinsky_theater"]])
    play(game, "buy author", "pass")
    assert sum(scoring(game)[0]) == 1


@every_edition
@pytest.mark.parametrize(("phase", "income"), [("worker", (3, 0)), ("noble", (1, 0)), ("exchange", (0, 0))])
def test_the_mariinsky_theater_pays_only_in_the_building_phase(
    edition: str, phase: str, income: tuple[int, int]
) -> None:
    game = arrange(edition, phase=phase, areas=[["mariinsky_theater", "author", "shepherd"]])
    assert scoring(game)[0] == income


@every_edition
@pytest.mark.parametrize("workers", [0, 1, 5])
def test_the_tax_man_pays_one_ruble_for_every_green_card(edition: str, workers: int) -> None:
    game = arrange(edition, phase="noble", areas=[["tax_man"] + ["shepherd"] * workers])
    assert scoring(game)[0] == (workers, 0)


def test_the_tax_man_counts_green_exchange_cards() -> None:
    game = arrange(phase="noble", areas=[["tax_man", *GREEN_EXCHANGE, "czar_and_carpenter"]])
    assert scoring(game)[0] == (len(GREEN_EXCHANGE) + 1, 0)


def test_the_tax_man_counts_only_green_cards_of_the_own_area() -> None:
    game = arrange(phase="noble", areas=[["tax_man", "pub", "bank"], ["shepherd"] * 4], hands=[["lumberjack"]])
    assert scoring(game) == [(0, 0), (0, 0)]


def test_the_tax_man_counts_at_the_moment_of_scoring() -> None:
    game = arrange(phase="noble", row1=["lumberjack"], areas=[["tax_man", "shepherd"]])
    assert scoring(game)[0] == (1, 0)
    play(game, "buy lumberjack", "pass")
    before = game.state()["rubles"][0]
    assert passes(game, 1).state()["rubles"][0] == before + 2


def test_the_tax_man_pays_beside_other_nobles_and_only_in_the_noble_phase() -> None:
    area = ["tax_man", "judge", "lumberjack"]
    assert scoring(arrange(phase="noble", areas=[area]))[0] == (5 + 1, 2)
    assert scoring(arrange(phase="worker", areas=[area]))[0] == (3, 0)


# 7.3
@every_edition
def test_after_the_building_scoring_the_owner_of_a_pub_is_asked(edition: str) -> None:
    game = passes(arrange(edition, phase="building", areas=[[], ["pub", "market"]]))
    assert (game.phase, game.due, game.to_move) == ("building", "pub", 1)
    assert game.state()["points"] == [0, 1]
    assert texts(game) == {f"pub {points}" for points in range(6)}


@every_edition
@pytest.mark.parametrize("points", [0, 1, 5])
def test_a_pub_sells_points_at_two_rubles_each(edition: str, points: int) -> None:
    game = play(passes(arrange(edition, phase="building", areas=[["pub"]])), f"pub {points}")
    assert game.state()["points"] == [points, 0]
    assert game.state()["rubles"] == [25 - 2 * points, 25]
    assert (game.phase, game.due) == ("noble", "turn")


def test_two_pubs_sell_up_to_ten_points() -> None:
    game = passes(arrange(phase="building", areas=[["pub", "pub"]]))
    assert texts(game) == {f"pub {points}" for points in range(11)}
    play(game, "pub 10")
    assert (game.state()["points"][0], game.state()["rubles"][0]) == (10, 5)
    assert game.phase == "noble"


@pytest.mark.parametrize(("rubles", "most"), [(0, 0), (1, 0), (2, 1), (7, 3), (9, 4), (10, 5), (11, 5)])
def test_one_buys_no_more_points_than_one_can_pay(rubles: int, most: int) -> None:
    game = passes(arrange(phase="building", areas=[["pub"]], rubles=rubles))
    assert texts(game) == {f"pub {points}" for points in range(most + 1)}


def test_the_income_of_the_scoring_can_be_spent_at_the_pub() -> None:
    game = passes(arrange(phase="building", areas=[["pub", "bank"]], rubles=0))
    assert texts(game) == {"pub 0", "pub 1", "pub 2"}


@pytest.mark.parametrize(("start", "order"), [(0, [0, 2]), (1, [2, 0]), (2, [2, 0])])
def test_pub_owners_decide_clockwise_from_the_start_player(start: int, order: list[int]) -> None:
    game = arrange(phase="building", players=3, held=tokens(building=start), areas=[["pub"], [], ["pub"]])
    passes(game)
    asked = []
    while game.due == "pub":
        asked.append(game.to_move)
        game.push("pub 1")
    assert asked == order
    assert game.state()["points"] == [1, 0, 1]


def test_all_cards_are_scored_before_the_first_pub() -> None:
    game = passes(arrange(phase="building", areas=[["pub"], ["theater"]]))
    assert (game.due, game.to_move) == ("pub", 0)
    assert game.state()["points"] == [0, 6]


@pytest.mark.parametrize("phase", ["worker", "noble", "exchange"])
def test_pubs_are_open_only_after_the_building_scoring(phase: str) -> None:
    game = passes(arrange(phase=phase, areas=[["pub"]]))
    assert game.due == "turn"


def test_a_pub_is_no_action_of_a_turn() -> None:
    assert legal(arrange(phase="building", areas=[["pub"]]), "pub") == set()


def test_a_pub_on_the_hand_or_replaced_sells_nothing() -> None:
    game = arrange(phase="building", hands=[["pub"]], areas=[[], ["pub"]], row1=["bank"])
    play(game, "pass", "buy bank onto pub", "pass", "pass")
    assert (game.phase, game.due) == ("noble", "turn")


def test_a_pub_decision_does_not_touch_the_turn_order_of_the_next_phase() -> None:
    held = tokens(building=0, noble=1)
    game = play(passes(arrange(phase="building", held=held, areas=[["pub"], ["pub"]])), "pub 0", "pub 2")
    assert (game.phase, game.to_move, game.state()["passes"]) == ("noble", 1, 0)


def test_all_nobles_together() -> None:
    assert scoring(arrange(phase="noble", areas=[NOBLES]))[0] == (1 + 2 + 3 + 4 + 4 + 5 + 6, 1 + 2 + 3)
