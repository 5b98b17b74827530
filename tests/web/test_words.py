"""What the pages say: complete in both languages, and nothing beside it."""

import re
import string
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import GAMES
from engine.kernel.languages import LANGUAGES
from pbem.narration.filling import Wordless
from pbem.narration.folders import templates
from pbem.service.base.services import Refused
from pbem.web.presenter import moment
from pbem.web.words import catalogue, known, say
from tests.games import OURS


def places(words: Any) -> set[str]:
    """The places to fill in of an entry."""
    texts = words.values() if isinstance(words, dict) else [words]
    return {name for text in texts for _, name, _, _ in string.Formatter().parse(text) if name}


def sources() -> str:
    """All templates and code of the pages, those of the demo's mailboxes among them."""
    root = files("pbem.web")
    folders = (root, root.joinpath("api"), root.joinpath("templates"), templates() / "boards", files("pbem.demo"))
    return "\n".join(
        file.read_text(encoding="utf-8")
        for folder in folders
        for file in folder.iterdir()
        if file.name.endswith((".py", ".html"))
    )


def test_both_catalogues_have_the_same_keys_and_places() -> None:
    """Both languages have the same keys, with the same facts in each text."""
    french, english = (catalogue(language) for language in LANGUAGES)
    assert set(french) == set(english)
    assert {k: places(v) for k, v in french.items()} == {k: places(v) for k, v in english.items()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_game_takes_the_words_of_another(language: str) -> None:
    """Each key is said in one file."""
    ours = Path(str(files("pbem.web"))).glob(f"words/{language}/*.toml")
    files_of = (*ours, *templates().glob(f"boards/{language}/*.toml"))
    found = [tomllib.loads(file.read_text(encoding="utf-8")) for file in files_of]
    tables = [name for table in found for name in table if name != "rules"]
    told = [game for table in found for game in table.get("rules", {})]
    assert len(found) > 1
    assert len(tables) == len(set(tables))
    assert len(told) == len(set(told))


def test_every_key_that_a_page_names_is_there() -> None:
    """Keys written out in templates and code exist."""
    named = set(re.findall(r"""\b(?:t|say)\(["']([a-z_0-9]+\.[a-z_0-9.]+)["'][,)]""", sources()))
    assert len(named) > 100
    assert named - set(catalogue("en")) == set()


def test_every_key_is_said_somewhere() -> None:
    """A catalogue holds nothing that no page says: each key, or the beginning it is put together from, is named."""
    text, packages = sources(), GAMES.keys() - set(OURS)
    built = set(re.findall(r"""["']([a-z_.]+\.)(?:["'] ~|\{)""", text))
    ours = [key for key in catalogue("en") if key.partition(".")[0] not in packages]
    unsaid = [key for key in ours if key not in text and not any(key.startswith(made) for made in built)]
    assert unsaid == []


def test_every_refusal_of_a_table_has_words() -> None:
    """Each code that the service refuses with has words."""
    seats = files("pbem.service.seats")
    text = "".join(seats.joinpath(name).read_text(encoding="utf-8") for name in ("tables.py", "forming.py"))
    codes = set(re.findall(r'Refused\("([a-z_]+)"', text))
    assert Refused("x").code == "x"
    assert {f"refused.{code}" for code in codes} <= set(catalogue("en"))


def test_numbers_agree() -> None:
    """French counts nought as one, English as many."""
    assert say("fr", "home.missing", n=0) == "0 place libre"
    assert say("en", "home.missing", n=0) == "0 seats free"
    assert say("fr", "home.missing", n=2) == "2 places libres"
    assert say("en", "home.missing", n=1) == "1 seat free"


def test_words_that_are_missing_are_an_error() -> None:
    """A missing text raises instead of leaving a blank."""
    with pytest.raises(Wordless):
        say("en", "no.such.key")


def test_french_marks_are_kept_from_falling_off() -> None:
    """A space stands before each double mark of French, and none before it in English."""
    for words in catalogue("fr").values():
        for text in words.values() if isinstance(words, dict) else [words]:
            assert not re.search(r"\w[;?!]|\w:(?!//)", re.sub(r"\{\w+:\w+\}", "X", text)), text
    for words in catalogue("en").values():
        for text in words.values() if isinstance(words, dict) else [words]:
            assert not re.search(r"\s[;:?!]", text), text


def test_moments_are_told_in_the_zone_and_in_utc() -> None:
    """UTC repeats the day only where it differs."""
    assert moment(1_795_287_600, "Europe/Paris", "en") == "Sat 21 Nov 2026, 20:00 Paris (19:00 UTC)"
    assert moment(1_795_287_600, "UTC", "fr") == "samedi 21\u00a0novembre 2026 à 19\u00a0h\u00a000\u00a0UTC"
    assert "(Sat 19:00 UTC)" in moment(1_795_287_600, "Pacific/Auckland", "en")


@given(st.integers(0, 4_000_000_000), st.sampled_from(["Europe/Paris", "America/New_York", "Asia/Kolkata"]))
def test_every_moment_names_utc(seconds: int, zone: str) -> None:
    """Whatever the zone, UTC stands beside it."""
    for language in LANGUAGES:
        assert "UTC" in moment(seconds, zone, language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("title", [t for t in GAMES if any(k.startswith(f"rules.{t}.") for k in catalogue("en"))])
def test_every_question_of_a_game_has_its_rule(language: str, title: str) -> None:
    """The page says, of each question that a game can ask, what its rulebook says."""
    asked = {topic.asks for topic in GAMES[title].meta.topics}
    assert {topic for topic in asked if not known(language, f"rules.{title}.{topic}")} == set()
