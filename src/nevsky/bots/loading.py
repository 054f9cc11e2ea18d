"""Bots from a file: ``file.py:Class``, ``module:Class``, policy weights or a checkpoint that were trained."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from nevsky.bots.checkpoints import is_checkpoint, load_checkpoint, split_spec
from nevsky.bots.guard import guarded, safe_text, told_error
from nevsky.bots.importing import load_file, without_folder
from nevsky.bots.master import MasterBot
from nevsky.bots.policy_weights import COUNTS, load_weights
from nevsky.bots.protocol import Bot
from nevsky.errors import NevskyError, Words

__all__ = ["bot_path", "check_name", "full_spec", "is_file", "load_bot"]

_LONGEST_NAME = 40
_SUFFIXES = (".weights", ".habits")
"""Of files of policy weights; the second one is that of older files."""
_USUAL_STEM = "policy"
"""What training calls its file; the folder says more."""
_IN_MODULE = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*")


def is_file(spec: str) -> bool:
    """Whether a bot is named by a file or module and a class, or by a file that was trained, and not by its name.

    >>> is_file("bots/mine.py:Thrifty"), is_file("mine:Thrifty"), is_file("run/policy.weights"), is_file("greedy")
    (True, True, True, False)
    >>> is_file("torch:weights.pt")
    True
    """
    return ".py:" in spec or spec.endswith((".py", *_SUFFIXES)) or is_checkpoint(spec) or _in_module(spec)


def bot_path(spec: str) -> Path:
    """The file in the name of a bot from a file.

    >>> bot_path("mine.py:Thrifty").name, bot_path("run/policy.weights").name, bot_path("sb3:ppo.zip").name
    ('mine.py', 'policy.weights', 'ppo.zip')
    """
    if is_checkpoint(spec):
        return split_spec(spec).path
    name, colon, _ = spec.rpartition(":")
    if _in_module(spec):
        return _module_file(name)
    return Path(name if colon and not spec.endswith(_SUFFIXES) else spec)


def full_spec(spec: str) -> str:
    """The same bot from any other directory."""
    if is_checkpoint(spec):
        return split_spec(spec).resolved()
    if _in_module(spec):
        return spec
    path = bot_path(spec)
    _, colon, wanted = spec.rpartition(":")
    return str(path.resolve()) if spec.endswith(_SUFFIXES) else f"{path.resolve()}{colon}{wanted}"


def _in_module(spec: str) -> bool:
    return _IN_MODULE.fullmatch(spec) is not None and ".py:" not in spec and not is_checkpoint(spec)


def _module_file(name: str) -> Path:
    try:
        found = find_spec(name)
    except (ImportError, ValueError):
        found = None
    if found is None or found.origin is None:
        raise NevskyError("bot.no_module", name=name)
    return Path(found.origin)


def load_bot(spec: str) -> Callable[[int | str], Bot]:
    """What makes the bot that ``file.py:Class`` or a file of policy weights names, checked as far as it can be now.

    >>> load_bot("mine.py")
    Traceback (most recent call last):
    nevsky.errors.NevskyError: Name the file and the class of a bot, as in mine.py:MyBot, not 'mine.py'.
    """
    if spec.endswith(_SUFFIXES):
        return _with_weights(Path(spec))
    if is_checkpoint(spec):
        return load_checkpoint(split_spec(spec))
    name, colon, wanted = spec.rpartition(":")
    if not colon or not name or not wanted.isidentifier():
        raise NevskyError("bot.spec", spec=repr(spec))
    found = _class(name, wanted, in_module=_in_module(spec))
    _check_class(found, Words("bot.the_class", name=wanted, file=name))

    def make(seed: int | str) -> Bot:
        with guarded(None):
            bot: Bot = found(seed)
        return bot

    return make


def check_name(name: object) -> str:
    """The name of a bot, if it can be one."""
    if not isinstance(name, str) or not 0 < len(name.strip()) <= _LONGEST_NAME or not name.isprintable():
        told = safe_text(name, 60)
        raise NevskyError("bot.name", most=_LONGEST_NAME, name=repr(told))
    return name.strip()


def _with_weights(path: Path) -> Callable[[int | str], Bot]:
    if not path.is_file():
        raise NevskyError("file.none", path=path)
    path = path.resolve()
    for players in COUNTS:
        load_weights(players, path)
    stem = path.parent.name if path.stem == _USUAL_STEM else path.stem
    label = safe_text(stem, _LONGEST_NAME)[:_LONGEST_NAME].strip() or _USUAL_STEM

    def make(seed: int | str) -> Bot:
        bot = MasterBot(seed, weights=path)
        bot.name = label
        return bot

    return make


def _class(name: str, wanted: str, *, in_module: bool) -> type:
    path = _module_file(name) if in_module else Path(name)
    if not path.is_file():
        raise NevskyError("file.none", path=path)
    try:
        with guarded(None):
            found = getattr(import_module(name) if in_module else load_file(path), wanted, None)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        told = without_folder(told_error(error), path)
        raise NevskyError("bot.unloadable", file=path.name, error=told) from error
    if not isinstance(found, type):
        raise NevskyError("bot.no_class", path=path, name=wanted)
    return found


def _check_class(found: type, who: Words) -> None:
    missing = [name for name in ("decide", "explain") if not callable(getattr(found, name, None))]
    if missing:
        raise NevskyError("bot.no_method", who=who, methods=", ".join(missing))
    try:
        with guarded(None):
            bot = found("a seed")
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise NevskyError("bot.class_unmade", who=who, name=found.__name__, error=told_error(error)) from error
    try:
        with guarded(None):
            name = bot.name
    except KeyboardInterrupt:
        raise
    except AttributeError as error:
        raise NevskyError("bot.no_name", who=who) from error
    except BaseException as error:
        raise NevskyError("bot.name_untold", who=who, error=told_error(error)) from error
    check_name(name)
