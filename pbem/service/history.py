"""A game under way, to look back on: each entry as one's seat was shown it then."""

from pbem.service import pages, records, reports
from pbem.service.office import Office
from pbem.store.games import table
from pbem.store.models import User


def then(office: Office, user_id: int, game_id: str, seat: str, entry: int) -> records.Then | None:
    """The last thing that a seat was shown up to an entry; None before whoever asks may know anything.

    Whoever took the seat over, or answers for it, sees nothing of what it was shown before.
    """
    with office.db.reading() as session:
        game = table(session, game_id)
        if game is None:
            return None
        known = max(reports.known_since(session, game_id, seat), pages.known_from(office, session, game_id, user_id))
        entries = tuple(e for e in records.entries_of(session, game_id, seat) if e >= known)
        wanted = max((e for e in entries if e <= entry), default=None)
        if wanted is None:
            return None
        user = session.get_one(User, user_id)
        shown = records.page_of(office, session, game, user, seat, wanted, entries)
        return records.Then(shown, seat, (seat,), wanted, entries)
