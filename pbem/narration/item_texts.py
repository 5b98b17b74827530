"""What is told of a game's things (a tile, a card, an advance): one by its name, or those that a reader sees first."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from engine.kernel.catalogues import Words
from engine.kernel.languages import LANGUAGES, Language, fallback_chain
from engine.kernel.narration_hooks import Thing
from engine.kernel.rules import View
from engine.kernel.secrets import seen_by
from engine.kernel.spelling import Vocabulary, fold_tokens
from pbem.narration.folders import find_path, load_table
from pbem.narration.game_texts import load_game_texts
from pbem.narration.glossary import load_effects, load_glossary
from pbem.narration.narrator import Narrator
from pbem.narration.seat_narrator import Lines, SeatNarrator

LISTED: Final = 60
"""So many things with a text are told in full by HELP; of more it gives the names alone."""

MOST: Final = 12
"""So many things seen for the first time are told in full by a report; of more it gives the names."""


@dataclass(frozen=True)
class ItemText:
    """A thing by its name, what it does in a sentence, and the paragraphs of its long text, if it has one."""

    name: str
    does: str
    text: Lines


@cache
def load_long_texts(game: str, language: Language) -> Mapping[str, Mapping[str, str]]:
    """The long texts of things, by kind and id: `texts/<language>/<game>.toml`; empty for a game that has none."""
    return load_table(find_path("texts", language, f"{game}.toml"))


@cache
def list_items(game: str, language: Language) -> tuple[Thing, ...]:
    """Every thing of which something is told, in the order of the files."""
    tables = (load_effects(game, language), load_long_texts(game, language))
    return tuple(dict.fromkeys((kind, thing) for table in tables for kind, rows in table.items() for thing in rows))


def text_of(narrator: Narrator, kind: str, thing: str) -> ItemText:
    """All that is told of one thing."""
    long = load_long_texts(narrator.game, narrator.language).get(kind, {}).get(thing, "")
    text = tuple(narrator.tidy(part) for part in long.split("\n\n") if part.strip())
    return ItemText(_title(narrator, kind, thing), narrator.effect(kind, thing), text)


def list_names(narrator: Narrator) -> Lines:
    """The names of all things of which something is told."""
    return tuple(_title(narrator, kind, thing) for kind, thing in list_items(narrator.game, narrator.language))


def find(narrator: Narrator, words: str) -> tuple[Thing, ...]:
    """The things that words mean, in any language, shortened or misspelt as in orders; empty for none."""
    things = (*list_items(narrator.game, narrator.language), *list_printed(narrator.game))
    hit = _vocabulary(narrator.game, things).find(fold_tokens(words), fuzzy=True)
    return tuple(things[place] for place in hit.positions)


@cache
def list_printed(game: str) -> tuple[Thing, ...]:
    """Every thing of which HELP says what the board prints of it."""
    described = load_game_texts(game).telling.described
    return tuple((kind, thing) for kind, things in described.items() for thing in things)


@cache
def _vocabulary(game: str, things: tuple[Thing, ...]) -> Vocabulary:
    return Vocabulary(_spellings(game, kind, thing) for kind, thing in things)


def _spellings(game: str, kind: str, thing: str) -> Words:
    return Words.each(lambda language: _display_name(game, language, kind, thing))


def _display_name(game: str, language: Language, kind: str, thing: str) -> tuple[str, ...]:
    """What a thing is called in a language, where that names it, and its id."""
    tags = (tag for tag in (language, *fallback_chain(language)) if tag in LANGUAGES)
    found = (load_glossary(game, tag).names.get(kind, {}).get(thing) for tag in tags)
    more = load_game_texts(game).telling.spellings(kind, thing)
    return (*(name.bare for name in found if name is not None), *more, thing)


def _title(narrator: Narrator, kind: str, thing: str) -> str:
    mark = f" [{thing}]" if kind in narrator.teller.telling.mark else ""
    said = f"{narrator.name(kind, thing).bare}{mark}"
    return said[:1].upper() + said[1:]


# --- seen for the first time


def find_in_view(telling: SeatNarrator, view: View) -> tuple[Thing, ...]:
    """The things with a text that the reader of a view sees there, each once."""
    known = frozenset(list_items(telling.narrator.game, telling.narrator.language))
    with seen_by(telling.viewer):
        return tuple(thing for thing in dict.fromkeys(telling.narrator.teller.telling.things(view)) if thing in known)


def first_mentions(
    telling: SeatNarrator, seen: Sequence[Thing], before: View | None
) -> tuple[tuple[ItemText, ...], Lines]:
    """What is told of the things that a reader sees first: in full, and by name those that would be too many.

    `seen`: what they see now; `before`: what they were shown then.
    """
    known = frozenset(find_in_view(telling, before)) if before is not None else frozenset[Thing]()
    new = [thing for thing in seen if thing not in known]
    full = tuple(text_of(telling.narrator, kind, thing) for kind, thing in new[:MOST])
    return full, tuple(_title(telling.narrator, kind, thing) for kind, thing in new[MOST:])


def help_texts(narrator: Narrator, words: Sequence[str]) -> Iterator[ItemText]:
    """What is told of the things that each of these words means, each thing once."""
    for kind, thing in dict.fromkeys(found for said in words for found in find(narrator, said)):
        yield text_of(narrator, kind, thing)
