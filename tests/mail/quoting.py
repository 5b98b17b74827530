"""What the server makes of an email that quotes one of ours: parsed, and known by what that one said."""

from collections.abc import Sequence

from pbem.app import parts_of
from pbem.mail.parser import parse_message
from pbem.service.base.services import ParsedEmail, PrintedText
from pbem.service.mail.printed_emails import recognize, to_known

TOKEN = "b" * 26


def printed(lines: Sequence[str], template: Sequence[str], blocks: Sequence[str] = ()) -> PrintedText:
    """An email of ours, as it is kept."""
    return PrintedText(TOKEN, "report", tuple(template), tuple(lines), tuple(blocks or lines))


def understand(raw: bytes, *ours: PrintedText, domain: str = "games.example.org") -> ParsedEmail:
    """An email that answers these."""
    got = parse_message(raw, domain=domain)
    body = parts_of(got.body)
    letter = ParsedEmail("ordinary", False, "reply", TOKEN, lines=got.lines, quoted=got.quoted, body=body)
    return recognize(letter, [to_known(one) for one in ours])


def understand_text(text: str, *ours: PrintedText) -> ParsedEmail:
    """A plain text that answers these."""
    head = "From: a@b.example\nMessage-ID: <m@b.example>\nContent-Type: text/plain; charset=utf-8\n\n"
    return understand(f"{head}{text}".encode(), *ours)
