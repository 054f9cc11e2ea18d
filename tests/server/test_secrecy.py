"""Nothing secret reaches a browser: whatever a viewer cannot know could be otherwise, and no byte would change."""

from __future__ import annotations

import asyncio
import copy
import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from nevsky import Game, Ruleset, redeal
from nevsky.rules.actions import ACTIONS, PASS
from nevsky.server.actor import Table
from nevsky.server.context import Sitting
from nevsky.server.match import Match, deal_data
from nevsky.server.present import present
from nevsky.server.protocol import TableState
from nevsky.server.schema import Entry
from nevsky.server.screens import Moment, Screen, Shown
from nevsky.server.shared import Shared
from nevsky.server.table_log import TableLog
from nevsky.telling import HIDDEN, MoveFacts, Telling
from nevsky.texts.sentences import Wording
from tests.server.support import play_randomly, run, running

FULL: dict[str, Any] = {"market": True, "modules": [1, 2, 3, 4, 5, 6]}


def otherwise(match: Match, viewer: int | None, rng: random.Random) -> Game:
    """The same game for the viewer, with everything they cannot know dealt anew."""
    game, telling = match.game, match.log.telling
    deal = copy.deepcopy(deal_data(game))
    taken = hidden_takes(match, viewer)
    for pile, cards in deal["piles"].items():
        left = game.view(None).piles[pile]
        places = [place for name, place in taken.values() if name == pile] + list(range(len(cards) - left, len(cards)))
        kinds = [cards[place] for place in places]
        rng.shuffle(kinds)
        for place, card in zip(places, kinds, strict=True):
            cards[place] = card
    numbers = other_assignments(game, viewer, deal, rng)
    changed = Game.from_piles(game.ruleset, deal["piles"], deal["tokens"], seats=game.seats, **deal["deal"])
    for told in telling.moves:
        push_alike(changed, told, telling, viewer, {**numbers, **drawn_instead(taken, deal, told)})
    return changed


def drawn_instead(taken: dict[int, tuple[str, int]], deal: dict[str, Any], told: MoveFacts) -> dict[str, str]:
    if told.move.number not in taken:
        return {}
    pile, place = taken[told.move.number]
    return {told.move.action.text: f"take {deal['piles'][pile][place]} drawn"}


def push_alike(changed: Game, told: MoveFacts, telling: Telling, viewer: int | None, instead: dict[str, str]) -> None:
    """Make the move that looks the same; secret questions come and go with the cards."""
    while changed.due == "pick_pocket" != told.due:
        changed.push("pass")
    if told.due == "pick_pocket" != changed.due:
        assert telling.secrecy(told, viewer) == HIDDEN
        return
    text = instead.get(told.move.action.text, told.move.action.text)
    if told.move.auto and changed._position.forced() >= 0:
        changed.push_auto(text)
    else:
        changed.push(text)


def hidden_takes(match: Match, viewer: int | None) -> dict[int, tuple[str, int]]:
    """Cards that others took unseen and still hold: number of the move, pile and place in the pile."""
    game, position = match.game, match.game.position
    if game.over or game.ruleset.open_hands:
        return {}
    found: dict[int, tuple[str, int]] = {}
    before = game.start_position
    sizes = {pile: len(cards) for pile, cards in game.piles.items()}
    held = {seat: unseen(position, seat) for seat in range(position.n)}
    looked: tuple[str, int] | None = None
    takes: list[tuple[int, int, str, tuple[str, int]]] = []
    for told in match.log.telling.moves:
        action = told.move.action
        if action.verb == "observe":
            left = dict(zip(("worker", "market", "building", "noble", "exchange"), before.pile_n, strict=True))
            looked = (action.pile, sizes[action.pile] - left[action.pile])
        elif told.due == "drawn" and action.verb == "take" and told.move.seat != viewer:
            assert looked is not None
            takes.append((told.move.number, told.move.seat, action.card, looked))
        before.play(action.id)
    for number, seat, card, place in reversed(takes):
        if card in held[seat]:
            held[seat].remove(card)
            found[number] = place
    return found


def unseen(position: Any, seat: int) -> list[str]:
    from nevsky.cards import CARDS

    pairs = zip(position.hand_of(seat), position.seen_of(seat), strict=True)
    return [CARDS[kind].text for kind, seen in pairs if not seen]


