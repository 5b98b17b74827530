"""Sealed orders in the store: filed by web and mailer, which cannot read them; opened and deleted by the resolver.

Sealed orders are stored by place (game, gate, seat, kind) and revision.  The newest counts; older ones stay as a number
only, since `OrderRevision` outlives them.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final, Literal, cast

from sqlalchemy import delete
from sqlalchemy.orm import Session

from engine.kernel.codec import dump, load
from engine.kernel.gates import Gate
from engine.kernel.orders import Question
from pbem.archive.entries import CommitmentOpening, CountedAnswer, RecordedOrders, SupersededOrders
from pbem.crypto import (
    CryptoError,
    GameKeys,
    OrdersContext,
    OrdersPublicKey,
    SealedOrders,
    SigningKey,
    TamperedError,
    VerifyKeys,
    WrappedGameKeys,
    load_orders_key,
    seal_orders,
    unseal_orders,
)
from pbem.crypto.receipts import Receipt, ReceiptAction, sign_receipt
from pbem.crypto.sealed_orders import DIGEST, OrdersKind
from pbem.service.base.game_states import mark_submitted
from pbem.service.base.services import Services
from pbem.store import games
from pbem.store.models import Game, OrderRevision, QuestionRow, SealedOrdersRow
from pbem.store.optimistic import require_lock
from pbem.store.versions import ConflictError

END_DISPOSITIONS: Final[tuple[Literal["withdrawn", "void"], ...]] = ("withdrawn", "void")
Disposition = Literal["", "withdrawn", "void"]


def load_game_orders_key(game: Game, verify: VerifyKeys) -> OrdersPublicKey:
    """The public key to which this game's orders are sealed; raises TamperedError if no resolver signed it."""
    if game.keys is None:
        raise LookupError(f"game {game.id} has no keys yet")
    return load_orders_key(verify, game.id, WrappedGameKeys.from_bytes(game.keys).public)


def seal(
    services: Services,
    key: OrdersPublicKey,
    signing: SigningKey,
    context: OrdersContext,
    holder: int | None,
    content: bytes,
) -> SealedOrders:
    """Seal orders for their place; `store` stores them; `holder`: who holds the seat."""
    return seal_orders(key, signing, context, content, services.random_bytes(DIGEST), holder or 0)


def store(services: Services, session: Session, sealed: SealedOrders) -> SealedOrdersRow:
    """Store orders that were sealed for a revision to come; raises ConflictError where another one has taken that.

    What stood there before stands no longer; reactions add up instead, since each email names its own questions.
    """
    context = sealed.context
    if _next_revision(session, context) != context.revision:
        raise ConflictError
    if context.kind != "reaction":
        for earlier in games.load_orders(session, context.game, context.seat, context.kind):
            earlier.is_current = earlier.is_current and earlier.gate != context.gate
    row = SealedOrdersRow(
        game_id=context.game,
        gate=context.gate,
        opening_entry=context.opening_entry,
        seat=context.seat,
        kind=context.kind,
        revision=context.revision,
        ciphertext=sealed.to_bytes(),
        commitment=sealed.commitment,
        is_current=True,
        created_at=services.now(),
    )
    games.insert_orders(session, row)
    return row


def allocate_slot(
    session: Session, game: str, gate: str, opening_entry: int, seat: str, kind: OrdersKind, beyond: int = 1
) -> OrdersContext:
    """The place for sealed orders, under the next revision there; `beyond`: the one after so many."""
    row = _find_revision(session, game, gate, seat, kind)
    newest = row.revision if row is not None else 0
    return OrdersContext(game, gate, opening_entry, seat, newest + beyond, kind)


def _find_revision(session: Session, game: str, gate: str, seat: str, kind: str) -> OrderRevision | None:
    rows = games.count_revisions(session, game, gate)
    return next((row for row in rows if (row.seat, row.kind) == (seat, kind)), None)


