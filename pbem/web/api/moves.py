"""What is legal in answer to a question, a slot at a time, below the lines that are written so far."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from engine.kernel.forms import Form, Slot
from engine.kernel.grammar import Section, key_of
from engine.kernel.moves import MISSING, Moves, SlotChoices, Values, check_values
from engine.kernel.orders import Clause, Line, Order, Orders, Problem, Question
from engine.kernel.parse import parse_letter
from engine.kernel.parsed import ParsedLetter
from engine.kernel.printing import print_line, print_reaction, print_under, to_keyword
from engine.kernel.secrets import seen_by
from engine.kernel.viewers import Seat
from pbem.common.cpu_budget import ANSWER_S, check, limit
from pbem.narration.line_receipts import reason_alone
from pbem.service.pages import game_pages
from pbem.web import order_builder
from pbem.web.apart import validates
from pbem.web.api import shapes_moves as shapes
from pbem.web.api.guard import ApiRequest
from pbem.web.api.problems import ApiProblem
from pbem.web.presenter import Presenter


@validates(replaceable=True)
def list_moves(call: ApiRequest) -> shapes.Moves:
    """What your next line may be, below those you have written; nothing is stored."""
    asked = call.sent(shapes.MovesRequest)
    page = game_pages.load_seat_page(call.visit.services, call.user, call.game, call.seat)
    telling = Presenter(call.visit, page.frame, page.seen, lambda: page.grammar)
    with limit(ANSWER_S):
        return MoveTeller(telling, parse_letter(asked.lines, page.grammar, chatter=False)).answer(asked)


class MoveTeller:
    """What is legal below the lines of a draft, in the words of their writer's language."""

    def __init__(self, telling: Presenter, draft: ParsedLetter) -> None:
        """`telling`: of a seat."""
        self.telling, self.draft = telling, draft
        self.sections = order_builder.list_sections(telling.grammar)
        self._moves: dict[str, Moves[Any]] = {}

    def answer(self, asked: shapes.MovesRequest) -> shapes.Moves:
        """Every form, or one; raises ApiProblem for a question, a form, a slot or a value that there is not."""
        forms = self.moves(asked.question).forms
        found = shapes.Moves(self.telling.visit.game, self.telling.frame.entry, asked.question, [])
        if asked.form is None:
            found.forms = [
                self._form(asked, number, {}, _find_first_slot(form), MISSING) for number, form in enumerate(forms)
            ]
            return found
        if asked.form >= len(forms):
            raise ApiProblem("not_found")
        form = forms[asked.form]
        try:
            values = check_values(form, asked.values)
        except ValueError:
            raise ApiProblem("does_not_fit", wrong="values") from None
        order = self._choose_order(asked.question, form, values)
        chosen = (form.parse(order) or {}) if order is not None else {}
        slot, stop = _find_slot(form, values, chosen, asked.slot), self._stop(asked.question, form, values)
        found.forms = [self._form(asked, asked.form, values, slot, stop)]
        found.forms[0].nothing = self._list_closed(asked.question, form, values)
        if order is not None:
            found.line, found.values = self.print_order(asked.question, order), to_plain(form, chosen)
            found.figures, found.notes = self.outcome(self.moves(asked.question), order)
        return found

    def moves(self, key: str) -> Moves[Any]:
        """The legal answers to a question behind its draft; raises ApiProblem if it cannot be answered."""
        if key not in self._moves:
            section = self.sections.get(key)
            written = self.draft.sets.get(section.key) if section is not None else None
            self._moves[key] = self.moves_behind(key, written.orders if written is not None else ())
        return self._moves[key]

    def moves_behind(self, key: str, draft: Orders) -> Moves[Any]:
        """The legal answers to a question behind some lines; raises ApiProblem if it cannot be answered."""
        section = self.sections.get(key)
        decision = self._find_question(section) if section is not None else None
        if decision is None:
            raise ApiProblem("not_found")
        return Moves(self.telling.rules, self.telling.position, decision, draft, check)

    def print_order(self, key: str, order: Order) -> str:
        """The line of an order, as it is written for a question."""
        return self.print_line(key, Line((Clause(order),)))

    def print_line(self, key: str, line: Line) -> str:
        """A line, as it is written for a question."""
        section, language = self.sections[key], self.telling.language
        if section in self.telling.grammar.reactions:
            return print_reaction(section, line, language, self.telling.grammar.facts)
        return print_under(section, print_line(section.forms, line, language, self.telling.grammar.facts), language)

    def _find_question(self, section: Section) -> Question | None:
        """The question that a section stands for: open, or one that can be answered in advance."""
        rules, seen, seat = self.telling.rules, self.telling.position, Seat(self.telling.viewer)
        if section.open:
            coming = [one for one in seen.core.questions if one.seat == seat]
        else:
            with seen_by(seat):
                coming = list(rules.advance_questions(seen, seat))
        same = (d for d in coming if d.topic == section.topic.key)
        return next((d for d in same if key_of(section.topic, d.gate) == section.key), None)

    def _choose_order(self, key: str, form: Form, values: Values) -> Order | None:
        """A suggested order with these values that is legal, or else the shortest; None if there is none."""
        moves = self.moves(key)
        likely = (order for said, order in self._suggested(key, form, values) if moves.refusal(form, said) is None)
        return next(likely, None) or moves.complete(form, values)

    def _suggested(self, key: str, form: Form, values: Values) -> Iterator[tuple[Values, Order]]:
        """The orders of a form with these values that the game suggests, legal behind the draft or not."""
        for line in self.sections[key].likely:
            said = form.parse(line.plan[0].order) if line.plan else None
            if said is not None and all(_counted(said[name]) == _counted(value) for name, value in values.items()):
                yield said, line.plan[0].order

    def _stop(self, key: str, form: Form, values: Values) -> Problem | None:
        left = [slot for slot in form.slots if slot.name not in values]
        if not all(slot.optional for slot in left):
            return MISSING
        return self.moves(key).refusal(form, {**values, **{slot.name: slot.default for slot in left}})

    def _list_closed(self, key: str, form: Form, values: Values) -> list[str]:
        """The names of the slots that may be left out, and can take nothing beside these values."""
        moves = self.moves(key)

        def takes(slot: Slot) -> bool:
            return any(moves.can_take(form, values, slot, one) for one in moves.worth_trying(form, values, slot))

        left = (slot for slot in form.slots if slot.optional and not slot.text and slot.name not in values)
        return [slot.name for slot in left if not takes(slot)]

    def _form(
        self, asked: shapes.MovesRequest, number: int, values: Values, slot: Slot | None, stop: Problem | None
    ) -> shapes.FormMoves:
        moves = self.moves(asked.question)
        form = moves.forms[number]
        choices = moves.choices(form, values, slot) if slot is not None else None
        if choices is not None and choices.slot.many and choices.slot.name in values:
            problem = None if choices.legal else choices.stop  # the list may grow
        else:
            problem = moves.refusal(form, values)
        problem = problem or self._find_pointless(moves, form, values)
        told = self._slot(asked, form, values, choices) if choices is not None else None
        keyword = to_keyword(form.keyword, self.telling.language)
        stop = stop if form.slots else None
        return shapes.FormMoves(number, keyword, self.reason(problem), self.reason(stop), told)

    def _find_pointless(self, moves: Moves[Any], form: Form, values: Values) -> Problem | None:
        """Why the one thing that an order is begun with is not offered, though the judge would accept it; or None."""
        slot = next((slot for slot in form.slots if slot.name in values and slot.choices), None)
        if slot is None or len(values) > 1:
            return None
        thing, offered = next(iter(_things(values[slot.name])), None), moves.choices(form, {}, slot)
        return offered.refused.get(thing) if thing not in offered.legal else None

    def _slot(self, asked: shapes.MovesRequest, form: Form, values: Values, found: SlotChoices) -> shapes.SlotMoves:
        refused = found.refused.items() if asked.reasons else ()
        told = [shapes.RefusedValue(value, self.reason(problem)) for value, problem in refused]
        others = {name: value for name, value in values.items() if name != found.slot.name}
        suggested = [said[found.slot.name] for said, _ in self._suggested(asked.question, form, others)]
        likely = dict.fromkeys(thing for value in suggested for thing in _things(value) if thing in found.legal)
        stop = self.reason(found.stop)
        return shapes.SlotMoves(found.slot.name, list(found.legal), list(likely), told, stop, found.least, found.most)

    def reason(self, problem: Problem | None) -> str:
        """Why something is not legal; empty for None."""
        return reason_alone(self.telling, problem)

    def outcome(self, moves: Moves[Any], order: Order) -> tuple[list[shapes.FigureChange], list[str]]:
        """The figures that a legal order would change, and remarks about it."""
        found = moves.outcome(order)
        before = Presenter(self.telling.visit, self.telling.frame, found.before, lambda: self.telling.grammar)
        changed = [f for f in before.figures(found.after) if f.value != f.previous]
        figures = [shapes.FigureChange(f.label, f.value, f.previous) for f in changed]
        return figures, [self.telling.reason(note) for note in found.notes]


