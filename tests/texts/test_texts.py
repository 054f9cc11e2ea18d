"""All languages say the same things, and there is a text for everything in the game."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter

import pytest

from nevsky import ACTIONS, NevskyError
from nevsky.cards import CARDS, COLOURS, GOODS, PILES, name_key
from nevsky.rules.actions import parse_action
from nevsky.rules.constants import DUES
from nevsky.rules.modules import MODULES
from nevsky.rules.modules.assistants.room import ASSISTANTS
from nevsky.rules.modules.events.room import EVENTS
from nevsky.rules.modules.obstacles.room import SPACES, TILES
from nevsky.texts import LANGUAGES, all_texts, amount, amounts, read_rows, text
from nevsky.texts.sentences import Wording
from nevsky.texts.things import assignment_text, card_text, card_type, obstacle_text

PLACEHOLDER = re.compile(r"\{(\w*)[^{}]*\}")
MARKUP = re.compile(r"\[/?[a-z.]*\]")
OTHERS = [language for language in LANGUAGES if language != "en"]


@pytest.mark.parametrize("language", OTHERS)
def test_all_languages_have_the_same_keys_in_the_same_order(language: str) -> None:
    assert list(all_texts(language)) == list(all_texts("en"))


@pytest.mark.parametrize("language", OTHERS)
def test_all_languages_have_the_same_placeholders_and_marks(language: str) -> None:
    for key, english in all_texts("en").items():
        other = all_texts(language)[key]
        same = set if key.startswith("guide.") else Counter  # long texts may name a figure more than once
        assert same(PLACEHOLDER.findall(other)) == same(PLACEHOLDER.findall(english)), key
        assert Counter(MARKUP.findall(other)) == Counter(MARKUP.findall(english)), key
        assert ("|" in other) == ("|" in english), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_clean(language: str) -> None:
    for key, words in all_texts(language).items():
        if key == "number.thousands":
            continue
        assert words.strip(), key
        assert "  " not in words or key == "screen.commands", key
        assert words == words.strip() or key in ("from_row_2", "onto", "for"), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_on_the_table_has_a_name(language: str) -> None:
    wanted = [f"{what}.{pile}" for what in ("phase", "pile", "the_pile", "token") for pile in PILES]
    wanted += [f"colour.{colour}" for colour in COLOURS]
    wanted += [f"good.{good}" for good in GOODS]
    wanted += [f"craft.{craft}" for card in CARDS for craft in card.crafts]
    wanted += [f"due.{due}" for due in DUES]
    wanted += [f"event.{event}.{what}" for event in EVENTS for what in ("name", "effect")]
    wanted += [f"assistant.{name}.{what}" for name in ASSISTANTS for what in ("name", "effect")]
    wanted += [f"module.{number}" for number in MODULES]
    assert set(wanted) <= set(all_texts(language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_is_explained(language: str) -> None:
    for card in CARDS:
        lines = card_text(card.text, language, market=True)
        assert lines, card.text
        for line in [card_type(card.text, language), *lines]:
            assert not re.search(r"[{}|\[\]]", line)
        assert all(line.endswith(".") for line in lines)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_action_is_a_sentence_and_a_choice(language: str) -> None:
    wording = Wording(language, seats=("A", "B", "C", "D", "E"))
    for action in (action for action in ACTIONS if not action.reserved):
        row = read_rows(language, "names")[name_key(action.card)] if action.card else {"text": ""}
        names = [row[form] for form in ("text", "definite", "declined") if row.get(form) or form == "text"]
        told = wording.log(action, 3, name="Anna")
        assert told.startswith("Anna ")
        for words in (told, wording.log(action, 3, name="Du", you=True), wording.choice(action)):
            assert not re.search(r"[{}|\[\]]|  ", words), words
            assert any(name in words for name in names) or action.verb == "sycophant"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_assignment_and_obstacle_is_explained(language: str) -> None:
    assert len({assignment_text(number, 4, language) for number in range(1, 16)}) == 15
    for tile in TILES:
        for space in SPACES:
            needs, bonus = obstacle_text(tile, space, language)
            assert bonus
            assert bool(needs) == tile.startswith("R")


def test_conditions_are_those_of_the_rules() -> None:
    assert [obstacle_text("R1", space)[0][0] for space in SPACES] == list("34556")
    assert [re.findall(r"\d", obstacle_text("R2", space)[0]) for space in SPACES] == [
        list("23"),
        list("34"),
        list("45"),
        list("56"),
        list("57"),
    ]
    assert [obstacle_text("R5", space)[0] for space in SPACES] == [
        "1 exchange card",
        "2 exchange cards",
        "3 exchange cards",
        "a green, a red and a blue exchange card",
        "4 exchange cards",
    ]


def test_one_is_singular() -> None:
    assert amount(1, "ruble", signed=True) == "+1 ruble"
    assert amount(-1, "point") == "-1 point"
    assert amount(0, "point") == "0 points"
    assert amount(0, "point", "fr") == "0 point"
    assert amounts(2, 1, "it", signed=True) == "+2 rubli e +1 punto"


def test_the_reader_is_addressed() -> None:
    action = parse_action("take market")
    told = {language: Wording(language).log(action, name=text("you", language), you=True) for language in LANGUAGES}
    assert told == {
        "en": "You take a Market",
        "de": "Du nimmst einen Marktstand",
        "fr": "Vous prenez un Marché",
        "it": "Tu prendi un Loggiato",
    }


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(NevskyError, match="'ru'"):
        text("you", "ru")


def test_importing_nevsky_reads_no_texts() -> None:
    code = "import sys, nevsky; print('nevsky.texts' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
