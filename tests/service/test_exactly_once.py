"""A process that dies anywhere: nothing is lost, nothing is done twice, and the game is the same game."""

import hashlib
import sys
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
from tests.service.server_fixtures import ServerHarness, build, start_game

TURN: tuple[Mapping[str, tuple[str, ...]], ...] = (
    {"s1": ("BID 3", "FOR MARCH", "ATTACK Mill WITH 2", "ON PARRY: PARRY Oak Shield"), "s2": ("BID 1", "LUCK my cat")},
    {"s2": ("ATTACK Abbey WITH 2 UP TO 2 TIMES ELSE SCOUT S1", "ATTACK Mill")},
)
"""What each seat writes: a bid with a set ahead and a reaction; then the march that was not sent ahead."""
SPREAD = 2
"""Deaths at neighbouring points meet emails in turn, for one that fails again and again is put aside."""


class Killed(BaseException):
    """The process is gone: nothing of it runs any more, no handler of errors either."""


@dataclass
class Death:
    """Kills once at each of these points, after so many passages."""

    at: Mapping[str, int]
    met: set[str] = field(default_factory=set)
    seen: Counter[str] = field(default_factory=Counter)

    def __call__(self, name: str) -> None:
        """A process passes a point."""
        self.seen[name] += 1
        if name not in self.met and self.seen[name] > self.at.get(name, sys.maxsize):
            self.met.add(name)
            raise Killed(name)


@dataclass
class Run:
    """What a run came to: the position, the letters answered, the bytes that went over the wire."""

    harness: ServerHarness
    game: str
    wire: dict[str, set[bytes]] = field(default_factory=dict)

    def answered(self) -> Counter[str]:
        """How many receipts each seat has."""
        return Counter(str(row.seat) for row in self.harness.load_rows(OutboundEmail) if row.kind == "receipt")

    def reports(self) -> set[str]:
        """The keys of the reports: last entry, seat and kind."""
        return {
            row.key for row in self.harness.load_rows(OutboundEmail) if row.kind in ("report", "started", "game_over")
        }


def steady(count: int) -> bytes:
    """The same bytes of chance each time, whatever asks and in whatever order."""
    return hashlib.sha256(b"steady").digest()[:count]


def begin(folder: Path) -> Run:
    """A game that is the same game whenever it is begun, with a wire that keeps what it carries."""
    harness = build(folder)
    harness.configure(random_bytes=steady)
    assert (
        harness.load_rows(InboundEmail) == []
    )  # a server that was looked into deals its own game, the same on each database
    run = Run(harness, start_game(harness, "toy", 2, failures="again"))
    write = harness.mailer.render_email
    assert write is not None

    def written(facts: object, to: Recipient) -> RenderedEmail:
        message = write(facts, to)
        return RenderedEmail(f"{to.key} {to.token} {dump(facts)}".encode(), message.sender, message.recipient)

    def sent(message: RenderedEmail) -> None:
        run.wire.setdefault(message.wire.partition(b" ")[0].decode(), set()).add(message.wire)

    harness.configure(render_email=written, send_email=sent)
    return run


def bring(run: Run, arrived: ParsedEmail) -> None:
    """A mail server that brings a letter until it hears that it was taken, as it must (RFC 5321 §4.5.4.1)."""
    while True:
        try:
            run.harness.receive_email(arrived)
            return
        except Killed:
            run.harness.queued_tasks.clear()


def settle(run: Run) -> None:
    """Workers that are started again after each death; what was in the broker is lost with them."""
    while True:
        try:
            run.harness.run_queued_tasks()
            run.harness.advance_time(seconds=200)
            run.harness.requeue_stuck_work()
            return
        except Killed:
            run.harness.queued_tasks.clear()


def play(run: Run) -> None:
    """A turn or two, and the answers to whatever is asked again."""
    for turn in range(budget(1, 2)):
        for part, written in enumerate(TURN):
            for seat, lines in written.items():
                mark = f"<{turn}.{part}.{seat}@p>"
                bring(run, ParsedEmail("ordinary", False, "reply", run.harness.reply_token(seat), "", mark, "", lines))
            settle(run)
            answer_reactions(run, f"{turn}.{part}")


def answer_reactions(run: Run, mark: str) -> None:
    """Whatever is asked beyond the script is passed, until nobody owes anything but the next part."""
    for again in range(6):
        position = run.harness.load_state(run.game)
        owed = [d for d in position.core.questions if (d.blocking and d.topic == "shield") or "~" in d.gate]
        for decision in owed:
            name, token = f"<{mark}.{again}.{decision.seat}@p>", run.harness.reply_token(decision.seat)
            bring(run, ParsedEmail("ordinary", False, "reply", token, "", name, "", ("PASS",)))
            settle(run)


