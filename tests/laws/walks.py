"""Walks through `Moves`: at random from slot to slot, and along the values of an order that is known."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from engine.kernel.bots import BotProfile, BotQuestion, Entry, chooser
from engine.kernel.codec import dump
from engine.kernel.forms import Form, Slot
from engine.kernel.gates import parse_closing
from engine.kernel.holes import POINTLESS
from engine.kernel.moves import Moves, SlotChoices
from engine.kernel.orders import AskMe, Order, Orders, Question, unconditional
from engine.kernel.position import Position
from engine.kernel.rules import Rules
from engine.kernel.run import answer_key
from engine.kernel.secrets import redact, seen_by
from engine.kernel.validation import all_valid, check_orders

REASONS: Final = 3
"""The refused values of a slot whose reasons are looked at."""
Lines = Iterator[tuple[Orders, Order]]
"""Orders that the judge accepts, each with the lines before it."""


@dataclass
class Count:
    """How much was looked at; `pointless`: values that are accepted and not offered."""

    questions: int = 0
    values: int = 0
    orders: int = 0
    pointless: int = 0


@dataclass(frozen=True)
class OpenQuestion:
    """A question of a bot game, as its seat sees it, with the answer if it was given then."""

    rules: Rules[Any]
    seen: Position[Any]
    decision: Question
    answer: Orders

    def moves(self, draft: Orders = ()) -> Moves[Any]:
        """What is legal behind a draft."""
        return Moves(self.rules, self.seen, self.decision, draft)

    def accepts(self, orders: Orders) -> bool:
        """Whether the judge accepts a set."""
        return all_valid(check_orders(self.rules, self.seen, self.decision, orders, own=True))

    def suggested(self) -> Lines:
        """What the game suggests, and what it does by default."""
        with seen_by(self.decision.seat):
            likely = self.rules.suggest_orders(self.seen, self.decision)
            default = self.rules.default_orders(self.seen, self.decision)
        yield from (((), line.plan[0].order) for line in likely)
        yield from self.done(default)

    def done(self, orders: Orders) -> Lines:
        """The plain lines of a set that would be carried out."""
        results = check_orders(self.rules, self.seen, self.decision, orders, own=True)
        for number, (line, result) in enumerate(zip(orders, results, strict=False)):
            plain = len(line.plan) == 1 and result.chosen == line.plan[0]
            if plain and result.is_valid and not isinstance(line.plan[0].order, AskMe):
                yield orders[:number], line.plan[0].order

    def made_up(self, count: int) -> Lines:
        """Orders with random words of the vocabulary that happen to be accepted."""
        bot = BotQuestion(self.rules, self.seen, self.decision, chooser(b"made up"), "order", BotProfile())
        with seen_by(self.decision.seat):
            forms = self.rules.forms(self.seen, self.decision)
            orders = [bot.order(bot.pick_one(forms)) for _ in range(count)]
        yield from (((), order) for order in orders if self.accepts(unconditional(order)))


def list_questions(rules: Rules[Any], entry: Entry[Any]) -> Iterator[OpenQuestion]:
    """The questions that are open before an entry."""
    if entry.before is None:
        return
    for decision in entry.before.core.questions:
        answered = entry.answers.get(answer_key(decision), ()) if parse_closing(decision.gate) == entry.gate else ()
        yield OpenQuestion(rules, redact(entry.before, decision.seat), decision, answered)


def walk(moves: Moves[Any], form: Form, random: Random, count: Count) -> Order | None:
    """Return an order of values that are offered one after the other; None if no order of the form is legal."""
    if moves.refusal(form) is not None:
        return None
    values: dict[str, Any] = {}
    for slot in form.slots:
        _fill(moves, form, values, slot, random, count)
        values.setdefault(slot.name, slot.default)
    return form.make(values)


def _fill(moves: Moves[Any], form: Form, values: dict[str, Any], slot: Slot, random: Random, count: Count) -> None:
    while True:
        found = _offer_choices(moves, form, values, slot, count)
        may_stop = found.stop is None and (slot.optional or slot.many)
        if slot.text or (may_stop and (not found.legal or random.random() < 0.5)):
            return
        assert found.legal, f"{_named(form)} leads nowhere at {slot.name} after {values}: {found.stop}"
        _add(values, slot, random.choice(found.legal))
        if not slot.many:
            return


def find(moves: Moves[Any], order: Order, count: Count) -> str:
    """Return why an order that the judge accepts is not found by walking; empty if it is."""
    read = ((form, form.parse(order)) for form in moves.forms)
    reasons = [_follow(moves, form, values, count) for form, values in read if values is not None]
    return "" if "" in reasons else "; ".join(reasons) or "no form writes it"


def _follow(moves: Moves[Any], form: Form, wanted: Mapping[str, Any], count: Count) -> str:
    values: dict[str, Any] = {}
    for slot in form.slots:
        value = wanted[slot.name]
        if slot.text or (slot.optional and value == slot.default):
            values[slot.name] = value
            continue
        things = list(Counter(value).elements()) if slot.many else [value]
        while things:
            found = _offer_choices(moves, form, values, slot, count)
            thing = next((t for t in things if t in found.legal), None)
            if thing is None:
                thing = next((t for t in things if _is_pointless(found, slot, t)), None)
                count.pointless += thing is not None
            if thing is None:
                return f"{_named(form)}: {slot.name} {things} after {values}: {found.refused.get(things[0])}"
            things.remove(thing)
            _add(values, slot, thing)
    problem = moves.refusal(form, wanted)
    return f"{_named(form)} {dict(wanted)}: {problem}" if problem is not None else ""


def _offer_choices(moves: Moves[Any], form: Form, values: Mapping[str, Any], slot: Slot, count: Count) -> SlotChoices:
    found = moves.choices(form, values, slot)
    count.values += len(found.legal) + len(found.refused)
    for value in list(found.refused)[:REASONS]:
        dump(found.refused[value])  # complete: nothing in it is a hole
    assert not moves.unfinished, f"{_named(form)} is too wide at {slot.name} after {values}"
    return found


def _add(values: dict[str, Any], slot: Slot, value: Any) -> None:
    """Give a slot a value, or one thing more."""
    if slot.amounts:
        has = values.get(slot.name, {})
        values[slot.name] = {**has, value: has.get(value, 0) + 1}
    else:
        values[slot.name] = (*values.get(slot.name, ()), value) if slot.many else value


def _is_pointless(found: SlotChoices, slot: Slot, value: Any) -> bool:
    """Return True for a value that is accepted and not offered: it changes nothing, or is a number beyond the list."""
    return found.refused[value] == POINTLESS if slot.choices else value not in found.refused


def _named(form: Form) -> str:
    return form.keyword.printed("en")
