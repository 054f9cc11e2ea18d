"""The README as a package page shows it, where a relative path leads nowhere.

The address of the project is known where a release is built (``NEVSKY_ADDRESS``, the repository on a site that has
``/raw/`` and ``/blob/``). With it pictures and links are absolute, and lead to the version that is described; without
it pictures are left out and links are their words: better than broken ones.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["page", "urls"]

_LINK: Final = re.compile(r"(?P<picture>!?)\[(?P<words>[^\]]*)\]\((?P<target>[^)\s]+)\)")
_PAGES: Final = {"Changelog": "CHANGELOG.md", "Documentation": "docs/index.md"}


def page(readme: str, address: str, version: str) -> str:
    """The text of the page."""

    def lead(found: re.Match[str]) -> str:
        picture, words, target = found.group("picture", "words", "target")
        if re.match(r"[a-z]+:|#", target):
            return found[0]
        if not address:
            return "" if picture else words
        return f"{picture}[{words}]({address}/{'raw' if picture else 'blob'}/v{version}/{target})"

    parts = re.split(r"(^```.*?^```$)", readme, flags=re.MULTILINE | re.DOTALL)  # code stays what it is
    text = "".join(part if part.startswith("```") else _LINK.sub(lead, part) for part in parts)
    return re.sub(r"\n{3,}", "\n\n", text)


def urls(address: str, version: str) -> dict[str, str]:
    """The links beside the page."""
    if not address:
        return {}
    pages = {name: f"{address}/blob/v{version}/{path}" for name, path in _PAGES.items()}
    return {"Homepage": address, **pages, "Issues": f"{address}/issues", "Source": address}
