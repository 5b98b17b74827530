"""CPU time until a page or a program knows what is legal: the forms of a question and their first slots.

Every question of whole games between bots is asked, with each number of seats in turn.
"""

import gc
from collections import defaultdict
from collections.abc import Iterator
from statistics import quantiles
from time import thread_time_ns
from typing import Any

from engine.kernel.moves import Moves
from engine.kernel.orders import Question
from engine.kernel.position import Position
from engine.kernel.rules import Rules
from engine.kernel.secrets import redact
from engine.kernel.viewers import Seat
from pbem.bench.tables import play_bot_game
from pbem.games import load_rules


def measure(title: str, games: int) -> dict[str, Any]:
    """Percentiles in milliseconds over all questions of so many games, and of the topic that takes longest."""
    rules = load_rules(title)
    times: dict[str, list[float]] = defaultdict(list)
    values = unfinished = 0
    for game in range(games):
        questions = list(_list_questions(rules, game))
        gc.collect()
        gc.freeze()  # as a process of the server does before its work
        for seen, decision in questions:
            began = thread_time_ns()
            moves = Moves(rules, seen, decision)
            values += sum(_read_first_choices(moves))
            times[decision.topic].append((thread_time_ns() - began) / 1e6)
            unfinished += moves.unfinished
        gc.unfreeze()
    topics = {topic: _percentiles(taken) for topic, taken in times.items()}
    slowest = max(topics, key=lambda topic: topics[topic]["p95_ms"])
    every = [taken for of_topic in times.values() for taken in of_topic]
    return {
        "title": title,
        "games": games,
        "questions": len(every),
        "values": values,
        "unfinished": unfinished,
        "first_answer": _percentiles(every),
        "slowest_topic": {"topic": slowest, "questions": len(times[slowest]), **topics[slowest]},
    }


def _list_questions(rules: Rules[Any], game: int) -> Iterator[tuple[Position[Any], Question]]:
    """Yield each open question of a game at each entry, with the view of its seat."""
    count = rules.meta.seats[game % len(rules.meta.seats)]
    seats = [Seat(f"s{number + 1}") for number in range(count)]
    for entry in play_bot_game(rules, seats, game + 1).entries:
        position = entry.after.position
        yield from ((redact(position, decision.seat), decision) for decision in position.core.questions)


def _read_first_choices(moves: Moves[Any]) -> Iterator[int]:
    """Read whether each form is legal, and what its first slot can take; yield the number of values."""
    for form in moves.forms:
        if form.slots:
            found = moves.choices(form, {}, form.slots[0])
            yield len(found.legal) + len(found.refused)
        else:
            moves.refusal(form)
            yield 0


def _percentiles(taken: list[float]) -> dict[str, float]:
    cuts = quantiles(taken * 2, n=20, method="inclusive")
    return {"p50_ms": round(cuts[9], 2), "p95_ms": round(cuts[18], 2), "max_ms": round(max(taken), 2)}
