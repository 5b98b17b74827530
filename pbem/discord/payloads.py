"""Messages in the forms that webhooks want: Discord's, Slack's (others speak it too), and plain JSON for programs.

Only those who owe an order are called on, by their numbers and nothing else: no text of ours or of a player's can call
on anybody (`allowed_mentions`, and signs that mean something are taken out of names).
"""

import json
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from engine.kernel.languages import Language
from pbem.common.text import to_one_line
from pbem.discord.wording import ChatMessage, build_message, truncate
from pbem.discord.words import translate
from pbem.narration.time_format import TimeFormatter
from pbem.service.base.webhook_ports import WebhookMessageFacts

CONTENT, TITLE, STORY, FIELD, SMALL = 1900, 250, 3400, 1000, 200
"""Longest parts of a message to Discord, each within its limits (2000, 256, 4096, 1024, 2048; 6000 in all)."""

DESCRIPTION: Final = 4000
"""The story with what stands before and behind it."""

MAX_MENTIONS: Final = 40
SLACK_TEXT: Final = 3500
COLOUR: Final = {"over": 0x8A6D3B, "started": 0x2E7D5B, "hello": 0x5B6B7A}

_MARKDOWN = re.compile(r"([\\*_~`|<>\[\]#])")
_BREAK = "\u200b"


class DiscordMarkup:
    """Discord's own marks."""

    def plain(self, text: str) -> str:
        """Signs of its markdown stand for themselves; an @ calls on nobody, a scheme makes no link."""
        said = _MARKDOWN.sub(r"\\\1", to_one_line(text))
        return said.replace("@", f"@{_BREAK}").replace("://", f":{_BREAK}//")

    def moment(self, seconds: int, language: Language) -> str:
        """Shown by Discord in the zone and language of each reader, and how far away it is."""
        return f"<t:{seconds}:f> (<t:{seconds}:R>)"

    def mention(self, outside: str) -> str:
        """A mention."""
        return f"<@{outside}>"


