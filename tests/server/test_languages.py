"""Whatever the server says, it says in the language of whoever asked."""

from __future__ import annotations

import ast
import itertools
from pathlib import Path
from typing import Any, get_args

import pytest
from starlette.requests import HTTPConnection

from nevsky import Game, NevskyError, Ruleset
from nevsky.bots import make_bot
from nevsky.bots.reasons import Reason
from nevsky.server import errors
from nevsky.server.errors import Refusal
from nevsky.server.languages import language_of
from nevsky.server.protocol import Language
from nevsky.texts import LANGUAGES, all_texts
from tests.server.support import run, running

SERVER = Path(errors.__file__).parent


def test_the_protocol_speaks_every_language() -> None:
    assert get_args(Language) == LANGUAGES


def refusals() -> set[str]:
    """What `Refusal` is made of in the files of the server, where it stands there as a text."""
    found: set[str] = set()
    for file in SERVER.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Refusal":
                choices = [] if isinstance(node.args[1], ast.Call) else ast.walk(node.args[1])
                found |= {
                    part.value for part in choices if isinstance(part, ast.Constant) and isinstance(part.value, str)
                }
    return found


def test_every_refusal_of_the_server_is_a_text() -> None:
    found = refusals()
    assert len(found) > 30
    assert [key for key in found if f"no.{key}" not in all_texts("en")] == []


def test_every_text_of_a_refusal_is_used() -> None:
    written = "".join(file.read_text(encoding="utf-8") for file in SERVER.rglob("*.py"))
    refusing = {key for key in all_texts("en") if key.startswith("no.")}
    assert {
        key for key in refusing if f'"{key.removeprefix("no.")}"' not in written and f'"{key}"' not in written
    } == set()


def test_every_ruleset_that_cannot_be_is_refused_in_every_language() -> None:
    choices = itertools.product(
        ("first", "second"),
        (2, 4, 5),
        (False, True),
        ((), (1,), (2,), (3,), (4,), (5,), (6,), (1, 2, 3, 4, 5, 6)),
        (None, ("kremlin",), ("debtors_prison",)),
        (None, 3),
        (None, 3),
    )
    errors: dict[str, NevskyError] = {}
    for edition, players, market, modules, company, obstacles, youngest in choices:
        try:
            Ruleset(edition, players, market, modules, youngest, good_company=company, real_obstacles=obstacles)
        except NevskyError as error:
            errors[str(error)] = error
    assert len(errors) > 8
    for english, refused in errors.items():
        refusal = Refusal("refused", refused)
        assert refusal.say("en") == english
        assert len({refusal.say(language) for language in LANGUAGES}) == len(LANGUAGES), english


@pytest.mark.parametrize(
    ("query", "header", "language"),
    [
        ("", None, "en"),
        ("language=it", "de", "it"),
        ("language=ru", "de", "de"),
        ("", "de-CH,de;q=0.9,en;q=0.8", "de"),
        ("", "ru,en;q=0.5,fr;q=0.7", "fr"),
        ("", "fr;q=0, it;q=much, ru", "en"),
        ("", "de" * 9000, "en"),
    ],
)
def test_the_language_of_a_request(query: str, header: str | None, language: str) -> None:
    headers = [] if header is None else [(b"accept-language", header.encode())]
    assert language_of(HTTPConnection({"type": "http", "headers": headers, "query_string": query.encode()})) == language


HTTP: tuple[tuple[str, str, Any, str], ...] = (
    ("GET", "/api/tables/nowhere", None, "Diesen Tisch gibt es nicht."),
    ("GET", "/api/nothing", None, "Unter dieser Adresse gibt es nichts."),
    ("DELETE", "/rules", None, "Das geht unter dieser Adresse nicht."),
    ("PUT", "/api/me", {"name": " "}, "Ein Name hat mindestens einen Buchstaben."),
    (
        "POST",
        "/api/tables",
        {"ruleset": {"players": 5}, "seats": [{"kind": "bot"}] * 5},
        "Zu fünft braucht ihr den Markt (Regel 1.2).",
    ),
    ("POST", "/api/tables", {"seats": [{"kind": "me"}] * 3}, "Du kannst nur auf einem Platz sitzen."),
    ("POST", "/api/tables", {"seats": []}, "Diese Anfrage ist nicht lesbar: seats: "),
)


