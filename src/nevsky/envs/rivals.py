"""Players that answer inside of a batch, in compiled code and without Python's lock."""

from __future__ import annotations

from nevsky.bots.core.heuristic import HeuristicPolicy
from nevsky.bots.core.policy_net import PolicyNet
from nevsky.rules.course import FullPosition
from nevsky.rules.position import Position
from nevsky.rules.rng import Rng

__all__ = ["NetworkRival", "PolicyRival", "Rival"]

LONG_AGO = -1000


class Rival:
    """One of several rivals in a row, each of which knows the next; this kind plays at random."""

    following: Rival | None

    def __init__(self, following: Rival | None = None) -> None:
        self.following = following

    def answer(self, number: int, p: Position, full: FullPosition | None, rng: Rng) -> int:
        """What the rival with this number, counted from here, does."""
        if number == 0 or self.following is None:
            return self.choose(p, full, rng)
        return self.following.answer(number - 1, p, full, rng)

    def forget(self) -> None:
        """Another game: nothing that was noted in the last one holds here, nor for those that follow."""
        self.clear()
        if self.following is not None:
            self.following.forget()

    def choose(self, p: Position, full: FullPosition | None, rng: Rng) -> int:  # noqa: ARG002
        """A legal action, all of them equally likely."""
        n = p.list_legal()
        return p.legal_ids[rng.draw(n) if n > 1 else 0]

    def clear(self) -> None:
        """Drop one's own notes."""


class PolicyRival(Rival):
    """Plays by the heuristic policy, with or without weights that were learned."""

    policy: HeuristicPolicy

    def __init__(self, policy: HeuristicPolicy, following: Rival | None = None) -> None:
        super().__init__(following)
        self.policy = policy

    def choose(self, p: Position, full: FullPosition | None, rng: Rng) -> int:  # noqa: ARG002
        """What the policy finds best."""
        return self.policy.choose(p, rng)

    def clear(self) -> None:
        """The policy's tables belong to a phase of one game."""
        self.policy.key = LONG_AGO


class NetworkRival(Rival):
    """Plays by a network."""

    net: PolicyNet

    def __init__(self, net: PolicyNet, following: Rival | None = None) -> None:
        super().__init__(following)
        self.net = net

    def choose(self, p: Position, full: FullPosition | None, rng: Rng) -> int:
        """What the network finds best, or draws."""
        return self.net.choose(p, full, rng)
