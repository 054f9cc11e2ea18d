"""What cannot be set is said so in a sentence before anything starts, and nothing is made."""

from __future__ import annotations

import json
import math
import os
import re
import signal
import stat
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from nevsky.cli.serve import serve as command
from nevsky.errors import NevskyError
from nevsky.server.run import serve
from nevsky.server.secret_file import load_secret
from nevsky.server.setting_kinds import Between
from nevsky.server.settings import Settings, unknown, unlimited
from nevsky.texts import LANGUAGES
from tests.server.copies import start_copy
from tests.server.support import FAST

ROOT = Path(__file__).parents[2]
_HINTS = get_type_hints(Settings, include_extras=True)
_TYPES = get_type_hints(Settings)
NUMBERS = [name for name in Settings._fields if _TYPES[name] in (int, float)]
RATES = [name for name in Settings._fields if "_rate" in name]
SENTENCE = re.compile(r"NEVSKY_[A-Z_]+ (is|names|needs) .*\.", re.DOTALL)


def _bounds(name: str) -> Between:
    (found,) = _HINTS[name].__metadata__
    assert isinstance(found, Between)
    return found


def _refusal(variable: str, value: str) -> str:
    with pytest.raises(NevskyError) as caught:
        Settings.read({variable: value})
    for language in LANGUAGES:
        assert f"{variable} " in caught.value.text(language)
    assert SENTENCE.fullmatch(str(caught.value)), str(caught.value)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_every_number_and_every_rate_has_bounds() -> None:
    assert len(NUMBERS) > 20
    assert len(RATES) > 15
    for name in (*NUMBERS, *RATES):
        assert _HINTS[name].__metadata__, name


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize(
    "value", ["nan", "-nan", "inf", "-inf", "-1", "-0.001", "1e400", "9" * 400, "many", "1,5", "0x10"]
)
def test_no_number_may_be_negative_or_nan_or_without_end(name: str, value: str) -> None:
    assert len(_refusal(f"NEVSKY_{name.upper()}", value)) < 300


@given(name=st.sampled_from(NUMBERS), value=st.floats() | st.integers())
def test_what_is_read_lies_within_its_bounds(name: str, value: float) -> None:
    bounds = _bounds(name)
    try:
        read = getattr(Settings.read({f"NEVSKY_{name.upper()}": str(value)}), name)
    except NevskyError:
        whole = _TYPES[name] is float or isinstance(value, int)
        assert not whole or not bounds.least <= value <= bounds.most
    else:
        assert bounds.least <= read <= bounds.most
        assert math.isfinite(read)


@given(name=st.sampled_from(NUMBERS), value=st.floats(allow_nan=True))
def test_what_programs_set_has_the_same_bounds(name: str, value: float) -> None:
    bounds = _bounds(name)
    assume(not bounds.least <= value <= bounds.most)
    with pytest.raises(NevskyError, match=f"NEVSKY_{name.upper()} is a number from"):
        Settings(**{name: value}).check()  # type: ignore[arg-type]


@pytest.mark.parametrize("name", RATES)
@pytest.mark.parametrize(
    "value",
    [
        "-3 per second",
        "0 per minute",
        "5 per 0 second",
        "nan per second",
        "5",
        "5 per fortnight",
        "inf/second",
        "1e9 per day",
    ],
)
def test_a_rate_is_some_in_a_time(name: str, value: str) -> None:
    assert "is a rate like" in _refusal(f"NEVSKY_{name.upper()}", value)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("port", "65536", "from 0 to 65535, not 65536"),
        ("bot_milliseconds", "0", "from 1 to 600000"),
        ("bot_workers", "100000", "from 0 to 1024"),
        ("sockets_per_address", "0", "from 1 to 1000000"),
        ("log_level", "loud", "one of debug, info, warning, error, critical, not 'loud'"),
        ("away_level", "tsar", "one of easy, "),
        ("trusted_proxies", "everybody", "addresses and networks"),
        ("trusted_proxies", "10.0.0.0/33", "addresses and networks"),
        ("trusted_proxies", "10.0.0.1/8", "addresses and networks"),
        ("origins", "play.example", "names origins"),
        ("origins", "https://play.example/path", "names origins"),
        ("origins", "https://play.example:99999", "names origins"),
        ("origins", "https://a.example,javascript:alert(1)", "not 'javascript:alert(1)'"),
        ("secret", "short", "at least 16 characters"),
        ("secure_cookies", "maybe", "yes or no"),
        ("port", "\udcff", "a whole number"),
        ("public_url", "play.example", "an address like 'https://play.example'"),
        ("public_url", "https://play.example/path", "an address like 'https://play.example'"),
        ("public_url", "https://a.example,https://b.example", "an address like 'https://play.example'"),
        ("smtp_url", "mail.example", "an address like 'smtp://"),
        ("smtp_url", "smtp://mail.example:99999", "an address like 'smtp://"),
        ("smtp_url", "smtp://anna:secret@mail.example", "needs NEVSKY_PUBLIC_URL and NEVSKY_MAIL_FROM"),
        ("mail_from", "Nevsky", "an address like 'Nevsky <nevsky@play.example>'"),
        ("mail_from", "nevsky@play.example\nBcc: all@play.example", "an address like"),
    ],
)
def test_what_is_wrong_is_said(name: str, value: str, words: str) -> None:
    assert words in _refusal(f"NEVSKY_{name.upper()}", value)


