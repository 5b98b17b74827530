"""Lies that a server can tell in the file of a game, by kinds: what each changes, and how it comes out.

`refused`: `verify` fails.  `listed`: the output names it, as what the server or a master says.  `receipts`: it fails
for a reader who has the receipts of the seats, and is possible without them.  `differs`: under rules of another version
than the installed one every entry that these play otherwise is named.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from engine.kernel.codec import dump, load
from engine.kernel.dice import Draw
from engine.kernel.events import NOBODY, Corrected, EntryReplayed, Event, KernelEvent, Rewound
from engine.kernel.orders import Orders, Question
from engine.kernel.secrets import redact, seen_by
from engine.kernel.viewers import Seat
from pbem.archive.answers import bot_answer
from pbem.archive.entries import (
    BeaconDraw,
    CountedAnswer,
    EntryRecord,
    RecordedOrders,
    SupersededOrders,
    draw_entropy_of,
    entry_digest_of,
)
from pbem.archive.rulings import count_leaks
from pbem.crypto import beacon
from pbem.crypto.chain import hash_seed
from pbem.crypto.sealed_orders import OrdersContext
from tests.laws.maker import Maker, NotHere, sealed

REFUSED, LISTED, RECEIPTS, DIFFERS = "refused", "listed", "receipts", "differs"


@dataclass(frozen=True)
class Lie:
    """A sort of lie: of what kind, how it comes out, and what tells it."""

    kind: str
    outcome: str
    tell: Callable[[Maker], None]


LIES: Final = dict[str, Lie]()


def lie(kind: str, outcome: str = REFUSED) -> Callable[[Callable[[Maker], None]], Callable[[Maker], None]]:
    """Register a sort of lie."""

    def register(tell: Callable[[Maker], None]) -> Callable[[Maker], None]:
        LIES[tell.__name__] = Lie(kind, outcome, tell)
        return tell

    return register


def played(record: EntryRecord) -> bool:
    """Return True if an entry counted answers, for the first time."""
    return bool(record.counted) and record.again is None


def game_events(record: EntryRecord) -> list[Event]:
    """The events that change the board."""
    return [event for event in record.events if not isinstance(event, KernelEvent)]


# --- events


@lie("events")
def an_event_more(m: Maker) -> None:
    """Something happened once more."""
    record = m.entry(lambda record: played(record) and game_events(record))
    for event in reversed(game_events(record)):
        try:
            m.tell(record, (*record.events, event))
        except Exception:  # noqa: BLE001 - it cannot happen twice
            continue
        return
    raise NotHere


@lie("events")
def an_event_less(m: Maker) -> None:
    """The last event did not happen."""
    record = m.entry(lambda record: played(record) and game_events(record))
    m.tell(record, record.events[:-1])


@lie("events")
def events_in_another_order(m: Maker) -> None:
    """Two events change places."""
    record = m.entry(lambda record: played(record) and len(record.events) > 2)
    m.put(replace(record, events=(record.events[1], record.events[0], *record.events[2:])))


@lie("events")
def an_event_told_to_one_seat(m: Maker) -> None:
    """What all were told is hidden from all but one."""
    record = m.entry(lambda record: played(record) and any(e.visible_to is None for e in record.events))
    event = next(e for e in record.events if e.visible_to is None)
    hidden = replace(event, visible_to=frozenset({m.book.manifest.order[0]}))
    m.put(replace(record, events=tuple(hidden if e is event else e for e in record.events)))


@lie("events")
def events_of_no_answers(m: Maker) -> None:
    """Something happens again, in an entry that nobody's answers made."""
    _insert(m, gate="correction")


@lie("events")
def events_of_no_answers_at_a_gate(m: Maker) -> None:
    """The same, under the name of a gate."""
    _insert(m, gate="")


@lie("events")
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


@lie("events")
def another_public_part(m: Maker) -> None:
    """All are told something else than happened."""
    record = m.entry(lambda record: played(record) and len(redact(record.events, "public")) > 1)
    m.shown[record.number] = lambda part: replace(part, events=part.events[1:])


