"""Guided rounds: the first is example X1 with nothing changed, and all say in four languages what the game says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from nevsky import Game, redeal
from nevsky.cards import card_name
from nevsky.rules.actions import parse_action
from nevsky.server.guide import SCRIPTS, guide
from nevsky.server.guide.first_round import NAMES
from nevsky.server.guide.script import Script
from nevsky.server.present import OwnContext, SeatInfo, TableContext, present
from nevsky.server.protocol import GuideName
from nevsky.texts import LANGUAGES, read_texts
from tests.rules.test_examples import BUILDINGS, CHIYE, GIULIANO, HOLGER, KONRAD, NOBLES, WORKERS
from tests.server.support import run, running

every_language = pytest.mark.parametrize("language", LANGUAGES)
every_guide = pytest.mark.parametrize("which", SCRIPTS)
FIRST = SCRIPTS["first"]
LEARNER = FIRST.learner
NEW = {
    "first": {"buy", "take", "pass"},
    "market": {"buy", "pass", "upkeep"},
    "banquet": {"take", "play", "pass"},
    "good_company": {"buy", "pass", "trading_house"},
    "assistants": {"buy", "pass"},
    "events": {"event", "buy"},
    "assignments": {"buy", "pass", "assignment"},
    "obstacles": {"buy", "pass", "bonus"},
}
"""What the learner does in each of them."""


def at(key: str) -> Game:
    """The game as it stands at a step."""
    return next(game for step, game in FIRST.played() if step.key == key)


def the_end(script: Script = FIRST) -> Game:
    *_, (_, game) = script.played()
    return game


def test_the_players_sit_and_begin_as_in_the_example() -> None:
    game = FIRST.begin()
    assert NAMES == ("Konrad", "Chiye", "Giuliano", "Holger")
    assert LEARNER == GIULIANO
    assert game.tokens == {"worker": KONRAD, "noble": CHIYE, "building": GIULIANO, "exchange": HOLGER}
    assert sorted(game.state()["row1"]) == sorted(
        ["lumberjack"] * 2 + ["gold_miner"] * 2 + ["fur_trapper"] * 3 + ["ship_builder"]
    )


def test_the_moves_and_prices_are_those_of_the_example() -> None:
    script = WORKERS + BUILDINGS + NOBLES
    moves = [(move.seat, move.action.text, move.price) for move in the_end().history]
    assert moves[: len(script)] == script


def test_rubles_and_points_are_those_of_the_example() -> None:
    assert at("worker_scoring").state()["rubles"] == [22, 22, 21, 20]
    after_buildings = at("building_scoring").state()
    assert after_buildings["rubles"] == [22, 11, 16, 20]
    assert after_buildings["points"] == [0, 3, 1, 0]
    assert after_buildings["row1"][-3:] == ["market", "theater", "theater"]
    assert after_buildings["row1"][:-3] == ["author", "author", "administrator", "administrator", "controller"]
    after_nobles = at("noble_scoring").state()
    assert after_nobles["rubles"][GIULIANO] == 16 - 14 + 4
    assert after_nobles["points"][GIULIANO] == 1 + 1
    assert len(after_nobles["row1"]) == 8


def test_round_2_begins_as_in_the_example() -> None:
    game = at("round_2")
    assert (game.round, game.phase) == (2, "worker")
    assert game.state()["tokens"] == {"exchange": KONRAD, "worker": CHIYE, "noble": GIULIANO, "building": HOLGER}
    assert len(game.state()["row1"]) == 5
    context = TableContext("guide", "playing", [SeatInfo(name) for name in NAMES])
    for seat in (KONRAD, CHIYE, HOLGER):
        row = present(game.view(seat), context, "en")["row2"]
        assert [(card["card"], card["price"]) for card in row] == [("market", 4), ("theater", 19), ("theater", 19)]
    own = present(game.view(LEARNER), context, "en")["row2"]
    assert [card["price"] for card in own] == [3, 19, 19]  # Giuliano has a market


@every_guide
def test_every_expected_action_is_one_of_several_choices_of_the_learner(which: GuideName) -> None:
    steps = guide("en", which).steps
    asked = [step for step in steps if step.expected]
    assert 20 <= len(steps) <= 30 if which == "first" else 5 <= len(steps) <= 10
    for step in asked:
        assert step.state["to_move"] == step.state["you"] == SCRIPTS[which].learner
        actions = [choice["action"] for choice in step.state["choices"]]
        assert step.expected in actions
        assert len(actions) > 1
    assert {parse_action(step.expected).verb for step in asked if step.expected} == NEW[which]


def test_the_first_round_has_an_exchange() -> None:
    assert any("onto" in (step.expected or "") for step in FIRST.steps)


@every_guide
def test_between_two_steps_only_others_move_by_themselves(which: GuideName) -> None:
    script = SCRIPTS[which]
    game = script.begin()
    for step, after in zip(script.steps, (game for _, game in script.played()), strict=True):
        for action in step.moves:
            assert game.to_move != script.learner
            game.push(action)
        assert game.state() == after.state()
        if step.expected:
            assert game.to_move == script.learner
            game.push(step.expected)


@every_guide
def test_a_state_holds_only_what_the_learner_may_know(which: GuideName) -> None:
    learner = SCRIPTS[which].learner
    for shown, (_, game) in zip(guide("de", which).steps, SCRIPTS[which].played(), strict=True):
        if game.over:
            continue  # everything is open
        others = [player for player in shown.state["players"] if player["seat"] != learner]
        assert {player["rubles"] for player in others} == {None}
        guessed = redeal(game.view(learner), seed=5)
        context = TableContext("guide", "playing", [SeatInfo(name) for name in game.seats])
        seen = present(guessed.view(learner), context, "de", own=OwnContext(shown.state["version"]))
        assert {**shown.state, "log": []} == {**seen, "log": []}


@every_language
def test_every_text_is_one_of_a_step(language: str) -> None:
    wanted = {
        f"{script.texts}.{step.key}.{part}"
        for script in SCRIPTS.values()
        for step in script.steps
        for part in ("title", "text", "otherwise")
        if part != "otherwise" or step.expected
    }
    assert set(read_texts(language, "guide")) == wanted


@every_guide
@every_language
def test_texts_say_what_the_game_says(language: str, which: GuideName) -> None:
    places = re.compile(r"\{\w+\}")
    for step in guide(language, which).steps:
        assert not places.search(step.title + step.text + (step.otherwise or ""))
        assert (step.otherwise is None) == (step.expected is None)
        if step.expected is None:
            continue
        choice = next(choice for choice in step.state["choices"] if choice["action"] == step.expected)
        if choice["card"]:
            assert card_name(choice["card"], language) in step.text
            assert card_name(choice["card"], language) in (step.otherwise or "")
        if choice["price"] is not None:
            assert re.search(rf"\b{choice['price']}\b", step.text)


@every_guide
def test_numbers_are_the_same_in_every_language(which: GuideName) -> None:
    figures = [
        [sorted(re.findall(r"\d+", step.text)) for step in guide(language, which).steps] for language in LANGUAGES
    ]
    assert all(each == figures[0] for each in figures)


def test_what_the_short_rounds_bring_is_what_their_texts_say() -> None:
    ends = {which: the_end(script).state() for which, script in SCRIPTS.items()}
    assert ends["market"]["points"] == [3 + 2 + 2, 4 + 1 + 1]  # first and second in chickens and in apples
    assert ends["banquet"]["rubles"][0] == 9 + 2 * 5
    assert ends["banquet"]["points"][0] == 5 + 2 * 2
    assert ends["good_company"]["points"][0] == 5 + 2
    assert ends["good_company"]["rubles"][0] == 13 - 6 - 2 + 2 - 3
    assert ends["assistants"]["assistants"] == {"architect": 1, "lawyer": 0}
    assert len(ends["events"]["events_left"]) == 4
    assert ends["obstacles"]["points"] == [15 + 5 + 1 + 5, 19]
    result = the_end(SCRIPTS["assignments"]).result
    assert result is not None
    assert result.final[0].assignment == 6


def test_the_server_gives_the_guide_without_a_cookie(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna = await server.visitor()
            anna.http.cookies.clear()
            answer = await anna.http.get("/api/guide?language=de")
            assert answer.status_code == 200
            assert "set-cookie" not in answer.headers
            assert answer.json() == json.loads(guide("de").model_dump_json())
            assert (await anna.http.get("/api/guide")).json()["steps"][0]["title"] == guide("en").steps[0].title
            banquet = (await anna.http.get("/api/guide?language=fr&which=banquet")).json()
            assert banquet == json.loads(guide("fr", "banquet").model_dump_json())
            assert (await anna.http.get("/api/guide?which=chess")).status_code == 400
            refused = await anna.http.get("/api/guide?language=xx")
            assert refused.status_code == 400
            assert refused.json()["code"] == "bad_message"
            for page in ("/guides", "/guide", *(f"/guide/{which}" for which in SCRIPTS if which != "first")):
                assert (await anna.http.get(page)).status_code == 200
            assert (await anna.http.get("/guide/chess")).status_code == 404

    run(scenario())
