"""Whole trainings: going on where they stopped, refusing another plan, and learning."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from nevsky import NevskyError
from nevsky.bots.core.net import Net
from nevsky.bots.network_file import load_network, save_network
from nevsky.training import learning
from nevsky.training.curves import Curves
from nevsky.training.home import Home
from nevsky.training.learning import Fit, Learner
from nevsky.training.plan import RULESETS, Plan
from nevsky.training.run import Listener, train
from nevsky.training.samples import play_games
from tests.cli.command import Run, under_way
from tests.training.conftest import play

QUICK = ("--games", 26, "--descents", 1, "--playouts", 1, "--epochs", 2, "--jobs", 1)


class Notes(Listener):
    def __init__(self) -> None:
        self.played: list[tuple[int, int, int]] = []
        self.learnt: list[tuple[int, int]] = []

    def playing(self, generation: int, done: int, total: int) -> None:
        self.played.append((generation, done, total))

    def learned(self, generation: int, fit: Fit) -> None:
        self.learnt.append((generation, fit.epoch))


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Learning from few samples, on one core."""
    torch = pytest.importorskip("torch")
    monkeypatch.setattr(learning, "_BATCH", 64)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def contents(directory: Path) -> dict[str, bytes]:
    return {str(path.relative_to(directory)): path.read_bytes() for path in directory.rglob("*") if path.is_file()}


@pytest.mark.usefixtures("no_torch")
def test_playing_goes_on_where_it_stopped(small: Plan, tmp_path: Path) -> None:
    whole = play(small, tmp_path)
    lost, kept = tmp_path / "samples" / "1-00001.bin", tmp_path / "samples" / "1-00000.bin"
    lost.unlink()
    lost.with_name("1-00001.bin.tmp").write_bytes(b"the power went out")
    before = kept.stat().st_mtime_ns
    notes = Notes()
    assert play(small, tmp_path, listener=notes) == whole
    assert notes.played == [(1, 14, 26), (1, 26, 26)]
    assert kept.stat().st_mtime_ns == before
    play(small, tmp_path, listener=(again := Notes()))
    assert again.played == []


@pytest.mark.usefixtures("no_torch")
def test_another_plan_is_refused_and_nothing_changes(small: Plan, tmp_path: Path) -> None:
    play(small, tmp_path)
    before = contents(tmp_path)
    sentence = r"holds another training, which differs in games \(26 there\), seed \(neva there\): choose another"
    with pytest.raises(NevskyError, match=sentence):
        train(small._replace(games=30, seed="volga"), tmp_path, 1)
    assert contents(tmp_path) == before
    (tmp_path / "plan.json").write_text("something else")
    with pytest.raises(NevskyError, match="is not the plan of a training"):
        train(small, tmp_path, 1)
    other = tmp_path / "other"
    other.mkdir()
    (other / "plan.json").write_text('{"rooms": 3}')
    with pytest.raises(NevskyError, match="is not the plan of a training"):
        train(small, other, 1)
    assert list(contents(other)) == ["plan.json"] and not (other / "samples").exists()
    (tmp_path / "file").write_text("")
    with pytest.raises(NevskyError, match="The training cannot be kept in"):
        train(small, tmp_path / "file" / "out", 1)


def test_two_trainings_do_not_write_to_one_directory(small: Plan, tmp_path: Path) -> None:
    home = Home(tmp_path, small)
    with pytest.raises(NevskyError, match="Another training is writing"):
        Home(tmp_path, small)
    home.close()
    Home(tmp_path, small).close()


def test_the_plot_shows_every_generation_and_a_new_start_forgets_the_old_one(small: Plan, tmp_path: Path) -> None:
    home = Home(tmp_path, small)
    curves = Curves(home)
    for generation in (1, 2):
        for epoch in (1, 2):
            curves.add(generation, Fit(epoch, 1 / (generation + epoch), 10.0 / epoch, 0.5))
    plot = ElementTree.fromstring(home.plot.read_text())
    lines = list(plot.iter("{http://www.w3.org/2000/svg}polyline"))
    assert [len(line.get("points", "").split()) for line in lines] == [2, 2, 2, 2]
    home.append(home.curves, '{"generation": 2, "epo')
    again = Curves(home)
    assert again.epochs == curves.epochs and len(again.epochs) == 4
    again.restart(2)
    kept = [json.loads(line) for line in home.curves.read_text().splitlines()]
    assert [(line["generation"], line["epoch"]) for line in kept] == [(1, 1), (1, 2)]
    assert kept[1] == {"generation": 1, "epoch": 2, "win_loss": 0.333333, "score_error": 5.0, "seconds": 0.5}
    home.close()


@pytest.mark.usefixtures("small_batches")
def test_too_few_positions_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(*words: object, **more: object) -> list[Fit]:
        return []

    monkeypatch.setattr(Learner, "fit", nothing)
    with pytest.raises(NevskyError, match=r"There are only [1-9][0-9]* positions, too few to learn from"):
        train(Plan(1, 0, 1, 1, "few"), tmp_path, 1, jobs=1)
    assert not (tmp_path / "net-1.net").exists()


def test_a_network_that_is_too_small_is_refused(small: Plan, tmp_path: Path) -> None:
    save_network(tmp_path / "net-1.net", [0.0] * 10)
    with pytest.raises(NevskyError, match="has 10 weights, not 135,530"):
        train(small, tmp_path, 2, jobs=1)


