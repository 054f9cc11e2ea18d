"""What the Market or a module adds to plain data: to descriptions, views, deals and explanations.

A part has a default for everything, so each says only what it has to say. `parts` lists them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from typing import Any, ClassVar

from nevsky.errors import NevskyError
from nevsky.rules.course import FullPosition
from nevsky.rules.price import Reduction
from nevsky.rules.rng import Rng
from nevsky.rules.ruleset import Ruleset

__all__ = ["Part", "Restorer", "per_seat", "seat_number", "unreadable", "whole"]

Restorer = Callable[[FullPosition, Ruleset, Any], None]


class Part:
    """Plain data of the Market or a module in play."""

    number: ClassVar[int] = 0
    """The module's number, 0 for the Market."""
    dealt: ClassVar[str] = ""
    """The name under which a deal tells of it."""
    flow_names: ClassVar[tuple[str, ...]] = ()

    def describe(self, p: FullPosition) -> dict[str, Any]:
        """What it adds to the description of a position, secrets included."""
        return {}

    def state(self, p: FullPosition) -> object:
        """What holds the numbers that `flow_names` names."""
        return p

    def flow(self, p: FullPosition) -> dict[str, Any]:
        """Numbers that say how far a decision of several steps has come."""
        return {name: getattr(self.state(p), name) for name in self.flow_names}

    @property
    def restorers(self) -> dict[str, Restorer]:
        """How each thing that `describe` tells is set again."""
        return {}

    def restore_flow(self, p: FullPosition, flow: Mapping[str, int]) -> None:
        """Set what `flow` told."""
        for name in self.flow_names:
            if name in flow:
                setattr(self.state(p), name, flow[name])

    def deal_data(self, described: Any) -> Any:
        """The part of its description that was dealt; the same form arranges a deal."""
        return described

    def arranged(self, dealt: Any) -> Any:
        """The description of a position in which nothing but this was dealt."""
        return dealt

    def check_deal(self, p: FullPosition, ruleset: Ruleset) -> None:
        """Refuse a deal that the rules cannot have made."""

    def hide(self, table: MutableMapping[str, Any], p: FullPosition, viewer: int | None) -> None:
        """Take out of a description what the viewer may not know."""

    def asks_in_secret(self, p: FullPosition, seat: int) -> bool:
        """Whether nobody else may learn that this seat is asked something (12.2)."""
        return False

    def redeal(self, data: MutableMapping[str, Any], table: Mapping[str, Any], ruleset: Ruleset, rng: Rng) -> None:
        """Put something that agrees with the view in the place of what is hidden."""

    def own_cards(self, table: Mapping[str, Any]) -> Iterable[str]:
        """Cards that lie in no other place of a description."""
        return ()

    def final(self, p: FullPosition, seat: int) -> dict[str, Any]:
        """What it adds to the final scoring of a seat, by the fields of `Final`."""
        return {}

    def face_down(self, p: FullPosition, seat: int) -> dict[int, int]:
        """The cards of a seat that lie face down: kind to number."""
        return {}

    def turn_down(self, p: FullPosition, seat: int, kind: int, count: int) -> bool:
        """Arrange cards of this kind face down; False if it has none that can lie so."""
        return False

    def reductions(self, p: FullPosition, seat: int, kind: int) -> list[Reduction]:
        """What makes a card of this kind cheaper."""
        return []

    def last_reduction(self, p: FullPosition, price: int) -> Reduction | None:
        """What lowers a price when all else is taken off."""
        return None


def unreadable(what: str) -> NevskyError:
    """The refusal of plain data that makes no sense."""
    return NevskyError("position.unreadable", field=what)


def per_seat(ruleset: Ruleset, value: Sequence[Any]) -> Sequence[Any]:
    """A list with one entry for each seat."""
    if isinstance(value, (str, Mapping)) or len(value) != ruleset.players:
        raise NevskyError("position.per_seat", players=ruleset.players)
    return value


def seat_number(ruleset: Ruleset, seat: object) -> int:
    """A seat of this table."""
    if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < ruleset.players:
        raise NevskyError("seat.none", seat=repr(seat))
    return seat


def whole(value: object, least: int, most: int) -> int:
    """A whole number in a range."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise NevskyError("position.number", value=repr(value), least=least, most=most)
    return value
