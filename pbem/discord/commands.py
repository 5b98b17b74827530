"""The slash commands as Discord is told of them once, and the shapes of what we answer."""

from collections.abc import Sequence
from typing import Any, Final

from engine.kernel.languages import DEFAULT, LANGUAGES, Language
from pbem.discord.words import translate

PONG, MESSAGE, DEFERRED, CHOICES, MODAL = 1, 4, 5, 8, 9
EPHEMERAL: Final = 64
CONTENT: Final = 1900
LINES: Final = "lines"
_SUBCOMMAND, _TEXT = 1, 3
_PARAGRAPH, _TEXT_INPUT, _LABEL = 2, 4, 18


def command_definition() -> dict[str, Any]:
    """`/pbem` with its parts, in every language, for Discord's list of an application's commands."""
    table = _option("table", autocomplete=True)
    return {
        "name": "pbem",
        "type": 1,
        **_localize("pbem"),
        "options": [
            _subcommand("link", [_option("code", required=True)]),
            _subcommand("unlink", []),
            _subcommand("status", []),
            _subcommand("remind", [table]),
            _subcommand("orders", [table]),
        ],
    }


_LOCALES: Final = frozenset(
    "bg cs da de el en-GB en-US es-419 es-ES fi fr hi hr hu id it ja ko lt nl no pl pt-BR ro ru sv-SE th tr uk "
    "vi zh-CN zh-TW".split()
)
"""The languages that Discord lets a command be described in."""


def _localize(name: str) -> dict[str, Any]:
    return {
        "description": translate(DEFAULT, f"command.{name}"),
        "description_localizations": {tag: translate(tag, f"command.{name}") for tag in LANGUAGES if tag in _LOCALES},
    }


def _subcommand(name: str, options: list[dict[str, Any]]) -> dict[str, Any]:
    return {"type": _SUBCOMMAND, "name": name, **_localize(name), "options": options}


def _option(name: str, **more: bool) -> dict[str, Any]:
    return {"type": _TEXT, "name": name, **_localize(name), **more}


# --- answers


def ephemeral(text: str) -> dict[str, Any]:
    """A message that nobody but the asker sees, and that calls on nobody."""
    return {"type": MESSAGE, "data": {"content": text[:CONTENT], "flags": EPHEMERAL, "allowed_mentions": {"parse": []}}}


def deferred() -> dict[str, Any]:
    """The answer to the asker alone comes later."""
    return {"type": DEFERRED, "data": {"flags": EPHEMERAL}}


def choices(found: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """What an option may be: names with their values."""
    return {"type": CHOICES, "data": {"choices": [{"name": n[:100], "value": v[:100]} for n, v in found[:25]]}}


def modal(mark: str, title: str, language: Language, lines: str) -> dict[str, Any]:
    """A private form for orders; `mark` comes back with what is written."""
    field: dict[str, Any] = {
        "type": _TEXT_INPUT,
        "custom_id": LINES,
        "style": _PARAGRAPH,
        "required": True,
        "max_length": 4000,
        "placeholder": translate(language, "answer.hint")[:100],
    }
    if lines:
        field["value"] = lines
    label = {"type": _LABEL, "label": translate(language, "answer.lines")[:45], "component": field}
    return {"type": MODAL, "data": {"custom_id": mark, "title": title[:45], "components": [label]}}
