"""What followed from each move is found out once, however the moves arrive."""

from __future__ import annotations

import pytest

from nevsky import Game, NevskyError, Ruleset
from nevsky.narrate import narrate, public_log
from nevsky.rules.rng import Rng
from nevsky.telling import Listener, Telling
from tests.rulesets import CONFIGURATIONS

EVERYTHING = Ruleset("second", 3, market=True, modules=(1, 2, 3, 4, 5, 6))


@pytest.mark.parametrize("name", ["second-4", "all-modules-4"])
def test_move_by_move_or_all_at_once_tells_the_same(name: str) -> None:
    game = Game(CONFIGURATIONS[name], "telling", auto=True)
    rng = Rng.of("telling")
    played, caught_up = Telling(game), Telling(game)
    while not game.over:
        for each in game.play(game.legal_ids[rng.below(len(game.legal_ids))]):
            played.add(each)
        caught_up.catch_up(game)
        if rng.below(7) == 0 and not game.over:
            game.undo()
            played.take_back(game)
            caught_up.take_back(game)
    assert played.moves == caught_up.moves == Telling(game).moves
    assert [facts.move for facts in played.moves] == list(game.history)


def test_playing_is_pushing_and_hearing_of_it() -> None:
    pushed, played = (Game(EVERYTHING, "push", auto=True) for _ in range(2))
    rng = Rng.of("push")
    while not pushed.over:
        number = pushed.legal_ids[rng.below(len(pushed.legal_ids))]
        before = pushed.state()
        pushed.push(number)
        told = played.play(number)
        assert Game.from_position(told[0].before, EVERYTHING).state() == before
        assert Game.from_position(told[-1].after, EVERYTHING).state() == pushed.state() == played.state()
        assert [each.move.auto for each in told] == [False] + [True] * (len(told) - 1)
    assert played.moves == pushed.moves


def test_what_is_not_legal_is_not_played() -> None:
    game = Game(EVERYTHING, "illegal")
    before = game.state()
    with pytest.raises(NevskyError):
        game.play("buy mariinskij_theater")
    assert (game.state(), game.moves) == (before, ())


def test_every_phase_is_announced_once_before_its_first_move() -> None:
    game = Game(Ruleset("second", 3), "headings")
    rng = Rng.of("headings")
    while not game.over:
        game.push(game.legal_ids[rng.below(len(game.legal_ids))])
    telling = Telling(game)
    listener = Listener(telling, None)
    heard = [known for facts in telling.moves if (known := listener.hear(facts)) is not None]
    assert [known.number for known in heard] == list(range(1, len(telling.moves) + 1))
    opened = [known for known in heard if known.opening is not None]
    phases = [(known.facts.move.round, known.facts.move.phase) for known in opened]
    assert phases == list(dict.fromkeys((facts.move.round, facts.move.phase) for facts in telling.moves))
    assert [(known.opening.round, known.opening.phase) for known in opened if known.opening] == phases
    assert sum(known.new_round for known in heard) == game.round


def unseen_card_game() -> Game:
    """Seat 1 holds an Administrator that nobody else has seen and nobody could pay for."""
    game = Game.from_piles(
        Ruleset("second", 2),
        {"worker": ["lumberjack"] * 5, "building": ["pub"] * 2, "noble": ["administrator"] * 5, "exchange": ["bank"]},
        {"worker": 0, "building": 0, "noble": 0, "exchange": 0},
        phase="building",
        round=2,
        to_move=1,
        rubles=[9, 0],
        areas=[{"market": 1}, {"observatory": 1}],
        row1=[],
        auto=True,
    )
    for action in ("observe noble", "take administrator drawn", "pass"):
        game.push(action)
    return game


def test_a_forced_pass_tells_nothing_about_an_unseen_card() -> None:
    """That a player had to pass would tell that they cannot play what they took unseen (12.2)."""
    game = unseen_card_game()
    telling = Telling(game)
    forced = [facts for facts in telling.moves if facts.move.auto and facts.move.seat == 1]
    assert forced
    assert all(telling.auto(facts, 1) and not telling.auto(facts, 0) for facts in forced)
    for log, told in ((narrate(game), True), (public_log(game, 1), True), (public_log(game, 0), False)):
        assert any("Player 2  passes  (forced)" in line for line in log.splitlines()) == told
