"""The text of an HTML letter, with quote marks where its client drew a bar.

Clients mark a quotation by an element, not by a character.  Those elements
come out as lines that begin with '>', so that one rule, in `reply_parser`, decides
what was quoted, whatever the letter was made with.  Signature elements are kept
apart; what a reader would not see is left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lxml import etree
from lxml import html as lxml_html

from pbem.common.cpu_budget import check

_QUOTE_NAME = re.compile(
    r"(?:^|[\s_])(?:x_)?(?:moz-cite|protonmail_quote|yahoo_quoted|zmail_extra|"
    r"tutanota_quote|gmx_quote|ms-outlook-mobile-reference-message|mail-editor-reference-message-container)",
    re.IGNORECASE,
)
_QUOTE_BLOCK = re.compile(r"quote|cite|reply", re.IGNORECASE)
_SIGNATURE_NAME = re.compile(
    r"(?:^|\s)(?:x_)?(?:gmail_signature|moz-signature|protonmail_signature_block|signature|ms-outlook-mobile-signature|"
    r"tutanota_signature|yahoo_signature|ymail_android_signature)(?:\s|$|-)",
    re.IGNORECASE,
)
_CUT_NAME = re.compile(r"(?:^|\s)(?:x_)*(?:divRplyFwdMsg|OutlookMessageHeader|reply-intro)(?:\s|$)", re.IGNORECASE)
_HIDDEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|font-size\s*:\s*0(?:px)?\s*(?:;|$)", re.IGNORECASE
)
_BAR = re.compile(r"border-left(?:-[a-z]+)?\s*:[^;]*(?:solid|\d)", re.IGNORECASE)
_SILENT = frozenset({"script", "style", "head", "title", "template", "noscript", "object", "svg", "select"})
_BLOCK = frozenset(
    "address article aside blockquote body center dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header "
    "hr html li main nav ol p pre section table tbody tfoot thead tr ul".split()
)
_CELL = frozenset({"td", "th"})
_SPACE = re.compile(r"[ \t\r\n\f\v]+")
_ANNOUNCES = re.compile(r":\s*$")
_MAX_DEPTH = 200
_LONGEST_ATTRIBUTE = 1_000
MOST_LINES = 10_000


@dataclass(frozen=True)
class Rendered:
    """The lines of an HTML letter and, apart, those of its signature elements."""

    text: str
    signature: tuple[str, ...]
    whole: bool = True


class _LimitReached(Exception):
    """More lines than any letter has."""


@dataclass
class _Page:
    """Lines as they grow, each with the depth of quotation at which it began."""

    lines: list[tuple[int, str]] = field(default_factory=list)
    signature: list[str] = field(default_factory=list)
    current: list[str] = field(default_factory=list)
    depth: int = 0
    signing: int = 0
    pre: int = 0
    answered: int = 0
    """1 from where the letter begins that is being answered, 2 from where one quoted in it does: without a bar."""
    container: int = 0
    """At this depth of quotation the first bar adds nothing: a client drew it inside an element that says the same."""

    def add(self, text: str | None) -> None:
        if not text:
            return
        if self.pre:
            first, *rest = text.replace("\r\n", "\n").split("\n")
            self._put(first)
            for line in rest:
                self.end_line()
                self._put(line)
            return
        words = _SPACE.sub(" ", text)
        self._put(words.lstrip(" ") if not self.current or self.current[-1].endswith(" ") else words)

    def _put(self, words: str) -> None:
        if words:
            self.current.append(words)

    def end_line(self) -> None:
        whole = "".join(self.current)
        line = whole.rstrip() if whole.rstrip() != "--" else whole
        self.current.clear()
        if len(self.lines) + len(self.signature) >= MOST_LINES:
            raise _LimitReached
        if self.signing and not self.answered:
            self.signature.append(line)
        else:
            self.lines.append((self.depth + self.answered, line))

    def end_block(self) -> None:
        if any(words.strip() for words in self.current):
            self.end_line()
        self.current.clear()

    def text(self) -> str:
        return "\n".join(f"{'>' * depth}{' ' if depth else ''}{line}" for depth, line in self.lines)


def render(markup: str) -> Rendered:
    """What a reader of this HTML would see, line by line; markup of any quality, never an error but for memory."""
    page = _Page()
    root = _parse(markup)
    try:
        if root is not None:
            _walk(root, page, 0)
            page.end_block()
    except _LimitReached:
        return Rendered(page.text(), (), whole=False)
    return Rendered(page.text(), tuple(line for line in page.signature if line.strip()))


def _parse(markup: str) -> etree._Element | None:
    clean = re.sub(r"<\?xml[^>]{0,200}\?>", "", markup.replace("\x00", ""), count=1)
    parser = lxml_html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, no_network=True)
    try:
        return lxml_html.document_fromstring(clean.encode("utf-8", "replace"), parser=parser)
    except (etree.LxmlError, ValueError, AssertionError):
        return None


def _walk(element: etree._Element, page: _Page, level: int) -> None:
    """One element with all that it holds; its tail belongs to its parent."""
    check()
    tag = element.tag if isinstance(element.tag, str) else ""
    if not tag or tag in _SILENT or _HIDDEN.search(_attribute(element, "style")):
        return
    if level > _MAX_DEPTH:
        page.add(" ".join(element.itertext()))
        return
    name = f"{_attribute(element, 'class')} {_attribute(element, 'id')}"
    if _CUT_NAME.search(name):
        page.end_block()
        page.answered = min(page.answered + 1, 2)
    if tag == "br":
        page.end_line()
        return
    _enter_tag(element, page, level, tag, name)


def _attribute(element: etree._Element, name: str) -> str:
    """The beginning of an attribute; empty where there is none."""
    return (element.get(name) or "")[:_LONGEST_ATTRIBUTE]


def _enter_tag(element: etree._Element, page: _Page, level: int, tag: str, name: str) -> None:
    block = tag in _BLOCK or _SIGNATURE_NAME.search(name) is not None
    if block:
        page.end_block()
    elif tag in _CELL:
        page.add(" ")
    before = (page.depth, page.signing, page.pre, page.container)
    _enter_quote(element, page, tag, name)
    page.signing += _SIGNATURE_NAME.search(name) is not None
    page.pre += tag in ("pre", "textarea") or "white-space:pre" in _attribute(element, "style").replace(" ", "")
    page.add(element.text)
    for child in element:
        _walk(child, page, level + 1)
        page.add(child.tail)
    if block:
        page.end_block()
    page.depth, page.signing, page.pre, page.container = before


def _enter_quote(element: etree._Element, page: _Page, tag: str, name: str) -> None:
    """Go one deeper into quotation, once for an element of a client and the bar that it draws inside it."""
    if not _is_quote(element, page, tag, name):
        return
    drawn_already = tag == "blockquote" and page.container == page.depth > 0
    page.depth += not drawn_already
    page.container = page.depth if tag != "blockquote" else 0


def _is_quote(element: etree._Element, page: _Page, tag: str, name: str) -> bool:
    """Return True if an element holds another person's words.

    A bare blockquote is also what some clients make of an indented line: it
    counts as a quotation only if it says so, shows a bar, or follows a line
    that ends in a colon.
    """
    if _QUOTE_NAME.search(name):
        return True
    if tag != "blockquote":
        return False
    told = element.get("type") == "cite" or element.get("cite") is not None or _QUOTE_BLOCK.search(name)
    return bool(told or _BAR.search(_attribute(element, "style")) or _is_after_attribution(page))


def _is_after_attribution(page: _Page) -> bool:
    for _, line in reversed(page.lines[-4:]):
        if line.strip():
            return (_ANNOUNCES.search(line) is not None and "@" in line) or line.rstrip().endswith(("wrote:", "crit :"))
    return False
