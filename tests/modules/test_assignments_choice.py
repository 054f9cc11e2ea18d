"""Rule 11.5: dealing the assignments, choosing one at the end, and who knows of them (12.2)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from nevsky import Game, NevskyError, Ruleset, redeal
from nevsky.rules.modules.assignments.data import worth
from tests.modules.arranged import arrange, box, final_position, settled, take_back, tokens
from tests.rules.table import play, texts

HELD = [[1, 7, 9], [2, 12, 13], [6, 10, 14]]
AREAS = [["author", "author", "shepherd"], ["hen"], ["judge"]]


def table(players: int) -> Ruleset:
    return Ruleset("second", players, market=True, modules=(5,))


def last_pass(**position: Any) -> Game:
    """Three players at the end of the game, the exchange token at seat 1."""
    options = {"assignments": HELD, "areas": AREAS, "held": tokens(exchange=1), **position}
    return play(final_position(5, players=3, **options), "pass")


# dealing
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_three_different_ones_to_each_player(players: int) -> None:
    for seed in range(40):
        held = Game(table(players), seed=seed).state()["assignments"]
        assert [len(own) for own in held] == [3] * players
        assert len({number for own in held for number in own}) == 3 * players


@pytest.mark.parametrize("players", [2, 3])
def test_each_number_is_dealt_but_with_two_players_not_2_8_and_15(players: int) -> None:
    dealt: Counter[int] = Counter()
    for seed in range(150):
        for own in Game(table(players), seed=seed).state()["assignments"]:
            dealt.update(own)
    assert set(dealt) == set(range(1, 16)) - ({2, 8, 15} if players == 2 else set())
    assert min(dealt.values()) > 40


@pytest.mark.parametrize("number", [2, 8, 15])
def test_a_deal_for_two_with_one_of_those_is_refused(number: int) -> None:
    with pytest.raises(NevskyError, match="2, 8 and 15"):
        Game.from_piles(table(2), box(table(2)), tokens(), assignments=[[1, 3, 4], [5, 6, number]])
    assert Game.from_piles(table(2), box(table(2)), tokens(), assignments=[[1, 3, 4], [5, 6, 7]]).round == 1


@pytest.mark.parametrize(
    "held", [[[1, 1, 2], [3, 4, 5]], [[1, 2, 3], [3, 4, 5]], [[1, 2], [3, 4, 5, 6]], [[0, 1, 3], [4, 5, 6]]]
)
def test_impossible_assignments_are_refused(held: list[list[int]]) -> None:
    with pytest.raises(NevskyError):
        Game.from_piles(table(2), box(table(2)), tokens(), assignments=held)


# choosing
def test_each_chooses_clockwise_from_the_holder_of_the_exchange_token() -> None:
    game = last_pass()
    seats = []
    while not game.over:
        assert game.due == "assignment"
        seats.append(game.to_move)
        game.push(game.legal_actions[0])
    assert seats == [1, 2, 0]


def test_one_of_the_own_three() -> None:
    game = last_pass()
    assert texts(game) == {"assignment 2", "assignment 12", "assignment 13"}
    play(game, "assignment 13")
    assert texts(game) == {"assignment 6", "assignment 10", "assignment 14"}
    with pytest.raises(NevskyError):
        game.push("assignment 13")


def test_the_chosen_one_pays_and_the_others_do_not() -> None:
    final = settled(play(last_pass(), "assignment 13", "assignment 10", "assignment 1"))
    assert [seat.assignment for seat in final] == [4, 2, 8]


def test_a_player_may_choose_another_than_the_best() -> None:
    final = settled(play(last_pass(), "assignment 2", "assignment 14", "assignment 9"))
    assert [seat.assignment for seat in final] == [0, 10, 0]


def test_the_worth_of_each_is_known_before_choosing() -> None:
    position = last_pass().position
    assert [worth(position, 1, number) for number in HELD[1]] == [10, 5, 2]
    assert [worth(position, 0, number) for number in HELD[0]] == [4, 3, 0]


def test_no_assignments_without_the_module() -> None:
    assert play(final_position(4), "pass").over


def test_choices_can_be_taken_back() -> None:
    game = final_position(5, players=3, assignments=HELD, areas=AREAS)
    take_back(game, "pass", "assignment 7", "assignment 13", "assignment 6")
    finished = play(game, "pass", "assignment 7", "assignment 13", "assignment 6")
    finished.undo()
    assert settled(play(finished, "assignment 10"))[2].assignment == 8


# secrecy
def test_a_player_sees_the_own_ones_only() -> None:
    game = arrange(5, players=3, assignments=HELD)
    assert game.view(1).table["assignments"] == [None, HELD[1], None]
    assert game.view(None).table["assignments"] == [None, None, None]


def same_for(viewer: int | None, one: Game, other: Game) -> bool:
    return one.view(viewer).to_bytes() == other.view(viewer).to_bytes()


def test_whatever_the_others_hold_looks_the_same() -> None:
    mine = arrange(5, players=3, assignments=HELD)
    exchanged = arrange(5, players=3, assignments=[HELD[0], HELD[2], HELD[1]])
    assert same_for(0, mine, exchanged)
    assert same_for(None, mine, exchanged)
    assert not same_for(1, mine, exchanged)


def test_the_choice_of_others_is_secret_until_all_have_chosen() -> None:
    one = play(last_pass(), "assignment 2")
    other = play(last_pass(assignments=[HELD[0], HELD[2], HELD[1]]), "assignment 10")
    assert same_for(0, one, other)
    assert same_for(None, one, other)
    assert one.view(1).table["chosen"] == [None, 2, None]
    play(one, "assignment 6")
    play(other, "assignment 12")
    assert same_for(0, one, other)
    assert same_for(None, one, other)


def test_two_choices_from_the_same_three_look_the_same() -> None:
    games = [play(last_pass(), f"assignment {number}") for number in HELD[1]]
    assert same_for(2, games[0], games[1])
    assert same_for(2, games[0], games[2])
    assert not same_for(1, games[0], games[1])


def test_the_points_of_nobles_come_first_and_those_of_assignments_wait_for_all() -> None:
    game = play(last_pass(), "assignment 2", "assignment 6")
    flow = game.view(0).table["flow"]
    assert flow["part_nobles"] == [1, 0, 1]
    assert flow["part_assignment"] == [0, 0, 0]


def test_when_all_have_chosen_everybody_sees_everything() -> None:
    game = play(last_pass(), "assignment 2", "assignment 6", "assignment 1")
    for viewer in (None, 0, 1, 2):
        assert game.view(viewer).table["assignments"] == HELD
        assert game.view(viewer).table["chosen"] == [1, 2, 6]


def test_a_bonus_question_before_the_choice_tells_nothing() -> None:
    obstacles = {"tiles": {"10": "B3", "20": "B1", "35": "B2", "50": "B4", "70": "B5"}}
    arranged = [
        play(final_position(5, 6, assignments=held, points=9, areas=[["author", "hen"]], obstacles=obstacles), "pass")
        for held in ([[1, 3, 4], [5, 6, 7]], [[1, 3, 4], [9, 10, 11]])
    ]
    assert arranged[0].due == "bonus"
    assert same_for(0, *arranged)
    assert same_for(None, *arranged)


# the re-dealt game
def test_a_redealt_game_keeps_what_the_viewer_knows() -> None:
    game = Game(table(3), seed=3)
    own = game.state()["assignments"][1]
    for seed in range(20):
        again = redeal(game.view(1), seed)
        assert again.view(1) == game.view(1)
        assert again.state()["assignments"][1] == own


@pytest.mark.parametrize("players", [2, 3])
def test_a_redealt_game_deals_the_others_from_the_rest(players: int) -> None:
    game = Game(table(players), seed=3)
    own = game.state()["assignments"][0]
    found: Counter[int] = Counter()
    for seed in range(120):
        held = redeal(game.view(0), seed).state()["assignments"]
        numbers = [number for other in held for number in other]
        assert len(set(numbers)) == 3 * players
        found.update(number for other in held[1:] for number in other)
    assert set(found) == set(range(1, 16)) - set(own) - ({2, 8, 15} if players == 2 else set())


def test_a_redealt_game_does_not_depend_on_what_the_others_hold() -> None:
    mine = arrange(5, players=3, assignments=HELD)
    exchanged = arrange(5, players=3, assignments=[HELD[0], HELD[2], HELD[1]])
    assert redeal(mine.view(0), 5).state() == redeal(exchanged.view(0), 5).state()


def test_in_a_redealt_game_whoever_has_chosen_has_chosen_one_of_three() -> None:
    game = play(last_pass(), "assignment 2")
    again = redeal(game.view(2), seed=1)
    assert again.view(2) == game.view(2)
    state = again.state()
    assert state["chosen"][1] in state["assignments"][1]
    assert state["chosen"][0] is None


def test_the_redealt_final_scoring_has_an_assignment_for_everybody() -> None:
    game = play(last_pass(), "assignment 2", "assignment 6")
    again = redeal(game.view(0), seed=1)
    state = play(again, "assignment 1").state()
    assert all(number in own for number, own in zip(state["chosen"], state["assignments"], strict=True))
