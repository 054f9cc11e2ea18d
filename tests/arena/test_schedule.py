"""Who plays whom: everybody on every seat equally often, and the same games for the same numbers."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from nevsky import NevskyError
from nevsky.arena.schedule import Schedule, make_schedule

FORMS = [
    (2, 2, "duel"),
    (4, 2, "duel"),
    (2, 3, "duel"),
    (2, 4, "duel"),
    (3, 5, "duel"),
    (2, 4, "one-vs-rest"),
    (3, 4, "one-vs-rest"),
    (3, 3, "all"),
    (4, 4, "all"),
    (5, 3, "all"),
]


@pytest.mark.parametrize(("entrants", "players", "form"), FORMS)
def test_each_deal_puts_everybody_on_every_seat_equally_often(entrants: int, players: int, form: str) -> None:
    schedule = make_schedule(entrants, players, 1000, form)
    for first in range(0, schedule.per_deal * 3, schedule.per_deal):
        fixtures = [schedule.fixture(number) for number in range(first, first + schedule.per_deal)]
        assert len({fixture.deal for fixture in fixtures}) == 1
        for matchup in range(len(schedule.matchups)):
            tables = [fixture.seats for fixture in fixtures if fixture.matchup == matchup]
            for entrant in set(tables[0]):
                counts = [sum(table[seat] == entrant for table in tables) for seat in range(players)]
                assert len(set(counts)) == 1, f"{entrant}: {counts}"


@pytest.mark.parametrize(("entrants", "players", "form"), FORMS)
def test_every_two_bots_meet(entrants: int, players: int, form: str) -> None:
    schedule = make_schedule(entrants, players, 1, form)
    met: set[tuple[int, int]] = set()
    for number in range(schedule.games):
        met.update(combinations(sorted(set(schedule.fixture(number).seats)), 2))
    assert met == set(combinations(range(entrants), 2))


def test_with_all_at_one_table_nobody_always_sits_behind_the_same_rival() -> None:
    schedule = make_schedule(4, 4, 4 * 6, "all")
    behind: Counter[tuple[int, int]] = Counter()
    for number in range(schedule.games):
        seats = schedule.fixture(number).seats
        behind.update((seats[i - 1], seats[i]) for i in range(4))
    assert len(behind) == 12 and len(set(behind.values())) == 1


def test_the_numbers_of_games_do_not_depend_on_how_many_there_are() -> None:
    short, long = (make_schedule(3, 3, games) for games in (10, 1000))
    assert [short.fixture(n) for n in range(short.games)] == [long.fixture(n) for n in range(short.games)]


@pytest.mark.parametrize(("games", "expected"), [(1, 6), (6, 6), (7, 12), (1000, 1002)])
def test_pairings_are_played_to_their_end(games: int, expected: int) -> None:
    assert make_schedule(3, 2, games).games == expected


@pytest.mark.parametrize(("entrants", "players", "single"), [(2, 4, {0}), (3, 4, {0, 1, 2})])
def test_one_against_the_rest_goes_both_ways_among_more_than_two(entrants: int, players: int, single: set[int]) -> None:
    assert _alone(make_schedule(entrants, players, 1, "one-vs-rest")) == single


def test_one_against_the_rest_can_go_both_ways() -> None:
    assert _alone(make_schedule(2, 4, 1, "one-vs-rest", both_ways=True)) == {0, 1}
    assert _alone(make_schedule(3, 4, 1, "one-vs-rest", both_ways=False)) == {0, 1}


def _alone(schedule: Schedule) -> set[int]:
    found = set()
    for number in range(schedule.games):
        seats = schedule.fixture(number).seats
        found |= {entrant for entrant in seats if seats.count(entrant) == 1}
    return found


@pytest.mark.parametrize(
    ("entrants", "players", "form", "seats"),
    [(2, 2, "", (0, 1)), (2, 4, "", (0, 1, 1, 1)), (4, 4, "", (0, 1, 2, 3)), (3, 4, "", (0, 1, 1, 1))],
)
def test_without_a_format_the_numbers_decide(entrants: int, players: int, form: str, seats: tuple[int, ...]) -> None:
    assert make_schedule(entrants, players, 1, form).fixture(0).seats == seats


@pytest.mark.parametrize(
    ("entrants", "players", "games", "form", "both", "sentence"),
    [
        (1, 2, 10, "", None, "at least two bots"),
        (2, 2, 0, "", None, "whole number from 1"),
        (2, 4, 10, "all", None, "4 players need as many bots, not 2"),
        (2, 4, 10, "knockout", None, "There is no format 'knockout'"),
        (2, 2, 10, "duel", True, "go with the format one-vs-rest"),
    ],
)
def test_what_cannot_be_played_is_refused(
    entrants: int, players: int, games: int, form: str, both: bool | None, sentence: str
) -> None:
    with pytest.raises(NevskyError, match=sentence):
        make_schedule(entrants, players, games, form, both)
