"""Mail goes to a real mail server of the test."""

from __future__ import annotations

import asyncio

import pytest

from nevsky.server.errors import Refusal
from nevsky.server.mail import sender
from nevsky.server.mail.addresses import clean_address
from nevsky.server.mail.sender import Mail, Mailer
from nevsky.server.settings import Settings
from tests.server.profiles.postbox import Postbox, postbox
from tests.server.support import run


def _mailer(box: Postbox) -> Mailer:
    return Mailer(
        Settings(smtp_url=box.url, mail_from="Nevsky <nevsky@play.example>", public_url="https://play.example/")
    )


def test_mail_is_sent_in_its_language() -> None:
    async def scenario() -> None:
        async with postbox() as box:
            mailer = _mailer(box)
            text = f"Schöne Grüße\n\n{mailer.link('/table/t')}\n"
            assert mailer.post(
                Mail("anna@play.example", "Du bist dran: Müßiggänger", text, {"List-Unsubscribe": "<x>"})
            )
            mail = await box.next()
            assert (mail["From"], mail["To"]) == ("Nevsky <nevsky@play.example>", "anna@play.example")
            assert mail["Subject"] == "Du bist dran: Müßiggänger"
            assert mail["Message-ID"].endswith("@play.example>")
            assert mail["List-Unsubscribe"] == "<x>"
            assert mail.get_content() == "Schöne Grüße\n\nhttps://play.example/table/t\n"
            await mailer.close()

    run(scenario())


def test_a_mail_server_that_is_busy_is_asked_again_and_one_that_refuses_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sender, "_TRIES", (0.01, 0.01))

    async def scenario() -> None:
        async with postbox() as box:
            mailer = _mailer(box)
            box.refusals = ["451 busy", "550 no such person", "451 busy", "451 busy"]
            for name in ("anna", "boris", "clara"):
                mailer.post(Mail(f"{name}@play.example", "Hello", "Hello"))
            assert [(await box.next())["To"] for _ in range(2)] == ["boris@play.example", "clara@play.example"]
            await mailer.close()
            assert box.mails.empty()
            assert not box.refusals

    run(scenario())


def test_nothing_grows_while_the_mail_server_is_away() -> None:
    async def scenario() -> None:
        mailer = Mailer(
            Settings(smtp_url="smtp://127.0.0.1:1", mail_from="a@b.example", public_url="https://b.example")
        )
        taken = sum(mailer.post(Mail("anna@play.example", "Hello", "Hello")) for _ in range(1100))
        assert taken == 1000
        await asyncio.wait_for(mailer.close(), 5)
        assert not Mailer(Settings()).post(Mail("anna@play.example", "Hello", "Hello"))

    run(scenario())


@pytest.mark.parametrize(
    "words",
    ["", "anna", "anna@", "@b.example", "a@b", "a b@c.example", "a@b.example\nBcc: c@d.example", "a,b@c.example",
     "<a@b.example>", "a..b@c.example", "a" * 65 + "@b.example", "a@" + "b." * 130 + "example", "a@-b.example",
     "ä@b.example"],
)  # fmt: skip
def test_what_is_no_address_is_refused(words: str) -> None:
    with pytest.raises(Refusal):
        clean_address(words)