def test_the_secret_is_not_shown_when_it_is_too_short() -> None:
    assert "hush" not in _refusal("NEVSKY_SECRET", "hush")


def test_settings_come_from_the_environment_and_flags_win() -> None:
    settings = Settings.read({"NEVSKY_PORT": "1234", "NEVSKY_SECURE_COOKIES": "yes", "NEVSKY_HOST": "::1"}, host=None)
    assert (settings.port, settings.secure_cookies, settings.host) == (1234, True, "::1")
    assert Settings.read({"NEVSKY_PORT": "1234"}, port=5).port == 5
    assert Settings.read({"NEVSKY_SECURE_COOKIES": "off"}).secure_cookies is False
    assert Settings.read({"NEVSKY_ORIGINS": "https://a.example, http://[::1]:8080"}).origins
    assert Settings.read({}) == Settings()
    with pytest.raises(NevskyError, match="NEVSKY_PORT"):
        Settings.read({}, port=99999)


def test_the_settings_of_measurements_and_tests_are_within_bounds() -> None:
    Settings(**unlimited()).check()
    Settings(**FAST).check()


def test_unknown_variables_are_noticed_with_what_may_be_meant() -> None:
    found = unknown(
        {"NEVSKY_PROT": "1", "NEVSKY_CHAT_RATES": "x", "NEVSKY_ZARENHOF": "", "PORT": "1", "NEVSKY_PORT": "1"}
    )
    assert found == {"NEVSKY_CHAT_RATES": "NEVSKY_CHAT_RATE", "NEVSKY_PROT": "NEVSKY_PORT", "NEVSKY_ZARENHOF": ""}
    assert not unknown({"NEVSKY_PURE": "1"})


def _start(tmp_path: Path, **wrong: Any) -> str:
    settings = Settings(**{"database": str(tmp_path / "n.db"), "log_level": "critical", **wrong})
    with pytest.raises(NevskyError) as caught:
        serve(settings, say=pytest.fail)
    assert str(caught.value).endswith(".")
    return str(caught.value)


def test_the_server_does_not_start_with_settings_that_a_program_made_up(tmp_path: Path) -> None:
    assert "NEVSKY_BOT_PAUSE" in _start(tmp_path, bot_pause=math.nan)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("host", ["no such host", "300.1.1.1", "ä" * 80, "\udcff", "a..b", "2001:db8::zz"], ids=ascii)
def test_an_address_that_is_none(tmp_path: Path, host: str) -> None:
    assert "Cannot listen at" in _start(tmp_path, host=host)


def _folder(path: Path) -> None:
    path.mkdir()


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _letter(path: Path) -> None:
    path.write_text("Dear Anna, this is no database. " * 10)


def _dangling(path: Path) -> None:
    path.symlink_to(path.parent / "nowhere" / "deep")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (_folder, "it is not a file"),
        (_pipe, "it is not a file"),
        (_letter, "file is not a database"),
        (_dangling, "cannot be used: "),
    ],
)
def test_a_database_that_is_none(tmp_path: Path, make: Callable[[Path], None], words: str) -> None:
    make(tmp_path / "n.db")
    assert words in _start(tmp_path)


