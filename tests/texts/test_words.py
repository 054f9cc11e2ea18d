"""The words of the rulebooks: what each language calls things, and what it never says (docs/languages.md)."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import nevsky
from nevsky.texts import LANGUAGES, read_texts

TEXTS = Path(nevsky.__file__).parent / "texts"
PARTS = sorted(path.stem for path in (TEXTS / "en").glob("*.csv") if path.stem != "articles")
PLACEHOLDER = re.compile(r"\{(\w*)[^{}]*\}")

INFINITIVE = r"^(?:[Cc]omprare|[Pp]assare|[Pp]rendere|[Gg]iocare|[Ss]cartare|[Pp]agare)\b"
WRONG = {
    "en": [r"not to be had", r"[Dd]one by itself\b", r"\bto move in\b"],
    "de": [
        r"\bPhasen?\b",  # a Runde is a phase, a Durchgang is a round
        r"\bAdelskarten?\b",
        r"\bviolett",
        r"\bMitspielende",
        r"\bPunkteleiste|\bPunkteskala|\bWertungsleiste",
        r"\bStartsteine?\b",
        r"\bHandwerkssymbol",
        r"[Vv]on selbst",
        r"nicht zu haben\b",
    ],
    "fr": [
        r"\b[Aa]rtisan",
        r"\b[Tt]ours?\b",  # a round is a manche; a tour is only the turn of a player
        r"\b[Éé]talage",
        r"\bpiste\b(?! de score)",
        r"\bpions?\b(?! dorés?)",
        r"\bpoulets?\b|\bcéréales?\b",
        r"\bmétier",
        r"\b[Dd]euxième édition",
        r"\bcartes? (?:échange|ouvrier|bâtiment|noble|marché)\b",
        r"\bRelire\b",
        r"\bL'exemple (?:achète|prend|passe)",
        r"\btu\b|\bton\b|\btes\b",
    ],
    "it": [
        r"\b[Ff]il[ae] ?\d|\bdelle file\b",
        r"\b[Ee]sposizione\b|\bespost[aei]\b",
        r"\bcart[ae] (?:scambio|artigiano|edificio|nobile|mercato)\b",
        r"\b[Pp]unteggio finale\b",
        r"finché (?:cambia|puoi)\b",
        r"vince il \{",
        r"\bopera(?:i|io)\b",
        INFINITIVE,  # what one may do is said to you: compra, passa
    ],
}
"""By language, what never stands in a text."""

MEANT = {
    ("fr", r"\b[Tt]ours?\b"): {
        "due.pick_pocket",
        "effect.pick_pocket",
        "guide.more_workers.title",
        "help.module_4",
        "help.turn.title",
        "double_turn",
        "no.turn",
        "why.effect.pick_pocket",
        "why.turn",
    },
    ("it", r"\b[Pp]unteggio finale\b"): {"outlook.help"},
    ("it", INFINITIVE): {"guide.back_again.title"},
}
"""Keys in which such a word is meant, as the turn of a player is a tour."""

NUMBER = re.compile(
    r"\{(\w+)\} (?:points|rubles|cards|players|seats|tables|games|messages|"
    r"Punkte|Karten|Spieler|Personen|Plätze|Tische|Partien|Nachrichten|"
    r"roubles|cartes|joueurs|places|parties|"
    r"punti|rubli|carte|giocatori|posti|tavoli|partite)\b"
)
SEVERAL = {
    "hint.help": "n",
    "hint.hurried": "n",
    "screen.hint_hurried": "number",
    "deal.pile_size": "size",
    "help.round": "display",
    "no.open_tables": "number",
    "assignment.12": "cards",
    "position.hand": "number",
    "why.hand": "limit number",
    "effect.points_per_carpet": "argument",
    "effect.worth": "argument",
    "obstacle.R1.needs": "number",
    "review.luck": "doubt",
    "review.luck.unclear": "doubt",
    "review.luck.points": "doubt",
    "review.luck.expected": "points",
}
"""Numbers that are never one, by what stands in the game, in the rules or in the settings, or as they are shown with a
decimal; players and limits are never one in any text."""


def texts(language: str) -> Iterator[tuple[str, str]]:
    for part in PARTS:
        for key, words in read_texts(language, part).items():
            yield key, PLACEHOLDER.sub(r"{\1}", words)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_has_a_word_that_the_language_never_says(language: str) -> None:
    found = [
        f"{key}: {words}"
        for key, words in texts(language)
        for wrong in [*WRONG[language], "\u2019"]  # apostrophes are straight
        if re.search(wrong, words) and key not in MEANT.get((language, wrong), set())
    ]
    assert found == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_have_none_either(language: str) -> None:
    rules = (TEXTS / language / "rules.md").read_text(encoding="utf-8")
    free = {r"\b[Tt]ours?\b"}  # they speak of turns all the time
    assert [wrong for wrong in WRONG[language] if wrong not in free and re.search(wrong, rules)] == []


def test_french_has_its_spaces() -> None:
    """Run tools/french_spaces.py when this fails."""
    tool = Path(__file__).parents[2] / "tools" / "french_spaces.py"
    subprocess.run([sys.executable, str(tool), "--check"], check=True)
    settings = ("advertise", "database", "origins", "public_url", "redis", "smtp")
    addresses = {f"setting.{name}" for name in settings} | {"server.redis_alone", "move.direction"}
    free = addresses | {
        "bot.spec",
        "checkpoint.missing",
        "env.unknown_bot",
        "env.ways",
        "screen.prompt",
    }  # names of files
    tight = re.compile(r"[^\s\u00a0][:;!?»]|«[^\u00a0]|\S [:;!?»]")
    assert [words for key, words in texts("fr") if tight.search(words) and key not in free] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_thing_is_never_told_in_the_plural(language: str) -> None:
    """Numbers stand beside a noun only in texts for many, in the guide, whose figures are fixed, and where they are
    several in any case; elsewhere amount() makes the words."""
    found = [
        f"{key}: {words}"
        for key, words in texts(language)
        for name in NUMBER.findall(words)
        if not key.endswith((".one", ".many", "_many")) and not key.startswith("guide.")
        if name not in ("players", "most", *SEVERAL.get(key, "").split())
    ]
    assert found == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_for_one_and_for_many_come_in_pairs(language: str) -> None:
    for part in PARTS:
        keys = set(read_texts(language, part))
        assert {key[:-4] for key in keys if key.endswith(".one")} == {key[:-5] for key in keys if key.endswith(".many")}
