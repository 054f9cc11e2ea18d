"""Curves of what could be expected: they move when something happens, and not when somebody passes."""

from __future__ import annotations

from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nevsky import Game, Ruleset
from nevsky.bots import make_bot
from nevsky.bots.master import trained_policy
from nevsky.rules.position import Position
from nevsky.rules.redealer import Redealer
from nevsky.rules.rng import Rng
from nevsky.server.evaluating import Measured, evaluate, smooth
from nevsky.server.match import deal_data

FEW_POINTS = 5.0
HOURS = 3600.0


@pytest.fixture(scope="module")
def game() -> Game:
    """Three players of the medium level."""
    game = Game(Ruleset("second", 3), "eval-8")
    bots = [make_bot("medium", f"8-{seat}") for seat in range(3)]
    while game.to_move is not None:
        if len(game.legal_ids) == 1:
            game.push_auto(game.legal_ids[0])
        else:
            game.push(bots[game.to_move].decide(game.view(game.to_move, memory=True), 50))
    return game


@pytest.fixture(scope="module")
def measured(game: Game) -> list[Measured]:
    return evaluate(game.ruleset.to_dict(), deal_data(game), [action.id for action, _ in game.moves], 0, HOURS)


def played_out(position: Position, step: int) -> list[float]:
    """The mean of some playouts by the policy alone."""
    policy, rng, redealer = trained_policy(Ruleset("second", 3)), Rng.of("plain", step), Redealer()
    ends = []
    for _ in range(25):
        rest = position.copy()
        redealer.deal(rest, -1, 1, rng)
        policy.playout(rest, rng, 4000)
        ends.append([rest.total(seat)[0] for seat in range(3)])
    return [mean(points) for points in zip(*ends, strict=True)]


def jump(curve: list[list[float]], step: int) -> float:
    return max(abs(new - old) for new, old in zip(curve[step], curve[step - 1], strict=True))


def test_a_pass_that_changes_nothing_moves_no_curve_by_more_than_a_few_points(
    game: Game, measured: list[Measured]
) -> None:
    positions = [game.start_position, *(after for _, after in game.replay())]
    idle = [step for step, each in enumerate(measured) if each.idle]
    assert len(idle) > 50
    assert all(game.moves[step - 1][0].verb == "pass" for step in idle)
    plain = [played_out(position, step) for step, position in enumerate(positions)]
    assert max(jump(plain, step) for step in idle) > 20, "playouts alone all end a round earlier or none does"
    scores, chances = smooth(measured)
    assert max(jump(scores, step) for step in idle) <= FEW_POINTS
    assert mean(jump(scores, step) for step in idle) < 0.5
    assert len(scores) == len(chances) == len(positions)


def test_the_end_is_what_it_was(game: Game, measured: list[Measured]) -> None:
    scores, chances = smooth(measured)
    end = [game.position.total(seat) for seat in range(3)]
    assert scores[-1] == [points for points, _ in end]
    assert chances[-1] == [float(each == max(end)) for each in end]
    assert all(sum(shares) == pytest.approx(1, abs=0.01) for shares in chances)


def test_curves_know_only_what_was_before(measured: list[Measured]) -> None:
    whole = smooth(measured)
    for number in (1, 2, 40, 100):
        assert smooth(measured[:number]) == (whole[0][:number], whole[1][:number])


def test_which_cards_come_later_is_not_known(game: Game) -> None:
    deal = deal_data(game)
    shown = len(game.start_position.row_of(1))
    workers = deal["piles"]["worker"]
    piles = {name: [*reversed(pile)] for name, pile in deal["piles"].items()}
    piles["worker"] = [*workers[:shown], *reversed(workers[shown:])]
    other = Game.from_piles(game.ruleset, piles, deal["tokens"], **deal["deal"])
    assert other.start_position.row_of(1) == game.start_position.row_of(1)
    one, two = (
        evaluate(game.ruleset.to_dict(), {**deal, "piles": each}, [], 0, 0.0) for each in (deal["piles"], piles)
    )
    assert one == two


STEPS = st.builds(
    Measured,
    st.lists(st.floats(-50, 250), min_size=2, max_size=2),
    st.floats(0, 1).map(lambda share: [share, 1 - share]),
    st.floats(0, 60),
    st.booleans(),
)


@given(st.lists(STEPS, min_size=1, max_size=30))
def test_curves_stay_among_what_was_found(found: list[Measured]) -> None:
    scores, chances = smooth(found)
    for seat in range(2):
        seen = [each.scores[seat] for each in found]
        for step in range(len(found)):
            assert min(seen[: step + 1]) - 0.1 <= scores[step][seat] <= max(seen[: step + 1]) + 0.1
            assert -0.001 <= chances[step][seat] <= 1.001
    assert all(sum(shares) == pytest.approx(1, abs=0.002) for shares in chances)
    if found[-1].spread == 0 and not any(each.spread for each in found):
        assert scores[-1] == pytest.approx(found[-1].scores, abs=0.06)
