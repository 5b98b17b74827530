"""The other mail entrance: letters fetched from an ordinary mailbox by IMAP (RFC 9051), as soon as it tells of them.

A letter is moved to another folder only after `take` has returned, hence after its bytes are committed; nothing is
deleted.  What was begun and not yet moved stands in a small file, by UIDVALIDITY and UID, with a mark of its own: a
letter that was taken in the moment before a crash is taken with the same mark once more, by which it is known.  No
log line carries a word of a letter, an address, or the text of an error.
"""

from __future__ import annotations

import contextlib
import imaplib
import logging
import os
import secrets
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from io import BufferedReader
from pathlib import Path
from typing import Final, cast

from imap_tools import BaseMailBox, MailBox, MailBoxStartTls, MailBoxUnencrypted
from imap_tools.errors import ImapToolsError, MailboxTaggedResponseError

from pbem.common.network_errors import describe
from pbem.common.outage_log import OutageLog
from pbem.config.settings import Settings

_LOG = logging.getLogger(__name__)

INBOX: Final = "INBOX"
DONE, OTHER = "Processed", "Not ours"
"""Where letters go that were taken, and those that are none of ours."""

IDLE_S: Final = 60.0
"""How long to wait for the server to tell of a letter before looking anyhow: one may come between look and wait."""
POLL_S: Final = 20.0
"""How often to look where the server tells nothing."""
SLICE_S: Final = 1.0
PAUSES_S: Final = (2.0, 300.0)
"""How long to wait after the first failure, and at most; each failure doubles it."""
PATIENCE_S: Final = 60.0

StoreMessage = Callable[[bytes, str], bool]
"""What takes a letter in: True once it is stored, False for one that is none of ours; raises where it cannot now.

With its bytes comes its mark: what was stored under a mark once is not stored again.
"""

AWAY = (OSError, imaplib.IMAP4.error, ImapToolsError, ValueError)
"""What goes wrong with a mailbox: its server, the line to it, or what it says."""


class TryLater(Exception):
    """No letter can be taken in just now: those that wait need not be tried each."""


class _MessageSkipped(Exception):
    """One letter could not be taken or moved, and stays where it is; the others are none the worse."""


@dataclass(frozen=True)
class ImapSettings:
    """The mailbox; of a letter that is longer than `most_bytes` no more is fetched.  `tls`: none, starttls or tls."""

    host: str
    port: int
    user: str
    password: str = field(repr=False)
    tls: str = "tls"
    most_bytes: int = 1_000_001
    timeout: float = PATIENCE_S


def imap_settings(settings: Settings) -> ImapSettings | None:
    """The mailbox as the mail layer knows it; None where there is none.

    One byte more than is read of a letter is fetched: then it is known to be too long, and its sender is told.
    """
    found = settings.mailbox
    if found is None:
        return None
    return ImapSettings(
        found.host, found.port, found.user, found.password, found.tls, settings.limits.max_message_bytes + 1
    )


@contextlib.contextmanager
def log_in(box: ImapSettings) -> Iterator[BaseMailBox]:
    """A session with the mailbox, looking at its INBOX; raises one of AWAY."""
    line = _connected(box)
    try:
        if box.user.isascii() and box.password.isascii():
            line.login(box.user, box.password, INBOX)
        else:
            line.login_utf8(box.user, box.password, INBOX)
        yield line
    finally:
        with contextlib.suppress(*AWAY):
            line.logout()
        with contextlib.suppress(*AWAY):
            line.client.shutdown()  # which a farewell that fails leaves undone


def _connected(box: ImapSettings) -> BaseMailBox:
    if box.tls == "tls":
        return MailBox(box.host, box.port, box.timeout, ssl_context=ssl.create_default_context())
    if box.tls == "starttls":
        return MailBoxStartTls(box.host, box.port, box.timeout, ssl_context=ssl.create_default_context())
    return MailBoxUnencrypted(box.host, box.port, box.timeout)


def connection_problem(box: ImapSettings) -> str:
    """Why letters cannot be fetched just now, in words; empty if they can."""
    try:
        with log_in(box) as line:
            for name in (DONE, OTHER):
                folder_name(line, name)
    except AWAY as error:
        return describe(error)
    return ""


