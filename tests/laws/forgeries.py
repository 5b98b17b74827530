"""Forgeries that a server can make of the file of a game, by kinds: what each changes, and how it comes out.

`refused`: `verify` fails.  `listed`: the output names it, as what the server or a master says.  `receipts`: it fails
for a reader who has the receipts of the seats, and is possible without them.  `unacknowledged`: with these receipts the
output names it, as orders that none of them is of.  `differs`: under rules of another version
than the installed one every entry that these play otherwise is named.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from engine.kernel.codec import dump, load
from engine.kernel.dice import Draw
from engine.kernel.events import Event, KernelEvent
from engine.kernel.orders import Orders, Question
from engine.kernel.secrets import redact, seen_by
from pbem.archive.answers import bot_answer
from pbem.archive.entries import (
    CountedAnswer,
    EntryRecord,
    RecordedOrders,
)
from pbem.crypto.chain import hash_seed
from pbem.crypto.sealed_orders import OrdersContext
from tests.laws.maker import Maker, NotHere, sealed

REFUSED, LISTED, RECEIPTS, DIFFERS = "refused", "listed", "receipts", "differs"
UNACKNOWLEDGED: Final = "unacknowledged"


@dataclass(frozen=True)
class Forgery:
    """A sort of forgery: of what kind, how it comes out, and what makes it."""

    kind: str
    outcome: str
    forge: Callable[[Maker], None]


FORGERIES: Final = dict[str, Forgery]()


def forgery(kind: str, outcome: str = REFUSED) -> Callable[[Callable[[Maker], None]], Callable[[Maker], None]]:
    """Register a sort of forgery."""

    def register(forge: Callable[[Maker], None]) -> Callable[[Maker], None]:
        FORGERIES[forge.__name__] = Forgery(kind, outcome, forge)
        return forge

    return register


def played(record: EntryRecord) -> bool:
    """Return True if an entry counted answers, for the first time."""
    return bool(record.counted) and record.replay_of is None


def game_events(record: EntryRecord) -> list[Event]:
    """The events that change the board."""
    return [event for event in record.events if not isinstance(event, KernelEvent)]


# --- events


@forgery("events")
def an_event_more(m: Maker) -> None:
    """Something happened once more."""
    record = m.entry(lambda record: played(record) and game_events(record))
    for event in reversed(game_events(record)):
        try:
            m.write_events(record, (*record.events, event))
        except Exception:  # noqa: BLE001 - it cannot happen twice
            continue
        return
    raise NotHere


@forgery("events")
def an_event_less(m: Maker) -> None:
    """The last event did not happen."""
    record = m.entry(lambda record: played(record) and game_events(record))
    m.write_events(record, record.events[:-1])


@forgery("events")
def events_in_another_order(m: Maker) -> None:
    """Two events change places."""
    record = m.entry(lambda record: played(record) and len(record.events) > 2)
    m.put(replace(record, events=(record.events[1], record.events[0], *record.events[2:])))


@forgery("events")
def an_event_told_to_one_seat(m: Maker) -> None:
    """What all were told is hidden from all but one."""
    record = m.entry(lambda record: played(record) and any(e.visible_to is None for e in record.events))
    event = next(e for e in record.events if e.visible_to is None)
    hidden = replace(event, visible_to=frozenset({m.book.manifest.order[0]}))
    m.put(replace(record, events=tuple(hidden if e is event else e for e in record.events)))


@forgery("events")
def events_of_no_answers(m: Maker) -> None:
    """Something happens again, in an entry that nobody's answers made."""
    _insert(m, gate="correction")


@forgery("events")
def events_of_no_answers_at_a_gate(m: Maker) -> None:
    """The same, under the name of a gate."""
    _insert(m, gate="")


@forgery("events")
def a_secret_told_to_one_seat(m: Maker) -> None:
    """The same, told to one seat alone."""
    _insert(m, gate="", visible_to=frozenset({m.book.manifest.order[0]}))


def _insert(m: Maker, gate: str, **says: Any) -> None:
    record = m.entry(lambda record: played(record) and game_events(record) and record.number < len(m.records))
    for event in game_events(record):
        try:
            m.insert(record, (replace(event, **says),), gate=gate or record.gate)
        except Exception:  # noqa: BLE001 - it cannot happen twice
            continue
        return
    raise NotHere


