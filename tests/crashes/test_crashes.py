"""Killing processes at named points of a gate's life changes nothing: neither where the game stands nor its letters."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial

import pytest

from engine import GAMES
from pbem.service.base.crash_points import DELIVER, DOOR, INGEST, PLAY, POINTS
from pbem.supervisor import ROLES
from tests.crashes.server import ADDRESSES, RIDERS, Outcome, Server, kept_on, running

ROUNDS = 3
"""Set-up and two questions more: what is answered by hand, by rider and by default."""
SEVERAL = 2
WORKING = tuple(f"{role}{number}" for role in ("post", "play") for number in ("", *range(2, SEVERAL + 1)))
"""So many workers of each kind, and all their names."""
SPARING = 3
"""Of the games after the first, one point in so many is killed at: no point knows which game is played."""
FIRST, *OTHERS = GAMES
ALL = (*ROLES, "broker")

pytestmark = pytest.mark.timeout(1800)


def chosen(title: str) -> tuple[str, ...]:
    """The points that a game is killed at: all of them in the first, and others in each of the rest."""
    number = list(GAMES).index(title)
    return POINTS if number == 0 else POINTS[number % SPARING :: SPARING]


def lines_beside(title: str) -> Callable[[str, int], Sequence[str]]:
    """What players add to their orders: words for the draws, and an answer ahead."""
    return lambda address, number: (f"LUCK {address.partition('@')[0]} and {number} cats", RIDERS[title])


@cache
def unkilled(title: str, rounds: int = ROUNDS) -> Outcome:
    """The game as it goes when nobody dies."""
    with running(title) as server:
        for _ in range(rounds):
            server.round(lines_beside(title))
        assert server.deaths == []
        assert server.resent == 0
        return server.outcome()


def check(server: Server, rounds: int = ROUNDS) -> None:
    """The same game came out, with one receipt a letter and one report a seat, and no letter in two shapes."""
    outcome, wanted = server.outcome(), unkilled(server.title, rounds)
    assert outcome.gates == wanted.gates
    assert outcome.draws == wanted.draws
    assert outcome.position == wanted.position
    assert outcome.reports == wanted.reports
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
        if self.order.exists() or not self.left or len(self.server.server.pids()) <= len(self.server.server.roles):
            return
        name = self.left.pop(0)
        self.done.append(name)
        self.order.write_text(name, encoding="ascii")


def dead(server: Server, deaths: int) -> None:
    """See so many deaths, and no more: who takes an order at a point lives for a moment after it."""
    server.until("the last death", lambda: len(server.deaths) >= deaths)
    assert len(server.deaths) == deaths


@pytest.mark.parametrize(
    "title",
    [pytest.param(FIRST, marks=pytest.mark.long), *(pytest.param(title, marks=pytest.mark.night) for title in OTHERS)],
)
def test_a_kill_at_any_point_changes_nothing(title: str) -> None:
    """Door, post or play dies over a letter or within a gate: letters come again, act once, and keep their bytes."""
    points = chosen(title)
    with running(title) as server:
        before = len(server.deaths)
        for number in range(ROUNDS):
            share = points[number::ROUNDS]
            assassin = Assassin(server, share)
            assassin.look()
            server.round(lines_beside(title))
            assert assassin.done == list(share), f"{assassin.left} were never reached"
            assert not assassin.order.exists(), f"{assassin.done} were not all passed"
        dead(server, before + len(points))
        check(server)
        assert server.resent == len(set(DOOR).intersection(points))
        twice = len({"door.after_commit", "door.woken"}.intersection(points))
        assert server.taken_in() == sum(map(len, server.written.values())) + twice, "stored before it was confirmed"
        assert "deliver.sent" not in points or server.post.repeated, "what was not noted as sent is sent again"


def killing(server: Server, plan: Mapping[int, Sequence[str]], number: int) -> None:
    """Kill what the plan names for this letter."""
    server.kill(*plan.get(number, ()))


@pytest.mark.night
@pytest.mark.parametrize("title", GAMES)
def test_a_kill_between_points_changes_nothing(title: str) -> None:
    """The broker, any worker, or all processes at once may die at any time between letters."""
    plans: tuple[dict[int, Sequence[str]], ...] = (
        {0: ("broker",), 1: ("post",), 2: ("play",)},
        {0: ("door",), 1: ("web",), 2: ("broker", "play")},
        {2: ALL},
    )
    with running(title) as server:
        for plan in plans:
            server.round(lines_beside(title), partial(killing, server, plan))
        check(server)
        assert sorted(set(server.deaths)) == sorted(ALL)


# --- several workers


@pytest.fixture
def database(request: pytest.FixtureRequest) -> Iterator[str]:
    """Where a server keeps what it knows; empty for its own file."""
    with kept_on(request.param) as url:
        yield url


def killed_among(server: Server, points: tuple[str, ...]) -> int:
    """Play with a kill at each point, for as many rounds as that takes; how many they were.

    What one worker leaves another does at once, and a round may be over before the next point is named.
    """
    before, rounds = len(server.deaths), 0
    assassin = Assassin(server, points)
    assassin.look()
    while assassin.left or assassin.order.exists():
        server.round(lines_beside(server.title))
        rounds += 1
        assert rounds < len(points), f"{assassin.left} are not reached"
    dead(server, before + len(points))
    return rounds


@pytest.mark.parametrize(
    ("database", "points"),
    [
        pytest.param("postgresql", PLAY + DELIVER, marks=pytest.mark.long),
        pytest.param("postgresql", INGEST, marks=pytest.mark.night),
        pytest.param("sqlite", INGEST + PLAY + DELIVER, marks=pytest.mark.night),
    ],
    indirect=["database"],
)
def test_a_kill_of_one_of_several_workers_changes_nothing(database: str, points: tuple[str, ...]) -> None:
    """Of several post and play workers one dies at each named point, over work that the others may have in hand."""
    with running(FIRST, database, workers=SEVERAL) as server:
        assert set(WORKING) < set(server.server.roles)
        check(server, killed_among(server, points))


@pytest.mark.night
@pytest.mark.parametrize("database", ["sqlite", "postgresql"], indirect=True)
def test_a_kill_of_several_workers_between_points_changes_nothing(database: str) -> None:
    """Some of several workers, or all of them and the broker, may die at any time between letters."""
    plans: tuple[dict[int, Sequence[str]], ...] = (
        {0: ("post2",), 1: ("play",), 2: ("post", "play2")},
        {0: ("broker", "post"), 1: ("play2",)},
        {2: (*WORKING, "broker")},
    )
    with running(FIRST, database, workers=SEVERAL) as server:
        for plan in plans:
            server.round(lines_beside(server.title), partial(killing, server, plan))
        check(server)
        assert sorted(set(server.deaths)) == sorted((*WORKING, "broker"))
