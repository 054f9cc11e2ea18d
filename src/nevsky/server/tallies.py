"""What is counted with every move, only by the thread of the event loop: without the locks that others need.

They come to the list of metrics like all others.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector, CollectorRegistry

__all__ = ["Spread", "Tally", "register"]


class Tally:
    """A number that only grows."""

    __slots__ = ("value",)

    def __init__(self) -> None:
        self.value = 0

    def inc(self, more: int = 1) -> None:
        """So many more."""
        self.value += more


class Spread:
    """How often something took how long."""

    __slots__ = ("bounds", "counts", "total")

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds = list(bounds)
        self.counts = [0] * (len(self.bounds) + 1)
        self.total = 0.0

    def observe(self, seconds: float) -> None:
        """Once more."""
        self.counts[bisect_left(self.bounds, seconds)] += 1
        self.total += seconds

    def buckets(self) -> list[tuple[str, float]]:
        """How often it took at most so long."""
        found, times = [], 0
        for bound, count in zip([*map(str, map(float, self.bounds)), "+Inf"], self.counts, strict=True):
            times += count
            found.append((bound, float(times)))
        return found


class _Collected(Collector):
    def __init__(self, name: str, about: str, label: str, counted: dict[str, Tally] | Spread) -> None:
        self._name = name
        self._about = about
        self._label = label
        self._counted = counted

    def collect(self) -> Iterable[Metric]:
        """As they are now."""
        if isinstance(self._counted, Spread):
            spread = HistogramMetricFamily(self._name, self._about)
            spread.add_metric([], self._counted.buckets(), self._counted.total)
            return [spread]
        tallies = CounterMetricFamily(self._name, self._about, labels=[self._label] if self._label else [])
        for value, tally in self._counted.items():
            tallies.add_metric([value] if self._label else [], tally.value)
        return [tallies]

    def describe(self) -> Iterable[Metric]:
        """The same: it costs nothing."""
        return self.collect()


def register(
    registry: CollectorRegistry, name: str, about: str, counted: dict[str, Tally] | Tally | Spread, label: str = ""
) -> None:
    """Tell of it in a registry; tallies by the values of a label may grow in number."""
    tallies = {"": counted} if isinstance(counted, Tally) else counted
    registry.register(_Collected(name, about, label, tallies))
