"""What a seat cannot know, dealt anew (section 12)."""

from __future__ import annotations

import random

import pytest

from nevsky import Game, Ruleset
from nevsky.rules.game import redeal
from nevsky.rules.redeal import without_secrets
from nevsky.rules.redealer import Redealer
from nevsky.rules.rng import Rng
from nevsky.rules.snapshot import describe
from nevsky.rules.view import make_view

RULESETS = [
    Ruleset("second", 2),
    Ruleset("first", 3),
    Ruleset("second", 4, open_hands=True),
    Ruleset("second", 4, modules=(1, 2)),
    Ruleset("second", 5, market=True, modules=(1, 2, 3, 4, 5, 6)),
    Ruleset("second", 2, market=True, modules=(5, 6), open_rubles=True),
]


def games(ruleset: Ruleset, number: int, steps: int) -> list[Game]:
    rng = random.Random(number)
    found = []
    for seed in range(number):
        game = Game(ruleset, seed)
        for _ in range(rng.randrange(steps)):
            if game.over:
                break
            game.push(rng.choice(game.legal_ids))
        found.append(game)
    return found


@pytest.mark.parametrize("ruleset", RULESETS, ids=str)
def test_the_position_without_secrets_has_the_same_view(ruleset: Ruleset) -> None:
    for game in games(ruleset, 40, 260):
        for seat in (None, *range(ruleset.players)):
            view = game.view(seat)
            assert make_view(game.without_secrets(seat), ruleset, seat) == view


@pytest.mark.parametrize("ruleset", RULESETS, ids=str)
def test_the_position_without_secrets_does_not_depend_on_what_is_hidden(ruleset: Ruleset) -> None:
    for number, game in enumerate(games(ruleset, 25, 260)):
        for seat in range(ruleset.players):
            hidden = redeal(game.view(seat), number)
            known = describe(game.without_secrets(seat))
            other = describe(without_secrets(hidden.position, ruleset, seat))
            for data in (known, other):
                data["hands"] = [sorted(hand) for hand in data["hands"]]
                data.pop("hands_seen")
            assert known == other


def test_everything_hidden_moves_and_nothing_else() -> None:
    redealer = Redealer()
    for game in games(RULESETS[4], 30, 200):
        position = game.position
        before = describe(position)
        dealt = {tuple(map(tuple, before["piles"].values()))}
        for seed in range(5):
            redealer.deal(position, 1, 0, Rng.of(seed))
            after = describe(position)
            assert game.over or make_view(position, game.ruleset, 1) == game.view(1)
            dealt.add(tuple(map(tuple, after["piles"].values())))
        assert len(dealt) > 3 or sum(position.pile_n) < 5
