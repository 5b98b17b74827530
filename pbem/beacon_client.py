"""The servers of the public beacon, asked over HTTP for a round: the first answer whose signature fits is taken.

Each answers GET /HASH/public/ROUND, where HASH names the network, with JSON that has the number and its signature in
hex.  None of them has to be trusted: a signature that does not fit is no answer.
"""

import logging
from dataclasses import dataclass, field
from typing import Final

import msgspec

from pbem.common.outage_log import OutageLog
from pbem.crypto import beacon
from pbem.discord import guard
from pbem.discord.guard import InvalidUrl
from pbem.discord.wire import NotSent, UnknownOutcome, send_request

SECONDS: Final = 6.0
"""How long one server may take."""
_LOG = logging.getLogger(__name__)


class _Round(msgspec.Struct):
    round: int
    signature: str


@dataclass(frozen=True)
class Beacons:
    """The servers of the network.  `loopback`: tests are under way."""

    addresses: tuple[str, ...]
    loopback: bool = False
    outage_log: OutageLog = field(default_factory=lambda: OutageLog("the public beacon", _LOG))

    def __call__(self, number: int) -> bytes | None:
        """The signature of a round; None if no server has it, or none that fits."""
        why = "no server"
        for address in self.addresses:
            why, found = self._fetch(address, number)
            if found is not None:
                self.outage_log.end()
                return found
        self.outage_log.start(why)
        return None

    def _fetch(self, address: str, number: int) -> tuple[str, bytes | None]:
        """Why there is nothing, in a word; and the signature."""
        chain = beacon.QUICKNET
        try:
            where = guard.resolve("plain", f"{address}/{chain.hash}/public/{number}", loopback=self.loopback)
            answer = send_request(
                where, "GET", b"", {"Accept": "application/json"}, loopback=self.loopback, seconds=SECONDS
            )
        except (InvalidUrl, NotSent, UnknownOutcome) as error:
            return type(error).__name__, None
        if answer.status != 200:
            return str(answer.status), None
        signature = _parse_round(answer.body, number)
        return ("a wrong answer", None) if not chain.verify(number, signature) else ("", signature)


def _parse_round(body: bytes, number: int) -> bytes:
    """The signature in an answer; empty for one of another form, or for another round."""
    try:
        found = msgspec.json.decode(body, type=_Round)
        return bytes.fromhex(found.signature) if found.round == number else b""
    except (msgspec.DecodeError, ValueError, RecursionError):
        return b""
