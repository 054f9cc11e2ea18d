"""One game of an arena, from its number to its line in the results."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from nevsky.arena.entrants import Entrant
from nevsky.arena.setup import Setup
from nevsky.bots.driver import Driver, limit_playouts, play_on
from nevsky.record import result_dict, to_json
from nevsky.rules.game import Game

__all__ = ["Played", "play"]


class Played(NamedTuple):
    """What comes back from a game."""

    result: dict[str, Any]
    """Its line in the results: nothing in it depends on a clock."""
    timing: dict[str, Any]
    record: str | None


@lru_cache(maxsize=4)
def _makers(setup: Setup) -> tuple[Any, ...]:
    return tuple(
        limit_playouts(entrant.maker(setup.patience), setup.playouts if entrant.milliseconds is None else None)
        for entrant in setup.entrants
    )


def _by_clock(setup: Setup, entrant: Entrant) -> bool:
    return entrant.milliseconds is not None or (setup.playouts is None and entrant.playouts is None)


def play(setup: Setup, number: int) -> Played:
    """Play a game by its number."""
    fixture = setup.schedule.fixture(number)
    makers = _makers(setup)
    players = [
        Driver(
            makers[entrant],
            f"{setup.seed}-{number}-{seat}",
            milliseconds=setup.entrants[entrant].milliseconds or setup.milliseconds,
            patience=setup.patience,
            name=setup.labels[entrant],
            clocked=_by_clock(setup, setup.entrants[entrant]),
            memory=setup.entrants[entrant].memory,
        )
        for seat, entrant in enumerate(fixture.seats)
    ]
    names = [player.name for player in players]
    game = Game(setup.ruleset, f"{setup.seed}-{fixture.deal}", seats=names)
    play_on(game, dict(enumerate(players)))
    result = game.result
    assert result is not None
    told = result_dict(game)
    for player in players:
        player.game_over(told or {})
    line = {
        "game": number,
        "matchup": fixture.matchup,
        "deal": fixture.deal,
        "seats": list(fixture.seats),
        "scores": [final.total for final in result.final],
        "places": [final.place for final in result.final],
        "rounds": game.round,
        "actions": len(game.moves),
        "decisions": [player.decisions for player in players],
        "forfeits": [dict(sorted(player.forfeits.items())) for player in players],
    }
    timing = {
        "game": number,
        "ms": [round(player.time_taken, 3) for player in players],
        "processor": [None if used is None else round(used, 3) for used in (player.processor for player in players)],
        "longest": [round(player.longest, 3) for player in players],
        "overruns": [player.overruns for player in players],
        "failures": [player.last_failure[:200] for player in players],
    }
    return Played(line, timing, to_json(game) if setup.records else None)
