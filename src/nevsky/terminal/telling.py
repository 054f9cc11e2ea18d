"""The sentences of the log. Card and player names come in as rich markup."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from nevsky.rules.actions import Action
from nevsky.terminal.texts import amounts, and_list, many

AUTOMATIC: Final = " [quiet](automatic)[/]"


class Person(NamedTuple):
    """A player as the subject of a sentence."""

    name: str
    you: bool


def _does(who: Person, verb: str) -> str:
    ending = "" if who.you else "es" if verb.endswith("s") else "s"
    return f"{who.name} {verb}{ending}"


def _within(who: Person) -> str:
    """The player inside of a sentence."""
    return who.name.lower() if who.you else who.name


def _together(people: Sequence[Person]) -> str:
    """Several players as the subject, you first."""
    first, *others = sorted(people, key=lambda person: not person.you)
    return and_list([first.name, *map(_within, others)])


def welcome(edition: str, opponents: Sequence[str]) -> str:
    """The first sentence of all."""
    return (
        f"Welcome to Saint Petersburg! You play the {edition} edition against {and_list(opponents)}."
        " Make a choice by its number; ? explains the rest."
    )


def passes(people: Sequence[Person]) -> str:
    """Players who passed one after the other."""
    if len(people) == 1:
        return f"{_does(people[0], 'pass')}."
    return f"{_together(people)} pass."


def move(who: Person, action: Action, price: int | None, card: str, onto: str) -> str:
    """What a player has done; an empty card is one that the others have not seen."""
    paid = "" if price is None else f" for {price}"
    laid = f" onto {onto}" if onto else ""
    if action.drawn:
        return _drawn(who, action.verb, card, laid + paid)
    match action.verb:
        case "pass":
            return passes([who])
        case "buy":
            return f"{_does(who, 'buy')} {card}{laid}{paid}."
        case "play":
            return f"{_does(who, 'play')} {card} from the hand{laid}{paid}."
        case "take":
            return f"{_does(who, 'take')} {card} into the hand."
        case "observe":
            return f"{_does(who, 'use')} an observatory to look at the top card of the {action.pile} pile."
        case "pub":
            points = many(action.number, "point") if action.number else "no points"
            return f"{_does(who, 'buy')} {points} in the pub{f' for {2 * action.number}' if action.number else ''}."
    return f"{who.name}: {action.text}."


def _drawn(who: Person, verb: str, card: str, rest: str) -> str:
    """What happened to the card that an observatory showed (9.3)."""
    if verb == "buy":
        return f"{_does(who, 'buy')} the card, {card},{rest}."
    if verb == "take":
        return f"{_does(who, 'take')} the card{f', {card},' if card else ''} into the hand."
    return f"{_does(who, 'discard')} the card, {card}."


def scored(phase: str, gains: Sequence[tuple[Person, int, int]]) -> str:
    """What the scoring of a phase has paid."""
    shares = [f"{_within(who)} {amounts(rubles, points)}" for who, rubles, points in gains if rubles or points]
    return f"[head]{phase.capitalize()} scoring:[/] {'; '.join(shares) or 'nothing for anybody'}."


def round_begins(number: int, cleared: Sequence[str]) -> str:
    """A new round, with the cards that were cleared from row 2."""
    gone = f" Discarded from row 2: {', '.join(cleared)}." if cleared else ""
    return f"[head]Round {number} begins:[/] row 1 moves down, the tokens go on.{gone}"


def phase_begins(phase: str, cards: Sequence[str]) -> str:
    """A new phase, with the cards that were laid out."""
    return f"[head]{phase.capitalize()} phase.[/] New in row 1: {', '.join(cards) if cards else 'nothing'}."


def last_round(pile: str) -> str:
    """The end is near."""
    return f"[note]The {pile} pile is empty: this is the last round.[/]"


def winners(people: Sequence[Person], points: int) -> str:
    """Who has won."""
    if len(people) > 1:
        return f"{_together(people)} share the victory with {many(points, 'point')}."
    cheer = " Congratulations!" if people[0].you else ""
    return f"{_does(people[0], 'win')} with {many(points, 'point')}.{cheer}"
