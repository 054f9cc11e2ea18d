"""Rule 11.1 i: the Pick Pocket."""

from __future__ import annotations

from typing import Any

import pytest

from nevsky import Game, NevskyError, redeal
from tests.market.table import MARKET_PHASES, arrange, goods, held, purse, undoing
from tests.rules.table import passes, play, price, texts

TOPS = {"worker": "shepherd", "market": "chick", "building": "pub", "noble": "judge", "exchange": "wharf"}


def at_start(
    phase: str = "noble", *, players: int = 3, thief: int = 1, hand: tuple[str, ...] = (), **position: Any
) -> Game:
    """The start of a phase; the thief has the Pick Pocket and seat 0 all tokens."""
    before = MARKET_PHASES[(MARKET_PHASES.index(phase) + 4) % 5]
    hands: list[list[str]] = [[] for _ in range(players)]
    hands[thief] = ["pick_pocket", *hand]
    usual: dict[str, Any] = {"piles": {phase: [TOPS[phase]] * 2}, "row1": [], "row2": ["author"]}
    usual["tokens"] = held(players, **({phase: players - 1} if before == "exchange" else {}))
    game = arrange(players, modules=(1,), phase=before, hands=hands, **{**usual, **position})
    return passes(game)


# the question
@pytest.mark.parametrize("phase", MARKET_PHASES)
def test_its_holder_is_asked_before_the_start_player_in_every_phase(phase: str) -> None:
    game = at_start(phase)
    assert (game.phase, game.due, game.to_move) == (phase, "pick_pocket", 1)
    assert texts(game) == {"play pick_pocket", "pass"}


@pytest.mark.parametrize("thief", [0, 1, 2])
def test_wherever_he_sits(thief: int) -> None:
    game = at_start(thief=thief)
    assert (game.due, game.to_move) == ("pick_pocket", thief)
    play(game, "pass")
    assert (game.due, game.to_move) == ("turn", 0)


def test_the_new_cards_lie_there_already() -> None:
    assert at_start().state()["row1"] == ["judge", "judge"]


def test_keeping_it_is_not_a_pass() -> None:
    game = play(at_start(), "pass")
    assert (game.state()["hands"][1], game.state()["passes"]) == (["pick_pocket"], 0)
    assert passes(game, 2).phase == "noble"
    assert passes(game, 1).phase == "exchange"
    assert (game.due, game.to_move) == ("pick_pocket", 1)


def test_it_is_no_action_of_an_ordinary_turn() -> None:
    game = play(at_start(thief=0), "pass")
    assert "play pick_pocket" not in texts(game)
    with pytest.raises(NevskyError, match="not possible now"):
        game.push("play pick_pocket")


def test_taken_in_a_phase_it_waits_for_the_next() -> None:
    game = arrange(3, modules=(1,), phase="building", row1=["pick_pocket", "judge"])
    play(game, "take pick_pocket")
    assert game.due == "turn"
    play(game, "pass", "pass", "pass")
    assert (game.phase, game.due, game.to_move) == ("noble", "pick_pocket", 0)


def test_nothing_is_asked_on_an_empty_display() -> None:
    game = at_start("exchange", piles={"exchange": []}, row2=[])
    assert (game.phase, game.due, game.to_move) == ("exchange", "turn", 0)


def test_nothing_is_asked_of_whoever_could_neither_buy_nor_take() -> None:
    full = ("author", "author", "author")
    game = at_start(hand=full, rubles=0, row2=["theater"])
    assert (game.due, game.to_move) == ("turn", 0)


# the pick
def test_he_buys_or_takes_one_card_of_the_display() -> None:
    game = play(at_start(), "play pick_pocket")
    assert (game.due, game.to_move, game.state()["out"]) == ("pick", 1, ["pick_pocket"])
    assert texts(game) == {"buy judge", "take judge", "buy author row 2", "take author row 2"}


@pytest.mark.parametrize("thief", [0, 1, 2])
def test_buying_costs_the_usual_price(thief: int) -> None:
    game = play(at_start(thief=thief), "play pick_pocket")
    assert price(game, "buy author row 2") == 3
    play(game, "buy judge")
    assert game.state()["areas"][thief] == {"judge": 1}
    assert purse(game, thief) == (25 - 17, 0)