@forgery("events")
def another_public_part(m: Maker) -> None:
    """All are told something else than happened."""
    record = m.entry(lambda record: played(record) and len(redact(record.events, "public")) > 1)
    m.shown[record.number] = lambda part: replace(part, events=part.events[1:])


@forgery("events")
def another_absence_is_told(m: Maker) -> None:
    """All are told that a seat missed its deadline, which did not."""
    record = m.entry(played)
    silent = {counted.seat for counted in record.counted if counted.how == "default"}
    missed = tuple(seat for seat in m.book.manifest.order if seat not in silent)
    m.shown[record.number] = lambda part: replace(part, defaulted=missed)


@forgery("events")
def another_part_of_a_seat(m: Maker) -> None:
    """One seat is told nothing."""
    seat = m.book.manifest.order[0]
    record = m.entry(lambda record: played(record) and redact(record.events, seat))
    m.told[record.number] = {seat: b"[]"}


@forgery("state")
def another_position(m: Maker) -> None:
    """A position is that of another entry."""
    record = m.entry(lambda record: record.number > 2)
    m.positions[record.number - 1] = m.positions[record.number - 2]


@forgery("state")
def a_game_that_is_over_goes_on(m: Maker) -> None:
    """The manifest says otherwise than the last position."""
    m.manifest(state="running" if m.book.manifest.state == "over" else "over")


@forgery("state", LISTED)
def the_end_cut_off(m: Maker) -> None:
    """The last entry never was."""
    if not m.positions[-1].core.over:
        raise NotHere
    del m.records[-1], m.positions[-1]


# --- answers


@forgery("answers", RECEIPTS)
def other_orders_sealed_by_the_server(m: Maker) -> None:
    """A seat's orders are others, sealed as if the seat had sent them."""
    record, old = m.answer("orders")
    filed = load(old.content)
    for orders in other_orders(m, record, old):
        content = dump(replace(filed, orders=orders, ahead=None))
        new = sealed(replace(old, orders=orders, content=content))
        m.swap(record, old, new)
        m.redo(record.number)
        return
    raise NotHere


def question(m: Maker, record: EntryRecord, old: CountedAnswer) -> Question:
    """What an answer is to."""
    place = old.question or record.gate, old.seat
    return next(d for d in m.before(record).core.gate(record.gate) if (d.gate, d.seat) == place)


def other_orders(m: Maker, record: EntryRecord, old: CountedAnswer) -> list[Orders]:
    """Other orders that the rules accept."""
    before, asked = m.before(record), question(m, record, old)
    with seen_by(asked.seat):
        likely = m.rules.suggest_orders(redact(before, asked.seat), asked)
    return [(line,) for line in likely if dump((line,)) != dump(old.orders)]


@forgery("answers")
def other_orders_under_the_commitment(m: Maker) -> None:
    """A seat's orders are others than its sealed orders hold."""
    record, old = m.answer("orders", "reaction", "standing")
    m.swap(record, old, replace(old, orders=next(iter(other_orders(m, record, old)), ())) if old.orders else _fail())
    m.redo(record.number)


def _fail() -> CountedAnswer:
    raise NotHere


@forgery("answers")
def other_sealed_orders_under_the_commitment(m: Maker) -> None:
    """What is said to have been sealed does not open the commitment."""
    record, old = m.answer("orders")
    filed: RecordedOrders = load(old.content)
    m.swap(record, old, replace(old, words="luck", content=dump(replace(filed, words="luck", ahead=None))))
    m.redo(record.number)


@forgery("answers")
def words_for_the_luck(m: Maker) -> None:
    """An answer has words that its sealed orders do not have."""
    record, old = m.answer("orders", "reaction", "standing")
    m.swap(record, old, replace(old, words=old.words + "luck"))
    m.redo(record.number)


@forgery("answers")
def orders_of_another_seat(m: Maker) -> None:
    """A seat's orders are those of another."""
    record = m.entry(lambda r: played(r) and len({c.seat for c in r.counted if c.how == "orders"}) > 1)
    first, second = [c for c in record.counted if c.how == "orders"][:2]
    m.swap(record, first, replace(second, seat=first.seat))
    m.redo(record.number)


