"""Rule 11.1 h and j: Banquet and Jester on cards, Czar-Superstar, the three Potemkin villages."""

from __future__ import annotations

from typing import Any

import pytest

from nevsky import Game, redeal
from tests.market.table import arrange, go_on_to, purse, undoing
from tests.rules.table import PRINTED, legal, onto, passes, play, price, scoring, texts

GAIN_BOTH = tuple(card for card, row in PRINTED.items() if row.rubles and row.points)
PHASE = {"green": "worker", "blue": "building", "red": "noble"}


def holding(*hand: str, area: list[str], **position: Any) -> Game:
    return arrange(modules=(1,), hands=[list(hand)], areas=[area], **position)


def lying(area: list[str], phase: str, **on: str) -> Game:
    """Seat 0 has Banquet or Jester on cards of its area."""
    return arrange(modules=(1,), phase=phase, areas=[area], attached=[on, {}])


# 11.1 h
@pytest.mark.parametrize("purple", ["banquet", "jester"])
def test_it_is_attached_to_an_own_card_with_rubles_and_points(purple: str) -> None:
    area = [*PRINTED][5:]
    area = [card for card in area if card != "market"]
    assert texts(holding(purple, area=area)) == {*(f"play {purple} onto {card}" for card in GAIN_BOTH), "pass"}


@pytest.mark.parametrize("purple", ["banquet", "jester"])
def test_without_such_a_card_it_cannot_be_played(purple: str) -> None:
    game = arrange(modules=(1,), hands=[[purple]], areas=[["author", "theater", "tax_man", "chick"], ["judge"]])
    assert texts(game) == {"pass"}


@pytest.mark.parametrize("purple", ["banquet", "jester"])
def test_attached_it_lies_on_the_card_not_out_of_the_game(purple: str) -> None:
    game = play(holding(purple, area=["judge"], passes=1), f"play {purple} onto judge")
    state = game.state()
    assert (state["attached"], state["out"], state["hands"][0]) == ([{purple: "judge"}, {}], [], [])
    assert (state["to_move"], state["passes"], state["rubles"][0]) == (1, 0, 25)


@pytest.mark.parametrize("card", GAIN_BOTH)
def test_banquet_doubles_both_at_the_next_scoring(card: str) -> None:
    row = PRINTED[card]
    game = lying([card], PHASE[row.colour], banquet=card)
    assert scoring(game)[0] == (2 * row.rubles, 2 * row.points)


@pytest.mark.parametrize("card", GAIN_BOTH)
def test_jester_swaps_them(card: str) -> None:
    row = PRINTED[card]
    assert scoring(lying([card], PHASE[row.colour], jester=card))[0] == (row.points, row.rubles)


@pytest.mark.parametrize("purple", ["banquet", "jester"])
def test_after_that_scoring_it_is_out_of_the_game(purple: str) -> None:
    game = lying(["judge"], "noble", **{purple: "judge"})
    state = passes(game).state()
    assert (state["attached"], state["out"], state["areas"][0]) == ([{}, {}], [purple], {"judge": 1})
    before = purse(game)
    go_on_to(go_on_to(game, "noble"), "exchange")
    assert purse(game) == (before[0] + 5, before[1] + 2)


@pytest.mark.parametrize("phase", ["worker", "market", "building"])
def test_other_scorings_leave_it_alone(phase: str) -> None:
    state = passes(lying(["judge", "wharf"], phase, banquet="judge")).state()
    assert (state["attached"][0], state["out"]) == ({"banquet": "judge"}, [])


def test_only_the_one_card_is_doubled() -> None:
    assert scoring(lying(["judge", "judge", "controller"], "noble", banquet="judge"))[0] == (3 * 5 + 4, 3 * 2 + 1)
    assert scoring(lying(["wharf", "fur_shop"], "worker", jester="wharf"))[0] == (1 + 3, 6 + 2)


def test_both_on_different_cards() -> None:
    game = lying(["judge", "abbot"], "noble", banquet="abbot", jester="judge")
    assert scoring(game)[0] == (2 * 1 + 2, 2 * 1 + 5)


def test_both_on_one_card_double_and_swap_it() -> None:
    game = lying(["judge"], "noble", banquet="judge", jester="judge")
    assert scoring(game)[0] == (2 * 2, 2 * 5)
    assert set(passes(game).state()["out"]) == {"banquet", "jester"}


def test_with_two_equal_cards_they_lie_on_one_each() -> None:
    game = lying(["judge", "judge"], "noble", banquet="judge", jester="judge")
    assert scoring(game)[0] == (2 * 5 + 2, 2 * 2 + 5)


@pytest.mark.parametrize("purple", ["banquet", "jester"])
def test_it_leaves_with_a_card_that_is_replaced(purple: str) -> None:
    game = arrange(modules=(1,), phase="noble", row1=["abbot"], areas=[["judge"]], attached=[{purple: "judge"}, {}])
    state = play(game, "buy abbot onto judge").state()
    assert (state["attached"], state["out"], state["discard"]) == ([{}, {}], [purple], ["judge"])
    assert scoring(game)[0] == (1, 1)


def test_the_attached_one_of_equal_cards_stays_until_the_last() -> None:
    game = arrange(
        modules=(1,), phase="noble", row1=["abbot"], areas=[["judge", "judge"]], attached=[{"banquet": "judge"}, {}]
    )
    play(game, "buy abbot onto judge")
    assert game.state()["attached"][0] == {"banquet": "judge"}
    assert scoring(game)[0] == (2 * 5 + 1, 2 * 2 + 1)


def test_attached_cards_belong_to_their_seat() -> None:
    game = arrange(modules=(1,), phase="noble", areas=[["judge"], ["judge"]], attached=[{}, {"banquet": "judge"}])
    assert scoring(game) == [(5, 2), (10, 4)]