@lie("events")
def another_absence_is_told(m: Maker) -> None:
    """All are told that a seat missed its deadline, which did not."""
    record = m.entry(played)
    silent = {counted.seat for counted in record.counted if counted.how == "default"}
    missed = tuple(seat for seat in m.book.manifest.order if seat not in silent)
    m.shown[record.number] = lambda part: replace(part, defaulted=missed)


@lie("events")
def another_part_of_a_seat(m: Maker) -> None:
    """One seat is told nothing."""
    record, seat = m.entry(played), m.book.manifest.order[0]
    m.told[record.number] = {seat: b"[]"}


@lie("state")
def another_position(m: Maker) -> None:
    """A position is that of another entry."""
    record = m.entry(lambda record: record.number > 2)
    m.positions[record.number - 1] = m.positions[record.number - 2]


@lie("state")
def a_game_that_is_over_goes_on(m: Maker) -> None:
    """The manifest says otherwise than the last position."""
    m.manifest(state="running" if m.book.manifest.state == "over" else "over")


@lie("state", LISTED)
def the_end_cut_off(m: Maker) -> None:
    """The last entry never was."""
    if not m.positions[-1].core.over:
        raise NotHere
    del m.records[-1], m.positions[-1]


# --- answers


@lie("answers", RECEIPTS)
def other_orders_sealed_by_the_server(m: Maker) -> None:
    """A seat's orders are others, sealed as if the seat had sent them."""
    record, old = m.answer("orders")
    filed = load(old.content)
    for orders in _others(m, record, old):
        content = dump(replace(filed, orders=orders, ahead=None))
        new = sealed(replace(old, orders=orders, content=content))
        m.swap(record, old, new)
        m.redo(record.number)
        return
    raise NotHere


def _question(m: Maker, record: EntryRecord, old: CountedAnswer) -> Question:
    """What an answer is to."""
    place = old.question or record.gate, old.seat
    return next(d for d in m.before(record).core.gate(record.gate) if (d.gate, d.seat) == place)


def _others(m: Maker, record: EntryRecord, old: CountedAnswer) -> list[Orders]:
    """Other orders that the rules accept."""
    before, asked = m.before(record), _question(m, record, old)
    with seen_by(asked.seat):
        likely = m.rules.suggest_orders(redact(before, asked.seat), asked)
    return [(line,) for line in likely if dump((line,)) != dump(old.orders)]


@lie("answers")
def other_orders_under_the_commitment(m: Maker) -> None:
    """A seat's orders are others than its sealed orders hold."""
    record, old = m.answer("orders", "reaction", "standing")
    m.swap(record, old, replace(old, orders=next(iter(_others(m, record, old)), ())) if old.orders else _fail())
    m.redo(record.number)


def _fail() -> CountedAnswer:
    raise NotHere


@lie("answers")
def other_sealed_orders_under_the_commitment(m: Maker) -> None:
    """What is said to have been sealed does not open the commitment."""
    record, old = m.answer("orders")
    filed: RecordedOrders = load(old.content)
    m.swap(record, old, replace(old, words="luck", content=dump(replace(filed, words="luck", ahead=None))))
    m.redo(record.number)


@lie("answers")
def words_for_the_luck(m: Maker) -> None:
    """An answer has words that its sealed orders do not have."""
    record, old = m.answer("orders", "reaction", "standing")
    m.swap(record, old, replace(old, words=old.words + "luck"))
    m.redo(record.number)


@lie("answers")
def orders_of_another_seat(m: Maker) -> None:
    """A seat's orders are those of another."""
    record = m.entry(lambda r: played(r) and len({c.seat for c in r.counted if c.how == "orders"}) > 1)
    first, second = [c for c in record.counted if c.how == "orders"][:2]
    m.swap(record, first, replace(second, seat=first.seat))
    m.redo(record.number)


