"""The log that viewers read is the same however much of it was read before, and after the table was loaded again."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nevsky import Game, Ruleset
from nevsky.rules.actions import parse_action
from nevsky.server.match import Match, deal_data, deal_game
from nevsky.server.schema import Entry
from nevsky.server.table_log import TableLog
from nevsky.texts.sentences import Wording

NAMES = ["Anna", "Boris", "Clara", "Dimitri", "Eva"]
RULESETS = [
    Ruleset("first", 2),
    Ruleset("second", 3),
    Ruleset("second", 4, market=True),
    Ruleset("second", 5, market=True, modules=(1, 2, 3, 4, 5, 6)),
]


def entry_by_chance(match: Match, rng: random.Random) -> Entry:
    """A decision of whoever is asked, or now and then the last one taken back."""
    seat = rng.randrange(match.game.ruleset.players)
    if match.can_undo(seat) and rng.random() < 0.5:
        return Entry(match.entries + 1, seat, None, "player", "")
    to_move = match.game.to_move
    assert to_move is not None
    action = rng.choice(match.game.legal_actions)
    return Entry(match.entries + 1, to_move, action.text, rng.choice(["player", "player", "bot", "time"]), "")


def carry_out(match: Match, entry: Entry) -> None:
    match.add(entry, match.tried(entry.seat, None if entry.action is None else parse_action(entry.action)))


@settings(max_examples=8, deadline=None)
@given(st.sampled_from(RULESETS), st.integers(0, 10**6))
def test_a_table_that_is_loaded_equals_the_one_that_was_played_at(ruleset: Ruleset, seed: int) -> None:
    rng = random.Random(seed)
    names = NAMES[: ruleset.players]
    deal = deal_data(Game(ruleset, seed, seats=names, auto=True))
    match = Match(deal_game(ruleset, deal, names))
    entries: list[Entry] = []
    viewers = [None, *range(ruleset.players)]
    wordings = [Wording(language, ruleset.edition, names) for language in ("en", "de", "fr", "it")]
    most_entries = rng.randrange(40, 250)
    while not match.game.over and len(entries) < most_entries:
        entries.append(entry_by_chance(match, rng))
        carry_out(match, entries[-1])
        if rng.random() < 0.2:
            most = rng.choice([1, 5, 60, 1000])
            viewer, wording = rng.choice(viewers), rng.choice(wordings)
            told_now = TableLog(match.game)
            told_now.late = match.log.late
            everything = told_now.lines(viewer, wording)
            assert match.log.lines(viewer, wording, most) == everything[-most:]
    loaded = Match(deal_game(ruleset, deal, names), entries)
    for _ in range(3):
        assert loaded.game.state() == match.game.state()
        assert loaded.entries == match.entries
        for viewer in viewers:
            assert loaded.view(viewer) == match.view(viewer)
            assert loaded.version(viewer) == match.version(viewer)
            assert loaded.can_undo(viewer) == match.can_undo(viewer)
            assert loaded.can_undo(viewer, alone=True) == match.can_undo(viewer, alone=True)
            for wording in wordings:
                assert loaded.log.lines(viewer, wording, 60) == match.log.lines(viewer, wording, 60)
        for _ in range(10):
            if not match.game.over:
                entry = entry_by_chance(match, rng)
                carry_out(match, entry)
                carry_out(loaded, entry)
    for viewer in viewers:
        assert loaded.log.lines(viewer, wordings[0]) == match.log.lines(viewer, wordings[0])


@pytest.mark.parametrize("ruleset", RULESETS, ids=str)
def test_what_is_told_of_the_first_moves_is_the_beginning_of_the_log(ruleset: Ruleset) -> None:
    rng = random.Random(1)
    names = NAMES[: ruleset.players]
    match = Match(Game(ruleset, 5, seats=names, auto=True))
    while not match.game.over:
        action = rng.choice(match.game.legal_actions)
        assert match.game.to_move is not None
        match.add(
            Entry(match.entries + 1, match.game.to_move, action.text, "player", ""),
            match.tried(match.game.to_move, action),
        )
    wording = Wording("en", ruleset.edition, names)
    everything = TableLog(match.game).lines(0, wording)
    read = TableLog(match.game)
    assert read.lines(0, wording, 60) == everything[-60:]
    for moves in (0, 1, 7, len(match.game.moves) // 2, len(match.game.moves)):
        told = read.lines(0, wording, first_moves=moves)
        assert told == everything[: len(told)]
        assert all(line["number"] > moves for line in everything[len(told) :])
    assert told == everything
    assert [line["passed"] for line in told] == [
        line["seat"] is not None and line["text"].endswith((" passes", " pass")) for line in told
    ]
    for line in TableLog(match.game).lines(0, Wording("fr", ruleset.edition, names)):
        assert not re.search(r"[^\s\u00a0][;:!?](\s|$)", line["text"]), "a space stands before these in French"


@pytest.mark.parametrize("ruleset", RULESETS, ids=str)
def test_the_gains_of_a_line_are_what_it_tells(ruleset: Ruleset) -> None:
    """With them a page can show where money and points go; points are what the players have, ever."""
    rng = random.Random(7)
    names = NAMES[: ruleset.players]
    game = Game(ruleset, 7, seats=names)
    while not game.over:
        game.push(rng.choice(game.legal_actions))
    lines = TableLog(game).lines(None, Wording("en", ruleset.edition, names))
    told = [line for line in lines if "gains" in line]
    assert told and all(line["seat"] is None for line in told)
    for line in told:
        for gain in line["gains"]:
            assert f"{names[gain['seat']]} " in line["text"]
            assert gain["rubles"] or gain["points"]
