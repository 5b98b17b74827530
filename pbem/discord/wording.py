"""A message to a channel in words, before it takes the form that the other side wants."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from engine.kernel.events import Ended
from engine.kernel.languages import Language, language_for
from engine.kernel.viewers import Seat
from pbem.discord.words import translate
from pbem.narration.glossary import load_glossary
from pbem.narration.reports import Chapter, build_story
from pbem.narration.seat_narrator import SeatNarrator
from pbem.service.base.webhook_ports import STORIES, WebhookMessageFacts

MENTIONING: Final = frozenset({"started", "phase", "asked", "moved", "resumed", "reminder", "called", "undelivered"})
"""The kinds that call on those who owe an answer; the others are told to nobody in particular."""


class ChatMarkup(Protocol):
    """How a form writes what is not plain text."""

    def plain(self, text: str) -> str:
        """Text of which no sign may mean anything."""
        ...

    def moment(self, seconds: int, language: Language) -> str:
        """A moment, in its reader's own zone where the other side knows it."""
        ...

    def mention(self, outside: str) -> str:
        """Calls on a player by their account; empty where that cannot be done."""
        ...


@dataclass(frozen=True)
class ChatMessage:
    """One message: its heading and link, what it is about, the story, and who is awaited until when.

    All is written for its form already.  `mentions`: the accounts called on, each once.
    """

    language: Language
    title: str
    page: str
    lead: str
    chapters: tuple[Chapter, ...]
    awaited: tuple[str, ...]
    due: str
    notes: tuple[str, ...]
    mentions: tuple[str, ...]
    small: str


def build_message(facts: WebhookMessageFacts, voice: ChatMarkup) -> ChatMessage:
    """Words for a message; from the public's view alone."""
    language = language_for(facts.frame.reader.language)
    telling = SeatNarrator(facts.frame, facts.view) if facts.view is not None else None
    asks = _question_phrase(facts, language)
    return ChatMessage(
        language,
        _title(facts, language, asks, voice),
        facts.frame.links.page,
        _lead(facts, language, asks, voice),
        tuple(_chapters(facts, telling, voice)),
        tuple(_pending_names(facts, telling, voice)),
        voice.moment(facts.due, language)
        if _names_pending(facts) and facts.due is not None and facts.kind != "moved"
        else "",
        tuple(_notes(facts, language)),
        _mentions(facts),
        _small(facts, language),
    )


def _question_phrase(facts: WebhookMessageFacts, language: Language) -> str:
    """What is asked, in one phrase: of the seats that the message is about."""
    words = load_glossary(facts.frame.table.game, language)
    asked = dict.fromkeys(one.topic for one in facts.questions) if facts.kind in ("asked", "reminder", "called") else ()
    return words.join_phrases([str(words.name("topic", topic).bare) for topic in (asked or facts.topic)])


def _title(facts: WebhookMessageFacts, language: Language, asks: str, voice: ChatMarkup) -> str:
    table = voice.plain(facts.frame.table.title)
    if facts.kind in ("hello", "started", "over"):
        return translate(language, "title.plain", table=table, what=translate(language, f"title.{facts.kind}"))
    if not asks:
        return f"[{table}]"
    asked = voice.plain(asks)
    what = translate(language, "title.turn", turn=facts.turn, asks=asked) if facts.turn else asked
    return translate(language, "title.plain", table=table, what=what)


_MOMENTS: Final = frozenset({"before", "after"})


def _lead(facts: WebhookMessageFacts, language: Language, asks: str, voice: ChatMarkup) -> str:
    terms: dict[str, str] = {"table": voice.plain(facts.frame.table.title), "asks": voice.plain(asks)}
    for name, value in facts.terms.items():
        moment = name in _MOMENTS and isinstance(value, int)
        terms[name] = voice.moment(value, language) if moment else voice.plain(str(value))
    kind = "past" if facts.closed and facts.kind == "phase" else facts.kind
    if kind == "taken" and facts.terms["before"] == facts.terms["name"]:
        kind = "taken_hidden"
    return translate(language, f"lead.{kind}", **terms)


def _chapters(facts: WebhookMessageFacts, telling: SeatNarrator | None, voice: ChatMarkup) -> Iterator[Chapter]:
    """What happened, as everybody was told it; at the end of a game how it ended comes first."""
    if telling is None or facts.kind not in STORIES:
        return
    ended = [event for event in facts.events if isinstance(event, Ended)]
    yield from _render_chapters(build_story(telling, ended), voice)
    yield from _render_chapters(
        build_story(telling, [event for event in facts.events if not isinstance(event, Ended)]), voice
    )


def _render_chapters(chapters: Sequence[Chapter], voice: ChatMarkup) -> Iterator[Chapter]:
    for chapter in chapters:
        yield Chapter(voice.plain(chapter.title), tuple(voice.plain(said) for said in chapter.sentences))


def _names_pending(facts: WebhookMessageFacts) -> bool:
    """Return True if it is a message of the kind that says who is waited for, and there are such seats."""
    return not facts.closed and facts.kind in MENTIONING | {"hello"} and bool(facts.questions)


def _pending_names(facts: WebhookMessageFacts, telling: SeatNarrator | None, voice: ChatMarkup) -> Iterator[str]:
    """Who owes an answer."""
    if telling is None or not _names_pending(facts):
        return
    for seat in dict.fromkeys(one.seat for one in facts.questions):
        yield voice.plain(_capitalize(telling.narrator.full(Seat(seat), telling.context)))


def _capitalize(said: str) -> str:
    return said[:1].upper() + said[1:]


def _notes(facts: WebhookMessageFacts, language: Language) -> Iterator[str]:
    if facts.paused and not facts.closed and facts.kind in STORIES and facts.kind != "over":
        yield translate(language, "label.still")
    if facts.subject and not facts.questions and not facts.closed and facts.kind in STORIES:
        yield translate(language, "label.in")


def _mentions(facts: WebhookMessageFacts) -> tuple[str, ...]:
    """The accounts of those who owe."""
    if facts.kind not in MENTIONING or facts.closed:
        return ()
    return tuple(dict.fromkeys(one.discord_id for one in facts.questions if one.discord_id))


def _small(facts: WebhookMessageFacts, language: Language) -> str:
    """The entry and its digest, so that what is told can be held against the record of the game."""
    if facts.kind not in STORIES or not facts.frame.entry:
        return ""
    digest = facts.frame.digest if facts.kind == "over" else facts.frame.digest[:16]
    return translate(language, "label.digest", entry=facts.frame.entry, digest=digest)


def truncate(chapters: Sequence[Chapter], most: int, shape: Callable[[str], str], more: str) -> str:
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
