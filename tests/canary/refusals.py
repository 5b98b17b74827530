"""What a letter says of its reader alone: that they do not hold the card which their own reaction asked for.

Such a sentence names a card that they may never have seen, and does not tell them where it lies.  It is left out of
what is searched, word for word and only where it was told to this reader; the same name anywhere else is found.
"""

import html
import json
import re
from collections.abc import Iterable, Iterator
from email.message import EmailMessage

from engine.kernel.orders import Problem
from engine.kernel.position import Core, Position
from engine.kernel.secrets import Secret
from engine.kernel.viewers import PUBLIC
from pbem.demo.post_office import Mail
from pbem.narration.narrator import Context, narrator

_LANGUAGES = ("fr", "en")


def sentences(title: str, refusals: Iterable[Problem]) -> frozenset[str]:
    """How these refusals are told, in both languages."""
    nowhere = Context(PUBLIC, Position(Core((), {}, Secret(b"")), None))
    found = list(refusals)
    return frozenset(narrator(title, language).reasons((one,), nowhere) for one in found for language in _LANGUAGES)


def without(text: str, told: Iterable[str]) -> str:
    """A text, a page or JSON without these sentences, however their lines were broken."""
    for sentence in told:
        text = re.sub(r"\s+".join(map(_shapes, sentence.split())), " ", text, flags=re.IGNORECASE)
    return text


def _shapes(word: str) -> str:
    """A word as texts, pages and programs write it."""
    shapes = {word, html.escape(word), word.replace("'", "&#39;"), json.dumps(word)[1:-1]}
    return "(?:" + "|".join(map(re.escape, sorted(shapes))) + ")"


def searched(mail: Mail, told: frozenset[str]) -> bytes:
    """The bytes of a letter and what it shows; where it holds one of these sentences, all its parts without them."""
    message = mail.message()
    shown = f"{message['Subject']}\n{mail.text}\n{mail.html}"
    if without(shown, told) == shown:
        return mail.path.read_bytes() + b"\n" + shown.encode()
    return b"\n".join(_parts(message, told))


def _parts(message: EmailMessage, told: frozenset[str]) -> Iterator[bytes]:
    """Every head, everything before and behind the parts, and each part as its reader has it."""
    for part in message.walk():
        beside = (*(f"{name}: {value}" for name, value in part.items()), part.preamble or "", part.epilogue or "")
        yield "\n".join(beside).encode("utf-8", "surrogateescape")
        if part.get_content_maintype() == "text":
            yield without(str(part.get_content()), told).encode()
        elif not part.is_multipart():
            yield bytes(part.get_payload(decode=True))
