"""Ballots in the store: filed by web and post, who cannot read them again; opened and destroyed by play.

A ballot lies in a place (game, gate, seat, kind) under a revision.  The newest counts; older ones stay as a number
only, since `RevisionRow` outlives them.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final, Literal, cast

from sqlalchemy import delete
from sqlalchemy.orm import Session

from engine.kernel.codec import dump, load
from engine.kernel.gates import Gate
from engine.kernel.orders import Decision
from pbem.archive.entries import Beside, Counted, Filed, Proof
from pbem.service.base.answer_state import submitted
from pbem.service.base.races import Outrun
from pbem.service.base.services import Services
from pbem.store import games
from pbem.store.models import BallotRow, DecisionRow, Game, RevisionRow
from pbem.store.preparing import lock_needed
from pbem.vault import (
    BallotContext,
    BallotKey,
    GameKeys,
    SealedBallot,
    SigningKey,
    Tampered,
    VaultError,
    VerifyKeys,
    WrappedGameKeys,
    ballot_key,
    open_ballot,
    seal_ballot,
)
from pbem.vault.ballots import DIGEST, BallotKind
from pbem.vault.receipts import Act, Receipt, sign_receipt

ENDS: Final[tuple[Literal["withdrawn", "void"], ...]] = ("withdrawn", "void")
Fate = Literal["", "withdrawn", "void"]


def sealing_key(game: Game, verify: VerifyKeys) -> BallotKey:
    """The public key to which this game's ballots are sealed; raises Tampered if no play worker signed it."""
    if game.keys is None:
        raise LookupError(f"game {game.id} has no keys yet")
    return ballot_key(verify, game.id, WrappedGameKeys.from_bytes(game.keys).public)


def sealed(
    services: Services, key: BallotKey, signing: SigningKey, context: BallotContext, holder: int | None, content: bytes
) -> SealedBallot:
    """A ballot for its place, which `put` stores; `holder`: who holds the seat."""
    return seal_ballot(key, signing, context, content, services.chance(DIGEST), holder or 0)


def put(services: Services, session: Session, ballot: SealedBallot) -> BallotRow:
    """Store a ballot that was sealed for a revision to come; raises Outrun where another one has taken that.

    What stood there before stands no longer; riders add up instead, since each letter names its own questions.
    """
    context = ballot.context
    if _counted(session, context) != context.revision:
        raise Outrun
    if context.kind != "rider":
        for earlier in games.all_ballots(session, context.game, context.seat, context.kind):
            earlier.standing = earlier.standing and earlier.gate != context.gate
    row = BallotRow(
        game_id=context.game,
        gate=context.gate,
        opening_entry=context.opening_entry,
        seat=context.seat,
        kind=context.kind,
        revision=context.revision,
        sealed=ballot.to_bytes(),
        commitment=ballot.commitment,
        standing=True,
        made_at=services.now(),
    )
    games.file(session, row)
    return row


def place(
    session: Session, game: str, gate: str, opening_entry: int, seat: str, kind: BallotKind, beyond: int = 1
) -> BallotContext:
    """The place for a ballot, under the next revision there; `beyond`: the one after so many."""
    row = _numbered(session, game, gate, seat, kind)
    newest = row.revision if row is not None else 0
    return BallotContext(game, gate, opening_entry, seat, newest + beyond, kind)


def _numbered(session: Session, game: str, gate: str, seat: str, kind: str) -> RevisionRow | None:
    rows = games.revisions(session, game, gate)
    return next((row for row in rows if (row.seat, row.kind) == (seat, kind)), None)


def _counted(session: Session, context: BallotContext) -> int:
    """The revision that a place is given now, and never again; the caller has locked the game."""
    row = _numbered(session, context.game, context.gate, context.seat, context.kind)
    if row is None:
        row = RevisionRow(game_id=context.game, gate=context.gate, seat=context.seat, kind=context.kind, revision=0)
        games.number(session, row)
    row.revision += 1
    return row.revision


def context_of(row: BallotRow, kind: BallotKind) -> BallotContext:
    """The place that a stored ballot must have been sealed for."""
    return BallotContext(row.game_id, row.gate, row.opening_entry, row.seat, row.revision, kind)


def counting(session: Session, verify: VerifyKeys, game: str, seat: str, kind: str) -> list[BallotRow]:
    """The ballots of a seat that count, oldest first, by their revisions and by what is signed, at every door.

    In each place the newest counts, unless it was taken back; of riders all that were not.
    """
    rows = games.all_ballots(session, game, seat, kind)
    newest = {row.gate: row.revision for row in rows}
    live = (row for row in rows if kind == "rider" or row.revision == newest[row.gate])
    return [row for row in live if not fate(verify, row)]


def fate(verify: VerifyKeys, row: BallotRow) -> Fate:
    """How a ballot ended: `withdrawn`, `void`, or not at all; a mark that nobody of ours signed ends nothing."""
    if row.ended is None:
        return ""
    context = BallotContext(row.game_id, row.gate, row.opening_entry, row.seat, row.revision, _kind(row))
    for ended in ENDS:
        with suppress(VaultError):
            Receipt(context, ended, row.commitment, "", row.ended).check(verify)
            return ended
    return ""


def end(row: BallotRow, signing: SigningKey, act: Act) -> Receipt:
    """Mark a ballot as taken back, or as one that cannot stand any more; the receipt for it."""
    context = BallotContext(row.game_id, row.gate, row.opening_entry, row.seat, row.revision, _kind(row))
    receipt = sign_receipt(signing, context, row.commitment, act=act)
    row.standing, row.ended = False, receipt.signed
    return receipt


