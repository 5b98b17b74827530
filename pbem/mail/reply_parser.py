"""Which lines of a reply its sender wrote themselves.

A reply carries more than its author's words: the letter they answer, with a
line that announces it, and a signature.  None of that may be read as orders,
for our own letters hold orders templates.  Losing an order is worse than
reading a stray line, so every rule here wants evidence: a date or an address
before a line counts as an attribution, two named headers before a block counts
as a quoted header.  No line is dropped: each is given with what it was taken
for, so that a receipt can say that an order stood in it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, takewhile

from pbem.common.cpu_budget import check
from pbem.mail.parsed_email import Part

_ATTRIBUTION_REACH = 5
_HEADER_REACH = 8
_MARKED_WITHIN = 3
_WROTE_WITHIN = 40
"""More letters than the longest of the words has that end an attribution."""
_BARE_DASHES_SIGN_AT_MOST = 12
_LONG = 500
"""No line that announces a quotation or signs a letter is longer; what is, costs no pattern its time."""


@dataclass(frozen=True)
class Reply:
    """A text taken apart: each line with what it was taken for, without its marks, and whether anything is quoted."""

    body: tuple[tuple[Part, str], ...]
    quoted: bool

    @property
    def lines(self) -> tuple[str, ...]:
        """Return what the sender wrote."""
        return self._part(Part.OWN)

    @property
    def signature(self) -> tuple[str, ...]:
        """Return the sender's signature."""
        return self._part(Part.SIGNATURE)

    def _part(self, part: Part) -> tuple[str, ...]:
        return _trim_blank([line for found, line in self.body if found is part])


_WROTE = (
    r"wrote|writes|a écrit|a ecrit|écrivait|schrieb|schreef|geschreven|ha scritto|scrisse|escribió|"
    r"ha escrit|va escriure|escreveu|napisał(?:\(a\)|a)?|skrev|skreiv|kirjoitti|napsal(?:\(a\)|a)?|"
    r"napísal(?:\(a\)|a)?|írta|έγραψε|написал(?:\(а\)|а)?|"
    r"пишет|пише|писав(?:\(ла\))?|написа(?:в|ла|л)(?:\(ла\)|\(а\))?|написа|yazdı|şunu yazdı|a scris|"
    r"сообщил(?:\(а\))?|сообщает|повідомив|geschrieben|napisao(?: je|/la)?|napisala(?: je)?|je napisa[lo](?:\(a\))?|"
    r"kirjutas|rašė|rakstīja|menulis|đã viết|ezt írta|כתב|كتب"
)
_OPENING = r"(?:on|le|am|op|il|el|em|w dniu|dnia|den|d\.|in data|pada|στις|dne|à|a la data)"
_ADDRESS = r"[^\s<>@(\[\"]+@[^\s<>@)\]\"]+"
_TIME = re.compile(r"\d{1,2}\s?[:.hH]\s?\d{2}")
_DATE = re.compile(r"\b(?:19|20)\d{2}\b|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b")
_DAY = re.compile(
    r"\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}-\d{1,2}-\d{1,2}|\d{1,2}\.?\s+(?:de\s+)?[^\W\d]{3,}|"
    r"\b[^\W\d]{3,}\.?\s+\d{1,2}\b(?![:.hH])|\d{4}\s?[年년]"
)
_HAS_ADDRESS = re.compile(rf"(?<![^\s<>@(\[\"]){_ADDRESS}")
_ENDS_WROTE = re.compile(rf"(?:^|[\s>)\"'])(?:{_WROTE})\s*:?\s*$", re.IGNORECASE)
_NORDIC = re.compile(r"\s(?:skrev|schreef|schrieb|napsal|napisał)\s.{1,200}:\s*$", re.IGNORECASE)
_STARTS_OPENING = re.compile(rf"{_OPENING}\s+.{{0,40}}\d", re.IGNORECASE)
_STARTS_DATE = re.compile(r"(?:[^\W\d]{2,10}[.,]?,?\s+){0,2}\d{1,4}(?:[\s.,:/-]|st|nd|rd|th)", re.IGNORECASE)
_ENDS_ADDRESS = re.compile(rf"[<(\[]\s*(?:mailto:)?{_ADDRESS}\s*[>)\]]\s*:\s*$")
_HAS_BRACKETED = re.compile(rf"[<(\[]\s*(?:mailto:)?{_ADDRESS}\s*[>)\]]")
_ENDS_COLON = re.compile(r"[:：]\s*$")
_LONG_DATE = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)|(?<!\d)\d{1,2}[./-]\d{1,2}[./-]\d{2,4}(?!\d)")
_ZONED = re.compile(r"\d{4}-\d{2}-\d{2} \d{1,2}:\d{2} GMT[+-]\d{1,2}:\d{2}:? \S")
"""As Gmail once wrote it: a moment with its zone, then a name."""

