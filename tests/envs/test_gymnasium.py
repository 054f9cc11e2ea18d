"""The environment for Gymnasium: its own checker, every kind of opponent, secrets and seeds."""

from __future__ import annotations

import random
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from nevsky import Game, NevskyError, Ruleset, View, redeal
from nevsky.bots import BOTS, LEVELS, Suggestion
from nevsky.bots.random import RandomBot
from nevsky.envs.gymnasium import SaintPetersburgEnv
from nevsky.envs.picture import paint_game
from nevsky.envs.registration import GYMNASIUM_ID, register_envs
from tests.envs.playing import choose, elsewhere, some_games
from tests.rulesets import CONFIGURATIONS

EXAMPLE = Path(__file__).parents[2] / "examples" / "bots" / "thrifty.py"


def play(env: gymnasium.Env[Any, Any], rng: random.Random, **reset: Any) -> tuple[float, dict[str, Any], int]:
    """A whole game: the sum of the rewards, the last info and the number of steps."""
    observation, info = env.reset(**reset)
    got, steps, over = 0.0, 0, False
    while not over:
        assert observation["action_mask"].any()
        observation, reward, over, truncated, info = env.step(choose(observation, rng))
        assert observation in env.observation_space
        assert not truncated
        assert over or reward == 0
        got += float(reward)
        steps += 1
    assert np.flatnonzero(observation["action_mask"]).tolist() == [0]  # to pass, which does nothing any more
    return got, info, steps


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"players": 2, "opponents": "greedy", "reward": "score", "seat": 1, "auto": False},
        {"players": 5, "market": True, "modules": "1,2,3,4,5,6", "illegal": "lose"},
        {"edition": "first", "players": 3, "opponents": ["novice", "search"], "playouts": 10},
        {"players": 3, "memory": True, "actions": "ruleset", "shaping": "lead", "discount": 0.99},
        {"players": 2, "flat": True, "memory": True, "actions": "ruleset", "opponent_memory": False},
    ],
)
def test_gymnasiums_checker(options: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    """All warnings are errors here."""
    check_env(gymnasium.make(GYMNASIUM_ID, **options).unwrapped)
    assert "Row 1" in capsys.readouterr().out


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_whole_games_of_every_ruleset(configuration: str) -> None:
    ruleset = CONFIGURATIONS[configuration]
    env = SaintPetersburgEnv(ruleset, reward="score" if ruleset.players % 2 else "win")
    rng = random.Random(1)
    for seed in range(2):
        got, info, _ = play(env, rng, seed=seed)
        assert env.game is not None
        result = env.game.result
        assert result is not None
        own = result.final[env.seat]
        assert info == {"seat": env.seat, "points": own.total, "place": own.place}
        if env.reward == "win":
            assert got == (1 / len(result.winners) if env.seat in result.winners else 0)
        else:
            best = max(entry.total for entry in result.final if entry.seat != env.seat)
            assert got * 100 == pytest.approx(own.total - best)


@pytest.mark.parametrize("opponent", [*BOTS, *LEVELS, f"{EXAMPLE}:Thrifty", RandomBot])
def test_every_bot_is_an_opponent(opponent: Any) -> None:
    env = SaintPetersburgEnv(players=2, opponents=opponent, playouts=5, milliseconds=20)
    play(env, random.Random(2), seed=1)


def test_levels_bring_their_time() -> None:
    env = SaintPetersburgEnv(players=4, opponents=["easy", "hard", "search"])
    assert [opponent.milliseconds for opponent in env._opponents] == [50, 500, 50]
    env = SaintPetersburgEnv(players=2, opponents="hard", milliseconds=7)
    assert env._opponents[0].milliseconds == 7


def test_a_list_of_opponents_sits_clockwise_from_the_learner() -> None:
    env = SaintPetersburgEnv(players=4, seat=2, opponents=["random", "novice", "greedy"])
    env.reset(seed=1)
    assert {seat: bot.name for seat, bot in env._bots.items()} == {3: "random", 0: "novice", 1: "greedy"}


def test_the_seat_is_the_chosen_one_or_any() -> None:
    env = SaintPetersburgEnv(players=3, seat=1)
    for seed in range(5):
        assert env.reset(seed=seed)[1]["seat"] == 1
    env = SaintPetersburgEnv(players=3)
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(30)} == {0, 1, 2}


class Watcher(RandomBot):
    """It remembers what it was shown."""

    made: list[Watcher] = []  # noqa: RUF012

    def __init__(self, seed: int | str = 0) -> None:
        super().__init__(seed)
        self.shown: list[View] = []
        self.decided: list[View] = []
        self.made.append(self)

    def observe(self, view: View) -> None:
        self.shown.append(view)

    def decide(self, view: View, milliseconds: int) -> str:
        assert milliseconds == 33
        self.decided.append(view)
        return super().decide(view, milliseconds)


