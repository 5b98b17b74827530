"""Bots answer: what one owes is thought about on its seat's own stored view, and sent as a person's form is.

A mailer does it, which may read what seats were shown, and can seal orders but not open them.  A form has a number
that follows from the question, so that however often this runs, and wherever it is killed, it files each answer once.
"""

import hashlib
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from engine.kernel.bots import Bot, BotProfile, chooser
from engine.kernel.grammar import section_of
from engine.kernel.languages import DEFAULT
from engine.kernel.orders import Orders, Question
from engine.kernel.position import Position
from engine.kernel.printing import CannotPrint, heading, print_clause
from engine.kernel.rules import Rules
from engine.kernel.secrets import seen_by
from engine.kernel.viewers import Seat
from pbem.common.addresses import is_bot
from pbem.common.outage_log import skip_unreadable
from pbem.common.states import GameState
from pbem.crypto.tokens import ALPHABET, LENGTH
from pbem.narration.facts import ReceiptFacts
from pbem.service.base.calendar import HOUR_MS
from pbem.service.base.services import Services
from pbem.service.game import seat_views
from pbem.service.orders import web_orders
from pbem.store.games import find_seat_of_user, load_game, load_open_questions, lock_game
from pbem.store.models import Bot as BotRow
from pbem.store.models import QuestionRow, User

TEMPER: Final = BotProfile(passing=0, absent=0, ahead=0, unasked_share=0, lines=6, plans=True, evaluates=12)
"""Of what is suggested each line is what leaves its author best off, or the first where the game weighs nothing."""
MOST_SETS: Final = 12
"""Sets tried for one question before a bot leaves it for an hour."""
AT_ONCE: Final = 200
"""Bots that one look at the clock wakes."""
PATIENCE_MS: Final = 60_000
"""How long a worker that was woken has before the clock wakes another."""

_LOG = logging.getLogger(__name__)


def enqueue_due(services: Services) -> None:
    """Wake the mailer for the games at which a bot is to look what it owes: found by an index, without other games.

    A game is woken again only if nobody has answered within a while.
    """
    now = services.now()
    with services.db.snapshot() as session:
        rows = session.execute(select(BotRow.user_id, BotRow.game_id).where(BotRow.due_at <= now).limit(AT_ONCE)).all()
    if not rows:
        return
    with services.db.transaction() as session:
        these = BotRow.user_id.in_([user for user, _ in rows]), BotRow.due_at <= now
        session.execute(update(BotRow).where(*these).values(due_at=now + PATIENCE_MS))
    for game_id in sorted({game for _, game in rows}):
        services.enqueue("play_bot_turns", game_id)


def play_turn(services: Services, game_id: str) -> None:
    """Answer what the bots of a game owe now."""
    with services.db.snapshot() as session:
        its = BotRow.game_id == game_id, BotRow.due_at <= services.now() + PATIENCE_MS
        waiting = session.scalars(select(BotRow.user_id).where(*its).order_by(BotRow.user_id)).all()
    for user_id in waiting:
        with skip_unreadable():
            _play(services, game_id, user_id)


@dataclass(frozen=True)
class BotQuestion:
    """A question before a bot: what it was shown, when it was put, and as which form its answers are sent."""

    rules: Rules[Any]
    seen: Position[Any]
    decision: Question
    entry: int
    mark: str
    seed: bytes


def _play(services: Services, game_id: str, user_id: int) -> None:
    with services.db.snapshot() as session:
        owed = _load_owed(services, session, game_id, user_id)
    for one in owed:
        _answer_question(services, game_id, user_id, one)
    _record_done(services, game_id, user_id, {one.decision.gate for one in owed})
    services.fault_point("bot_turns.recorded")


