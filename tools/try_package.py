"""Look whether the package that is installed is compiled as a whole, and play with it: python tools/try_package.py.

Stands alone, so that it runs in an environment that has nothing but the wheel and the extra ``envs``.
"""

from __future__ import annotations

import ast
import sys
from importlib.util import find_spec
from pathlib import Path

PLAYERS = 4
STEPS = 300


def compiled_modules() -> list[str]:
    """The modules that setup.py compiles."""
    tree = ast.parse((Path(__file__).parent.parent / "setup.py").read_text(encoding="utf-8"))
    (found,) = [
        node.value for node in tree.body if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "MODULES"
    ]
    return list(ast.literal_eval(found))


def uncompiled() -> list[str]:
    """Those that Python would run from their sources."""
    found = {name: find_spec(f"nevsky.{name}") for name in compiled_modules()}
    return [name for name, spec in found.items() if spec is None or str(spec.origin).endswith(".py")]


def play() -> tuple[int, int]:
    """Decisions in an environment of its own, and in a batch of games with threads; how many games ended in both."""
    import numpy as np

    from nevsky import Ruleset
    from nevsky.envs.gymnasium import SaintPetersburgEnv
    from nevsky.envs.vector import VectorSaintPetersburg

    rng = np.random.default_rng(1)
    env, ended = SaintPetersburgEnv(), 0
    env.reset(seed=1)
    for _ in range(STEPS):
        *_, over, cut, _ = env.step(int(rng.choice(np.flatnonzero(env.action_masks()))))
        if over or cut:
            ended += 1
            env.reset()
    whole = Ruleset("second", PLAYERS, market=True, modules=(1, 2, 3, 4, 5, 6))
    batch, done = VectorSaintPetersburg(8, whole, threads=2), 0
    batch.reset(seed=2)
    for _ in range(STEPS):
        masks = batch.action_masks()
        finished = batch.step(np.array([rng.choice(np.flatnonzero(mask)) for mask in masks]))[2]
        done += int(np.count_nonzero(finished))
    batch.close()
    return ended, done


def main() -> None:
    """Say what was found."""
    if missing := uncompiled():
        sys.exit(f"not compiled: {', '.join(missing)}")
    ended, done = play()
    if not ended or not done:
        sys.exit(f"{ended} and {done} games were played to their end")
    print(f"{len(compiled_modules())} modules are compiled; {ended + done} games were played to their end")


if __name__ == "__main__":
    main()