def test_bots_see_their_own_view_and_are_told_what_is_new() -> None:
    env = SaintPetersburgEnv(players=3, seat=0, opponents=Watcher, milliseconds=33)
    Watcher.made.clear()
    play(env, random.Random(5), seed=4)
    assert len(Watcher.made) == 2
    for seat, bot in enumerate(Watcher.made, 1):
        assert {view.seat for view in bot.shown + bot.decided} == {seat}
        assert all(earlier != later for earlier, later in zip(bot.shown, bot.shown[1:], strict=False))
        assert bot.shown[-1].to_move is None
        assert all(player.rubles is not None for view in bot.decided for player in view.players)
        assert all(len(view.legal) > 1 for view in bot.decided)
        assert len(bot.shown) > len(bot.decided)


class Cheat(RandomBot):
    """It answers what is never legal."""

    def decide(self, view: View, milliseconds: int) -> str:
        return "buy everything"

    def explain(self, view: View, milliseconds: int = 1000) -> list[Suggestion]:
        return []


def test_opponents_can_be_without_memory() -> None:
    env = SaintPetersburgEnv(players=3, seat=0, opponents=Watcher, milliseconds=33, opponent_memory=False)
    Watcher.made.clear()
    play(env, random.Random(5), seed=4)
    for seat, bot in enumerate(Watcher.made, 1):
        assert bot.decided and not bot.shown
        assert all((view.players[0].rubles is None) == (seat != 0) for view in bot.decided)


def test_an_opponent_that_fails_is_named() -> None:
    env = SaintPetersburgEnv(players=2, seat=0, opponents=Cheat)
    with pytest.raises(NevskyError, match="The opponent on seat 1 failed: 'buy everything' is not legal"):
        play(env, random.Random(1), seed=3)
    with pytest.raises(NevskyError, match=r"The game is over: call reset\(\)"):
        env.step(0)


@pytest.mark.parametrize("configuration", ["second-2", "market-5", "all-modules-4"])
def test_the_learner_observes_what_its_seat_may_know(configuration: str) -> None:
    ruleset = CONFIGURATIONS[configuration]
    env = SaintPetersburgEnv(ruleset)
    env.reset(seed=1)
    changed = 0
    for number, game in enumerate(some_games(ruleset, 10)):
        if game.over:
            continue
        assert game.to_move is not None
        env.seat = game.to_move
        before = env._observe(game)
        other = redeal(game.view(env.seat), number)
        after = env._observe(other)
        changed += other.state() != game.state()
        for key in before:
            assert before[key].tobytes() == after[key].tobytes()
    assert changed > 0


def illegal(observation: dict[str, Any]) -> int:
    return int(np.flatnonzero(observation["action_mask"] == 0)[0])


def test_an_illegal_action_changes_nothing_and_info_says_why() -> None:
    env = SaintPetersburgEnv(players=2, opponents="greedy")
    observation, info = env.reset(seed=3)
    assert env.game is not None
    before = env.game.state()
    for action in (illegal(observation), -1, 10**6, None, "pass"):
        again, reward, over, truncated, told = env.step(action)  # type: ignore[arg-type]
        assert (reward, over, truncated) == (0, False, False)
        assert told.pop("refused").endswith(".")
        assert told == info
        assert all(np.array_equal(again[key], observation[key]) for key in again)
        assert env.game.state() == before
    assert "refused" not in env.step(choose(observation, random.Random(1)))[4]


def test_an_illegal_action_may_raise() -> None:
    env = SaintPetersburgEnv(players=2, illegal="raise")
    observation, _ = env.reset(seed=3)
    assert env.game is not None
    before = env.game.state()
    with pytest.raises(NevskyError, match="is not possible now"):
        env.step(illegal(observation))
    assert env.game.state() == before


def test_an_illegal_action_may_lose_the_game() -> None:
    env = SaintPetersburgEnv(players=2, illegal="lose")
    observation, _ = env.reset(seed=3)
    _, reward, over, _, info = env.step(illegal(observation))
    assert (reward, over) == (-1, True)
    assert "is not possible now" in info["refused"]
    with pytest.raises(NevskyError, match=r"call reset\(\)"):
        env.step(0)


def test_infos_may_be_left_out() -> None:
    env = SaintPetersburgEnv(players=2, memory=True, infos=False)
    observation, info = env.reset(seed=3)
    assert info == {}
    *_, info = env.step(illegal(observation))
    assert info == {}
    rng, over = random.Random(3), False
    while not over:
        observation, _, over, _, info = env.step(choose(observation, rng))
        assert info == {}


def test_calls_out_of_order_get_a_sentence() -> None:
    env = SaintPetersburgEnv(players=2)
    for call in (lambda: env.step(0), env.action_masks):
        with pytest.raises(NevskyError, match="There is no game yet"):
            call()
    with pytest.raises(NevskyError, match="A seed is"):
        env.reset(seed=-1)
    with pytest.raises(NevskyError, match="A new game has no option board"):
        env.reset(options={"board": 1})
    with pytest.raises(NevskyError, match="render_mode"):
        env.render()


