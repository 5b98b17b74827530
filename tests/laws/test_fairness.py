"""Work is owed to people, not to connections: whoever writes much waits for themselves, and holds up nobody else."""

import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import engine
from engine.kernel.grammar import build_grammar
from engine.kernel.parse import parse_letter
from engine.kernel.phrases import Phrases
from engine.kernel.secrets import redact, seen_by
from engine.kernel.slots import SlotParser
from engine.kernel.viewers import Seat
from pbem.bench.tables import play_bot_game
from pbem.common.cpu_budget import BudgetExceeded
from pbem.crypto import new_token
from pbem.ops.validators import Busy, Turns, Validators
from pbem.service.base import limits
from pbem.service.base.services import ParsedEmail, Services
from pbem.service.mail import delivery, inbox, inbox_queue
from pbem.service.mail.outbox import enqueue
from pbem.service.tasks import analysis, inbound_handler, resolve_game
from pbem.service.tasks.recipients import find_payers
from pbem.smtp_process import is_local_recipient, sender_network
from pbem.store.models import Game, OutboundEmail
from tests.service.server_fixtures import ServerHarness, build, start_game

HOG, QUIET = "s1", "s2"


@pytest.fixture
def harness(state_dir: Path) -> ServerHarness:
    """A game of two that has just begun."""
    made = build(state_dir)
    start_game(made, "toy", 2)
    return made


def letter(harness: ServerHarness, seat: str, words: bytes) -> None:
    """A letter of a seat comes in; it is known by its first word."""
    harness.advance_time(seconds=1)
    address = f"o+{harness.reply_token(seat)}@games.test"
    inbox_queue.store_message(harness.smtp, (address,), words, payers=find_payers(harness.smtp, (address,), ""))


def reads(harness: ServerHarness, meanwhile: Callable[[], object] = lambda: None) -> list[bytes]:
    """Have letters read by their first word; the words in the order in which they are read."""
    read: list[bytes] = []

    def parse(raw: bytes, recipient: str, null_sender: bool) -> ParsedEmail:
        read.append(raw.split()[0])
        meanwhile()
        token = recipient.partition("+")[2].partition("@")[0]
        return ParsedEmail("ordinary", False, "reply", token, "", f"<{len(read)}@x>", "Re:", ("BID 1",))

    harness.configure(parse_email=parse)
    return read


class Counted:
    """Counts in a dict; `work`: what each letter counts as, whatever it took."""

    def __init__(self, work: int = 0) -> None:
        self.sums: dict[str, int] = {}
        self.work = work

    def __call__(self, key: str, seconds: int, amount: int = 1) -> int:
        self.sums[key] = self.sums.get(key, 0) + (self.work if self.work and not key.startswith("reading/") else amount)
        return self.sums[key]

    def count_all(self, counts: Sequence[tuple[str, int, int]]) -> Sequence[int]:
        return [self(*count) for count in counts]

    def read(self, keys: Sequence[str]) -> Sequence[int]:
        return [self.sums.get(key, 0) for key in keys]


# --- letters


def test_senders_take_turns_and_small_letters_come_first(harness: ServerHarness) -> None:
    """However many letters somebody has sent before, another's turn comes as often as theirs; the small one begins."""
    harness.configure(rate_counter=Counted(work=10))  # as if each letter took as much work as the others
    for number in range(1, 4):
        letter(harness, HOG, b"hog%d " % number + b"x" * 9_000)
    letter(harness, QUIET, b"quiet1")
    letter(harness, QUIET, b"quiet2")
    read = reads(harness)
    harness.run_queued_tasks()
    assert read == [b"quiet1", b"hog1", b"quiet2", b"hog2", b"hog3"]


