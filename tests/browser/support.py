"""A visitor with a real browser, who clicks."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from websockets.sync.client import connect

import nevsky
from nevsky.texts import read_texts

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, WebSocket
    from websockets.sync.client import ClientConnection

Json = dict[str, Any]

ROOT = Path(__file__).parent.parent.parent
STATIC = Path(nevsky.__file__).parent / "server" / "static"
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
PROBE = Path(__file__).with_name("probe.js")
FOLLOW = """path => {
    const link = Object.assign(document.createElement("a"), { href: path });
    document.querySelector("main").append(link);
    link.click();
    link.remove();
}"""
WHOLE_GAME = 100_000
NEARLY_EMPTY = 8
EVERYTHING: Json = {"players": 5, "market": True, "modules": [1, 2, 3, 4, 5, 6]}


def is_nearly_over(state: Json) -> bool:
    """Whether a pile comes to its end, and with it the game; asked something, so that it cannot end by itself."""
    return bool(state["choices"]) and min(state["piles"].values()) < NEARLY_EMPTY


def texts(language: str) -> dict[str, str]:
    """What the pages say in a language."""
    return read_texts(language, "web") | read_texts(language, "pages")


def newer(socket: ClientConnection, version: int) -> Json:
    """The next state after a version."""
    while True:
        message: Json = json.loads(socket.recv(timeout=60))
        assert message["type"] != "error" or message["code"] == "stale", message
        if message["type"] == "state" and message["version"] > version:
            return message


RANDOM = random.Random(20260)


def decide(socket: ClientConnection, state: Json, thrifty: bool) -> None:
    """At random, or for the cheapest card that can be laid."""
    choices: list[Json] = state["choices"]
    lays = sorted(
        (each for each in choices if each["price"] is not None and not each["onto"]), key=lambda each: each["price"]
    )
    passes = [each for each in choices if each["verb"] == "pass"]
    chosen = [*lays, *passes][0] if thrifty and (lays or passes) else RANDOM.choice(choices)
    socket.send(json.dumps({"type": "act", "version": state["version"], "action": chosen["action"]}))


class Visitor:
    """One browser profile with one page."""

    def __init__(self, browser: Browser, address: str, **options: Any) -> None:
        self.address = address
        # without movements a game takes seconds instead of minutes
        options = {"locale": "en-US", "viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce", **options}
        options.setdefault("service_workers", "block")  # what tests put into the network's way goes past them
        self.language = str(options["locale"])[:2]
        self.context: BrowserContext = browser.new_context(base_url=address, **options)
        self.context.set_default_timeout(20_000)  # a busy machine
        self.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=address)
        self.context.add_init_script(path=PROBE)
        self.page: Page = self.context.new_page()
        self.problems: list[str] = []
        self.acts: list[str] = []
        self.page.on("pageerror", lambda error: self.problems.append(f"{self.page.url}: {error}"))
        self.page.on("console", self._console)
        self.page.on("websocket", self._websocket)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.problems.append(f"{self.page.url}: {message.text} {message.location.get('url', '')}")

    def _websocket(self, socket: WebSocket) -> None:
        def sent(text: str | bytes) -> None:
            message = json.loads(text)
            if message["type"] in ("act", "auto_pass", "undo"):
                self.acts.append(message.get("action") or message["type"])

        socket.on("framesent", sent)

    def forgive(self, part: str) -> None:
        """Take no offence at messages of the browser with these words: the test asked for them."""
        self.problems[:] = [problem for problem in self.problems if part not in problem]

    def close(self) -> None:
        self.context.close()

    # going somewhere

    def go(self, path: str) -> None:
        self.page.goto(path)
        self._arrive(path)

    def follow(self, path: str) -> None:
        """Go there as by a link: within the app, which takes a quarter of what it takes to load it anew."""
        self.page.evaluate(FOLLOW, path)
        self._arrive(path)
        loading = self.says("loading")
        self.page.wait_for_function("words => !document.querySelector('main').innerText.includes(words)", arg=loading)

    def _arrive(self, path: str) -> None:
        self.page.wait_for_selector("h1", state="attached")
        if path == "/rules":
            self.page.wait_for_selector(".rule")
        elif path == "/rules/cards":
            self.page.wait_for_selector("button.card")
        elif path == "/new":
            self.page.wait_for_selector("form .button.gold:enabled")
        elif path == "/":
            self.page.wait_for_selector(".start:enabled")
        elif path.startswith("/table"):
            self.page.wait_for_function("() => window.probe.state")
            open_yet = self.state["status"] == "open"
            self.page.wait_for_selector(".page ul li" if open_yet else ".display")
        elif path.startswith(("/guide/", "/puzzles")) or path == "/guide":
            self.page.wait_for_selector(".display")

    def make_table(self, bots: int = 1, *, pace: str = "none", **ruleset: Any) -> str:
        """A table against bots, made without clicking; its address."""
        assert self.context.request.get("/api/me").ok
        ruleset = {"players": bots + 1, **ruleset}
        seats = [{"kind": "me"}] + [{"kind": "bot"}] * (ruleset["players"] - 1)
        answer = self.context.request.post("/api/tables", data={"ruleset": ruleset, "seats": seats, "pace": pace})
        assert answer.status == 201, answer.text()
        return f"/table/{answer.json()['table']}"

    def open_table(self) -> str:
        """A table of two with a free seat; its address. In the first edition no move is forced from the start (3.6)."""
        assert self.context.request.get("/api/me").ok
        body = {"ruleset": {"players": 2, "edition": "first"}, "seats": [{"kind": "me"}, {"kind": "open"}]}
        answer = self.context.request.post("/api/tables", data=body)
        assert answer.status == 201, answer.text()
        return f"/table/{answer.json()['table']}"

    def resize(self, width: int, height: int) -> None:
        """Another size of the window, and wait until everything is drawn for it."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.drawn()

    def drawn(self) -> None:
        """Wait until what has just changed is drawn."""
        self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def clipboard(self) -> str:
        return str(self.page.evaluate("() => navigator.clipboard.readText()"))

    # playing

    @property
    def state(self) -> Json:
        """The newest state that the page has received."""
        # as a text, since Playwright takes a result of so many parts to pieces, one by one
        found: Json = json.loads(self.page.evaluate("() => JSON.stringify(window.probe.state)"))
        return found

    def play_by_script(
        self, times: int = WHOLE_GAME, *, thrifty: bool = False, until: str = "() => false", seconds: float = 90
    ) -> None:
        """Decide through the page's own WebSocket: at random, or for cheap cards; until the state fits."""
        self.page.evaluate(f"([times, thrifty]) => window.probe.play(times, thrifty, {until})", [times, thrifty])
        self.page.wait_for_function(
            "() => window.probe.state.status === 'over'"
            " || window.probe.refused.length > 0"
            " || (window.probe.left <= 0 && window.probe.state.version !== window.probe.done"
            " && window.probe.state.choices.length > 0)",
            timeout=seconds * 1000,
        )
        assert self.page.evaluate("() => window.probe.refused") == []

    def play_ahead(
        self,
        table: str,
        until: Callable[[Json], bool] = lambda _: False,
        *,
        times: int = WHOLE_GAME,
        thrifty: bool = False,
    ) -> Json:
        """Decide without a page, which would draw every state: so many times, or until the state fits; the last one."""
        with self.listening(table) as socket:
            state = newer(socket, -1)
            while state["status"] != "over" and times > 0 and not until(state):
                if state["choices"]:
                    decide(socket, state, thrifty)
                    times -= 1
                state = newer(socket, state["version"])
            while state["status"] != "over" and not state["choices"]:
                state = newer(socket, state["version"])
            return state

    def listening(self, table: str) -> ClientConnection:
        """A connection to a table as this visitor, without a page."""
        address = urljoin(self.address, table).replace("http", "ws", 1).replace("/table/", "/api/tables/")
        cookies = self.context.cookies(urljoin(self.address, table))
        headers = {"Cookie": "; ".join(f"{each['name']}={each['value']}" for each in cookies)}
        return connect(f"{address}/ws?states=full", additional_headers=headers)

    def says(self, key: str) -> str:
        return texts(self.language)[key]

    def button(self, key: str, within: str = "body") -> Locator:
        """The button that says this in the visitor's language."""
        return self.page.locator(within).get_by_role("button", name=self.says(key), exact=True)

    def is_asked(self) -> bool:
        return self.page.locator(".bar.asked").count() > 0

    def is_over(self) -> bool:
        return self.page.locator(".final").count() > 0

    def wait_asked(self) -> None:
        """Until this visitor is asked something or the game is over, and the page shows the newest state."""
        self.page.wait_for_selector(".bar.asked, .final", timeout=30_000)
        self.page.wait_for_function("() => window.probe.isQuiet()")

    def decide(self, quickly: bool = False) -> None:
        """One answer by mouse to what is asked: a card if there is one, else a button."""
        version: int = self.page.evaluate("() => window.probe.state.version")
        before = len(self.acts)
        kinds = self.page.locator(".bar.asked .kinds.gold")
        cards = self.page.locator(".display button.card.active, .hand button.card.active")
        if quickly and kinds.count():
            self.pass_until("phase")
        elif not quickly and cards.count():
            cards.first.click()
            self.page.locator("dialog .choices button").first.click()
        else:
            _first(
                self.page.locator(".bar .tools .gold:enabled"), self.page.locator(".drawer .choices button:enabled")
            ).click()
        self.confirm(before)
        self.wait_later_than(version)

    def confirm(self, acts: int) -> None:
        """Yes, do it: if the page asks again because a slip would be costly."""
        sure = self.page.locator("dialog .confirm .primary")
        if len(self.acts) == acts and sure.count():
            sure.click()

    def pass_until(self, until: str) -> None:
        """Open what is beside Pass and take one of the kinds of automatic passing."""
        self.page.locator(".bar .kinds").click()
        self.page.get_by_role("menuitem", name=self.says(f"auto.{until}")).first.click()

    def wait_later_than(self, version: int) -> None:
        self.page.wait_for_function("version => window.probe.state.version > version", arg=version)


