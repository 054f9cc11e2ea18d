"""The guided first round: example X1 with nothing changed, in four languages, seen from one seat."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from nevsky import Game, redeal
from nevsky.cards import card_name
from nevsky.rules.actions import parse_action
from nevsky.server.guide import LEARNER, NAMES, STEPS, first_round, guide, played
from nevsky.server.present import SeatInfo, TableContext, present
from nevsky.texts import LANGUAGES, read_texts
from tests.rules.test_examples import BUILDINGS, CHIYE, GIULIANO, HOLGER, KONRAD, NOBLES, WORKERS
from tests.server.support import run, running

every_language = pytest.mark.parametrize("language", LANGUAGES)


def at(key: str) -> Game:
    """The game as it stands at a step."""
    return next(game for step, game in played() if step.key == key)


def the_end() -> Game:
    *_, (_, game) = played()
    return game


def test_the_players_sit_and_begin_as_in_the_example() -> None:
    game = first_round()
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
    context = TableContext("guide", 0, "playing", [SeatInfo(name) for name in NAMES])
    for seat in (KONRAD, CHIYE, HOLGER):
        row = present(game.view(seat), context, "en").row2
        assert [(card.card, card.price) for card in row] == [("market", 4), ("theater", 19), ("theater", 19)]
    own = present(game.view(LEARNER), context, "en").row2
    assert [card.price for card in own] == [3, 19, 19]  # Giuliano has a market


def test_every_expected_action_is_one_of_several_choices_of_the_learner() -> None:
    steps = guide("en").steps
    asked = [step for step in steps if step.expected]
    assert 20 <= len(steps) <= 30
    assert len(asked) == 10
    for step in asked:
        assert step.state.to_move == step.state.you == LEARNER
        actions = [choice.action for choice in step.state.choices]
        assert step.expected in actions
        assert len(actions) > 1
    verbs = {parse_action(step.expected).verb for step in asked if step.expected}
    assert verbs == {"buy", "take", "pass"}
    assert any("onto" in (step.expected or "") for step in asked)


def test_between_two_steps_only_others_move_by_themselves() -> None:
    game = first_round()
    for step, after in zip(STEPS, (game for _, game in played()), strict=True):
        for action in step.moves:
            assert game.to_move != LEARNER
            game.push(action)
        assert game.state() == after.state()
        if step.expected:
            assert game.to_move == LEARNER
            game.push(step.expected)


def test_a_state_holds_only_what_the_learner_may_know() -> None:
    for shown, (_, game) in zip(guide("de").steps, played(), strict=True):
        others = [player for player in shown.state.players if player.seat != LEARNER]
        assert [player.rubles for player in others] == [None] * 3
        guessed = redeal(game.view(LEARNER), seed=5)
        context = TableContext("guide", shown.state.version, "playing", [SeatInfo(name) for name in NAMES])
        seen = present(guessed.view(LEARNER), context, "de")
        assert shown.state.model_dump(exclude={"log"}) == seen.model_dump(exclude={"log"})


@every_language
def test_texts_are_complete_and_say_what_the_game_says(language: str) -> None:
    wanted = {f"guide.{step.key}.{part}" for step in STEPS for part in ("title", "text")}
    wanted |= {f"guide.{step.key}.otherwise" for step in STEPS if step.expected}
    assert set(read_texts(language, "guide")) == wanted
    places = re.compile(r"\{\w+\}")
    for step in guide(language).steps:
        assert not places.search(step.title + step.text + (step.otherwise or ""))
        assert (step.otherwise is None) == (step.expected is None)
        if step.expected is None:
            continue
        choice = next(choice for choice in step.state.choices if choice.action == step.expected)
        if choice.card:
            assert card_name(choice.card, language) in step.text
            assert card_name(choice.card, language) in (step.otherwise or "")
        if choice.price is not None:
            assert re.search(rf"\b{choice.price}\b", step.text)


def test_numbers_are_the_same_in_every_language() -> None:
    figures = [[sorted(re.findall(r"\d+", step.text)) for step in guide(language).steps] for language in LANGUAGES]
    assert all(each == figures[0] for each in figures)


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
            refused = await anna.http.get("/api/guide?language=xx")
            assert refused.status_code == 400
            assert refused.json()["code"] == "bad_message"
            assert (await anna.http.get("/guide")).status_code == 200

    run(scenario())