@pytest.mark.usefixtures("small_batches")
def test_learning_lowers_the_loss() -> None:
    many = [play_games(RULESETS[number], 12, f"learn-{number}", playouts=4) for number in (0, 1)]
    learner = Learner(1)
    fits = learner.fit(many, epochs=6)
    assert [fit.epoch for fit in fits] == [1, 2, 3, 4, 5, 6]
    assert fits[-1].score_error < 0.6 * fits[0].score_error
    assert fits[-1].win_loss < fits[0].win_loss
    Net(learner.weights())
    assert Learner(2, learner.weights()).weights() == learner.weights()


@pytest.mark.usefixtures("small_batches")
def test_a_training_learns_generation_by_generation(small: Plan, tmp_path: Path) -> None:
    notes = Notes()
    path = train(small, tmp_path, 2, jobs=1, listener=notes)
    assert path == tmp_path / "net-2.net"
    assert notes.learnt == [(1, 1), (1, 2), (2, 1), (2, 2)]
    Net(load_network(path))
    before = contents(tmp_path)
    assert set(before) >= {"plan.json", "curves.jsonl", "curves.svg", "net-1.net", "net-2.net"}
    assert not [name for name in before if name.endswith(".tmp")]
    assert train(small, tmp_path, 2, jobs=1, listener=(idle := Notes())) == path
    assert contents(tmp_path) == before and not idle.played and not idle.learnt
    (tmp_path / "net-2.net").unlink()
    train(small, tmp_path, 2, jobs=1, listener=(again := Notes()))
    assert again.played == [] and again.learnt == [(2, 1), (2, 2)]
    assert len((tmp_path / "curves.jsonl").read_text().splitlines()) == 4
    assert (tmp_path / "net-2.net").read_bytes() == before["net-2.net"] != before["net-1.net"]


@pytest.mark.usefixtures("small_batches")
def test_the_command_tells_where_the_network_is(run: Run, tmp_path: Path) -> None:
    answer = run("train", "value", "--out", tmp_path, "--generations", 1, *QUICK)
    assert answer.code == 0
    assert f"The network is {tmp_path / 'net-1.net'}" in answer.out and "nevsky train policy --critic" in answer.out
    assert "generation 1: 26 of 26 games" in answer.err and "generation 1, epoch 2: win loss" in answer.err


@pytest.mark.usefixtures("no_torch")
def test_without_torch_the_samples_are_made_all_the_same(run: Run, tmp_path: Path) -> None:
    answer = run("train", "value", "--out", tmp_path, *QUICK)
    assert answer.code == 2 and answer.out == ""
    assert 'Training needs torch: pip install "nevsky[train]". The samples of generation 1 are kept' in answer.err
    assert len(list((tmp_path / "samples").iterdir())) == 3
    assert not (tmp_path / "net-1.net").exists()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--generations", 0), "The number of generations is a whole number from 1 to 1,000, not 0."),
        (("--games", 0), "The number of games is a whole number from 1 to 10,000,000, not 0."),
        (("--descents", -1), "The number of descents is a whole number from 0"),
        (("--playouts", 0), "The number of playouts is a whole number from 1"),
        (("--epochs", 0), "The number of epochs is a whole number from 1"),
        (("--jobs", -1), "The number of processes is a whole number from 0, not -1."),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_sentence(
    run: Run, tmp_path: Path, words: tuple[object, ...], sentence: str
) -> None:
    answer = run("train", "value", "--out", tmp_path / "out", *words)
    assert answer.code == 2 and sentence in answer.err and answer.out == ""
    assert not (tmp_path / "out").exists()


def test_a_missing_ray_is_told(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    answer = run("train", "value", "--out", tmp_path / "out", "--ray", "local")
    assert (
        answer.code == 2
        and 'nevsky train value needs ray, which is not installed: pip install "nevsky[ray]".' in answer.err
    )
    assert not (tmp_path / "out").exists()


@pytest.mark.long
@pytest.mark.filterwarnings("default")
@pytest.mark.usefixtures("no_torch")
def test_ray_makes_the_same_samples(small: Plan, tmp_path: Path) -> None:
    pytest.importorskip("ray")
    here = play(small, tmp_path / "here")
    with pytest.raises(NevskyError, match="Training needs torch"):
        train(small, tmp_path / "there", 1, jobs=2, ray="local")
    assert {path.name: path.read_bytes() for path in (tmp_path / "there" / "samples").iterdir()} == here


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGKILL])
def test_what_is_played_stays_and_nothing_is_left_running(ending: signal.Signals, tmp_path: Path) -> None:
    words = ("--out", tmp_path, "--games", 100_000, "--descents", 0, "--playouts", 1, "--jobs", 2)
    some = lambda: len(list(tmp_path.glob("samples/*.bin"))) >= 3  # noqa: E731
    with under_way("train", "value", *words, until=some) as process:
        found = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True, text=True, check=False
        )
        os.kill(process.pid, ending)
        _, said = process.communicate(timeout=30)
    workers = [Path(f"/proc/{pid}") for pid in found.stdout.split()]
    assert workers
    assert len(list(tmp_path.glob("samples/*.bin"))) >= 3
    if ending == signal.SIGINT:
        assert process.returncode == 130 and "Stopped. What is done is kept" in said
        assert "the same command goes on" in said and "Traceback" not in said
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and any(map(_runs, workers)):
        time.sleep(0.05)
    assert not any(map(_runs, workers))


def _runs(process: Path) -> bool:
    try:
        return (process / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
