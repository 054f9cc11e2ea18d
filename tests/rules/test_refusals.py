"""What is not legal is refused and changes nothing; what was done can be taken back."""

from __future__ import annotations

import pytest

from nevsky import Game, NevskyError, parse_action
from tests.rules.table import arrange, finish, passes, play


@pytest.mark.parametrize(
    "action",
    [
        "buy academy",
        "buy theater row 2",
        "buy fur_shop onto ship_builder",
        "buy fur_shop",
        "take library",
        "play judge",
        "play market",
        "observe noble",
        "pub 1",
        "take author drawn",
        "discard author drawn",
        "good fish",
        "dance",
        "buy kremlin",
        "",
        "buy",
        -1,
        10**6,
    ],
)
def test_what_is_not_legal_is_refused_and_changes_nothing(action: str | int) -> None:
    game = arrange(
        row1=["academy", "fur_shop", "library"],
        row2=["theater"],
        areas=[["ship_builder", "observatory"]],
        hands=[["author", "author", "judge"], ["market"]],
        rubles=[12, 25],
    )
    before, history = game.state(), game.history
    with pytest.raises(NevskyError):
        game.push(action)
    assert game.state() == before
    assert game.history == history


def test_after_the_end_nothing_can_be_done() -> None:
    game = finish(arrange(phase="exchange", last_round=True))
    assert (game.to_move, game.due, game.legal_actions) == (None, None, ())
    with pytest.raises(NevskyError, match="over"):
        game.push("pass")


def test_an_action_can_be_given_as_text_as_data_or_by_its_number() -> None:
    def after(how: int) -> Game:
        game = arrange(row1=["shepherd"])
        action = parse_action("buy shepherd")
        game.push((action.text, action, action.id)[how])
        return game

    assert after(0).state() == after(1).state() == after(2).state()
    assert after(0).state()["areas"][0] == {"shepherd": 1}


def test_taking_back_restores_the_position() -> None:
    game = arrange(row2=["market"], areas=[["pub"]])
    before = game.state()
    play(game, "buy market row 2")
    game.undo()
    assert game.state() == before
    with pytest.raises(NevskyError):
        game.undo()


def test_a_copy_is_a_game_of_its_own() -> None:
    game = play(arrange(row1=["market", "pub"]), "buy market")
    before = game.state()
    copy = play(game.copy(), "buy pub", "pass")
    assert game.state() == before
    assert copy.state()["areas"] == [{"market": 1}, {"pub": 1}]
    for _ in range(2):
        copy.undo()
    assert copy.state() == before
    copy.undo()
    assert copy.state() == arrange(row1=["market", "pub"]).state()


def test_a_copy_made_between_two_pub_decisions_goes_on_like_the_original() -> None:
    game = play(passes(arrange(phase="building", players=3, areas=[["pub"], [], ["pub"]])), "pub 1")
    copy = game.copy()
    assert copy.state() == game.state()
    assert play(copy, "pub 2").state() == play(game, "pub 2").state()
    assert game.phase == "noble"
