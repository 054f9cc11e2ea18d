"""Rule 11.1 e: the Moocher."""

from __future__ import annotations

from typing import Any

import pytest

from nevsky import Game
from tests.market.table import arrange, purse, undoing
from tests.rules.table import play, texts


def mooching(*others: list[str], own: tuple[str, ...] = (), modules: tuple[int, ...] = (1,), **position: Any) -> Game:
    """Seat 0 has the Moocher on the hand; the others have these areas."""
    players = 1 + len(others)
    areas = [list(own), *others]
    return arrange(players, modules=modules, hands=[["moocher"]], areas=areas, **position)


def gains(*others: list[str], **position: Any) -> set[str]:
    """What the Moocher could get."""
    return texts(play(mooching(*others, **position), "play moocher"))


def test_it_chooses_a_card_in_another_player_s_area() -> None:
    game = play(mooching(["judge"], ["author", "pub"], own=("theater",)), "play moocher")
    assert (game.due, game.to_move, game.state()["out"]) == ("mooch", 0, ["moocher"])
    assert texts(game) == {"mooch judge of 1 rubles", "mooch judge of 1 points", "mooch author of 2 rubles"}


@pytest.mark.parametrize(("choice", "after"), [("rubles", (25 + 5, 0)), ("points", (25, 2))])
def test_it_gets_either_the_rubles_or_the_points(choice: str, after: tuple[int, int]) -> None:
    game = play(mooching(["judge"]), "play moocher", f"mooch judge of 1 {choice}")
    assert purse(game) == after
    assert (game.to_move, game.due) == (1, "turn")


def test_the_owner_loses_nothing() -> None:
    game = play(mooching(["judge"]), "play moocher", "mooch judge of 1 rubles")
    assert purse(game, 1) == (25, 0)
    assert game.state()["areas"] == [{}, {"judge": 1}]


def test_one_card_pays_however_many_there_are() -> None:
    game = play(mooching(["lumberjack"] * 3), "play moocher", "mooch lumberjack of 1 rubles")
    assert purse(game) == (28, 0)


def test_the_same_card_of_two_players_is_two_choices() -> None:
    assert gains(["author"], ["author"]) == {"mooch author of 1 rubles", "mooch author of 2 rubles"}


def test_the_market_symbol_belongs_to_the_card() -> None:
    assert gains(["market:fish", "ship_builder:?"], tiles={"given": [{}, {"ship_builder:?": "sack"}]}) == {
        "mooch market:fish of 1 points",
        "mooch ship_builder:? of 1 rubles",
    }


def test_yellow_cards_pay_their_rubles_not_their_place_at_the_market() -> None:
    assert gains(["chick", "caviar", "fish_special"]) == {"mooch chick of 1 rubles"}


def test_variable_income_is_counted_for_its_owner() -> None:
    areas = [["tax_man", "mariinsky_theater", "lumberjack", "lumberjack", "author"]]
    game = play(mooching(*areas, own=("shepherd", "shepherd", "shepherd", "judge")), "play moocher")
    assert purse(play(game.copy(), "mooch tax_man of 1 rubles")) == (25 + 2, 0)
    assert purse(play(game, "mooch mariinsky_theater of 1 points")) == (25, 2)


def test_variable_income_of_nothing_is_no_choice() -> None:
    assert gains(["tax_man", "pub"], ["author"]) == {"mooch author of 2 rubles"}


@pytest.mark.parametrize(
    ("area", "action", "after"),
    [
        (["coffee_house", "author", "judge"], "mooch coffee_house of 1 rubles", (27, 0)),
        (["mayor", "pub", "library", "bank"], "mooch mayor of 1 rubles", (28, 0)),
        (["textile_factory", "shepherd", "weaving_mill"], "mooch textile_factory of 1 points", (25, 4)),
        (["guild_hall"], "mooch guild_hall of 1 rubles", (29, 0)),
        (["guild_hall"], "mooch guild_hall of 1 points", (25, 4)),
        (["university"], "mooch university of 1 points", (25, 6)),
        (["october_revolution"], "mooch october_revolution of 1 points", (25, 3)),
    ],
)
def test_cards_of_good_company(area: list[str], action: str, after: tuple[int, int]) -> None:
    assert purse(play(mooching(area, modules=(1, 2)), "play moocher", action)) == after


def test_a_face_down_observatory_pays_nothing() -> None:
    assert gains(["observatory", "pub"], ["author"], face_down=[[], ["observatory"], []]) == {
        "mooch author of 2 rubles"
    }
    one_of_two = gains(["observatory", "observatory"], face_down=[[], ["observatory"]])
    assert one_of_two == {"mooch observatory of 1 points"}


def test_a_covered_card_has_no_points() -> None:
    out = ["money_collector"]
    assert gains(["judge"], covered=[None, "judge"], out=out) == {"mooch judge of 1 rubles"}
    two = {"mooch judge of 1 rubles", "mooch judge of 1 points"}
    assert gains(["judge", "judge"], covered=[None, "judge"], out=out) == two


def test_a_banquet_on_the_card_does_not_double_what_the_moocher_gets() -> None:
    game = mooching(["judge"], attached=[{}, {"banquet": "judge"}])
    play(game, "play moocher", "mooch judge of 1 rubles")
    assert purse(game) == (30, 0)
    assert game.state()["attached"] == [{}, {"banquet": "judge"}]


@pytest.mark.parametrize("area", [[], ["pub", "warehouse"], ["caviar"]])
def test_it_cannot_be_played_if_there_is_nothing_to_get(area: list[str]) -> None:
    assert texts(mooching(area, own=("judge",))) == {"pass"}


def test_it_can_be_taken_back() -> None:
    undoing(mooching(["judge"], ["author"]), "play moocher", "mooch judge of 1 points", "pass", "pass")


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_everybody_sees_the_question(viewer: int | None) -> None:
    view = play(mooching(["judge"]), "play moocher").view(viewer)
    assert (view.due, view.to_move, view.out, bool(view.legal)) == ("mooch", 0, ("moocher",), viewer == 0)
