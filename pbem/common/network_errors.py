"""Why another server could not be used, in words that say what to look at."""

import re
import socket
import ssl
from typing import Final

_POSTGRESQL: Final = re.compile(r"FATAL:\s+(.+)|server [^\n]* failed: (?!FATAL)(.+)|(failed to resolve host.+?): ")
"""What psycopg says in the text of its errors alone; no password is in it."""
_LOGIN: Final = re.compile(r"Auth|Login|WRONGPASS|NOAUTH")
"""In names of classes: errors of logins, of IMAP, SMTP and Redis."""
_CAUSES: Final[tuple[tuple[type[BaseException], str], ...]] = (
    (ssl.SSLError, "it does not speak TLS on that port; look at port and TLS"),
    (socket.gaierror, "there is no machine of that name, or DNS is away"),
    (ConnectionRefusedError, "nothing listens on that port; start it, or look at the port"),
    (FileNotFoundError, "there is no such socket; start it, or look at its place"),
    (TimeoutError, "no answer in time; look at name, port and firewall"),
)


def describe(error: BaseException) -> str:
    """What went wrong on the way to another server; libraries wrap what the system said."""
    for one in _chain(error):
        if isinstance(one, ssl.SSLCertVerificationError):
            return f"its certificate is refused: {one.verify_message}; look at the name and at this machine's clock"
        for kind, words in _CAUSES:
            if isinstance(one, kind):
                return words
        if _LOGIN.search(type(one).__name__):
            return "it refuses this user or password"
        if said := _POSTGRESQL.search(str(one)):
            return str(next(filter(None, said.groups()))).strip()
    return f"{error.strerror}" if isinstance(error, OSError) and error.strerror else "the connection broke off"


def _chain(error: BaseException) -> list[BaseException]:
    """An error, what it was raised from, and what SQLAlchemy keeps of it; the innermost last."""
    found: list[BaseException] = []
    inner: BaseException | None = error
    while inner is not None and inner not in found:
        found.append(inner)
        inner = getattr(inner, "orig", None) or inner.__cause__ or inner.__context__
    return found[::-1]
