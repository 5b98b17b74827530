"""Killing processes at named points of a gate's life changes nothing: neither where the game stands nor its letters."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from pbem.service.points import DELIVER, DOOR, INGEST, PLAY, POINTS
from pbem.supervisor import ROLES
from tests.crashes.server import ADDRESSES, Outcome, Server, opened

ROUNDS = 3
"""Set-up, tokens, history: what is answered by hand, by rider and by default."""

pytestmark = pytest.mark.timeout(240)


def lines_beside(address: str, number: int) -> tuple[str, ...]:
    """What players add to their orders: words for the draws, and an answer ahead."""
    return (f"LUCK {address.partition('@')[0]} and {number} cats", "ON CIVIL WAR: MONEY")


@contextmanager
def running() -> Iterator[Server]:
    """A server with a game dealt."""
    with TemporaryDirectory(prefix="pbem-st-") as folder:
        server = opened(Path(folder))
        server.start(ROLES)
        try:
            server.deal()
            yield server
        finally:
            server.stop()


@pytest.fixture(scope="module")
def unkilled() -> Outcome:
    """The game as it goes when nobody dies."""
    with running() as server:
        for _ in range(ROUNDS):
            server.round(lines_beside)
        assert server.deaths == []
        assert server.resent == 0
        return server.outcome()


def check(server: Server, unkilled: Outcome) -> None:
    """The same game came out, with one receipt a letter and one report a seat, and no letter in two shapes."""
    outcome = server.outcome()
    assert outcome.gates == unkilled.gates
    assert outcome.draws == unkilled.draws
    assert outcome.position == unkilled.position
    assert outcome.reports == unkilled.reports
    orders = [len(server.written[address]) - (address != ADDRESSES[0]) for address in ADDRESSES]
    assert outcome.receipts == tuple(orders)
    assert server.post.differing == []


class Assassin:
    """Kills at one named point after the other, the next one once the last was passed."""

    def __init__(self, server: Server, points: tuple[str, ...]) -> None:
        self.order = server.settings.state_dir / "crash-at"
        self.left, self.done = list(points), list[str]()
        self.server = server
        server.watch = self.look

    def look(self) -> None:
        """Name the next point, once the process that passed the last one runs again."""
        if self.order.exists() or not self.left or len(self.server.server.pids()) <= len(ROLES):
            return
        name = self.left.pop(0)
        self.done.append(name)
        self.order.write_text(name, encoding="ascii")


ALL = (*ROLES, "broker")


def killed_at(server: Server, points: tuple[str, ...]) -> None:
    """Play with a kill at each point, shared out over the rounds."""
    before = len(server.deaths)
    for number in range(ROUNDS):
        share = points[number::ROUNDS]
        assassin = Assassin(server, share)
        assassin.look()
        server.round(lines_beside)
        assert assassin.done == list(share), f"{assassin.left} were never reached"
        assert not assassin.order.exists(), f"{assassin.done[-1]} was never passed"
    server.look()
    assert len(server.deaths) - before == len(points)


def test_a_kill_on_the_way_in_changes_nothing(unkilled: Outcome) -> None:
    """The door or a post worker dies over a letter: it is sent again or found again, and acts once."""
    with running() as server:
        killed_at(server, DOOR + INGEST)
        check(server, unkilled)
        assert server.resent == len(DOOR)
        assert server.taken_in() == sum(map(len, server.written.values())) + 2, "two letters were stored twice"


def test_a_kill_in_play_or_on_the_way_out_changes_nothing(unkilled: Outcome) -> None:
    """A play worker dies in the midst of a gate, a post worker over a letter: all is done once, letters keep bytes."""
    with running() as server:
        killed_at(server, PLAY + DELIVER)
        check(server, unkilled)
        assert len(server.post.repeated) >= 1, "a letter whose sending was not noted is sent again"


def killing(server: Server, plan: Mapping[int, Sequence[str]], number: int) -> None:
    """Kill what the plan names for this letter."""
    server.kill(*plan.get(number, ()))


def test_a_kill_between_points_changes_nothing(unkilled: Outcome) -> None:
    """The broker, any worker, or all processes at once may die at any time between letters."""
    plans: tuple[dict[int, Sequence[str]], ...] = (
        {0: ("broker",), 1: ("post",), 2: ("play",)},
        {0: ("door",), 1: ("web",), 2: ("broker", "play")},
        {2: ALL},
    )
    with running() as server:
        for plan in plans:
            server.round(lines_beside, partial(killing, server, plan))
        check(server, unkilled)
        assert sorted(set(server.deaths)) == sorted(ALL)


def test_every_named_point_is_killed_at() -> None:
    """The tests above kill at each named point, of which there are twenty at least."""
    assert len(POINTS) >= 20
    assert sorted(DOOR + INGEST + PLAY + DELIVER) == sorted(POINTS)