def test_a_covered_card_is_doubled_without_its_points() -> None:
    game = arrange(
        modules=(1,), phase="noble", areas=[["judge"]], attached=[{"banquet": "judge"}, {}], covered=["judge", None]
    )
    assert scoring(game)[0] == (10, 0)


def test_swapped_a_covered_card_brings_no_points_either() -> None:
    game = arrange(
        modules=(1,), phase="noble", areas=[["judge"]], attached=[{"jester": "judge"}, {}], covered=["judge", None]
    )
    assert scoring(game)[0][1] == 0


def test_it_can_be_attached_and_scored_in_one_phase() -> None:
    game = play(holding("banquet", area=["judge"], phase="noble"), "play banquet onto judge")
    assert scoring(game)[0] == (10, 4)


def test_yellow_cards_have_no_points_to_attach_it_to() -> None:
    assert texts(holding("banquet", area=["chick", "hen", "fish_special"])) == {"pass"}


def test_cards_of_good_company_that_print_both() -> None:
    area = ["october_revolution", "university", "mayor", "guild_hall", "merchant", "lieutenant_kije"]
    game = arrange(modules=(1, 2), hands=[["banquet"]], areas=[area])
    assert legal(game, "play") == {"play banquet onto october_revolution"}
    assert scoring(play(game, "play banquet onto october_revolution"))[0] == (12, 6)


def test_attaching_can_be_taken_back() -> None:
    undoing(
        holding("banquet", "jester", area=["judge", "wharf"]),
        "play banquet onto judge",
        "pass",
        "play jester onto wharf",
    )


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_everybody_sees_what_is_attached(viewer: int | None) -> None:
    game = lying(["judge", "wharf"], "noble", banquet="judge", jester="wharf")
    view = game.view(viewer)
    assert view.table["attached"] == [{"banquet": "judge", "jester": "wharf"}, {}]
    assert view.players[0].income["noble"] == (10, 4)
    assert redeal(view, seed=2).view(viewer) == view


# 11.1 j
@pytest.mark.parametrize("market", [True, False])
def test_czar_superstar_replaces_only_czar_and_carpenter(market: bool) -> None:
    builder = "ship_builder:fish" if market else "ship_builder"
    area = ["lumberjack", "gold_miner", "shepherd", "fur_trapper", builder]
    game = arrange(market=market, modules=(1,), row1=["czar_superstar"], areas=[area])
    assert onto(game, "czar_superstar") == set()
    game = arrange(market=market, modules=(1,), row1=["czar_superstar"], areas=[[*area, "czar_and_carpenter"]])
    assert onto(game, "czar_superstar") == {"czar_and_carpenter"}
    assert price(game, "buy czar_superstar onto czar_and_carpenter") == 9 - 8


def test_czar_superstar_makes_blue_and_red_cards_cheaper() -> None:
    row = ["library", "judge", "bank", "admiral", "lumberjack", "chick"]
    game = arrange(modules=(1,), row1=row, areas=[["czar_superstar", "pub", "author"]])
    prices = {card: price(game, f"buy {card}") for card in ("library", "judge", "lumberjack", "chick")}
    assert prices == {"library": 16, "judge": 16, "lumberjack": 3, "chick": 5}
    assert price(game, "buy bank onto pub") == 13 - 1 - 1
    assert price(game, "buy admiral onto author") == 18 - 4 - 1


def test_its_reduction_adds_to_the_others() -> None:
    area = ["czar_superstar", "carpenter_workshop", "gold_smelter", "library"]
    game = arrange(modules=(1,), row2=["library", "judge"], areas=[area])
    assert price(game, "buy library row 2") == 17 - 1 - 1 - 1 - 1
    assert price(game, "buy judge row 2") == 17 - 1 - 1 - 1


def test_czar_superstar_pays_three_rubles_and_has_no_craft() -> None:
    game = arrange(modules=(1,), row1=["wharf"], areas=[["czar_superstar"]])
    assert scoring(game)[0] == (3, 0)
    assert onto(game, "wharf") == set()


@pytest.mark.parametrize(
    ("village", "cost", "worth"),
    [("potemkin_village", 2, 6), ("potemkin_village_1_4", 1, 4), ("potemkin_village_3_8", 3, 8)],
)
def test_the_potemkin_villages(village: str, cost: int, worth: int) -> None:
    game = arrange(modules=(1,), row1=[village], row2=["theater"])
    assert price(game, f"buy {village}") == cost
    owned = arrange(modules=(1,), row1=["bank"], areas=[[village]], phase="building")
    assert price(owned, f"buy bank onto {village}") == 13 - worth
    assert scoring(owned)[0] == (0, 0)


def test_all_three_share_one_name() -> None:
    game = arrange(modules=(1,), row1=["potemkin_village_3_8"], areas=[["potemkin_village"]])
    assert price(game, "buy potemkin_village_3_8") == 3 - 1
    game = arrange(modules=(1,), row1=["potemkin_village_3_8"], areas=[["potemkin_village", "potemkin_village_1_4"]])
    assert price(game, "buy potemkin_village_3_8") == 3 - 2
    game = arrange(modules=(1,), row2=["potemkin_village"], areas=[["potemkin_village_3_8"]])
    assert price(game, "buy potemkin_village row 2") == 1


def test_a_replaced_potemkin_village_goes_to_the_discard_pile() -> None:
    game = arrange(modules=(1,), row1=["bank"], areas=[["potemkin_village_3_8", "potemkin_village_1_4"]])
    state = play(game, "buy bank onto potemkin_village_3_8").state()
    assert (state["discard"], state["areas"][0]) == (["potemkin_village_3_8"], {"potemkin_village_1_4": 1, "bank": 1})