class SlackMarkup:
    """The marks of Slack's `text`."""

    def plain(self, text: str) -> str:
        """The three signs that mean something (its guide to formatting), and no bold of a stranger's making."""
        said = to_one_line(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        return re.sub(r"([*_~`@])", rf"{_BREAK}\1", said)

    def moment(self, seconds: int, language: Language) -> str:
        """Shown in the zone of each reader; in UTC where that is not understood."""
        return f"<!date^{seconds}^{{date_short_pretty}} {{time}}|{_to_utc(seconds, language)}>"

    def mention(self, outside: str) -> str:
        """Nobody: accounts there are not linked."""
        return ""


class JsonMarkup:
    """Text as it is."""

    def plain(self, text: str) -> str:
        """On one line."""
        return to_one_line(text)

    def moment(self, seconds: int, language: Language) -> str:
        """In UTC."""
        return _to_utc(seconds, language)

    def mention(self, outside: str) -> str:
        """Nobody."""
        return ""


def _to_utc(seconds: int, language: Language) -> str:
    return TimeFormatter(language, "UTC").moment(seconds)


def build_payload(form: str, facts: WebhookMessageFacts) -> bytes:
    """A message in the form of a webhook, as JSON; the same facts give the same bytes."""
    shape = _SHAPES[form](facts)
    return json.dumps(shape, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


# --- Discord


def _discord(facts: WebhookMessageFacts) -> dict[str, Any]:
    voice = DiscordMarkup()
    said = build_message(facts, voice)
    calls = said.mentions[:MAX_MENTIONS]
    content = " ".join(voice.mention(outside) for outside in calls)
    if facts.kind not in COLOUR and facts.kind != "phase":
        return _short_message(said, content, calls)
    embed: dict[str, Any] = {
        "title": said.title[:TITLE],
        "url": said.page,
        "color": COLOUR.get(facts.kind, 0x3B5B8A),
        "description": _description(said),
    }
    if said.small:
        embed["footer"] = {"text": said.small[:SMALL]}
    if fields := _fields(said):
        embed["fields"] = fields
    return {"content": content, "embeds": [embed], "allowed_mentions": {"parse": [], "users": list(calls)}}


def _short_message(said: ChatMessage, content: str, calls: tuple[str, ...]) -> dict[str, Any]:
    """A short message without a frame around it: the page is named, and not shown."""
    parts = (content, f"**{said.title}** {said.lead}", *_awaited_lines(said, 500), f"<{said.page}>")
    text = "\n".join(part for part in parts if part)
    if len(text) > CONTENT:
        text = f"{content[: CONTENT // 2]}\n{said.lead[: CONTENT // 3]}\n<{said.page}>"
    return {"content": text, "allowed_mentions": {"parse": [], "users": list(calls)}}


def _awaited_lines(said: ChatMessage, most: int) -> list[str]:
    """Who is awaited, and until when."""
    lines = [translate(said.language, "label.waits", names=_fit(said.awaited, most))] if said.awaited else []
    return [*lines, translate(said.language, "label.until", due=said.due)] if said.due else lines


def _description(said: ChatMessage) -> str:
    """What the message is about, the story, and what is to be noted."""
    more, notes = translate(said.language, "label.more"), "\n".join(said.notes)
    room = min(STORY, DESCRIPTION - len(said.lead) - len(notes))
    text = truncate(said.chapters, room, lambda title: f"**{title}**", more)
    return "\n\n".join(part for part in (said.lead, text, notes) if part)


def _fields(said: ChatMessage) -> list[dict[str, Any]]:
    found = []
    if said.awaited:
        names = _fit(said.awaited, FIELD)
        found.append({"name": translate(said.language, "label.awaited"), "value": names, "inline": True})
    if said.due:
        found.append({"name": translate(said.language, "label.deadline"), "value": said.due, "inline": True})
    return found


def _fit(names: tuple[str, ...], most: int) -> str:
    text = ""
    for number, name in enumerate(names):
        longer = f"{text}, {name}" if text else name
        if len(longer) > most - 12:
            return f"{text} + {len(names) - number}"
        text = longer
    return text


# --- Slack's form


def _slack(facts: WebhookMessageFacts) -> dict[str, Any]:
    """One text, which all that speak this form understand."""
    voice = SlackMarkup()
    said = build_message(facts, voice)
    head = f"*<{said.page}|{said.title}>*"
    parts = [
        head,
        said.lead,
        truncate(said.chapters, SLACK_TEXT - 1200, lambda title: f"*{title}*", translate(said.language, "label.more")),
    ]
    parts += said.notes
    parts += _awaited_lines(said, 600)
    return {"text": "\n".join(part for part in parts if part)}


# --- plain JSON


def _to_plain(facts: WebhookMessageFacts) -> dict[str, Any]:
    """For programs: `id` says which message it is; one that comes again under its `id` takes its place."""
    said = build_message(facts, JsonMarkup())
    frame, game = facts.frame, facts.frame.links.page.rpartition("/")[2]
    return {
        "id": f"{game}.{facts.key}",
        "kind": facts.kind,
        "language": said.language,
        "game": game,
        "rules": frame.table.game,
        "table": frame.table.title,
        "title": said.title,
        "text": said.lead,
        "story": [{"title": chapter.title, "sentences": list(chapter.sentences)} for chapter in said.chapters],
        "awaited": list(said.awaited),
        "asks": list(facts.topic),
        "turn": facts.turn,
        "deadline": _to_iso(facts.due) if said.due and facts.due is not None else None,
        "paused": facts.paused,
        "closed": facts.closed,
        "entry": frame.entry,
        "digest": frame.digest,
        "page": said.page,
    }


def _to_iso(seconds: int) -> str:
    """A moment in UTC (RFC 3339)."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


_SHAPES: Final[Mapping[str, Callable[[WebhookMessageFacts], dict[str, Any]]]] = {
    "discord": _discord,
    "slack": _slack,
    "plain": _to_plain,
}
