"""A search tree over games that are re-dealt anew for every descent (information-set Monte Carlo tree search).

Nodes stand for what happened since the root, whatever the hidden cards were. In each descent only the actions that are
legal in that deal compete: by their mean reward so far and by the prior that the heuristic policy gives them.
"""

from __future__ import annotations

from nevsky.bots.core.heuristic import HeuristicPolicy
from nevsky.bots.core.net import Net
from nevsky.rules.constants import OVER
from nevsky.rules.position import Position
from nevsky.rules.redealer import Redealer
from nevsky.rules.rng import Rng

MOST_NODES = 60000
MOST_DEPTH = 256
MOST_DECISIONS = 4000
NO_NODE = -1
NO_ACTION = -1
WORST = -1e9
LIKE_A_WIN = 50.0
"""Points of one's own that count as much as a clear win, if points count at all."""


class Tree:
    """Statistics of descents from one root."""

    policy: HeuristicPolicy
    net: Net | None
    redealer: Redealer
    explore: float
    sharpness: float
    win_share: float
    margin: float
    own_share: float
    uniform_prior: float
    only: int
    seats: int
    size: int
    descents: int
    action: list[int]
    child: list[int]
    sibling: list[int]
    visits: list[int]
    chances: list[int]
    total: list[float]
    score: list[float]
    wins: list[float]
    slot: list[int]
    stamp: list[int]
    now: int
    path: list[int]
    mover: list[int]
    reward: list[float]
    final: list[float]
    won: list[float]

    def __init__(
        self,
        policy: HeuristicPolicy,
        net: Net | None = None,
        explore: float = 0.6,
        sharpness: float = 1.5,
        win_share: float = 0.5,
        margin: float = 12.0,
        own_share: float = 0.0,
        uniform_prior: float = 0.0,
    ) -> None:
        self.policy = policy
        self.net = net
        self.redealer = Redealer()
        self.explore = explore
        self.sharpness = sharpness
        self.win_share = win_share
        self.margin = margin
        self.own_share = own_share
        self.uniform_prior = uniform_prior
        self.action = [0] * 60000
        self.child = [0] * 60000
        self.sibling = [0] * 60000
        self.visits = [0] * 60000
        self.chances = [0] * 60000
        self.total = [0.0] * 60000
        self.score = [0.0] * 60000
        self.wins = [0.0] * 60000
        self.slot = [0] * 6144
        self.stamp = [0] * 6144
        self.now = 0
        self.path = [0] * 256
        self.mover = [0] * 256
        self.reward = [0.0] * 5
        self.final = [0.0] * 5
        self.won = [0.0] * 5
        self.clear()

    def clear(self) -> None:
        """Forget everything."""
        self.only = NO_ACTION
        self.seats = 0
        self.size = 1
        self.descents = 0
        self.child[0] = NO_NODE
        self.sibling[0] = NO_NODE
        self.visits[0] = 0
        self.total[0] = 0.0

    def grow(self, root: Position, scratch: Position, viewer: int, open_hands: int, rng: Rng, number: int) -> None:
        """So many descents from the root, as this viewer knows it; all begin with the action ``only`` if one is set."""
        self.seats = root.n
        for _ in range(number):
            root.copy_into(scratch)
            self.redealer.deal(scratch, viewer, open_hands, rng)
            self.descend(scratch, rng)
            self.descents += 1

    def descend(self, p: Position, rng: Rng) -> None:
        """One descent: through the tree, one node further, and a playout to the end."""
        self.policy.key = -1000
        node = 0
        depth = 0
        while p.due != OVER and depth < MOST_DEPTH:
            n = self.policy.appraise(p)
            if n == 1:
                p.do(p.legal_ids[0])
                continue
            seat = p.seat
            number = p.legal_ids[self.select(node, p, n)]
            if depth == 0 and self.only != NO_ACTION:
                number = self.only
            fresh = 0
            if self.stamp[number] != self.now:
                if self.size >= MOST_NODES:
                    break
                self.add(node, number)
                fresh = 1
            node = self.slot[number]
            self.path[depth] = node
            self.mover[depth] = seat
            depth += 1
            p.do(number)
            if fresh:
                break
        self.evaluate(p, rng)
        self.visits[0] += 1
        for i in range(depth):
            node = self.path[i]
            seat = self.mover[i]
            self.visits[node] += 1
            self.total[node] += self.reward[seat]
            self.score[node] += self.final[seat]
            self.wins[node] += self.won[seat]

    def select(self, node: int, p: Position, n: int) -> int:
        """The place of the action to try, among the legal ones."""
        self.now += 1
        seen = 0
        mean = 0.0
        other = self.child[node]
        while other != NO_NODE:
            self.slot[self.action[other]] = other
            self.stamp[self.action[other]] = self.now
            seen += self.visits[other]
            mean += self.total[other]
            other = self.sibling[other]
        mean = mean / seen - 0.05 if seen else 0.5
        highest = WORST
        for i in range(n):
            highest = max(highest, self.policy.values[i])
        norm = 0.0
        for i in range(n):
            prior = self.policy.fading((highest - self.policy.values[i]) / self.sharpness)
            self.policy.values[i] = prior
            norm += prior
        uniform_prior = self.uniform_prior if node == 0 else 0.0
        best = WORST
        found = 0
        for i in range(n):
            number = p.legal_ids[i]
            visits = 0
            chances = seen
            value = mean
            if self.stamp[number] == self.now:
                other = self.slot[number]
                self.chances[other] += 1
                chances = self.chances[other]
                visits = self.visits[other]
                if visits:
                    value = self.total[other] / visits
            prior = (1 - uniform_prior) * self.policy.values[i] / norm + uniform_prior / n
            value += self.explore * prior * self.root_of(chances + 1) / (1 + visits)
            if value > best:
                best = value
                found = i
        return found

    def squash(self, x: float) -> float:
        """From 0 to 1 by way of a half, nearly the logistic function."""
        if x >= 0:
            return 1 / (1 + self.policy.fading(x))
        down = self.policy.fading(-x)
        return down / (1 + down)

    def root_of(self, number: int) -> float:
        """The square root."""
        root: float = number**0.5
        return root

    def add(self, node: int, number: int) -> None:
        """A new node for an action."""
        fresh = self.size
        self.size += 1
        self.action[fresh] = number
        self.child[fresh] = NO_NODE
        self.sibling[fresh] = self.child[node]
        self.child[node] = fresh
        self.visits[fresh] = 0
        self.chances[fresh] = 1
        self.total[fresh] = 0.0
        self.score[fresh] = 0.0
        self.wins[fresh] = 0.0
        self.slot[number] = fresh
        self.stamp[number] = self.now

    def evaluate(self, p: Position, rng: Rng) -> None:
        """Fill what each seat gets out of a position: the network tells, or a playout to the end."""
        if p.due != OVER and self.net is not None:
            self.expect(p, self.net)
            return
        decisions = 0
        while p.due != OVER and decisions < MOST_DECISIONS:
            p.do(self.policy.choose(p, rng))
            decisions += 1
        self.judge(p)

    def expect(self, p: Position, net: Net) -> None:
        """What each seat may expect of a game that goes on."""
        net.look(p)
        for seat in range(p.n):
            rival = WORST
            for other in range(p.n):
                if other != seat and net.score[other] > rival:
                    rival = net.score[other]
            self.final[seat] = net.score[seat]
            self.won[seat] = net.win[seat]
            self.reward[seat] = self.prize(net.win[seat], net.score[seat], rival)

    def prize(self, win: float, score: float, rival: float) -> float:
        """What an end is worth: a share of the win, how clear it was, and if that counts the points themselves."""
        won = self.win_share * win + (1 - self.win_share) * self.squash((score - rival) / self.margin)
        return (1 - self.own_share) * won + self.own_share * score / LIKE_A_WIN

    def judge(self, p: Position) -> None:
        """What each seat gets out of a game that is over."""
        best = -100000
        winners = 0
        for seat in range(p.n):
            order = p.final_points(seat) * 512 + p.tie_rubles(seat)
            self.final[seat] = p.final_points(seat)
            self.won[seat] = order
            if order > best:
                best = order
                winners = 1
            elif order == best:
                winners += 1
        for seat in range(p.n):
            rival = -100000.0
            for other in range(p.n):
                if other != seat and self.final[other] > rival:
                    rival = self.final[other]
            share = 1.0 / winners if self.won[seat] == best else 0.0
            self.reward[seat] = self.prize(share, self.final[seat], rival)
        for seat in range(p.n):
            self.won[seat] = 1.0 / winners if self.won[seat] == best else 0.0

    def outcome(self) -> tuple[list[float], list[float], list[float]]:
        """How the last descent ended, for every seat: the reward, the final score and the share of the win."""
        seats = range(self.seats)
        return (
            [self.reward[seat] for seat in seats],
            [self.final[seat] for seat in seats],
            [self.won[seat] for seat in seats],
        )

    def point_worth(self, seat: int) -> float:
        """What one more point would have been worth to a seat at the end of the last descent, as a reward.

        Two points more and two less are looked at: a single one seldom decides who wins.
        """
        rival = WORST
        for other in range(self.seats):
            if other != seat and self.final[other] > rival:
                rival = self.final[other]
        score = self.final[seat]
        more = self.prize(self.ahead(score + 2 - rival), score + 2, rival)
        less = self.prize(self.ahead(score - 2 - rival), score - 2, rival)
        return (more - less) / 4

    def ahead(self, lead: float) -> float:
        """The share of the win that belongs to a lead."""
        if lead == 0:
            return 0.5
        return 1.0 if lead > 0 else 0.0

    def decided(self, more: float) -> bool:
        """Whether growing as much as so far, times ``more``, could not change which action was looked at most."""
        first = second = 0
        node = self.child[0]
        while node != NO_NODE:
            visits = self.visits[node]
            if visits > first:
                first, second = visits, first
            elif visits > second:
                second = visits
            node = self.sibling[node]
        return first - second > more * self.descents

    def actions(self) -> list[tuple[int, int, float, float, float]]:
        """For each action tried at the root: id, visits, mean reward, mean final score and chance to win."""
        found = []
        node = self.child[0]
        while node != NO_NODE:
            visits = self.visits[node]
            if visits:
                found.append(
                    (
                        self.action[node],
                        visits,
                        self.total[node] / visits,
                        self.score[node] / visits,
                        self.wins[node] / visits,
                    )
                )
            node = self.sibling[node]
        return found
