"""Players who know nothing but their letters: they take likely lines out of the orders template and mail them back.

Where a set is refused they try with half as many lines; a single line of the template is always accepted, and PASS
where there is none.
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
_HEADING = re.compile(r"^\s*;?\s*(?:FOR|POUR|ON|SUR|IF|SI)\b", re.IGNORECASE)
_REFUSED = re.compile(r"refus(?:ed|é)", re.IGNORECASE)


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
    answer.set_content("\n".join((*lines, "", "On Friday the table wrote:", *quoted)) + "\n")
    with smtplib.SMTP("127.0.0.1", port, timeout=30) as server:
        server.send_message(answer, sender, [reply_to(original)])


def offered(text: str) -> list[str]:
    """The lines that the template of a letter offers for what is asked now."""
    found: list[str] = []
    for line in text.splitlines():
        match = _OFFERED.match(line)
        if match is None:
            if found and line.strip() and not line.startswith(" "):
                break
            continue
        if _HEADING.match(line):
            break
        found.append(match.group(1))
    return found


@dataclass
class Player:
    """One seat of the demo that plays by mail alone."""

    address: str
    name: str
    port: int
    chance: random.Random
    letters: int = 0
    last: dict[str, list[str]] = field(default_factory=dict)

    def read(self, mail: Mail) -> None:
        """Answer a letter, if it asks for something."""
        message, text = mail.message(), mail.text
        answers = str(message["Auto-Submitted"] or "").startswith("auto-replied")
        if answers:
            self._after_receipt(message, text)
        elif "JOIN" in text or "REJOINDRE" in text:
            self._write(message, ["JOIN " + str(self.chance.random())[2:8]])
        else:
            self._play(message, text)

    def _play(self, message: EmailMessage, text: str) -> None:
        lines = offered(text)
        if lines:
            self._write(message, self._chosen(lines))

    def _chosen(self, lines: Sequence[str]) -> list[str]:
        """Some of the likely lines, in their order."""
        if self.chance.random() < 0.4:
            return list(lines)
        kept = [line for line in lines if self.chance.random() < 0.7]
        return kept or [self.chance.choice(list(lines))]

    def _after_receipt(self, message: EmailMessage, text: str) -> None:
        """A refused set is sent again with half of its lines, a refused line by PASS."""
        address = reply_to(message)
        tried = self.last.get(address, [])
        if not tried or not _REFUSED.search(text):
            return
        shorter = tried[: len(tried) // 2] if len(tried) > 1 else ["PASS"]
        if tried != ["PASS"]:
            self._write(message, shorter)

    def _write(self, original: EmailMessage, lines: Sequence[str]) -> None:
        self.last[reply_to(original)] = list(lines)
        self.letters += 1
        send(self.port, self.address, self.name, original, lines)
