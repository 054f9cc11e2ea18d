"""Section 12: who knows what."""

from __future__ import annotations

from typing import Any

import pytest

from nevsky import Game, NevskyError, Ruleset, View, redeal
from tests.rules.table import arrange, finish, passes, play, rest_of_box, texts, tokens

VIEWERS = (0, 1, 2, None)
every_viewer = pytest.mark.parametrize("viewer", VIEWERS)


def full_table(**position: Any) -> Game:
    """Three players in a building phase with something in every place."""
    usual: dict[str, Any] = {
        "phase": "building",
        "held": tokens(building=0, noble=2, exchange=1),
        "row1": ["pub", "author"],
        "row2": ["market"],
        "discard": ["theater", "lumberjack"],
        "areas": [["observatory", "shepherd"], ["author", "market"], []],
        "face_down": [[], [], []],
        "hands": [["judge"], ["bank", "hospital"], []],
        "hands_seen": [[False], [True, False], []],
        "rubles": [11, 12, 13],
        "points": [1, 2, 3],
    }
    return arrange(players=3, **{**usual, **position})


def hand(view: View, seat: int) -> list[tuple[str, str | None]]:
    return [(card.pile, card.card) for card in view.players[seat].hand]


# 12.1
@every_viewer
def test_everybody_sees_both_rows_the_discard_pile_in_order_and_the_tokens(viewer: int | None) -> None:
    view = full_table().view(viewer)
    assert view.row1 == ("pub", "author")
    assert view.row2 == ("market",)
    assert view.discard == ("theater", "lumberjack")
    assert view.tokens == tokens(building=0, noble=2, exchange=1)
    assert (view.round, view.phase, view.to_move, view.passes) == (2, "building", 0, 0)


@every_viewer
def test_everybody_sees_areas_and_scores(viewer: int | None) -> None:
    players = full_table().view(viewer).players
    assert [player.area for player in players] == [{"observatory": 1, "shepherd": 1}, {"author": 1, "market": 1}, {}]
    assert [player.points for player in players] == [1, 2, 3]


@every_viewer
def test_everybody_sees_which_observatory_lies_face_down(viewer: int | None) -> None:
    players = full_table(face_down=[["observatory"], [], []]).view(viewer).players
    assert [player.face_down for player in players] == [{"observatory": 1}, {}, {}]


@every_viewer
def test_everybody_sees_how_many_cards_a_pile_holds(viewer: int | None) -> None:
    view = full_table(piles={"noble": ["author"] * 4}).view(viewer)
    assert view.piles == {"worker": 31 - 2, "building": 28 - 6, "noble": 4, "exchange": 30 - 1}


@every_viewer
def test_everybody_sees_number_and_pile_colour_of_the_cards_on_a_hand(viewer: int | None) -> None:
    view = full_table().view(viewer)
    piles = [sorted(pile for pile, _ in hand(view, seat)) for seat in range(3)]
    assert piles == [["noble"], ["building", "exchange"], []]


# 12.2
@every_viewer
def test_rubles_of_others_are_secret(viewer: int | None) -> None:
    rubles = [player.rubles for player in full_table().view(viewer).players]
    assert rubles == [amount if seat == viewer else None for seat, amount in enumerate([11, 12, 13])]


@every_viewer
def test_rubles_can_be_opened(viewer: int | None) -> None:
    view = full_table(options={"open_rubles": True}).view(viewer)
    assert [player.rubles for player in view.players] == [11, 12, 13]
    assert hand(view, 0) == [("noble", "judge" if viewer == 0 else None)]


def test_a_player_knows_the_own_hand() -> None:
    assert hand(full_table().view(1), 1) == [("exchange", "bank"), ("building", "hospital")]


@pytest.mark.parametrize("viewer", [0, 2, None])
def test_a_hand_card_that_others_have_not_seen_is_secret(viewer: int | None) -> None:
    assert ("building", None) in hand(full_table().view(viewer), 1)


@every_viewer
def test_hands_can_be_opened(viewer: int | None) -> None:
    view = full_table(options={"open_hands": True}).view(viewer)
    assert [card for _, card in hand(view, 0)] == ["judge"]
    assert {card for _, card in hand(view, 1)} == {"bank", "hospital"}
    assert [player.rubles for player in view.players].count(None) == (3 if viewer is None else 2)


@every_viewer
@pytest.mark.parametrize("action", ["take author", "take market row 2"])
def test_everybody_has_seen_a_card_taken_from_the_display(viewer: int | None, action: str) -> None:
    view = play(full_table(), action).view(viewer)
    card = action.split()[1]
    assert card in [known for _, known in hand(view, 0)]


@pytest.mark.parametrize("viewer", [1, 2, None])
def test_a_card_being_looked_at_is_the_owner_s_secret(viewer: int | None) -> None:
    game = play(full_table(piles={"noble": ["secretary", "author"]}), "observe noble")
    assert (game.view(0).drawn, game.view(viewer).drawn) == ("secretary", None)
    assert game.view(viewer).drawn_pile == "noble"
    assert game.view(viewer).legal == ()


@pytest.mark.parametrize("viewer", [1, 2, None])
def test_an_observatory_card_that_goes_into_the_hand_stays_secret(viewer: int | None) -> None:
    game = play(
        full_table(hands=[[], [], []], hands_seen=None, piles={"noble": ["secretary", "author"]}), "observe noble"
    )
    play(game, "take secretary drawn")
    assert hand(game.view(0), 0) == [("noble", "secretary")]
    assert hand(game.view(viewer), 0) == [("noble", None)]
    assert b"secretary" not in game.view(viewer).to_bytes()