@lie("answers")
def orders_for_another_gate(m: Maker) -> None:
    """Orders were sealed for another gate."""
    record, old = m.answer("orders")
    m.swap(record, old, sealed(old, gate="bid/99"))
    m.redo(record.number)


@lie("answers")
def orders_for_an_earlier_question(m: Maker) -> None:
    """Orders were sealed before their question was put, such as orders that a rewind made void."""
    record, old = m.answer("orders")
    m.swap(record, old, sealed(old, opening_entry=0))
    m.redo(record.number)


@lie("answers")
def orders_for_a_later_question(m: Maker) -> None:
    """Orders were sealed after they were counted."""
    record, old = m.answer("orders")
    m.swap(record, old, sealed(old, opening_entry=record.number))
    m.redo(record.number)


@lie("answers")
def orders_of_another_kind(m: Maker) -> None:
    """Orders were sealed as standing orders."""
    record, old = m.answer("orders")
    m.swap(record, old, sealed(old, kind="standing"))
    m.redo(record.number)


@lie("answers")
def a_way_that_there_is_not(m: Maker) -> None:
    """An answer came in a way that there is not."""
    record, old = m.answer("orders", "default", "unasked")
    m.swap(record, old, replace(old, how="advance"))
    m.redo(record.number)


@lie("answers")
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


@lie("answers")
def answers_in_another_order(m: Maker) -> None:
    """Answers change places, for another luck."""
    record = m.entry(lambda record: played(record) and len(record.counted) > 1)
    m.put(replace(record, counted=record.counted[::-1]))
    m.redo(record.number)


@lie("answers")
def an_answer_counted_twice(m: Maker) -> None:
    """An answer stands there twice, for another luck."""
    record, old = m.answer("orders", "default", "unasked", "reaction")
    m.swap(record, old, old, old)
    m.redo(record.number)


@lie("answers")
def an_answer_left_out(m: Maker) -> None:
    """A seat that was asked has no answer."""
    record, old = m.answer("orders", "default", "unasked", "reaction")
    m.swap(record, old)
    m.put(
        replace(
            m.records[record.number - 1],
            luck=draw_entropy_of(record.game, record.number, m.records[record.number - 1].counted, record.drawn),
        )
    )


@lie("answers")
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
    m.put(
        replace(
            m.records[record.number - 1],
            luck=draw_entropy_of(record.game, record.number, m.records[record.number - 1].counted, record.drawn),
        )
    )


# --- silent seats


@lie("defaults")
def another_default(m: Maker) -> None:
    """A silent seat answered something that suits somebody."""
    record, old = m.answer("default", "unasked")
    m.swap(record, old, replace(old, orders=_other_answer(m, record, old)))
    m.redo(record.number)


def _other_answer(m: Maker, record: EntryRecord, old: CountedAnswer) -> Orders:
    others: list[Orders] = [*_others(m, record, old), *(((),) if old.orders else ())]
    if not others:
        raise NotHere
    return others[0]


@lie("defaults")
def another_answer_of_a_bot(m: Maker) -> None:
    """A bot answered something that suits somebody."""
    record, old = m.answer("bot")
    m.swap(record, old, replace(old, orders=_other_answer(m, record, old)))
    m.redo(record.number)


@lie("defaults")
def a_bot_that_the_table_has_not(m: Maker) -> None:
    """What suits somebody is called a bot's answer."""
    record, old = m.answer("orders", "default")
    orders = _other_answer(m, record, old)
    if dump(bot_answer(m.rules, m.before(record), _question(m, record, old), record.game, record.number - 1)) == dump(
        orders
    ):
        raise NotHere
    m.swap(record, old, CountedAnswer(old.seat, orders, "bot", question=old.question))
    m.redo(record.number)


@lie("defaults", LISTED)
def orders_passed_over(m: Maker) -> None:
    """A seat's orders are dropped: the rules answer for it."""
    record, old = m.answer("orders")
    before, asked = m.before(record), _question(m, record, old)
    with seen_by(asked.seat):
        orders = m.rules.default_orders(redact(before, asked.seat), asked)
    m.swap(record, old, CountedAnswer(old.seat, orders, "default", question=old.question))
    m.redo(record.number)


