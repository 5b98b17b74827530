"""Whole games as text: what was written, what each seat and everybody was told, what the public view came to.

`python -m tests.playthroughs.make` plays them anew; what changed in rules, narration or order language shows as a diff.
"""

import hashlib
from collections.abc import Iterator
from functools import partial
from typing import Any

from engine import GAMES
from engine.kernel.bots import Bot, BotProfile, Entry, chooser, play_game
from engine.kernel.codec import dump
from engine.kernel.events import Event
from engine.kernel.languages import Language
from engine.kernel.orders import Question
from engine.kernel.position import Position
from engine.kernel.printing import print_clause, print_line
from engine.kernel.rules import Rules
from engine.kernel.run import answer_key
from engine.kernel.secrets import redact, seen_by
from engine.kernel.viewers import PUBLIC, Seat, Viewer
from pbem.narration.narrator import Context, narrator
from tests.bot_games import OURS

NAMES = {Seat(f"s{n}"): name for n, name in enumerate(("Anna", "Bruno", "Cléo", "Dan", "Eve", "Finn", "Gaël"), 1)}
TEMPER = BotProfile(suggested=92, random_share=8, passing=3, absent=1, unasked_share=0, eagerness=70, lines=6, tries=4)
"""A player who plays on what is offered, now and then in a way of their own, and sometimes not at all."""
SEED = b"a whole game"


FEW = 4
"""A game of no more players than that is kept once for each number of them, any other for the least."""


def tables() -> list[tuple[str, int]]:
    """The games that are kept: titles with the number of players."""
    numbers = {title: GAMES[title].meta.seats for title in OURS}
    return [(title, n) for title, all_of in numbers.items() for n in (all_of if max(all_of) <= FEW else [min(all_of)])]


def text_of(title: str, players: int) -> str:
    """A game of so many seats, from the first entry to the last."""
    rules = GAMES[title]
    seats = tuple(NAMES)[:players]
    bots = {seat: Bot(rules, seat, chooser(SEED), TEMPER) for seat in seats}
    played = play_game(rules, seats, {}, SEED, bots)
    lines = [f"{title}, version {rules.meta.version} of the rules, {len(seats)} seats, {len(played.entries)} entries"]
    for number, entry in enumerate(played.entries, 1):
        lines += _entry(rules, number, entry)
    return "\n".join(lines) + "\n"


def _entry(rules: Rules[Any], number: int, entry: Entry[Any]) -> Iterator[str]:
    yield ""
    yield f"== {number} {entry.gate or 'start'}"
    if entry.before is not None:
        yield from _written(rules, entry, entry.before)
    yield from (f"draw {draw.name}: {_drawn(draw.result)}" for draw in entry.after.draws)
    yield from (f"  {line}" for line in _narrate(rules, entry, PUBLIC))
    for seat in entry.after.position.core.seats:
        yield from (f"  {NAMES[seat]} alone: {line}" for line in _narrate(rules, entry, seat))
    yield f"view {_digest(rules, entry.after.position)}"


def _drawn(result: object) -> str:
    return " ".join(map(str, result)) if isinstance(result, tuple) else str(result)


def _written(rules: Rules[Any], entry: Entry[Any], before: Position[Any]) -> Iterator[str]:
    """The orders, as their author's receipt would print them."""
    for asked in before.core.gate(entry.gate):
        seat, orders = asked.seat, entry.answers.get(answer_key(asked))
        if orders is None:
            continue
        seen = redact(before, seat)
        with seen_by(seat):
            forms, facts = rules.forms(seen, asked), rules.facts(seen, seat)
        mark = " (by default)" if answer_key(asked) in entry.defaulted else ""
        for line in orders:
            yield f"{NAMES[seat]}> {print_line(forms, line, 'en', facts)}{mark}"
        if not orders:
            yield f"{NAMES[seat]}> PASS{mark}"


def _narrate(rules: Rules[Any], entry: Entry[Any], viewer: Viewer) -> Iterator[str]:
    """What everybody is told, in English; what a seat is told beyond that, in French."""
    language: Language = "en" if viewer == PUBLIC else "fr"
    teller, seen = narrator(rules.meta.name, language), redact(entry.after.position, viewer)
    context = Context(viewer, seen, NAMES, partial(_printed, rules, seen, viewer, language))
    for event in entry.after.events:
        if viewer != PUBLIC and _same(event, Seat(viewer)):
            continue
        if said := teller.sentence(event, viewer, context):
            yield said


def _printed(rules: Rules[Any], seen: Position[Any], viewer: Viewer, language: Language, thing: Any, asks: str) -> str:
    """Orders and conditions within a sentence, as a letter prints them."""
    topic, seat = asks.partition("/")[0], Seat(viewer)
    with seen_by(viewer):
        forms = rules.forms(seen, Question(asks, seat, topic)) if topic else ()
        return print_clause(forms, thing, language, rules.facts(seen, seat))


def _same(event: Event, seat: Seat) -> bool:
    """Return True if a seat may know no more of a fact than everybody."""
    open_to_all = event.visible_to is None
    return open_to_all and dump(redact(event, seat)) == dump(redact(event, PUBLIC))


def _digest(rules: Rules[Any], position: Position[Any]) -> str:
    """The public view, in sixteen signs."""
    seen = redact(position, PUBLIC)
    with seen_by(PUBLIC):
        view = rules.present_view(seen, PUBLIC)
        return hashlib.sha256(repr(view).encode()).hexdigest()[:16]
