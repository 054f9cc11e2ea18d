"""Games as tables: every number is that of the game, nothing secret in what a seat saw, nothing half-written."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from nevsky import ACTIONS, Game, NevskyError, Ruleset, redeal
from nevsky.arena import enter, make_setup, run_arena
from nevsky.datasets import decisions_path, export, find_records, writing
from nevsky.datasets.rows import decision_rows
from nevsky.encoding import SIZE, Encoder
from nevsky.record import load, save, to_dict
from nevsky.rules.ruleset import RULES_VERSION
from nevsky.simulate import play_random_game
from tests.cli.command import Run, under_way
from tests.rulesets import CONFIGURATIONS

OLD = Path(__file__).parent.parent / "records"


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Finished games of many kinds."""
    directory = tmp_path_factory.mktemp("records")
    for number, name in enumerate(("second-2", "first-3", "module-2-subset", "all-modules-5", "second-4")):
        save(play_random_game(CONFIGURATIONS[name], f"export-{name}"), directory / f"{number}-{name}.json")
    open_game = play_random_game(Ruleset("second", 3, open_rubles=True, open_hands=True, youngest=1), "open")
    save(open_game, directory / "5-open.json")
    return directory


@pytest.fixture(scope="module")
def tables(records: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[pl.DataFrame, pl.DataFrame]:
    out = tmp_path_factory.mktemp("tables") / "games.parquet"
    exported = export([records], out, observations=True, jobs=1)
    games, decisions = pl.read_parquet(out), pl.read_parquet(decisions_path(out))
    assert (exported.games, exported.decisions) == (games.height, decisions.height)
    assert not exported.unfinished and not exported.refused
    return games, decisions


def left_in(directory: Path) -> set[str]:
    return {path.name for path in directory.iterdir()}


def test_every_game_has_a_row_with_its_ruleset_and_result(
    records: Path, tables: tuple[pl.DataFrame, pl.DataFrame]
) -> None:
    games, _ = tables
    files = sorted(records.glob("*.json"))
    assert games["file"].to_list() == [str(file) for file in files]
    assert games["game"].to_list() == list(range(len(files)))
    assert games["id"].n_unique() == len(files)
    for row, file in zip(games.iter_rows(named=True), files, strict=True):
        game = load(file)
        result = game.result
        assert result is not None
        told: dict[str, Any] = {name: row[name] for name in ("edition", "players", "market", "modules")}
        told["options"] = {name: row[name] for name in ("youngest", "open_rubles", "open_hands")}
        told["options"] |= {n: row[n] for n in ("good_company", "real_obstacles") if row[n] is not None}
        assert told == game.ruleset.to_dict()
        assert row["seats"] == list(game.seats) and row["seed"] == game.seed and row["rounds"] == game.round
        assert row["arranged"] is False and row["rules"] == RULES_VERSION
        assert row["winners"] == list(result.winners)
        assert row["winner"] == (result.winners[0] if len(result.winners) == 1 else None)
        assert sum(row["shares"]) == pytest.approx(1)
        assert row["scores"] == [entry.total for entry in result.final]
        assert row["places"] == [entry.place for entry in result.final]
        parts = ("track", "nobles", "rubles", "hand", "assignment", "obstacles")
        assert [sum(seat) for seat in zip(*(row[part] for part in parts), strict=True)] == row["scores"]


def test_every_decision_has_a_row_in_order(records: Path, tables: tuple[pl.DataFrame, pl.DataFrame]) -> None:
    games, decisions = tables
    assert decisions.group_by("game", maintain_order=True).len()["len"].to_list() == games["decisions"].to_list()
    for number, file in enumerate(sorted(records.glob("*.json"))):
        source = load(file)
        result = source.result
        assert result is not None
        game = Game.from_piles(source.ruleset, source.piles, source.tokens, **source.deal)
        rows = decisions.filter(pl.col("game") == number)
        for row, move in zip(rows.iter_rows(named=True), source.history, strict=True):
            assert (row["ply"], row["round"], row["phase"], row["seat"]) == (*move[:3], move.seat)
            assert (row["action"], row["text"], row["auto"]) == (move.action.id, move.action.text, move.auto)
            assert row["due"] == game.due
            assert tuple(row["legal"]) == game.legal_ids
            assert row["choices"] == len(row["legal"])
            assert row["forced"] == (row["choices"] == 1)
            state = game.state()
            assert (row["rubles"], row["points"]) == (state["rubles"][move.seat], state["points"][move.seat])
            final = result.final[move.seat]
            assert (row["score"], row["place"]) == (final.total, final.place)
            assert row["share"] == pytest.approx((move.seat in result.winners) / len(result.winners))
            game.push(row["action"])


def test_observations_are_what_the_deciding_seat_saw(records: Path, tables: tuple[pl.DataFrame, pl.DataFrame]) -> None:
    _, decisions = tables
    encoder = Encoder()
    for number, file in enumerate(sorted(records.glob("*.json"))):
        source = load(file)
        game = Game.from_piles(source.ruleset, source.piles, source.tokens, **source.deal)
        rows = decisions.filter(pl.col("game") == number)
        for ply, row in enumerate(rows.iter_rows(named=True)):
            seat = row["seat"]
            assert row["places"] == sorted(set(row["places"])) and row["places"][-1] < SIZE
            if ply % 3 == 0:
                guess = redeal(game.view(seat), ply)
                open_ = game.ruleset
                encoder.encode(guess.position, seat, int(open_.open_rubles), int(open_.open_hands))
                assert dict(zip(row["places"], row["values"], strict=True)) == encoder.numbers()
            game.push(row["action"])


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_every_ruleset_fits_into_the_columns(name: str, tmp_path: Path) -> None:
    save(play_random_game(CONFIGURATIONS[name], "fits"), tmp_path / "game.json")
    exported = export([tmp_path / "game.json"], tmp_path / "out.parquet", observations=True)
    decisions = pl.read_parquet(tmp_path / "out-decisions.parquet")
    assert exported.games == 1 and decisions.height == exported.decisions
    assert decisions.null_count().sum_horizontal().item() == 0
    assert all(ACTIONS[row["action"]].text == row["text"] for row in decisions.iter_rows(named=True))


def test_observations_are_only_there_on_demand(records: Path, tmp_path: Path) -> None:
    export([records], tmp_path / "plain.parquet", jobs=1)
    plain = pl.read_parquet(tmp_path / "plain-decisions.parquet")
    assert not {"places", "values"} & set(plain.columns)
    game = load(sorted(records.glob("*.json"))[0])
    assert len(decision_rows(game, 0, None)[0]) == len(plain.columns)


def test_parts_and_processes_change_nothing(records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken.json").write_text("{}")
    sources = [records, tmp_path / "broken.json", OLD]
    whole = export(sources, tmp_path / "whole.parquet", jobs=1)
    monkeypatch.setattr(writing, "_CHUNK", 2)
    told: list[tuple[int, int]] = []
    assert export(sources, tmp_path / "one.parquet", jobs=1, progress=lambda *now: told.append(now)) == whole
    assert export(sources, tmp_path / "two.parquet", jobs=2) == whole
    total = len(find_records(sources))
    assert told[0] == (2, total) and told[-1] == (total, total)
    for name in ("", "-decisions"):
        wanted = pl.read_parquet(tmp_path / f"whole{name}.parquet")
        assert wanted.equals(pl.read_parquet(tmp_path / f"one{name}.parquet"))
        assert wanted.equals(pl.read_parquet(tmp_path / f"two{name}.parquet"))
    assert len(whole.refused) == 1
    assert 6 not in pl.read_parquet(tmp_path / "whole.parquet")["game"]


def test_an_arena_is_read_by_its_directory(tmp_path: Path) -> None:
    setup = make_setup(
        enter(["greedy", "random"]), Ruleset("second", 2), games=4, playouts=1, seed="neva", records=True
    )
    store, _ = run_arena(setup, directory=tmp_path / "league", jobs=1)
    export([tmp_path / "league"], tmp_path / "games.parquet")
    games = pl.read_parquet(tmp_path / "games.parquet")
    lines = [store.results[number] for number in range(4)]
    assert games["scores"].to_list() == [line["scores"] for line in lines]
    labels = [[setup.labels[bot] for bot in line["seats"]] for line in lines]
    assert games["seats"].to_list() == labels


def test_an_arranged_game_says_so(tmp_path: Path) -> None:
    start = Game(Ruleset("second", 2), 5)
    game = Game.from_position(start.position, start.ruleset)
    while not game.over:
        game.push(game.legal_actions[-1])
    save(game, tmp_path / "game.json")
    export([tmp_path / "game.json"], tmp_path / "out.parquet")
    assert pl.read_parquet(tmp_path / "out.parquet")["arranged"].to_list() == [True]


def test_odd_characters_harm_nobody(tmp_path: Path) -> None:
    game = play_random_game(Ruleset("second", 2), "odd")
    data = to_dict(game) | {"seed": "\ud800 neva", "seats": ["Änna 🙂", "\udfff"]}
    file = tmp_path / os.fsdecode(b"game-\xff.json")
    file.write_text(json.dumps(data))
    assert load(file).seed == "\ud800 neva"
    export([file], tmp_path / "out.parquet")
    row = pl.read_parquet(tmp_path / "out.parquet").row(0, named=True)
    assert (row["seed"], row["seats"]) == ("? neva", ["Änna 🙂", "?"])
    assert row["file"].endswith("game-?.json")


def test_files_are_taken_once(records: Path, tmp_path: Path) -> None:
    files = sorted(records.glob("*.json"))
    assert find_records([files[2], records, records / ".." / records.name]) == [files[2], *files[:2], *files[3:]]


def test_what_cannot_be_used_is_left_out_and_told(run: Run, records: Path, tmp_path: Path) -> None:
    broken, unfinished = tmp_path / "broken.json", tmp_path / "unfinished.json"
    broken.write_text('{"format": "nev')
    save(Game(seed=3), unfinished)
    out = tmp_path / "games.parquet"
    answer = run("export", broken, unfinished, records, "--out", out, "--jobs", 1)
    assert answer.code == 1
    assert answer.err.splitlines() == [
        f"{broken} is left out. This is not a record: broken JSON in line 1, column 12.",
        f"{unfinished} is left out: the game is not over.",
        "2 of 8 files are left out, all others are written.",
    ]
    games, decisions = pl.read_parquet(out), pl.read_parquet(decisions_path(out))
    assert answer.out.splitlines() == [
        f"{out}: 6 games",
        f"{decisions_path(out)}: {decisions.height:,} decisions",
    ]
    assert games["game"].to_list() == decisions["game"].unique(maintain_order=True).to_list() == list(range(2, 8))


def test_an_unfinished_game_alone_is_no_fault(run: Run, records: Path, tmp_path: Path) -> None:
    save(Game(seed=3), tmp_path / "unfinished.json")
    answer = run("export", tmp_path / "unfinished.json", records, "--out", tmp_path / "out.parquet", "--observations")
    assert answer.code == 0
    assert "1 of 7 files are left out" in answer.err
    assert "values" in pl.read_parquet_schema(tmp_path / "out-decisions.parquet")


def test_without_a_finished_game_nothing_is_written(tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text("{}")
    save(Game(seed=3), tmp_path / "unfinished.json")
    before = left_in(tmp_path)
    with pytest.raises(NevskyError, match=r"unfinished\.json is not over"):
        export([tmp_path / "unfinished.json"], tmp_path / "out.parquet")
    with pytest.raises(NevskyError, match=r"no finished game to write\. .*broken\.json: This is not a record"):
        export([tmp_path], tmp_path / "out.parquet")
    assert left_in(tmp_path) == before


def test_what_is_there_is_replaced_only_on_demand(records: Path, tmp_path: Path) -> None:
    out, beside = tmp_path / "games.parquet", tmp_path / "games-decisions.parquet"
    beside.write_text("mine")
    with pytest.raises(NevskyError, match=r"games-decisions\.parquet is there already: choose another name"):
        export([records], out)
    assert beside.read_text() == "mine" and left_in(tmp_path) == {beside.name}
    out.write_text("mine as well")
    assert export([records], out, overwrite=True, jobs=1).games == pl.read_parquet(out).height
    assert left_in(tmp_path) == {out.name, beside.name} and pl.read_parquet(beside).height


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("{records} --out {here}/games.csv", "give a name that ends in .parquet, not 'games.csv'."),
        ("{records} --out {here}/nowhere/games.parquet", "There is no directory {here}/nowhere."),
        ("{here}/none.json --out {here}/games.parquet", "There is no file or directory {here}/none.json."),
        ("{here} --out {here}/games.parquet", "There are no records in {here}."),
        ("{records} --out {here}/games.parquet --jobs -1", "The number of processes is a whole number from 0, not -1."),
        ("{here}/league --out {here}/games.parquet", "no records in {here}/league: play the arena with --records."),
        ("{records} --out {here}/taken.parquet", "{here}/taken.parquet is a directory: choose another name."),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_sentence(
    run: Run, records: Path, tmp_path: Path, words: str, sentence: str
) -> None:
    (tmp_path / "league").mkdir()
    (tmp_path / "league" / "results.jsonl").touch()
    (tmp_path / "taken.parquet").mkdir()
    before = left_in(tmp_path)
    answer = run("export", *words.format(records=records, here=tmp_path).split())
    assert (answer.code, answer.out) == (2, "")
    assert sentence.format(here=tmp_path) in answer.err and answer.err.count("\n") == 1
    assert left_in(tmp_path) == before


def test_a_missing_polars_is_told(run: Run, records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    answer = run("export", records, "--out", tmp_path / "games.parquet")
    assert answer == (
        2,
        "",
        'nevsky: nevsky export needs polars, which is not installed: pip install "nevsky[data]".\n',
    )
    assert not left_in(tmp_path)


@pytest.mark.parametrize("step", ["_join", "_move", "_write_part"])
@pytest.mark.parametrize(
    "error", [OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), pl.exceptions.ComputeError("Ouch")]
)
def test_a_disk_that_is_full_leaves_nothing_behind(
    records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, error: Exception
) -> None:
    def full(*_: object) -> None:
        raise error

    monkeypatch.setattr(writing, step, full)
    what = getattr(error, "strerror", None) or "Ouch"
    with pytest.raises(NevskyError, match=rf"cannot be written to .*games\.parquet: {what}\."):
        export([records], tmp_path / "games.parquet", jobs=1)
    assert not left_in(tmp_path)


def test_games_never_lie_there_without_their_decisions(
    records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Path.replace

    def second_fails(path: Path, target: Path) -> Path:
        if target.name == "games.parquet":
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return whole(path, target)

    monkeypatch.setattr(Path, "replace", second_fails)
    with pytest.raises(NevskyError, match="Input/output error"):
        export([records], tmp_path / "games.parquet", jobs=1)
    assert not left_in(tmp_path)


def test_ctrl_c_leaves_no_file_and_no_process(tmp_path: Path) -> None:
    records = tmp_path / "records"
    records.mkdir()
    save(play_random_game(Ruleset("second", 2), "many"), records / "game-0.json")
    for number in range(1, 2000):
        (records / f"game-{number}.json").hardlink_to(records / "game-0.json")
    out = tmp_path / "out"
    out.mkdir()
    words = ("export", records, "--out", out / "games.parquet", "--jobs", 2)
    with under_way(*words, until=lambda: any(out.glob(".games-*/*"))) as process:
        os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=30)
    assert process.returncode == 130 and "Traceback" not in said
    assert not left_in(out)
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and _group(process.pid):
        time.sleep(0.05)
    assert not _group(process.pid)


def _group(pid: int) -> list[str]:
    found = subprocess.run(["ps", "-o", "pid=", "-s", str(pid)], capture_output=True, text=True, check=False)
    return found.stdout.split()
