"""What is said to a relay for one letter, and what it answers: each in its turn, or together where it hears that."""

import re
import smtplib
from collections.abc import Iterator, Sequence
from typing import Final

Answer = tuple[int, bytes]

_DOT: Final = re.compile(rb"^\.", re.MULTILINE)


def run_sequential(
    server: smtplib.SMTP, envelope_from: str, options: Sequence[str], reader: str, message: bytes
) -> Iterator[Answer]:
    """What a relay answers to the sender, the recipient and the letter, each asked when the last answer was heard."""
    yield server.mail(envelope_from, options)
    yield server.rcpt(reader)
    yield server.data(message)


def run_pipelined(
    server: smtplib.SMTP, envelope_from: str, options: Sequence[str], reader: str, message: bytes
) -> Iterator[Answer]:
    """The same answers of a relay that hears all but the letter together (RFC 2920), in a third of the journeys.

    The letter goes out once both addresses and DATA were answered with yes.  Whoever stops before that closes the
    connection: answers are still under way on it, and a relay may wait for a letter to nobody.
    """
    sender = " ".join((f"MAIL FROM:{smtplib.quoteaddr(envelope_from)}", *options))
    lines = (sender, f"RCPT TO:{smtplib.quoteaddr(reader)}", "DATA")
    if any("\r" in line or "\n" in line for line in lines):
        raise ValueError("A command is one line.")
    server.send("".join(f"{line}\r\n" for line in lines))
    yield server.getreply()
    yield server.getreply()
    code, text = server.getreply()
    if code != 354:
        yield code, text
        return
    ended = message if message.endswith(b"\r\n") else message + b"\r\n"
    server.send(_DOT.sub(b"..", ended) + b".\r\n")
    yield server.getreply()
