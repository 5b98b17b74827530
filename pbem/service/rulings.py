"""Rulings of a game master: shown first, then carried out by a play worker, told to all, and taken back.

A ruling is data: facts of the game within a `Corrected`, an entry like any other.  What it would do is shown from what
everybody may see, so that whoever asks learns nothing; whether it can stand in truth is the play worker's to find.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from engine.kernel.apply import PatchRefused
from engine.kernel.codec import dump, load, saved
from engine.kernel.corrections import CardMoved, Ruling, Uncorrectable
from engine.kernel.events import Corrected, Event, Queued, RulingUndone, Taken
from engine.kernel.grammar import Grammar, Section
from engine.kernel.names import PUBLIC, Seat
from engine.kernel.orders import Order, Problem, only
from engine.kernel.parse import read_letter
from engine.kernel.position import Position
from engine.kernel.rules import Corrects, Rules
from engine.kernel.run import correct, ruled, undone
from engine.kernel.secrets import Hidden, redact, seen_by, truth
from pbem.archive.again import adjudicated
from pbem.archive.entries import PublicPart, Record
from pbem.narration.facts import OrdersStand, RulingFacts
from pbem.service import play, reports
from pbem.service.journal import position_at, record_of
from pbem.service.letters import draft
from pbem.service.office import Office
from pbem.service.play import Visit
from pbem.store.games import seated
from pbem.store.models import Command, EntryRow, Game, User
from pbem.store.once import forget
from pbem.vault import LetterContext, PlayPublic, VaultError, luck, new_token, open_shunt, seal_shunt

RULING: Final = "ruling"
"""The kind of command by which a play worker carries a ruling out."""
CORRECTION: Final = "correction"
"""The gate of an entry that a ruling made."""


@saved("pbem.Wanted")
@dataclass(frozen=True)
class Wanted:
    """A ruling on its way to the play worker.

    `kind`: `correct`, `undo`, `rewind`, `forward`, `reroll`, or `again` (which only shows). `stood`: the entry at which
    it was asked for, and shown; the game must not have gone on since. `nth`: which draw of the entry; 0: all.
    """

    kind: str
    user: int
    by: str
    reason: str
    stood: int
    lines: tuple[str, ...] = ()
    entry: int = 0
    nth: int = 0
    drafts: bool = True


class Unreadable(Exception):
    """Lines of a ruling that cannot be read: what was written, and why it cannot stand."""

    def __init__(self, written: str, problem: Problem) -> None:
        super().__init__(problem.code)
        self.written, self.problem = written, problem


@dataclass(frozen=True)
class Trial:
    """What a ruling would do: the facts as everybody may know them, and the seats that would know more of them."""

    events: tuple[Event, ...]
    private: tuple[Seat, ...] = ()


# --- what was written


def orders_of(rules: Rules[Any], seen: Position[Any], lines: Sequence[str], language: str) -> tuple[Order, ...]:
    """The orders of a ruling's lines, by the forms that the public position gives; raises Unreadable."""
    if not isinstance(rules, Corrects):
        raise Unreadable("", Problem("no_corrections"))
    with seen_by(PUBLIC):
        forms = rules.corrections.forms(seen)
    topic = rules.corrections.TOPIC
    grammar = Grammar((Section(topic, forms, None, True),), language=language, topics=(topic,))
    found = []
    for text in lines:
        if not text.strip():
            continue
        written = next((line for lot in read_letter([text], grammar).sets.values() for line in lot.lines), None)
        if written is None or written.line is None:
            unknown = Problem("not_understood", {"word": text.strip()[:80], "candidates": (), "accepted": ""})
            raise Unreadable(text.strip(), written.problem if written and written.problem else unknown)
        order = only((written.line,))
        if order is None:
            raise Unreadable(text.strip(), Problem("no_plan_here"))
        found.append(order)
    return tuple(found)


# --- what it would do, for whoever may see no more than everybody


def trial(office: Office, session: Session, game: Game, lines: Sequence[str], language: str) -> Trial:
    """What a correction would do, as far as the public position tells; raises Unreadable, Uncorrectable."""
    rules = office.rules(game.title)
    seen = reports.last_view(office, session, game, PUBLIC)
    orders = orders_of(rules, seen, lines, language)

    def came(entry: int, seat: Seat) -> tuple[Any, ...]:
        row = session.get(EntryRow, (game.id, entry))
        shown: PublicPart | None = load(row.public) if row is not None else None
        return rules.corrections.came(shown.events, seat) if shown is not None and isinstance(rules, Corrects) else ()

    return tried(rules, seen, orders, came)


def tried(rules: Rules[Any], seen: Position[Any], orders: Sequence[Order], came: Any) -> Trial:
    """The facts that orders would make of a public position; raises Uncorrectable."""
    with seen_by(PUBLIC):
        events = ruled(rules, Ruling(seen, came, trial=True), orders)
    if not events:
        raise Uncorrectable("nothing_changes")
    shown = redact(events, PUBLIC)
    private = {seat for event in shown if isinstance(event, CardMoved) for seat in _concerned(event)}
    return Trial(shown, tuple(seat for seat in seen.core.seats if seat in private))


