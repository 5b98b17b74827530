"""What is legal in answer to a question, a slot at a time, below the lines that are written so far."""

from collections.abc import Mapping
from typing import Any

from engine.kernel.forms import Form, Slot
from engine.kernel.grammar import Section, key_of
from engine.kernel.moves import Moves, SlotChoices, check_values
from engine.kernel.orders import Clause, Line, Order, Orders, Problem, Question
from engine.kernel.parse import parse_letter
from engine.kernel.printing import print_line, print_reaction, print_under, to_keyword
from engine.kernel.secrets import seen_by
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
    section = order_builder.list_sections(page.grammar).get(asked.question)
    decision = _find_question(page, section) if section is not None else None
    if section is None or decision is None:
        raise ApiProblem("not_found")
    with limit(ANSWER_S):
        written = parse_letter(asked.lines, page.grammar, chatter=False).sets.get(section.key)
        draft: Orders = written.orders if written is not None else ()
        moves = Moves(page.rules, page.seen, decision, draft, check)
        return _MoveTeller(call, page, section, moves, asked.reasons).answer(asked)


def _find_question(page: game_pages.SeatPage, section: Section) -> Question | None:
    """The question that a section stands for: open, or one that can be answered in advance."""
    if section.open:
        coming = [one.decision for one in page.questions]
    else:
        with seen_by(page.seat):
            coming = list(page.rules.advance_questions(page.seen, page.seat))
    same = (d for d in coming if d.topic == section.topic.key)
    return next((d for d in same if key_of(section.topic, d.gate) == section.key), None)


class _MoveTeller:
    """What is legal, in the words of the caller's language."""

    def __init__(
        self, call: ApiRequest, page: game_pages.SeatPage, section: Section, moves: Moves[Any], reasons: bool
    ) -> None:
        self.call, self.page, self.section, self.moves, self.reasons = call, page, section, moves, reasons
        self.language = call.visit.language
        self.telling = Presenter(call.visit, page.frame, page.seen, lambda: page.grammar)

    def answer(self, asked: shapes.MovesRequest) -> shapes.Moves:
        """Every form, or one; raises ApiProblem for a form, a slot or a value that there is not."""
        forms = self.moves.forms
        found = shapes.Moves(self.call.game, self.page.frame.entry, asked.question, [])
        if asked.form is None:
            found.forms = [self._form(number, {}, next(iter(form.slots), None)) for number, form in enumerate(forms)]
            return found
        if asked.form >= len(forms):
            raise ApiProblem("not_found")
        form = forms[asked.form]
        try:
            values = check_values(form, asked.values)
        except ValueError:
            raise ApiProblem("does_not_fit", wrong="values") from None
        found.forms = [self._form(asked.form, values, _find_slot(form, values, asked.slot))]
        order = self.moves.complete(form, values)
        if order is not None:
            found.line = self._line(order)
            found.figures, found.notes = self._outcome(order)
        return found

    def _form(self, number: int, values: Mapping[str, Any], slot: Slot | None) -> shapes.FormMoves:
        form = self.moves.forms[number]
        reason = self._reason(self.moves.refusal(form, values))
        choices = self.moves.choices(form, values, slot) if slot is not None else None
        told = self._slot(choices) if choices is not None else None
        return shapes.FormMoves(number, to_keyword(form.keyword, self.language), reason, told)

    def _slot(self, found: SlotChoices) -> shapes.SlotMoves:
        refused = found.refused.items() if self.reasons else ()
        told = [shapes.RefusedValue(value, self._reason(problem)) for value, problem in refused]
        stop = self._reason(found.stop)
        return shapes.SlotMoves(found.slot.name, list(found.legal), told, stop, found.least, found.most)

    def _reason(self, problem: Problem | None) -> str:
        return reason_alone(self.telling, problem)

    def _line(self, order: Order) -> str:
        line, facts = Line((Clause(order),)), self.page.grammar.facts
        if self.section in self.page.grammar.reactions:
            return print_reaction(self.section, line, self.language, facts)
        return print_under(self.section, print_line(self.section.forms, line, self.language, facts), self.language)

    def _outcome(self, order: Order) -> tuple[list[shapes.FigureChange], list[str]]:
        found = self.moves.outcome(order)
        before = Presenter(self.call.visit, self.page.frame, found.before, lambda: self.page.grammar)
        changed = [f for f in before.figures(found.after) if f.value != f.previous]
        figures = [shapes.FigureChange(f.label, f.value, f.previous) for f in changed]
        return figures, [self.telling.reason(note) for note in found.notes]


def _find_slot(form: Form, values: Mapping[str, Any], name: str) -> Slot | None:
    """The slot that is asked about: by name, or the first without a value. Raises ApiProblem."""
    if not name:
        return next((slot for slot in form.slots if slot.name not in values), None)
    found = next((slot for slot in form.slots if slot.name == name), None)
    if found is None:
        raise ApiProblem("not_found")
    return found
