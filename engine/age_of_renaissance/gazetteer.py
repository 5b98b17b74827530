"""What the board prints of provinces and goods, in words, for readers who have no map."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from engine.age_of_renaissance.atlas import NEIGHBOURS, SATELLITES, SEAS, neighbouring_coasts
from engine.age_of_renaissance.catalogue import GOODS, PRODUCERS, PROVINCES, REGIONS, WORDS, Good, Province, payout
from engine.kernel.catalogues import Words
from engine.kernel.drawing import Captions
from engine.kernel.languages import Language

_say: Final = Captions(WORDS.section("gazetteer"))


def _province(province: Province) -> Words:
    return Words.each(lambda language: (" ".join(_facts(province, language)),))


def _facts(province: Province, language: Language) -> Iterator[str]:
    """Yield a sentence for each kind of fact that the board prints of a province."""
    more = [good.words.printed(language).lower() for good in map(GOODS.__getitem__, province.goods)]
    more += [_say(language, "capital")] if province.capital else []
    region = REGIONS[province.region].words.printed(language)
    yield _say(language, "province", region=region, capacity=province.capacity, more="".join(f", {m}" for m in more))
    seas = (sea.words for sea in SEAS.values() if any(coast.partition("#")[0] == province.id for coast in sea.coasts))
    for kind, names in (
        ("points_to", _named(province.points_to)),
        ("satellites", _named(SATELLITES[province.id])),
        ("land", _named(NEIGHBOURS[province.id])),
        ("coasts", _named(neighbouring_coasts(province.id))),
        ("seas", seas),
    ):
        listed = ", ".join(words.printed(language) for words in names)
        if listed:
            yield _say(language, kind, list=listed)


def _named(provinces: Iterable[str]) -> Iterator[Words]:
    return (PROVINCES[province].words for province in sorted(provinces))


def _good(good: Good) -> Words:
    return Words.each(lambda language: (_worth(good, language),))


def _worth(good: Good, language: Language) -> str:
    made = sorted(PRODUCERS[good.id])
    paid = ", ".join(str(payout(good.id, count)) for count in range(1, len(made) + 1))
    places = ", ".join(words.printed(language) for words in _named(made))
    return _say(language, "good", base=good.base, die=good.die, paid=paid, list=places)


DESCRIBED: Final[Mapping[str, Mapping[str, Words]]] = {
    "province": {province.id: _province(province) for province in PROVINCES.values()},
    "good": {good.id: _good(good) for good in GOODS.values()},
}
"""What HELP says of each, by kind and id."""
