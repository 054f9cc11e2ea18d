"""Rules 11.4 and D16: who may use an event and when, and the events Gift and Storeroom."""

from __future__ import annotations

from typing import Any

import pytest

from nevsky import Game, NevskyError, Ruleset
from tests.modules.arranged import PHASES, arrange, take_back
from tests.rules.table import legal, pass_until, passes, play, texts

ALL_EVENTS = {
    "event second_card",
    "event gift",
    "event swap",
    "event fresh_cards",
    "event storeroom",
    "event scavenger",
}


def everything(**position: Any) -> Game:
    """A worker phase in which all six events can be used."""
    return arrange(4, row1=["shepherd"], discard=["author"], **position)


# when
def test_all_six_lie_open_from_the_start() -> None:
    game = Game(Ruleset("second", 2, market=True, modules=(4,)), seed=1)
    assert {f"event {event}" for event in game.view(None).table["events_left"]} == ALL_EVENTS


def test_from_round_2_on_there_is_the_choice_of_all() -> None:
    assert legal(everything(), "event") == ALL_EVENTS


def test_not_in_round_1() -> None:
    assert legal(everything(round=1, phase="market"), "event") == set()


def test_round_2_brings_them_in_the_course_of_a_game() -> None:
    game = arrange(4, round=1, phase="exchange")
    assert legal(game, "event") == set()
    assert "event gift" in legal(passes(game), "event")


@pytest.mark.parametrize("phase", PHASES)
def test_in_every_phase(phase: str) -> None:
    assert "event gift" in texts(arrange(4, phase=phase))


def test_only_with_the_module() -> None:
    assert legal(arrange(5, row1=["shepherd"], discard=["author"]), "event") == set()


def test_it_comes_before_the_regular_action_of_the_same_turn() -> None:
    game = play(everything(), "event gift")
    assert (game.to_move, game.due) == (0, "turn")
    assert {"buy shepherd", "take shepherd", "pass"} <= texts(game)
    assert play(game, "buy shepherd").to_move == 1


def test_one_event_in_a_turn() -> None:
    assert legal(play(everything(), "event gift"), "event") == set()


def test_one_event_for_each_player_in_the_whole_game() -> None:
    game = play(everything(), "event gift", "pass", "pass")
    assert game.to_move == 0
    assert legal(game, "event") == set()
    pass_until(game, "worker")
    while game.to_move != 0:
        game.push("pass")
    assert game.round == 3
    assert legal(game, "event") == set()


def test_each_event_once_in_the_game() -> None:
    assert legal(play(everything(), "event gift", "pass"), "event") == ALL_EVENTS - {"event gift"}


def test_who_has_used_which_is_known_to_all() -> None:
    table = play(everything(), "event storeroom").view(None).table
    assert "storeroom" not in table["events_left"]
    assert table["events_used"] == [True, False]
    assert table["storeroom"] == 0


def test_all_five_players_may_use_one() -> None:
    game = arrange(4, players=5, row1=["shepherd"], discard=["author"])
    for event in ("gift", "storeroom", "swap", "fresh_cards"):
        play(game, f"event {event}")
        play(game, *(["discard shepherd"] if event == "swap" else []), "pass")
    assert game.to_move == 4
    assert legal(game, "event") == {"event second_card", "event scavenger"}


def test_an_event_breaks_the_chain_of_passes() -> None:
    game = play(everything(passes=1, to_move=1), "event gift")
    assert game.state()["passes"] == 0
    play(game, "pass")
    assert (game.phase, game.state()["passes"], game.to_move) == ("worker", 1, 0)


def test_an_event_is_not_a_regular_action_of_a_double_turn() -> None:
    game = play(arrange(1, 4, row1=["shepherd"], hands=[["double_turn"]]), "play double_turn")
    assert legal(game, "event") == set()
    play(game, "take shepherd")
    assert game.to_move == 0
    assert legal(game, "event") == set()


def test_a_double_turn_may_be_the_regular_action_after_an_event() -> None:
    game = arrange(1, 4, row1=["shepherd"], row2=["author"], hands=[["double_turn"]])
    play(game, "event gift", "play double_turn", "take shepherd", "take author row 2")
    assert game.state()["hands"][0] == ["shepherd", "author"]
    assert game.to_move == 1


