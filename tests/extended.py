"""What is checked in a tree to which docs/extending.md was applied; `test_extending` runs this file there.

In this tree itself there is neither a Bathhouse nor a module 7, so its name keeps it from being collected.
"""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

import nevsky
from nevsky import Game, Ruleset, parse_action
from nevsky.cards import CARDS, card_name
from nevsky.rules.modules import ROOMS
from nevsky.rules.rng import Rng
from tests.harness import play_checked, play_sampled
from tests.server.support import play_randomly, run, running

RULESETS = [
    Ruleset("second", 2, modules=(7,)),
    Ruleset("second", 4, modules=(2, 7)),
    Ruleset("second", 3, market=True, modules=(1, 2, 7)),
    Ruleset("second", 5, market=True, modules=(1, 2, 3, 4, 5, 6, 7)),
]
GAMES = 1000


def test_it_is_the_extended_tree_and_it_is_compiled() -> None:
    assert nevsky.COMPILED
    assert [room.id for room in ROOMS][-1] == "wager"
    assert CARDS[-1].id == "bathhouse"
    assert card_name("bathhouse", "de") == "Badehaus"


def test_no_id_has_moved() -> None:
    ids = {line.split("\t")[0]: int(line.split("\t")[1]) for line in Path("ids.txt").read_text().splitlines()}
    assert len(ids) > 4000
    assert {text: parse_action(text).id for text in ids} == ids


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: f"{ruleset.players}-{ruleset.modules}")
def test_random_games_through_the_harness(ruleset: Ruleset) -> None:
    play_checked(ruleset, "extended", positions_every=3)
    for number in range(GAMES // len(RULESETS)):
        play_sampled(ruleset, f"extended {number}")


def test_both_are_really_played() -> None:
    said = set()
    for seed in range(60):
        game = Game(RULESETS[3], seed)
        rng = Rng.of(seed)
        while not game.over:
            game.push(game.legal_ids[rng.below(len(game.legal_ids))])
        said |= {action.text for action, _ in game.moves}
    assert {"wager pay", "wager skip", "buy bathhouse"} <= said


def test_a_lucky_number_is_a_secret() -> None:
    game = Game(RULESETS[0], 1)
    assert [number is None for number in game.view(0).table["lucky"]] == [False, True]
    assert [number is None for number in game.view(None).table["lucky"]] == [True, True]


def test_a_game_in_the_terminal() -> None:
    played = subprocess.run(
        [
            sys.executable,
            "-m",
            "nevsky",
            "play",
            "--players",
            "2",
            "--modules",
            "2,7",
            "--level",
            "easy",
            "--seed",
            "3",
        ],
        input="1\n" * 400,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert played.returncode == 0, played.stderr
    assert "Do you bet 2 rubles on your lucky number?" in played.stdout
    assert "Final scoring" in played.stdout


def test_a_table_on_the_server(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna = await server.visitor()
            meta = (await anna.http.get("/api/meta?language=en")).json()
            assert meta["modules"][-1]["name"] == "Wager"
            made = await anna.create("me medium easy", market=True, modules=[2, 7])
            table = await anna.open(made["table"])
            await play_randomly(table, random.Random(1))
            questions = {seen["question"] for seen in table.seen if seen["type"] == "state"}
            assert any("lucky number" in question for question in questions)
            log = (await anna.http.get(f"/api/tables/{made['table']}/log?language=en")).json()
            assert any("bet" in line["text"] for line in log)

    run(scenario(), 300)
