"""Rules 11.4 a and D19: the event Second Card."""

from __future__ import annotations

from typing import Any

import pytest

from nevsky import Game
from tests.modules.arranged import arrange, scores, take_back
from tests.rules.table import play, texts


def second(**position: Any) -> Game:
    """A noble phase with the judge on the first space of row 1 and a controller on top of the pile."""
    return arrange(
        4,
        **{
            "phase": "noble",
            "row1": ["judge", "author"],
            "row2": ["shepherd"],
            "piles": {"noble": ["controller", "secretary"]},
            "rubles": 40,
            **position,
        },
    )


def used(**position: Any) -> Game:
    return play(second(**position), "event second_card")


def open_to(game: Game) -> bool:
    return "event second_card" in texts(game)


# laying
def test_a_card_of_the_current_pile_is_laid_on_the_first_space() -> None:
    game = used()
    assert (game.due, game.to_move) == ("second", 0)
    assert game.state()["row1"] == ["controller", "judge", "author"]
    assert game.state()["piles"]["noble"] == ["secretary"]


def test_each_of_the_two_must_be_bought_or_taken() -> None:
    assert texts(used()) == {"buy controller", "take controller", "buy judge", "take judge"}


def test_it_needs_no_room_on_the_display() -> None:
    row1 = ["judge"] + ["author"] * 5
    game = used(row1=row1, row2=["administrator"] * 4)
    assert game.state()["row1"] == ["controller", *row1]


@pytest.mark.parametrize(
    ("choices", "area", "hand", "rubles"),
    [
        (["buy controller", "buy judge"], {"controller": 1, "judge": 1}, [], 9),
        (["buy judge", "buy controller"], {"controller": 1, "judge": 1}, [], 9),
        (["buy controller", "take judge"], {"controller": 1}, ["judge"], 26),
        (["take controller", "buy judge"], {"judge": 1}, ["controller"], 23),
        (["take judge", "take controller"], {}, ["judge", "controller"], 40),
        (["take controller", "take judge"], {}, ["controller", "judge"], 40),
    ],
)
def test_any_mix_in_any_order(choices: list[str], area: dict[str, int], hand: list[str], rubles: int) -> None:
    game = play(used(), choices[0])
    assert (game.due, game.to_move) == ("second", 0)
    play(game, choices[1])
    state = game.state()
    assert (state["areas"][0], state["hands"][0], state["rubles"][0]) == (area, hand, rubles)
    assert state["row1"] == ["author"]


def test_only_the_other_one_is_left_to_decide_about() -> None:
    assert texts(play(used(), "take judge")) == {"buy controller", "take controller"}
    assert texts(play(used(), "take controller")) == {"buy judge", "take judge"}


def test_then_comes_the_regular_action() -> None:
    game = play(used(), "buy controller", "take judge")
    assert (game.due, game.to_move) == ("turn", 0)
    assert play(game, "buy author").to_move == 1


def test_two_equal_cards_are_one_choice() -> None:
    game = used(row1=["controller", "author"])
    assert texts(game) == {"buy controller", "take controller"}
    play(game, "buy controller")
    assert texts(game) == {"buy controller", "take controller"}
    play(game, "buy controller")
    assert game.state()["areas"][0] == {"controller": 2}
    assert scores(game) == (40 - 14 - 13, 0)


def test_an_equal_card_further_right_stays() -> None:
    game = play(used(row1=["judge", "author", "judge"]), "take judge", "take controller")
    assert game.state()["row1"] == ["author", "judge"]


# what can neither be bought nor taken
def test_one_that_can_only_be_bought_is_not_discarded() -> None:
    game = used(hands=[["author"] * 3], rubles=14)
    assert texts(game) == {"buy controller"}
    play(game, "buy controller")
    assert texts(game) == {"discard judge"}
    play(game, "discard judge")
    assert game.state()["discard"] == ["judge"]
    assert (game.due, game.to_move) == ("turn", 0)


def test_with_room_for_one_the_player_chooses_which_to_take() -> None:
    game = used(hands=[["author"] * 2], rubles=0)
    assert texts(game) == {"take controller", "take judge"}
    play(game, "take judge")
    assert texts(game) == {"discard controller"}


def test_if_both_must_go_the_player_chooses_the_order() -> None:
    game = used(hands=[["author"] * 3], rubles=0)
    assert texts(game) == {"discard controller", "discard judge"}
    play(game, "discard judge")
    assert texts(game) == {"discard controller"}
    play(game, "discard controller")
    assert game.state()["discard"] == ["judge", "controller"]
    assert game.state()["row1"] == ["author"]


