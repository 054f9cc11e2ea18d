"""Patches make the new state of the old one, tell nothing that is not in it, and nobody is forced to use them."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nevsky.server.patches import json_patch, patched
from nevsky.server.protocol import PatchOperation, StatePatch
from nevsky.server.screens import Moment, Screen
from tests.server.support import play_randomly, run, running

KEYS = st.sampled_from(["a", "b", "log", "chat", "choices", "players", "row/1", "~", ""])
PLAIN = st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from(["x", "y"])
VALUES = st.recursive(
    PLAIN, lambda inner: st.lists(inner, max_size=5) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=20
)
STATES = st.dictionaries(KEYS, VALUES, max_size=5)


def message(operations: list[PatchOperation]) -> StatePatch:
    sent: StatePatch = {"type": "patch", "base": 1, "serial": 1, "patch": operations}
    return json.loads(json.dumps(sent))  # type: ignore[no-any-return]


@settings(max_examples=300, deadline=None)
@given(STATES, st.lists(STATES, min_size=1, max_size=3))
def test_a_patch_makes_the_new_state_of_the_old_one(old: dict[str, Any], states: list[dict[str, Any]]) -> None:
    for new in states:
        operations = json_patch({**old, "serial": 1}, {**new, "serial": 1})
        assert patched({**old, "serial": 1}, message(operations)) == {**new, "serial": 1}
        old = new
    assert not json_patch(old, json.loads(json.dumps(old)))


def test_a_row_is_sent_as_a_whole_when_somebody_is_asked_about_all_of_it() -> None:
    waiting = [{"card": card, "choices": []} for card in "abc"]
    asked = [{"card": card, "choices": [place]} for place, card in enumerate("abc")]
    assert json_patch({"row1": waiting}, {"row1": asked}) == [{"op": "replace", "path": "/row1", "value": asked}]
    assert json_patch({"row1": asked}, {"row1": waiting[1:]}) == [
        {"op": "replace", "path": "/row1", "value": waiting[1:]}
    ]
    some = [waiting[0], *asked[1:]]
    assert [each["path"] for each in json_patch({"row1": waiting}, {"row1": some})] == ["/row1/1", "/row1/2"]


def test_a_patch_for_another_state_is_refused() -> None:
    with pytest.raises(ValueError, match="another state"):
        patched({"serial": 2}, message([]))


def of_whom(state: Mapping[str, Any]) -> str:
    return json.dumps({**state, "serial": 0, "chat": []}, sort_keys=True)


def test_who_wants_whole_states_gets_them_and_sees_what_patches_make(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also: what is made once for several viewers makes the new state of the old one for each of them."""
    unchecked = Screen.update

    def checked(screen: Screen, moment: Moment) -> None:
        before, shown = screen.state, screen.shown
        unchecked(screen, moment)
        if screen.shown is not shown:
            assert patched(before, json.loads(screen.since(shown))) == json.loads(screen.whole())
            compared.append(screen)

    compared: list[Screen] = []
    monkeypatch.setattr(Screen, "update", checked)

    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            people = [await server.visitor() for _ in range(2)]
            made = await people[0].create("me open", market=True, modules=[1, 2, 3, 4, 5, 6])
            await people[1].http.post(f"/api/tables/{made['table']}/join")
            tables = [await person.open(made["table"]) for person in people]
            simple = await people[0].open(made["table"], states="full")
            ending = simple.until(lambda state: state["status"] == "over", 60)
            playing = [play_randomly(table, random.Random(3)) for table in tables]
            await asyncio.gather(*playing, ending)
            assert simple.patches == 0
            assert tables[0].patches > 50
            shown = {of_whom(seen) for seen in tables[0].seen if seen["type"] == "state"}
            assert len({of_whom(seen) for seen in simple.seen} & shown) > 50
            assert of_whom(simple.state) == of_whom(tables[0].state)
            assert len(compared) > 200

    run(scenario())


def test_the_whole_state_comes_again_when_asked_for(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            person = await server.visitor()
            made = await person.create("me easy")
            table = await person.open(made["table"])
            before = await table.until(lambda state: state["type"] == "state")
            table.state = {}
            await table.send(type="refresh")
            await table.until(lambda state: state["type"] == "state")
            assert table.state.keys() == before.keys()
            assert table.state["version"] >= before["version"]

    run(scenario())
