"""The documentation at /docs/, where it was built and where it was not."""

from __future__ import annotations

from pathlib import Path

import pytest

from nevsky.server import documentation
from nevsky.texts import LANGUAGES, text
from tests.server.support import run, running

PAGE = {"accept": "text/html"}


def test_pages_are_served_with_the_policy_of_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = tmp_path / "site"
    (site / "arena").mkdir(parents=True)
    (site / "assets").mkdir()
    (site / "index.html").write_text("<title>start</title>")
    (site / "arena" / "index.html").write_text("<title>arena</title>")
    (site / "assets" / "a.1.js").write_text("1")
    (tmp_path / "secret.txt").write_text("secret")
    monkeypatch.setattr(documentation, "SITE", site)

    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna = await server.visitor()
            outside = await anna.http.get("/docs")
            assert (outside.status_code, outside.headers["location"]) == (307, "/docs/")
            start = await anna.http.get("/docs/")
            assert "start" in start.text
            assert "script-src 'self';" in start.headers["content-security-policy"]
            assert start.headers["cache-control"] == "no-cache"
            again = await anna.http.get("/docs/", headers={"if-none-match": start.headers["etag"]})
            assert again.status_code == 304
            assert "arena" in (await anna.http.get("/docs/arena/")).text
            assert (await anna.http.get("/docs/arena")).headers["location"].endswith("/docs/arena/")
            assert "immutable" in (await anna.http.get("/docs/assets/a.1.js")).headers["cache-control"]
            for path in ("/docs/nothing/", "/docs/../secret.txt", "/docs/%2e%2e/secret.txt", "/docs/..%2fsecret.txt"):
                answer = await anna.http.get(path, headers=PAGE)
                assert (answer.status_code, "secret" in answer.text) == (404, False)

    run(scenario())


def test_without_pages_somebody_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documentation, "SITE", tmp_path / "nowhere")

    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna = await server.visitor()
            for language in LANGUAGES:
                answer = await anna.http.get("/docs/arena/", headers={**PAGE, "accept-language": language})
                assert answer.status_code == 404
                assert text("no.documentation", language) in answer.text

    run(scenario())
