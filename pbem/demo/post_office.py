"""The demo's post office: the relay that our letters go to.  It keeps each reader's letters in a folder.

Only the demo has one; it stands for the players' own mail providers.
"""

import email.policy
import threading
from collections.abc import Callable
from dataclasses import dataclass
from email import message_from_bytes
from email.message import EmailMessage
from pathlib import Path

from pbem.mail.smtp_server import Envelope, Server, ServerConfig


@dataclass(frozen=True)
class Mail:
    """One letter in a mailbox."""

    number: int
    to: str
    path: Path

    def message(self) -> EmailMessage:
        """The letter, parsed."""
        message = message_from_bytes(self.path.read_bytes(), policy=email.policy.default)
        assert isinstance(message, EmailMessage)
        return message

    @property
    def text(self) -> str:
        """Its text part."""
        part = self.message().get_body(("plain",))
        return str(part.get_content()) if part is not None else ""

    @property
    def html(self) -> str:
        """Its HTML part, or nothing."""
        part = self.message().get_body(("html",))
        return str(part.get_content()) if part is not None else ""


class PostOffice:
    """An SMTP server that takes every letter and tells the one who waits for it."""

    def __init__(self, folder: Path, port: int, arrived: Callable[[Mail], None], host: str = "127.0.0.1") -> None:
        """`folder` holds a folder for each address; `arrived` is called once for each new letter."""
        self.folder, self._arrived = folder, arrived
        self._lock = threading.Lock()
        self._seen: dict[str, bytes] = {}
        self.boxes: dict[str, list[Mail]] = {}
        self.repeated: list[str] = []
        self.differing: list[str] = []
        entrance = ServerConfig(host, port, "smtp", "post.localhost", max_bytes=4 * 1024 * 1024)
        self._listener = Server(self._store, lambda address: True, entrance)

    def start(self) -> None:
        """Open."""
        self._listener.start()

    def stop(self) -> None:
        """Close."""
        self._listener.stop()

    def _store(self, envelope: Envelope) -> None:
        for recipient in envelope.recipients:
            mail = self._keep(recipient.lower(), envelope.raw)
            if mail is not None:
                self._arrived(mail)

    def _keep(self, recipient: str, raw: bytes) -> Mail | None:
        """Put a letter into its box; one that comes twice must be the same to the byte."""
        with self._lock:
            known = str(message_from_bytes(raw)["Message-ID"])
            if known in self._seen:
                self.repeated.append(known)
                if self._seen[known] != raw:
                    self.differing.append(known)
                return None
            self._seen[known] = raw
            box = self.boxes.setdefault(recipient, [])
            place = self.folder / recipient
            place.mkdir(parents=True, exist_ok=True)
            mail = Mail(len(box) + 1, recipient, place / f"{len(box) + 1:04}.eml")
            mail.path.write_bytes(raw)
            box.append(mail)
            return mail
