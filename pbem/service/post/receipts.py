"""Receipts: laid out at once, or held for a play worker who completes them."""

from sqlalchemy.orm import Session

from engine.kernel.gates import closing
from engine.kernel.rules import Meta
from pbem.addresses import takes_letters
from pbem.narration.facts import ReceiptFacts
from pbem.service.base.services import Services
from pbem.service.game.ballots import counting
from pbem.service.post import composing
from pbem.service.post.outbox import draft, mute
from pbem.states import LetterOutState
from pbem.store.games import open_decisions
from pbem.store.models import DecisionRow, Game, LetterOut, SeatRow, User
from pbem.vault import VerifyKeys


def receipt_of(letter: str) -> str:
    """The key of the receipt for a letter in."""
    return f"receipt.{letter}"


def file_receipt(
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
    waits = takes_letters(user.address) and stands_beside(session, services.verify, game, seat, facts)
    if hold_ms:
        _call_off_held(services, session, game, user)
    draft(
        services,
        session,
        key=key,
        kind="receipt",
        facts=composing.laid_down(facts),
        user_id=user.id,
        game_id=game.id,
        seat=seat.seat,
        entry=game.entry,
        waits=waits,
        hold_ms=hold_ms,
    )
    if waits:
        game.play_wanted = game.play_wanted or services.now()


def _call_off_held(services: Services, session: Session, game: Game, user: User) -> None:
    held = LetterOut.due_at > services.now(), LetterOut.tries == 0
    theirs = LetterOut.kind == "receipt", LetterOut.game_id == game.id, LetterOut.user_id == user.id
    mute(session, *theirs, *held, states=(LetterOutState.WAITS, LetterOutState.DRAFT))


def stands_beside(session: Session, verify: VerifyKeys, game: Game, seat: SeatRow, facts: ReceiptFacts) -> bool:
    """Return True if anything of this seat stands that its letter did not bring itself."""
    brought = {s.commitment for s in facts.sets if s.commitment}
    orders_lie = [r for kind in ("orders", "ahead") for r in counting(session, verify, game.id, seat.seat, kind)]
    if any(row.commitment not in brought for row in orders_lie):
        return True
    if counting(session, verify, game.id, seat.seat, "plan"):
        return True
    filed = sum(1 for r in facts.riders if r.problem is None) > 0
    return len(counting(session, verify, game.id, seat.seat, "rider")) > (1 if filed else 0)


def want_play(services: Services, session: Session, game: Game) -> None:
    """Ask for a play worker when an answer may have completed a gate."""
    rows, meta = open_decisions(session, game.id), services.rules(game.rules).meta
    gates = {closing(row.gate) for row in rows if row.blocking}
    done = any(all(_may_be_met(meta, r) for r in rows if closing(r.gate) == gate and r.blocking) for gate in gates)
    acted = any(not r.blocking and r.answered_at is not None for r in rows)
    if done or acted:
        game.play_wanted = game.play_wanted or services.now()


def _may_be_met(meta: Meta, row: DecisionRow) -> bool:
    """Return True if a question has an answer, or one that only play can see: a rider may answer it."""
    return row.answered_at is not None or row.reaction or meta.topic(row.asks).rider
