"""The numbers of a network as they are kept: half-precision floats, one after the other."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

from nevsky.errors import NevskyError

__all__ = ["load_network", "save_network"]

_MAGIC: Final = b"nevsky-net-1\n"


@cache
def load_network(path: Path) -> array[float]:
    """Read a network."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise NevskyError("network.unreadable", file=path.name, reason=error.strerror) from error
    if not data.startswith(_MAGIC) or (len(data) - len(_MAGIC)) % 2:
        raise NevskyError("network.format", file=path.name)
    number = (len(data) - len(_MAGIC)) // 2
    return array("f", struct.unpack_from(f"<{number}e", data, len(_MAGIC)))


def save_network(path: Path, numbers: Sequence[float]) -> None:
    """Write a network."""
    path.write_bytes(_MAGIC + struct.pack(f"<{len(numbers)}e", *numbers))
