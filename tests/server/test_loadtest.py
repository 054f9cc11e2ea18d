"""The load generator, with hardly any loadtest."""

from __future__ import annotations

import pytest

from nevsky.errors import NevskyError
from nevsky.server import load_server, loadtest

FIELDS = (
    "version tables seats pause seconds connections moves games moves_per_second answer_ms server_memory_kb "
    "kb_per_idle_table kb_per_playing_table server_cpu_ms_per_move bytes_per_move_and_viewer server_cpu_percent "
    "client_cpu_percent errors errors_by_code reconnect restart processes database redis by_table forwarded "
    "engine_cpu_ms_per_move"
)


def test_a_small_load() -> None:
    found = loadtest.run(3, 2, 1.5)
    assert set(found) == set(FIELDS.split())
    assert (found["tables"], found["seats"], found["connections"]) == (3, 2, 6)
    assert (found["errors"], found["errors_by_code"]) == (0, {})
    assert found["moves"] > 0
    assert found["seconds"] >= 1.5
    assert found["moves_per_second"] == pytest.approx(found["moves"] / found["seconds"], rel=0.05)
    times = [found["answer_ms"][name] for name in ("p50", "p95", "p99", "max")]
    assert times == sorted(times)
    assert times[0] > 0
    assert found["server_memory_kb"] > 10_000
    assert found["reconnect"]["number"] == 200
    assert found["reconnect"]["server_cpu_ms"] > 0
    assert (found["restart"]["tables"], found["restart"]["connections"]) == (3, 6)
    assert found["restart"]["back_cpu_seconds"] >= found["restart"]["start_cpu_seconds"] > 0


@pytest.mark.parametrize("redis", [False, True])
def test_a_small_load_of_two_servers(redis: bool) -> None:
    try:
        found = loadtest.run(4, 2, 1.5, setup=loadtest.Setup(2, "postgresql", redis))
    except NevskyError as error:
        if error.key != "load.no_engine":
            raise
        pytest.skip(str(error))
    assert (found["errors"], found["errors_by_code"]) == (0, {})
    assert found["moves"] > 0
    assert set(found["engine_cpu_ms_per_move"]) == {"PostgreSQL", *(["Redis"] if redis else [])}
    assert found["engine_cpu_ms_per_move"]["PostgreSQL"] > 0
    assert found["forwarded"] > 0
    assert found["restart"] is None


@pytest.mark.parametrize(
    "setup", [loadtest.Setup(2), loadtest.Setup(1, redis=True), loadtest.Setup(0, "postgresql"), loadtest.Setup(99)]
)
def test_what_cannot_be_measured_is_told(setup: loadtest.Setup) -> None:
    with pytest.raises(NevskyError):
        loadtest.run(1, 2, 1.0, setup=setup)


@pytest.mark.parametrize(
    ("tables", "seats", "seconds", "word"),
    [
        (0, 4, 1.0, "tables"),
        (10**6, 4, 1.0, "tables"),
        (1, 1, 1.0, "seats"),
        (1, 6, 1.0, "seats"),
        (1, 2, 0.0, "time"),
        (1, 2, float("nan"), "time"),
        (1, 2, 10**6, "time"),
    ],
)
def test_a_load_has_bounds(tables: int, seats: int, seconds: float, word: str) -> None:
    with pytest.raises(NevskyError, match=word):
        loadtest.run(tables, seats, seconds)


def test_nobody_thinks_for_less_than_no_time() -> None:
    with pytest.raises(NevskyError, match="think"):
        loadtest.run(1, 2, 1.0, pause=-1.0)


def test_percentiles_are_times_that_occurred() -> None:
    assert load_server.percentiles([]) == {"p50": 0.0, "p95": 0.0, "p99": 0.0, "max": 0.0}
    assert load_server.percentiles([n / 1000 for n in range(100, 0, -1)]) == {
        "p50": 50.0,
        "p95": 95.0,
        "p99": 99.0,
        "max": 100.0,
    }
