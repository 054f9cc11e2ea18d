"""Nevsky-1 is frozen: the same games, opponents and scale for everybody, for ever."""

from __future__ import annotations

import hashlib
import json
from collections import Counter

import pytest

from nevsky import NevskyError
from nevsky.arena import enter
from nevsky.arena.playing import play
from nevsky.benchmark.protocol import NEVSKY_1, Cell, check_rules

DIGEST = "2a88f842985c4feda428fd04e77cb315c56a6e2918da780fec2535b7322658c7"
"""Never to be changed: whatever is played otherwise needs another name than Nevsky-1."""
GAMES = "bdc727ab44f4fced"
"""Of one game of each kind, and against each opponent."""


def cell(name: str) -> Cell:
    return next(cell for cell in NEVSKY_1.cells if cell.name == name)


def test_the_protocol_is_what_it_was() -> None:
    assert NEVSKY_1.digest == DIGEST


def test_the_opponents_play_as_they_did() -> None:
    """The protocol names them; this is how they played when it was frozen."""
    agent = enter(["random"])[0]
    names = [f"{track.name}-greedy" for track in NEVSKY_1.tracks]
    names += ["market-random", "market-novice", "duel-master-25"]
    played = [play(NEVSKY_1.setup(cell(name), agent), 0).result for name in names]
    assert hashlib.sha256(json.dumps(played).encode()).hexdigest()[:16] == GAMES


def test_the_rulesets_are_those_that_were_promised() -> None:
    found = {track.name: track.ruleset for track in NEVSKY_1.tracks}
    told = {name: (r.edition, r.players, r.market, r.modules) for name, r in found.items()}
    assert told == {
        "duel": ("second", 2, False, ()),
        "table": ("second", 4, False, ()),
        "first": ("first", 2, False, ()),
        "market": ("second", 3, True, ()),
        "box": ("second", 4, True, (1, 2, 3, 4, 5, 6)),
    }
    assert not any(r.open_rubles or r.open_hands for r in found.values())


@pytest.mark.parametrize("cell", NEVSKY_1.cells, ids=lambda cell: cell.name)
def test_an_agent_sits_on_every_seat_equally_often_with_the_same_deals(cell: Cell) -> None:
    schedule = NEVSKY_1.setup(cell, enter(["random"])[0]).schedule
    fixtures = [schedule.fixture(number) for number in range(schedule.games)]
    assert schedule.games == cell.games
    seats = Counter(fixture.seats.index(0) for fixture in fixtures)
    assert set(seats.values()) == {schedule.deals} and len(seats) == cell.track.ruleset.players
    assert all(fixture.seats.count(0) == 1 for fixture in fixtures)
    assert {fixture.deal for fixture in fixtures} == set(range(schedule.deals))


def test_no_clock_is_looked_at_and_opponents_have_their_own_playouts() -> None:
    setup = NEVSKY_1.setup(cell("duel-master-25"), enter(["search"])[0]._replace(playouts=3))
    makers = [entrant.maker(1.0) for entrant in setup.entrants]
    assert [getattr(make("seed"), "playouts", None) for make in makers] == [3, 25]
    assert setup.playouts is not None and setup.to_dict()["milliseconds"] is None


def test_other_rules_are_refused() -> None:
    with pytest.raises(NevskyError, match=r"is about the rules 9\.9"):
        check_rules(NEVSKY_1._replace(rules="9.9"))


def test_a_quick_evaluation_has_another_name() -> None:
    quick = NEVSKY_1.quick()
    assert quick.name != NEVSKY_1.name and sum(cell.games for cell in quick.cells) == 60
