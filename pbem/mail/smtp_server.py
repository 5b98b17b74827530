"""The mail entrance: LMTP behind a mail server, SMTP on its own.

A letter is answered 250 only after `store` has returned, hence after its bytes
are committed; whatever else happens is answered 451, so that the other side
keeps the letter and tries again.  Under LMTP every recipient gets their own
answer, in the order of RCPT (RFC 2033 §4.2), even when the letter is too large
or something breaks.  No answer and no log line carries a word of the letter,
an address, or the text of an error.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

from aiosmtpd.smtp import SMTP

_TRY_AGAIN = "451 4.3.0 The letter could not be taken just now; please try again later"
_TOO_LARGE = "552 5.3.4 The letter is larger than what is accepted here"
_LINE_TOO_LONG = "554 5.6.0 A line of the letter is longer than what is accepted here"
_NOT_HERE = "550 5.1.1 No such address here"
_TOO_MANY_RECIPIENTS = "452 4.5.3 Too many recipients"
_TOO_MANY_LETTERS = "421 4.7.0 Too many letters on this connection; please open a new one"
_TOO_SLOW = b"421 4.4.2 Too long for one letter; please try again later\r\n"
_TOO_MANY_CONNECTIONS = b"421 4.7.0 Too many connections from your side; please try again later\r\n"
_STOPPING_WAIT = 10.0
_LONGEST_COMMAND = 2_048


@dataclass(frozen=True)
class Envelope:
    """A letter as it came over the wire: who sent it ("" for a bounce), to whom, its bytes, and from which address."""

    sender: str
    recipients: tuple[str, ...]
    raw: bytes = field(repr=False)
    peer: str = ""


@dataclass(frozen=True)
class ServerConfig:
    """Where to listen and how much to take.  A limit of 0 per peer means none, as behind one's own mail server.

    `letter_seconds`: how long a connection may stay open without a letter that has come whole, whatever else is said
    on it meanwhile.
    """

    host: str = "127.0.0.1"
    port: int = 0
    protocol: str = "lmtp"
    hostname: str = "localhost"
    max_bytes: int = 2 * 1024 * 1024
    max_line: int = 256 * 1024
    max_recipients: int = 20
    letters_per_connection: int = 100
    connections: int = 200
    connections_per_peer: int = 0
    idle_seconds: float = 60.0
    letter_seconds: float = 300.0
    storing_threads: int = 8


StoreMessage = Callable[[Envelope], None]
IsRecipient = Callable[[str], bool]


class Server:
    """A server in a thread of its own, between `start` and `stop`.

    `store` and `is_recipient` are called in worker threads, several at a time; `store`
    must have committed when it returns.  Under LMTP it is called once for each
    recipient, so that each answer is true for itself; under SMTP once a letter.
    """

    def __init__(self, store: StoreMessage, knows: IsRecipient, entrance: ServerConfig) -> None:
        if entrance.protocol not in ("lmtp", "smtp"):
            raise ValueError("An entrance speaks 'lmtp' or 'smtp'.")
        self.entrance = entrance
        self._store = store
        self._knows = knows
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._server: asyncio.Server | None = None
        self._pool: ThreadPoolExecutor | None = None
        self._open: set[_Connection] = set()
        self._peers: Counter[str] = Counter()

    @property
    def port(self) -> int:
        """The port in use, also where the entrance left the choice to the system."""
        if self._server is None:
            raise RuntimeError("The listener is not running.")
        return int(self._server.sockets[0].getsockname()[1])

    def start(self) -> None:
        """Bind and serve; OSError if the address cannot be had."""
        if self._thread is not None:
            raise RuntimeError("The listener is running already.")
        # The library's log names every address and, when verbose, every line: it stays silent.
        logging.getLogger("mail.log").setLevel(logging.CRITICAL + 1)
        self._pool = ThreadPoolExecutor(self.entrance.storing_threads, thread_name_prefix="letters-in")
        loop = self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=loop.run_forever, name="mail-entrance", daemon=True)
        self._thread.start()
        try:
            self._server = asyncio.run_coroutine_threadsafe(self._bind(), loop).result()
        except BaseException:
            self._close_loop()
            raise

    async def _bind(self) -> asyncio.Server:
        loop = asyncio.get_running_loop()
        return await loop.create_server(self._make_connection, self.entrance.host, self.entrance.port)

    def is_listening(self, patience: float = 5.0) -> bool:
        """Return True if what takes letters in is not stuck."""
        if self._loop is None:
            return False
        asked = asyncio.run_coroutine_threadsafe(asyncio.sleep(0), self._loop)
        try:
            asked.result(patience)
        except TimeoutError:
            return False
        return True

    def stop(self) -> None:
        """Take no more connections, let letters that are being stored end, close the rest."""
        if self._thread is None or self._loop is None:
            return
        asyncio.run_coroutine_threadsafe(self._drain(), self._loop).result()
        self._close_loop()

    async def _drain(self) -> None:
        if self._server is not None:
            self._server.close()
        for wire in list(self._open):
            wire.last_words = True
            if not wire.storing:
                wire.hang_up()
        ends = [wire.ended for wire in self._open]
        if ends:
            await asyncio.wait(ends, timeout=_STOPPING_WAIT)
        for wire in list(self._open):
            wire.hang_up()
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    def _close_loop(self) -> None:
        loop, thread, pool = self._loop, self._thread, self._pool
        if loop is not None and thread is not None:
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            loop.close()
        if pool is not None:
            pool.shutdown(wait=True, cancel_futures=True)
        self._loop = self._thread = self._server = self._pool = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _make_connection(self) -> _Connection:
        assert self._loop is not None
        return (_LmtpConnection if self.entrance.protocol == "lmtp" else _Connection)(self, self._loop)

    def open_slot(self, wire: _Connection, peer: str) -> bool:
        """Count a connection; False if there are too many in all or from its peer."""
        full = len(self._open) >= self.entrance.connections
        crowded = 0 < self.entrance.connections_per_peer <= self._peers[peer]
        if full or crowded:
            return False
        self._open.add(wire)
        self._peers[peer] += 1
        return True

    def close_slot(self, wire: _Connection, peer: str) -> None:
        """Forget a connection that has ended."""
        if wire in self._open:
            self._open.discard(wire)
            self._peers[peer] -= 1
            self._peers += Counter()

    async def is_recipient(self, address: str) -> bool:
        """Return True if mail for an address is taken here; asked in a worker thread."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._knows, address)

    async def store(self, envelope: Envelope) -> None:
        """Have a letter committed; whatever `store` raises comes through."""
        await asyncio.get_running_loop().run_in_executor(self._pool, self._store, envelope)


