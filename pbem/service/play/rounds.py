"""Gates that wait for a round of the public beacon: answers fixed and told first, drawn when the network has signed it.

A person who knows all orders before a gate closes could try orders of a seat of their own until they like the draw.
With the beacon nobody knows the draw when the answers are fixed: the round is signed later, by a network of others.
"""

from dataclasses import dataclass, replace
from typing import Final

from sqlalchemy.orm import Session

from engine.kernel.codec import dump, load, saved
from engine.kernel.correction_events import Uncorrectable
from engine.kernel.events import Event
from engine.kernel.gates import Gate, closing
from pbem.archive.again import START
from pbem.archive.entries import BEACON, Counted, Drawn, digest_of
from pbem.service.base.calendar import HOUR_MS
from pbem.service.base.services import Services
from pbem.service.game.visit import Signed, Visit
from pbem.service.post import notifications
from pbem.store.models import Game, RoundRow
from pbem.vault import GameKeys, Tampered, beacon, open_entry, seal_entry
from pbem.vault.receipts import RoundReceipt

MARGIN_S: Final = 120
"""How much later than the closing of its gate a round is signed: time for the letters that announce it."""
PATIENCE_MS: Final = HOUR_MS
"""A round that has not come so long after it was due may be given up by a master; so may one that is further ahead,
which a clock that had jumped has named."""
KIND: Final = "fixed"


@saved("pbem.Fixed")
@dataclass(frozen=True)
class Fixed:
    """The answers of a gate that waits: those that count, its round, and what viewers are told of how they came.

    `bare`: a master lets the gate be drawn without the round.
    """

    counted: tuple[Counted, ...]
    drawn: Drawn
    told: tuple[tuple[str, tuple[Event, ...]], ...]
    bare: bool = False


def signed(look: Session, game: Game | None) -> Signed | None:
    """The round that a game waits for, if it is there and its signature fits; on a look, outside of any writing."""
    row = waiting(look, game) if game is not None else None
    number, signature = (row.round, row.signature) if row is not None else (0, None)
    if signature is None or not beacon.installed() or not beacon.QUICKNET.fits(number, signature):
        return None
    return Signed(number, signature)


def waiting(session: Session, game: Game) -> RoundRow | None:
    """The gate of a game that waits for its round, if one does."""
    return session.get(RoundRow, game.id) if game.mixing == BEACON else None


def fix(visit: Visit, gate: str, counted: tuple[Counted, ...], told: tuple[tuple[str, tuple[Event, ...]], ...]) -> None:
    """Fix the answers of a gate, and tell every seat the round that its draws wait for."""
    drawn = _named(visit.services, visit.game, counted)
    _wait(visit.services, visit.session, visit.game, visit.keys, gate, Fixed(counted, drawn, told))
    for question in visit.rows().values():
        question.counted = question.counted or closing(question.gate) == gate
    visit.wrote = True
    _announce(visit.services, visit.session, visit.game, gate, drawn)


def deal(
    services: Services, session: Session, game: Game, keys: GameKeys, seed: bytes, signed: Signed | None
) -> Drawn | None:
    """The round that a table's deal is drawn with; None while it waits: the joiners' words are fixed and told first.

    Raises Tampered where they are not those that were fixed.
    """
    row = waiting(session, game)
    if row is None:
        drawn = _named(services, game, (), seed)
        _wait(services, session, game, keys, START, Fixed((), drawn, ()))
        _announce(services, session, game, START, drawn)
        return None
    fixed = _with_round(row, _opened(keys, game, row), signed)
    if fixed is None:
        return None
    if fixed.drawn.digest != digest_of(game.id, 1, (), fixed.drawn, seed):
        raise Tampered("deal", "its words are not those that were fixed")
    session.delete(row)
    return fixed.drawn


def _named(services: Services, game: Game, counted: tuple[Counted, ...], seed: bytes = b"") -> Drawn:
    """The round that answers fixed now wait for, and what is told of them."""
    chain, at = beacon.QUICKNET, services.now() // 1000
    drawn = Drawn(chain.hash, chain.after(at + MARGIN_S), at, services.chance(32), "")
    return replace(drawn, digest=digest_of(game.id, game.entry + 1, counted, drawn, seed))


def _wait(services: Services, session: Session, game: Game, keys: GameKeys, gate: str, fixed: Fixed) -> None:
    row = RoundRow(
        game_id=game.id,
        entry=game.entry + 1,
        gate=gate,
        round=fixed.drawn.round,
        sealed=b"",
        fixed_at=services.now(),
        due_at=beacon.QUICKNET.due(fixed.drawn.round) * 1000,
        tries=0,
        told=False,
    )
    _seal(keys, game, row, fixed)
    session.add(row)


def _announce(services: Services, session: Session, game: Game, gate: str, drawn: Drawn) -> None:
    number = game.entry + 1
    place = game.id, gate, number, drawn.chain[:8], drawn.round, drawn.at
    receipt = RoundReceipt(*place, drawn.digest, b"").sign(services.playing.signing)
    terms = {"round": drawn.round, "due": beacon.QUICKNET.due(drawn.round), "proof": str(receipt)}
    kind = "deal_round" if gate == START else "round"
    asks = {} if gate == START else {"asks": Gate.parse(gate).asks}
    notifications.notice_to_all(services, session, game, f"b{number}", kind, asks | terms)


def ready(visit: Visit, row: RoundRow) -> Fixed | None:
    """The answers of a gate with what they are drawn with; None as long as the round is not there."""
    fixed = _opened(visit.keys, visit.game, row)
    return fixed if fixed.bare else _with_round(row, fixed, visit.signed)


def _with_round(row: RoundRow, fixed: Fixed, signed: Signed | None) -> Fixed | None:
    """The same with its round; None without it.

    What lies there and does not fit is put right, so that the network is asked again.
    """
    if signed is None or signed.number != fixed.drawn.round:
        row.round, row.signature = fixed.drawn.round, None
        return None
    return replace(fixed, drawn=replace(fixed.drawn, signature=signed.signature))


def done(visit: Visit, row: RoundRow) -> None:
    """The gate waits no more."""
    visit.session.delete(row)
    for question in visit.rows().values():
        question.counted = False


def give_up(visit: Visit) -> None:
    """Let the gate that waits be drawn without its round, as a master has said; raises Uncorrectable."""
    row = waiting(visit.session, visit.game)
    fixed = _opened(visit.keys, visit.game, row) if row is not None else None
    if row is None or fixed is None or not _late(fixed.drawn.round, visit.now):
        raise Uncorrectable("moved_on")
    _seal(visit.keys, visit.game, row, replace(fixed, bare=True))


def overdue(row: RoundRow, now: int) -> bool:
    """Return True if a round has not come for so long that a master may give it up."""
    return row.signature is None and _late(row.round, now)


def _late(number: int, now: int) -> bool:
    return abs(now - beacon.QUICKNET.due(number) * 1000) > PATIENCE_MS


def _opened(keys: GameKeys, game: Game, row: RoundRow) -> Fixed:
    fixed: Fixed = load(open_entry(keys.position, game.id, game.entry + 1, KIND, row.sealed))
    return fixed


def _seal(keys: GameKeys, game: Game, row: RoundRow, fixed: Fixed) -> None:
    row.sealed = seal_entry(keys.position, game.id, game.entry + 1, KIND, dump(fixed).encode())
