"""Results on disk: what a crash, an editor or a strange text does to them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nevsky import NevskyError, Ruleset
from nevsky.arena import Setup, enter, make_setup, run_arena
from nevsky.arena.lines import read_results
from nevsky.arena.playing import Played
from nevsky.arena.report import write_report
from nevsky.arena.store import Store


def small(games: int = 2, *, seed: str = "neva", records: bool = False) -> Setup:
    bots = enter(["random", "random"])
    return make_setup(bots, Ruleset("second", 2), games, seed=seed, playouts=5, records=records)


@pytest.fixture
def played(tmp_path: Path) -> Path:
    run_arena(small(), directory=tmp_path / "out", jobs=1)
    return tmp_path / "out"


def append(path: Path, text: str) -> None:
    path.write_text(path.read_text() + text + "\n")


def result(**changes: Any) -> str:
    line = {
        "game": 2,
        "matchup": 0,
        "deal": 1,
        "seats": [0, 1],
        "scores": [50, 40],
        "places": [1, 2],
        "rounds": 6,
        "actions": 100,
        "decisions": [50, 50],
        "forfeits": [{}, {}],
    }
    return json.dumps({**line, **changes})


BROKEN = [
    '{"game":2}',
    result(game=True),
    result(matchup=5),
    result(matchup=-1),
    result(seats=[0, 2]),
    result(scores=[50]),
    result(places=[2, 2]),
    result(rounds=float("nan")),
    result(decisions="many"),
    result(forfeits=[{}, {"crash": "often"}]),
    "[]",
    "[" * 100_000,
]


@pytest.mark.parametrize("text", BROKEN)
def test_a_result_that_is_not_whole_is_refused_with_its_line(played: Path, text: str) -> None:
    append(played / "results.jsonl", text)
    before = (played / "results.jsonl").read_bytes()
    sentence = "results.jsonl does not hold the results of an arena: line 4 is broken"
    with pytest.raises(NevskyError, match=sentence):
        run_arena(small(4), directory=played, jobs=1)
    with pytest.raises(NevskyError, match=sentence):
        write_report(played, None, 1)
    assert (played / "results.jsonl").read_bytes() == before


def test_a_whole_result_is_taken_as_it_is(played: Path) -> None:
    append(played / "results.jsonl", result())
    store, _ = run_arena(small(4), directory=played, jobs=1)
    assert store.results[2] == json.loads(result()) and len(store.results) == 4


@pytest.mark.parametrize(
    "text",
    [
        '{"game":1}',
        '{"game":1,"ms":[1],"longest":[1],"overruns":[0]}',
        '{"game":1,"ms":[1,1],"longest":[1,null],"overruns":[0,0]}',
        '{"game":1,"ms":[1,1],"longest":[1,1],"overruns":[0,0],"failures":[3,4]}',
    ],
)
def test_a_timing_that_is_not_whole_is_refused_with_its_line(played: Path, text: str) -> None:
    append(played / "timings.jsonl", text)
    for act in (lambda: run_arena(small(4), directory=played, jobs=1), lambda: write_report(played, None, 1)):
        with pytest.raises(NevskyError, match=r"timings\.jsonl does not hold .*: line 3 is broken"):
            act()


@pytest.mark.parametrize("spoil", [lambda s: s.pop("bots"), lambda s: s.update(matchups=[[]]), lambda s: s.clear()])
def test_a_setup_that_is_not_whole_is_refused(played: Path, spoil: Callable[[dict[str, Any]], object]) -> None:
    path = played / "results.jsonl"
    first, rest = path.read_text().split("\n", 1)
    head = json.loads(first)
    spoil(head["setup"])
    path.write_text(json.dumps(head) + "\n" + rest)
    with pytest.raises(NevskyError, match="its setup is broken"):
        write_report(played, None, 1)


@pytest.mark.parametrize("kept", [1, 20, 100])
def test_a_first_line_that_was_cut_off_counts_as_nothing(played: Path, kept: int) -> None:
    path = played / "results.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole[:kept])
    run_arena(small(), directory=played, jobs=1)
    assert path.read_bytes() == whole


def test_a_file_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "results.jsonl").write_text('{"mine": 1}')
    with pytest.raises(NevskyError, match="does not hold the results of an arena"):
        run_arena(small(), directory=tmp_path, jobs=1)
    assert (tmp_path / "results.jsonl").read_text() == '{"mine": 1}'


def test_a_command_that_is_refused_changes_nothing(played: Path) -> None:
    before = sorted(played.iterdir())
    with pytest.raises(NevskyError, match="differs in records, seed"):
        run_arena(small(seed="volga", records=True), directory=played, jobs=1)
    assert sorted(played.iterdir()) == before


def test_any_text_of_a_bot_can_be_kept_and_read_again(tmp_path: Path) -> None:
    store, _ = run_arena(small(), jobs=1)
    kept = Store(small(), tmp_path)
    texts = ["a\u2028b\x85c", "\ud800"]
    for number, line in store.results.items():
        kept.add(Played(line, {**store.timings[number], "failures": texts}, None))
    kept.close()
    again = Store(small(), tmp_path)
    again.close()
    assert [timing["failures"] for timing in again.timings.values()] == [texts, texts]
    assert again.results == store.results == read_results(tmp_path / "results.jsonl")[1]


def test_games_that_are_still_to_be_played_need_no_memory() -> None:
    assert Store(small(10_000_000)).missing() == range(10_000_000)
