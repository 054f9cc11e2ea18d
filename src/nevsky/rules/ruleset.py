"""A ruleset is data: which game is played, checked once, with a sentence for every refusal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from nevsky.errors import NevskyError, Words
from nevsky.rules.modules import MODULES, ROOMS

__all__ = ["EDITIONS", "RULES_VERSION", "Ruleset"]

RULES_VERSION: Final = "1.1"
"""Changes when the same actions would lead to another game."""
EDITIONS: Final = ("first", "second")
_OPTIONS: Final = ("youngest", "open_rubles", "open_hands", "good_company", "real_obstacles")


class _Fields(NamedTuple):
    edition: str = "second"
    players: int = 4
    market: bool = False
    modules: tuple[int, ...] = ()
    """Numbers of the modules in play (1.3)."""
    youngest: int | None = None
    """Seat of the youngest player (2.4); None: a random seat."""
    open_rubles: bool = False
    """Everybody sees everybody's rubles."""
    open_hands: bool = False
    """Everybody sees everybody's hand."""
    good_company: tuple[str, ...] | None = None
    """With module 2: the cards of it that take part (1.4); None: all."""
    real_obstacles: int | None = None
    """With module 6: so many real obstacles, all tiles at random (11.6 a); None: the standard set-up."""


class Ruleset(_Fields):
    """What is on the table: edition, number of players, Market, modules and options.

    Making one that cannot be played raises.

    >>> Ruleset("second", 5, market=True, modules=(1, 6)).players
    5
    >>> Ruleset("second", 5)
    Traceback (most recent call last):
    nevsky.errors.NevskyError: Five players need the Market (rule 1.2).
    """

    __slots__ = ()

    def __new__(cls, *args: Any, **kwargs: Any) -> Ruleset:
        """Check the choices and make the ruleset."""
        try:
            draft = _Fields(*args, **kwargs)
        except TypeError as error:
            raise NevskyError("ruleset.fields", fields=", ".join(cls._fields)) from error
        modules = _module_numbers(draft.modules)
        cards = None if draft.good_company is None else _card_ids(draft.good_company)
        ruleset = super().__new__(cls, *draft._replace(modules=modules, good_company=cards))
        ruleset._check()
        return ruleset

    def _check(self) -> None:
        if self.edition not in EDITIONS:
            raise NevskyError("ruleset.edition", edition=repr(self.edition))
        for name in ("market", "open_rubles", "open_hands"):
            if not isinstance(getattr(self, name), bool):
                raise NevskyError("option.boolean", option=name, value=repr(getattr(self, name)))
        self._check_modules()
        if not _is_whole(self.players):
            raise NevskyError("ruleset.players_whole", players=repr(self.players))
        if self.players == 5 and self.edition == "first":
            raise NevskyError("ruleset.first_players")
        if self.players == 5 and not self.market:
            raise NevskyError("ruleset.five_players")
        most = 5 if self.market else 4
        if not 2 <= self.players <= most:
            raise NevskyError("ruleset.players", most=most, players=self.players)
        if self.youngest is not None and not (_is_whole(self.youngest) and 0 <= self.youngest < self.players):
            raise NevskyError("ruleset.youngest", last=self.players - 1, seat=repr(self.youngest))

    def _check_modules(self) -> None:
        if self.edition == "first" and self.market:
            raise NevskyError("ruleset.first_market")
        if self.edition == "first" and self.modules:
            raise NevskyError("ruleset.first_modules")
        for module in self.modules:
            if MODULES[module].needs_market and not self.market:
                raise NevskyError("ruleset.module_market", module=module, name=Words(f"module.{module}"))
        for room in ROOMS:
            room.check(self)

    def to_dict(self) -> dict[str, Any]:
        """The ruleset as it stands in records: edition, players, market, modules and options."""
        options: dict[str, Any] = {name: getattr(self, name) for name in ("youngest", "open_rubles", "open_hands")}
        if self.good_company is not None:
            options["good_company"] = list(self.good_company)
        if self.real_obstacles is not None:
            options["real_obstacles"] = self.real_obstacles
        return {
            "edition": self.edition,
            "players": self.players,
            "market": self.market,
            "modules": list(self.modules),
            "options": options,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Ruleset:
        """Read what `to_dict` wrote."""
        if not isinstance(data, Mapping):
            raise NevskyError("ruleset.mapping")
        options = data.get("options", {})
        if not isinstance(options, Mapping):
            raise NevskyError("ruleset.options_mapping")
        unknown = set(data) - {"edition", "players", "market", "modules", "options"}
        unknown |= set(options) - set(_OPTIONS)
        if unknown:
            raise NevskyError("ruleset.unknown", fields=", ".join(sorted(map(str, unknown))))
        return cls(
            edition=data.get("edition", "second"),
            players=data.get("players", 4),
            market=data.get("market", False),
            modules=data.get("modules", ()),
            **options,
        )


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _module_numbers(value: object) -> tuple[int, ...]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise NevskyError("ruleset.modules_list", modules=repr(value))
    numbers = []
    for number in value:
        if not _is_whole(number) or number not in MODULES:
            raise NevskyError("ruleset.module", module=repr(number), last=len(ROOMS))
        numbers.append(number)
    return tuple(sorted(set(numbers)))


def _card_ids(value: object) -> tuple[str, ...]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise NevskyError("ruleset.company_list", cards=repr(value))
    ids = list(value)
    if not all(isinstance(card, str) for card in ids):
        raise NevskyError("ruleset.company_ids")
    return tuple(sorted(set(ids)))
