"""Orders read, judged against the seat's own view and sealed: all that comes before the transaction that files them.

Nothing is written here, so that nobody waits.  What was found holds as long as its `ValidationBasis` is what the game
shows.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy.orm import Session

from engine.kernel.codec import dump
from engine.kernel.gates import Gate
from engine.kernel.grammar import Grammar, Section, SectionKey, build_grammar, key_of
from engine.kernel.orders import LineResult, Orders, Question
from engine.kernel.parse import list_order_lines, parse_letter
from engine.kernel.parsed import Command, ParsedLetter, ParsedLine, ParsedSet
from engine.kernel.position import Position
from engine.kernel.rules import Meta, Rules
from engine.kernel.secrets import redact, seen_by
from engine.kernel.validation import Preview, all_valid, preview_orders
from engine.kernel.viewers import Seat
from pbem.archive.answers import reaction_gate, standing_gate
from pbem.archive.entries import RecordedOrders
from pbem.common.cpu_budget import check, checked, limit_lines
from pbem.crypto import SealedOrders
from pbem.crypto.sealed_orders import OrdersKind
from pbem.narration.facts import ReceiptLine, ReceiptReaction, ReceiptSet
from pbem.service.base.services import Services
from pbem.service.game import sealed_orders, seat_views, stored_orders
from pbem.service.orders import submission
from pbem.service.orders.submission import ParsedOrders, Submitter, ValidatedOrders, ValidatedSet, ValidationBasis
from pbem.service.seats import accounts
from pbem.service.seats.accounts import CommandCount
from pbem.store.games import load_open_questions, load_questions
from pbem.store.models import QuestionRow

_WITHDRAW = "withdraw"
_REVOCABLE = frozenset({"status", "help", "report", "withdraw", "preview", "wait", "ready", "always", "mute", "unmute"})
"""Commands after which everything can be as before."""
_MOST_UNREAD = 200
"""So many lines that are not read are looked at."""


def validate_orders(
    services: Services,
    session: Session,
    submitter: Submitter,
    lines: Sequence[str],
    uncommented: Sequence[str] = (),
    *,
    dry: bool = False,
    before: ValidatedOrders | None = None,
) -> ValidatedOrders:
    """Read, judge and seal an email's sets; `filing.file_orders` files them.

    `uncommented`: lines that were changed in a quoted template: nothing that cannot be undone is read there.  `dry`:
    nothing will be filed (a preview), and nothing is sealed.  `before`: what it came to, by a view that holds no
    more: what was counted then is not counted again.  Each set counts whole or not at all.  Raises BudgetExceeded.
    """
    parsed = parse_for_seat(services, session, submitter, lines, uncommented)
    said = () if dry else submission.count_messages(services, submitter, parsed.messages)
    if before is not None:
        own = before.parsed.account_commands
    elif dry or submitter.form:
        own = CommandCount()
    else:
        own = accounts.count_commands(services, submitter.user, parsed.reading.commands)
    parsed = replace(parsed, messages=said or parsed.messages, account_commands=own)
    return _validate(services, session, submitter, parsed, dry=dry)


def validate_for_other(
    services: Services, session: Session, submitter: Submitter, lines: Sequence[str]
) -> ValidatedOrders:
    """The same for what is written for another person, who neither resigns, is away, nor talks by it."""
    parsed = parse_for_seat(services, session, submitter, lines)
    alone = replace(parsed, reading=replace(parsed.reading, commands=()), messages=())
    return _validate(services, session, submitter, alone, dry=False)


def list_unread_orders(
    services: Services, session: Session, submitter: Submitter, lines: Sequence[str]
) -> tuple[str, ...]:
    """Which of these lines, that are not read, begin like an order or a command: nothing is judged."""
    written = [line for line in lines if line.strip()][:_MOST_UNREAD]
    if not written:
        return ()
    _, _, grammar = _parse_grammar(services, session, submitter)
    return list_order_lines(checked(written), grammar)


# --- reading


def parse_for_seat(
    services: Services, session: Session, submitter: Submitter, lines: Sequence[str], uncommented: Sequence[str] = ()
) -> ParsedOrders:
    """Read the lines by what this seat may write now.

    Raises BudgetExceeded for more lines than a text may have, or where the budget of work in force is used up.
    """
    rules, seen, grammar = _parse_grammar(services, session, submitter)
    every = list(checked(limit_lines([*lines, *uncommented])))
    written, said = submission.split_orders_and_messages(every[: len(lines)])
    changed, _ = submission.split_orders_and_messages(every[len(lines) :])
    reading = parse_letter(checked([*written, *changed]), grammar, chatter=not submitter.form)
    reading = _downgrade_resignation(rules.meta, reading)
    unread = [line for line, left in zip(every[len(lines) :], changed, strict=True) if line and not left]
    if changed:
        unread += [one.text for one in reading.commands if _is_final(one, len(lines))]
        reading = replace(reading, commands=tuple(c for c in reading.commands if not _is_final(c, len(lines))))
    idle = _report_unused_seed_words(reading, every)
    return ParsedOrders(
        snapshot_of(session, submitter), rules, seen, grammar, reading, said, idle, unread=(*unread, *reading.below_end)
    )


def _is_final(command: Command, own: int) -> bool:
    """Return True for a command that cannot be undone and stands below the lines that its author surely wrote."""
    return command.number > own and command.name not in _REVOCABLE


def _parse_grammar(
    services: Services, session: Session, submitter: Submitter
) -> tuple[Rules[Any], Position[Any], Grammar]:
    """The rules, what this seat sees, and what it may write now."""
    rules = services.rules(submitter.game.rules)
    seat = Seat(submitter.seat.seat)
    seen = seat_views.last_view(services, session, submitter.game, seat)
    rows, fixed = open_questions(session, submitter), _fixed_gates(session, submitter)
    known = replace(
        seen.core, questions=tuple(d for d in seen.core.questions if d.seat != seat or d.gate in (*rows, *fixed))
    )
    with seen_by(seat):
        grammar = build_grammar(rules, replace(seen, core=known), seat, submitter.user.language)
    grammar = grammar.without_section(d for d in known.questions if d.seat == seat and d.gate in fixed)
    if submitter.entry < submitter.seat.last_report_entry:
        grammar = replace(grammar, sections=tuple(s for s in grammar.sections if s.open), reactions=())
    return rules, seen, grammar


def snapshot_of(session: Session, submitter: Submitter) -> ValidationBasis:
    """What a judgement of this email rests on, as it stands now."""
    game, seat = submitter.game, submitter.seat
    asked = tuple((gate, row.opening_entry) for gate, row in sorted(open_questions(session, submitter).items()))
    return ValidationBasis(
        game.id,
        game.entry,
        seat.seat,
        seat.last_report_entry,
        submitter.user.id,
        submitter.user.language,
        submitter.entry,
        submitter.form,
        asked,
    )


def open_questions(session: Session, submitter: Submitter) -> dict[str, QuestionRow]:
    """The seat's open questions that this email can know of: those put before it was laid out."""
    found = load_open_questions(session, submitter.game.id, submitter.seat.seat)
    return {row.gate: row for row in found if row.opening_entry <= submitter.entry}


