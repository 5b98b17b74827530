"""The words of a finished game's story, by language, with the entries in which they are told: for the search.

All is open once a game is over, so each fact is told as everybody heard it, and as those who knew more of it did.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from engine.kernel.events import Event
from engine.kernel.languages import LANGUAGES, Language
from engine.kernel.position import Position
from engine.kernel.secrets import redact
from engine.kernel.spelling import search_terms
from engine.kernel.viewers import PUBLIC, Seat, Viewer
from pbem.narration.game_texts import load_game_texts
from pbem.narration.narrator import Context, Narrator, narrator
from pbem.narration.order_printer import OrderPrinter

IndexedSentence = Sequence[tuple[int, Sequence[Event]]]
"""Entries with their facts, as they truly are."""


def power_names(game: str, last: Position[Any]) -> Mapping[Seat, str]:
    """What each seat played: the kind of the name and its id; empty where it never had one."""
    told = load_game_texts(game).telling
    found = {seat: told.name_of(last, seat) for seat in last.core.seats}
    return {seat: f"{told.name}:{name}" if name else "" for seat, name in found.items()}


def index_words(
    game: str, names: Mapping[Seat, str], last: Position[Any], entries: IndexedSentence
) -> Mapping[Language, Mapping[str, frozenset[int]]]:
    """Each word of the story, by language, with the entries whose telling holds it.

    `last`: how the game ended; powers are called there as they were to the end.
    """
    seen = {viewer: redact(last, viewer) for viewer in (*last.core.seats, PUBLIC)}
    found: dict[Language, dict[str, set[int]]] = {language: {} for language in LANGUAGES}
    for language, places in found.items():
        teller_of = narrator(game, language)
        contexts = {
            viewer: Context(viewer, view, dict(names), OrderPrinter(game, language, view, Seat(viewer)))
            for viewer, view in seen.items()
        }
        for number, events in entries:
            for sentence in _sentences(teller_of, contexts, events):
                for word in search_terms(sentence):
                    places.setdefault(word, set()).add(number)
    return {language: {word: frozenset(at) for word, at in places.items()} for language, places in found.items()}


def _sentences(told: Narrator, contexts: Mapping[Viewer, Context], events: Sequence[Event]) -> Iterator[str]:
    for event in events:
        for viewer in _with_viewer(event, contexts):
            sentence = told.sentence(event, viewer, contexts[viewer])
            if sentence:
                yield sentence


def _with_viewer(event: Event, contexts: Iterable[Viewer]) -> Iterator[Viewer]:
    """The public, if it may know; and the seats that know more of the event than the public does."""
    if event.visible_to is None:
        yield PUBLIC
        common = redact(event, PUBLIC)
        if common is not event:  # something in it is secret
            yield from (seat for seat in contexts if seat != PUBLIC and redact(event, seat) != common)
    else:
        yield from (seat for seat in contexts if seat in event.visible_to)
