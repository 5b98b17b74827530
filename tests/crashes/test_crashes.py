"""Killing processes at named points of a gate's life changes nothing: neither where the game stands nor its letters."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial

import pytest

from engine import GAMES
from pbem.ops.supervisor import ROLES
from pbem.service.base.services import DELIVERY_POINTS, INBOX_POINTS, INTAKE_POINTS, ORDER_POINTS, RESOLVER_POINTS
from tests.crashes.server import REACTIONS, Outcome, Server, kept_on, running

ROUNDS = 3
"""Set-up and two questions more: what is answered by hand, by reaction and by default."""
SEVERAL = 2
WORKING = tuple(f"{role}{number}" for role in ("mailer", "resolver") for number in ("", *range(2, SEVERAL + 1)))
"""So many workers of each kind, and all their names."""
SPARING = 3
"""Of the games after the first, one point in so many is killed at: no point knows which game is played."""
FIRST, *OTHERS = GAMES
ALL = (*ROLES, "broker")

pytestmark = pytest.mark.timeout(1800)


def chosen(title: str) -> tuple[str, ...]:
    """The points that a game is killed at: all of them in the first, and others in each of the rest."""
    number = list(GAMES).index(title)
    return ORDER_POINTS if number == 0 else ORDER_POINTS[number % SPARING :: SPARING]


def extra_lines(title: str) -> Callable[[str, int], Sequence[str]]:
    """What players add to their orders: words for the draws, and an answer ahead."""
    ahead = (REACTIONS[title],) if title in REACTIONS else ()
    return lambda address, number: (f"LUCK {address.partition('@')[0]} and {number} cats", *ahead)


@cache
def unkilled(title: str, rounds: int = ROUNDS) -> Outcome:
    """The game as it goes when nobody dies."""
    with running(title) as server:
        for _ in range(rounds):
            server.round(extra_lines(title))
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
    orders = [len(server.written[address]) - (address != server.players[0]) for address in server.players]
    assert outcome.receipts == tuple(orders)
    assert server.post.differing == []


class Assassin:
    """Kills at one named point after the other, the next one once the last was passed."""

    def __init__(self, server: Server, points: tuple[str, ...]) -> None:
        self.order = server.settings.state_dir / "crash-at"
        self.left = list(points)
        self.server = server
        server.watch = self.arm_next_point

    def arm_next_point(self) -> None:
        """Name the next point, once the process that passed the last one runs again."""
        if self.order.exists() or not self.left or len(self.server.server.pids()) <= len(self.server.server.roles):
            return
        self.order.write_text(self.left.pop(0), encoding="ascii")


def killed_at(server: Server, points: tuple[str, ...]) -> int:
    """Play with a kill at each point, for as many rounds as that takes; how many they were.

    A round may have passed a point before it is named: others go on while who died is started again.
    """
    deaths, rounds = len(server.deaths) + len(points), 0
    assassin = Assassin(server, points)
    assassin.arm_next_point()
    while assassin.left or assassin.order.exists():
        server.round(extra_lines(server.title))
        rounds += 1
        assert rounds < len(points), f"{assassin.left} are not reached"
    server.until("the last death", partial(server.has_lost, deaths))
    assert len(server.deaths) == deaths
    return rounds


@pytest.mark.parametrize(
    "title",
    [pytest.param(FIRST, marks=pytest.mark.long), *(pytest.param(title, marks=pytest.mark.night) for title in OTHERS)],
)
def test_a_kill_at_any_point_changes_nothing(title: str) -> None:
    """Door, post or play dies over a letter or within a gate: letters come again, act once, and keep their bytes."""
    points = chosen(title)
    with running(title) as server:
        check(server, killed_at(server, points))
        assert server.resent == len(set(INTAKE_POINTS).intersection(points))
        twice = len({"intake.after_commit", "intake.enqueued"}.intersection(points))
        assert server.taken_in() == sum(map(len, server.written.values())) + twice, "stored before it was confirmed"
        assert "delivery.sent" not in points or server.post.repeated, "what was not noted as sent is sent again"


def killing(server: Server, plan: Mapping[int, Sequence[str]], number: int) -> None:
    """Kill what the plan names for this letter."""
    server.kill(*plan.get(number, ()))


@pytest.mark.night
@pytest.mark.parametrize("title", GAMES)
def test_a_kill_between_points_changes_nothing(title: str) -> None:
    """The broker, any worker, or all processes at once may die at any time between letters."""
    plans: tuple[dict[int, Sequence[str]], ...] = (
        {0: ("broker",), 1: ("mailer",), 2: ("resolver",)},
        {0: ("smtp",), 1: ("web",), 2: ("broker", "resolver")},
        {2: ALL},
    )
    with running(title) as server:
        for plan in plans:
            server.round(extra_lines(title), partial(killing, server, plan))
        check(server)
        assert sorted(set(server.deaths)) == sorted(ALL)


# --- several workers


@pytest.fixture
def database(request: pytest.FixtureRequest) -> Iterator[str]:
    """Where a server keeps what it knows; empty for its own file."""
    with kept_on(request.param) as url:
        yield url


@pytest.mark.parametrize(
    ("database", "points"),
    [
        pytest.param("postgresql", RESOLVER_POINTS + DELIVERY_POINTS, marks=pytest.mark.long),
        pytest.param("postgresql", INBOX_POINTS, marks=pytest.mark.night),
        pytest.param("sqlite", INBOX_POINTS + RESOLVER_POINTS + DELIVERY_POINTS, marks=pytest.mark.night),
    ],
    indirect=["database"],
)
def test_a_kill_of_one_of_several_workers_changes_nothing(database: str, points: tuple[str, ...]) -> None:
    """Of several mailers and resolvers one dies at each named point, over work that the others may have in hand."""
    with running(FIRST, database, workers=SEVERAL) as server:
        assert set(WORKING) < set(server.server.roles)
        check(server, killed_at(server, points))


@pytest.mark.night
@pytest.mark.parametrize("database", ["sqlite", "postgresql"], indirect=True)
def test_a_kill_of_several_workers_between_points_changes_nothing(database: str) -> None:
    """Some of several workers, or all of them and the broker, may die at any time between letters."""
    plans: tuple[dict[int, Sequence[str]], ...] = (
        {0: ("mailer2",), 1: ("resolver",), 2: ("mailer", "resolver2")},
        {0: ("broker", "mailer"), 1: ("resolver2",)},
        {2: (*WORKING, "broker")},
    )
    with running(FIRST, database, workers=SEVERAL) as server:
        for plan in plans:
            server.round(extra_lines(server.title), partial(killing, server, plan))
        check(server)
        assert sorted(set(server.deaths)) == sorted((*WORKING, "broker"))
