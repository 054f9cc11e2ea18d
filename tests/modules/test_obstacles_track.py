"""Rules 11.6 c and d: stuck scores, later gains, and bonuses that reach the next tile."""

from __future__ import annotations

from typing import Any

from nevsky import Game
from tests.modules.arranged import arrange, lost, one_tile, passed, scores, take_back, track
from tests.rules.table import passes, play, texts

TWELVE_NOBLES = ["author"] * 6 + ["administrator"] * 5 + ["judge"]
FIFTEEN_POINTS = ["academy", "theater", "customs_house"]


def building_scoring(area: list[str], start: int, obstacles: dict[str, Any], **position: Any) -> Game:
    game = arrange(6, phase="building", passes=1, areas=[area], points=[start, 0], obstacles=obstacles, **position)
    return play(game, "pass")


# stuck scores
def test_a_stuck_score_loses_every_later_gain() -> None:
    game = building_scoring(["firehouse", "judge"], 18, one_tile("R4", 20))
    assert (scores(game)[1], lost(game)) == (19, 2)
    passes(game)
    assert game.phase == "exchange"
    assert (scores(game)[1], lost(game)) == (19, 4)


def test_rubles_are_paid_to_a_stuck_player_all_the_same() -> None:
    game = passes(building_scoring(["firehouse", "judge"], 18, one_tile("R4", 20), rubles=7))
    assert scores(game)[0] == 12


def ready_in_time() -> Game:
    """Stuck before 20 for want of a second noble; then seat 0 buys one."""
    game = building_scoring(["firehouse", "controller"], 18, one_tile("R4", 20), row1=["controller"], rubles=20)
    assert (scores(game)[1], lost(game)) == (19, 2)
    return play(game, "buy controller")


def test_the_next_gain_is_checked_again_and_what_was_lost_stays_lost() -> None:
    game = ready_in_time()
    assert 20 not in passed(game)
    passes(game)
    assert (game.due, game.to_move) == ("bonus", 0)
    assert (scores(game)[1], lost(game)) == (21, 2)
    play(game, "bonus controller rubles")
    assert scores(game) == (20 - 13 + 8 + 4, 21 + 2)
    assert 20 in passed(game)


def test_meeting_the_condition_is_not_enough_without_a_gain() -> None:
    game = building_scoring(["firehouse", "author"], 18, one_tile("R4", 20), row1=["author"], rubles=20)
    passes(play(game, "buy author"))
    assert game.phase == "exchange"
    assert (scores(game)[1], 20 in passed(game)) == (19, False)


def test_once_done_the_condition_may_be_lost_again() -> None:
    obstacles = {**one_tile("R4", 20), "passed": [[10, 20, 35, 50, 70]] * 2}
    game = building_scoring(["firehouse"], 18, obstacles)
    assert (scores(game)[1], lost(game)) == (21, 0)


def test_whoever_fell_below_a_real_tile_comes_back_without_a_second_bonus() -> None:
    obstacles = {**one_tile("R5", 20), "passed": [[10, 20, 35, 50, 70]] * 2}
    assert scores(building_scoring(["firehouse", "wharf", "fur_shop"], 18, obstacles))[1] == 21


def test_obstacles_hold_for_each_player_alone() -> None:
    game = arrange(
        6,
        phase="building",
        passes=1,
        areas=[["firehouse"], ["firehouse", "wharf", "fur_shop"]],
        points=18,
        obstacles=one_tile("R5", 20),
    )
    assert play(game, "pass").state()["points"] == [19, 21 + 4]
    assert [20 in passed(game, seat) for seat in (0, 1)] == [False, True]


def test_everybody_sees_who_is_done_with_which() -> None:
    game = building_scoring(["firehouse"], 18, track({20: "R5", 50: "B1"}))
    told = game.view(None).table["obstacles"]
    assert told["passed"] == [[10, 35, 70], [10, 35, 70]]
    assert told["lost"] == [2, 0]


# two tiles in one gain
def test_a_long_gain_meets_one_tile_after_the_other() -> None:
    game = building_scoring([*FIFTEEN_POINTS, "author"], 8, track({10: "B1", 20: "B2"}))
    assert scores(game) == (25 + 3, 23 + 1)
    assert passed(game) == [10, 20, 35, 50, 70]


def test_the_gain_is_moved_to_its_end_before_the_bonuses_are_paid_in_order() -> None:
    game = building_scoring([*FIFTEEN_POINTS, "hen"], 8, track({10: "B3", 20: "B5"}))
    assert scores(game)[1] == 23
    assert texts(game) == {"bonus rubles", "bonus points"}
    play(game, "bonus points")
    assert scores(game)[1] == 24
    assert "bonus academy points" in texts(game)
    assert scores(play(game, "bonus academy points"))[1] == 31


def test_the_order_is_that_of_the_spaces() -> None:
    game = building_scoring([*FIFTEEN_POINTS, "hen"], 8, track({10: "B5", 20: "B3"}))
    assert "bonus academy points" in texts(game)
    play(game, "bonus hen rubles")
    assert texts(game) == {"bonus rubles", "bonus points"}


