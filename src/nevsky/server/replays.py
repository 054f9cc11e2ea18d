"""Finished games, step by step. When a game is over nothing in it is secret any more."""

from __future__ import annotations

from nevsky.rules.game import Game
from nevsky.rules.ruleset import Ruleset
from nevsky.server.absence import is_conceded
from nevsky.server.actor import Table
from nevsky.server.context import Sitting, spoken
from nevsky.server.errors import Refusal
from nevsky.server.match import Match
from nevsky.server.present import OwnContext, present, ruleset_info
from nevsky.server.protocol import Evaluation, ReplayStep
from nevsky.server.reviews import Review
from nevsky.server.scheduler import Place
from nevsky.texts.sentences import Wording

__all__ = ["evaluation", "finished", "replay_step"]


def finished(table: Table) -> Match:
    """The game, if it is over."""
    if table.match is None or table.status != "over":
        raise Refusal("refused", "unfinished")
    return table.match


async def evaluation(table: Table, owner: str) -> Evaluation:
    """The expected final scores and chances to win at every step: computed when somebody looks, and part by part."""
    match = finished(table)
    actions = [action.id for action, _ in match.game.moves]
    if table.review is None or not table.review.is_about(actions):
        game = (table.row.ruleset, table.row.deal or {}, actions)
        table.review = Review(table.services.bot_pool, table.services.storage, table.lease, game)
    curves = await table.review.look(Place(owner, table.row.id))
    return Evaluation(steps=len(actions), scores=curves.scores, chances=curves.chances)


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
    game = Game.from_piles(opened, deal["piles"], deal["tokens"], seats=table.names_in(language), **deal["deal"])
    for action, _ in moves[:at]:
        game.push(action)
    wording = Wording(language, opened.edition, table.names_in(language))
    lines = match.log.lines(seat, wording, first_moves=at)
    view = game.view(seat)
    context = spoken(Sitting(table).context(view.to_move), language)._replace(
        conceded=is_conceded(table) and at == steps
    )
    known = lambda: game.without_secrets(seat)  # noqa: E731
    state = present(view, context, language, known, OwnContext(version=at), lines)
    state["ruleset"] = ruleset_info(table.ruleset)
    return ReplayStep(steps=steps, step=at, state=state)
