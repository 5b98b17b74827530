"""Receipts: laid out at once, or held for a play worker who completes them."""

from sqlalchemy.orm import Session

from engine.kernel.gates import parse_closing
from engine.kernel.rules import Meta
from pbem.common.addresses import can_receive_email
from pbem.common.states import LetterOutState
from pbem.crypto import VerifyKeys
from pbem.narration.facts import ReceiptFacts
from pbem.service.base.services import Services
from pbem.service.game.sealed_orders import list_valid
from pbem.service.mail import assembly
from pbem.service.mail.outbox import enqueue, suppress
from pbem.store.games import load_open_questions
from pbem.store.models import Game, OutboundEmail, QuestionRow, SeatRow, User


def build_receipt(letter: str) -> str:
    """The key of the receipt for a letter in."""
    return f"receipt.{letter}"


def enqueue_receipt(
    services: Services,
    session: Session,
    game: Game,
    seat: SeatRow,
    user: User,
    key: str,
    facts: ReceiptFacts,
    hold_ms: int = 0,
) -> None:
    """Lay a receipt out; where something stands that this process cannot read, a play worker completes it first.

    `hold_ms`: it goes out after this time, and takes the place of those for the same person that are held yet.
    """
    waits = can_receive_email(user.address) and has_other_orders(session, services.verify, game, seat, facts)
    if hold_ms:
        _cancel_held_receipt(services, session, game, user)
    enqueue(
        services,
        session,
        key=key,
        kind="receipt",
        facts=assembly.to_stored_receipt(facts),
        user_id=user.id,
        game_id=game.id,
        seat=seat.seat,
        entry=game.entry,
        waits=waits,
        hold_ms=hold_ms,
    )
    if waits:
        game.play_wanted = game.play_wanted or services.now()


def _cancel_held_receipt(services: Services, session: Session, game: Game, user: User) -> None:
    held = OutboundEmail.due_at > services.now(), OutboundEmail.tries == 0
    theirs = OutboundEmail.kind == "receipt", OutboundEmail.game_id == game.id, OutboundEmail.user_id == user.id
    suppress(session, *theirs, *held, states=(LetterOutState.WAITS, LetterOutState.DRAFT))


def has_other_orders(session: Session, verify: VerifyKeys, game: Game, seat: SeatRow, facts: ReceiptFacts) -> bool:
    """Return True if anything of this seat stands that its letter did not bring itself."""
    brought = {s.commitment for s in facts.sets if s.commitment}
    orders_lie = [r for kind in ("orders", "ahead") for r in list_valid(session, verify, game.id, seat.seat, kind)]
    if any(row.commitment not in brought for row in orders_lie):
        return True
    if list_valid(session, verify, game.id, seat.seat, "plan"):
        return True
    filed = sum(1 for r in facts.riders if r.problem is None) > 0
    return len(list_valid(session, verify, game.id, seat.seat, "rider")) > (1 if filed else 0)


def request_resolve(services: Services, session: Session, game: Game) -> None:
    """Ask for a play worker when an answer may have completed a gate."""
    rows, meta = load_open_questions(session, game.id), services.rules(game.rules).meta
    gates = {parse_closing(row.gate) for row in rows if row.blocking}
    done = any(
        all(_may_be_answered(meta, r) for r in rows if parse_closing(r.gate) == gate and r.blocking) for gate in gates
    )
    acted = any(not r.blocking and r.answered_at is not None for r in rows)
    if done or acted:
        game.play_wanted = game.play_wanted or services.now()


def _may_be_answered(meta: Meta, row: QuestionRow) -> bool:
    """Return True if a question has an answer, or one that only play can see: a rider may answer it."""
    return row.answered_at is not None or row.reaction or meta.topic(row.asks).rider