def _first(*locators: Locator) -> Locator:
    return next((each.first for each in locators if each.count()), locators[-1].first)


def until(fits: Callable[[], bool], turn: Callable[[], None], seconds: float) -> None:
    """Take turns until it fits."""
    end = time.monotonic() + seconds
    while not fits():
        assert time.monotonic() < end, f"not within {seconds} seconds"
        turn()


def pretend_passkeys(page: Page) -> None:
    """Chromium has a device with passkeys from now on, whose owner always agrees."""
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


def make_profile(visitor: Visitor, name: str) -> Page:
    """Their page, where they have just signed in with a passkey; those are for hosts with a name."""
    page = visitor.page
    visitor.go("/profile")
    page.goto(page.url.replace("127.0.0.1", "localhost"))
    pretend_passkeys(page)
    page.wait_for_function("() => document.querySelector('#name')?.value")
    page.locator("#name").fill(name)
    visitor.button("save").click()
    visitor.button("profile.passkey.make").click()
    page.locator("#devices").wait_for()
    return page


def play_ahead_together(players: Sequence[Visitor], table: str, until: Callable[[Json], bool]) -> None:
    """All decide for cheap cards, without pages, until the state of the one who is asked fits."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(player.listening(table)) for player in players]
        states = [newer(socket, -1) for socket in sockets]
        while True:
            newest = max(state["version"] for state in states)
            states = [
                state if state["version"] == newest else newer(socket, newest - 1)
                for socket, state in zip(sockets, states, strict=True)
            ]
            if len({state["version"] for state in states}) > 1:
                continue
            asked = next((place for place, state in enumerate(states) if state["choices"]), None)
            if asked is not None:
                if until(states[asked]):
                    return
                decide(sockets[asked], states[asked], thrifty=True)
            assert states[0]["status"] == "playing"
            states = [newer(socket, newest) for socket in sockets]


def seated_together(
    host: Visitor, guest: Visitor, ahead: Callable[[Json], bool] | None = None
) -> tuple[Visitor, Visitor]:
    """Both at one table, the one who is to move first; later in the game if it is played ahead."""
    table = host.open_table()
    assert guest.context.request.get("/api/me").ok
    assert guest.context.request.post(f"/api{table.replace('table', 'tables')}/join").ok
    if ahead:
        play_ahead_together((host, guest), table, ahead)
    for player in (host, guest):
        player.go(table)
    return (host, guest) if host.state["to_move"] == host.state["you"] else (guest, host)
