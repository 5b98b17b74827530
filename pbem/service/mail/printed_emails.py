"""What emails of ours said that can be answered: kept, so that their lines are known when they come back quoted.

A line of an orders template is kept as it stands, sealed like the view that it follows from; all others as digests
under the token of the email, which only its reader has: a receipt says what is in orders that are still sealed.

Nobody's name, title or message can become an order of the player who quotes it: of a quotation only what its reader
changed in the orders template counts, below the heading of that very template. All other lines of ours are recognized,
however a mail program wrapped them, also where it lost its marks; what is left was written by others, and is not read.
"""

import hashlib
import re
import unicodedata
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, Final, cast

from sqlalchemy import Connection, Table, bindparam, select
from sqlalchemy.orm import Session

from engine.kernel.keywords import END, is_exactly
from engine.kernel.spelling import tokens
from pbem.common.cpu_budget import check
from pbem.crypto import DecryptionError, token_hash
from pbem.crypto.encoding import Reader, encode_tuple
from pbem.crypto.printed_emails import PrintedContext, seal_printed, unseal_printed
from pbem.service.base.services import BodyLine, ParsedEmail, PrintedText, Services
from pbem.store.models import PrintedEmail
from pbem.store.query_cache import cached

_PURPOSE: Final = "printed"
_CONTENT: Final = "pbem printed 1"
_LENGTH: Final = 6
"""Bytes of a digest of a line."""
_LONG: Final = 2_000
_NEITHER: Final = re.compile(r"[\W_]+")
"""Signs that are neither letters nor digits."""
_ASCII_NEITHER: Final = bytes(sign for sign in range(128) if not chr(sign).isalnum())
_LOWER: Final = bytes(range(256)).lower()
_ROWS: Final = cast(Table, PrintedEmail.__table__)
_DELETED: Final = _ROWS.delete().where(
    _ROWS.c.token_hash == bindparam("its_hash"), _ROWS.c.kind == bindparam("its_kind")
)
_OF_TOKENS = select(PrintedEmail).where(PrintedEmail.token_hash.in_(bindparam("hashes", expanding=True)))


@dataclass(frozen=True)
class KnownEmail:
    """What is kept of an email of ours: its orders template, and the digest of each line, in text and in HTML.

    A line that is the same in both has its digest in both.
    """

    template: tuple[str, ...] = ()
    lines: tuple[bytes, ...] = ()
    blocks: tuple[bytes, ...] = ()


def normalize(line: str) -> str:
    """The letters and digits of a line, which mail programs leave alone; a semicolon in front stays."""
    said = line.strip()
    if said.isascii():
        bare = said[:_LONG].encode("ascii").translate(_LOWER, _ASCII_NEITHER).decode("ascii")
    else:
        bare = _NEITHER.sub("", unicodedata.normalize("NFKC", said[:_LONG]).casefold())
    return f";{bare}" if bare and said.startswith(";") else bare


def digest(token: str, normal: str) -> bytes:
    """A line as it is kept: who does not know the token of its email cannot try what it may have said."""
    return hashlib.blake2b(normal.encode("utf-8", "surrogatepass"), key=token.encode(), digest_size=_LENGTH).digest()


def to_known(printed: PrintedText) -> KnownEmail:
    """What is to be kept of an email."""

    found = {
        line: digest(printed.token, normal) for line in {*printed.lines, *printed.blocks} if (normal := normalize(line))
    }

    def digests(lines: Sequence[str]) -> tuple[bytes, ...]:
        return tuple(found[line] for line in lines if line in found)

    return KnownEmail(printed.template, digests(printed.lines), digests(printed.blocks))


def build_row(services: Services, email_key: str, printed: PrintedText) -> dict[str, Any]:
    """The columns of the row that keeps an email: of several of a kind under one token the newest is kept."""
    known = to_known(printed)
    template = "\n".join(known.template)
    content = encode_tuple(_CONTENT, template, b"".join(known.lines), b"".join(known.blocks))
    place = PrintedContext(token_hash(_PURPOSE, printed.token), printed.kind, email_key)
    return {
        "token_hash": place.token_hash,
        "kind": place.kind,
        "email_key": place.email,
        "content_ciphertext": seal_printed(services.mailer_keys.view, place, content),
    }


def store(session: Session, rows: Sequence[dict[str, Any]]) -> None:
    """Keep emails in the transaction that lays them out: of several of a kind under one token the last one is kept."""
    hashes = [row["token_hash"] for row in rows]
    kept = (
        {(row.token_hash, row.kind): row for row in session.scalars(_OF_TOKENS, {"hashes": hashes})} if hashes else {}
    )
    for values in {(row["token_hash"], row["kind"]): row for row in rows}.values():
        row = kept.get((values["token_hash"], values["kind"]))
        if row is None:
            session.add(PrintedEmail(**values))
        else:
            row.email_key, row.content_ciphertext = values["email_key"], values["content_ciphertext"]


