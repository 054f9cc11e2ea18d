"""Programs in any language, started and asked over JSON lines, that can neither block nor outlive us."""

from __future__ import annotations

import contextlib
import json
import os
import select
import shlex
import signal
import subprocess
import sys
import time
from collections import deque
from typing import Any, Final

from nevsky.bots.computing import computed
from nevsky.bots.guard import safe_text
from nevsky.bots.loading import check_name
from nevsky.bots.waiting import Waiting
from nevsky.errors import NevskyError

__all__ = [
    "PROTOCOL",
    "BotFailureError",
    "Program",
    "close_programs",
    "give_back",
    "kill_programs",
    "split_command",
    "take_program",
]

PROTOCOL: Final = 1
"""Version of what is said; see docs/bots.md."""
HELLO_SECONDS: Final = 10.0
_LONGEST_LINE: Final = 1_000_000
_CHUNK: Final = 65536
_COMPLAINT: Final = 2_000
"""Bytes of its standard error that are kept, the last ones."""
_LINES_TOLD: Final = 3
_LONGEST_TOLD: Final = 100
_MOST_OPEN: Final = 1_000
"""Questions that may still be answered late; of an older one nobody remembers that it was asked."""
_MOST_STRETCHED: Final = 10
"""However busy the machine is, nobody is waited for longer than so many times what they were given."""
_GRACE: Final = 0.3
"""Seconds that a program gets to end by itself once its input is closed."""


class BotFailureError(NevskyError):
    """A bot did not answer a question as it should."""

    def __init__(self, kind: str, key: str, /, **values: object) -> None:
        super().__init__(key, **values)
        self.args = (kind, key)
        self.kind = kind
        """``timeout``, ``crash``, ``illegal`` or ``garbage``."""


def split_command(command: str) -> tuple[str, ...]:
    """The words of a command as a shell would split them.

    >>> split_command("./clever --level '3 stars'")
    ('./clever', '--level', '3 stars')
    """
    try:
        words = tuple(shlex.split(command))
    except ValueError as error:
        raise NevskyError("bot.command", command=repr(command), reason=str(error)) from error
    if not words:
        raise NevskyError("bot.command_empty")
    return words


