"""Artworks, characters and destinations, with name, cost and effects in signs."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Final

from engine.amalfi.catalogue import (
    ARTWORKS,
    BONUSES,
    CHARACTERS,
    DESTINATIONS,
    RIVAL,
    WORDS,
    Artwork,
    Character,
    Destination,
)
from engine.amalfi.drawing.benefits import (
    GAP,
    bonus,
    cost,
    cost_words,
    does,
    does_words,
    effects,
    effects_words,
)
from engine.amalfi.drawing.look import (
    ADVANCE,
    SIZE,
    Chain,
    chain,
    disc,
    extent,
    ground,
    lamp,
    no_disc,
    no_lamp,
    portrait,
    say,
    sign,
    text,
    waves,
)
from engine.amalfi.figures import NAMES
from engine.kernel.catalogues import Words
from engine.kernel.drawing import Sheet
from engine.kernel.languages import Language
from engine.kernel.pictures import LEGIBLE, tag
from engine.kernel.rules import View
from engine.kernel.text_layout import text_width
from engine.kernel.zones import Item

LINE: Final = 72
"""The height of a card on one line."""
FIELD: Final = 108
"""The height of a destination with its dock and its lighthouse."""
HALF: Final = LEGIBLE // 2
FIELD_SIGNS: Final = 64
"""The left edge of a destination's signs, after its dock."""
SLOT: Final = 118
"""The indent of a card in a row, after the cost of its slot."""
SIGNS_FROM: Final = 690
TILE_SIGNS_FROM: Final = 410
"""The left edge of the signs of cards and tiles, so that they align; longer names push them right."""
_ROMAN: Final = ("", "I", "II", "III", "IV")


@dataclass(frozen=True)
class Card:
    """A card or a tile as printed.

    `kind`: its sign and background. `signs`: its cost and effects. `said`: the same in words.
    """

    id: str
    kind: str
    words: Words
    signs: Chain
    said: str


def roman(period: int) -> str:
    """Return a period as a Roman numeral."""
    return _ROMAN[period]


@cache
def card(thing: str, language: Language) -> Card:
    """Return an artwork, a character or a destination by its id."""
    if thing in ARTWORKS:
        return _artwork(ARTWORKS[thing], language)
    if thing in CHARACTERS:
        return _character(CHARACTERS[thing], language)
    return _tile(DESTINATIONS[thing], language)


def _artwork(work: Artwork, language: Language) -> Card:
    price, brings = cost_words(work.cost, work.accepts, language), effects_words(BONUSES[work.bonus], language)
    said = (say(language, f"signs.{work.type}"), price, say(language, "gives_points", n=work.vp), brings)
    signs = (*cost(work.cost, work.accepts), GAP, f"+{work.vp}", "@vp", GAP, *bonus(work.bonus))
    return Card(work.id, work.type, work.words, signs, _said(work.words, said, language))


def _character(person: Character, language: Language) -> Card:
    kind = str(person.category)
    said = (
        say(language, f"signs.{kind}"),
        cost_words(person.cost, person.accepts, language),
        does_words(person, language),
    )
    signs = (*cost(person.cost, person.accepts), GAP, *does(person))
    return Card(person.id, kind, person.words, signs, _said(person.words, said, language))


def _tile(place: Destination, language: Language) -> Card:
    price = cost_words(place.cost, place.accepts, language)
    said = (price, say(language, "gives_points", n=place.vp), sailing_words(place, language))
    signs = (*cost(place.cost, place.accepts), GAP, f"+{place.vp}", "@vp", GAP, *sailing(place))
    return Card(place.id, "place", place.words, signs, _said(place.words, said, language))


def _said(words: Words, said: Iterable[str], language: Language) -> str:
    return ", ".join((words.printed(language), *filter(None, said)))


def sailing(place: Destination) -> Chain:
    """Return the signs of what sailing to a destination costs and gives."""
    paid = (f"−{place.bread}", "@bread", "→") if place.bread else ()
    return (*paid, *effects(place.effects))


