"""What keeps a bot's mistakes its own: texts that are safe to show, a limit of time, and silence on standard output."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from types import FrameType
from typing import Final

__all__ = [
    "MAKING",
    "PatienceError",
    "guarded",
    "overrun",
    "plain_text",
    "safe_text",
    "told_error",
    "type_name",
    "usual_patience",
]

MAKING: Final = 10.0
"""Seconds that a bot has at least to get ready for a game."""
_COUNTED: Final = 60.0
"""Seconds for a decision by playouts, which no clock limits."""
_LEAST_PATIENCE: Final = 2.0
_LONGEST: Final = 200


def safe_text(thing: object, longest: int = _LONGEST) -> str:
    r"""A short text of one line for anything, whatever it does when it is asked for one.

    >>> safe_text("two\nlines \ud800"), safe_text("long" * 100, 6), safe_text(10**5000)
    ('two\\nlines \\ud800', 'longlo', '<int>')
    """
    try:
        text = str(thing)
    except KeyboardInterrupt:
        raise
    except BaseException:
        text = f"<{type_name(thing)}>"
    return _line(text, longest)


def type_name(thing: object) -> str:
    """The name of a thing's type, whatever the type says of itself."""
    name: str = type.__dict__["__name__"].__get__(type(thing))
    return _line(name, _LONGEST)


def told_error(error: BaseException) -> str:
    """An exception for a sentence.

    >>> told_error(KeyError("academy"))
    "KeyError ('academy')"
    """
    return f"{type_name(error)} ({safe_text(error)})"


def plain_text(answer: object) -> str | None:
    """The text that an answer is, None if it is something else. A kind of text of a bot's own may lie about itself."""
    return str.__str__(answer) if issubclass(type(answer), str) else None


def _line(text: str, longest: int) -> str:
    start = str.__getitem__(text, slice(longest))
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in start)


def overrun(taken: float, milliseconds: float) -> bool:
    """Whether a decision took more than a fifth and more than 50 ms longer than it should.

    >>> overrun(245, 200), overrun(251, 200), overrun(1150, 1000)
    (False, True, False)
    """
    return taken > max(1.2 * milliseconds, milliseconds + 50)


def usual_patience(milliseconds: int, *, counted: bool) -> float:
    """Seconds after which a bot that says nothing is given up: ten times its budget, if playouts are not counted."""
    return _COUNTED if counted else max(_LEAST_PATIENCE, milliseconds / 100)


class PatienceError(BaseException):
    """Not an `Exception`, so that a bot which catches everything does not catch it."""


@contextmanager
def guarded(seconds: float | None) -> Iterator[None]:
    """Around what a bot does: what it prints goes to standard error, and what takes longer is interrupted.

    Only the main thread can be interrupted, where the system can do that; None is for no limit.
    """
    with redirect_stdout(sys.stderr):
        if (
            seconds is None
            or threading.current_thread() is not threading.main_thread()
            or not hasattr(signal, "setitimer")
        ):
            yield
            return
        before = signal.signal(signal.SIGALRM, _ring)
        running = signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
            signal.setitimer(signal.ITIMER_REAL, *running)  # whoever else waits for an alarm still gets it


def _ring(signum: int, frame: FrameType | None) -> None:  # noqa: ARG001
    raise PatienceError