def test_a_database_where_none_can_be(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "cannot be used: Not a directory" in _start(tmp_path, database=str(tmp_path / "file" / "n.db"))
    assert "cannot be used: File name too long" in _start(tmp_path, database=str(tmp_path / ("n" * 300)))
    assert "cannot be used: " in _start(tmp_path, database="/proc/nevsky/n.db")
    assert "cannot be used: " in _start(tmp_path, database="/dev/full")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written(tmp_path: Path) -> None:
    (tmp_path / "locked").mkdir(mode=0o500)
    assert "cannot be used: Permission denied" in _start(tmp_path, database=str(tmp_path / "locked" / "n.db"))


@pytest.mark.parametrize(
    "name", ["a b?mode=memory#c%20d&e", "a%00b", "?", "#", "%", "ünïcödé\udcff", "new\nline", "file:x"]
)
def test_any_name_will_do_for_the_database(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    """Started and ended for real: the file has exactly this name, and nothing lies under another."""
    environment = {**os.environ, "NEVSKY_BOT_WORKERS": "1", "NEVSKY_SECERT": "typing is hard"}
    output = tmp_path_factory.mktemp("said") / "output"
    output.touch()
    server = start_copy(["serve", "--port", "0", "--database", str(tmp_path / name)], environment, output)
    while "\nNevsky is at http://" not in output.read_text():
        assert server.poll() is None, output.read_text()
        time.sleep(0.02)
    server.terminate()
    assert server.wait(30) in (0, -signal.SIGTERM), output.read_text()
    assert {each.name for each in tmp_path.iterdir()} <= {f"{name}{end}" for end in ("", ".secret", ".lock", ".admin")}
    assert (tmp_path / name).read_bytes().startswith(b"SQLite format 3")
    lines = [json.loads(line) for line in output.read_text().splitlines() if line.startswith("{")]
    assert [(line["name"], line["meant"]) for line in lines if line["event"] == "unknown_setting"] == [
        ("NEVSKY_SECERT", "NEVSKY_SECRET")
    ]


def test_the_secret_is_kept_beside_the_database(tmp_path: Path) -> None:
    settings = Settings(database=str(tmp_path / "deep" / "n.db"))
    secret = load_secret(settings)
    assert len(secret) > 30
    assert load_secret(settings) == secret
    assert stat.S_IMODE((tmp_path / "deep" / "n.db.secret").stat().st_mode) == 0o600
    assert [each.name for each in (tmp_path / "deep").iterdir()] == ["n.db.secret"]
    assert load_secret(settings._replace(secret="given")) == "given"


def _broken(tmp_path: Path, content: bytes, mode: int = 0o600) -> str:
    path = tmp_path / "n.db.secret"
    path.write_bytes(content)
    path.chmod(mode)
    said = _start(tmp_path)
    assert said.startswith(f"The secret {path} cannot be used: ")
    assert path.read_bytes() == content
    assert not (tmp_path / "n.db").exists()
    return said


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "it is empty"),
        (b" \n", "it is empty"),
        (b"hush", "fewer than 16 characters"),
        (b"\xff" * 40, "more than letters"),
        (b"half a secret\0and more", "more than letters"),
        (b"x" * 5000, "more than letters"),
    ],
)
def test_a_broken_secret_is_not_replaced(tmp_path: Path, content: bytes, words: str) -> None:
    assert words in _broken(tmp_path, content)


@pytest.mark.parametrize("mode", [0o604, 0o602, 0o644, 0o777])
def test_a_secret_that_everybody_can_read_is_none(tmp_path: Path, mode: int) -> None:
    assert "chmod 600" in _broken(tmp_path, b"x" * 40, mode)


def test_a_secret_that_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "n.db.secret").mkdir()
    assert "The secret" in (said := _start(tmp_path)) and "it is not a file" in said


@given(st.binary(max_size=80))
@example(b"x" * 16)
@example(b" " + b"x" * 43 + b"\r\n")
def test_a_secret_is_read_as_it_is_or_refused(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    folder = tmp_path_factory.mktemp("secret")
    path = folder / "n.db.secret"
    path.write_bytes(content)
    path.chmod(0o600)
    try:
        assert load_secret(Settings(database=str(folder / "n.db"))).encode() == content.strip()
    except NevskyError as error:
        assert str(path) in str(error)


def test_every_setting_is_in_the_help_and_in_the_docs() -> None:
    documented = (ROOT / "docs" / "server.md").read_text(encoding="utf-8")
    for name in Settings._fields:
        assert re.search(rf"\bNEVSKY_{name.upper()}\b", command.__doc__ or ""), name
        assert f"`NEVSKY_{name.upper()}`" in documented, name
    said = set(re.findall(r"\bNEVSKY_[A-Z_]+\b", f"{command.__doc__} {documented}"))
    assert said == {f"NEVSKY_{name.upper()}" for name in Settings._fields}
