"""Section 3: phases, the display, whose turn it is, and the end of a round."""

from __future__ import annotations

from itertools import pairwise

import pytest

from nevsky import Game, NevskyError, Ruleset
from tests.rules.table import (
    EDITIONS,
    PHASES,
    arrange,
    at,
    deal,
    legal,
    pass_until,
    passes,
    play,
    scoring,
    texts,
    tokens,
)

FOUR_WORKERS = ["lumberjack", "gold_miner", "shepherd", "lumberjack"]
every_edition = pytest.mark.parametrize("edition", EDITIONS)


# 3.1
@every_edition
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_round_goes_worker_building_noble_exchange(edition: str, players: int) -> None:
    game = arrange(edition, players)
    seen = []
    for _ in range(5):
        seen.append((game.round, game.phase))
        passes(game)
    assert seen == [(2, "worker"), (2, "building"), (2, "noble"), (2, "exchange"), (3, "worker")]


# 3.2
@pytest.mark.parametrize(("phase", "following"), [*pairwise(PHASES), ("exchange", "worker")])
def test_a_phase_adds_cards_of_its_own_pile(phase: str, following: str) -> None:
    game = arrange(phase=phase)
    pile = game.state()["piles"][following]
    passes(game)
    assert game.state()["row1"] == pile[:8]
    assert game.state()["piles"][following] == pile[8:]


def test_the_display_is_filled_until_both_rows_together_hold_eight() -> None:
    game = passes(arrange(phase="worker", row1=["shepherd"] * 2, row2=["market"] * 3))
    state = game.state()
    assert (len(state["row1"]), len(state["row2"])) == (5, 3)
    assert len(state["piles"]["building"]) == 28 - 3 - 3


def test_no_card_is_added_to_eight() -> None:
    game = passes(arrange(phase="worker", row1=["shepherd"] * 5, row2=["author"] * 3))
    assert game.state()["row1"] == ["shepherd"] * 5
    assert len(game.state()["piles"]["building"]) == 28


def test_a_pile_that_has_too_few_adds_as_many_as_there_are() -> None:
    game = passes(arrange(phase="worker", piles={"building": ["pub", "market"]}))
    assert game.state()["row1"] == ["pub", "market"]
    assert game.state()["piles"]["building"] == []


def test_new_cards_are_laid_from_the_left_in_the_order_drawn_and_older_ones_stand_to_their_right() -> None:
    old = ["shepherd", "lumberjack", "shepherd", "gold_miner", "lumberjack"]
    pile = ["theater", "market", "academy", "pub"]
    game = passes(arrange(phase="worker", row1=old, piles={"building": pile}))
    assert game.state()["row1"] == ["theater", "market", "academy", *old]


def test_row_2_is_not_filled_up() -> None:
    game = passes(arrange(phase="worker", row2=["shepherd"]))
    assert game.state()["row2"] == ["shepherd"]
    assert len(game.state()["row1"]) == 7


def test_a_space_stays_empty_until_the_next_refill() -> None:
    game = play(arrange(phase="worker", row1=["shepherd", "lumberjack"]), "take shepherd")
    assert game.state()["row1"] == ["lumberjack"]


@pytest.mark.parametrize("verb", ["buy", "take"])
@pytest.mark.parametrize(("place", "words"), [("row1", ""), ("row2", " row 2")])
def test_of_equal_cards_in_a_row_the_leftmost_is_taken(verb: str, place: str, words: str) -> None:
    row = ["author", "lumberjack", "judge", "lumberjack", "author"]
    game = play(arrange(**at(place, *row)), f"{verb} lumberjack{words}")
    assert game.state()[place] == ["author", "judge", "lumberjack", "author"]


