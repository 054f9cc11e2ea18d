"""Reviews of a table's game, as browsers see them. While a game goes on there is none, for nobody."""

from __future__ import annotations

import time

from nevsky.review import Luck, Verdict, decisions, moments, summarize
from nevsky.rules.actions import parse_action
from nevsky.server.actor import Table
from nevsky.server.errors import Refusal
from nevsky.server.judged.reviewing import SeatReview
from nevsky.server.match import Match
from nevsky.server.protocol import DealLuck, JudgedDecision, SeatReviewed
from nevsky.server.replays import finished
from nevsky.server.scheduler import Place
from nevsky.texts.sentences import Wording

__all__ = ["ask_review", "tell_review"]


async def ask_review(table: Table, seat: int) -> None:
    """Let the decisions of a seat be judged."""
    await _review(table, seat).ask()


async def tell_review(table: Table, seat: int, owner: str, known: int, language: str) -> SeatReviewed:
    """What is known, as soon as it is more than so many verdicts, or after a while."""
    review = _review(table, seat)
    await review.look(Place(owner, table.row.id), known)
    verdicts = review.found
    summary = summarize(verdicts)
    wording = Wording(language, table.ruleset.edition, table.names_in(language))
    return SeatReviewed(
        seat=seat,
        asked=review.asked,
        failed=review.failed,
        total=review.total,
        decisions=[_told(each, wording) for each in verdicts],
        accuracy=summary.accuracy,
        phases=dict(summary.phases),
        marks={str(mark): number for mark, number in summary.marks.items()},
        moments=[each.step for each in moments(verdicts)] if review.judged else [],
        luck=None if review.luck is None else _told_luck(review.luck, table, seat),
        luck_done=round(review.luck_done, 3),
    )


def _review(table: Table, seat: int) -> SeatReview:
    match = finished(table)
    if not 0 <= seat < table.ruleset.players:
        raise Refusal("refused", "replay_seat", last=table.ruleset.players - 1)
    actions = _actions(match)
    known = table.judged.get(seat)
    if known is not None and known[0] == actions:
        return known[1]
    if known is not None:
        known[1].cancel()

    def stands() -> bool:
        table.last_used = time.monotonic()
        same = table.match is not None and table.status == "over" and _actions(table.match) == actions
        return same and table.judged.get(seat) is entry

    services = table.services
    game = (table.row.ruleset, table.row.deal or {}, actions)
    total = sum(1 for _ in decisions(match.game, seat))
    entry = actions, SeatReview(services.bot_pool, services.storage, table.lease, game, seat, total, stands)
    table.judged[seat] = entry
    return entry[1]


def _actions(match: Match) -> list[int]:
    return [action.id for action, _ in match.game.moves]


def _told_luck(luck: Luck, table: Table, seat: int) -> DealLuck:
    result = finished(table).game.result
    return DealLuck(
        points=round(luck.points, 1),
        average=round(luck.average, 1),
        luck=round(luck.luck, 1),
        doubt=round(luck.doubt, 1),
        chance=round(luck.chance, 3),
        chance_luck=round(luck.chance_luck, 3),
        chance_doubt=round(luck.chance_doubt, 3),
        better=round(luck.better, 2),
        sure=luck.sure,
        made=None if result is None else result.final[seat].total,
        games=luck.games,
        deals=luck.deals,
    )


def _told(each: Verdict, wording: Wording) -> JudgedDecision:
    def choice(action: str) -> str:
        return wording.choice(parse_action(action), each.due)

    language, edition = wording.language, wording.edition
    return JudgedDecision(
        step=each.step,
        round=each.round,
        phase=each.phase,
        mark=each.mark,
        played=each.played,
        played_label=choice(each.played),
        better=each.better,
        better_label=choice(each.better),
        behind=round(each.behind, 1),
        doubt=round(each.doubt, 1),
        lost=round(each.lost, 3),
        lost_doubt=round(each.lost_doubt, 3),
        chance=round(each.chance, 3),
        sure=each.sure,
        playouts=each.playouts,
        why=each.why.say(language, edition, wording.seats),
        why_not=each.why_not.say(language, edition, wording.seats),
    )