def sailing_words(place: Destination, language: Language) -> str:
    """Return what sailing to a destination costs and gives, in words."""
    paid = [say(language, "does.pay_bread", n=place.bread)] if place.bread else []
    return ", ".join((*paid, effects_words(place.effects, language)))


# --- cards in lines


def lined(found: Card, sheet: Sheet, y: int, left: int = 0, state: str = "") -> Item:
    """Return a card on a whole line. `state`: a sign of its state, whose word is in the description too."""
    name = found.words.printed(sheet.language)
    said = f"{found.said}, {say(sheet.language, state)}" if state else found.said
    drawn = partial(_through, _lined, found, sheet, y, left, state)
    return Item(found.id, said, (left, y, LEGIBLE - left, LINE), drawn, name)


def _lined(found: Card, sheet: Sheet, y: int, left: int, state: str) -> Iterator[str]:
    starts = signs_from(found, sheet.language, left)
    yield ground(left, y, LEGIBLE - left, LINE, found.kind, sheet.theme)
    yield portrait(found.id, starts - 44, y + 38, sheet.theme) if found.id in CHARACTERS else ""
    yield sign(found.kind, left + 34, y + 36, sheet.theme)
    yield text(left + 62, y + 48, found.words.printed(sheet.language), sheet.theme)
    yield chain(found.signs, starts, y + 36, sheet.theme)
    if state:
        yield sign(state, starts - 30, y + 36, sheet.theme)


def signs_from(found: Card, language: Language, left: int) -> int:
    """Return the left edge of a card's signs: aligned with others, or after a longer name."""
    after = left + 76 + _plain(found.words.printed(language))
    return max(TILE_SIGNS_FROM if found.kind == "place" else SIGNS_FROM, after)


def _plain(said: str) -> int:
    """Return the width of a text in regular letters."""
    return text_width(said, SIZE) * 9 // 10


def lines(things: Iterable[str], sheet: Sheet, y: int = 0) -> Iterator[Item]:
    """Yield cards below each other."""
    for n, thing in enumerate(things):
        yield lined(card(thing, sheet.language), sheet, y + n * LINE)


def short(thing: str, sheet: Sheet, x: int, y: int, state: str = "") -> Item:
    """Return a card in front of a player: its kind, its name, and its state."""
    found = card(thing, sheet.language)
    name, kind = found.words.printed(sheet.language), say(sheet.language, f"signs.{found.kind}")
    said = ", ".join((name, kind, *((say(sheet.language, state),) if state else ())))
    drawn = partial(_through, _short, found, sheet, x, y, state)
    return Item(thing, said, (x, y, HALF - 6, LINE), drawn, name)


def _short(found: Card, sheet: Sheet, x: int, y: int, state: str) -> Iterator[str]:
    name = _cut(found.words.printed(sheet.language), HALF - 72 - ADVANCE * bool(state))
    yield ground(x, y, HALF - 6, LINE, found.kind, sheet.theme)
    yield sign(found.kind, x + 34, y + 36, sheet.theme)
    yield text(x + 62, y + 48, name, sheet.theme)
    if state:
        yield sign(state, x + HALF - 34, y + 36, sheet.theme)


def _cut(name: str, wide: int) -> str:
    """Return a name, or as much of it as fits; the description has all of it."""
    if _plain(name) <= wide:
        return name
    kept = next(n for n in range(len(name), 0, -1) if _plain(name[:n] + ".") <= wide)
    return name[:kept].rstrip() + "."


def _through(draw: Callable[..., Iterable[str]], *of: object) -> str:
    """Return a drawing that passes clicks to its item."""
    return tag("g", *draw(*of), pointer_events="none")


# --- destinations on the table


def colour(view: View, owner: str) -> str:
    """Return the colour of a seat's pieces; the solo rival has its own."""
    return owner if owner == RIVAL else str(view["powers"][owner]["colour"])