def store_all(connection: Connection, rows: Sequence[dict[str, Any]]) -> None:
    """Keep emails of one batch."""
    newest = {(row["token_hash"], row["kind"]): row for row in rows}
    if newest:
        connection.execute(_DELETED, [{"its_hash": key[0], "its_kind": key[1]} for key in newest])
        connection.execute(_ROWS.insert(), list(newest.values()))


def prefetch(session: Session, tokens: Sequence[str]) -> None:
    """Read together what emails to several addresses said."""
    rows = _load_rows(session, tokens)
    for token in tokens:
        cached(session, PrintedEmail, token, partial(rows.get, token, ()))


def load(services: Services, session: Session, token: str) -> tuple[KnownEmail, ...]:
    """What the emails said that can be answered to this token; nothing of one that cannot be opened."""
    rows = cached(session, PrintedEmail, token, lambda: _load_rows(session, [token]).get(token, ()))
    return tuple(known for row in rows if (known := _unseal(services, row)) is not None)


def _load_rows(session: Session, tokens: Sequence[str]) -> dict[str, tuple[PrintedEmail, ...]]:
    hashes = {token_hash(_PURPOSE, token): token for token in tokens if token}
    found = dict[str, tuple[PrintedEmail, ...]]()
    for row in session.scalars(_OF_TOKENS, {"hashes": list(hashes)}) if hashes else ():
        token = hashes[row.token_hash]
        found[token] = (*found.get(token, ()), row)
    return found


def _unseal(services: Services, row: PrintedEmail) -> KnownEmail | None:
    try:
        place = PrintedContext(row.token_hash, row.kind, row.email_key)
        content = unseal_printed(services.mailer_keys.view, place, row.content_ciphertext)
    except DecryptionError:
        return None
    reader = Reader("printed email", _CONTENT, content)
    template, lines, blocks = reader.text(), reader.blob(), reader.blob()
    reader.expect_end()
    return KnownEmail(tuple(template.split("\n")) if template else (), _split(lines), _split(blocks))


def _split(joined: bytes) -> tuple[bytes, ...]:
    return tuple(joined[at : at + _LENGTH] for at in range(0, len(joined), _LENGTH))


_MOST_JOINED: Final = 12
"""A line of ours comes back on so many lines at most."""
_WRAPPED_AT: Final = 72
"""Mail programs that wrap what they quote do it at this width or a little further."""


def recognize(letter: ParsedEmail, known: Sequence[KnownEmail]) -> ParsedEmail:
    """An email with the lines that its sender changed in a quoted template, and without pieces of ours among their own.

    Also with the lines that are not read, and that no email of ours to this address said.
    """
    if not letter.body:
        return letter
    reading = _Reading(letter.body)
    changed = next(filter(None, (reading.template_lines(one.template) for one in known)), [])
    reading.drop_known(letter.token, known)
    left = [one for at, one in enumerate(letter.body) if at not in reading.ours | reading.changed]

    def lines(*parts: str) -> tuple[str, ...]:
        return tuple("\n".join(one.text for one in left if one.part in parts).strip("\n").split("\n"))

    return replace(
        letter,
        lines=lines("own") if any(lines("own")) else (),
        uncommented=tuple(changed),
        signature=tuple(filter(None, lines("signature"))),
        unread=tuple(filter(normalize, lines("quoted", "older"))),
    )


@dataclass
class _Reading:
    """One email; `ours`: the lines that an email of ours said.  `changed`: lines that were taken from its template."""

    body: Sequence[BodyLine]
    ours: set[int] = field(default_factory=set)
    changed: set[int] = field(default_factory=set)

    @cached_property
    def normal(self) -> Sequence[str]:
        return [normalize(one.written) for one in self.body]

    def runs(self, at: int) -> list[tuple[str, Sequence[int]]]:
        """What the lines from here on say together: most of them first, this one alone last."""
        check()
        places = self.filled[(first := bisect_left(self.filled, at)) : first + _MOST_JOINED]
        said, found = "", list[tuple[str, Sequence[int]]]()
        for count, place in enumerate(places, 1):
            said += self.normal[place].removeprefix(";" if said else "")
            found.append((said, places[:count]))
            if len(said) > _LONG:
                break
        return found[::-1]

    @cached_property
    def filled(self) -> Sequence[int]:
        return [place for place, normal in enumerate(self.normal) if normal]

    # --- the template

    def template_lines(self, template: Sequence[str]) -> list[str]:
        """What its reader changed in a template, below the first of its headings that is quoted."""
        walk = _TemplateWalk(self, [line for line in template if normalize(line)])
        for at, one in enumerate(self.body if template else ()):
            if one.part == "quoted" and walk.finds_heading(at):
                return walk.read(at)
        return []

    # --- everything else

    def is_claimed(self, at: int) -> bool:
        return at in self.ours or at in self.changed

    def drop_known(self, token: str, known: Sequence[KnownEmail]) -> None:
        """Know our lines again, each as often as it was said."""
        counts = [Counter(lines) for one in known for lines in (one.lines, one.blocks)]
        at = 0
        while at < len(self.body) and any(counts):
            if self.normal[at] and self.body[at].part != "own" and not self.is_claimed(at):
                at = self._drop_run(at, token, counts)
            at += 1

    def _drop_run(self, at: int, token: str, counts: Sequence[Counter[bytes]]) -> int:
        """Drop the lines from here on that are one of ours together; return the last of them."""
        for said, places in self.runs(at):
            found = digest(token, said)
            if any(count[found] > 0 for count in counts) and not any(map(self.is_claimed, places)):
                for count in counts:
                    count[found] -= 1
                last = self._skip_letterless(places[-1])
                self.ours.update(range(at, last + 1))
                return last
        return at

    def _skip_letterless(self, at: int) -> int:
        """The last of the lines below one of ours that hold no letter: its end, if that lost its mark."""
        while at + 1 < len(self.body) and self.body[at + 1].text and not self.normal[at + 1]:
            at += 1
        return at


