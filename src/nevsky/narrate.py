"""A game told in sentences, one line for each action: the whole of it, or what one viewer may know."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from nevsky.cards import CARDS
from nevsky.rules.actions import Action
from nevsky.rules.constants import ASSIGNMENT, DRAWN, DUES, PICK_POCKET, PICK_POCKET_CARD, PUB, SCORING
from nevsky.rules.extras import SPACES, TILES
from nevsky.rules.full import FullPosition
from nevsky.rules.game import Final as FinalScore
from nevsky.rules.game import Game, Move
from nevsky.rules.position import Position
from nevsky.rules.ruleset import Ruleset
from nevsky.texts import amount, amounts, join, text
from nevsky.texts.sentences import Wording

__all__ = ["Changes", "Gain", "Tile", "changes", "narrate", "public_log", "secrecy", "sentence", "told_price"]

HIDDEN: Final = "hidden"
"""Nobody but the player may know that there was a decision at all."""
UNNAMED: Final = "unnamed"
"""Everybody sees that something was chosen, but not what."""


def sentence(
    action: Action,
    price: int | None = None,
    language: str = "en",
    edition: str = "second",
    *,
    seats: Sequence[str] = (),
    due: str | None = None,
) -> str:
    """What a player does, to be written behind the name.

    >>> from nevsky.rules.actions import parse_action
    >>> sentence(parse_action("buy wharf row 2 onto ship_builder"), 4)
    'buys Wharf from row 2 onto Ship Builder for 4'
    >>> sentence(parse_action("mooch library of 1 points"), language="de", seats=("Anna", "Boris"))
    'bekommt die Punkte von Bibliothek (Boris)'
    """
    return Wording(language, edition, seats).log(action, price, due=due)


class Gain(NamedTuple):
    """What a seat got beyond what its action says."""

    seat: int
    rubles: int
    points: int


class Tile(NamedTuple):
    """An obstacle that a seat has met."""

    seat: int
    space: int
    how: str
    """``bonus``, ``passed`` or ``stuck``."""
    lost: int = 0


class Changes(NamedTuple):
    """What followed from a move."""

    scoring: bool
    """A phase is being scored; otherwise the gains come from cards, events or tiles."""
    gains: tuple[Gain, ...]
    tiles: tuple[Tile, ...]


def told_price(move: Move) -> int | None:
    """The rubles that the sentence about a move names."""
    if move.action.verb == "upkeep" and move.action.choice == "pay":
        return min(move.round, 6)
    return move.price


def changes(move: Move, before: Position, after: Position) -> Changes:
    """What a move and everything after it brought, apart from what the sentence about it tells."""
    told_rubles, told_points = _told(move)
    gains = []
    tiles: list[Tile] = []
    for seat in range(after.n):
        own = seat == move.seat
        rubles = after.rubles[seat] - before.rubles[seat] - (told_rubles if own else 0)
        points = after.points[seat] - before.points[seat] - (told_points if own else 0)
        if isinstance(before, FullPosition) and isinstance(after, FullPosition):
            tiles += _tiles(seat, before, after)
            points += 0 if after.final else after.lost[seat] - before.lost[seat]
        if rubles or points:
            gains.append(Gain(seat, rubles, points))
    return Changes(_scoring(before, after), tuple(gains), tuple(tiles))


def _told(move: Move) -> tuple[int, int]:
    action = move.action
    match action.verb, action.choice:
        case "pub", _:
            return -2 * action.number, action.number
        case "guild_hall", _:
            return action.number, 4 - action.number
        case "trading_house", "pay":
            return -3, 2
        case "sycophant", "pay":
            return -1, 0
    return -(told_price(move) or 0), 0


def _scoring(before: Position, after: Position) -> bool:
    if (before.phase, before.round) != (after.phase, after.round):
        return True
    if isinstance(before, FullPosition) and isinstance(after, FullPosition):
        return SCORING in (before.stage, after.stage)
    return after.over or PUB in (before.due, after.due)


def _tiles(seat: int, before: FullPosition, after: FullPosition) -> Iterator[Tile]:
    for i, space in enumerate(SPACES):
        if (after.passed[seat] & ~before.passed[seat]) >> i & 1:
            yield Tile(seat, space, "bonus" if TILES[after.obstacle[i]].startswith("B") else "passed")
    lost = after.lost[seat] - before.lost[seat]
    if lost:
        ahead = next(i for i in range(len(SPACES)) if not after.passed[seat] >> i & 1)
        yield Tile(seat, SPACES[ahead], "stuck", lost)


def secrecy(move: Move, before: Position, game: Game, viewer: int | None) -> str:
    """What a viewer may not know about a move before the end: nothing, ``hidden`` or ``unnamed`` (12.2)."""
    if game.over or move.seat == viewer:
        return ""
    now = game.position
    if before.due == ASSIGNMENT:
        return "" if isinstance(now, FullPosition) and now.assignments_open() else UNNAMED
    if game.ruleset.open_hands:
        return ""
    if before.due == DRAWN and move.action.verb == "take":
        return UNNAMED
    if before.due == PICK_POCKET and move.action.verb == "pass":
        hand = zip(before.hand_of(move.seat), before.seen_of(move.seat), strict=True)
        return "" if any(kind == PICK_POCKET_CARD and seen for kind, seen in hand) else HIDDEN
    return ""


def narrate(game: Game, language: str = "en") -> str:
    """The whole game as a readable text, secrets included."""
    moves = [(move, position, "") for move, position in game.replay()]
    return _tell(game, moves, language)


def public_log(game: Game, viewer: int | None = None, language: str = "en") -> str:
    """The game as a seat may know it, or a spectator with None; after its end nothing is secret any more."""
    moves = []
    before = game.start_position
    for move, position in game.replay():
        moves.append((move, position, secrecy(move, before, game, viewer)))
        before = position
    return _tell(game, moves, language)


def _tell(game: Game, moves: Sequence[tuple[Move, Position, str]], language: str) -> str:
    wording = Wording(language, game.ruleset.edition, game.seats)
    title = text("title.game", language, words=_ruleset(game.ruleset, language), names=", ".join(game.seats))
    lines = [title]
    position = game.start_position
    width = max(len(name) for name in game.seats)
    heading = (0, "")
    number = 0
    for move, following, secret in moves:
        if secret == HIDDEN:
            position = following
            continue
        number += 1
        if (move.round, move.phase) != heading:
            lines.extend(_phase_heading(move, position, heading[0], wording))
            heading = (move.round, move.phase)
        words = wording.log(move.action, told_price(move), due=DUES[position.due], secret=secret == UNNAMED)
        forced = f"  {text('title.forced', language)}" if move.auto else ""
        lines.append(f"{number:4}  {game.seats[move.seat]:{width}}  {words}{forced}")
        lines.extend(_following(changes(move, position, following), wording))
        position = following
    lines.extend(_final(game, wording))
    return "\n".join(lines) + "\n"


def _ruleset(ruleset: Ruleset, language: str) -> str:
    words = [text(f"edition.{ruleset.edition}", language), amount(ruleset.players, "player", language)]
    words += [text("with_market", language)] if ruleset.market else []
    if ruleset.modules:
        words.append(text("with_modules", language, numbers=join(list(map(str, ruleset.modules)), language)))
    return ", ".join(words)


def _phase_heading(move: Move, position: Position, round_before: int, wording: Wording) -> list[str]:
    language = wording.language
    lines = []
    if move.round != round_before:
        last = f" {text('title.last', language)}" if position.last_round else ""
        lines += ["", text("title.round", language, number=move.round) + last]
    lines += ["", text(f"phase.{move.phase}", language)]
    for row in (1, 2):
        cards = [wording.card(CARDS[kind].text) for kind in position.row_of(row)]
        if cards or row == 1:
            shown = ", ".join(cards) or text("title.empty", language)
            lines.append("      " + text("title.row", language, row=row, cards=shown))
    return lines


def _following(after: Changes, wording: Wording) -> list[str]:
    language = wording.language
    lines = []
    if after.gains:
        parts = [
            text(
                "log.gains",
                language,
                name=wording.seat(gain.seat),
                gains=amounts(gain.rubles, gain.points, language, signed=True),
            )
            for gain in after.gains
        ]
        lines.append(text("title.scoring" if after.scoring else "title.gains", language, parts="; ".join(parts)))
    for tile in after.tiles:
        lines.append(
            text(
                f"log.obstacle.{tile.how}",
                language,
                name=wording.seat(tile.seat),
                space=tile.space,
                points=amount(tile.lost, "point", language),
            )
        )
    return [f"      {line}" for line in lines]


def _final(game: Game, wording: Wording) -> list[str]:
    language = wording.language
    result = game.result
    if result is None:
        return ["", text("final.not_over", language)]
    lines = ["", text("final.title", language)]
    position = game.position
    for final in sorted(result.final, key=lambda entry: entry.place):
        chosen = position.chosen[final.seat] if isinstance(position, FullPosition) else 0
        lines.append(
            text(
                "final.line",
                language,
                place=final.place,
                name=wording.seat(final.seat),
                parts=", ".join(_parts(final, game.ruleset, chosen, language)),
                points=amount(final.total, "point", language),
                rubles=amount(final.tie, "ruble", language),
            )
        )
        if 6 in game.ruleset.modules:
            lines.append(f"      {_obstacles(final, language)}")
    winners = [wording.seat(seat) for seat in result.winners]
    if len(winners) > 1:
        return [*lines, text("final.share", language, names=join(winners, language)) + "."]
    return [*lines, text("final.win", language, name=winners[0]) + "."]


def _parts(final: FinalScore, ruleset: Ruleset, chosen: int, language: str) -> list[str]:
    parts = [text("final.track", language, n=final.track), text("final.nobles", language, n=f"{final.nobles:+}")]
    if 5 in ruleset.modules:
        parts.append(text("final.assignment", language, n=f"{final.assignment:+}", number=chosen))
    parts.append(text("final.rubles", language, n=f"{final.rubles:+}"))
    parts.append(text("final.hand", language, n=f"{final.hand:+}"))
    if 6 in ruleset.modules:
        parts.append(text("final.obstacles", language, n=f"{final.obstacles:+}"))
    return parts


def _obstacles(final: FinalScore, language: str) -> str:
    spaces = ", ".join(map(str, final.passed)) or text("final.none", language)
    words = text("final.passed", language, spaces=spaces)
    return words if final.stuck is None else f"{words}; {text('final.stuck', language, space=final.stuck)}"
