"""What a table offers besides cards, in real Chromium."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from nevsky.texts import LANGUAGES
from tests.browser.support import Json, Visitor, is_nearly_over, seated_together

pytestmark = pytest.mark.browser
Visit = Callable[..., Visitor]


def has_several_ways(state: Json) -> bool:
    """Whether a card on display may be exchanged for several others."""
    return state["due"] == "turn" and any(
        sum(bool(state["choices"][place]["onto"]) for place in card["choices"]) > 1
        for card in (*state["row1"], *state["row2"])
    )


@pytest.fixture
def pair(visit: Visit) -> tuple[Visitor, Visitor]:
    """Two people at one table: who is to move, and the other."""
    return seated_together(visit(), visit())


def phase(visitor: Visitor) -> tuple[int, str]:
    state = visitor.state
    return state["round"], state["phase"]


def lines_of(visitor: Visitor, seat: int) -> list[str]:
    return [line["text"] for line in visitor.state["log"] if line["seat"] == seat]


def test_a_move_is_taken_back_by_clicking(pair: tuple[Visitor, Visitor]) -> None:
    first, second = pair
    assert not first.button("undo").count()
    before = first.state
    first.decide()
    second.wait_asked()
    assert len(second.state["row1"]) == len(before["row1"]) - 1
    version = first.state["version"]
    first.button("undo").click()
    first.wait_later_than(version)
    first.wait_asked()
    after = first.state
    you = after["you"]
    assert after["players"][you]["rubles"] == before["players"][you]["rubles"]
    assert [card["card"] for card in after["row1"]] == [card["card"] for card in before["row1"]]
    second.page.wait_for_selector(".bar:not(.asked)")
    assert not first.button("undo").count()
    first.decide()
    second.wait_asked()
    second.decide()
    first.wait_asked()
    assert not first.button("undo").count(), "what others have answered is not taken back"
    assert [act.split()[0] for act in first.acts] == ["buy", "undo", "buy"]


def test_passing_until_something_changes(pair: tuple[Visitor, Visitor]) -> None:
    first, second = pair
    you = first.state["you"]
    start = phase(first)
    first.pass_until("change")
    first.confirm(0)
    for passes in (1, 2):
        second.wait_asked()
        assert phase(second) == start
        assert len(lines_of(second, you)) == passes
        second.decide()
    second.wait_asked()
    assert first.acts == ["auto_pass"]
    first.page.locator(".bar button[aria-pressed=true]", has_text=first.says("auto.change.on")).click()
    first.page.wait_for_function("() => window.probe.state.auto_pass === 'off'")
    second.decide()
    first.wait_asked()
    assert phase(first) == start


@pytest.mark.parametrize("language", LANGUAGES)
def test_automatic_passing_is_said_in_one_phrase(visit: Visit, language: str) -> None:
    first, second = seated_together(visit(locale=language), visit(locale=language))
    first.pass_until("change")
    first.confirm(0)
    second.wait_asked()
    second.decide()
    first.page.locator(".toast.notice").get_by_text(first.says("auto.passed"), exact=True).wait_for()


def test_passing_for_a_phase(pair: tuple[Visitor, Visitor]) -> None:
    first, second = pair
    start = phase(first)
    first.pass_until("phase")
    first.confirm(0)
    second.wait_asked()
    first.page.locator(".bar button[aria-pressed=true]", has_text=first.says("auto.phase.on")).wait_for()
    second.button("pass", ".bar").click()
    second.confirm(0)
    second.page.wait_for_function("phase => window.probe.state.phase !== phase", arg=start[1])
    first.page.wait_for_function("phase => window.probe.state.phase !== phase", arg=start[1])
    assert first.state["auto_pass"] == "off"
    first.page.locator(".bar .kinds").wait_for()


def test_a_bot_plays_for_somebody_who_comes_back(pair: tuple[Visitor, Visitor]) -> None:
    first, second = pair
    first.button("away.go").first.click()
    for _ in range(2):
        second.wait_asked()
        assert not first.is_asked()
        second.decide()
    second.wait_asked()
    assert first.acts == []
    seat = first.state["you"]
    assert second.state["players"][seat]["away"]
    assert lines_of(second, seat)
    first.button("away.back").first.click()
    second.page.wait_for_function("seat => !window.probe.state.players[seat].away", arg=seat)
    second.decide()
    first.wait_asked()
    first.decide()
    assert len(first.acts) == 1


def test_a_rematch_of_both(visit: Visit) -> None:
    host, guest = pair = seated_together(visit(), visit(), is_nearly_over)
    old = host.page.url
    for player in pair:
        player.page.evaluate("() => window.probe.play(100000, true, null)")
    for player in pair:
        player.page.wait_for_selector(".final", timeout=60_000)
        player.page.evaluate("() => (window.probe.left = 0)")
    host.button("rematch", "dialog").click()
    host.page.wait_for_url(lambda url: url != old)
    guest.button("rematch.join", "dialog").click()
    for player in pair:
        player.page.wait_for_selector(".display")
        player.page.wait_for_function("() => window.probe.state.status === 'playing'")
    assert host.page.url == guest.page.url != old
    assert {host.state["you"], guest.state["you"]} == {0, 1}
    player = host if host.is_asked() else guest
    player.decide()
    assert player.acts[-1] != "auto_pass"


def test_a_hint_can_be_followed(visit: Visit) -> None:
    visitor = visit()
    visitor.go(visitor.make_table())
    visitor.wait_asked()
    visitor.button("hint", ".bar").click()
    suggestions = visitor.page.locator(".hints li")
    suggestions.first.wait_for()
    assert visitor.page.locator(".drawer").get_by_role("heading", name=visitor.says("hint.title")).count() == 1
    version = visitor.state["version"]
    legal = [choice["action"] for choice in visitor.state["choices"]]
    assert visitor.acts == [], "a hint moves nothing"
    names = ["you", *(player["name"] for player in visitor.state["players"] if player["seat"] != visitor.state["you"])]
    chances = ", ".join(rf"{re.escape(name)}\s\d+\s%" for name in names)
    told = [line.inner_text() for line in suggestions.all()]
    for place, line in enumerate(told):
        assert re.search(rf"Chance to win: {chances} · Expected score \d+\.\d$", line), line
        assert re.search(r"\bbest\n" if place == 0 else r"(−\d+\.\d|about equal)\n", line), line
        assert len(line.strip().splitlines()) >= 3, "the reason is there to read"
    assert visitor.page.locator(".hints [title]").count() == 0, "nothing hides in a tooltip"
    visitor.button("more.hide", ".drawer").click()
    visitor.button("hint", ".bar").click()
    suggestions.first.wait_for()
    assert [line.inner_text() for line in suggestions.all()] == told, "asked again it says the same"
    suggestions.first.get_by_role("button").click()
    visitor.wait_later_than(version)
    assert len(visitor.acts) == 1 and visitor.acts[0] in legal
    visitor.page.wait_for_selector(".hints", state="detached")


def test_chat_is_text_and_nothing_else(pair: tuple[Visitor, Visitor]) -> None:
    first, second = pair
    text = "<script>window.broken = 1</script><img src=x onerror='window.broken = 2'> & good luck"
    for player in pair:
        player.page.locator("#tab-chat").click()
    first.page.get_by_label(first.says("chat.write")).fill(text)
    first.button("send").click()
    for player in pair:
        player.page.get_by_role("log").get_by_text(text).wait_for()
        assert player.page.locator("[role=log] img, [role=log] script").count() == 0
        assert player.page.evaluate("() => window.broken") is None
    second.page.locator("#tab-log").click()
    first.page.get_by_label(first.says("chat.write")).fill("Hello?")
    first.page.keyboard.press("Enter")
    second.page.locator("#tab-chat", has_text="1").wait_for()
    second.page.locator("#tab-chat").click()
    second.page.get_by_role("log").get_by_text("Hello?").wait_for()


def test_the_title_of_the_tab_says_whose_turn_it_is(pair: tuple[Visitor, Visitor]) -> None:
    first, second = pair
    yours = first.says("title.your_turn")
    first.page.wait_for_function("yours => document.title.includes(yours)", arg=yours)
    assert yours not in second.page.title()
    first.decide()
    second.page.wait_for_function("yours => document.title.includes(yours)", arg=yours)
    first.page.wait_for_function("yours => !document.title.includes(yours)", arg=yours)
    second.page.get_by_role("link", name=second.says("rules")).first.click()
    second.page.wait_for_selector(".rule")
    assert yours not in second.page.title()


def test_an_exchange_card_shows_the_price_for_every_card_it_can_replace(visit: Visit) -> None:
    visitor = visit()
    for _ in range(12):
        table = visitor.make_table()
        if visitor.play_ahead(table, has_several_ways, thrifty=True)["status"] == "playing":
            break
    visitor.go(table)
    state = visitor.state
    row, place, ways = next(
        (row, place, ways)
        for row in ("row1", "row2")
        for place, card in enumerate(state[row])
        if len(ways := [state["choices"][n] for n in card["choices"] if state["choices"][n]["onto"]]) > 1
    )
    visitor.wait_asked()
    visitor.page.locator(f".display .{row} button.card").nth(place).click()
    shown = visitor.page.locator("dialog .choices li")
    shown.first.wait_for()
    for way in ways:
        label = way["label"][0].upper() + way["label"][1:]
        line = shown.filter(has=visitor.page.get_by_role("button", name=label))
        assert line.count() == 1
        assert line.locator("button .price [aria-hidden]").inner_text() == str(way["price"])
        line.locator("details:not([open]) summary").evaluate_all("all => all.forEach((each) => each.click())")
        if len(way["steps"]) > 1:
            numbers = [int(text.replace("−", "-")) for text in line.locator("tr .n").all_inner_texts()]
            assert max(sum(numbers[:-1]), 1) == numbers[-1] == way["price"]
    dearest = max(ways, key=lambda way: way["price"])
    label = dearest["label"][0].upper() + dearest["label"][1:]
    visitor.page.locator("dialog .choices").get_by_role("button", name=label).click()
    visitor.wait_later_than(state["version"])
    assert visitor.acts[-1] == dearest["action"]
    assert f"{dearest['price']}" in lines_of(visitor, state["you"])[-1]


def test_the_log_tells_what_happened(visit: Visit) -> None:
    visitor = visit()
    visitor.go(visitor.make_table())
    visitor.play_by_script(8)
    visitor.wait_asked()
    log = visitor.page.get_by_role("log", name=visitor.says("log"))
    newest = [line["text"] for line in visitor.state["log"] if line["seat"] is not None][-6:]
    assert len(newest) == 6
    log.get_by_text(newest[-1]).last.wait_for()
    shown = re.sub(r"\s+", " ", log.inner_text())
    for text in newest:
        assert re.sub(r"\s+", " ", text) in shown
    assert log.get_by_role("heading").count(), "rounds and phases have headings"
    box = log.bounding_box()
    last = log.get_by_text(newest[-1]).last.bounding_box()
    assert box and last and last["y"] < box["y"] + box["height"], "the newest line is in sight"


def test_a_broken_connection_comes_back(pair: tuple[Visitor, Visitor]) -> None:
    first, second = pair
    second.context.set_offline(True)
    second.page.evaluate("() => window.probe.socket.close()")
    second.page.locator("[role=status]", has_text=second.says("lost")).wait_for()
    first.decide()
    assert not second.is_asked()
    second.context.set_offline(False)
    second.wait_asked()
    assert second.page.locator("[role=status]", has_text=second.says("lost")).count() == 0
    assert lines_of(second, first.state["you"]), "what was missed is told"
    second.decide()
    first.wait_asked()
    second.problems[:] = [problem for problem in second.problems if "ERR_INTERNET_DISCONNECTED" not in problem]
