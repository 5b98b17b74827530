"""How pages, channels and boards speak: naturally, alike in both languages, agreeing with names and numbers."""

import re
import string
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from engine.kernel.languages import LANGUAGES, Language
from pbem.narration.filling import Wordless, fill
from pbem.narration.folders import templates
from pbem.narration.manner import NBSP
from pbem.narration.tidying import spaced

IN_BOTH = pytest.mark.parametrize("language", LANGUAGES)

STIFF = {
    "en": (
        r"\b(he|him|his|himself|she|hers|herself)\b",  # a person is "they"
        r"\b(who|whom|what)(so)?ever\b|\bthose who\b",  # if you ..., the player who ..., anyone who ...
        r"\b(any|every|some)body\b",  # anyone, everyone, someone
        r"\bonlook|\blook(s|ing)? on\b",  # a spectator watches
        r"(?<!-)\bmail address\b",  # an e-mail address
        r"\b(owe|owes|owing)\b|\bis awaited\b",  # orders due
        r"\bto be had\b|\b(can(not)?|would) stand\b|\bso already\b|\bbut for\b",
        r"\b(is|are) no [a-z ]*(address|webhook|token)\b",  # is not an address
        r"\b(gate|ballot|rider)s?\b",  # words of the code
        r"\bmastership\b|\bmastered\b|\bstability\b",
        r"\"|(?<!\w)'|(?<!s)'(?!\w)",  # curly quotes; an apostrophe belongs to its word
        r"\s[;:?!](?= \w)|  ",
    ),
    "fr": (
        r"\b(fu(t|rent)|fi(t|rent)|eu(t|rent)|vin(t|rent)|pu(t|rent)|du(t|rent)|pri(t|rent)|mi(t|rent)|\w+èrent)\b",
        r"\b(sièges?|quiconque|nul)\b",  # place; la personne qui
        r"\b(celui|ceux) (qui|que|à qui)\b",
        r"\bmaîtres? du jeu\b|\barbitre\b",  # maître de jeu
        r"\bcomptes? rendus?\b|\bparoles?\b|\bdossiers?\b|\bcourriers?\b",  # rapport, message, archive, lettre
        r"\bdélais?\b",  # échéance
        r"\b(choix prévu|défaut annoncé|ordre du (jeu|tour)|ensembles|(un|cet|son|chaque) ensemble)\b",
        r"\bretenus?\b|\btien(t|nent|drait)\b|\bétapes?\b",  # enregistré, entrée
        r"\bvous (êtes|serez|avez été) \w+(é|és|is|us)\b",  # agrees with a player
        r"\"|\w·\w|  ",
    ),
}
"""What no text of ours says; where it is not plain, what it says instead."""

PEOPLE = frozenset({"name", "before", "player", "owner", "host", "who"})
"""The terms that are names of people."""
NUMBERS = frozenset({"n", "entry", "minutes", "hours", "turns", "begun", "bank", "spare", "new", "free"})
"""The terms that are numbers and may be one."""


@cache
def texts(language: Language) -> Mapping[str, str]:
    """All texts of pages, channels, boards and effects, by file and key."""
    pages = Path(str(files("pbem.web"))) / "words" / language
    channels = Path(str(files("pbem.discord"))) / "words"
    games = [file for folder in ("boards", "effects") for file in sorted((templates() / folder / language).glob("*"))]
    found: dict[str, str] = {}
    for file in (*sorted(pages.glob("*.toml")), channels / f"{language}.toml", *games):
        read = file.read_text(encoding="utf-8")
        place = f"{file.parent.parent.name}/{file.stem if file.stem != language else 'channels'}"
        found.update(flat(place, tomllib.loads(spaced(read, language))))
    return found


