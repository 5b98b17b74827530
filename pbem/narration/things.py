"""What is told of a game's things (a tile, a card, an advance): one by its name, or those that a reader sees first."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from engine.kernel.catalogues import Words
from engine.kernel.languages import LANGUAGES, Language, fallbacks
from engine.kernel.rules import View
from engine.kernel.secrets import seen_by
from engine.kernel.spelling import Vocabulary, folded
from engine.kernel.telling import Thing, telling_of
from pbem.narration.folders import path_of, table_of
from pbem.narration.glossary import effects, glossary
from pbem.narration.narrator import Narrator
from pbem.narration.seat_narrator import Lines, SeatNarrator

LISTED: Final = 60
"""So many things with a text are told in full by HELP; of more it gives the names alone."""

MOST: Final = 12
"""So many things seen for the first time are told in full by a report; of more it gives the names."""


@dataclass(frozen=True)
class ThingTold:
    """A thing by its name, what it does in a sentence, and the paragraphs of its long text, if it has one."""

    name: str
    does: str
    text: Lines


@cache
def long_texts(game: str, language: Language) -> Mapping[str, Mapping[str, str]]:
    """The long texts of things, by kind and id: `texts/<language>/<game>.toml`; empty for a game that has none."""
    return table_of(path_of("texts", language, f"{game}.toml"))


@cache
def things_told(game: str, language: Language) -> tuple[Thing, ...]:
    """Every thing of which something is told, in the order of the files."""
    tables = (effects(game, language), long_texts(game, language))
    return tuple(dict.fromkeys((kind, thing) for table in tables for kind, rows in table.items() for thing in rows))


def told(narrator: Narrator, kind: str, thing: str) -> ThingTold:
    """All that is told of one thing."""
    long = long_texts(narrator.game, narrator.language).get(kind, {}).get(thing, "")
    text = tuple(narrator.tidy(part) for part in long.split("\n\n") if part.strip())
    return ThingTold(_named(narrator, kind, thing), narrator.effect(kind, thing), text)


def names_told(narrator: Narrator) -> Lines:
    """The names of all things of which something is told."""
    return tuple(_named(narrator, kind, thing) for kind, thing in things_told(narrator.game, narrator.language))


def meant(narrator: Narrator, words: str) -> tuple[Thing, ...]:
    """The things that words mean, in any language, shortened or misspelt as in orders; empty for none."""
    things = things_told(narrator.game, narrator.language)
    hit = _vocabulary(narrator.game, things).look(folded(words), fuzzy=True)
    return tuple(things[place] for place in hit.places)


@cache
def _vocabulary(game: str, things: tuple[Thing, ...]) -> Vocabulary:
    return Vocabulary(_spellings(game, kind, thing) for kind, thing in things)


def _spellings(game: str, kind: str, thing: str) -> Words:
    return Words.each(lambda language: _called(game, language, kind, thing))


def _called(game: str, language: Language, kind: str, thing: str) -> tuple[str, ...]:
    """What a thing is called in a language, where that names it, and its id."""
    tags = (tag for tag in (language, *fallbacks(language)) if tag in LANGUAGES)
    found = (glossary(game, tag).names.get(kind, {}).get(thing) for tag in tags)
    return (*(name.bare for name in found if name is not None), thing)


def _named(narrator: Narrator, kind: str, thing: str) -> str:
    mark = f" [{thing}]" if kind in narrator.teller.telling.marked else ""
    said = f"{narrator.name(kind, thing).bare}{mark}"
    return said[:1].upper() + said[1:]


# --- seen for the first time


def seen_in(telling: SeatNarrator, view: View) -> tuple[Thing, ...]:
    """The things with a text that the reader of a view sees there, each once."""
    known = frozenset(things_told(telling.narrator.game, telling.narrator.language))
    with seen_by(telling.viewer):
        return tuple(thing for thing in dict.fromkeys(telling_of(telling.rules).things(view)) if thing in known)


def told_first(
    telling: SeatNarrator, seen: Sequence[Thing], before: View | None
) -> tuple[tuple[ThingTold, ...], Lines]:
    """What is told of the things that a reader sees first: in full, and by name those that would be too many.

    `seen`: what they see now; `before`: what they were shown then.
    """
    known = frozenset(seen_in(telling, before)) if before is not None else frozenset[Thing]()
    new = [thing for thing in seen if thing not in known]
    full = tuple(told(telling.narrator, kind, thing) for kind, thing in new[:MOST])
    return full, tuple(_named(telling.narrator, kind, thing) for kind, thing in new[MOST:])


def helped(narrator: Narrator, words: Sequence[str]) -> Iterator[ThingTold]:
    """What is told of the things that each of these words means, each thing once."""
    for kind, thing in dict.fromkeys(found for said in words for found in meant(narrator, said)):
        yield told(narrator, kind, thing)
