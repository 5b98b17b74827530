"""Going back: rewinds, entries told again under a corrected ruling, draws made anew.

Nothing is ever deleted.  A rewind is an entry that goes on from an earlier position; what was played since stays in the
journal and counts no more.  Entry numbers are never used twice, so all that is drawn afterwards is drawn anew; but an
entry that is told again keeps the draws of then by their names, so that what differs is the ruling alone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from sqlalchemy import delete, select

from engine.kernel.codec import dump, load
from engine.kernel.correction_events import CorrectionRefused
from engine.kernel.dice import Draw, Draws, HmacDraws, RecordedDraws
from engine.kernel.events import Corrected, EntryReplayed, Event, Rewound
from engine.kernel.gates import Gate
from engine.kernel.orders import Orders
from engine.kernel.position import Position
from engine.kernel.run import answer_key, correct
from engine.kernel.secrets import redact, truth
from engine.kernel.viewers import PUBLIC, Seat
from pbem.archive.entries import CountedAnswer, EntryRecord, RecordedOrders, draw_entropy_of
from pbem.archive.replay import CORRECTION, DrawNotRecorded, is_playable, is_pure_rewind, replay_entry
from pbem.archive.rulings import base_entry_of, count_leaks
from pbem.narration.facts import StoredOrders
from pbem.service.game import sealed_orders, seat_views
from pbem.service.game.journal import load_entry, load_state_at
from pbem.service.game.resolver_context import ResolverContext
from pbem.service.masters import rulings
from pbem.service.masters.ruling_request import ReplayDifference, RulingRequest, send_preview
from pbem.service.resolver import resolution
from pbem.store.games import load_entry_time, load_seats
from pbem.store.models import QuestionRow, SealedOrdersRow
from pbem.store.query_cache import clear

BY_HAND: Final = frozenset({"orders", "reaction", "standing"})
"""How an answer was counted that its seat had written."""


# --- back to an entry


def apply_rewind(context: ResolverContext, ruling: RulingRequest) -> None:
    """Go on from an earlier entry; orders filed since are void and come back as drafts."""
    drafts = _collect_drafts(context, ruling.entry) if ruling.drafts and 0 < ruling.entry < context.game.entry else {}
    previous = context.position
    append_rewind(context, ruling, ruling.entry)
    rulings.announce_ruling(context, ruling, previous, ruling.entry, drafts)


def append_rewind(
    context: ResolverContext, ruling: RulingRequest, entry: int, edits: tuple[Event, ...] = (), *, again: bool = False
) -> None:
    """Append the entry that goes on from an earlier one. Raises CorrectionRefused."""
    if not 0 < entry < context.game.entry:
        raise CorrectionRefused("no_such_entry", entry=entry)
    last = context.game.entry
    rewound = Rewound(entry=entry, last=last, again=again, seen=leaked_names_since(context, entry))
    position = load_state_at(context.session, context.keys, context.game, entry)
    void_orders_after(context, entry)
    rulings.append_ruling(context, ruling, (rewound, *edits), base=entry, position=position)
    seat_views.clear_cache()


def void_orders_after(context: ResolverContext, entry: int) -> None:
    """Delete what was filed after an entry, and put every question again, with its whole time.

    Advance orders that were filed before it stay.
    """
    then = load_entry_time(context.session, context.game.id, entry)
    game = SealedOrdersRow.game_id == context.game.id
    context.session.execute(
        delete(SealedOrdersRow).where(game, (SealedOrdersRow.kind == "orders") | (SealedOrdersRow.created_at > then))
    )
    context.session.execute(delete(QuestionRow).where(QuestionRow.game_id == context.game.id))
    context.session.flush()
    clear(context.session)
    context.asked_entries.clear()


def leaked_names_since(context: ResolverContext, entry: int) -> tuple[tuple[int, Seat, int], ...]:
    """Count the hidden values that each seat came to see in the entries that no longer count."""
    given_up = range(entry + 1, context.game.entry + 1)
    records = (load_entry(context.session, context.keys, context.game, number) for number in given_up)
    return count_leaks(records, context.position.core.seats)


# --- what its owners had sent


def _collect_drafts(context: ResolverContext, entry: int) -> dict[str, tuple[StoredOrders, ...]]:
    """What each seat had sent since an entry, counted or still waiting: for the player who sent it alone."""
    then = load_entry_time(context.session, context.game.id, entry)
    drafts_by_question: dict[tuple[str, str, str], StoredOrders] = {}
    visible_from = {row.seat: row.visible_from_entry for row in load_seats(context.session, context.game.id)}
    for number in range(entry + 1, context.game.entry + 1):
        record = load_entry(context.session, context.keys, context.game, number)
        for counted in record.counted:
            if counted.how in BY_HAND and visible_from.get(counted.seat, 0) < number:
                asks, gate = _topic_of_answer(context, record, counted), counted.question or record.gate
                drafts_by_question[counted.seat, gate, asks] = _to_facts(gate, asks, counted.orders, record.created_at)
    current = SealedOrdersRow.game_id == context.game.id, SealedOrdersRow.is_current
    for row in context.session.scalars(select(SealedOrdersRow).where(*current)):
        if row.created_at > then or row.kind == "orders":
            for orders in _list_unopened(context, row):
                drafts_by_question[row.seat, row.gate, orders.topic] = orders
    drafts: dict[str, tuple[StoredOrders, ...]] = {}
    for (seat, _, _), orders in drafts_by_question.items():
        drafts[seat] = (*drafts.get(seat, ()), orders)
    return drafts


def _topic_of_answer(context: ResolverContext, record: EntryRecord, counted: CountedAnswer) -> str:
    """The topic that an answer was about, as its gate's question had it."""
    base = record.number - 1 if record.base is None else record.base
    position = load_state_at(context.session, context.keys, context.game, base)
    return next(d.topic for d in position.core.gate(record.gate) if answer_key(d) == counted.key)