_FROM = (
    "from|de|von|van|da|od|fra|från|lähettäjä|от|от кого|expediteur|expéditeur|feladó|από|message du|kimden|remitente"
)
_SENT = (
    "sent|date|envoyé|envoyé le|gesendet|datum|verzonden|inviato|data|enviado|enviado el|enviada em|"
    "enviado em|fecha|wysłano|sendt|dato|skickat|lähetetty|päivämäärä|"
    "отправлено|дата|odesláno|message du"
)
_TO = (
    "to|à|a|an|aan|para|do|til|till|vastaanottaja|кому|komu|cc|kopie|copie|copie à|cc:|"
    "kopia|kopi|bcc|reply-to|répondre à|cópia"
)
_SUBJECT = "subject|objet|sujet|betreff|onderwerp|oggetto|asunto|assunto|temat|emne|ämne|aihe|тема|předmět|tárgy|konu"


def _key(words: str) -> re.Pattern[str]:
    return re.compile(rf"\s*\*?\s*(?:{words})\s*:\*?(?:\s|\S)", re.IGNORECASE)


_KEYS = tuple(_key(words) for words in (_FROM, _SENT, _TO, _SUBJECT))
_FIRST_KEY = re.compile(rf"\s*\*?\s*(?:{_FROM})\s?:\*?\s?\S.*@", re.IGNORECASE)

_FORWARDED = (
    r"original message|message d['\u2019]origine|message original|message initial|ursprüngliche nachricht|"
    r"originalnachricht|oorspronkelijk bericht|messaggio originale|mensaje original|mensagem original|"
    r"oprindelig (?:besked|meddelelse)|opprinnelig melding|ursprungligt meddelande|alkuperäinen viesti|"
    r"wiadomość oryginalna|исходное сообщение|"
    r"forwarded message|message transféré|message transmis|weitergeleitete nachricht|"
    r"doorgestuurd bericht|messaggio inoltrato|mensaje reenviado|mensagem encaminhada|reply message"
)
_DASHED = re.compile(rf"\s*[-_=*]{{2,}}\s*(?:{_FORWARDED})\s*:?\s*[-_=*]{{2,}}\s*$", re.IGNORECASE)
_APPLE_FORWARD = re.compile(
    r"\s*(?:begin forwarded message|début du message (?:transféré|réexpédié)|"
    r"anfang der weitergeleiteten nachricht|inizio messaggio inoltrato|inicio del mensaje reenviado)\s*:?\s*$",
    re.IGNORECASE,
)
_ABOVE_HERE = re.compile(
    r"\s*[-_=*#~>]{2,}+.*\b(?:(?:reply|write|answer) above|above this line|au[- ]dessus de cette ligne)\b",
    re.IGNORECASE,
)
_BLANKS = re.compile(r"\s+")
_OUR_RULE = re.compile(r"\s*-{60,}\s*$")
"""The line above the foot of our letters."""
_RULE = re.compile(r"\s*[-_=*\u2500\u2014]{3,}\s*$")
_LABELLED_RULE = re.compile(r"\s*[-_=*]{4,}+\s?\S.{0,60}\S\s?[-_=*]{4,}+\s*$")
_QUOTE = re.compile(r"\s*>")
_QUOTES = re.compile(r"(?:\s*>)+")
_CLOSING = re.compile(r"\s*>\s*\)?\s*:?\s*$")
_FOOTER_RULE = re.compile(r"\s*_{2,}\s*$")
_FOOTER = re.compile(r"mailing list|liste de diffusion|google groups", re.IGNORECASE)
_MOBILE = re.compile(
    r"\s*[\[*_]?(?:"
    r"(?:sent|posted) (?:from|with|via|using|by) (?:my |the )?\S.{0,60}|"
    r"sent a magnificent torch of pixels|"
    r"get (?:outlook|bluemail|spark|aqua mail) for \S.{0,40}|download \S.{2,30} for (?:ios|android).{0,30}|"
    r"envoyée? (?:de|depuis|à partir d|avec|via|par|d['\u2019]) ?\S.{0,60}|"
    r"(?:télécharge[rz]|obtenir|obtenez) (?:outlook|bluemail|spark) pour \S.{0,40}|"
    r"provenance\s?: courrier pour windows.{0,20}|"
    r"(?:gesendet|diese nachricht wurde) (?:von|mit|aus|über) \S.{0,60}|von meinem \S.{0,30} gesendet|"
    r"verzonden (?:vanaf|met|via|vanuit) \S.{0,50}|inviato (?:da|con|dal) \S.{0,50}|"
    r"enviado (?:desde|do|de|con|a partir) \S.{0,50}|wysłane z \S.{0,50}|"
    r"skickat från \S.{0,50}|sendt fra \S.{0,50}|lähetetty \S.{0,50}|"
    r"отправлено (?:из|с) \S.{0,50}|"
    r"yahoo mail[:\xa0 ].{0,60}|cordialement, \S+ envoyé .{0,30}"
    r")[\]*_]?\s*$",
    re.IGNORECASE,
)