def _next_revision(session: Session, context: OrdersContext) -> int:
    """The revision that a place is given now, and never again; the caller has locked the game."""
    row = _find_revision(session, context.game, context.gate, context.seat, context.kind)
    if row is None:
        row = OrderRevision(game_id=context.game, gate=context.gate, seat=context.seat, kind=context.kind, revision=0)
        games.start_revision(session, row)
    row.revision += 1
    return row.revision


def context_of(row: SealedOrdersRow, kind: OrdersKind) -> OrdersContext:
    """The place that stored orders must have been sealed for."""
    return OrdersContext(row.game_id, row.gate, row.opening_entry, row.seat, row.revision, kind)


def list_valid(session: Session, verify: VerifyKeys, game: str, seat: str, kind: str) -> list[SealedOrdersRow]:
    """The sealed orders of a seat that count, oldest first, by their revisions and by what is signed.

    In each place the newest counts, unless it was taken back; of reactions all that were not.
    """
    rows = games.load_orders(session, game, seat, kind)
    newest = {row.gate: row.revision for row in rows}
    live = (row for row in rows if kind == "reaction" or row.revision == newest[row.gate])
    return [row for row in live if not disposition(verify, row)]


def disposition(verify: VerifyKeys, row: SealedOrdersRow) -> Disposition:
    """How sealed orders ended: `withdrawn`, `void`, or not at all; a mark that nobody of ours signed ends nothing."""
    if row.end_signature is None:
        return ""
    context = OrdersContext(row.game_id, row.gate, row.opening_entry, row.seat, row.revision, _kind(row))
    for ended in END_DISPOSITIONS:
        with suppress(CryptoError):
            Receipt(context, ended, row.commitment, "", row.end_signature).verify(verify)
            return ended
    return ""


def mark_ended(row: SealedOrdersRow, signing: SigningKey, act: ReceiptAction) -> Receipt:
    """Mark sealed orders as withdrawn or void; the receipt for it."""
    context = OrdersContext(row.game_id, row.gate, row.opening_entry, row.seat, row.revision, _kind(row))
    receipt = sign_receipt(signing, context, row.commitment, act=act)
    row.is_current, row.end_signature = False, receipt.signed
    return receipt


def list_superseded(
    session: Session, verify: VerifyKeys, game: str, gate: str, counted: Sequence[CountedAnswer]
) -> tuple[SupersededOrders, ...]:
    """The other sealed orders of a gate's seats, and why each are not counted: for the file, before their deletion."""
    used = {one.commitment for one in counted}
    places = dict.fromkeys((one.seat, one.question or gate) for one in counted)
    rows = [r for seat, name in places for r in games.load_orders(session, game, seat, "orders") if r.gate == name]
    return tuple(_superseded_record(verify, row) for row in rows if row.commitment not in used)


def _superseded_record(verify: VerifyKeys, row: SealedOrdersRow) -> SupersededOrders:
    why = disposition(verify, row)
    context = context_of(row, "orders").to_bytes()
    return SupersededOrders(
        context, row.commitment, why or "superseded", row.end_signature if why and row.end_signature else b""
    )


def _kind(row: SealedOrdersRow) -> OrdersKind:
    return cast(OrdersKind, row.kind)


def unseal(
    session: Session, keys: GameKeys, verify: VerifyKeys, row: SealedOrdersRow, kind: OrdersKind, how: str
) -> tuple[bytes, CountedAnswer]:
    """What sealed orders hold, with their proof; raises TamperedError, also for those of another player.

    When a seat passes on, its orders are deleted: so its holder, or the orders, were put back since.
    """
    context = context_of(row, kind)
    inside = unseal_orders(keys, verify, context, SealedOrders.from_bytes(row.ciphertext))
    seat = games.load_seat(session, row.game_id, row.seat)
    if inside.holder and (seat is None or seat.user_id != inside.holder):
        raise TamperedError("orders", "it is not of the player who holds the seat")
    text = inside.orders.decode()
    return inside.orders, CountedAnswer(row.seat, (), how, "", context.to_bytes(), row.commitment, inside.salt, text)


