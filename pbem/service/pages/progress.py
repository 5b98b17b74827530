"""How far a game is, in numbers that everybody may have."""

from dataclasses import dataclass

from sqlalchemy import func, select

from engine.kernel.names import PUBLIC
from engine.kernel.secrets import seen_by
from pbem.service.base.services import Office
from pbem.service.game.views import last_view
from pbem.states import GameState
from pbem.store.models import Game, LetterIn, LetterOut


@dataclass(frozen=True)
class Progress:
    """Turn and entry of a game, and how many letters went each way."""

    state: GameState
    turn: int
    entry: int
    letters_in: int
    receipts: int
    reports: int
    trouble: str

    @property
    def over(self) -> bool:
        """Return True if the game has ended."""
        return self.state == GameState.OVER


def progress(office: Office, game_id: str) -> Progress:
    """The numbers of a game; LookupError for none."""
    with office.db.reading() as session:
        game = session.get(Game, game_id)
        if game is None:
            raise LookupError(f"there is no game {game_id}")
        turn = 0
        if game.entry:
            seen = last_view(office, session, game, PUBLIC)
            with seen_by(PUBLIC):
                turn = office.rules(game.rules).turn(seen)
        kinds = dict(
            session.execute(
                select(LetterOut.kind, func.count()).where(LetterOut.game_id == game_id).group_by(LetterOut.kind)
            ).all()
        )
        taken = session.scalar(select(func.count()).select_from(LetterIn)) or 0
        reports = sum(kinds.get(kind, 0) for kind in ("report", "started", "over"))
        return Progress(game.state, turn, game.entry, taken, kinds.get("receipt", 0), reports, game.trouble or "")
