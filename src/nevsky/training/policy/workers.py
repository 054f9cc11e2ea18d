"""Parts of an update in this process, on all cores, or on the machines of a Ray cluster."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator, Sequence
from typing import Final

from nevsky.errors import NevskyError
from nevsky.parallel import follow_parent, make_pool, over_processes, over_ray
from nevsky.training.policy.games import Job, Part, PartResult, play_part

__all__ = ["Workers"]

_AHEAD: Final = 2


class _Here:
    job: Job
    """What this process plays: sent once, since the network in it is large."""


def _prepare(job: Job) -> None:
    follow_parent()
    _Here.job = job


def _play(part: Part) -> PartResult:
    return play_part(_Here.job, part)


class _Queue(Iterator[Part]):
    """Parts to play. It may be empty for now: the next update's come when all of this one's are done."""

    def __init__(self) -> None:
        self.parts: deque[Part] = deque()

    def __next__(self) -> Part:
        if not self.parts:
            raise StopIteration
        return self.parts.popleft()


class Workers:
    """Those who play, for the whole of a training."""

    def __init__(self, job: Job, jobs: int, ray: str | None = None, ray_jobs: int | None = None) -> None:
        self._queue = _Queue()
        self._done = self._start(job, jobs, ray, ray_jobs)

    def _start(self, job: Job, jobs: int, ray: str | None, ray_jobs: int | None) -> Generator[PartResult, None, None]:
        if ray is not None:
            return over_ray(play_part, job, self._queue, ray, ray_jobs, _AHEAD, NevskyError("policy.died"))
        if jobs > 1:
            return over_processes(
                make_pool(jobs, _prepare, job), _play, self._queue, jobs * _AHEAD, NevskyError("policy.died")
            )
        return (play_part(job, part) for part in self._queue)

    def play(self, parts: Sequence[Part]) -> Generator[PartResult, None, None]:
        """Play the parts of an update, in any order."""
        self._queue.parts.extend(parts)
        for _ in parts:
            yield next(self._done)

    def finish(self) -> None:
        """There is nothing more to play."""
        next(self._done, None)

    def close(self) -> None:
        """End those who play, whatever they are doing."""
        self._done.close()