def is_quoted(line: str) -> bool:
    """Return True if a line carries a quote mark: such a line is never an order."""
    return _QUOTE.match(line) is not None


def parse_reply(text: str) -> Reply:
    """Take a reply's plain text apart; line ends may be of any kind.

    Lines that carry a quote mark go wherever they stand.  An attribution
    followed by marked lines goes alone, so that answers below or between them
    are read; one followed by unmarked text, and any quoted header block, ends
    the reading.
    """
    return ReplyParser(text.replace("\r\n", "\n").replace("\r", "\n").split("\n")).result()


class ReplyParser:
    """One walk down the lines of a text."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.bare = [_beginning(line) for line in lines]
        self.tails = _line_tails(lines)
        self.ours = _find_our_rule(lines)
        self.body: list[tuple[Part, str]] = []
        self.own: list[int] = []
        """Where in `body` the sender's own lines are, without blank ones at the beginning."""
        self.quoted = False
        self.signing = False

    def result(self) -> Reply:
        at = 0
        while at < len(self.lines):
            check()
            at = self._step(at)
        return Reply(tuple(self.body), self.quoted)

    def _step(self, at: int) -> int:
        line = self.lines[at]
        if is_quoted(line):
            self._add_quoted(line)
            return self._quote(at + 1)
        if self._is_end(at):
            if self._header(at):
                return self._unmarked(at)
            self._add(Part.OLDER, line)
            return self._unmarked(at + 1)
        if length := self._attribution(at):
            return self._skip_attribution(at, at + length)
        if not self.signing and self._is_signature(at):
            self.signing = True
            self._drop_rule()
        elif not self.signing and _is_mobile(line):
            self._add(Part.SIGNATURE, line)
        else:
            self._add_line(line)
        return at + 1

    def _add(self, part: Part, line: str) -> None:
        self.body.append((part, line))

    def _add_line(self, line: str) -> None:
        """A line of the sender's own; blank ones at the beginning are nobody's."""
        if self.signing:
            self._add(Part.SIGNATURE, line)
        elif self.own or line.strip():
            self.own.append(len(self.body))
            self._add(Part.OWN, line)

    def _quote(self, after: int) -> int:
        """Past a quoted line; what stands below a quote is no longer the signature above it."""
        self.quoted = True
        self.signing = False
        return after

    def _skip_attribution(self, first: int, after: int) -> int:
        self.quoted = True
        self._drop_rule()
        for line in self.lines[first:after]:
            self._add(Part.OLDER, line)
        below = islice((at for at in range(after, len(self.lines)) if self.lines[at].strip()), _MARKED_WITHIN)
        if any(is_quoted(self.lines[at]) for at in below):
            return after
        return after if not self.own and after > self.ours else self._unmarked(after)

    def _unmarked(self, at: int) -> int:
        """Past a quotation without marks, which goes on to the end; a letter inside it is an older one."""
        self.quoted = True
        while at < len(self.lines) and (not self.lines[at].strip() or self._header(at)):
            length = max(1, len(self._block(at)))
            for line in self.lines[at : at + length]:
                self._add(Part.OLDER, line)
            at += length
        older = False
        for line, bare in zip(self.lines[at:], self.bare[at:], strict=True):
            older = older or (len(line) <= _LONG and bool(_DASHED.match(bare) or _FIRST_KEY.match(bare)))
            if older:
                self._add(Part.OLDER, line)
            else:
                self._add_quoted(line if is_quoted(line) else f"> {line}")
        return len(self.lines)

    def _add_quoted(self, line: str) -> None:
        """Add a line of the letter that is answered, or of one quoted in it."""
        bare = _QUOTE.sub("", line, count=1)
        self._add(Part.OLDER if is_quoted(bare) else Part.QUOTED, _QUOTES.sub("", bare))

    def _drop_rule(self) -> None:
        """Take back a ruled line that stood directly above what has just been cut."""
        while self.own and not self.body[self.own[-1]][1].strip():
            self._take_back()
        last = self.body[self.own[-1]][1] if self.own else ""
        bare = _beginning(last) if len(last) < _LONG else ""
        if _RULE.match(bare) or _LABELLED_RULE.match(bare):
            self._take_back()

    def _take_back(self) -> None:
        at = self.own.pop()
        self.body[at] = (Part.OLDER, self.body[at][1])

    def _is_end(self, at: int) -> bool:
        bare = self.bare[at]
        if len(self.lines[at]) > _LONG or not bare.strip():
            return False
        if _DASHED.match(bare) or _APPLE_FORWARD.match(bare) or _ABOVE_HERE.match(bare) or self._header(at):
            self._drop_rule()
            return True
        below = self.bare[at + 1] if at + 1 < len(self.lines) else ""
        return bool(_FOOTER_RULE.match(bare) and _FOOTER.search(below))

    def _header(self, at: int) -> bool:
        """A block of mail headers written out, as Outlook and its kin put above what they quote."""
        if not (_KEYS[0].match(self.bare[at]) or _KEYS[1].match(self.bare[at])):
            return False
        seen = {
            number
            for line in self._block(at)
            for number, key in enumerate(_KEYS)
            if key.match(line) or (number == 3 and _SUBJECT_INSIDE.search(line))
        }
        return 0 in seen and (1 in seen or {2, 3} <= seen) and len(seen) >= 2 and self._is_convincing(at)

    def _block(self, at: int) -> list[str]:
        reach = self.bare[at : at + _HEADER_REACH]
        return list(takewhile(str.strip, reach))

    def _is_convincing(self, at: int) -> bool:
        text = "\n".join(self._block(at))
        return bool(_HAS_ADDRESS.search(text) or _TIME.search(text))

    def _attribution(self, at: int) -> int:
        """How many lines from here announce a quotation ("On ... X wrote:"); 0 if none do."""
        block = ""
        for count in range(1, _ATTRIBUTION_REACH + 1):
            if at + count > len(self.lines):
                return 0
            line = self.lines[at + count - 1]
            if not line.strip() or len(line) > _LONG or (is_quoted(line) and not _is_closing(block, line)):
                return 0
            if count > 1 and self._own_start(at + count - 1):
                return 0
            block = f"{block} {self.bare[at + count - 1].strip()}".strip()
            if _is_announcement(block, self._marked_below(at + count)):
                return 0 if self._is_alone(at + 1, at + count) else count
        return 0

    def _is_alone(self, first: int, end: int) -> bool:
        """Return True if the lines below the first one are an attribution by themselves: then the first is an order."""
        for start in range(first, end):
            block = " ".join(bare.strip() for bare in self.bare[start:end])
            if _DAY.search(block) and _is_announcement(block, self._marked_below(end)):
                return True
        return False

    def _own_start(self, at: int) -> bool:
        """Return True if an attribution begins at this very line, so that what stands above is the sender's own."""
        return bool(_STARTS_OPENING.match(self.bare[at].strip(" -")))

    def _marked_below(self, at: int) -> bool:
        for line in self.lines[at : at + 3]:
            if line.strip():
                return is_quoted(line)
        return False

    def _is_signature(self, at: int) -> bool:
        line = self.lines[at]
        if line.rstrip("\n") == "-- " or line == "--\xa0":
            return True
        return line.strip() == "--" and self.tails[at + 1] <= _BARE_DASHES_SIGN_AT_MOST


