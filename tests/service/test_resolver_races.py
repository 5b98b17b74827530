"""A visit is prepared on a look; what changes until it is written is seen, and nothing is lost or counted twice."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.crypto import new_token
from pbem.narration.facts import MasterFacts
from pbem.service.base.database_access import MAX_RETRIES
from pbem.service.deadlines import interruptions
from pbem.service.game.journal import load_entry, load_game_keys
from pbem.service.masters import api
from pbem.service.orders import web_orders
from pbem.service.seats import substitutes
from pbem.service.tasks import resolve_game
from pbem.store.database import in_transaction
from pbem.store.games import load_seat, lock_game
from pbem.store.models import JournalEntry, OutboundEmail, QuestionRow, SealedOrdersRow, SeatRow
from tests.service.master_commands import HOST, get_user_id
from tests.service.server_fixtures import ServerHarness, build, start_game

pytestmark = pytest.mark.both_databases

Thing = Callable[[ServerHarness, str], object]


@pytest.fixture
def harness(state_dir: Path) -> ServerHarness:
    """A game of two in its bids."""
    made = build(state_dir)
    start_game(made, "toy", 2, 24)
    return made


def game_of(harness: ServerHarness) -> str:
    """The one game that there is."""
    return str(harness.load_rows(QuestionRow)[0].game_id)


def bid(harness: ServerHarness, game: str, seat: int, coins: int) -> None:
    """A bid by the page; nothing comes of it yet."""
    web_orders.submit_orders(
        harness.web, get_user_id(harness, f"p{seat}@games.test"), game, 1, new_token(), [f"BID {coins}"]
    )


def act(harness: ServerHarness, game: str, *lines: str) -> MasterFacts:
    """An act of the host's, confirmed; nothing comes of it yet."""
    host = get_user_id(harness, HOST)
    shown = api.execute(harness.web, game, host, lines, "", "web")
    word = next((one.word for one in shown.acts if one.outcome == "confirm"), "")
    return api.execute(harness.web, game, host, lines, word, "web") if word else shown


class Meanwhile:
    """What happens as a visit is prepared, each time the next thing; where the lock is held at a point, and where not.

    Nothing more happens once the visit holds the lock: others would wait for it.
    """

    def __init__(self, harness: ServerHarness, *things: Callable[[], object], point: str = "resolver.receipts") -> None:
        self.left, self.passed = list(things), list[tuple[str, bool]]()

        def meanwhile(name: str) -> None:
            self.passed.append((name, in_transaction()))
            if name == point and self.left and not in_transaction():
                self.left.pop(0)()

        harness.resolver = replace(harness.resolver, fault_point=meanwhile)

    def locked(self, point: str) -> list[bool]:
        """Whether the lock was held, each time that a point was passed."""
        return [held for name, held in self.passed if name == point]


def counted(harness: ServerHarness, game: str) -> list[str]:
    """What was counted in the entries since the deal: the commitment of each seat's orders, or how it came."""
    with harness.resolver.db.snapshot() as session:
        row, keys = harness.load_game(game), load_game_keys(harness.resolver, harness.load_game(game))
        made = [load_entry(session, keys, row, number) for number in range(2, row.entry + 1)]
    return [one.commitment or one.how for record in made for one in record.counted]


def test_a_gate_is_resolved_while_others_can_write(harness: ServerHarness) -> None:
    """Orders are opened and carried out, views sealed and letters laid out before the lock is held, and once."""
    game = game_of(harness)
    seen = Meanwhile(harness)
    bid(harness, game, 1, 2)
    bid(harness, game, 2, 1)
    harness.run_queued_tasks()
    for point in ("resolver.unsealed", "resolver.advanced", "resolver.published", "resolver.receipts"):
        assert set(seen.locked(point)) == {False}, point
    assert seen.locked("resolver.advanced") == [False]
    assert set(seen.locked("resolver.locked")) == {True}
    assert harness.load_game(game).entry == 2


def test_orders_changed_meanwhile_are_those_that_count(harness: ServerHarness) -> None:
    """Orders that are replaced after they were opened, and before the entry is written, do not count."""
    game = game_of(harness)
    bid(harness, game, 1, 2)
    bid(harness, game, 2, 1)
    Meanwhile(harness, lambda: bid(harness, game, 1, 3))
    resolve_game.run(harness.resolver, game)
    harness.run_queued_tasks()
    assert harness.load_game(game).entry == 2
    receipts = [facts for address, facts in harness.sent if address.kind == "receipt" and address.seat == "s1"]
    assert counted(harness, game)[0] in receipts[-1].proofs[0]
    assert counted(harness, game)[0] not in receipts[0].proofs[0]
    assert len(harness.sent_facts("report")) == 2
    assert harness.load_rows(SealedOrdersRow) == []


def test_orders_taken_back_meanwhile_do_not_count(harness: ServerHarness) -> None:
    """A gate whose last answer is withdrawn before its entry is written stays open."""
    game = game_of(harness)
    bid(harness, game, 1, 2)
    bid(harness, game, 2, 1)
    person = get_user_id(harness, HOST)
    Meanwhile(harness, lambda: web_orders.submit_orders(harness.web, person, game, 1, new_token(), ["WITHDRAW"]))
    resolve_game.run(harness.resolver, game)
    harness.run_queued_tasks()
    assert harness.load_game(game).entry == 1
    assert [row.seat for row in harness.load_rows(QuestionRow) if row.answered_at is not None] == ["s2"]
    assert harness.sent_facts("report") == []


