"""Records: round trips, damage and the trace."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nevsky import Game, NevskyError, Ruleset
from nevsky.narrate import narrate
from nevsky.record import from_dict, from_json, load, save, to_dict, to_json
from nevsky.simulate import play_random_game
from nevsky.trace import trace
from tests.rulesets import CONFIGURATIONS

OLD = Path(__file__).parent / "records"


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_a_record_reads_back(name: str, tmp_path: Path) -> None:
    game = play_random_game(CONFIGURATIONS[name], f"record-{name}")
    save(game, tmp_path / "game.json")
    again = load(tmp_path / "game.json")
    assert to_dict(again) == to_dict(game)
    assert (tmp_path / "game.txt").read_text(encoding="utf-8") == narrate(game)


def test_a_game_in_progress_reads_back() -> None:
    game = Game(seed=3)
    game.push(game.legal_actions[0])
    assert to_dict(from_json(to_json(game))) == to_dict(game)


def test_an_arranged_game_reads_back() -> None:
    game = Game.from_piles(
        Ruleset("second", 2),
        {
            "worker": ["lumberjack"] * 3,
            "building": ["pub", "market"],
            "noble": ["author"] * 2,
            "exchange": ["bank", "harbor"],
        },
        {"worker": 0, "building": 1, "noble": 0, "exchange": 1},
        round=3,
        phase="building",
        areas=[{"observatory": 2}, {"market": 1}],
        face_down=[{"observatory": 1}, {}],
        hands=[["judge"], []],
        hands_seen=[[False], []],
        row1=["theater"],
        rubles=[20, 3],
    )
    game.push("buy theater" if game.to_move == 0 else "pass")
    assert to_dict(from_json(to_json(game))) == to_dict(game)


@pytest.mark.parametrize("path", sorted(OLD.glob("*.json")), ids=lambda path: path.stem)
def test_old_records_replay_for_ever(path: Path) -> None:
    game = load(path)
    assert game.over


def test_there_are_old_records() -> None:
    assert list(OLD.glob("*.json"))


@pytest.fixture(scope="module")
def record() -> dict[str, Any]:
    return to_dict(play_random_game(Ruleset("second", 3), "damage"))


def refuse(record: dict[str, Any], match: str) -> None:
    with pytest.raises(NevskyError, match=match):
        from_dict(record)


def test_an_illegal_action_is_named_with_its_place(record: dict[str, Any]) -> None:
    bad = copy.deepcopy(record)
    bad["actions"][10] = "buy academy row 2"
    refuse(bad, r"Action 11 \(round 1, .* phase\)")


def test_an_action_too_many(record: dict[str, Any]) -> None:
    bad = copy.deepcopy(record)
    bad["actions"].append("pass")
    refuse(bad, "after the end of the game")


def test_a_choice_cannot_pass_for_automatic(record: dict[str, Any]) -> None:
    bad = copy.deepcopy(record)
    bad["auto"] = [0]
    refuse(bad, "was not the only choice")


def test_a_missing_action_changes_the_result(record: dict[str, Any]) -> None:
    bad = copy.deepcopy(record)
    bad["actions"].pop()
    bad["auto"] = [i for i in bad["auto"] if i < len(bad["actions"])]
    refuse(bad, "result in the record")


def test_a_false_result(record: dict[str, Any]) -> None:
    bad = copy.deepcopy(record)
    bad["result"]["final"][0]["total"] += 1
    refuse(bad, "result in the record")


def test_a_pile_that_is_not_whole(record: dict[str, Any]) -> None:
    bad = copy.deepcopy(record)
    bad["piles"]["noble"].pop()
    refuse(bad, "whole noble pile has 27 cards, not 26")


def test_a_card_too_many(record: dict[str, Any]) -> None:
    bad = copy.deepcopy(record)
    bad["piles"]["noble"] = ["judge"] * 27
    refuse(bad, "only 2 of judge")


def test_tokens_that_were_not_dealt_so(record: dict[str, Any]) -> None:
    bad = copy.deepcopy(record)
    bad["tokens"] = dict.fromkeys(bad["tokens"], 0)
    refuse(bad, "rule 2.3")


def test_other_rules_are_not_guessed_at(record: dict[str, Any]) -> None:
    refuse({**record, "rules": "99"}, "does not know")


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "3", '{"format": "nevsky-record-1"}', "[" * 100_000])
def test_what_is_not_a_record(text: str) -> None:
    with pytest.raises(NevskyError):
        from_json(text)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(NevskyError, match="cannot be read"):
        load(tmp_path / "nothing.json")


junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


def paths(data: Any, prefix: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [prefix] if prefix else []
    if isinstance(data, dict):
        for key, value in data.items():
            found += paths(value, (*prefix, key))
    elif isinstance(data, list):
        for index, value in enumerate(data):
            found += paths(value, (*prefix, index))
    return found


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), thing=junk)
def test_a_damaged_record_is_refused_or_still_a_game(record: dict[str, Any], data: st.DataObject, thing: Any) -> None:
    bad = json.loads(json.dumps(record))
    place = data.draw(st.sampled_from(paths(bad)))
    inner = bad
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = thing
    try:
        game = from_dict(bad)
    except NevskyError as error:
        assert str(error).endswith(".")
    else:
        assert game.over


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cut=st.floats(0, 1))
def test_a_truncated_record_is_refused(record: dict[str, Any], cut: float) -> None:
    text = json.dumps(record)
    with pytest.raises(NevskyError):
        from_json(text[: int(cut * (len(text) - 1))])


def test_the_trace_holds_what_the_notation_says() -> None:
    game = play_random_game(Ruleset("second", 4), "trace")
    lines = list(trace(game, legal=True))
    assert set(lines[0]) == {"rules", "edition", "players", "market", "modules", "options", "seats", "piles", "tokens"}
    for number, line in enumerate(lines[1:-1], 1):
        assert line["n"] == number
        assert line["action"] in line["legal"]
        assert ("price" in line) == (line["action"].split()[0] in ("buy", "play"))
        assert line["auto"] == (len(line["legal"]) == 1)
        assert set(line["after"]) == set(
            "round phase due to_move passes rubles points hands areas face_down row1 row2 piles discard out drawn"
            " tokens".split()
        )
    assert lines[-2]["after"]["due"] is None
    assert set(lines[-1]) == {"final", "winners"}
    assert json.loads(json.dumps(lines)) == lines


def test_three_players_tell_who_is_youngest_in_the_trace() -> None:
    game = Game(Ruleset("second", 3), seed=1)
    youngest = next(iter(trace(game)))["options"]["youngest"]
    assert list(game.tokens.values()).count(youngest) == 2


def test_an_old_record_that_a_changed_rule_touches_says_which() -> None:
    game = play_random_game(Ruleset("second", 2, market=True, modules=(4,)), "old")
    data = json.loads(to_json(game))
    data["rules"] = "1.0"
    assert from_dict(data).result == game.result
    data["actions"].insert(0, "event fresh_cards")
    data["auto"] = []
    with pytest.raises(NevskyError, match=r"^Rules D31 have changed since .* rules 1\.0, .*fresh_cards"):
        from_dict(data)
    data["rules"] = "1.1"
    with pytest.raises(NevskyError, match=r"^Action 1 "):
        from_dict(data)


@pytest.mark.parametrize("version", ["0.9", "2.0", 1.0, None, ["1.0"]])
def test_rules_that_nobody_knows_are_refused(version: object) -> None:
    data = json.loads(to_json(play_random_game(Ruleset(players=2), "unknown")))
    with pytest.raises(NevskyError, match="which this version does not know"):
        from_dict({**data, "rules": version})