def flat(prefix: str, table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The texts of a table by dotted key; each form of a text that counts by itself."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from flat(f"{prefix}.{key}", value)
        elif key != "count":
            yield f"{prefix}.{key}", value


def terms(text: str) -> dict[str, str]:
    """The terms of a text, and how each is to be written."""
    return {name: spec or "" for _, name, spec, _ in string.Formatter().parse(text) if name}


def stiff(language: Language, text: str) -> list[str]:
    """The turns of phrase in a text that are not ours."""
    found = (re.search(pattern, plain(text), re.IGNORECASE) for pattern in STIFF[language])
    return [match[0] for match in found if match]


def plain(text: str) -> str:
    """A text with a sign for each term."""
    return re.sub(r"\{[^}]*\}", "X", text)


@IN_BOTH
def test_texts_keep_to_the_voice_of_their_language(language: Language) -> None:
    """People are "they" or « la personne », terms are those of the glossary, and no word of the code is shown."""
    assert {key: stiff(language, text) for key, text in texts(language).items() if stiff(language, text)} == {}


@pytest.mark.parametrize(
    ("language", "wrong"),
    [
        ("en", "Whoever leaves offers a seat."),
        ("en", "The player writes his orders."),
        ("en", "Onlookers see everything."),
        ("en", "This is no mail address."),
        ("en", 'The "word" is unknown.'),
        ("fr", "La place fut offerte."),
        ("fr", "Ils arrivèrent à temps."),
        ("fr", "Votre siège est offert."),
        ("fr", "Seul celui qui a ouvert la table peut inviter."),
        ("fr", "Écrivez au maître du jeu."),
        ("fr", "Vous êtes assis à cette table."),
    ],
)
def test_a_stiff_sentence_is_found(language: Language, wrong: str) -> None:
    """Each kind of stiff sentence is found."""
    assert stiff(language, wrong)


def test_french_marks_keep_to_the_word_before_them() -> None:
    """A no-break space stands before : ; ? ! » and after «."""
    loose = re.compile(rf"(?<=[^{NBSP}/?])[:;?!»](?!//|thread)|«(?!{NBSP})")
    assert {key: text for key, text in texts("fr").items() if loose.search(plain(text))} == {}
    assert loose.search("Vraiment?")
    assert loose.search("« Oui»")


def test_both_languages_say_the_same_things_of_the_same_terms() -> None:
    """Pages, channels, boards and effects have the same keys in both, and the same terms under each."""
    french, english = texts("fr"), texts("en")
    assert set(french) == set(english)
    assert {key: set(terms(text)) for key, text in french.items()} == {
        key: set(terms(text)) for key, text in english.items()
    }


@pytest.mark.parametrize("game", sorted(file.stem for file in (templates() / "names" / "en").glob("*.toml")))
def test_both_languages_name_the_same_things(game: str) -> None:
    """The names of a game have the same kinds and ids in both."""
    kinds = [
        {kind: set(rows) for kind, rows in tomllib.loads(file.read_text(encoding="utf-8")).items()}
        for file in (templates() / "names" / language / f"{game}.toml" for language in LANGUAGES)
    ]
    assert all(named == kinds[0] for named in kinds)


@IN_BOTH
def test_a_number_agrees_with_its_noun(language: Language) -> None:
    """A plural right after a number stands in the form for many alone, and no form for one has it."""
    plural = re.compile(rf"\{{({'|'.join(sorted(NUMBERS))})\}} \w+[sx]\b")
    wrong = {key: text for key, text in texts(language).items() if not key.endswith(".many") and plural.search(text)}
    assert wrong == {}


@IN_BOTH
def test_forms_are_chosen_by_a_term_that_they_have(language: Language) -> None:
    """A text that counts names its number, and is complete with one and with five."""
    for key, text in texts(language).items():
        if key.endswith(".many"):
            one = texts(language)[key.removesuffix("many") + "one"]
            assert set(terms(one)) <= set(terms(text)), key


def test_names_of_people_are_elided_in_french() -> None:
    """No name stands bare after "de" or "que": {name:de} writes "d'Alice" and "de Bob"."""
    bare = re.compile(rf"\b(de|que|lorsque|jusque) \{{({'|'.join(sorted(PEOPLE))})\}}", re.IGNORECASE)
    assert {key: text for key, text in texts("fr").items() if bare.search(text)} == {}
    assert any("de" in terms(text).values() for text in texts("fr").values())


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Alice", "la place d'Alice"),
        ("Édouard", "la place d'Édouard"),
        ("Bob", "la place de Bob"),
        ("", "la place de "),
    ],
)
def test_a_name_after_de_begins_as_it_sounds(name: str, said: str) -> None:
    """Names that begin with a vowel, with an accent or without, take "d'"; the others take "de"."""
    assert fill("seat", "la place {name:de}", "fr", {"name": name}) == said


def test_a_text_counts_by_the_term_that_it_names() -> None:
    """`n`, or the term under `count`; French counts nought as one, English does not."""
    minutes = {"count": "minutes", "one": "{minutes} minute", "many": "{minutes} minutes"}
    assert [fill("k", minutes, "en", {"minutes": n}) for n in (0, 1, 2)] == ["0 minutes", "1 minute", "2 minutes"]
    assert [fill("k", minutes, "fr", {"minutes": n}) for n in (0, 1, 2)] == ["0 minute", "1 minute", "2 minutes"]


def test_a_key_without_a_text_is_an_error() -> None:
    """The error names the key; nothing blank is shown."""
    with pytest.raises(Wordless, match=r"no\.such\.key"):
        fill("no.such.key", None, "en", {})