@forgery("answers")
def orders_for_another_gate(m: Maker) -> None:
    """Orders were sealed for another gate."""
    m.reseal(gate="bid/99")


@forgery("answers")
def orders_for_an_earlierquestion(m: Maker) -> None:
    """Orders were sealed before their question was put, such as orders that a rewind made void."""
    m.reseal(opening_entry=0)


@forgery("answers")
def orders_for_a_laterquestion(m: Maker) -> None:
    """Orders were sealed after they were counted."""
    m.reseal(opening_entry=len(m.records))


@forgery("answers")
def orders_of_another_kind(m: Maker) -> None:
    """Orders were sealed as standing orders."""
    m.reseal(kind="standing")


@forgery("answers")
def a_way_that_there_is_not(m: Maker) -> None:
    """An answer came in a way that there is not."""
    record, old = m.answer("orders", "default", "unasked")
    m.swap(record, old, replace(old, how="advance"))
    m.redo(record.number)


@forgery("answers")
def orders_filed_ahead_for_another_gate(m: Maker) -> None:
    """Orders sent ahead were sent for another gate."""
    record = m.entry(lambda record: any(_ahead(c) is not None for c in record.counted if played(record)))
    old = next(c for c in record.counted if _ahead(c) is not None)
    filed = _ahead(old)
    assert filed is not None
    assert filed.ahead is not None
    ahead = replace(
        filed.ahead, context=replace(OrdersContext.from_bytes(filed.ahead.context), gate="bid/99").to_bytes()
    )
    m.swap(record, old, sealed(replace(old, content=dump(replace(filed, ahead=ahead)))))
    m.redo(record.number)


def _ahead(counted: CountedAnswer) -> RecordedOrders | None:
    filed = load(counted.content) if counted.how == "orders" else None
    return filed if isinstance(filed, RecordedOrders) and filed.ahead is not None else None


@forgery("answers")
def answers_in_another_order(m: Maker) -> None:
    """Answers change places, for another luck."""
    record = m.entry(lambda record: played(record) and len(record.counted) > 1)
    m.put(replace(record, counted=record.counted[::-1]))
    m.redo(record.number)


@forgery("answers")
def an_answer_counted_twice(m: Maker) -> None:
    """An answer stands there twice, for another luck."""
    record, old = m.answer("orders", "default", "unasked", "reaction")
    m.swap(record, old, old, old)
    m.redo(record.number)


@forgery("answers")
def an_answer_left_out(m: Maker) -> None:
    """A seat that was asked has no answer."""
    record, old = m.answer("orders", "default", "unasked", "reaction")
    m.swap(record, old)
    m.relucked(record.number)


@forgery("answers")
def orders_that_the_rules_refuse(m: Maker) -> None:
    """A seat that the server plays gives an answer that no player could."""

    def single(record: EntryRecord) -> bool:
        return played(record) and any(
            c.how == "orders" and c.orders and not m.rules.meta.topic(d.topic).lines
            for c in record.counted for d in m.before(record).core.gate(record.gate)
            if (d.gate, d.seat) == (c.question or record.gate, c.seat)
        )  # fmt: skip

    record = m.entry(single)
    old = next(c for c in record.counted if c.how == "orders" and c.orders)
    line = old.orders[0]
    orders = (line, line)
    m.swap(record, old, sealed(replace(old, orders=orders, content=dump(RecordedOrders(orders, old.words)))))
    m.relucked(record.number)


# --- silent seats


@forgery("defaults")
def another_default(m: Maker) -> None:
    """A silent seat answered something that suits somebody."""
    record, old = m.answer("default", "unasked")
    m.swap(record, old, replace(old, orders=_other_answer(m, record, old)))
    m.redo(record.number)


def _other_answer(m: Maker, record: EntryRecord, old: CountedAnswer) -> Orders:
    others: list[Orders] = [*other_orders(m, record, old), *(((),) if old.orders else ())]
    if not others:
        raise NotHere
    return others[0]


@forgery("defaults")
def another_answer_of_a_bot(m: Maker) -> None:
    """A bot answered something that suits somebody."""
    record, old = m.answer("bot")
    m.swap(record, old, replace(old, orders=_other_answer(m, record, old)))
    m.redo(record.number)


