"""Piles that are looked at and arranged card by card."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nevsky import Game, NevskyError, Ruleset
from nevsky.rules.constants import BUILDING, NOBLE, WORKER

PILES = st.sampled_from([WORKER, BUILDING, NOBLE])


@given(st.integers(0, 10**6), PILES)
def test_cards_of_a_pile_are_counted_by_kind(seed: int, pile: int) -> None:
    position = Game(Ruleset("second", 2), seed).position
    counts = position.pile_counts(pile)
    assert counts == Counter(position.pile_of(pile))
    assert list(counts) == sorted(counts)


@given(st.integers(0, 10**6), PILES, st.data())
def test_cards_are_arranged_on_top_of_their_pile(seed: int, pile: int, data: st.DataObject) -> None:
    position = Game(Ruleset("second", 2), seed).position
    before = {p: position.pile_of(p) for p in range(5)}
    chosen = data.draw(st.permutations(before[pile]))[: data.draw(st.integers(0, 9))]
    rest = before[pile][:]
    for kind in chosen:
        rest.remove(kind)
    position.put_on_top(pile, chosen)
    assert position.pile_of(pile) == chosen + rest
    assert all(position.pile_of(p) == cards for p, cards in before.items() if p != pile)


def test_a_card_that_is_not_in_the_pile_is_refused() -> None:
    position = Game(Ruleset("second", 2), 1).position
    with pytest.raises(NevskyError, match="Chance cannot have the outcome 99 here"):
        position.put_on_top(WORKER, [99])
