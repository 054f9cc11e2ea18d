"""Samples: what they hold, how they are kept, and that the same plan gives the same ones."""

from __future__ import annotations

from array import array
from pathlib import Path

import pytest

from nevsky import NevskyError
from nevsky.bots.core.net import SHAPE
from nevsky.bots.network_file import save_network
from nevsky.rules.rng import Rng
from nevsky.training.chunks import Job, pack, play_chunk, read, unpack
from nevsky.training.plan import RULESETS, Plan
from nevsky.training.samples import Samples, play_games
from tests.training.conftest import play

SIZE = 2079 * 64 + 64 + 64 * 32 + 32 + 32 * 10 + 10


def network(seed: str) -> array[float]:
    """A network that has learned nothing."""
    rng = Rng.of("network", seed)
    return array("f", [(rng.below(2001) - 1000) / 5000 for _ in range(SIZE)])


def floats(data: bytes) -> array[float]:
    return array("f", data)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_position_has_numbers_and_targets(players: int) -> None:
    ruleset = next(ruleset for ruleset in RULESETS if ruleset.players == players)
    samples = play_games(ruleset, 3, "targets", playouts=4)
    sizes, places = array("h", samples.sizes), array("h", samples.places)
    assert sizes and sum(sizes) == len(places) == len(samples.values) // 4
    assert min(places) >= 0 and max(places) < SHAPE[0]
    wins, scores = floats(samples.wins), floats(samples.scores)
    assert len(wins) == len(scores) == 5 * len(sizes)
    for at in range(0, len(wins), 5):
        assert sum(wins[at : at + players]) == pytest.approx(1, abs=1e-5) and min(wins[at : at + players]) >= 0
        assert list(wins[at + players : at + 5]) == [-1] * (5 - players)
        assert not any(scores[at + players : at + 5])
    assert 10 < sum(scores) / len(sizes) / players < 200


def test_samples_come_back_from_their_file(tmp_path: Path) -> None:
    samples = play_games(RULESETS[0], 2, "file", playouts=1)
    path = tmp_path / "samples.bin"
    path.write_bytes(pack(samples))
    assert read(path) == samples and all(samples)
    nothing = Samples(b"", b"", b"", b"", b"")
    assert unpack(pack(nothing)) == nothing


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda data: b"", "not samples of this program"),
        (lambda data: data[:20], "not samples of this program"),
        (lambda data: b"x" + data, "not samples of this program"),
        (lambda data: data[:-1], "They are damaged"),
        (lambda data: data + b"\0", "They are damaged"),
        (lambda data: data[:100] + bytes([data[100] ^ 1]) + data[101:], "They are damaged"),
    ],
)
def test_a_spoilt_file_is_refused(tmp_path: Path, spoil: object, sentence: str) -> None:
    path = tmp_path / "1-00000.bin"
    assert callable(spoil)
    path.write_bytes(spoil(pack(play_games(RULESETS[0], 1, "file", playouts=1))))
    with pytest.raises(NevskyError, match=f"1-00000.bin cannot be used. .*{sentence}.*Delete the file"):
        read(path)
    with pytest.raises(NevskyError, match="cannot be read: No such file"):
        read(tmp_path / "none.bin")


@pytest.mark.usefixtures("no_torch")
def test_one_process_and_two_make_the_same_samples(small: Plan, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        save_network(tmp_path / name / "net-1.net", network("first"))
    one = play(small, tmp_path / "one", generations=2, jobs=1)
    two = play(small, tmp_path / "two", generations=2, jobs=2)
    assert list(one) == [f"{generation}-{chunk:05}.bin" for generation in (1, 2) for chunk in range(3)]
    assert one == two
    assert len(set(one.values())) == 6
    assert len(one["1-00002.bin"]) < len(one["1-00000.bin"]) / 2, "the last chunk has only two games"


def test_the_seed_the_network_and_the_numbers_make_a_difference(small: Plan) -> None:
    weights = [network("first"), network("second")]
    by = [play_chunk(Job(small, 2, each), 0) for each in weights]
    assert by[0] != by[1], "the network plays"
    assert play_chunk(Job(small, 2, weights[0]), 2) == play_chunk(Job(small, 2, weights[1]), 2), (
        "the heuristic policy plays"
    )
    for other in (small._replace(seed="volga"), small._replace(playouts=2), small._replace(descents=5)):
        assert play_chunk(Job(other, 2, weights[0]), 0) != by[0]
    assert play_chunk(Job(small, 3, weights[0]), 0) != by[0]
    assert play_chunk(Job(small._replace(epochs=5), 2, weights[0]), 0) == by[0]


def test_chunks_share_out_the_games_and_the_rulesets() -> None:
    plan = Plan(2000, 16, 24, 6, "0")
    assert plan.chunks == 167 and sum(map(plan.games_of, range(167))) == 2000
    assert [plan.descents_of(chunk) for chunk in range(6)] == [16, 16, 0, 16, 16, 0]
    played = [(ruleset.edition, ruleset.players) for ruleset in RULESETS]
    assert played[:7] == [("second", players) for players in (2, 4, 2, 4, 3, 2, 4)]
    assert played[7:] == [("first", players) for players in (2, 4, 3)]
