"""Bots from a file: ``file.py:Class``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from nevsky.bots.protocol import Bot
from nevsky.errors import NevskyError

__all__ = ["check_name", "is_file", "load_bot"]

_LONGEST_NAME = 40


def is_file(spec: str) -> bool:
    """Whether a bot is named by a file and a class, and not by its name.

    >>> is_file("bots/mine.py:Thrifty"), is_file("greedy")
    (True, False)
    """
    return ".py:" in spec or spec.endswith(".py")


def load_bot(spec: str) -> Callable[[int | str], Bot]:
    """The class that ``file.py:Class`` names, checked as far as that goes without playing.

    >>> load_bot("mine.py")
    Traceback (most recent call last):
    nevsky.errors.NevskyError: Name the file and the class of a bot, as in mine.py:MyBot, not 'mine.py'.
    """
    name, colon, wanted = spec.rpartition(":")
    if not colon or not name or not wanted.isidentifier():
        raise NevskyError(f"Name the file and the class of a bot, as in mine.py:MyBot, not {spec!r}.")
    module = _module(Path(name))
    found = getattr(module, wanted, None)
    if not isinstance(found, type):
        raise NevskyError(f"{name} has no class {wanted}.")
    _check_class(found, f"The class {wanted} in {name}")

    def make(seed: int | str) -> Bot:
        bot: Bot = found(seed)
        return bot

    return make


def check_name(name: object) -> str:
    """The name of a bot, if it can be one."""
    if not isinstance(name, str) or not 0 < len(name.strip()) <= _LONGEST_NAME or not name.isprintable():
        raise NevskyError(f"The name of a bot is a text of 1 to {_LONGEST_NAME} characters, not {str(name)[:60]!r}.")
    return name.strip()


def _module(path: Path) -> ModuleType:
    if not path.is_file():
        raise NevskyError(f"There is no file {path}.")
    path = path.resolve()
    key = f"nevsky_bot_file_{path.stem}_{abs(hash(str(path)))}"
    if key in sys.modules:
        return sys.modules[key]
    found = spec_from_file_location(key, path)
    if found is None or found.loader is None:
        raise NevskyError(f"{path.name} is not a Python file.")
    module = module_from_spec(found)
    sys.modules[key] = module
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))  # what lies beside the file can be imported from it
    try:
        found.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[key]
        if isinstance(error, KeyboardInterrupt):
            raise
        raise NevskyError(f"{path.name} cannot be loaded: {type(error).__name__} ({error}).") from error
    return module


def _check_class(found: type, who: str) -> None:
    missing = [name for name in ("decide", "explain") if not callable(getattr(found, name, None))]
    if missing:
        raise NevskyError(f"{who} is no bot: it has no method {' and no method '.join(missing)}.")
    try:
        bot = found("a seed")
    except Exception as error:
        raise NevskyError(
            f"{who} cannot be made from a seed, as in {found.__name__}('a seed'): {type(error).__name__} ({error})."
        ) from error
    if not hasattr(bot, "name"):
        raise NevskyError(f"{who} is no bot: it has no name.")
    check_name(bot.name)
