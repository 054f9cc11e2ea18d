"""A ruleset is data: which game is played, checked once, with a sentence for every refusal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from nevsky.errors import NevskyError

__all__ = ["EDITIONS", "RULES_VERSION", "Ruleset"]

RULES_VERSION: Final = "1.0"
"""Changes when the same actions would lead to another game."""
EDITIONS: Final = ("first", "second")


class _Fields(NamedTuple):
    edition: str = "second"
    players: int = 4
    youngest: int | None = None
    """Seat of the youngest player (2.4); None: a random seat."""
    open_rubles: bool = False
    """Everybody sees everybody's rubles."""
    open_hands: bool = False
    """Everybody sees everybody's hand."""


class Ruleset(_Fields):
    """What is on the table: edition, number of players and options. Making one that cannot be played raises.

    >>> Ruleset("second", 4).players
    4
    >>> Ruleset("second", 5)
    Traceback (most recent call last):
    nevsky.errors.NevskyError: Five players need the Market (rule 1.2).
    """

    __slots__ = ()

    def __new__(cls, *args: Any, **kwargs: Any) -> Ruleset:
        """Check the choices and make the ruleset."""
        try:
            ruleset = super().__new__(cls, *args, **kwargs)
        except TypeError as error:
            raise NevskyError(f"A ruleset has the fields {', '.join(cls._fields)}.") from error
        ruleset._check()
        return ruleset

    def _check(self) -> None:
        if self.edition not in EDITIONS:
            raise NevskyError(f"There is no edition {self.edition!r}: choose first or second.")
        if not _is_whole(self.players):
            raise NevskyError(f"The number of players is a whole number, not {self.players!r}.")
        if self.players == 5:
            raise NevskyError("Five players need the Market (rule 1.2).")
        if not 2 <= self.players <= 4:
            raise NevskyError(f"The game is for 2 to 4 players, not {self.players}.")
        if self.youngest is not None and not (_is_whole(self.youngest) and 0 <= self.youngest < self.players):
            raise NevskyError(f"The youngest player sits on a seat from 0 to {self.players - 1}, not {self.youngest!r}.")
        for name in ("open_rubles", "open_hands"):
            if not isinstance(getattr(self, name), bool):
                raise NevskyError(f"The option {name} is true or false, not {getattr(self, name)!r}.")

    def to_dict(self) -> dict[str, Any]:
        """The ruleset as it stands in records: edition, players, market, modules and options."""
        return {
            "edition": self.edition,
            "players": self.players,
            "market": False,
            "modules": [],
            "options": {
                "youngest": self.youngest,
                "open_rubles": self.open_rubles,
                "open_hands": self.open_hands,
            },
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Ruleset:
        """Read what `to_dict` wrote."""
        if not isinstance(data, Mapping):
            raise NevskyError("A ruleset is a mapping of names to values.")
        options = data.get("options", {})
        if not isinstance(options, Mapping):
            raise NevskyError("The options of a ruleset are a mapping of names to values.")
        unknown = set(data) - {"edition", "players", "market", "modules", "options"}
        unknown |= set(options) - {"youngest", "open_rubles", "open_hands"}
        if unknown:
            raise NevskyError(f"A ruleset has no {', '.join(sorted(map(str, unknown)))}.")
        if data.get("market", False):
            raise NevskyError("The Market is not part of this ruleset.")
        if data.get("modules"):
            raise NevskyError("Modules are not part of this ruleset.")
        return cls(edition=data.get("edition", "second"), players=data.get("players", 4), **options)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