@lie("defaults", LISTED)
def a_missed_deadline_that_was_none(m: Maker) -> None:
    """A default is said to be of a seat that nobody waited for, or the other way round."""
    record, old = m.answer("default", "unasked")
    m.swap(record, old, replace(old, how="unasked" if old.how == "default" else "default"))
    m.redo(record.number)


@lie("defaults")
def words_of_a_silent_seat(m: Maker) -> None:
    """A seat that sent nothing has words."""
    record, old = m.answer("default", "unasked", "bot")
    m.put(replace(m.swap(record, old, replace(old, words="luck"))))


# --- draws


@lie("draws")
def another_result(m: Maker) -> None:
    """A die fell otherwise."""
    record = m.entry(lambda record: record.draws)
    first, *rest = record.draws
    result = first.result % first.sides + 1 if isinstance(first.result, int) else first.result[::-1]
    if result == first.result:
        raise NotHere
    m.put(replace(record, draws=(replace(first, result=result), *rest)))


@lie("draws")
def a_draw_more(m: Maker) -> None:
    """A draw that no rule asks for."""
    record = m.entry(played)
    m.put(replace(record, draws=(*record.draws, Draw("more", 1, 1))))


@lie("draws")
def a_draw_less(m: Maker) -> None:
    """A draw is not told."""
    record = m.entry(lambda record: record.draws)
    m.put(replace(record, draws=record.draws[1:]))


@lie("draws")
def a_draw_of_another_name(m: Maker) -> None:
    """A draw under a name that gives something else."""
    record = m.entry(lambda record: record.draws)
    m.put(replace(record, draws=(replace(record.draws[0], name="other"), *record.draws[1:])))


@lie("draws")
def another_luck(m: Maker) -> None:
    """The draws are of a luck that no answers made, and all that follows from them is told."""
    record = m.entry(lambda record: played(record) and record.draws)
    m.redo(record.number)
    m.put(replace(m.records[record.number - 1], luck=bytes(32)))


@lie("draws", RECEIPTS)
def other_words_in_the_deal(m: Maker) -> None:
    """The deal is of other words of a seat, and the game was another one."""
    seed = m.book.seed
    assert seed is not None
    (seat, words, nonce), *rest = seed.joiners
    m.book = replace(m.book, seed=replace(seed, joiners=((seat, words + "x", nonce), *rest)))
    m.redo(1)


@lie("draws", LISTED)
def another_promised_seed(m: Maker) -> None:
    """The invitation promised another seed, and the game was another one."""
    seed = m.book.seed
    assert seed is not None
    m.book = replace(m.book, seed=replace(seed, promised=bytes(32)))
    m.manifest(seed_digest=hash_seed(bytes(32)))
    m.redo(1)


@lie("draws")
def a_seed_that_was_not_promised(m: Maker) -> None:
    """The seed is not that of the invitation."""
    seed = m.book.seed
    assert seed is not None
    m.book = replace(m.book, seed=replace(seed, promised=bytes(32)))
    m.redo(1)


@lie("draws")
def another_way_of_mixing(m: Maker) -> None:
    """The luck is said to be mixed in a way that there is not."""
    for record in list(m.records):
        m.put(replace(record, mixing=3))


# --- rulings


def ruled(m: Maker, *edits: Event, at: EntryRecord | None = None, **says: Any) -> None:
    """Put in a ruling that nobody asked for."""
    record = at or m.entry(lambda record: played(record) and record.number < len(m.records))
    m.insert(record, (Corrected(by="Mallory", reason="", edits=edits, **says),))


def some_event(m: Maker) -> Event:
    """An event that the board takes."""
    record = m.entry(lambda record: played(record) and game_events(record))
    return m.chance.choice(game_events(record))