def _load_owed(services: Services, session: Session, game_id: str, user_id: int) -> list[BotQuestion]:
    """What one owes; nothing for anybody who is no bot, whatever the database says of them."""
    row, user = session.get(BotRow, user_id), session.get(User, user_id)
    game, held = load_game(session, game_id), find_seat_of_user(session, game_id, user_id)
    if row is None or user is None or not is_bot(user.email) or game is None or held is None:
        return []
    if game.state != GameState.RUNNING or game.rules not in services.installed:
        return []
    rules, seen = services.rules(game.rules), seat_views.last_view(services, session, game, held.seat)
    asked = {one.gate: one for one in load_open_questions(session, game.id, held.seat) if _is_waiting(one)}
    owed = []
    for decision in seen.core.questions:
        if decision.seat == held.seat and decision.gate in asked:
            question = asked[decision.gate]
            mark = f"{game.id}/{user_id}/{decision.gate}/{question.opening_entry}/{question.opened_at}"
            owed.append(BotQuestion(rules, seen, decision, game.entry, mark, row.seed))
    return owed


def _is_waiting(row: QuestionRow) -> bool:
    return row.is_blocking and row.answered_at is None


def _answer_question(services: Services, game_id: str, user_id: int, owed: BotQuestion) -> None:
    """Send sets until one is taken; a form that was sent before a crash was taken, or refused and is not sent again."""
    for number, lines in zip(range(MOST_SETS), candidate_orders(owed), strict=False):
        form = _form_of(f"{owed.mark}/{number}")
        services.fault_point("bot_turns.chosen")
        done = web_orders.submit_orders(services, user_id, game_id, owed.entry, form, lines)
        services.fault_point("bot_turns.filed")
        if isinstance(done, web_orders.GameClosed):
            return
        if isinstance(done, web_orders.DuplicateForm) and _is_over(services, owed):
            return
        if isinstance(done, ReceiptFacts) and any(one.taken for one in done.sets):
            return
    _LOG.error("game %s: a bot finds no answer to %s", game_id, owed.decision.topic, extra={"game": game_id})


def _is_over(services: Services, owed: BotQuestion) -> bool:
    """Return True if a question has its answer, or is asked no more: another worker was here before."""
    with services.db.snapshot() as session:
        rows = load_open_questions(session, owed.mark.partition("/")[0], owed.decision.seat)
        return not any(row.gate == owed.decision.gate and _is_waiting(row) for row in rows)


def _form_of(mark: str) -> str:
    """The number of a form, in the shape of those of the pages."""
    digest = hashlib.shake_256(mark.encode()).digest(LENGTH)
    return "".join(ALPHABET[byte % len(ALPHABET)] for byte in digest)


def candidate_orders(owed: BotQuestion) -> Iterator[list[str]]:
    """What could be sent, the bot's own answer first, as lines."""
    seat, language = owed.decision.seat, DEFAULT
    with seen_by(seat):
        section = section_of(owed.rules, owed.seen, owed.decision, now=True)
        facts = owed.rules.facts(owed.seen, seat)
        thought = list(_choose(owed))
    for orders in thought:
        try:
            with seen_by(seat):
                said = print_clause(section.forms, orders, language, facts).splitlines()
        except CannotPrint:
            continue
        yield [heading(section, language), *said]


def _choose(owed: BotQuestion) -> Iterator[Orders]:
    yield Bot(owed.rules, Seat(owed.decision.seat), chooser(owed.seed), TEMPER).answer(owed.seen, owed.decision)
    yield from ((line,) for line in owed.rules.suggest_orders(owed.seen, owed.decision, MOST_SETS - 3))
    yield owed.rules.default_orders(owed.seen, owed.decision)
    yield ()


def _record_done(services: Services, game_id: str, user_id: int, tried: set[str]) -> None:
    """A bot that owes nothing waits until it is told something; one that found no answer looks again in an hour.

    What was put before it meanwhile keeps its mark.
    """
    with services.db.transaction() as session:
        game, held = lock_game(session, game_id), find_seat_of_user(session, game_id, user_id)
        row = session.get(BotRow, user_id)
        if row is None or row.due_at is None:
            return
        left = set[str]()
        if game is not None and game.state == GameState.RUNNING and held is not None:
            left = {one.gate for one in load_open_questions(session, game_id, held.seat) if _is_waiting(one)}
        if not left:
            row.due_at = None
        elif tried.issuperset(left):
            row.due_at = services.now() + HOUR_MS
