"""Rules 1.2 to 1.5: which games with the Market and with modules are on offer."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from nevsky import Game, NevskyError, Ruleset
from tests.market.table import COMPANY, MODULE, arrange, box

NAMES = {1: "Banquet", 2: "Good Company", 3: "Assistants", 4: "Events", 5: "Assignments", 6: "Obstacles"}


def subsets(numbers: tuple[int, ...]) -> list[tuple[int, ...]]:
    return [chosen for size in range(len(numbers) + 1) for chosen in combinations(numbers, size)]


def refusal(*args: Any, **options: Any) -> str:
    with pytest.raises(NevskyError) as caught:
        Ruleset(*args, **options)
    return str(caught.value)


def in_piles(ruleset: Ruleset) -> set[str]:
    return {card for cards in Game(ruleset, seed=1).piles.values() for card in cards}


# 1.2
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_market_is_for_two_to_five_players(players: int) -> None:
    game = Game(Ruleset("second", players, market=True), seed=1)
    assert len(game.state()["rubles"]) == players
    assert "market" in game.piles


@pytest.mark.parametrize("players", [-1, 0, 1, 6])
def test_other_numbers_are_refused_with_the_market_too(players: int) -> None:
    assert refusal("second", players, market=True) == f"The game is for 2 to 5 players, not {players}."


@pytest.mark.parametrize("modules", [(), (1,), (2,), (1, 2)])
def test_five_players_need_the_market(modules: tuple[int, ...]) -> None:
    assert refusal("second", 5, modules=modules) == "Five players need the Market (rule 1.2)."


@pytest.mark.parametrize("players", [2, 4, 5])
def test_the_first_edition_has_no_market(players: int) -> None:
    assert refusal("first", players, market=True) == "The first edition has no Market (rule 1.2)."


@pytest.mark.parametrize("market", [1, 0, "yes", None])
def test_the_market_is_on_the_table_or_not(market: Any) -> None:
    assert "market is true or false" in refusal("second", 4, market=market)


# 1.3
@pytest.mark.parametrize("module", NAMES)
def test_the_first_edition_has_no_modules(module: int) -> None:
    assert refusal("first", 4, modules=(module,)) == "The first edition has no modules (rule 1.3)."


@pytest.mark.parametrize("module", [3, 4, 5, 6])
@pytest.mark.parametrize("others", [(), (1,), (1, 2)])
def test_modules_3_to_6_need_the_market(module: int, others: tuple[int, ...]) -> None:
    sentence = refusal("second", 4, modules=(*others, module))
    assert sentence == f"Module {module} ({NAMES[module]}) needs the Market (rule 1.3)."


@pytest.mark.parametrize("modules", subsets((1, 2)))
@pytest.mark.parametrize("market", [False, True])
def test_modules_1_and_2_go_with_or_without_the_market(modules: tuple[int, ...], market: bool) -> None:
    ruleset = Ruleset("second", 3, market=market, modules=modules)
    wanted = {card.partition("@")[0] for cards in box(ruleset).values() for card in cards}
    assert in_piles(ruleset) == wanted


@pytest.mark.parametrize("players", [2, 5])
@pytest.mark.parametrize("modules", subsets((1, 2, 3, 4, 5, 6)))
def test_with_the_market_modules_are_freely_combined(players: int, modules: tuple[int, ...]) -> None:
    game = Game(Ruleset("second", players, market=True, modules=modules), seed=1)
    assert game.ruleset.modules == modules
    assert game.legal_actions


def test_the_order_in_which_modules_are_named_does_not_matter() -> None:
    assert Ruleset("second", 4, market=True, modules=(6, 1, 3, 1)) == Ruleset(
        "second", 4, market=True, modules=(1, 3, 6)
    )


@pytest.mark.parametrize("module", [0, 7, -1, "1", True, 1.0, None])
def test_other_modules_do_not_exist(module: Any) -> None:
    assert refusal("second", 4, market=True, modules=(module,)).startswith(f"There is no module {module!r}")


@pytest.mark.parametrize("modules", ["12", 3, None])
def test_modules_are_a_list_of_numbers(modules: Any) -> None:
    assert refusal("second", 4, market=True, modules=modules) == f"The modules are a list of numbers, not {modules!r}."


@pytest.mark.parametrize("card", [card for card in MODULE if "@" not in card])
def test_a_card_of_a_module_that_is_not_played_is_refused(card: str) -> None:
    other = 2 if MODULE[card].module == 1 else 1
    with pytest.raises(NevskyError, match=f"{card} is not part of this game"):
        arrange(modules=(other,), discard=[card])


# 1.4
@pytest.mark.parametrize("card", COMPANY)
@pytest.mark.parametrize("market", [False, True])
def test_any_card_of_good_company_can_be_played_alone(card: str, market: bool) -> None:
    ruleset = Ruleset("second", 3, market=market, modules=(2,), good_company=(card,))
    assert in_piles(ruleset) & set(MODULE) == {card}
    count = sum(cards.count(card) for cards in Game(ruleset, seed=2).piles.values())
    assert count == MODULE[card].copies


def test_or_any_subset_of_them_even_none() -> None:
    chosen = ("mayor", "guild_hall", "sycophant")
    assert in_piles(Ruleset("second", 3, modules=(2,), good_company=chosen)) & set(MODULE) == set(chosen)
    assert not in_piles(Ruleset("second", 3, modules=(2,), good_company=())) & set(MODULE)
    assert in_piles(Ruleset("second", 3, modules=(2,))) & set(MODULE) == set(COMPANY)


def test_a_card_that_was_not_chosen_is_refused() -> None:
    with pytest.raises(NevskyError, match="mayor is not part of this game"):
        arrange(modules=(2,), options={"good_company": ("merchant",)}, discard=["mayor"])


@pytest.mark.parametrize("modules", [(), (1,), (1, 3)])
def test_choosing_cards_of_good_company_needs_good_company(modules: tuple[int, ...]) -> None:
    sentence = refusal("second", 4, market=True, modules=modules, good_company=("mayor",))
    assert sentence == "Choosing cards of Good Company needs module 2 (rule 1.4)."


@pytest.mark.parametrize("card", ["pub", "jester", "kremlin", ""])
def test_only_its_own_cards_can_be_chosen(card: str) -> None:
    sentence = refusal("second", 4, modules=(2,), good_company=("mayor", card))
    assert sentence == f"Good Company has no card {card!r} (rule 1.4)."


@pytest.mark.parametrize("cards", ["mayor", 3, [1, 2], [None]])
def test_chosen_cards_are_a_list_of_ids(cards: Any) -> None:
    assert refusal("second", 4, modules=(2,), good_company=cards).startswith("The cards of Good Company are a list")


# 1.5
@pytest.mark.parametrize("market", [False, True])
def test_with_both_modules_the_debtors_prison_is_left_out(market: bool) -> None:
    assert "debtors_prison" in in_piles(Ruleset("second", 3, market=market, modules=(2,)))
    assert "debtors_prison" not in in_piles(Ruleset("second", 3, market=market, modules=(1, 2)))


def test_even_if_it_was_chosen() -> None:
    ruleset = Ruleset("second", 3, modules=(1, 2), good_company=("debtors_prison", "mayor"))
    assert in_piles(ruleset) & set(COMPANY) == {"mayor"}


def test_a_ruleset_survives_being_written_down() -> None:
    ruleset = Ruleset("second", 5, market=True, modules=(1, 2, 3), good_company=("mayor",), open_hands=True)
    assert Ruleset.from_dict(ruleset.to_dict()) == ruleset