class Program:
    """A running program. It plays for one seat at a time, and game after game if it behaves."""

    def __init__(self, words: tuple[str, ...], *, quiet: bool = True) -> None:
        if not hasattr(select, "poll") or not hasattr(os, "killpg"):
            raise NevskyError("bot.programs_elsewhere")
        self.words = words
        self._lines: list[bytes] = []
        self._in = bytearray()
        self._out = bytearray()
        self._complaint = bytearray()
        self._complains = True
        self._aloud = not quiet
        self._ended = False
        self._number = 0
        self._open: deque[int] = deque(maxlen=_MOST_OPEN)
        self._late = 0
        self._silent_since: float | None = None
        self._computed: float | None = None
        try:
            self._process = subprocess.Popen(  # noqa: S603
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,  # Ctrl-C is for us, and what it starts itself can be ended with it
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise BotFailureError("crash", "bot.no_start", program=words[0], reason=str(reason)) from error
        process = self._process
        self._waiting = Waiting(process.pid)
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        self._stdin, self._stdout, self._stderr = process.stdin, process.stdout, process.stderr
        for pipe in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(pipe.fileno(), False)
        _running.add(self)
        try:
            self._greet()
        except BaseException:
            self.stop()
            raise

    def _greet(self) -> None:
        answer = self.ask({"type": "hello", "protocol": PROTOCOL}, HELLO_SECONDS)
        if answer.get("protocol") != PROTOCOL:
            raise BotFailureError("garbage", "bot.protocol", version=PROTOCOL)
        try:
            self.name = check_name(answer.get("name"))
        except NevskyError as error:
            raise BotFailureError("garbage", "bot.told", told=error) from error
        self.observes = answer.get("observe") is True

    @property
    def ended(self) -> bool:
        """Whether it is known to have ended."""
        return self._ended

    @property
    def tidy(self) -> bool:
        """Whether it runs and owes no answer, so that another game can be given to it."""
        return not self._ended and not self._late and not self._out and not self._lines and not self._in

    def silent(self) -> float:
        """Seconds for which an answer has been missing."""
        return 0.0 if self._silent_since is None else time.monotonic() - self._silent_since

    def tell(self, message: dict[str, Any]) -> None:
        """Say something that needs no answer."""
        self._out += json.dumps(message, separators=(",", ":")).encode() + b"\n"
        self._pump(0.0)

    def waited(self) -> float:
        """Seconds for which it was not let by a busy machine, since it began."""
        return self._waiting.seconds()

    def computed(self) -> float | None:
        """Seconds of processor time since it was started, with what it started itself; None where nobody can tell."""
        now = computed(self._process.pid) if self._process.returncode is None else None
        if now is not None:  # never less: nobody waits for the children of one that crashed
            self._computed = max(now, self._computed or 0.0)
        return self._computed

    def ask(self, message: dict[str, Any], seconds: float) -> dict[str, Any]:
        """The answer to a question; anything else raises within the time, in which waiting for a processor is none."""
        begun, waited = time.monotonic(), self.waited()
        self._number += 1
        self._open.append(self._number)
        if self._silent_since is None:
            self._silent_since = time.monotonic()
        self.tell({"type": message["type"], "id": self._number, **message})
        while True:
            while self._lines:
                answer = self._read(self._lines.pop(0))
                if answer is not None:
                    self._silent_since = None
                    self._late = 0
                    return answer
            if self._ended:
                raise self._crash()
            passed = time.monotonic() - begun
            left = seconds - passed
            if left <= 0 and passed < _MOST_STRETCHED * seconds:
                left += self.waited() - waited
            if left <= 0:
                self._late += 1
                raise BotFailureError("timeout", "bot.no_answer", time=seconds * 1000)
            self._pump(left)

    def _read(self, line: bytes) -> dict[str, Any] | None:
        """A line as the answer to the question that was asked last, None if it belongs to an earlier one."""
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            self._silent_since = None
            raise BotFailureError("garbage", "bot.no_json", line=repr(line[:60]))
        if "id" in answer:
            number = answer["id"]
            if type(number) is not int or number not in self._open:
                self._silent_since = None
                raise BotFailureError("garbage", "bot.unknown_id", id=repr(number)[:60], asked=self._number)
            self._open.remove(number)
            return answer if number == self._number else None
        if self._late:  # answers without a number come in the order of the questions
            self._late -= 1
            return None
        return answer

    def _crash(self) -> BotFailureError:
        """How it ended, and what it said last."""
        deadline = time.monotonic() + _GRACE
        while not self._exited() and time.monotonic() < deadline:
            time.sleep(0.005)
        self._hear()
        status = self._status()
        lines = bytes(self._complaint).decode(errors="replace").strip().splitlines()[-_LINES_TOLD:]
        told = safe_text(" / ".join(line.strip()[:_LONGEST_TOLD] for line in lines), _LINES_TOLD * _LONGEST_TOLD)
        if status is None:
            return BotFailureError("crash", "bot.ended")
        if not told:
            return BotFailureError("crash", "bot.ended_with", status=status)
        return BotFailureError("crash", "bot.ended_saying", status=status, said=told)

    def _status(self) -> int | None:
        """Its exit status, below 0 for the signal that ended it; None while it runs."""
        if self._process.returncode is not None:
            return self._process.returncode
        if not hasattr(os, "waitid"):  # macOS before Python 3.13
            return self._process.poll()
        found = os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)
        if found is None:
            return None
        return found.si_status if found.si_code == os.CLD_EXITED else -found.si_status

    def _hear(self) -> None:
        """Keep the end of what it writes to its standard error."""
        try:
            while found := os.read(self._stderr.fileno(), _CHUNK):
                self._complaint += found
                del self._complaint[:-_COMPLAINT]
                if self._aloud:
                    sys.stderr.buffer.write(found)
                    sys.stderr.flush()
        except BlockingIOError:
            return
        except (OSError, ValueError):  # closed already
            pass
        self._complains = False

    def _pump(self, seconds: float) -> None:
        """Write what is to be written and read what is there, waiting at most so long for either."""
        poll = select.poll()
        if not self._ended:
            if not self._lines:  # whoever says more than was asked waits until somebody has read that
                poll.register(self._stdout, select.POLLIN)
            if self._complains:
                poll.register(self._stderr, select.POLLIN)
        if self._out and not self._stdin.closed:
            poll.register(self._stdin, select.POLLOUT)
        for handle, _ in poll.poll(max(0, int(seconds * 1000 + 0.999))):
            if handle == self._stdout.fileno():
                self._receive()
            elif handle == self._stdin.fileno():
                self._write()
            else:
                self._hear()

    def _write(self) -> None:
        try:
            del self._out[: os.write(self._stdin.fileno(), self._out[:_CHUNK])]
        except BlockingIOError:
            pass
        except OSError:
            self._out.clear()  # it no longer listens; whether it ended shows at its output

    def _receive(self) -> None:
        try:
            found = os.read(self._stdout.fileno(), _CHUNK)
        except BlockingIOError:
            return
        except OSError:
            found = b""
        if not found:
            self._ended = True
            return
        self._in += found
        if b"\n" in found:
            *lines, rest = bytes(self._in).split(b"\n")
            self._in = bytearray(rest)
            self._lines += [line for line in lines if line.strip()]
        if len(self._in) > _LONGEST_LINE:
            self.stop(0.0)
            raise BotFailureError("garbage", "bot.long_line", most=_LONGEST_LINE)

    def close_input(self) -> None:
        """Tell it that nothing more comes: a program ends then."""
        with contextlib.suppress(OSError):
            self._stdin.close()

    def stop(self, grace: float = _GRACE) -> None:
        """End it, and whatever it has started."""
        self._ended = True
        if not self._stdout.closed:
            self.close_input()
            deadline = time.monotonic() + grace
            while not self._exited() and time.monotonic() < deadline:
                time.sleep(0.005)
            self.kill()
        _running.discard(self)  # not before: whoever ends us in the meantime must still find it

    def kill(self) -> None:
        """End it at once."""
        self._ended = True
        self.computed()
        with contextlib.suppress(OSError):  # before it is waited for: until then the number is its own
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._hear()
        self._stdout.close()
        self._stderr.close()
        self.close_input()

    def _exited(self) -> bool:
        return self._status() is not None


_running: set[Program] = set()
_idle: dict[tuple[tuple[str, ...], bool], list[Program]] = {}


def take_program(words: tuple[str, ...], *, quiet: bool = True) -> Program:
    """A program that waits for a game, or a new one."""
    waiting = _idle.get((words, quiet), [])
    while waiting:
        program = waiting.pop()
        program._pump(0.0)  # it may have ended or spoken unasked in the meantime
        if program.tidy:
            return program
        program.stop()
    return Program(words, quiet=quiet)


def give_back(program: Program, *, quiet: bool = True) -> None:
    """Keep a program for the next game; one that owes an answer is ended."""
    if program.tidy:
        _idle.setdefault((program.words, quiet), []).append(program)
    else:
        program.stop()


def close_programs() -> None:
    """End all programs of this process."""
    _idle.clear()
    for program in list(_running):
        program.close_input()
    deadline = time.monotonic() + _GRACE
    for program in list(_running):
        program.stop(max(0.0, deadline - time.monotonic()))


def kill_programs() -> None:
    """End all programs of this process without giving them time."""
    _idle.clear()
    while _running:
        _running.pop().kill()
