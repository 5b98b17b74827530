"""Rounds of the public beacon that gates wait for: asked of the network, and kept for play, which looks for itself.

Nothing of a game goes out: the network is asked for a round by its number, and signs all rounds alike.
"""

from typing import Final

from sqlalchemy import or_, select, update

from pbem.narration.facts import Said
from pbem.service.access.masters import masters_of
from pbem.service.base.aside import Aside
from pbem.service.base.services import Services
from pbem.service.play import rounds
from pbem.service.post.master_letters import call
from pbem.states import GameState
from pbem.store.games import locked
from pbem.store.models import Game, RoundRow
from pbem.trouble import passing_over
from pbem.vault import beacon

SOONEST_MS: Final = 5_000
LATEST_MS: Final = 300_000
"""How long the network is left alone after it had nothing: at first, and at most."""
IN_A_GO: Final = 20


def fetch(services: Services) -> int:
    """Ask the network for the rounds that are due; returns how many came."""
    came = 0
    for game_id in _due(services):
        with passing_over():
            came += _fetched(services, game_id)
    return came


fetch_aside: Final = Aside("beacon", fetch)
"""The same in a thread of its own: letters must not wait for the network."""


def _due(services: Services) -> list[str]:
    """The games whose rounds should be there, or are too far ahead to wait for; what has waited longest first."""
    now = services.now()
    due = or_(RoundRow.due_at <= now, RoundRow.due_at > now + rounds.PATIENCE_MS)
    late = RoundRow.signature.is_(None), due
    with services.db.reading() as session:
        return list(session.scalars(select(RoundRow.game_id).where(*late).order_by(RoundRow.due_at).limit(IN_A_GO)))


def _fetched(services: Services, game_id: str) -> bool:
    with services.db.reading() as session:
        row = session.get(RoundRow, game_id)
        entry, number = (row.entry, row.round) if row is not None else (0, 0)
    signature = services.ask_beacon(number) if number and services.ask_beacon is not None else None
    services.point("beacon.asked")
    if signature is None:
        _put_off(services, game_id, entry)
        return False
    with services.db.writing() as session:
        its = RoundRow.game_id == game_id, RoundRow.entry == entry, RoundRow.round == number
        session.execute(update(RoundRow).where(*its).values(signature=signature))
        session.execute(update(Game).where(Game.id == game_id).values(play_wanted=services.now()))
    services.wake("play", game_id)
    return True


def _put_off(services: Services, game_id: str, entry: int) -> None:
    """Ask again later, and tell the masters once that the round does not come.

    In two steps, so that a table that cannot be read is asked for less and less too.
    """
    with services.db.writing() as session:
        row = session.get(RoundRow, game_id, with_for_update=True)
        if row is None or row.entry != entry:
            return
        row.due_at = services.now() + min(SOONEST_MS << min(row.tries, 10), LATEST_MS)
        row.tries += 1
        if row.told or not rounds.overdue(row, services.now()):
            return
    _tell(services, game_id, entry)


def _tell(services: Services, game_id: str, entry: int) -> None:
    with services.db.writing() as session:
        game, row = locked(session, game_id), session.get(RoundRow, game_id)
        if game is None or row is None or row.entry != entry or row.told or game.state != GameState.RUNNING:
            return
        row.told = True
        said = (Said("round_missing", {"round": row.round, "moment": beacon.QUICKNET.due(row.round)}),)
        for master in masters_of(session, game):
            call(services, session, game, master, f"round.{row.entry}", said)
    services.wake("deliver", "")
