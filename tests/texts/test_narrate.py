"""Games told in sentences, and the log that keeps secrets."""

from __future__ import annotations

import re
from typing import Any

import pytest

from nevsky import Game, Ruleset, parse_action
from nevsky.cards import PILES
from nevsky.narrate import narrate, public_log, sentence
from nevsky.rules.constants import DRAWN, DUES
from nevsky.rules.market import value_tile
from nevsky.rules.rng import Rng
from nevsky.simulate import play_random_game
from nevsky.telling import HIDDEN, Telling, move_facts
from nevsky.texts import LANGUAGES
from nevsky.texts.phrases import CardPhrase
from tests.rulesets import CONFIGURATIONS

EVERYTHING = Ruleset("second", 3, market=True, modules=(1, 2, 3, 4, 5, 6))
BANQUET = Ruleset("second", 3, market=True, modules=(1, 5))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_whole_games_in_every_language(name: str, language: str) -> None:
    game = play_random_game(CONFIGURATIONS[name], "told")
    told = narrate(game, language)
    assert not re.search(r"[{}|\[\]]", told)
    assert not re.search(r"[+-]1 (rubles|points|Punkte|roubles|rubli|punti)\b", told)
    if language == "fr":
        assert not re.search(r"[^\s\u00a0][;:!?](\s|$)", told), "a space stands before these"
    assert public_log(game, None, language) == told
    assert game.result is not None
    for final in game.result.final:
        line = next(line for line in told.splitlines() if line.startswith(f"{final.place}. {game.seats[final.seat]}"))
        assert f"= {final.total} " in line


@pytest.mark.parametrize("name", ["first-3", "second-4", "market-5", "module-6-all-real", "all-modules-4"])
def test_every_ruble_and_point_is_told(name: str) -> None:
    """What the lines tell adds up to what the seats have."""
    game = play_random_game(CONFIGURATIONS[name], "adds up")
    rubles = game.start_position.rubles[: game.ruleset.players]
    points = [0] * game.ruleset.players
    for played in game.played():
        move, _, after = played
        following = move_facts(played, game.ruleset)
        words = sentence(move.action, move.price)
        if paid := re.search(r" for (\d+)( |$)", words):
            rubles[move.seat] -= int(paid[1])
        for gain in following.gains:
            rubles[gain.seat] += gain.rubles
            points[gain.seat] += gain.points
        for tile in following.tiles:
            points[tile.seat] -= 0 if after.in_final_scoring() else tile.lost
        match move.action.verb, move.action.choice:
            case "pub", _:
                points[move.seat] += move.action.number
            case "guild_hall", _:
                rubles[move.seat] += move.action.number
                points[move.seat] += 4 - move.action.number
            case "trading_house", "pay":
                rubles[move.seat] -= 3
                points[move.seat] += 2
            case "sycophant", "pay":
                rubles[move.seat] -= 1
            case "upkeep", "pay":
                rubles[move.seat] -= value_tile(move.round)[0]
        assert after.rubles[: after.n] == rubles
        assert after.points[: after.n] == points


def test_special_decisions_have_their_own_words() -> None:
    assert sentence(parse_action("pass"), due="pick_pocket") == "keeps the Pick Pocket"
    assert sentence(parse_action("pub 1")) == "buys 1 point at the Pub for 2"
    assert sentence(parse_action("pub 0"), language="fr") == "n'achète aucun point à la Taverne"
    assert sentence(parse_action("play jester onto bank"), language="it") == "gioca il Giullare sulla Banca"
    assert sentence(parse_action("buy market:fish"), 5, "de") == "kauft einen Marktstand (Fisch) für 5"
    assert sentence(parse_action("mooch pub of 2 points")) == "gets the points of the Pub (Player 3)"


def looking_game(ruleset: Ruleset, seed: str) -> Game:
    """A game of players who like to look at hidden cards and keep them."""
    game = Game(ruleset, seed)
    rng = Rng.of(seed, "looking")
    while not game.over:
        legal = game.legal_actions
        liked = [a for a in legal if a.verb == "observe" or a.card == "observatory" or (a.verb == "take" and a.drawn)]
        if game.due == "pick_pocket":
            liked = [a for a in legal if a.verb == "pass"]
        choices = liked or [a for a in legal if a.verb != "play"] or legal
        game.push(choices[rng.below(len(choices))])
    return game


def beginning(game: Game, moves: int) -> Game:
    """The first moves of a game."""
    start = Game(game.ruleset, game.seed)
    for action, _ in game.moves[:moves]:
        start.push(action)
    return start