def _rule_by_some_event(m: Maker, **says: Any) -> None:
    for _ in range(20):
        event, records, positions = some_event(m), list(m.records), list(m.positions)
        try:
            ruled(m, event, **says)
        except Exception:  # noqa: BLE001 - the board does not take it
            m.records, m.positions = records, positions
            continue
        return
    raise NotHere


@lie("rulings", LISTED)
def a_ruling_that_nobody_gave(m: Maker) -> None:
    """A master ruled what none did: it is listed with its author and effect."""
    _rule_by_some_event(m)


@lie("rulings")
def a_ruling_told_to_nobody(m: Maker) -> None:
    """A ruling that no seat was told of."""
    _rule_by_some_event(m, visible_to=NOBODY)


@lie("rulings")
def a_ruling_of_nothing(m: Maker) -> None:
    """A ruling without effect, for the luck of the entries after it."""
    ruled(m)


@lie("rulings")
def a_ruling_with_answers(m: Maker) -> None:
    """Answers at the gate of a ruling."""
    record = m.entry(played)
    m.put(replace(record, gate="correction"))


@lie("rulings")
def a_request_for_a_ruling_that_was_answers(m: Maker) -> None:
    """Answers that a ruling is said to have made."""
    record = m.entry(played)
    m.put(replace(record, command="x"))


@lie("rulings", LISTED)
def another_author(m: Maker) -> None:
    """A ruling was another's."""
    record = m.entry(lambda record: not record.counted and record.events)
    ruling = record.events[0]
    assert isinstance(ruling, Corrected)
    m.put(replace(record, events=(replace(ruling, by="Mallory"), *record.events[1:])))


# --- going back


def _undo(m: Maker) -> EntryRecord:
    return m.entry(lambda r: played(r) and r.drawn is None and r.number > 2)


@lie("rewinds")
def told_again_without_a_ruling(m: Maker) -> None:
    """An entry is resolved again, for another draw."""
    _again(m, times=1)


@lie("rewinds")
def told_again_until_it_pleased(m: Maker) -> None:
    """The same, three times."""
    _again(m, times=3)


def _again(m: Maker, times: int) -> None:
    record = _undo(m)
    del m.records[record.number :], m.positions[record.number :]
    for more in range(1, times + 1):
        made = replace(record, number=record.number + more, base=record.number - 1, created_at=record.created_at + more)
        m.records.append(made)
        m.positions.append(m.positions[-1])
    m.redo(record.number + 1, reseal=True)
    if len(m.records) != record.number + times:
        raise NotHere


def _rewound(m: Maker, **says: Any) -> None:
    """Go back by a ruling that nobody gave."""
    record = m.entry(lambda r: played(r) and r.number > 2)
    del m.records[record.number :], m.positions[record.number :]
    base = record.number - 1
    seen = count_leaks(m.records[base:], m.book.manifest.order)
    act = replace(Rewound(entry=base, last=record.number, seen=seen), **says)
    ruling = Corrected(by="Mallory", reason="", edits=(act,))
    number = record.number + 1
    luck = draw_entropy_of(record.game, number, ())
    made = EntryRecord(
        record.game, number, "rewind", record.created_at + 1, (), luck, (ruling,), (), base=base, mixing=record.mixing
    )
    m.records.append(made)
    m.positions.append(m.positions[-1])
    m.redo(number)


@lie("rewinds", LISTED)
def a_rewind_that_nobody_asked_for(m: Maker) -> None:
    """A master went back, whom nobody asked: it is listed."""
    _rewound(m)


@lie("rewinds")
def a_rewind_to_another_entry(m: Maker) -> None:
    """A rewind goes back to another entry than it says."""
    _rewound(m, entry=1)


@lie("rewinds")
def a_rewind_that_hides_what_was_seen(m: Maker) -> None:
    """A rewind does not say who saw hidden things."""
    _rewound(m, seen=((1, Seat("s1"), 99),))


@lie("rewinds")
def a_rewind_that_replays_nothing(m: Maker) -> None:
    """A rewind says that it replays, and does not say what."""
    _rewound(m, again=True)


