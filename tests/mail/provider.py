"""A provider of mailboxes on the loopback: a submission server with a password, behind it a Dovecot and the players."""

import logging
import warnings
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword

from pbem.demo.post_office import PostOffice
from pbem.mail.smtp_server import Envelope
from pbem.ops.servers import free_port
from tests.mail.dovecot import PASSWORD, USER, Dovecot

NAME, DOMAIN = USER.split("@")


class Provider(PostOffice):
    """Takes letters from who knows the password: for the mailbox, with a plus sign or not, or for a player."""

    def __init__(self, folder: Path, mailbox: Dovecot) -> None:
        super().__init__(folder, free_port(), lambda mail: None)
        self.mailbox = mailbox
        self.knows_plus = True
        self.catches_all = False
        self._door = _Submission(self, hostname="127.0.0.1", port=self._listener.entrance.port)

    @property
    def port(self) -> int:
        """Where it listens."""
        return self._listener.entrance.port

    def start(self) -> None:
        """Open."""
        logging.getLogger("mail.log").setLevel(logging.CRITICAL + 1)
        self._door.start()

    def stop(self) -> None:
        """Close."""
        self._door.stop()

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 - the library's name
        for recipient in map(str.lower, envelope.rcpt_tos):
            local, _, domain = recipient.rpartition("@")
            if domain != DOMAIN:
                self._store(Envelope(envelope.mail_from, (recipient,), envelope.content))
            elif self.catches_all or local == NAME or (self.knows_plus and local.startswith(f"{NAME}+")):
                self.mailbox.deliver(envelope.content, recipient)
        return "250 2.0.0 OK"


class _Submission(Controller):
    def factory(self) -> SMTP:
        """A session that takes no letter before the password."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that there is no TLS here
            return SMTP(
                self.handler,
                hostname="localhost",
                authenticator=_known,
                auth_required=True,
                auth_require_tls=False,
                data_size_limit=4 * 1024 * 1024,
            )


def _known(server: Any, session: Any, envelope: Any, mechanism: str, data: Any) -> AuthResult:
    known = isinstance(data, LoginPassword) and (data.login, data.password) == (USER.encode(), PASSWORD.encode())
    return AuthResult(success=known, handled=False)
