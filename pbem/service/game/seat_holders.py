"""Who holds the seats of a game, as play last knew it: sealed under the game's own key, where nobody else writes.

A signature on a row cannot tell that the row is an older one put back.  So before play reads orders back or counts
them, it compares each seat's holder and the digest of their address with what it wrote down, and believes in a new
holder, or in a new address of theirs, only by a newer row of the book of holdings.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from sqlalchemy import and_, bindparam, select
from sqlalchemy.orm import Session

from engine.kernel.codec import dump, load, serializable
from pbem.common.states import GameState
from pbem.crypto import GameKeys, TamperedError, seal_entry, unseal_entry
from pbem.store.columns import select_verified_columns
from pbem.store.games import occupied_seats
from pbem.store.identity_cache import cached
from pbem.store.models import Game, SeatRow, SeatTenure, User

KIND = "holders"
ENDED: Final = (GameState.OVER, GameState.MOVED, GameState.ARCHIVED)
"""States that no game under way ever had: there is no older row of it to be put back that says so."""


@serializable("pbem.Holder")
@dataclass(frozen=True)
class Holder:
    """A person on a seat: their number, the holding by which they took it (0: they began with it), their address."""

    user: int
    tenure: int
    address: bytes


Holders = dict[str, Holder]


def record(session: Session, keys: GameKeys, game: Game) -> None:
    """Write down who holds the seats now, as a game begins."""
    _save(keys, game, _current_holders(session, game, {}))


def verify(session: Session, keys: GameKeys, game: Game) -> None:
    """Raise Tampered unless each seat is held as play last knew it, or was passed on since."""
    if game.state in ENDED or (game.state != GameState.RUNNING and game.holders_sealed is None):
        return
    if game.holders_sealed is None:
        raise TamperedError("seat", "play has not written down who holds it")
    known = _load_checkpoint(session, keys, game, game.holders_sealed)
    now = _current_holders(session, game, known)
    for seat, holder in now.items():
        _find_difference(known.get(seat), holder)
    if now != known:
        _save(keys, game, now)


def _load_checkpoint(session: Session, keys: GameKeys, game: Game, noted: bytes) -> Holders:
    """What was written down, opened once in a visit; callers do not change it."""
    return cached(
        session, Game, (game.id, KIND, noted), lambda: load(unseal_entry(keys.position, game.id, 0, KIND, noted))
    )


def _find_difference(known: Holder | None, now: Holder) -> None:
    elsewhere = known is not None and known.user == now.user and known.address != now.address
    if known is None or (elsewhere and now.tenure <= known.tenure):
        raise TamperedError("seat", "it is not held by whom play knows there, at their address")
    if known.user != now.user and now.tenure <= known.tenure:
        raise TamperedError("seat", "it was given back to a former holder")


def _current_holders(session: Session, game: Game, known: Holders) -> Holders:
    """Each seat's holder; an empty seat keeps the one it had."""
    held = cached(session, SeatTenure, game.id, lambda: _select_holders(session, game.id))
    return {
        **known,
        **{row.seat: _to_holder(user, held.get(row.seat, 0)) for row, user in occupied_seats(session, game.id)},
    }


def _select_holders(session: Session, game_id: str) -> Mapping[str, int]:
    return {row.seat: row.id for row in select_verified_columns(session, SeatTenure, _HELD, {"game": game_id})}


_HELD = (
    select(SeatTenure)
    .join(SeatRow, and_(SeatRow.game_id == SeatTenure.game_id, SeatRow.seat == SeatTenure.seat))
    .where(SeatTenure.game_id == bindparam("game"), SeatTenure.user_id == SeatRow.user_id, SeatTenure.until.is_(None))
    .order_by(SeatTenure.id)
)
"""By what those who sit there now hold their seats: the last row of each counts."""


def _to_holder(user: User, holding: int) -> Holder:
    return Holder(user.id, holding, hashlib.sha256(user.address.encode("utf-8", "surrogatepass")).digest())


def _save(keys: GameKeys, game: Game, holders: Holders) -> None:
    game.holders_sealed = seal_entry(keys.position, game.id, 0, KIND, dump(holders).encode())
