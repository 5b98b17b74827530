"""What is stored for each viewer is small, and its length tells nobody what a person wrote beside what is secret."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from string import ascii_lowercase
from typing import Any

import pytest
from sqlalchemy import delete

from engine.kernel.events import Corrected, Event
from engine.kernel.position import Position
from engine.kernel.secrets import deep_copy, redact
from engine.kernel.viewers import PUBLIC, Seat
from pbem.crypto import TamperedError, is_delta_encrypted
from pbem.crypto.encoding import Reader
from pbem.service.archive import library
from pbem.service.game import seat_views
from pbem.service.game.journal import is_compressible
from pbem.store.models import SeatView
from tests.service.server_fixtures import ServerHarness, build, start_game
from tests.service.test_messages import player
from tests.test_crypto_merkle_tree import parts
from tests.toy.events import Paid
from tests.toy.meta import META

OPEN = replace(META, has_no_free_text=True)
"""As if no order of the smallest game had words of a player's own choice; a farewell has."""


def corrected(reason: str) -> Corrected:
    """A ruling for a reason."""
    return Corrected(by="p1", reason=reason, edits=())


def written() -> tuple[str, str]:
    """Two texts of one length, of which one repeats itself."""
    chosen = Random(3)
    return "card " * 400, "".join(chosen.choice(ascii_lowercase) for _ in range(2000))


@pytest.fixture
def harness(state_dir: Path) -> ServerHarness:
    """A server."""
    return build(state_dir)


def test_the_length_of_what_is_told_does_not_tell_what_a_master_wrote(harness: ServerHarness) -> None:
    """A ruling costs as much as its words are long, whatever they repeat, in views as in the journal."""
    game = start_game(harness, "toy", 2)
    lengths = set()
    for reason in written():
        told = {PUBLIC: ((1, corrected(reason)),)}
        rows = seat_views.store_views(
            harness.resolver.resolver_keys, OPEN, game, 1, harness.load_state(game), told, {}, {}
        )
        lengths |= {len(row.ciphertext) for row in rows if row.kind == "events"}
        assert not is_compressible(OPEN, (corrected(reason),))
    assert len(lengths) == 1
    assert lengths.pop() > 2000


def test_only_what_is_told_of_a_game_without_words_is_compressed(harness: ServerHarness) -> None:
    """Facts that repeat names of the game are kept in a fifth of their text, unless players may write in its orders."""
    game = start_game(harness, "toy", 2)
    told = {PUBLIC: tuple((1, Paid(income={Seat("s1"): n})) for n in range(200))}
    shorter = []
    for meta in (META, OPEN):
        rows = seat_views.store_views(
            harness.resolver.resolver_keys, meta, game, 1, harness.load_state(game), told, {}, {}
        )
        (events,) = (row for row in rows if row.kind == "events")
        shorter.append(len(events.ciphertext) < len(seat_views.unseal_view_row(harness.resolver, events)) // 5)
    assert shorter == [False, True]


def signed(sealed: bytes) -> bytes:
    """What a view is signed with."""
    tag = "pbem view beside another 1" if is_delta_encrypted(sealed) else "pbem view 1"
    reader = Reader("view", tag, sealed)
    reader.blob()
    return reader.blob()


def test_the_views_of_an_entry_are_signed_together_and_believed_alone(harness: ServerHarness) -> None:
    """One signature is over all of them; each opens by itself, and none in the place of another."""
    game = start_game(harness, "toy", 2)
    told = {viewer: ((1, Paid(income={Seat("s1"): 3})),) for viewer in (PUBLIC, "s1", "s2")}
    counted = {"s1": ("a",), "s2": ("b",)}
    rows = seat_views.store_views(
        harness.resolver.resolver_keys, META, game, 1, harness.load_state(game), told, counted, {}
    )
    assert len(rows) == 2 * len(told) + len(counted)
    assert len({parts(signed(row.ciphertext)).signature for row in rows}) == 1
    events = [row for row in rows if row.kind == "events"]
    for row in events:
        assert seat_views.unseal_view_row(harness.mailer, row)
    events[0].ciphertext = events[1].ciphertext
    with pytest.raises(TamperedError):
        seat_views.unseal_view_row(harness.mailer, events[0])


def test_a_seats_position_is_kept_beside_the_publics(harness: ServerHarness) -> None:
    """A seat's view needs that of everybody, of the same entry, and is refused beside any other."""
    game = start_game(harness, "toy", 2)
    kept = {row.viewer: row for row in harness.load_rows(SeatView) if row.kind == "view" and row.entry == 1}
    assert {viewer for viewer, row in kept.items() if is_delta_encrypted(row.ciphertext)} == {"s1", "s2"}
    with harness.mailer.db.transaction() as session:
        assert seat_views.load_view(harness.mailer, session, game, "s1", 1) is not None
    with harness.mailer.db.transaction() as session:
        session.delete(session.get_one(SeatView, (game, PUBLIC, "view", 1)))
        session.flush()
        with pytest.raises(TamperedError):
            seat_views.load_view(harness.mailer, session, game, "s1", 1)
        session.rollback()


def test_a_view_that_was_opened_is_shown_only_while_it_lies_there(harness: ServerHarness) -> None:
    """Each is opened once; where a rewind or a take-over stores another in its place that is shown, or nothing."""
    game = start_game(harness, "toy", 2)
    told = dict[str, tuple[tuple[int, Event], ...]].fromkeys((PUBLIC, "s1"), ())
    with harness.mailer.db.snapshot() as session:
        before = seat_views.load_view(harness.mailer, session, game, "s1", 1)
    with harness.mailer.db.snapshot() as session:
        assert seat_views.load_view(harness.mailer, session, game, "s1", 1) is before
    other = deep_copy(harness.load_state(game))
    other.board.bank += 1
    anew = {(row.viewer, row.kind): row.ciphertext for row in of_entry(harness, game, other, told)}
    with harness.resolver.db.transaction() as session:
        for viewer in told:
            session.get_one(SeatView, (game, viewer, "view", 1)).ciphertext = anew[viewer, "view"]
    with harness.mailer.db.snapshot() as session:
        assert seat_views.load_view(harness.mailer, session, game, "s1", 1) == redact(other, "s1") != before
    with harness.resolver.db.transaction() as session:
        session.execute(delete(SeatView).where(SeatView.viewer == "s1"))
    with harness.mailer.db.snapshot() as session:
        assert seat_views.load_view(harness.mailer, session, game, "s1", 1) is None


def of_entry(
    harness: ServerHarness, game: str, position: Position[Any], told: Mapping[str, tuple[tuple[int, Event], ...]]
) -> Sequence[SeatView]:
    """What play would store of a position after the first entry."""
    with harness.resolver.db.snapshot() as session:
        holders = seat_views.holders_of(session, game)
    return seat_views.store_views(harness.resolver.resolver_keys, META, game, 1, position, told, {}, holders)


def test_a_board_of_before_is_compared_with_the_report_before_it(harness: ServerHarness) -> None:
    """Now or at an earlier entry, the board's marks say what has changed since the seat's last report until then."""
    game = start_game(harness, "toy", 2)
    for lines in (["BID 0"], ["FOR MARCH", "PASS"], ["BID 0"]):
        for seat in ("s1", "s2"):
            harness.reply(seat, *lines)
    last = harness.load_game(game).entry
    boards = [library.load_board(harness.web, player(harness, 1), game, "s1", entry) for entry in range(2, last + 1)]
    assert [board.since for board in boards if board is not None] == list(range(1, last))
