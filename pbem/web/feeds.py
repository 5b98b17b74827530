"""Deadlines as a calendar (RFC 5545), the public events of a table as a feed (RFC 4287): to look at, by secret links.

What they show is what their owner sees on their pages, and never anything sealed.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from xml.etree import ElementTree

from flask import Response
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from engine.kernel.languages import language_for
from pbem.common.text import strip_invisible
from pbem.service.pages import feeds
from pbem.web.presenter import Presenter
from pbem.web.site import PageRequest

ATOM = "http://www.w3.org/2005/Atom"
LONGEST_LINE = 75


def calendar_feed(visit: PageRequest, token: str) -> ResponseReturnValue:
    """One's deadlines, an appointment each."""
    found = feeds.load_calendar(visit.services, token)
    if found is None:
        raise NotFound
    reader = PageRequest(visit.site, None, language_for(found.language))
    events = [row for term in found.deadlines for row in _render_event(reader, term, found.created_at)]
    rows = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//pbem//deadlines//EN",
        "METHOD:PUBLISH",
        *events,
        "END:VCALENDAR",
    ]
    return Response(fold_line(rows), mimetype="text/calendar")


def _render_event(reader: PageRequest, term: feeds.Deadline, made: int) -> Iterable[str]:
    """A deadline: it takes no time, and rings two hours before unless an answer is in."""
    rules = reader.services.installed.get(term.rules)
    asks = rules.meta.topic(term.topic).words.printed(reader.language).capitalize() if rules is not None else term.topic
    key = "time.term_answered" if term.answered else "time.term"
    yield from ("BEGIN:VEVENT", f"UID:{term.uid}@{reader.services.mail_domain}", f"DTSTAMP:{format_stamp(made)}")
    yield from (f"DTSTART:{format_stamp(term.due)}", f"DTEND:{format_stamp(term.due)}", "TRANSP:TRANSPARENT")
    yield f"SUMMARY:{escape_text(reader.translate(key, table=term.title, asks=asks))}"
    yield f"URL:{reader.services.public_url}/games/{term.game}"
    if not term.answered:
        yield from ("BEGIN:VALARM", "ACTION:DISPLAY", f"DESCRIPTION:{escape_text(asks)}", "TRIGGER:-PT2H", "END:VALARM")
    yield "END:VEVENT"


def format_stamp(seconds: int) -> str:
    """A moment in UTC (RFC 5545 §3.3.5, form 2)."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y%m%dT%H%M%SZ")


def escape_text(said: str) -> str:
    """A text with the signs escaped that mean something else there (RFC 5545 §3.3.11)."""
    plain = "\n".join(strip_invisible(line) for line in said.split("\n"))
    for sign, written_as in (("\\", "\\\\"), (";", "\\;"), (",", "\\,"), ("\n", "\\n")):
        plain = plain.replace(sign, written_as)
    return plain


def fold_line(rows: Sequence[str]) -> bytes:
    """Lines of at most 75 octets, continued after a space, never within a sign (RFC 5545 §3.1)."""
    return b"".join(part for row in rows for part in _fold(row))


def _fold(row: str) -> Iterable[bytes]:
    line = b""
    for sign in row:
        octets = sign.encode()
        if len(line) + len(octets) > LONGEST_LINE:
            yield line + b"\r\n"
            line = b" "
        line += octets
    yield line + b"\r\n"


def news_feed(visit: PageRequest, token: str) -> ResponseReturnValue:
    """What everybody was told of a table, an item for each entry."""
    found = feeds.load_feed(visit.services, token)
    if found is None:
        raise NotFound
    reader = PageRequest(visit.site, None, language_for(found.frame.reader.language))
    telling = Presenter(reader, found.frame, found.seen)  # type: ignore[arg-type]
    root = ElementTree.Element("feed", xmlns=ATOM)
    game = found.frame.links.page
    newest = found.entries[0].created_at if found.entries else found.frame.sent
    _entry_text(root, "id", game)
    _entry_text(root, "title", found.frame.table.title)
    _entry_text(root, "updated", format_moment(newest))
    ElementTree.SubElement(root, "link", href=game)
    ElementTree.SubElement(ElementTree.SubElement(root, "author"), "name").text = found.frame.table.title
    for told in found.entries:
        _render_entry(root, telling, told, game)
    body = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return Response(body, mimetype="application/atom+xml")


def _render_entry(root: ElementTree.Element, telling: Presenter, told: feeds.FeedEntry, game: str) -> None:
    sentences = telling.events(told.events)
    item = ElementTree.SubElement(root, "entry")
    _entry_text(item, "id", f"{game}#{told.number}")
    _entry_text(item, "title", telling.visit.translate("seat.entry", entry=told.number))
    _entry_text(item, "updated", format_moment(told.created_at))
    ElementTree.SubElement(item, "link", href=game)
    ElementTree.SubElement(item, "content", type="text").text = _strip_illegal("\n".join(sentences))


def _entry_text(parent: ElementTree.Element, name: str, said: str) -> None:
    ElementTree.SubElement(parent, name).text = _strip_illegal(said)


def _strip_illegal(said: str) -> str:
    """Without the signs that XML cannot hold (XML 1.0 §2.2)."""
    return "".join(
        sign
        for sign in said
        if sign in "\t\n" or (sign >= " " and sign not in "\ufffe\uffff" and not "\ud800" <= sign <= "\udfff")
    )


def format_moment(seconds: int) -> str:
    """A moment in UTC (RFC 3339)."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
