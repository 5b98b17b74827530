"""What the draws of an entry are mixed with: nothing that the server alone has chosen."""

from dataclasses import replace
from pathlib import Path

import pytest

from engine.kernel.orders import simply
from pbem.archive.contents import parse
from pbem.archive.entries import MIXED, Counted, Record, luck_of
from pbem.service.game.journal import game_keys, record_of
from pbem.store.models import Game
from tests.archive.files import broken, file_of, finished, forged, look
from tests.service.hall import Hall, build, seated
from tests.toy.orders import Bid

BALLOT = Counted("s1", simply(Bid(2)), "ballot", "my cat", b"place", "ab" * 32, bytes(32), "{}")


def test_salts_and_commitments_change_no_draw() -> None:
    """Whoever makes the salts cannot choose among draws by them: orders and words for luck alone count."""
    other = replace(BALLOT, commitment="cd" * 32, salt=b"x" * 32, context=b"elsewhere", content="[]")
    assert luck_of(MIXED, "g", 5, [BALLOT]) == luck_of(MIXED, "g", 5, [other])
    assert luck_of(1, "g", 5, [BALLOT]) != luck_of(1, "g", 5, [other])


@pytest.mark.parametrize(
    "other",
    [
        replace(BALLOT, orders=simply(Bid(3))),
        replace(BALLOT, words="my dog"),
        replace(BALLOT, seat="s2"),
        Counted("s1", BALLOT.orders, "default"),
    ],
)
def test_what_players_wrote_changes_the_draws(other: Counted) -> None:
    """Other orders, words or seats, an answer that nobody filed, and another entry give other draws."""
    assert luck_of(MIXED, "g", 5, [BALLOT]) != luck_of(MIXED, "g", 5, [other])
    assert luck_of(MIXED, "g", 5, [BALLOT]) != luck_of(MIXED, "g", 6, [BALLOT])


def bids(hall: Hall, game: str) -> Record:
    """The entry in which the bids were counted."""
    with hall.play.db.reading() as session:
        row = session.get_one(Game, game)
        return record_of(session, game_keys(hall.play, row), row, row.entry)


def test_a_game_goes_on_as_it_began(state_dir: Path) -> None:
    """A new game mixes orders; one of an earlier version goes on with commitments to its end."""
    for mixing in (MIXED, 1):
        hall = build(state_dir / str(mixing))
        game = seated(hall, "toy", 3, 24)
        with hall.play.db.writing() as session:
            session.get_one(Game, game).mixing = mixing
        for seat in ("s1", "s2", "s3"):
            hall.say(seat, "BID 1")
        record = bids(hall, game)
        assert record.mixing == mixing
        assert record.luck == luck_of(mixing, game, record.number, record.counted)


def test_a_file_that_changes_how_it_mixes_does_not_hold(state_dir: Path) -> None:
    """With another way of mixing in the midst of a game a server could choose between two draws."""
    blob, _ = finished(state_dir)
    book = parse(blob)
    number = next(n for n, whole in enumerate(book.wholes, 1) if whole.record().counted)

    def changed(record: Record) -> Record:
        return replace(record, mixing=1, luck=luck_of(1, record.game, record.number, record.counted))

    assert "receipts" in broken(look(file_of(forged(book, number, changed))))
