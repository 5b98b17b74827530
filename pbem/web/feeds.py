"""Deadlines as a calendar (RFC 5545), the public events of a table as a feed (RFC 4287): to look at, by secret links.

What they show is what their owner sees on their pages, and never anything sealed.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from xml.etree import ElementTree

from flask import Response
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from engine.kernel.languages import registered
from pbem.service.pages import feeds
from pbem.text import visible
from pbem.web.presenter import Presenter
from pbem.web.site import PageVisit

ATOM = "http://www.w3.org/2005/Atom"
LONGEST_LINE = 75


def calendar(visit: PageVisit, token: str) -> ResponseReturnValue:
    """One's deadlines, an appointment each."""
    found = feeds.agenda(visit.services, token)
    if found is None:
        raise NotFound
    reader = PageVisit(visit.site, None, registered(found.language))
    events = [row for term in found.terms for row in _appointment(reader, term, found.made)]
    rows = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//pbem//deadlines//EN",
        "METHOD:PUBLISH",
        *events,
        "END:VCALENDAR",
    ]
    return Response(folded(rows), mimetype="text/calendar")


def _appointment(reader: PageVisit, term: feeds.Term, made: int) -> Iterable[str]:
    """A deadline: it takes no time, and rings two hours before unless an answer is in."""
    rules = reader.services.installed.get(term.rules)
    asks = rules.meta.topic(term.asks).words.printed(reader.language).capitalize() if rules is not None else term.asks
    key = "time.term_answered" if term.answered else "time.term"
    yield from ("BEGIN:VEVENT", f"UID:{term.uid}@{reader.services.mail_domain}", f"DTSTAMP:{stamp(made)}")
    yield from (f"DTSTART:{stamp(term.due)}", f"DTEND:{stamp(term.due)}", "TRANSP:TRANSPARENT")
    yield f"SUMMARY:{text(reader.say(key, table=term.title, asks=asks))}"
    yield f"URL:{reader.services.public_url}/games/{term.game}"
    if not term.answered:
        yield from ("BEGIN:VALARM", "ACTION:DISPLAY", f"DESCRIPTION:{text(asks)}", "TRIGGER:-PT2H", "END:VALARM")
    yield "END:VEVENT"


def stamp(seconds: int) -> str:
    """A moment in UTC (RFC 5545 §3.3.5, form 2)."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y%m%dT%H%M%SZ")


def text(said: str) -> str:
    """A text with the signs escaped that mean something else there (RFC 5545 §3.3.11)."""
    plain = "\n".join(visible(line) for line in said.split("\n"))
    for sign, written_as in (("\\", "\\\\"), (";", "\\;"), (",", "\\,"), ("\n", "\\n")):
        plain = plain.replace(sign, written_as)
    return plain


def folded(rows: Sequence[str]) -> bytes:
    """Lines of at most 75 octets, continued after a space, never within a sign (RFC 5545 §3.1)."""
    return b"".join(part for row in rows for part in _folded(row))


def _folded(row: str) -> Iterable[bytes]:
    line = b""
    for sign in row:
        octets = sign.encode()
        if len(line) + len(octets) > LONGEST_LINE:
            yield line + b"\r\n"
            line = b" "
        line += octets
    yield line + b"\r\n"


def atom(visit: PageVisit, token: str) -> ResponseReturnValue:
    """What everybody was told of a table, an item for each entry."""
    found = feeds.chronicle(visit.services, token)
    if found is None:
        raise NotFound
    reader = PageVisit(visit.site, None, registered(found.frame.reader.language))
    telling = Presenter(reader, found.frame, found.seen)  # type: ignore[arg-type]
    root = ElementTree.Element("feed", xmlns=ATOM)
    game = found.frame.links.page
    newest = found.told[0].made if found.told else found.frame.sent
    _say(root, "id", game)
    _say(root, "title", found.frame.table.title)
    _say(root, "updated", moment(newest))
    ElementTree.SubElement(root, "link", href=game)
    ElementTree.SubElement(ElementTree.SubElement(root, "author"), "name").text = found.frame.table.title
    for told in found.told:
        _item(root, telling, told, game)
    body = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return Response(body, mimetype="application/atom+xml")


def _item(root: ElementTree.Element, telling: Presenter, told: feeds.FeedEntry, game: str) -> None:
    sentences = telling.events(told.events)
    item = ElementTree.SubElement(root, "entry")
    _say(item, "id", f"{game}#{told.number}")
    _say(item, "title", telling.visit.say("seat.entry", entry=told.number))
    _say(item, "updated", moment(told.made))
    ElementTree.SubElement(item, "link", href=game)
    ElementTree.SubElement(item, "content", type="text").text = _lawful("\n".join(sentences))


def _say(parent: ElementTree.Element, name: str, said: str) -> None:
    ElementTree.SubElement(parent, name).text = _lawful(said)


def _lawful(said: str) -> str:
    """Without the signs that XML cannot hold (XML 1.0 §2.2)."""
    return "".join(
        sign
        for sign in said
        if sign in "\t\n" or (sign >= " " and sign not in "\ufffe\uffff" and not "\ud800" <= sign <= "\udfff")
    )


def moment(seconds: int) -> str:
    """A moment in UTC (RFC 3339)."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