@pytest.mark.parametrize("point", ["resolver.unsealed", "resolver.published", "resolver.receipts"])
def test_a_pause_meanwhile_keeps_the_gate_open(harness: ServerHarness, point: str) -> None:
    """A table that is paused while its gate is being resolved has not moved, and its orders lie where they lay."""
    game = game_of(harness)
    bid(harness, game, 1, 2)
    bid(harness, game, 2, 1)
    Meanwhile(harness, lambda: act(harness, game, "PAUSE"), point=point)
    resolve_game.run(harness.resolver, game)
    harness.run_queued_tasks()
    assert harness.load_game(game).entry == 1
    assert len(harness.load_rows(SealedOrdersRow)) == 2
    assert harness.sent_facts("report") == []
    assert interruptions.request_pause(harness.web, get_user_id(harness, HOST), game, interruptions.RESUME) == "done"
    harness.advance_time(minutes=1)
    harness.run_scheduled_jobs()
    harness.run_queued_tasks()
    assert harness.load_game(game).entry == 2
    assert len(harness.sent_facts("report")) == 2


def test_a_deadline_moved_meanwhile_is_the_one_that_holds(harness: ServerHarness) -> None:
    """A gate whose time was over when the visit began waits for the deadline that a master sets meanwhile."""
    game = game_of(harness)
    harness.advance_time(hours=25)
    Meanwhile(harness, lambda: act(harness, game, "EXTEND 48 hours"))
    harness.run_task("resolve_game", game)
    harness.run_queued_tasks()
    assert harness.load_game(game).entry == 1
    assert {row.answered_at for row in harness.load_rows(QuestionRow)} == {None}


def test_an_answer_given_meanwhile_counts_before_the_default(harness: ServerHarness) -> None:
    """A seat that answers while the default for its missed deadline is carried out is counted by what it answered."""
    game = game_of(harness)
    bid(harness, game, 1, 2)
    harness.advance_time(hours=25)
    seen = Meanwhile(harness, lambda: bid(harness, game, 2, 1))
    resolve_game.run(harness.resolver, game)
    harness.run_queued_tasks()
    assert seen.locked("resolver.advanced") == [False, False]
    assert [row.missed for row in harness.load_rows(SeatRow)] == [0, 0]
    assert len(counted(harness, game)) == 2
    assert "default" not in counted(harness, game)


def test_a_ruling_asked_meanwhile_is_carried_out_before_the_gate(harness: ServerHarness) -> None:
    """A ruling that comes while a gate is being resolved is carried out once, and so is the gate."""
    game = game_of(harness)
    bid(harness, game, 1, 2)
    bid(harness, game, 2, 1)
    Meanwhile(harness, lambda: act(harness, game, "CORRECT a coin was forgotten", "GIVE 2 COINS TO player 2", "END"))
    resolve_game.run(harness.resolver, game)
    harness.run_queued_tasks()
    gates = [row.gate for row in harness.load_rows(JournalEntry)]
    assert sum(gate == "correction" for gate in gates) == 1
    assert sum(gate.startswith("bid") for gate in gates) == 1
    assert harness.load_state(game).board.coins == {"s1": 6, "s2": 10}


def test_the_orders_of_who_leaves_meanwhile_do_not_count(harness: ServerHarness) -> None:
    """Orders of a player whose seat is taken from them while the gate is resolved are destroyed, and it stays open."""
    game = game_of(harness)
    bid(harness, game, 1, 2)
    bid(harness, game, 2, 1)

    def eject() -> None:
        with harness.web.db.transaction() as session:
            row, seat = lock_game(session, game), load_seat(session, game, "s2")
            assert row is not None
            assert seat is not None
            substitutes.remove_player(harness.web, session, row, seat)

    Meanwhile(harness, eject)
    resolve_game.run(harness.resolver, game)
    harness.run_queued_tasks()
    assert harness.load_game(game).entry == 1
    assert [row.seat for row in harness.load_rows(SealedOrdersRow) if row.ciphertext] == ["s1"]
    assert harness.sent_facts("report") == []


def test_of_two_visits_at_once_one_plays(harness: ServerHarness) -> None:
    """A second worker that visits the game meanwhile plays the gate; the first one finds it played."""
    game = game_of(harness)
    bid(harness, game, 1, 2)
    bid(harness, game, 2, 1)
    other = harness.resolver
    Meanwhile(harness, lambda: resolve_game.run(other, game))
    resolve_game.run(harness.resolver, game)
    harness.run_queued_tasks()
    assert [row.number for row in harness.load_rows(JournalEntry)] == [1, 2]
    assert sorted(str(row.seat) for row in harness.load_rows(OutboundEmail) if row.kind == "report") == ["s1", "s2"]


def test_who_is_overtaken_again_and_again_plays_under_the_lock(harness: ServerHarness) -> None:
    """After a few losses a visit is done in the transaction itself, with what lies there then."""
    game = game_of(harness)
    bid(harness, game, 1, 2)
    bid(harness, game, 2, 1)
    seen = Meanwhile(harness, *[lambda: bid(harness, game, 1, 3)] * 20)
    resolve_game.run(harness.resolver, game)
    assert seen.locked("resolver.advanced") == [False] * MAX_RETRIES + [True]
    harness.run_queued_tasks()
    assert [row.number for row in harness.load_rows(JournalEntry)] == [1, 2]
    assert len(harness.sent_facts("report")) == 2