def test_a_used_event_is_refused_and_changes_nothing() -> None:
    game = play(everything(), "event gift", "pass")
    before = game.state()
    with pytest.raises(NevskyError):
        game.push("event gift")
    assert game.state() == before


# b. Gift
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_gift_brings_6_rubles_and_everybody_else_2(players: int) -> None:
    game = play(arrange(4, players=players, rubles=[1, 2, 3, 4, 5][:players]), "event gift")
    assert game.state()["rubles"] == [7, 4, 5, 6, 7][:players]


def test_gift_pays_the_user_whoever_that_is() -> None:
    assert play(arrange(4, players=3, to_move=2, rubles=0), "event gift").state()["rubles"] == [2, 2, 6]


def test_gift_can_pay_for_the_regular_action() -> None:
    game = play(arrange(4, row1=["fur_trapper"], rubles=0), "event gift")
    assert "buy fur_trapper" in texts(game)


# e. Storeroom
def test_storeroom_makes_the_own_hand_one_larger() -> None:
    game = arrange(4, hands=[["author"] * 3, ["judge", "bank", "pub"]], row1=["shepherd", "shepherd"])
    assert "take shepherd" not in texts(game)
    play(game, "event storeroom", "take shepherd")
    assert game.state()["hands"][0] == ["author", "author", "author", "shepherd"]
    assert "take shepherd" not in texts(game)
    assert "take shepherd" not in texts(play(game, "pass"))


def test_storeroom_and_warehouse_make_five() -> None:
    game = arrange(4, areas=[["warehouse"]], hands=[["author"] * 4], row1=["shepherd"])
    play(game, "event storeroom", "take shepherd")
    assert [player.hand_limit for player in game.view(0).players] == [5, 3]


def test_storeroom_holds_for_the_rest_of_the_game() -> None:
    game = play(arrange(4), "event storeroom")
    pass_until(game, "worker")
    assert game.round == 3
    assert [player.hand_limit for player in game.view(1).players] == [4, 3]


def test_storeroom_is_not_a_blue_card() -> None:
    state = play(arrange(4), "event storeroom").state()
    assert state["areas"] == [{}, {}]
    assert "warehouse" in state["piles"]["building"]


# the end of the game (8.1)
@pytest.mark.parametrize(
    ("event", "then"),
    [("second_card", ["take wharf", "take bank"]), ("swap", ["discard bank"]), ("fresh_cards", [])],
)
def test_an_event_that_takes_the_last_card_makes_this_round_the_last(event: str, then: list[str]) -> None:
    pile = ["wharf", "weaving_mill"] if event == "fresh_cards" else ["wharf"]
    game = arrange(4, phase="exchange", row1=["bank"], piles={"exchange": pile})
    assert not game.state()["last_round"]
    play(game, f"event {event}")
    play(game, *then)
    assert game.state()["last_round"]
    assert passes(game).over


def test_an_event_that_leaves_a_card_does_not() -> None:
    game = arrange(4, phase="exchange", row1=["bank"], piles={"exchange": ["wharf", "harbor"]})
    assert not play(game, "event swap", "discard bank").state()["last_round"]
    assert not passes(game).over
    assert game.round == 3


def test_scavenger_gift_and_storeroom_need_no_pile() -> None:
    game = arrange(4, discard=["shepherd"], row1=["author"], piles={"worker": []})
    assert legal(game, "event") == {"event gift", "event storeroom", "event scavenger"}


# taking back
@pytest.mark.parametrize(
    "actions",
    [
        ["event gift", "pass", "event storeroom", "pass"],
        ["event swap", "discard shepherd", "pass"],
        ["event fresh_cards", "pass", "event swap", "discard shepherd"],
        ["event scavenger", "buy author drawn", "buy shepherd"],
        ["event second_card", "take lumberjack", "buy shepherd", "pass"],
    ],
)
def test_events_can_be_taken_back(actions: list[str]) -> None:
    take_back(everything(), *actions)


def test_what_an_event_forces_is_made_and_taken_back_with_it() -> None:
    """D1: the Scavenger leaves one choice here."""
    game = everything(auto=True)
    before = game.state()
    play(game, "event scavenger")
    assert game.state()["areas"][0] == {"author": 1}
    assert [auto for _, auto in game.moves] == [False, True]
    game.undo()
    assert game.state() == before


def test_an_event_that_does_not_exist_is_refused() -> None:
    with pytest.raises(NevskyError):
        everything().push("event revolution")