@forgery("defaults")
def a_bot_that_the_table_has_not(m: Maker) -> None:
    """What suits somebody is called a bot's answer."""
    record, old = m.answer("orders", "default")
    orders = _other_answer(m, record, old)
    if dump(bot_answer(m.rules, m.before(record), question(m, record, old), record.game, record.number - 1)) == dump(
        orders
    ):
        raise NotHere
    m.swap(record, old, CountedAnswer(old.seat, orders, "bot", question=old.question))
    m.redo(record.number)


@forgery("defaults", LISTED)
def orders_passed_over(m: Maker) -> None:
    """A seat's orders are dropped: the rules answer for it."""
    record, old = m.answer("orders")
    before, asked = m.before(record), question(m, record, old)
    with seen_by(asked.seat):
        orders = m.rules.default_orders(redact(before, asked.seat), asked)
    m.swap(record, old, CountedAnswer(old.seat, orders, "default", question=old.question))
    m.redo(record.number)


@forgery("defaults", LISTED)
def a_missed_deadline_that_was_none(m: Maker) -> None:
    """A default is said to be of a seat that nobody waited for, or the other way round."""
    record, old = m.answer("default", "unasked")
    m.swap(record, old, replace(old, how="unasked" if old.how == "default" else "default"))
    m.redo(record.number)


@forgery("defaults")
def words_of_a_silent_seat(m: Maker) -> None:
    """A seat that sent nothing has words."""
    record, old = m.answer("default", "unasked", "bot")
    m.put(replace(m.swap(record, old, replace(old, words="luck"))))


# --- draws


@forgery("draws")
def another_result(m: Maker) -> None:
    """A die fell otherwise."""
    record = m.entry(lambda record: record.draws)
    first, *rest = record.draws
    result = first.result % first.sides + 1 if isinstance(first.result, int) else first.result[::-1]
    if result == first.result:
        raise NotHere
    m.put(replace(record, draws=(replace(first, result=result), *rest)))


@forgery("draws")
def a_draw_more(m: Maker) -> None:
    """A draw that no rule asks for."""
    record = m.entry(played)
    m.put(replace(record, draws=(*record.draws, Draw("more", 1, 1))))


@forgery("draws")
def a_draw_less(m: Maker) -> None:
    """A draw is not told."""
    record = m.entry(lambda record: record.draws)
    m.put(replace(record, draws=record.draws[1:]))


@forgery("draws")
def a_draw_of_another_name(m: Maker) -> None:
    """A draw under a name that gives something else."""
    record = m.entry(lambda record: record.draws)
    m.put(replace(record, draws=(replace(record.draws[0], name="other"), *record.draws[1:])))


@forgery("draws")
def another_luck(m: Maker) -> None:
    """The draws are of a luck that no answers made, and all that follows from them is told."""
    record = m.entry(lambda record: played(record) and record.draws)
    m.redo(record.number)
    m.put(replace(m.records[record.number - 1], luck=bytes(32)))


@forgery("draws", RECEIPTS)
def other_words_in_the_deal(m: Maker) -> None:
    """The deal is of other words of a seat, and the game was another one."""
    seed = m.book.seed
    assert seed is not None
    (seat, words, nonce), *rest = seed.joiners
    m.book = replace(m.book, seed=replace(seed, joiners=((seat, words + "x", nonce), *rest)))
    m.redo(1)


@forgery("draws", LISTED)
def another_promised_seed(m: Maker) -> None:
    """The invitation promised another seed, and the game was another one."""
    seed = m.book.seed
    assert seed is not None
    m.book = replace(m.book, seed=replace(seed, promised=bytes(32)))
    m.manifest(seed_digest=hash_seed(bytes(32)))
    m.redo(1)


@forgery("draws")
def a_seed_that_was_not_promised(m: Maker) -> None:
    """The seed is not that of the invitation."""
    seed = m.book.seed
    assert seed is not None
    m.book = replace(m.book, seed=replace(seed, promised=bytes(32)))
    m.redo(1)


@forgery("draws")
def another_way_of_mixing(m: Maker) -> None:
    """The luck is said to be mixed in a way that there is not."""
    for record in list(m.records):
        m.put(replace(record, mixing=3))