def other_assignments(game: Game, viewer: int | None, deal: dict[str, Any], rng: random.Random) -> dict[str, str]:
    """Deal the assignments of the others anew; which action then stands for which."""
    if "assignments" not in deal["deal"] or game.view(viewer).table["assignments"][(viewer or 0) - 1] is not None:
        return {}
    dealt: list[list[int]] = deal["deal"]["assignments"]
    own = [] if viewer is None else dealt[viewer]
    rest = [n for n in range(1, 16) if n not in own and not (len(dealt) == 2 and n in (2, 8, 15))]
    rng.shuffle(rest)
    instead: dict[str, str] = {}
    for seat, numbers in enumerate(dealt):
        if seat != viewer:
            new = [rest.pop() for _ in numbers]
            instead |= {f"assignment {old}": f"assignment {now}" for old, now in zip(numbers, new, strict=True)}
            dealt[seat] = new
    return instead


def state_otherwise(table: Table, viewer: int | None, language: str, rng: random.Random) -> TableState:
    assert table.match is not None
    other, match = copy.copy(table), copy.copy(table.match)
    match.game = otherwise(table.match, viewer, rng)
    match._views, match._shared = {}, None
    # what everybody saw tells everybody's rubles, whatever is hidden: that is what `view(memory=True)` rests on
    assert match.game.position.rubles == table.match.game.position.rubles
    match.log = TableLog(match.game)
    other.match = match
    shared = Shared()
    return Screen(other, viewer, language, Moment(other, {}, {}, shared), shared).state


class Watch:
    """Checks every state that the server builds."""

    def __init__(self, seed: int, deep: int) -> None:
        self.rng = random.Random(seed)
        self.deep = deep
        self.checked: set[str] = set()
        self.calls = self.deeply = 0

    def check(self, table: Table, seat: int | None, language: str, state: TableState) -> None:
        """The same state made of nothing but what the viewer may know, and of a game that they cannot tell apart."""
        if table.match is not None:
            game = table.match.game
            wording = Wording(language, table.ruleset.edition, table.names)
            lines = table.match.log.lines(seat, wording, 60)
            sitting, guessed = Sitting(table), redeal(game.view(seat), self.rng.getrandbits(32)).view(seat)
            own = sitting.own(seat, table.match)
            context = sitting.context(guessed.to_move)
            assert {**present(guessed, context, language, own=own, log=lines), "serial": 0} == {**state, "serial": 0}
            self.calls += 1
            if self.calls % self.deep == 0:
                assert {**state_otherwise(table, seat, language, self.rng), "serial": 0} == {**state, "serial": 0}
                self.deeply += 1
        self.checked.add(compact(state))


@pytest.mark.parametrize(("options", "seed"), [({}, 1), ({"edition": "first"}, 2), (FULL, 3)])
def test_every_message_of_a_game_would_be_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: dict[str, Any], seed: int
) -> None:
    watch = Watch(seed, 20)
    unwatched = Screen._look

    def watched(screen: Screen, moment: Moment) -> Shown:
        shown = unwatched(screen, moment)
        if not watching:
            watching.append(screen)  # states that are made for a check are not checked again
            watch.check(screen._table, screen._seat, screen._language, shown.whole())
            watching.clear()
        return shown

    watching: list[Screen] = []
    monkeypatch.setattr(Screen, "_look", watched)

    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            people = [await server.visitor() for _ in range(2)]
            made = await people[0].create("me open", **options)
            await people[1].http.post(f"/api/tables/{made['table']}/join")
            tables = [await person.open(made["table"]) for person in people]
            spectator = await (await server.visitor()).open(made["table"])
            playing = [play_randomly(table, random.Random(seed)) for table in tables]
            await asyncio.gather(*playing, spectator.until(lambda state: state["status"] == "over"))
            for table in (*tables, spectator):
                states = [seen for seen in table.seen if seen["type"] == "state"]
                assert len(states) > 20
            texts = {compact(seen) for table in (*tables, spectator) for seen in table.seen if seen["type"] == "state"}
            assert texts <= watch.checked
            assert watch.deeply > 3

    run(scenario())


def compact(state: Mapping[str, Any]) -> str:
    return json.dumps({**state, "serial": 0}, sort_keys=True)