def find_current(session: Session, verify: VerifyKeys, row: QuestionRow, since: int | None) -> SealedOrdersRow | None:
    """The sealed orders that answer an open question, unopened, whether or not the question's row calls it answered.

    They name the entry that put the question, or are newer than what was there when it was put (`since`; see
    `QuestionOpening`): then the question's row named another entry as they were sealed.
    """
    found = (b for b in list_valid(session, verify, row.game_id, row.seat, "orders") if b.gate == row.gate)
    own = [b for b in found if b.opening_entry == row.opening_entry or (since is not None and b.revision > since)]
    return own[-1] if own else None


def unseal_answer(session: Session, keys: GameKeys, verify: VerifyKeys, row: SealedOrdersRow) -> CountedAnswer:
    """The set that sealed orders hold, with its proof; raises TamperedError."""
    content, proof = unseal(session, keys, verify, row, "orders", "orders")
    filed: RecordedOrders = load(content)
    return replace(proof, orders=filed.orders, words=filed.words)


def unseal_advance_orders(
    session: Session, keys: GameKeys, verify: VerifyKeys, game: str, decision: Question
) -> RecordedOrders | None:
    """What a seat filed ahead for a question that has opened, with its proof; it is taken out of its place."""
    for row in list_valid(session, verify, game, decision.seat, "advance"):
        if Gate.parse(row.gate).holds(Gate.parse(decision.gate)):
            content, proof = unseal(session, keys, verify, row, "advance", "advance")
            delete_for_gate(session, game, row.gate, [row.seat], "advance")
            filed: RecordedOrders = load(content)
            return replace(filed, ahead=CommitmentOpening(proof.context, proof.commitment, proof.salt, proof.content))
    return None


def reseal_by_resolver(
    services: Services, keys: GameKeys, session: Session, row: QuestionRow, filed: RecordedOrders
) -> None:
    """Seal anew, for the gate that has opened, what was filed ahead for it."""
    require_lock(session)
    context = allocate_slot(session, row.game_id, row.gate, row.opening_entry, row.seat, "orders")
    signing, content = services.resolver_keys.signing, dump(filed).encode()
    seat = games.load_seat(session, row.game_id, row.seat)
    holder = seat.user_id if seat is not None else None
    store(services, session, seal(services, keys.orders.public(), signing, context, holder, content))
    mark_submitted(row, row.opened_at, passed=not filed.orders)


def invalidate(session: Session, signing: SigningKey, verify: VerifyKeys, question: QuestionRow) -> None:
    """What answers an open question can stand no more: it stays until the gate closes, and says so."""
    for row in list_valid(session, verify, question.game_id, question.seat, "orders"):
        if row.gate == question.gate:
            mark_ended(row, signing, "void")


def discard_for_new_holder(services: Services, session: Session, game: str, seat: str) -> None:
    """A seat changes hands: what was filed for it is destroyed unread.

    That orders can no longer answer a question is signed, and kept until the gate closes: the file then tells who has
    the receipt why they were not counted.
    """
    kept = list_valid(session, services.verify, game, seat, "orders")
    for row in kept:
        mark_ended(row, services.signing_key, "void")
        row.ciphertext = b""
    others = SealedOrdersRow.id.not_in([row.id for row in kept])
    session.execute(
        delete(SealedOrdersRow).where(SealedOrdersRow.game_id == game, SealedOrdersRow.seat == seat, others)
    )


def delete_for_gate(session: Session, game: str, gate: str, seats: Sequence[str], kind: OrdersKind = "orders") -> None:
    """Delete the sealed orders of a gate, superseded ones included: their contents live on in the journal alone."""
    lying = games.load_all_orders(session, game)
    games.delete_orders(
        session, game, [row for row in lying if (row.gate, row.kind) == (gate, kind) and row.seat in seats]
    )


def delete_for_game(session: Session, game: str) -> None:
    """Delete all sealed orders of a game that is over: nothing will open them any more."""
    games.delete_orders(session, game, games.load_all_orders(session, game))