def folder_name(line: BaseMailBox, name: str) -> str:
    """The folder of this name, made if it is not there; below the INBOX where the server wants all folders so."""
    listed = {one.name: one.delim for one in line.folder.list()}
    below = f"{INBOX}{next(iter(listed.values()), '.')}{name}"
    for place in (name, below):
        if place in listed:
            return place
    try:
        line.folder.create(name)
    except ImapToolsError:
        line.folder.create(below)
        return below
    return name


class ImapPoller:
    """Takes letters out of one mailbox, from `run` until it is told to stop."""

    def __init__(
        self, take: StoreMessage, box: ImapSettings, ledger: Path, point: Callable[[str], None] = lambda name: None
    ) -> None:
        """`ledger`: the file of what was taken and not yet moved; `point`: where tests of crashes kill the process."""
        self._take, self._box, self._point = take, box, point
        self._ledger = _FetchJournal(ledger)
        self._away, self._full = OutageLog("the mailbox", _LOG), OutageLog("the way from the mailbox", _LOG)
        self._told: set[tuple[str, str]] = set()
        self._pause = PAUSES_S[0]

    def run(self, stop: threading.Event) -> None:
        """Fetch until `stop`; whatever fails is tried again, after longer and longer pauses."""
        while not stop.is_set():
            try:
                with log_in(self._box) as line:
                    self._away.end()
                    self._serve(line, stop)
            except Exception as error:  # noqa: BLE001 - the letters wait in the mailbox, whatever it is
                self._away.start(type(error).__name__)
                self._wait(stop)

    def _serve(self, line: BaseMailBox, stop: threading.Event) -> None:
        view = Inbox(line)
        while not stop.is_set():
            if self.poll(view, stop):
                self._full.end()
                self._pause = PAUSES_S[0]
                view.wait(stop)
            else:
                self._wait(stop)

    def _wait(self, stop: threading.Event) -> None:
        stop.wait(self._pause)
        self._pause = min(self._pause * 2, PAUSES_S[1])

    def poll(self, view: Inbox, stop: threading.Event) -> bool:
        """Take every letter that lies in the INBOX, oldest first; False if none can be taken now."""
        listed = view.list_messages()
        self._ledger.keep_only({(view.validity, uid) for uid in listed})
        for uid in listed:
            if stop.is_set():
                break
            try:
                self._fetch_one(view, uid)
            except TryLater as error:
                self._full.start(str(error))
                return False
            except _MessageSkipped as error:
                self._log_state((view.validity, uid), error)
        return True

    def _log_state(self, letter: tuple[str, str], why: _MessageSkipped) -> None:
        if letter not in self._told:
            self._told.add(letter)
            _LOG.error("a letter in the mailbox could not be taken or moved (%s); it stays there", why)

    def _fetch_one(self, view: Inbox, uid: str) -> None:
        """One letter: taken, noted, moved, in that order."""
        letter = (view.validity, uid)
        if letter not in self._ledger:
            raw = view.fetch(uid, self._box.most_bytes)
            if raw is None:
                return
            if not self._store(raw, self._ledger.record(letter)):
                view.move(uid, OTHER)
                return
            self._point("imap.stored")
            self._ledger.add(letter)
            self._point("imap.recorded")
        view.move(uid, DONE)
        self._point("imap.moved")

    def _store(self, raw: bytes, mark: str) -> bool:
        try:
            return self._take(raw, mark)
        except TryLater:
            raise
        except Exception as error:  # noqa: BLE001 - one letter must not stop the others; it stays where it is
            raise _MessageSkipped(type(error).__name__) from None


