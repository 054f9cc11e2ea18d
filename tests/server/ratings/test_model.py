"""What results do to ratings, whoever plays."""

from __future__ import annotations

import random
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from nevsky import Game, Ruleset
from nevsky.arena.ratings import Rating, newcomer
from nevsky.bots import LEVELS
from nevsky.rules.final import Final, Result
from nevsky.server.ratings.bots import bots_in
from nevsky.server.ratings.model import changed
from nevsky.server.ratings.scale import Pool, pool_of, pools, shown
from nevsky.server.ratings.settling import places_of, weight_of

RATINGS = st.builds(Rating, st.floats(0, 50), st.floats(1, 9))


def result(totals: Sequence[int]) -> Result:
    places = [1 + sum(other > total for other in totals) for total in totals]
    final = [
        Final(seat, total, nobles=0, rubles=0, hand=0, total=total, rubles_left=0, tie=0, place=place)
        for seat, (total, place) in enumerate(zip(totals, places, strict=True))
    ]
    return Result(tuple(final), tuple(seat for seat, place in enumerate(places) if place == 1))


@given(st.data(), st.lists(RATINGS, min_size=2, max_size=5), st.sampled_from([0.5, 1.0]))
def test_nobody_gains_by_leaving(data: st.DataObject, before: list[Rating], weight: float) -> None:
    seats = len(before)
    ended = result(data.draw(st.lists(st.integers(0, 9), min_size=seats, max_size=seats)))
    others = data.draw(st.sets(st.integers(1, seats - 1), max_size=seats - 2))
    stays = changed(before, places_of(ended, others, seats), weight)[0]
    leaves = changed(before, places_of(ended, {0, *others}, seats), weight)[0]
    assert leaves.mu <= stays.mu + 1e-9
    if not others:
        assert leaves.mu <= before[0].mu + 1e-9


@given(st.lists(st.integers(0, 9), min_size=2, max_size=5), st.data())
def test_whoever_left_shares_the_last_place(totals: list[int], data: st.DataObject) -> None:
    seats = len(totals)
    left = data.draw(st.sets(st.integers(0, seats - 1), max_size=seats - 1))
    places = places_of(result(totals), left, seats)
    stayed = [seat for seat in range(seats) if seat not in left]
    assert [places[seat] for seat in stayed] == [
        1 + sum(totals[other] > totals[seat] for other in stayed) for seat in stayed
    ]
    assert {places[seat] for seat in left} <= {len(stayed) + 1}


def test_without_a_result_whoever_stayed_has_won() -> None:
    assert places_of(None, {0, 2}, 3) == [2, 1, 2]


@given(st.integers(0, 1000), st.integers(2, 5))
def test_ratings_depend_only_on_results_in_their_order(seed: int, seats: int) -> None:
    def played(names: Sequence[str]) -> dict[str, Rating]:
        rng, known = random.Random(seed), dict.fromkeys(names, newcomer())
        for _ in range(5):
            people = rng.sample(range(seats), seats)
            places = [1 + rng.randrange(seats) for _ in people]
            after = changed([known[names[one]] for one in people], places, 1.0)
            known.update((names[one], new) for one, new in zip(people, after, strict=True))
        return known

    first = played([f"a{n}" for n in range(seats)])
    second = played([f"z{n}" for n in reversed(range(seats))])
    assert list(first.values()) == list(second.values())


@given(st.lists(RATINGS, min_size=2, max_size=5), st.data())
def test_winning_lifts_and_uncertainty_shrinks(before: list[Rating], data: st.DataObject) -> None:
    places = data.draw(st.permutations(range(1, len(before) + 1)))
    for old, new, place in zip(before, changed(before, places, 1.0), places, strict=True):
        if place == 1:
            assert new.mu >= old.mu
        if place == len(before):
            assert new.mu <= old.mu
        assert new.sigma <= (old.sigma**2 + 0.01) ** 0.5  # it never stands still for good


@given(st.integers(0, 30))
def test_the_same_people_cannot_play_for_ratings_all_day(earlier: int) -> None:
    for one_address in (False, True):
        weights = [weight_of(each, one_address=one_address) for each in (earlier, earlier + 1)]
        assert weights == sorted(weights, reverse=True)
    assert weight_of(0, one_address=True) == 1.0
    assert weight_of(8, one_address=False) == 0.0


def test_everything_that_can_be_played_has_its_pool_and_its_bots() -> None:
    assert pool_of(Ruleset("first", players=2)) == Pool("first", 2)
    assert pool_of(Game(Ruleset("second", 5, market=True), seed=1).ruleset) == Pool("market", 5)
    assert len(pools()) == 14
    for levels in map(bots_in, pools()):
        assert [bot.level for bot in levels] == list(LEVELS)
        assert shown(levels[0].rating).rating < shown(levels[-1].rating).rating
