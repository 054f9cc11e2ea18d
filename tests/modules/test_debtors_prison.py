"""Rule 11.2 c: the Debtors' Prison."""

from __future__ import annotations

from typing import Any

import pytest

from nevsky import Game, NevskyError, redeal
from tests.market.table import arrange, goods, purse, undoing
from tests.rules.table import legal, onto, passes, play, price, scoring, texts

CARD = "debtors_prison"
USE = "use debtors_prison"


def prison(area: tuple[str, ...] = (CARD,), **position: Any) -> Game:
    """A building phase in which seat 0 owns the prison."""
    usual: dict[str, Any] = {"phase": "building", "discard": ["judge", "pub", "judge", "author"]}
    return arrange(modules=(2,), areas=[area], **{**usual, **position})


def test_unused_it_scores_one_point() -> None:
    assert scoring(prison())[0] == (0, 1)


def test_used_it_does_not() -> None:
    game = play(prison(), USE, "search pub", "return pub drawn")
    assert game.state()["face_down"] == [{CARD: 1}, {}]
    assert scoring(game)[0] == (0, 0)


def test_it_is_used_instead_of_an_action_in_the_building_phase() -> None:
    game = prison(row1=["library"])
    assert texts(game) == {"buy library", "take library", USE, "pass"}
    play(game, USE)
    assert (game.due, game.to_move) == ("search", 0)
    play(game, "search pub", "take pub drawn")
    assert (game.due, game.to_move, game.state()["passes"]) == ("turn", 1, 0)


@pytest.mark.parametrize("phase", ["worker", "market", "noble", "exchange"])
def test_in_no_other_phase(phase: str) -> None:
    assert legal(prison(phase=phase), "use") == set()


def test_only_with_cards_on_the_discard_pile() -> None:
    assert legal(prison(discard=[]), "use") == set()


def test_only_by_its_owner_and_not_from_the_hand() -> None:
    assert legal(passes(prison(), 1), "use") == set()
    assert legal(arrange(modules=(2,), phase="building", hands=[[CARD]], discard=["pub"]), "use") == set()


def test_it_breaks_the_chain_of_passes() -> None:
    game = play(prison(passes=1), USE, "search pub", "return pub drawn")
    assert (game.phase, game.state()["passes"]) == ("building", 0)


def test_any_card_of_the_discard_pile_is_chosen() -> None:
    game = play(prison(), USE)
    assert texts(game) == {"search judge", "search pub", "search author"}
    play(game, "search judge")
    assert (game.due, game.state()["drawn"]) == ("found", "judge")
    assert game.state()["discard"] == ["judge", "pub", "author"]
    assert texts(game) == {"buy judge drawn", "take judge drawn", "return judge drawn"}


@pytest.mark.parametrize("action", ["pass", "search pub", "discard judge drawn", "take author drawn"])
def test_then_at_once_and_nothing_else(action: str) -> None:
    game = play(prison(), USE, "search judge")
    before = game.state()
    with pytest.raises(NevskyError):
        game.push(action)
    assert game.state() == before


def test_buying_it_without_a_row_2_reduction() -> None:
    game = play(prison((CARD, "judge", "gold_smelter"), discard=["judge"]), USE, "search judge")
    assert price(game, "buy judge drawn") == 17 - 1 - 1
    state = play(game, "buy judge drawn").state()
    assert (state["areas"][0]["judge"], state["discard"], state["drawn"]) == (2, [], None)


def test_taking_it() -> None:
    state = play(prison(), USE, "search pub", "take pub drawn").state()
    assert (state["hands"][0], state["discard"]) == (["pub"], ["judge", "judge", "author"])


# D20
def test_put_back_it_lies_on_top() -> None:
    state = play(prison(), USE, "search pub", "return pub drawn").state()
    assert (state["discard"], state["hands"][0], state["out"]) == (["judge", "judge", "author", "pub"], [], [])


def test_without_money_or_room_it_must_be_put_back() -> None:
    game = play(prison(rubles=3, hands=[["author"] * 3], discard=["judge"]), USE, "search judge")
    assert texts(game) == {"return judge drawn"}


def test_a_yellow_card_or_a_question_mark_can_be_bought() -> None:
    game = play(prison(discard=["caviar"]), USE, "search caviar", "buy caviar drawn")
    assert goods(game) == {"fish": 3}
    game = play(prison(discard=["ship_builder:?"]), USE, "search ship_builder:?", "buy ship_builder:? drawn")
    assert (game.due, game.to_move) == ("good", 0)
    assert play(game, "good sack").to_move == 1


# like the observatory (9.3)
def test_once_per_round() -> None:
    game = play(prison(), USE, "search pub", "return pub drawn", "pass")
    assert legal(game, "use") == set()


def test_at_the_end_of_the_round_it_is_turned_face_up() -> None:
    game = passes(prison(phase="exchange", face_down=[[CARD], []]))
    assert game.state()["face_down"] == [{}, {}]
    assert legal(play(passes(passes(game)), "pass"), "use") == {USE}


def test_face_down_it_cannot_be_replaced() -> None:
    game = prison((CARD, "library"), row1=["bank"])
    assert onto(game, "bank") == {CARD, "library"}
    play(game, USE, "search pub", "return pub drawn", "pass")
    assert onto(game, "bank") == {"library"}


def test_the_card_found_cannot_replace_the_prison_just_used() -> None:
    game = play(prison(discard=["bank"]), USE, "search bank")
    assert texts(game) == {"take bank drawn", "return bank drawn"}
    game = play(prison((CARD, "library"), discard=["bank"]), USE, "search bank")
    assert legal(game, "buy") == {"buy bank drawn onto library"}


def test_face_down_it_still_counts_as_a_blue_card() -> None:
    game = prison((CARD, "mayor"), phase="noble", face_down=[[CARD], []])
    assert scoring(game)[0] == (1, 0)


def test_it_may_be_used_in_the_phase_in_which_it_was_bought() -> None:
    game = play(prison((), row1=[CARD]), f"buy {CARD}", "pass")
    assert legal(game, "use") == {USE}
    assert purse(game) == (25 - 8, 0)


def test_replaced_and_laid_again_it_lies_face_up() -> None:
    game = play(prison(row1=["bank"]), f"buy bank onto {CARD}")
    assert (game.state()["discard"][-1], game.state()["areas"][0]) == (CARD, {"bank": 1})
    assert legal(play(game, "pass"), "use") == set()


def test_observatory_and_prison_in_one_phase() -> None:
    game = prison((CARD, "observatory"), piles={"noble": ["secretary", "author"]})
    play(game, "observe noble", "discard secretary drawn", "pass", USE, "search secretary", "buy secretary drawn")
    assert game.state()["face_down"] == [{"observatory": 1, CARD: 1}, {}]
    assert scoring(game)[0] == (0, 0)


def test_it_works_without_the_market() -> None:
    game = play(prison(market=False, tokens=None), USE, "search author", "buy author drawn")
    assert purse(game) == (21, 0)


def test_it_can_be_taken_back() -> None:
    undoing(prison(), USE, "search judge", "take judge drawn", "pass", "play judge")


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_everybody_sees_the_card_that_was_found(viewer: int | None) -> None:
    game = play(prison(), USE)
    assert (game.view(viewer).due, game.view(viewer).players[0].face_down) == ("search", {CARD: 1})
    play(game, "search pub")
    view = game.view(viewer)
    assert (view.due, view.drawn, view.drawn_pile) == ("found", "pub", None)
    assert redeal(view, seed=1).view(viewer) == view
    play(game, "take pub drawn")
    assert [card.card for card in game.view(viewer).players[0].hand] == ["pub"]
