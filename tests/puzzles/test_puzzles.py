"""Puzzles: every one that is shipped is what it says, and mining can be repeated."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache

import pytest

from nevsky.errors import NevskyError
from nevsky.puzzles import Collection, Puzzle, mine, shipped
from nevsky.puzzles.checking import check, check_proof, sample
from nevsky.puzzles.collection import SHIPPED, read_puzzles
from nevsky.puzzles.proof import LEAST
from nevsky.rules.game import redeal

SEED = "0"
"""Of those that are shipped."""


@cache
def puzzles() -> list[Puzzle]:
    return list(read_puzzles(SHIPPED))


def test_every_puzzle_can_be_played_and_its_best_action_is_clearly_ahead() -> None:
    for puzzle in puzzles():
        check(puzzle)
        assert puzzle.proof.best in puzzle.view.legal
        assert {"greedy", "policy"} & set(puzzle.fooled)
        for margin in (puzzle.proof.first, puzzle.proof.again):
            assert margin.points >= LEAST == 1.5
            assert margin.points - margin.doubt >= 0.75
            assert margin.chance >= 0.02


def test_there_are_many_of_all_kinds() -> None:
    found = puzzles()
    assert len(found) >= 150
    assert len({puzzle.id for puzzle in found}) == len(found)
    views = [puzzle.view for puzzle in found]
    phases = Counter(view.phase for view in views)
    assert max(phases.values()) <= 3 + 0.4 * len(found) and len(phases) == 5
    assert len({view.round for view in views}) >= 5
    rulesets = {view.ruleset for view in views}
    assert {(ruleset.edition, ruleset.players) for ruleset in rulesets if not ruleset.market} >= {
        ("second", 2), ("second", 3), ("second", 4), ("first", 2), ("first", 3), ("first", 4)
    }  # fmt: skip
    assert any(ruleset.market and not ruleset.modules for ruleset in rulesets)
    assert len({ruleset.modules for ruleset in rulesets}) >= 4


def test_a_puzzle_holds_nothing_but_what_its_seat_knows() -> None:
    for puzzle in sample(puzzles(), 12):
        view = redeal(puzzle.view, "another deal").view(puzzle.view.seat, memory=True)
        again = Puzzle(puzzle.game, puzzle.move, view, puzzle.proof, puzzle.fooled)
        assert again.to_line() == puzzle.to_line()
        hands = [card for seat, player in enumerate(view.players) if seat != view.seat for card in player.hand]
        assert all(card.card is None or card.seen for card in hands)


def test_mining_is_repeatable_and_begins_as_the_file_does() -> None:
    assert next(mine(SEED)).to_line() == SHIPPED.read_text().splitlines()[0]


def test_proofs_are_found_again() -> None:
    for puzzle in sample(puzzles(), 2):
        check_proof(puzzle)


def test_lines_are_read_as_they_were_written() -> None:
    lines = SHIPPED.read_text().splitlines()
    assert [puzzle.to_line() for puzzle in puzzles()[:5]] == lines[:5]
    known = shipped().kept
    assert {puzzle.id: puzzle.rating for puzzle in puzzles()} == {name: kept.rating for name, kept in known.items()}
    data = json.loads(lines[0])
    data["position"]["round"] += 1
    with pytest.raises(NevskyError, match="does not fit its id"):
        Puzzle.from_line(json.dumps(data))
    for broken in ("", "[]", "{}", "7", lines[0][:-9]):
        with pytest.raises(NevskyError, match="no puzzle"):
            Puzzle.from_line(broken)
    assert Collection(lines[:1]).get("nowhere") is None
