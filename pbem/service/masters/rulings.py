"""Rulings of a game master: shown first, then carried out by a play worker, told to all, and taken back.

A ruling is data: facts of the game within a `Corrected`, an entry like any other.  What it would do is shown from what
everybody may see, so that whoever asks learns nothing; whether it can stand in truth is the play worker's to find.
"""

import json
from typing import Any

from engine.kernel.codec import dump
from engine.kernel.corrections import Ruling, Uncorrectable
from engine.kernel.events import Corrected, Event, Queued, RulingUndone, Taken
from engine.kernel.names import PUBLIC, Seat
from engine.kernel.position import Position
from engine.kernel.rules import Corrects
from engine.kernel.run import correct, ruled, undone
from engine.kernel.secrets import redact, truth
from pbem.archive.again import adjudicated
from pbem.archive.entries import Record
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
from pbem.vault import luck

# --- what was written


# --- what it would do, for whoever may see no more than everybody


# --- asking the play worker


# --- in truth


def corrected(at: Visit, wanted: Wanted) -> None:
    """One entry with the facts of the ruling."""
    edits = edits_of(at, at.position, wanted, at.game.entry)
    before = at.position
    append(at, wanted, edits)
    tell_all(at, wanted, before)


def edits_of(at: Visit, position: Position[Any], wanted: Wanted, entry: int) -> tuple[Event, ...]:
    """The facts of a ruling's lines on a position; raises Unreadable, Uncorrectable."""
    seen = redact(position, PUBLIC)
    orders = orders_of(at.rules, seen, wanted.lines, _language(at, wanted))

    def came(number: int, seat: Seat) -> tuple[Any, ...]:
        if not 0 < number <= entry or not isinstance(at.rules, Corrects):
            return ()
        return at.rules.corrections.came(record_of(at.session, at.keys, at.game, number).events, seat)

    tried(at.rules, seen, orders, came)
    with truth():
        return ruled(at.rules, Ruling(position, came), orders)


def _language(at: Visit, wanted: Wanted) -> str:
    user = at.session.get(User, wanted.user)
    return user.language if user is not None else "en"


def append(
    at: Visit, wanted: Wanted, edits: tuple[Event, ...], base: int | None = None, position: Position[Any] | None = None
) -> None:
    """Append the entry of a ruling; raises Uncorrectable where its result would break an invariant."""
    chance = luck(at.game.id, at.game.entry + 1, [])
    ruling = Corrected(by=wanted.by, reason=wanted.reason, edits=edits)
    made = correct(at.rules, position if position is not None else at.position, ruling, chance)
    with truth():
        broken = at.rules.problems(made.position)
    if broken:
        raise Uncorrectable(broken[0].code, **broken[0].terms)
    resolution.enter(at, CORRECTION if base is None else "rewind", made, (), chance, base=base)


# --- taking one back


def taken_back(at: Visit, wanted: Wanted) -> None:
    """A later entry with the inverse; refused where what was played since would have gone otherwise without it."""
    number = wanted.entry
    record = _ruling_entry(at, number)
    line_of_play(at, number)
    before = position_at(at.session, at.keys, at.game, number - 1)
    with truth():
        inverse = undone(at.rules, at.position, _facts(record), before)
    edits = (RulingUndone(entry=number), *inverse)
    ruling = Corrected(by=wanted.by, reason=wanted.reason, edits=edits)
    after = correct(at.rules, at.position, ruling, luck(at.game.id, at.game.entry + 1, [])).position
    if bare(without(at, number, before)) != bare(after):
        raise Uncorrectable("moved_on")
    then = at.position
    append(at, wanted, edits)
    tell_all(at, wanted, then)


def _ruling_entry(at: Visit, number: int) -> Record:
    if not 1 < number <= at.game.entry:
        raise Uncorrectable("no_such_entry", entry=number)
    record = record_of(at.session, at.keys, at.game, number)
    if record.gate != CORRECTION:
        raise Uncorrectable("no_ruling_there", entry=number)
    return record


def _facts(record: Record) -> tuple[Event, ...]:
    """All that a ruling did, what it left to chance included; raises Uncorrectable where play went on at once."""
    ruling, *rest = record.events
    found = (*(ruling.edits if isinstance(ruling, Corrected) else ()), *rest)
    return tuple(event for event in found if not isinstance(event, Queued | Taken))


def line_of_play(at: Visit, entry: int) -> tuple[Record, ...]:
    """The entries that count from this one on, in order; raises Uncorrectable where it is none of them."""
    if not 1 < entry <= at.game.entry:
        raise Uncorrectable("no_such_entry", entry=entry)
    found: list[Record] = []
    number = at.game.entry
    while number >= entry:
        record = record_of(at.session, at.keys, at.game, number)
        found.append(record)
        if number == entry:
            break
        number = number - 1 if record.base is None else record.base
    if not found or found[-1].number != entry:
        raise Uncorrectable("ends_elsewhere", entry=entry)
    return tuple(reversed(found))


def without(at: Visit, number: int, before: Position[Any]) -> Position[Any]:
    """Where the game would stand had the ruling of an entry never been; raises Uncorrectable if play would differ.

    Only the entries that count are told again: what a rewind left behind hangs on nothing any more.
    """
    position = before
    for record in line_of_play(at, number)[1:]:
        kept = record_of(at.session, at.keys, at.game, record.again).draws if record.again is not None else ()
        try:
            made = adjudicated(at.rules, position, record, kept)
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
    at: Visit, wanted: Wanted, before: Position[Any], rewound_to: int | None = None,
    drafts: dict[str, tuple[OrdersStand, ...]] | None = None,
) -> None:  # fmt: skip
    """Store what everybody may see now, and write to all: what, why, and what differs for each."""
    resolution.show(at)
    for row, user in seated(at.session, at.game.id):
        seat = Seat(row.seat)
        token = frames.new_reply_token(at.session, at.game.id, row.seat, at.game.entry, at.now)
        known = row.known_from <= row.reported_entry
        facts = RulingFacts(
            frames.frame_of(at.office, at.session, at.game, row.seat, user, token, at.now),
            wanted.by,
            wanted.reason,
            redact(before, seat),
            redact(at.position, seat),
            tuple(event for _, event in at.told.get(seat, ())) if known else (),
            rewound_to,
            frames.owed_by(at.session, at.game.id, row.seat, at.position.core.open),
            (drafts or {}).get(row.seat, ()),
        )
        draft(at.office, at.session, key=f"{at.game.id}.{at.game.entry}.{row.seat}.ruling", kind=RULING, facts=facts,
              user_id=user.id, game_id=at.game.id, seat=row.seat, entry=at.game.entry)  # fmt: skip
        row.reported_entry = at.game.entry
    to_other_masters(at, wanted)
    if at.position.core.over:
        reports.report_to_all(at)
    resolution.finish(at)
    at.wrote = True
