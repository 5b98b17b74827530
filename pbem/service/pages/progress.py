"""How far a game is, in numbers that everybody may have."""

from dataclasses import dataclass

from sqlalchemy import func, select

from engine.kernel.secrets import seen_by
from engine.kernel.viewers import PUBLIC
from pbem.common.states import GameState
from pbem.service.base.services import Services
from pbem.service.game.seat_views import last_view
from pbem.store.models import Game, InboundEmail, OutboundEmail


@dataclass(frozen=True)
class Progress:
    """Turn and entry of a game, and how many letters went each way."""

    state: GameState
    turn: int
    entry: int
    letters_in: int
    receipts: int
    reports: int
    failure: str

    @property
    def over(self) -> bool:
        """Return True if the game has ended."""
        return self.state == GameState.OVER


def load_progress(services: Services, game_id: str) -> Progress:
    """The numbers of a game; LookupError for none."""
    with services.db.snapshot() as session:
        game = session.get(Game, game_id)
        if game is None:
            raise LookupError(f"there is no game {game_id}")
        turn = 0
        if game.entry:
            seen = last_view(services, session, game, PUBLIC)
            with seen_by(PUBLIC):
                turn = services.rules(game.rules).turn(seen)
        kinds = dict(
            session.execute(
                select(OutboundEmail.kind, func.count())
                .where(OutboundEmail.game_id == game_id)
                .group_by(OutboundEmail.kind)
            ).all()
        )
        taken = session.scalar(select(func.count()).select_from(InboundEmail)) or 0
        reports = sum(kinds.get(kind, 0) for kind in ("report", "started", "over"))
        return Progress(game.state, turn, game.entry, taken, kinds.get("receipt", 0), reports, game.trouble or "")
