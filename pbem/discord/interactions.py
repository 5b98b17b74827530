"""What players ask from Discord: `/pbem link, unlink, status, remind, orders`, and the form that `orders` opens.

An answer is for its author alone.  Orders go the way of all orders: judged on their own view, sealed, acknowledged by
letter as well; the same request acts once, however often it comes.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.kernel.languages import DEFAULT, Language, language_for
from engine.kernel.printing import print_line, print_under
from pbem.common import parsers
from pbem.discord import commands
from pbem.discord.commands import ephemeral
from pbem.discord.payloads import DiscordMarkup
from pbem.discord.words import translate
from pbem.narration.facts import ReceiptFacts
from pbem.narration.glossary import load_glossary
from pbem.narration.letters import render
from pbem.service.access import users
from pbem.service.access.users import Person
from pbem.service.base.services import Services
from pbem.service.channels import chat
from pbem.service.orders import web_orders
from pbem.service.orders.web_orders import GameClosed
from pbem.service.pages.game_pages import GameCard, SeatPage

PING, COMMAND, CHOOSING, WRITTEN = 1, 2, 4, 5
OFFERED = 1500
"""Signs of likely lines with which the form begins."""

Body = Mapping[str, Any]


class MalformedInteraction(Exception):
    """Not the shape of what Discord sends."""


@dataclass(frozen=True)
class Interaction:
    """One request: its number, by which account, in which channel, and what of it we need.

    `subcommand`: which command, or the mark of a form. `options`: its options, or the lines written.
    """

    kind: int
    interaction_id: str
    token: str
    discord_id: str
    name: str
    language: Language
    channel: str
    subcommand: str = ""
    options: Mapping[str, str] = field(default_factory=dict)


def parse_interaction(body: object) -> Interaction:
    """Understand a request; raises MalformedInteraction."""
    if not isinstance(body, dict):
        raise MalformedInteraction
    kind = body.get("type")
    if kind == PING:
        return Interaction(PING, "", "", "", "", DEFAULT, "")
    person = _part(_part(body, "member") or body, "user")
    data = _part(body, "data")
    number, token, outside = _text(body, "id"), _text(body, "token"), _text(person, "id")
    if kind not in (COMMAND, CHOOSING, WRITTEN, 3) or not number.isdecimal() or not outside.isdecimal() or not token:
        raise MalformedInteraction
    part, given = _submitted(data) if kind == WRITTEN else _command(data)
    name = _text(person, "global_name") or _text(person, "username")
    language = language_for(_text(body, "locale"))
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


def respond(services: Services, asked: Interaction) -> dict[str, Any]:
    """What a request is answered with."""
    if asked.kind == PING:
        return {"type": commands.PONG}
    person = chat.find_user(services, asked.discord_id)
    if asked.kind == COMMAND and asked.subcommand == "link":
        return ephemeral(_respond_link(services, asked))
    if person is None:
        text = translate(asked.language, "answer.not_linked", page=_settings_link(services))
        return commands.choices(()) if asked.kind == CHOOSING else ephemeral(text)
    match asked.kind, asked.subcommand:
        case (4, _):
            return commands.choices(_choices(services, person, asked))
        case (2, "unlink"):
            chat.unlink_account(services, person.id)
            return ephemeral(translate(language_for(person.language), "answer.unlinked"))
        case (2, "status"):
            return ephemeral(_respond_status(services, person))
        case (2, "remind"):
            return ephemeral(_respond_remind(services, person, asked))
        case (2, "orders"):
            return _respond_orders(services, person, asked)
        case (5, mark) if mark.startswith("orders/"):
            return ephemeral(_respond_submit(services, person, asked))
    return ephemeral(translate(language_for(person.language), "answer.unknown"))


def _settings_link(services: Services) -> str:
    return f"<{services.public_url}/settings/discord>"


def _respond_link(services: Services, asked: Interaction) -> str:
    try:
        person = chat.link_account(services, asked.options.get("code", ""), asked.discord_id, asked.name)
    except chat.TooManyCodes:
        return translate(asked.language, "answer.often")
    if person is None:
        return translate(asked.language, "answer.bad_code", page=_settings_link(services))
    return translate(language_for(person.language), "answer.linked", name=_plain_message(person.name))


def _plain_message(text: str) -> str:
    return DiscordMarkup().plain(text)


def _respond_status(services: Services, person: Person) -> str:
    """What is asked of a player at each of their tables, and until when."""
    language = language_for(person.language)
    found = chat.list_games_of_user(services, person.id)
    if not found:
        return translate(language, "answer.no_tables")
    return _fit([line for table in found for line in _due_lines(table, language)], language)


def _fit(lines: Sequence[str], language: Language) -> str:
    """Whole lines, as many as a message holds; where some are left out, it is said how many and where they are."""
    kept, size = list(lines), sum(len(line) + 1 for line in lines)
    while size > commands.CONTENT - 120:
        size -= len(kept.pop()) + 1
    left = len(lines) - len(kept)
    return "\n".join([*kept, *([translate(language, "answer.more", n=left)] if left else [])])


def _due_lines(table: GameCard, language: Language) -> list[str]:
    if not table.questions:
        return [translate(language, "answer.idle", table=_plain_message(table.title))]
    lines = []
    for duty in table.questions:
        terms = {"table": _plain_message(table.title), "asks": _topic(table.rules, duty.topic, language)}
        if duty.is_answered:
            lines.append(translate(language, "answer.answered", **terms))
        elif duty.due is None:
            lines.append(translate(language, "answer.owes_free", **terms))
        else:
            lines.append(translate(language, "answer.owes", due=DiscordMarkup().moment(duty.due, language), **terms))
    return lines


def _topic(title: str, asks: str, language: Language) -> str:
    return str(load_glossary(title, language).name("topic", asks).bare)


def _choices(services: Services, person: Person, asked: Interaction) -> list[tuple[str, str]]:
    """Tables of the writer whose names hold what they have written so far."""
    begun = asked.options.get("table", "").casefold()
    found = chat.list_games_of_user(services, person.id)
    return [(table.title, table.game) for table in found if begun in table.title.casefold()]


def _find_table(services: Services, person: Person, asked: Interaction) -> GameCard | str:
    """The table that a command is about: the one named, that of this channel, or the only one that waits for them."""
    language, found = language_for(person.language), chat.list_games_of_user(services, person.id)
    named = asked.options.get("table", "").casefold()
    if named:
        fits = [t for t in found if named in (t.game, t.title.casefold())]
    else:
        here = chat.list_games_of_channel(services, asked.channel)
        fits = [t for t in found if t.game in here] or [t for t in found if t.is_waiting] or list(found)
    if len(fits) == 1:
        return fits[0]
    if not fits:
        return translate(language, "answer.no_table" if named else "answer.no_tables")
    return translate(language, "answer.which", tables=", ".join(_plain_message(table.title) for table in fits))


def _respond_remind(services: Services, person: Person, asked: Interaction) -> str:
    language, table = language_for(person.language), _find_table(services, person, asked)
    if isinstance(table, str):
        return table
    came = chat.send_reminders(services, person.id, table.game)
    match came.outcome:
        case "done":
            names = load_glossary("", language).join_phrases([_plain_message(name) for name in came.names])
            return translate(language, "answer.reminded", names=names)
        case "lately":
            return translate(
                language, "answer.reminded_lately", hours=translate(language, "answer.hours", n=came.hours)
            )
        case "nobody":
            return translate(language, "answer.nobody_missing")
    return translate(language, f"answer.{came.outcome}")


# --- orders


def _respond_orders(services: Services, person: Person, asked: Interaction) -> dict[str, Any]:
    """The form, begun with lines that would be accepted, each behind a semicolon."""
    language, table = language_for(person.language), _find_table(services, person, asked)
    if isinstance(table, str):
        return ephemeral(table)
    shown = chat.load_seat_page(services, person.id, table.game)
    if shown is None:
        return ephemeral(translate(language, "answer.closed"))
    if not any(one.decision.blocking for one in shown.questions):
        return ephemeral(translate(language, "answer.nothing_asked"))
    title = f"{translate(language, 'answer.modal')} · {table.title}"
    return commands.modal(f"orders/{table.game}/{shown.frame.entry}", title, language, _likely_lines(shown, language))


def _likely_lines(shown: SeatPage, language: Language) -> str:
    """Likely lines for all that is asked, as many as fit."""
    asks = {one.decision.topic for one in shown.questions if one.decision.blocking and not one.answered}
    lines: list[str] = []
    for section in shown.grammar.sections:
        if section.open and section.topic.key in asks:
            said = (print_line(section.forms, line, language, shown.grammar.facts) for line in section.likely[:6])
            lines += [print_under(section, line, language) for line in said]
    text = ""
    for line in lines:
        longer = f"{text}; {line}\n"
        if len(longer) > OFFERED:
            break
        text = longer
    return text


def _respond_submit(services: Services, person: Person, asked: Interaction) -> str:
    """Orders as written: judged and sealed like any other; the receipt, and by letter all of it."""
    language = language_for(person.language)
    try:
        _, game, entry = asked.subcommand.split("/")
        known = parsers.parse_whole(entry)
    except ValueError:
        return translate(language, "answer.unknown")
    if chat.load_seat_page(services, person.id, game) is None:
        return translate(language, "answer.closed")
    lines: Sequence[str] = asked.options.get(commands.LINES, "").splitlines()
    done = web_orders.submit_orders(
        services, person.id, game, known, users.form_id("discord", asked.interaction_id), lines
    )
    if isinstance(done, ReceiptFacts):
        return _receipt(done, language)
    return translate(language, "answer.closed" if isinstance(done, GameClosed) else "answer.repeated")


def _receipt(facts: ReceiptFacts, language: Language) -> str:
    """The letter's text as far as it fits, as it stands."""
    lines = render(facts).text.replace("```", "'''").splitlines()
    more, size = translate(language, "answer.receipt_cut"), 0
    kept: list[str] = []
    for line in lines:
        size += len(line) + 1
        if size > commands.CONTENT - len(more) - 20:
            return "```\n" + "\n".join(kept) + f"\n```{more}"
        kept.append(line)
    return "```\n" + "\n".join(kept) + "\n```"