@lie("rewinds")
def a_rewind_without_a_base(m: Maker) -> None:
    """A ruling says that it goes back, and goes on."""
    record = m.entry(lambda record: played(record) and record.number < len(m.records))
    ruled(m, Rewound(entry=1, last=record.number), at=record)


@lie("rewinds")
def answers_go_on_from_an_earlier_entry(m: Maker) -> None:
    """An honest ruling goes back further than it says."""
    record = m.entry(lambda record: record.base is not None and record.base > 1)
    m.put(replace(record, base=(record.base or 0) - 1))
    m.redo(record.number)


@lie("replays")
def a_replay_without_a_ruling(m: Maker) -> None:
    """An entry takes the draws of another one."""
    record = _undo(m)
    other = next((r for r in m.records[1 : record.number - 1] if played(r)), None)
    if other is None:
        raise NotHere
    m.put(replace(record, again=other.number))
    m.redo(record.number)


def replayed(m: Maker) -> list[EntryRecord]:
    """The entries that replay others; raises NotHere."""
    found = [record for record in m.records if record.again is not None]
    if not found:
        raise NotHere
    return found


@lie("replays")
def other_draws_anew(m: Maker) -> None:
    """A replayed entry draws anew what its ruling does not say."""
    record = next((r for r in replayed(m) if r.draws and not r.anew), None)
    if record is None:
        raise NotHere
    m.put(replace(record, anew=(record.draws[0].name,)))
    m.redo(record.number)


@lie("replays")
def a_replay_of_other_answers(m: Maker) -> None:
    """A replayed entry counts other answers than the first time."""
    record = next((r for r in replayed(m) if any(c.how == "orders" for c in r.counted)), None)
    if record is None:
        raise NotHere
    old = next(c for c in record.counted if c.how == "orders")
    filed = load(old.content)
    m.swap(record, old, sealed(replace(old, words="x", content=dump(replace(filed, words="x", ahead=None)))))
    m.redo(record.number)


@lie("replays")
def a_replay_cut_short(m: Maker) -> None:
    """A replay ends where somebody likes it."""
    last = replayed(m)[-1]
    del m.records[last.number - 1 :], m.positions[last.number - 1 :]


@lie("replays")
def a_replay_that_says_it_drew_otherwise(m: Maker) -> None:
    """The ruling names other draws than were drawn anew."""
    record = m.entry(lambda r: _replay_act(r) is not None)
    ruling, act = record.events[0], _replay_act(record)
    assert isinstance(ruling, Corrected)
    assert act is not None
    edits = tuple(replace(act, anew=("x",)) if edit is act else edit for edit in ruling.edits)
    m.put(replace(record, events=(replace(ruling, edits=edits), *record.events[1:])))


def _replay_act(record: EntryRecord) -> EntryReplayed | None:
    ruling = record.events[0] if record.events else None
    edits = ruling.edits if isinstance(ruling, Corrected) else ()
    return next((edit for edit in edits if isinstance(edit, EntryReplayed)), None)


# --- rounds


def drawn(m: Maker) -> tuple[EntryRecord, BeaconDraw]:
    """An entry with a round of its own, not too early; raises NotHere."""
    record = m.entry(lambda r: played(r) and r.drawn is not None and r.drawn.signature and r.number > 2)
    assert record.drawn is not None
    return record, record.drawn


def fixed(record: EntryRecord, draw: BeaconDraw) -> EntryRecord:
    """The entry with a digest that fits, as a server can make it."""
    told = replace(draw, digest=entry_digest_of(record.game, record.number, record.counted, draw))
    return replace(record, drawn=told)


def signed_round(number: int) -> bytes:
    """What the network signed."""
    from tests.beacon_network import signed

    return signed(number)


