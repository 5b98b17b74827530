"""Orders are judged before their transaction; who is overtaken meanwhile is judged again, and nothing counts twice."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from engine.kernel.validation import preview_orders
from pbem.bench.in_process import Uncounted
from pbem.crypto import new_token
from pbem.narration.facts import ReceiptFacts
from pbem.service.base.database_access import MAX_RETRIES
from pbem.service.base.services import ParsedEmail
from pbem.service.mail import inbox
from pbem.service.orders import web_orders
from pbem.service.tasks import inbound_handler
from pbem.store.database import in_transaction
from pbem.store.models import OrderRevision, OutboundEmail, SealedOrdersRow
from tests.service.master_commands import get_user_id
from tests.service.server_fixtures import ServerHarness, build, start_game

pytestmark = pytest.mark.both_databases

Send = Callable[[ServerHarness, str], None]


def letter(harness: ServerHarness, line: str) -> None:
    """The first player writes a letter."""
    harness.receive_reply(harness.reply_token("s1"), [line])
    harness.run_task(*harness.queued_tasks.pop())


def form(harness: ServerHarness, line: str) -> None:
    """The first player sends a form."""
    game = (
        harness.load_rows(SealedOrdersRow)[0].game_id
        if harness.load_rows(SealedOrdersRow)
        else harness.load_rows(OutboundEmail)[-1].game_id
    )
    web_orders.submit_orders(harness.web, get_user_id(harness, "p1@games.test"), str(game), 1, new_token(), [line])


BY = pytest.mark.parametrize("send", [letter, form])


@pytest.fixture
def harness(state_dir: Path) -> ServerHarness:
    """A game of two that has just begun."""
    made = build(state_dir)
    start_game(made, "toy", 2)
    return made


class Meanwhile:
    """What happens while orders are judged outside of a transaction: each time the next thing."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *things: Callable[[], object]) -> None:
        self.left, self.locked = list(things), list[bool]()

        def meanwhile(*given: Any, **named: Any) -> Any:
            self.locked.append(in_transaction())
            if not in_transaction() and self.left:
                self.left.pop(0)()
            return preview_orders(*given, **named)

        monkeypatch.setattr("pbem.service.orders.validation.preview_orders", meanwhile)


def receipts(harness: ServerHarness) -> list[ReceiptFacts]:
    """What the first player was answered: of a receipt that others made void as it was worded, what it said then."""
    harness.run_queued_tasks()
    worded = {a.key: facts for a, facts in harness.sent if a.kind == "receipt" and a.seat == "s1"}
    sent = [row.key for row in harness.load_rows(OutboundEmail) if row.state == "sent"]
    return [facts for key, facts in worded.items() if key in sent]


@BY
def test_orders_are_judged_while_others_can_write(
    harness: ServerHarness, monkeypatch: pytest.MonkeyPatch, send: Send
) -> None:
    """Another seat's orders are taken while the first ones are judged, which are then not judged again."""
    seen = Meanwhile(monkeypatch, lambda: harness.receive_reply(harness.reply_token("s2"), ["STATUS"]))
    send(harness, "BID 1")
    assert seen.locked == [False]
    assert [one.taken for facts in receipts(harness) for one in facts.sets] == [True]


class Filed:
    """What happens after a letter was answered and before that is written; where the lock was held as it was."""

    def __init__(self, harness: ServerHarness, *things: Callable[[], object]) -> None:
        self.left, self.locked = list(things), list[bool]()

        def meanwhile(name: str) -> None:
            if name == "inbox.answered":
                self.locked.append(in_transaction())
                if self.left and not in_transaction():
                    self.left.pop(0)()

        harness.mailer = replace(harness.mailer, fault_point=meanwhile)


def test_orders_are_filed_and_answered_while_others_can_write(harness: ServerHarness) -> None:
    """A letter's orders are sealed and its receipt made before the lock is held, which is held to write them."""
    seen = Filed(harness)
    letter(harness, "BID 1")
    assert seen.locked == [False]
    assert [one.taken for facts in receipts(harness) for one in facts.sets] == [True]
    assert [(row.revision, row.is_current) for row in harness.load_rows(SealedOrdersRow)] == [(1, True)]


