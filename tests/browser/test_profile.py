"""Profiles in real Chromium, with a passkey that Chromium pretends to have."""

from __future__ import annotations

import json
import queue
import re
from collections.abc import Callable, Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from playwright.sync_api import Browser, expect

from nevsky.texts import text
from tests.browser.serving import served
from tests.browser.support import Visitor, make_profile
from tests.browser.test_accessibility import in_both_themes, with_axe
from tests.browser.test_pages import too_wide
from tests.server.engines import free_port

pytestmark = pytest.mark.browser
Visit = Callable[..., Visitor]

ADDRESS = "anna@mail.example"


class Letters:
    """A mail server that keeps what it gets; it has a thread of its own, as the browser occupies the event loop."""

    def __init__(self) -> None:
        self.mails: queue.Queue[str] = queue.Queue()

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        assert isinstance(envelope.content, bytes) and envelope.rcpt_tos == [ADDRESS]
        found = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(found, EmailMessage)
        self.mails.put(found.get_content())
        return "250 OK"


@pytest.fixture
def mailing(browser: Browser, tmp_path: Path) -> Iterator[tuple[str, Letters]]:
    """A server that sends mail, and where it comes to."""
    letters = Letters()
    box = Controller(letters, hostname="127.0.0.1", port=free_port())
    box.start()
    port = free_port()
    settings = {
        "NEVSKY_PORT": str(port),
        "NEVSKY_PUBLIC_URL": f"http://localhost:{port}",
        "NEVSKY_SMTP_URL": f"smtp://127.0.0.1:{box.port}",
        "NEVSKY_MAIL_FROM": "nevsky@play.example",
    }
    try:
        with served(tmp_path, **settings) as address:
            yield address, letters
    finally:
        box.stop()


def _ask_for_a_link(visitor: Visitor, letters: Letters) -> str:
    visitor.go("/sign-in")
    visitor.page.locator("#mail").fill(ADDRESS)
    visitor.button("profile.mail.send").click()
    visitor.page.get_by_text(visitor.says("profile.mail.sent").format(address=ADDRESS)).wait_for()
    found = re.search(r"http://\S+/sign-in#\S+", letters.mails.get(timeout=20))
    assert found
    return found[0]


def test_a_link_by_mail_signs_in_once_with_the_same_games(browser: Browser, mailing: tuple[str, Letters]) -> None:
    address, letters = mailing
    anna, phone = with_axe(Visitor(browser, address)), Visitor(browser, address, locale="de-DE")
    try:
        table = anna.make_table()
        anna.page.goto(_ask_for_a_link(anna, letters))
        confirm = anna.button("sign_in.confirm")
        confirm.wait_for()
        assert in_both_themes(anna) == []
        confirm.click()
        anna.page.locator(".panel a.primary").click()
        anna.page.get_by_text(ADDRESS).wait_for()
        link = _ask_for_a_link(phone, letters)
        phone.page.goto(link)
        phone.button("sign_in").click()
        phone.page.locator(".panel a.primary").wait_for()
        phone.page.goto("/games")
        phone.page.locator(f'a[href="{table}"]').wait_for()
        phone.page.goto(link)
        phone.page.get_by_text(text("no.sign_in_link", "de")).wait_for()
        assert phone.button("sign_in").count() == 0, "it is good once"
        phone.forgive("404")
        assert anna.problems == phone.problems == []
    finally:
        anna.close()
        phone.close()


def test_a_guest_keeps_their_games_with_a_passkey_and_comes_back(visit: Visit) -> None:
    page = make_profile(visit(), "Anna")
    assert page.get_by_text("this device").count() == 1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    data = page.evaluate("fetch('/api/profile/export').then((answer) => answer.text())")
    assert json.loads(data)["guest"]["name"] == "Anna"
    page.get_by_role("button", name="Sign out", exact=True).click()
    page.get_by_role("heading", name="Keep your games").wait_for()
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.get_by_role("heading", name="Signed in on").wait_for()
    expect(page.locator("#name")).to_have_value("Anna")
    page.get_by_role("link", name="My games and results").click()
    page.get_by_role("heading", name="Anna").wait_for()
    page.go_back()
    page.get_by_role("button", name="Delete the profile").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete the profile").click()
    page.wait_for_url("**/")
    page.goto(page.url.rstrip("/") + "/profile")
    page.get_by_role("heading", name="Keep your games").wait_for()
    expect(page.locator("#name")).to_have_value(re.compile(r"Guest \d+"))


def test_the_page_of_a_player_fits_and_can_be_read_by_everybody(visit: Visit) -> None:
    visitor = with_axe(visit())
    page = make_profile(visitor, "Anna")
    table = page.evaluate(
        """async () => {
            const body = { ruleset: { players: 2 }, seats: [{ kind: "me" }, { kind: "bot" }], pace: "none" };
            const headers = { "content-type": "application/json" };
            const made = await fetch("/api/tables", { method: "POST", headers, body: JSON.stringify(body) });
            return (await made.json()).table;
        }"""
    )
    own = page.locator(".games a").first.get_attribute("href")
    assert own
    visitor.play_ahead(page.url.replace("/profile", f"/table/{table}"))
    visitor.go(page.url.split("/profile")[0] + own)
    page.locator(f'a[href="/replay/{table}"], a[href="/table/{table}"]').first.wait_for()
    assert in_both_themes(visitor) == []
    page.set_viewport_size({"width": 360, "height": 740})
    assert too_wide(visitor, 360) == []
    assert visitor.problems == []