class _TemplateWalk:
    """One walk along a template and what became of it in a quotation, side by side."""

    def __init__(self, reading: _Reading, template: Sequence[str]) -> None:
        self.reading, self.template = reading, template
        self.normal = [normalize(line) for line in template]
        self._places = defaultdict[str, list[int]](list)
        for place, normal in enumerate(self.normal):
            self._places[normal].append(place)
        self.next = 0
        """The first line of the template that may still come."""
        self.found: list[tuple[list[int], str]] = []
        self._may_go_on = False
        """Whether the line that was found last may be wrapped: it is not one of the template, whole."""
        self._wrapped = all(len(one.text) <= _WRAPPED_AT + 8 for one in reading.body if one.part == "quoted")

    def finds_heading(self, at: int) -> bool:
        """Return True if a heading of the template stands here; the walk begins with it."""
        for said, _ in self.reading.runs(at):
            place = self._find(said)
            if place is not None:
                self.next = place
                return place == 0 or self.template[place].startswith("; ---")
        return False

    def read(self, at: int) -> list[str]:
        """What was changed from here on, each line whole."""
        body, last = self.reading.body, at
        while at < len(body):
            places, ended = self._step(at)
            if ended:
                break
            if places and body[places[0]].text.lstrip().startswith(";"):
                last = places[-1]
            at = places[-1] + 1 if places else at + 1
        else:
            last = next((n for n in range(last, len(body)) if not self.reading.normal[n]), len(body))
            self.found = [one for one in self.found if one[0][0] < last]
        taken = [one for one in self.found if one[1]]
        self.reading.changed.update(place for places, _ in taken for place in places)
        return [line for _, line in taken]

    def _step(self, at: int) -> tuple[Sequence[int], bool]:
        """The lines that belong together from here on, and whether the template ends with them."""
        body, normal = self.reading.body, self.reading.normal
        if not normal[at] or body[at].part == "older":
            return [], False
        for said, places in self.reading.runs(at):
            if (place := self._find(said)) is not None and body[at].part != "own":
                self.next = place + 1
                self.reading.ours.update(places)
                return places, self._is_end(self.template[place])
        if body[at].part != "quoted":
            return [], False
        for said, places in self.reading.runs(at):
            if (place := self._find(f";{said}")) is not None:
                self.next = place + 1
                self.found.append((list(places), " ".join(body[one].text.strip() for one in places)))
                self._may_go_on = False
                return places, False
        return self._add_changed(at), self._is_end(body[at].text)

    def _find(self, said: str) -> int | None:
        return next((n for n in self._places.get(said, ()) if n >= self.next), None)

    @staticmethod
    def _is_end(line: str) -> bool:
        words = tokens(line).words if len(line) < _WRAPPED_AT else ()
        return is_exactly(END, words, 0, len(words))

    def _add_changed(self, at: int) -> list[int]:
        """A line that the reader wrote, or the rest of one that was wrapped."""
        line = self.reading.body[at].text.strip()
        if self._is_end(line):
            return [at]
        if self._may_go_on and self._is_rest(at):
            places, before = self.found.pop()
            self.found.append(([*places, at], f"{before} {line}" if before else ""))
        else:
            self.found.append(([at], "" if line.startswith(";") else line))
        self._may_go_on = True
        return [at]

    def _is_rest(self, at: int) -> bool:
        """Return True if a line ends the line of the template that is next, or had no room behind the one before it."""
        line, before = self.reading.body[at].text.strip(), self.reading.body[at - 1].text.strip()
        if line.startswith(";") or self.found[-1][0][-1] != at - 1:
            return False
        normal, edited = self.reading.normal[at], "".join(self.normal[self.next : self.next + 1])
        ends = edited.endswith(normal) and len(edited) > len(normal) + 1
        return ends or (self._wrapped and len(before) + 1 + len(line.partition(" ")[0]) > _WRAPPED_AT)
