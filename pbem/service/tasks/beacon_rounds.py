"""Rounds of the public beacon that gates wait for: asked of the network, and kept for play, which looks for itself.

Nothing of a game goes out: the network is asked for a round by its number, and signs all rounds alike.
"""

from typing import Final

from sqlalchemy import or_, select, update

from pbem.common.outage_log import skip_unreadable
from pbem.common.states import GameState
from pbem.crypto import beacon
from pbem.narration.facts import Message
from pbem.service.access.masters import masters_of
from pbem.service.base.background import BackgroundJob
from pbem.service.base.services import Services
from pbem.service.mail.master_mail import send_prompt
from pbem.service.resolver import beacon_draws
from pbem.store.games import lock_game
from pbem.store.models import Game, PendingDraw

SOONEST_MS: Final = 5_000
LATEST_MS: Final = 300_000
"""How long the network is left alone after it had nothing: at first, and at most."""
MAX_PER_RUN: Final = 20


def fetch_due(services: Services) -> int:
    """Ask the network for the rounds that are due; returns how many came."""
    came = 0
    for game_id in _due_rounds(services):
        with skip_unreadable():
            came += _fetch(services, game_id)
    return came


fetch_in_background: Final = BackgroundJob("fetch_beacon_rounds", fetch_due)
"""The same in a thread of its own: letters must not wait for the network."""


def _due_rounds(services: Services) -> list[str]:
    """The games whose rounds should be there, or are too far ahead to wait for; what has waited longest first."""
    now = services.now()
    due = or_(PendingDraw.due_at <= now, PendingDraw.due_at > now + beacon_draws.PATIENCE_MS)
    late = PendingDraw.signature.is_(None), due
    with services.db.snapshot() as session:
        return list(
            session.scalars(select(PendingDraw.game_id).where(*late).order_by(PendingDraw.due_at).limit(MAX_PER_RUN))
        )


def _fetch(services: Services, game_id: str) -> bool:
    with services.db.snapshot() as session:
        row = session.get(PendingDraw, game_id)
        entry, number = (row.entry, row.round) if row is not None else (0, 0)
    signature = services.fetch_round(number) if number and services.fetch_round is not None else None
    services.fault_point("beacon.asked")
    if signature is None:
        _postpone(services, game_id, entry)
        return False
    with services.db.transaction() as session:
        its = PendingDraw.game_id == game_id, PendingDraw.entry == entry, PendingDraw.round == number
        session.execute(update(PendingDraw).where(*its).values(signature=signature))
        session.execute(update(Game).where(Game.id == game_id).values(play_wanted=services.now()))
    services.enqueue("resolve_game", game_id)
    return True


def _postpone(services: Services, game_id: str, entry: int) -> None:
    """Ask again later, and tell the masters once that the round does not come.

    In two steps, so that a table that cannot be read is asked for less and less too.
    """
    with services.db.transaction() as session:
        row = session.get(PendingDraw, game_id, with_for_update=True)
        if row is None or row.entry != entry:
            return
        row.due_at = services.now() + min(SOONEST_MS << min(row.tries, 10), LATEST_MS)
        row.tries += 1
        if row.told or not beacon_draws.is_overdue(row, services.now()):
            return
    _notify_masters(services, game_id, entry)


def _notify_masters(services: Services, game_id: str, entry: int) -> None:
    with services.db.transaction() as session:
        game, row = lock_game(session, game_id), session.get(PendingDraw, game_id)
        if game is None or row is None or row.entry != entry or row.told or game.state != GameState.RUNNING:
            return
        row.told = True
        said = (Message("round_missing", {"round": row.round, "moment": beacon.QUICKNET.due(row.round)}),)
        for master in masters_of(session, game):
            send_prompt(services, session, game, master, f"round.{row.entry}", said)
    services.enqueue("send_outbound_emails", "")
