"""Section 8: the end of the game."""

from __future__ import annotations

from typing import Any

import pytest

from nevsky import Result
from tests.rules.table import (
    EDITIONS,
    NOBLES,
    PHASES,
    RED_EXCHANGE,
    arrange,
    finish,
    pass_until,
    passes,
    play,
    scoring,
    tokens,
)

every_edition = pytest.mark.parametrize("edition", EDITIONS)
SOME = {"worker": ["shepherd"] * 6, "building": ["market"] * 5, "noble": ["author"] * 6, "exchange": ["wharf", "bank"]}


def end(edition: str = "second", players: int = 2, **position: Any) -> Result:
    """The result when the last exchange phase ends in this position."""
    result = finish(arrange(edition, players, phase="exchange", last_round=True, **position)).result
    assert result is not None
    return result


def totals(result: Result) -> list[int]:
    return [final.total for final in result.final]


def places(result: Result) -> list[int]:
    return [final.place for final in result.final]


# 8.1
@every_edition
@pytest.mark.parametrize(("pile", "before"), [("building", "worker"), ("noble", "building"), ("exchange", "noble")])
@pytest.mark.parametrize("left", [1, 2])
def test_the_last_card_of_a_pile_makes_the_round_the_last(edition: str, pile: str, before: str, left: int) -> None:
    game = arrange(edition, phase=before, piles={pile: SOME[pile][:left]})
    assert passes(game).state()["last_round"]
    finish(game)
    assert (game.round, game.phase) == (2, "exchange")


@every_edition
def test_the_last_worker_ends_the_game_after_the_whole_round(edition: str) -> None:
    game = pass_until(arrange(edition, phase="exchange", piles={"worker": ["shepherd"] * 5}), "worker")
    assert game.round == 3
    seen = [game.phase]
    while not game.over:
        game.push("pass")
        if not game.over and game.phase != seen[-1]:
            seen.append(game.phase)
    assert tuple(seen) == PHASES
    assert game.round == 3


@pytest.mark.parametrize(("pile", "before"), [("building", "worker"), ("noble", "building"), ("exchange", "noble")])
def test_it_is_the_last_round_also_when_the_pile_just_sufficed(pile: str, before: str) -> None:
    needed = SOME[pile][:2]
    row = ["lumberjack"] * 6
    game = passes(arrange(phase=before, row1=row, piles={pile: needed}))
    assert game.state()["row1"] == needed + row
    assert game.state()["last_round"]
    assert finish(game).round == 2


@pytest.mark.parametrize(("pile", "before"), [("building", "worker"), ("noble", "building")])
def test_one_card_left_in_the_pile_and_the_game_goes_on(pile: str, before: str) -> None:
    game = passes(arrange(phase=before, row1=["lumberjack"] * 6, piles={pile: SOME[pile][:3]}))
    assert not game.state()["last_round"]
    assert pass_until(game, "worker").round == 3


def test_a_pile_of_which_nothing_is_needed_triggers_nothing() -> None:
    game = passes(arrange(phase="worker", row1=["lumberjack"] * 4, row2=["author"] * 4, piles={"building": ["pub"]}))
    assert not game.state()["last_round"]


def test_the_rest_of_the_last_round_is_played_and_scored_as_usual() -> None:
    game = arrange(phase="worker", piles={"building": ["pub"]}, areas=[["shepherd", "library", "judge"]])
    passes(game)
    play(game, "buy pub", "pass", "pass", "pub 2")
    assert (game.phase, game.to_move) == ("noble", 0)
    passes(game)
    assert game.state()["rubles"][0] == 25 + 3 - 1 - 2 * 2 + 5
    assert game.state()["points"][0] == 5 + 2 + 2
    assert game.phase == "exchange"
    assert len(game.state()["row1"]) == 8


def test_after_the_last_exchange_phase_the_end_of_a_round_is_not_carried_out() -> None:
    position: dict[str, Any] = {
        "row1": ["judge", "author"],
        "row2": ["pub"],
        "held": tokens(noble=1),
        "areas": [["observatory"]],
        "face_down": [["observatory"], []],
    }
    game = arrange(phase="exchange", last_round=True, **position)
    before = game.state()
    after = finish(game).state()
    for what in ("row1", "row2", "discard", "tokens", "face_down", "piles", "round", "phase", "points", "rubles"):
        assert after[what] == before[what]


def test_there_is_no_result_before_the_end() -> None:
    game = arrange(phase="exchange", last_round=True)
    assert game.result is None
    assert passes(game, 1).result is None
    assert not game.over
    assert passes(game, 1).over


# 8.2
@every_edition
@pytest.mark.parametrize(
    ("different", "points"),
    [*enumerate([0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 55, 55]), (17, 55)],
)
def test_different_nobles_bring_1_3_6_10_15_21_28_36_45_55_points(edition: str, different: int, points: int) -> None:
    result = end(edition, rubles=0, areas=[[*NOBLES, *RED_EXCHANGE][:different]])
    assert [final.nobles for final in result.final] == [points, 0]
    assert totals(result) == [points, 0]


def test_nobles_of_the_same_name_count_once() -> None:
    assert end(areas=[["author"] * 6 + ["judge"] * 2]).final[0].nobles == 3