def test_a_real_tile_that_is_not_met_stops_the_gain_and_the_bonus_of_the_tile_before() -> None:
    game = building_scoring([*FIFTEEN_POINTS, "author"], 8, track({10: "B1", 20: "R5"}))
    assert passed(game) == [10, 35, 50, 70]
    assert (scores(game)[1], lost(game)) == (19, 4 + 1)


def test_past_one_real_tile_and_stopped_by_the_next() -> None:
    game = building_scoring([*FIFTEEN_POINTS, "wharf", "fur_shop"], 21, track({35: "R1", 20: "R5"}))
    assert (scores(game)[1], lost(game)) == (34, 2 + 4)
    assert passed(game) == [10, 20, 50, 70]


def test_both_real_tiles_in_one_gain() -> None:
    game = building_scoring([*FIFTEEN_POINTS, "judge", "author"], 19, track({20: "R4", 35: "R3"}))
    assert scores(game)[1] == 34
    assert texts(game) == {"bonus judge rubles", "bonus author rubles"}
    play(game, "bonus author rubles")
    assert scores(game) == (26, 36)
    assert texts(game) == {f"bonus {card} points" for card in FIFTEEN_POINTS}
    play(game, "bonus theater points")
    assert scores(game) == (29, 42)


# chains
def test_a_bonus_reaches_the_next_tile() -> None:
    game = building_scoring(["firehouse", *TWELVE_NOBLES], 7, track({10: "B1", 20: "B2"}))
    assert scores(game) == (26, 10 + 12)
    assert passed(game) == [10, 20, 35, 50, 70]


def test_a_bonus_that_falls_short_does_not() -> None:
    game = building_scoring(["firehouse", *TWELVE_NOBLES[:9]], 7, track({10: "B1", 20: "B2"}))
    assert scores(game) == (25, 19)
    assert passed(game) == [10, 35, 50, 70]


def test_a_bonus_is_stopped_by_a_real_tile() -> None:
    game = building_scoring(["firehouse", *TWELVE_NOBLES], 7, track({10: "B1", 20: "R1"}))
    assert (scores(game)[1], lost(game)) == (19, 3)
    assert 20 not in passed(game)


def test_a_bonus_masters_a_real_tile_whose_bonus_goes_on() -> None:
    area = ["firehouse", *TWELVE_NOBLES[:8], "abbot", "builder"]
    game = building_scoring(area, 7, track({10: "B1", 20: "R5", 35: "B4"}))
    assert scores(game)[1] == 10 + 10 + 2 * 2
    assert passed(game) == [10, 20, 50, 70]


def test_three_tiles_in_a_chain() -> None:
    """3 points to 10, 12 for nobles to 22, then 12 for the nobles and the rubles of one to 34, which R1 guards."""
    game = building_scoring(["firehouse", *TWELVE_NOBLES], 7, track({10: "B1", 20: "R4", 35: "R1"}))
    assert scores(game)[1] == 22
    play(game, "bonus judge rubles")
    assert scores(game) == (30, 34)
    assert lost(game) == 0
    assert passed(game) == [10, 20, 50, 70]


def test_bonuses_wait_in_the_order_in_which_their_tiles_were_met() -> None:
    """The gain meets 10 and 20; the bonus of 10 reaches 35; still the one of 20 is paid before."""
    game = building_scoring([*FIFTEEN_POINTS, *TWELVE_NOBLES, "hen"], 8, track({10: "B1", 20: "B3", 35: "B5"}))
    assert scores(game)[1] == 35
    assert texts(game) == {"bonus rubles", "bonus points"}
    play(game, "bonus rubles")
    assert "bonus academy points" in texts(game)


def test_a_choice_of_points_can_reach_the_next_tile_too() -> None:
    game = building_scoring(["academy", "author"], 43, track({50: "B5", 70: "B1"}))
    play(game, "bonus academy points")
    assert (scores(game)[1], 70 in passed(game)) == (57, False)
    far = building_scoring([*FIFTEEN_POINTS, "author"], 48, track({50: "B5", 70: "B1"}))
    assert scores(far)[1] == 63
    assert scores(play(far, "bonus academy points"))[1] == 71


def test_beyond_the_last_tile_the_score_runs_free() -> None:
    assert scores(building_scoring(FIFTEEN_POINTS, 99, track({})))[1] == 114


# taking back
def test_a_chain_of_bonuses_can_be_taken_back() -> None:
    game = arrange(
        6,
        phase="building",
        areas=[[*FIFTEEN_POINTS, *TWELVE_NOBLES, "hen"]],
        points=8,
        obstacles=track({10: "B1", 20: "B3", 35: "B5"}),
    )
    take_back(game, "pass", "pass", "bonus rubles", "bonus academy points", "pass")


def test_a_stuck_score_can_be_taken_back() -> None:
    game = ready_in_time()
    take_back(game, "pass", "pass", "bonus controller rubles", "pass", "pass")
    assert (scores(game)[1], lost(game)) == (19, 2)
