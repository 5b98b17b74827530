"""A message to a channel in words, before it takes the form that the other side wants."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from engine.kernel.events import Ended
from engine.kernel.languages import Language, registered
from engine.kernel.names import Seat
from pbem.discord.words import say
from pbem.narration.glossary import glossary
from pbem.narration.reports import Chapter, story
from pbem.narration.seat_narrator import SeatNarrator
from pbem.service.base.webhook_ports import STORIES, BulletinFacts

CALLING: Final = frozenset({"started", "phase", "asked", "moved", "resumed", "reminder", "called", "undelivered"})
"""The kinds that call on those who owe an answer; the others are told to nobody in particular."""


class Voice(Protocol):
    """How a form writes what is not plain text."""

    def plain(self, text: str) -> str:
        """Text of which no sign may mean anything."""
        ...

    def moment(self, seconds: int, language: Language) -> str:
        """A moment, in its reader's own zone where the other side knows it."""
        ...

    def call(self, outside: str) -> str:
        """Calls on a player by their account; empty where that cannot be done."""
        ...


@dataclass(frozen=True)
class WordedMessage:
    """One message: its heading and link, what it is about, the story, and who is awaited until when.

    All is written for its form already.  `calls`: the accounts called on, each once.
    """

    language: Language
    title: str
    page: str
    lead: str
    chapters: tuple[Chapter, ...]
    awaited: tuple[str, ...]
    due: str
    notes: tuple[str, ...]
    calls: tuple[str, ...]
    small: str


def worded(facts: BulletinFacts, voice: Voice) -> WordedMessage:
    """Words for a message; from the public's view alone."""
    language = registered(facts.frame.reader.language)
    telling = SeatNarrator(facts.frame, facts.seen) if facts.seen is not None else None
    asks = _asks(facts, language)
    return WordedMessage(
        language,
        _title(facts, language, asks, voice),
        facts.frame.links.page,
        _lead(facts, language, asks, voice),
        tuple(_chapters(facts, telling, voice)),
        tuple(_awaited(facts, telling, language, voice)),
        voice.moment(facts.due, language) if _waits(facts) and facts.due is not None and facts.kind != "moved" else "",
        tuple(_notes(facts, language)),
        _calls(facts),
        _small(facts, language),
    )


def _asks(facts: BulletinFacts, language: Language) -> str:
    """What is asked, in one phrase: of the seats that the message is about."""
    words = glossary(facts.frame.table.game, language)
    asked = dict.fromkeys(one.asks for one in facts.owed) if facts.kind in ("asked", "reminder", "called") else ()
    return words.listed([str(words.name("topic", topic).bare) for topic in (asked or facts.asks)])


def _title(facts: BulletinFacts, language: Language, asks: str, voice: Voice) -> str:
    table = voice.plain(facts.frame.table.title)
    if facts.kind in ("hello", "started", "over"):
        return say(language, "title.plain", table=table, what=say(language, f"title.{facts.kind}"))
    if not asks:
        return f"[{table}]"
    asked = voice.plain(asks)
    what = say(language, "title.turn", turn=facts.turn, asks=asked) if facts.turn else asked
    return say(language, "title.plain", table=table, what=what)


_MOMENTS: Final = frozenset({"before", "after"})


def _lead(facts: BulletinFacts, language: Language, asks: str, voice: Voice) -> str:
    terms: dict[str, str] = {"table": voice.plain(facts.frame.table.title), "asks": voice.plain(asks)}
    for name, value in facts.terms.items():
        moment = name in _MOMENTS and isinstance(value, int)
        terms[name] = voice.moment(value, language) if moment else voice.plain(str(value))
    kind = "past" if facts.closed and facts.kind == "phase" else facts.kind
    return say(language, f"lead.{kind}", **terms)


def _chapters(facts: BulletinFacts, telling: SeatNarrator | None, voice: Voice) -> Iterator[Chapter]:
    """What happened, as everybody was told it; at the end of a game how it ended comes first."""
    if telling is None or facts.kind not in STORIES:
        return
    ended = [event for event in facts.events if isinstance(event, Ended)]
    yield from _worded_chapters(story(telling, ended), voice)
    yield from _worded_chapters(
        story(telling, [event for event in facts.events if not isinstance(event, Ended)]), voice
    )


def _worded_chapters(chapters: Sequence[Chapter], voice: Voice) -> Iterator[Chapter]:
    for chapter in chapters:
        yield Chapter(voice.plain(chapter.title), tuple(voice.plain(said) for said in chapter.sentences))


def _waits(facts: BulletinFacts) -> bool:
    """Return True if it is a message of the kind that says who is waited for, and there are such seats."""
    return not facts.closed and facts.kind in CALLING | {"hello"} and bool(facts.owed)


def _awaited(facts: BulletinFacts, telling: SeatNarrator | None, language: Language, voice: Voice) -> Iterator[str]:
    """Who owes an answer; or only how many, at a table that does not name them."""
    if telling is None or not _waits(facts):
        return
    if not facts.frame.table.pending_named:
        yield say(language, "label.count", n=len({one.seat for one in facts.owed}))
        return
    for seat in dict.fromkeys(one.seat for one in facts.owed):
        yield voice.plain(_up(telling.narrator.full(Seat(seat), telling.context)))


def _up(said: str) -> str:
    return said[:1].upper() + said[1:]


def _notes(facts: BulletinFacts, language: Language) -> Iterator[str]:
    if facts.paused and not facts.closed and facts.kind in STORIES and facts.kind != "over":
        yield say(language, "label.still")
    if facts.of and not facts.owed and not facts.closed and facts.kind in STORIES:
        yield say(language, "label.in")


def _calls(facts: BulletinFacts) -> tuple[str, ...]:
    """The accounts of those who owe; where pending seats are not named, only while all who are asked still do."""
    silent = not facts.frame.table.pending_named and len({one.seat for one in facts.owed}) < facts.of
    if facts.kind not in CALLING or facts.closed or silent:
        return ()
    return tuple(dict.fromkeys(one.outside for one in facts.owed if one.outside))


def _small(facts: BulletinFacts, language: Language) -> str:
    """The entry and its digest, so that what is told can be held against the record of the game."""
    if facts.kind not in STORIES or not facts.frame.entry:
        return ""
    digest = facts.frame.digest if facts.kind == "over" else facts.frame.digest[:16]
    return say(language, "label.digest", entry=facts.frame.entry, digest=digest)


def cut(chapters: Sequence[Chapter], most: int, shape: Callable[[str], str], more: str) -> str:
    """The story in at most so many signs, cut between sentences; `more` says that there was more."""
    lines: list[str] = []
    size, room = 0, most - len(more) - 1
    for chapter in chapters:
        for line in (*([shape(chapter.title)] if chapter.title else []), *chapter.sentences):
            if size + len(line) + 1 > room:
                return "\n".join([*lines, more])
            lines.append(line)
            size += len(line) + 1
    return "\n".join(lines)