def test_a_seed_gives_the_deal_that_it_gives_everywhere() -> None:
    env = SaintPetersburgEnv(players=3)
    env.reset(seed=7)
    assert env.game is not None
    assert env.game.piles == Game(Ruleset("second", 3), 7).piles
    assert np.array_equal(env.action_masks(), np.frombuffer(env.game.legal_mask, np.int8).astype(bool))


def test_it_draws_the_table_for_the_learner() -> None:
    env = SaintPetersburgEnv(players=2, render_mode="ansi", seat=1)
    env.reset(seed=1)
    assert "Player 2 (you)" in str(env.render())
    play(env, random.Random(1), seed=1)
    assert "Final scoring" in str(env.render())


FINGERPRINT = """
import hashlib, random
import gymnasium
env = gymnasium.make("nevsky.envs:nevsky/SaintPetersburg-v0", players=5, market=True, modules="1,2,3,4,5,6",
                     opponents=["random", "novice", "greedy", "search"], playouts=4, reward="score")
from tests.envs.playing import choose
observation, info = env.reset(seed=99)
found, rng, over = hashlib.sha256(), random.Random(1), False
for _ in range(2):
    while not over:
        observation, reward, over, _, info = env.step(choose(observation, rng))
        found.update(observation["observation"].tobytes() + observation["action_mask"].tobytes())
        found.update(f"{reward} {over} {sorted(info.items())}".encode())
    observation, info = env.reset()
    over = False
print(found.hexdigest())
"""


def test_seeds_reproduce_in_other_processes(capsys: pytest.CaptureFixture[str]) -> None:
    exec(FINGERPRINT, {})
    assert elsewhere(FINGERPRINT) == capsys.readouterr().out.strip()


def test_its_id_is_known_after_an_import() -> None:
    made = "made = gymnasium.make('{}', players=2); made.reset(seed=1); print(made.unwrapped.ruleset.players)"
    assert elsewhere(f"import gymnasium; {made.format(f'nevsky.envs:{GYMNASIUM_ID}')}") == "2"
    assert elsewhere(f"import nevsky.envs, gymnasium; {made.format(GYMNASIUM_ID)}") == "2"


def test_the_installed_package_names_its_environments() -> None:
    (entry,) = [point for point in entry_points(group="gymnasium.envs") if point.name == "nevsky"]
    assert entry.load() is register_envs
    spec = gymnasium.registry.pop(GYMNASIUM_ID)
    register_envs()
    register_envs()
    assert gymnasium.registry[GYMNASIUM_ID] == spec


def test_without_gymnasium_nothing_is_registered() -> None:
    code = "import sys; sys.modules['gymnasium'] = None; import nevsky.envs.options; print('fine')"
    assert elsewhere(code) == "fine"


def test_many_games_are_made_by_the_same_id() -> None:
    envs = gymnasium.make_vec(GYMNASIUM_ID, num_envs=3, players=2)
    observations, _ = envs.reset(seed=1)
    assert observations["action_mask"].shape[0] == 3
    envs.close()
    apart = gymnasium.make_vec(GYMNASIUM_ID, num_envs=2, players=2, vectorization_mode="sync")
    observations, _ = apart.reset(seed=1)
    assert observations["action_mask"].any(axis=1).all()
    apart.close()


def test_games_side_by_side_never_leave_a_sampler_without_a_choice() -> None:
    apart = gymnasium.make_vec(GYMNASIUM_ID, num_envs=2, players=2, vectorization_mode="sync")
    observations, _ = apart.reset(seed=1)
    rng, ended = random.Random(1), 0
    while ended < 3:
        masks = observations["action_mask"]
        assert masks.any(axis=1).all()
        observations, _, terminations, _, _ = apart.step([choose({"action_mask": mask}, rng) for mask in masks])
        ended += int(terminations.sum())
    apart.close()


def test_flat_observations_are_the_numbers_alone() -> None:
    flat = gymnasium.make(GYMNASIUM_ID, players=2, flat=True)
    whole = gymnasium.make(GYMNASIUM_ID, players=2)
    row, _ = flat.reset(seed=3)
    observation, _ = whole.reset(seed=3)
    assert row in flat.observation_space and np.array_equal(row, observation["observation"])
    assert np.array_equal(flat.unwrapped.action_masks(), observation["action_mask"].astype(bool))  # type: ignore[attr-defined]


def test_a_picture_of_the_table_changes_with_the_game_and_shows_no_secrets() -> None:
    env = gymnasium.make(GYMNASIUM_ID, players=4, market=True, modules="1,2", render_mode="rgb_array", seat=0)
    observation, _ = env.reset(seed=1)
    before: Any = env.render()
    assert before.shape == (470, 640, 3) and before.dtype == np.uint8 and len(np.unique(before)) > 5
    env.step(choose(observation, random.Random(1)))
    after: Any = env.render()
    assert not np.array_equal(before, after)
    table: Any = env.unwrapped
    again = redeal(table.game.view(0), seed=9)
    assert np.array_equal(paint_game(again, 0), after)
