"""In a process of the bots: a few decisions of a finished game are judged, or a few deals are played beside its own."""

from __future__ import annotations

import time
from typing import Any

from nevsky.review import Sample, decisions, judge, samples
from nevsky.rules.game import Game
from nevsky.rules.ruleset import Ruleset

__all__ = ["judge_part", "luck_part"]


def judge_part(
    ruleset: dict[str, Any], deal: dict[str, Any], actions: list[int], seat: int, first: int, seconds: float
) -> list[dict[str, Any]]:
    """What a seat's decisions were worth, from one of them on, as many as there is time for; at least one.

    The clock decides only how many they are.
    """
    ends = time.perf_counter() + seconds
    game = _dealt(ruleset, deal)
    for action in actions:
        game.push(action)
    found: list[dict[str, Any]] = []
    for each in list(decisions(game, seat))[first:]:
        if found and time.perf_counter() >= ends:
            break
        found.append(judge(game.ruleset, each).to_dict())
    return found


def luck_part(ruleset: dict[str, Any], deal: dict[str, Any], seat: int, first: int, seconds: float) -> list[Sample]:
    """Batches of games that tell how good a deal was for a seat, from one of them on; at least one."""
    ends = time.perf_counter() + seconds
    found: list[Sample] = []
    for each in samples(_dealt(ruleset, deal), seat, first=first):
        found.append(each)
        if time.perf_counter() >= ends:
            break
    return found


def _dealt(ruleset: dict[str, Any], deal: dict[str, Any]) -> Game:
    return Game.from_piles(Ruleset.from_dict(ruleset), deal["piles"], deal["tokens"], **deal["deal"])
