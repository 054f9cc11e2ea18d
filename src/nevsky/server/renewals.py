"""Leases whose epoch was raised while they were held."""

from __future__ import annotations

from nevsky.server.ownership import Lease

__all__ = ["Renewals"]


class Renewals:
    """Whoever holds a lease need not know that its epoch was raised, to shut out a write that may be on its way."""

    def __init__(self) -> None:
        self._now: dict[Lease, Lease] = {}

    def of(self, lease: Lease) -> Lease:
        """The lease as it stands in the database now."""
        return self._now.get(lease, lease) if self._now else lease

    def add(self, lease: Lease, epoch: int) -> None:
        """It has another epoch from now on."""
        self._now[lease] = lease._replace(epoch=epoch)

    def forget(self, lease: Lease) -> None:
        """It is not held any more."""
        self._now.pop(lease, None)
