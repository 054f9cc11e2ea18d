"""Section 4: what a player can do in a turn."""

from __future__ import annotations

from typing import Any

import pytest

from nevsky import NevskyError
from tests.rules.table import EDITIONS, PHASES, arrange, at, legal, onto, passes, play, price, scoring, texts

every_edition = pytest.mark.parametrize("edition", EDITIONS)


def test_the_actions_of_a_turn_are_buying_taking_playing_and_passing() -> None:
    game = arrange(row1=["shepherd", "shepherd"], row2=["pub"], hands=[["author"]])
    assert texts(game) == {
        "buy shepherd",
        "take shepherd",
        "buy pub row 2",
        "take pub row 2",
        "play author",
        "pass",
    }


# 4.1
@every_edition
@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("card", ["shepherd", "market", "author"])
@pytest.mark.parametrize(("place", "words"), [("row1", ""), ("row2", " row 2")])
def test_a_card_of_either_row_and_any_colour_is_bought_in_any_phase(
    edition: str, phase: str, card: str, place: str, words: str
) -> None:
    game = play(arrange(edition, phase=phase, **at(place, card)), f"buy {card}{words}")
    state = game.state()
    assert state["areas"] == [{card: 1}, {}]
    assert state["hands"] == [[], []]
    assert state[place] == []


@pytest.mark.parametrize("phase", PHASES)
def test_an_exchange_card_is_bought_in_any_phase(phase: str) -> None:
    game = play(arrange(phase=phase, row1=["wharf"], areas=[["ship_builder"]]), "buy wharf onto ship_builder")
    assert game.state()["areas"][0] == {"wharf": 1}


def test_the_buyer_pays_the_owner_price_and_nobody_else_does() -> None:
    game = play(arrange(row1=["shepherd"]), "buy shepherd")
    assert game.state()["rubles"] == [20, 25]


def test_a_card_that_is_not_on_display_cannot_be_bought() -> None:
    game = arrange(row1=["shepherd"], row2=["pub"])
    for action in ("buy shepherd row 2", "buy pub", "buy author", "take pub", "take author row 2"):
        with pytest.raises(NevskyError):
            game.push(action)


# 4.2
@pytest.mark.parametrize(("place", "words"), [("row1", ""), ("row2", " row 2")])
@pytest.mark.parametrize("rubles", [0, 25])
def test_a_card_is_taken_into_the_hand_free_of_charge(place: str, words: str, rubles: int) -> None:
    game = play(arrange(rubles=rubles, **at(place, "academy")), f"take academy{words}")
    state = game.state()
    assert state["hands"] == [["academy"], []]
    assert state["areas"] == [{}, {}]
    assert state["rubles"] == [rubles, rubles]
    assert state[place] == []


@every_edition
@pytest.mark.parametrize("cards", [0, 1, 2])
def test_with_fewer_than_three_cards_on_the_hand_one_can_take(edition: str, cards: int) -> None:
    game = arrange(edition, row1=["shepherd"], hands=[["author"] * cards])
    assert legal(game, "take") == {"take shepherd"}


@every_edition
def test_the_hand_limit_is_three(edition: str) -> None:
    game = arrange(edition, row1=["shepherd"], row2=["pub"], hands=[["author", "judge", "pub"]])
    assert legal(game, "take") == set()
    assert legal(game, "buy") == {"buy shepherd", "buy pub row 2"}


def test_the_hand_limit_is_each_player_s_own() -> None:
    game = arrange(row1=["shepherd"], hands=[["author"] * 3])
    assert legal(passes(game, 1), "take") == {"take shepherd"}


def test_a_full_hand_has_room_again_after_playing() -> None:
    game = arrange(row1=["shepherd"], hands=[["author"] * 3])
    play(game, "play author", "pass")
    assert "take shepherd" in texts(game)


def test_the_row_2_reduction_is_lost_by_taking() -> None:
    game = arrange(row2=["theater"])
    assert price(game, "buy theater row 2") == 19
    play(game, "take theater row 2", "pass")
    assert price(game, "play theater") == 20


def test_a_card_on_the_hand_cannot_be_put_back_or_thrown_away() -> None:
    game = arrange(hands=[["author"]], rubles=0)
    assert texts(game) == {"pass"}


# 4.3
@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("card", ["shepherd", "market", "author"])
def test_a_card_is_played_from_the_hand_in_any_phase(phase: str, card: str) -> None:
    game = play(arrange(phase=phase, hands=[[card, "pub"]]), f"play {card}")
    state = game.state()
    assert state["areas"] == [{card: 1}, {}]
    assert state["hands"] == [["pub"], []]


def test_every_card_on_the_hand_can_be_played() -> None:
    game = arrange(hands=[["author", "shepherd", "wharf"]], areas=[["ship_builder"]])
    assert legal(game, "play") == {"play author", "play shepherd", "play wharf onto ship_builder"}


def test_equal_cards_are_one_action() -> None:
    game = arrange(row1=["author", "pub", "author"], row2=["author", "author"], hands=[["author", "author"]])
    assert sorted(action.text for action in game.legal_actions) == [
        "buy author",
        "buy author row 2",
        "buy pub",
        "pass",
        "play author",
        "take author",
        "take author row 2",
        "take pub",
    ]