def called(view: View, owner: str, language: Language) -> str:
    """Return the name of an owner."""
    if owner == RIVAL:
        return rival_words(view).printed(language)
    return NAMES.words[colour(view, owner)].printed(language)


def letter(view: View, owner: str, language: Language) -> str:
    """Return the letter on an owner's pieces; the rival's is that of its city, which no colour begins with."""
    return str(view["rival"])[0].upper() if owner == RIVAL else called(view, owner, language)[0]


def rival_words(view: View) -> Words:
    """Return the name of the solo rival."""
    return WORDS(f"options.rival.{view['rival']}")


def field(found: Mapping[str, Any], sheet: Sheet, x: int, y: int) -> Item:
    """Return a destination: the ship at its dock, its name, what sailing there costs and gives, its lighthouse."""
    place = DESTINATIONS[found["place"]]
    name, said = place.words.printed(sheet.language), _field_words(found, place, sheet)
    drawn = partial(_through, _field, found, place, sheet, x, y)
    return Item(place.id, said, (x, y, HALF - 6, FIELD), drawn, name)


def _field(found: Mapping[str, Any], place: Destination, sheet: Sheet, x: int, y: int) -> Iterator[str]:
    name, theme = place.words.printed(sheet.language), sheet.theme
    later = f"→ {roman(place.evolves)}" if place.evolves else ""
    also = ("+1", "@character") if found["evolving"] else ()
    yield ground(x, y, HALF - 6, FIELD, "evolving" if found["evolving"] else "sea", theme)
    yield waves(x, y, 64, FIELD, theme)
    yield text(x + 66, y + 44, name, theme, font_weight="bold")
    yield text(x + 76 + extent((name,)), y + 44, later, theme, "soft") if later else ""
    yield chain(also, x + 408, y + 34, theme)
    yield chain(sailing(place), x + FIELD_SIGNS, y + 78, theme)
    yield from _pieces(found, sheet, x, y)


def _pieces(found: Mapping[str, Any], sheet: Sheet, x: int, y: int) -> Iterator[str]:
    """Yield the ship at the dock, or the free dock; the lighthouse, or the place for one."""
    view, language, theme = sheet.view, sheet.language, sheet.theme
    for owner, at, piece, free in ((found["dock"], x + 34, disc, no_disc), (found["light"], x + 540, lamp, no_lamp)):
        if owner:
            yield piece(at, y + 38, colour(view, owner), letter(view, owner, language))
        elif piece is disc or found["slot"]:
            yield free(at, y + 38, theme)


def _field_words(found: Mapping[str, Any], place: Destination, sheet: Sheet) -> str:
    view, language = sheet.view, sheet.language
    said = [place.words.printed(language), sailing_words(place, language)]
    said += [say(language, "evolving")] if found["evolving"] else []
    said += [say(language, "covered_in", period=roman(place.evolves))] if place.evolves else []
    who = {piece: called(view, found[piece], language) if found[piece] else "" for piece in ("dock", "light")}
    said.append(say(language, "docked", who=who["dock"]) if who["dock"] else say(language, "free_dock"))
    if who["light"]:
        said.append(say(language, "lit", who=who["light"]))
    else:
        said.append(say(language, "no_light" if found["slot"] else "no_slot"))
    return ", ".join(said)


def fields(found: Iterable[Mapping[str, Any]], sheet: Sheet) -> Iterator[Item]:
    """Yield destinations in two columns."""
    for n, place in enumerate(found):
        yield field(place, sheet, n % 2 * HALF, n // 2 * FIELD)


def rows(n: int) -> int:
    """Return how many rows `n` things take in two columns."""
    return -(-n // 2)


def nothing(sheet: Sheet) -> str:
    """Return the text for an empty zone."""
    return text(10, 48, say(sheet.language, "nothing"), sheet.theme, "soft")