def _line_tails(lines: list[str]) -> list[int]:
    """For each line, and for the end, how many lines with words stand from it to the next quoted line.

    Two dashes that lost their blank sign off only a few lines: more is a divider in the text.
    """
    tails = [0] * (len(lines) + 1)
    for at in range(len(lines) - 1, -1, -1):
        tails[at] = 0 if is_quoted(lines[at]) else tails[at + 1] + bool(lines[at].strip())
    return tails


_SUBJECT_INSIDE = re.compile(rf"\s(?:{_SUBJECT})\s?:", re.IGNORECASE)


def _is_announcement(block: str, marked_below: bool) -> bool:
    """Return True if a run of joined lines is an attribution, whole."""
    text = block.strip("-_* ")
    if len(text) > 400:
        return False
    opened = _STARTS_OPENING.match(text) is not None
    dated = opened or _STARTS_DATE.match(text) is not None
    wrote = _ENDS_WROTE.search(text, max(0, len(text) - _WROTE_WITHIN)) is not None or (
        text.endswith(":") and _NORDIC.search(text) is not None
    )
    if wrote and marked_below and (dated or _HAS_ADDRESS.search(text)):
        return True
    if wrote and dated and (_HAS_ADDRESS.search(text) or (_TIME.search(text) and _DATE.search(text))):
        return True
    if dated and _ENDS_ADDRESS.search(text) and _TIME.search(text) and _DATE.search(text):
        return True
    zoned = _ZONED.match(text) is not None and text.count("<") == text.count(">")
    return zoned or _has_all_signs(text)


