"""The table of card features, and where observations and actions name cards."""

from __future__ import annotations

import numpy as np
import pytest

from nevsky import ACTIONS, Ruleset
from nevsky.cards import CARDS, KIND
from nevsky.envs.features import action_cards, card_counts, card_features, card_fields
from nevsky.envs.observing import Observer
from nevsky.rules.tables import copies, tables_for
from tests.envs.playing import some_games
from tests.rulesets import CONFIGURATIONS


def feature(card: str, name: str, ruleset: Ruleset) -> float:
    names, values = card_features(ruleset)
    return float(values[KIND[card], names.index(name)])


@pytest.mark.parametrize("configuration", ["first-2", "second-2", "market-4", "all-modules-5"])
def test_the_table_agrees_with_the_rules(configuration: str) -> None:
    ruleset = CONFIGURATIONS[configuration]
    names, values = card_features(ruleset)
    assert len(set(names)) == len(names) == values.shape[1] and values.shape[0] == 112
    tables = tables_for(ruleset)
    for name, column in (("cost", tables.cost), ("worth", tables.worth), ("rubles", tables.rubles)):
        assert values[:, names.index(name)].tolist() == list(column)
    assert values[: len(CARDS), names.index("copies")].tolist() == [copies(ruleset, card.kind) for card in CARDS]
    assert not values[len(CARDS) :].any()
    for family in ("pile ", "colour "):
        of_family = [i for i, name in enumerate(names) if name.startswith(family)]
        assert (values[: len(CARDS), of_family].sum(axis=1) == 1).all()


def test_every_effect_word_has_a_column() -> None:
    names, values = card_features(CONFIGURATIONS["all-modules-4"])
    for card in CARDS:
        for word, argument in card.effects:
            if word in ("worth", "name"):
                continue
            column = f"{word} {argument}" if word == "reduce" else word
            if word == "replaces":
                column = "replaces any" if argument == "any" else "replaces one"
            assert values[card.kind, names.index(column)] > 0, (card.text, column)


def test_features_that_people_know() -> None:
    second, market = Ruleset("second", 2), Ruleset("second", 2, market=True)
    assert feature("mistress_of_ceremonies", "cost", second) == 20
    assert feature("mistress_of_ceremonies", "cost", Ruleset("first", 2)) == 18
    assert feature("potemkin_village", "worth", second) == 6 and feature("pub", "pub", second) == 5
    assert feature("czar_and_carpenter", "craft fur", second) == 1 and feature(
        "carpenter_workshop", "reduce blue", second
    )
    assert feature("harbor", "good fish", market) == 1 and feature("harbor", "good fish", second) == 0
    assert feature("caviar", "good fish", market) == 3 and feature("caviar", "copies", second) == 0


@pytest.mark.parametrize("configuration", ["second-3", "all-modules-5"])
def test_counts_are_those_of_the_table(configuration: str) -> None:
    fields = [field.name for field in card_fields()]
    assert len(fields) == 15 and fields[-5:] == ["row_1", "row_2", "discard", "unseen", "drawn"]
    for game in some_games(CONFIGURATIONS[configuration], 4):
        counts = card_counts(Observer().observe(game, 0)["observation"])
        state = game.state()
        for name, cards in (("row_1", state["row1"]), ("row_2", state["row2"]), ("discard", state["discard"])):
            wanted = np.bincount([KIND[card] for card in cards], minlength=112) if cards else np.zeros(112)
            assert counts[fields.index(name)].tolist() == pytest.approx(wanted.tolist())
        area = counts[fields.index("seat0.area")]
        assert {CARDS[kind].exact: area[kind] for kind in np.flatnonzero(area)} == state["areas"][0]


def test_the_value_of_a_row_is_one_product() -> None:
    ruleset = CONFIGURATIONS["second-2"]
    names, values = card_features(ruleset)
    (game,) = some_games(ruleset, 1)
    row = [field.name for field in card_fields()].index("row_1")
    counts = card_counts(Observer().observe(game, 0)["observation"])[row]
    costs = sum(CARDS[KIND[card]].cost_second for card in game.state()["row1"])
    assert (counts @ values)[names.index("cost")] == pytest.approx(costs)


def test_actions_name_their_cards() -> None:
    found = action_cards()
    assert found.shape == (len(ACTIONS), 2)
    for number, action in enumerate(ACTIONS):
        assert [CARDS[kind].text if kind >= 0 else "" for kind in found[number]] == [action.card, action.onto]
