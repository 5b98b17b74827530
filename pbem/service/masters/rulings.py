"""Rulings of a game master: shown first, then carried out by a play worker, told to all, and taken back.

A ruling is data: facts of the game within a `Corrected`, an entry like any other.  What it would do is shown from what
everybody may see, so that its author learns nothing; whether it can stand in truth is the play worker's to find.
"""

import json
from typing import Any

from engine.kernel.codec import dump
from engine.kernel.correction_events import Uncorrectable
from engine.kernel.corrections import Ruling
from engine.kernel.events import Corrected, Event, Queued, RulingUndone, Taken
from engine.kernel.languages import DEFAULT
from engine.kernel.names import PUBLIC, Seat
from engine.kernel.position import Position
from engine.kernel.rules import Corrects
from engine.kernel.run import correct, ruled, undone
from engine.kernel.secrets import redact, truth
from pbem.archive.again import adjudicated
from pbem.archive.entries import Record, luck_of
from pbem.narration.facts import OrdersStand, RulingFacts
from pbem.service.game import frames
from pbem.service.game.journal import position_at, record_of
from pbem.service.game.visit import Visit
from pbem.service.masters.ruling_letters import to_other_masters
from pbem.service.masters.ruling_request import CORRECTION, RULING, Wanted
from pbem.service.masters.ruling_trial import orders_of, tried
from pbem.service.play import reports, resolution
from pbem.service.post.outbox import draft
from pbem.store.games import seated
from pbem.store.models import User

# --- what was written


# --- what it would do, as far as everybody may see


# --- asking the play worker


# --- in truth


def corrected(visit: Visit, wanted: Wanted) -> None:
    """One entry with the facts of the ruling."""
    edits = edits_of(visit, visit.position, wanted, visit.game.entry)
    before = visit.position
    append(visit, wanted, edits)
    tell_all(visit, wanted, before)


def edits_of(visit: Visit, position: Position[Any], wanted: Wanted, entry: int) -> tuple[Event, ...]:
    """The facts of a ruling's lines on a position; raises Unreadable, Uncorrectable."""
    seen = redact(position, PUBLIC)
    orders = orders_of(visit.rules, seen, wanted.lines, _language(visit, wanted))

    def came(number: int, seat: Seat) -> tuple[Any, ...]:
        if not 0 < number <= entry or not isinstance(visit.rules, Corrects):
            return ()
        return visit.rules.corrections.came(record_of(visit.session, visit.keys, visit.game, number).events, seat)

    tried(visit.rules, seen, orders, came)
    with truth():
        return ruled(visit.rules, Ruling(position, came), orders)


def _language(visit: Visit, wanted: Wanted) -> str:
    user = visit.session.get(User, wanted.user)
    return user.language if user is not None else DEFAULT


def append(
    visit: Visit,
    wanted: Wanted,
    edits: tuple[Event, ...],
    base: int | None = None,
    position: Position[Any] | None = None,
) -> None:
    """Append the entry of a ruling; raises Uncorrectable where its result would break an invariant."""
    chance = luck_of(visit.game.id, visit.game.entry + 1, [])
    ruling = Corrected(by=wanted.by, reason=wanted.reason, edits=edits)
    made = correct(visit.rules, position if position is not None else visit.position, ruling, chance)
    with truth():
        broken = visit.rules.problems(made.position)
    if broken:
        raise Uncorrectable(broken[0].code, **broken[0].terms)
    resolution.enter(visit, CORRECTION if base is None else "rewind", made, (), chance, base=base)


# --- taking one back


def taken_back(visit: Visit, wanted: Wanted) -> None:
    """A later entry with the inverse; refused where what was played since would have gone otherwise without it."""
    number = wanted.entry
    record = _ruling_entry(visit, number)
    line_of_play(visit, number)
    before = position_at(visit.session, visit.keys, visit.game, number - 1)
    with truth():
        inverse = undone(visit.rules, visit.position, _facts(record), before)
    edits = (RulingUndone(entry=number), *inverse)
    ruling = Corrected(by=wanted.by, reason=wanted.reason, edits=edits)
    after = correct(visit.rules, visit.position, ruling, luck_of(visit.game.id, visit.game.entry + 1, [])).position
    if bare(without(visit, number, before)) != bare(after):
        raise Uncorrectable("moved_on")
    then = visit.position
    append(visit, wanted, edits)
    tell_all(visit, wanted, then)


