"""Answers to a letter of ours as five mail programs write them: each gives the bytes that its server would send.

What a person does is the same in all: orders, written above what is quoted; only in the first one, on the web page of
Gmail, they take the semicolon off the line of our template where it stands, inside the quotation.
"""

import html
from collections.abc import Callable, Mapping, Sequence
from email.message import EmailMessage
from email.utils import parseaddr

from pbem.demo.players import reply_to


def _plain(original: EmailMessage) -> list[str]:
    body = original.get_body(("plain",))
    return str(body.get_content()).rstrip("\n").splitlines() if body is not None else []


def _envelope(original: EmailMessage, sender: str, number: int) -> EmailMessage:
    letter = EmailMessage()
    letter["From"] = f"Zoé Joueuse <{sender}>"
    letter["To"] = reply_to(original)
    letter["Subject"] = f"Re: {original['Subject']}"
    letter["Message-ID"] = f"<{number}.{sender}>"
    letter["In-Reply-To"] = str(original["Message-ID"])
    letter["References"] = f"{original['References'] or ''} {original['Message-ID']}".strip()
    return letter


def _author(original: EmailMessage) -> tuple[str, str]:
    return parseaddr(str(original["From"]))


def gmail(original: EmailMessage, lines: Sequence[str], sender: str, number: int) -> bytes:
    """The web page of Gmail, plain and HTML: nothing is written above, lines of the template are uncovered."""
    wanted, shown = list(lines), []
    for line in _plain(original):
        bare = line.removeprefix("; ")
        if bare in wanted and line != bare:
            wanted.remove(bare)
            line = bare
        shown.append(line)
    if wanted:
        raise ValueError("These lines stand in no template.")
    name, address = _author(original)
    letter = _envelope(original, sender, number)
    said = f"On Sun, Mar 1, 2026 at 1:00 PM {name} <{address}>\nwrote:\n\n"
    letter.set_content(said + "\n".join(f"> {line}".rstrip() for line in shown) + "\n")
    quoted = "".join(f"<div>{html.escape(line) or '<br>'}</div>" for line in shown)
    attribution = html.escape(f"On Sun, Mar 1, 2026 at 1:00 PM {name} <{address}> wrote:")
    letter.add_alternative(
        '<div dir="ltr"><br></div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">'
        f'{attribution}<br></div><blockquote class="gmail_quote" style="border-left:1px solid rgb(204,204,204)">'
        f"{quoted}</blockquote></div>",
        subtype="html",
    )
    return letter.as_bytes()


def outlook(original: EmailMessage, lines: Sequence[str], sender: str, number: int) -> bytes:
    """Outlook on Windows: HTML only, in latin-1, the letter that is answered below a block of headers."""
    name, address = _author(original)
    paragraphs = "".join(f"<p class=MsoNormal>{html.escape(line)}<o:p></o:p></p>" for line in lines)
    quoted = "".join(f"<p class=MsoNormal>{html.escape(line)}</p>" for line in _plain(original))
    headers = (
        f"<b>De&nbsp;:</b> {html.escape(name)} &lt;{address}&gt;<br><b>Envoyé&nbsp;:</b> dimanche 1 mars 2026 13:00<br>"
        f"<b>À&nbsp;:</b> {sender}<br><b>Objet&nbsp;:</b> {html.escape(str(original['Subject']))}"
    )
    page = (
        f"<html><body lang=FR><div class=WordSection1>{paragraphs}<p class=MsoNormal>Amitiés, Zoé</p>"
        '<div id="divRplyFwdMsg" style="border-top:solid #E1E1E1 1.0pt">'
        f"<p class=MsoNormal>{headers}</p></div>{quoted}</div></body></html>"
    )
    letter = _envelope(original, sender, number)
    letter.set_content("x")
    letter.set_payload(page.encode("iso-8859-1", "xmlcharrefreplace"))
    for header in ("Content-Type", "Content-Transfer-Encoding"):
        del letter[header]
    letter["Content-Type"] = 'text/html; charset="iso-8859-1"'
    letter["Content-Transfer-Encoding"] = "8bit"
    return bytes(letter.as_bytes())


def apple_mail(original: EmailMessage, lines: Sequence[str], sender: str, number: int) -> bytes:
    """Apple Mail: the attribution carries a quote mark of its own."""
    name, address = _author(original)
    letter = _envelope(original, sender, number)
    quoted = [f"On 1 Mar 2026, at 13:00, {name} <{address}> wrote:", "", *_plain(original)]
    letter.set_content("\n".join([*lines, "", *(f"> {line}".rstrip() for line in quoted)]) + "\n")
    rows = "".join(f"<div>{html.escape(line)}</div>" for line in lines)
    cited = "<br>".join(map(html.escape, quoted))
    letter.add_alternative(
        f'<html><body>{rows}<br><blockquote type="cite">{cited}</blockquote></body></html>', subtype="html"
    )
    return letter.as_bytes()


def thunderbird(original: EmailMessage, lines: Sequence[str], sender: str, number: int) -> bytes:
    """Thunderbird: format=flowed, long lines wrapped at a trailing blank, a signature below its mark."""
    name, _ = _author(original)
    quoted = [f"> {line}".rstrip() for line in _plain(original)]
    flowed = [line.replace(" ELSE", " \nELSE", 1) for line in lines]
    text = [f"On 01/03/2026 13:00, {name} wrote:", *quoted, "", *flowed, "", "-- ", "Zoé"]
    letter = _envelope(original, sender, number)
    letter.set_content("\n".join(text) + "\n", cte="8bit")
    letter.set_param("format", "flowed")
    return letter.as_bytes()


def phone(original: EmailMessage, lines: Sequence[str], sender: str, number: int) -> bytes:
    """A phone: base64, its own line under the text, typographic quotes and lower case."""
    name, address = _author(original)
    quoted = [f"> {line}".rstrip() for line in _plain(original)]
    said = f"Le 1 mars 2026 à 13:00, {name} <{address}> a écrit :"
    text = [*(line.lower() for line in lines), "", "Envoyé de mon iPhone", "", said, "", *quoted]
    letter = _envelope(original, sender, number)
    letter.set_content("\n".join(text) + "\n", cte="base64")
    return letter.as_bytes()


STYLES: Mapping[str, Callable[[EmailMessage, Sequence[str], str, int], bytes]] = {
    "gmail": gmail,
    "outlook": outlook,
    "apple mail": apple_mail,
    "thunderbird": thunderbird,
    "phone": phone,
}
