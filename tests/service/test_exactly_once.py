"""A process that dies anywhere: nothing is lost, nothing is done twice, and the game is the same game."""

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from engine.kernel.codec import dump
from pbem.service.base import services
from pbem.service.base.services import ParsedEmail, Recipient, RenderedEmail
from pbem.service.mail import delivery
from pbem.store.models import InboundEmail, OutboundEmail, SealedOrdersRow
from tests.budget import budget
from tests.service.server_fixtures import Hall, build, seated

TURN: tuple[Mapping[str, tuple[str, ...]], ...] = (
    {"s1": ("BID 3", "FOR MARCH", "ATTACK Mill WITH 2", "ON PARRY: PARRY Oak Shield"), "s2": ("BID 1", "LUCK my cat")},
    {"s2": ("ATTACK Abbey WITH 2 UP TO 2 TIMES ELSE SCOUT S1", "ATTACK Mill")},
)
"""What each seat writes: a bid with a set ahead and a rider; then the march that was not sent ahead."""


class Killed(BaseException):
    """The process is gone: nothing of it runs any more, no handler of errors either."""


@dataclass
class Death:
    """Kills once, at the given passage of a named point."""

    at: str
    passage: int = 0
    met: bool = False
    seen: Counter[str] = field(default_factory=Counter)

    def __call__(self, name: str) -> None:
        """A process passes a point."""
        self.seen[name] += 1
        if name == self.at and not self.met and self.seen[name] > self.passage:
            self.met = True
            raise Killed(name)


@dataclass
class Run:
    """What a run came to: the position, the letters answered, the bytes that went over the wire."""

    hall: Hall
    game: str
    wire: dict[str, set[bytes]] = field(default_factory=dict)

    def answered(self) -> Counter[str]:
        """How many receipts each seat has."""
        return Counter(str(row.seat) for row in self.hall.rows(OutboundEmail) if row.kind == "receipt")

    def reports(self) -> set[str]:
        """The keys of the reports: last entry, seat and kind."""
        return {row.key for row in self.hall.rows(OutboundEmail) if row.kind in ("report", "started", "over")}


def steady(count: int) -> bytes:
    """The same bytes of chance each time, whatever asks and in whatever order."""
    return hashlib.sha256(b"steady").digest()[:count]


def begin(folder: Path) -> Run:
    """A game that is the same game whenever it is begun, with a wire that keeps what it carries."""
    hall = build(folder)
    hall.everywhere(random_bytes=steady)
    assert hall.rows(InboundEmail) == []  # a server that was looked into deals its own game, the same on each database
    run = Run(hall, seated(hall, "toy", 2, failures="again"))
    write = hall.post.render_email
    assert write is not None

    def written(facts: object, to: Recipient) -> RenderedEmail:
        message = write(facts, to)
        return RenderedEmail(f"{to.key} {to.token} {dump(facts)}".encode(), message.sender, message.recipient)

    def sent(message: RenderedEmail) -> None:
        run.wire.setdefault(message.wire.partition(b" ")[0].decode(), set()).add(message.wire)

    hall.everywhere(render_email=written, send_email=sent)
    return run


def bring(run: Run, arrived: ParsedEmail) -> None:
    """A mail server that brings a letter until it hears that it was taken, as it must (RFC 5321 §4.5.4.1)."""
    while True:
        try:
            run.hall.letter_in(arrived)
            return
        except Killed:
            run.hall.woken.clear()


def settle(run: Run) -> None:
    """Workers that are started again after each death; what was in the broker is lost with them."""
    while True:
        try:
            run.hall.settle()
            run.hall.pass_time(seconds=200)
            run.hall.sweep()
            return
        except Killed:
            run.hall.woken.clear()


def play(run: Run) -> None:
    """A turn or two, and the answers to whatever is asked again."""
    for turn in range(budget(1, 2)):
        for part, written in enumerate(TURN):
            for seat, lines in written.items():
                mark = f"<{turn}.{part}.{seat}@p>"
                bring(run, ParsedEmail("ordinary", False, "reply", run.hall.token(seat), "", mark, "", lines))
            settle(run)
            answer_reactions(run, f"{turn}.{part}")


