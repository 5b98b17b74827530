"""The answers of an entry: what opens their commitments, who was asked, and what the rules answer for a silent seat."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from engine.kernel.bots import Bot, BotProfile, chooser
from engine.kernel.codec import dump, load
from engine.kernel.forms import Topic
from engine.kernel.gates import Gate
from engine.kernel.orders import Orders, Question
from engine.kernel.position import Position
from engine.kernel.rules import Rules
from engine.kernel.run import QuestionKey, answer_key
from engine.kernel.secrets import redact, seen_by, truth
from engine.kernel.validation import all_valid, check_orders
from pbem.archive.entries import CommitmentOpening, CountedAnswer, EntryRecord, RecordedOrders, SupersededOrders
from pbem.crypto.sealed_orders import OrdersContext, verify_commitment

FILED: Final = ("orders", "reaction", "standing")
"""Answers that were filed, each by sealed orders of the kind of this name."""
SILENT: Final = ("default", "unasked", "bot")
"""Answers that nobody filed: no receipt acknowledged them."""

STEADY: Final = BotProfile(absent=0, unasked_share=0, passing=0)


# --- what the resolver answers, and a file must show


def default_answer(rules: Rules[Any], position: Position[Any], decision: Question) -> Orders:
    """The game's stated default, from the seat's own view."""
    with seen_by(decision.seat):
        return rules.default_orders(redact(position, decision.seat), decision)


def bot_answer(rules: Rules[Any], position: Position[Any], decision: Question, game: str, entry: int) -> Orders:
    """What the simplest of players would answer after an entry, from the seat's own view.

    Its chance nobody can foresee without the seed.
    """
    with truth():
        seed = position.core.seed.value
    bot = Bot(rules, decision.seat, chooser(seed + f"{game}/{entry}".encode()), STEADY)
    return bot.answer(redact(position, decision.seat), decision)


def reaction_gate(topic: Topic, turn: int) -> str:
    """The gate under which reactions to a kind of question are stored: with the others of their turn, or for good."""
    return str(Gate("reactions", about=(topic.key,)) if topic.lasts else Gate("reactions", turn))


def standing_gate(topic: str) -> str:
    """The gate under which standing orders for a kind of question are stored."""
    return str(Gate("standing", about=(topic,)))


# --- commitments


def list_commitment_faults(game: str, record: EntryRecord) -> Iterator[str]:
    """A sentence for each answer, and each set that was passed over, that is not what its receipt acknowledged."""
    for counted in record.counted:
        if problem := _find_commitment_problem(game, record, counted):
            yield f"Entry {record.number}: the answer of seat {counted.seat} {problem}."
    used = {counted.commitment for counted in record.counted}
    for other in record.beside:
        if other.commitment in used or not _can_be_superseded(game, record, other):
            yield f"Entry {record.number} passes over orders that it cannot have had."


def _find_commitment_problem(game: str, record: EntryRecord, counted: CountedAnswer) -> str:
    proof = counted.context, counted.commitment, counted.salt, counted.content
    if counted.how in SILENT:
        return "came from nobody and has a commitment" if any((*proof, counted.words)) else ""
    place = OrdersContext.from_bytes(counted.context)
    if counted.how not in FILED or place.kind != counted.how:
        return "was sealed as something else"
    if (place.game, place.seat) != (game, counted.seat):
        return "was sealed for another place"
    if place.kind == "orders" and place.gate != (counted.question or record.gate):
        return "was sealed for another gate"
    if not _is_opening(*proof):
        return "is not what its receipt acknowledged"
    filed = load(counted.content)
    if isinstance(filed, RecordedOrders):
        return _find_orders_problem(filed, counted, place)
    known = isinstance(filed, dict) and any(dump(orders) == dump(counted.orders) for orders in filed.values())
    return "" if known and not counted.words else "is not the reaction that was filed"


def _is_opening(context: bytes, commitment: str, salt: bytes, content: str) -> bool:
    return verify_commitment(commitment, salt, OrdersContext.from_bytes(context), content.encode())


def _find_orders_problem(filed: RecordedOrders, counted: CountedAnswer, place: OrdersContext) -> str:
    """A set that was counted: its orders and words are those that were sealed, and of the set filed ahead before it."""
    if place.kind == "reaction" or dump((filed.orders, filed.words)) != dump((counted.orders, counted.words)):
        return "holds other orders than were counted"
    return _find_advance_problem(filed.ahead, filed, place) if filed.ahead is not None else ""


def _find_advance_problem(proof: CommitmentOpening, filed: RecordedOrders, place: OrdersContext) -> str:
    ahead = OrdersContext.from_bytes(proof.context)
    if (ahead.game, ahead.seat) != (place.game, place.seat):
        return "was filed ahead by another seat"
    if ahead.kind != "advance" or not Gate.parse(ahead.gate).holds(Gate.parse(place.gate)):
        return "was filed ahead for another gate"
    if not _is_opening(proof.context, proof.commitment, proof.salt, proof.content):
        return "is not what the receipt of the set sent ahead acknowledged"
    first: RecordedOrders = load(proof.content)
    same = dump((first.orders, first.words)) == dump((filed.orders, filed.words))
    return "" if same else "is not the set that was sent ahead"


def _can_be_superseded(game: str, record: EntryRecord, other: SupersededOrders) -> bool:
    """Return True if orders can have been passed over: of a counted seat, and older than those that superseded them."""
    place = OrdersContext.from_bytes(other.context)
    there = {(one.seat, one.question or record.gate): one for one in record.counted}
    one = there.get((place.seat, place.gate))
    if one is None or (place.game, place.kind) != (game, "orders"):
        return False
    if other.fate != "superseded":
        return other.fate in ("withdrawn", "void") and bool(other.signed)
    return place.revision < _newest_revision(record, one) and not other.signed


def _newest_revision(record: EntryRecord, one: CountedAnswer) -> int:
    """The revision of what was counted of a seat, or of what was withdrawn since; 0: of nothing."""
    if one.how == "orders":
        return OrdersContext.from_bytes(one.context).revision
    ended = [OrdersContext.from_bytes(other.context) for other in record.beside if other.signed]
    mine = [end for end in ended if (end.seat, end.gate) == (one.seat, one.question or record.gate)]
    return max((end.revision for end in mine), default=0)


# --- who was asked


Openings = Mapping[QuestionKey, int]
"""The entry since which each question is open."""


def update_openings(before: Openings, record: EntryRecord, after: Position[Any]) -> Openings:
    """The open questions after an entry; a rewind puts all of them again."""
    known = before if record.base is None else {}
    return {(d.gate, d.seat): known.get((d.gate, d.seat), record.number) for d in after.core.questions}


def find_answer_problem(rules: Rules[Any], before: Position[Any], openings: Openings, record: EntryRecord) -> str:
    """Return what was counted otherwise than these rules allow at a gate; empty if nothing was.

    `openings`: of the questions of `before`.  A replayed entry has the answers of the first time.
    """
    seats = before.core.seats
    asked = sorted(before.core.gate(record.gate), key=lambda d: seats.index(d.seat))
    by_key = {answer_key(decision): decision for decision in asked}
    keys = [counted.key for counted in record.counted]
    if keys != [key for key in by_key if key in keys]:
        return "it counted answers of others than were asked, or in another order"
    if record.again is not None:
        return ""
    with truth():
        turn = rules.turn(before)
    for counted in record.counted:
        decision = by_key[counted.key]
        opened = openings.get((decision.gate, decision.seat), 0)
        if problem := _find_problem(rules, before, record, counted, decision, turn, opened):
            return f"the answer of seat {counted.seat} {problem}"
    return ""


def _find_problem(
    rules: Rules[Any],
    before: Position[Any],
    record: EntryRecord,
    counted: CountedAnswer,
    decision: Question,
    turn: int,
    opened: int,
) -> str:
    if counted.how == "bot":
        made = bot_answer(rules, before, decision, record.game, record.number - 1)
        return "" if dump(made) == dump(counted.orders) else "is not what the bot answers"
    if counted.how in SILENT:
        same = dump(default_answer(rules, before, decision)) == dump(counted.orders)
        return "" if same else "is not the default of the rules"
    place = OrdersContext.from_bytes(counted.context)
    gates = {
        "orders": decision.gate,
        "reaction": reaction_gate(rules.meta.topic(decision.topic), turn),
        "standing": standing_gate(decision.topic),
    }
    if place.gate != gates[counted.how]:
        return "was sealed for another gate"
    if counted.how == "orders" and not opened <= place.opening_entry < record.number:
        return "was sealed for the question of another entry"
    if counted.how == "reaction" and dump(load(counted.content).get(decision.topic)) != dump(counted.orders):
        return "is the reaction to another question"
    if rules.meta.topic(decision.topic).lines or all_valid(check_orders(rules, before, decision, counted.orders)):
        return ""
    return "is one that the rules refuse"


# --- what is only said


def describe_silence(records: Sequence[EntryRecord]) -> Iterator[str]:
    """A line for each seat and way in which it was silent, with the entries."""
    found = sorted(
        (one.seat, one.how, record.number)
        for record in records
        if record.again is None
        for one in record.counted
        if one.how in SILENT
    )
    for (seat, how), entries in groupby(found, key=lambda one: one[:2]):
        yield f"{seat}, {how}: {format_numbers([number for _, _, number in entries])}"


def describe_uncounted(records: Sequence[EntryRecord]) -> Iterator[str]:
    """A line for each seat and way in which orders of it ended that were not counted, with the entries."""
    found = sorted(
        (OrdersContext.from_bytes(other.context).seat, other.fate, record.number)
        for record in records
        for other in record.beside
    )
    for (seat, fate), entries in groupby(found, key=lambda one: one[:2]):
        yield f"{seat}, {fate}: {format_numbers([number for _, _, number in entries])}"


def format_numbers(numbers: Sequence[int]) -> str:
    """Numbers in order, those in a row by the first and last: `1-3, 7`."""
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(f"{first}-{last}" if first != last else str(first) for first, last in runs)
