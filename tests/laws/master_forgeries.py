"""Lies about what masters did, and about the rounds of the beacon."""

from dataclasses import replace
from typing import Any

from engine.kernel.codec import dump, load
from engine.kernel.events import NOBODY, Corrected, EntryReplayed, Event, Rewound
from engine.kernel.viewers import Seat
from pbem.archive.entries import BeaconDraw, EntryRecord, draw_entropy_of, entry_digest_of
from pbem.archive.rulings import count_leaks
from pbem.crypto import beacon
from tests.beacon_network import signed
from tests.laws.forgeries import LISTED, RECEIPTS, forgery, game_events, played
from tests.laws.maker import Maker, NotHere, sealed

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


@forgery("rulings", LISTED)
def a_ruling_that_nobody_gave(m: Maker) -> None:
    """A master ruled what none did: it is listed with its author and effect."""
    _rule_by_some_event(m)


@forgery("rulings")
def a_ruling_told_to_nobody(m: Maker) -> None:
    """A ruling that no seat was told of."""
    _rule_by_some_event(m, visible_to=NOBODY)


@forgery("rulings")
def a_ruling_of_nothing(m: Maker) -> None:
    """A ruling without effect, for the luck of the entries after it."""
    ruled(m)


@forgery("rulings")
def a_ruling_with_answers(m: Maker) -> None:
    """Answers at the gate of a ruling."""
    record = m.entry(played)
    m.put(replace(record, gate="correction"))


@forgery("rulings")
def a_request_for_a_ruling_that_was_answers(m: Maker) -> None:
    """Answers that a ruling is said to have made."""
    record = m.entry(played)
    m.put(replace(record, command="x"))


@forgery("rulings", LISTED)
def another_author(m: Maker) -> None:
    """A ruling was another's."""
    record = m.entry(lambda record: not record.counted and record.events)
    ruling = record.events[0]
    assert isinstance(ruling, Corrected)
    m.put(replace(record, events=(replace(ruling, by="Mallory"), *record.events[1:])))


# --- going back


def _undo(m: Maker) -> EntryRecord:
    return m.entry(lambda r: played(r) and r.drawn is None and r.number > 2)


@forgery("rewinds")
def told_again_without_a_ruling(m: Maker) -> None:
    """An entry is resolved again, for another draw."""
    _again(m, times=1)


@forgery("rewinds")
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


@forgery("rewinds", LISTED)
def a_rewind_that_nobody_asked_for(m: Maker) -> None:
    """A master went back, whom nobody asked: it is listed."""
    _rewound(m)


@forgery("rewinds")
def a_rewind_to_another_entry(m: Maker) -> None:
    """A rewind goes back to another entry than it says."""
    _rewound(m, entry=1)


@forgery("rewinds")
def a_rewind_that_hides_what_was_seen(m: Maker) -> None:
    """A rewind does not say who saw hidden things."""
    _rewound(m, seen=((1, Seat("s1"), 99),))


@forgery("rewinds")
def a_rewind_that_replays_nothing(m: Maker) -> None:
    """A rewind says that it replays, and does not say what."""
    _rewound(m, again=True)


@forgery("rewinds")
def a_rewind_without_a_base(m: Maker) -> None:
    """A ruling says that it goes back, and goes on."""
    record = m.entry(lambda record: played(record) and record.number < len(m.records))
    ruled(m, Rewound(entry=1, last=record.number), at=record)


@forgery("rewinds")
def answers_go_on_from_an_earlier_entry(m: Maker) -> None:
    """An honest ruling goes back further than it says."""
    record = m.entry(lambda record: record.base is not None and record.base > 1)
    m.put(replace(record, base=(record.base or 0) - 1))
    m.redo(record.number)


@forgery("replays")
def a_replay_without_a_ruling(m: Maker) -> None:
    """An entry takes the draws of another one."""
    record = _undo(m)
    other = next((r for r in m.records[1 : record.number - 1] if played(r)), None)
    if other is None:
        raise NotHere
    m.put(replace(record, replay_of=other.number))
    m.redo(record.number)


def replayed(m: Maker) -> list[EntryRecord]:
    """The entries that replay others; raises NotHere."""
    found = [record for record in m.records if record.replay_of is not None]
    if not found:
        raise NotHere
    return found


@forgery("replays")
def other_draws_anew(m: Maker) -> None:
    """A replayed entry draws anew what its ruling does not say."""
    record = next((r for r in replayed(m) if r.draws and not r.rerolled), None)
    if record is None:
        raise NotHere
    m.put(replace(record, rerolled=(record.draws[0].name,)))
    m.redo(record.number)