def random_match(ruleset: Ruleset, seed: int) -> Sequence[Match]:
    """A random game that likes to look at cards and to take them, with copies at some points of it."""
    rng = random.Random(seed)
    match = Match(Game(ruleset, seed, auto=True))
    found: list[Match] = []
    while not match.game.over:
        legal = match.game.legal_actions
        liked = [a for a in legal if a.card == "observatory" or a.verb == "observe" or (a.drawn and a.verb == "take")]
        dull = [a for a in legal if a.verb != "take"]
        action = rng.choice(liked or (dull if rng.random() < 0.8 else legal) or legal)
        seat = match.game.to_move
        assert seat is not None
        entry = Entry(match.entries + 1, seat, action.text, "player", "")
        match.add(entry, match.tried(seat, action))
        unseen_now = any(unseen(match.game.position, seat) for seat in range(ruleset.players))
        if rng.random() < (0.1 if unseen_now else 0.01) and len(found) < 8:
            part = copy.copy(match)
            part.log = TableLog(match.game)
            found.append(part)
    return found


@pytest.mark.parametrize("seed", [1, 4, 6, 7])
def test_logs_and_states_hide_what_was_taken_unseen(seed: int) -> None:
    ruleset = Ruleset("second", 3, market=True, modules=(1, 2, 3, 4, 5, 6)) if seed % 2 else Ruleset("second", 3)
    rng = random.Random(seed)
    changed = compared = 0
    for match in random_match(ruleset, seed):
        for viewer in (None, 0, 1, 2):
            wording = Wording("en", "second", match.game.seats)
            other = otherwise(match, viewer, rng)
            compared += 1
            changed += other.state() != match.game.state() and bool(hidden_takes(match, viewer))
            assert other.view(viewer).to_bytes() == match.game.view(viewer).to_bytes()
            lines = match.log.lines(viewer, wording)
            assert TableLog(other).lines(viewer, wording) == lines
    assert changed


def test_a_secret_question_leaves_no_trace() -> None:
    """Who holds an unseen Pick Pocket is asked at the start of a phase; the others must not notice (11.1)."""
    ruleset = Ruleset("second", 2, modules=(1,))
    for seed in range(130, 400):
        for match in secret_questions(ruleset, seed):
            owner = match.game.to_move
            assert owner is not None
            before = match.version(1 - owner), match.version(None), match.version(owner)
            entry = Entry(match.entries + 1, owner, "pass", "player", "")
            match.add(entry, match.tried(owner, ACTIONS[PASS]))
            if match.game.moves[-1][1]:
                continue
            assert match.version(1 - owner) == before[0]
            assert match.version(None) == before[1]
            assert match.version(owner) == before[2] + 1
            assert not match.can_undo(owner)
            return
    pytest.fail("no secret question came up")


def test_a_move_that_comes_before_a_secret_answer_waits_for_it(tmp_path: Path) -> None:
    """The start player cannot know that somebody else has to answer first."""
    match = next(m for seed in range(130, 400) for m in secret_questions(Ruleset("second", 2, modules=(1,)), seed))
    owner = match.game.to_move
    assert owner is not None

    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            people = [await server.visitor() for _ in range(2)]
            made = await people[0].create("me open", modules=[1])
            await people[1].http.post(f"/api/tables/{made['table']}/join")
            table = await server.components.hub.get(made["table"])
            table.match = match
            asked, early = [await people[seat].open(made["table"]) for seat in (owner, 1 - owner)]
            for each in (asked, early):
                await each.until(lambda state: all(player["connected"] for player in state["players"]))
                assert each.state["to_move"] == each.state["you"]
            version = early.state["version"]
            await early.act(early.state["choices"][0]["action"])
            assert await early.quiet()
            await asked.act("pass")
            state = await early.until(lambda state: state["version"] > version)
            assert state["version"] == version + 1
            await asked.until(lambda state: state["version"] == asked.seen[0]["version"] + 2)

    run(scenario())


def secret_questions(ruleset: Ruleset, seed: int) -> Sequence[Match]:
    rng = random.Random(seed)
    match = Match(Game(ruleset, seed, auto=True))
    while not match.game.over:
        seat = match.game.to_move
        assert seat is not None
        if match.game.due == "pick_pocket" and match.game.view(1 - seat).due == "turn":
            return [match]
        liked = [a for a in match.game.legal_actions if a.verb == "observe" or (a.drawn and a.verb == "take")]
        liked += [a for a in match.game.legal_actions if a.card == "observatory"]
        action = rng.choice(liked or match.game.legal_actions)
        entry = Entry(match.entries + 1, seat, action.text, "player", "")
        match.add(entry, match.tried(seat, action))
    return []
