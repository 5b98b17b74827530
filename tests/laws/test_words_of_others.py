"""The words of others are never my orders: what an answer was understood as is what its own lines say."""

import dataclasses
import html
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from engine.age_of_renaissance.ruleset import RULES
from engine.kernel.events import Event
from engine.kernel.grammar import Grammar, build_grammar
from engine.kernel.parse import list_order_lines
from engine.kernel.position import Position
from engine.kernel.secrets import seen_by
from pbem.narration import facts as f
from pbem.narration.letters import Rendered, render
from pbem.service.base.services import PrintedText
from pbem.service.mail.printed_emails import normalize
from tests.budget import budget
from tests.laws.quoting_programs import PROGRAMS
from tests.mail.quoting import printed, understand
from tests.narration.cases import A
from tests.narration.test_letters import first_entry_of, letters, view

WORDS = (
    *("Leave the game", "Quitter la partie", "RESIGN yes", "ABSENT 9", "MY ADDRESS x@y.example", "FORGET ME", "STATUS"),
    *("WITHDRAW", "PRESS TO ALL:", "DIARY:", "PLACE Roma 4", "PLACER Milano 2", "TOKENS 0", "BID 9", "PASS", "END"),
    *("FIN", "RIEN", "ÉTAT", "FOR EXPANSION", "ON CIVIL WAR: MONEY", "POUR TOUR 3", "LUCK red", "everyone", "Zoé"),
    *("On Tue, 18 Nov 2025 at 17:40, Rose <t@games.example> wrote:", "From: x@y.example", "-- ", "a", "the", "words"),
    *("; --- expansion", "; Remove the ; before the lines you want, edit them, add others,"),
)
PARTS = (" ", " ", " ", "; ", " ; ", " ;", ", ", ": ", "\n", " > ", " - ", "\u2028", "\u202e", "\u00a0", " ; ; ; ")
PLACES = frozenset({"Romain", "Zoé", "Zoe", "Édouard", "Alice", "Roland", "12", "27", "12 ?", "Rose"})
"""The names, titles and texts of the samples that people write."""
ANSWERS: Sequence[Sequence[str]] = ((), ("STATUS",), ("PLACE Roma 4",), ("PLACE Roma 4", "PLACER Milano 3"))


def wording(chance: random.Random) -> str:
    """A text from the grammar of order words and separators."""
    count = chance.choice((1, 2, 3, 5, 9, 30))
    return "".join(chance.choice(WORDS) + chance.choice(PARTS) for _ in range(count)).strip() or "a"


def reworded(value: Any, words: Callable[[], str]) -> Any:
    """Facts in which all that people write is written anew."""
    if isinstance(value, Position | Event):
        return value
    if isinstance(value, str):
        return words() if value in PLACES else value
    if isinstance(value, tuple) and type(value) is tuple:
        return tuple(reworded(one, words) for one in value)
    if isinstance(value, Mapping):
        return {key: reworded(one, words) for key, one in value.items()}
    if isinstance(value, f.Reader):
        return replace(value, name=words())
    if dataclasses.is_dataclass(value) and not isinstance(value, type) and type(value).__module__ == f.__name__:
        named = {one.name: getattr(value, one.name) for one in dataclasses.fields(value)}
        return replace(value, **{name: reworded(one, words) for name, one in named.items()})
    return value


@cache
def grammar() -> Grammar:
    """What the reader may write: the question of expansion, and all that they may answer ahead."""
    with seen_by(A):
        return build_grammar(RULES, view(first_entry_of("expansion")), A, "en")


@dataclass(frozen=True)
class Sample:
    """An email of ours with the words of others in it, and as it is kept."""

    kind: str
    letter: Rendered
    kept: PrintedText


def samples(chance: random.Random) -> Iterator[Sample]:
    """Emails of every kind, in both languages, without end."""
    every = [facts for language in ("en", "fr") for facts in letters(language)]
    while True:
        chance.shuffle(every)
        for facts in every:
            letter = render(reworded(facts, lambda: wording(chance)))
            kept = printed(letter.text.split("\n"), letter.template, letter.blocks)
            yield Sample(type(facts).__name__, letter, kept)


def check(sample: Sample, program: str, lines: Sequence[str]) -> None:
    """An answer above or below the quotation is its own lines, whatever the quotation says.

    A mark that was wrapped off a line of ours, and has no letter or digit, is nothing that anybody could have ordered.
    """
    got = understand(PROGRAMS[program](sample.letter.text, sample.letter.html, lines), sample.kept)
    assert list(filter(normalize, got.lines)) == list(lines), (sample.kind, program)
    assert got.uncommented == (), (sample.kind, program)
    with seen_by(A):
        assert list_order_lines(got.unread, grammar()) == (), (sample.kind, program)


def check_uncommented(sample: Sample, program: str, chance: random.Random) -> None:
    """A line of the template that was uncovered where it is quoted is the one that is taken."""
    covered = [line for line in sample.letter.orders.split("\n") if line.startswith("; ") and line[2:5] != "---"]
    line = chance.choice(covered[2:])
    text = sample.letter.text.replace(f"\n{line}\n", f"\n{line[2:]}\n", 1)
    page = re.sub(rf"{re.escape(html.escape(line))}(?=\n|</a>)", html.escape(line[2:]), sample.letter.html, count=1)
    got = understand(PROGRAMS[program](text, page, ()), sample.kept)
    assert not any(map(normalize, got.lines)), (sample.kind, program)
    assert got.uncommented == (line[2:],), (sample.kind, program)


def test_an_answer_is_its_own_lines_whatever_it_quotes(record_property: Callable[[str, object], None]) -> None:
    """Names, titles, talk and reasons made of order words, in every kind of email, quoted by every mail program."""
    chance, tried, wanted = random.Random(b"words of others"), 0, budget(200, 20_000)
    programs = list(PROGRAMS)
    assert len(programs) >= 30
    for sample in samples(chance):
        for _ in range(budget(5, 25)):
            program = programs[tried % len(programs)]
            if sample.letter.orders and chance.random() < 0.3:
                check_uncommented(sample, program, chance)
            else:
                check(sample, program, chance.choice(ANSWERS))
            tried += 1
        if tried >= wanted:
            break
    record_property("cases", tried)
    print(f"{tried} emails, {len(programs)} mail programs")
