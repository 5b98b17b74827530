"""A record that does not fit its seal is told politely at every door, in both languages, and the operator knows."""

import logging
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import inspect

from pbem.common.outage_log import SIGNATURE_ERRORS
from pbem.service.deadlines import interruptions
from pbem.service.mail import inbox
from pbem.service.seats import open_tables, seat_offers, spectators, substitutes, tables
from pbem.service.tasks import health, inbound_handler
from pbem.store.models import Application, Capability, Deputy, Game, InboundEmail, Master, Outage, SeatRow, User
from pbem.web.api import OPERATIONS, PREFIX
from pbem.web.locales import translate
from pbem.web.routes import ROUTES as PAGES
from tests.access.world import World, everybody, path_of
from tests.service.master_commands import MASTER, appoint_outsider, get_user_id, send_confirmed
from tests.service.server_fixtures import GAME_TYPES, ServerHarness, build, start_game
from tests.service.test_signed_rows import written
from worker.app import skip_when_unavailable


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    """Everybody at one table."""
    with everybody() as made:
        yield made


@pytest.fixture(autouse=True)
def reset_warnings(monkeypatch: pytest.MonkeyPatch) -> None:
    """The operator has been told nothing yet."""
    monkeypatch.setattr(SIGNATURE_ERRORS, "_told", set())


def unsealed(table: str, where: str = "1") -> str:
    """A statement after which no row of a table fits its seal."""
    return f"UPDATE {table} SET signed = x'00' WHERE {where}"


@pytest.mark.parametrize(
    ("model", "language"),
    [
        *((User, "en"), (Game, "fr")),
        *(pytest.param(model, "en", marks=pytest.mark.night) for model in (SeatRow, Capability, Deputy, Master)),
    ],
)
def test_pages_and_calls_say_so(world: World, model: type[Any], language: str) -> None:
    """Whichever rows do not fit, no page and no call fails: it is as ever, or says so with 503.

    The page needs no record to say so: it comes even where the reader's own does not fit, in their browser's language.
    """
    guest, program = world.browser("own"), world.program("own")
    said, header = 0, {"Accept-Language": language}
    pages = [path_of(route.rule, world) for route in PAGES]
    calls = [(operation, PREFIX + path_of(operation.path, world)) for operation in OPERATIONS]
    with written(world.harness, unsealed(inspect(model).local_table.name)):
        if model is User:
            page = guest.client.get("/", headers=header)
            assert (page.status_code, translate(language, "error.seal.next") in unescape(page.text)) == (503, True)
        for path in pages:
            answer = guest.client.get(path, headers=header)
            assert answer.status_code < 500 or answer.status_code == 503, path
            if answer.status_code == 503:
                said += 1
                assert any(translate(tongue, "error.seal.why") in unescape(answer.text) for tongue in ("en", "fr")), (
                    path
                )
        for operation, path in calls:
            asked: Any = {"method": operation.method, "json": {} if operation.body else None}
            answer = world.app.test_client().open(path, headers={**program, **header}, **asked)
            assert answer.status_code < 500 or answer.status_code == 503, path
            if answer.status_code == 503:
                said += 1
                assert answer.json is not None
                assert answer.json["detail"] == translate(language, "api.problem.unbelieved.why")
    assert said


def letter(harness: ServerHarness, seat: str) -> str:
    """A letter with orders from a seat, taken in; its number."""
    known = {row.id for row in harness.load_inbound_emails()}
    harness.receive_reply(harness.reply_token(seat), ("BID 1",))
    harness.queued_tasks.clear()
    return next(row.id for row in harness.load_inbound_emails() if row.id not in known)


def tried_to_the_end(harness: ServerHarness, number: str) -> InboundEmail:
    """A letter that was tried as often as any is."""
    for _ in range(inbox.MOST_TRIES):
        with skip_when_unavailable():
            harness.advance_time(minutes=30)
            inbox.process_batch(harness.mailer, inbound_handler)
    return next(row for row in harness.load_inbound_emails() if row.id == number)


@pytest.mark.parametrize("table", ["seats", "games", "users", "capabilities"])
def test_the_writer_of_a_letter_is_told(state_dir: Path, table: str) -> None:
    """A letter to such a table is put aside and its writer told, where their own row and address are believed."""
    harness = build(state_dir)
    start_game(harness, "toy", 3, 24)
    number = letter(harness, "s2")
    own = "purpose = 'reply'" if table == "capabilities" else "id = 1" if table == "users" else "1"
    with written(harness, unsealed(table, own)):
        row = tried_to_the_end(harness, number)
        assert row.state == "quarantined"
        harness.sent.clear()
        harness.run_queued_tasks()
        told = [(address.to_address, facts.kind) for address, facts in harness.sent if address.kind == "notice"]
    assert told == ([] if table == "capabilities" else [("p2@games.test", "seal")])