class Inbox:
    """The INBOX as one session sees it."""

    def __init__(self, line: BaseMailBox) -> None:
        self._line = line
        told = line.client.response("UIDVALIDITY")[1]
        self.validity = told[0].decode("ascii", "replace") if told and told[0] else "0"
        words = line.client.capability()[1][0]  # asked anew: most servers say the half of it before one signs in
        self._can = frozenset(words.decode("ascii", "replace").upper().split())
        self._folders = {name: folder_name(line, name) for name in (DONE, OTHER)}

    def list_messages(self, which: str = "UNDELETED") -> list[str]:
        """The UIDs of letters that lie there, oldest first; `which`: those that the server is to look for.

        NOOP has the server look for new ones (RFC 9051 §6.1.2): Dovecot may search what it knew seconds ago.
        """
        self._line.client.noop()
        self._has_new_messages()
        return self._line.uids(which, charset=None)

    def fetch(self, uid: str, most: int) -> bytes | None:
        """The bytes of a letter, up to so many, without marking it as read; None if somebody else has moved it."""
        answer, parts = self._line.client.uid("FETCH", uid, f"(BODY.PEEK[]<0.{most}>)")
        if answer != "OK":
            raise _MessageSkipped("FETCH")
        return next((part[1] for part in parts if isinstance(part, tuple)), None)

    def move(self, uid: str, where: str) -> None:
        """Move a letter; where the server cannot, it is copied and then struck out, alone and never before."""
        if "MOVE" in self._can:
            self._command("MOVE", uid, self._quoted(where))
            return
        self._command("COPY", uid, self._quoted(where))
        self._command("STORE", uid, "+FLAGS", "(\\Deleted)")
        if "UIDPLUS" in self._can:
            self._command("EXPUNGE", uid)

    def _quoted(self, where: str) -> str:
        return f'"{self._folders[where]}"'

    def _command(self, *words: str) -> None:
        answer, _ = self._line.client.uid(*words)
        if answer != "OK":
            raise _MessageSkipped(words[0])

    def _has_new_messages(self) -> bool:
        """Return True if the server has told how many letters lie there since this was asked last."""
        return self._line.client.response("EXISTS")[1] != [None]

    def wait(self, stop: threading.Event) -> None:
        """Return when there may be something new: when the server says so, or after a while."""
        if self._has_new_messages():  # with the answer to a command, of a letter that came since the last look
            return
        if "IDLE" not in self._can:
            stop.wait(POLL_S)
            return
        end, idle = time.monotonic() + IDLE_S, self._line.idle
        told = self._has_new_at_start()
        try:
            while not told and not stop.is_set() and time.monotonic() < end:
                began = time.monotonic()  # soon back: told of something, or the line is gone, as the next command says
                told = bool(idle.poll(timeout=SLICE_S)) or time.monotonic() - began < SLICE_S / 2
        finally:
            idle.stop()  # type: ignore[no-untyped-call]

    def _has_new_at_start(self) -> bool:
        """Begin to listen; True if the server told of something at once.

        Before it says that it is ready that looks like a refusal; with the same packet it is read ahead, where a poll
        of the line does not see it.
        """
        try:
            self._line.idle.start()  # type: ignore[no-untyped-call]
        except MailboxTaggedResponseError:
            return True
        line, patience = self._line.client.sock, self._line.client.sock.gettimeout()
        line.settimeout(0)
        try:
            return bool(cast(BufferedReader, self._line.client.file).peek(1))
        except ssl.SSLWantReadError:
            return False
        finally:
            line.settimeout(patience)


class _FetchJournal:
    """Letters that were begun, or taken and perhaps not moved, in a file that outlives a crash: a line each.

    A line of three words gives a letter its mark; one of two says that it was taken.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            lines = path.read_text("ascii", "replace").splitlines()
        except FileNotFoundError:
            lines = []
        parts = [line.split() for line in lines]
        self._taken = {(part[0], part[1]) for part in parts if len(part) == 2}
        self._marks = {(part[0], part[1]): part[2] for part in parts if len(part) == 3}

    def record(self, letter: tuple[str, str]) -> str:
        """The mark of a letter, the same after a crash."""
        if letter not in self._marks:
            self._marks[letter] = secrets.token_hex(16)
            self._write(f"{letter[0]} {letter[1]} {self._marks[letter]}\n")
        return self._marks[letter]

    def __contains__(self, letter: tuple[str, str]) -> bool:
        return letter in self._taken

    def add(self, letter: tuple[str, str]) -> None:
        """Note a letter, durably; where that fails, at least for as long as this process lives."""
        self._taken.add(letter)
        self._write(f"{letter[0]} {letter[1]}\n")

    def _write(self, line: str) -> None:
        with contextlib.suppress(OSError), self._path.open("a", encoding="ascii") as file:
            file.write(line)
            file.flush()
            os.fsync(file.fileno())

    def keep_only(self, listed: set[tuple[str, str]]) -> None:
        """Forget what does not lie in the mailbox any more."""
        if self._taken <= listed and self._marks.keys() <= listed:
            return
        taken = self._taken & listed
        marks = {letter: mark for letter, mark in self._marks.items() if letter in listed}
        lines = [" ".join((*letter, mark)) for letter, mark in marks.items()] + [" ".join(letter) for letter in taken]
        draft = self._path.with_name(f"{self._path.name}.part")
        draft.write_text("".join(f"{line}\n" for line in sorted(lines)), "ascii")
        draft.replace(self._path)
        self._taken, self._marks = taken, marks