def test_exchange_nobles_count() -> None:
    assert end(areas=[["abbot", "czarina", "author"]]).final[0].nobles == 6


def test_workers_and_buildings_are_no_nobles() -> None:
    assert end(areas=[["shepherd", "market", "wharf", "bank", "author"]]).final[0].nobles == 1


def test_nobles_on_the_hand_bring_nothing() -> None:
    final = end(areas=[["author"]], hands=[["judge"]]).final[0]
    assert (final.nobles, final.hand) == (1, -5)


@every_edition
@pytest.mark.parametrize(
    ("rubles", "points", "left"), [(0, 0, 0), (9, 0, 9), (10, 1, 0), (19, 1, 9), (20, 2, 0), (137, 13, 7)]
)
def test_every_full_10_rubles_bring_a_point(edition: str, rubles: int, points: int, left: int) -> None:
    final = end(edition, rubles=[rubles, 0]).final[0]
    assert (final.rubles, final.rubles_left, final.total) == (points, left, points)


@every_edition
@pytest.mark.parametrize("cards", [0, 1, 2, 3])
def test_every_card_on_the_hand_costs_5_points(edition: str, cards: int) -> None:
    final = end(edition, rubles=0, points=[20, 0], hands=[["author", "pub", "wharf"][:cards]]).final[0]
    assert (final.hand, final.total) == (-5 * cards, 20 - 5 * cards)


def test_a_fourth_card_in_the_warehouse_costs_5_points_too() -> None:
    final = end(rubles=0, areas=[["warehouse"]], hands=[["author", "judge", "pub", "wharf"]]).final[0]
    assert final.hand == -20


def test_the_final_scoring_adds_up() -> None:
    areas = [["author", "judge", "builder"], ["author"]]
    result = end(areas=areas, hands=[["wharf"], ["pub"] * 2], points=[40, 33], rubles=[34, 7])
    one, two = result.final
    assert (one.seat, one.track, one.nobles, one.rubles, one.hand, one.total) == (0, 40, 6, 3, -5, 44)
    assert (two.seat, two.track, two.nobles, two.rubles, two.hand, two.total) == (1, 33, 1, 0, -10, 24)
    assert result.winners == (0,)


# 8.3
@every_edition
def test_a_score_can_fall_below_what_it_was_and_below_0(edition: str) -> None:
    result = end(edition, rubles=0, points=[3, 20], hands=[["author"] * 3, ["judge"]])
    assert totals(result) == [-12, 15]


# 8.4
@every_edition
@pytest.mark.parametrize("winner", [0, 1, 2])
def test_most_points_win(edition: str, winner: int) -> None:
    points = [10, 10, 10]
    points[winner] = 11
    result = end(edition, 3, points=points, rubles=[9 if seat != winner else 0 for seat in range(3)])
    assert result.winners == (winner,)


def test_points_before_the_final_scoring_do_not_decide() -> None:
    assert end(points=[20, 15], areas=[[], NOBLES[:3]]).winners == (1,)


def test_a_tie_in_the_second_edition_goes_to_most_rubles_left_after_paying_in_tens() -> None:
    result = end("second", points=[10, 8], rubles=[9, 21])  # 10 points each, 9 and 1 rubles left
    assert totals(result) == [10, 10]
    assert [final.tie for final in result.final] == [9, 1]
    assert (result.winners, places(result)) == ((0,), [1, 2])


def test_a_tie_in_the_first_edition_goes_to_most_rubles() -> None:
    result = end("first", points=[10, 8], rubles=[9, 21])
    assert totals(result) == [10, 10]
    assert [final.tie for final in result.final] == [9, 21]
    assert (result.winners, places(result)) == ((1,), [2, 1])


@every_edition
def test_players_still_tied_share_the_victory(edition: str) -> None:
    result = end(edition, 3, points=[10, 12, 12], rubles=[4, 4, 4])
    assert result.winners == (1, 2)
    assert places(result) == [3, 1, 1]


def test_equal_rubles_left_share_in_the_second_edition_only() -> None:
    position: dict[str, Any] = {"points": [9, 10], "rubles": [15, 5]}
    assert end("second", **position).winners == (0, 1)
    assert end("first", **position).winners == (0,)


@every_edition
def test_all_can_share_the_victory(edition: str) -> None:
    result = end(edition, 4, points=[7] * 4, rubles=6)
    assert result.winners == (0, 1, 2, 3)
    assert places(result) == [1, 1, 1, 1]


@every_edition
def test_the_other_places_go_by_the_same_order_and_equal_players_share_the_better_place(edition: str) -> None:
    result = end(edition, 4, points=[5, 30, 5, 2], rubles=[3, 0, 3, 9])
    assert places(result) == [2, 1, 2, 4]


@every_edition
def test_rubles_break_a_tie_for_a_lower_place(edition: str) -> None:
    result = end(edition, 4, points=[5, 30, 5, 5], rubles=[3, 0, 8, 3])
    assert places(result) == [3, 1, 2, 3]


def test_the_exchange_phase_of_the_last_round_is_not_scored() -> None:
    game = arrange(phase="exchange", last_round=True, areas=[["wharf", "bank", "judge"]])
    assert scoring(game) == [(0, 0), (0, 0)]
