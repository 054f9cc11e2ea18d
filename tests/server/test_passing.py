"""Passing without being asked."""

from __future__ import annotations

from pathlib import Path

from nevsky.server.passing import AutoPassing
from tests.server.pairs import seated, two_players
from tests.server.support import run, running


def test_passing_without_being_asked_survives_a_restart(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            pair = await two_players(server)
            cookies = [dict(each.http.cookies) for each in pair[:2]]
            active, other = await seated(pair)
            while active.state["phase"] == "worker":  # the first workers must be bought (3.6)
                await active.play(active.state["choices"][0]["action"])
                version = active.state["version"]
                await other.until(lambda state, version=version: state["version"] >= version)  # type: ignore[misc]
                if active.state["to_move"] != active.state["you"]:
                    active, other = other, active
            active_seat, passing_seat = active.state["you"], other.state["you"]
            await other.send(type="auto_pass", until="phase")
            await other.until(lambda state: state["auto_pass"] == "phase")
            assert active.state["auto_pass"] == "off"
        async with running(tmp_path / "n.db") as server:
            people = []
            for each in cookies:
                people.append(await server.visitor())
                people[-1].http.cookies.update(each)
            other = await people[passing_seat].open(pair[2])
            assert (await other.until(lambda _: True))["auto_pass"] == "phase"
            active = await people[active_seat].open(pair[2])
            state = await active.my_turn()
            await active.play(next(each["action"] for each in state["choices"] if each["action"] != "pass"))
            await active.my_turn()
            stored = await server.components.storage.load(pair[2])
            assert stored is not None
            assert [entry.by for entry in stored.log[-2:]] == ["player", "auto"]
            await other.send(type="auto_pass", until="off")
            await other.until(lambda state: state["auto_pass"] == "off")
        async with running(tmp_path / "n.db") as server:
            again = await server.visitor()
            again.http.cookies.update(cookies[passing_seat])
            assert (await (await again.open(pair[2])).until(lambda _: True))["auto_pass"] == "off"

    run(scenario())


def test_a_wish_to_pass_is_stored_as_it_is() -> None:
    for known in (None, frozenset({"pass", "buy wharf"})):
        wish = AutoPassing("change", 3, "noble", known)
        assert AutoPassing.from_dict(wish.to_dict()) == wish