def _concerned(event: CardMoved) -> Iterator[Seat]:
    """Whose hand a card leaves or enters that not everybody sees."""
    if not isinstance(event.card.held, str):
        yield from (seat for seat in (event.seat, event.to) if seat is not None)


# --- asking the play worker


def ask(office: Office, session: Session, game: Game, wanted: Wanted) -> str:
    """Hand a ruling to the play worker, signed by this process; returns the number of the command."""
    number = new_token()[:32]
    content = dump(wanted).encode()
    if office.web is not None or office.post is not None:
        keys = office.accepting
        request = seal_shunt(keys.play, keys.signing, LetterContext(number, RULING), content)
    else:
        own = office.playing
        public = PlayPublic(own.opening.newest_public())
        request = seal_shunt(public, own.signing, LetterContext(number, RULING), content)
    session.add(Command(id=number, kind=RULING, game_id=game.id, state="asked", request=request, made_at=office.now()))
    game.play_wanted = game.play_wanted or office.now()
    return number


def carry_out(office: Office, session: Session, game: Game) -> bool:
    """Carry out the rulings that wait, each by itself; one that cannot stand does nothing, and its master is told."""
    asked = Command.game_id == game.id, Command.kind == RULING, Command.state == "asked"
    commands = list(session.scalars(select(Command).where(*asked).order_by(Command.made_at, Command.id)))
    for command in commands:
        wanted = _opened(office, command)
        command.state, command.done_at, command.request = "done", office.now(), b""
        if wanted is None:
            continue
        try:
            with session.begin_nested():
                _carry_out(office, session, game, wanted)
        except Unreadable as error:
            _refused(office, session, game, wanted, command.id, error.problem)
        except Uncorrectable as error:
            _refused(office, session, game, wanted, command.id, error.problem)
        except (PatchRefused, Hidden):
            _refused(office, session, game, wanted, command.id, Problem("no_such_value"))
        except Exception as error:  # noqa: BLE001 - a ruling that the rules stumble over must not stop its game
            game.trouble = f"a ruling: {type(error).__name__}"[:80]
            _refused(office, session, game, wanted, command.id, Problem("ruling_failed"))
    return bool(commands)


def _opened(office: Office, command: Command) -> Wanted | None:
    """What was asked for; None for a request that none of our processes signed."""
    own = office.playing
    try:
        inside = open_shunt(own.opening, own.verify, LetterContext(command.id, RULING), command.request)
    except VaultError:
        return None
    wanted: Wanted = load(inside.content)
    return wanted


def _carry_out(office: Office, session: Session, game: Game, wanted: Wanted) -> None:
    from pbem.service import rewinds

    since = select(EntryRow.gate).where(EntryRow.game_id == game.id, EntryRow.number > wanted.stood)
    if game.state != "running" or any(gate != CORRECTION for gate in session.scalars(since)):
        raise Uncorrectable("moved_on")
    at = play.visit(office, session, game, office.now())
    carry = {"correct": corrected, "undo": taken_back, "rewind": rewinds.rewound, "forward": rewinds.rolled_forward,
             "reroll": rewinds.drawn_again, "again": rewinds.shown_again}[wanted.kind]  # fmt: skip
    carry(at, wanted)


def _refused(office: Office, session: Session, game: Game, wanted: Wanted, mark: str, problem: Problem) -> None:
    """The master is told why; nobody else is told anything."""
    forget(session)
    from pbem.service.master.ruling import refusal

    refusal(office, session, game, wanted, mark, problem)


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
    play.enter(at, CORRECTION if base is None else "rewind", made, (), chance, base=base)


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
    play.show(at)
    for row, user in seated(at.session, at.game.id):
        seat = Seat(row.seat)
        token = reports.new_reply_token(at.session, at.game.id, row.seat, at.game.entry, at.now)
        known = row.known_from <= row.reported_entry
        facts = RulingFacts(
            reports.frame_of(at.office, at.session, at.game, row.seat, user, token, at.now),
            wanted.by,
            wanted.reason,
            redact(before, seat),
            redact(at.position, seat),
            tuple(event for _, event in at.told.get(seat, ())) if known else (),
            rewound_to,
            reports.owed_by(at.session, at.game.id, row.seat, at.position.core.open),
            (drafts or {}).get(row.seat, ()),
        )
        draft(at.office, at.session, key=f"{at.game.id}.{at.game.entry}.{row.seat}.ruling", kind=RULING, facts=facts,
              user_id=user.id, game_id=at.game.id, seat=row.seat, entry=at.game.entry)  # fmt: skip
        row.reported_entry = at.game.entry
    from pbem.service.master.ruling import to_other_masters

    to_other_masters(at, wanted)
    if at.position.core.over:
        reports.report_to_all(at)
    play.finish(at)
    at.wrote = True
