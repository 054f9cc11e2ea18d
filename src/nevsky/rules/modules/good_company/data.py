"""Good Company as plain data."""

from __future__ import annotations

from nevsky.rules.course import FullPosition
from nevsky.rules.modules.good_company.room import DEBTORS_PRISON, ROOM
from nevsky.rules.modules.good_company.rules import GoodCompany
from nevsky.rules.part import Part

__all__ = ["PART"]


class GoodCompanyPart(Part):
    """The Debtors' Prison, and Sycophants that wait for their ruble."""

    number = ROOM.number
    flow_names = ("to_ask",)

    def state(self, p: FullPosition) -> GoodCompany:
        assert p.good_company is not None
        return p.good_company

    def face_down(self, p: FullPosition, seat: int) -> dict[int, int]:
        return {DEBTORS_PRISON: self.state(p).prison_down[seat]}

    def turn_down(self, p: FullPosition, seat: int, kind: int, count: int) -> bool:
        if kind != DEBTORS_PRISON:
            return False
        self.state(p).turn_prison(p, seat, count)
        return True


PART = GoodCompanyPart()
