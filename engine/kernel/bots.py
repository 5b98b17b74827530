"""Bots, and whole games played by them. Tests, demonstrations and vacant seats use them.

A bot knows no game. It sees only open questions and its own view. It plays what the game suggests, or walks through
`Moves`: any legal values, one slot after the other. It keeps lines that `check_orders` accepts, or plays the default.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Generic, TypeVar

from engine.kernel.codec import saved_name
from engine.kernel.dice import HmacDraws
from engine.kernel.evaluation import EvaluatesPosition, Outlook, evaluate_orders, preview_outcome
from engine.kernel.forms import Form, Slot
from engine.kernel.gates import Gate, parse_closing
from engine.kernel.moves import Moves
from engine.kernel.orders import AskMe, Clause, Condition, Line, Order, Orders, Question
from engine.kernel.position import B, Options, Position
from engine.kernel.rules import Rules
from engine.kernel.run import Advance, AnswerKey, advance, answer_key, start
from engine.kernel.secrets import redact, seen_by
from engine.kernel.validation import all_valid, check_orders, preview_orders
from engine.kernel.viewers import Seat

T = TypeVar("T")

Choose = Callable[[str, int], int]
"""A function of (name, n) that returns a number from 0 to n - 1, the same for the same name."""

QuestionSource = tuple[str, str]
"""The gate ("" for a reaction: any gate of the turn) and the topic of advance orders."""


def chooser(seed: bytes) -> Choose:
    """Return a source of choices determined by a seed, drawn by name."""
    draws = HmacDraws(seed, b"choice")
    return lambda name, n: draws.roll(name, n) - 1


@dataclass(frozen=True)
class BotProfile:
    """How a bot plays. Chances are in percent.

    `suggested`: use a line that the game suggests.
    `random_share`: add conditions, repeats or a fallback to a line.
    `passing`: pass a question that may be passed.
    `absent`: miss the deadline.
    `ahead`: answer a question in advance.
    `unasked_share`: answer a question that does not block, once a turn.
    `eagerness`: prefer the first suggestions.
    `lines`: the most lines of an answer; with `plans`, not of an exhaustive one (see `Topic`).
    `tries`: the candidates tried for each line.
    `asking`: end a line in ASK ME.

    `plans`: play the first suggestions instead of random lines; passing and ASK ME stay random. Each line of an answer
    is the first suggestion after the lines before it.
    `alternatives`: with `plans`, how many further suggestions of the same kind a line has after OR.
    `evaluates`: with `plans`, the number of suggestions from which a line with the best value is chosen, if the game
    can evaluate a position.
    """

    suggested: int = 60
    random_share: int = 25
    passing: int = 10
    absent: int = 3
    ahead: int = 20
    unasked_share: int = 2
    eagerness: int = 0
    lines: int = 4
    tries: int = 4
    asking: int = 0
    plans: bool = False
    alternatives: int = 0
    evaluates: int = 0


class Bot(Generic[B]):
    """A bot for one seat. It has no state, so a repeated question gets the same answer."""

    def __init__(self, rules: Rules[B], seat: Seat, choose: Choose, temper: BotProfile | None = None) -> None:
        """`choose`: the source of all random choices."""
        self.rules, self.seat, self.temper = rules, seat, temper or BotProfile()
        self._choose = choose

    def answer(self, seen: Position[B], decision: Question) -> Orders:
        """Return valid orders, or the default if none is found. `seen`: the bot's redacted view."""
        question = self._question(seen, decision, "answer")
        with seen_by(self.seat):
            return question.lines() if question.topic.lines else question.single()

    def ahead(self, seen: Position[B]) -> Mapping[QuestionSource, Orders]:
        """Return advance orders for some of the questions that allow them."""
        with seen_by(self.seat):
            offered = self.rules.advance_questions(seen, self.seat)
        given = {}
        for decision in offered:
            if self._question(seen, decision, "advance").chance(self.temper.ahead):
                gate = "" if self.rules.meta.topic(decision.topic).is_reaction else decision.gate
                given[gate, decision.topic] = self.answer(seen, decision)
        return given

    def absent(self, seen: Position[B], decision: Question) -> bool:
        """Return True if the bot misses this deadline."""
        return self._question(seen, decision, "absent").chance(self.temper.absent)

    def answer_unasked(self, seen: Position[B], decision: Question) -> bool:
        """Return True if the bot answers a question that does not block, in this turn."""
        with seen_by(self.seat):
            turn = self.rules.turn(seen)
        return self._question(seen, decision, f"meddle/{turn}").chance(self.temper.unasked_share)

    def _question(self, seen: Position[B], decision: Question, purpose: str) -> "BotQuestion[B]":
        name = f"{self.seat}/{decision.gate}/{decision.topic}/{purpose}"
        return BotQuestion(self.rules, seen, decision, self._choose, name, self.temper)


