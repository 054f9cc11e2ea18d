"""A small network that plays, and how often it wins: what all programs that learn have in common. Needs torch."""

from __future__ import annotations

import argparse
import io
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import nn

from nevsky import ACTIONS, Ruleset
from nevsky.arena.intervals import Estimate, share_interval
from nevsky.arena.tables import interval_text
from nevsky.encoding import SIZE
from nevsky.envs.batch import Batch

WIDTH = 128
"""Numbers in each of the two layers."""
NOT_LEGAL = -1e9
torch.set_num_threads(1)  # such small layers are slower on more


class Decisions(NamedTuple):
    """Some decisions: the numbers that are not zero, and the legal actions, each as one long list."""

    places: torch.Tensor
    values: torch.Tensor
    starts: torch.Tensor
    """Where the numbers of each decision begin."""
    legal: torch.Tensor
    counts: torch.Tensor
    """How many legal actions each decision has."""


def decisions(observations: np.ndarray, legal: np.ndarray, counts: np.ndarray) -> Decisions:
    """Rows of numbers and of legal actions, written down without what is empty."""
    rows, places = np.nonzero(observations)
    starts = np.searchsorted(rows, np.arange(len(observations)))
    allowed = legal[np.arange(legal.shape[1]) < counts[:, None]]
    numbers = (places, observations[rows, places], starts, allowed.astype(np.int64), counts.astype(np.int64))
    return Decisions(*(torch.from_numpy(part) for part in numbers))


def join(parts: Sequence[Decisions]) -> Decisions:
    """The same decisions in one."""
    places, values, starts, legal, counts = (list(part) for part in zip(*parts, strict=True))
    before = np.cumsum([0, *(len(part) for part in places[:-1])]).tolist()
    starts = [part + offset for part, offset in zip(starts, before, strict=True)]
    return Decisions(*(torch.cat(part) for part in (places, values, starts, legal, counts)))


def of_batch(batch: Batch) -> Decisions:
    """What all games of a batch ask now."""
    return decisions(batch.observations, batch.legal[:, : batch.legal_counts.max()], batch.legal_counts)


class Policy(nn.Module):
    """Says what each legal action is worth (as logits) and what the position is worth.

    Of the 2,079 numbers of an observation about a hundred are not zero, and of the 5,206 actions some ten are legal:
    only the weights of these are touched.
    """

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.EmbeddingBag(SIZE, WIDTH, mode="sum")
        self.bias = nn.Parameter(torch.zeros(WIDTH))
        self.second = nn.Linear(WIDTH, WIDTH)
        self.action = nn.Embedding(len(ACTIONS), WIDTH)
        self.taste = nn.Embedding(len(ACTIONS), 1)
        self.worth = nn.Linear(WIDTH, 1)
        nn.init.normal_(self.first.weight, std=0.1)
        nn.init.normal_(self.action.weight, std=0.01)
        nn.init.zeros_(self.taste.weight)

    def logits(self, asked: Decisions) -> tuple[torch.Tensor, torch.Tensor]:
        """One row of legal actions for each decision, filled up with `NOT_LEGAL`, and the worth of each position."""
        hidden = torch.relu(self.first(asked.places, asked.starts, per_sample_weights=asked.values) + self.bias)
        hidden = torch.relu(self.second(hidden))
        each = torch.repeat_interleave(hidden, asked.counts, 0)
        logits = (each * self.action(asked.legal)).sum(1) + self.taste(asked.legal)[:, 0]
        there = torch.arange(int(asked.counts.max())) < asked.counts[:, None]
        return torch.full(there.shape, NOT_LEGAL).masked_scatter(there, logits), self.worth(hidden)[:, 0]

    def forward(self, asked: Decisions) -> tuple[torch.Tensor, torch.Tensor]:
        """Logarithms of the chances of the legal actions, likewise, and the worth of each position."""
        rows, worth = self.logits(asked)
        return torch.log_softmax(rows, 1), worth

    @torch.no_grad()
    def choose(self, batch: Batch, chooser: torch.Generator | None = None) -> np.ndarray:
        """An action in each game: the one it likes best, or, with something to draw by, one by its chances."""
        chances, _ = self(of_batch(batch))
        drawn = None if chooser is None else torch.multinomial(chances.exp(), 1, generator=chooser)[:, 0]
        chosen = chances.argmax(1) if drawn is None else drawn
        return batch.legal[np.arange(batch.games), chosen.numpy()].astype(np.int64)


def win_rate(
    policy: Policy, ruleset: Ruleset, games: int, seed: int, opponents: str = "random", *, drawn: bool = False
) -> Estimate:
    """How often a policy beats the opponents, with its 95 % interval; shared victories count as shares.

    It takes the likeliest actions, or draws them by their chances, as it does while it learns.
    """
    chooser = torch.Generator().manual_seed(seed) if drawn else None
    batch = Batch(ruleset, games, seed=seed, opponents=opponents)
    going, shares = np.ones(games, np.bool_), np.zeros(games)
    while going.any():
        batch.step(policy.choose(batch, chooser), going)
        ended = going & batch.dones
        shares[ended] = batch.earned[ended]
        going &= ~ended
    return share_interval(shares.tolist())


def told(when: str, policy: Policy, ruleset: Ruleset, games: int, seed: int, opponents: str = "random") -> str:
    """The win rates as a sentence; the games are none of those that were learned from.

    Both ways of choosing are measured: what is learned by drawing need not show in the likeliest actions alone, nor
    the other way round.
    """
    best, drawn = (
        interval_text(win_rate(policy, ruleset, games, seed + 1_000_000, opponents, drawn=way)) for way in (False, True)
    )
    return (
        f"{when}: wins {best} by the likeliest actions and {drawn} by drawing, of {games:,} games against {opponents}"
    )


def new_file(text: str) -> Path:
    """For argparse: a file that can be written."""
    path = Path(text)
    if path.is_dir() or not path.parent.is_dir():
        raise argparse.ArgumentTypeError(f"{text} cannot be written: it is a directory, or there is none for it.")
    return path


def whole_number(text: str) -> int:
    """For argparse: a number from 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a whole number from 1.")
    return int(text)


def save(policy: Policy, out: Path) -> None:
    """Keep the weights; ``policy.load_state_dict(torch.load(out))`` reads them, ``--bot torch:FILE`` plays by them."""
    torch.save(policy.state_dict(), out)


def save_small(policy: Policy, start: Policy, out: Path) -> None:
    """Keep the weights in a fraction of the room, to be passed on: as 16-bit floats, compressed.

    What the policy never met in learning still has the random weights of its start: it becomes zero, which takes no
    room and says nothing in games with other cards.
    """
    weights, first = policy.state_dict(), start.state_dict()
    for name in ("first.weight", "action.weight"):
        weights[name] = weights[name].where((weights[name] != first[name]).any(1, keepdim=True), 0)
    plain = io.BytesIO()
    torch.save({name: weight.half() for name, weight in weights.items()}, plain)
    with zipfile.ZipFile(plain) as source, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        for entry in source.infolist():
            target.writestr(zipfile.ZipInfo(entry.filename), source.read(entry), zipfile.ZIP_DEFLATED)
