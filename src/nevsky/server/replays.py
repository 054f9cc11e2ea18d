"""Finished games, step by step. When a game is over nothing in it is secret any more."""

from __future__ import annotations

import asyncio
from typing import Final

from nevsky.rules.game import Game
from nevsky.rules.ruleset import Ruleset
from nevsky.server.actor import Table
from nevsky.server.bot_pool import BotPool
from nevsky.server.errors import Refusal
from nevsky.server.match import Match
from nevsky.server.messages import table_context
from nevsky.server.present import present, ruleset_info
from nevsky.server.protocol import ReplayStep
from nevsky.texts.sentences import Wording

__all__ = ["evaluation", "finished", "replay_step"]

_PATIENCE: Final = 3.0


def finished(table: Table) -> Match:
    """The game, if it is over."""
    if table.match is None or not table.match.game.over:
        raise Refusal("refused", "unfinished")
    return table.match


async def evaluation(table: Table, bot_pool: BotPool) -> list[list[float]]:
    """The expected final scores at every step: computed when somebody looks, empty if that takes too long."""
    match = finished(table)
    if table.evaluation is None:
        actions = [action.id for action, _ in match.game.moves]
        work = bot_pool.evaluate(table.row.ruleset, table.row.deal or {}, actions)
        table.evaluation = asyncio.create_task(work)
    done, _ = await asyncio.wait([table.evaluation], timeout=_PATIENCE)
    return table.evaluation.result() if done else []


def replay_step(table: Table, step: int | None, seat: int | None, language: str) -> ReplayStep:
    """The table after so many moves, from a seat with everything open, and all its moves told so far."""
    match = finished(table)
    moves = match.game.moves
    steps = len(moves)
    at = steps if step is None else min(step, steps)
    if seat is not None and not 0 <= seat < table.ruleset.players:
        raise Refusal("refused", "replay_seat", last=table.ruleset.players - 1)
    opened = Ruleset(*table.ruleset._replace(open_rubles=True, open_hands=True))
    assert table.row.deal is not None
    deal = table.row.deal
    game = Game.from_piles(opened, deal["piles"], deal["tokens"], seats=table.names, **deal["deal"])
    for action, _ in moves[:at]:
        game.push(action)
    wording = Wording(language, opened.edition, table.names)
    lines = match.log.lines(seat, wording, first_moves=at)
    context = table_context(table, seat)._replace(version=at, log=lines, can_undo=False, auto_pass="off")  # noqa: S106
    state = present(game.view(seat), context, language, game.without_secrets(seat))
    state.ruleset = ruleset_info(table.ruleset)
    return ReplayStep(steps=steps, step=at, state=state, evaluation=[])
