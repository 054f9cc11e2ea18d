"""Learning to play like a bot from the tables of its recorded games, without playing.

    nevsky arena --bot greedy --bot random --players 2 --games 1000 --out league --records
    nevsky export league --out games.parquet --observations
    python examples/envs/clone.py games.parquet --bot greedy --out weights.pt

Needs the extras data, envs and train.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import torch
from policy import Decisions, Policy, new_file, save, told, whole_number

from nevsky import Ruleset

TOGETHER = 512
"""Decisions that are learned from at once."""
RATE = 2e-3
"""Of Adam, falling to zero by a cosine."""
RULES = ["edition", "players", "market", "modules", "open_rubles", "open_hands"]


def read(path: Path, bot: str) -> tuple[Ruleset, pl.DataFrame, pl.DataFrame]:
    """What was played, and the bot's decisions: to learn from, and those of the last fifth of the games."""
    games = pl.read_parquet(path)
    kinds = games.select(RULES).unique()
    if len(kinds) != 1:
        raise ValueError(f"{path} has games of {len(kinds)} rulesets; one is wanted.")
    rules: dict[str, Any] = kinds.row(0, named=True)
    found = pl.read_parquet(path.with_name(f"{path.stem}-decisions.parquet"))
    if "places" not in found.columns:
        raise ValueError(f"{path} has no observations: export it with --observations.")
    found = found.join(games.select("game", "seats"), on="game").filter(
        ~pl.col("forced") & (pl.col("seats").list.get(pl.col("seat")) == bot)
    )
    first_kept = games["game"].sort()[len(games) - max(1, len(games) // 5)]
    apart = pl.col("game") >= first_kept
    learned, kept = found.filter(~apart), found.filter(apart)
    if learned.is_empty() or kept.is_empty():
        raise ValueError(f"{path} has too few decisions of {bot!r} to learn from.")
    return Ruleset(**{**rules, "modules": tuple(rules["modules"])}), learned, kept


def portions(frame: pl.DataFrame) -> Iterator[tuple[Decisions, torch.Tensor]]:
    """Some decisions at a time, and which of the legal actions the bot chose."""
    for rows in frame.iter_slices(TOGETHER):
        sizes, counts = rows["places"].list.len().to_numpy(), rows["legal"].list.len().to_numpy().astype(np.int64)
        legal = rows["legal"].explode().to_numpy().astype(np.int64)
        here = np.flatnonzero(legal == np.repeat(rows["action"].to_numpy(), counts))
        numbers = (
            rows["places"].explode().to_numpy().astype(np.int64),
            rows["values"].explode().to_numpy().copy(),
            np.cumsum(sizes, dtype=np.int64) - sizes,
            legal,
            counts,
        )
        yield (
            Decisions(*(torch.from_numpy(part) for part in numbers)),
            torch.from_numpy(here - (np.cumsum(counts) - counts)),
        )


@torch.no_grad()
def agreement(policy: Policy, frame: pl.DataFrame) -> float:
    """How often the policy likes best what the bot chose."""
    return sum(int((policy(asked)[0].argmax(1) == chosen).sum()) for asked, chosen in portions(frame)) / len(frame)


def learn(policy: Policy, frame: pl.DataFrame, epochs: int, seed: int) -> Iterator[float]:
    """Go through all decisions so many times; the mean loss of each time."""
    optimizer = torch.optim.Adam(policy.parameters(), RATE)
    steps = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs)
    for epoch in range(epochs):
        total = 0.0
        for asked, chosen in portions(frame.sample(fraction=1, shuffle=True, seed=seed + epoch)):
            loss = torch.nn.functional.nll_loss(policy(asked)[0], chosen)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(chosen)
        steps.step()
        yield total / len(frame)


def main() -> None:
    options = argparse.ArgumentParser(description="Learn to play like a bot from its recorded games.")
    options.add_argument("table", type=Path, help="games that nevsky export has written with --observations")
    options.add_argument("--bot", default="greedy", help="who is imitated, as the seats are named")
    options.add_argument("--epochs", type=whole_number, default=6)
    options.add_argument("--games", type=whole_number, default=1000, help="games that the win rate is measured in")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--out", type=new_file, help="where to put the weights")
    chosen = options.parse_args()
    torch.manual_seed(chosen.seed)
    policy = Policy()
    try:
        ruleset, learned, kept = read(chosen.table, chosen.bot)
        before = told("before", policy, ruleset, chosen.games, chosen.seed)
    except (ValueError, OSError) as error:
        options.error(str(error))
    chance = float((1 / kept["choices"]).mean())
    print(f"{len(learned):,} decisions to learn from, {len(kept):,} of other games to compare with", flush=True)
    print(before, flush=True)
    for epoch, loss in enumerate(learn(policy, learned, chosen.epochs, chosen.seed), 1):
        print(f"epoch {epoch}: loss {loss:.3f}, agreement {agreement(policy, kept):.1%}", flush=True)
    print(f"agreement with {chosen.bot}: {agreement(policy, kept):.1%}, of a random legal action {chance:.1%}")
    print(told("after", policy, ruleset, chosen.games, chosen.seed))
    if chosen.out:
        save(policy, chosen.out)


if __name__ == "__main__":
    main()
