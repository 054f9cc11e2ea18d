"""Rule 11.4: the events Swap, Fresh Cards and Scavenger (D16)."""

from __future__ import annotations

from typing import Any

import pytest

from nevsky import Game
from tests.modules.arranged import arrange, scores
from tests.rules.table import play, price, texts


# c. Swap
def swap(**position: Any) -> Game:
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


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_fresh_cards_need_a_card_for_each_player(players: int) -> None:  # D31
    def usable(cards: int) -> bool:
        game = arrange(4, players=players, row1=["bank"], piles={"worker": ["shepherd"] * cards})
        return "event fresh_cards" in texts(game)

    assert usable(players)
    assert not usable(players - 1)
    assert not usable(0)


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


def test_all_see_what_is_scavenged() -> None:
    view = play(arrange(4, discard=["judge", "shepherd"]), "event scavenger").view(1)
    assert (view.due, view.to_move, view.drawn) == ("scavenge", 0, "shepherd")
    assert view.discard == ("judge",)