class BotQuestion(Generic[B]):
    """One question for one bot, with its random choices by name. Use it under `seen_by`."""

    def __init__(
        self, rules: Rules[B], seen: Position[B], decision: Question, choose: Choose, name: str, temper: BotProfile
    ) -> None:
        """`name`: the prefix of the names of all choices."""
        self.rules, self.seen, self.decision, self.temper = rules, seen, decision, temper
        self.topic = rules.meta.topic(decision.topic)
        self._choose, self._name, self._count = choose, name, 0

    def random_below(self, n: int) -> int:
        """Return a number from 0 to n - 1."""
        self._count += 1
        return self._choose(f"{self._name}/{self._count}", n)

    def chance(self, percent: int) -> bool:
        """Return True in `percent` of 100 cases."""
        return self.random_below(100) < percent

    def pick_one(self, things: Sequence[T]) -> T:
        """Return one of the things."""
        return things[self.random_below(len(things))]

    def accepted(self, orders: Orders) -> bool:
        """Return True if all the orders are valid."""
        return all_valid(check_orders(self.rules, self.seen, self.decision, orders, own=True))

    def lines(self) -> Orders:
        """Return a set of lines, each kept if all are still valid with it."""
        if self._passes():
            return ()
        if self.temper.plans:
            if self.temper.evaluates and isinstance(self.rules, EvaluatesPosition):
                return self._evaluated()
            return self._plan() or self._fallback()
        kept: Orders = ()
        for _ in range(1 + self.random_below(self.temper.lines)):
            for line in self._candidates(kept):
                if self.accepted((*kept, line)):
                    kept = (*kept, line)
                    break
        return kept or self._fallback()

    def single(self) -> Orders:
        """Return one valid order."""
        if self._passes():
            return ()
        if self.temper.plans:
            return self._fallback()
        for line in self._candidates(()):
            orders = (Line(line.plan[:1]),)
            if self.accepted(orders):
                return orders
        return self._fallback()

    def _passes(self) -> bool:
        return self.topic.may_pass and self.chance(self.temper.passing) and self.accepted(())

    def _evaluated(self) -> Orders:
        """Add the line with the best result for the author, while a line improves on none."""
        worth = evaluate_orders(self.rules, self.seen, self.decision.seat)
        best = preview_outcome(self.rules, self.seen, self.decision, (), worth)
        if best is None:
            return self._fallback()
        while (better := self._find_better(best)) is not None:
            best = better
        return best.orders

    def _find_better(self, found: Outlook[B]) -> Outlook[B] | None:
        """Return the best orders with one more line that improve the result, or None."""
        if len(found.orders) >= self.temper.lines:
            return None
        suggested = self.rules.suggest_orders(found.position, self.decision) or self._likely
        sets = ((*found.orders, line) for line in suggested[: self.temper.evaluates])
        tried = (preview_outcome(self.rules, self.seen, self.decision, orders, found.worth) for orders in sets)
        best = max(filter(None, tried), key=lambda outlook: outlook.worth, default=None)
        return best if best is not None and best.worth > found.worth else None

    def _plan(self) -> Orders:
        """Return as many suggested lines as allowed, each tried after those before it."""
        kept: Orders = ()
        seen = self.seen
        while self.topic.exhaustive or len(kept) < self.temper.lines:
            suggested = self.rules.suggest_orders(seen, self.decision) if kept else self._likely
            more = (*kept, self._with_alternatives(suggested)) if suggested else kept
            found = preview_orders(self.rules, self.seen, self.decision, more, own=True)
            if more == kept or not all_valid(found.results) or found.results[-1].chosen is None:
                break
            kept, seen = more, found.position
        return kept

    def _with_alternatives(self, suggested: Sequence[Line]) -> Line:
        """Return the first suggestion, with others of its kind after OR, and perhaps ELSE ASK ME."""
        first = suggested[0]
        kind = type(first.plan[0].order)
        like = [line.plan[0] for line in suggested[1:] if type(line.plan[0].order) is kind]
        asks = self.temper.asking and self._may_ask() and self.chance(self.temper.asking)
        otherwise = (Clause(AskMe()),) if asks else ()
        return Line((*first.plan, *like[: self.temper.alternatives]), first.repeat, otherwise)

    def _fallback(self) -> Orders:
        """Return the first valid suggestion, or else the default."""
        for line in self._likely:
            if self.accepted((line,)):
                return (line,)
        return self.rules.default_orders(self.seen, self.decision)

    def _candidates(self, kept: Orders) -> Iterable[Line]:
        """Yield suggested lines, and lines of legal orders behind those that are kept."""
        moves: Moves[B] | None = None
        for _ in range(self.temper.tries):
            if self._likely and self.chance(self.temper.suggested):
                yield self._suggested(self._likely)
                continue
            moves = moves or Moves(self.rules, self.seen, self.decision, kept)
            line = self._any_line(moves)
            if line is not None:
                yield line

    @cached_property
    def _likely(self) -> Sequence[Line]:
        """Return the game's suggestions; cached, because the view does not change while lines are tried."""
        return self.rules.suggest_orders(self.seen, self.decision)

    def _suggested(self, lines: Sequence[Line]) -> Line:
        """Return one of the game's suggestions, which are sorted best first."""
        place = self.random_below(len(lines))
        if self.temper.eagerness and self.chance(self.temper.eagerness):
            place = min(place, self.random_below(len(lines)), self.random_below(len(lines)))
        return lines[place]

    def _any_line(self, moves: Moves[B]) -> Line | None:
        """Return a line of legal orders, sometimes with conditions, alternatives, repeats and a fallback, or None."""
        order = self._any_order(moves)
        if order is None:
            return None
        if not (self.topic.lines and self.chance(self.temper.random_share)):
            return Line((Clause(order),))
        plan = [Clause(self._any_order(moves) or order, self._when())]
        if self.chance(30):
            plan.append(Clause(order))
        otherwise = (Clause(self._any_order(moves) or order),) if self.chance(40) else ()
        if self.temper.asking and self._may_ask() and self.chance(self.temper.asking):
            otherwise = (Clause(AskMe()),)
        line = Line(tuple(plan), 1 + self.random_below(3), otherwise)
        return line if line.may_retry else replace(line, repeat=1)

    def _may_ask(self) -> bool:
        """Return True unless the question is repeated already."""
        return not Gate.parse(self.decision.gate).again

    def _when(self) -> tuple[Condition, ...]:
        facts = self.rules.facts(self.seen, self.decision.seat)
        if not facts or self.chance(30):
            return ()
        fact = self.pick_one(facts)
        about = {slot.name: self._any_value(slot) for slot in fact.slots if not (slot.many or slot.text)}
        return (fact.make(about, negated=self.chance(30)),)

    def _any_value(self, slot: Slot) -> str | int:
        """Return a value of a slot of a fact."""
        if slot.choices:
            return self.pick_one(slot.choices).value
        low = slot.low or 0
        return low + self.random_below((slot.high if slot.high is not None else low + 9) - low + 1)

    def _any_order(self, moves: Moves[B]) -> Order | None:
        """Return a legal order, its values chosen slot by slot; None if there is none."""
        left = list(moves.forms)
        while left:
            form = left.pop(self.random_below(len(left)))
            if moves.refusal(form) is None:
                values: dict[str, Any] = {}
                for slot in form.slots:
                    self._fill(moves, form, values, slot)
                return moves.complete(form, values)
        return None

    def _fill(self, moves: Moves[B], form: Form, values: dict[str, Any], slot: Slot) -> None:
        """Choose a legal value of a slot, or legal things of a list; none of a slot that is left out."""
        if slot.optional and (slot.text or self.chance(70)):
            return
        things: list[str | int] = []
        once = bool(slot.choices) and not slot.counted
        while (value := self._legal_value(moves, form, values, slot, things if once else ())) is not None:
            things.append(value)
            values[slot.name] = _as_written(slot, things)
            if not slot.many or (self.chance(50) and moves.refusal(form, values) is None):
                return

    def _legal_value(
        self, moves: Moves[B], form: Form, values: Mapping[str, Any], slot: Slot, without: Sequence[str | int]
    ) -> str | int | None:
        left = [value for value in moves.worth_trying(form, values, slot) if value not in without]
        while left:
            value = left.pop(self.random_below(len(left)))
            if moves.can_take(form, values, slot, value):
                return value
        return None


