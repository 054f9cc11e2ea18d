"""Profiles in real Chromium, with a passkey that Chromium pretends to have."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.support import Visitor

pytestmark = pytest.mark.browser
Visit = Callable[..., Visitor]


def add_authenticator(page: Page) -> None:
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    session.send("WebAuthn.addVirtualAuthenticator", {"options": options})


def test_a_guest_keeps_their_games_with_a_passkey_and_comes_back(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    visitor.go("/profile")
    page.goto(page.url.replace("127.0.0.1", "localhost"))
    add_authenticator(page)
    expect(page.locator("#name")).not_to_have_value("")
    page.locator("#name").fill("Anna")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("button", name="Make a passkey").click()
    page.get_by_role("heading", name="Signed in on").wait_for()
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
