"""The server as others meet it: its pages by their address, its mail door, its newest backup."""

import http.client
import socket
import ssl
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import SplitResult, urlsplit

from pbem.common import parsers
from pbem.config.settings import Address, Settings
from pbem.ops import backup_folder

PATIENCE_S: Final = 5.0
_EACH_DAY: Final = "see why none was made: journalctl -u pbem-backup, at home backup.log in the folder logs"
OLDEST_S: Final = 26 * 3600
"""A day, and what the timer may take."""
CERTIFICATE_DAYS: Final = 14
"""A certificate that is renewed by itself never has so few days left."""
_FAMILIES: Final = {socket.AF_INET: "IPv4", socket.AF_INET6: "IPv6"}


def list_problems(settings: Settings) -> list[str]:
    """A sentence for each thing that others would find away, with what to do. Nothing for a trial."""
    if not settings.production:
        return []
    return [*_check_pages(settings), *_check_door(settings), *check_backups(backup_folder.default_folder(settings))]


def _check_pages(settings: Settings) -> Iterator[str]:
    """Ask for the pages at each address that their name has."""
    url = urlsplit(settings.public_url)
    host, port = url.hostname or "", url.port or (443 if url.scheme == "https" else 80)
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError:
        yield f"{host} has no address in DNS, so nobody finds the pages: set A and AAAA, or correct PBEM_PUBLIC_URL."
        return
    for family, _, _, _, address in dict.fromkeys(found):
        if family in _FAMILIES and (why := _page_problem(url, str(address[0]), port)):
            where = f"{settings.public_url} over {_FAMILIES[family]} ({address[0]})"
            yield f"The pages at {where} {why}"


def _page_problem(url: SplitResult, address: str, port: int) -> str:
    """What is wrong with the pages at one address; "" for nothing."""
    host = url.hostname or ""
    try:
        with socket.create_connection((address, port), PATIENCE_S) as line:
            if url.scheme != "https":
                return _health_problem(url.netloc, line)
            with ssl.create_default_context().wrap_socket(line, server_hostname=host) as secured:
                days = _days_left(secured)
                if days < CERTIFICATE_DAYS:
                    return f"have a certificate for {days} more days only: renew it."
                return _health_problem(url.netloc, secured)
    except ssl.SSLCertVerificationError as error:
        return f"show a certificate that browsers refuse ({error.verify_message}): put one there that others trust."
    except ssl.SSLError:
        return "do not speak TLS: check the proxy."
    except (OSError, http.client.HTTPException) as error:
        why = getattr(error, "strerror", None) or ("no answer" if isinstance(error, TimeoutError) else "it broke off")
        return f"do not answer ({why}): start the proxy and pbem-web, and check firewall and DNS."


def _days_left(line: ssl.SSLSocket) -> int:
    ends = str((line.getpeercert() or {}).get("notAfter", ""))
    return int((ssl.cert_time_to_seconds(ends) - time.time()) // 86_400) if ends else 0


def _health_problem(name: str, line: socket.socket) -> str:
    """Ask for the sign of life of the web process over a connection."""
    asked = http.client.HTTPConnection(name)
    asked.sock = line
    asked.request("GET", "/healthz", headers={"Connection": "close"})
    answer = asked.getresponse()
    said = answer.read(200).decode("utf-8", "replace").strip()
    if answer.status == 200 and said.startswith("ok"):
        return ""
    if answer.status in (502, 503, 504):
        return f"answer {answer.status}: start pbem-web, and look at what else is said here."
    return f"are not ours (status {answer.status}): check the proxy, and the name in PBEM_PUBLIC_URL."


def _check_door(settings: Settings) -> Iterator[str]:
    """Speak to the smtp process as the mail server does, if it listens on this machine."""
    for name in ("PBEM_LMTP_LISTEN", "PBEM_SMTP_LISTEN"):
        written = settings.variables.get(name, "")
        host, _, port = written.rpartition(":")
        if written and parsers.is_local(host.strip("[]")) and not _greets(Address(host.strip("[]"), int(port))):
            yield f"The mail door at {written} ({name}) does not greet, so no letter comes in: start pbem-smtp."


def _greets(address: Address) -> bool:
    try:
        with socket.create_connection((address.host, address.port), PATIENCE_S) as line:
            line.settimeout(PATIENCE_S)
            greeting = line.recv(4)
            line.sendall(b"QUIT\r\n")
            return greeting == b"220 "
    except OSError:
        return False


def check_backups(folder: Path) -> list[str]:
    """What is wrong with the newest backup of a server, as far as its folder may be looked at."""
    try:
        found = backup_folder.newest(folder)
        if found is None:
            if any(path.suffix == ".part" and time.time() - path.stat().st_mtime < 3600 for path in folder.iterdir()):
                return []  # the first is being written
            return [f"There is no backup in {folder}: make one (pbem backup), and {_EACH_DAY}."]
        path, made = found
        hours = int((time.time() - made) // 3600)
        if hours * 3600 > OLDEST_S:
            return [f"The newest backup in {folder} is {hours} hours old: make one (pbem backup), and {_EACH_DAY}."]
        if not backup_folder.begins_as_backup(path):
            return [f"{path} is no backup, though it is named like one: delete it, and make one (pbem backup)."]
    except OSError:  # there is none, or it is not ours to look at
        return []
    return []