def _fixed_gates(session: Session, submitter: Submitter) -> frozenset[str]:
    """The gates at which the seat's answer is fixed: what comes after them can be answered ahead, they no more."""
    mine = (row for row in load_questions(session, submitter.game.id) if row.seat == submitter.seat.seat)
    return frozenset(row.gate for row in mine if row.answers_fixed)


def _downgrade_resignation(meta: Meta, reading: ParsedLetter) -> ParsedLetter:
    """An order that would take its author out of the game for good only offers their seat, as the word RESIGN does.

    The rulebook's own way out is for the game master, or for the table's vote.
    """
    quits = {key: lot for key, lot in reading.sets.items() if meta.topic(key[0]).is_resignation and lot.orders}
    if not quits:
        return reading
    first = next(line for lot in quits.values() for line in lot.lines)
    sets = {key: lot for key, lot in reading.sets.items() if key not in quits}
    resigns = Command(first.number, first.text, "resign", word="yes")
    return replace(reading, sets=sets, commands=(*reading.commands, resigns))


def _report_unused_seed_words(reading: ParsedLetter, lines: Sequence[str]) -> tuple[tuple[int, str], ...]:
    """Words for luck go into a set that they come with; where none was taken they are listed as talk."""
    idle = [(n, text.strip()) for n, text in enumerate(lines, 1) if any(w and w in text for w in reading.luck)]
    return tuple(sorted({*reading.skipped, *idle}))


