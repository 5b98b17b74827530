"""How often a table waits for somebody in a turn of a game by mail, for each number of seats.

Bots play whole games in memory, in three ways. `letter`: each letter answers what it asks, one turn at a time. `plan`:
each letter is answered by the lines of its template, as they are. `page`: as `letter`, but at once, so that several
questions of one seat, one after the other, are one wait.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from engine.kernel.bots import Bot, BotProfile, chooser
from engine.kernel.events import Ended
from engine.kernel.gates import parse_closing
from engine.kernel.orders import Orders, Pace, Question
from engine.kernel.plans import TakesTurns, is_planned, offer_ahead, plan_turns
from engine.kernel.position import Position
from engine.kernel.rules import Rules
from engine.kernel.run import AnswerKey, advance, answer_key, start
from engine.kernel.secrets import redact, seen_by
from engine.kernel.validation import all_valid, check_orders
from engine.kernel.viewers import PUBLIC, Seat
from pbem.games import load_rules

WAYS: Final = ("letter", "plan", "page")
_TURN: Final = BotProfile(absent=0, unasked_share=0, passing=0, plans=True, lines=1)
_SETS: Final = BotProfile(absent=0, unasked_share=0, passing=5, suggested=100, random_share=0, eagerness=60, lines=6)
"""How bots answer: in a game in which seats act in turn with the best line, elsewhere with a set of good ones."""
Waits = list[tuple[int, frozenset[Seat]]]
"""The waits of a game in order: the turn, and the seats that were waited for."""


def measure(title: str, games: int) -> dict[str, Any]:
    """Return the mean and the worst number of waits in a turn, by number of seats and way; the set-up is left out."""
    rules = load_rules(title)
    found = {
        count: {way: count_waits(rules, count, way, games) for way in WAYS} for count in rules.meta.seats if count > 1
    }
    return {"title": title, "games": games, "waits": found}


def count_waits(rules: Rules[Any], count: int, way: str, games: int) -> dict[str, float]:
    """Return the mean and the worst number of waits in a turn of so many games, all seats playing one way."""
    seats = tuple(Seat(f"s{number + 1}") for number in range(count))
    turns: list[int] = []
    for game in range(games):
        waits = MailGame(rules, seats, dict.fromkeys(seats, way), f"exchanges/{game}".encode()).play().waits
        if way == "page":
            waits = [place for place, same in groupby(waits) for _ in (same if len(place[1]) > 1 else (place,))]
        turns += Counter(turn for turn, _ in waits if turn).values()
    return {"mean": round(sum(turns) / len(turns), 1), "worst": max(turns)}


class MailGame:
    """A game in which seats answer letters, each in its way; `waits` grows while it is played, `winners` end it."""

    def __init__(self, rules: Rules[Any], seats: Sequence[Seat], ways: Mapping[Seat, str], seed: bytes) -> None:
        profile = _TURN if isinstance(rules, TakesTurns) else _SETS
        self.rules, self.ways, self.seed = rules, ways, seed
        self.bots = {seat: Bot(rules, seat, chooser(seed), profile) for seat in seats}
        self.position: Position[Any] = start(rules, seats, {}, seed).position
        self.filed: dict[tuple[Seat, str], Orders] = {}
        self.lasting: dict[tuple[Seat, str], Orders] = {}
        self.planning: set[Seat] = set()
        self.waits: Waits = []
        self.winners: tuple[Seat, ...] = ()

    def play(self) -> "MailGame":
        """Play to the end."""
        while not self.position.core.over:
            gate = next(parse_closing(d.gate) for d in self.position.core.questions if d.blocking)
            asked = [d for d in self.position.core.gate(gate) if d.blocking]
            missing = [d for d in asked if self._on_file(d) is None]
            if missing:
                self._wait(missing)
            answers: dict[AnswerKey, Orders] = {answer_key(d): self._on_file(d) or () for d in asked}
            luck = f"{len(self.waits)}/{gate}".encode()
            went = advance(self.rules, self.position, gate, answers, luck)
            self.position = went.position
            self.winners = next((e.ranking[0] for e in went.events if isinstance(e, Ended)), ())
        return self

    def _wait(self, missing: Sequence[Question]) -> None:
        """Let those answer who are waited for; and whose plan has come to its end, or at the beginning of a turn."""
        turn = self.turn()
        begins = not self.waits or self.waits[-1][0] != turn
        self.waits.append((turn, frozenset(d.seat for d in missing)))
        for seat in self.ways:
            owed = [d for d in missing if d.seat == seat]
            seen = redact(self.position, seat)
            for decision in owed:
                planned = plan_turns(self.rules, seen, decision) if self.ways[seat] == "plan" else ()
                self._file(decision, planned or self.bots[seat].answer(seen, decision))
            if self.ways[seat] == "plan" and (owed or begins or seat in self.planning):
                on_file = {topic: orders for (of, topic), orders in self.lasting.items() if of == seat}
                for decision, orders in tuple(offer_ahead(self.rules, seen, seat, on_file)):
                    self._file(decision, orders)

    def turn(self) -> int:
        """Return the turn, or 0 in the set-up, even where orders sent then are for the first turn."""
        with seen_by(PUBLIC):
            view = self.rules.present_view(redact(self.position, PUBLIC), PUBLIC)
        return 0 if view["phase"] == "setup" else self.rules.turn(self.position)

    def _file(self, decision: Question, orders: Orders) -> None:
        self.filed[decision.seat, decision.gate] = orders
        if self.rules.meta.topic(decision.topic).is_reaction:
            self.lasting[decision.seat, decision.topic] = orders
        if is_planned(self.rules, decision):
            (self.planning.add if len(orders) > 1 else self.planning.discard)(decision.seat)

    def _on_file(self, decision: Question) -> Orders | None:
        """Return orders or a reaction for this question, or the default of an interruption that nobody answers."""
        seen, seat = redact(self.position, decision.seat), decision.seat
        for found in (self.filed.get((seat, decision.gate)), self.lasting.get((seat, decision.topic))):
            if found is not None and self._is_usable(seen, decision, found):
                return found
        if decision.pace is not Pace.REACTION or self.position.core.options.get("unanswered") == "ask":
            return None
        with seen_by(decision.seat):
            return self.rules.default_orders(seen, decision)

    def _is_usable(self, seen: Position[Any], decision: Question, orders: Orders) -> bool:
        """Return True if orders stand, or what others did has undone some of their lines only."""
        results = check_orders(self.rules, seen, decision, orders, own=True)
        lapses = self.rules.meta.topic(decision.topic).lines and any(r.is_valid for r in results)
        return all_valid(results) or (lapses and not any(r.problem and r.problem.lasting for r in results))
