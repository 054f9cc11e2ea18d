"""A price with every reduction in it, as on a receipt."""

from __future__ import annotations

from nevsky.rules.explain import Price, Reduction
from nevsky.terminal.names import Names

__all__ = ["receipt"]


def receipt(price: Price, rubles: int, names: Names) -> list[str]:
    """One line for each step from the printed cost to the price."""
    lines = [f"  {price.cost:>3}  {names.say('screen.receipt.cost', card=names.phrase(price.card))}"]
    for part in price.reductions:
        sign = "-" if part.rubles >= 0 else "+"
        lines.append(f"  {sign}{abs(part.rubles):>2}  {_why(part, names)}")
    left = names.say("screen.receipt.price", left=rubles - price.price, rubles=names.amount(rubles, "ruble"))
    lines.append(f"  [price]={price.price:>2}[/]  {left}")
    return lines


def _why(part: Reduction, names: Names) -> str:
    if part.reason in ("row_2", "minimum"):
        return names.say(f"screen.receipt.{part.reason}")
    if part.reason in ("replaced", "same_name"):
        return names.say(f"screen.receipt.{part.reason}", number=part.rubles, card=names.phrase(part.card))
    key = "screen.receipt.half" if part.reason == "money_collector" else "screen.receipt.reduction"
    return names.say(key, card=names.card(part.reason))
