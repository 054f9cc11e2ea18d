"""Taking back: among people the last decision, alone with bots also what they have decided since."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nevsky import Game, NevskyError, Ruleset, redeal
from nevsky.rules.actions import parse_action
from nevsky.rules.view import View
from nevsky.server.match import Match
from nevsky.server.schema import Entry
from tests.rulesets import CONFIGURATIONS
from tests.server.support import run, running

PERSON = 0


class Played:
    """A game of one person with bots, move by move."""

    def __init__(self, ruleset: Ruleset, seed: int) -> None:
        self.rng = random.Random(seed)
        self.match = Match(Game(ruleset, seed=seed, auto=True))
        self.before: Game | None = None
        """Before the person's last decision."""
        self.view: View | None = None
        self.moves = 0

    def step(self) -> None:
        game = self.match.game
        assert game.to_move is not None
        if game.to_move == PERSON:
            self.before, self.view, self.moves = game.copy(), game.view(PERSON, memory=True), len(game.moves)
        self.add(game.to_move, self.rng.choice(game.legal_actions).text)

    def add(self, seat: int, action: str | None) -> None:
        by = "player" if seat == PERSON else "bot"
        outcome = self.match.tried(seat, None if action is None else parse_action(action))
        self.match.add(Entry(self.match.entries + 1, seat, action, by, ""), outcome)

    def learned(self, seed: int) -> bool:
        """Whether what has happened since tells something about cards that the person could not see before."""
        assert self.view is not None and self.before is not None
        other = redeal(self.view, seed)
        real = Game.from_position(self.before.position, self.before.ruleset)
        for action, _ in self.match.game.moves[self.moves :]:
            unnamed = action.verb == "assignment" and real.to_move != PERSON
            try:
                real.push(action)
                other.push(other.legal_actions[0] if unnamed else action)
            except NevskyError:
                return True
            if other.view(PERSON, memory=True) != real.view(PERSON, memory=True):
                return True
        return False


def played(data: st.DataObject) -> Played:
    ruleset = CONFIGURATIONS[data.draw(st.sampled_from(sorted(CONFIGURATIONS)), label="ruleset")]
    game = Played(ruleset, data.draw(st.integers(0, 10**6), label="seed"))
    for _ in range(data.draw(st.integers(0, 150), label="moves")):
        if game.match.game.over:
            break
        game.step()
    return game


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_after_undo_all_is_as_it_was_before_the_own_decision(data: st.DataObject) -> None:
    game = played(data)
    while not game.match.can_undo(PERSON, alone=True):
        if game.match.game.over:
            return
        game.step()
    entries, lines = game.match.entries, game.match.log.telling.moves[: game.moves]
    game.add(PERSON, None)
    match = game.match
    assert game.before is not None
    assert match.game.state() == game.before.state()
    assert match.game.moves == game.before.moves
    assert match.game.view(PERSON, memory=True) == game.view
    assert match.log.telling.moves == lines
    assert match.entries == entries + 1, "the log is only ever added to"
    assert match.game.to_move == PERSON


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_nothing_that_was_hidden_is_known_when_a_decision_can_be_taken_back(data: st.DataObject) -> None:
    game = played(data)
    for _ in range(40):
        if game.match.can_undo(PERSON, alone=True):
            assert not any(game.learned(seed) for seed in range(3))
        if game.match.game.over:
            break
        game.step()
    if game.match.game.over:
        assert not game.match.can_undo(PERSON, alone=True)


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_among_people_only_the_very_last_decision_is_taken_back(data: st.DataObject) -> None:
    game = played(data)
    match = game.match
    if not match.entries:
        return
    last = match._made[-1].seat
    assert not any(match.can_undo(seat) for seat in range(match.game.ruleset.players) if seat != last)
    if match.can_undo(PERSON):
        assert match.can_undo(PERSON, alone=True)


def test_bots_that_have_moved_since_do_not_keep_one_person_from_taking_back(
    tmp_path: Path, quick_bots: pytest.FixtureRequest
) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna = await server.visitor()
            undone = 0
            while undone < 2:
                made = await anna.create("me easy easy", edition="first")
                table = await anna.open(made["table"])
                before = await table.my_turn()
                await table.act(before["choices"][0]["action"])
                state = await table.until(
                    lambda state, before=before: (  # type: ignore[misc]
                        state["version"] >= before["version"] + 3 and state["to_move"] == state["you"]
                    )
                )
                if not state["can_undo"]:
                    continue
                await table.send(type="undo", version=state["version"])
                version = state["version"]
                state = await table.until(lambda state, version=version: state["version"] > version)  # type: ignore[misc]
                assert state["choices"] == before["choices"]
                assert state["players"] == before["players"]
                assert state["log"] == before["log"]
                stored = await server.components.storage.load(made["table"])
                assert stored is not None
                assert stored.log[-1].action is None
                undone += 1
            await server.components.hub.forget(made["table"])  # and from the database it is the same
            again = await anna.open(made["table"])
            assert (await again.my_turn())["choices"] == state["choices"]

    run(scenario())


def test_what_a_bot_played_for_a_person_is_not_taken_back() -> None:
    match = Match(Game(Ruleset("first", 2), seed=1, auto=True))
    seat = match.game.to_move
    assert seat is not None
    action = match.game.legal_actions[0]
    for by, possible in (("bot", False), ("time", False), ("player", True), ("auto", True)):
        other = Match(Game(Ruleset("first", 2), seed=1, auto=True))
        other.add(Entry(1, seat, action.text, by, ""), other.tried(seat, action))
        assert other.can_undo(seat, alone=True) is possible