def _as_written(slot: Slot, things: Sequence[str | int]) -> object:
    """Return the things of a slot as `Form.parse` does."""
    if slot.amounts:
        return Counter(things)
    return tuple(things) if slot.many else things[-1]


class Stuck(Exception):
    """A game that is not over asks nobody, or does not end within the limit of entries."""


@dataclass(frozen=True)
class Entry(Generic[B]):
    """One entry of a bot game. `before`: the position before it; None for the first entry."""

    gate: str
    answers: Mapping[AnswerKey, Orders]
    defaulted: tuple[AnswerKey, ...]
    luck: bytes
    before: Position[B] | None
    after: Advance[B]


@dataclass(frozen=True)
class FinishedGame(Generic[B]):
    """A game played to its end: the entries, the last position, and counts.

    `events`: by saved name. `forms`: by keyword, in its first spelling. `reactions`: by topic answered in advance.
    """

    entries: tuple[Entry[B], ...]
    position: Position[B]
    events: Counter[str] = field(default_factory=Counter)
    forms: Counter[str] = field(default_factory=Counter)
    reactions: Counter[str] = field(default_factory=Counter)


def play_game(
    rules: Rules[B],
    seats: Sequence[Seat],
    options: Options,
    seed: bytes,
    bots: Mapping[Seat, Bot[B]] | None = None,
    limit: int = 5000,
) -> FinishedGame[B]:
    """Play a whole game through the engine alone.

    Orders given in advance are used if still valid. If there are none, the bot answers or misses the deadline.
    `bots`: one for each seat; by default made from the seed.

    Raises Stuck if the game does not end within `limit` entries, or asks nobody.
    """
    players = bots or {seat: Bot(rules, seat, chooser(seed)) for seat in seats}
    match = BotGame(rules, players)
    match.enter("", {}, (), b"0", None, start(rules, seats, options, seed, b"0"))
    while not match.position.core.over:
        if len(match.entries) >= limit:
            raise Stuck(f"not over after {limit} entries: {match.position.core.gates()}")
        match.play_on()
    return FinishedGame(tuple(match.entries), match.position, match.events, match.forms, match.reactions)


