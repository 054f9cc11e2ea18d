"""Rules 8.2, 11.5 and 11.6 d: the final scoring in steps, with assignments and obstacles."""

from __future__ import annotations

from typing import Any

import pytest

from nevsky import Game, redeal
from nevsky.rules.game import Final
from tests.modules.arranged import SPACES, final_position, one_tile, settled, take_back, tokens, track
from tests.rules.table import play, texts


def alone(**position: Any) -> Game:
    """The last pass with obstacles; only seat 0 has anything."""
    return play(final_position(6, **position), "pass")


def parts(final: Final) -> dict[str, int]:
    """The parts that are not 0."""
    names = "track nobles assignment rubles hand obstacles total".split()
    return {name: getattr(final, name) for name in names if getattr(final, name)}


# steps
def test_nobles_then_the_assignment_then_rubles_then_the_hand() -> None:
    game = final_position(
        5,
        areas=[["author", "author", "judge", "hen"]],
        hands=[["shepherd", "wharf"]],
        rubles=[38, 0],
        points=[40, 0],
        assignments=[[1, 3, 13], [4, 5, 7]],
    )
    play(game, "pass", "assignment 1", "assignment 4")
    first = settled(game)[0]
    assert parts(first) == {"track": 40, "nobles": 3, "assignment": 6, "rubles": 3, "hand": -10, "total": 42}
    assert (first.rubles_left, first.tie) == (8, 8)


def test_the_track_stays_where_it_was() -> None:
    game = final_position(5, areas=[["author"]], rubles=[30, 0], points=[12, 3], assignments=[[1, 3, 13], [4, 5, 7]])
    for action in ("pass", "assignment 1", "assignment 7"):
        play(game, action)
        assert game.state()["points"] == [12, 3]
    assert [final.track for final in settled(game)] == [12, 3]
    assert [final.total for final in settled(game)] == [12 + 1 + 2 + 3, 3]


def test_there_is_no_result_before_all_have_chosen() -> None:
    game = play(final_position(5, assignments=[[1, 3, 13], [4, 5, 7]]), "pass", "assignment 1")
    assert not game.over
    assert game.result is None
    assert play(game, "assignment 4").over


def test_assignments_decide_who_wins() -> None:
    game = final_position(5, points=[10, 12], areas=[["hen", "hen"]], assignments=[[13, 3, 1], [4, 5, 7]])
    result = play(game, "pass", "assignment 13", "assignment 4").result
    assert result is not None
    assert result.winners == (0,)
    assert [final.place for final in result.final] == [1, 2]


def test_a_tie_is_broken_by_the_rubles_left() -> None:
    game = final_position(5, points=[9, 10], rubles=[13, 5], assignments=[[1, 3, 13], [4, 5, 7]])
    result = play(game, "pass", "assignment 1", "assignment 4").result
    assert result is not None
    assert [(final.total, final.tie, final.place) for final in result.final] == [(10, 3, 2), (10, 5, 1)]


def test_purple_cards_on_the_hand_cost_nothing() -> None:
    game = final_position(1, 5, hands=[["jester", "author"]], assignments=[[1, 3, 13], [4, 5, 7]], rubles=0)
    play(game, "pass", "assignment 1", "assignment 4")
    assert parts(settled(game)[0]) == {"hand": -5, "total": -5}


def test_the_last_round_goes_through_the_last_exchange_phase_only() -> None:
    game = final_position(5, row1=["bank"], row2=["author"], assignments=[[1, 3, 13], [4, 5, 7]])
    state = play(game, "pass").state()
    assert (state["row1"], state["row2"], state["discard"], state["round"]) == (["bank"], ["author"], [], 2)


# obstacles in the final scoring
def test_noble_points_reach_a_bonus_tile() -> None:
    final = settled(alone(areas=[["author", "judge"]], points=[7, 0], rubles=0, obstacles=one_tile("B1", 10)))[0]
    assert parts(final) == {"track": 7, "nobles": 3, "obstacles": 2, "total": 12}
    assert final.passed == SPACES


def test_assignment_points_reach_a_bonus_tile() -> None:
    game = final_position(
        5,
        6,
        areas=[["shepherd", "bank"]],
        points=[8, 0],
        rubles=0,
        assignments=[[7, 3, 13], [4, 5, 10]],
        obstacles=one_tile("B4", 10),
    )
    final = settled(play(game, "pass", "assignment 7", "assignment 4"))[0]
    assert parts(final) == {"track": 8, "assignment": 3, "obstacles": 1, "total": 12}
    assert final.rubles_left == 1


def test_points_for_rubles_reach_a_bonus_tile() -> None:
    final = settled(alone(areas=[["wharf"]], points=[8, 0], rubles=[20, 0], obstacles=one_tile("B4", 10)))[0]
    assert parts(final) == {"track": 8, "rubles": 2, "obstacles": 1, "total": 11}


