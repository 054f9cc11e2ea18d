"""A game told in sentences, one line for each action."""

from __future__ import annotations

from collections.abc import Sequence

from nevsky.cards import CARDS, card_name
from nevsky.rules.actions import Action
from nevsky.rules.game import Game, Move
from nevsky.rules.position import Position

__all__ = ["narrate", "sentence"]


def sentence(action: Action, price: int | None = None, language: str = "en", edition: str = "second") -> str:
    """What a player does, to be written behind the name.

    >>> from nevsky.rules.actions import parse_action
    >>> sentence(parse_action("buy wharf row 2 onto ship_builder"), 4)
    'buys Wharf from row 2 onto Ship Builder for 4'
    """

    def name(card: str) -> str:
        symbol = card.partition(":")[2]
        plain = card_name(card, language, edition)
        return f"{plain} ({symbol})" if symbol else plain

    words = []
    if action.verb == "pass":
        return "passes"
    if action.verb == "observe":
        return f"looks at the top {action.pile} card with the Observatory"
    if action.verb == "pub":
        if not action.number:
            return "buys no points at the Pub"
        points = "1 point" if action.number == 1 else f"{action.number} points"
        return f"buys {points} at the Pub for {2 * action.number}"
    words.append({"buy": "buys", "take": "takes", "play": "plays", "discard": "discards"}.get(action.verb, action.verb))
    words.append(name(action.card))
    if action.row == 2:
        words.append("from row 2")
    if action.verb == "play":
        words.append("from the hand")
    if action.drawn and action.verb != "discard":
        words.append("which was drawn")
    if action.onto:
        words.append(f"onto {name(action.onto)}")
    if price is not None:
        words.append(f"for {price}")
    return " ".join(words)


def narrate(game: Game, language: str = "en") -> str:
    """The whole game as a readable text."""
    edition = game.ruleset.edition
    lines = [
        f"Saint Petersburg, {edition} edition, {game.ruleset.players} players: {', '.join(game.seats)}",
    ]
    position = game.start_position
    width = max(len(name) for name in game.seats)
    heading = (0, "")
    for move, following in game.replay():
        if (move.round, move.phase) != heading:
            lines.extend(_phase_heading(game, move, position, heading[0], language))
            heading = (move.round, move.phase)
        text = sentence(move.action, move.price, language, edition)
        lines.append(f"{move.number:4}  {game.seats[move.seat]:{width}}  {text}{'  (forced)' if move.auto else ''}")
        lines.extend(_income(game, move, position, following))
        position = following
    lines.extend(_final(game))
    return "\n".join(lines) + "\n"


def _phase_heading(game: Game, move: Move, position: Position, round_before: int, language: str) -> list[str]:
    lines = []
    if move.round != round_before:
        lines += ["", f"ROUND {move.round}" + (" (the last)" if position.last_round else "")]

    def cards(kinds: Sequence[int]) -> str:
        return ", ".join(card_name(CARDS[k].text, language, game.ruleset.edition) for k in kinds) or "empty"

    lines += ["", f"{move.phase.capitalize()} phase", f"      row 1: {cards(position.row_of(1))}"]
    if position.row_of(2):
        lines.append(f"      row 2: {cards(position.row_of(2))}")
    return lines


def _income(game: Game, move: Move, before: Position, after: Position) -> list[str]:
    """What the scoring paid that followed from a move."""
    if before.due == after.due and (before.phase, before.round) == (after.phase, after.round):
        return []
    paid = 2 * move.action.number if move.action.verb == "pub" else move.price or 0
    bought = move.action.number if move.action.verb == "pub" else 0
    parts = []
    for seat, name in enumerate(game.seats):
        own = seat == move.seat
        rubles = after.rubles[seat] - before.rubles[seat] + (paid if own else 0)
        points = after.points[seat] - before.points[seat] - (bought if own else 0)
        if rubles or points:
            gained = [f"{rubles:+} rubles"] if rubles else []
            gained += [f"{points:+} points"] if points else []
            parts.append(f"{name} {' and '.join(gained)}")
    return [f"      Scoring: {'; '.join(parts)}"] if parts else []


def _final(game: Game) -> list[str]:
    result = game.result
    if result is None:
        return ["", "The game is not over yet."]
    lines = ["", "FINAL SCORING"]
    for final in sorted(result.final, key=lambda entry: entry.place):
        lines.append(
            f"{final.place}. {game.seats[final.seat]}: {final.track} on the track, {final.nobles:+} for nobles,"
            f" {final.rubles:+} for rubles, {final.hand:+} for the hand = {final.total} points"
            f" ({final.tie} rubles break a tie)"
        )
    winners = " and ".join(game.seats[seat] for seat in result.winners)
    lines.append(f"{winners} {'share the victory' if len(result.winners) > 1 else 'wins'}.")
    return lines
