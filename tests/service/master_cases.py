"""Every act of a game master once: the table that it wants, how it is written, and what must have come of it.

One list for all doors: an act without a case here fails a test, and each case is done by page, by letter and from the
command line.  The table is one of three, p1@ to p3@, whose master holds no seat.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from pbem.archive.entries import BEACON
from pbem.common.addresses import is_bot
from pbem.crypto.beacon import QUICKNET
from pbem.narration.facts import MasterFacts
from pbem.service.access import permissions
from pbem.service.seats import substitutes
from pbem.store.games import lock_game
from pbem.store.models import Application, Game, MasterSettings, Outage, PendingDraw, QuestionRow, SeatRow, User, Vote
from tests.service.master_commands import MASTER, get_user_id, send_commands, send_confirmed
from tests.service.server_fixtures import ServerHarness

SECOND: Final = "second@games.test"
GUEST: Final = "guest@games.test"


@dataclass(frozen=True)
class Table:
    """The table of a case."""

    harness: ServerHarness
    game: str

    def seat(self, seat: str) -> SeatRow:
        """A seat's row."""
        return next(row for row in self.harness.load_rows(SeatRow) if row.seat == seat)

    def sits(self, seat: str) -> str:
        """The address of the player in the seat."""
        number = self.seat(seat).user_id
        return next((row.email for row in self.harness.load_rows(User) if row.id == number), "")

    def due(self) -> int:
        """The nearest deadline, in milliseconds."""
        return min(row.due_at or 0 for row in self.harness.load_rows(QuestionRow) if row.is_blocking)

    def still(self, cause: str) -> bool:
        """Return True if something stands still for that cause."""
        return any(row.cause == cause and row.ended_at is None for row in self.harness.load_rows(Outage))

    def drawn(self) -> bool:
        """Return True if the bids are drawn."""
        return self.harness.load_game(self.game).entry == 2 and not self.harness.load_rows(PendingDraw)

    def masters(self) -> list[str]:
        """The masters of the game, by address."""
        with self.harness.web.db.snapshot() as session:
            row = lock_game(session, self.game)
            return [] if row is None else [person.email for person in permissions.masters_of(session, row)]

    def settled(self) -> MasterSettings:
        """What the table has settled."""
        return next(row for row in self.harness.load_rows(MasterSettings))

    def count_messages(self, code: str) -> int:
        """How many players were told so by a letter of its own."""
        return sum(
            1 for facts in self.harness.sent_facts("announcement") if any(said.code == code for said in facts.said)
        )

    def letters(self, code: str) -> list[str]:
        """To whom a letter with lines of this language went that says so."""
        found = [(address.to_address, facts) for address, facts in self.harness.sent if address.kind == "master"]
        return [to for to, facts in found if any(said.code == code for said in facts.lead)]


@dataclass(frozen=True)
class Case:
    """One act.  `before` prepares the table and may give the lines; `after` looks at what came of it."""

    action: str
    lines: tuple[str, ...]
    after: Callable[[Table], bool]
    before: Callable[[Table], tuple[str, ...] | None] = lambda table: None
    who: str = MASTER
    twice: bool = False


def _apply(table: Table) -> None:
    """A guest asks for a seat that is offered, at a table that wants to approve."""
    send_commands(table.harness, table.game, "APPROVAL ON", who=MASTER)
    table.harness.reply("s3", "RESIGN YES")
    substitutes.take_over(table.harness.web, get_user_id(table.harness, GUEST), table.game, "s3")
    table.harness.run_queued_tasks()


def _application(table: Table, outcome: str) -> bool:
    return [row.outcome for row in table.harness.load_rows(Application)] == [outcome]


def _offer(table: Table) -> None:
    send_confirmed(table.harness, table.game, f"REPLACE p2 BY {GUEST}", who=MASTER)


def _offered(table: Table, outcome: str) -> bool:
    """The seat stands offered, or does not any more; its player keeps it, and all were told."""
    told = {"offered": "offered_to", "taken_back": "took_back"}[outcome]
    return _application(table, outcome) and table.sits("s2") == "p2@games.test" and table.count_messages(told) == 3


def _waits(table: Table) -> tuple[str, ...]:
    """An act waits for a second master, whose line is to agree."""
    send_commands(table.harness, table.game, f"PROMOTE {SECOND}", "TWO PERSONS ON", who=MASTER)
    facts = send_confirmed(table.harness, table.game, "EJECT p3", who=MASTER)
    return (f"AGREE {facts.acts[0].word}",)


def _unsigned(table: Table) -> None:
    """All have bid at a table with the beacon, whose network has been away for more than an hour."""
    with table.harness.resolver.db.transaction() as session:
        session.get_one(Game, table.game).draw_mixing = BEACON
    for seat in ("s1", "s2", "s3"):
        table.harness.reply(seat, "BID 1")
    (row,) = table.harness.load_rows(PendingDraw)
    table.harness.current_time = datetime.fromtimestamp(QUICKNET.round_time(row.round) + 3_700, UTC)


def _let_master_be_absent(table: Table) -> None:
    """A seat calls, and the master gives no sign for long."""
    send_commands(table.harness, table.game, "CALL THE MASTER", who="p2@games.test")
    table.harness.advance_time(days=8)
    send_commands(table.harness, table.game, "ELECT p3", who="p3@games.test")


