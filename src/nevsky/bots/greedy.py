"""The bot that looks one action ahead: it takes what seems to bring most points until the end of the game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from nevsky.bots.appraisal import Appraisal
from nevsky.bots.parameters import Parameters
from nevsky.bots.protocol import UNHURRIED, Suggestion
from nevsky.bots.reasons import reason, suggestion
from nevsky.cards import GOODS, KIND
from nevsky.errors import NevskyError
from nevsky.rules.actions import Action, parse_action
from nevsky.rules.market import value_tile
from nevsky.rules.redeal import redeal_position
from nevsky.rules.rng import Rng
from nevsky.rules.view import View

__all__ = ["GreedyBot", "appraise"]

_TIES: Final = 1e-6
_SHOWN: Final = 5
_EVENTS: Final = {"second_card": 0.5, "swap": 0.3, "fresh_cards": 0.5, "storeroom": 1.0}


class GreedyBot:
    """Values every legal action in points and takes the best one."""

    name = "greedy"

    def __init__(self, seed: int | str = 0, parameters: Parameters | None = None) -> None:
        self._seed = seed
        self._parameters = parameters if parameters is not None else Parameters()

    def decide(self, view: View, milliseconds: int) -> str:  # noqa: ARG002
        """The legal action of the greatest value."""
        if not view.legal:
            raise NevskyError("bot.nothing_to_decide")
        if len(view.legal) == 1:
            return view.legal[0]
        return self._ranked(view)[1][0][1]

    def explain(self, view: View, milliseconds: int = UNHURRIED) -> list[Suggestion]:  # noqa: ARG002
        """The best actions with the final score that each seems to lead to."""
        if not view.legal:
            return []
        appraisal, ranked = self._ranked(view)
        now, edition = appraisal.standing, view.ruleset.edition
        return [
            suggestion(text, round(now + value, 1), None, reason(appraisal, parse_action(text), value), edition)
            for value, text in ranked[:_SHOWN]
        ]

    def _ranked(self, view: View) -> tuple[Appraisal, list[tuple[float, str]]]:
        rng = Rng.of("greedy", self._seed)
        appraisal, values = appraise(view, self._parameters, rng)
        found = [(value + _TIES * rng.below(1000) / 1000, text) for text, value in values.items()]
        found.sort(key=lambda entry: -entry[0])
        return appraisal, found


def appraise(
    view: View, parameters: Parameters | None = None, rng: Rng | None = None
) -> tuple[Appraisal, dict[str, float]]:
    """What every legal action changes, in points."""
    # The redealt position knows no secrets: it is there to ask the rules for prices and values.
    position = redeal_position(view, rng or Rng.of("greedy"))
    appraisal = Appraisal(view, position, parameters or Parameters())
    return appraisal, {text: _value(appraisal, parse_action(text)) for text in view.legal}


def _value(a: Appraisal, action: Action) -> float:
    """What an action changes, in points."""
    return _VALUES.get(action.verb, _nothing)(a, action)


def _nothing(_: Appraisal, __: Action) -> float:
    return 0.0


def _buy(a: Appraisal, action: Action) -> float:
    return a.lay(KIND[action.card], action.row, KIND[action.onto] if action.onto else -1)


def _play(a: Appraisal, action: Action) -> float:
    kind = KIND[action.card]
    if action.card in ("banquet", "jester"):
        return a.attach(kind, KIND[action.onto]) - a.keep_purple(kind)
    if a.purple(kind):
        return a.play_purple(kind) - a.keep_purple(kind)
    return a.lay(kind, 0, KIND[action.onto] if action.onto else -1) - a.in_hand(kind)


def _take(a: Appraisal, action: Action) -> float:
    return a.take(KIND[action.card])


def _discard(a: Appraisal, action: Action) -> float:
    if a.view.due != "swap":
        return 0.0
    return -max(0.0, a.best_use(KIND[action.card], action.row))


def _observe(a: Appraisal, action: Action) -> float:
    return a.draw(action.pile) - 1


def _pub(a: Appraisal, action: Action) -> float:
    return action.number + a.rubles(-2 * action.number)


def _good(a: Appraisal, action: Action) -> float:
    return a.worth.area(a.area, GOODS.index(action.choice)) - a.worth.area(a.area)


def _upkeep(a: Appraisal, action: Action) -> float:
    if action.choice == "drop":
        return 0.0
    return a.without(KIND[action.card]) + a.rubles(-value_tile(a.view.round)[0])


def _search(a: Appraisal, action: Action) -> float:
    return max(0.0, a.best_use(KIND[action.card], 0))


def _use(a: Appraisal, _: Action) -> float:
    return a.best_discard() - 1


def _throw(a: Appraisal, action: Action) -> float:
    kind = KIND[action.card]
    return -(a.keep_purple(kind) if a.purple(kind) else a.in_hand(kind))


def _mooch(a: Appraisal, action: Action) -> float:
    rubles, points = a.pays(action.number, KIND[action.card])
    return float(points) if action.choice == "points" else a.rubles(rubles)


def _guild_hall(a: Appraisal, action: Action) -> float:
    return 4 - action.number + a.rubles(action.number)


def _trading_house(a: Appraisal, action: Action) -> float:
    return 2 + a.rubles(-3) if action.choice == "pay" else 0.0


def _sycophant(a: Appraisal, action: Action) -> float:
    return a.without(KIND["sycophant"]) + a.rubles(-1) if action.choice == "pay" else 0.0


def _event(a: Appraisal, action: Action) -> float:
    if action.choice == "gift":
        return a.rubles(6) - a.rubles(2)
    if action.choice == "scavenger":
        return a.best_lay(KIND[a.view.discard[-1]], 0)
    return _EVENTS[action.choice] * min(1.0, a.outlook.rounds)


def _assignment(a: Appraisal, action: Action) -> float:
    return a.assignment(action.number)


def _bonus(a: Appraisal, action: Action) -> float:
    if action.choice in GOODS:
        return a.rubles(a.view.table["goods"][a.seat][action.choice])
    if action.card:
        rubles, points = a.pays(a.seat, KIND[action.card])
    else:
        rubles = points = sum(1 for position in a.view.table["goods"][a.seat].values() if position)
    return float(points) if action.choice == "points" else a.rubles(rubles)


_VALUES: Final[dict[str, Callable[[Appraisal, Action], float]]] = {
    "pass": _nothing,
    "buy": _buy,
    "play": _play,
    "take": _take,
    "discard": _discard,
    "return": _nothing,
    "observe": _observe,
    "pub": _pub,
    "good": _good,
    "upkeep": _upkeep,
    "search": _search,
    "use": _use,
    "throw": _throw,
    "mooch": _mooch,
    "guild_hall": _guild_hall,
    "trading_house": _trading_house,
    "sycophant": _sycophant,
    "event": _event,
    "assignment": _assignment,
    "bonus": _bonus,
}
