"""Whole games through the terminal, with input and output in the hands of the test."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from typer.testing import CliRunner

from nevsky import Ruleset, redeal
from nevsky.cli import app
from nevsky.record import load
from nevsky.terminal import Paper, Session, make_console, new_game
from nevsky.terminal.choices import Choice, Decision, list_choices
from nevsky.terminal.table import draw
from nevsky.texts import LANGUAGES, text
from tests.terminal.seat import Chooser, Seat, any_of, arrange, first, number_of, play_script, screen, script


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("edition", ["first", "second"])
@pytest.mark.parametrize("chooser", [first, any_of("numbers")], ids=["first", "random"])
def test_whole_games(players: int, edition: str, chooser: Chooser) -> None:
    game = new_game(Ruleset(edition, players), f"{edition}-{players}", "Anna")
    output = Seat(game, chooser).run()
    assert game.over
    assert game.result is not None
    assert "this is the last round" in " ".join(output.split())
    table = output.partition(text("screen.final.title"))[2].splitlines()
    for final in game.result.final:
        row = next(line.split() for line in table if game.seats[final.seat] in line)
        assert row[0] == f"{final.place}."
        assert str(final.total) in row
    assert all(len(line) <= 80 for line in output.splitlines())
    assert "\x1b" not in output


def test_the_same_seed_and_answers_give_the_same_game() -> None:
    outputs = {Seat(new_game(Ruleset("second", 4), "twice", "You"), script(*"123123123")).run() for _ in range(2)}
    assert len(outputs) == 1


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [12, 40, 200])
def test_any_width_and_language(language: str, width: int) -> None:
    game = new_game(Ruleset("first", 2), "neva", "A[bold]:cat:")
    output = Seat(game, script("1", "1", "?", "c pub", "l all"), width=width, language=language).run()
    if width > 12:
        assert text("screen.own", language, name="A[bold]:cat:") in output


@pytest.mark.parametrize("edition", ["first", "second"])
def test_the_screen_shows_nothing_that_the_person_cannot_know(edition: str) -> None:
    """A game with other piles, hands and rubles of the others looks the same as long as the person's view is."""
    game = new_game(Ruleset(edition, 3), f"secrets-{edition}", "You")
    choose = any_of(3)
    seen = 0

    def chooser(decision: Decision) -> str:
        nonlocal seen
        seen += 1
        if seen % 3 == 0:
            other = redeal(decision.view, seen, rubles={1: 90, 2: 95})
            assert screen(other, seat.session) == screen(game, seat.session)
        return choose(decision)

    seat = Seat(game, chooser)
    seat.run()
    assert seen > 10


def test_hidden_and_open_rubles() -> None:
    hidden = Seat(arrange(rubles=[30, 4321, 4321]), script()).run()
    assert "4321" not in hidden
    assert hidden.count(text("screen.hidden_rubles")) == 2
    game = new_game(Ruleset("second", 2, open_rubles=True), "7", "You")
    assert text("screen.hidden_rubles") not in Seat(game, script()).run()


def test_the_log_does_not_name_a_card_taken_with_an_observatory() -> None:
    game = arrange(areas=[{}, {"observatory": 1}, {}], to_move=1, row1=["market"], row2=[], hands=[["theater"], [], []])
    for action in ("observe exchange", "take hermitage drawn"):
        game.push(action)
    seat = Seat(game, script("l all"))
    output = seat.run()
    assert "Vasily takes the drawn card into the hand, unseen by the others." in output
    assert "hand 1/3 (1 exchange card)" in output
    assert "Hermitage" not in output
    own = arrange()
    for action in ("observe exchange", "take hermitage drawn", "pass", "pass"):
        own.push(action)
    assert "You take the drawn card, the Hermitage." in Seat(own, script("l all")).run()


def test_wrong_entries_are_answered_and_change_nothing() -> None:
    output, game = play_script(
        ["0", "99", "9" * 5000, "dance [bold]\x07", "e", "e 77", "c", "c kremlin", "p", "ex 1", "²"]
    )
    assert output.count("The choices go from 1 to 3") == 3
    assert "“dance [bold]?” is neither a choice nor a command" in output
    assert output.count("Say which choice you mean") == 2
    assert "Name a card" in output
    assert "There is no card “kremlin” in this game." in output
    assert text("screen.must_act") in output
    assert output.count("neither a choice") == 3
    assert all(move.seat != 0 for move in game.history)
    assert output.endswith(text("screen.input_ended") + "\n")


