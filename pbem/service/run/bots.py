"""Bots answer: what one owes is thought about on its seat's own stored view, and sent as a person's form is.

A post worker does it, which may read what seats were shown, and can seal orders but not open them.  A form has a number
that follows from the question, so that however often this runs, and wherever it is killed, it files each answer once.
"""

import hashlib
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from engine.kernel.bots import Bot, Temper, chooser
from engine.kernel.grammar import section_of
from engine.kernel.languages import DEFAULT
from engine.kernel.names import Seat
from engine.kernel.orders import Decision, Orders
from engine.kernel.position import Position
from engine.kernel.printing import Unprintable, heading, printed
from engine.kernel.rules import Rules
from engine.kernel.secrets import seen_by
from pbem.addresses import is_bot
from pbem.narration.facts import ReceiptFacts
from pbem.service.base.calendar import HOUR_MS
from pbem.service.base.services import Services
from pbem.service.game import views
from pbem.service.orders import web_orders
from pbem.states import GameState
from pbem.store.games import locked, open_decisions, seat_held_by, table
from pbem.store.models import Bot as BotRow
from pbem.store.models import Game, User
from pbem.trouble import passing_over
from pbem.vault.tokens import ALPHABET, LENGTH

TEMPER: Final = Temper(passing=0, absent=0, ahead=0, meddling=0, lines=6, plans=True, weighs=12)
"""Of what is suggested each line is what leaves its author best off, or the first where the game weighs nothing."""
MOST_SETS: Final = 12
"""Sets tried for one question before a bot leaves it for an hour."""
AT_ONCE: Final = 200
"""Bots that one look at the clock wakes."""
PATIENCE_MS: Final = 60_000
"""How long a worker that was woken has before the clock wakes another."""

_LOG = logging.getLogger(__name__)


def wake(services: Services) -> None:
    """Wake post for the games at which a bot is to look what it owes: found by an index, nothing of any other game.

    A game is woken again only if nobody has answered within a while.
    """
    now = services.now()
    with services.db.reading() as session:
        rows = session.execute(select(BotRow.user_id, BotRow.game_id).where(BotRow.due_at <= now).limit(AT_ONCE)).all()
    if not rows:
        return
    with services.db.writing() as session:
        these = BotRow.user_id.in_([user for user, _ in rows]), BotRow.due_at <= now
        session.execute(update(BotRow).where(*these).values(due_at=now + PATIENCE_MS))
    for game_id in sorted({game for _, game in rows}):
        services.wake("answer", game_id)


def answer(services: Services, game_id: str) -> None:
    """Answer what the bots of a game owe now."""
    with services.db.reading() as session:
        its = BotRow.game_id == game_id, BotRow.due_at <= services.now() + PATIENCE_MS
        waiting = session.scalars(select(BotRow.user_id).where(*its).order_by(BotRow.user_id)).all()
    for user_id in waiting:
        with passing_over():
            _answer(services, game_id, user_id)


@dataclass(frozen=True)
class Owed:
    """A question before a bot: what it was shown, when it was put, and as which form its answers are sent."""

    rules: Rules[Any]
    seen: Position[Any]
    decision: Decision
    entry: int
    mark: str
    seed: bytes


def _answer(services: Services, game_id: str, user_id: int) -> None:
    with services.db.reading() as session:
        owed = _owed(services, session, game_id, user_id)
    for one in owed:
        _settle(services, game_id, user_id, one)
    _done(services, game_id, user_id, {one.decision.gate for one in owed})
    services.point("bots.marked")


