"""Networks that somebody trained, as bots."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nevsky import ACTIONS, Game, NevskyError, Ruleset
from nevsky.bots.checkpoints import torch_file
from nevsky.bots.checkpoints.bot import CheckpointBot, Judge, Network, observation
from nevsky.bots.compliance import check_bot
from nevsky.bots.loading import bot_path, full_spec, is_file, load_bot
from nevsky.encoding import SIZE
from nevsky.envs.action_sets import action_set
from nevsky.envs.observing import Observer
from nevsky.simulate import play_random_game
from tests.rulesets import CONFIGURATIONS

with_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed")
with_sb3 = pytest.mark.skipif(importlib.util.find_spec("sb3_contrib") is None, reason="sb3-contrib is not installed")
WIDTH = 4


class Tensor:
    """As much of a tensor as is asked for."""

    def __init__(self, *shape: int) -> None:
        self._numbers = np.random.default_rng(sum(shape)).normal(size=shape).astype(np.float32)

    @classmethod
    def of(cls, numbers: Any) -> Tensor:
        made = cls(1)
        made._numbers = numbers
        return made

    def numpy(self) -> Any:
        return self._numbers


def weights(numbers: int = SIZE, actions: int = len(ACTIONS)) -> dict[str, Tensor]:
    shapes = {
        "first.weight": (numbers, WIDTH),
        "bias": (WIDTH,),
        "second.weight": (WIDTH, WIDTH),
        "second.bias": (WIDTH,),
        "action.weight": (actions, WIDTH),
        "taste.weight": (actions, 1),
    }
    return {name: Tensor(*shape) for name, shape in shapes.items()}


def network() -> Network:
    return torch_file._example(weights(), Path("weights.pt"))


@pytest.mark.parametrize("name", ["first-2", "market-3", "all-modules-4"])
def test_a_view_is_observed_as_the_environments_observe_the_game(name: str) -> None:
    played = play_random_game(CONFIGURATIONS[name], "3")
    game, observer = Game(CONFIGURATIONS[name], "3"), Observer()
    for move in played.history:
        seat = game.to_move
        assert seat is not None
        seen = observation(game.view(seat, memory=True))
        assert np.array_equal(seen, observer.observe(game, seat)["observation"])
        game.push(move.action)


@pytest.mark.parametrize("sample", [False, True])
def test_a_network_keeps_to_the_protocol(sample: bool) -> None:
    made = network()
    check_bot(lambda seed: CheckpointBot("net", made, seed, sample=sample), [Ruleset("second", 2)])


@pytest.mark.parametrize("name", ["second-2", "all-modules-3"])
def test_a_network_for_the_actions_of_a_ruleset_plays_like_one_for_all(name: str) -> None:
    ruleset = CONFIGURATIONS[name]
    ids = action_set(ruleset).to_full
    whole = weights()
    small = {**whole, **{part: Tensor.of(whole[part].numpy()[ids]) for part in ("action.weight", "taste.weight")}}
    one = CheckpointBot("net", torch_file._example(whole, Path("net.pt")))
    other = CheckpointBot("net", torch_file._example(small, Path("net.pt")))
    game = Game(ruleset, 3, auto=True)
    for _ in range(60):
        view = game.view(game.to_move, memory=True)
        action = one.decide(view, 50)
        assert other.decide(view, 50) == action
        game.push(action)
    elsewhere = Game(Ruleset("second", 2, modules=(1,)), 1)
    with pytest.raises(NevskyError, match="and this ruleset has 1,418"):
        other.decide(elsewhere.view(elsewhere.to_move), 50)


def test_the_likeliest_action_is_taken_or_one_is_drawn() -> None:
    view = Game(Ruleset("second", 2), 1).view(Game(Ruleset("second", 2), 1).to_move, memory=True)
    judge: Judge = lambda row, legal: np.arange(len(legal)) * 2.0  # noqa: E731
    sure = Network(judge)
    assert CheckpointBot("net", sure).decide(view, 50) == view.legal[-1]
    drawn = [CheckpointBot("net", sure, seed, sample=True).decide(view, 50) for seed in range(60)]
    assert 40 < drawn.count(view.legal[-1]) < 60 and len(set(drawn)) > 1
    found = CheckpointBot("net", sure).explain(view)
    assert found[0].action == view.legal[-1] and "network" in found[0].reason


def test_names_lead_to_files(tmp_path: Path) -> None:
    assert is_file("torch:x.pt") and is_file("sb3:x.zip#sample") and not is_file("torch")
    assert bot_path("sb3:x.zip#sample") == Path("x.zip")
    assert full_spec("torch:x.pt#sample") == f"torch:{Path('x.pt').resolve()}#sample"
    with pytest.raises(NevskyError, match=r"There is no file .*none\.pt"):
        load_bot(f"torch:{tmp_path}/none.pt")


def test_networks_for_something_else_are_refused() -> None:
    with pytest.raises(NevskyError, match=r"made for 2,065 numbers and 4,190 actions, and there are 2,079 and 5,206"):
        torch_file._example(weights(2065, 4190), Path("old.pt"))
    with pytest.raises(NevskyError, match="5,207 actions"):
        torch_file._example(weights(SIZE, 5207), Path("new.pt"))
    several: list[object] = [{}, [], {"first.weight": Tensor(2, 2)}]
    for strange in several:
        with pytest.raises(NevskyError, match="holds no network that can play"):
            torch_file._example(strange, Path("strange.pt"))


@pytest.mark.parametrize(
    ("spec", "module", "extras"),
    [("torch", "torch", "envs,train"), ("sb3", "torch", "envs,sb3"), ("torch", "numpy", "")],
)
def test_a_missing_extra_is_a_sentence(tmp_path: Path, spec: str, module: str, extras: str) -> None:
    (tmp_path / "x.pt").write_bytes(b"")
    code = (
        f"import sys; sys.modules[{module!r}] = None\nfrom nevsky.bots.loading import load_bot\n"
        f"try: load_bot({f'{spec}:{tmp_path}/x.pt'!r})\nexcept ValueError as error: print(error)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert f"A bot from {spec}: needs {module}" in said and extras in said


@with_torch
def test_weights_and_exported_networks_play(tmp_path: Path) -> None:
    import torch

    torch.save({name: torch.from_numpy(tensor.numpy()) for name, tensor in weights().items()}, tmp_path / "net.pt")
    (tmp_path / "broken.pt").write_bytes(b"no weights")
    game = Game(Ruleset("second", 2), 1)
    view = game.view(game.to_move, memory=True)
    bot = load_bot(f"torch:{tmp_path}/net.pt")(1)
    assert bot.name == "net" and bot.decide(view, 50) == CheckpointBot("net", network()).decide(view, 50)
    with pytest.raises(NevskyError, match="cannot be read as a checkpoint"):
        load_bot(f"torch:{tmp_path}/broken.pt")


@with_sb3
@pytest.mark.parametrize(("flat", "actions"), [(True, "all"), (False, "all"), (True, "ruleset"), (False, "ruleset")])
def test_a_model_of_stable_baselines_plays(tmp_path: Path, flat: bool, actions: str) -> None:
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.env_util import make_vec_env

    options = {"players": 2, "flat": flat, "actions": actions}
    envs = make_vec_env("nevsky.envs:nevsky/SaintPetersburg-v0", 2, env_kwargs=options)
    policy = "MlpPolicy" if flat else "MultiInputPolicy"
    model = MaskablePPO(policy, envs, n_steps=16, batch_size=16, n_epochs=1, policy_kwargs={"net_arch": [8]})
    model.learn(32)
    model.save(tmp_path / "model")
    check_bot(load_bot(f"sb3:{tmp_path}/model.zip"), [Ruleset("second", 2)])
