"""Fitting the network to how games ended. Needs torch, which nothing else does."""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Any, Final, NamedTuple

from nevsky.bots.core.net import POINTS, SHAPE
from nevsky.errors import NevskyError
from nevsky.training.samples import Samples

__all__ = ["Fit", "Learner"]

_BATCH: Final = 2048
_INPUTS, _FIRST, _SECOND, _OUTPUTS = SHAPE
_SCORE_WEIGHT: Final = 2.0


class Fit(NamedTuple):
    """How well the network does on games that it did not learn from."""

    epoch: int
    win_loss: float
    score_error: float
    """Points, on average."""
    seconds: float


def _torch() -> Any:
    try:
        return import_module("torch")
    except ImportError as error:
        raise NevskyError("training.torch") from error


class _Data:
    """All samples in tensors, and batches of them."""

    def __init__(self, many: Sequence[Samples]) -> None:
        torch = _torch()

        def joined(name: str, kind: Any) -> Any:
            return torch.cat([torch.frombuffer(bytearray(getattr(each, name)), dtype=kind) for each in many])

        self.places = joined("places", torch.int16).to(torch.int32)
        self.values = joined("values", torch.float32)
        sizes = joined("sizes", torch.int16).to(torch.int64)
        self.starts = torch.cumsum(sizes, 0) - sizes
        self.sizes = sizes
        self.wins = joined("wins", torch.float32).view(-1, 5)
        self.scores = joined("scores", torch.float32).view(-1, 5) / POINTS

    def __len__(self) -> int:
        return len(self.sizes)

    def batch(self, chosen: Any) -> tuple[Any, Any, Any, Any, Any]:
        torch = _torch()
        sizes, starts = self.sizes[chosen], self.starts[chosen]
        offsets = torch.cumsum(sizes, 0) - sizes
        at = torch.arange(int(sizes.sum())) + torch.repeat_interleave(starts - offsets, sizes)
        return self.places[at], self.values[at], offsets.to(torch.int32), self.wins[chosen], self.scores[chosen]


class Learner:
    """A network that learns."""

    def __init__(self, seed: int = 0, weights: array[float] | None = None) -> None:
        torch = _torch()
        torch.manual_seed(seed)
        self._first = torch.nn.EmbeddingBag(_INPUTS, _FIRST, mode="sum")
        torch.nn.init.normal_(self._first.weight, std=0.1)
        self._bias = torch.nn.Parameter(torch.zeros(_FIRST))
        self._second = torch.nn.Linear(_FIRST, _SECOND)
        self._third = torch.nn.Linear(_SECOND, _OUTPUTS)
        if weights is not None:
            self._set(torch.tensor(weights.tolist()))

    def _parts(self) -> list[Any]:
        """The weights in the order in which they are kept; torch has the matrices the other way round."""
        return [
            self._first.weight,
            self._bias,
            self._second.weight,
            self._second.bias,
            self._third.weight,
            self._third.bias,
        ]

    def _set(self, flat: Any) -> None:
        torch = _torch()
        at = 0
        with torch.no_grad():
            for number, part in enumerate(self._parts()):
                piece = flat[at : at + part.numel()]
                part.copy_(piece.view(part.shape[1], part.shape[0]).T if number in (2, 4) else piece.view(part.shape))
                at += part.numel()

    def weights(self) -> array[float]:
        """The weights, ready to be kept."""
        torch = _torch()
        with torch.no_grad():
            pieces = [(part.T if number in (2, 4) else part).reshape(-1) for number, part in enumerate(self._parts())]
            return array("f", torch.cat(pieces).tolist())

    def _forward(self, places: Any, values: Any, offsets: Any) -> tuple[Any, Any]:
        torch = _torch()
        hidden = torch.relu(self._first(places, offsets, per_sample_weights=values) + self._bias)
        out = self._third(torch.relu(self._second(hidden)))
        return out[:, :5], out[:, 5:]

    def _loss(self, batch: tuple[Any, Any, Any, Any, Any]) -> tuple[Any, Any]:
        torch = _torch()
        places, values, offsets, wins, scores = batch
        logits, found = self._forward(places, values, offsets)
        here = wins >= 0
        chances = torch.log_softmax(logits.masked_fill(~here, -1e9), 1)
        win_loss = -(wins.clamp(min=0) * chances.masked_fill(~here, 0)).sum(1).mean()
        score_loss = ((found - scores) ** 2)[here].mean()
        return win_loss, score_loss

    def fit(
        self,
        many: Sequence[Samples],
        epochs: int = 6,
        rate: float = 2e-3,
        tell: Callable[[Fit], None] | None = None,
    ) -> list[Fit]:
        """Learn from samples; every twentieth one is kept apart to see how well it goes."""
        torch = _torch()
        data = _Data(many)
        order = torch.randperm(len(data))
        held, used = order[: max(1, len(data) // 20)], order[max(1, len(data) // 20) :]
        parameters = self._parts()
        optimizer = torch.optim.AdamW(parameters, lr=rate, weight_decay=1e-4)
        steps = epochs * max(1, len(used) // _BATCH)
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=rate, total_steps=steps + 1, pct_start=0.1)
        found = []
        for epoch in range(1, epochs + 1):
            started = time.perf_counter()
            for chosen in self._batches(used):
                optimizer.zero_grad()
                win_loss, score_loss = self._loss(data.batch(chosen))
                (win_loss + _SCORE_WEIGHT * score_loss).backward()
                optimizer.step()
                schedule.step()
            with torch.no_grad():
                win_loss, score_loss = self._loss(data.batch(held))
            fit = Fit(
                epoch,
                float(win_loss),
                float(score_loss) ** 0.5 * POINTS,
                time.perf_counter() - started,
            )
            found.append(fit)
            if tell is not None:
                tell(fit)
        return found

    def _batches(self, used: Any) -> Iterator[Any]:
        torch = _torch()
        shuffled = used[torch.randperm(len(used))]
        size = min(_BATCH, len(used))
        for at in range(0, len(shuffled) - size + 1, size):
            yield shuffled[at : at + size]
