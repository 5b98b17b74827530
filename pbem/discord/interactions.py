"""What players ask from Discord: `/pbem link, unlink, status, remind, orders`, and the form that `orders` opens.

An answer is for its author alone.  Orders go the way of all orders: judged on their own view, sealed, acknowledged by
letter as well; the same request acts once, however often it comes.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.kernel.languages import DEFAULT, Language, registered
from engine.kernel.printing import printed_line, under
from pbem import values
from pbem.discord import commands
from pbem.discord.commands import only_you
from pbem.discord.payloads import ForDiscord
from pbem.discord.words import say
from pbem.narration.facts import ReceiptFacts
from pbem.narration.glossary import glossary
from pbem.narration.letters import render
from pbem.service.access import accounts
from pbem.service.access.people import Person
from pbem.service.base.services import Services
from pbem.service.channels import chat
from pbem.service.channels.chat import Seated
from pbem.service.orders import web_orders
from pbem.service.orders.web_orders import Closed
from pbem.service.pages.game_pages import SeatPage

PING, COMMAND, CHOOSING, WRITTEN = 1, 2, 4, 5
OFFERED = 1500
"""Signs of likely lines with which the form begins."""

Body = Mapping[str, Any]


class Malformed(Exception):
    """Not the shape of what Discord sends."""


@dataclass(frozen=True)
class Interaction:
    """One request: its number, by which account, in which channel, and what of it we need.

    `part`: which command, or the mark of a form. `given`: its options, or the lines written.
    """

    kind: int
    number: str
    token: str
    outside: str
    name: str
    language: Language
    place: str
    part: str = ""
    given: Mapping[str, str] = field(default_factory=dict)


def read(body: object) -> Interaction:
    """Understand a request; raises Malformed."""
    if not isinstance(body, dict):
        raise Malformed
    kind = body.get("type")
    if kind == PING:
        return Interaction(PING, "", "", "", "", DEFAULT, "")
    person = _part(_part(body, "member") or body, "user")
    data = _part(body, "data")
    number, token, outside = _text(body, "id"), _text(body, "token"), _text(person, "id")
    if kind not in (COMMAND, CHOOSING, WRITTEN, 3) or not number.isdecimal() or not outside.isdecimal() or not token:
        raise Malformed
    part, given = _submitted(data) if kind == WRITTEN else _command(data)
    name = _text(person, "global_name") or _text(person, "username")
    language = registered(_text(body, "locale"))
    return Interaction(int(kind), number, token, outside, name, language, _text(body, "channel_id"), part, given)


def _part(body: Body, name: str) -> Body:
    found = body.get(name)
    return found if isinstance(found, dict) else {}


def _text(body: Body, name: str) -> str:
    found = body.get(name)
    return found[:4000].encode("utf-8", "replace").decode() if isinstance(found, str) else ""


def _command(data: Body) -> tuple[str, dict[str, str]]:
    """Which part of `/pbem`, with its options."""
    options = data.get("options")
    if _text(data, "name") != "pbem" or not isinstance(options, list) or not options:
        return "", {}
    first = options[0] if isinstance(options[0], dict) else {}
    inner = first.get("options")
    found = [one for one in inner if isinstance(one, dict)] if isinstance(inner, list) else []
    return _text(first, "name"), {_text(one, "name"): _text(one, "value") for one in found}


def _submitted(data: Body) -> tuple[str, dict[str, str]]:
    """The mark of a form, and what was written into it, however deep it lies."""
    return _text(data, "custom_id"), dict(_values(data.get("components"), 4))


def _values(parts: object, depth: int) -> Iterable[tuple[str, str]]:
    for part in parts if isinstance(parts, list) else [parts]:
        if isinstance(part, dict) and depth:
            if isinstance(part.get("value"), str):
                yield _text(part, "custom_id"), _text(part, "value")
            yield from _values(part.get("component"), depth - 1)
            yield from _values(part.get("components"), depth - 1)


# --- answering


def answer(services: Services, asked: Interaction) -> dict[str, Any]:
    """What a request is answered with."""
    if asked.kind == PING:
        return {"type": commands.PONG}
    person = accounts.owner(services, asked.outside)
    if asked.kind == COMMAND and asked.part == "link":
        return only_you(_link(services, asked))
    if person is None:
        text = say(asked.language, "answer.not_linked", page=_settings(services))
        return commands.choices(()) if asked.kind == CHOOSING else only_you(text)
    match asked.kind, asked.part:
        case (4, _):
            return commands.choices(_choices(services, person, asked))
        case (2, "unlink"):
            accounts.unlink(services, person.id)
            return only_you(say(registered(person.language), "answer.unlinked"))
        case (2, "status"):
            return only_you(_status(services, person))
        case (2, "remind"):
            return only_you(_remind(services, person, asked))
        case (2, "orders"):
            return _orders(services, person, asked)
        case (5, mark) if mark.startswith("orders/"):
            return only_you(_submit(services, person, asked))
    return only_you(say(registered(person.language), "answer.unknown"))


def _settings(services: Services) -> str:
    return f"<{services.public_url}/settings/discord>"


def _link(services: Services, asked: Interaction) -> str:
    try:
        person = accounts.link(services, asked.given.get("code", ""), asked.outside, asked.name)
    except accounts.TooOften:
        return say(asked.language, "answer.often")
    if person is None:
        return say(asked.language, "answer.bad_code", page=_settings(services))
    return say(registered(person.language), "answer.linked", name=_plain(person.name))


def _plain(text: str) -> str:
    return ForDiscord().plain(text)


def _status(services: Services, person: Person) -> str:
    """What is asked of a player at each of their tables, and until when."""
    language = registered(person.language)
    found = chat.tables_of(services, person.id)
    if not found:
        return say(language, "answer.no_tables")
    return _fitting([line for table in found for line in _duties(table, language)], language)


def _fitting(lines: Sequence[str], language: Language) -> str:
    """Whole lines, as many as a message holds; where some are left out, it is said how many and where they are."""
    kept, size = list(lines), sum(len(line) + 1 for line in lines)
    while size > commands.CONTENT - 120:
        size -= len(kept.pop()) + 1
    left = len(lines) - len(kept)
    return "\n".join([*kept, *([say(language, "answer.more", n=left)] if left else [])])


def _duties(table: Seated, language: Language) -> list[str]:
    if not table.duties:
        return [say(language, "answer.idle", table=_plain(table.title))]
    lines = []
    for duty in table.duties:
        terms = {"table": _plain(table.title), "asks": _topic(table.rules, duty.asks, language)}
        if duty.answered:
            lines.append(say(language, "answer.answered", **terms))
        elif duty.due is None:
            lines.append(say(language, "answer.owes_free", **terms))
        else:
            lines.append(say(language, "answer.owes", due=ForDiscord().moment(duty.due, language), **terms))
    return lines


def _topic(title: str, asks: str, language: Language) -> str:
    return str(glossary(title, language).name("topic", asks).bare)


def _choices(services: Services, person: Person, asked: Interaction) -> list[tuple[str, str]]:
    """Tables of the writer whose names hold what they have written so far."""
    begun = asked.given.get("table", "").casefold()
    found = chat.tables_of(services, person.id)
    return [(table.title, table.game) for table in found if begun in table.title.casefold()]


def _meant(services: Services, person: Person, asked: Interaction) -> Seated | str:
    """The table that a command is about: the one named, that of this channel, or the only one that waits for them."""
    language, found = registered(person.language), chat.tables_of(services, person.id)
    named = asked.given.get("table", "").casefold()
    if named:
        fits = [t for t in found if named in (t.game, t.title.casefold())]
    else:
        here = chat.written_to(services, asked.place)
        fits = [t for t in found if t.game in here] or [t for t in found if t.waits] or list(found)
    if len(fits) == 1:
        return fits[0]
    if not fits:
        return say(language, "answer.no_table" if named else "answer.no_tables")
    return say(language, "answer.which", tables=", ".join(_plain(table.title) for table in fits))


def _remind(services: Services, person: Person, asked: Interaction) -> str:
    language, table = registered(person.language), _meant(services, person, asked)
    if isinstance(table, str):
        return table
    came = chat.remind(services, person.id, table.game)
    match came.outcome:
        case "done":
            names = glossary("", language).listed([_plain(name) for name in came.names])
            return say(language, "answer.reminded", names=names)
        case "lately":
            return say(language, "answer.reminded_lately", hours=say(language, "answer.hours", n=came.hours))
        case "nobody":
            return say(language, "answer.nobody_missing")
    return say(language, f"answer.{came.outcome}")


# --- orders


def _orders(services: Services, person: Person, asked: Interaction) -> dict[str, Any]:
    """The form, begun with lines that would be accepted, each behind a semicolon."""
    language, table = registered(person.language), _meant(services, person, asked)
    if isinstance(table, str):
        return only_you(table)
    shown = chat.seat_page(services, person.id, table.game)
    if shown is None:
        return only_you(say(language, "answer.closed"))
    if not any(one.decision.blocking for one in shown.owed):
        return only_you(say(language, "answer.nothing_asked"))
    title = f"{say(language, 'answer.modal')} · {table.title}"
    return commands.form(f"orders/{table.game}/{shown.frame.entry}", title, language, _likely_lines(shown, language))


def _likely_lines(shown: SeatPage, language: Language) -> str:
    """Likely lines for all that is asked, as many as fit."""
    asks = {one.decision.asks for one in shown.owed if one.decision.blocking and not one.answered}
    lines: list[str] = []
    for section in shown.grammar.sections:
        if section.open and section.topic.asks in asks:
            said = (printed_line(section.forms, line, language, shown.grammar.facts) for line in section.likely[:6])
            lines += [under(section, line, language) for line in said]
    text = ""
    for line in lines:
        longer = f"{text}; {line}\n"
        if len(longer) > OFFERED:
            break
        text = longer
    return text


def _submit(services: Services, person: Person, asked: Interaction) -> str:
    """Orders as written: judged and sealed like any other; the receipt, and by letter all of it."""
    language = registered(person.language)
    try:
        _, game, entry = asked.part.split("/")
        known = values.whole(entry)
    except ValueError:
        return say(language, "answer.unknown")
    if chat.seat_page(services, person.id, game) is None:
        return say(language, "answer.closed")
    lines: Sequence[str] = asked.given.get(commands.LINES, "").splitlines()
    done = web_orders.submit(services, person.id, game, known, accounts.form_of(asked.number), lines)
    if isinstance(done, ReceiptFacts):
        return _receipt(done, language)
    return say(language, "answer.closed" if isinstance(done, Closed) else "answer.repeated")


def _receipt(facts: ReceiptFacts, language: Language) -> str:
    """The letter's text as far as it fits, as it stands."""
    lines = render(facts).text.replace("```", "'''").splitlines()
    more, size = say(language, "answer.receipt_cut"), 0
    kept: list[str] = []
    for line in lines:
        size += len(line) + 1
        if size > commands.CONTENT - len(more) - 20:
            return "```\n" + "\n".join(kept) + f"\n```{more}"
        kept.append(line)
    return "```\n" + "\n".join(kept) + "\n```"
