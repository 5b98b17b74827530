"""What the board prints of cities, in words, for readers who have no map."""

from collections.abc import Iterator, Mapping
from typing import Final

from engine.kernel.catalogues import Words
from engine.kernel.drawing import Captions
from engine.kernel.languages import Language
from engine.renaissance.catalogue import PROVINCES, ROADS, TOWNS, WORDS, Province, Town

_say: Final = Captions(WORDS.section("gazetteer"))
_picture: Final = Captions(WORDS.section("picture"))


def _town(town: Town) -> Words:
    return Words.each(lambda language: (" ".join(_facts(town, language)),))


def _facts(town: Town, language: Language) -> Iterator[str]:
    """Yield a sentence for each kind of fact that the board prints of a city."""
    ground = _picture(language, town.terrain) + (f", {_picture(language, 'port')}" if town.port else "")
    province = PROVINCES[town.province].words.printed(language)
    yield _say(language, "city", province=province, ground=ground, bonus=town.bonus)
    if ROADS[town.id]:
        yield _say(language, "roads", list=_listed(ROADS[town.id], language))


def _listed(towns: tuple[str, ...], language: Language) -> str:
    return ", ".join(TOWNS[town].words.printed(language) for town in towns)


def _province(province: Province) -> Words:
    return Words.each(lambda language: (_say(language, "province", list=_listed(province.cities, language)),))


DESCRIBED: Final[Mapping[str, Mapping[str, Words]]] = {
    "city": {town.id: _town(town) for town in TOWNS.values()},
    "province": {province.id: _province(province) for province in PROVINCES.values()},
}
"""What HELP says of each, by kind and id."""
