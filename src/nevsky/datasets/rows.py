"""A game as rows: one for itself, and one for each of its decisions."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from nevsky.cards import PILES
from nevsky.encoding import Encoder
from nevsky.record import to_json
from nevsky.rules.constants import DUES
from nevsky.rules.game import Game
from nevsky.rules.ruleset import RULES_VERSION

if TYPE_CHECKING:
    from polars import Schema

__all__ = ["decision_rows", "decision_schema", "game_row", "game_schema"]

_PARTS: Final = ("track", "nobles", "rubles", "hand", "assignment", "obstacles", "rubles_left", "tie")
"""Fields of the final scoring that get a column."""


def game_schema() -> Schema:
    """The columns of the table of games."""
    import polars as pl

    seat, text, flag, amounts = pl.UInt8(), pl.String(), pl.Boolean(), pl.List(pl.Int16)
    return pl.Schema(
        {
            "game": pl.UInt32(),
            "id": text,
            "file": text,
            "rules": text,
            "edition": text,
            "players": pl.UInt8(),
            "market": flag,
            "modules": pl.List(pl.UInt8),
            "youngest": seat,
            "open_rubles": flag,
            "open_hands": flag,
            "good_company": pl.List(pl.String),
            "real_obstacles": pl.UInt8(),
            "seed": text,
            "arranged": flag,
            "seats": pl.List(pl.String),
            "rounds": pl.UInt8(),
            "decisions": pl.UInt32(),
            "winner": seat,
            "winners": pl.List(pl.UInt8),
            "shares": pl.List(pl.Float32),
            "scores": amounts,
            "places": pl.List(pl.UInt8),
            **dict.fromkeys(_PARTS, amounts),
        }
    )


def decision_schema(*, observations: bool) -> Schema:
    """The columns of the table of decisions."""
    import polars as pl

    seen = {"places": pl.List(pl.UInt16), "values": pl.List(pl.Float32)} if observations else {}
    return pl.Schema(
        {
            "game": pl.UInt32(),
            "ply": pl.UInt32(),
            "round": pl.UInt8(),
            "phase": pl.String(),
            "due": pl.String(),
            "seat": pl.UInt8(),
            "action": pl.UInt16(),
            "text": pl.String(),
            "choices": pl.UInt16(),
            "legal": pl.List(pl.UInt16),
            "forced": pl.Boolean(),
            "auto": pl.Boolean(),
            "rubles": pl.Int16(),
            "points": pl.Int16(),
            "score": pl.Int16(),
            "place": pl.UInt8(),
            "share": pl.Float32(),
            **seen,
        }
    )


def game_row(game: Game, number: int, file: str) -> tuple[Any, ...]:
    """The row of a finished game, in the order of the columns."""
    result = game.result
    assert result is not None
    ruleset = game.ruleset
    winners = list(result.winners)
    return (
        number,
        sha256(to_json(game).encode(errors="surrogatepass")).hexdigest()[:32],
        _readable(file),
        RULES_VERSION,
        ruleset.edition,
        ruleset.players,
        ruleset.market,
        list(ruleset.modules),
        ruleset.youngest,
        ruleset.open_rubles,
        ruleset.open_hands,
        None if ruleset.good_company is None else list(ruleset.good_company),
        ruleset.real_obstacles,
        _readable(game.seed),
        game.arranged is not None,
        [_readable(name) for name in game.seats],
        game.round,
        len(game.moves),
        winners[0] if len(winners) == 1 else None,
        winners,
        [1 / len(winners) if seat in winners else 0.0 for seat in range(ruleset.players)],
        [entry.total for entry in result.final],
        [entry.place for entry in result.final],
        *([getattr(entry, part) for entry in result.final] for part in _PARTS),
    )


def _readable(text: str) -> str:
    """A text that every reader can take: names of files and people may hold halves of characters."""
    return text.encode(errors="replace").decode()


def decision_rows(game: Game, number: int, encoder: Encoder | None) -> list[tuple[Any, ...]]:
    """The rows of its decisions; with an encoder also what the seat that decided could see before it did."""
    result = game.result
    assert result is not None
    winners, final, ruleset = result.winners, result.final, game.ruleset
    rows = []
    position = game.start_position
    for ply, (action, auto) in enumerate(game.moves, 1):
        seat, legal = position.seat, position.legal()
        row: tuple[Any, ...] = (
            number,
            ply,
            position.round,
            PILES[position.phase],
            DUES[position.due],
            seat,
            action.id,
            action.text,
            len(legal),
            legal,
            len(legal) == 1,
            auto,
            position.rubles[seat],
            position.points[seat],
            final[seat].total,
            final[seat].place,
            1 / len(winners) if seat in winners else 0.0,
        )
        if encoder is not None:
            encoder.encode(position, seat, int(ruleset.open_rubles), int(ruleset.open_hands))
            numbers = encoder.numbers()
            places = sorted(numbers)  # not as they were written down: that order is not for everybody to know
            row += (places, [numbers[place] for place in places])
        rows.append(row)
        position.play(action.id)
    return rows