def test_rubles_of_a_bonus_are_there_when_the_tens_are_paid_in() -> None:
    position = {"areas": [["author", "pub", "warehouse"]], "points": [9, 0], "obstacles": one_tile("B2", 10)}
    final = settled(alone(rubles=[18, 0], **position))[0]
    assert parts(final) == {"track": 9, "nobles": 1, "rubles": 2, "total": 12}
    assert final.rubles_left == 0


def test_rubles_that_the_points_for_rubles_bring_come_too_late() -> None:
    final = settled(alone(areas=[["pub"]], points=[9, 0], rubles=[19, 0], obstacles=one_tile("B2", 10)))[0]
    assert parts(final) == {"track": 9, "rubles": 1, "total": 10}
    assert (final.rubles_left, final.tie) == (10, 10)


def test_a_real_obstacle_stops_every_step() -> None:
    """17 and 6 for nobles stop on 19; 2 for rubles are lost too; the hand is simply taken off."""
    area = ["author", "judge", "controller"]
    final = settled(
        alone(areas=[area], hands=[["shepherd"]], points=[17, 0], rubles=[25, 0], obstacles=one_tile("R5", 20))
    )[0]
    assert parts(final) == {"track": 17, "nobles": 6, "rubles": 2, "hand": -5, "obstacles": -6, "total": 14}
    assert final.stuck == 20
    assert final.passed == (10, 35, 50, 70)


def test_a_real_obstacle_that_is_met_pays_in_the_final_scoring() -> None:
    game = alone(
        areas=[["author", "judge", "controller"]], points=[17, 0], rubles=[25, 0], obstacles=one_tile("R4", 20)
    )
    assert (game.due, game.to_move) == ("bonus", 0)
    assert texts(game) == {"bonus author rubles", "bonus judge rubles", "bonus controller rubles"}
    final = settled(play(game, "bonus judge rubles"))[0]
    assert parts(final) == {"track": 17, "nobles": 6, "rubles": 3, "obstacles": 3, "total": 29}
    assert final.stuck is None


def test_bonus_points_less_lost_points_are_one_part() -> None:
    """7 and 3 for nobles reach 10, 2 more by B1; 11 for rubles stop on 19."""
    game = alone(areas=[["author", "judge"]], points=[7, 0], rubles=[110, 0], obstacles=track({10: "B1", 20: "R1"}))
    final = settled(game)[0]
    assert parts(final) == {"track": 7, "nobles": 3, "rubles": 11, "obstacles": 2 - 4, "total": 19}
    assert final.passed == (10, 35, 50, 70)
    assert final.stuck == 20


def test_bonuses_chain_in_the_final_scoring() -> None:
    area = ["author"] * 6 + ["administrator"] * 4
    game = alone(areas=[[*area, "bank"]], points=[8, 0], rubles=[0, 0], obstacles=track({10: "B1", 20: "B4"}))
    assert parts(settled(game)[0]) == {"track": 8, "nobles": 3, "obstacles": 10 + 1, "total": 22}


# the hand
def test_minus_points_are_taken_off_below_a_tile() -> None:
    """21 less 5 makes 16: the tile at 20 stays done."""
    final = settled(
        alone(
            areas=[["wharf", "fur_shop"]],
            hands=[["author"]],
            points=[18, 0],
            rubles=[10, 0],
            obstacles=one_tile("R5", 20),
        )
    )[0]
    assert parts(final) == {"track": 18, "rubles": 1, "hand": -5, "obstacles": 4, "total": 18}
    assert final.passed == SPACES


def test_minus_points_go_below_0() -> None:
    obstacles = {**one_tile("R1", 10), "passed": [[], []]}
    final = settled(alone(hands=[["author", "judge", "bank"]], points=[4, 0], rubles=0, obstacles=obstacles))[0]
    assert parts(final) == {"track": 4, "hand": -15, "total": -11}


def test_the_hand_comes_last_so_a_tile_is_reached_before_it() -> None:
    final = settled(
        alone(areas=[["author"]], hands=[["pub", "bank"]], points=[9, 0], rubles=0, obstacles=one_tile("B1", 10))
    )[0]
    assert parts(final) == {"track": 9, "nobles": 1, "obstacles": 1, "hand": -10, "total": 1}


# stuck
def test_a_seat_that_never_came_near_is_not_stuck() -> None:
    assert settled(alone(points=[5, 0], rubles=0, obstacles=one_tile("R1", 20)))[0].stuck is None


def test_a_seat_that_lost_points_and_got_past_is_not_stuck_at_the_next_one() -> None:
    """Seat 0 once lost 3 points before 20, is done with it now and stands on 25; 35 is far away."""
    obstacles = {**track({20: "R4", 35: "R1"}), "passed": [[10, 20, 50, 70], [10, 50, 70]], "lost": [3, 0]}
    assert settled(alone(points=[25, 0], rubles=0, obstacles=obstacles))[0].stuck is None


