"""Pages, headers, lists and everything that is not play."""

from __future__ import annotations

import re
import stat
from pathlib import Path
from typing import Any, get_args

import pytest

from nevsky.cards import CARDS
from nevsky.cli.serve import serve as command
from nevsky.errors import NevskyError
from nevsky.server import pages
from nevsky.server.bot_pool import levels
from nevsky.server.library import card_list, meta
from nevsky.server.origins import same_origin
from nevsky.server.protocol import Language
from nevsky.server.rulebook import rule_book
from nevsky.server.run import serve
from nevsky.server.sanitize import clean
from nevsky.server.sessions import load_secret
from nevsky.server.settings import Settings
from nevsky.texts import LANGUAGES, text
from tests.server.support import run, running

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize("language", get_args(Language))
def test_the_rules_have_the_same_numbers_in_every_language(language: Language) -> None:
    numbers = {
        spoken: [(part.number, part.level, [rule.number for rule in part.rules]) for part in rule_book(spoken).sections]
        for spoken in ("en", language)
    }
    assert numbers[language] == numbers["en"]
    assert rule_book(language).language == language


def test_sections_and_rules_have_their_numbers() -> None:
    numbers = {rule.number for section in rule_book().sections for rule in section.rules}
    assert {"1.1", "5.1", "9.3", "12.2"} <= numbers
    assert [section.number for section in rule_book().sections if section.level == 2][1:4] == ["1", "2", "3"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_cards_and_meta_speak_every_language(language: str) -> None:
    cards = card_list(language).cards
    assert len(cards) == len(CARDS)
    assert all(card.name and card.explanation for card in cards)
    found = meta(language)
    assert [module.number for module in found.modules] == [1, 2, 3, 4, 5, 6]
    assert all(module.description for module in found.modules)
    assert [level.level for level in found.levels] == list(levels())
    assert all(text(f"level.{level}.name", language) for level in ("easy", "medium", "hard", "master"))
    assert all(level.name and level.description for level in found.levels)


def test_headers_are_strict_and_pages_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    static = tmp_path / "static"
    monkeypatch.setattr(pages, "STATIC", static)

    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna = await server.visitor()
            for path in ("/", "/table/abc", "/new", "/replay/x", "/rules", "/about"):
                assert "npm" in (await anna.http.get(path)).text
            (static / "assets").mkdir(parents=True)
            (static / "index.html").write_text("<title>front end</title>")
            (static / "assets" / "a-1.js").write_text("1")
            for path in ("/", "/table/abc?seat=x", "/rules"):
                answer = await anna.http.get(path)
                assert answer.text == "<title>front end</title>"
                assert answer.headers["cache-control"] == "no-cache"
            assert "immutable" in (await anna.http.get("/assets/a-1.js")).headers["cache-control"]
            for path in ("/../n.db", "/%2e%2e/n.db", "/assets/..%2f..%2fn.db", "/else", "/assets/b.js", "/%00"):
                assert (await anna.http.get(path)).status_code == 404
            policy = answer.headers["content-security-policy"]
            assert "default-src 'self'" in policy
            assert "script-src 'self';" in policy
            assert "connect-src 'self' ws:" in policy
            assert answer.headers["x-frame-options"] == "DENY"
            answer = await anna.http.get("/api/nothing")
            assert (answer.status_code, answer.json()["code"]) == (404, "not_found")

    run(scenario())


def test_cookies_are_signed_and_hidden_from_scripts(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", secure_cookies=True) as server:
            anna = await server.visitor()
            cookie = (await anna.http.get("/api/me")).headers["set-cookie"]
            assert "HttpOnly" in cookie
            assert "SameSite=lax" in cookie
            assert "Secure" in cookie

    run(scenario())


def test_health_ready_and_metrics(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna = await server.visitor()
            assert (await anna.http.get("/health")).json()["status"] == "ok"
            assert (await anna.http.get("/ready")).json()["status"] == "ok"
            assert "nevsky_requests_total" in (await anna.http.get("/metrics")).text

    run(scenario())


def test_the_secret_is_kept_beside_the_database(tmp_path: Path) -> None:
    settings = Settings(database=str(tmp_path / "deep" / "n.db"))
    secret = load_secret(settings)
    assert len(secret) > 30
    assert load_secret(settings) == secret
    assert stat.S_IMODE((tmp_path / "deep" / "n.db.secret").stat().st_mode) == 0o600
    assert load_secret(settings._replace(secret="given")) == "given"


def test_settings_come_from_the_environment_and_flags_win() -> None:
    settings = Settings.read({"NEVSKY_PORT": "1234", "NEVSKY_SECURE_COOKIES": "yes", "NEVSKY_HOST": "::1"}, host=None)
    assert (settings.port, settings.secure_cookies, settings.host) == (1234, True, "::1")
    assert Settings.read({"NEVSKY_PORT": "1234"}, port=5).port == 5
    assert Settings.read({"NEVSKY_SECURE_COOKIES": "off"}).secure_cookies is False
    with pytest.raises(NevskyError, match="NEVSKY_PORT is a number"):
        Settings.read({"NEVSKY_PORT": "many"})
    with pytest.raises(NevskyError, match="NEVSKY_SECURE_COOKIES is yes or no"):
        Settings.read({"NEVSKY_SECURE_COOKIES": "maybe"})


WRONG: tuple[tuple[dict[str, Any], str], ...] = (
    ({"chat_rate": "often"}, "NEVSKY_CHAT_RATE is a rate"),
    ({"away_level": "tsar"}, "NEVSKY_AWAY_LEVEL is one of easy, "),
    ({"log_level": "loud"}, "NEVSKY_LOG_LEVEL is debug, info"),
    ({"port": 99999}, "there is no such port"),
    ({"database": "/dev/null/n.db"}, "cannot be used: "),
    ({"database": __file__}, "file is not a database"),
)


@pytest.mark.parametrize(("wrong", "words"), WRONG)
def test_settings_that_cannot_be_are_refused_before_the_start(
    tmp_path: Path, wrong: dict[str, Any], words: str
) -> None:
    settings = Settings(**{"database": str(tmp_path / "n.db"), "secret": "s", "log_level": "critical", **wrong})
    with pytest.raises(NevskyError, match=words):
        serve(settings, say=pytest.fail)


def test_every_setting_is_in_the_help_and_in_the_docs() -> None:
    documented = (ROOT / "docs" / "server.md").read_text(encoding="utf-8")
    for name in Settings._fields:
        assert re.search(rf"\bNEVSKY_{name.upper()}\b", command.__doc__ or ""), name
        assert f"`NEVSKY_{name.upper()}`" in documented, name
    said = set(re.findall(r"\bNEVSKY_[A-Z_]+\b", f"{command.__doc__} {documented}"))
    assert said == {f"NEVSKY_{name.upper()}" for name in Settings._fields}


def test_names_lose_control_characters() -> None:
    assert clean("  A\u200bn\u202en\x07a \n B ", 24) == "Anna B"
    assert clean("Зинаида Ångström 🎩", 24) == "Зинаида Ångström 🎩"


@pytest.mark.parametrize(
    ("origin", "host", "fits"),
    [
        (None, "play.example", True),
        ("https://play.example", "play.example", True),
        ("https://evil.example", "play.example", False),
        ("http://localhost:5173", "127.0.0.1:8000", True),
        ("http://localhost:5173", "play.example", False),
        ("https://friend.example", "play.example", True),
        ("http://[", "play.example", False),
        ("null", "play.example", False),
    ],
)
def test_which_pages_may_use_the_server(origin: str | None, host: str, fits: bool) -> None:
    from starlette.requests import HTTPConnection

    headers = [(b"host", host.encode())] + ([(b"origin", origin.encode())] if origin else [])
    connection = HTTPConnection({"type": "http", "headers": headers})
    assert same_origin(connection, Settings(origins="https://friend.example")) == fits
