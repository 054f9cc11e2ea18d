"""The benchmark: a frozen protocol by which any agent is measured, and its leaderboard (see docs/benchmark.md)."""

from nevsky.benchmark.protocol import NEVSKY_1, Protocol
from nevsky.benchmark.run import evaluate

__all__ = ["NEVSKY_1", "Protocol", "evaluate"]