def _resigned(table: Table) -> None:
    table.harness.reply("s3", "RESIGN YES")


def _voices(table: Table) -> int:
    return len(table.harness.load_rows(Vote))


def _holding(table: Table) -> None:
    send_commands(table.harness, table.game, "HOLD p2", who=MASTER)


def _paused(table: Table) -> None:
    send_commands(table.harness, table.game, "PAUSE", who=MASTER)


def _demotable(table: Table) -> None:
    send_commands(table.harness, table.game, f"PROMOTE {SECOND}", who=MASTER)


def _opened(table: Table) -> bool:
    """All were told; what was opened follows in a letter, a minute later."""
    if any(address.kind == "opened" for address, _ in table.harness.sent):
        return False
    table.harness.advance_time(minutes=2)
    table.harness.run_task("send_outbound_emails", "")
    return table.count_messages("opened") == 3 and any(address.kind == "opened" for address, _ in table.harness.sent)


def _shows_defaults(table: Table) -> bool:
    return table.harness.load_game(table.game).entry == 1


HOUR: Final = 3_600_000
NOW: Final = "2026-03-09 20:00"

CASES: Final[tuple[Case, ...]] = (
    Case("preview", ("PREVIEW",), _shows_defaults),
    Case("status", ("STATUS",), _shows_defaults),
    Case("process", ("PROCESS BIDS 1",), lambda t: t.harness.load_game(t.game).entry == 2, twice=True),
    Case("extend", ("EXTEND 5 hours",), lambda t: t.due() > _due_of(t) + 4 * HOUR),
    Case("deadline", (f"DEADLINE {NOW}",), lambda t: t.due() != _due_of(t)),
    Case("pause", ("PAUSE until Easter",), lambda t: t.still("pause")),
    Case("resume", ("RESUME",), lambda t: not t.still("pause"), _paused),
    Case("draw_now", ("DRAW NOW",), lambda t: t.count_messages("draws_now") == 3 and t.drawn(), _unsigned, twice=True),
    Case("hold", ("HOLD p2",), lambda t: t.still("hold") and t.count_messages("held") == 3),
    Case("release", ("RELEASE p2",), lambda t: not t.still("hold"), _holding),
    Case("answer", ("ANSWER FOR p2", "BID 2", "END"), lambda t: _answered(t, "s2")),
    Case("replace", (f"REPLACE p2 BY {GUEST}",), lambda t: _offered(t, "offered"), twice=True),
    Case("take_back", ("TAKE BACK p2",), lambda t: _offered(t, "taken_back"), _offer),
    Case("eject", ("EJECT p2",), lambda t: t.sits("s2") == "" and t.seat("s2").open_since is not None, twice=True),
    Case("bot", ("BOT FOR p2",), lambda t: is_bot(t.sits("s2")), twice=True),
    Case("eliminate", ("ELIMINATE p2",), lambda t: "s2" in t.harness.load_state(t.game).board.gone, twice=True),
    Case("promote", (f"PROMOTE {SECOND}",), lambda t: t.masters() == [MASTER, SECOND]),
    Case("demote", (f"DEMOTE {SECOND}",), lambda t: t.masters() == [MASTER], _demotable, twice=True),
    Case("approve", (f"APPROVE {GUEST}",), lambda t: t.sits("s3") == GUEST, _apply),
    Case("refuse", (f"REFUSE {GUEST}",), lambda t: _application(t, "refused"), _apply),
    Case("broadcast", ("BROADCAST The server moves on Sunday.",), lambda t: t.count_messages("broadcast") == 3),
    Case("two_persons", ("TWO PERSONS ON",), lambda t: t.settled().requires_second_master, _demotable),
    Case("approval", ("APPROVAL ON",), lambda t: t.settled().approval),
    Case("patience", ("PATIENCE 3",), lambda t: t.settled().absence_days == 3),
    Case("open", ("OPEN HAND p2",), _opened, twice=True),
    Case("agree", (), lambda t: t.sits("s3") == "", _waits, who=SECOND),
    Case("call", ("CALL THE MASTER",), lambda t: t.letters("you_are_called") == [MASTER], who="p2@games.test"),
    Case(
        "elect", ("ELECT p3",), lambda t: t.masters() == ["p3@games.test"], _let_master_be_absent, who="p2@games.test"
    ),
    Case("vote_out", ("VOTE OUT p3",), lambda t: _voices(t) == 1, _resigned, who="p2@games.test", twice=True),
)


def _due_of(table: Table) -> int:
    """When the questions were due as they were put."""
    return min(row.opened_at for row in table.harness.load_rows(QuestionRow) if row.is_blocking) + 48 * HOUR


def _answered(table: Table, seat: str) -> bool:
    """The seat has answered, and its player has the receipt that says who wrote the lines."""
    row = next(row for row in table.harness.load_rows(QuestionRow) if row.seat == seat and row.is_blocking)
    receipt = table.harness.sent_facts("receipt")[-1]
    return row.answered_at is not None and receipt.warnings == ("by_master",) and receipt.frame.reader.seat == seat


def outcome(facts: MasterFacts) -> list[str]:
    """What came of each line."""
    return [act.outcome for act in facts.acts]


__all__ = ["CASES", "GUEST", "SECOND", "Case", "Table", "outcome"]