def test_playing_costs_the_owner_price() -> None:
    assert price(arrange(hands=[["hospital"]]), "play hospital") == 14


def test_an_exchange_card_is_played_from_the_hand() -> None:
    game = arrange(hands=[["wharf"]], areas=[["ship_builder"]])
    assert price(game, "play wharf onto ship_builder") == 5
    play(game, "play wharf onto ship_builder")
    assert game.state()["areas"][0] == {"wharf": 1}
    assert game.state()["hands"][0] == []


def test_a_card_taken_in_this_phase_may_be_played_in_it() -> None:
    game = play(arrange(row1=["lumberjack"]), "take lumberjack", "pass", "play lumberjack")
    assert (game.round, game.phase) == (2, "worker")
    assert game.state()["areas"][0] == {"lumberjack": 1}


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("card", ["author", "shepherd", "market"])
@pytest.mark.parametrize("seen", [[True] * 3, [False] * 3, [False, True, False], [True, False, True]])
def test_the_card_played_leaves_the_hand_and_the_others_stay(seat: int, card: str, seen: list[bool]) -> None:
    hand = ["author", "shepherd", "market"]
    hands = [hand if other == seat else [] for other in range(2)]
    flags = [seen if other == seat else [] for other in range(2)]
    game = play(arrange(to_move=seat, hands=hands, hands_seen=flags), f"play {card}")
    left = [(other, flag) for other, flag in zip(hand, seen, strict=True) if other != card]
    assert game.state()["hands"][seat] == [other for other, _ in left]
    assert game.state()["hands_seen"][seat] == [flag for _, flag in left]


def test_equal_cards_on_the_hand_are_played_one_at_a_time() -> None:
    game = play(arrange(hands=[["author", "author"]]), "play author")
    assert game.state()["hands"][0] == ["author"]


def test_nobody_plays_another_player_s_cards() -> None:
    game = arrange(hands=[[], ["author"]])
    assert "play author" not in texts(game)


def test_a_card_taken_cannot_be_bought_by_others() -> None:
    game = play(arrange(row1=["author"]), "take author")
    assert texts(game) == {"pass"}


# 4.4
def test_passing_changes_nothing_but_the_turn() -> None:
    game = arrange(players=3, row1=["shepherd"], row2=["pub"], hands=[["author"]], areas=[["market"]])
    before = game.state()
    after = passes(game, 1).state()
    assert after == {**before, "to_move": 1, "passes": 1}


@pytest.mark.parametrize("phase", PHASES)
def test_one_can_always_pass(phase: str) -> None:
    assert "pass" in texts(arrange(phase=phase, row1=["shepherd"], hands=[["author"]]))


# 4.6
@pytest.mark.parametrize("card", ["fur_shop", "bank", "senator"])
def test_an_exchange_card_without_a_card_to_replace_can_only_be_taken(card: str) -> None:
    game = arrange(row1=[card], areas=[["ship_builder"]] if card == "fur_shop" else [])
    assert texts(game) == {f"take {card}", "pass"}


@pytest.mark.parametrize("card", ["fur_shop", "bank", "senator"])
def test_an_exchange_card_is_never_laid_beside_other_cards(card: str) -> None:
    game = arrange(row1=[card], areas=[["fur_trapper", "market", "author"]])
    assert len(onto(game, card)) == 1
    with pytest.raises(NevskyError):
        game.push(f"buy {card}")


def test_an_exchange_card_on_the_hand_waits_for_a_card_to_replace() -> None:
    game = arrange(row1=["fur_trapper"], hands=[["fur_shop"]])
    assert legal(game, "play") == set()
    play(game, "buy fur_trapper", "pass")
    assert legal(game, "play") == {"play fur_shop onto fur_trapper"}


def test_an_exchange_card_never_replaces_another_player_s_card() -> None:
    game = arrange(row1=["fur_shop"], areas=[[], ["fur_trapper"]])
    assert onto(game, "fur_shop") == set()
    assert onto(passes(game, 1), "fur_shop") == {"fur_trapper"}


# 4.7
@pytest.mark.parametrize(
    ("position", "action", "cost"),
    [
        ({"row1": ["hospital"]}, "buy hospital", 14),
        ({"row2": ["hospital"]}, "buy hospital row 2", 13),
        ({"hands": [["hospital"]]}, "play hospital", 14),
        ({"row1": ["bank"], "areas": [["market"]]}, "buy bank onto market", 8),
        ({"row1": ["pub"]}, "buy pub", 1),
    ],
)
def test_a_player_must_be_able_to_pay_in_full(position: dict[str, Any], action: str, cost: int) -> None:
    assert action not in texts(arrange(rubles=cost - 1, **position))
    enough = arrange(rubles=cost, **position)
    assert action in texts(enough)
    assert play(enough, action).state()["rubles"][0] == 0


def test_only_the_dearer_card_below_can_be_paid_for() -> None:
    game = arrange(row1=["winter_palace"], areas=[["market", "theater"]], rubles=13)
    assert onto(game, "winter_palace") == {"theater"}


def test_income_that_is_still_to_come_does_not_pay() -> None:
    game = arrange(phase="worker", row1=["lumberjack"], areas=[["shepherd"]], rubles=2)
    assert legal(game, "buy") == set()
    assert scoring(game)[0] == (3, 0)