def test_choices_tell_the_price() -> None:
    output, _ = play_script([], areas=[{"observatory": 1, "ship_builder": 1, "library": 1}, {}, {}])
    assert "buy a Wharf onto the Ship Builder: 5 rubles (12 - 7)" in output
    assert "buy a Library: 16 rubles (17 - 1)" in output
    assert "buy a Library from row 2: 15 rubles (17 - 1 - 1)" in output
    assert "12→5" in output
    assert "look at the noble pile" in output


def test_explaining_a_price() -> None:
    areas = [{"ship_builder": 1, "library": 1, "carpenter_workshop": 1, "fur_trapper": 5}, {}, {}]
    game = arrange(areas=areas, row2=["library", "fur_trapper"])
    actions = ["buy library row 2", "buy fur_trapper row 2", "pass"]
    entries = [f"e {number_of(game, text)}" for text in actions]
    output = Seat(game, script(*entries, f"e{number_of(game, 'buy wharf onto ship_builder')}")).run()
    for line in (
        "   17  printed cost of the Library",
        "  - 1  lies in row 2 (5.1)",
        "  - 1  you own 1 × Library (5.1)",
        "  - 1  your Carpenter Workshop (5.1)",
        "  =14  your price; you keep 16 of 30 rubles",
        "  - 5  you own 5 × Fur Trapper (5.1)",
        "  + 1  but a card costs at least 1 ruble (5.3)",
        "  - 7  replaces the Ship Builder (5.2)",
    ):
        assert line in output
    assert "lays no card" in output


def test_cards_are_explained_by_any_name() -> None:
    output, _ = play_script(
        ["c Schenke", "c wHaRf", "c palace", "c lumber", "c czar & c", "c observatory", "c mariinsky"]
    )
    assert "Pub: blue building card, 2 cards in the game, cost 1." in output
    assert "up to 5 points" in output
    assert "Wharf: green exchange card, 3 cards in the game, cost 12." in output
    assert "Several cards fit: Catherine Palace, Winter Palace." in output
    assert "Lumberjack: green worker card" in output
    arranged, _ = play_script(["c 1"], round=4)
    assert "Market: blue building card" in arranged
    assert "Craft: axe, gold, carpet, fur, ship." in output
    assert "(9.3)" in output
    assert "1 point for each red card" in output


def test_help_names_the_rules() -> None:
    output, _ = play_script(["?", "help"])
    assert output.count("Exchange cards (6)") == 2
    assert output.count("What you can type") == 2


def test_log_of_a_round_and_of_the_game() -> None:
    game = new_game(Ruleset("second", 2), "log", "You")
    choose = any_of(5)
    outputs = []

    def chooser(decision: Decision) -> str:
        if game.round < 3:
            return choose(decision)
        outputs.append(seat.output.getvalue())
        return ["l", "l all", "q"][len(outputs) - 1] if len(outputs) < 4 else "y"

    seat = Seat(game, chooser)
    seat.run()
    this_round = outputs[1].removeprefix(outputs[0])
    whole = outputs[2].removeprefix(outputs[1])
    assert "Round 3 begins" in this_round
    assert "Welcome" not in this_round
    assert "Welcome" in whole
    assert "Round 2 begins" in whole
    assert "(automatic)" in whole


def test_undo_takes_back_the_last_decision() -> None:
    game = arrange()
    output = Seat(game, script("u", "1", "u", "u")).run()
    assert "Taken back with all that followed: You buy a Market for 5." in output
    assert output.count(text("screen.nothing_to_undo")) == 2
    assert game.moves == ()
    assert game.state() == arrange().state()


def test_undo_step_by_step() -> None:
    game = arrange()
    pass_on = number_of(game, "pass")
    Seat(game, script("1", pass_on, "u", "u")).run()
    assert game.moves == ()