def busy(seconds: float) -> None:
    """Take so much CPU time."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


@pytest.mark.parametrize("why", ["its length", "what came before"])
def test_nobodys_receipt_waits_for_what_takes_long(harness: ServerHarness, why: str) -> None:
    """A long letter, and one of a sender whose letters took much, are read once others have their receipts."""
    harness.configure(limits={"email_cpu_ms": 200})
    letter(harness, HOG, b"hog0")
    reads(harness, lambda: busy(0.03 if why == "what came before" else 0.0))
    harness.run_queued_tasks()
    letter(harness, HOG, b"hog1 " + b"x" * (20_000 if why == "its length" else 1))
    letter(harness, QUIET, b"quiet")
    receipts: list[int] = []
    read = reads(harness, lambda: receipts.append(len(harness.load_rows(OutboundEmail))))
    while inbox.process_batch(harness.mailer, inbound_handler):
        pass
    assert read == [b"quiet", b"hog1"]
    assert receipts[1] == receipts[0] + 1


def test_the_letters_of_a_sender_hold_one_worker(harness: ServerHarness) -> None:
    """While one worker reads a letter of somebody, another reads none of theirs, but those of all others."""
    for number in range(1, 4):
        letter(harness, HOG, b"hog%d" % number)
    once = [True]

    def second_worker() -> None:
        if once and once.pop():
            letter(harness, QUIET, b"quiet")
            assert inbox.process_batch(harness.mailer, inbound_handler)
            assert read == [b"hog1", b"quiet"]

    read = reads(harness, second_worker)
    assert inbox.process_batch(harness.mailer, inbound_handler)
    assert read == [b"hog1", b"quiet"], "one letter of each sender is read at a time"
    harness.run_queued_tasks()
    assert read == [b"hog1", b"quiet", b"hog2", b"hog3"]


def test_whose_turn_does_not_come_in_a_batch_is_left_to_other_workers(
    harness: ServerHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A batch that took a while reads no further, and keeps nobody whom it has not read from another worker."""
    letter(harness, HOG, b"hog")
    letter(harness, QUIET, b"quiet")
    read, analyze, once = reads(harness, lambda: busy(inbox.BATCH_S + 0.05)), inbound_handler.analyze, [True]

    def analyze_beside_another(*given: Any) -> Any:
        if once and once.pop():
            assert read == [b"hog"]
            assert inbox.process_batch(harness.mailer, inbound_handler)
            assert read == [b"hog", b"quiet"]
        return analyze(*given)

    monkeypatch.setattr(inbound_handler, "analyze", analyze_beside_another)
    assert inbox.process_batch(harness.mailer, inbound_handler)
    assert read == [b"hog", b"quiet"]


def test_who_took_too_much_work_waits_for_the_next_hour_and_is_told_once(harness: ServerHarness) -> None:
    """Beyond the CPU time of an hour all letters of a seat wait, its player gets one notice, and others go on."""
    for number in range(3):
        letter(harness, HOG, b"hog%d" % number)
    letter(harness, QUIET, b"quiet")
    read, count = reads(harness), harness.mailer.rate_counter
    (hog,) = {row.payer for row in harness.load_inbound_emails()} - set(
        find_payers(harness.smtp, (f"o+{harness.reply_token(QUIET)}@games.test",), "").values()
    )
    over = [True]

    def spent(services: Services, sort: str, people: Sequence[str], seconds: int) -> Mapping[str, int]:
        return {who: limits.allowed(services, sort) + 1 if over[0] and who == hog else 0 for who in people}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pbem.service.mail.inbox_queue.limits.count_hits", spent)
        harness.run_queued_tasks()
        delivery.deliver(harness.mailer)
        assert (read, harness.notification_kinds("p1@games.test")) == ([b"quiet"], ["emails_wait"])
        letter(harness, HOG, b"hog3")
        harness.run_queued_tasks()
        delivery.deliver(harness.mailer)
        assert harness.notification_kinds("p1@games.test") == ["emails_wait"]
        over[0] = False
        harness.advance_time(minutes=61)
        harness.requeue_stuck_work()
    assert read == [b"quiet", b"hog0", b"hog1", b"hog2", b"hog3"]
    assert count is harness.mailer.rate_counter


