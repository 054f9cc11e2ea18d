"""Rule 11.4: who may use an event and when, and the events Gift, Swap, Fresh Cards, Storeroom and Scavenger (D16)."""

from __future__ import annotations

import pytest

from nevsky import Game, NevskyError, Ruleset
from tests.modules.arranged import PHASES, arrange, scores, take_back
from tests.rules.table import legal, pass_until, passes, play, price, texts

ALL_EVENTS = {
    "event second_card",
    "event gift",
    "event swap",
    "event fresh_cards",
    "event storeroom",
    "event scavenger",
}


def everything(**position: object) -> Game:
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


# c. Swap
def swap(**position: object) -> Game:
    return arrange(
        4,
        **{
            "phase": "noble",
            "row1": ["judge", "author", "author"],
            "row2": ["author", "shepherd"],
            "piles": {"noble": ["controller", "secretary"]},
            **position,
        },
    )


def test_swap_discards_any_card_of_either_row() -> None:
    game = play(swap(), "event swap")
    assert (game.due, game.to_move) == ("swap", 0)
    assert texts(game) == {"discard judge", "discard author", "discard author row 2", "discard shepherd row 2"}


def test_swap_adds_a_card_of_the_current_pile_at_the_left_of_row_1() -> None:
    state = play(swap(), "event swap", "discard author").state()
    assert state["row1"] == ["controller", "judge", "author"]
    assert state["row2"] == ["author", "shepherd"]
    assert state["discard"] == ["author"]
    assert state["piles"]["noble"] == ["secretary"]


def test_swap_of_a_card_of_row_2_fills_row_1() -> None:
    state = play(swap(discard=["pub"]), "event swap", "discard shepherd row 2").state()
    assert state["row1"] == ["controller", "judge", "author", "author"]
    assert state["row2"] == ["author"]
    assert state["discard"] == ["pub", "shepherd"]


def test_then_comes_the_regular_action() -> None:
    game = play(swap(), "event swap", "discard judge")
    assert (game.due, game.to_move) == ("turn", 0)
    assert play(game, "buy controller").state()["areas"][0] == {"controller": 1}


def test_a_swapped_special_offer_is_out_of_the_game() -> None:
    state = play(swap(row1=["fish_special"]), "event swap", "discard fish_special").state()
    assert (state["discard"], state["out"]) == ([], ["fish_special"])


def test_no_swap_with_an_empty_pile() -> None:
    assert "event swap" not in texts(swap(piles={"noble": []}))
    assert "event swap" in texts(swap(piles={"worker": []}))


def test_no_swap_of_nothing() -> None:
    assert "event swap" not in texts(swap(row1=[], row2=[]))


def test_swap_is_possible_with_a_full_display() -> None:
    full = ["author"] * 5 + ["administrator"] * 5
    assert len(play(swap(row1=full, row2=[]), "event swap", "discard author").state()["row1"]) == 10


# d. Fresh Cards
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_fresh_cards_are_as_many_as_there_are_players(players: int) -> None:
    pile = ["judge", "controller", "secretary", "mistress_of_ceremonies", "author", "author"]
    game = arrange(4, players=players, phase="noble", row1=["shepherd"], row2=["bank"], piles={"noble": pile})
    state = play(game, "event fresh_cards").state()
    assert state["row1"] == [*pile[:players], "shepherd"]
    assert state["row2"] == ["bank"]
    assert state["piles"]["noble"] == pile[players:]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_fresh_cards_need_that_much_room(players: int) -> None:
    lying = ["author"] * 4 + ["administrator"] * 4

    def shown(number: int) -> set[str]:
        row2, row1 = lying[: number // 2], lying[number // 2 : number]
        return texts(arrange(4, players=players, row1=row1, row2=row2))

    assert "event fresh_cards" in shown(10 - players)
    if players > 2:
        assert "event fresh_cards" not in shown(11 - players)
    else:
        assert "event fresh_cards" not in texts(arrange(4, row1=lying, row2=["judge"]))


def test_of_a_smaller_pile_what_there_is() -> None:
    state = play(arrange(4, players=4, row1=["bank"], piles={"worker": ["shepherd"] * 2}), "event fresh_cards").state()
    assert state["row1"] == ["shepherd", "shepherd", "bank"]


def test_no_fresh_cards_from_an_empty_pile() -> None:
    assert "event fresh_cards" not in texts(arrange(4, piles={"worker": []}))


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


# f. Scavenger
def test_scavenger_buys_the_top_card_of_the_discard_pile_at_once() -> None:
    game = play(arrange(4, discard=["author", "judge", "shepherd"], rubles=20), "event scavenger")
    assert (game.due, game.to_move) == ("scavenge", 0)
    assert texts(game) == {"buy shepherd drawn"}
    play(game, "buy shepherd drawn")
    assert game.state()["discard"] == ["author", "judge"]
    assert game.state()["areas"][0] == {"shepherd": 1}
    assert scores(game) == (15, 0)
    assert (game.due, game.to_move) == ("turn", 0)


def test_scavenger_pays_the_owner_price_without_the_reduction_of_row_2() -> None:
    game = arrange(4, discard=["shepherd"], areas=[["shepherd", "shepherd"]])
    assert price(play(game, "event scavenger"), "buy shepherd drawn") == 3


def test_scavenger_lays_an_exchange_card_onto_another() -> None:
    game = arrange(4, discard=["wharf"], areas=[["ship_builder:fish", "ship_builder:apple", "shepherd"]])
    play(game, "event scavenger")
    assert texts(game) == {"buy wharf drawn onto ship_builder:fish", "buy wharf drawn onto ship_builder:apple"}
    play(game, "buy wharf drawn onto ship_builder:fish")
    assert game.state()["discard"] == ["ship_builder:fish"]
    assert scores(game) == (20, 0)


@pytest.mark.parametrize(("rubles", "possible"), [(5, True), (4, False)])
def test_only_if_the_card_can_be_paid(rubles: int, possible: bool) -> None:
    assert ("event scavenger" in texts(arrange(4, discard=["shepherd"], rubles=rubles))) == possible


def test_only_if_there_is_a_card_to_replace() -> None:
    assert "event scavenger" not in texts(arrange(4, discard=["shepherd", "wharf"], areas=[["shepherd"]]))


def test_only_if_there_is_a_discard_pile() -> None:
    assert "event scavenger" not in texts(arrange(4))


def test_never_a_purple_card() -> None:
    assert "event scavenger" not in texts(arrange(1, 4, discard=["shepherd", "golden_donkey"]))


def test_scavenged_symbol_cards_get_their_tile_at_once() -> None:
    game = play(arrange(4, discard=["ship_builder:?"]), "event scavenger", "buy ship_builder:? drawn")
    assert (game.due, game.to_move) == ("good", 0)
    play(game, "good fish")
    assert (game.due, game.to_move) == ("turn", 0)
    assert game.state()["goods"][0]["fish"] == 1


# the end of the game (8.1)
@pytest.mark.parametrize(
    ("event", "then"),
    [("second_card", ["take wharf", "take bank"]), ("swap", ["discard bank"]), ("fresh_cards", [])],
)
def test_an_event_that_takes_the_last_card_makes_this_round_the_last(event: str, then: list[str]) -> None:
    game = arrange(4, phase="exchange", row1=["bank"], piles={"exchange": ["wharf"]})
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
