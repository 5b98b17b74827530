"""What holds a server up: floods of checks and letters, and many gates that close at once."""

import asyncio
import secrets
import threading
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Final
from urllib.parse import parse_qsl, urlencode

from sqlalchemy import update

from pbem.bench.quiet_player import Door, connect, order_letter
from pbem.bench.smtp import SmtpSender
from pbem.bench.tables import game_id
from pbem.config.settings import Settings
from pbem.crypto import new_token
from pbem.mail.addresses import bounce_address, table_address
from pbem.service.base.services import Services
from pbem.store.models import QuestionRow
from pbem.web import WebConfig

AGAIN_S: Final = 10.0
"""How often the letters of a flood are sent again."""
CHECKS, STRANGE, SEATED, LARGE, GATES = 28, 24, 12, 40, 60
"""Checks at a time; letters of strangers, of many orders and of 100 kB; tables whose gates close together."""
LINES: Final = 399
_LINE: Final = "IF I HOLD Roma AND IF I HOLD Paris: IF I HOLD Milano: PLACE Roma {}"
QUIET, FLOODER, FIRST = 0, 1, 2
"""The tables of the quiet player and of the one who floods; those whose gates close come after them."""

Flood = Callable[[threading.Event], None]


class Floods:
    """What holds a server up; each flood lasts until it is stopped."""

    def __init__(self, settings: Settings, services: Services, door: Door) -> None:
        self.settings, self.services, self.door = settings, services, door
        self._numbers = count()

    def _orders(self) -> str:
        """Lines of which no two are equal."""
        return "\n".join(_LINE.format(next(self._numbers) % 10**6) for _ in range(LINES))

    def checks(self, stop: threading.Event) -> None:
        """So many checks at a time, each followed by the next; those that are refused come as often as pages allow."""
        fields = dict(parse_qsl(self.door.page.check.form))

        def check() -> None:
            while not stop.is_set():
                text = self._orders()[:19_900]
                request = replace(self.door.page.check, form=urlencode({**fields, "text": text}))
                try:
                    with closing(connect(self.settings)) as line:
                        request.send(line)
                except (OSError, LookupError):
                    stop.wait(60 * CHECKS / WebConfig.requests_per_minute)

        threads = [threading.Thread(target=check) for _ in range(CHECKS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def gates(self, stop: threading.Event) -> None:
        """The deadlines of many tables are due at once."""
        with self.services.db.transaction() as session:
            theirs = QuestionRow.game_id.in_([game_id(FIRST + number) for number in range(GATES)])
            now = self.services.now()
            session.execute(update(QuestionRow).where(theirs).values(due_at=now, closes_at=now))

    def letters(self, many: int, write: Callable[[int], tuple[str, bytes]], stop: threading.Event) -> None:
        """So many letters at once, and again after a while."""

        async def send() -> None:
            sender = SmtpSender(self.settings.smtp_listen.port if self.settings.smtp_listen is not None else 0)
            while not stop.is_set():
                for number in range(many):
                    try:
                        await sender.send(self.door.address, *write(number))
                    except ConnectionError:  # refused: a sender goes on with the next
                        sender.close()
                await asyncio.to_thread(stop.wait, AGAIN_S)
            sender.close()

        asyncio.run(send())

    def strange(self, number: int) -> tuple[str, bytes]:
        """To a bounce address that nobody was given, or to a table."""
        domain, name = self.settings.mail_domain, self.settings.mailbox_local_part
        to = bounce_address(new_token(), domain, name) if number % 2 else table_address(game_id(QUIET), domain, name)
        head = f"From: x{number}@strangers.localhost\r\nTo: {to}\r\nMessage-ID: <{secrets.token_hex(8)}@strangers>\r\n"
        return to, f"{head}\r\n{_large_text(400_000)}".encode()

    def seated(self, number: int) -> tuple[str, bytes]:
        return self.door.reply_to, order_letter(self.door, f"{secrets.token_hex(8)}@flood.localhost", self._orders())

    def large(self, number: int) -> tuple[str, bytes]:
        text = f"{self._orders()}\r\n{_large_text(100_000 - 30_000)}"
        return self.door.reply_to, order_letter(self.door, f"{secrets.token_hex(8)}@flood.localhost", text)


def _large_text(size: int) -> str:
    line = "On Monday I wrote to you: IF I HOLD Roma AND I HOLD Paris: PLACE Roma 1\r\n"
    return line * (size // len(line))


FLOODS: Final[Mapping[str, Callable[[Floods], Flood]]] = {
    "checks": lambda floods: floods.checks,
    "letters of strangers": lambda floods: partial(floods.letters, STRANGE, floods.strange),
    "letters of many orders": lambda floods: partial(floods.letters, SEATED, floods.seated),
    "large letters": lambda floods: partial(floods.letters, LARGE, floods.large),
    "gates": lambda floods: floods.gates,
}
"""Each goes on until it is stopped."""