def other_world(game: Game, viewer: int | None, rng: Rng) -> tuple[Game, int]:
    """The same game for the viewer with other cards where the viewer has not looked, and how many there are."""
    piles = {name: list(cards) for name, cards in game.piles.items()}
    deal: dict[str, Any] = game.deal
    now = game.position
    renamed: dict[int, str] = {}
    hidden = [
        (seat, kind)
        for seat in range(now.n)
        for kind, seen in zip(now.hand_of(seat), now.seen_of(seat), strict=True)
        if not seen and seat != viewer
    ]
    drawn = (-1, "", 0)
    moves = []
    telling = Telling(game)
    for (move, before, after), told in zip(game.played(), telling.moves, strict=True):
        action = move.action
        if action.verb == "observe":
            place = len(piles[action.pile]) - after.pile_n[PILES.index(action.pile)] - 1
            drawn = (after.drawn, action.pile, place)
        if action.verb == "take" and before.due == DRAWN and (move.seat, drawn[0]) in hidden:
            hidden.remove((move.seat, drawn[0]))
            cards = piles[drawn[1]]
            left = now.pile_n[PILES.index(drawn[1])]
            other = len(cards) - 1 - rng.below(left) if left else drawn[2]
            cards[drawn[2]], cards[other] = cards[other], cards[drawn[2]]
            renamed[move.number] = cards[drawn[2]]
        moves.append((move, DUES[before.due] == "pick_pocket", telling.secrecy(told, viewer) == HIDDEN))
    numbers: dict[int, int] = {}
    for seat, own in enumerate(deal.get("assignments", ())):
        if seat != viewer and not now.choices_open():
            numbers.update((number, number) for number in own)
    mixed = list(numbers)
    rng.shuffle(mixed)
    numbers = dict(zip(numbers, mixed, strict=True))
    if numbers:
        deal["assignments"] = [[numbers.get(number, number) for number in own] for own in deal["assignments"]]
    twin = Game.from_piles(game.ruleset, piles, game.tokens, seats=game.seats, **deal)
    for move, asked, unknown in moves:
        if unknown:
            continue
        while twin.due == "pick_pocket" and not asked:
            twin.push("pass")
        text = move.action.text
        if move.number in renamed:
            text = f"take {renamed[move.number].partition('@')[0]} drawn"
        if move.action.verb == "assignment":
            text = f"assignment {numbers.get(move.action.number, move.action.number)}"
        twin.push(text)
    return twin, len(renamed)


@pytest.mark.parametrize("viewer", [None, 0, 1])
@pytest.mark.parametrize("ruleset", [Ruleset("second", 3), BANQUET, EVERYTHING], ids=["base", "banquet", "everything"])
def test_the_log_of_a_viewer_tells_no_secret(ruleset: Ruleset, viewer: int | None) -> None:
    """Where other cards were taken unseen and other assignments chosen, the log is the same."""
    rng = Rng.of("worlds", viewer)
    renamed = 0
    for seed in "abcde":
        whole = looking_game(ruleset, seed)
        length = len(whole.moves)
        for moves in sorted({*range(length // 4, length, length // 5), length - 1, length - 2}):
            game = beginning(whole, moves)
            twin, unseen = other_world(game, viewer, rng)
            assert public_log(twin, viewer) == public_log(game, viewer)
            renamed += unseen
    assert renamed > 5


def test_a_pick_pocket_drawn_unseen_is_not_mentioned() -> None:
    game = Game.from_piles(
        Ruleset("second", 3, modules=(1,)),
        {
            "worker": ["lumberjack"] * 5,
            "building": ["pub"] * 2,
            "noble": ["author"] * 5,
            "exchange": ["pick_pocket", "bank"],
        },
        {"worker": 0, "building": 0, "noble": 0, "exchange": 0},
        phase="building",
        round=2,
        to_move=0,
        rubles=[9, 9, 9],
        areas=[{"market": 1}, {"observatory": 1}, {}],
        row1=["theater"],
    )
    for action in ("pass", "observe exchange", "take pick_pocket drawn", "pass", "pass", "pass"):
        game.push(action)
    assert (game.due, game.to_move) == ("pick_pocket", 1)
    before = {viewer: public_log(game, viewer) for viewer in (None, 0, 1, 2)}
    game.push("pass")
    for viewer in (None, 0, 2):
        assert public_log(game, viewer) == before[viewer]
        assert "Pick Pocket" not in before[viewer]
    assert "keeps the Pick Pocket" in public_log(game, 1)
    assert "keeps the Pick Pocket" in narrate(game)
    game.push("take author")
    assert public_log(game).splitlines()[-3].endswith("takes an Author")


def test_a_card_taken_unseen_is_named_to_its_owner_and_at_the_end() -> None:
    game = looking_game(Ruleset("second", 3), "named")
    move = next(move for move in game.history if move.action.verb == "take" and move.action.drawn)
    name = format(CardPhrase(move.action.card), "a")
    so_far = beginning(game, move.number)
    unseen = "takes the drawn card into the hand, unseen by the others"
    assert public_log(so_far, (move.seat + 1) % 3).splitlines()[-3].endswith(unseen)
    assert public_log(so_far, move.seat).splitlines()[-3].endswith(f"takes the drawn card, {name}")
    assert public_log(game) == narrate(game)


def test_chosen_assignments_are_secret_until_all_have_chosen() -> None:
    game = play_random_game(BANQUET, "secret assignments")
    numbers = [move.number for move in game.history if move.action.verb == "assignment"]
    first = game.history[numbers[0] - 1]
    so_far = beginning(game, numbers[0])
    assert "chooses an assignment" in public_log(so_far)
    assert f"assignment {first.action.number}" not in public_log(so_far)
    assert f"assignment {first.action.number}" in public_log(so_far, first.seat)
    assert f"chooses assignment {first.action.number}" in public_log(game)