@forgery("replays")
def a_replay_of_other_answers(m: Maker) -> None:
    """A replayed entry counts other answers than the first time."""
    record = next((r for r in replayed(m) if any(c.how == "orders" for c in r.counted)), None)
    if record is None:
        raise NotHere
    old = next(c for c in record.counted if c.how == "orders")
    filed = load(old.content)
    m.swap(record, old, sealed(replace(old, words="x", content=dump(replace(filed, words="x", ahead=None)))))
    m.redo(record.number)


@forgery("replays")
def a_replay_cut_short(m: Maker) -> None:
    """A replay ends where somebody likes it."""
    last = replayed(m)[-1]
    del m.records[last.number - 1 :], m.positions[last.number - 1 :]


@forgery("replays")
def a_replay_that_says_it_drew_otherwise(m: Maker) -> None:
    """The ruling names other draws than were drawn anew."""
    record = m.entry(lambda r: _replay_act(r) is not None)
    ruling, act = record.events[0], _replay_act(record)
    assert isinstance(ruling, Corrected)
    assert act is not None
    edits = tuple(replace(act, rerolled=("x",)) if edit is act else edit for edit in ruling.edits)
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


@forgery("rounds")
def a_round_of_the_past(m: Maker) -> None:
    """A round that was known already, with answers that were fixed before it, before the last entry was made."""
    record, draw = drawn(m)
    made_at = m.records[record.number - 2].created_at // 1000
    number = beacon.QUICKNET.round_after(made_at) - 100
    old = replace(draw, round=number, at=beacon.QUICKNET.round_time(number) - 120, signature=signed(number))
    m.put(fixed(record, old))
    m.redo(record.number)


@forgery("rounds", RECEIPTS)
def another_round_since(m: Maker) -> None:
    """One of the rounds that were signed since the entry before."""
    record, draw = drawn(m)
    number = draw.round - 1
    m.put(fixed(record, replace(draw, round=number, signature=signed(number))))
    m.redo(record.number)


@forgery("rounds")
def a_round_whose_answers_were_not_fixed(m: Maker) -> None:
    """The answers were fixed when the round was signed already."""
    record, draw = drawn(m)
    m.put(fixed(record, replace(draw, at=beacon.QUICKNET.round_time(draw.round))))
    m.redo(record.number)


@forgery("rounds")
def a_round_that_nobody_signed(m: Maker) -> None:
    """A round with the signature of another one."""
    record, draw = drawn(m)
    m.put(fixed(record, replace(draw, signature=signed(draw.round + 1))))
    m.redo(record.number)


@forgery("rounds")
def no_round(m: Maker) -> None:
    """An entry is drawn without a round."""
    record, _ = drawn(m)
    m.put(replace(record, drawn=None))
    m.redo(record.number)


@forgery("rounds", LISTED)
def a_round_given_up(m: Maker) -> None:
    """A master is said to have let an entry be drawn without its round: the output names it."""
    record, draw = drawn(m)
    m.put(replace(record, drawn=replace(draw, signature=b"", by="Mallory")))
    m.redo(record.number)


@forgery("rounds")
def a_round_that_was_given_up_and_drawn(m: Maker) -> None:
    """A master is named who let an entry be drawn without the round that it has."""
    record, draw = drawn(m)
    m.put(replace(record, drawn=replace(draw, by="Mallory")))


@forgery("rounds")
def told_again_with_a_round_of_the_past(m: Maker) -> None:
    """An entry is resolved again with a round of the past, and its time set back."""
    record, draw = drawn(m)
    del m.records[record.number :], m.positions[record.number :]
    number = draw.round - 200
    old = replace(draw, round=number, at=beacon.QUICKNET.round_time(number) - 120, signature=signed(number))
    made_at = beacon.QUICKNET.round_time(number) * 1000
    made = replace(record, number=record.number + 1, base=record.number - 1, created_at=made_at)
    m.records.append(fixed(made, old))
    m.positions.append(m.positions[-1])
    m.redo(record.number + 1, reseal=True)


@forgery("rounds")
def a_replay_with_another_round(m: Maker) -> None:
    """A replayed entry takes another round than the first time."""
    record = next((r for r in replayed(m) if r.drawn is not None and r.drawn.signature), None)
    if record is None or record.drawn is None:
        raise NotHere
    number = record.drawn.round + 1
    m.put(fixed(record, replace(record.drawn, round=number, signature=signed(number))))
    m.redo(record.number)


@forgery("rounds", RECEIPTS)
def a_table_without_the_beacon(m: Maker) -> None:
    """The table is said to have chosen no beacon, and the game was another one."""
    if m.book.manifest.options.get("draws") != "beacon":
        raise NotHere
    m.manifest(options={**m.book.manifest.options, "draws": "server"})
    for record in list(m.records):
        m.put(replace(record, mixing=1, drawn=None))
    m.redo(1)
