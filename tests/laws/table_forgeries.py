"""Lies about times, seats, options, talk, acts, and orders that were passed over."""

from dataclasses import replace
from typing import Any, Final

from engine.kernel.codec import dump
from engine.kernel.secrets import truth
from pbem.archive.answers import reaction_gate, standing_gate
from pbem.archive.entries import PublicPart, RecordedOrders, SupersededOrders
from pbem.crypto.sealed_orders import OrdersContext
from tests.laws.forgeries import (
    DIFFERS,
    LISTED,
    RECEIPTS,
    UNACKNOWLEDGED,
    an_event_less,
    forgery,
    orders_passed_over,
    other_orders,
    played,
    question,
)
from tests.laws.maker import Maker, NotHere, sealed

# --- times


@forgery("times")
def a_time_set_back(m: Maker) -> None:
    """An entry was made before the one before it."""
    record = m.entry(played)
    m.put(replace(record, created_at=m.records[record.number - 2].created_at - 1))


@forgery("times")
def two_entries_at_once(m: Maker) -> None:
    """An entry was made when the one before it was."""
    record = m.entry(played)
    m.put(replace(record, created_at=m.records[record.number - 2].created_at))


@forgery("times")
def a_game_that_began_before_its_table(m: Maker) -> None:
    """The table was made after its first entry."""
    m.manifest(created_at=m.records[0].created_at + 1)


# --- the table


@forgery("seats")
def another_order_of_the_seats(m: Maker) -> None:
    """The seats change places."""
    m.manifest(seats=m.book.manifest.seats[::-1])


@forgery("seats")
def a_number_that_is_none(m: Maker) -> None:
    """The first entry says "true" where its number stands: a reader's program may take it for another."""
    m.put(replace(m.records[0], number=True))
    m.shown[1] = lambda part: PublicPart(part.game, True, part.gate, part.created_at, part.defaulted, part.events)


@forgery("seats")
def an_entry_of_another_game(m: Maker) -> None:
    """An entry says that it is of another game."""
    m.put(replace(m.entry(played), game="other"))


@forgery("seats", LISTED)
def another_player(m: Maker) -> None:
    """A seat was somebody else's: the names are listed as the server's word."""
    (seat, _), *rest = m.book.manifest.seats
    m.manifest(seats=((seat, "Mallory"), *rest))


@forgery("options")
def another_option(m: Maker) -> None:
    """The game was played by another option."""
    played_by = m.positions[0].core.options
    for option in m.rules.meta.options:
        if option.name in played_by and len(option.values) > 1:
            other = next(value for value in option.values if value != played_by[option.name])
            m.manifest(options={**m.book.manifest.options, option.name: other})
            return
    raise NotHere


@forgery("options", LISTED)
def another_option_of_the_table(m: Maker) -> None:
    """The table had another option that the rules do not read."""
    m.manifest(options={**m.book.manifest.options, "talk": "none"})


@forgery("options", LISTED)
def another_version_of_the_table(m: Maker) -> None:
    """The table was begun under other rules than its entries were made by."""
    m.manifest(rules_version="0")


@forgery("options", DIFFERS)
def another_version_of_the_rules(m: Maker) -> None:
    """An event did not happen, by rules that nobody has."""
    an_event_less(m)
    for record in list(m.records):
        m.put(replace(record, version="0"))


# --- talk and audit


MESSAGE: Final = {"at": 1, "entry": 1, "kind": "public", "seat": "s1", "name": "Ada", "to": [], "text": "I resign"}
ACT: Final = {
    "action": "rewind",
    "channel": "web",
    "created_at": 1,
    "entry": 1,
    "line": "REWIND",
    "name": "Ada",
    "outcome": "done",
    "reason": "",
}


@forgery("talk", LISTED)
def talk_that_nobody_spoke(m: Maker) -> None:
    """A message that nobody wrote."""
    m.book = replace(m.book, press=(*m.book.press, MESSAGE))


@forgery("talk", LISTED)
def a_diary_that_nobody_wrote(m: Maker) -> None:
    """An entry of a diary that nobody wrote."""
    m.book = replace(m.book, press=(*m.book.press, {**MESSAGE, "kind": "diary"}))


@forgery("talk", LISTED)
def talk_left_out(m: Maker) -> None:
    """What was said was not."""
    if not m.book.press:
        raise NotHere
    m.book = replace(m.book, press=())


@forgery("audit", LISTED)
def an_act_that_nobody_did(m: Maker) -> None:
    """An act of a master who did none."""
    m.book = replace(m.book, audit=(*m.book.audit, ACT))