@every_viewer
def test_an_observatory_card_that_is_bought_or_discarded_is_seen(viewer: int | None) -> None:
    game = play(full_table(rubles=25, piles={"noble": ["controller", "author"]}), "observe noble")
    assert play(game.copy(), "buy controller drawn").view(viewer).players[0].area["controller"] == 1
    assert play(game, "discard controller drawn").view(viewer).discard[-1] == "controller"


@pytest.mark.parametrize("viewer", [1, 2, None])
def test_a_secret_card_is_seen_when_it_is_played(viewer: int | None) -> None:
    game = full_table(rubles=25)
    assert b"judge" not in game.view(viewer).to_bytes()
    assert play(game, "play judge").view(viewer).players[0].area["judge"] == 1


def test_a_secret_card_stays_secret_when_another_is_played() -> None:
    game = full_table(hands=[["author", "judge"], [], []], hands_seen=[[True, False], [], []], rubles=25)
    assert hand(play(game, "play author").view(1), 0) == [("noble", None)]


def test_of_two_equal_cards_the_one_that_all_have_seen_is_played_first() -> None:
    game = full_table(hands=[["judge", "judge"], [], []], hands_seen=[[False, True], [], []], rubles=25)
    view = play(game, "play judge").view(1)
    assert hand(view, 0) == [("noble", None)]


# 12.3
HIDDEN = [
    pytest.param({"rubles": [25, 12, 13]}, {"rubles": [3, 12, 13]}, id="rubles"),
    pytest.param({}, {"hands": [["controller"], ["bank", "hospital"], []]}, id="hand"),
    pytest.param({}, {"hands": [["judge"], ["bank", "library"], []]}, id="hand of another"),
    pytest.param(
        {}, {"hands": [["judge"], ["hospital", "bank"], []], "hands_seen": [[False], [False, True], []]}, id="order"
    ),
    pytest.param({}, {"piles": {"noble": rest_of_box(["author"] * 2 + ["judge"])["noble"][::-1]}}, id="pile order"),
]


@pytest.mark.parametrize(("one", "other"), HIDDEN)
@pytest.mark.parametrize("viewer", [2, None])
def test_views_do_not_tell_what_the_viewer_may_not_know(viewer: int | None, one: Any, other: Any) -> None:
    first, second = full_table(**one), full_table(**other)
    assert first.state() != second.state()
    assert first.view(viewer).to_bytes() == second.view(viewer).to_bytes()


@every_viewer
def test_nobody_knows_the_order_of_the_piles(viewer: int | None) -> None:
    order = rest_of_box(["author"] * 2 + ["judge"])["noble"]
    first, second = full_table(piles={"noble": order}), full_table(piles={"noble": order[::-1]})
    assert first.view(viewer).to_bytes() == second.view(viewer).to_bytes()


@pytest.mark.parametrize("viewer", [1, 2, None])
def test_views_do_not_tell_the_card_being_looked_at(viewer: int | None) -> None:
    games = [full_table(piles={"noble": pile}) for pile in (["secretary", "author"], ["author", "secretary"])]
    views = {play(game, "observe noble").view(viewer).to_bytes() for game in games}
    assert len(views) == 1
    assert len({game.view(0).to_bytes() for game in games}) == 2


def test_the_legal_actions_are_told_only_to_the_one_who_decides() -> None:
    game = full_table()
    assert set(game.view(0).legal) == texts(game)
    assert [game.view(viewer).legal for viewer in (1, 2, None)] == [(), (), ()]


def test_what_a_player_can_afford_is_no_hint_to_others() -> None:
    rich, poor = full_table(rubles=[99, 12, 13]), full_table(rubles=[0, 12, 13])
    assert rich.view(0).legal != poor.view(0).legal
    assert rich.view(1).to_bytes() == poor.view(1).to_bytes()


@pytest.mark.parametrize("seat", [-1, 3, "0", True, 1.0])
def test_there_is_no_view_of_a_seat_that_does_not_exist(seat: Any) -> None:
    with pytest.raises(NevskyError):
        full_table().view(seat)


@pytest.mark.parametrize("edition", ["first", "second"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_a_viewer_cannot_know_can_be_dealt_anew_without_a_difference(edition: str, players: int) -> None:
    game = Game(Ruleset(edition, players), seed=players)
    for step in range(120):
        if game.over:
            break
        game.push(game.legal_actions[step * 7 % len(game.legal_actions)])
        viewer = step % players
        again = redeal(game.view(viewer), seed=step)
        assert again.view(viewer).to_bytes() == game.view(viewer).to_bytes()
        assert game.over or again.state()["piles"] != game.state()["piles"]


@pytest.mark.parametrize("edition", ["first", "second"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_rubles_that_are_not_seen_are_guessed_from_what_was_laid(edition: str, players: int) -> None:
    game = Game(Ruleset(edition, players), seed=players)
    step = 0
    while (game.view().round, game.view().phase) == (1, "worker"):
        for viewer in range(players):
            guessed = redeal(game.view(viewer), seed=step).state()["rubles"]
            # Whoever paid less for a second card of a kind has a little more than it seems.
            assert guessed == pytest.approx(game.state()["rubles"], abs=2)
        game.push(game.legal_actions[step * 7 % len(game.legal_actions)])
        step += 1
    assert step > players


def test_a_spectator_and_a_player_see_the_end() -> None:
    game = finish(arrange(phase="exchange", last_round=True))
    for viewer in (0, 1, None):
        assert (game.view(viewer).due, game.view(viewer).to_move, game.view(viewer).legal) == (None, None, ())


def test_a_view_does_not_change_when_the_game_goes_on() -> None:
    game = full_table()
    view = game.view(1)
    before = view.to_bytes()
    passes(play(game, "take author"), 2)
    assert view.to_bytes() == before
    assert game.view(1).to_bytes() != before
