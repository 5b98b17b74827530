"""Orders are judged before their transaction; who is overtaken meanwhile is judged again, and nothing counts twice."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from engine.kernel.validation import preview_orders
from pbem.crypto import new_token
from pbem.narration.facts import ReceiptFacts
from pbem.service.base.database_access import MAX_RETRIES
from pbem.service.base.services import ParsedEmail
from pbem.service.mail import inbox
from pbem.service.orders import web_orders
from pbem.service.tasks import inbound_handler
from pbem.store.database import in_transaction
from pbem.store.models import OrderRevision, OutboundEmail, SealedOrdersRow
from tests.service.master_commands import user
from tests.service.server_fixtures import Hall, build, seated

pytestmark = pytest.mark.both_databases

Send = Callable[[Hall, str], None]


def letter(hall: Hall, line: str) -> None:
    """The first player writes a letter."""
    hall.write_in(hall.token("s1"), [line])
    hall.work(*hall.woken.pop())


def form(hall: Hall, line: str) -> None:
    """The first player sends a form."""
    game = hall.rows(SealedOrdersRow)[0].game_id if hall.rows(SealedOrdersRow) else hall.rows(OutboundEmail)[-1].game_id
    web_orders.submit_orders(hall.web, user(hall, "p1@games.test"), str(game), 1, new_token(), [line])


BY = pytest.mark.parametrize("send", [letter, form])


@pytest.fixture
def hall(state_dir: Path) -> Hall:
    """A game of two that has just begun."""
    made = build(state_dir)
    seated(made, "toy", 2)
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


def receipts(hall: Hall) -> list[ReceiptFacts]:
    """What the first player was answered: of a receipt that others made void as it was worded, what it said then."""
    hall.settle()
    worded = {a.key: facts for a, facts in hall.sent if a.kind == "receipt" and a.seat == "s1"}
    sent = [row.key for row in hall.rows(OutboundEmail) if row.state == "sent"]
    return [facts for key, facts in worded.items() if key in sent]


@BY
def test_orders_are_judged_while_others_can_write(hall: Hall, monkeypatch: pytest.MonkeyPatch, send: Send) -> None:
    """Another seat's orders are taken while the first ones are judged, which are then not judged again."""
    seen = Meanwhile(monkeypatch, lambda: hall.write_in(hall.token("s2"), ["STATUS"]))
    send(hall, "BID 1")
    assert seen.locked == [False]
    assert [one.taken for facts in receipts(hall) for one in facts.sets] == [True]


class Filed:
    """What happens after a letter was answered and before that is written; where the lock was held as it was."""

    def __init__(self, hall: Hall, *things: Callable[[], object]) -> None:
        self.left, self.locked = list(things), list[bool]()

        def meanwhile(name: str) -> None:
            if name == "inbox.answered":
                self.locked.append(in_transaction())
                if self.left and not in_transaction():
                    self.left.pop(0)()

        hall.post = replace(hall.post, fault_point=meanwhile)


def test_orders_are_filed_and_answered_while_others_can_write(hall: Hall) -> None:
    """A letter's ballot and receipt are made before the lock is held, which is held to write them."""
    seen = Filed(hall)
    letter(hall, "BID 1")
    assert seen.locked == [False]
    assert [one.taken for facts in receipts(hall) for one in facts.sets] == [True]
    assert [(row.revision, row.is_current) for row in hall.rows(SealedOrdersRow)] == [(1, True)]


