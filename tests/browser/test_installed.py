"""The installed app: what it keeps, and that it never answers for the server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from nevsky.server.notices.kinds import Due
from nevsky.server.notices.wording import payload, words
from tests.browser.serving import launched_whole, served
from tests.browser.support import STATIC, Visitor, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
Visit = Callable[..., Visitor]
CONTROLLED = "() => navigator.serviceWorker.controller !== null"
KEPT = """async () => (await Promise.all((await caches.keys()).map(async (name) =>
    (await (await caches.open(name)).keys()).map((request) => new URL(request.url).pathname)))).flat()"""


def test_without_a_network_the_app_opens_and_says_so(visit: Visit) -> None:
    visitor = visit(service_workers="allow", locale="de-DE")
    page = visitor.page
    visitor.go("/")
    page.wait_for_function(CONTROLLED)
    visitor.go("/games")
    visitor.context.set_offline(True)
    page.locator(".offline", has_text=visitor.says("offline")).wait_for()
    page.goto("/games")
    page.locator("h1", has_text=visitor.says("tables.mine")).wait_for()
    page.locator(".offline", has_text=visitor.says("offline")).wait_for()
    page.locator(".panel", has_text=visitor.says("error.network")).wait_for()
    kept = page.evaluate(KEPT)
    assert "/" in kept
    assert all(path == "/" or (STATIC / path.lstrip("/")).is_file() for path in kept)
    assert not any(path.startswith("/api") for path in kept)
    visitor.context.set_offline(False)
    page.wait_for_selector(".offline", state="detached")
    page.locator("section .empty").wait_for()
    assert page.locator("html").get_attribute("data-kept") is None
    visitor.forgive("ERR_INTERNET_DISCONNECTED")


def test_a_server_that_wants_no_service_worker_takes_the_old_one_away(visit: Visit, tmp_path: Path) -> None:
    registered = "async () => (await navigator.serviceWorker.getRegistrations()).length"
    visitor = visit(service_workers="allow")
    with served(tmp_path) as address:
        visitor.page.goto(address)
        visitor.page.wait_for_function(CONTROLLED)
    port = address.rsplit(":", 1)[1]
    with served(tmp_path, NEVSKY_SERVICE_WORKER="off", NEVSKY_PORT=port):
        visitor.page.goto(address)
        until(lambda: visitor.page.evaluate(registered) == 0, lambda: visitor.page.wait_for_timeout(100), 20)
        assert visitor.page.evaluate(KEPT) == []
    visitor.forgive("ERR_CONNECTION_REFUSED")
    visitor.forgive("WebSocket connection to")  # one that came while the server was not quite gone


@pytest.fixture
def notified(browser: Browser, address: str) -> Iterator[Visitor]:
    """Somebody whose browser can show messages, which one without windows cannot."""
    with launched_whole(browser) as whole:
        visitor = Visitor(whole, address, service_workers="allow")
        yield visitor
        assert visitor.problems == []


def test_a_message_is_shown_once_in_the_language_it_came_in(notified: Visitor) -> None:
    """As the server sends it; Chromium hands it to the service worker itself, since no push service can be reached."""
    visitor = notified
    visitor.context.grant_permissions(["notifications"], origin=visitor.address)
    page = visitor.page
    visitor.go("/")
    page.wait_for_function(CONTROLLED)
    found: list[str] = []
    session = visitor.context.new_cdp_session(page)
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: found.extend(each["registrationId"] for each in event["registrations"]),
    )
    session.send("ServiceWorker.enable")
    until(lambda: bool(found), lambda: page.wait_for_timeout(50), 10)
    due = Due("t-1", "anna", "turn", 3, 0)
    message = payload(words(due, ["Boris"], "de")).decode()
    push = {"origin": visitor.address, "registrationId": found[0], "data": message}
    shown = """async () => (await (await navigator.serviceWorker.ready).getNotifications())
        .map(({ title, body, tag, data }) => ({ title, body, tag, data }))"""
    for _ in range(2):  # the second takes the place of the first
        session.send("ServiceWorker.deliverPushMessage", push)
        page.wait_for_timeout(500)
    expected = {
        "title": "Du bist am Zug",
        "body": "Deine Partie mit Boris wartet auf dich.",
        "tag": "turn-t-1",
        "data": "/table/t-1",
    }
    assert page.evaluate(shown) == [expected]


def test_all_messages_are_stopped_with_one_button(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/stop")
    visitor.button("notices.stop").click()
    visitor.page.get_by_role("alert").wait_for()  # nobody is here yet whose messages could be stopped
    visitor.go("/games")
    assert visitor.context.request.get("/api/me").ok
    visitor.go("/stop")
    visitor.button("notices.stop").click()
    visitor.page.get_by_role("status").filter(has_text=visitor.says("notices.off")).wait_for()
    visitor.forgive("403")
