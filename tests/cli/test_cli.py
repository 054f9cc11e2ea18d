"""The command line as a person uses it: what it prints, what it refuses, and its exit codes."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

import nevsky
from nevsky.cards import CARDS, card_name
from nevsky.narrate import narrate
from nevsky.record import load, save, to_dict
from tests.cli.command import COMMAND, Run, run_outside


def damage(record: Path, target: Path, **changes: object) -> Path:
    target.write_text(json.dumps({**json.loads(record.read_text(encoding="utf-8")), **changes}), encoding="utf-8")
    return target


def test_the_version_tells_whether_the_rules_are_compiled(run: Run) -> None:
    speed = "compiled" if nevsky.COMPILED else "uncompiled"
    assert run("--version") == (0, f"nevsky {nevsky.__version__} (rules {speed})\n", "")


def test_the_rules_run_uncompiled_on_demand() -> None:
    assert run_outside("--version", NEVSKY_PURE="1").out == f"nevsky {nevsky.__version__} (rules uncompiled)\n"


@pytest.mark.parametrize(
    "command",
    [
        "",
        "play",
        "serve",
        "worker",
        "migrate-database",
        "simulate",
        "arena",
        "report",
        "export",
        "replay",
        "puzzles",
        "review",
        "verify",
        "bench",
        "train policy",
    ],
)
def test_the_help_speaks_of_values_in_peoples_words(run: Run, command: str) -> None:
    told = run(*command.split(), "--help").out
    for word in ("<bool>", "<int>", "<str>", "<float>", "<path>", "<list"):
        assert word not in told


def test_the_options_of_a_ruleset_are_the_same_everywhere(run: Run) -> None:
    told = [run(command, "--help").out for command in ("play", "arena", "simulate")]
    for option in ("edition", "players", "market", "modules", "good-company", "real-obstacles", "youngest"):
        assert all(f"--{option} " in text for text in told)
    assert [f"[default: {players}]" in text for text, players in zip(told, (3, 2, 4), strict=True)] == [True] * 3
    assert ["--open-hands" in text for text in told] == [True, False, False]


def test_the_help_names_every_command(run: Run) -> None:
    answer = run("--help")
    assert answer.code == 0
    for command in ("play", "simulate", "replay", "verify", "bench", "export"):
        assert command in answer.out
        assert run(command, "--help").code == 0


def test_a_simulation_tells_its_figures(run: Run) -> None:
    answer = run("simulate", "--games", 30, "--players", 3, "--edition", "first", "--seed", "neva", "--json")
    assert answer.code == 0
    figures = answer.data
    assert set(figures) == set(
        "ruleset seed games rounds decisions_mean scores winning_score_mean end_trigger wins_by_seat".split()
    )
    assert figures["ruleset"] == nevsky.Ruleset("first", 3).to_dict()
    assert (figures["seed"], figures["games"]) == ("neva", 30)
    assert sum(figures["rounds"].values()) == sum(figures["end_trigger"].values()) == 30
    assert sum(figures["wins_by_seat"]) == pytest.approx(30, abs=0.01)
    scores = [figures["scores"][name] for name in ("min", "q05", "q25", "median", "q75", "q95", "max")]
    assert scores == sorted(scores)
    assert figures["winning_score_mean"] >= figures["scores"]["mean"]


def test_the_same_seed_gives_the_same_games(run: Run) -> None:
    first = run("simulate", "--games", 40, "--seed", "neva", "--json")
    assert run("simulate", "--games", 40, "--seed", "neva", "--json") == first
    assert run("simulate", "--games", 40, "--seed", "fontanka", "--json").data["scores"] != first.data["scores"]


def test_the_number_of_cores_changes_nothing() -> None:
    options = ("simulate", "--games", 600, "--players", 2, "--seed", 3, "--json")  # enough for more than one process
    one, two = (run_outside(*options, "--cores", cores) for cores in (1, 2))
    assert one == two
    assert one.code == 0
    assert one.data["games"] == 600


def test_compiled_and_uncompiled_simulations_agree(run: Run) -> None:
    options = ("simulate", "--games", 5, "--json")
    assert run_outside(*options, NEVSKY_PURE="1") == run(*options)


def test_a_simulation_can_be_read(run: Run) -> None:
    answer = run("simulate", "--games", 10, "--players", 2)
    assert answer.code == 0
    for words in ("second edition, 2 players, seed 0", "rounds", "actions per game", "winners", "wins by seat"):
        assert words in answer.out


def test_records_do_not_change_the_figures_and_are_legal_games(run: Run, tmp_path: Path) -> None:
    directory = tmp_path / "new" / "records"
    options = ("simulate", "--games", 12, "--seed", "neva", "--json")
    assert run(*options, "--records", directory) == run(*options)
    records = sorted(directory.glob("*.json"))
    assert [path.name for path in records] == [f"game-{number:06}.json" for number in range(12)]
    answer = run("verify", *records)
    assert (answer.code, answer.err) == (0, "")
    lines = answer.out.splitlines()
    assert len(lines) == 12
    for path, line in zip(records, lines, strict=True):
        assert line == f"{path}: a legal game, second edition, 4 players, {len(load(path).moves)} actions"
        assert path.with_suffix(".txt").read_text(encoding="utf-8") == narrate(load(path))


def test_a_replay_can_be_read(run: Run, record: Path) -> None:
    answer = run("replay", record)
    game = load(record)
    assert answer == (0, narrate(game), "")
    assert answer.out.startswith("Saint Petersburg, second edition, 3 players: Player 1, Player 2, Player 3\n\nROUND 1")
    assert "FINAL SCORING" in answer.out
    assert answer.out.splitlines()[-1].endswith(("wins.", "share the victory."))


def test_a_replay_speaks_other_languages(run: Run, record: Path) -> None:
    noble = next(move.action.card for move in load(record).history if move.action.card == "author")
    assert card_name(noble, "de") in run("replay", record, "--language", "de").out


def test_a_trace_has_a_line_for_each_decision(run: Run, record: Path) -> None:
    answer = run("replay", record, "--trace")
    assert (answer.code, answer.err) == (0, "")
    head, *decisions, last = (json.loads(line) for line in answer.out.splitlines())
    saved = json.loads(record.read_text(encoding="utf-8"))
    assert (head["edition"], head["players"], head["piles"]) == ("second", 3, saved["piles"])
    assert [line["action"] for line in decisions] == saved["actions"]
    assert [line["n"] for line in decisions] == list(range(1, len(decisions) + 1))
    assert not any("legal" in line for line in decisions)
    assert last == saved["result"]


def test_a_trace_can_list_the_legal_actions(run: Run, record: Path) -> None:
    plain = [json.loads(line) for line in run("replay", record, "--trace").out.splitlines()]
    lines = [json.loads(line) for line in run("replay", record, "--trace", "--legal").out.splitlines()]
    for line in lines[1:-1]:
        assert line["action"] in line.pop("legal")
    assert lines == plain


def test_a_reader_who_has_seen_enough_is_no_error(record: Path) -> None:
    with subprocess.Popen(
        [*COMMAND, "replay", str(record), "--trace", "--legal"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""


def test_a_game_in_progress_is_legal_so_far(run: Run, tmp_path: Path) -> None:
    game = nevsky.Game(nevsky.Ruleset("second", 2), seed=1)
    game.push(game.legal_ids[0])
    save(game, tmp_path / "begun.json")
    answer = run("verify", tmp_path / "begun.json")
    assert answer.code == 0
    assert "legal so far (round 1, worker phase), second edition, 2 players, 1 actions" in answer.out
    assert "The game is not over yet." in run("replay", tmp_path / "begun.json").out


def test_verify_names_the_place_of_an_illegal_action(run: Run, record: Path, tmp_path: Path) -> None:
    actions = list(to_dict(load(record))["actions"])
    actions[10] = "buy academy row 2"
    bad = damage(record, tmp_path / "bad.json", actions=actions)
    answer = run("verify", record, bad)
    assert answer.code == 1
    good_line, bad_line, sum_line = answer.out.splitlines()
    assert good_line.startswith(f"{record}: a legal game")
    assert bad_line.startswith(f"{bad}: not a legal game. Action 11 (round 1, ")
    assert bad_line.endswith("'buy academy row 2' is not possible now.")
    assert sum_line == "1 of 2 records are not what they should be."


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"rules": "99"}, "rules '99'"),
        ({"result": None}, "The result in the record"),
        ({"tokens": {"worker": 0}}, "token"),
        ({"format": "other"}, "not a record"),
        ({"surprise": 1}, "unknown fields: surprise"),
    ],
)
def test_verify_gives_the_reason(
    run: Run, record: Path, tmp_path: Path, changes: dict[str, object], reason: str
) -> None:
    answer = run("verify", damage(record, tmp_path / "bad.json", **changes))
    assert answer.code == 1
    assert reason in answer.out


@pytest.mark.parametrize("text", ["", '{"format": "nevsky-record-1", "rules', "\0\0"])
def test_verify_refuses_what_is_no_record(run: Run, tmp_path: Path, text: str) -> None:
    file = tmp_path / "bad.json"
    file.write_text(text, encoding="utf-8")
    answer = run("verify", file)
    assert (answer.code, answer.err) == (1, "")
    assert "broken JSON in line 1" in answer.out


def test_verify_refuses_files_that_cannot_be_read(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe\xff")
    answer = run("verify", tmp_path / "nothing.json", tmp_path, tmp_path / "bytes.json")
    assert answer.code == 1
    assert "3 of 3 records are not what they should be." in answer.out


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ("simulate --players 5", "Market"),
        ("simulate --players 1", "1"),
        ("simulate --players 9", "9"),
        ("simulate --edition third", "'third'"),
        ("simulate --games 0", "0"),
        ("simulate --games -3", "-3"),
        ("simulate --games many", "--games"),
        ("simulate --players", "--players"),
        ("simulate --speed 3", "--speed"),
        ("simulate --cores -1", "-1"),
        ("simulate --edition first --market", "no Market"),
        ("simulate --edition first --modules 1", "no modules"),
        ("simulate --modules 3", "needs the Market"),
        ("simulate --modules 7", "no module 7"),
        ("simulate --modules 1;2", "'1;2'"),
        ("simulate --modules ²", "'²'"),
        ("simulate --good-company mayor", "module 2"),
        ("simulate --modules 2 --good-company pub", "'pub'"),
        ("simulate --real-obstacles 2", "module 6"),
        ("simulate --market --modules 6 --real-obstacles 6", "6"),
        ("simulate --youngest 4", "from 0 to 3"),
        ("simulate --market --players 6", "6"),
        ("play --modules 6", "needs the Market"),
        ("play --market --players 5 --youngest 5", "from 0 to 4"),
        ("play --modules one", "'one'"),
        ("bench --seconds 0", "0"),
        ("bench --seconds -1", "-1"),
        ("bench --seconds nan", "nan"),
        ("bench --seconds inf", "inf"),
        ("bench soak --tables 0", "0"),
        ("play --players 5", "Market"),
        ("play --players 1", "1"),
        ("play --edition third", "'third'"),
        ("play --language ru", "'ru'"),
        ("replay no-such-file.json", "no-such-file.json"),
        ("replay no-such-file.json --legal", "--trace"),
        ("replay no-such-file.json --language ru", "'ru'"),
        ("replay", "file"),
        ("verify", "files"),
        ("dance", "dance"),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_sentence(run: Run, options: str, word: str) -> None:
    answer = run(*options.split())
    assert (answer.code, answer.out) == (2, "")
    assert word.lower() in answer.err.lower()  # FILES or files, by the version of typer
    assert "Traceback" not in answer.err
    if answer.err.startswith("nevsky: "):
        assert answer.err.count("\n") == 1
        assert answer.err.endswith(".\n")


def test_records_need_a_place_that_can_be_made(run: Run, record: Path) -> None:
    answer = run("simulate", "--games", 1, "--records", record / "below-a-file")
    assert answer.code == 2
    assert "cannot be made" in answer.err


def test_a_refusal_has_no_traceback_outside_either() -> None:
    answer = run_outside("simulate", "--players", 5)
    assert answer == (2, "", "nevsky: Five players need the Market (rule 1.2).\n")


def test_a_game_can_be_left() -> None:
    answer = run_outside("play", "--seed", 7, "--name", "Anna", entry="q\ny\n")
    assert (answer.code, answer.err) == (0, "")
    assert "Saint Petersburg" in answer.out
    assert "--seed 7" in answer.out.replace("\n", " ")


def test_replay_and_verify_can_be_told_which_game_to_expect(run: Run, tmp_path: Path) -> None:
    record = tmp_path / "game-000000.json"
    assert (
        run("simulate", "--games", 1, "--market", "--modules", "1,6", "--players", 3, "--records", tmp_path).code == 0
    )
    assert run("verify", record, "--market", "--modules", "6,1").code == 0
    other = run("verify", record, "--no-market")
    assert other.code == 1
    assert (
        "a legal game, but not the one asked for. This is another game: second edition, 3 players, Market" in other.out
    )
    assert run("replay", record, "--market").code == 0
    assert run("replay", record, "--modules", "2").err == (
        "nevsky: This is another game: second edition, 3 players, Market, modules 1, 6.\n"
    )
    assert "needs the Market" in run("replay", record, "--no-market", "--modules", "3").err


def test_bench_takes_a_ruleset(run: Run) -> None:
    assert run("bench", "--modules", "3", "--players", 4) == (
        2,
        "",
        "nevsky: Module 3 (Assistants) needs the Market (rule 1.3).\n",
    )


def test_a_command_with_a_language_says_in_it_what_is_wrong(run: Run, tmp_path: Path) -> None:
    missing = tmp_path / "none.json"
    answers = [run("replay", missing, "--language", language) for language in ("en", "de", "fr", "it", "ru")]
    assert [answer.code for answer in answers] == [2] * 5
    assert [answer.err.partition(str(missing))[2].partition(":")[0] for answer in answers[:4]] == [
        " cannot be read",
        " ist nicht lesbar",
        " est illisible\N{NO-BREAK SPACE}",
        " non si può leggere",
    ]
    assert answers[4].err == "nevsky: There is no language 'ru': choose en, de, fr, it.\n"
    assert "nur mit --trace" in run("replay", missing, "--legal", "--language", "de").err


def test_every_card_is_listed_under_the_id_that_actions_use(run: Run) -> None:
    rows = run("cards", "--json", "--language", "it").data
    assert [row["id"] for row in rows] == [card.exact for card in CARDS]
    assert rows[0]["name"] == card_name("lumberjack", "it") and rows[0]["cost"] == {"first": 3, "second": 3}
    printed = run("cards").out
    assert all(card.exact in printed for card in CARDS), "no id is cut, however narrow the terminal"
