"""Parts of the package that not everybody installs, as its metadata lists them."""

from __future__ import annotations

import re
from importlib.metadata import requires

__all__ = ["extra_with"]

_REQUIREMENT = re.compile(r"""(?P<name>[\w-]+).*;.*extra == ["'](?P<extra>\w+)["']""")


def extra_with(module: str) -> str | None:
    """The extra that brings a module along; None if none does.

    >>> extra_with("polars.exceptions"), extra_with("nosuchthing")
    ('data', None)
    """
    wanted = module.partition(".")[0].lower()
    for line in requires("nevsky") or ():
        found = _REQUIREMENT.match(line)
        if found and found["name"].lower().replace("-", "_") == wanted:
            return found["extra"]
    return None