def test_taking_fills_the_hand() -> None:
    game = play(at_start(hand=("author",)), "play pick_pocket", "take judge")
    assert game.state()["hands"][1] == ["author", "judge"]
    assert game.state()["row1"] == ["judge"]


def test_the_pick_pocket_itself_makes_room_on_the_hand() -> None:
    game = play(at_start(hand=("author", "author")), "play pick_pocket")
    assert "take judge" in texts(game)


def test_a_purple_card_can_only_be_taken() -> None:
    game = play(at_start(row2=["jester"], piles={"noble": []}), "play pick_pocket")
    assert texts(game) == {"take jester row 2"}


def test_a_hand_card_cannot_be_played_with_it() -> None:
    game = play(at_start(hand=("author",)), "play pick_pocket")
    assert "play author" not in texts(game)


def test_an_exchange_card_can_be_laid() -> None:
    game = at_start("exchange", areas=[[], ["ship_builder:sack"]])
    play(game, "play pick_pocket", "buy wharf onto ship_builder:sack")
    assert game.state()["areas"][1] == {"wharf": 1}


def test_a_question_mark_gets_its_tile_before_the_phase_goes_on() -> None:
    game = play(at_start(row2=["ship_builder:?"]), "play pick_pocket", "buy ship_builder:? row 2")
    assert (game.due, game.to_move) == ("good", 1)
    assert goods(play(game, "good fish"), 1) == {"fish": 1}
    assert (game.due, game.to_move) == ("turn", 0)


@pytest.mark.parametrize("thief", [0, 1, 2])
def test_then_the_phase_goes_on_as_usual(thief: int) -> None:
    game = play(at_start(thief=thief), "play pick_pocket", "take judge")
    assert (game.due, game.to_move, game.phase, game.state()["passes"]) == ("turn", 0, "noble", 0)
    assert [play(game, "pass").to_move for _ in range(2)] == [1, 2]
    assert passes(game, 1).phase == "exchange"
    assert (game.due, game.to_move) == ("turn", 0)


def test_the_holder_still_has_his_own_turn() -> None:
    game = play(at_start(), "play pick_pocket", "take judge", "pass")
    assert (game.to_move, game.due) == (1, "turn")
    assert "play judge" in texts(game)


def test_it_can_be_taken_back() -> None:
    undoing(at_start(), "play pick_pocket", "buy author row 2", "pass", "pass", "take judge")
    undoing(at_start(), "pass", "pass", "take judge")


# who sees the question
def unseen(**position: Any) -> Game:
    return at_start(hand=("author",), hands_seen=[[], [False, True], []], **position)


@pytest.mark.parametrize("viewer", [0, 1, 2, None])
def test_a_pick_pocket_that_all_have_seen_is_asked_openly(viewer: int | None) -> None:
    view = at_start().view(viewer)
    assert (view.due, view.to_move) == ("pick_pocket", 1)
    assert bool(view.legal) == (viewer == 1)


@pytest.mark.parametrize("viewer", [0, 2, None])
def test_drawn_unseen_the_question_is_nobody_else_s_business(viewer: int | None) -> None:
    game = unseen()
    view = game.view(viewer)
    assert (game.due, view.due, view.to_move) == ("pick_pocket", "turn", 0)
    assert b"pick_pocket" not in view.to_bytes()
    play(game, "pass")
    assert game.view(viewer) == view


def test_its_holder_sees_the_question() -> None:
    view = unseen().view(1)
    assert (view.due, view.to_move, set(view.legal)) == ("pick_pocket", 1, {"play pick_pocket", "pass"})


@pytest.mark.parametrize("viewer", [0, 2, None])
def test_with_open_hands_all_see_it(viewer: int | None) -> None:
    assert unseen(options={"open_hands": True}).view(viewer).due == "pick_pocket"


@pytest.mark.parametrize("viewer", [0, 1, 2, None])
def test_once_it_is_played_all_see_who_picks(viewer: int | None) -> None:
    view = play(unseen(), "play pick_pocket").view(viewer)
    assert (view.due, view.to_move, view.out) == ("pick", 1, ("pick_pocket",))


@pytest.mark.parametrize("viewer", [0, 1, 2])
def test_views_of_the_question_can_be_dealt_again(viewer: int) -> None:
    for game in (at_start(piles={}), unseen(piles={}), play(unseen(piles={}), "play pick_pocket")):
        assert redeal(game.view(viewer), seed=4).view(viewer) == game.view(viewer)