def test_http_refuses_in_the_language_of_the_request(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna = await server.visitor()
            for method, path, body, words in HTTP:
                by_header = await anna.http.request(method, path, json=body, headers={"Accept-Language": "de"})
                by_query = await anna.http.request(method, f"{path}?language=de", json=body)
                for answer in (by_header, by_query):
                    assert answer.status_code >= 400
                    assert answer.json()["message"].startswith(words)
            boris = await server.visitor()
            assert (await boris.http.get("/api/me?language=fr")).json()["name"].startswith("Invité ")

    run(scenario())


def test_the_websocket_refuses_in_its_language(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna, boris = await server.visitor(), await server.visitor()
            made = await anna.create("me open")
            await boris.http.post(f"/api/tables/{made['table']}/join")
            pair = [await each.open(made["table"], language="it") for each in (anna, boris)]
            for table in pair:
                await table.until(lambda state: state["status"] == "playing")
            pair.sort(key=lambda table: table.state["to_move"] != table.state["you"])
            active, other = pair
            version = active.state["version"]
            await other.act(active.state["choices"][0]["action"], version)
            assert (await other.error())["message"] == "Non è il tuo turno."
            await active.act("pass")
            assert (await active.error())["message"] == "'pass' non è possibile adesso."
            await active.act("burn the city")
            assert (await active.error())["message"] == "'burn the city' non è un'azione."
            await active.act("pass", version + 5)
            assert (await active.error())["message"].startswith("Nel frattempo il tavolo è cambiato.")
            await active.send(type="language", language="fr")
            await active.send(type="dance")
            assert (await active.error())["message"].startswith("Ce message est illisible\u00a0: ")
            lost = await anna.open("nowhere", language="de")
            assert (await lost.error())["message"] == "Diesen Tisch gibt es nicht."

    run(scenario())


def test_advice_is_given_in_the_language_of_the_connection(tmp_path: Path, quick_bots: None) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna = await server.visitor()
            made = await anna.create("me easy", edition="first")
            table = await anna.open(made["table"], language="de")
            await table.my_turn()
            await table.send(type="hint", version=table.state["version"])
            while (message := await table.receive())["type"] != "hint":
                pass
            reasons = [line["reason"] for line in message["suggestions"]]
            assert any(" bringt etwa " in words for words in reasons)
            assert not any(" brings " in words for words in reasons)

    run(scenario())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_bots_have_their_reasons_in_every_language(bot: str, language: str) -> None:
    game = Game(Ruleset("second", 3, market=True, modules=(1, 2, 3, 4, 5, 6)), seed=4)
    player = make_bot(bot)
    while not game.over:
        view = game.view(game.to_move)
        for suggestion in player.explain(view, 5):
            assert suggestion.why is not None
            assert suggestion.reason == suggestion.why.say("en", "second")
            words = suggestion.why.say(language, "second")
            assert words.endswith(".")
            assert (words == suggestion.reason) == (language == "en")
        game.push(view.legal[-1])


def test_a_reason_names_cards_and_numbers_as_its_reader_does() -> None:
    good = Reason("good", {"card": "lumberjack", "points": 1, "rubles": 3})
    assert good.say("en", "first") == "The Lumberjack brings about 1 point for 3 rubles: a good price."
    assert good.say("fr", "second").startswith("Le Bûcheron rapporte environ 1 point pour 3 roubles")
    assert Reason("observe", {"pile": "noble", "points": 2.5}).say("de") == (
        "Eine Karte vom Adeligenstapel kann etwa 2,5 Punkte bringen."
    )
    helps = Reason("helps", {"player": 1, "points": 1.5})
    assert helps.say("fr", names=["Anna", "Boris"]) == "Rapporte à Boris environ 1,5 point de plus qu'à vous."
    assert helps.say("en") == "Lets Player 2 gain about 1.5 points on you."
