"""The words around the table: headings, choices, questions and answers. Names come in as rich markup."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Final

from rich.markup import escape

from nevsky.rules.actions import Action
from nevsky.rules.explain import Price
from nevsky.rules.ruleset import Ruleset

YOU: Final = "You"
TOKENS: Final = {"worker": "hammer", "market": "sack", "building": "cathedral", "noble": "bust", "exchange": "hand"}
COLOURS: Final = {"worker": "green", "building": "blue", "noble": "red"}
"""The colours in the order of the phases that score them."""
PILES: Final = "Piles"
ROW_1: Final = "Row 1"
ROW_2: Final = "Row 2"
LEGEND_1: Final = "cost→your price, income: r rubles, p points"
LEGEND_2: Final = "1 ruble less"
EMPTY_ROW: Final = "no cards"
NO_PRICE: Final = "–"
HAND: Final = "hand"
HIDDEN_RUBLES: Final = "rubles hidden"
NO_CARDS: Final = "no cards in the area yet"
LAST_ROUND: Final = " LAST ROUND "
SINCE: Final = "Since your last decision"
BEGINNING: Final = "The beginning"
MORE_LOG: Final = "… (l shows all)"
COMMANDS: Final = "number = choose   e N price   c NAME card   l log   u undo   ? help   q quit"
PROMPT: Final = "Your choice (? for help): "
LEAVE: Final = "Leave the game? It is not saved. (y/n) "
YES: Final = frozenset({"y", "yes"})
GOING_ON: Final = "Good, the game goes on."
INPUT_ENDED: Final = "There is no more input, so the game ends here. It is not saved."
GOODBYE: Final = "Do svidaniya!"
MUST_ACT: Final = "You cannot pass at this decision; choose one of the numbers."
NOTHING_TO_UNDO: Final = "There is no decision of yours to take back."
SEEN_SINCE: Final = "Your last decision stands: hidden cards have been seen since."
FINAL_TITLE: Final = "Final scoring (8.2)"
FINAL_COLUMNS: Final = (
    "Place",
    "Player",
    "Track",
    "Nobles\n(different)",
    "Rubles\n(all)",
    "Hand\n(cards)",
    "Total",
    "Tie-break\n(8.4)",
)


def many(number: int, word: str) -> str:
    """A number of things."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def and_list(words: Sequence[str]) -> str:
    """One, two and three."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def amounts(rubles: int, points: int) -> str:
    """Income in words."""
    parts = [many(rubles, "ruble")] if rubles else []
    parts += [many(points, "point")] if points else []
    return and_list(parts) if parts else "nothing"


def short(rubles: int, points: int) -> str:
    """Income as it stands on a card."""
    parts = [f"{rubles:+}r"] if rubles else []
    parts += [f"{points:+}p"] if points else []
    return " ".join(parts) if parts else "+0"


def own_name(name: str) -> str:
    """The name of the person at the terminal among the others."""
    return f"{name} (you)"


def title(number: int, phase: str) -> str:
    """The line over the table."""
    return f" Saint Petersburg · round {number} · {phase} phase "


def short_title(number: int, phase: str) -> str:
    """The same where there is little room."""
    return f"Round {number} · {phase} phase"


def discarded(number: int) -> str:
    """The size of the discard pile."""
    return f"discard pile {number}"


def hand(number: int, limit: int, known: Sequence[str]) -> str:
    """A hand and what is known of it."""
    listed = f" ({', '.join(known)})" if known else ""
    return f"hand {number}/{limit}{listed}"


def unseen(number: int, pile: str) -> str:
    """Cards on a hand of which only the backs are known."""
    return many(number, f"{pile} card")


def tokens(held: Sequence[str]) -> str:
    """The start-player tokens of a player."""
    return f"{'token' if len(held) == 1 else 'tokens'} {and_list(held)}" if held else ""


def group(colour: str, count: int, rubles: int, points: int) -> str:
    """The heading of the cards of one colour in an area: how many, and what they pay."""
    return f"[name.{colour}]{count} {colour} {short(rubles, points)}[/]"


def kinds(number: int) -> str:
    """How many different nobles there are."""
    return f"[red]({number} different)[/]"


def area_card(card: str, count: int, face_down: int) -> str:
    """Equal cards in an area."""
    if count == 1:
        return f"{card} (face down)" if face_down else card
    return f"{card} ×{count} ({face_down} face down)" if face_down else f"{card} ×{count}"


def due(kind: str | None, must_buy: bool, rubles: int, drawn: str, pile: str) -> str:
    """The question that the choices answer."""
    have = f"you have {many(rubles, 'ruble')}"
    if kind == "drawn":
        return f"Your observatory shows {drawn} from the {pile} pile; {have}. What happens to it (9.3)?"
    if kind == "pub":
        return f"How many points do you buy in the pub, at 2 rubles each (7.3)? Now {have}."
    if must_buy:
        return f"Your turn: buy one of the first workers (3.6); {have}."
    return f"Your turn; {have}."


def choice(action: Action, price: Price | None, card: str, onto: str) -> str:
    """What a player may do now, with the price."""
    paid = "" if price is None else f": [price]{many(price.price, 'ruble')}[/]{sum_of(price)}"
    where = " from row 2" if action.row == 2 else ""
    laid = f" onto {onto}" if onto else ""
    match action.verb:
        case "pass":
            return "pass"
        case "buy" | "play":
            return f"{action.verb} {card}{where}{laid}{paid}"
        case "take":
            return f"take {card}{where}{' into the hand' if action.drawn else ''}"
        case "discard":
            return f"discard {card}"
        case "observe":
            return f"look at the {action.pile} pile"
        case "pub":
            return (
                f"{many(action.number, 'point')} for {many(2 * action.number, 'ruble')}"
                if action.number
                else "no points"
            )
    return action.text


def sum_of(price: Price) -> str:
    """The figures of a price, where there is more than one."""
    steps = "".join(f" - {part.rubles}" for part in price.reductions if part.reason != "minimum")
    least = ", at least 1" if any(part.reason == "minimum" for part in price.reductions) else ""
    return f" ({price.cost}{steps}{least})" if steps else ""


def receipt(price: Price, card: str, rubles: int, names: Sequence[str]) -> list[str]:
    """A price with every reduction, one line each; ``names`` are the cards that the reductions come from."""
    lines = [f"  {price.cost:>3}  printed cost of {card}"]
    for part, name in zip(price.reductions, names, strict=True):
        match part.reason:
            case "replaced":
                why = f"replaces {name} (5.2)"
            case "row_2":
                why = "lies in row 2 (5.1)"
            case "same_name":
                why = f"you own {part.rubles} × {name} (5.1)"
            case "minimum":
                why = "but a card costs at least 1 ruble (5.3)"
            case _:
                why = f"your {name} (5.1, 9.2)"
        lines.append(f"  {'-' if part.rubles >= 0 else '+'}{abs(part.rubles):>2}  {why}")
    lines.append(
        f"  [price]={price.price:>2}[/]  your price; you keep {rubles - price.price} of {many(rubles, 'ruble')}"
    )
    return lines


def costs_nothing(number: int, words: str) -> str:
    """The answer when a choice has no price to explain."""
    return f"Choice {number} ({words}) lays no card, so there is no price to explain."


def what_number(command: str, first: int, last: int) -> str:
    """The answer when a command needs the number of a choice."""
    return f"Say which choice you mean, from {first} to {last}: for example [number]{command} {first}[/]."


def no_such_number(first: int, last: int) -> str:
    """The answer to a number that no choice has."""
    return f"The choices go from {first} to {last}; type one of these numbers, or ? for help."


def not_understood(entry: str, first: int, last: int) -> str:
    """The answer to anything else."""
    return f"“{entry}” is neither a choice nor a command. Type a number from {first} to {last}, or ? for help."


def taken_back(words: str) -> str:
    """The note after an undo."""
    return f"[note]Taken back with all that followed:[/] {words}"


def final_nobles(points: int, different: int) -> str:
    """Points for different nobles."""
    return f"{points} ({different})"


def final_rubles(points: int, rubles: int) -> str:
    """Points for rubles."""
    return f"{points} ({rubles})"


def final_hand(points: int, cards: int) -> str:
    """Minus points for the hand."""
    return f"{points} ({cards})"


def tie_break(rubles: int) -> str:
    """The rubles that break a tie."""
    return many(rubles, "ruble")


def again(seed: str, ruleset: Ruleset) -> str:
    """How to play the same deal again."""
    options = [("--edition", ruleset.edition), ("--players", str(ruleset.players)), ("--seed", seed)]
    words = ["nevsky play", *(f"{option} {shlex.quote(value)}" for option, value in options)]
    words += ["--open-rubles"] if ruleset.open_rubles else []
    words += ["--open-hands"] if ruleset.open_hands else []
    return f"The seed was [head]{escape(seed)}[/]. The same cards again: {escape(' '.join(words))}"


def saved(path: str) -> str:
    """The record was written."""
    return f"The record of the game is in {path}."


def not_saved(path: str, reason: str) -> str:
    """The record was not written."""
    return f"The record could not be written to {path}: {reason}."