# --- sealing


class OrderSealer:
    """Seals what one email files; of several sealed orders for one place each has its own revision."""

    def __init__(self, services: Services, session: Session, submitter: Submitter, words: str) -> None:
        self.services, self.session, self.game, self.seat = services, session, submitter.game, submitter.seat
        self.deputy = submitter.deputy
        self._key = sealed_orders.load_game_orders_key(submitter.game, services.order_keys.verify)
        self._words, self._made = words, Counter[tuple[str, str]]()

    def seal_orders(self, gate: str, opening_entry: int, kind: OrdersKind, orders: Orders) -> SealedOrders:
        """A set, with the email's words for luck."""
        return self._seal(gate, opening_entry, kind, dump(RecordedOrders(orders, self._words)).encode())

    def seal_reactions(self, gate: str, written: stored_orders.SealedReaction) -> SealedOrders:
        """Answers ahead; earlier ones stay, for the questions that are not named."""
        return self._seal(gate, 0, "reaction", dump(dict(written)).encode())

    def _seal(self, gate: str, opening_entry: int, kind: OrdersKind, content: bytes) -> SealedOrders:
        self._made[gate, kind] += 1
        beyond = self._made[gate, kind]
        place = sealed_orders.allocate_slot(
            self.session, self.game.id, gate, opening_entry, self.seat.seat, kind, beyond
        )
        signing, holder = self.services.order_keys.signing, self.seat.user_id
        return sealed_orders.seal(self.services, self._key, signing, place, holder, content)


def _validate(
    services: Services, session: Session, submitter: Submitter, parsed: ParsedOrders, *, dry: bool
) -> ValidatedOrders:
    reading, turn = parsed.reading, parsed.rules.turn(parsed.seen)
    dry = dry or any(command.name == "preview" for command in reading.commands)
    sealer = None if dry else OrderSealer(services, session, submitter, "\n".join(reading.luck))
    withdrawn = [one.reaction for one in reading.commands if one.name == _WITHDRAW and one.problem is None]
    taken_back = tuple(_seal_reactions(parsed, sealer, [{asks: None} for asks in withdrawn if asks is not None]))
    sets = tuple(_validate_set(parsed, sealer, key, written) for key, written in checked(reading.sets.items()))
    read = tuple(_validate_reaction(asks, written, turn) for asks, written in reading.reactions.items())
    good: dict[str, Orders | None] = {r.topic: None if r.withdrawn else r.orders for r in read if r.problem is None}
    return ValidatedOrders(parsed, dry, sets, read, tuple(_seal_reactions(parsed, sealer, [good])), taken_back)


def _seal_reactions(
    parsed: ParsedOrders, sealer: OrderSealer | None, written: Sequence[stored_orders.SealedReaction]
) -> Iterator[SealedOrders]:
    """Seal answers ahead: those of the turn together, and each of those that last by itself; nothing when dry."""
    turn, meta = parsed.rules.turn(parsed.seen), parsed.rules.meta
    if sealer is None:
        return
    for answers in written:
        by_gate: dict[str, stored_orders.SealedReaction] = {}
        for asks, orders in answers.items():
            by_gate.setdefault(reaction_gate(meta.topic(asks), turn), {})[asks] = orders
        yield from (sealer.seal_reactions(gate, one) for gate, one in by_gate.items())


# --- judging


def _validate_set(
    parsed: ParsedOrders, sealer: OrderSealer | None, key: SectionKey, written: ParsedSet
) -> ValidatedSet:
    decision = question_of(parsed, next((s for s in parsed.grammar.sections if s.key == key), None))
    if decision is None:
        return _validate_advance(parsed, sealer, key, written)
    return _judge(parsed, sealer, decision, written)