def _list_unopened(context: ResolverContext, row: SealedOrdersRow) -> Iterator[StoredOrders]:
    """What sealed orders hold that nobody has opened yet."""
    kind: Any = row.kind
    content, _ = sealed_orders.unseal(context.session, context.keys, context.services.verify, row, kind, "")
    filed = load(content)
    if isinstance(filed, RecordedOrders):
        decision = next((d for d in context.position.core.questions if (d.gate, d.seat) == (row.gate, row.seat)), None)
        asks = decision.topic if decision is not None else Gate.parse(row.gate).topic
        yield _to_facts(row.gate, asks, filed.orders, row.created_at)
    elif isinstance(filed, dict):
        for asks, orders in filed.items():
            if orders is not None:
                yield _to_facts(row.gate, asks, orders, row.created_at)


def _to_facts(gate: str, asks: str, orders: Orders, made_at: int) -> StoredOrders:
    parsed = Gate.parse(gate)
    return StoredOrders(asks, orders, made_at // 1000, parsed.turn, number=parsed.number)


# --- told again


class _NoNewDraws:
    """Draws that are only shown: what was not drawn then is not drawn now."""

    def roll(self, name: str, sides: int) -> int:
        raise DrawNotRecorded(name)

    def shuffle(self, name: str, items: Sequence[object]) -> tuple[int, ...]:
        raise DrawNotRecorded(name)


def replay_forward(context: ResolverContext, ruling: RulingRequest) -> None:
    """Do what `send_replay_preview` shows: rewind, rule, and replay the entries since with the same orders.

    Where one cannot be played any more the game waits there, and its orders come back as drafts.
    """
    _replay_since(context, ruling, ())


def reroll(context: ResolverContext, ruling: RulingRequest) -> None:
    """Draw one draw of an entry again, or all, and replay the entries since with their other draws."""
    record = rulings.entries_in_force(context, ruling.entry)[0]
    if not record.counted:
        raise CorrectionRefused("no_draws", entry=ruling.entry)
    _replay_since(context, ruling, draws_to_reroll(record, ruling.nth))


def draws_to_reroll(record: EntryRecord, nth: int) -> tuple[str, ...]:
    """Return the names of the draws of an entry to draw again. Raises CorrectionRefused."""
    names = tuple(draw.name for draw in record.draws)
    if not names or nth > len(names):
        raise CorrectionRefused("no_draws", entry=record.number)
    return names if nth == 0 else (names[nth - 1],)


def _replay_since(context: ResolverContext, ruling: RulingRequest, rerolled: tuple[str, ...]) -> None:
    line = rulings.entries_in_force(context, ruling.entry)
    start, previous = base_entry_of(line[0]), context.position
    edits = _correction_edits(context, ruling, start)
    drafts = _collect_drafts(context, start)
    append_rewind(context, ruling, start, (EntryReplayed(entry=ruling.entry, rerolled=rerolled), *edits), again=True)
    played = _resolve_further(context, line, rerolled)
    unplayed = {seat: _select_unplayed(sent, line[played:]) for seat, sent in drafts.items()}
    rulings.announce_ruling(context, ruling, previous, start if played < len(line) else None, unplayed)


def _correction_edits(context: ResolverContext, ruling: RulingRequest, start: int) -> tuple[Event, ...]:
    """The corrected ruling, on the position that the first entry began with."""
    if not ruling.lines:
        return ()
    if start < 1:
        raise CorrectionRefused("no_such_entry", entry=ruling.entry)
    position = load_state_at(context.session, context.keys, context.game, start)
    return rulings.correction_events(context, position, ruling, start)


def _resolve_further(context: ResolverContext, line: Sequence[EntryRecord], rerolled: tuple[str, ...]) -> int:
    """Append the earlier entries, as far as they can be played; how many could."""
    for done, record in enumerate(line):
        if is_pure_rewind(record):
            continue
        number = context.game.entry + 1
        chance = draw_entropy_of(context.game.id, number, record.counted, record.drawn)
        replay_of = record.number if record.counted else None
        names = rerolled if record is line[0] else ()
        draws = _draw_source(context.position, chance, record.draws if record.counted else (), names)
        result = replay_entry(context.rules, context.position, record, chance, draws)
        if result is None or context.position.core.over or not is_playable(context.rules, result):
            return done
        gate = record.gate if record.counted else CORRECTION
        resolution.record_entry(
            context, gate, result, record.counted, chance, replay_of=replay_of, rerolled=names, drawn=record.drawn
        )
    return len(line)


def _draw_source(position: Position[Any], chance: bytes, recorded: Sequence[Draw], rerolled: Sequence[str]) -> Draws:
    with truth():
        own = HmacDraws(position.core.seed.value, chance)
    return RecordedDraws(recorded, own, rerolled) if recorded or rerolled else own


def _select_unplayed(sent: Sequence[StoredOrders], unplayed: Sequence[EntryRecord]) -> tuple[StoredOrders, ...]:
    """What had been sent for entries that were not played again."""
    gates = [Gate.parse(record.gate) for record in unplayed]
    turns, topics = {gate.turn for gate in gates}, {gate.topic for gate in gates}
    return tuple(orders for orders in sent if orders.turn in turns and orders.topic in topics)


# --- only shown


def send_replay_preview(context: ResolverContext, ruling: RulingRequest) -> None:
    """Email the master what would differ; nothing is changed."""
    send_preview(context, ruling, preview_replay(context, ruling))


def preview_replay(context: ResolverContext, wanted: RulingRequest) -> ReplayDifference:
    """Replay the entries since under a corrected ruling with the same orders and draws, and compare."""
    line = rulings.entries_in_force(context, wanted.entry)
    start = base_entry_of(line[0])
    edits = _correction_edits(context, wanted, start)
    position = load_state_at(context.session, context.keys, context.game, start)
    if edits:
        ruling = Corrected(by=wanted.author, reason=wanted.reason, edits=edits)
        position = correct(context.rules, position, ruling, b"", _NoNewDraws()).position
    difference = ReplayDifference(0)
    for record in line:
        if is_pure_rewind(record):
            continue
        try:
            result = replay_entry(context.rules, position, record, b"", RecordedDraws(record.draws, _NoNewDraws()))
        except DrawNotRecorded:
            return replace(difference, drawn=record.number)
        if result is None:
            return replace(difference, stops=record.number)
        if dump(redact(result.events, PUBLIC)) == dump(redact(record.events, PUBLIC)):
            difference = replace(difference, same=difference.same + (difference.other == 0))
        elif not difference.other:
            difference = replace(difference, other=record.number, events=redact(result.events, PUBLIC))
        position = result.position
    differs = dump(redact(position, PUBLIC)) != dump(redact(context.position, PUBLIC))
    return replace(difference, remains=differs, private=() if differs else _list_private_changes(context, position))


def _list_private_changes(context: ResolverContext, position: Position[Any]) -> tuple[Seat, ...]:
    """The seats whose own view would be another one, where the public one would not."""
    before, seats = context.position, context.position.core.seats
    return tuple(seat for seat in seats if dump(redact(position, seat)) != dump(redact(before, seat)))
