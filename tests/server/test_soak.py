"""The long run, as a very short one."""

from __future__ import annotations

import pytest

from nevsky.errors import NevskyError
from nevsky.server import soak

SAMPLE = (
    "seconds moves cpu_ms_per_move p50_ms p99_ms memory_kb workers_memory_kb open_files "
    "tables_in_memory connections errors calibration steps_per_move probe_ms_per_move probe_steps_per_move"
)


def test_a_small_soak() -> None:
    lines: list[str] = []
    found = soak.run(4, 0.1, pause=0.05, sample=1.5, say=lines.append)
    assert found["errors_by_code"] == {}
    assert len(found["samples"]) == len(lines) == 4
    assert all(set(each) == set(SAMPLE.split()) for each in found["samples"])
    assert found["moves"] > 20
    assert found["connections"] > 8
    assert found["patches"] > found["whole_states"] > 0
    last = found["samples"][-1]
    assert last["memory_kb"] > last["workers_memory_kb"] / 10 > 1000
    assert all(1 < each["probe_steps_per_move"] < 200_000 for each in found["samples"])
    assert last["open_files"] > last["connections"] > 0
    assert last["tables_in_memory"] >= 4
    assert found["second_half"]["memory_kb"] > 10_000


def test_the_verdict_is_the_slope_of_the_second_half() -> None:
    samples = [
        {"seconds": 60.0 * minute, **dict.fromkeys(soak._JUDGED, 2), "memory_kb": 1000 + 50 * min(minute, 5)}
        for minute in range(1, 11)
    ]
    flat = soak._verdict(samples)
    assert (flat["memory_kb"], flat["memory_kb_per_hour"]) == (1250, 0)
    assert (flat["cpu_ms_per_move"], flat["cpu_ms_per_move_percent_per_hour"]) == (2, 0)
    for sample in samples:
        sample["memory_kb"] = 1000 + sample["seconds"]
    growing = soak._verdict(samples)
    assert growing["memory_kb_per_hour"] == pytest.approx(3600)
    assert growing["memory_kb_percent_per_hour"] == pytest.approx(3600 / 1480 * 100, abs=0.1)


@pytest.mark.parametrize(
    ("tables", "minutes", "pause"), [(0, 1, 1), (10**4, 1, 1), (1, 0, 1), (1, 10**5, 1), (1, 1, -1)]
)
def test_a_soak_has_bounds(tables: int, minutes: float, pause: float) -> None:
    with pytest.raises(NevskyError):
        soak.run(tables, minutes, pause=pause)
