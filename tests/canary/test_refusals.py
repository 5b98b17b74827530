"""What a letter says of its reader's own rider is no leak; whatever else it says is searched as before."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from markupsafe import escape

from engine import GAMES
from engine.kernel.orders import Problem
from pbem.app import write_letter
from pbem.config import Settings
from pbem.demo.post_office import Mail
from pbem.narration.facts import RiderEnded
from pbem.service.base.services import Addressed
from tests.canary.refusals import searched, sentences, without
from tests.service.hall import build, seated

Report = tuple[Any, Addressed]

REFUSAL = Problem("no_card", {"card": "signe_de_dieu"})
OTHER = Problem("no_card", {"card": "retraite"})
NAMES = {"fr": "signe de dieu", "en": "sign of god"}
OWN = sentences("renaissance", (REFUSAL,))


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """A report of a real game."""
    hall = build(tmp_path_factory.mktemp("hall"), installed=GAMES)
    seated(hall, "renaissance", 3, 24)
    while not hall.of("report"):
        hall.pass_time(hours=25)
        hall.tick()
        hall.settle()
    return next((facts, to) for to, facts in hall.sent if to.kind == "report")


def letter(folder: Path, report: Report, language: str, refusals: tuple[Problem, ...], behind: bytes = b"") -> Mail:
    """That report as it lies in a box, telling that riders were refused."""
    facts, to = report
    frame = replace(facts.frame, reader=replace(facts.frame.reader, language=language))
    refused = tuple(RiderEnded("sales", (), False, problem) for problem in refusals)
    made = write_letter(Settings.embedded(folder), replace(facts, frame=frame, riders_ended=refused), to)
    path = folder / "letter.eml"
    path.write_bytes(made.wire + behind)
    return Mail(1, "p1@games.test", path)


@pytest.mark.parametrize("language", NAMES)
def test_an_own_refusal_is_left_out(tmp_path: Path, report: Report, language: str) -> None:
    """The sentence that a letter says of its reader's own rider is left out of its text and its HTML, and no more."""
    mail = letter(tmp_path, report, language, (REFUSAL,))
    name = NAMES[language]
    assert all(name in " ".join(shape.lower().split()) for shape in (mail.text, mail.html))
    left = " ".join(searched(mail, OWN).decode().lower().split())
    assert name not in left
    assert all(part[-200:].lower().strip() in searched(mail, OWN).decode().lower() for part in (mail.text, mail.html))


@pytest.mark.parametrize("language", NAMES)
def test_the_same_card_elsewhere_is_found(tmp_path: Path, report: Report, language: str) -> None:
    """A card that a letter names in any other way is found, though the letter holds a refusal about the same card."""
    name = NAMES[language].encode()
    mail = letter(tmp_path, report, language, (REFUSAL,), b"\r\n" + name)
    assert name in searched(mail, OWN)
    facts, to = report
    titled = replace(facts, frame=replace(facts.frame, table=replace(facts.frame.table, title=f"x {name.decode()} x")))
    assert name in searched(letter(tmp_path, (titled, to), language, (REFUSAL,)), OWN).lower()


@pytest.mark.parametrize("language", NAMES)
def test_a_refusal_of_somebody_else_is_found(tmp_path: Path, report: Report, language: str) -> None:
    """A refusal that was not told to this reader is searched like the rest of their letter."""
    mail = letter(tmp_path, report, language, (REFUSAL, OTHER))
    for told in (frozenset(), sentences("renaissance", (OTHER,))):
        assert NAMES[language] in " ".join(searched(mail, told).decode().lower().split())


@pytest.mark.parametrize("sentence", sorted(OWN))
def test_pages_and_programs_quote_it_too(sentence: str) -> None:
    """The sentence is left out of a page and of JSON as well, however these write its letters."""
    broken = sentence.replace(" ", "\n    ")
    for shown in (sentence, broken, str(escape(sentence)), json.dumps(sentence), json.dumps(sentence.title())):
        assert without(f"<p>a {shown} b</p>", OWN).split() in (["<p>a", "b</p>"], ["<p>a", '"', '"', "b</p>"])
    assert without(f"he said: {sentence[:-2]}", OWN) == f"he said: {sentence[:-2]}"