def test_what_a_letter_takes_is_counted_with_its_sender(harness: ServerHarness) -> None:
    """CPU time of reading and validating is counted for the seat, not for the address, which changes each turn."""
    counted = Counted()
    harness.configure(rate_counter=counted)
    letter(harness, HOG, b"hog")
    reads(harness, lambda: busy(0.02))
    harness.run_queued_tasks()
    assert [amount >= 20 for key, amount in counted.sums.items() if key.startswith("email_cpu_ms/")] == [True]
    assert not any(amount for key, amount in counted.sums.items() if key.startswith("reading/"))


def test_payers_are_seats_then_accounts_then_networks(harness: ServerHarness) -> None:
    """All addresses of a seat are one payer; addresses that nobody was given are those of the sender's network."""
    mine, theirs = (f"o+{harness.reply_token(seat)}@games.test" for seat in (HOG, QUIET))
    bounce = mine.replace("o+", "b+")
    made_up = [f"{kind}+{new_token()}@games.test" for kind in "obt"]
    found = find_payers(harness.smtp, (mine, theirs, bounce, *made_up), "192.0.2.0/24")
    assert found[mine] == found[bounce] != found[theirs]
    assert len({found[one] for one in made_up} - {found[mine], found[theirs]}) == 1
    assert find_payers(harness.smtp, made_up[:1], "198.51.100.0/24")[made_up[0]] != found[made_up[0]]


@pytest.mark.parametrize(
    ("peer", "raw", "network"),
    [
        ("192.0.2.77", b"Subject: x\r\n\r\n", "192.0.2.0/24"),
        ("2001:db8:1:2::3", b"Subject: x\r\n\r\n", "2001:db8:1::/48"),
        (
            "",
            b"Received: from a (b [198.51.100.9])\r\n\tby us\r\nReceived: c ([192.0.2.1])\r\n\r\n",
            "198.51.100.0/24",
        ),
        ("", b"Received: from a (b [IPv6:2001:db8:7::1])\r\n\r\n", "2001:db8:7::/48"),
        ("", b"Received: from [203.0.113.5] (b [198.51.100.9])\r\n\r\n", "198.51.100.0/24"),
        ("", b"Received: from [IPv6:2001:db8:9::1] (unknown [198.51.100.9])\r\n\r\n", "198.51.100.0/24"),
        ("", b"Received: from [203.0.113.5] by us\r\n\r\n", ""),
        ("::ffff:198.51.100.9", b"", "198.51.100.0/24"),
        ("", b"Subject: Received: [192.0.2.1]\r\n\r\nReceived", ""),
    ],
)
def test_the_network_of_a_stranger_is_what_our_own_server_says(peer: str, raw: bytes, network: str) -> None:
    """Behind a mail server the first header tells it, whatever the letter says below; else the connection."""
    assert sender_network(peer, raw, relayed=not peer) == network


def test_only_bounce_addresses_that_were_given_out_are_known(harness: ServerHarness) -> None:
    """A made-up address is refused before its letter is sent; where letters without a token come back is none."""
    given, none = harness.reply_token(HOG), "desk00"
    assert [is_local_recipient(harness.smtp, f"b+{token}@games.test") for token in (given, none, new_token())] == [
        True,
        True,
        False,
    ]


@pytest.mark.parametrize("kind", ["t", "b"])
def test_of_what_takes_no_orders_only_the_beginning_is_read(harness: ServerHarness, kind: str) -> None:
    """Of a large letter to a table or a bounce address no more is read than can be used."""
    (game,) = {row.id for row in harness.load_rows(Game)}
    token = game if kind == "t" else harness.reply_token(HOG)
    sizes: list[int] = []

    def parse(raw: bytes, recipient: str, null_sender: bool) -> ParsedEmail:
        sizes.append(len(raw))
        return ParsedEmail("ordinary", False, {"t": "table", "b": "bounce"}[kind], token)

    harness.configure(parse_email=parse)
    inbox_queue.store_message(harness.smtp, (f"{kind}+{token}@games.test",), b"x" * 400_000)
    harness.run_queued_tasks()
    assert sizes == [analysis.READ_BYTES[{"t": "table", "b": "bounce"}[kind]]]
    assert sizes[0] <= 64_000


# --- letters out, and receipts that the resolver completes


