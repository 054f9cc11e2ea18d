"""Actions: ids, texts and typed objects are three forms of the same thing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nevsky import ACTIONS, Action, NevskyError, parse_action
from nevsky.cards import CARDS, card_name
from nevsky.texts import LANGUAGES


def test_ids_and_texts_are_unique_and_read_back() -> None:
    texts = [action.text for action in ACTIONS]
    assert len(set(texts)) == len(ACTIONS) == len(set(ACTIONS))
    for number, action in enumerate(ACTIONS):
        if not action.reserved:
            assert action.id == number
            assert parse_action(action.text) is ACTIONS[number]


def test_reserved_ids_are_nobodys_action() -> None:
    free = [action for action in ACTIONS if action.reserved]
    assert len(free) > 500
    for action in (free[0], free[-1]):
        with pytest.raises(NevskyError, match="is not an action"):
            parse_action(action.text)
        with pytest.raises(NevskyError, match="no action"):
            _ = action.id


@pytest.mark.parametrize(
    "text",
    [
        "buy lumberjack",
        "buy theater row 2",
        "buy wharf onto ship_builder",
        "buy bank row 2 onto market",
        "take library",
        "take library row 2",
        "play potemkin_village",
        "play wharf onto ship_builder",
        "pass",
        "observe noble",
        "buy judge drawn",
        "buy wharf drawn onto ship_builder",
        "take judge drawn",
        "discard judge drawn",
        "pub 3",
        "pub 0",
        "good fish",
        "upkeep fish_special pay",
        "upkeep fish_special drop",
        "buy ship_builder:fish",
        "take market:apple row 2",
        "play ship_builder:?",
    ],
)
def test_the_texts_of_the_notation(text: str) -> None:
    assert parse_action(text).text == text


@pytest.mark.parametrize("language", LANGUAGES)
def test_card_names_of_every_language_are_read(language: str) -> None:
    for card in CARDS:
        if card.colour == "purple" or card.exchange or card.symbol or card.id != card.name:
            continue
        assert parse_action(f"buy {card_name(card.kind, language)} row 2").text == f"buy {card.text} row 2"
    onto = card_name("ship_builder", language)
    assert parse_action(f"play {card_name('wharf', language)} onto {onto}").text == "play wharf onto ship_builder"


def test_first_edition_names_are_read() -> None:
    assert parse_action("take Pope").text == "take abbot"
    assert parse_action("take czar row 2").text == "take czarina row 2"


def test_row_1_may_be_written() -> None:
    assert parse_action("buy lumberjack row 1").text == "buy lumberjack"


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "buy",
        "buy lumberjack row 3",
        "buy wharf",
        "buy wharf onto market",
        "pub -1",
        "pub 11",
        "PASS",
        "x" * 300,
    ],
)
def test_what_is_not_an_action_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(NevskyError, match=r"\.$"):
        parse_action(text)


@pytest.mark.parametrize("thing", [None, 3, b"pass", ["pass"]])
def test_what_is_not_a_text_is_refused(thing: object) -> None:
    with pytest.raises(NevskyError):
        parse_action(thing)  # type: ignore[arg-type]


def test_an_action_that_cannot_be_said_has_no_id() -> None:
    with pytest.raises(NevskyError):
        _ = Action("buy", card="wharf", row=1, onto="theater").id


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        action = parse_action(text)
    except NevskyError:
        return
    assert parse_action(action.text) == action


words = st.sampled_from(
    [
        "buy",
        "take",
        "play",
        "pass",
        "row",
        "1",
        "2",
        "onto",
        "drawn",
        "discard",
        "pub",
        "observe",
        "noble",
        "wharf",
        "pub 3",
    ]
    + [card.text for card in CARDS[:30]]
)


@given(st.lists(words, max_size=7))
def test_any_sequence_of_words_is_read_or_refused(parts: list[str]) -> None:
    try:
        action = parse_action(" ".join(parts))
    except NevskyError:
        return
    assert parse_action(action.text) == action
