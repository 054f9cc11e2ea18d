"""Points by place, what decides between equals, and what counts as which place."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nevsky import Game
from nevsky.rules.ruleset import Ruleset
from nevsky.server.schema import ENDED, GIVEN_UP, Entry, SeatRow, Stored
from nevsky.server.seating import started, unstarted
from nevsky.server.standing import told_of
from nevsky.server.tournaments.results import result_of
from nevsky.server.tournaments.standings import WIN, Outcome, points_of, rank


@st.composite
def outcomes(draw: st.DrawFn) -> list[Outcome]:
    found = []
    for _ in range(draw(st.integers(0, 8))):
        players = draw(st.lists(st.integers(1, 6), min_size=2, max_size=5, unique=True))
        scores = draw(st.lists(st.integers(-5, 90), min_size=len(players), max_size=len(players)))
        places = [1 + sum(other > score for other in scores) for score in scores]
        found.append(Outcome(tuple(players), tuple(places), tuple(scores)))
    return found


@settings(deadline=None)
@given(st.lists(st.integers(0, 4), min_size=2, max_size=5))
def test_a_table_has_so_many_points_however_places_are_shared(scores: list[int]) -> None:
    places = [1 + sum(other > score for other in scores) for score in scores]
    points = points_of(places)
    assert sum(points) == WIN * len(scores) / 2
    assert all(
        (points[a] > points[b]) == (places[a] < places[b]) for a in range(len(places)) for b in range(len(places))
    )
    assert all(float(2 * each).is_integer() for each in points)


@settings(deadline=None)
@given(outcomes(), st.randoms(use_true_random=False))
def test_the_order_of_games_does_not_matter_and_equals_share_a_place(found: list[Outcome], rng: random.Random) -> None:
    lines = rank(range(1, 7), found)
    again = list(found)
    rng.shuffle(again)
    assert rank(range(6, 0, -1), again) == lines
    worth = {line.player: (line.points, line.wins, line.share) for line in lines}
    for line in lines:
        better = [other for other in lines if other.points > line.points]
        assert line.place > len(better)
        assert line.place == next(other.place for other in lines if worth[other.player] == worth[line.player])
        assert line.games == sum(line.player in each.players for each in found)
    assert [line.place for line in lines] == sorted(line.place for line in lines)


def test_first_places_decide_between_equals_and_then_the_share() -> None:
    lines = rank(
        [1, 2, 3, 4],
        [
            Outcome((1, 2, 3), (1, 2, 3), (50, 40, 30)),
            Outcome((1, 2, 3), (3, 2, 1), (30, 40, 50)),
        ],
    )
    assert [(line.player, line.place, line.points, line.wins) for line in lines] == [
        (1, 1, 12.0, 1),
        (3, 1, 12.0, 1),
        (2, 3, 12.0, 0),
        (4, 4, 0.0, 0),
    ]


def _stored(status: str, *, own: tuple[str, str], away: tuple[bool, bool] = (False, False)) -> Stored:
    """A whole game of two, in which each seat's decisions are somebody's."""
    game = Game(Ruleset("first", players=2), seed=3, seats=["A", "B"], auto=True)
    row = unstarted(game.ruleset, True)._replace(**started(game))
    rng, log = random.Random(1), list[Entry]()
    while not game.over:
        seat = game.to_move
        assert seat is not None
        action = rng.choice(game.legal_actions)
        game.push(action)
        log.append(Entry(len(log) + 1, seat, action.text, own[seat], ""))
    row = row._replace(**{**told_of(game), "status": status})
    seats = tuple(SeatRow(n, "t", guest=f"g{n}", name="AB"[n], away=away[n]) for n in range(2))
    return Stored(row, seats, tuple(log), ())


def test_whoever_never_comes_gets_nothing_whatever_the_bot_makes_of_it() -> None:
    both = result_of(_stored("over", own=("player", "player")), 2)
    assert sorted(place or 0 for place in both.places) in ([1, 2], [1, 1])
    for seat in range(2):
        own = ("player", "bot") if seat else ("bot", "player")
        alone = result_of(_stored("over", own=own, away=(seat == 0, seat == 1)), 2)
        assert alone.places == [None if n == seat else 1 for n in range(2)]
        assert (alone.absent, alone.scores) == ([seat], both.scores)
    later = result_of(_stored("over", own=("player", "player"), away=(True, False)), 2)
    assert later.places == both.places  # a bot has only finished for them


@pytest.mark.parametrize(
    ("status", "own", "places", "absent"),
    [
        (ENDED, ("player", "player"), [1, 1], []),
        (ENDED, ("player", "time"), [1, None], [1]),
        (GIVEN_UP, ("player", "player"), [None, None], []),
    ],
)
def test_games_that_were_stopped(
    status: str, own: tuple[str, str], places: list[int | None], absent: list[int]
) -> None:
    found = result_of(_stored(status, own=own), 2)
    assert (found.status, found.places, found.absent) == (status, places, absent)
    assert result_of(None, 3).places == [1, 1, 1]
