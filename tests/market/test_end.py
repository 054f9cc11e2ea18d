"""Rule 10.6, D6 and section 12 with the Market: the end of the game, and who knows what."""

from __future__ import annotations

import pytest

from nevsky import Game, Ruleset, redeal
from tests.market.table import arrange, finish, go_on_to, held, to_scoring
from tests.rules.table import passes, play


def before_the_market(*market_pile: str, on_display: int = 0) -> Game:
    """The end of a worker phase with this market pile and so many cards in row 2."""
    row = ["author", "author", "author", "author", "author", "author", "judge", "judge", "theater"][:on_display]
    return arrange(piles={"market": list(market_pile)}, row2=row)


# 10.6, D6
@pytest.mark.parametrize("on_display", [0, 8])
def test_the_last_market_card_on_the_display_makes_the_round_the_last(on_display: int) -> None:
    game = passes(before_the_market("chick", "hen", on_display=on_display))
    assert (game.phase, game.state()["piles"]["market"]) == ("market", [])
    assert game.state()["last_round"]
    finish(game)
    assert (game.over, game.round, game.phase) == (True, 2, "exchange")


def test_one_card_left_in_the_pile_does_not() -> None:
    game = passes(before_the_market("chick", "hen", on_display=9))
    assert game.state()["row1"] == ["chick"]
    assert not game.state()["last_round"]
    assert go_on_to(game, "worker").round == 3


def test_too_few_are_laid_as_far_as_they_go() -> None:
    game = passes(before_the_market("chick", "hen", "chick"))
    assert game.state()["row1"] == ["chick", "hen", "chick"]


def test_no_card_is_drawn_while_ten_lie_there() -> None:
    game = arrange(piles={"market": ["chick"]}, row1=["judge"], row2=["author"] * 6 + ["pub", "pub", "theater"])
    assert passes(game).state()["piles"]["market"] == ["chick"]
    assert not game.state()["last_round"]


def test_after_the_last_exchange_phase_row_2_and_tokens_stay() -> None:
    game = finish(arrange(phase="exchange", row2=["fish_special", "chick"], last_round=True))
    state = game.state()
    assert (state["row2"], state["out"], state["discard"]) == (["fish_special", "chick"], [], [])
    assert (state["round"], state["tokens"]) == (2, held(2))


@pytest.mark.parametrize("pile", ["worker", "building", "noble", "exchange"])
def test_the_other_piles_end_the_game_as_ever(pile: str) -> None:
    before = {"worker": "exchange", "building": "market", "noble": "building", "exchange": "noble"}[pile]
    card = {"worker": "shepherd", "building": "pub", "noble": "judge", "exchange": "wharf"}[pile]
    game = passes(arrange(phase=before, piles={pile: [card]}))
    assert (game.phase, game.state()["last_round"]) == (pile, True)


def test_the_final_scoring_knows_nobles_rubles_and_hands() -> None:
    game = arrange(
        5,
        phase="exchange",
        last_round=True,
        areas=[["author", "author", "judge", "caviar", "fish_special"]],
        hands=[["chick"]],
        rubles=[37, 9, 9, 9, 9],
        points=[50, 51, 0, 0, 51],
    )
    result = finish(game).result
    assert result is not None
    assert result.final[0][:8] == (0, 50, 3, 3, -5, 51, 7, 7)
    assert (result.winners, [final.place for final in result.final]) == ((1, 4), [3, 1, 4, 4, 1])


# 12.1, 12.2
@pytest.mark.parametrize("viewer", [0, 1, 2, None])
def test_the_market_pile_is_a_number_and_a_back(viewer: int | None) -> None:
    game = arrange(
        3, hands=[["chick", "hen"]], hands_seen=[[True, False], [], []], piles={"market": ["caviar", "chick"]}
    )
    view = game.view(viewer)
    assert view.piles["market"] == 2
    assert {card.pile for card in view.players[0].hand} == {"market"}
    assert {card.card for card in view.players[0].hand} == ({"chick", "hen"} if viewer == 0 else {"chick", None})
    assert b"caviar" not in view.to_bytes()


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_everybody_sees_who_holds_the_sack(viewer: int | None) -> None:
    assert arrange(tokens=held(2, market=1)).view(viewer).tokens == held(2, market=1)


def test_the_market_s_income_is_shown() -> None:
    assert arrange(areas=[["chick", "hen"]]).view(1).players[0].income["market"] == (3, 0)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_view_can_be_dealt_again(players: int) -> None:
    game = Game(Ruleset("second", players, market=True), seed=players)
    for step in range(120):
        if game.over:
            break
        choices = game.legal_actions
        play(game, choices[(7 * step) % len(choices)].text)
        if step % 10 == 0:
            viewer = step % players
            assert redeal(game.view(viewer), seed=step).view(viewer) == game.view(viewer)


@pytest.mark.parametrize("seed", range(6))
def test_a_whole_game_can_be_taken_back(seed: int) -> None:
    game = Game(Ruleset("second", 2 + seed % 4, market=True), seed=seed)
    start = game.state()
    step = 0
    while not game.over and step < 150:
        choices = game.legal_actions
        play(game, choices[(5 * step + seed) % len(choices)].text)
        step += 1
    while step:
        game.undo()
        step -= 1
    assert game.state() == start


def test_positions_can_be_written_down_and_arranged_again() -> None:
    game = to_scoring(arrange(3, phase="market", areas=[["fish_special", "sack_special"], ["caviar"]]))
    state = game.state()
    piles, tokens = state.pop("piles"), state.pop("tokens")
    again = Game.from_piles(game.ruleset, piles, tokens, **state)
    assert again.state() == game.state()
    moves = ["upkeep sack_special pay", "upkeep fish_special drop"]
    assert play(again, *moves).state() == play(game, *moves).state()
