"""What is read out of records: points that add up, openings, ends, and what goes with winning."""

from __future__ import annotations

import pytest

from nevsky.arena.facts import FINAL, facts
from nevsky.arena.tally import tally
from nevsky.cards import CARDS, KIND
from nevsky.simulate import play_random_game
from tests.rulesets import CONFIGURATIONS


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_the_sources_add_up_to_the_score(configuration: str) -> None:
    for number in range(2):
        game = play_random_game(CONFIGURATIONS[configuration], f"sources-{number}")
        found = facts(game)
        result = game.result
        assert result is not None
        for seat, final in enumerate(result.final):
            points = {key: value for key, value in found.points.items() if key[0] == seat}
            assert sum(points.values()) == final.total
            assert sum(v for (_, turn, _), v in points.items() if turn == FINAL) == final.total - final.track


def test_facts_agree_with_the_history() -> None:
    game = play_random_game(CONFIGURATIONS["second-3"], "history")
    found = facts(game)
    lays = [move for move in game.history if move.action.verb in ("buy", "play")]
    for seat, card, turn in found.laid:
        rounds = [m.round for m in lays if m.seat == seat and CARDS[KIND[m.action.card]].id == card]
        assert turn == min(rounds)
    assert {(s, c) for s, c, _ in found.laid} == {(m.seat, CARDS[KIND[m.action.card]].id) for m in lays}
    for seat in range(3):
        first = [m.action.card for m in lays if (m.seat, m.round, m.phase) == (seat, 1, "worker")]
        assert found.openings[seat] == " + ".join(sorted(first))
    assert found.starter == game.tokens["worker"] == game.history[0].seat
    assert game.view().piles[found.trigger] == 0
    assert sum(found.shares) == pytest.approx(1)


def test_the_lift_compares_a_seat_with_its_own_bot() -> None:
    games = []
    for number in range(12):
        found = facts(play_random_game(CONFIGURATIONS["second-2"], f"lift-{number}"))
        # "strong" always wins, so nothing that it does can be better than its average
        winner = found.shares.index(max(found.shares))
        names = tuple("strong" if seat == winner else "weak" for seat in range(2))
        games.append(found._replace(names=names, shares=tuple(float(seat == winner) for seat in range(2))))
    found_all = tally(games)
    assert found_all.average["strong"].wins == 1 and found_all.average["weak"].wins == 0
    assert {sample.lift for sample in found_all.cards.values()} == {0.0}
    assert any(0 < sample.wins < 1 for sample in found_all.cards.values())
    assert found_all.names == ("strong", "weak")
    assert sum(found_all.rounds.values()) == sum(found_all.triggers.values()) == 12
    assert sum(sample.number for sample in found_all.nobles.values()) == 24


def test_cards_that_only_winners_lay_have_a_lift() -> None:
    games = [facts(play_random_game(CONFIGURATIONS["second-2"], f"only-{number}")) for number in range(10)]
    marked = []
    for game in games:
        winner = game.shares.index(max(game.shares))
        laid = tuple(entry for entry in game.laid if entry[1] != "academy")
        marked.append(game._replace(names=("one", "one"), laid=(*laid, (winner, "academy", 3))))
    found = tally(marked)
    assert found.cards["academy"].wins > 0.9 and found.cards["academy"].lift > 0.4
    assert found.by_round["academy", 3].number == found.cards["academy"].number == 10