def test_what_others_write_meanwhile_has_no_orders_judged_again(
    harness: ServerHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Orders of another seat that come as a letter is answered have it filed under the lock, judged as it was."""
    game, judged = str(harness.load_rows(OutboundEmail)[-1].game_id), Meanwhile(monkeypatch)
    other = partial(
        web_orders.submit_orders, harness.web, get_user_id(harness, "p2@games.test"), game, 1, new_token(), ["BID 2"]
    )
    seen = Filed(harness, other)
    letter(harness, "BID 1")
    assert seen.locked == [False, True]
    assert judged.locked == [False, False], "each seat's orders once"
    assert sorted((row.seat, row.revision) for row in harness.load_rows(SealedOrdersRow)) == [("s1", 1), ("s2", 1)]
    assert len(receipts(harness)) == 1


def test_a_letter_brought_twice_at_once_acts_once(harness: ServerHarness) -> None:
    """Of two that are the same letter, read by two workers at one moment, one files its orders and is answered."""
    arrived = ParsedEmail("ordinary", False, "reply", harness.reply_token("s1"), "", "<same@x>", "", ("BID 1",))
    harness.receive_email(arrived)
    harness.receive_email(arrived)
    harness.queued_tasks.clear()
    harness.configure(rate_counter=Uncounted())  # as where a worker's claim has run out
    other = harness.mailer
    Filed(harness, lambda: inbox.process_batch(other, inbound_handler))
    for _ in range(2):  # one letter of each sender at a time
        inbox.process_batch(harness.mailer, inbound_handler)
    assert {row.state for row in harness.load_inbound_emails()} == {"processed"}
    assert [row.revision for row in harness.load_rows(SealedOrdersRow)] == [1]
    assert [row.kind for row in harness.load_rows(OutboundEmail)].count("receipt") == 1


def test_one_letter_read_by_two_workers_is_answered_once(harness: ServerHarness) -> None:
    """A letter that another worker answers meanwhile is left as it is."""
    harness.receive_reply(harness.reply_token("s1"), ["BID 1"])
    harness.configure(rate_counter=Uncounted())  # as where a worker's claim has run out
    other = harness.mailer
    Filed(harness, lambda: inbox.process_batch(other, inbound_handler, most=1))
    assert not inbox.process_batch(harness.mailer, inbound_handler, most=1)
    assert [row.revision for row in harness.load_rows(SealedOrdersRow)] == [1]
    assert [row.kind for row in harness.load_rows(OutboundEmail)].count("receipt") == 1


@BY
def test_orders_whose_question_closes_meanwhile_are_judged_again(
    harness: ServerHarness, monkeypatch: pytest.MonkeyPatch, send: Send
) -> None:
    """Nothing is filed for a gate that closed while the orders were judged."""
    game, web = str(harness.load_rows(OutboundEmail)[-1].game_id), harness.web

    def close() -> None:
        for number in (1, 2):
            person = get_user_id(harness, f"p{number}@games.test")
            web_orders.submit_orders(web, person, game, 1, new_token(), ["BID 2" if number == 1 else "BID 1"])
        harness.run_queued_tasks()

    Meanwhile(monkeypatch, close)
    send(harness, "BID 3")
    harness.run_queued_tasks()
    assert harness.load_game(game).entry > 1
    assert [
        row for row in harness.load_rows(SealedOrdersRow) if row.gate.startswith("bid") and row.opening_entry == 1
    ] == []
    assert sum(one.taken for facts in receipts(harness) for one in facts.sets) == 1, "what closed the gate"


@BY
def test_of_two_sets_for_one_place_the_later_one_counts(
    harness: ServerHarness, monkeypatch: pytest.MonkeyPatch, send: Send
) -> None:
    """A set that was filed while another one was judged is replaced by it, under a revision of its own."""
    Meanwhile(monkeypatch, lambda: form(harness, "BID 2"))
    send(harness, "BID 3")
    filed = sorted((row.revision, row.is_current, row.commitment) for row in harness.load_rows(SealedOrdersRow))
    assert [(revision, stands) for revision, stands, _ in filed] == [(1, False), (2, True)]
    replaced = [one.replaces for facts in receipts(harness) for one in facts.sets if one.replaces]
    assert replaced == [filed[0][2]]


@BY
def test_who_is_overtaken_again_and_again_is_judged_under_the_lock(
    harness: ServerHarness, monkeypatch: pytest.MonkeyPatch, send: Send
) -> None:
    """After a few losses the orders are judged in the transaction itself: nobody waits for ever."""
    person = get_user_id(harness, "p1@games.test")
    game = str(harness.load_rows(OutboundEmail)[-1].game_id)
    busy = False

    def overtake() -> None:
        nonlocal busy
        if not busy:
            busy = True
            web_orders.submit_orders(harness.web, person, game, 1, new_token(), ["BID 2"])
            busy = False

    seen = Meanwhile(monkeypatch, *[overtake] * 20)
    send(harness, "BID 3")
    assert seen.locked.count(True) == 1
    assert [row.revision for row in harness.load_rows(OrderRevision)] == [MAX_RETRIES + 2]
    standing = [row for row in harness.load_rows(SealedOrdersRow) if row.is_current]
    assert [row.revision for row in standing] == [MAX_RETRIES + 2]
    assert len(receipts(harness)) == MAX_RETRIES + 2
