"""Going back: rewinds, entries told again under a corrected ruling, draws made anew.

Nothing is ever deleted.  A rewind is an entry that goes on from an earlier position; what was played since stays in the
journal and counts no more.  Entry numbers are never used twice, so all that is drawn afterwards is drawn anew; but an
entry that is told again keeps the draws of then by their names, so that what differs is the ruling alone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import delete, select

from engine.kernel.codec import dump, load
from engine.kernel.correction_events import Uncorrectable
from engine.kernel.dice import Draw, Draws, Hmac, Kept
from engine.kernel.events import NOBODY, Corrected, Event, Rewound, ToldAgain
from engine.kernel.gates import Gate
from engine.kernel.names import PUBLIC, Seat, Viewer
from engine.kernel.orders import Orders
from engine.kernel.position import Position
from engine.kernel.run import Advance, GateNotOpen, advance, answer_key, correct
from engine.kernel.secrets import Mask, Secret, redact, truth
from engine.kernel.standing import check, stands
from pbem.archive.entries import Counted, Filed, Record, answers_of, luck_of, missed_of
from pbem.narration.facts import OrdersStand
from pbem.service.game import ballots, views
from pbem.service.game.journal import position_at, record_of
from pbem.service.game.visit import Visit
from pbem.service.masters import rulings
from pbem.service.masters.ruling_letters import Otherwise, difference
from pbem.service.masters.ruling_request import CORRECTION, Wanted
from pbem.service.play import resolution
from pbem.store.games import seats
from pbem.store.models import BallotRow, DecisionRow, EntryRow
from pbem.store.once import forget

REWIND: Final = "rewind"
BY_HAND: Final = frozenset({"ballot", "rider", "standing"})
"""How an answer was counted that its seat had written."""


# --- back to an entry


def rewound(visit: Visit, wanted: Wanted) -> None:
    """The game goes on from after an earlier entry; what was filed since is void, and offered back as drafts."""
    drafts = _drafts(visit, wanted.entry) if wanted.drafts and 0 < wanted.entry < visit.game.entry else {}
    before = visit.position
    go_back(visit, wanted, wanted.entry)
    rulings.tell_all(visit, wanted, before, wanted.entry, drafts)


def go_back(visit: Visit, wanted: Wanted, entry: int, edits: tuple[Event, ...] = (), *, again: bool = False) -> None:
    """Append the entry that goes on from an earlier one; raises Uncorrectable where there is none such."""
    if not 0 < entry < visit.game.entry:
        raise Uncorrectable("no_such_entry", entry=entry)
    last = visit.game.entry
    told = Rewound(entry=entry, last=last, again=again, seen=seen_since(visit, entry))
    position = position_at(visit.session, visit.keys, visit.game, entry)
    void(visit, entry)
    rulings.append(visit, wanted, (told, *edits), base=entry, position=position)
    views.let_go()


def void(visit: Visit, entry: int) -> None:
    """Nothing that was filed after an entry acts any more; every question is put again, with its whole time.

    What was filed before it for a turn to come still lies where it lay.
    """
    then = visit.session.execute(
        select(EntryRow.made_at).where(EntryRow.game_id == visit.game.id, EntryRow.number == entry)
    ).scalar_one()
    game = BallotRow.game_id == visit.game.id
    visit.session.execute(delete(BallotRow).where(game, (BallotRow.kind == "orders") | (BallotRow.made_at > then)))
    visit.session.execute(delete(DecisionRow).where(DecisionRow.game_id == visit.game.id))
    visit.session.flush()
    forget(visit.session)
    visit.opened.clear()


def seen_since(visit: Visit, entry: int) -> tuple[tuple[int, Seat, int], ...]:
    """Which seats had come to see hidden things in the entries that count no more, and how many in each."""
    found = []
    for number in range(entry + 1, visit.game.entry + 1):
        events = record_of(visit.session, visit.keys, visit.game, number).events
        for seat in visit.position.core.seats:
            count = len(_seen(events, seat) - _seen(events, PUBLIC))
            found += [(number, seat, count)] if count else []
    return tuple(found)


def _seen(events: Sequence[Event], viewer: Viewer) -> frozenset[str]:
    """The hidden names that a viewer is told."""
    told = tuple(event for event in redact(tuple(events), viewer) if event.told is not NOBODY)
    return frozenset(_names(told))


def _names(thing: Any) -> Iterator[str]:
    if isinstance(thing, Secret):
        if isinstance(thing.held, str):
            yield thing.held
        elif thing.held is not Mask.UNKNOWN:
            yield from _names(thing.held)
    elif isinstance(thing, tuple):
        for part in thing:
            yield from _names(part)
    elif isinstance(thing, Event):
        for part in vars(thing).values():
            yield from _names(part)


# --- what its owners had sent


def _drafts(visit: Visit, entry: int) -> dict[str, tuple[OrdersStand, ...]]:
    """What each seat had sent since an entry, counted or still waiting: for the player who sent it alone."""
    then = visit.session.execute(
        select(EntryRow.made_at).where(EntryRow.game_id == visit.game.id, EntryRow.number == entry)
    ).scalar_one()
    found: dict[tuple[str, str, str], OrdersStand] = {}
    known = {row.seat: row.known_from for row in seats(visit.session, visit.game.id)}
    for number in range(entry + 1, visit.game.entry + 1):
        record = record_of(visit.session, visit.keys, visit.game, number)
        for counted in record.counted:
            if counted.how in BY_HAND and known.get(counted.seat, 0) < number:
                asks, gate = visit.rules.meta.topic(_asks(visit, record, counted)).asks, counted.question or record.gate
                found[counted.seat, gate, asks] = _stand(gate, asks, counted.orders, record.made_at)
    for row in visit.session.scalars(select(BallotRow).where(BallotRow.game_id == visit.game.id, BallotRow.standing)):
        if row.made_at > then or row.kind == "orders":
            found.update({(row.seat, row.gate, one.asks): one for one in _lying(visit, row)})
    drafts: dict[str, tuple[OrdersStand, ...]] = {}
    for (seat, _, _), one in found.items():
        drafts[seat] = (*drafts.get(seat, ()), one)
    return drafts


def _asks(visit: Visit, record: Record, counted: Counted) -> str:
    """The topic that an answer was about, as its gate's question had it."""
    base = record.number - 1 if record.base is None else record.base
    position = position_at(visit.session, visit.keys, visit.game, base)
    return next(d.asks for d in position.core.gate(record.gate) if answer_key(d) == counted.key)


