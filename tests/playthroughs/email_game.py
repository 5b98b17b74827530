"""A table whose players write letters: read by the order language, judged on their own view, carried out together."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.kernel.dice import Draws, HmacDraws
from engine.kernel.events import Corrected, Event, StepsQueued
from engine.kernel.grammar import build_grammar
from engine.kernel.orders import Orders, Pace, Question
from engine.kernel.parse import parse_letter
from engine.kernel.position import Position, Step
from engine.kernel.rules import Rules
from engine.kernel.run import Advance, advance, correct, fold, start
from engine.kernel.secrets import redact, seen_by, truth
from engine.kernel.validation import all_valid, check_orders
from engine.kernel.viewers import Seat
from tests.scripted_draws import ScriptedDraws


class Story:
    """One game, letter by letter; everything that is written must stand, unless `refused` is asked."""

    def __init__(
        self, rules: Rules[Any], seats: Sequence[str], options: Mapping[str, str], script: Mapping[str, Any]
    ) -> None:
        """Start the game; draws that the script does not name come from a fixed seed."""
        self._open(rules, script)
        self._take(start(rules, [Seat(s) for s in seats], options, b"seed", draws=self.draws), None)

    @classmethod
    def upon(cls, rules: Rules[Any], position: Position[Any], script: Mapping[str, Any], *first: Step) -> "Story":
        """A game under way, as the game master laid it out; `first` is what its rules have to do next."""
        story = cls.__new__(cls)
        story._open(rules, script)
        story.position = position
        story.correct(StepsQueued(steps=first), reason="laid out")
        return story

    def _open(self, rules: Rules[Any], script: Mapping[str, Any]) -> None:
        self.rules = rules
        self.draws: Draws = ScriptedDraws(script, HmacDraws(b"seed", b"luck"))
        self.position: Position[Any] = Position(None, None)  # type: ignore[arg-type]
        self.events: list[Event] = []
        self.written: dict[tuple[str, Seat], Orders] = {}
        self.reactions: dict[tuple[Seat, str], Orders] = {}
        self.used: list[tuple[Seat, str]] = []

    def _take(self, made: Advance[Any], before: Position[Any] | None) -> None:
        if before is not None:
            assert fold(self.rules, before, made.events) == made.position
        self.position = made.position
        self.events.extend(made.events)
        with truth():
            assert self.rules.list_violations(self.position) == ()
        self._go_on()

    @property
    def board(self) -> Any:
        """The game's own state."""
        return self.position.board

    def open_questions(self, seat: str) -> list[Question]:
        """What a seat still owes."""
        mine = (d for d in self.position.core.questions if d.seat == seat and d.blocking)
        return [d for d in mine if (d.gate, d.seat) not in self.written]

    def letter(self, seat: str, text: str, language: str = "fr") -> None:
        """A letter of a seat: every set and reaction in it must stand."""
        own = Seat(seat)
        seen = redact(self.position, own)
        with seen_by(own):
            reading = parse_letter(text.splitlines(), build_grammar(self.rules, seen, own, language))
        assert reading.unmatched == ()
        assert reading.skipped == ()
        for asks, reaction in reading.reactions.items():
            assert reaction.line is not None, reaction.problem
            self.reactions[own, asks] = (reaction.line,)
        for (asks, _, _), written in reading.sets.items():
            assert written.readable, [w.problem for w in written.lines if w.problem]
            decision = next(d for d in self.position.core.questions if d.seat == seat and d.topic == asks)
            rulings = check_orders(self.rules, self.position, decision, written.orders)
            assert all_valid(rulings), [r.problem for r in rulings if r.problem]
            self.written[decision.gate, own] = written.orders
        self._go_on()

    def refused(self, seat: str, text: str, language: str = "fr") -> list[str]:
        """The codes of the problems for which a letter is refused."""
        own = Seat(seat)
        seen = redact(self.position, own)
        with seen_by(own):
            reading = parse_letter(text.splitlines(), build_grammar(self.rules, seen, own, language))
        codes = [w.problem.code for s in reading.sets.values() for w in s.lines if w.problem]
        for (asks, _, _), written in reading.sets.items():
            decision = next(d for d in self.open_questions(seat) if d.topic == asks)
            codes += [
                r.problem.code for r in check_orders(self.rules, self.position, decision, written.orders) if r.problem
            ]
        return codes

    def correct(self, *edits: Event, reason: str) -> None:
        """A ruling of the game master."""
        before = self.position
        self._take(
            correct(self.rules, before, Corrected(by="gm", reason=reason, edits=edits), draws=self.draws), before
        )

    def _go_on(self) -> None:
        """Close a gate as soon as it is complete; interruptions are answered by reaction, else by default.

        A question that does not block acts as soon as it is answered.
        """
        for gate in self.position.core.gates():
            asked = self.position.core.gate(gate)
            decisions = [d for d in asked if d.blocking or (gate, d.seat) in self.written]
            answers = {d.seat: self._answer(d) for d in decisions}
            if decisions and all(a is not None for a in answers.values()):
                found = {seat: orders for seat, orders in answers.items() if orders is not None}
                for seat in found:
                    self.written.pop((gate, seat), None)
                before = self.position
                self._take(advance(self.rules, before, gate, found, draws=self.draws), before)
                return

    def _answer(self, decision: Question) -> Orders | None:
        if (decision.gate, decision.seat) in self.written:
            return self.written[decision.gate, decision.seat]
        if decision.pace is not Pace.REACTION:
            return None
        reaction = self.reactions.get((decision.seat, decision.topic))
        if reaction is not None and all_valid(check_orders(self.rules, self.position, decision, reaction)):
            self.used.append((decision.seat, decision.topic))
            return reaction
        with seen_by(decision.seat):
            return self.rules.default_orders(redact(self.position, decision.seat), decision)

    def events_of(self, kind: type[Event], since: int = 0) -> list[Any]:
        """The events of a kind, from the `since`th event on."""
        return [event for event in self.events[since:] if isinstance(event, kind)]
