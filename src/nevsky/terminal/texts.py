"""Words that are the same in every language, and the command that deals the same cards again."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from typing import Final

from nevsky.rules.ruleset import Ruleset
from nevsky.texts import text

__all__ = ["COLOURS", "NO_PRICE", "PROMPT", "again", "short"]

PROMPT: Final = text("screen.prompt") + " "
COLOURS: Final = {"worker": "green", "market": "yellow", "building": "blue", "noble": "red"}
"""The colours in the order of the phases that score them."""
NO_PRICE: Final = "–"


def short(rubles: int, points: int) -> str:
    """Income as it stands on a card."""
    parts = [f"{rubles:+}r"] if rubles else []
    parts += [f"{points:+}p"] if points else []
    return " ".join(parts) if parts else "+0"


def again(seed: str, ruleset: Ruleset, language: str = "en", others: Iterable[tuple[str, object]] = ()) -> str:
    """The command that plays the same deal again, with other options that stand before the seed."""
    options: list[tuple[str, object]] = [("--edition", ruleset.edition), ("--players", ruleset.players)]
    if ruleset.modules:
        options.append(("--modules", ",".join(map(str, ruleset.modules))))
    if ruleset.good_company is not None:
        options.append(("--good-company", ",".join(ruleset.good_company)))
    if ruleset.real_obstacles is not None:
        options.append(("--real-obstacles", ruleset.real_obstacles))
    if ruleset.youngest is not None:
        options.append(("--youngest", ruleset.youngest))
    if language != "en":
        options.append(("--language", language))
    options += [*others, ("--seed", seed)]
    words = ["nevsky play", *(f"{option} {shlex.quote(str(value))}" for option, value in options)]
    words += ["--market"] if ruleset.market else []
    words += ["--open-rubles"] if ruleset.open_rubles else []
    words += ["--open-hands"] if ruleset.open_hands else []
    return " ".join(words)