def test_receipts_go_before_reports_and_reports_before_reminders(harness: ServerHarness) -> None:
    """Of letters that wait, what somebody waits for goes first."""
    harness.sent.clear()
    went: list[str] = []
    with harness.mailer.db.transaction() as session:
        for kind in ("reminder", "report", "receipt"):
            enqueue(harness.mailer, session, key=f"{kind}.x", kind=kind, facts="", user_id=None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(delivery, "_render_batch", lambda services, keys, stamp: went.append(keys[0]))
        while len(went) < 3:
            delivery.deliver(harness.mailer, 1)
    assert went == ["receipt.x", "report.x", "reminder.x"]


def test_letters_that_came_do_not_wait_for_all_reports_of_a_batch(harness: ServerHarness) -> None:
    """What takes long to write is written by and by; between two parts a worker can read what came meanwhile."""
    harness.run_queued_tasks()
    with harness.mailer.db.transaction() as session:
        for number in range(3):
            enqueue(harness.mailer, session, key=f"notice.{number}", kind="notice", facts="", user_id=None)
    written, queued = list[str](), harness.queued_tasks

    def write(services: Services, session: object, row: OutboundEmail, *_: object) -> list[Any]:
        harness.simulate_downtime(seconds=1)
        written.append(row.key)
        return []

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(delivery, "_render_rows", write)
        delivery.deliver(harness.mailer)
        assert (written, list(queued)) == (["notice.0"], [("send_outbound_emails", "")])
        harness.run_queued_tasks()
    assert written[:3] == ["notice.0", "notice.1", "notice.2"]


def test_a_resolver_completes_receipts_before_it_closes_gates(harness: ServerHarness) -> None:
    """However many tables wait for a resolver, one at which a receipt waits is visited first, once."""
    harness.reply(HOG, "BID 1")
    harness.receive_reply(harness.reply_token(HOG), ["STATUS"])
    harness.run_task("process_inbound_emails", "")
    (game,) = {row.id for row in harness.load_rows(Game)}
    visited: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(resolve_game, "run", lambda services, game_id: visited.append(game_id))
        for other in ("one", "two"):
            resolve_game.run_by_urgency(harness.resolver, other)
    assert visited == [game, "one", "two"]


# --- what is validated


def count_calls(patch: pytest.MonkeyPatch, owner: type, name: str) -> list[None]:
    """A list that grows with each call of a method."""
    calls: list[None] = []
    usual = getattr(owner, name)

    def counted(*args: Any, **more: Any) -> Any:
        calls.append(None)
        return usual(*args, **more)

    patch.setattr(owner, name, counted)
    return calls


@pytest.fixture(scope="module")
def expansion() -> Any:
    """What somebody may write when a turn asks where to expand."""
    rules = engine.rules("age_of_renaissance")
    seats = tuple(Seat(f"s{number}") for number in range(3))
    for entry in play_bot_game(rules, seats, 1).entries:
        position = entry.after.position
        for question in position.core.questions:
            if question.topic == "expansion":
                with seen_by(question.seat):
                    return build_grammar(rules, redact(position, question.seat), question.seat, "en")
    raise LookupError("nobody expands")


def test_equal_lines_are_read_once(expansion: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """399 equal lines take no more reading than one of them, refused or not."""
    calls = count_calls(monkeypatch, Phrases, "line")
    for line in ("IF I HOLD Roma AND IF I HOLD Paris: IF I HOLD Milano: PLACE Roma 1", "IF I HOLD Roma: PLACE Roma 1"):
        taken = []
        for times in (1, 399):
            calls.clear()
            parse_letter([line] * times, expansion)
            taken.append(len(calls))
        assert taken[0] == taken[1] > 0


@pytest.mark.parametrize("end", [": PLACE Roma 1", ": PLACE", ""])
@pytest.mark.parametrize("condition", ["I HOLD Roma", "I HAVE 20 ducats", "NOT Roma IS EMPTY"])
def test_conditions_are_linear_in_what_they_name(
    expansion: Any, monkeypatch: pytest.MonkeyPatch, condition: str, end: str
) -> None:
    """Twice as many conditions on a line take twice the steps, whether the line can be read or not."""
    calls = count_calls(monkeypatch, SlotParser, "_walk")
    taken = []
    for many in (5, 10, 20):
        calls.clear()
        parse_letter([f"IF {' AND '.join([condition] * many)}{end}"], expansion)
        taken.append(len(calls))
    assert taken[2] - taken[1] <= 2.2 * (taken[1] - taken[0]) + 20


# --- turns of the processes that validate


def wait_for(condition: Callable[[], bool]) -> None:
    """Until something is so."""
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.001)


class Crowd:
    """People who wait for a turn; `order`: who had one."""

    def __init__(self, places: int, most: int = 6) -> None:
        self.turns, self.order, self.refused = Turns(places, most), list[str](), list[str]()
        self.go_on = threading.Event()
        self.threads: list[threading.Thread] = []

    def ask(self, person: str, topic: str | None = None, name: str = "") -> None:
        """Wait for a turn, in a thread; return when it waits or is there."""

        def wait() -> None:
            with suppress(Busy), self.turns.turn(person, topic):
                self.order.append(name or person)
                self.go_on.wait(20)
                return
            self.refused.append(name or person)

        before = self.turns._numbers
        self.threads.append(threading.Thread(target=wait))
        self.threads[-1].start()
        wait_for(lambda: self.turns._numbers > before)

    def finish(self) -> list[str]:
        """Let everybody go on; the order in which they had their turns."""
        self.go_on.set()
        for thread in self.threads:
            thread.join(20)
        return self.order


def test_a_person_has_one_thing_validated_at_a_time() -> None:
    """A place is left for others while somebody's orders are validated, however much they send."""
    crowd = Crowd(places=2)
    for _ in range(3):
        crowd.ask("hog")
    crowd.ask("quiet")
    wait_for(lambda: len(crowd.order) == 2)
    assert crowd.order == ["hog", "quiet"]
    assert sorted(crowd.finish()) == ["hog", "hog", "hog", "quiet"]


def test_a_newer_check_replaces_one_that_waits_and_orders_are_never_replaced() -> None:
    """Of checks about one table the newest is done; what is sent for good is done as well, and so are other tables."""
    crowd = Crowd(places=1)
    crowd.ask("other")
    wait_for(lambda: crowd.order == ["other"])
    for number in range(3):
        crowd.ask("me", "table", f"check{number}")
    crowd.ask("me", None, "orders")
    crowd.ask("me", "other table", "elsewhere")
    wait_for(lambda: len(crowd.refused) == 2)
    assert sorted(crowd.refused) == ["check0", "check1"]
    assert crowd.finish() == ["other", "check2", "orders", "elsewhere"]


def test_who_took_least_goes_first_and_who_took_most_is_refused() -> None:
    """Where many wait, those go first whose things took the least work; beyond the places to wait the others go."""
    crowd = Crowd(places=1, most=2)
    with crowd.turns.turn("hog") as charge:
        charge(9.0)
    crowd.ask("somebody")
    wait_for(lambda: crowd.order == ["somebody"])
    crowd.ask("hog")
    crowd.ask("quiet")
    crowd.ask("another")
    wait_for(lambda: crowd.refused == ["hog"])
    assert crowd.finish() == ["somebody", "quiet", "another"]


def _where(context: object) -> tuple[object, int]:
    return context, os.getpid()


def _endless(context: object) -> None:
    while True:
        pass


def _dies(context: object) -> None:
    os._exit(1)


def test_validation_runs_in_another_process_within_a_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes too long is given up, whatever it is at; a process that dies is followed by another."""
    monkeypatch.setattr("pbem.ops.validators.CPU_S", 0.05)
    validators = Validators(1)
    validators.start("context")
    try:
        context, process = validators.run("p", None, _where)
        assert context == "context"
        assert process != os.getpid()
        with pytest.raises(BudgetExceeded):
            validators.run("p", None, _endless)
        with pytest.raises(Busy):
            validators.run("p", None, _dies)
        assert validators.run("p", None, _where)[1] not in (process, os.getpid())
    finally:
        validators.stop()