def unkilled(folder: Path) -> tuple[str, Counter[str], set[str], Mapping[str, int]]:
    """What the game comes to when nobody dies, and how often each point is passed."""
    run, watch = begin(folder), Death({})
    run.harness.configure(fault_point=watch)
    play(run)
    return dump(run.harness.load_state(run.game)), run.answered(), run.reports(), watch.seen


@pytest.fixture(scope="module")
def peace(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Counter[str], set[str], Mapping[str, int]]:
    """The unkilled run, made once."""
    return unkilled(tmp_path_factory.mktemp("peace"))


def test_every_point_is_passed(peace: tuple[str, Counter[str], set[str], Mapping[str, int]]) -> None:
    """There are at least twenty named points, and a game passes each of them."""
    assert len(services.ORDER_POINTS) >= 20
    assert set(peace[3]) == set(services.ORDER_POINTS)


@pytest.mark.both_databases
def test_deaths_at_all_points_one_after_the_other_change_nothing(
    state_dir: Path, peace: tuple[str, Counter[str], set[str], Mapping[str, int]]
) -> None:
    """Killed once at each point and started again, the game ends in the same position, with a receipt a letter."""
    assert_same_game(state_dir, peace, {name: at % SPREAD for at, name in enumerate(services.ORDER_POINTS)})


@pytest.mark.long
@pytest.mark.both_databases
@pytest.mark.parametrize("when", ["first", pytest.param("late", marks=pytest.mark.night)])
@pytest.mark.parametrize("name", services.ORDER_POINTS)
def test_a_death_at_any_point_changes_nothing(
    name: str, when: str, state_dir: Path, peace: tuple[str, Counter[str], set[str], Mapping[str, int]]
) -> None:
    """So it does when it is killed at one point alone, early or late."""
    assert_same_game(state_dir, peace, {name: 0 if when == "first" else peace[3][name] * 2 // 3})


def assert_same_game(
    folder: Path, peace: tuple[str, Counter[str], set[str], Mapping[str, int]], deaths: Mapping[str, int]
) -> None:
    """A game with these deaths comes to what it comes to without any."""
    position, receipts, reports, _ = peace
    run, death = begin(folder), Death(deaths)
    run.harness.configure(fault_point=death)
    play(run)
    assert death.met == set(deaths)
    assert dump(run.harness.load_state(run.game)) == position
    assert run.answered() == receipts
    assert run.reports() == reports
    assert all(len(wires) == 1 for wires in run.wire.values())
    assert {row.state for row in run.harness.load_rows(OutboundEmail)} == {"sent"}
    assert {row.state for row in run.harness.load_rows(InboundEmail)} == {"processed"}


@pytest.mark.both_databases
def test_two_workers_with_one_letter_answer_it_once(state_dir: Path) -> None:
    """A task that is delivered twice, or given to a second worker while the first has it, does nothing more."""
    run = begin(state_dir)
    run.harness.receive_reply(run.harness.reply_token("s1"), ["BID 3"], "<1@p>")
    (task, letter), *_ = run.harness.queued_tasks
    for _ in range(3):
        run.harness.run_task(task, letter)
    run.harness.run_queued_tasks()
    assert len(run.harness.sent_facts("receipt")) == 1
    assert len(run.harness.load_rows(SealedOrdersRow)) == 1


@pytest.mark.both_databases
def test_a_slow_batch_is_not_sent_twice(state_dir: Path) -> None:
    """While a slow relay takes a letter another worker sends none of its batch; what is left goes out later, once."""
    run = begin(state_dir)
    sent: list[bytes] = []

    def slowly(message: RenderedEmail) -> None:
        sent.append(message.wire)
        run.harness.advance_time(seconds=70)
        if len(sent) == 1:
            delivery.deliver(run.harness.mailer)

    for seat in ("s1", "s2", "s1"):
        run.harness.receive_reply(run.harness.reply_token(seat), ["STATUS"])
    for task, subject in [w for w in run.harness.queued_tasks if w[0] == "process_inbound_emails"]:
        run.harness.run_task(task, subject)
    run.harness.configure(send_email=slowly)
    for _ in range(3):
        delivery.deliver(run.harness.mailer)
    assert len(sent) == 3
    assert len(set(sent)) == 3
