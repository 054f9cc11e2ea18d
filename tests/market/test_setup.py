"""Rules 2.1, 2.3, 2.5 and 3.1 for games with the Market: piles, tokens, display."""

from __future__ import annotations

from collections import Counter

import pytest

from nevsky import Game, NevskyError, Ruleset
from tests.market.table import MARKET_PHASES, YELLOW, arrange, box, go_on_to, held, quietly, to_scoring
from tests.rules.table import passes

SEEDS = range(150)
every_number = pytest.mark.parametrize("players", [2, 3, 4, 5])
TABLES = [
    Ruleset("second", 4, market=True),
    Ruleset("second", 5, market=True, modules=(1,)),
    Ruleset("second", 3, market=True, modules=(2,)),
    Ruleset("second", 3, market=True, modules=(1, 2)),
    Ruleset("second", 3, modules=(1,)),
    Ruleset("second", 3, modules=(2,)),
    Ruleset("second", 2, modules=(1, 2)),
]


def with_market(players: int, seed: int = 1) -> Game:
    return Game(Ruleset("second", players, market=True), seed=seed)


def first_workers_bought(game: Game) -> Game:
    while game.phase == "worker":
        game.push(game.legal_actions[0])
    return game


# 2.1
def test_a_fifth_pile_has_35_market_cards() -> None:
    sizes = {pile: len(cards) for pile, cards in with_market(4).piles.items()}
    assert sizes == {"worker": 31, "market": 35, "building": 28, "noble": 27, "exchange": 30}


def test_every_copy_of_every_market_card_is_in_it() -> None:
    assert Counter(with_market(4).piles["market"]) == {card: row.copies for card, row in YELLOW.items()}


def test_ship_builders_and_markets_carry_each_symbol_once() -> None:
    piles = with_market(4).piles
    builders = sorted(card for card in piles["worker"] if card.startswith("ship_builder"))
    assert builders == [f"ship_builder:{symbol}" for symbol in ("?", "apple", "cabbage", "chicken", "fish", "sack")]
    markets = sorted(card for card in piles["building"] if card.startswith("market"))
    assert markets == [f"market:{symbol}" for symbol in ("apple", "cabbage", "chicken", "fish", "sack")]


def test_without_the_market_there_are_no_symbols_goods_or_tiles() -> None:
    game = Game(Ruleset("second", 4, modules=(1,)), seed=1)
    assert not [card for cards in game.piles.values() for card in cards if ":" in card]
    assert {"goods", "tiles"} & set(game.state()) == set()
    assert "market" not in game.tokens


@pytest.mark.parametrize("card", ["market", "ship_builder"])
def test_with_the_market_a_card_without_its_symbol_is_refused(card: str) -> None:
    with pytest.raises(NevskyError, match=f"{card} is not part of this game"):
        arrange(discard=[card])


@pytest.mark.parametrize("card", ["chick", "fish_special", "market:fish", "ship_builder:?"])
def test_without_the_market_its_cards_are_refused(card: str) -> None:
    with pytest.raises(NevskyError, match="is not part of this game"):
        arrange(market=False, discard=[card])


@pytest.mark.parametrize("card", ["ship_builder:fish", "caviar", "apple_special"])
def test_more_copies_than_the_box_holds_are_refused(card: str) -> None:
    with pytest.raises(NevskyError, match="only 1 of"):
        arrange(discard=[card, card])


@pytest.mark.parametrize("ruleset", TABLES)
def test_module_cards_are_shuffled_into_the_pile_of_their_back(ruleset: Ruleset) -> None:
    wanted = {
        pile: Counter(card.partition("@")[0] for card in cards.elements()) for pile, cards in box(ruleset).items()
    }
    assert {pile: Counter(cards) for pile, cards in Game(ruleset, seed=5).piles.items()} == wanted


def test_piles_are_shuffled() -> None:
    ruleset = Ruleset("second", 4, market=True, modules=(1,))
    dealt = [Game(ruleset, seed=seed).piles for seed in range(5)]
    for pile in MARKET_PHASES:
        assert len({tuple(piles[pile]) for piles in dealt}) == 5
    assert len({piles["market"].index("moocher") for piles in dealt}) > 1


# 2.3
@pytest.mark.parametrize(("players", "numbers"), [(2, [2, 3]), (3, [1, 2, 2]), (4, [1, 1, 1, 2]), (5, [1, 1, 1, 1, 1])])
def test_five_tokens_are_dealt(players: int, numbers: list[int]) -> None:
    for seed in SEEDS:
        tokens = with_market(players, seed).tokens
        assert set(tokens) == set(MARKET_PHASES)
        each = Counter(tokens.values())
        assert sorted(each[seat] for seat in range(players)) == numbers


