"""Practice tables: a guest against bots, without letters, of which nothing is left after a day."""

from pathlib import Path

import pytest
from sqlalchemy import select

from pbem.common.addresses import is_bot, is_guest
from pbem.service.base.services import RequestRefused
from pbem.service.seats import bots, open_tables
from pbem.service.tasks import jobs
from pbem.store.models import Base, Game, PracticeGame, User
from tests.service.server_fixtures import ServerHarness, build, start_game


def begun(harness: ServerHarness, line: str = "192.0.2.1") -> tuple[int, str]:
    """A guest's number, and the table, under way."""
    made = bots.start_practice(harness.web, "toy", "Guest", "Practice", "en", line)
    harness.run_queued_tasks()
    return made


def everything(harness: ServerHarness) -> list[tuple[str, object]]:
    """Every value of every row, with its table."""
    with harness.web.db.engine.connect() as connection:
        rows = [(t.name, row) for t in Base.metadata.sorted_tables for row in connection.execute(select(t))]
    return [(name, value) for name, row in rows for value in row]


def test_a_guest_plays_against_bots_without_a_letter(tmp_path: Path) -> None:
    """The game is under way at once; nothing goes out, to the guest or to anybody."""
    harness = build(tmp_path)
    _, game = begun(harness)
    assert harness.load_game(game).state == "running"
    harness.run_scheduled_jobs()
    harness.run_queued_tasks()
    assert harness.sent == []


def test_a_table_that_cannot_be_made_leaves_no_guest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What fails while bots sit down undoes the guest too: all are made in one transaction."""
    harness = build(tmp_path)
    before = {user.id for user in harness.load_rows(User)}

    def fails(*_: object) -> None:
        raise OSError("no room")

    monkeypatch.setattr("pbem.service.seats.bots.seat_bot", fails)
    with pytest.raises(OSError, match="no room"):
        bots.start_practice(harness.web, "toy", "Guest", "Practice", "en", "192.0.2.1")
    assert {user.id for user in harness.load_rows(User)} == before


def test_after_a_day_nothing_is_left_of_a_practice_table(tmp_path: Path) -> None:
    """No row of any table names the game, its guest or its bots; other tables and people stay as they were."""
    harness = build(tmp_path)
    other = start_game(harness, "toy", 2, 48)
    before = {user.id for user in harness.load_rows(User)}
    guest, game = begun(harness)
    harness.run_scheduled_jobs()
    harness.run_queued_tasks()
    gone = {user.email for user in harness.load_rows(User) if user.id not in before}
    jobs.run_mail_jobs(harness.mailer)
    assert harness.load_game(game).state == "running"
    harness.advance_time(hours=24)
    jobs.run_mail_jobs(harness.mailer)
    left = everything(harness)
    assert [(name, value) for name, value in left if value == game or str(value) in gone] == []
    assert {user.id for user in harness.load_rows(User)} == before
    assert harness.load_rows(PracticeGame) == []
    assert harness.load_game(other).state == "running"
    assert open_tables.find_game_of_guest(harness.web, guest) is None


def test_no_table_of_a_person_is_removed_whatever_the_database_says(tmp_path: Path) -> None:
    """A row put in for the table of a person with an address removes nothing."""
    harness = build(tmp_path)
    game = start_game(harness, "toy", 2, 48)
    with harness.web.db.transaction() as session:
        session.add(PracticeGame(game_id=game, user_id=harness.load_game(game).host_id, expires_at=1))
    jobs.run_mail_jobs(harness.mailer)
    assert harness.load_game(game).state == "running"


def test_practice_tables_are_limited_by_line(tmp_path: Path) -> None:
    """From one line so many can be begun in a day, and others still can from elsewhere."""
    harness = build(tmp_path)
    harness.configure(limits={"practice_from": 2})
    for _ in range(2):
        begun(harness)
    with pytest.raises(RequestRefused, match="too_many_today"):
        begun(harness)
    begun(harness, "192.0.2.9")
    assert sum(is_guest(user.email) for user in harness.load_rows(User)) == 3


def test_a_limit_of_a_day_says_for_how_many_hours_and_one_of_an_hour_for_how_many_minutes(tmp_path: Path) -> None:
    """What a line may begin in a day is free again at midnight; what everybody may, with the next full hour."""
    harness = build(tmp_path)
    harness.advance_time(hours=5, minutes=1)
    for limit, terms in (("practice_from", {"hours": 7}), ("practice", {"minutes": 59})):
        harness.configure(limits={limit: 0})
        with pytest.raises(RequestRefused) as caught:
            begun(harness)
        assert caught.value.terms == terms
    harness.configure(limits={"joins_from": 0})
    with pytest.raises(RequestRefused) as caught:
        open_tables.join_as_guest(harness.web, "", "nora@games.test", "Nora", "", "en", "192.0.2.7")
    assert caught.value.terms == {"hours": 7}


def test_bots_play_one_table_for_people_who_look_on(tmp_path: Path) -> None:
    """Nobody sits there but bots; while it is under way there is no other; after a day nothing of it is left."""
    harness = build(tmp_path)
    assert bots.find_show_game(harness.web) is None
    for _ in range(2):
        bots.keep_show_game(harness.web, "On show", "en")
        harness.run_queued_tasks()
    show = bots.find_show_game(harness.web)
    assert show is not None
    assert [game.id for game in harness.load_rows(Game)] == [show.game]
    assert all(is_bot(user.email) or user.id == show.host_id for user in harness.load_rows(User))
    harness.advance_time(hours=2)
    harness.run_scheduled_jobs()
    harness.run_queued_tasks()
    assert harness.load_game(show.game).entry > show.entry
    assert harness.sent == []
    harness.advance_time(hours=23)
    jobs.run_mail_jobs(harness.mailer)
    assert bots.find_show_game(harness.web) is None
    assert not any(harness.load_rows(kind) for kind in (Game, User, PracticeGame))


def test_no_table_of_a_person_is_shown_to_strangers_whatever_the_database_says(tmp_path: Path) -> None:
    """A row that calls a table of people practice shows it to nobody."""
    harness = build(tmp_path)
    game = start_game(harness, "toy", 2)
    host = bots.start_practice(harness.web, "toy", "Guest", "Practice", "en", "192.0.2.1")[0]
    with harness.web.db.transaction() as session:
        session.add(PracticeGame(game_id=game, user_id=host, expires_at=1))
    assert bots.find_show_game(harness.web) is None
