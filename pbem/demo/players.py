"""Players who know nothing but their letters: they take likely lines out of the orders template and mail them back.

Where lines do not go together they send one for each question: a single line of the template is always accepted.
"""

import random
import re
import smtplib
from collections.abc import Sequence
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.utils import make_msgid, parseaddr

from pbem.demo.post_office import Mail

_OFFERED = re.compile(r"^\s*;\s{0,2}(\S.*?)\s*$")
_HEADING = re.compile(r"--- (.*?)(?: \(.*\))?$")
_CONDITIONAL = re.compile(r"(?:(?:FOR|POUR)\b[^:]*$|(?:ON|SUR|IF|SI)\b)", re.IGNORECASE)
_REFUSED = re.compile(r"\b(?:refused|refusés?|refusées?)\b", re.IGNORECASE)
_JOIN = re.compile(r"/join/[a-z0-9]+")


def reply_to(message: EmailMessage) -> str:
    """Where an answer goes."""
    return parseaddr(str(message["Reply-To"] or message["From"]))[1]


def send(port: int, sender: str, name: str, original: EmailMessage, lines: Sequence[str]) -> None:
    """Mail an answer to a letter, quoting it as mail programs do."""
    answer = EmailMessage()
    answer["From"] = f"{name} <{sender}>"
    answer["To"] = reply_to(original)
    answer["Subject"] = f"Re: {original['Subject']}"
    answer["Message-ID"] = make_msgid(domain="players.localhost")
    answer["In-Reply-To"] = str(original["Message-ID"])
    body = original.get_body(("plain",))
    quoted = [f"> {line}" for line in str(body.get_content()).splitlines()[:12]] if body is not None else []
    answer.set_content("\n".join((*lines, "", f"On {original['Date']}, {original['From']} wrote:", *quoted)) + "\n")
    with smtplib.SMTP("127.0.0.1", port, timeout=30) as server:
        server.send_message(answer, sender, [reply_to(original)])


def template_lines(text: str) -> list[list[str]]:
    """The lines that a letter's template offers, a list for each question; each question is headed `; --- its name`.

    Where nothing is likely, as in a campaign without troops, it is the line that sends this question's empty set.
    """
    names: list[str] = []
    found: list[list[str]] = []
    for line in text.splitlines():
        match = _OFFERED.match(line)
        if match is None:
            continue
        if heading := _HEADING.match(match.group(1)):
            names.append(heading.group(1))
            found.append([])
        elif found and not _CONDITIONAL.match(match.group(1)):
            found[-1].append(match.group(1))
    return [lines or [f"PASS {name}"] for name, lines in zip(names, found, strict=True)]


@dataclass
class Player:
    """One seat of the demo that plays by mail alone."""

    address: str
    name: str
    port: int
    chance: random.Random
    last: dict[str, list[list[str]]] = field(default_factory=dict)

    def read(self, mail: Mail) -> None:
        """Answer a letter, if it asks for something."""
        message, text = mail.message(), mail.text
        answers = str(message["Auto-Submitted"] or "").startswith("auto-replied")
        if answers:
            self._after_receipt(message, text)
        elif _JOIN.search(text):
            self._write(message, [["JOIN " + str(self.chance.random())[2:8]]])
        elif sets := template_lines(text):
            self._write(message, [self._chosen(lines) for lines in sets])

    def _chosen(self, lines: Sequence[str]) -> list[str]:
        """One of the likely lines, or several, in their order."""
        if self.chance.random() < 0.5:
            return [self.chance.choice(list(lines))]
        return [line for line in lines if self.chance.random() < 0.6] or list(lines[:1])

    def _after_receipt(self, message: EmailMessage, text: str) -> None:
        """Where a set was refused, all are sent again: each with its first line, and at last the empty one."""
        tried = self.last.get(reply_to(message))
        if not tried or not _REFUSED.search(text):
            return
        if any(len(lines) > 1 for lines in tried):
            self._write(message, [lines[:1] for lines in tried])
        elif tried != [["PASS"]]:
            self._write(message, [["PASS"]])

    def _write(self, original: EmailMessage, sets: Sequence[list[str]]) -> None:
        self.last[reply_to(original)] = list(sets)
        send(self.port, self.address, self.name, original, [line for lines in sets for line in lines])
