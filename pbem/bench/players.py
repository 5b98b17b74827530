"""Scripted players for the bench: they answer letters with lines from the letters' own suggestions."""

import re
from base64 import b64decode
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from quopri import decodestring
from typing import Final

from engine import rules
from engine.kernel.languages import DEFAULT
from engine.kernel.workload import options_of
from pbem.demo.players import template_lines
from pbem.service.access import users
from pbem.service.base.services import Services
from pbem.service.seats import tables

UNASKED: Final = {"unanswered": "default"}
"""A game option, used if the game has it: its questions out of turn need no answer."""
_REPLY_TO: Final = re.compile(rb"^Reply-To:\s*(?:[^<\r\n]*<)?([^>\s]+)", re.IGNORECASE | re.MULTILINE)
_PLAIN: Final = re.compile(rb"(Content-Type: text/plain.*?)\r\n\r\n(.*?)\r\n--=", re.IGNORECASE | re.DOTALL)
_ENCODING: Final = re.compile(rb"Content-Transfer-Encoding:\s*(\S+)", re.IGNORECASE)
_DECODERS: Final[Mapping[bytes, Callable[[bytes], bytes]]] = {b"base64": b64decode, b"quoted-printable": decodestring}

Sets = list[list[str]]
"""Lines to send, a list for each question."""


@dataclass
class Seat:
    """One player, and the lines that they sent last."""

    address: str
    table: "BenchGame"
    sets: Sets = field(default_factory=list)


@dataclass
class BenchGame:
    """One game; `waiting` has the reply address and the lines of each player who owes an answer.

    `told`: who got a letter since the game was answered.
    """

    name: str
    seats: dict[str, Seat] = field(default_factory=dict)
    told: set[str] = field(default_factory=set)
    waiting: dict[str, tuple[str, Sets]] = field(default_factory=dict)
    over: bool = False


@dataclass(frozen=True)
class ReceivedLetter:
    """What the players use of a letter."""

    reply_to: str
    is_receipt: bool
    text: str


class Players:
    """The players of all games."""

    def __init__(self, title: str, size: int, games: int) -> None:
        """`games` tables of `size` seats."""
        self.title, self.size = title, size
        self.games = [BenchGame(f"Bench {number + 1}") for number in range(games)]
        self.by_address: dict[str, Seat] = {}
        for number, game in enumerate(self.games):
            for place in range(size):
                address = f"t{number + 1}s{place + 1}@players.localhost"
                self.by_address[address] = game.seats[address] = Seat(address, game)
        self._written = 0

    def create_games(self, services: Services) -> None:
        """Create all games; the first player of each is its host and invites the others."""
        known = {option.name: option.values for option in rules(self.title).meta.options}
        unasked = {name: value for name, value in UNASKED.items() if value in known.get(name, ())}
        options = {**options_of(rules(self.title)), **unasked}
        for game in self.games:
            host, *others = game.seats
            with services.db.transaction() as session:
                user = users.get_or_create_user(services, session, host, language=DEFAULT)
            game_id = tables.create(services, user.id, self.title, game.name, self.size, options)
            tables.invite(services, game_id, user.id, others)

    def write(self, seat: Seat, recipient: str, sets: Sets) -> bytes:
        """Write a letter with these lines."""
        seat.sets = sets
        self._written += 1
        body = "\r\n".join(line for lines in sets for line in lines)
        return (
            f"From: {seat.address}\r\nTo: {recipient}\r\nSubject: Re: orders\r\n"
            f"Message-ID: <{self._written}@bench.localhost>\r\n"
            f"MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n"
            f"Content-Transfer-Encoding: 8bit\r\n\r\n{body}\r\n"
        ).encode()

    def read(self, seat: Seat, raw: bytes) -> tuple[ReceivedLetter, Sets]:
        """Read a letter; returns the lines to send back at once.

        Questions of a report wait in `BenchGame.waiting`.
        """
        letter = parse_letter(raw)
        if letter.is_receipt:
            return letter, _retry_lines(seat, letter)
        if "/join/" in letter.text:
            return letter, [["JOIN"]]
        seat.table.told.add(seat.address)
        sets = [lines[:1] for lines in template_lines(letter.text)]
        if letter.reply_to and sets:
            seat.table.waiting[seat.address] = (letter.reply_to, sets)
        elif "The game is over" in letter.text:
            seat.table.over = True
        return letter, []


def parse_letter(raw: bytes) -> ReceivedLetter:
    """Find reply address and plain text without a whole parse: the bench must cost less than what it measures."""
    reply_to, plain = _REPLY_TO.search(raw), _PLAIN.search(raw)
    head, text = plain.groups() if plain is not None else (b"", b"")
    encoding = _ENCODING.search(head)
    decode = _DECODERS.get(encoding[1].lower()) if encoding else None
    return ReceivedLetter(
        reply_to[1].decode("ascii") if reply_to else "",
        b"auto-replied" in raw[:4000].lower(),
        (decode(text) if decode else text).decode("utf-8", "replace"),
    )


def _retry_lines(seat: Seat, receipt: ReceivedLetter) -> Sets:
    """After a refusal send one line a question, then the empty set: the game goes on whatever was suggested."""
    if "refus" not in receipt.text.lower() or seat.sets in ([], [["PASS"]]):
        return []
    return [lines[:1] for lines in seat.sets] if any(len(lines) > 1 for lines in seat.sets) else [["PASS"]]