def test_the_operator_is_told_once_and_by_the_doctor(state_dir: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The log has one line however often such a row is met, without its content, and the doctor names the row."""
    harness = build(state_dir)
    start_game(harness, "toy", 3, 24)
    numbers = [letter(harness, "s2"), letter(harness, "s3")]
    caplog.set_level(logging.ERROR)
    with written(harness, "UPDATE users SET email = 'evil@games.test' WHERE id = 2"):
        for number in numbers:
            tried_to_the_end(harness, number)
        found = "\n".join(health.list_problems(harness.resolver))
    lines = [line for line in caplog.messages if "seal" in line]
    assert len(lines) == 1
    assert "row of users" in lines[0]
    assert "evil" not in caplog.text
    assert "Rows of users that do not fit their seal: 1 (2)" in found
    assert "do not fit" not in "\n".join(health.list_problems(harness.resolver))


def two_tables(harness: ServerHarness) -> list[str]:
    """Two games of the same three players."""
    first = start_game(harness, "toy", 3, 24)
    harness.sent.clear()
    return [first, start_game(harness, "toy", 3, 24)]


@pytest.mark.parametrize("rows", ["games", "seats", "capabilities"])
def test_a_table_that_is_not_believed_stops_no_other(state_dir: Path, rows: str) -> None:
    """Players of other tables are reminded and get back the time of an outage; tables whose game is not installed are
    held, and let go when it is back; and the clock is looked at as ever.
    """
    harness = build(state_dir)
    broken, whole = two_tables(harness)
    harness.run_scheduled_jobs()
    harness.advance_time(hours=20)
    with written(harness, unsealed(rows, f"{'id' if rows == 'games' else 'game_id'} = '{broken}'")):
        harness.run_scheduled_jobs()
        harness.run_queued_tasks()
        assert [one.game for one, _ in harness.sent if one.kind == "reminder"].count(whole) == 3
        harness.simulate_downtime(hours=1)
        harness.run_scheduled_jobs()
        harness.run_queued_tasks()
        assert [one.game for one, _ in harness.sent if one.kind == "deadline_changed"].count(whole) == 3
        assert not any("looked at the clock" in line for line in health.list_problems(harness.resolver))
        harness.configure(installed={})
        interruptions.suspend_or_resume(harness.mailer)
        assert whole in {row.game_id for row in harness.load_rows(Outage) if not row.ended_at}
        harness.configure(installed=GAME_TYPES)
        interruptions.suspend_or_resume(harness.mailer)
        assert all(row.ended_at for row in harness.load_rows(Outage) if row.game_id == whole)


def test_an_offer_that_is_not_believed_stops_no_other(state_dir: Path) -> None:
    """Offers of seats that nobody answers in time end, though one among them does not fit its seal."""
    harness = build(state_dir)
    both = two_tables(harness)
    for game in both:
        appoint_outsider(harness, game)
        send_confirmed(harness, game, "REPLACE p2 BY new@games.test", who=MASTER)
    assert len(harness.load_rows(Application)) == 2
    harness.advance_time(days=8)
    with written(harness, unsealed("applications", f"game_id = '{both[0]}'")):
        assert seat_offers.expire_due(harness.mailer) == 1
        with harness.resolver.db.engine.connect() as reader:
            ended = reader.exec_driver_sql("SELECT game_id FROM applications WHERE decided_at IS NOT NULL").all()
    assert [game for (game,) in ended] == [both[1]]


@pytest.mark.parametrize("rows", ["games", "seats", "users"])
def test_lists_leave_out_what_is_not_believed(state_dir: Path, rows: str) -> None:
    """Who looks for a table, a seat or a game to watch finds the others, though one of them does not fit its seal."""
    harness = build(state_dir)
    playing = [start_game(harness, "toy", 3, 24, watchers="open")]
    harness.sent.clear()
    playing.append(start_game(harness, "toy", 3, 24, watchers="open"))
    for number, game in enumerate(playing, 2):
        substitutes.offer_own_seat(harness.web, number, game)
    open_ = [tables.create(harness.web, number, "toy", "Looks", 3, {}, 24) for number in (1, 3)]
    harness.run_queued_tasks()
    for game in open_:
        open_tables.set_open(harness.web, game, True)
    stranger = get_user_id(harness, "new@games.test")

    def shown() -> tuple[set[str], set[str], set[str]]:
        watched = spectators.list_followed(harness.web, stranger)[1].rows
        found = {one.table.game for one in open_tables.list_open(harness.web, stranger).rows}
        return found, {one.game for one in substitutes.list_open_seats(harness.web).rows}, {one.game for one in watched}

    assert shown() == (set(open_), set(playing), set(playing))
    first = f"('{open_[0]}', '{playing[0]}')"
    of = {"games": f"id IN {first}", "seats": f"game_id IN {first}", "users": "id IN (1, 2)"}[rows]
    left = set() if rows == "users" else {playing[1]}
    with written(harness, unsealed(rows, of)):
        assert shown() == ({open_[1]}, {playing[1]}, left)
