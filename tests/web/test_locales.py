"""What the pages say: complete in both languages, of the same things, agreeing with names and numbers."""

import re
import string
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from engine import GAMES
from engine.kernel.languages import LANGUAGES, Language
from pbem.narration.filling import MissingText, fill_in
from pbem.narration.folders import template_root
from pbem.narration.text_cleanup import fix_spaces
from pbem.narration.typography import NBSP
from pbem.web.locales import has_key, load_catalogue, translate
from tests.bot_games import OURS

IN_BOTH = pytest.mark.parametrize("language", LANGUAGES)

PEOPLE = frozenset({"name", "before", "player", "owner", "host", "who"})
"""The terms that are names of people."""


@cache
def texts(language: Language) -> Mapping[str, str]:
    """All texts of pages, channels, boards and effects, by file and key."""
    pages = Path(str(files("pbem.web"))) / "words" / language
    channels = Path(str(files("pbem.discord"))) / "words"
    games = [
        file for folder in ("boards", "effects") for file in sorted((template_root() / folder / language).glob("*"))
    ]
    found: dict[str, str] = {}
    for file in (*sorted(pages.glob("*.toml")), channels / f"{language}.toml", *games):
        read = file.read_text(encoding="utf-8")
        place = f"{file.parent.parent.name}/{file.stem if file.stem != language else 'channels'}"
        found.update(flat(place, tomllib.loads(fix_spaces(read, language))))
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


def sources() -> str:
    """All templates and code of the pages, those of the demo's mailboxes among them."""
    root = files("pbem.web")
    folders = (root, root.joinpath("api"), root.joinpath("templates"), template_root() / "boards", files("pbem.demo"))
    return "\n".join(
        file.read_text(encoding="utf-8")
        for folder in folders
        for file in folder.iterdir()
        if file.name.endswith((".py", ".html"))
    )


def test_both_languages_say_the_same_things_of_the_same_terms() -> None:
    """Pages, channels, boards and effects have the same keys in both, and the same terms under each."""
    french, english = texts("fr"), texts("en")
    assert set(french) == set(english)
    assert {key: set(terms(text)) for key, text in french.items()} == {
        key: set(terms(text)) for key, text in english.items()
    }
    for key, text in (*french.items(), *english.items()):
        if key.endswith(".many"):
            assert set(terms(french[key.removesuffix("many") + "one"])) <= set(terms(text)), key


@pytest.mark.parametrize("game", sorted(file.stem for file in (template_root() / "names" / "en").glob("*.toml")))
def test_both_languages_name_the_same_things(game: str) -> None:
    """The names of a game have the same kinds and ids in both."""
    kinds = [
        {kind: set(rows) for kind, rows in tomllib.loads(file.read_text(encoding="utf-8")).items()}
        for file in (template_root() / "names" / language / f"{game}.toml" for language in LANGUAGES)
    ]
    assert all(named == kinds[0] for named in kinds)


@IN_BOTH
def test_no_game_takes_the_words_of_another(language: str) -> None:
    """Each key is said in one file."""
    ours = Path(str(files("pbem.web"))).glob(f"words/{language}/*.toml")
    files_of = (*ours, *template_root().glob(f"boards/{language}/*.toml"))
    found = [tomllib.loads(file.read_text(encoding="utf-8")) for file in files_of]
    tables = [name for table in found for name in table if name != "rules"]
    told = [game for table in found for game in table.get("rules", {})]
    assert len(found) > 1
    assert len(tables) == len(set(tables))
    assert len(told) == len(set(told))


def test_every_key_that_a_page_names_is_there_and_every_key_is_said_somewhere() -> None:
    """Keys written out in templates and code exist, and so do the refusals of the service; a catalogue holds nothing
    that no page says: each key, or the beginning it is put together from, is named.
    """
    text, packages, words = sources(), GAMES.keys() - set(OURS), load_catalogue("en")
    named = set(re.findall(r"""\b(?:t|say)\(["']([a-z_0-9]+\.[a-z_0-9.]+)["'][,)]""", text))
    assert len(named) > 100
    assert named - set(words) == set()
    seats = files("pbem.service.seats")
    service = "".join(seats.joinpath(name).read_text(encoding="utf-8") for name in ("tables.py", "lobby.py"))
    assert {f"refused.{code}" for code in re.findall(r'Refused\("([a-z_]+)"', service)} <= set(words)
    built = {"refused.", *re.findall(r"""["']([a-z_.]+\.)(?:["'] ~|\{)""", text)}
    built |= {f"{chapter}." for chapter in re.findall(r'refusal\(refused, "([a-z_.]+)"', text)}
    ours = [key for key in words if key.partition(".")[0] not in packages]
    assert [key for key in ours if key not in text and not any(key.startswith(made) for made in built)] == []


@IN_BOTH
@pytest.mark.parametrize("title", [t for t in GAMES if any(k.startswith(f"rules.{t}.") for k in load_catalogue("en"))])
def test_every_question_of_a_game_has_its_rule(language: str, title: str) -> None:
    """The page says, of each question that a game can ask, what its rulebook says."""
    asked = {topic.key for topic in GAMES[title].meta.topics}
    assert {topic for topic in asked if not has_key(language, f"rules.{title}.{topic}")} == set()


# --- how they are filled in


def test_french_keeps_its_marks_and_elides_names() -> None:
    """A no-break space comes before : ; ? ! » and after «; no name comes bare after "de" or "que"."""
    loose = re.compile(rf"(?<=[^{NBSP}/?])[:;?!»](?!//|thread)|«(?!{NBSP})")
    bare = re.compile(rf"\b(de|que|lorsque|jusque) \{{({'|'.join(sorted(PEOPLE))})\}}", re.IGNORECASE)
    for key, text in texts("fr").items():
        assert not loose.search(re.sub(r"\{[^}]*\}", "X", text)), key
        assert not bare.search(text), key


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
    assert fill_in("seat", "la place {name:de}", "fr", {"name": name}) == said


def test_a_text_counts_by_the_term_that_it_names() -> None:
    """`n`, or the term under `count`; French counts nought as one, English does not."""
    minutes = {"count": "minutes", "one": "{minutes} minute", "many": "{minutes} minutes"}
    assert [fill_in("k", minutes, "en", {"minutes": n}) for n in (0, 1, 2)] == ["0 minutes", "1 minute", "2 minutes"]
    assert [fill_in("k", minutes, "fr", {"minutes": n}) for n in (0, 1, 2)] == ["0 minute", "1 minute", "2 minutes"]
    assert translate("fr", "home.missing", n=0) == "0 place libre"
    assert translate("en", "home.missing", n=0) == "0 seats free"


def test_a_key_without_a_text_is_an_error() -> None:
    """The error names the key; nothing blank is shown."""
    with pytest.raises(MissingText, match=r"no\.such\.key"):
        translate("en", "no.such.key")
