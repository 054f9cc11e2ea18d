"""Cards in sentences: every name has its article, in every language and for every form that a text asks for."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nevsky.cards import CARDS, card_name
from nevsky.rules.actions import ACTIONS
from nevsky.texts import LANGUAGES, all_texts, read_rows, read_texts
from nevsky.texts.phrases import CardPhrase, hyphenated
from nevsky.texts.sentences import Wording

FORM = re.compile(r"\{(?:card|onto):(\w+)\}")
GENDERS = {"en": "n-!", "de": "mfn-!", "fr": "mf-!", "it": "mf-!"}


def forms(language: str) -> set[str]:
    return {form for words in all_texts(language).values() for form in FORM.findall(words)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_name_has_a_gender(language: str) -> None:
    assert {row["gender"] for row in read_rows(language, "names").values()} == set(GENDERS[language])


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_form_in_a_text_is_one_that_the_language_has_and_none_is_idle(language: str) -> None:
    known = {key.partition(".")[0] for key in read_texts(language, "articles")} - {"sound"}
    assert forms(language) == known
    assert {"a", "the", "The", "of"} <= known


@given(st.sampled_from(CARDS), st.sampled_from(LANGUAGES), st.sampled_from(["first", "second"]), st.data())
def test_every_card_is_a_word_of_a_sentence(card, language, edition, data) -> None:  # type: ignore[no-untyped-def]
    form = data.draw(st.sampled_from(sorted(forms(language))))
    phrase = CardPhrase(card.exact, language, edition)
    words = format(phrase, form)
    assert not re.search(r"[{}|]|  ", words)
    name = card_name(card.exact, language, edition)
    key = next(key for key, row in read_rows(language, "names").items() if row["text"] == name)
    row = read_rows(language, "names")[key]
    assert any(row[column] in words for column in ("text", "definite", "declined") if row.get(column))
    if row["gender"] not in "-!":
        assert words != str(phrase)  # there is an article


def test_a_card_that_exists_once_is_the_card() -> None:
    assert [format(CardPhrase(card), "a") for card in ("bank", "lumberjack", "academy", "potemkin_village")] == [
        "the Bank",
        "a Lumberjack",
        "the Academy",
        "a Potemkin Village",
    ]


EXAMPLES = {
    "en": {
        "a": "a Lumberjack, an Author, an Apple, the University, Peterhof, “Away With It!”",
        "the": "the Lumberjack, the Author, the Apple, the University, Peterhof, “Away With It!”",
        "of": "of the Lumberjack, of the Author, of the Apple, of the University, of Peterhof, of “Away With It!”",
    },
    "de": {
        "a": "einen Holzfäller, einen Schreiber, einen Apfel, die Universität, den Peterhof, „Weg damit!“",
        "The": "Der Holzfäller, Der Schreiber, Der Apfel, Die Universität, Der Peterhof, „Weg damit!“",
        "of": "vom Holzfäller, vom Schreiber, vom Apfel, von der Universität, vom Peterhof, von „Weg damit!“",
    },
    "fr": {
        "a": "un Bûcheron, un Écrivain, une Pomme, l'Université, Peterhof, «\u00a0Débarras\u00a0!\u00a0»",
        "the": "le Bûcheron, l'Écrivain, la Pomme, l'Université, Peterhof, «\u00a0Débarras\u00a0!\u00a0»",
        "of": "du Bûcheron, de l'Écrivain, de la Pomme, de l'Université, de Peterhof, de «\u00a0Débarras\u00a0!\u00a0»",
    },
    "it": {
        "a": "un Taglialegna, uno Scrittore, una Mela, l'Università, Peterhof, «Via di qui!»",
        "the": "il Taglialegna, lo Scrittore, la Mela, l'Università, Peterhof, «Via di qui!»",
        "of": "del Taglialegna, dello Scrittore, della Mela, dell'Università, di Peterhof, di «Via di qui!»",
        "to": "al Taglialegna, allo Scrittore, alla Mela, all'Università, a Peterhof, a «Via di qui!»",
        "on": "sul Taglialegna, sullo Scrittore, sulla Mela, sull'Università, su Peterhof, su «Via di qui!»",
    },
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_articles_fit_gender_and_sound(language: str) -> None:
    cards = ("lumberjack", "author", "apple", "university", "peterhof", "away_with_it")
    for form, words in EXAMPLES[language].items():
        assert ", ".join(format(CardPhrase(card, language), form) for card in cards) == words


def test_german_names_are_declined() -> None:
    def say(card: str, form: str, edition: str = "second") -> str:
        return format(CardPhrase(card, "de", edition), form)

    assert say("warehouse_manager", "a") == "einen Kontoristen"
    assert say("warehouse_manager", "The") == "Der Kontorist"
    assert say("czarina", "a", "first") == "den Zaren"
    assert say("jester", "dative") == "dem Hofnarren"
    assert [say("potemkin_village", form) for form in ("a", "the", "The", "of")] == [
        "ein Potemkinsches Dorf",
        "das Potemkinsche Dorf",
        "Das Potemkinsche Dorf",
        "vom Potemkinschen Dorf",
    ]


def test_italian_articles_before_hard_sounds() -> None:
    cards = {"czarina": "lo Zar", "moocher": "lo Scroccone", "sycophant": "un Impostore", "secretary": "un Segretario"}
    assert {card: format(CardPhrase(card, "it", "first"), "a") for card in cards} == cards
    assert format(CardPhrase("hermitage", "it"), "of") == "dell'Ermitage"


def test_the_market_symbol_follows_the_name() -> None:
    assert format(CardPhrase("ship_builder:fish", "de"), "a") == "einen Schiffbauer (Fisch)"


def test_markup_surrounds_the_name_and_not_the_article() -> None:
    phrase = CardPhrase("author", "it", dress=lambda card, name: f"<{card}>{name}</>")
    assert f"{phrase:a}, {phrase}" == "uno <author>Scrittore</>, <author>Scrittore</>"


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "Anna buys a Wharf from row 2 onto the Ship Builder for 4"),
        ("de", "Anna kauft eine Werft aus Reihe 2 auf den Schiffbauer für 4"),
        ("fr", "Anna achète un Chantier naval de la rangée 2 à la place du Constructeur de navires pour 4"),
        ("it", "Anna compra un Molo dalla riga 2 al posto dell'Architetto navale per 4"),
    ],
)
def test_the_log_uses_them(language: str, told: str) -> None:
    action = next(action for action in ACTIONS if action.text == "buy wharf row 2 onto ship_builder")
    assert Wording(language).log(action, 4, name="Anna") == told


@pytest.mark.parametrize("language", LANGUAGES)
def test_hyphens_only_divide_the_name(language: str) -> None:
    for card in CARDS:
        for edition in ("first", "second"):
            parts = re.split("[\u00ad -]", hyphenated(card.exact, language, edition))
            assert hyphenated(card.exact, language, edition).replace("\u00ad", "") == str(
                CardPhrase(card.exact, language, edition)
            )
            assert max(map(len, parts)) <= 10, parts
