"""Advice that players of a table wait for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import structlog

from nevsky.rules.actions import parse_action
from nevsky.rules.view import View
from nevsky.server.errors import Refusal
from nevsky.server.metrics import count_refusal
from nevsky.server.protocol import HintReply, SuggestionLine
from nevsky.server.scheduler import Place
from nevsky.server.viewer import Viewer
from nevsky.texts.sentences import Wording

if TYPE_CHECKING:
    from nevsky.bots.protocol import Suggestion
    from nevsky.server.actor import Table

__all__ = ["Hints"]

log = structlog.get_logger()


class _Question(NamedTuple):
    viewer: Viewer
    version: int
    view: View


class Hints:
    """What was asked and not answered yet. Nobody thinks about it any more once it is out of date."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._asked: dict[asyncio.Task[None], _Question] = {}

    def ask(self, viewer: Viewer, version: int, view: View) -> None:
        """Send the player advice as soon as it is thought out."""
        question = _Question(viewer, version, view)
        task = asyncio.create_task(self._answer(question))
        self._asked[task] = question
        task.add_done_callback(self._asked.pop)

    def leave(self, viewer: Viewer) -> None:
        """Somebody is gone."""
        self._cancel(lambda question: question.viewer is viewer)

    def drop_stale(self) -> None:
        """Something has happened: whoever can see that needs no advice for what was before."""
        match = self._table.match
        self._cancel(lambda question: match is None or match.version(question.viewer.seat) != question.version)

    def clear(self) -> None:
        """The table is put away."""
        self._cancel(lambda _: True)

    def _cancel(self, fits: Callable[[_Question], bool]) -> None:
        for task, question in self._asked.items():
            if fits(question):
                task.cancel()

    def _place(self, viewer: Viewer) -> Place:
        """By address, and there by guest; who came with the link of a seat and without a cookie counts by the seat."""
        return Place(viewer.address, viewer.guest or f"{self._table.row.id}/{viewer.seat}")

    async def _answer(self, question: _Question) -> None:
        viewer, version, view = question
        try:
            found = await self._table.services.bot_pool.explain(view, self._place(viewer))
        except Refusal as refusal:
            count_refusal(refusal.code, refusal.reason)
            viewer.send(refusal.reply(viewer.language, "hint"))
            return
        except Exception:
            log.exception("hint_failed", table=self._table.row.id)
            viewer.send(Refusal("refused", "advice").reply(viewer.language, "hint"))
            return
        wording = Wording(viewer.language, view.ruleset.edition, self._table.names_in(viewer.language))
        viewer.send(_reply(version, view, found, wording))


def _reply(version: int, view: View, found: list[Suggestion], wording: Wording) -> HintReply:
    compared = [each.comparison for each in found if each.comparison is not None]
    return HintReply(
        version=version,
        suggestions=[_line(each, view, wording) for each in found],
        playouts=compared[0].playouts if compared else None,
        thorough=all(each.thorough for each in compared),
    )


def _line(each: Suggestion, view: View, wording: Wording) -> SuggestionLine:
    compared = each.comparison
    return SuggestionLine(
        action=each.action,
        label=wording.choice(parse_action(each.action), view.due),
        expected=each.expected,
        behind=None if compared is None else round(compared.behind, 1),
        close=compared is not None and compared.close,
        chances=[] if compared is None else [round(chance, 3) for chance in compared.chances],
        reason=each.why.say(wording.language, wording.edition, wording.seats) if each.why else each.reason,
    )
