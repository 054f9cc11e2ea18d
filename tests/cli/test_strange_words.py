"""Whatever bytes a command is given, it answers in a sentence, and nothing of it acts on the terminal."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nevsky.cli.saying import say, say_json
from nevsky.errors import NevskyError
from nevsky.record import from_dict, load, save, to_dict
from nevsky.rules.game import Game
from nevsky.rules.ruleset import Ruleset
from nevsky.simulate import play_random_game, simulate

NOT_TEXT = b"\xff"
ESCAPE = "A\x1b[31m\x9b2J\u202eB"


def _run(*words: str | bytes, folder: Path | None = None, entry: bytes = b"", seconds: float = 60) -> tuple[int, str]:
    """What a command says on both channels, with every byte that would do something left as it is."""
    command: list[bytes] = [os.fsencode(word) for word in (sys.executable, "-m", "nevsky", *words)]
    environment = {**os.environ, "PYTHONUTF8": "1", "NEVSKY_DATABASE": str(folder / "n.db") if folder else ""}
    done = subprocess.run(
        command, input=entry, capture_output=True, timeout=seconds, check=False, cwd=folder, env=environment
    )
    said = (done.stdout + done.stderr).decode()
    assert "Traceback" not in said, said
    assert not [each for each in said if each != "\n" and unicodedata.category(each) in ("Cc", "Cf", "Cs")], said
    return done.returncode, said


@pytest.fixture
def strange(tmp_path: Path) -> Path:
    """Records with strange words in every place that holds words."""
    plain = to_dict(play_random_game(Ruleset(players=2), "1"))
    for name, words in (("escape", ESCAPE), ("half", "A\ud800")):
        changes: dict[str, dict[str, object]] = {
            "names": {"seats": [words, "B"]},
            "seed": {"seed": words},
            "action": {"actions": [words], "auto": []},
            "rules": {"rules": words},
            "field": {words: 1},
            "ruleset": {"ruleset": {words: 1}},
            "edition": {"ruleset": {**plain["ruleset"], "edition": words}},
            "piles": {"piles": {words: [words]}},
            "tokens": {"tokens": {words: 0}},
            "start": {"start": {words: words}},
        }
        for part, change in changes.items():
            (tmp_path / f"{name}-{part}.json").write_text(json.dumps({**plain, **change}))
    (tmp_path / os.fsdecode(b"name\xff\x1b[31m.json")).write_text(json.dumps(plain))
    (tmp_path / "broken.json").write_bytes(b"\xff\x1b[31m")
    return tmp_path


def test_verify_reads_anything(strange: Path) -> None:
    files = sorted(strange.glob("*.json"))
    code, said = _run("verify", *map(str, files))
    assert code == 1
    assert len(said.splitlines()) == len(files) + 1
    assert "half-names.json: a legal game" in said
    assert "escape-names.json: a legal game" in said
    assert "name\\udcff\\x1b[31m.json: a legal game" in said


def test_replay_shows_control_characters_instead_of_doing_them(strange: Path) -> None:
    code, said = _run("replay", str(strange / "escape-names.json"))
    assert (code, "A\\x1b[31m\\x9b2J\\u202eB wins" in said or "A\\x1b[31m\\x9b2J\\u202eB:" in said) == (0, True)
    code, said = _run("replay", "--trace", str(strange / "escape-names.json"))
    assert code == 0
    assert json.loads(said.splitlines()[0])["seats"][0] == ESCAPE
    assert "A\\ud800" in _run("replay", str(strange / "half-names.json"))[1]
    for part in ("field", "ruleset", "action"):
        code, said = _run("replay", str(strange / f"half-{part}.json"))
        assert code == 2
        assert said.startswith("nevsky: ")
        assert said.endswith(".\n")


COMMANDS: tuple[tuple[str | bytes, ...], ...] = (
    ("simulate", "--games", "1", "--cores", "1", "--seed", NOT_TEXT),
    ("simulate", "--edition", NOT_TEXT),
    ("arena", "--bot", "random", "--bot", "random", "--games", "2", "--seed", NOT_TEXT),
    ("arena", "--bot", NOT_TEXT),
    ("arena", "--check", "--bot-cmd", b"/nowhere\x1b[31m\xff"),
    ("arena", "--bot", "random", "--bot", "random", "--format", NOT_TEXT),
    ("arena", "--bot", "random", "--bot", "random", "--out", b"/proc/\xff"),
    ("play", "--name", NOT_TEXT),
    ("play", "--name", "\x1b[31m"),
    ("play", "--seed", NOT_TEXT),
    ("play", "--level", NOT_TEXT),
    ("play", "--language", NOT_TEXT),
    ("play", "--record", b"nowhere\xff/\x1b[31m"),
    ("replay", b"nothing\xff\x1b[31m.json"),
    ("replay", "--language", b"\x1b[31m", "x"),
    ("export", b"nothing\xff\x1b", "--out", b"\xff\x1b.parquet"),
    ("export", b"nothing\xff\x1b", "--out", b"\xff\x1b.csv"),
    ("report", b"nothing\xff\x1b"),
    ("train", "value", "--records", NOT_TEXT),
    ("bench", "--seed", NOT_TEXT),
    ("serve", "--host", NOT_TEXT),
    ("serve", "--database", b"/proc/\xff\x1b[31m/n.db"),
    ("admin", "tables", "show", b"\xff\x1b[31m"),
    ("admin", "tables", "list", "--status", NOT_TEXT),
    ("admin", "guests", "rename", NOT_TEXT, b"\x1b[31m"),
    ("admin", "guests", "list", "--name", NOT_TEXT),
    ("admin", "addresses", "ban", b"\xff\x1b[31m"),
    ("admin", "purge", "--older-than", b"\xff\x1b[31m"),
    ("admin", "purge", "--older-than", "nan"),
    ("admin", "restore", b"nothing\xff\x1b[31m"),
    ("admin", "--database", b"nothing\xff\x1b[31m", "backup", b"/proc/\xff"),
    (b"\xff\x1b[31m",),
    ("verify", b"--\xff\x1b[31m"),
)


@pytest.mark.parametrize("words", COMMANDS, ids=ascii)
def test_every_command_refuses_bytes_that_are_no_text(tmp_path: Path, words: tuple[str | bytes, ...]) -> None:
    code, said = _run(*words, folder=tmp_path)
    assert code == 2, said
    assert said.strip()


def test_names_of_files_may_be_any_bytes(strange: Path) -> None:
    record = b"name\xff\x1b[31m.json"
    assert _run("replay", record, folder=strange)[0] == 0
    assert _run("verify", record, folder=strange)[0] == 0
    pytest.importorskip("polars")
    code, said = _run("export", record, "--out", b"out\x1b.parquet", folder=strange)
    assert (code, "1 games" in said) == (0, True), said
    code, said = _run("export", record, "--out", b"out\xff.parquet", folder=strange)
    assert (code, "--out is text" in said) == (2, True), said


def test_what_has_no_end_is_not_read_to_its_end(tmp_path: Path) -> None:
    huge = tmp_path / "huge.json"
    with huge.open("wb") as file:
        file.truncate(2**40)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for path, words in (
        ("/dev/zero", "/dev/zero cannot be read: it is not a file."),
        (str(huge), "huge.json is too large for a record."),
        (str(tmp_path / "pipe"), "it is not a file."),
        (str(tmp_path / "folder"), "Is a directory."),
        (str(tmp_path / "none"), "No such file or directory."),
        (str(tmp_path / ("x" * 300)), "File name too long."),
    ):
        code, said = _run("verify", path, seconds=30)
        assert (code, words in said) == (1, True), said


def test_a_record_may_come_through_a_pipe_that_somebody_writes_to(strange: Path) -> None:
    record = (strange / "escape-names.json").read_bytes()
    code, said = _run("verify", "/dev/stdin", entry=record)
    assert (code, "a legal game" in said) == (0, True)
    code, said = _run("verify", "/dev/stdin", entry=b" " * 5_000_000)
    assert (code, "too large" in said) == (1, True)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    (tmp_path / "locked.json").touch(mode=0o000)
    assert "Permission denied" in _run("verify", str(tmp_path / "locked.json"))[1]


@given(st.text(st.characters(codec=None), max_size=30))
def test_what_is_said_holds_no_control_characters(words: str) -> None:
    import contextlib
    import io

    with contextlib.redirect_stdout(io.StringIO()) as out:
        say(words)
        say_json({words: [words]})
    line, *rest = out.getvalue()[:-1].rsplit("\n", 1)
    said = f"{line}{''.join(rest)}".replace("\n", "")
    said.encode()
    assert not [each for each in said if unicodedata.category(each).startswith("C")]
    assert json.loads(rest[0]) == {words: [words]}


def test_seeds_are_text(tmp_path: Path) -> None:
    with pytest.raises(NevskyError, match="A seed is text"):
        Game(seed="\udcff")
    with pytest.raises(NevskyError, match="A seed is text"):
        simulate(Ruleset(), 1, "\udcff", records=tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_a_record_with_half_a_character_can_be_saved_and_read(tmp_path: Path) -> None:
    game = from_dict({**to_dict(Game(Ruleset(players=2), seed="1")), "seed": "\ud800", "seats": ["A\udfff", "B"]})
    save(game, tmp_path / "again.json")
    again = load(tmp_path / "again.json")
    assert (again.seed, again.seats) == ("\ud800", ("A\udfff", "B"))
