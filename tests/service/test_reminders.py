"""Reminders of many tables: so many at a look, together, each once, whatever comes between."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.service.base.services import REMINDER_POINTS
from pbem.service.tasks import reminders
from pbem.store.models import QuestionRow
from tests.service.server_fixtures import Hall, build, seated
from tests.service.test_scheduler_cost import asked


def tables(hall: Hall, number: int) -> list[str]:
    """So many tables of two, at which the deadline is near."""
    games = [seated(hall, "toy", 2, 48) for _ in range(number)]
    hall.tick()
    hall.pass_time(hours=40)
    return games


def reminded(hall: Hall) -> list[tuple[str | None, str | None]]:
    """To which seats of which tables reminders were sent, in order."""
    hall.settle()
    return sorted((to.game, to.seat) for to, _ in hall.sent if to.kind == "reminder")


def all_seats(games: list[str]) -> list[tuple[str, str]]:
    """The two seats of each of these tables."""
    return sorted((game, seat) for game in games for seat in ("s1", "s2"))


def at_point(hall: Hall, where: str, act: Callable[[], None]) -> None:
    """Let something happen the first time that post passes a point."""
    left = [act]
    hall.post = replace(hall.post, fault_point=lambda name: left.pop()() if name == where and left else None)


def test_a_round_is_bounded_and_goes_on_at_the_next_look(state_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One look reminds of so many questions and no more; the next goes on with the others, and none is left behind."""
    monkeypatch.setattr(reminders, "AT_ONCE", 2)
    hall = build(state_dir)
    games = tables(hall, 3)
    for number in (2, 4, 6, 6):
        hall.tick()
        assert len(reminded(hall)) == number
    assert reminded(hall) == all_seats(games)


def test_reminders_of_many_tables_are_written_together(state_dir: Path) -> None:
    """Each table more costs at most three statements: what its seats saw, looked for twice, and its share of a few."""
    hall = build(state_dir)
    counts = []
    for number in (2, 6):
        games = tables(hall, number)
        with asked(hall.post.db) as statements:
            assert reminders.send_due(hall.post) == 2 * len(games)
        counts.append(len(statements))
        hall.settle()
    assert counts[1] - counts[0] <= 4 * 3


@pytest.mark.parametrize("where", REMINDER_POINTS)
def test_a_round_that_is_cut_off_is_done_once(state_dir: Path, where: str) -> None:
    """A worker that dies before its round is written, or just after, neither loses a reminder nor sends it twice."""
    hall = build(state_dir)
    games = tables(hall, 2)

    def die() -> None:
        raise KeyboardInterrupt

    at_point(hall, where, die)
    with pytest.raises(KeyboardInterrupt):
        reminders.send_due(hall.post)
    hall.woken.clear()
    hall.tick()
    hall.sweep()
    assert reminded(hall) == all_seats(games)


def test_who_answers_meanwhile_is_not_reminded(state_dir: Path) -> None:
    """What was prepared is written only where nothing of it has changed: who has answered by then gets no letter."""
    hall = build(state_dir)
    (game,) = tables(hall, 1)

    def answer() -> None:
        hall.write_in(str(hall.last("s1").token), ["BID 3"])
        hall.work(*hall.woken.pop(0))

    at_point(hall, "reminders.prepared", answer)
    assert reminders.send_due(hall.post) == 1
    assert reminded(hall) == [(game, "s2")]


def test_who_withdraws_is_reminded_after_all(state_dir: Path) -> None:
    """An answer that is taken back after the reminder would have been due leaves a player who is reminded at once."""
    hall = build(state_dir)
    (game,) = tables(hall, 1)
    hall.say("s1", "BID 3")
    hall.tick()
    assert reminded(hall) == [(game, "s2")]
    hall.say("s1", "WITHDRAW")
    for _ in range(3):
        hall.tick()
    assert reminded(hall) == all_seats([game])
    assert {row.remind_at for row in hall.rows(QuestionRow) if row.is_blocking} == {None}


def test_a_table_that_cannot_be_reminded_takes_no_other_ones_place(
    state_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A round that is full of a table without rules leaves the next to the others; that table is looked at later."""
    monkeypatch.setattr(reminders, "AT_ONCE", 2)
    hall = build(state_dir)
    held, other = tables(hall, 2)
    with hall.web.db.transaction() as session:
        session.get_one(type(hall.game(held)), held).rules_version = "gone"
        for row in session.query(QuestionRow).filter(QuestionRow.game_id == held):
            row.remind_at = 0
    for _ in range(2):
        reminders.send_due(hall.post)
    assert reminded(hall) == all_seats([other])
    with hall.web.db.transaction() as session:
        session.get_one(type(hall.game(held)), held).rules_version = hall.game(other).rules_version
    hall.pass_time(milliseconds=reminders.LATER_MS + 1)
    reminders.send_due(hall.post)
    assert reminded(hall) == all_seats([held, other])