def test_what_the_first_purchase_makes_too_dear_is_taken_or_goes() -> None:
    full = play(used(hands=[["author"] * 3], rubles=30), "buy judge")
    assert texts(full) == {"discard controller"}
    room = play(used(hands=[["author"] * 2], rubles=30), "buy judge")
    assert texts(room) == {"take controller"}


def test_a_special_offer_that_must_go_is_out_of_the_game() -> None:
    game = arrange(
        4,
        phase="market",
        row1=["hen"],
        piles={"market": ["fish_special", "chick"]},
        rubles=0,
        hands=[["author"] * 3],
    )
    play(game, "event second_card", "discard fish_special", "discard hen")
    assert (game.state()["discard"], game.state()["out"]) == (["hen"], ["fish_special"])


def test_a_card_bought_first_can_be_replaced_by_the_second() -> None:
    game = arrange(4, phase="exchange", row1=["ship_builder:fish"], piles={"exchange": ["wharf", "bank"]})
    play(game, "event second_card")
    assert texts(game) == {"take wharf", "buy ship_builder:fish", "take ship_builder:fish"}
    play(game, "buy ship_builder:fish", "buy wharf onto ship_builder:fish")
    assert game.state()["areas"][0] == {"wharf": 1}


def test_a_card_that_gets_a_tile_gets_it_before_the_second_card() -> None:
    game = arrange(4, row1=["ship_builder:?"], piles={"worker": ["shepherd", "shepherd"]})
    play(game, "event second_card", "buy ship_builder:?")
    assert game.due == "good"
    play(game, "good apple")
    assert game.due == "second"
    assert texts(game) == {"buy shepherd", "take shepherd"}


def test_a_purple_card_can_only_be_taken() -> None:
    game = arrange(
        1, 4, phase="exchange", row1=["golden_donkey"], piles={"exchange": ["jester", "bank"]}, hands=[["author"] * 2]
    )
    play(game, "event second_card")
    assert texts(game) == {"take golden_donkey", "take jester"}
    play(game, "take jester")
    assert texts(game) == {"discard golden_donkey"}


# the first space
def test_it_is_empty_once_its_card_is_gone() -> None:
    assert not open_to(play(second(), "take judge"))
    assert not open_to(play(second(), "buy judge"))


def test_taking_another_card_leaves_it() -> None:
    assert open_to(play(second(), "take author"))
    assert open_to(play(second(), "take shepherd row 2"))


def test_of_equal_cards_the_leftmost_is_taken() -> None:
    assert not open_to(play(second(row1=["judge", "judge"]), "take judge"))


def test_an_empty_space_stays_empty_until_the_next_refill() -> None:
    game = play(second(), "take judge", "pass")
    assert not open_to(game)
    play(game, "pass")
    assert game.phase == "exchange"
    assert open_to(game)


def test_no_card_in_row_1_no_second_card() -> None:
    assert not open_to(second(row1=[]))


def test_a_card_that_was_not_added_now_lies_there_too() -> None:
    """A display that is full gets no new cards: the leftmost old card is on the first space (3.2)."""
    lying = ["judge", "author", "author", "author", "author"]
    game = play(second(row1=lying, row2=["administrator"] * 5), "take author", "pass", "pass")
    assert game.phase == "exchange"
    assert open_to(game)


def test_not_with_an_empty_pile() -> None:
    assert not open_to(second(piles={"noble": []}))
    assert open_to(second(piles={"building": []}))


def test_swap_lays_a_card_on_the_first_space() -> None:
    game = play(second(), "take judge")
    assert not open_to(game)
    play(game, "event swap", "discard author", "pass")
    assert game.to_move == 0
    assert open_to(game)


def test_so_do_fresh_cards() -> None:
    game = play(
        second(piles={"noble": ["controller", "secretary", "judge"]}), "take judge", "event fresh_cards", "pass"
    )
    assert open_to(game)
    assert play(game, "event second_card").state()["row1"] == ["judge", "controller", "secretary", "author"]


def test_swapping_the_first_card_away_puts_the_new_one_there() -> None:
    game = play(second(), "event swap", "discard judge", "pass")
    assert open_to(game)
    assert play(game, "event second_card").state()["row1"] == ["secretary", "controller", "author"]


# and more
def test_all_see_both_cards() -> None:
    view = used().view(1)
    assert (view.due, view.to_move) == ("second", 0)
    assert view.row1[:2] == ("controller", "judge")
    assert view.legal == ()


def test_it_breaks_the_chain_of_passes() -> None:
    game = play(second(passes=1, to_move=1), "event second_card", "take judge", "take controller", "pass")
    assert (game.phase, game.state()["passes"]) == ("noble", 1)


@pytest.mark.parametrize("choices", [["buy judge", "take controller"], ["take controller", "take judge"]])
def test_it_can_be_taken_back(choices: list[str]) -> None:
    take_back(second(), "event second_card", *choices, "pass")
