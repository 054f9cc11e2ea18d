"""Section 14: the worked examples of the books, exactly."""

from __future__ import annotations

import pytest

from nevsky import Game
from tests.rules.table import EDITIONS, arrange, at, deal, finish, pass_until, passes, play, price, tokens

KONRAD, CHIYE, GIULIANO, HOLGER = range(4)
every_edition = pytest.mark.parametrize("edition", EDITIONS)


Script = list[tuple[int, str, int | None]]


# X1
def first_round() -> Game:
    return deal(
        players=4,
        held=tokens(worker=KONRAD, noble=CHIYE, building=GIULIANO, exchange=HOLGER),
        worker=["lumberjack"] * 2 + ["gold_miner"] * 2 + ["fur_trapper"] * 3 + ["ship_builder"],
        building=["potemkin_village", "market", "market", "firehouse", "hospital", "library", "theater", "theater"],
        noble=["author", "author", "administrator", "administrator", "controller"],
        exchange=["wharf", "bank", "senator", "czarina", "fur_shop"],
    )


WORKERS: Script = [
    (KONRAD, "buy lumberjack", 3),
    (CHIYE, "buy lumberjack", 3),
    (GIULIANO, "buy gold_miner", 4),
    (HOLGER, "buy gold_miner", 4),
    (KONRAD, "buy fur_trapper", 6),
    (CHIYE, "buy fur_trapper", 6),
    (GIULIANO, "buy fur_trapper", 6),
    (HOLGER, "buy ship_builder", 7),
]
BUILDINGS: Script = [
    (GIULIANO, "buy market", 5),
    (HOLGER, "take potemkin_village", None),
    (KONRAD, "take library", None),
    (CHIYE, "pass", None),
    (GIULIANO, "take hospital", None),
    (HOLGER, "pass", None),
    (KONRAD, "pass", None),
    (CHIYE, "buy firehouse", 11),
    (GIULIANO, "pass", None),
    (HOLGER, "pass", None),
    (KONRAD, "pass", None),
    (CHIYE, "pass", None),
]
NOBLES: Script = [
    (CHIYE, "buy author", 4),
    (GIULIANO, "buy controller", 14),
    (HOLGER, "buy administrator", 7),
    (KONRAD, "buy administrator", 7),
    (CHIYE, "buy author", 3),
    *[((GIULIANO + i) % 4, "pass", None) for i in range(4)],
]
EXCHANGE: Script = [
    (HOLGER, "take wharf", None),
    (KONRAD, "take bank", None),
    (CHIYE, "take senator", None),
    (GIULIANO, "take czarina", None),
    (HOLGER, "take fur_shop", None),
    *[((KONRAD + i) % 4, "pass", None) for i in range(4)],
]


def follow(game: Game, script: Script) -> Game:
    for seat, action, _ in script:
        assert game.to_move == seat
        game.push(action)
    return game


def test_x1_the_first_workers() -> None:
    game = follow(first_round(), WORKERS)
    assert [(move.seat, move.action.text, move.price) for move in game.history] == WORKERS
    assert game.state()["rubles"] == [22, 22, 21, 20]
    assert game.phase == "building"


def test_x1_the_first_buildings() -> None:
    game = follow(follow(first_round(), WORKERS), BUILDINGS)
    assert [(move.seat, move.action.text, move.price) for move in game.history] == WORKERS + BUILDINGS
    state = game.state()
    assert [state["points"][seat] for seat in (GIULIANO, CHIYE, HOLGER, KONRAD)] == [1, 3, 0, 0]
    assert [state["rubles"][seat] for seat in (GIULIANO, HOLGER, KONRAD, CHIYE)] == [16, 20, 22, 11]
    assert state["row1"][-3:] == ["market", "theater", "theater"]


def test_x1_the_first_nobles() -> None:
    game = follow(follow(first_round(), WORKERS), BUILDINGS)
    assert (game.phase, game.to_move) == ("noble", CHIYE)
    assert game.state()["row1"][:-3] == ["author", "author", "administrator", "administrator", "controller"]
    play(game, "pass", "buy controller")
    before = game.state()
    assert before["rubles"][GIULIANO] == 16 - 14
    after = passes(game).state()
    assert after["phase"] == "exchange"
    assert after["rubles"][GIULIANO] - before["rubles"][GIULIANO] == 4
    assert after["points"][GIULIANO] - before["points"][GIULIANO] == 1