@lie("rounds")
def a_round_of_the_past(m: Maker) -> None:
    """A round that was known already, with answers that were fixed before it, before the last entry was made."""
    record, draw = drawn(m)
    made_at = m.records[record.number - 2].created_at // 1000
    number = beacon.QUICKNET.round_after(made_at) - 100
    old = replace(draw, round=number, at=beacon.QUICKNET.round_time(number) - 120, signature=signed_round(number))
    m.put(fixed(record, old))
    m.redo(record.number)


@lie("rounds", RECEIPTS)
def another_round_since(m: Maker) -> None:
    """One of the rounds that were signed since the entry before."""
    record, draw = drawn(m)
    number = draw.round - 1
    m.put(fixed(record, replace(draw, round=number, signature=signed_round(number))))
    m.redo(record.number)


@lie("rounds")
def a_round_whose_answers_were_not_fixed(m: Maker) -> None:
    """The answers were fixed when the round was signed already."""
    record, draw = drawn(m)
    m.put(fixed(record, replace(draw, at=beacon.QUICKNET.round_time(draw.round))))
    m.redo(record.number)


@lie("rounds")
def a_round_that_nobody_signed(m: Maker) -> None:
    """A round with the signature of another one."""
    record, draw = drawn(m)
    m.put(fixed(record, replace(draw, signature=signed_round(draw.round + 1))))
    m.redo(record.number)


@lie("rounds")
def no_round(m: Maker) -> None:
    """An entry is drawn without a round."""
    record, _ = drawn(m)
    m.put(replace(record, drawn=None))
    m.redo(record.number)


@lie("rounds", LISTED)
def a_round_given_up(m: Maker) -> None:
    """A master is said to have let an entry be drawn without its round: the output names it."""
    record, draw = drawn(m)
    m.put(replace(record, drawn=replace(draw, signature=b"", by="Mallory")))
    m.redo(record.number)


@lie("rounds")
def told_again_with_a_round_of_the_past(m: Maker) -> None:
    """An entry is resolved again with a round of the past, and its time set back."""
    record, draw = drawn(m)
    del m.records[record.number :], m.positions[record.number :]
    number = draw.round - 200
    old = replace(draw, round=number, at=beacon.QUICKNET.round_time(number) - 120, signature=signed_round(number))
    made_at = beacon.QUICKNET.round_time(number) * 1000
    made = replace(record, number=record.number + 1, base=record.number - 1, created_at=made_at)
    m.records.append(fixed(made, old))
    m.positions.append(m.positions[-1])
    m.redo(record.number + 1, reseal=True)


@lie("rounds")
def a_replay_with_another_round(m: Maker) -> None:
    """A replayed entry takes another round than the first time."""
    record = next((r for r in replayed(m) if r.drawn is not None and r.drawn.signature), None)
    if record is None or record.drawn is None:
        raise NotHere
    number = record.drawn.round + 1
    m.put(fixed(record, replace(record.drawn, round=number, signature=signed_round(number))))
    m.redo(record.number)


@lie("rounds", RECEIPTS)
def a_table_without_the_beacon(m: Maker) -> None:
    """The table is said to have chosen no beacon, and the game was another one."""
    if m.book.manifest.options.get("draws") != "beacon":
        raise NotHere
    m.manifest(options={**m.book.manifest.options, "draws": "server"})
    for record in list(m.records):
        m.put(replace(record, mixing=1, drawn=None))
    m.redo(1)


# --- times


@lie("times")
def a_time_set_back(m: Maker) -> None:
    """An entry was made before the one before it."""
    record = m.entry(played)
    m.put(replace(record, created_at=m.records[record.number - 2].created_at - 1))


@lie("times")
def two_entries_at_once(m: Maker) -> None:
    """An entry was made when the one before it was."""
    record = m.entry(played)
    m.put(replace(record, created_at=m.records[record.number - 2].created_at))


@lie("times")
def a_game_that_began_before_its_table(m: Maker) -> None:
    """The table was made after its first entry."""
    m.manifest(created_at=m.records[0].created_at + 1)


# --- the table