def to_plain(form: Form, values: Values) -> dict[str, Any]:
    """Values as JSON has them, without those of optional slots that are left out."""
    left_out = {slot.name for slot in form.slots if slot.optional and values.get(slot.name) == slot.default}
    return {name: _plain(value) for name, value in values.items() if name not in left_out}


def _plain(value: object) -> object:
    return dict(value) if isinstance(value, Mapping) else list(value) if isinstance(value, tuple) else value


def _things(value: Any) -> Iterable[Any]:
    return value if isinstance(value, tuple | Mapping) else (value,)


def _counted(value: object) -> object:
    """A list of things, or an amount of each, whatever its order."""
    return Counter(value) if isinstance(value, tuple | Mapping) else value


def _find_first_slot(form: Form) -> Slot | None:
    """The slot with which an order is begun: a thing that can be pointed at, if there is one."""
    needed = [slot for slot in form.slots if not slot.optional]
    return next((slot for slot in (*needed, *form.slots) if slot.choices), next(iter(form.slots), None))


def _find_slot(form: Form, values: Values, chosen: Values, name: str) -> Slot | None:
    """The slot that is asked about: by name, or the next without a value: those first that the chosen order fills.

    Raises ApiProblem.
    """
    if not name:
        left = [slot for slot in form.slots if slot.name not in values]
        filled = [slot for slot in left if not slot.optional or chosen.get(slot.name, slot.default) != slot.default]
        return next(iter((*(slot for slot in filled if not slot.optional), *filled, *left)), None)
    found = next((slot for slot in form.slots if slot.name == name), None)
    if found is None:
        raise ApiProblem("not_found")
    return found
