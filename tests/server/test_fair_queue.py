"""Who is next: shares are fair, nothing is lost, and nobody is remembered who wants nothing."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from nevsky.server.fair_queue import KINDS, FairQueue, Kind, QueueFullError, Rules, Ticket
from nevsky.server.scheduler import rules_for

OWNERS = st.sampled_from("abcd")
TABLES = st.sampled_from("12")
RULES: dict[Kind, Rules] = {
    "live": Rules(),
    "hint": Rules(patience=10, at_once=2, per_owner=4, altogether=8),
    "review": Rules(patience=30, at_once=1, per_owner=3, altogether=6),
}


class Queueing(RuleBasedStateMachine):
    """A queue beside a plain list of everything that should wait in it."""

    def __init__(self) -> None:
        super().__init__()
        self.queue: FairQueue[Ticket] = FairQueue(RULES)
        self.waiting: list[Ticket] = []
        self.in_work: list[Ticket] = []
        self.now = 0.0
        self.since = dict.fromkeys(KINDS, 0.0)

    def of(self, kind: Kind) -> list[Ticket]:
        return [ticket for ticket in self.waiting if ticket.kind == kind]

    def startable(self, ticket: Ticket) -> bool:
        most = RULES[ticket.kind].at_once
        busy = sum((each.kind, each.owner) == (ticket.kind, ticket.owner) for each in self.in_work)
        return most is None or busy < most

    @rule(kind=st.sampled_from(KINDS), owner=OWNERS, table=TABLES)
    def put(self, kind: Kind, owner: str, table: str) -> None:
        ticket, rules, before = Ticket(kind, owner, table), RULES[kind], self.of(kind)
        counts = Counter(each.owner for each in before)
        try:
            displaced = self.queue.put(ticket, self.now)
        except QueueFullError:
            assert rules.per_owner is not None and rules.altogether is not None, "live bots are never refused"
            too_much = counts[owner] >= rules.per_owner
            assert too_much or (len(before) >= rules.altogether and max(counts.values()) <= counts[owner] + 1)
            return
        if not before:
            self.since[kind] = self.now
        self.waiting.append(ticket)
        if displaced is not None:
            assert len(before) == rules.altogether
            assert counts[displaced.owner] == max(counts.values()) > counts[owner] + 1
            self.waiting.remove(displaced)

    @rule()
    def take(self) -> None:
        ready = [ticket for ticket in self.waiting if self.startable(ticket)]
        found = self.queue.take(self.now)
        if found is None:
            assert not ready
            return
        assert found in ready
        assert not [each for each in self.waiting[: self.waiting.index(found)] if vars(each) == vars(found)], (
            "one table's jobs keep their order"
        )
        kinds = [kind for kind in KINDS if any(ticket.kind == kind for ticket in ready)]
        if found.kind != kinds[0]:
            assert self.now - self.since[found.kind] >= RULES[found.kind].patience
        else:
            assert not [kind for kind in kinds[1:] if self.now - self.since[kind] >= RULES[kind].patience]
        self.since[found.kind] = self.now
        self.waiting.remove(found)
        self.in_work.append(found)

    @precondition(lambda self: self.in_work)
    @rule(data=st.data())
    def finish(self, data: st.DataObject) -> None:
        ticket = data.draw(st.sampled_from(self.in_work))
        self.in_work.remove(ticket)
        assert not self.queue.drop(ticket), "it does not wait any more"
        self.queue.done(ticket)

    @precondition(lambda self: self.waiting)
    @rule(data=st.data())
    def drop(self, data: st.DataObject) -> None:
        ticket = data.draw(st.sampled_from(self.waiting))
        assert self.queue.drop(ticket)
        assert not self.queue.drop(ticket)
        self.waiting.remove(ticket)

    @rule()
    def clear(self) -> None:
        assert set(self.queue.clear()) == set(self.waiting)
        self.waiting.clear()

    @rule(seconds=st.integers(1, 20))
    def tick(self, seconds: int) -> None:
        self.now += seconds

    @invariant()
    def counts_are_right_and_nobody_else_is_kept(self) -> None:
        assert [self.queue.length(kind) for kind in KINDS] == [len(self.of(kind)) for kind in KINDS]
        everybody = [*self.waiting, *self.in_work]
        assert self.queue.owners == {ticket.owner for ticket in everybody}
        for owner in "abcd":
            wanted = sum((ticket.kind, ticket.owner) == ("live", owner) for ticket in everybody)
            assert self.queue.demand("live", owner) == wanted


TestQueueing = Queueing.TestCase
TestQueueing.settings = settings(max_examples=80, stateful_step_count=60, deadline=None)


@given(st.lists(st.tuples(OWNERS, TABLES), max_size=60))
def test_owners_have_equal_shares_and_so_have_their_tables(wanted: list[tuple[str, str]]) -> None:
    queue: FairQueue[Ticket] = FairQueue({})
    left = Counter(wanted)
    for owner, table in wanted:
        queue.put(Ticket("live", owner, table), 0)
    served: Counter[str] = Counter()
    at_tables: Counter[tuple[str, str]] = Counter()
    while (ticket := queue.take(0)) is not None:
        place = (ticket.owner, ticket.table)
        served[ticket.owner] += 1
        at_tables[place] += 1
        left[place] -= 1
        still_waiting = {owner for (owner, _), number in left.items() if number}
        shares = [served[owner] for owner in still_waiting]
        assert not shares or max(shares) - min(shares) <= 1
        for owner in still_waiting:
            tables = [at_tables[owner, table] for table in "12" if left[owner, table]]
            assert max(tables) - min(tables) <= 1
    assert served == Counter(owner for owner, _ in wanted), "nothing is lost"
    assert not queue.owners or all(queue.demand("live", owner) == served[owner] for owner in served)


@pytest.mark.parametrize("kind", KINDS)
def test_a_thousand_jobs_of_one_owner_delay_everybody_else_by_one(kind: Kind) -> None:
    queue: FairQueue[Ticket] = FairQueue({})
    for number in range(1000):
        queue.put(Ticket(kind, "greedy", f"table {number}"), 0)
    for turn in range(20):
        other = Ticket(kind, "honest", "theirs")
        queue.put(other, 0)
        taken = [queue.take(0), queue.take(0)]
        assert other in taken, turn


def test_no_kind_waits_for_ever() -> None:
    """With games waiting all the time there is a hint every ten seconds and a review every thirty."""
    queue: FairQueue[Ticket] = FairQueue(rules_for(workers=1, waiting=100))
    for number in range(500):
        queue.put(Ticket("live", f"owner {number % 7}", "table"), 0)
    for kind in ("hint", "review"):
        for number in range(50):
            queue.put(Ticket(kind, f"owner {number}", "guest"), 0)
    served: Counter[str] = Counter()
    for second in range(121):
        ticket = queue.take(second)
        assert ticket is not None
        served[ticket.kind] += 1
        queue.done(ticket)
    assert served["hint"] == 12
    assert served["review"] in (3, 4)


def test_fifty_people_behind_one_address_may_all_wait_for_a_hint() -> None:
    queue: FairQueue[Ticket] = FairQueue(rules_for(workers=4, waiting=60))
    for number in range(50):
        queue.put(Ticket("hint", "school", f"guest {number}"), 0)
    queue.put(Ticket("hint", "home", "guest"), 0)
    taken = [queue.take(0) for _ in range(4)]
    assert [ticket.owner for ticket in taken if ticket] == ["school", "home", "school"], "half of the workers at most"