@forgery("audit", LISTED)
def acts_left_out(m: Maker) -> None:
    """The acts of masters are gone."""
    if not m.book.audit:
        raise NotHere
    m.book = replace(m.book, audit=())


@forgery("talk", LISTED)
def a_part_for_another_server(m: Maker) -> None:
    """A finished game says who sits where on another server."""
    m.book = replace(m.book, moving={"sitting": ["Mallory"]})


# --- receipts


def pass_over(m: Maker, revision: int = 99, **says: Any) -> None:
    """Orders that were passed over, which there were not."""
    record, old = m.answer("orders")
    place = replace(OrdersContext.from_bytes(old.context), revision=revision)
    other = SupersededOrders(place.to_bytes(), "ab" * 32, "superseded")
    m.put(replace(record, beside=(*record.beside, replace(other, **says))))


@forgery("receipts")
def newer_orders_passed_over(m: Maker) -> None:
    """A newer set of orders is said to have been superseded by an older one."""
    pass_over(m)


@forgery("receipts")
def orders_withdrawn_by_nobody(m: Maker) -> None:
    """Orders are said to have been withdrawn, and nobody signed it."""
    pass_over(m, fate="withdrawn")


@forgery("receipts")
def orders_with_another_fate(m: Maker) -> None:
    """Orders ended in a way that there is not."""
    pass_over(m, fate="lost", signed=b"x")


@forgery("receipts")
def counted_orders_passed_over(m: Maker) -> None:
    """Orders that were counted are said to have been superseded."""
    record, old = m.answer("orders")
    m.put(replace(record, beside=(*record.beside, SupersededOrders(old.context, old.commitment, "superseded"))))


@forgery("receipts", RECEIPTS)
def older_orders_counted(m: Maker) -> None:
    """Orders are counted that newer ones had superseded."""
    record, old = m.answer("orders")
    place = OrdersContext.from_bytes(old.context)
    m.swap(record, old, sealed(replace(old, salt=bytes(32)), revision=max(0, place.revision - 1)))
    m.redo(record.number)


@forgery("receipts", LISTED)
def orders_that_nobody_sent(m: Maker) -> None:
    """A seat is said to have sent orders before those that were counted."""
    pass_over(m, revision=0)


@forgery("receipts", RECEIPTS)
def newer_orders_made_up(m: Maker) -> None:
    """A seat is said to have replaced its orders."""
    _make_up(m, "orders")


@forgery("receipts", RECEIPTS)
def a_plan_made_up(m: Maker) -> None:
    """Standing orders that a seat never sent are counted in the place of its orders."""
    _make_up(m, "standing")


@forgery("receipts", RECEIPTS)
def an_answer_in_advance_made_up(m: Maker) -> None:
    """An answer in advance that a seat never sent is counted in the place of its orders."""
    _make_up(m, "reaction")


@forgery("receipts", UNACKNOWLEDGED)
def another_answer_in_advance(m: Maker) -> None:
    """An answer in advance is another than the seat sent."""
    _make_up(m, "reaction", "reaction")


def _make_up(m: Maker, how: str, instead: str = "orders") -> None:
    """Seal other orders of a seat's in a way of its own; what it sent is said to have been superseded."""
    record, old = m.answer(instead)
    asked, place = question(m, record, old), OrdersContext.from_bytes(old.context)
    with truth():
        turn = m.rules.turn(m.before(record))
    ahead = reaction_gate(m.rules.meta.topic(asked.topic), turn)
    gates = {"orders": place.gate, "standing": standing_gate(asked.topic), "reaction": ahead}
    for orders in (*other_orders(m, record, old), ()):
        content = dump({asked.topic: orders} if how == "reaction" else RecordedOrders(orders))
        made = replace(old, orders=orders, words="", how=how, content=content)
        made = sealed(made, kind=how, gate=gates[how], revision=place.revision + 1)
        beside = (SupersededOrders(old.context, old.commitment, "superseded"),) if how == instead == "orders" else ()
        m.put(replace(m.swap(record, old, made), beside=(*record.beside, *beside)))
        m.redo(record.number)
        return
    raise NotHere


@forgery("receipts")
def orders_superseded_by_nothing(m: Maker) -> None:
    """A seat's orders are said to have been superseded, and the rules answer for it."""
    record, old = m.answer("orders")
    orders_passed_over(m)
    made = next((one for one in m.records if one.number == record.number), None)
    if made is None:
        raise NotHere
    m.put(replace(made, beside=(SupersededOrders(old.context, old.commitment, "superseded"),)))