def test_points_lost_before_the_final_scoring_are_not_a_part_of_it() -> None:
    obstacles = {**one_tile("R1", 20), "lost": [7, 0]}
    final = settled(alone(points=[19, 0], rubles=0, obstacles=obstacles))[0]
    assert parts(final) == {"track": 19, "total": 19}
    assert final.stuck == 20


# assignment 6 is settled first
def richest(points: int, area: list[str]) -> tuple[Final, ...]:
    """Seat 1 chose number 6 and has 22 rubles against 20."""
    game = final_position(
        5,
        6,
        areas=[area],
        points=[points, 0],
        rubles=[20, 22],
        assignments=[[1, 3, 13], [6, 5, 7]],
        obstacles=one_tile("B2", 10),
    )
    return settled(play(game, "pass", "assignment 1", "assignment 6"))


def test_rubles_that_another_assignment_brings_come_after_it() -> None:
    """Seat 0 reaches 10 by its assignment, before seat 1 clockwise, and gets 3 rubles: 23 against 22."""
    first, second = richest(5, ["author", "author", "pub", "warehouse", "bank"])
    assert (first.nobles, first.assignment, first.rubles_left) == (1, 4, 3)
    assert second.assignment == 20


def test_rubles_that_the_nobles_bring_come_before_it() -> None:
    first, second = richest(9, ["author", "pub", "warehouse", "bank"])
    assert (first.nobles, first.rubles_left) == (1, 3)
    assert second.assignment == 10


def test_its_own_bonus_comes_after_it() -> None:
    """Seat 0 chose number 6, has 20 rubles against 22, and gets 3 more by the 10 points."""
    game = final_position(
        5,
        6,
        areas=[["pub", "warehouse", "bank"]],
        rubles=[20, 22],
        assignments=[[6, 3, 1], [4, 5, 7]],
        obstacles=one_tile("B2", 10),
    )
    final = settled(play(game, "pass", "assignment 6", "assignment 4"))[0]
    assert (final.assignment, final.rubles, final.rubles_left) == (10, 2, 3)


# whose turn
def test_each_step_goes_clockwise_from_the_holder_of_the_exchange_token() -> None:
    game = final_position(
        5,
        6,
        players=3,
        held=tokens(exchange=2),
        areas=[["author", "hen"], ["author", "chick"], ["author", "apple"]],
        points=9,
        rubles=0,
        assignments=[[1, 3, 13], [4, 5, 7], [9, 10, 11]],
        obstacles=one_tile("B3", 10, players=3),
    )
    play(game, "pass")
    asked = []
    while not game.over:
        asked.append((game.due, game.to_move))
        game.push(game.legal_actions[0])
    bonuses = [("bonus", seat) for seat in (2, 0, 1)]
    assert asked == bonuses + [("assignment", seat) for seat in (2, 0, 1)]


def test_a_bonus_for_the_assignment_is_asked_after_all_have_chosen() -> None:
    game = final_position(
        5,
        6,
        areas=[["hen"]],
        points=[8, 0],
        rubles=0,
        assignments=[[13, 3, 1], [4, 5, 7]],
        obstacles=one_tile("B3", 10),
    )
    play(game, "pass", "assignment 13")
    assert (game.due, game.to_move) == ("assignment", 1)
    play(game, "assignment 4")
    assert (game.due, game.to_move) == ("bonus", 0)
    assert game.view(1).table["chosen"] == [13, 4]
    assert parts(settled(play(game, "bonus points"))[0]) == {"track": 8, "assignment": 2, "obstacles": 1, "total": 11}


def test_without_module_5_nobody_is_asked_for_an_assignment() -> None:
    assert alone(points=[8, 0], obstacles=one_tile("B1", 10)).over


def test_a_redealt_game_does_not_leave_less_than_no_rubles() -> None:
    """Ten tens were paid in before everybody's eyes, so the guess must have been 100 or more (4.7)."""
    game = alone(areas=[["hen"]], points=[8, 0], rubles=[100, 0], obstacles=one_tile("B3", 10))
    assert (game.due, game.to_move) == ("bonus", 0)
    final = settled(play(redeal(game.view(1), seed=1), "bonus points"))[0]
    assert (final.rubles, final.total) == (10, 19)
    assert final.rubles_left >= 0


@pytest.mark.parametrize("last", ["bonus rubles", "bonus points"])
def test_the_final_scoring_can_be_taken_back(last: str) -> None:
    game = final_position(
        5,
        6,
        areas=[["hen", "author"]],
        points=[7, 0],
        rubles=0,
        assignments=[[13, 3, 1], [4, 5, 7]],
        obstacles=one_tile("B3", 10),
    )
    take_back(game, "pass", "assignment 13", "assignment 4", last)
    assert not game.over
    assert game.result is None