def passed_over(
    session: Session, verify: VerifyKeys, game: str, gate: str, counted: Sequence[Counted]
) -> tuple[Beside, ...]:
    """The other ballots of a gate's seats, and why each is not counted: for the file, before they are destroyed."""
    used = {one.commitment for one in counted}
    places = dict.fromkeys((one.seat, one.question or gate) for one in counted)
    rows = [r for seat, name in places for r in games.all_ballots(session, game, seat, "orders") if r.gate == name]
    return tuple(_beside(verify, row) for row in rows if row.commitment not in used)


def _beside(verify: VerifyKeys, row: BallotRow) -> Beside:
    why = fate(verify, row)
    context = context_of(row, "orders").to_bytes()
    return Beside(context, row.commitment, why or "superseded", row.ended if why and row.ended else b"")


def _kind(row: BallotRow) -> BallotKind:
    return cast(BallotKind, row.kind)


def opened(
    session: Session, keys: GameKeys, verify: VerifyKeys, row: BallotRow, kind: BallotKind, how: str
) -> tuple[bytes, Counted]:
    """What a ballot holds, with everything that proves it; raises Tampered, also where it is another player's.

    When a seat passes on, its ballots are destroyed: so its holder, or the ballot, was put back since.
    """
    context = context_of(row, kind)
    inside = open_ballot(keys, verify, context, SealedBallot.from_bytes(row.sealed))
    seat = games.seat_named(session, row.game_id, row.seat)
    if inside.holder and (seat is None or seat.user_id != inside.holder):
        raise Tampered("ballot", "it is not of the player who holds the seat")
    text = inside.orders.decode()
    return inside.orders, Counted(row.seat, (), how, "", context.to_bytes(), row.commitment, inside.salt, text)


def answering(session: Session, verify: VerifyKeys, row: DecisionRow, since: int | None) -> BallotRow | None:
    """The ballot that answers an open question, unopened; whether the question's row calls it answered is no matter.

    It names the entry that put the question, or is newer than what was there when it was put (`since`; see `Opening`):
    then the question's row named another entry as it was sealed.
    """
    found = (b for b in counting(session, verify, row.game_id, row.seat, "orders") if b.gate == row.gate)
    own = [b for b in found if b.opening_entry == row.opening_entry or (since is not None and b.revision > since)]
    return own[-1] if own else None


def answer_in(session: Session, keys: GameKeys, verify: VerifyKeys, row: BallotRow) -> Counted:
    """The set that a ballot of orders holds, with its proof; raises Tampered."""
    content, proof = opened(session, keys, verify, row, "orders", "ballot")
    filed: Filed = load(content)
    return replace(proof, orders=filed.orders, words=filed.words)


def filed_ahead(session: Session, keys: GameKeys, verify: VerifyKeys, game: str, decision: Decision) -> Filed | None:
    """What a seat filed ahead for a question that has opened, with its proof; it is taken out of its place."""
    for row in counting(session, verify, game, decision.seat, "ahead"):
        if Gate.parse(row.gate).holds(Gate.parse(decision.gate)):
            content, proof = opened(session, keys, verify, row, "ahead", "ahead")
            destroy(session, game, row.gate, [row.seat], "ahead")
            filed: Filed = load(content)
            return replace(filed, ahead=Proof(proof.context, proof.commitment, proof.salt, proof.content))
    return None


def seal_as_play(services: Services, keys: GameKeys, session: Session, row: DecisionRow, filed: Filed) -> None:
    """Seal anew, for the gate that has opened, what was filed ahead for it."""
    lock_needed(session)
    context = place(session, row.game_id, row.gate, row.opening_entry, row.seat, "orders")
    signing, content = services.playing.signing, dump(filed).encode()
    seat = games.seat_named(session, row.game_id, row.seat)
    holder = seat.user_id if seat is not None else None
    put(services, session, sealed(services, keys.ballot.public(), signing, context, holder, content))
    submitted(row, row.opened_at, passed=not filed.orders)


def void(session: Session, signing: SigningKey, verify: VerifyKeys, question: DecisionRow) -> None:
    """What answers an open question can stand no more: it stays until the gate closes, and says so."""
    for row in counting(session, verify, question.game_id, question.seat, "orders"):
        if row.gate == question.gate:
            end(row, signing, "void")


def pass_on(services: Services, session: Session, game: str, seat: str) -> None:
    """A seat changes hands: what was filed for it is destroyed unread.

    That orders can no longer answer a question is signed, and kept until the gate closes: the file then tells who has
    the receipt why they were not counted.
    """
    kept = counting(session, services.verify, game, seat, "orders")
    for row in kept:
        end(row, services.signing, "void")
        row.sealed = b""
    others = BallotRow.id.not_in([row.id for row in kept])
    session.execute(delete(BallotRow).where(BallotRow.game_id == game, BallotRow.seat == seat, others))


def destroy(session: Session, game: str, gate: str, seats: Sequence[str], kind: BallotKind = "orders") -> None:
    """Delete the ballots of a gate, superseded ones included: their contents live on in the journal alone."""
    lying = games.every_ballot(session, game)
    games.remove_ballots(
        session, game, [row for row in lying if (row.gate, row.kind) == (gate, kind) and row.seat in seats]
    )


def destroy_all(session: Session, game: str) -> None:
    """Delete every ballot of a game that is over: nothing will open them any more."""
    session.execute(delete(BallotRow).where(BallotRow.game_id == game))
