"""Pages, headers, lists and everything that is not play."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from nevsky.cards import CARDS
from nevsky.server import pages
from nevsky.server.bot_pool import levels
from nevsky.server.library import card_list, meta
from nevsky.server.origins import same_origin
from nevsky.server.protocol import Language
from nevsky.server.rulebook import rule_book
from nevsky.server.sanitize import clean
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
    assert all(card.name and card.explanation and card.explanation_first for card in cards)
    differ = {card.card for card in cards if card.explanation != card.explanation_first}
    assert differ == {"mariinsky_theater"}, "in the first edition it pays rubles, in the second it brings points"
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
            for path in ("/", "/rules?find=x", "/guide"):
                answer = await anna.http.get(path)
                assert answer.text == "<title>front end</title>"
                assert answer.headers["cache-control"] == "no-cache"
            assert "immutable" in (await anna.http.get("/assets/a-1.js")).headers["cache-control"]
            for path in ("/../n.db", "/%2e%2e/n.db", "/assets/..%2f..%2fn.db", "/assets/b.js", "/%00"):
                answer = await anna.http.get(path)
                assert (answer.status_code, "front end" in answer.text) == (404, False)
            for path in ("/else", "/table/%E0%A4%A", "/table/nowhere", "/new/er", "/table/a/b"):
                missing = await anna.http.get(path)
                assert (missing.status_code, "front end" in missing.text) == (404, True)
            answer = await anna.http.get("/rules")
            policy = answer.headers["content-security-policy"]
            assert "default-src 'self'" in policy
            assert "script-src 'self';" in policy
            assert "connect-src 'self';" in policy
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
