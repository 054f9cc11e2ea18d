"""How close algorithms of OpenSpiel come to perfect play in Nevsky-mini: ``python examples/openspiel/mini_cfr.py``.

Each algorithm gets so many seconds of processor time. Whenever its iterations have doubled, and at the end, the exact
exploitability of its average policy is measured, in points: what best responses gain against both seats, halved.
"""

from __future__ import annotations

import argparse
import csv
import math
import random
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyspiel
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability, external_sampling_mccfr

import nevsky.envs.openspiel_mini
from nevsky.envs.options import SCORE_UNIT

ALGORITHMS = {
    "CFR+": (cfr.CFRPlusSolver, "evaluate_and_update_policy", 1),
    "external-sampling MCCFR": (external_sampling_mccfr.ExternalSamplingSolver, "iteration", 64),
}
"""The solver, what makes an iteration, and after how many of them it is measured for the first time."""
COLOURS = ("#1b6e8c", "#b3452c")


class Row(NamedTuple):
    """How far an algorithm has come."""

    algorithm: str
    iterations: int
    seconds: float
    exploitability: float


WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 400, 64, 16, 40, 48


def learn(game: Any, name: str, seconds: float, most: int) -> list[Row]:
    """Let an algorithm run, and tell how far it has come."""
    make, step, due = ALGORITHMS[name]
    start = time.process_time()
    solver = make(game)
    done, spent = 0, time.process_time() - start
    rows: list[Row] = []
    while spent < seconds and done < most:
        start = time.process_time()
        getattr(solver, step)()
        spent += time.process_time() - start
        done += 1
        if done == due:
            rows.append(measure(game, name, solver, done, spent))
            due *= 2
    if not rows or rows[-1].iterations != done:
        rows.append(measure(game, name, solver, done, spent))
    policy = solver.average_policy()
    value = expected_game_score.policy_value(game.new_initial_state(), [policy, policy])[0] * SCORE_UNIT
    print(f"{name}: {value:+.3f} points for the first player", flush=True)
    return rows


def measure(game: Any, name: str, solver: Any, done: int, spent: float) -> Row:
    """One row of the table."""
    points = exploitability.exploitability(game, solver.average_policy()) * SCORE_UNIT
    print(f"{name}: {done} iterations, {spent:.1f} s, exploitability {points:.4f} points", flush=True)
    return Row(name, done, round(spent, 2), round(points, 5))


def draw(rows: list[Row]) -> str:
    """The curves as a picture, both axes with logarithms."""
    times = [math.log10(max(row.seconds, 0.01)) for row in rows]
    points = [math.log10(max(row.exploitability, 1e-5)) for row in rows]
    first, low = math.floor(min(times)), math.floor(min(points))
    last, high = max(math.ceil(max(times)), first + 1), max(math.ceil(max(points)), low + 1)

    def x(value: float) -> float:
        return LEFT + (value - first) / (last - first) * (WIDTH - LEFT - RIGHT)

    def y(value: float) -> float:
        return TOP + (high - value) / (high - low) * (HEIGHT - TOP - BOTTOM)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="system-ui, sans-serif"',
        'font-size="13" role="img">',
        "<title>Exploitability in Nevsky-mini</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
    ]
    for power in range(first, last + 1):
        parts.append(f'<path d="M{x(power):.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#ddd"/>')
        label = f'<text x="{x(power):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{10.0**power:g}</text>'
        parts.append(label)
    for power in range(low, high + 1):
        parts.append(f'<path d="M{LEFT} {y(power):.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y(power) + 4:.1f}" text-anchor="end">{10.0**power:g}</text>')
    parts.append(f'<text x="{WIDTH / 2}" y="{HEIGHT - 10}" text-anchor="middle">seconds of processor time</text>')
    parts.append(f'<text x="{LEFT}" y="{TOP - 26}">exploitability in points</text>')
    for at, (name, colour) in enumerate(zip(ALGORITHMS, COLOURS, strict=True)):
        own = [(x(t), y(p)) for t, p, row in zip(times, points, rows, strict=True) if row.algorithm == name]
        if not own:
            continue
        line = " ".join(f"{a:.1f},{b:.1f}" for a, b in own)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{colour}"/>' for a, b in own]
        parts.append(f'<text x="{LEFT + 150 * at}" y="{TOP - 8}" fill="{colour}">{name}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def main() -> None:
    """Run all algorithms and write the table and the picture."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60.0, help="processor time for each algorithm")
    parser.add_argument("--iterations", type=int, default=1_000_000, help="no more than so many for each")
    parser.add_argument("--only", choices=ALGORITHMS, help="one algorithm instead of all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("mini_cfr"), help="writes OUT.csv and OUT.svg")
    options = parser.parse_args()
    random.seed(options.seed)
    np.random.seed(options.seed)
    game = pyspiel.load_game(nevsky.envs.openspiel_mini.SHORT_NAME)
    names = [options.only] if options.only else list(ALGORITHMS)
    rows = [row for name in names for row in learn(game, name, options.seconds, options.iterations)]
    with options.out.with_suffix(".csv").open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(Row._fields)
        table.writerows(rows)
    options.out.with_suffix(".svg").write_text(draw(rows))


if __name__ == "__main__":
    main()
