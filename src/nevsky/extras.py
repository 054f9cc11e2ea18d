"""Parts of the package that not everybody installs, as its metadata lists them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from nevsky.errors import NevskyError

__all__ = ["MissingExtraError", "extra_for", "extra_with", "missing", "needing"]

_REQUIREMENT = re.compile(r"""(?P<name>[\w-]+).*;.*extra == ["'](?P<extra>\w+)["']""")


class MissingExtraError(NevskyError, ModuleNotFoundError):
    """Something needs a library that is not installed; the sentence tells which extra brings it."""


def missing(what: str, module: str, extra: str) -> MissingExtraError:
    """The error for something that needs a module, with the extra that brings it."""
    error = MissingExtraError("extra.missing", what=what, module=module, extra=extra)
    error.name = module
    return error


@contextmanager
def needing(extra: str, what: str) -> Iterator[None]:
    """Around imports that need an extra: if one fails the sentence says what to install.

    >>> with needing("envs", "This"):
    ...     import no_such_library
    Traceback (most recent call last):
    nevsky.extras.MissingExtraError: This needs no_such_library, which is not installed: pip install "nevsky[envs]".
    """
    try:
        yield
    except ModuleNotFoundError as error:
        library = (error.name or extra).partition(".")[0]
        raise missing(what, library, extra_for(error) or extra) from error


def extra_for(error: ModuleNotFoundError) -> str | None:
    """The extra that would have helped, if the error tells; None otherwise."""
    return str(error.values["extra"]) if isinstance(error, MissingExtraError) else None


def extra_with(module: str) -> str | None:
    """The extra that brings a module along; None if none does.

    >>> extra_with("polars.exceptions"), extra_with("nosuchthing")
    ('data', None)
    """
    from importlib.metadata import requires  # only now: it is slow, and hardly ever needed

    wanted = module.partition(".")[0].lower()
    for line in requires("nevsky") or ():
        found = _REQUIREMENT.match(line)
        if found and found["name"].lower().replace("-", "_") == wanted:
            return found["extra"]
    return None
