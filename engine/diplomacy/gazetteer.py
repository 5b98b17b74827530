"""What the map shows of provinces, in words, for readers who have no map."""

from collections.abc import Iterator, Mapping
from typing import Final

from engine.diplomacy.catalogue import POWERS, PROVINCES, WORDS, Province
from engine.kernel.catalogues import Words
from engine.kernel.drawing import Captions
from engine.kernel.languages import Language

_say: Final = Captions(WORDS.section("gazetteer"))


def _province(province: Province) -> Words:
    return Words.each(lambda language: (" ".join(_facts(province, language)),))


def _facts(province: Province, language: Language) -> Iterator[str]:
    """Yield a sentence for each kind of fact that the map shows of a province."""
    yield _say(language, province.kind, id=province.id)
    if province.home:
        yield _say(language, "home", power=POWERS[province.home].words.printed(language))
    elif province.centre:
        yield _say(language, "centre")
    if province.army:
        yield _say(language, "army", list=_listed(province.army, language))
    for coast, places in province.fleet.items():
        if places:
            start = f"{province.id}/{coast}" if coast else province.id
            yield _say(language, "fleet", place=start, list=_listed(places, language))


def _listed(places: tuple[str, ...], language: Language) -> str:
    """Return places by name and abbreviation: `Spain (SPA/NC)`."""
    return ", ".join(f"{PROVINCES[place[:3]].words.printed(language)} ({place})" for place in places)


DESCRIBED: Final[Mapping[str, Mapping[str, Words]]] = {
    "province": {province.id: _province(province) for province in PROVINCES.values()},
}
"""What HELP says of each, by kind and id."""