def play_entries(
    rules: Rules[B], seats: Sequence[Seat], options: Options, seed: bytes, bots: Mapping[Seat, Bot[B]], entries: int
) -> Position[B]:
    """Return the position of a bot game after `entries` entries, or at its end.

    Raises Stuck if it asks nobody.
    """
    match = BotGame(rules, bots)
    match.enter("", {}, (), b"0", None, start(rules, seats, options, seed, b"0"))
    while len(match.entries) < entries and not match.position.core.over:
        match.play_on()
    return match.position


class BotGame(Generic[B]):
    """A running game between bots."""

    def __init__(self, rules: Rules[B], bots: Mapping[Seat, Bot[B]]) -> None:
        self.rules, self.bots = rules, bots
        self.entries: list[Entry[B]] = []
        self.events, self.forms, self.reactions = Counter[str](), Counter[str](), Counter[str]()
        self.given: dict[Seat, dict[QuestionSource, Orders]] = {seat: {} for seat in bots}
        self.turns: dict[Seat, int] = {}
        self.meddled: set[tuple[str, Seat, int | None]] = set()

    @property
    def position(self) -> Position[B]:
        return self.entries[-1].after.position

    def play_on(self) -> None:
        """Resolve a gate that a bot answers without being waited for, or else the oldest blocking one.

        Raises Stuck if no question blocks.
        """
        core = self.position.core
        views = {seat: redact(self.position, seat) for seat in {d.seat for d in core.questions}}
        gate = next((parse_closing(d.gate) for d in core.questions if d.blocking), None)
        if gate is None:
            raise Stuck("the game is not over, and nobody is asked")
        for seat, seen in views.items():
            self._drop_old_reactions(seat, seen)
            self.given[seat] |= self.bots[seat].ahead(seen)
        for d in core.questions:
            if not d.blocking and self._play_unasked(d, views[d.seat]):
                return self._resolve_gate(parse_closing(d.gate), (d,), views)
        return self._resolve_gate(gate, tuple(d for d in core.gate(gate) if d.blocking), views)

    def _play_unasked(self, decision: Question, seen: Position[B]) -> bool:
        """Return True if the bot answers now; once a turn at most, because an answer may leave the question open."""
        once = (decision.gate, decision.seat, self.turns.get(decision.seat))
        if once in self.meddled or not self.bots[decision.seat].answer_unasked(seen, decision):
            return False
        self.meddled.add(once)
        return True

    def _drop_old_reactions(self, seat: Seat, seen: Position[B]) -> None:
        """Drop reaction orders when a new turn begins."""
        with seen_by(seat):
            turn = self.rules.turn(seen)
        if turn != self.turns.get(seat):
            self.turns[seat] = turn
            self.given[seat] = {asked: orders for asked, orders in self.given[seat].items() if asked[0]}

    def _resolve_gate(self, gate: str, decisions: Sequence[Question], views: Mapping[Seat, Position[B]]) -> None:
        answers: dict[AnswerKey, Orders] = {}
        absent: list[AnswerKey] = []
        for decision in decisions:
            orders, late = self._answer(decision, views[decision.seat])
            answers[answer_key(decision)] = orders
            if late:
                absent.append(answer_key(decision))
            self._count_forms(decision, views[decision.seat], orders)
        luck, before = str(len(self.entries)).encode(), self.position
        after = advance(self.rules, before, gate, answers, luck, defaulted=absent)
        self.enter(gate, answers, tuple(absent), luck, before, after)

    def _answer(self, decision: Question, seen: Position[B]) -> tuple[Orders, bool]:
        """Return the answer, and True if it is the default of a missed deadline."""
        given = self.given[decision.seat]
        for asked in ((decision.gate, decision.topic), ("", decision.topic)):
            orders = given.pop(asked, None)
            if orders is not None and all_valid(check_orders(self.rules, seen, decision, orders, own=True)):
                self.reactions[decision.topic] += 1
                return orders, False
        bot = self.bots[decision.seat]
        if decision.blocking and bot.absent(seen, decision):
            with seen_by(decision.seat):
                return self.rules.default_orders(seen, decision), True
        return bot.answer(seen, decision), False

    def _count_forms(self, decision: Question, seen: Position[B], orders: Orders) -> None:
        with seen_by(decision.seat):
            forms = self.rules.forms(seen, decision)
        for clause in (c for line in orders for c in (*line.plan, *line.fallback)):
            self.forms.update(f.keyword.all_forms()[0] for f in forms if f.parse(clause.order) is not None)

    def enter(
        self,
        gate: str,
        answers: Mapping[AnswerKey, Orders],
        defaulted: tuple[AnswerKey, ...],
        luck: bytes,
        before: Position[B] | None,
        after: Advance[B],
    ) -> None:
        """Append an entry."""
        self.entries.append(Entry(gate, answers, defaulted, luck, before, after))
        self.events.update(saved_name(type(event)) for event in after.events)
