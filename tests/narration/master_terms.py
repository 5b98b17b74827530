"""What each sentence to or about a game master needs: the terms that its English macro names, by its code."""

import re
from collections.abc import Mapping
from typing import Any, Final

from pbem.narration.folders import template_root

DUE: Final = 1763751600
_ALL: Final[Mapping[str, Any]] = {
    "phase": "27",
    "phases": ("27", "12"),
    "names": ("Zoé", "Édouard"),
    "name": "Zoé",
    "seat": "Édouard",
    "moment": DUE,
    "reaction": True,
    "read": 2,
    "unread": ("12",),
    "line": "27",
    "word": "ABC123",
    "days": 7,
    "two": True,
    "round": 32_000_000,
    "approval": False,
    "state": "running",
    "entry": 12,
    "address": "zoe@x.example",
    "cause": "pause",
    "text": "27",
    "what": "hand",
    "hidden": (),
    "last": 13,
    "drafts": True,
    "nth": 2,
    "same": 3,
    "voices": 2,
    "needed": 3,
    "by": "Romain",
    "reply": "550 5.1.1",
    "written": "27",
    "hours": 24,
    "minutes": 27,
    "most": 2000,
    "other": "Zoé",
    "would": "Zoé 2",
}
_MACRO: Final = re.compile(r"{% macro ([a-z]\w*)\(t, c\) %}(.*?){% endmacro %}", re.DOTALL)


def macros(language: str) -> Mapping[str, str]:
    """Return every sentence that a language has, by its code, as it is written."""
    text = (template_root() / "letters" / language / "master.messages.j2").read_text("utf-8")
    return dict(_MACRO.findall(text))


TERMS: Final[Mapping[str, Mapping[str, Any]]] = {
    code: {"hidden" if name == "places" else name: _ALL["hidden" if name == "places" else name] for name in named}
    for code, written in macros("en").items()
    for named in [re.findall(r"\bt\.(\w+)", written) or (("name", "what") if "(t)" in written else ())]
}