def answer_reactions(run: Run, mark: str) -> None:
    """Whatever is asked beyond the script is passed, until nobody owes anything but the next part."""
    for again in range(6):
        position = run.hall.position(run.game)
        owed = [d for d in position.core.questions if (d.blocking and d.topic == "shield") or "~" in d.gate]
        for decision in owed:
            name, token = f"<{mark}.{again}.{decision.seat}@p>", run.hall.token(decision.seat)
            bring(run, ParsedEmail("ordinary", False, "reply", token, "", name, "", ("PASS",)))
            settle(run)


def unkilled(folder: Path) -> tuple[str, Counter[str], set[str], Mapping[str, int]]:
    """What the game comes to when nobody dies, and how often each point is passed."""
    run, watch = begin(folder), Death("nowhere")
    run.hall.everywhere(fault_point=watch)
    play(run)
    return dump(run.hall.position(run.game)), run.answered(), run.reports(), watch.seen


@pytest.fixture(scope="module")
def peace(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Counter[str], set[str], Mapping[str, int]]:
    """The unkilled run, made once."""
    return unkilled(tmp_path_factory.mktemp("peace"))


def test_every_point_is_passed(peace: tuple[str, Counter[str], set[str], Mapping[str, int]]) -> None:
    """There are at least twenty named points, and a game passes each of them."""
    assert len(services.ORDER_POINTS) >= 20
    assert set(peace[3]) == set(services.ORDER_POINTS)


@pytest.mark.both_databases
@pytest.mark.parametrize("when", ["first", pytest.param("late", marks=pytest.mark.night)])
@pytest.mark.parametrize("name", services.ORDER_POINTS)
def test_a_death_at_any_point_changes_nothing(
    name: str, when: str, state_dir: Path, peace: tuple[str, Counter[str], set[str], Mapping[str, int]]
) -> None:
    """Killed at a point and started again, the game ends in the same position, with one receipt for each letter."""
    position, receipts, reports, seen = peace
    run, death = begin(state_dir), Death(name, 0 if when == "first" else seen[name] * 2 // 3)
    run.hall.everywhere(fault_point=death)
    play(run)
    assert death.met
    assert dump(run.hall.position(run.game)) == position
    assert run.answered() == receipts
    assert run.reports() == reports
    assert all(len(wires) == 1 for wires in run.wire.values())
    assert {row.state for row in run.hall.rows(OutboundEmail)} == {"sent"}
    assert {row.state for row in run.hall.rows(InboundEmail)} == {"processed"}


@pytest.mark.both_databases
def test_two_workers_with_one_letter_answer_it_once(state_dir: Path) -> None:
    """A task that is delivered twice, or given to a second worker while the first has it, does nothing more."""
    run = begin(state_dir)
    run.hall.write_in(run.hall.token("s1"), ["BID 3"], "<1@p>")
    (task, letter), *_ = run.hall.woken
    for _ in range(3):
        run.hall.work(task, letter)
    run.hall.settle()
    assert len(run.hall.of("receipt")) == 1
    assert len(run.hall.rows(SealedOrdersRow)) == 1


@pytest.mark.both_databases
def test_a_slow_batch_is_not_sent_twice(state_dir: Path) -> None:
    """While a slow relay takes a letter another worker sends none of its batch; what is left goes out later, once."""
    run = begin(state_dir)
    sent: list[bytes] = []

    def slowly(message: RenderedEmail) -> None:
        sent.append(message.wire)
        run.hall.pass_time(seconds=70)
        if len(sent) == 1:
            delivery.deliver(run.hall.post)

    for seat in ("s1", "s2", "s1"):
        run.hall.write_in(run.hall.token(seat), ["STATUS"])
    for task, subject in [w for w in run.hall.woken if w[0] == "process_inbound_email"]:
        run.hall.work(task, subject)
    run.hall.everywhere(send_email=slowly)
    for _ in range(3):
        delivery.deliver(run.hall.post)
    assert len(sent) == 3
    assert len(set(sent)) == 3
