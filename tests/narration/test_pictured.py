"""Nothing is only in the picture: what it prints stands in the plain text of the letter, or HELP says it."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final
from xml.etree.ElementTree import fromstring

import pytest

from engine.kernel.catalogues import load_catalogue
from engine.kernel.pictures import DrawsBoard
from engine.kernel.secrets import seen_by
from engine.kernel.viewers import Seat
from engine.kernel.zones import HasZones
from pbem.narration import facts as f
from pbem.narration.item_texts import find, list_items, list_printed, text_of
from pbem.narration.letters import render
from pbem.narration.narrator import narrator
from tests.budget import budget
from tests.narration.cases import Case, cases
from tests.narration.text_checks import LANGUAGES

DRAWN: Final = [case for case in cases() if isinstance(case.rules, DrawsBoard) and case.game != "toy"]
LOOKS: Final = budget(3, 12)
"""At so many moments of a game its letters are read beside their pictures."""
CAPTIONS: Final = ("picture", "parts", "privileges", "figures", "choices", "phases", "options")
"""Where a game keeps the words that only head or explain a picture."""


def moments(case: Case) -> Iterator[tuple[Any, Seat]]:
    """Positions of a game of bots as a seat sees them: at its beginning, on the way, before its end."""
    entries = [entry for entry in case.entries() if not entry.after.position.core.over]
    for n in range(LOOKS):
        seat = case.seats[n % len(case.seats)]
        yield case.view(seat, (len(entries) - 1) * n // (LOOKS - 1)), seat


def plain(text: str) -> str:
    """A text in small letters, without what letters of French set otherwise."""
    return " ".join(text.replace("’", "'").split()).casefold()


def letter(case: Case, position: Any, seat: Seat, language: str) -> str:
    """The first report of a seat about a position, which owes what is asked there."""
    owed = tuple(f.OpenQuestion(d, 1763751600) for d in position.core.questions if d.seat == seat)
    return plain(render(f.ReportFacts(case.frame(seat, language), position, questions=owed)).text)


@cache
def help_of(game: str, language: str) -> Mapping[str, str]:
    """What HELP says of each thing that it knows, by its name."""
    narrates = narrator(game, language)
    texts = [text_of(narrates, *thing) for thing in (*list_items(game, language), *list_printed(game))]
    return {plain(one.name): plain(f"{one.name}: {one.does} {' '.join(one.text)}") for one in texts}


@cache
def captions(game: str, language: str) -> frozenset[str]:
    """The texts with which a picture heads and explains what it shows, and their words."""
    found: list[str] = []
    for package, kept in ((f"engine.{game}", CAPTIONS), ("engine.kernel", ("zones", "lists"))):
        catalogue = load_catalogue(package)
        keys = (key for key in catalogue.keys(language) if key.partition(".")[0] in kept)
        found += [said for key in keys for said in catalogue(key).of(language)]
    return frozenset((*map(plain, found), *words(" ".join(found))))


def words(text: str) -> Iterator[str]:
    """The words of a text, of three letters and more."""
    yield from re.findall(r"[^\W\d_]{3,}", plain(text))


def numbers(text: str) -> frozenset[str]:
    """The numbers of a text."""
    return frozenset(re.findall(r"\d+", text))


def shown(case: Case, position: Any, seat: Seat, language: str) -> Iterator[str]:
    """The texts of the picture of a position."""
    assert isinstance(case.rules, DrawsBoard)
    with seen_by(seat):
        svg = case.rules.draw(case.rules.present_view(position, seat), language)
    for element in fromstring(svg).iter():
        if element.tag.endswith("}text"):
            yield plain("".join(element.itertext()))


@pytest.mark.parametrize("case", DRAWN, ids=str)
@pytest.mark.parametrize("language", LANGUAGES)
def test_names_and_numbers_of_a_picture_stand_in_the_letter_or_in_help(case: Case, language: str) -> None:
    """Each word that is no heading, and each number, of each text of the picture."""
    known, heads = " ".join(help_of(case.game, language).values()), captions(case.game, language)
    missing: dict[str, str] = {}
    for position, seat in moments(case):
        said = f"{letter(case, position, seat, language)} {known}"
        may_stand = frozenset(words(said)) | heads | {"iii"}  # periods are counted so
        counted = numbers(said)
        for text in shown(case, position, seat, language):
            if text in heads or text.rstrip("-.") in said:  # names of locations are broken and cut in their squares
                continue
            lost = {word for word in words(text) if word not in may_stand and not re.search(rf"\b{word}", said)}
            lost |= numbers(text) - counted
            if lost:
                missing[text] = ", ".join(sorted(lost))
    assert missing == {}, missing


@pytest.mark.parametrize("case", [case for case in DRAWN if isinstance(case.rules, HasZones)], ids=str)
def test_the_numbers_of_a_thing_stand_where_it_is_told(case: Case) -> None:
    """On a board of zones: what is printed of a card, tile or place stands beside its name, or HELP and its name says
    it.
    """
    assert isinstance(case.rules, HasZones)
    narrates = narrator(case.game, "en")
    checked = 0
    for position, seat in moments(case):
        said = letter(case, position, seat, "en")
        with seen_by(seat):
            zones = case.rules.zones(case.rules.present_view(position, seat), "en")
        for item in (item for one in zones for item in one.zone.items if item.name):
            things = find(narrates, item.name)
            if not things:
                continue
            about = " ".join(help_of(case.game, "en")[plain(text_of(narrates, *thing).name)] for thing in things)
            near = " ".join(said[m.start() : m.start() + 400] for m in re.finditer(re.escape(plain(item.name)), said))
            checked += 1
            assert numbers(item.text) <= numbers(f"{about} {near}") | {"1"}, item.text
    assert checked > 10 or case.game in ("diplomacy", "patchistory")


@pytest.mark.parametrize(
    ("game", "language", "name", "says"),
    [
        ("age_of_renaissance", "en", "Napoli", "Region VII, market 5, stone. Satellites: Bari."),
        ("age_of_renaissance", "fr", "Bari", "Région VII, capacité 1. Satellite de : Napoli, Palermo."),
        ("age_of_renaissance", "fr", "Pierre", "Payé pour 1, 2, 3… provinces : 1, 4, 9,"),
        ("renaissance", "en", "Nizza", "Terrain: mountain, port; it adds 1 to the defence. Roads to Torino,"),
        ("diplomacy", "fr", "SPA", "Une flotte en SPA/NC atteint : Gascogne (GAS),"),
    ],
)
def test_help_tells_what_the_map_shows(game: str, language: str, name: str, says: str) -> None:
    """A player without the picture learns what a place holds, and what is next to it."""
    narrates = narrator(game, language)
    told = " ".join(text_of(narrates, *thing).does for thing in find(narrates, name))
    assert says in told.replace("\xa0", " ")
