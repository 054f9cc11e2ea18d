"""The part of the HTTP API that is about the deals of days and weeks."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from statistics import median
from typing import Annotated, Final, cast

from fastapi import APIRouter, Query

from nevsky.server.components import Components
from nevsky.server.daily import tries
from nevsky.server.daily.calendar import Kind, begins, closes, current, ends, is_published, kind_of, stamp, utc_now
from nevsky.server.daily.dealing import Deal, commitment
from nevsky.server.daily.tries import Score, Try
from nevsky.server.errors import Refusal
from nevsky.server.http import REFUSALS, Address, ComponentsHere, Someone, Spoken, Visitor, created
from nevsky.server.present import ruleset_info
from nevsky.server.protocol import (
    DailyArchive,
    DailyBot,
    DailyDeal,
    DailyHome,
    DailyScore,
    DailyStandings,
    DailyTry,
    TableCreated,
)
from nevsky.server.protocol.daily import DailyStatus
from nevsky.server.seating import Guest
from nevsky.server.secret_file import load_secret
from nevsky.server.storage import CONFLICTS
from nevsky.texts.former import shown_name

__all__ = ["router", "streak"]

router = APIRouter(prefix="/api", responses=REFUSALS)
_SHOWN: Final = 20


def streak(played: Sequence[str], today: date) -> int:
    """How many days in a row were played, up to today; or up to yesterday, as long as today may still be played.

    >>> streak(["2026-11-18", "2026-11-17", "2026-11-14"], date(2026, 11, 19))
    2
    """
    days = {date.fromisoformat(each) for each in played}
    day = today if today in days else today - timedelta(days=1)
    number = 0
    while day in days:
        number += 1
        day -= timedelta(days=1)
    return number


def _check(components: Components) -> None:
    if not components.settings.daily:
        raise Refusal("not_found", "daily_off")


async def _deal(components: Components, key: str) -> Deal:
    _check(components)
    deal = await tries.get_deal(components.storage, load_secret(components.settings), key)
    await tries.settle(components.storage, deal)
    return deal


async def _shown(components: Components, deals: Sequence[Deal], found: Guest | None) -> list[DailyDeal]:
    keys = [deal.key for deal in deals]
    number = await tries.players(components.storage, keys)
    own = await tries.own_tries(components.storage, keys, None if found is None else found.id)
    return [_info(deal, number.get(deal.key, 0), own.get(deal.key)) for deal in deals]


def _info(deal: Deal, players: int, own: Try | None) -> DailyDeal:
    published = is_published(deal.key)
    return DailyDeal(
        deal=deal.key,
        kind=kind_of(deal.key),
        stage="published" if published else "open" if utc_now() < ends(deal.key) else "closing",
        ends=stamp(ends(deal.key)),
        closes=stamp(closes(deal.key)),
        ruleset=ruleset_info(deal.ruleset),
        seat=deal.seat,
        bots=[None if bot is None else DailyBot(level=bot[0], name=bot[1]) for bot in deal.bots],
        players=players,
        commitment=commitment(deal.seed),
        seed=deal.seed if published else None,
        own=None
        if own is None
        else DailyTry(table=own.table_id, status=cast(DailyStatus, own.status), score=own.score, place=own.place),
    )


@router.get("/daily")
async def get_daily(found: Visitor, components: ComponentsHere) -> DailyHome:
    """The deals of today and of this week."""
    if not components.settings.daily:
        return DailyHome(deals=[], streak=0)
    deals = [await _deal(components, current(kind)) for kind in ("day", "week")]
    played = await tries.days_of(components.storage, None if found is None else found.id)
    return DailyHome(deals=await _shown(components, deals, found), streak=streak(played, utc_now().date()))


@router.get("/daily/archive")
async def get_archive(
    found: Visitor,
    components: ComponentsHere,
    kind: Kind = "day",
    before: Annotated[str | None, Query(max_length=10)] = None,
) -> DailyArchive:
    """Earlier deals."""
    _check(components)
    if before is not None:
        begins(before)
    deals, following = await tries.earlier(components.storage, kind, before)
    return DailyArchive(deals=await _shown(components, deals, found), next=following)


@router.get("/daily/{key}")
async def get_standings(key: str, found: Visitor, components: ComponentsHere, spoken: Spoken) -> DailyStandings:
    """A deal and what everybody has made of it."""
    deal = await _deal(components, key)
    (info,) = await _shown(components, [deal], found)
    results = await tries.scores(components.storage, key)
    shown = is_published(key) or (info.own is not None and info.own.status != "playing")
    scores = _ranked(results, None if found is None else found.id)
    pages = await components.ties.pages({each.guest for each in results[:_SHOWN] if each.guest is not None})
    for each, result in zip(scores, results, strict=True):
        each.player = pages.get(result.guest or "")
        each.name = shown_name(each.name, spoken)
    master = await tries.master_of(components.storage, key) if shown else None
    if shown and master is None and info.players:
        await components.masters.want(deal)
    mine = next((each for each in scores if each.you), None)
    best = scores[:_SHOWN] + [each for each in scores[_SHOWN:] if each.you]
    return DailyStandings(
        deal=info,
        shown=shown,
        finished=len(results),
        median=median(each.score for each in results) if shown and results else None,
        master=None if master is None else master[deal.seat],
        rank=mine.rank if shown and mine is not None else None,
        scores=best if shown else [],
    )


def _ranked(results: Sequence[Score], guest: str | None) -> list[DailyScore]:
    """With their places; equal scores share one."""
    ranked: list[DailyScore] = []
    for number, each in enumerate(results, 1):
        rank = ranked[-1].rank if ranked and ranked[-1].score == each.score else number
        you = guest is not None and each.guest == guest
        ranked.append(DailyScore(rank=rank, name=each.name, player=None, score=each.score, place=each.place, you=you))
    return ranked


@router.post("/daily/{key}/try", status_code=201)
async def post_try(key: str, someone: Someone, components: ComponentsHere, where: Address) -> TableCreated:
    """Begin the try that counts, or go back to it."""
    deal = await _deal(components, key)
    own = await tries.own_try(components.storage, key, someone.id)
    if own is not None:
        return TableCreated(table=own.table_id, seat=deal.seat, seat_token=None)
    if utc_now() >= ends(key):
        raise Refusal("refused", "daily_ended")
    components.limits.check("daily", someone.id, where)
    try:
        return await _begin(components, deal, someone, where, practice=False)
    except CONFLICTS:  # they have asked twice at once
        return await post_try(key, someone, components, where)


@router.post("/daily/{key}/practice", status_code=201)
async def post_practice(key: str, someone: Someone, components: ComponentsHere, where: Address) -> TableCreated:
    """Play a deal that is over, or that one has played already, without counting."""
    deal = await _deal(components, key)
    own = await tries.own_try(components.storage, key, someone.id)
    if not is_published(key) and (own is None or own.status == "playing"):
        raise Refusal("refused", "daily_first")
    return await _begin(components, deal, someone, where, practice=True)


async def _begin(components: Components, deal: Deal, someone: Guest, where: str, *, practice: bool) -> TableCreated:
    components.limits.check("table", someone.id, where)
    row, own = await tries.begin(components.storage, deal, someone, practice=practice)
    if components.forwarding is None:
        await components.hub.get(row.id)
    return created(row, own)
