"""What the page of a table tells messengers that show its link, and what people see who are refused."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from nevsky.server import pages
from nevsky.texts import LANGUAGES, read_texts
from tests.server.support import Server, Visitor, run, running

INDEX = '<!doctype html><html lang="en"><head><title>Nevsky</title></head><body></body></html>'


@pytest.fixture(autouse=True)
def static(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "static"
    folder.mkdir()
    (folder / "index.html").write_text(INDEX, encoding="utf-8")
    monkeypatch.setattr(pages, "STATIC", folder)


async def named(server: Server, name: str) -> Visitor:
    visitor = await server.visitor()
    assert (await visitor.http.put("/api/me", json={"name": name})).status_code == 200
    return visitor


async def head(visitor: Visitor, path: str, language: str = "en") -> dict[str, str]:
    """Title and meta tags of a page, and its status."""
    answer = await visitor.http.get(path, headers={"Accept-Language": language})
    tags = re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)" />', answer.text)
    found = {name: unescape(content) for name, content in tags}
    title = re.search(r"<title>(.*)</title>", answer.text)
    assert title
    return {**found, "title": unescape(title.group(1)), "status": str(answer.status_code)}


def test_a_public_table_says_who_plays_and_how_far_it_is(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna = await named(server, '<script>"Anna"')
            made = await anna.create("me open", public=True)
            table = f"/table/{made['table']}"
            found = await head(anna, f"{table}?seat={made['seat_token']}")
            assert found["og:title"] == 'Saint Petersburg with <script>"Anna"'
            assert found["title"].startswith(found["og:title"])
            assert "1 of 2" in found["og:description"] == found["description"]
            assert found["og:image"].startswith("http://") and found["og:image"].endswith("/preview.png")
            assert found["og:url"].endswith(table), "without the secret of the seat"
            page = (await anna.http.get(table)).text
            assert "<script>" not in page and made["seat_token"] not in page

    run(scenario())


def test_a_private_table_says_no_names(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna = await named(server, "Anna")
            made = await anna.create("me open", public=False)
            for kind in ("table", "replay"):
                page = (await anna.http.get(f"/{kind}/{made['table']}")).text
                assert "Anna" not in page and "Saint Petersburg" in page

    run(scenario())


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_has_a_title_in_the_language_of_the_request(tmp_path: Path, language: str) -> None:
    said = read_texts(language, "web")

    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna = await server.visitor()
            for path, key in (("/", "home.title"), ("/rules", "rules"), ("/new", "new_table"), ("/guide", "guide")):
                found = await head(anna, path, language)
                assert (found["title"], found["status"]) == (f"{said[key]} – Nevsky", "200")
                assert found["og:locale"] == language
            for path in ("/nowhere", "/table/nowhere", "/table/%E0%A4%A", "/replay/%ff", "/rules/9"):
                found = await head(anna, path, language)
                assert (found["title"], found["status"]) == (f"{said['missing']} – Nevsky", "404")

    run(scenario())


def test_people_who_are_refused_see_a_page_and_programs_a_message(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", request_rate="1 per minute") as server:
            anna = await server.visitor()
            people = {"Accept": "text/html,*/*;q=0.8", "Accept-Language": "de"}
            await anna.http.get("/", headers=people)
            answer = await anna.http.get("/rules", headers=people)
            assert answer.status_code == 429
            assert answer.headers["content-type"].startswith("text/html")
            assert 'href="/"' in answer.text and "429" not in answer.text and "too_fast" not in answer.text
            assert read_texts("de", "web")["home"] in answer.text
            for path, headers in (("/rules", {}), ("/api/me", people)):
                assert (await anna.http.get(path, headers=headers)).json()["code"] == "too_fast"
            answer = await anna.http.post("/rules", headers=people)
            assert answer.headers["content-type"].startswith("text/html")

    run(scenario())


def test_pages_say_what_a_server_has_not(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", puzzles=False, profiles=False) as server:
            anna = await server.visitor()
            assert '<html lang="en" data-off="puzzles ratings">' in (await anna.http.get("/")).text
        async with running(tmp_path / "n.db") as server:
            anna = await server.visitor()
            assert '<html lang="en">' in (await anna.http.get("/")).text
            said = read_texts("en", "web")
            for path in ("/daily/2026-11-18", "/puzzles/12", "/tournament/x"):
                found = await head(anna, path)
                assert (found["title"], found["status"]) == (f"{said[path.split('/')[1]]} – Nevsky", "200")

    run(scenario())
