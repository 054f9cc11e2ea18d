"""A bot in a file of its own: ``nevsky arena --bot examples/bots/thrifty.py:Thrifty --bot random``."""

from nevsky import View, parse_action
from nevsky.bots import Suggestion
from nevsky.cards import CARDS, KIND


class Thrifty:
    """Lays the cheapest card that it can pay for; without one it takes the last choice, which is mostly to pass."""

    name = "thrifty"

    def __init__(self, seed: int | str = 0) -> None:
        self.seed = seed

    def decide(self, view: View, milliseconds: int) -> str:
        lays = [text for text in view.legal if text.startswith(("buy ", "play "))]
        return min(lays, key=lambda text: CARDS[KIND[parse_action(text).card]].cost_second, default=view.legal[-1])

    def explain(self, view: View, milliseconds: int = 1000) -> list[Suggestion]:
        return [Suggestion(self.decide(view, milliseconds), None, None, "It costs least.")] if view.legal else []
