"""Sections 1 and 2: games on offer, components and set-up."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from nevsky import Game, NevskyError, Ruleset
from tests.rules.table import (
    EDITIONS,
    PHASES,
    PILE_SIZES,
    PRINTED,
    arrange,
    deal,
    pass_until,
    rest_of_box,
    scoring,
    tokens,
)

SEEDS = range(60)
every_table = pytest.mark.parametrize(("edition", "players"), [(e, n) for e in EDITIONS for n in (2, 3, 4)])


# 1.1
@every_table
def test_both_editions_are_for_two_to_four_players(edition: str, players: int) -> None:
    state = Game(Ruleset(edition, players), seed=1).state()
    assert len(state["rubles"]) == players


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [-1, 0, 1, 5, 6])
def test_other_numbers_of_players_are_refused(edition: str, players: int) -> None:
    with pytest.raises(NevskyError):
        Ruleset(edition, players)


# 1.2
def test_five_players_are_told_that_they_need_the_market() -> None:
    with pytest.raises(NevskyError, match="Market"):
        Ruleset("second", 5)


@pytest.mark.parametrize("edition", ["third", "", "SECOND", None, 2])
def test_an_unknown_edition_is_refused(edition: Any) -> None:
    with pytest.raises(NevskyError, match="edition"):
        Ruleset(edition, 4)


@pytest.mark.parametrize("players", ["4", 3.0, True, None])
def test_the_number_of_players_is_a_whole_number(players: Any) -> None:
    with pytest.raises(NevskyError):
        Ruleset("second", players)


@pytest.mark.parametrize("options", [{"youngest": 4}, {"youngest": -1}, {"open_hands": "yes"}, {"open_rubles": 1}])
def test_an_option_that_makes_no_sense_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(NevskyError):
        Ruleset("second", 4, **options)


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(NevskyError):
        Ruleset("second", 4, weather="snow")


# 2.1
@every_table
def test_the_piles_hold_31_workers_28_buildings_27_nobles_30_exchange_cards(edition: str, players: int) -> None:
    piles = Game(Ruleset(edition, players), seed=3).piles
    assert {pile: len(cards) for pile, cards in piles.items()} == PILE_SIZES


@every_table
def test_every_copy_of_every_card_is_in_its_own_pile(edition: str, players: int) -> None:
    piles = Game(Ruleset(edition, players), seed=3).piles
    for pile in PHASES:
        assert Counter(piles[pile]) == {card: row.copies for card, row in PRINTED.items() if row.pile == pile}


@pytest.mark.parametrize("colour", ["green", "blue", "red"])
def test_ten_exchange_cards_of_each_colour(colour: str) -> None:
    pile = Game(Ruleset("second", 2), seed=3).piles["exchange"]
    assert sum(PRINTED[card].colour == colour for card in pile) == 10


@pytest.mark.parametrize("pile", PHASES)
def test_each_pile_is_shuffled(pile: str) -> None:
    orders = {tuple(Game(seed=seed).piles[pile]) for seed in range(10)}
    assert len(orders) == 10


@pytest.mark.parametrize("pile", PHASES)
def test_every_card_can_lie_on_top_of_its_pile(pile: str) -> None:
    tops = {Game(seed=seed).piles[pile][0] for seed in range(300)}
    assert tops == {card for card, row in PRINTED.items() if row.pile == pile}


def test_the_same_seed_deals_the_same_game() -> None:
    assert Game(seed=11).state() == Game(seed=11).state()


def test_without_a_seed_every_deal_is_new() -> None:
    assert Game().state() != Game().state()


# 2.2
@every_table
def test_everybody_starts_with_25_rubles_no_points_and_no_cards(edition: str, players: int) -> None:
    state = Game(Ruleset(edition, players), seed=5).state()
    assert state["rubles"] == [25] * players
    assert state["points"] == [0] * players
    assert state["hands"] == [[]] * players
    assert state["areas"] == [{}] * players
    assert (state["row2"], state["discard"]) == ([], [])


def test_the_bank_never_runs_dry() -> None:
    game = arrange(phase="worker", rubles=382, areas=[["lumberjack"], ["lumberjack"]])
    assert scoring(game) == [(3, 0), (3, 0)]


# 2.3
def test_four_players_get_one_token_each() -> None:
    for seed in SEEDS:
        assert sorted(Game(Ruleset("second", 4), seed=seed).tokens.values()) == [0, 1, 2, 3]


def test_two_players_get_two_tokens_each() -> None:
    for seed in SEEDS:
        assert sorted(Game(Ruleset("second", 2), seed=seed).tokens.values()) == [0, 0, 1, 1]


@pytest.mark.parametrize("youngest", [0, 1, 2])
def test_of_three_players_the_youngest_gets_two_tokens(youngest: int) -> None:
    for seed in SEEDS:
        held = Counter(Game(Ruleset("first", 3, youngest=youngest), seed=seed).tokens.values())
        assert held == {seat: 2 if seat == youngest else 1 for seat in range(3)}


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("token", PHASES)
def test_every_token_can_come_to_every_seat(players: int, token: str) -> None:
    holders = {Game(Ruleset("second", players), seed=seed).tokens[token] for seed in SEEDS}
    assert holders == set(range(players))


def test_the_youngest_of_three_gets_any_two_tokens() -> None:
    pairs = set()
    for seed in SEEDS:
        held = Game(Ruleset("second", 3, youngest=1), seed=seed).tokens
        pairs.add(tuple(phase for phase in PHASES if held[phase] == 1))
    assert len(pairs) == 6


@pytest.mark.parametrize(("players", "deals"), [(2, 6), (3, 36), (4, 24)])
def test_every_deal_of_the_tokens_is_possible(players: int, deals: int) -> None:
    seen = {tuple(Game(Ruleset("second", players), seed=seed).tokens.items()) for seed in range(400)}
    assert len(seen) == deals


# 2.4
def test_without_the_option_any_seat_can_be_the_youngest() -> None:
    youngest = {Counter(Game(Ruleset("second", 3), seed=seed).tokens.values()).most_common(1)[0][0] for seed in SEEDS}
    assert youngest == {0, 1, 2}


# 2.5
@every_table
def test_the_first_worker_phase_lays_out_two_workers_per_player(edition: str, players: int) -> None:
    game = Game(Ruleset(edition, players), seed=8)
    state = game.state()
    assert state["row1"] == game.piles["worker"][: 2 * players]
    assert len(state["piles"]["worker"]) == 31 - 2 * players


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_later_phase_fills_the_display_up_to_eight(players: int) -> None:
    game = pass_until(Game(Ruleset("first", players), seed=8), "building")
    assert len(game.state()["row1"]) == 8


# a deal by hand
def test_a_deal_by_hand_is_played_as_dealt() -> None:
    game = deal(players=2, held=tokens(worker=1), worker=["ship_builder", "shepherd", "gold_miner", "lumberjack"])
    assert game.state()["row1"] == ["ship_builder", "shepherd", "gold_miner", "lumberjack"]
    assert game.to_move == 1


def test_a_deal_with_a_missing_card_is_refused() -> None:
    with pytest.raises(NevskyError):
        Game.from_piles(Ruleset("second", 2), rest_of_box(["author"]), tokens())


def test_a_deal_with_a_card_too_many_is_refused() -> None:
    piles = rest_of_box(["author"])
    piles["noble"].append("judge")
    with pytest.raises(NevskyError, match="judge"):
        Game.from_piles(Ruleset("second", 2), piles, tokens())


def test_a_card_in_the_wrong_pile_is_refused() -> None:
    piles = rest_of_box()
    piles["noble"].append(piles["building"].pop())
    with pytest.raises(NevskyError):
        Game.from_piles(Ruleset("second", 2), piles, tokens())


@pytest.mark.parametrize("held", [{}, {"worker": 0}, tokens(noble=2), tokens(worker=-1)])
def test_a_token_without_a_holder_is_refused(held: dict[str, int]) -> None:
    with pytest.raises(NevskyError):
        Game.from_piles(Ruleset("second", 2), rest_of_box(), held)


def test_seats_are_named() -> None:
    assert Game(Ruleset("second", 2), seed=1, seats=["Anna", "Boris"]).seats == ("Anna", "Boris")
    assert len(Game(Ruleset("second", 3), seed=1).seats) == 3


@pytest.mark.parametrize("seats", [["Anna"], ["Anna", "Boris", "Clara"], ["Anna", ""], "AB"])
def test_every_seat_has_a_name(seats: Any) -> None:
    with pytest.raises(NevskyError):
        Game(Ruleset("second", 2), seed=1, seats=seats)