def test_x1_five_exchange_cards_are_added() -> None:
    game = follow(follow(follow(first_round(), WORKERS), BUILDINGS), NOBLES)
    assert (game.phase, game.to_move) == ("exchange", HOLGER)
    assert game.state()["row1"] == ["wharf", "bank", "senator", "czarina", "fur_shop", "market", "theater", "theater"]


def test_x1_the_second_round() -> None:
    game = first_round()
    for script in (WORKERS, BUILDINGS, NOBLES, EXCHANGE):
        follow(game, script)
    state = game.state()
    assert (state["round"], state["phase"], state["to_move"]) == (2, "worker", CHIYE)
    assert state["tokens"] == tokens(exchange=KONRAD, worker=CHIYE, noble=GIULIANO, building=HOLGER)
    assert state["row2"] == ["market", "theater", "theater"]
    assert len(state["row1"]) == 5
    assert len(state["piles"]["worker"]) == 31 - 8 - 5
    assert price(game, "buy market row 2") == 4
    theater = game.explain("buy theater row 2")
    assert theater is not None
    assert theater.price == 19


# X2
@every_edition
@pytest.mark.parametrize(
    ("card", "base", "cost"),
    [("fur_shop", "fur_trapper", 4), ("catherine_palace", "market", 12), ("wharf", "ship_builder", 5)],
)
def test_x2_an_exchange_card_costs_the_difference(edition: str, card: str, base: str, cost: int) -> None:
    assert price(arrange(edition, row1=[card], areas=[[base]]), f"buy {card} onto {base}") == cost


@every_edition
@pytest.mark.parametrize("noble", ["secretary", "controller", "judge", "mistress_of_ceremonies"])
def test_x2_the_senator_onto_a_noble_of_cost_12_or_more(edition: str, noble: str) -> None:
    assert price(arrange(edition, row1=["senator"], areas=[[noble]]), f"buy senator onto {noble}") == 1


@every_edition
def test_x2_st_isaacs_from_row_2_onto_a_market_with_the_carpenter_workshop(edition: str) -> None:
    game = arrange(edition, row2=["st_isaacs_cathedral"], areas=[["market", "carpenter_workshop"]])
    assert price(game, "buy st_isaacs_cathedral row 2 onto market") == 15 - 5 - 1 - 1 == 8


# X3
@every_edition
@pytest.mark.parametrize(
    ("place", "card", "area", "cost"),
    [
        ("row2", "fur_trapper", ["fur_trapper"] * 2, 3),
        ("row1", "market", ["market"] * 2, 3),
        ("row1", "lumberjack", ["lumberjack"] * 3, 1),
        ("row2", "theater", ["theater", "carpenter_workshop"], 17),
    ],
)
def test_x3_reductions(edition: str, place: str, card: str, area: list[str], cost: int) -> None:
    game = arrange(edition, areas=[area], **at(place, card))
    assert price(game, f"buy {card}" + (" row 2" if place == "row2" else "")) == cost


# X4
SIX_NOBLES = ["author"] * 2 + ["administrator", "builder", "senator"] + ["warehouse_manager"] * 2 + ["controller"]


def test_x4_final_scoring() -> None:
    result = finish(arrange("second", phase="exchange", last_round=True, areas=[SIX_NOBLES], rubles=21)).result
    assert result is not None
    final = result.final[0]
    assert (final.nobles, final.rubles, final.rubles_left) == (21, 2, 1)
    assert final.total == 23


def test_x4_final_scoring_of_the_first_edition() -> None:
    game = arrange("first", phase="exchange", last_round=True, areas=[SIX_NOBLES], rubles=17, points=[52, 0])
    result = finish(game).result
    assert result is not None
    final = result.final[0]
    assert (final.nobles + final.rubles, final.track, final.total) == (22, 52, 74)


# X5
@every_edition
def test_x5_a_building_pile_of_three_where_four_are_needed(edition: str) -> None:
    pile = ["pub", "market", "theater"]
    game = passes(arrange(edition, 4, phase="worker", row1=["shepherd"] * 4, piles={"building": pile}))
    assert game.state()["row1"] == pile + ["shepherd"] * 4
    assert game.state()["last_round"]
    pass_until(game, "exchange")
    assert not game.over
    assert passes(game, 3).over is False
    assert passes(game, 1).over
    assert (game.round, game.phase) == (2, "exchange")
