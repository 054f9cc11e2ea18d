"""Where the points came from: nothing is lost, nothing is invented."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from nevsky import Game, Ruleset
from nevsky.rules.snapshot import restore
from nevsky.server.score_sources import race
from tests.server.support import run, running

RULESETS = [
    Ruleset("first", players=2),
    Ruleset("second", players=4),
    Ruleset("second", players=3, market=True),
    Ruleset("second", players=3, modules=(1, 2)),
    Ruleset("second", players=5, market=True, modules=(1, 2, 3, 4, 5, 6)),
    Ruleset("second", players=4, market=True, modules=(5, 6), real_obstacles=5),
]


def played(ruleset: Ruleset, seed: int) -> Game:
    """A game in which cards are bought whenever that is possible, so that there is something to score."""
    game = Game(ruleset, seed=seed)
    rng = random.Random(seed)
    while not game.over:
        buying = [number for number in game.legal_ids if game.explain(number) is not None]
        choices = buying or game.legal_ids
        game.push(rng.choice(choices))
    return game


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("ruleset", RULESETS, ids=str)
def test_all_parts_together_are_the_final_scores(ruleset: Ruleset, seed: int) -> None:
    game = played(ruleset, seed)
    found = race(game)
    assert game.result is not None
    assert [sum(part.points[seat] for part in found.parts) for seat in range(ruleset.players)] == [
        final.total for final in game.result.final
    ]
    track = [sum(part.points[seat] for part in found.parts if part.round) for seat in range(ruleset.players)]
    assert track == [final.track for final in game.result.final]
    assert all(1 <= part.round <= found.rounds for part in found.parts if part.round is not None)
    assert all(1 <= part.step <= len(game.moves) for part in found.parts)


def test_what_a_game_does_not_have_brings_nothing() -> None:
    sources = {part.source for seed in range(4) for part in race(played(Ruleset("second", players=3), seed)).parts}
    assert {"building", "noble", "exchange", "final_nobles"} <= sources
    assert not sources & {"market", "obstacles", "assignment", "final_obstacles", "other"}


def test_goods_bring_the_same_with_and_without_tiles_on_the_track() -> None:
    """X6, two players: two goods led by one, one by the other; tiles that lie on the way are told apart."""
    areas = [{"ship_builder:sack": 1, "sack_special": 1, "fish": 1, "author": 3}, {"apple_special": 1}]
    rewards = []
    for modules in ((), (6,)):
        ruleset = Ruleset("second", players=2, market=True, modules=modules)
        start = {
            "round": 3,
            "phase": "market",
            "last_round": True,
            "areas": areas,
            "points": [8, 8],
            "rubles": [30, 30],
        }
        if modules:
            tiles = {"10": "B1", "20": "B2", "35": "B3", "50": "B4", "70": "B5"}
            start["obstacles"] = {"tiles": tiles, "passed": [[], []], "due": [[], []], "lost": [0, 0]}
        game = Game.from_position(restore(ruleset, start), ruleset)
        while not game.over:
            game.push(game.legal_ids[0] if game.due != "turn" else "pass")
        rewards.append({(part.round, part.source): part.points for part in race(game).parts if part.round})
    plain, tiled = rewards
    assert plain[3, "market"] == tiled[3, "market"] == [6, 3]
    assert (3, "obstacles") not in plain
    assert tiled[3, "obstacles"] == [3, 0]


def test_exchange_cards_are_told_apart_from_the_cards_of_their_colour() -> None:
    """Theater 6, firehouse 3, Mariinsky theater 1 for each of two nobles, one point at the pub, patriarch 4."""
    ruleset = Ruleset("second", players=2)
    areas = [["theater", "firehouse", "mariinsky_theater", "author", "patriarch", "pub"], ["ship_builder"]]
    start = {"round": 5, "phase": "building", "last_round": True, "areas": areas, "rubles": [12, 25]}
    game = Game.from_position(restore(ruleset, start), ruleset)
    while not game.over:
        game.push("pub 1" if game.due == "pub" else "pass")
    found = {(part.round, part.source): part.points for part in race(game).parts}
    assert found == {
        (5, "building"): [9, 0],
        (5, "exchange"): [2 + 4, 0],
        (5, "pub"): [1, 0],
        (None, "final_nobles"): [3, 0],
        (None, "rubles"): [1, 2],
    }


def test_only_finished_games_are_told(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna = await server.visitor()
            seats = [{"kind": "me"}, {"kind": "bot", "level": "easy"}]
            made = (await anna.http.post("/api/tables", json={"ruleset": {"players": 2}, "seats": seats})).json()
            answer = await anna.http.get(f"/api/tables/{made['table']}/race")
            assert answer.status_code == 422
            assert "over" in answer.json()["message"]

    run(scenario())
