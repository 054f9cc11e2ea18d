"""Rule 11.1 g: the Double Turn."""

from __future__ import annotations

from typing import Any

from nevsky import Game
from tests.market.table import arrange, purse, undoing
from tests.rules.table import passes, play, texts


def doubled(*hand: str, players: int = 3, **position: Any) -> Game:
    """Seat 0 has just played its Double Turn."""
    game = arrange(players, modules=(1,), hands=[["double_turn", *hand]], **position)
    return play(game, "play double_turn")


def test_two_actions_directly_after_one_another() -> None:
    game = doubled(row1=["judge", "author", "pub"])
    assert (game.to_move, game.due, game.state()["out"]) == (0, "turn", ["double_turn"])
    play(game, "buy judge")
    assert (game.to_move, game.due) == (0, "turn")
    play(game, "take pub")
    assert game.to_move == 1
    assert game.state()["areas"][0] == {"judge": 1}
    assert game.state()["hands"][0] == ["pub"]


def test_each_may_be_of_any_kind() -> None:
    game = doubled(
        "golden_donkey",
        phase="building",
        areas=[["observatory"]],
        piles={"noble": ["judge", "author"]},
    )
    play(game, "play golden_donkey")
    assert game.to_move == 0
    play(game, "observe noble")
    assert (game.to_move, game.due) == (0, "drawn")
    play(game, "take judge drawn")
    assert (game.to_move, purse(game)) == (1, (30, 0))


def test_a_card_taken_with_the_first_can_be_played_with_the_second() -> None:
    game = play(doubled(row1=["author"]), "take author", "play author")
    assert (game.to_move, game.state()["areas"][0]) == (1, {"author": 1})


def test_a_question_in_between_belongs_to_the_action() -> None:
    game = play(doubled(row1=["ship_builder:?"]), "buy ship_builder:?", "good fish")
    assert (game.to_move, game.due) == (0, "turn")
    assert play(game, "pass").to_move == 1


def test_purple_cards_with_questions_are_one_action() -> None:
    game = doubled("black_market", "moocher", discard=["pub"], areas=[[], ["judge"]])
    play(game, "play black_market", "search pub", "take pub drawn")
    assert (game.to_move, game.due) == (0, "turn")
    play(game, "play moocher", "mooch judge of 1 rubles")
    assert (game.to_move, game.due) == (1, "turn")


def test_the_second_action_can_be_a_pass() -> None:
    game = play(doubled(row1=["author"]), "buy author", "pass")
    assert (game.to_move, game.state()["passes"]) == (1, 1)
    assert passes(game, 2).phase == "market"


def test_the_first_action_can_be_a_pass() -> None:
    game = play(doubled(row1=["author"]), "pass", "buy author")
    assert (game.to_move, game.state()["passes"]) == (1, 0)
    assert passes(game, 2).phase == "worker"
    assert passes(game, 1).phase == "market"


def test_two_passes_count_as_one_player_passing() -> None:
    game = passes(doubled(), 2)
    assert (game.to_move, game.state()["passes"], game.phase) == (1, 1, "worker")
    passes(game, 1)
    assert (game.to_move, game.state()["passes"], game.phase) == (2, 2, "worker")
    assert passes(game, 1).phase == "market"


def test_with_two_players_two_passes_do_not_end_the_phase() -> None:
    game = passes(doubled(players=2), 2)
    assert (game.to_move, game.phase) == (1, "worker")
    assert passes(game, 1).phase == "market"


def test_playing_it_breaks_the_chain_of_passes() -> None:
    game = doubled(passes=2)
    assert game.state()["passes"] == 0
    assert passes(game, 2).phase == "worker"


def test_it_can_always_be_played_and_then_is_gone() -> None:
    game = doubled(rubles=0)
    assert texts(game) == {"pass"}
    assert (game.state()["hands"][0], game.state()["discard"]) == ([], [])


def test_the_turn_after_next_is_a_single_one_again() -> None:
    game = passes(doubled(row1=["author", "judge"]), 3)
    play(game, "take author", "take judge")
    assert (game.to_move, game.due) == (1, "turn")


def test_the_phase_that_follows_begins_as_usual() -> None:
    game = passes(doubled(), 4)
    assert (game.phase, game.to_move) == ("market", 0)
    assert passes(game, 1).to_move == 1


def test_it_can_be_taken_back() -> None:
    game = arrange(modules=(1,), hands=[["double_turn"]], row1=["author", "judge"])
    undoing(game, "play double_turn", "pass", "buy author", "take judge")
