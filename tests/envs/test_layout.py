"""Every number has a name, and the tables of the documentation are those of the code."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import nevsky
from nevsky import ACTIONS, NevskyError, Ruleset
from nevsky.cards import CARDS
from nevsky.encoding import SIZE
from nevsky.envs.layout import SEAT_SIZE, SEATS, action_blocks, actions_table, layout, name_of, table
from nevsky.envs.observing import Observer
from nevsky.rules.constants import DUE_ROOM, DUES, KINDS, MODULE_ROOM
from nevsky.rules.modules import ROOMS
from tests.envs.playing import some_games
from tests.rulesets import CONFIGURATIONS

ROOT = Path(nevsky.__file__).parent
DOCS = Path(__file__).parents[2] / "docs" / "envs.md"


def constants() -> dict[str, int]:
    """The places as they stand in the source of the encoder; compiled, they cannot be asked for."""
    found = {}
    for node in ast.parse((ROOT / "encoding.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            target = node.targets[0]
            if isinstance(target, ast.Name) and isinstance(node.value.value, int):
                found[target.id] = node.value.value
    return found


def test_the_fields_cover_an_observation_without_gaps() -> None:
    at = 0
    for field in layout():
        assert field.start == at
        assert field.stop - field.start == len(field.labels)
        at = field.stop
    assert at == SIZE
    named = [name_of(place) for place in range(SIZE) if "(free" not in name_of(place)]
    free = 15 * (KINDS - len(CARDS))  # five areas, five hands, five other places
    free += DUE_ROOM - len(DUES) + MODULE_ROOM - len(ROOMS)
    assert len(named) == len(set(named)) == SIZE - free


def test_the_fields_are_those_of_the_encoder() -> None:
    told = constants()
    starts = {field.name: field.start for field in layout()}
    places = {name: place for name, place in told.items() if name.startswith(("S_", "G_"))}
    assert told["SEAT_SIZE"] == SEAT_SIZE
    assert len(places) == sum(not name.startswith("seat") or name.startswith("seat0.") for name in starts)
    for name, place in places.items():
        word = name[2:].lower()
        assert starts[f"seat0.{word}" if name.startswith("S_") else word] == place
    for seat in range(SEATS):
        assert starts[f"seat{seat}.present"] == seat * SEAT_SIZE


@pytest.mark.parametrize("configuration", ["first-2", "second-3", "market-5", "all-modules-4", "all-modules-2"])
def test_the_names_say_what_the_numbers_are(configuration: str) -> None:
    """The view, made in another way, tells the same as the named numbers."""
    ruleset = CONFIGURATIONS[configuration]
    scales = {name_of(place): field.scale for field in layout() for place in range(field.start, field.stop)}
    observer = Observer()
    for game in some_games(ruleset, 10):
        for seat in range(ruleset.players):
            row = observer.observe(game, seat)["observation"]
            told = {name_of(i): float(x) * scales[name_of(i)] for i, x in enumerate(row.tolist()) if x}
            view = game.view(seat)
            expected = {"round": view.round, f"phase {view.phase}": 1, f"players {ruleset.players}": 1}
            if view.due is not None:
                expected[f"due {view.due}"] = 1
            if view.drawn is not None:
                expected[f"drawn {view.drawn}"] = 1
            for pile, count in view.piles.items():
                expected[f"pile {pile}"] = count
            for row_name, cards in (("row_1", view.row1), ("row_2", view.row2), ("discard", view.discard)):
                for card in cards:
                    expected[f"{row_name} {card}"] = cards.count(card)
            for i in range(ruleset.players):
                who = (seat + i) % ruleset.players
                player = view.players[who]
                expected[f"seat{i}.present"] = 1
                expected[f"seat{i}.rubles"] = player.rubles or 0
                expected[f"seat{i}.rubles_known"] = int(player.rubles is not None)
                expected[f"seat{i}.points"] = player.points
                expected[f"seat{i}.hand"] = len(player.hand)
                expected[f"seat{i}.hand_limit"] = player.hand_limit
                expected[f"seat{i}.nobles"] = player.different_nobles
                expected[f"seat{i}.to_move"] = int(view.to_move == who)
                for phase, holder in view.tokens.items():
                    expected[f"seat{i}.token {phase}"] = int(holder == who)
                for card, count in player.area.items():
                    expected[f"seat{i}.area {card}"] = count
                faces = [card.card for card in player.hand]
                for face in faces:
                    if face is not None:
                        expected[f"seat{i}.held {face}"] = faces.count(face)
                backs = [card.pile for card in player.hand if card.card is None]
                for back in backs:
                    expected[f"seat{i}.unknown {back}"] = backs.count(back)
                if 5 in ruleset.modules and i == 0:
                    for number in view.table["assignments"][seat]:
                        expected[f"assignments {number}"] = 1
                if 3 in ruleset.modules:
                    for name, holder in view.table["assistants"].items():
                        expected[f"seat{i}.assistant {name}"] = int(holder == who)
            if 6 in ruleset.modules:
                for space, tile in view.table["obstacles"]["tiles"].items():
                    expected[f"obstacles {space} {tile}"] = 1
            if 4 in ruleset.modules:
                for event in view.table["events_left"]:
                    expected[f"events {event}"] = 1
            wanted = {name: float(number) for name, number in expected.items() if number}
            families = {name.partition(" ")[0] for name in expected}
            assert {name: x for name, x in told.items() if name.partition(" ")[0] in families} == pytest.approx(wanted)


@pytest.mark.parametrize("place", [-1, SIZE, True, "rubles"])
def test_what_is_no_place_is_refused(place: object) -> None:
    with pytest.raises(NevskyError, match="There is no number"):
        name_of(place)  # type: ignore[arg-type]


def test_the_blocks_cover_all_actions_without_gaps() -> None:
    at = 0
    for block in action_blocks():
        assert block.start == at < block.stop
        verbs = {ACTIONS[number].verb for number in range(block.start, block.stop)}
        assert len(verbs - {"reserved"}) == 1
        at = block.stop
    assert at == len(ACTIONS)


def test_the_tables_of_the_documentation_are_these() -> None:
    text = DOCS.read_text(encoding="utf-8")
    assert table() in text
    assert actions_table() in text


def test_the_observer_knows_nothing_of_a_seat_that_is_not_there() -> None:
    game = some_games(Ruleset("second", 2), 1)[0]
    row = Observer().observe(game, 0)["observation"]
    assert not row[2 * SEAT_SIZE : SEATS * SEAT_SIZE].any()
