"""Addresses that mail can be sent to."""

from __future__ import annotations

import re
from typing import Final

from nevsky.server.errors import Refusal

__all__ = ["LONGEST", "clean_address"]

LONGEST: Final = 254
_LONGEST_LOCAL: Final = 64
_LOCAL: Final = re.compile(r"[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_DOMAIN: Final = re.compile(r"([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]")


def clean_address(words: str) -> str:
    """An address as it is kept: in small letters, with its domain as computers write it; others are refused.

    >>> clean_address(" Anna@Bücher.example ")
    'anna@xn--bcher-kva.example'
    """
    local, _, domain = words.strip().lower().rpartition("@")
    try:
        domain = domain.encode("idna").decode("ascii")
    except UnicodeError:
        domain = ""
    found = f"{local}@{domain}"
    if (
        not _LOCAL.fullmatch(local)
        or len(local) > _LONGEST_LOCAL
        or not _DOMAIN.fullmatch(domain)
        or len(found) > LONGEST
    ):
        raise Refusal("refused", "mail_address")
    return found
