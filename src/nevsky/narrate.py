"""A game told in sentences, one line for each action: the whole of it, or what one viewer may know."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from nevsky.rules.actions import Action
from nevsky.rules.game import Final, Game
from nevsky.rules.modules import ASSIGNMENTS, OBSTACLES
from nevsky.rules.modules.assignments.data import chosen_number
from nevsky.rules.ruleset import Ruleset
from nevsky.telling import Listener, MoveFacts, Opening, Telling
from nevsky.texts import amount, amounts, join, series, text
from nevsky.texts.sentences import Wording

__all__ = ["consequences", "narrate", "public_log", "sentence"]


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
    'buys a Wharf from row 2 onto the Ship Builder for 4'
    >>> sentence(parse_action("mooch library of 1 points"), language="de", seats=("Anna", "Boris"))
    'bekommt die Punkte von der Bibliothek (Boris)'
    """
    return Wording(language, edition, seats).log(action, price, due=due)


def narrate(game: Game, language: str = "en") -> str:
    """The whole game as a readable text, secrets included."""
    telling = Telling(game)
    return _tell(game, telling, Listener(telling, None, all_secrets=True), language)


def public_log(game: Game, viewer: int | None = None, language: str = "en") -> str:
    """The game as a seat may know it, or a spectator with None; after its end nothing is secret any more."""
    telling = Telling(game)
    return _tell(game, telling, Listener(telling, viewer), language)


def consequences(facts: MoveFacts, wording: Wording, viewer: int | None = None) -> list[str]:
    """What the scoring, cards, events and tiles have brought, a sentence each; the viewer is "you"."""
    language = wording.language

    def name(seat: int) -> str:
        return text("you", language) if seat == viewer else wording.seat(seat)

    lines = []
    if facts.gains:
        parts = [_gains(name(gain.seat), gain.rubles, gain.points, language) for gain in facts.gains]
        key = "title.scoring" if facts.scoring else "title.gains"
        lines.append(text(key, language, parts=series(parts, language)))
    for tile in facts.tiles:
        lines.append(
            text(
                f"log.obstacle.{tile.how}",
                language,
                you=tile.seat == viewer,
                name=name(tile.seat),
                space=tile.space,
                points=amount(tile.lost, "point", language),
            )
        )
    return lines


@lru_cache(maxsize=4096)
def _gains(name: str, rubles: int, points: int, language: str) -> str:
    return text("log.gains", language, name=name, gains=amounts(rubles, points, language, signed=True))


def _tell(game: Game, telling: Telling, listener: Listener, language: str) -> str:
    wording = Wording(language, game.ruleset.edition, game.seats)
    title = text("title.game", language, words=_ruleset(game.ruleset, language), names=", ".join(game.seats))
    lines = [title]
    width = max(len(name) for name in game.seats)
    for facts in telling.moves:
        known = listener.hear(facts)
        if known is None:
            continue
        if known.opening is not None:
            lines.extend(_phase_heading(known.opening, known.new_round, wording))
        words = wording.log(facts.move.action, facts.paid, due=facts.due, secret=known.unnamed)
        forced = f"  {text('title.forced', language)}" if known.auto else ""
        lines.append(f"{known.number:4}  {game.seats[facts.move.seat]:{width}}  {words}{forced}")
        lines.extend(f"      {line}" for line in consequences(facts, wording))
    lines.extend(_final(game, wording))
    return "\n".join(lines) + "\n"


def _ruleset(ruleset: Ruleset, language: str) -> str:
    words = [text(f"edition.{ruleset.edition}", language), amount(ruleset.players, "player", language)]
    words += [text("with_market", language)] if ruleset.market else []
    if ruleset.modules:
        words.append(text("with_modules", language, numbers=join(list(map(str, ruleset.modules)), language)))
    return ", ".join(words)


def _phase_heading(opening: Opening, new_round: bool, wording: Wording) -> list[str]:
    language = wording.language
    lines = []
    if new_round:
        last = f" {text('title.last', language)}" if opening.last_round else ""
        lines += ["", text("title.round", language, number=opening.round) + last]
    lines += ["", text(f"phase.{opening.phase}", language)]
    for row, kinds in enumerate((opening.row1, opening.row2), 1):
        cards = [str(wording.card(card)) for card in kinds]
        if cards or row == 1:
            shown = ", ".join(cards) or text("title.empty", language)
            lines.append("      " + text("title.row", language, row=row, cards=shown))
    return lines


def _final(game: Game, wording: Wording) -> list[str]:
    language = wording.language
    result = game.result
    if result is None:
        return ["", text("final.not_over", language)]
    lines = ["", text("final.title", language)]
    position = game.position
    for final in sorted(result.final, key=lambda entry: entry.place):
        chosen = chosen_number(position, final.seat)
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
        if OBSTACLES.in_play(game.ruleset):
            lines.append(f"      {_obstacles(final, language)}")
    winners = [wording.seat(seat) for seat in result.winners]
    if len(winners) > 1:
        return [*lines, text("final.share", language, names=join(winners, language)) + "."]
    return [*lines, text("final.win", language, name=winners[0]) + "."]


def _parts(final: Final, ruleset: Ruleset, chosen: int, language: str) -> list[str]:
    parts = [text("final.track", language, n=final.track), text("final.nobles", language, n=f"{final.nobles:+}")]
    if ASSIGNMENTS.in_play(ruleset):
        parts.append(text("final.assignment", language, n=f"{final.assignment:+}", number=chosen))
    parts.append(text("final.rubles", language, n=f"{final.rubles:+}"))
    parts.append(text("final.hand", language, n=f"{final.hand:+}"))
    if OBSTACLES.in_play(ruleset):
        parts.append(text("final.obstacles", language, n=f"{final.obstacles:+}"))
    return parts


def _obstacles(final: Final, language: str) -> str:
    spaces = ", ".join(map(str, final.passed)) or text("final.none", language)
    words = text("final.passed", language, spaces=spaces)
    if final.stuck is None:
        return words
    return series([words, text("final.stuck", language, space=final.stuck)], language)
