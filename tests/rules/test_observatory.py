"""Rule 9.3: the observatory."""

from __future__ import annotations

from typing import Any

import pytest

from nevsky import Game, NevskyError
from tests.rules.table import EDITIONS, arrange, legal, onto, pass_until, passes, play, price, scoring, texts

every_edition = pytest.mark.parametrize("edition", EDITIONS)
ALL_PILES = {"observe worker", "observe building", "observe noble", "observe exchange"}


def tower(edition: str = "second", area: tuple[str, ...] = ("observatory",), **position: Any) -> Game:
    """A building phase in which seat 0 owns an observatory, with the judge on top of the nobles."""
    position["piles"] = {"noble": ["judge", "author", "secretary"], **position.get("piles", {})}
    return arrange(edition, phase="building", areas=[area], **position)


# when, and which piles
@every_edition
def test_in_the_building_phase_it_looks_at_any_pile(edition: str) -> None:
    assert legal(tower(edition), "observe") == ALL_PILES


@pytest.mark.parametrize("phase", ["worker", "noble", "exchange"])
def test_in_no_other_phase(phase: str) -> None:
    assert legal(arrange(phase=phase, areas=[["observatory"]]), "observe") == set()


def test_only_its_owner_uses_it() -> None:
    assert legal(passes(tower(), 1), "observe") == set()


def test_not_from_the_hand() -> None:
    assert legal(arrange(phase="building", hands=[["observatory"]]), "observe") == set()


@pytest.mark.parametrize("pile", ["worker", "building", "noble", "exchange"])
def test_never_the_last_card_of_a_pile(pile: str) -> None:
    one = {"worker": "shepherd", "building": "pub", "noble": "judge", "exchange": "wharf"}[pile]
    assert legal(tower(piles={pile: [one]}), "observe") == ALL_PILES - {f"observe {pile}"}


def test_not_an_empty_pile() -> None:
    assert legal(tower(piles={"exchange": []}), "observe") == ALL_PILES - {"observe exchange"}


def test_a_pile_of_two_cards_will_do_and_does_not_end_the_game() -> None:
    game = play(tower(piles={"noble": ["judge", "author"]}), "observe noble")
    assert game.state()["piles"]["noble"] == ["author"]
    assert not game.state()["last_round"]
    play(game, "discard judge drawn")
    assert not game.state()["last_round"]


def test_if_no_pile_has_two_cards_there_is_no_such_action() -> None:
    piles = {"worker": ["shepherd"], "building": ["pub"], "noble": ["judge"], "exchange": []}
    assert texts(tower(piles=piles)) == {"pass"}


# the card
@every_edition
def test_the_owner_looks_at_the_top_card_and_buys_takes_or_discards_it(edition: str) -> None:
    game = play(tower(edition, row1=["market"], hands=[["pub"]]), "observe noble")
    assert (game.due, game.to_move, game.state()["drawn"]) == ("drawn", 0, "judge")
    assert game.state()["piles"]["noble"] == ["author", "secretary"]
    assert texts(game) == {"buy judge drawn", "take judge drawn", "discard judge drawn"}


@pytest.mark.parametrize("action", ["pass", "observe worker", "buy market", "buy author drawn", "take judge"])
def test_at_once_and_nothing_else(action: str) -> None:
    game = play(tower(row1=["market"]), "observe noble")
    before = game.state()
    with pytest.raises(NevskyError):
        game.push(action)
    assert game.state() == before


@pytest.mark.parametrize(("edition", "cost"), [("first", 16), ("second", 17)])
def test_bought_it_lies_in_the_area(edition: str, cost: int) -> None:
    game = play(tower(edition), "observe noble")
    assert price(game, "buy judge drawn") == cost
    play(game, "buy judge drawn")
    state = game.state()
    assert state["areas"][0] == {"observatory": 1, "judge": 1}
    assert (state["drawn"], state["discard"], state["hands"]) == (None, [], [[], []])


