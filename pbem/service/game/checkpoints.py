"""What the resolver last saw of a game's sealed orders and questions, sealed where nobody else writes.

Between two visits sealed orders are only added.  Those that the resolver saw and that are gone were removed by somebody
who writes in the database, unless the seat went to another person meanwhile.  Which entry put a question is settled by
the resolver alone: a row that names another one is put right.  The operator is told of both.

Likewise who holds its seats: a signature on a row cannot tell that the row is an older one put back, so a new holder,
or a new address of theirs, is believed only by a newer row of the tenures.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from sqlalchemy import and_, bindparam, select
from sqlalchemy.orm import Session

from engine.kernel.codec import dump, load, serializable
from pbem.archive.entries import BEACON
from pbem.common.states import GameState
from pbem.crypto import GameKeys, TamperedError, seal_entry, unseal_entry
from pbem.service.game.resolver_context import QuestionOpening
from pbem.store.games import load_all_orders, load_questions, load_seats, occupied_seats
from pbem.store.models import Game, OrderRevision, PendingDraw, QuestionRow, SeatRow, SeatTenure, User
from pbem.store.query_cache import cached

ORDERS_KIND = "filed"
Place = tuple[str, str]
FIXED = "the gate that waits"
ASKED = "the open questions"
Checkpoint = dict[str, tuple[int, tuple[str, ...]]]
"""For each seat its holder, and the commitments that lay there; the answers that wait for a round of the beacon; and
the last entry, with the open questions, each as `entry revision seat gate` (see `QuestionOpening`)."""


def find_rollback(session: Session, keys: GameKeys, game: Game) -> str:
    """A sentence for the operator if anything is not as the resolver left it; it stands at the game until retried."""
    before = _load_checkpoint(session, keys, game)
    if game.state != GameState.RUNNING or not before:
        return ""
    said = _find_missing(before, _current_checkpoint(session, game), game.entry)
    said = _restore_questions(session, game, _parse_openings(before)) or said or _find_older(before, game.entry)
    game.integrity_warning = said[:120] or game.integrity_warning
    return said


def _restore_questions(session: Session, game: Game, known: Mapping[Place, QuestionOpening]) -> str:
    """Put the questions right that are said to be of another entry."""
    moved = []
    for row in load_questions(session, game.id):
        asked = known.get((row.gate, row.seat))
        if asked is not None and asked.entry != row.opening_entry:
            moved.append(row.seat)
            row.opening_entry = asked.entry
    return f"a question to {', '.join(sorted(set(moved)))} was said to be of another entry" if moved else ""


def _find_older(before: Checkpoint, entry: int) -> str:
    noted = before.get(ASKED, (entry, ()))[0]
    return f"what play noted at entry {noted} was put back at entry {entry}" if noted != entry else ""


def _find_missing(before: Checkpoint, now: Checkpoint, entry: int) -> str:
    gone = [
        seat
        for seat, (holder, filed) in now.items()
        if seat in before and before[seat][0] == holder and set(before[seat][1]) - set(filed)
    ]
    return f"sealed orders of {', '.join(sorted(gone))} that the resolver saw are gone at entry {entry}" if gone else ""


def save_orders_checkpoint(session: Session, keys: GameKeys, game: Game) -> None:
    """Write down what lies there as a visit ends."""
    if game.state == GameState.RUNNING:
        seen = _current_checkpoint(session, game) | {
            ASKED: (game.entry, _describe_questions(session, game, known_openings(session, keys, game)))
        }
        game.orders_checkpoint = seal_entry(keys.position, game.id, 0, ORDERS_KIND, dump(seen).encode())


def known_openings(session: Session, keys: GameKeys, game: Game) -> dict[Place, QuestionOpening]:
    """The questions that the resolver knows to be open since an earlier visit, by gate and seat."""
    return _parse_openings(_load_checkpoint(session, keys, game))


def _load_checkpoint(session: Session, keys: GameKeys, game: Game) -> Checkpoint:
    """What the resolver wrote down last, opened once in a visit; callers do not change it."""
    sealed = game.orders_checkpoint
    if sealed is None:
        return {}
    return cached(
        session,
        Game,
        (game.id, ORDERS_KIND, sealed),
        lambda: load(unseal_entry(keys.position, game.id, 0, ORDERS_KIND, sealed)),
    )


def _parse_openings(seen: Checkpoint) -> dict[Place, QuestionOpening]:
    written = (line.split(" ", 3) for line in seen.get(ASKED, (0, ()))[1])
    return {(gate, seat): QuestionOpening(int(entry), int(revision)) for entry, revision, seat, gate in written}


def _describe_questions(session: Session, game: Game, known: Mapping[Place, QuestionOpening]) -> tuple[str, ...]:
    """The questions that are open now; how many revisions a place has had is read for those that are new."""
    rows = load_questions(session, game.id)
    new = [row for row in rows if _find_opening(known, row) is None]
    had = {(row.gate, row.seat): row.revision for row in session.execute(_REVISIONS, {"game": game.id})} if new else {}
    put = {(row.gate, row.seat): QuestionOpening(row.opening_entry, had.get((row.gate, row.seat), 0)) for row in new}
    found = ((row, put.get((row.gate, row.seat)) or known[row.gate, row.seat]) for row in rows)
    return tuple(f"{asked.entry} {asked.revision} {row.seat} {row.gate}" for row, asked in found)


def _find_opening(known: Mapping[Place, QuestionOpening], row: QuestionRow) -> QuestionOpening | None:
    asked = known.get((row.gate, row.seat))
    return asked if asked is not None and asked.entry == row.opening_entry else None


_REVISIONS = select(OrderRevision.gate, OrderRevision.seat, OrderRevision.revision).where(
    OrderRevision.game_id == bindparam("game"), OrderRevision.kind == "orders"
)


def _current_checkpoint(session: Session, game: Game) -> Checkpoint:
    rows = [(row.seat, row.commitment) for row in load_all_orders(session, game.id)]
    filed = {
        row.seat: tuple(sorted(made for seat, made in rows if seat == row.seat)) for row in load_seats(session, game.id)
    }
    waits = session.get(PendingDraw, game.id) if game.draw_mixing == BEACON else None
    fixed = (hashlib.sha256(waits.ciphertext).hexdigest(),) if waits is not None else ()
    return {row.seat: (row.user_id or 0, filed[row.seat]) for row in load_seats(session, game.id)} | {FIXED: (0, fixed)}


HOLDERS_KIND = "holders"
ENDED: Final = (GameState.OVER, GameState.TRANSFERRED, GameState.ARCHIVED)
"""States that no game under way ever had: there is no older row of it to be put back that says so."""


@serializable("pbem.Holder")
@dataclass(frozen=True)
class Holder:
    """A person on a seat: their number, the holding by which they took it (0: they began with it), their address."""

    user: int
    tenure: int
    address: bytes


Holders = dict[str, Holder]


def record_holders(session: Session, keys: GameKeys, game: Game) -> None:
    """Write down who holds the seats now, as a game begins."""
    _save(keys, game, _current_holders(session, game, {}))


def verify_holders(session: Session, keys: GameKeys, game: Game) -> None:
    """Raise TamperedError unless each seat is held as the resolver last knew it, or was passed on since."""
    if game.state in ENDED or (game.state != GameState.RUNNING and game.holders_checkpoint is None):
        return
    if game.holders_checkpoint is None:
        raise TamperedError("seat", "play has not written down who holds it")
    known = _load_holders(session, keys, game, game.holders_checkpoint)
    now = _current_holders(session, game, known)
    for seat, holder in now.items():
        _verify_holder(known.get(seat), holder)
    if now != known:
        _save(keys, game, now)


def _load_holders(session: Session, keys: GameKeys, game: Game, noted: bytes) -> Holders:
    """What was written down, opened once in a visit; callers do not change it."""
    return cached(
        session,
        Game,
        (game.id, HOLDERS_KIND, noted),
        lambda: load(unseal_entry(keys.position, game.id, 0, HOLDERS_KIND, noted)),
    )


def _verify_holder(known: Holder | None, now: Holder) -> None:
    elsewhere = known is not None and known.user == now.user and known.address != now.address
    if known is None or (elsewhere and now.tenure <= known.tenure):
        raise TamperedError("seat", "it is not held by whom play knows there, at their address")
    if known.user != now.user and now.tenure <= known.tenure:
        raise TamperedError("seat", "it was given back to a former holder")


def _current_holders(session: Session, game: Game, known: Holders) -> Holders:
    """Each seat's holder; an empty seat keeps the one it had."""
    held = cached(session, SeatTenure, game.id, lambda: _load_tenure_ids(session, game.id))
    return {
        **known,
        **{row.seat: _to_holder(user, held.get(row.seat, 0)) for row, user in occupied_seats(session, game.id)},
    }


def _load_tenure_ids(session: Session, game_id: str) -> Mapping[str, int]:
    return {row.seat: row.id for row in session.scalars(_HELD, {"game": game_id})}


_HELD = (
    select(SeatTenure)
    .join(SeatRow, and_(SeatRow.game_id == SeatTenure.game_id, SeatRow.seat == SeatTenure.seat))
    .where(SeatTenure.game_id == bindparam("game"), SeatTenure.user_id == SeatRow.user_id, SeatTenure.ends_at.is_(None))
    .order_by(SeatTenure.id)
)
"""By what those who sit there now hold their seats: the last row of each counts."""


def _to_holder(user: User, holding: int) -> Holder:
    return Holder(user.id, holding, hashlib.sha256(user.email.encode("utf-8", "surrogatepass")).digest())


def _save(keys: GameKeys, game: Game, holders: Holders) -> None:
    game.holders_checkpoint = seal_entry(keys.position, game.id, 0, HOLDERS_KIND, dump(holders).encode())