class _Handler:
    """What one connection does with the commands that matter."""

    def __init__(self, listener: Server, protocol: str) -> None:
        self.listener = listener
        self.protocol = protocol
        self.letters = 0

    async def handle_EHLO(  # noqa: N802 - the library's name
        self, server: Any, session: Any, envelope: Any, hostname: str, responses: list[str]
    ) -> list[str]:
        session.host_name = hostname
        return [*responses[:-1], "250-PIPELINING", responses[-1]]

    async def handle_RCPT(  # noqa: N802
        self, server: Any, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        if len(envelope.rcpt_tos) >= self.listener.entrance.max_recipients:
            return _TOO_MANY_RECIPIENTS
        try:
            known = await self.listener.is_recipient(address)
        except Exception:  # noqa: BLE001 - a fault of ours must never turn a letter away for good
            return _TRY_AGAIN
        if not known:
            return _NOT_HERE
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: _Connection, session: Any, envelope: Any) -> str:  # noqa: N802
        self.letters += 1
        if self.letters > self.listener.entrance.letters_per_connection:
            server.last_words = True
            return _TOO_MANY_LETTERS
        sender = "" if envelope.mail_from in (None, "<>") else str(envelope.mail_from)
        groups = [(one,) for one in envelope.rcpt_tos] if self.protocol == "lmtp" else [tuple(envelope.rcpt_tos)]
        server.storing = True
        try:
            answers = [await self._store(Envelope(sender, group, envelope.content, server.peer)) for group in groups]
        finally:
            server.storing = False
        return "\r\n".join(answers)

    async def _store(self, envelope: Envelope) -> str:
        try:
            await self.listener.store(envelope)
        except Exception:  # noqa: BLE001 - see above; the text of the error stays here
            return _TRY_AGAIN
        return "250 2.0.0 Taken"

    async def handle_exception(self, error: Exception) -> str:
        return _TRY_AGAIN


