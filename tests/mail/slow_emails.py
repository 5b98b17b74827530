"""Letters made to be slow: every shape that any pattern of the reading could trip over, in any size."""

from collections.abc import Callable, Iterator

Shape = Callable[[int], bytes]
"""A letter of about so many bytes."""

HEAD = b"From: a@b.example\r\nMessage-ID: <m@b.example>\r\nSubject: s\r\n"
PLAIN, HTML = b"Content-Type: text/plain; charset=utf-8\r\n", b"Content-Type: text/html; charset=utf-8\r\n"
FLOWED = b"Content-Type: text/plain; charset=utf-8; format=flowed\r\n"
BOUNCED = b"From: MAILER-DAEMON@b.example\r\n" + PLAIN

LINES = (
    "--",
    "-- ",
    "-----BEGIN PGP SIGNED MESSAGE-----",
    "-----BEGIN PGP SIGNATURE-----",
    "-----BEGIN PGP MESSAGE-----",
    ">",
    "> a",
    "a",
    "",
    " ",
    "On",
    "On 1",
    "On 1/1/2020 10:00 a@b.c wrote:",
    "On 1/1/2020 a@b.c wrote:\n> x",
    "On 1/1/2020 10:00 a@b.c wrote:\nx",
    "a@b.c wrote:",
    "From: a",
    "From: a@b.c 10:00\nSent: x",
    "From: a\nSent: b\n",
    "Sent: a",
    "<",
    "<a@b.c",
    ">:",
    "**a**",
    "- - -",
    "____\nx",
    "--- a ---",
    "Sent from my x",
    "1. a",
    "a: b",
    "; a",
    "=",
    "=20",
    "To: a@b.c",
    "message-id: <",
    "below this line",
    "\n            below",
    "--\n> a",
    "--\n\n\n\n",
    "From: a\nSent: b\n" + "a" * 3_000,
    "-----BEGIN PGP SIGNED MESSAGE-----\nA: b\n\n- x\n-----BEGIN PGP SIGNATURE-----",
)
MARKS = (
    " ",
    "-",
    "_",
    "*",
    "=",
    "#~>",
    "- ",
    "*_",
    ">",
    "<",
    "(",
    "[",
    "<http://",
    "(http://",
    "a",
    "a@",
    "@",
    "a.",
    "a ",
    "1",
    "1 ",
    "1/1/20 ",
    "10:00 ",
    "On ",
    "de la ",
    "wrote ",
    " skrev ",
    ":",
    "a:",
    "\u0301",
    "a\u0301",
    "\u200b",
    "\u00a0",
    "\u2028",
    "\f",
    "é",
    "\u201c",
    "'",
    '"',
    "&",
    "&amp;",
    "html ",
    "view html ",
    "write above ",
    "rfc822;",
)
TAGS = (
    "<",
    "<b>",
    "</b>",
    "<div>",
    "<br>",
    "<p>a",
    "<!--",
    "<table><tr><td>",
    "a<b>b</b>",
    "<pre>\n",
    "<textarea>",
    "<blockquote>",
    "<blockquote>a</blockquote>",
    "<p>a@b wrote:</p><blockquote>x</blockquote>",
    "<script>",
    "<td>a",
    "<div class='gmail_quote'>",
    "<div style='white-space:pre'>",
    "<span class='gmail_signature'>a</span>",
    "<?xml",
)
STYLES = ("border-left:", "display", "display ", "font-size:0", "x_", "gmail_", "quote", " ", "moz-cite", "-a")
HEADERS = (
    "From",
    "Subject",
    "Message-ID",
    "References",
    "Content-Type",
    "Content-Transfer-Encoding",
    "Content-Disposition",
    "Return-Path",
    "X-Failed-Recipients",
    "Auto-Submitted",
)
VALUES = (
    "<",
    "<a@b>",
    "(",
    "\\",
    '"',
    ";",
    "; a=b",
    "; a*0=b",
    '; a="',
    "=?utf-8?q?a?= ",
    "=?",
    "a,",
    "a@b,",
    "@",
    ":",
    "%",
    "\r\n ",
    "a ",
)
PARTS = (
    b"--x\r\n\r\na\r\n",
    b"--x\r\n",
    b"--x",
    b"--",
    b"--x-\r\n",
    b"a: b\r\n",
    b"--x\r\nContent-Type: message/rfc822\r\n\r\n",
    b"--x\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n",
    b"--x\r\nContent-Type: text/html\r\n\r\n<p>",
    b"--x\r\nContent-Transfer-Encoding: base64\r\n\r\nAAAA",
    b"--x\r\nContent-Type: a/b" + b";" * 900 + b"\r\n\r\na\r\n",
    b"--x\nContent-Type: message/delivery-status\n\nFinal-Recipient: rfc822;a@b.c\n\n",
)


def shapes() -> Iterator[tuple[str, Shape]]:
    """Every shape with its name."""
    for line in LINES:
        for how, head in (("plain", PLAIN), ("flowed", FLOWED)):
            yield f"{how} lines of {line[:40]!r}", _body(HEAD + head, f"{line}\n")
        yield f"a bounce of {line[:40]!r}", _body(BOUNCED, f"{line}\n")
    for mark in MARKS:
        yield f"one line of {mark!r}", _body(HEAD + PLAIN, mark)
        for start, end in (("", ""), ("", "x"), ("On 1 ", ""), ("From: a\nSent: ", "")):
            long = start + (mark * 480)[: 480 - len(start)] + end
            yield f"lines of {start!r}, {mark!r} and {end!r}", _body(HEAD + PLAIN, f"{long}\n")
    for tag in TAGS:
        yield f"markup of {tag!r}", _body(HEAD + HTML, tag)
    for style in STYLES:
        for name in ("style", "class"):
            yield f"{name} of {style!r}", _wrapped(HEAD + HTML + f"\r\n<blockquote {name}='".encode(), style, b"'>x")
    for name in HEADERS:
        for value in VALUES:
            yield f"{name} of {value!r}", _wrapped(f"From: a@b.c\r\n{name}: ".encode(), value, b"\r\n\r\nx\r\n")
        yield f"many of {name}", _wrapped(b"", f"{name}: a@b.c\r\n", b"\r\nx\r\n")
    for part in PARTS:
        for kind in (b"multipart/mixed", b"multipart/report; report-type=delivery-status"):
            opening = HEAD + b"Content-Type: " + kind + b"; boundary=x\r\n\r\n"
            yield f"{kind.decode()} of {part[:60]!r}", _wrapped(opening, part.decode(), b"--x--\r\n")


def _body(head: bytes, piece: str) -> Shape:
    return _wrapped(head + b"\r\n", piece, b"")


def _wrapped(start: bytes, piece: str, end: bytes) -> Shape:
    one = piece.encode()
    return lambda size: start + one * max(1, size // len(one)) + end