# 3.3
@pytest.mark.parametrize("phase", PHASES)
def test_the_holder_of_the_phase_s_token_has_the_first_turn(phase: str) -> None:
    game = arrange(players=4, held=tokens(worker=2, building=0, noble=3, exchange=1))
    if phase != "worker":
        pass_until(game, phase)
    assert game.to_move == {"worker": 2, "building": 0, "noble": 3, "exchange": 1}[phase]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_turns_go_clockwise_one_action_each(players: int) -> None:
    game = arrange(players=players, held=tokens(worker=1), row1=["lumberjack"] * 5)
    order = []
    for action in ["buy lumberjack", "take lumberjack", "pass", "take lumberjack", "buy lumberjack"]:
        order.append(game.to_move)
        game.push(action)
    assert order == [(1 + i) % players for i in range(5)]


# 3.4
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_phase_ends_when_all_have_passed_one_directly_after_the_other(players: int) -> None:
    game = passes(arrange(players=players), players - 1)
    assert game.phase == "worker"
    assert passes(game, 1).phase == "building"


def test_whoever_has_passed_may_act_again() -> None:
    game = play(arrange(row1=["shepherd"] * 2), "pass", "take shepherd")
    assert game.to_move == 0
    assert "buy shepherd" in texts(game)


@pytest.mark.parametrize("action", ["buy lumberjack", "take lumberjack", "play shepherd"])
def test_an_action_breaks_the_chain_of_passes(action: str) -> None:
    game = arrange(players=3, row1=["lumberjack"], hands=[[], ["shepherd"]])
    play(game, "pass", action)
    assert game.state()["passes"] == 0
    assert passes(game, 2).phase == "worker"
    assert passes(game, 1).phase == "building"


@pytest.mark.parametrize("then", ["buy author drawn", "take author drawn", "discard author drawn"])
def test_an_observatory_breaks_the_chain_of_passes(then: str) -> None:
    piles = {"noble": ["author"] * 2}
    game = arrange(phase="building", players=3, areas=[[], ["observatory"]], piles=piles)
    play(game, "pass", "observe noble", then)
    assert game.state()["passes"] == 0
    assert passes(game, 2).phase == "building"
    assert passes(game, 1).phase == "noble"


def test_the_first_turn_of_a_phase_starts_a_new_chain() -> None:
    game = play(arrange(row1=["lumberjack"]), "buy lumberjack", "pass", "pass")
    assert (game.phase, game.state()["passes"]) == ("building", 0)


# 3.5
@pytest.mark.parametrize(
    ("phase", "income"), [("worker", (3, 0)), ("building", (0, 5)), ("noble", (6, 3)), ("exchange", (0, 0))]
)
def test_a_phase_is_scored_at_its_end_but_not_the_exchange_phase(phase: str, income: tuple[int, int]) -> None:
    game = arrange(phase=phase, areas=[["shepherd", "library", "mistress_of_ceremonies"]])
    assert scoring(game) == [income, (0, 0)]


def test_nothing_is_scored_before_all_have_passed() -> None:
    game = passes(arrange(players=3, areas=[["shepherd"]] * 3), 2)
    assert game.state()["rubles"] == [25, 25, 25]


# 3.6
def test_in_the_first_worker_phase_of_the_second_edition_one_can_only_buy() -> None:
    game = deal("second", worker=FOUR_WORKERS)
    assert texts(game) == {"buy lumberjack", "buy gold_miner", "buy shepherd"}


@pytest.mark.parametrize("action", ["pass", "take lumberjack"])
def test_no_other_action_is_allowed_in_it(action: str) -> None:
    game = deal("second", worker=FOUR_WORKERS)
    before = game.state()
    with pytest.raises(NevskyError):
        game.push(action)
    assert game.state() == before


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_it_ends_with_an_empty_display_and_two_workers_each(players: int, seed: int) -> None:
    game = Game(Ruleset("second", players), seed=seed)
    for _ in range(2 * players - 1):
        game.push(game.legal_actions[0])
    assert game.phase == "worker"
    game.push(game.legal_actions[0])
    state = game.state()
    assert state["phase"] == "building"
    assert [sum(area.values()) for area in state["areas"]] == [2] * players
    assert state["discard"] == []
    assert len(state["row1"]) == 8