def _lying(visit: Visit, row: BallotRow) -> Iterator[OrdersStand]:
    """What lies in a ballot that nobody has opened yet."""
    kind: Any = row.kind
    content, _ = ballots.opened(visit.session, visit.keys, visit.services.verify, row, kind, "")
    filed = load(content)
    if isinstance(filed, Filed):
        decision = next((d for d in visit.position.core.open if (d.gate, d.seat) == (row.gate, row.seat)), None)
        asks = decision.asks if decision is not None else Gate.parse(row.gate).asks
        yield _stand(row.gate, asks, filed.orders, row.made_at)
    elif isinstance(filed, dict):
        for asks, orders in filed.items():
            if orders is not None:
                yield _stand(row.gate, asks, orders, row.made_at)


def _stand(gate: str, asks: str, orders: Orders, made_at: int) -> OrdersStand:
    place = Gate.parse(gate)
    return OrdersStand(asks, orders, made_at // 1000, place.turn, number=place.number)


# --- told again


@dataclass(frozen=True)
class Again:
    """An entry as it is told again: which one it was, its answers, and what these rules make of it now."""

    record: Record
    made: Advance[Any]
    anew: tuple[str, ...] = ()


class NotForeseen(Exception):
    """A draw that was not made then: it can be made when it counts, and not before."""


class _Never:
    """Draws that are only shown: what was not drawn then is not drawn now."""

    def die(self, name: str, sides: int) -> int:
        raise NotForeseen(name)

    def order(self, name: str, items: Sequence[object]) -> tuple[int, ...]:
        raise NotForeseen(name)


def _fits(visit: Visit, position: Position[Any], record: Record) -> bool:
    """Return True if an entry's question is asked, of the same seats, and their answers still stand."""
    asked = {answer_key(d): d for d in position.core.gate(record.gate)}
    owed = {key for key, decision in asked.items() if decision.blocking}
    answered = answers_of(record.counted)
    if not answered or not owed <= set(answered) <= set(asked):
        return False
    return all(
        visit.rules.meta.topic(asked[key].asks).lines or stands(check(visit.rules, position, asked[key], orders))
        for key, orders in answered.items()
    )


def told_again(
    visit: Visit, position: Position[Any], record: Record, chance: bytes, draws: Draws
) -> Advance[Any] | None:
    """An entry with its earlier answers on another position; None where it cannot be played there."""
    if not record.counted:
        return _ruled_again(visit, position, record, chance, draws)
    if not _fits(visit, position, record):
        return None
    answers, missed = answers_of(record.counted), missed_of(record.counted)
    try:
        return advance(visit.rules, position, record.gate, answers, chance, draws, defaulted=missed)
    except GateNotOpen:
        return None


def _ruled_again(
    visit: Visit, position: Position[Any], record: Record, chance: bytes, draws: Draws
) -> Advance[Any] | None:
    """An earlier ruling on another position; None where what it put right is not there."""
    ruling = _ruling_of(record)
    if ruling is None:
        return None
    try:
        return correct(visit.rules, position, ruling, chance, draws)
    except NotForeseen:
        raise
    except Exception:  # noqa: BLE001 - facts of another position: whatever they do not find, they do not fit
        return None


def _ruling_of(record: Record) -> Corrected | None:
    """What a ruling put right; going back was not part of it, and is not done again."""
    ruling = record.events[0] if record.events else None
    if not isinstance(ruling, Corrected):
        return None
    return replace(ruling, edits=tuple(edit for edit in ruling.edits if not isinstance(edit, Rewound | ToldAgain)))


def rolled_forward(visit: Visit, wanted: Wanted) -> None:
    """Make what `shown_again` shows: back before an entry, the ruling, and the entries since with the same orders.

    Where one of them cannot be played any more the game waits there, and what was sent for it is offered back.
    """
    _forward(visit, wanted, ())


def drawn_again(visit: Visit, wanted: Wanted) -> None:
    """One draw of an entry, or all, is made anew; all other draws stand, and the entries since are played again."""
    record = rulings.line_of_play(visit, wanted.entry)[0]
    if not record.counted:
        raise Uncorrectable("no_draws", entry=wanted.entry)
    _forward(visit, wanted, anew_of(record, wanted.nth))


def anew_of(record: Record, nth: int) -> tuple[str, ...]:
    """The names of the draws of an entry that are to be made anew; raises Uncorrectable."""
    names = tuple(draw.name for draw in record.draws)
    if not names or nth > len(names):
        raise Uncorrectable("no_draws", entry=record.number)
    return names if nth == 0 else (names[nth - 1],)


def _forward(visit: Visit, wanted: Wanted, anew: tuple[str, ...]) -> None:
    line = rulings.line_of_play(visit, wanted.entry)
    start, before = _base_of(line[0]), visit.position
    edits = _edits(visit, wanted, start)
    drafts = _drafts(visit, start)
    go_back(visit, wanted, start, (ToldAgain(entry=wanted.entry, anew=anew), *edits), again=True)
    played = _play_on(visit, line, anew)
    rest = {seat: _left(sent, line[played:]) for seat, sent in drafts.items()}
    rulings.tell_all(visit, wanted, before, start if played < len(line) else None, rest)


def _base_of(record: Record) -> int:
    return record.number - 1 if record.base is None else record.base


def _edits(visit: Visit, wanted: Wanted, start: int) -> tuple[Event, ...]:
    """The corrected ruling, on the position that the first entry began with."""
    if not wanted.lines:
        return ()
    if start < 1:
        raise Uncorrectable("no_such_entry", entry=wanted.entry)
    return rulings.edits_of(visit, position_at(visit.session, visit.keys, visit.game, start), wanted, start)


def _play_on(visit: Visit, line: Sequence[Record], anew: tuple[str, ...]) -> int:
    """Append the earlier entries, as far as they can be played; how many could."""
    for done, record in enumerate(line):
        if _only_goes_back(record):
            continue
        number = visit.game.entry + 1
        chance = luck_of(visit.game.id, number, record.counted, record.drawn)
        again = record.number if record.counted else None
        new = anew if record is line[0] else ()
        draws = _draws(visit.position, chance, record.draws if record.counted else (), new)
        made = told_again(visit, visit.position, record, chance, draws)
        if made is None or visit.position.core.over or _broken(visit, made.position):
            return done
        gate = record.gate if record.counted else CORRECTION
        resolution.enter(visit, gate, made, record.counted, chance, again=again, anew=new, drawn=record.drawn)
    return len(line)


def _broken(visit: Visit, position: Position[Any]) -> bool:
    with truth():
        return bool(visit.rules.problems(position))


def _only_goes_back(record: Record) -> bool:
    """An entry that was a rewind alone: the line of play goes through it, and nothing of it is done again."""
    ruling = _ruling_of(record)
    return record.gate == REWIND and ruling is not None and not ruling.edits


def _draws(position: Position[Any], chance: bytes, kept: Sequence[Draw], anew: Sequence[str]) -> Draws:
    with truth():
        own = Hmac(position.core.seed.value, chance)
    return Kept(kept, own, anew) if kept or anew else own


def _left(sent: Sequence[OrdersStand], rest: Sequence[Record]) -> tuple[OrdersStand, ...]:
    """What had been sent for entries that were not played again."""
    gates = [Gate.parse(record.gate) for record in rest]
    turns, asked = {gate.turn for gate in gates}, {gate.asks for gate in gates}
    return tuple(one for one in sent if one.turn in turns and one.asks in asked)


# --- only shown


def shown_again(visit: Visit, wanted: Wanted) -> None:
    """Tell the master what would differ; nothing is made."""
    difference(visit, wanted, otherwise(visit, wanted))


def otherwise(visit: Visit, wanted: Wanted) -> Otherwise:
    """The entries since, told again under a corrected ruling with the same orders and draws."""
    line = rulings.line_of_play(visit, wanted.entry)
    start = _base_of(line[0])
    edits = _edits(visit, wanted, start)
    position = position_at(visit.session, visit.keys, visit.game, start)
    if edits:
        ruling = Corrected(by=wanted.by, reason=wanted.reason, edits=edits)
        position = correct(visit.rules, position, ruling, b"", _Never()).position
    found = Otherwise(0)
    for record in line:
        if _only_goes_back(record):
            continue
        try:
            made = told_again(visit, position, record, b"", Kept(record.draws, _Never()))
        except NotForeseen:
            return replace(found, drawn=record.number)
        if made is None:
            return replace(found, stops=record.number)
        if dump(redact(made.events, PUBLIC)) == dump(redact(record.events, PUBLIC)):
            found = replace(found, same=found.same + (found.other == 0))
        elif not found.other:
            found = replace(found, other=record.number, events=redact(made.events, PUBLIC))
        position = made.position
    stands = dump(redact(position, PUBLIC)) != dump(redact(visit.position, PUBLIC))
    return replace(found, stands=stands, private=() if stands else _private(visit, position))


def _private(visit: Visit, position: Position[Any]) -> tuple[Seat, ...]:
    """The seats whose own view would be another one, where the public one would not."""
    found = (
        seat for seat in visit.position.core.seats if dump(redact(position, seat)) != dump(redact(visit.position, seat))
    )
    return tuple(found)
