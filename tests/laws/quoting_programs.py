"""Mail programs that quote an email of ours in an answer: how they announce, mark and wrap it, or show it as HTML."""

import html
import re
from collections.abc import Callable, Mapping, Sequence
from textwrap import wrap

from tests.mail.test_reply_parser import ATTRIBUTIONS, HEADERS

Program = Callable[[str, str, Sequence[str]], bytes]
"""An answer, as bytes, to an email of this text and this HTML, with these lines of the person who writes."""

_HEAD = "From: Zoé <zoe@players.test>\r\nMessage-ID: <1@players.test>\r\nSubject: Re: x\r\nMIME-Version: 1.0\r\n"


def _message(kind: str, body: str, more: str = "") -> bytes:
    head = f"{_HEAD}Content-Type: text/{kind}; charset=utf-8{more}\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"
    return (head + body).encode()


def _plain(announced: str, width: int, mark: str, goes_on: str, *, below: bool = False) -> Program:
    """A program that quotes the text.  `width`: it wraps what is longer; `goes_on`: its mark on what is wrapped."""

    def write(text: str, _: str, lines: Sequence[str]) -> bytes:
        quoted = [row for line in text.rstrip("\n").split("\n") for row in _wrap(line, width, mark, goes_on)]
        parts = [announced, "\n".join(quoted), "\n".join(lines)] if below else ["\n".join(lines), announced, *quoted]
        return _message("plain", "\n\n".join(parts[:2]) + "\n" + "\n".join(parts[2:]) + "\n")

    return write


def _wrap(line: str, width: int, mark: str, goes_on: str) -> list[str]:
    rows = wrap(line, width - len(mark), break_long_words=False, break_on_hyphens=False) or [""]
    return [f"{mark}{rows[0]}".rstrip(), *(f"{goes_on}{row}" for row in rows[1:])]


def _flowed(text: str, _: str, lines: Sequence[str]) -> bytes:
    """Thunderbird: format=flowed, marks stuffed."""
    quoted = "\n".join(f"> {line}".rstrip() for line in text.rstrip("\n").split("\n"))
    return _message("plain", "\n".join([*lines, "", ATTRIBUTIONS[0], quoted, ""]), "; format=flowed")


def _page(before: str, after: str, row: str = "<div>{}</div>") -> Program:
    """A program that writes HTML, its own rows above the page that it quotes between these tags."""

    def write(_: str, page: str, lines: Sequence[str]) -> bytes:
        own = "".join(row.format(html.escape(line)) for line in lines)
        return _message("html", f"<html><body>{own}<br>{before}{_inside(page)}{after}</body></html>")

    return write


def _inside(page: str) -> str:
    """The content of a page, without what only a head may hold."""
    found = re.search(r"<body[^>]*>(.*)</body>", page, re.DOTALL)
    return found[1] if found else page


_SAID = html.escape("On Tue, Nov 18, 2025 at 5:40 PM Rose <t@games.example> wrote:")
_OUTLOOK = (
    "<p class=MsoNormal><b>From:</b> Rose &lt;t@games.example&gt;<br><b>Sent:</b> Tuesday, 18 November 2025 17:40<br>"
    "<b>To:</b> Zoe<br><b>Subject:</b> x</p>"
)
_PLAIN = {
    f"plain {number}": _plain(said, width, "> ", goes_on, below=below)
    for number, (said, width, goes_on, below) in enumerate(
        zip(
            ATTRIBUTIONS[:20],
            [10_000, 78, 76, 72, 66, 64, 78, 10_000, 72, 66] * 2,
            ["> ", "> ", "", "> ", "", "> ", "", "> ", "", ""] * 2,
            [False, False, False, True, False, False, True, False, False, False] * 2,
            strict=True,
        )
    )
}
_BLOCKS = {
    f"headers {number}": _plain(said, width, "", "")
    for number, (said, width) in enumerate(zip(HEADERS[:6], [10_000, 78, 72, 66, 76, 10_000], strict=True))
}
PROGRAMS: Mapping[str, Program] = {
    **_PLAIN,
    **_BLOCKS,
    "flowed": _flowed,
    "gmail": _page(
        f'<div class="gmail_quote"><div class="gmail_attr">{_SAID}</div><blockquote class="gmail_quote">',
        "</blockquote></div>",
    ),
    "apple": _page('<blockquote type="cite">', "</blockquote>"),
    "thunderbird": _page(
        f'<div class="moz-cite-prefix">{_SAID}</div><blockquote type="cite" cite="mid:x">', "</blockquote>"
    ),
    "outlook": _page(f'<div id="divRplyFwdMsg">{_OUTLOOK}</div>', "", "<p class=MsoNormal>{}</p>"),
    "outlook mobile": _page(f'<hr><div id="mail-editor-reference-message-container"><div>{_OUTLOOK}</div>', "</div>"),
    "proton": _page(
        f'<div class="protonmail_quote">{_SAID}<br><blockquote class="protonmail_quote" type="cite">',
        "</blockquote></div>",
    ),
    "yahoo": _page(f'<div class="yahoo_quoted"><div>{_SAID}</div><div>', "</div></div>"),
    "tutanota": _page(f'{_SAID}<br><blockquote class="tutanota_quote">', "</blockquote>"),
    "zoho": _page(f'<div class="zmail_extra">{_SAID}<blockquote>', "</blockquote></div>"),
    "gmx": _page(f'<div name="quote" class="gmx_quote"><div>{_SAID}</div>', "</div>"),
}
