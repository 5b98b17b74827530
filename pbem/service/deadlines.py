"""The clock, and the sweep: what is due is found in the database, whatever became of the messages that said so."""

from sqlalchemy import select

from pbem.service.letters import waiting
from pbem.service.office import Office
from pbem.service.visits import MOST_TRIES
from pbem.store.models import Command, DecisionRow, Game, LetterOut

PATIENCE_MS = 5_000
"""How old a wish must be before the sweep takes it for forgotten."""


def tick(office: Office) -> int:
    """Ask for play in every game with an overdue question; returns how many."""
    with office.db.writing() as session:
        games = list(
            session.scalars(
                select(Game)
                .join(DecisionRow, DecisionRow.game_id == Game.id)
                .where(Game.state == "running", DecisionRow.blocking, DecisionRow.due_at <= office.now())
                .distinct()
            )
        )
        for game in games:
            game.play_wanted = game.play_wanted or office.now()
        ids = [game.id for game in games if game.play_tries < MOST_TRIES]
    for game_id in ids:
        office.wake("play", game_id)
    return len(ids)


def sweep(office: Office) -> int:
    """Wake again for everything that waits longer than it should; returns how many wakes."""
    old = office.now() - PATIENCE_MS
    with office.db.reading() as session:
        wanting = select(Game.id).where(Game.play_wanted < old, Game.play_tries < MOST_TRIES)
        asking = select(Command.game_id).where(Command.state == "asked", Command.made_at < old)
        holding = select(LetterOut.game_id).where(LetterOut.state == "waits", LetterOut.made_at < old)
        games = {g for query in (wanting, asking, holding) for g in session.scalars(query) if g is not None}
        due = session.scalar(
            select(LetterOut.key)
            .where(LetterOut.state.in_(("draft", "wire")), LetterOut.due_at < office.now())
            .limit(1)
        )
    letters = waiting(office)
    for game_id in sorted(games):
        office.wake("play", game_id)
    for letter in letters:
        office.wake("ingest", letter)
    if due is not None:
        office.wake("deliver", "")
    return len(games) + len(letters) + (due is not None)
