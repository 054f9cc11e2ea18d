"""Confidence intervals over deals: the games of one deal belong together and are not counted as independent."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite, pi, sqrt, tan
from statistics import NormalDist, fmean, variance
from typing import NamedTuple

__all__ = ["Estimate", "mean_interval", "share_interval", "student", "wilson"]


class Estimate(NamedTuple):
    """A mean with its 95 % confidence interval."""

    value: float
    low: float
    high: float

    def to_dict(self) -> dict[str, float | None]:
        """Plain data, ready for JSON; None where nothing is known."""
        return {name: round(value, 5) if isfinite(value) else None for name, value in self._asdict().items()}


def student(freedom: int, confidence: float = 0.95) -> float:
    """The quantile of Student's distribution that a two-sided interval needs.

    >>> [round(student(n), 2) for n in (1, 2, 5, 10, 100)]
    [12.71, 4.3, 2.57, 2.23, 1.98]
    """
    p = 0.5 + confidence / 2
    if freedom == 1:
        return tan(pi * (p - 0.5))
    if freedom == 2:
        a = 2 * p - 1
        return a * sqrt(2 / (1 - a * a))
    z = NormalDist().inv_cdf(p)
    terms: tuple[float, ...] = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return sum(term / float(freedom) ** power for power, term in enumerate(terms))


def mean_interval(means: Sequence[float]) -> Estimate:
    """The mean of what each deal gave on average; with a single deal nothing is known about its spread."""
    middle = fmean(means)
    if len(means) < 2:
        return Estimate(middle, float("-inf"), float("inf"))
    half = student(len(means) - 1) * sqrt(variance(means) / len(means))
    return Estimate(middle, middle - half, middle + half)


def share_interval(means: Sequence[float], games: int | None = None) -> Estimate:
    """The same for a share from 0 to 1: Wilson's interval for the number of games that so much spread stands for.

    That number is never more than the games that were played, one for each deal if nothing is said: a few deals
    that happen to be alike do not prove that all are. So the interval stays within 0 and 1, and ten wins in ten
    deals are no certainty:

    >>> [round(value, 2) for value in share_interval([1.0] * 10)]
    [1.0, 0.66, 1.0]
    """
    n = len(means)
    share = min(1.0, max(0.0, fmean(means)))
    if n < 2:
        return Estimate(share, 0.0, 1.0)
    spread = variance(means) / n
    most = float(games if games is not None else n)
    worth = share * (1 - share) / spread if spread > 0 and 0 < share < 1 else most
    return wilson(share, min(worth, most), student(n - 1))


def wilson(share: float, games: float, quantile: float = 1.96) -> Estimate:
    """A share of so many independent games.

    >>> [round(value, 2) for value in wilson(0.0, 20)]
    [0.0, 0.0, 0.16]
    """
    square = quantile * quantile
    middle = (share + square / (2 * games)) / (1 + square / games)
    half = quantile * sqrt(share * (1 - share) / games + square / (4 * games * games)) / (1 + square / games)
    return Estimate(share, max(0.0, middle - half), min(1.0, middle + half))