def test_it_is_scored_like_any_other() -> None:
    game = deal("second", worker=FOUR_WORKERS)
    play(game, "buy lumberjack", "buy gold_miner", "buy lumberjack", "buy shepherd")
    assert game.state()["rubles"] == [25 - 3 - 2 + 6, 25 - 4 - 5 + 6]


def test_the_next_worker_phase_of_the_second_edition_is_an_ordinary_one() -> None:
    game = Game(Ruleset("second", 2), seed=4)
    for _ in range(4):
        game.push(game.legal_actions[0])
    pass_until(game, "worker")
    assert game.round == 2
    assert "pass" in texts(game)
    assert legal(game, "take")


def test_the_first_worker_phase_of_the_first_edition_is_an_ordinary_one() -> None:
    game = deal("first", worker=FOUR_WORKERS)
    kinds = {"lumberjack", "gold_miner", "shepherd"}
    assert texts(game) == {f"{verb} {card}" for verb in ("buy", "take") for card in kinds} | {"pass"}


def test_in_it_a_card_from_the_hand_can_be_played_and_the_phase_ends_by_passing() -> None:
    game = deal("first", worker=FOUR_WORKERS)
    play(game, "take gold_miner", "pass", "play gold_miner", "pass")
    assert game.phase == "worker"
    passes(game, 1)
    state = game.state()
    assert state["phase"] == "building"
    assert state["row1"][-3:] == ["lumberjack", "shepherd", "lumberjack"]
    assert len(state["row1"]) == 8


# 3.7
@every_edition
def test_the_cards_of_row_2_are_discarded_from_left_to_right(edition: str) -> None:
    row = ["judge", "author", "pub"]
    game = passes(arrange(edition, phase="exchange", row2=row, discard=["wharf"]))
    assert game.state()["discard"] == ["wharf", "judge", "author", "pub"]


@every_edition
def test_the_cards_of_row_1_move_to_row_2_in_the_same_order(edition: str) -> None:
    row = ["judge", "author", "pub"]
    game = passes(arrange(edition, phase="exchange", row1=row, row2=["theater"]))
    state = game.state()
    assert state["row2"] == row
    assert state["row1"] == ["lumberjack"] * 5


@pytest.mark.parametrize("phase", ["worker", "building", "noble"])
def test_the_rows_stay_as_they_are_between_the_phases_of_a_round(phase: str) -> None:
    game = passes(arrange(phase=phase, row1=["czarina"], row2=["abbot"]))
    state = game.state()
    assert (state["row1"][-1], state["row2"], state["discard"]) == ("czarina", ["abbot"], [])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_token_goes_to_the_next_player_clockwise(players: int) -> None:
    held = tokens(worker=0, building=1, noble=players - 1, exchange=0)
    game = pass_until(arrange(players=players, held=held), "worker")
    assert game.state()["tokens"] == tokens(worker=1, building=2 % players, noble=0, exchange=1)
    assert game.to_move == 1


@pytest.mark.parametrize("phase", ["worker", "building", "noble"])
def test_the_tokens_stay_during_the_round(phase: str) -> None:
    held = tokens(worker=0, building=1, noble=1, exchange=0)
    assert passes(arrange(phase=phase, held=held)).state()["tokens"] == held


def test_observatories_are_turned_face_up() -> None:
    game = arrange(phase="noble", areas=[["observatory"]], face_down=[["observatory"], []])
    assert passes(game).state()["face_down"] == [{"observatory": 1}, {}]
    assert passes(game).state()["face_down"] == [{}, {}]


def test_hands_areas_rubles_and_points_pass_into_the_next_round() -> None:
    game = arrange(phase="exchange", areas=[["market"]], hands=[["judge"], ["pub"]], rubles=[7, 9], points=[4, 5])
    before = game.state()
    after = passes(game).state()
    for what in ("areas", "hands", "rubles", "points"):
        assert after[what] == before[what]
