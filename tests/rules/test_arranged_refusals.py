"""A position that cannot be is refused with a sentence, whatever it says."""

from __future__ import annotations

from typing import Any

import pytest

from nevsky import NevskyError
from tests.market.table import arrange
from tests.modules.arranged import arrange as arrange_modules
from tests.rules.table import scoring


@pytest.mark.parametrize(
    "position",
    [
        {"flow": {"open_tile": 5}},
        {"flow": {"stage": 2, "part": 5, "sub": 2, "asked": 0}, "phase": "building"},
        {"flow": {"asked": 20}},
        {"flow": {"stage": 9}},
        {"due": "half", "flow": {}},
        {"due": "assignment", "flow": {}},
        {"attached": [{"chip": "judge"}, {}]},
        {"covered": ["judge", "judge"]},
        {"attached": [{"banquet": "judge"}, {"banquet": "judge"}]},
        {"covered": ["judge", None], "together": [["chip", "face_down"]]},
        {"covered": ["judge", None], "attached": [{"banquet": "judge"}, {}], "together": []},
        {"covered": ["judge", None], "together": [["chip", "banquet"]]},
        {"attached": [{"banquet": "judge"}, {}], "together": [["banquet", "banquet"]]},
    ],
    ids=str,
)
def test_what_contradicts_itself_is_refused(position: dict[str, Any]) -> None:
    with pytest.raises(NevskyError):
        arrange(modules=(1,), areas=[["judge"], ["judge"]], **position)


@pytest.mark.parametrize("due", [[10], [10, 10]])
def test_a_bonus_waits_only_where_a_tile_was_met(due: list[int]) -> None:
    tiles = {"10": "B1", "20": "R1", "35": "R2", "50": "B2", "70": "B3"}
    obstacles = {"tiles": tiles, "passed": [[10] if len(due) > 1 else [], []], "due": [due, []]}
    with pytest.raises(NevskyError):
        arrange_modules(6, obstacles=obstacles)


def test_a_view_counts_a_covered_observatory_once() -> None:
    game = arrange(
        modules=(1,),
        phase="exchange",
        areas=[["observatory"] * 2],
        face_down=[{"observatory": 1}, {}],
        covered=["observatory", None],
        together=[["chip", "face_down"]],
    )
    assert game.view(0).players[0].income["building"] == (0, 1)
    assert scoring(game)[0] == (0, 0)
