"""Units and places as choices and slots, for forms. Nothing depends on a position.

A unit is named as `A PAR` or `F STP`, or by its province alone where the kind is forgiven (C6).
"""

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Final

from engine.diplomacy.catalogue import ARMY, CENTRES, FLEET, POWERS, PROVINCES, SEA, WORDS, places_of, province_of
from engine.diplomacy.orders import BY_LAND, BY_SEA
from engine.kernel.catalogues import Words
from engine.kernel.forms import Choice, Slot
from engine.kernel.languages import DEFAULT
from engine.kernel.phrasebook import as_optional, leading, one_choice, some_choices, with_lead
from engine.kernel.spelling import fold_tokens
from engine.kernel.vocabulary import FormWords

SAID: Final = FormWords(WORDS)
ASKED_BACK: Final = frozenset({"liv", "nor", "gul", "atl"})
"""What judges read differently, so that it is no name of its own: what it may mean is asked back."""
TYRRHENIAN: Final = ("TYS", "TYR")
"""`TYR` is Tyrolia, but of a fleet it is the sea; a unit named by it alone is asked back."""
_SHORTEST: Final = 3


def _names(p: str) -> tuple[str, ...]:
    """Return what means a province, its letters first."""
    return tuple(dict.fromkeys((*_whole_names(p), *_beginnings(p))))


def _whole_names(p: str) -> tuple[str, ...]:
    """Return what means a province for certain, its letters first."""
    province = PROVINCES[p]
    told = (p, *province.words.all_forms(), *province.judges_write)
    known = (name for name in told if name not in ASKED_BACK and (name == p or name.upper() not in PROVINCES))
    return tuple(dict.fromkeys(known))


def _beginnings(p: str) -> Iterator[str]:
    """Yield what begins the names of a province that has coasts, which would begin the names of the coasts, too."""
    if len(places_of(p)) > 1:
        joined = ("".join(fold_tokens(name)) for name in _whole_names(p))
        yield from (name[:length] for name in joined for length in range(_SHORTEST, len(name)))


def _words(printed: str, spelt: Iterable[str]) -> Words:
    """Return words that are printed alike in every language; what is understood besides is listed once."""
    every = tuple(dict.fromkeys((printed, *spelt)))
    return Words.each(lambda language: every if language == DEFAULT else every[:1])


def _spell_coasts(p: str) -> Iterator[tuple[str, str]]:
    """Yield the places of a province with its name and its coast in every spelling."""
    for place in places_of(p):
        coast = place.partition("/")[2]
        if coast:
            spelt = WORDS(f"notation.{coast.lower()}").all_forms()
            yield from ((place, f"{name} {written}") for name, written in product(_whole_names(p), spelt))


def _unit_names(kind: str, p: str) -> Iterator[str]:
    names = [*_names(p), *(name for _, name in _spell_coasts(p) if kind == FLEET)]
    names += TYRRHENIAN[1:] if (kind, p) == (FLEET, TYRRHENIAN[0]) else ()
    before = WORDS("notation.army" if kind == ARMY else "notation.fleet").all_forms()
    return (f"{word} {name}" for word, name in product(before, names))


def _units() -> Iterator[tuple[str, Words]]:
    for p, province in PROVINCES.items():
        for kind in (ARMY, FLEET):
            if (province.kind != SEA) if kind == ARMY else bool(province.fleet):
                yield f"{kind} {p}", _words(f"{kind} {p}", _unit_names(kind, p))
        if p in TYRRHENIAN:
            yield p, _words(province.words.printed(DEFAULT), (*_names(p), *TYRRHENIAN[1:]))
        else:
            yield p, _words(p, _names(p))


def _places() -> Iterator[tuple[str, Words]]:
    for p in PROVINCES:
        yield p, _words(p, _names(p))
        for place in places_of(p):
            if place != p:
                yield place, _words(place, (name for at, name in _spell_coasts(p) if at == place))


def _standing(provinces: Iterable[str]) -> Iterator[tuple[str, Words]]:
    """Yield the units that can stand in provinces; where a coast must be said, a fleet without one is asked back."""
    for p in provinces:
        if PROVINCES[p].kind != SEA:
            yield f"{ARMY} {p}", _words(f"{ARMY} {p}", _unit_names(ARMY, p))
        for place in dict.fromkeys((*places_of(p), *(p for _ in places_of(p)))):
            spelt = [name for at, name in _spell_coasts(p) if at == place] if place != p else _names(p)
            before = WORDS("notation.fleet").all_forms()
            yield f"{FLEET} {place}", _words(f"{FLEET} {place}", (f"{w} {name}" for w, name in product(before, spelt)))


def _placed(named: Iterable[tuple[str, Words]]) -> tuple[Choice, ...]:
    """Return units and places as choices that their province means, too."""
    return tuple(Choice(value, names, province_of(value.rpartition(" ")[2])) for value, names in named)


UNITS: Final = _placed(_units())
PLACES: Final = _placed(_places())
SITES: Final = _placed(_standing(sorted(p for p in CENTRES if PROVINCES[p].home)))
"""The units that can be built."""
STANDING: Final = _placed(_standing(PROVINCES))
"""The units that can be on the board, each at its place."""
PROVINCE_CHOICES: Final = tuple(choice for choice in PLACES if choice.value == province_of(choice.value))
POWER_CHOICES: Final = tuple(Choice(power.id, power.words) for power in POWERS.values())
WAYS: Final = SAID.find((BY_SEA, BY_LAND), "way")

UNIT: Final = leading(one_choice("unit", "unit", SAID.title("unit"), UNITS))
"""The unit that is ordered."""
SITE: Final = leading(one_choice("unit", "site", SAID.title("site"), SITES))
TO: Final = one_choice("to", "place", SAID.title("to"), PLACES)
WAY: Final = as_optional(one_choice("way", "way", SAID.title("way"), WAYS), "", spare=True)
BY_CONVOY: Final = as_optional(one_choice("way", "way", SAID.title("way"), WAYS[:1]), "", spare=True)
SEAS: Final = some_choices(
    "seas", "place", SAID.title("to"), tuple(c for c in PLACES if PROVINCES[province_of(c.value)].kind == SEA)
)
"""The seas on the way of a convoy."""

POWER: Final = one_choice("power", "power", SAID.title("power"), POWER_CHOICES)
SHARING: Final = with_lead(some_choices("powers", "power", SAID.title("powers"), POWER_CHOICES), SAID.lead("powers"))
"""The powers that share a draw."""


def unit(name: str) -> Slot:
    """Return a slot for another unit."""
    return one_choice(name, "unit", SAID.title(name), UNITS)


def dashed(slot: Slot) -> Slot:
    """Return a slot behind a dash."""
    return with_lead(slot, SAID.lead("to"))
