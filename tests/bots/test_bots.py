"""Bots of every kind: whole games of every ruleset, the same from the same seed, and no peeking."""

from __future__ import annotations

import pytest

from nevsky import Game, NevskyError, Ruleset, View
from nevsky.bots import BOTS, LEVELS, make_bot
from nevsky.bots import Bot as AnyBot
from nevsky.bots.compliance import check_bot
from nevsky.bots.match import play_game
from nevsky.bots.protocol import Suggestion
from nevsky.bots.random import RandomBot
from tests.rulesets import CONFIGURATIONS

every_bot = pytest.mark.parametrize("name", BOTS)


def quick(name: str, seed: int | str = 0) -> AnyBot:
    """A bot that does not look at the clock, so that it can be repeated."""
    bot = make_bot(name, seed)
    if hasattr(bot, "playouts"):
        bot.playouts = 6
    return bot


@every_bot
@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_a_bot_keeps_to_the_protocol_in_every_ruleset(name: str, configuration: str) -> None:
    check_bot(lambda seed: quick(name, seed), [CONFIGURATIONS[configuration]], seed=configuration)


@every_bot
def test_the_same_seeds_give_the_same_game(name: str) -> None:
    ruleset = CONFIGURATIONS["all-modules-3"]
    one, other = (play_game([quick(name, seat) for seat in range(3)], ruleset, "neva") for _ in range(2))
    assert one.moves == other.moves


@every_bot
def test_a_bot_has_its_registered_name(name: str) -> None:
    assert make_bot(name).name == name


def test_every_level_is_played_by_a_bot() -> None:
    assert {make_bot(level).name for level in LEVELS} <= set(BOTS)


def test_an_unknown_bot_is_refused_with_a_sentence() -> None:
    with pytest.raises(NevskyError, match=r"There is no bot 'tsar': choose random, novice, greedy, search or master\."):
        make_bot("tsar")


@every_bot
def test_who_has_nothing_to_decide_is_not_asked(name: str) -> None:
    game = Game(Ruleset("second", 2), seed=1)
    assert game.to_move is not None
    idle = game.view(1 - game.to_move)
    assert make_bot(name).explain(idle, 50) == []
    with pytest.raises(NevskyError):
        make_bot(name).decide(idle, 50)


@every_bot
def test_a_bot_explains_itself_without_being_given_a_time(name: str) -> None:
    game = Game(Ruleset("second", 2), seed=1)
    assert game.to_move is not None
    found = quick(name).explain(game.view(game.to_move))
    assert {each.action for each in found} <= set(game.view(game.to_move).legal)
    assert found[0].reason


class Broken(RandomBot):
    """A bot with one fault of choice."""

    def __init__(self, seed: int | str, fault: str) -> None:
        super().__init__(seed)
        self.fault = fault

    def decide(self, view: View, milliseconds: int) -> str:
        if self.fault == "illegal":
            return "buy kremlin"
        if self.fault == "raises":
            raise KeyError("academy")
        if self.fault == "number":
            return 3  # type: ignore[return-value]
        if self.fault == "meddles":
            view.piles["noble"] -= 1
        if self.fault == "wavers":
            self.decisions = getattr(Broken, "decisions", 0) + 1
            Broken.decisions = self.decisions
            return view.legal[self.decisions % len(view.legal)]
        return super().decide(view, milliseconds)

    def explain(self, view: View, milliseconds: int = 1000) -> list[Suggestion]:
        good = Suggestion(view.legal[0], None, None, "Because.")
        return {
            "silent": [],
            "dreams": [good._replace(action="buy kremlin")],
            "sure": [good._replace(win=1.5)],
            "boundless": [good._replace(expected=float("inf"))],
            "mute": [good._replace(reason="")],
            "stutters": [good, good],
        }.get(self.fault, [good])

    decisions: int


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ("illegal", "answered 'buy kremlin', which is not legal"),
        ("raises", "raised KeyError"),
        ("number", "answered with a int, not with an action text"),
        ("meddles", "changed the view"),
        ("wavers", "on an equal view with its seed"),
        ("silent", "suggested nothing"),
        ("dreams", "suggested 'buy kremlin', which is not legal"),
        ("sure", "sees a chance of 1.5"),
        ("boundless", "expects a score of inf"),
        ("mute", "gave no reason"),
        ("stutters", "suggested an action twice"),
    ],
)
def test_the_check_tells_what_is_wrong_with_a_bot(fault: str, sentence: str) -> None:
    with pytest.raises(NevskyError, match=sentence) as refusal:
        check_bot(lambda seed: Broken(seed, fault), [Ruleset("second", 2)])
    assert "The bot random" in str(refusal.value) and "second edition, 2 players" in str(refusal.value)


def test_a_bot_without_a_fault_passes_the_check() -> None:
    check_bot(lambda seed: Broken(seed, ""), [Ruleset("second", 2)])
