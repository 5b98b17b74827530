"""The players of a bench: they read their letters, and answer with lines of the orders templates."""

from dataclasses import dataclass, field
from typing import Final

from engine import rules
from engine.kernel.gates import Gate
from engine.kernel.languages import DEFAULT
from engine.kernel.orders import Decision
from engine.kernel.printing import loud
from engine.kernel.run import start
from engine.kernel.secrets import redact, seen_by
from engine.kernel.workload import options_of
from pbem.bench.engine import course
from pbem.bench.sink import Read, read
from pbem.demo.players import template_lines
from pbem.service.base.services import Services
from pbem.service.seats import tables

LANGUAGE: Final = DEFAULT
UNASKED: Final = {"unanswered": "default"}
"""Where a game lets a player choose who need not be asked, nobody is."""
TOGETHER: Final = 3
"""So many lines are sent of the kind that goes together, of any other kind one."""

Sets = list[list[str]]
"""Lines to send, a list for each question."""


@dataclass
class Seat:
    """One player: at which table they sit, and what they sent last."""

    address: str
    table: "BenchGame"
    sets: Sets = field(default_factory=list)


@dataclass
class BenchGame:
    """One game of a bench; `waiting`: where each address that was asked something sends its answer, and its lines."""

    name: str
    seats: dict[str, Seat] = field(default_factory=dict)
    waiting: dict[str, tuple[str, Sets]] = field(default_factory=dict)
    over: bool = False


class Players:
    """The players of all tables."""

    def __init__(self, title: str, size: int, games: int) -> None:
        """So many tables of this size."""
        self.title, self.size = title, size
        self.plain = plain_keyword(title)
        self.tables = [self._table(number + 1) for number in range(games)]
        self.by_address = {address: seat for table in self.tables for address, seat in table.seats.items()}
        self._number = 0

    def _table(self, number: int) -> BenchGame:
        table = BenchGame(f"Bench {number}")
        for place in range(self.size):
            address = f"t{number}s{place + 1}@players.localhost"
            table.seats[address] = Seat(address, table)
        return table

    def deal(self, services: Services) -> None:
        """Make all tables, with the first player of each as its host; the others are invited."""
        known = {option.name: option.values for option in rules(self.title).meta.options}
        unasked = {name: value for name, value in UNASKED.items() if value in known.get(name, ())}
        options = {**options_of(rules(self.title)), **unasked}
        for table in self.tables:
            host, *others = table.seats
            with services.db.writing() as session:
                user = tables.user_of(services, session, host, language=LANGUAGE)
            game = tables.create(services, user.id, self.title, table.name, self.size, options)
            tables.invite(services, game, user.id, others)

    def written(self, seat: Seat, recipient: str, sets: Sets) -> bytes:
        """The letter in which a player sends these lines."""
        seat.sets = sets
        self._number += 1
        body = "\r\n".join(line for lines in sets for line in lines)
        return (
            f"From: {seat.address}\r\nTo: {recipient}\r\nSubject: Re: orders\r\n"
            f"Message-ID: <{self._number}@bench.localhost>\r\n"
            f"MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n"
            f"Content-Transfer-Encoding: 8bit\r\n\r\n{body}\r\n"
        ).encode()

    def come(self, seat: Seat, raw: bytes) -> tuple[Read, Sets]:
        """Read a letter; what its reader answers at once, if anything.  What a report asks is noted at the table."""
        letter = read(raw)
        if letter.answers:
            return letter, _again(seat, letter)
        if "/join/" in letter.text:
            return letter, [["JOIN"]]
        self._asked(seat, letter)
        return letter, []

    def _asked(self, seat: Seat, letter: Read) -> None:
        sets = [lines[: TOGETHER if lines[0].startswith(self.plain) else 1] for lines in template_lines(letter.text)]
        if letter.reply_to and sets:
            seat.table.waiting[seat.address] = (letter.reply_to, sets)
        elif "The game is over" in letter.text:  # other letters speak of it: when the game is over
            seat.table.over = True


def _again(seat: Seat, receipt: Read) -> Sets:
    """A refused set is sent again as the empty one: the loop goes on whatever the template offered."""
    if "refus" not in receipt.text.lower() or seat.sets in ([], [["PASS"]]):
        return []
    return [lines[:1] for lines in seat.sets] if any(len(lines) > 1 for lines in seat.sets) else [["PASS"]]


def plain_keyword(title: str) -> str:
    """How lines begin that go together, as the game's own workload says: those that fight nobody."""
    on = course(title)
    position, asks = (
        start(on.rules, on.seats, on.workload.options, b"bench").position,
        Gate.parse(on.workload.gate).asks,
    )
    seat = on.seats[0]
    with seen_by(seat):
        forms = on.rules.forms(redact(position, seat), Decision(f"{asks}/0", seat, asks))
    return next(f"{loud(form.keyword, LANGUAGE)} " for form in forms if form.order is on.workload.others)