class _Connection(SMTP):
    """One SMTP connection."""

    via = "smtp"

    def __init__(self, listener: Server, loop: asyncio.AbstractEventLoop) -> None:
        entrance = listener.entrance
        self.line_length_limit = entrance.max_line
        super().__init__(
            _Handler(listener, self.via),
            data_size_limit=entrance.max_bytes,
            enable_SMTPUTF8=True,
            hostname=entrance.hostname,
            ident="ready",
            timeout=entrance.idle_seconds,
            loop=loop,
        )
        self.command_size_limit = _LONGEST_COMMAND
        self.listener = listener
        self.ended: asyncio.Future[None] = loop.create_future()
        self.storing = False
        self.last_words = False
        self.peer = ""
        self._admitted = False
        self._owed = 0
        self._end: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        peer = transport.get_extra_info("peername")
        self.peer = str(peer[0]) if isinstance(peer, tuple) else ""
        self._admitted = self.listener.open_slot(self, self.peer)
        if not self._admitted:
            transport.write(_TOO_MANY_CONNECTIONS)
            transport.close()
            return
        self._start_timer()
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        self.listener.close_slot(self, self.peer)
        if not self.ended.done():
            self.ended.set_result(None)
        if self._end is not None:
            self._end.cancel()
        if self._admitted:
            super().connection_lost(error)

    def _start_timer(self) -> None:
        """Wait for a letter, and no longer than for one."""
        if self._end is not None:
            self._end.cancel()
        self._end = self.loop.call_later(self.listener.entrance.letter_seconds, self._on_timeout)

    def _on_timeout(self) -> None:
        """No letter has come whole for too long; one that is being stored is answered first."""
        if self.storing:
            self.last_words = True
        elif isinstance(self.transport, asyncio.Transport):
            self.transport.write(_TOO_SLOW)
            self.hang_up()
            self._end = self.loop.call_later(_STOPPING_WAIT, self.transport.abort)  # it may never read what we say

    def data_received(self, data: bytes) -> None:
        if self._admitted:
            super().data_received(data)

    def eof_received(self) -> bool | None:
        return super().eof_received() if self._admitted else None

    def hang_up(self) -> None:
        """Close the connection from our side."""
        if self.transport is not None:
            self.transport.close()

    async def push(self, status: Any) -> None:
        """Answer; what follows the body of a letter answers for each recipient where the protocol wants it."""
        text = status.decode("utf-8", "replace") if isinstance(status, bytes) else str(status)
        if text.startswith("354"):
            self._owed = self._pending_replies()
        elif self._owed:
            text = self._on_settled(_own_wording(text))
        else:
            text = _own_wording(text)
        await super().push(text)
        if self.last_words and not self._owed:
            self.hang_up()

    def _pending_replies(self) -> int:
        return 1

    def _on_settled(self, text: str) -> str:
        owed, self._owed = self._owed, 0
        self._start_timer()
        answers = text.split("\r\n")
        return "\r\n".join(answers if len(answers) == owed else answers[:1] * owed)


class _LmtpConnection(_Connection):
    """One LMTP connection (RFC 2033): LHLO instead of EHLO, and an answer per recipient."""

    via = "lmtp"

    async def smtp_LHLO(self, arg: str) -> None:  # noqa: N802 - the library's name
        await super().smtp_EHLO(arg)

    smtp_LHLO.__smtp_syntax__ = "LHLO hostname"  # type: ignore[attr-defined]
    smtp_LHLO.__smtp_syntax_extended__ = None  # type: ignore[attr-defined]
    smtp_LHLO.__smtp_syntax_when__ = None  # type: ignore[attr-defined]

    async def smtp_EHLO(self, arg: str) -> None:  # noqa: N802
        await self.push("500 5.5.1 This is LMTP: say LHLO")

    async def smtp_HELO(self, arg: str) -> None:  # noqa: N802
        await self.push("500 5.5.1 This is LMTP: say LHLO")

    def _pending_replies(self) -> int:
        return len(self.envelope.rcpt_tos) if self.envelope is not None else 1


def _own_wording(text: str) -> str:
    """The library's own refusals in our words, with the codes that the other side acts on."""
    if text.startswith("552"):
        return _TOO_LARGE
    return _LINE_TOO_LONG if text.startswith("500 Line too long") else text