def question_of(parsed: ParsedOrders, section: Section | None) -> Question | None:
    """The open question that a section stands for: of its own turn, never of another one that a heading named."""
    if section is None or not section.open:
        return None
    gates = {gate for gate, _ in parsed.basis.open}
    asked = [d for d in parsed.seen.core.questions if d.seat == parsed.seat and d.gate in gates]
    mine = (d for d in asked if d.topic == section.topic.key)
    return next((d for d in mine if key_of(section.topic, d.gate) == section.key), None)


def _judge(parsed: ParsedOrders, sealer: OrderSealer | None, decision: Question, written: ParsedSet) -> ValidatedSet:
    """A set for an open question: line by line, in sequence, on the owner's view."""
    number = key_of(parsed.rules.meta.topic(decision.topic), decision.gate).number
    if not written.readable:
        unread = ReceiptSet(
            decision.topic, _to_receipt_lines(written), decision=decision, passed=written.is_pass, number=number
        )
        return ValidatedSet(unread, decision.gate)
    tried: Preview[Any] = preview_orders(parsed.rules, parsed.seen, decision, written.orders, own=True, spend=check)
    lines, whole = _with_results(written, tried.results)
    events = redact(tried.events, parsed.seat) if sealer is None else ()
    found = ReceiptSet(decision.topic, lines, decision=decision, passed=written.is_pass, problem=whole, number=number)
    validated = ValidatedSet(found, decision.gate, written.orders, events=events, state_after=tried.position)
    if sealer is None or not all_valid(tried.results):
        return validated
    sealed = sealer.seal_orders(decision.gate, dict(parsed.basis.open)[decision.gate], "orders", written.orders)
    return replace(validated, sealed=sealed, plan=_seal_standing_orders(parsed, sealer, decision.topic, written))


def _seal_standing_orders(
    parsed: ParsedOrders, sealer: OrderSealer, asks: str, written: ParsedSet
) -> SealedOrders | None:
    """With the word ALWAYS a set is also the seat's plan for such questions, should it ever miss a deadline.

    A deputy makes none, which would outlast their time.
    """
    if sealer.deputy or not any(command.name == "always" for command in parsed.reading.commands):
        return None
    return sealer.seal_orders(standing_gate(asks), 0, "standing", written.orders)


def _to_receipt_lines(written: ParsedSet) -> tuple[ReceiptLine, ...]:
    return tuple(ReceiptLine(w.number, w.text, w.line, w.problem) for w in written.lines)


def _with_results(written: ParsedSet, rulings: Sequence[LineResult]) -> tuple[tuple[ReceiptLine, ...], Any]:
    """Lines with what was found about each; a problem of the set as a whole (an answer is needed) stands apart."""
    lines = tuple(
        ReceiptLine(w.number, w.text, w.line, r.problem, r.notes, r.chosen)
        for w, r in zip(written.lines, rulings, strict=False)
    )
    whole = next((r.problem for r in rulings[len(written.lines) :] if r.problem), None)
    return lines, whole


def _validate_advance(
    parsed: ParsedOrders, sealer: OrderSealer | None, key: SectionKey, written: ParsedSet
) -> ValidatedSet:
    """A set for a question that is not open yet: its form is checked now, the rest when it opens."""
    found = ReceiptSet(key.topic, _to_receipt_lines(written), turn=key.turn, passed=written.is_pass, number=key.number)
    if not written.readable or sealer is None:
        return ValidatedSet(found)
    sealed = sealer.seal_orders(_future_gate(parsed, key), 0, "advance", written.orders)
    return ValidatedSet(found, orders=written.orders, sealed=sealed)


def _future_gate(parsed: ParsedOrders, key: SectionKey) -> str:
    """The gate at which the question will be put: as the rules name it, else by its turn."""
    with seen_by(parsed.seat):
        coming = parsed.rules.advance_questions(parsed.seen, parsed.seat)
    topic = parsed.rules.meta.topic(key.topic)
    named = (d.gate for d in coming if d.topic == key.topic and key_of(topic, d.gate) == key)
    return next(named, str(Gate(key.topic, key.turn)))


def _validate_reaction(asks: str, written: ParsedLine, turn: int) -> ReceiptReaction:
    orders = (written.line,) if written.line is not None else ()
    return ReceiptReaction(asks, written.number, written.text, orders, written.is_withdrawal, written.problem, turn)
