"""Attacks on a server with the usual limits, as very short ones: nobody honest may be refused anything."""

from __future__ import annotations

import pytest

from nevsky.errors import NevskyError
from nevsky.server import abuse

SHORT = {
    "hints": {"too_fast"},
    "refused": {"too_fast"},
    "spectators": set(),
    "race": {"not_found"},
    "frames": set(),
}


@pytest.mark.parametrize("name", SHORT)
def test_a_short_attack_hurts_nobody(name: str) -> None:
    lines: list[str] = []
    found = abuse.run([name], 1.5, scale=0.1, say=lines.append)["attacks"][name]
    assert lines[0].startswith(name)
    for when in ("before", "during", "after"):
        assert found[when]["refused"] == {}
        assert found[when]["answers"] > 0
    assert found["tracebacks"] == 0
    assert set(found["attacker"]) >= SHORT[name]
    assert found["open_files"][1] < found["open_files"][0] + 20
    assert found["memory_kb"][1] < 2 * found["memory_kb"][0]
    if name == "spectators":
        assert found["found"]["player_let_in"] == "10 of 10"
    if name == "race":
        assert found["found"]["seats_at_no_table"] == "0 of 15"


@pytest.mark.parametrize(("names", "seconds"), [(["nonsense"], 1), ([], 0), ([], 1000), ([], float("nan"))])
def test_attacks_have_bounds(names: list[str], seconds: float) -> None:
    with pytest.raises(NevskyError):
        abuse.run(names, seconds)
