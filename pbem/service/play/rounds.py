"""Gates that wait for a round of the public beacon: answers fixed and told first, drawn when the network has signed it.

Whoever knows all orders before a gate closes could try orders of a seat of their own until they like the draw.  With
the beacon nobody knows the draw when the answers are fixed: the round is signed later, by a network of others.
"""

from dataclasses import dataclass, replace
from typing import Final

from sqlalchemy.orm import Session

from engine.kernel.codec import dump, load, saved
from engine.kernel.correction_events import Uncorrectable
from engine.kernel.events import Event
from engine.kernel.gates import Gate
from pbem.archive.entries import BEACON, Counted, Drawn, digest_of
from pbem.service.base.calendar import HOUR_MS
from pbem.service.base.services import Services
from pbem.service.game.visit import Signed, Visit
from pbem.service.post import notifications
from pbem.store.models import Game, RoundRow
from pbem.vault import beacon, open_entry, seal_entry
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


def signed(services: Services, game_id: str) -> Signed | None:
    """The round that a game waits for, if it is there and its signature fits; outside of any writing."""
    with services.db.reading() as session:
        row = session.get(RoundRow, game_id)
        found = (row.round, row.signature) if row is not None else (0, None)
    number, signature = found
    if signature is None or not beacon.installed() or not beacon.QUICKNET.fits(number, signature):
        return None
    return Signed(number, signature)


def waiting(session: Session, game: Game) -> RoundRow | None:
    """The gate of a game that waits for its round, if one does."""
    return session.get(RoundRow, game.id) if game.mixing == BEACON else None


def fix(visit: Visit, gate: str, counted: tuple[Counted, ...], told: tuple[tuple[str, tuple[Event, ...]], ...]) -> None:
    """Fix the answers of a gate, and tell every seat the round that its draws wait for."""
    game, chain, at = visit.game, beacon.QUICKNET, visit.now // 1000
    drawn = Drawn(chain.hash, chain.after(at + MARGIN_S), at, visit.services.chance(32), "")
    drawn = replace(drawn, digest=digest_of(game.id, game.entry + 1, counted, drawn))
    due = chain.due(drawn.round)
    row = RoundRow(
        game_id=game.id,
        entry=game.entry + 1,
        gate=gate,
        round=drawn.round,
        sealed=b"",
        fixed_at=visit.now,
        due_at=due * 1000,
        tries=0,
        told=False,
    )
    _seal(visit, row, Fixed(counted, drawn, told))
    visit.session.add(row)
    for question in visit.rows().values():
        question.counted = question.counted or question.gate == gate
    visit.wrote = True
    _announce(visit, gate, drawn, due)


def _announce(visit: Visit, gate: str, drawn: Drawn, due: int) -> None:
    number = visit.game.entry + 1
    place = visit.game.id, gate, number, drawn.chain[:8], drawn.round, drawn.at
    receipt = RoundReceipt(*place, drawn.digest, b"").sign(visit.services.playing.signing)
    terms = {"asks": Gate.parse(gate).asks, "round": drawn.round, "due": due, "proof": str(receipt)}
    notifications.notice_to_all(visit.services, visit.session, visit.game, f"b{number}", "round", terms)


def ready(visit: Visit, row: RoundRow) -> Fixed | None:
    """The answers of a gate with what they are drawn with; None as long as the round is not there.

    What lies there and does not fit is put right, so that the network is asked again.
    """
    fixed = _opened(visit, row)
    if fixed.bare:
        return fixed
    if visit.signed is None or visit.signed.number != fixed.drawn.round:
        row.round, row.signature = fixed.drawn.round, None
        return None
    return replace(fixed, drawn=replace(fixed.drawn, signature=visit.signed.signature))


def done(visit: Visit, row: RoundRow) -> None:
    """The gate waits no more."""
    visit.session.delete(row)
    for question in visit.rows().values():
        question.counted = False


def give_up(visit: Visit) -> None:
    """Let the gate that waits be drawn without its round, as a master has said; raises Uncorrectable."""
    row = waiting(visit.session, visit.game)
    fixed = _opened(visit, row) if row is not None else None
    if row is None or fixed is None or not _late(fixed.drawn.round, visit.now):
        raise Uncorrectable("moved_on")
    _seal(visit, row, replace(fixed, bare=True))


def overdue(row: RoundRow, now: int) -> bool:
    """Return True if a round has not come for so long that a master may give it up."""
    return row.signature is None and _late(row.round, now)


def _late(number: int, now: int) -> bool:
    return abs(now - beacon.QUICKNET.due(number) * 1000) > PATIENCE_MS


def _opened(visit: Visit, row: RoundRow) -> Fixed:
    fixed: Fixed = load(open_entry(visit.keys.position, visit.game.id, visit.game.entry + 1, KIND, row.sealed))
    return fixed


def _seal(visit: Visit, row: RoundRow, fixed: Fixed) -> None:
    place = visit.game.id, visit.game.entry + 1, KIND
    row.sealed = seal_entry(visit.keys.position, *place, dump(fixed).encode())