def test_taken_it_is_on_the_hand() -> None:
    state = play(tower(), "observe noble", "take judge drawn").state()
    assert state["hands"] == [["judge"], []]
    assert state["rubles"] == [25, 25]
    assert state["drawn"] is None


def test_discarded_it_lies_on_top_of_the_discard_pile() -> None:
    state = play(tower(discard=["pub"]), "observe noble", "discard judge drawn").state()
    assert state["discard"] == ["pub", "judge"]
    assert state["drawn"] is None


def test_whoever_cannot_pay_cannot_buy_it() -> None:
    game = play(tower(rubles=16), "observe noble")
    assert texts(game) == {"take judge drawn", "discard judge drawn"}
    assert "buy judge drawn" in texts(play(tower(rubles=17), "observe noble"))


def test_whoever_has_no_room_cannot_take_it() -> None:
    game = play(tower(hands=[["pub", "wharf", "wharf"]]), "observe noble")
    assert texts(game) == {"buy judge drawn", "discard judge drawn"}


def test_whoever_can_do_neither_must_discard_it() -> None:
    game = play(tower(hands=[["pub", "wharf", "wharf"]], rubles=0), "observe noble")
    assert texts(game) == {"discard judge drawn"}


def test_same_name_and_colour_reductions_hold_for_it() -> None:
    game = play(
        tower(area=("observatory", "judge", "gold_smelter"), piles={"noble": ["judge", "author"]}), "observe noble"
    )
    assert price(game, "buy judge drawn") == 17 - 1 - 1


def test_an_exchange_card_needs_a_card_to_replace() -> None:
    piles = {"exchange": ["wharf", "bank"]}
    assert texts(play(tower(piles=piles), "observe exchange")) == {"take wharf drawn", "discard wharf drawn"}
    game = play(tower(area=("observatory", "ship_builder"), piles=piles), "observe exchange")
    assert price(game, "buy wharf drawn onto ship_builder") == 5
    play(game, "buy wharf drawn onto ship_builder")
    assert game.state()["areas"][0] == {"observatory": 1, "wharf": 1}
    assert game.state()["discard"] == ["ship_builder"]


def test_a_building_bought_with_it_is_scored_in_this_phase() -> None:
    game = play(tower(piles={"building": ["library", "pub"]}), "observe building", "buy library drawn", "pass")
    assert scoring(game)[0] == (0, 5)


# instead of an action
@pytest.mark.parametrize("then", ["buy judge drawn", "take judge drawn", "discard judge drawn"])
def test_using_it_is_the_whole_turn(then: str) -> None:
    game = play(tower(players=3), "observe noble", then)
    assert (game.due, game.to_move) == ("turn", 1)


# face down
@every_edition
def test_it_is_turned_face_down_and_brings_no_point_in_this_scoring(edition: str) -> None:
    assert scoring(tower(edition))[0] == (0, 1)
    game = play(tower(edition), "observe noble", "discard judge drawn")
    assert game.state()["face_down"] == [{"observatory": 1}, {}]
    play(game, "pass")
    assert scoring(game)[0] == (0, 0)


@pytest.mark.parametrize("phase", ["worker", "noble", "exchange"])
def test_face_down_it_takes_nothing_off_another_scoring(phase: str) -> None:
    game = arrange(phase=phase, areas=[["observatory"]], face_down=[["observatory"], []])
    assert scoring(game)[0] == (0, 0)


def test_it_is_used_once_per_round() -> None:
    game = play(tower(), "observe noble", "discard judge drawn", "pass")
    assert (game.to_move, game.phase) == (0, "building")
    assert legal(game, "observe") == set()


@every_edition
def test_it_is_usable_and_brings_its_point_again_in_the_next_round(edition: str) -> None:
    piles = {"noble": ["judge"] + ["author"] * 6 + ["secretary"] * 4}
    game = play(tower(edition, piles=piles), "observe noble", "discard judge drawn", "pass", "pass")
    pass_until(game, "building")
    passes(game, 1)
    assert (game.round, game.to_move) == (3, 0)
    assert legal(game, "observe") == ALL_PILES
    assert scoring(game)[0] == (0, 1)


