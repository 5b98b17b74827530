"""What play last saw of a game's ballots, sealed where nobody else writes: what is gone since, its operator is told of.

Between two visits ballots are only added.  One that play saw and that is not there any more was removed by somebody
who writes in the database, unless the seat went to another person meanwhile.
"""

import hashlib

from sqlalchemy.orm import Session

from engine.kernel.codec import dump, load
from pbem.states import GameState
from pbem.store.games import every_ballot, seats
from pbem.store.models import Game, RoundRow
from pbem.vault import GameKeys, open_entry, seal_entry

KIND = "filed"
FIXED = "the gate that waits"
Seen = dict[str, tuple[int, tuple[str, ...]]]
"""For each seat its holder, and the commitments that lay there; and the answers that wait for a round of the beacon."""


def look(session: Session, keys: GameKeys, game: Game) -> str:
    """A sentence for the operator if ballots are gone that play saw; it stands at the game until it is retried."""
    if game.state != GameState.RUNNING or game.filed_sealed is None:
        return ""
    before: Seen = load(open_entry(keys.position, game.id, 0, KIND, game.filed_sealed))
    now = _seen(session, game)
    gone = [
        seat for seat, (holder, known) in before.items() if holder == now[seat][0] and set(known) - set(now[seat][1])
    ]
    if gone:
        game.doubt = f"ballots of {', '.join(sorted(gone))} that play saw are gone at entry {game.entry}"[:120]
    return game.doubt or "" if gone else ""


def keep(session: Session, keys: GameKeys, game: Game) -> None:
    """Write down what lies there as a visit ends."""
    if game.state == GameState.RUNNING:
        game.filed_sealed = seal_entry(keys.position, game.id, 0, KIND, dump(_seen(session, game)).encode())


def _seen(session: Session, game: Game) -> Seen:
    rows = [(row.seat, row.commitment) for row in every_ballot(session, game.id)]
    filed = {
        row.seat: tuple(sorted(made for seat, made in rows if seat == row.seat)) for row in seats(session, game.id)
    }
    waits = session.get(RoundRow, game.id)
    fixed = (hashlib.sha256(waits.sealed).hexdigest(),) if waits is not None else ()
    return {row.seat: (row.user_id or 0, filed[row.seat]) for row in seats(session, game.id)} | {FIXED: (0, fixed)}