def _owed(services: Services, session: Session, game_id: str, user_id: int) -> list[Owed]:
    """What one owes; nothing for anybody who is no bot, whatever the database says of them."""
    row, user = session.get(BotRow, user_id), session.get(User, user_id)
    game, held = table(session, game_id), seat_held_by(session, game_id, user_id)
    if row is None or user is None or not is_bot(user.address) or game is None or held is None:
        return []
    if game.state != GameState.RUNNING or game.rules not in services.installed:
        return []
    asked = {one.gate: one for one in open_decisions(session, game.id, held.seat) if _waits(one)}
    seen = views.last_view(services, session, game, held.seat)
    return [
        Owed(services.rules(game.rules), seen, d, game.entry, _mark(game, user_id, asked[d.gate]), row.seed)
        for d in seen.core.open
        if d.seat == held.seat and d.gate in asked
    ]


def _waits(row: Any) -> bool:
    return bool(row.blocking) and row.answered_at is None


def _mark(game: Game, user_id: int, row: Any) -> str:
    return f"{game.id}/{user_id}/{row.gate}/{row.opening_entry}/{row.opened_at}"


def _settle(services: Services, game_id: str, user_id: int, owed: Owed) -> None:
    """Send sets until one is taken; a form that was sent before a crash was taken, or refused and is not sent again."""
    for number, lines in zip(range(MOST_SETS), sets(owed), strict=False):
        form = _form(f"{owed.mark}/{number}")
        services.point("bots.thought")
        done = web_orders.submit(services, user_id, game_id, owed.entry, form, lines)
        services.point("bots.filed")
        if isinstance(done, web_orders.Closed) or (isinstance(done, web_orders.Repeated) and _is_over(services, owed)):
            return
        if isinstance(done, ReceiptFacts) and any(one.taken for one in done.sets):
            return
    _LOG.error("game %s: a bot finds no answer to %s", game_id, owed.decision.asks, extra={"game": game_id})


def _is_over(services: Services, owed: Owed) -> bool:
    """Return True if a question has its answer, or is asked no more: another worker was here before."""
    with services.db.reading() as session:
        rows = open_decisions(session, owed.mark.partition("/")[0], owed.decision.seat)
        return not any(row.gate == owed.decision.gate and _waits(row) for row in rows)


def _form(mark: str) -> str:
    """The number of a form, in the shape of those of the pages."""
    digest = hashlib.shake_256(mark.encode()).digest(LENGTH)
    return "".join(ALPHABET[byte % len(ALPHABET)] for byte in digest)


def sets(owed: Owed) -> Iterator[list[str]]:
    """What could be sent, the bot's own answer first, as lines."""
    seat, language = owed.decision.seat, DEFAULT
    with seen_by(seat):
        section = section_of(owed.rules, owed.seen, owed.decision, now=True)
        facts = owed.rules.facts(owed.seen, seat)
        thought = list(_thought(owed))
    for orders in thought:
        try:
            with seen_by(seat):
                said = printed(section.forms, orders, language, facts).splitlines()
        except Unprintable:
            continue
        yield [heading(section, language), *said]


def _thought(owed: Owed) -> Iterator[Orders]:
    yield Bot(owed.rules, Seat(owed.decision.seat), chooser(owed.seed), TEMPER).answer(owed.seen, owed.decision)
    yield from ((line,) for line in owed.rules.suggest(owed.seen, owed.decision, MOST_SETS - 3))
    yield owed.rules.default(owed.seen, owed.decision)
    yield ()


def _done(services: Services, game_id: str, user_id: int, tried: set[str]) -> None:
    """A bot that owes nothing waits until it is told something; one that found no answer looks again in an hour.

    What was put before it meanwhile keeps its mark.
    """
    with services.db.writing() as session:
        game, held = locked(session, game_id), seat_held_by(session, game_id, user_id)
        row = session.get(BotRow, user_id)
        if row is None or row.due_at is None:
            return
        runs = game is not None and game.state == GameState.RUNNING and held is not None
        left = {one.gate for one in open_decisions(session, game_id, held.seat) if _waits(one)} if runs and held else ()
        if not left:
            row.due_at = None
        elif tried.issuperset(left):
            row.due_at = services.now() + HOUR_MS