def _ruling_entry(visit: Visit, number: int) -> Record:
    if not 1 < number <= visit.game.entry:
        raise Uncorrectable("no_such_entry", entry=number)
    record = record_of(visit.session, visit.keys, visit.game, number)
    if record.gate != CORRECTION:
        raise Uncorrectable("no_ruling_there", entry=number)
    return record


def _facts(record: Record) -> tuple[Event, ...]:
    """All that a ruling did, what it left to chance included; raises Uncorrectable where play went on at once."""
    ruling, *rest = record.events
    found = (*(ruling.edits if isinstance(ruling, Corrected) else ()), *rest)
    return tuple(event for event in found if not isinstance(event, Queued | Taken))


def line_of_play(visit: Visit, entry: int) -> tuple[Record, ...]:
    """The entries that count from this one on, in order; raises Uncorrectable where it is none of them."""
    if not 1 < entry <= visit.game.entry:
        raise Uncorrectable("no_such_entry", entry=entry)
    found: list[Record] = []
    number = visit.game.entry
    while number >= entry:
        record = record_of(visit.session, visit.keys, visit.game, number)
        found.append(record)
        if number == entry:
            break
        number = number - 1 if record.base is None else record.base
    if not found or found[-1].number != entry:
        raise Uncorrectable("ends_elsewhere", entry=entry)
    return tuple(reversed(found))


def without(visit: Visit, number: int, before: Position[Any]) -> Position[Any]:
    """Where the game would stand had the ruling of an entry never been; raises Uncorrectable if play would differ.

    Only the entries that count are told again: what a rewind left behind hangs on nothing any more.
    """
    position = before
    for record in line_of_play(visit, number)[1:]:
        kept = record_of(visit.session, visit.keys, visit.game, record.again).draws if record.again is not None else ()
        try:
            made = adjudicated(visit.rules, position, record, kept)
        except Exception:  # noqa: BLE001 - whatever stands in its way, the entry would not have been what it is
            raise Uncorrectable("moved_on") from None
        if made is None or bare(made.events) != bare(record.events) or made.draws != record.draws:
            raise Uncorrectable("moved_on")
        position = made.position
    return position


def bare(thing: object) -> Any:
    """A thing as it is saved, but for who knows what in it: what was seen cannot be unseen."""
    return _without_knowledge(json.loads(dump(thing)))


def _without_knowledge(plain: Any) -> Any:
    if isinstance(plain, list):
        return [_without_knowledge(part) for part in plain]
    if isinstance(plain, dict):
        return {key: _without_knowledge(value) for key, value in plain.items() if key != "k" or "!" not in plain}
    return plain


# --- telling


def tell_all(
    visit: Visit,
    wanted: Wanted,
    before: Position[Any],
    rewound_to: int | None = None,
    drafts: dict[str, tuple[OrdersStand, ...]] | None = None,
) -> None:
    """Store what everybody may see now, and write to all: what, why, and what differs for each."""
    resolution.show(visit)
    for row, user in seated(visit.session, visit.game.id):
        seat = Seat(row.seat)
        token = frames.new_reply_token(visit.session, visit.game.id, row.seat, visit.game.entry, visit.now)
        known = row.known_from <= row.reported_entry
        facts = RulingFacts(
            frames.frame_of(visit.services, visit.session, visit.game, row.seat, user, token, visit.now),
            wanted.by,
            wanted.reason,
            redact(before, seat),
            redact(visit.position, seat),
            tuple(event for _, event in visit.told.get(seat, ())) if known else (),
            rewound_to,
            frames.owed_by(visit.session, visit.game.id, row.seat, visit.position.core.open),
            (drafts or {}).get(row.seat, ()),
        )
        draft(
            visit.services,
            visit.session,
            key=f"{visit.game.id}.{visit.game.entry}.{row.seat}.ruling",
            kind=RULING,
            facts=facts,
            user_id=user.id,
            game_id=visit.game.id,
            seat=row.seat,
            entry=visit.game.entry,
        )
        row.reported_entry = visit.game.entry
    to_other_masters(visit, wanted)
    if visit.position.core.over:
        reports.report_to_all(visit)
    resolution.finish(visit)
    visit.wrote = True