def test_what_others_write_meanwhile_has_no_orders_judged_again(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """Orders of another seat that come as a letter is answered have it filed under the lock, judged as it was."""
    game, judged = str(hall.rows(OutboundEmail)[-1].game_id), Meanwhile(monkeypatch)
    other = partial(web_orders.submit_orders, hall.web, user(hall, "p2@games.test"), game, 1, new_token(), ["BID 2"])
    seen = Filed(hall, other)
    letter(hall, "BID 1")
    assert seen.locked == [False, True]
    assert judged.locked == [False, False], "each seat's orders once"
    assert sorted((row.seat, row.revision) for row in hall.rows(SealedOrdersRow)) == [("s1", 1), ("s2", 1)]
    assert len(receipts(hall)) == 1


def test_a_letter_brought_twice_at_once_acts_once(hall: Hall) -> None:
    """Of two that are the same letter, read by two workers at one moment, one files its orders and is answered."""
    arrived = ParsedEmail("ordinary", False, "reply", hall.token("s1"), "", "<same@x>", "", ("BID 1",))
    hall.letter_in(arrived)
    hall.letter_in(arrived)
    (_, first), (_, second) = hall.woken
    hall.woken.clear()
    other = hall.post
    Filed(hall, lambda: inbox.process_email(other, second, inbound_handler))
    assert inbox.process_email(hall.post, first, inbound_handler)
    assert {row.state for row in hall.letters_in()} == {"processed"}
    assert [row.revision for row in hall.rows(SealedOrdersRow)] == [1]
    assert [row.kind for row in hall.rows(OutboundEmail)].count("receipt") == 1


def test_one_letter_read_by_two_workers_is_answered_once(hall: Hall) -> None:
    """A letter that another worker answers meanwhile is left as it is."""
    hall.write_in(hall.token("s1"), ["BID 1"])
    ((_, number),) = hall.woken
    other = hall.post
    Filed(hall, lambda: inbox.process_email(other, number, inbound_handler))
    assert not inbox.process_email(hall.post, number, inbound_handler)
    assert [row.revision for row in hall.rows(SealedOrdersRow)] == [1]
    assert [row.kind for row in hall.rows(OutboundEmail)].count("receipt") == 1


@BY
def test_orders_whose_question_closes_meanwhile_are_judged_again(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, send: Send
) -> None:
    """Nothing is filed for a gate that closed while the orders were judged."""
    game, web = str(hall.rows(OutboundEmail)[-1].game_id), hall.web

    def close() -> None:
        for number in (1, 2):
            person = user(hall, f"p{number}@games.test")
            web_orders.submit_orders(web, person, game, 1, new_token(), ["BID 2" if number == 1 else "BID 1"])
        hall.settle()

    Meanwhile(monkeypatch, close)
    send(hall, "BID 3")
    hall.settle()
    assert hall.game(game).entry > 1
    assert [row for row in hall.rows(SealedOrdersRow) if row.gate.startswith("bid") and row.opening_entry == 1] == []
    assert sum(one.taken for facts in receipts(hall) for one in facts.sets) == 1, "what closed the gate"


@BY
def test_of_two_sets_for_one_place_the_later_one_counts(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, send: Send
) -> None:
    """A set that was filed while another one was judged is replaced by it, under a revision of its own."""
    Meanwhile(monkeypatch, lambda: form(hall, "BID 2"))
    send(hall, "BID 3")
    filed = sorted((row.revision, row.is_current, row.commitment) for row in hall.rows(SealedOrdersRow))
    assert [(revision, stands) for revision, stands, _ in filed] == [(1, False), (2, True)]
    replaced = [one.replaces for facts in receipts(hall) for one in facts.sets if one.replaces]
    assert replaced == [filed[0][2]]


@BY
def test_who_is_overtaken_again_and_again_is_judged_under_the_lock(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, send: Send
) -> None:
    """After a few losses the orders are judged in the transaction itself: nobody waits for ever."""
    person = user(hall, "p1@games.test")
    game = str(hall.rows(OutboundEmail)[-1].game_id)
    busy = False

    def overtake() -> None:
        nonlocal busy
        if not busy:
            busy = True
            web_orders.submit_orders(hall.web, person, game, 1, new_token(), ["BID 2"])
            busy = False

    seen = Meanwhile(monkeypatch, *[overtake] * 20)
    send(hall, "BID 3")
    assert seen.locked.count(True) == 1
    assert [row.revision for row in hall.rows(OrderRevision)] == [MAX_RETRIES + 2]
    standing = [row for row in hall.rows(SealedOrdersRow) if row.is_current]
    assert [row.revision for row in standing] == [MAX_RETRIES + 2]
    assert len(receipts(hall)) == MAX_RETRIES + 2
