"""What `Moves` offers, held against the judge on whole games between bots."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from engine.kernel.bots import Bot, BotProfile, chooser
from engine.kernel.holes import NOTHING_FITS
from engine.kernel.orders import Orders, unconditional
from tests.budget import budget
from tests.every_game import cases, one_game
from tests.laws.walks import Count, OpenQuestion, find, list_questions, walk

NAMES = sorted(cases())
every_game = pytest.mark.parametrize("name", NAMES)
WALKER = BotProfile(suggested=0, passing=0, random_share=0, lines=2, tries=1)
"""A bot of random legal play."""
WALKS = 3
"""The lines of a draft that is made by walking."""


def some_questions(name: str) -> Iterator[OpenQuestion]:
    """Some questions of the game that the short suite plays; with `--full` all questions of all games."""
    case = cases()[name]
    first = NAMES.index(name) % case.games
    for number in range(first, first + budget(1, case.games)):
        _, game = one_game(name, number % case.games)
        for entry in game.entries[1 :: budget(1 + len(game.entries) // 4, 1)]:
            yield from list_questions(case.rules, entry)


@every_game
def test_what_is_offered_leads_to_orders_that_the_judge_accepts(name: str) -> None:
    """Whatever values are taken, one slot after the other, behind lines that were made in the same way."""
    count, random = Count(), Random(name)
    for question in some_questions(name):
        count.questions += 1
        draft: Orders = ()
        for _ in range(WALKS):
            moves = question.moves(draft)
            order = walk(moves, random.choice(moves.forms), random, count)
            if order is None:
                continue
            count.orders += 1
            draft = (*draft, *unconditional(order)) if moves.takes_lines else unconditional(order)
            assert question.accepts(draft), f"{question.decision}: {draft}"
    assert count.orders > count.questions / 3


@every_game
def test_lines_that_are_played_or_suggested_are_found(name: str) -> None:
    """So are orders of random words that the judge accepts, but for values that the game calls pointless."""
    count = Count()
    for question in some_questions(name):
        count.questions += 1
        suggested = [*question.suggested(), *question.done(question.answer)]
        for draft, order in (*suggested, *question.made_up(budget(2, 12))):
            count.orders += 1
            assert not (why := find(question.moves(draft), order, count)), f"{question.decision}: {order}: {why}"
        moves = question.moves()
        assert not suggested or any(moves.refusal(form) is None for form in moves.forms), "no path to an answer"
    assert count.orders > count.questions / 3


@every_game
def test_a_way_to_write_that_is_not_open_says_what_is_missing(name: str) -> None:
    """Neither it nor what it can be begun with is refused without a reason: "there is no way" is none."""
    for question in some_questions(name):
        moves = question.moves()
        for form in moves.forms:
            assert moves.refusal(form) != NOTHING_FITS, f"{question.decision}: {form.keyword}"
            for slot in form.slots[:1]:
                refused = moves.choices(form, {}, slot).refused
                assert NOTHING_FITS not in refused.values(), f"{question.decision}: {form.keyword} {slot.name}"


class _Silent:
    """The rules of a game that suggests nothing."""

    def __init__(self, rules: Any) -> None:
        self._rules = rules

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rules, name)

    def suggest_orders(self, *_: object) -> Orders:
        """Return nothing."""
        return ()


@every_game
def test_a_bot_plays_any_game_by_legal_moves_alone(name: str) -> None:
    """Without suggestions it has an answer wherever there is one, at the first try; each is found by walking."""
    count, played = Count(), 0
    for question in some_questions(name):
        bot: Bot[Any] = Bot(_Silent(question.rules), question.decision.seat, chooser(name.encode()), WALKER)
        orders = bot.answer(question.seen, question.decision)
        assert question.accepts(orders) or not orders, f"{question.decision}: {orders}"
        moves = question.moves()
        assert orders or all(moves.refusal(form) is not None for form in moves.forms), question.decision
        for draft, order in question.done(orders):
            played += 1
            assert not (why := find(question.moves(draft), order, count)), f"{question.decision}: {order}: {why}"
    assert played > 5