@lie("seats")
def another_order_of_the_seats(m: Maker) -> None:
    """The seats change places."""
    m.manifest(seats=m.book.manifest.seats[::-1])


@lie("seats")
def an_entry_of_another_game(m: Maker) -> None:
    """An entry says that it is of another game."""
    m.put(replace(m.entry(played), game="other"))


@lie("seats", LISTED)
def another_player(m: Maker) -> None:
    """A seat was somebody else's: the names are listed as the server's word."""
    (seat, _), *rest = m.book.manifest.seats
    m.manifest(seats=((seat, "Mallory"), *rest))


@lie("options")
def another_option(m: Maker) -> None:
    """The game was played by another option."""
    played_by = m.positions[0].core.options
    for option in m.rules.meta.options:
        if option.name in played_by and len(option.values) > 1:
            other = next(value for value in option.values if value != played_by[option.name])
            m.manifest(options={**m.book.manifest.options, option.name: other})
            return
    raise NotHere


@lie("options", LISTED)
def another_option_of_the_table(m: Maker) -> None:
    """The table had another option that the rules do not read."""
    m.manifest(options={**m.book.manifest.options, "talk": "none"})


@lie("options", DIFFERS)
def another_version_of_the_rules(m: Maker) -> None:
    """An event that did not happen, under rules that nobody has."""
    m.manifest(rules_version="0")
    an_event_less(m)


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


@lie("talk", LISTED)
def talk_that_nobody_spoke(m: Maker) -> None:
    """A message that nobody wrote."""
    m.book = replace(m.book, press=(*m.book.press, MESSAGE))


@lie("talk", LISTED)
def a_diary_that_nobody_wrote(m: Maker) -> None:
    """An entry of a diary that nobody wrote."""
    m.book = replace(m.book, press=(*m.book.press, {**MESSAGE, "kind": "diary"}))


@lie("talk", LISTED)
def talk_left_out(m: Maker) -> None:
    """What was said was not."""
    if not m.book.press:
        raise NotHere
    m.book = replace(m.book, press=())


@lie("audit", LISTED)
def an_act_that_nobody_did(m: Maker) -> None:
    """An act of a master who did none."""
    m.book = replace(m.book, audit=(*m.book.audit, ACT))


@lie("audit", LISTED)
def acts_left_out(m: Maker) -> None:
    """The acts of masters are gone."""
    if not m.book.audit:
        raise NotHere
    m.book = replace(m.book, audit=())


# --- receipts


def beside(m: Maker, **says: Any) -> None:
    """Orders that were passed over, which there were not."""
    record, old = m.answer("orders")
    place = replace(OrdersContext.from_bytes(old.context), revision=99)
    other = SupersededOrders(place.to_bytes(), "ab" * 32, "superseded")
    m.put(replace(record, beside=(*record.beside, replace(other, **says))))


@lie("receipts")
def newer_orders_passed_over(m: Maker) -> None:
    """A newer set of orders is said to have been superseded by an older one."""
    beside(m)


@lie("receipts")
def orders_withdrawn_by_nobody(m: Maker) -> None:
    """Orders are said to have been withdrawn, and nobody signed it."""
    beside(m, fate="withdrawn")


@lie("receipts")
def orders_with_another_fate(m: Maker) -> None:
    """Orders ended in a way that there is not."""
    beside(m, fate="lost", signed=b"x")


@lie("receipts")
def counted_orders_passed_over(m: Maker) -> None:
    """Orders that were counted are said to have been superseded."""
    record, old = m.answer("orders")
    m.put(replace(record, beside=(*record.beside, SupersededOrders(old.context, old.commitment, "superseded"))))


@lie("receipts", RECEIPTS)
def older_orders_counted(m: Maker) -> None:
    """Orders are counted that newer ones had superseded."""
    record, old = m.answer("orders")
    place = OrdersContext.from_bytes(old.context)
    m.swap(record, old, sealed(replace(old, salt=bytes(32)), revision=max(0, place.revision - 1)))
    m.redo(record.number)
