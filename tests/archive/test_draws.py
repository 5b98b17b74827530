"""What the draws of an entry are mixed with: nothing that the server alone has chosen."""

from dataclasses import replace

import pytest

from engine.kernel.orders import unconditional
from pbem.archive.contents import parse
from pbem.archive.entries import BEACON, CountedAnswer, EntryRecord, draw_entropy_of
from tests.archive.files import broken, file_of, finished, forged, verify_file
from tests.toy.orders import Bid

COUNTED = CountedAnswer("s1", unconditional(Bid(2)), "orders", "my cat", b"place", "ab" * 32, bytes(32), "{}")


def test_salts_and_commitments_change_no_draw() -> None:
    """Whoever makes the salts cannot choose among draws by them: orders and words for luck alone count."""
    other = replace(COUNTED, commitment="cd" * 32, salt=b"x" * 32, context=b"elsewhere", content="[]")
    assert draw_entropy_of("g", 5, [COUNTED]) == draw_entropy_of("g", 5, [other])


@pytest.mark.parametrize(
    "other",
    [
        replace(COUNTED, orders=unconditional(Bid(3))),
        replace(COUNTED, words="my dog"),
        replace(COUNTED, seat="s2"),
        CountedAnswer("s1", COUNTED.orders, "default"),
    ],
)
def test_what_players_wrote_changes_the_draws(other: CountedAnswer) -> None:
    """Other orders, words or seats, an answer that nobody filed, and another entry give other draws."""
    assert draw_entropy_of("g", 5, [COUNTED]) != draw_entropy_of("g", 5, [other])
    assert draw_entropy_of("g", 5, [COUNTED]) != draw_entropy_of("g", 6, [COUNTED])


def test_a_file_that_changes_how_it_mixes_does_not_hold() -> None:
    """With another way of mixing in the midst of a game a server could choose between two draws."""
    book = parse(finished()[0])
    number = next(n for n, whole in enumerate(book.wholes, 1) if whole.record().counted)

    def changed(record: EntryRecord) -> EntryRecord:
        return replace(record, mixing=BEACON)

    assert "receipts" in broken(verify_file(file_of(forged(book, number, changed))))