def test_opponents_answer_the_same_after_an_undo() -> None:
    _, plain = play_script(["2"], round=3)
    _, again = play_script(["2", "u", "1", "u", "2"], round=3)
    assert len(plain.moves) > 1
    assert plain.history == again.history


def test_no_undo_once_hidden_cards_were_seen() -> None:
    game = arrange()
    output = Seat(game, script(number_of(game, "observe exchange"), "u", "1", "u", "u")).run()
    assert output.count(text("screen.seen_since")) == 2
    assert game.moves[0][0].text == "observe exchange"
    output, refilled = play_script(["1", "u"])
    assert refilled.phase == "building"
    assert text("screen.seen_since") in output


def test_no_undo_once_an_unseen_card_was_played() -> None:
    hands = {"hands": [[], ["pub"], []], "hands_seen": [[], [False], []]}
    game = arrange(areas=[{}, {}, {}], row1=["market"], row2=["market"], **hands)
    entries: list[str] = []

    def chooser(decision: Decision) -> str:
        played = any(action.text == "play pub" for action, _ in game.moves)
        if entries and entries[-1] == "u":
            raise EOFError
        entries.append("u" if played else "p")
        return entries[-1]

    output = Seat(game, chooser).run()
    assert entries[-1] == "u"
    assert text("screen.seen_since") in output


def test_pub_choices_are_numbered_by_points() -> None:
    game = arrange(areas=[{"pub": 1}, {}, {}], due="pub", row1=[], row2=[], rubles=[7, 0, 0])
    choices: tuple[Choice, ...] = list_choices(game.view(0), game.explain)
    assert [choice.number for choice in choices] == [0, 1, 2, 3]
    output = Seat(game, script("3")).run()
    assert "3  3 points for 6 rubles" in output
    assert game.view(0).players[0].points >= 3


def test_quitting_asks() -> None:
    output, _ = play_script(["q", "n", "quit", "y"])
    assert output.count(text("screen.leave")) == 2
    assert text("screen.going_on") in output
    assert text("screen.input_ended") not in output


def test_plain_letters_where_a_terminal_has_no_others() -> None:
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding="ascii", errors="replace")
    session = Session(arrange(), Paper(make_console(file, size=(80, 40))), lambda _: "q\n")
    draw(session.decision(), Paper(make_console(file, size=(80, 40))))
    file.flush()
    output = raw.getvalue().decode()
    assert "?" not in output.replace("? ", "")
    assert "+ Market ---" in output
    assert "+ Wharf ====" in output


def test_small_and_large_screens() -> None:
    def lines(height: int) -> list[str]:
        console = make_console(io.StringIO(), size=(80, height), record=True)
        draw(Seat(arrange(), script()).session.decision(), Paper(console))
        return console.export_text().splitlines()

    assert "┌ Market" in "\n".join(lines(50))
    small = lines(22)
    assert "┌" not in "".join(small)
    assert any("⇄ Wharf 12→5" in line for line in small)
    assert len(small) < 22


def test_command_ends_politely_without_input() -> None:
    result = CliRunner().invoke(app, ["play", "--seed", "7", "--players", "2", "--edition", "first"])
    assert result.exit_code == 0
    assert text("screen.input_ended") in result.output
    assert "--edition first --players 2 --seed 7" in " ".join(result.output.split())


def test_command_writes_the_record(tmp_path: Path) -> None:
    target = tmp_path / "game.json"
    options = ["play", "--seed", "record", "--players", "2", "--name", "Anna", "--record", str(target)]
    result = CliRunner().invoke(app, options, input="1\n" * 1000)
    assert result.exit_code == 0, result.output
    game = load(target)
    assert game.over
    assert game.seats[0] == "Anna"


@pytest.mark.parametrize(
    "options",
    [
        ["--players", "5"],
        ["--edition", "third"],
        ["--language", "ru"],
        ["--name", "A\tB"],
        ["--name", ""],
        ["--record", "/no/such/place/game.json"],
    ],
)
def test_command_refuses_with_a_sentence(options: list[str]) -> None:
    result = CliRunner().invoke(app, ["play", *options])
    assert result.exit_code != 0
    assert result.stderr.startswith("nevsky: ") and result.stderr.endswith(".\n")