def _has_all_signs(text: str) -> bool:
    """Return True for an address, a date with its year, a time and a colon at the end: no order has all four."""
    told = _ENDS_COLON.search(text) and _HAS_BRACKETED.search(text)
    return bool(told and _TIME.search(text) and _LONG_DATE.search(text))


def _find_our_rule(lines: Sequence[str]) -> int:
    """The number of the last line without a mark that only a letter of ours holds, by which it is known; else -1."""
    ours = (at for at in range(len(lines) - 1, -1, -1) if _is_our_rule(lines[at]))
    return next(ours, -1)


def _is_our_rule(line: str) -> bool:
    return not is_quoted(line) and (line.lstrip().startswith(";") or _OUR_RULE.match(line) is not None)


def _beginning(line: str) -> str:
    """The beginning of a line with single blanks, which is all that the patterns here need to look at."""
    return _BLANKS.sub(" ", line[:_LONG])


def _is_closing(block: str, line: str) -> bool:
    """Return True if a line that looks quoted is only the bracket that a wrapped address left behind."""
    return block.rfind("<") > block.rfind(">") and _CLOSING.match(line) is not None


def _is_mobile(line: str) -> bool:
    if len(line) > _LONG:
        return False
    bare = re.sub(r"<https?://[^>]*>|\(https?://[^)]*\)", "", _beginning(line))
    return len(bare) <= 90 and _MOBILE.match(bare) is not None


def _trim_blank(lines: list[str]) -> tuple[str, ...]:
    first, last = 0, len(lines)
    while first < last and not lines[first].strip():
        first += 1
    while last > first and not lines[last - 1].strip():
        last -= 1
    return tuple(lines[first:last])
