"""Names and texts of what is printed: in every language, with the figures of the tables and what of it is our own."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any, Final

import pytest

from engine.amalfi.catalogue import ALL, ARTWORKS, BONUSES, CHARACTERS, DECREES, DESTINATIONS, SOURCES, TITLES, Op, Verb
from engine.amalfi.drawing.look import say
from engine.kernel.languages import LANGUAGES
from pbem.narration.glossary import load_effects

TOLD: Final[Mapping[str, Mapping[str, Any]]] = {
    "destination": DESTINATIONS,
    "artwork": ARTWORKS,
    "card": CHARACTERS,
    "title": TITLES,
    "decree": DECREES,
}
CALLED: Final = {
    "en": {"rulebook": None, "partial": "partly reconstructed", "reconstructed": "(reconstructed)"},
    "fr": {"rulebook": None, "partial": "en partie reconstitué", "reconstructed": "(reconstitué)"},
}
languages = pytest.mark.parametrize("language", LANGUAGES)


def text(language: str, kind: str, thing: str) -> str:
    """What a thing does, as its reader is told."""
    return load_effects("amalfi", language)[kind][thing]


def figures(thing: Any) -> Iterator[int]:
    """Every number of a thing that a player must know."""
    for name in ("bread", "cost", "vp", "evolves", "most", "n"):
        value = getattr(thing, name, 0)
        yield from value.values() if isinstance(value, Mapping) else value if isinstance(value, tuple) else (value,)
    yield from getattr(thing, "needs", {}).values()
    for op in (*getattr(thing, "effects", ()), *BONUSES.get(getattr(thing, "bonus", ""), ())):
        yield from _figures_of(op)


def _figures_of(op: Op) -> Iterator[int]:
    countless = {Verb.VP_PER, Verb.DISCARD_ARTWORK, Verb.DISCARD_CHARACTER, Verb.USE_PRIVATE, Verb.EITHER}
    further = {Verb.ACQUIRE, Verb.DISCOVER, Verb.INVITE}
    shown = asdict(op) if op.op not in countless | further else {**asdict(op), "n": 0}
    yield from (shown[name] for name in ("n", "vp", "most", "minus"))


@languages
@pytest.mark.parametrize("kind", TOLD)
def test_a_text_says_every_figure_of_its_thing_and_what_is_reconstructed(language: str, kind: str) -> None:
    """Iconographie: who replaces a figure of the tables, and not the text, is told by this; none is taken for printed.

    The rulebook has the first figure of each title, and for some all that they ask.
    """
    lower = {"en": "lower figures", "fr": "à partir du deuxième"}
    part = {"en": "part of", "fr": "une partie"}
    for name, thing in TOLD[kind].items():
        told = text(language, kind, name)
        assert set(figures(thing)) - {0, ALL} <= {int(number) for number in re.findall(r"\d+", told)}, told
        tag = SOURCES[thing.source]["tag"]
        called = CALLED[language][tag]
        if kind == "title":
            assert lower[language] in told
            assert (tag == "partial") == (part[language] in told)
        else:
            assert called in told if called else "reconst" not in told


@pytest.mark.parametrize(
    ("language", "other", "more"), [("en", "1 other", "bring 1 more"), ("fr", "1 autre", "1 de plus")]
)
def test_texts_say_who_is_left_out_and_what_is_added(language: str, other: str, more: str) -> None:
    """A19: Erasmus refreshes another. Poggio Bracciolini brings a bread beside that of the rightmost slot."""
    assert other in text(language, "card", "c71")
    assert say(language, "lasts.council_free").endswith(more)
