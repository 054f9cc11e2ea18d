"""Examples in docstrings as code: without this `>>>` would be a quotation in a quotation in a quotation."""

from __future__ import annotations

import re
from typing import Any, Final

from griffe import Extension

__all__ = ["Examples"]

_EXAMPLE: Final = re.compile(r"^>>> .*\n?(?:^(?=\S).*\n?)*", re.MULTILINE)


class Examples(Extension):  # type: ignore[misc]  # griffe is there only where the documentation is built
    """Puts a fence around each run of lines that begins with a prompt."""

    def on_object(self, *, obj: Any, **_: Any) -> None:
        """One module, class, function or attribute."""
        if obj.docstring is not None:
            obj.docstring.value = _EXAMPLE.sub(
                lambda found: f"\n```pycon\n{found.group().rstrip()}\n```\n", obj.docstring.value
            )
