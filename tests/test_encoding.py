"""Positions as numbers: nothing secret in them, and no seat is special."""

from __future__ import annotations

import random

import pytest

from nevsky import Game, Ruleset
from nevsky.cards import KIND
from nevsky.encoding import SIZE, Encoder
from nevsky.rules.game import redeal
from tests.rulesets import CONFIGURATIONS

SECTION = 274
"""Numbers for each seat."""


def some_games(ruleset: Ruleset, number: int, steps: int = 220) -> list[Game]:
    rng = random.Random(number)
    games = []
    for seed in range(number):
        game = Game(ruleset, seed)
        for _ in range(rng.randrange(steps)):
            if not game.over:
                game.push(rng.choice(game.legal_ids))
        games.append(game)
    return games


def numbers(game: Game, seat: int, rubles: int = 0, hands: int = 0) -> dict[int, float]:
    encoder = Encoder()
    encoder.encode(game.position, seat, rubles, hands)
    return encoder.numbers()


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_states_that_a_seat_cannot_tell_apart_are_equal_rows(configuration: str) -> None:
    ruleset = CONFIGURATIONS[configuration]
    for game in some_games(ruleset, 12):
        for seat in range(ruleset.players):
            view = game.view(seat)
            if game.over or view.due != game.due:  # a secret question is left out of views, not of positions
                continue
            other = redeal(view, seat)
            row = numbers(game, seat, int(ruleset.open_rubles), int(ruleset.open_hands))
            assert row == numbers(other, seat, int(ruleset.open_rubles), int(ruleset.open_hands))
            assert all(0 <= place < SIZE for place in row)


@pytest.mark.parametrize("ruleset", [Ruleset("second", 3), Ruleset("first", 4), Ruleset("second", 5, market=True)])
def test_rotating_the_seats_changes_nothing(ruleset: Ruleset) -> None:
    n = ruleset.players
    for game in some_games(ruleset, 8):
        tokens = {pile: (seat + 1) % n for pile, seat in game.tokens.items()}
        rotated = Game.from_piles(ruleset, game.piles, tokens)
        for action, _ in game.moves:
            rotated.push(action)
        for seat in range(n):
            assert numbers(game, seat) == numbers(rotated, (seat + 1) % n)
            assert numbers(game, seat, 1, 1) == numbers(rotated, (seat + 1) % n, 1, 1)


def test_what_some_numbers_mean() -> None:
    game = Game(Ruleset("second", 2), seed=7)
    mover = game.to_move
    assert mover is not None
    bought = game.legal_actions[0]
    game.push(bought)
    row = numbers(game, mover)
    assert row[0] == 1
    assert row[1] == pytest.approx(game.position.rubles[mover] / 25)
    assert row[50 + KIND[bought.card]] == 1
    assert SECTION + 1 not in row
    assert row[SECTION + 8] == 1
    assert SECTION * 2 not in row
    assert numbers(game, mover, rubles=1)[SECTION + 1] == 1