@every_number
@pytest.mark.parametrize("phase", MARKET_PHASES)
def test_every_token_can_come_to_every_seat(players: int, phase: str) -> None:
    assert {with_market(players, seed).tokens[phase] for seed in SEEDS} == set(range(players))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_random_player_has_more_than_the_others(players: int) -> None:
    richest = set()
    for seed in SEEDS:
        each = Counter(with_market(players, seed).tokens.values())
        richest.add(tuple(seat for seat in range(players) if each[seat] == max(each.values())))
    assert len(richest) == players


@pytest.mark.parametrize("pair", [(a, b) for a in range(5) for b in range(a)])
def test_any_two_tokens_can_come_to_one_player_of_four(pair: tuple[int, int]) -> None:
    first, second = (MARKET_PHASES[place] for place in pair)
    assert any((tokens := with_market(4, seed).tokens)[first] == tokens[second] for seed in SEEDS)


def test_the_youngest_has_no_second_token_of_right() -> None:
    dealt = [Game(Ruleset("second", 3, market=True, youngest=0), seed=seed).tokens for seed in SEEDS]
    assert {list(tokens.values()).count(0) for tokens in dealt} == {1, 2}


def test_a_deal_without_the_sack_is_refused() -> None:
    with pytest.raises(NevskyError, match="worker, market, building, noble, exchange"):
        arrange(tokens={"worker": 0, "building": 0, "noble": 0, "exchange": 0})


# 2.5
@pytest.mark.parametrize(("players", "workers"), [(2, 4), (3, 6), (4, 8), (5, 10)])
def test_the_first_worker_phase_lays_out_two_workers_per_player(players: int, workers: int) -> None:
    state = with_market(players).state()
    assert (len(state["row1"]), state["row2"], len(state["piles"]["worker"])) == (workers, [], 31 - workers)


@every_number
def test_every_player_buys_two_of_them_and_the_market_follows(players: int) -> None:
    game = first_workers_bought(with_market(players, seed=8))
    assert [sum(area.values()) for area in game.state()["areas"]] == [2] * players
    assert (game.round, game.phase, game.to_move) == (1, "market", game.tokens["market"])


@every_number
def test_every_later_phase_fills_the_display_to_ten(players: int) -> None:
    game = first_workers_bought(with_market(players))
    state = game.state()
    assert (len(state["row1"]), len(state["piles"]["market"])) == (10, 25)
    game.push(next(action for action in game.legal_actions if action.verb == "take"))
    state = go_on_to(game, "building").state()
    assert (len(state["row1"]), len(state["piles"]["building"])) == (10, 27)


@pytest.mark.parametrize("modules", [(1,), (2,)])
def test_without_the_market_modules_leave_it_at_eight(modules: tuple[int, ...]) -> None:
    game = to_scoring(arrange(market=False, modules=modules))
    assert (game.phase, len(game.state()["row1"])) == ("building", 8)


def test_both_rows_together_hold_ten() -> None:
    game = arrange(
        phase="market",
        row1=["chick", "hen"],
        row2=["pub", "author", "judge"],
        piles={"building": ["pub"] + ["library"] * 3 + ["market:fish", "warehouse"]},
    )
    assert to_scoring(game).state()["row1"] == ["pub", "library", "library", "library", "market:fish", "chick", "hen"]


# 3.1
def test_the_market_phase_stands_between_workers_and_buildings() -> None:
    game = arrange(tokens=held(3, market=1, building=2, noble=1, exchange=2), players=3)
    seen = []
    while game.round == 2:
        seen.append((game.phase, game.to_move))
        passes(game)
    assert seen == [("worker", 0), ("market", 1), ("building", 2), ("noble", 1), ("exchange", 2)]


def test_the_sack_goes_to_the_next_player_like_every_token() -> None:
    game = arrange(3, phase="exchange", tokens=held(3, market=2, building=1))
    assert passes(game).state()["tokens"] == {"worker": 1, "market": 0, "building": 2, "noble": 1, "exchange": 1}


def test_yellow_cards_can_be_bought_taken_and_played_in_any_phase() -> None:
    for phase in MARKET_PHASES:
        game = arrange(phase=phase, row1=["chick"], hands=[["hen"]])
        assert {action.text for action in game.legal_actions} == {"buy chick", "take chick", "play hen", "pass"}
        assert quietly(game).to_move == 1