@every_edition
def test_face_down_it_cannot_be_replaced(edition: str) -> None:
    game = tower(edition, row1=["bank"])
    assert onto(game, "bank") == {"observatory"}
    play(game, "observe noble", "discard judge drawn", "pass")
    assert onto(game, "bank") == set()


@pytest.mark.parametrize(("edition", "cost"), [("first", 7), ("second", 6)])
def test_face_up_it_is_replaced_like_any_building(edition: str, cost: int) -> None:
    game = tower(edition, row1=["bank"])
    assert price(game, "buy bank onto observatory") == cost
    play(game, "buy bank onto observatory", "pass")
    assert legal(game, "observe") == set()


@pytest.mark.parametrize(("edition", "cost"), [("first", 5), ("second", 6)])
def test_face_down_it_still_counts_as_a_card_of_its_name(edition: str, cost: int) -> None:
    game = tower(edition, row1=["observatory"])
    assert price(game, "buy observatory") == cost
    play(game, "observe noble", "discard judge drawn", "pass")
    assert price(game, "buy observatory") == cost


def test_it_may_be_used_in_the_phase_in_which_it_was_bought() -> None:
    game = play(arrange(phase="building", row1=["observatory"]), "buy observatory", "pass")
    assert legal(game, "observe") == ALL_PILES


# two observatories
TWO = ("observatory", "observatory")


def test_two_observatories_are_both_used_each_in_its_own_turn() -> None:
    game = play(tower(area=TWO), "observe noble", "take judge drawn")
    assert game.to_move == 1
    play(game, "pass", "observe noble", "discard author drawn", "pass")
    assert game.state()["face_down"][0] == {"observatory": 2}
    assert legal(game, "observe") == set()


@pytest.mark.parametrize(("used", "points"), [(0, 2), (1, 1), (2, 0)])
def test_each_observatory_that_was_not_used_brings_its_point(used: int, points: int) -> None:
    game = tower(area=TWO)
    for card in ["judge", "author"][:used]:
        play(game, "observe noble", f"discard {card} drawn", "pass")
    assert scoring(game)[0] == (0, points)


@every_edition
def test_the_card_drawn_may_replace_the_other_observatory(edition: str) -> None:
    game = play(tower(edition, area=TWO, piles={"exchange": ["bank", "wharf"]}), "observe exchange")
    assert legal(game, "buy") == {"buy bank drawn onto observatory"}
    play(game, "buy bank drawn onto observatory", "pass")
    state = game.state()
    assert state["areas"][0] == {"observatory": 1, "bank": 1}
    assert state["face_down"][0] == {"observatory": 1}
    assert state["discard"] == ["observatory"]
    assert legal(game, "observe") == set()
    assert scoring(game)[0] == (5, 1)  # the bank's; nothing for the observatory that was used


def test_but_not_the_one_just_used() -> None:
    game = play(tower(piles={"exchange": ["bank", "wharf"]}), "observe exchange")
    assert legal(game, "buy") == set()


def test_of_two_used_observatories_neither_can_be_replaced() -> None:
    game = tower(area=TWO, piles={"exchange": ["bank", "wharf", "harbor"]})
    play(game, "observe noble", "discard judge drawn", "pass", "observe exchange")
    assert texts(game) == {"take bank drawn", "discard bank drawn"}


def test_a_second_observatory_bought_after_the_first_was_used_may_be_used() -> None:
    game = play(tower(row1=["observatory"]), "observe noble", "discard judge drawn", "pass", "buy observatory", "pass")
    assert legal(game, "observe") == ALL_PILES


def test_two_players_use_their_own_observatories() -> None:
    game = arrange(phase="building", areas=[["observatory"]] * 2, piles={"noble": ["judge", "author", "author"]})
    play(game, "observe noble", "discard judge drawn")
    assert legal(game, "observe") == ALL_PILES
    play(game, "observe noble", "take author drawn")
    assert game.state()["hands"] == [[], ["author"]]
    assert game.state()["face_down"] == [{"observatory": 1}, {"observatory": 1}]
