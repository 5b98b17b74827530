"""Who can write in the database asks play and post for nothing of others: by new rows, changed ones, or old ones."""

from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import inspect

from pbem.archive.entries import EntryRecord
from pbem.common.states import OutboundState, RequestState
from pbem.crypto import TamperedError, token_hash
from pbem.service.access import permissions
from pbem.service.archive import files, library
from pbem.service.base.database_access import FIRST_PAGE
from pbem.service.base.services import RequestRefused
from pbem.service.channels import webhooks
from pbem.service.game.journal import load_entry, load_game_keys
from pbem.service.mail import delivery, printed_emails
from pbem.service.masters import api, ruling_request
from pbem.service.masters.execution import KIND
from pbem.service.masters.registry import WEB
from pbem.service.orders import web_orders
from pbem.service.seats import open_tables, tables
from pbem.service.tasks import health, resolve_game
from pbem.store.models import (
    Base,
    Game,
    OutboundEmail,
    OutboundEmailBody,
    ResolverRequest,
    SealedOrdersRow,
    User,
    Webhook,
)
from tests.service.master_commands import MASTER, appoint_outsider, get_user_id, send_commands, send_confirmed
from tests.service.server_fixtures import ServerHarness, build, start_game
from tests.service.test_signed_rows import hand_over, written

pytestmark = pytest.mark.both_databases


@pytest.fixture
def table(state_dir: Path) -> Iterator[tuple[ServerHarness, str]]:
    """A server with a game of three that has begun."""
    harness = build(state_dir)
    yield harness, start_game(harness, "toy", 3, 24)
    harness.web.db.close()


def played(harness: ServerHarness, game: str) -> None:
    """Let play look at a game, whatever comes of it, and post send."""
    try:
        resolve_game.run(harness.resolver, game)
    except TamperedError:
        harness.queued_tasks.append(("send_outbound_emails", ""))
    harness.run_queued_tasks()


def column(harness: ServerHarness, query: str) -> list[Any]:
    """A column as it stands in the database, believed or not."""
    with harness.resolver.db.engine.connect() as reader:
        return [value for (value,) in reader.exec_driver_sql(query)]


def copied(row: Base) -> tuple[str, list[object]]:
    """A statement that puts a row back as it is now, and its values."""
    columns = list(inspect(type(row)).columns)
    found = (getattr(row, inspect(type(row)).get_property_by_column(column).key) for column in columns)
    values = [value.value if isinstance(value, Enum) else value for value in found]
    names = [column.name for column in columns]
    keys = ", ".join(column.name for column in columns if column.primary_key)
    anew = ", ".join(f"{name} = excluded.{name}" for name in names)
    places = ", ".join("?" * len(values))
    put = f"INSERT INTO {row.__tablename__} ({', '.join(names)}) VALUES ({places})"
    return f"{put} ON CONFLICT ({keys}) DO UPDATE SET {anew}", values


def test_a_look_is_shown_once_to_who_is_master(table: tuple[ServerHarness, str]) -> None:
    """A row that asks play to open a deck, made by nobody of ours, opens none; nor does a master's old request."""
    harness, game = table
    row = ("f" * 32, KIND, game, "pending", f"3 deck mark {harness.resolver.now()}".encode())
    columns = "id, kind, game_id, state, request, created_at"
    with written(harness, f"INSERT INTO resolver_requests ({columns}) VALUES (?, ?, ?, ?, ?, 1)", *row):
        played(harness, game)
        assert column(harness, "SELECT state FROM resolver_requests") == ["done"]
    assert not harness.sent_facts("opened")
    with harness.web.db.transaction() as session:
        request = f"1 deck mark {harness.web.now()}".encode()
        session.add(
            ResolverRequest(id="a", kind=KIND, game_id=game, state=RequestState.PENDING, request=request, created_at=1)
        )
    statement, values = copied(harness.load_rows(ResolverRequest)[0])
    played(harness, game)
    assert len(harness.sent_facts("opened")) == 1
    harness.advance_time(days=2)
    with written(harness, "DELETE FROM outbound_emails WHERE kind = 'opened'"), written(harness, statement, *values):
        played(harness, game)
    assert len(harness.sent_facts("opened")) == 1


@pytest.mark.parametrize("state", ["over", "archived", "transferred"])
def test_a_game_that_is_called_over_keeps_its_secrets(table: tuple[ServerHarness, str], state: str) -> None:
    """A game whose row says that it is over, while it is not, is told to nobody."""
    harness, game = table
    with written(harness, f"UPDATE games SET state = '{state}', resolve_requested_at = 1"):
        played(harness, game)
        for look in (
            lambda: files.load_file(harness.web, game),
            lambda: library.list_games(harness.web, 3, FIRST_PAGE).rows,
        ):
            try:
                assert not look()
            except TamperedError:
                assert column(harness, "SELECT failure FROM games") == ["TamperedError"]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE outbound_emails SET user_id = 3 WHERE seat = 's2'",
        "UPDATE outbound_emails SET seat = 's2' WHERE seat = 's3'",
        "UPDATE outbound_emails SET entry = 1, kind = 'started' WHERE seat = 's2'",
    ],
)
def test_a_letter_goes_to_its_reader_or_to_nobody(table: tuple[ServerHarness, str], statement: str) -> None:
    """A letter that was made another's, or another letter, is not sent; those beside it are, and the operator knows."""
    harness, _ = table
    for seat in ("s1", "s2", "s3"):
        harness.receive_reply(harness.reply_token(seat), ["BID 1"])
    while harness.queued_tasks:
        task, subject = harness.queued_tasks.pop(0)
        if task != "send_outbound_emails":
            harness.run_task(task, subject)
    before = len(harness.sent)
    with written(harness, statement):
        delivery.deliver(harness.mailer)
        kept = (
            "SELECT state FROM outbound_emails JOIN outbound_email_bodies ON email_key = key "
            "WHERE error = 'TamperedError'"
        )
        assert set(column(harness, kept)) == {"queued"}, "it goes out when its row is put right"
        assert any(
            said.startswith("Rows of outbound_emails that do not fit")
            for said in health.list_problems(harness.resolver)
        )
    went = harness.sent[before:]
    assert {(address.to_address, address.seat) for address, _ in went} < {
        (f"p{n}@games.test", f"s{n}") for n in (1, 2, 3)
    }
    assert all(facts.frame.reader.seat == address.seat for address, facts in went)
    assert went


def test_a_ruling_is_for_the_table_that_it_was_asked_for(table: tuple[ServerHarness, str]) -> None:
    """What the master of one table asked for changes no other table."""
    harness, game = table
    other = tables.create(harness.web, 3, "toy", "Theirs", 3, {}, 24)
    wanted = ruling_request.RulingRequest("correct", 3, "Eve", "a slip", 99, ("GIVE 2 COINS TO player 1",))
    with harness.web.db.transaction() as session:
        number = ruling_request.enqueue_ruling(harness.web, session, session.get_one(Game, other), wanted)
    before = harness.load_game(game).entry
    with written(harness, "UPDATE resolver_requests SET game_id = ? WHERE id = ?", game, number):
        played(harness, game)
        assert harness.load_game(game).entry == before


def test_a_channel_tells_of_its_own_table_alone(table: tuple[ServerHarness, str]) -> None:
    """A channel that was moved to another table in the database tells nothing of that."""
    harness, game = table
    own = {"game_id": game, "language": "en", "state": "on", "masked_url": ""}
    with harness.web.db.transaction() as session:
        session.add(Webhook(id="c", created_by=1, created_at=0, form="plain", url_ciphertext=b"", **own))
    other = tables.create(harness.web, 1, "toy", "Other", 3, {}, 24)
    with written(harness, "UPDATE webhooks SET game_id = ?", other), pytest.raises(TamperedError):
        webhooks.list_webhooks(harness.web, other)


def test_only_its_host_opens_a_table_to_everybody(table: tuple[ServerHarness, str]) -> None:
    """A table that was listed by a row in the database takes no stranger."""
    harness, _ = table
    private = tables.create(harness.web, 1, "toy", "Private", 3, {}, 24)
    harness.run_queued_tasks()
    with written(harness, "INSERT INTO open_tables (game_id, opened_at) VALUES (?, 1)", private):
        with pytest.raises((TamperedError, RequestRefused)):
            open_tables.join_table(harness.web, 3, private)
        assert open_tables.list_open(harness.web, 3).rows == ()


# --- rows of before, put in again


def test_a_request_to_read_back_is_answered_to_who_answers_for_the_seat(table: tuple[ServerHarness, str]) -> None:
    """A request with its good signature, put in again an hour later, or after the seat passed on, reads nothing."""
    harness, game = table
    request, key = web_orders.request_own_orders(harness.web, 2, game)
    statement, values = copied(harness.load_rows(ResolverRequest)[0])
    harness.run_queued_tasks()
    assert isinstance(web_orders.read_own_orders(harness.web, 2, game, request, key), tuple)
    harness.advance_time(hours=1)
    with written(harness, statement, *values):
        played(harness, game)
        assert [(row.state, row.answer) for row in harness.load_rows(ResolverRequest)] == [("done", None)]
    harness.advance_time(hours=-1)
    hand_over(harness, game, "s2", "new@games.test")
    harness.run_queued_tasks()
    harness.reply("s2", "BID 2")
    with written(harness, statement, *values):
        played(harness, game)
        assert [(row.state, row.answer) for row in harness.load_rows(ResolverRequest)] == [("done", None)]


def test_a_receipt_put_in_again_tells_a_former_player_nothing(table: tuple[ServerHarness, str]) -> None:
    """A receipt that waited for play, put back after the seat went to another, names nothing that lies there now."""
    harness, game = table
    harness.reply("s2", "BID 1")
    harness.receive_reply(harness.reply_token("s2"), ["STATUS"])
    harness.run_task(*harness.queued_tasks.pop(0))
    waiting = [row for row in harness.load_rows(OutboundEmail) if row.state == OutboundState.HELD]
    statement, values = copied(waiting[0])
    content, inside = copied(
        next(row for row in harness.load_rows(OutboundEmailBody) if row.email_key == waiting[0].key)
    )
    harness.run_queued_tasks()
    assert harness.sent_facts("receipt")[-1].stored_orders
    hand_over(harness, game, "s2", "new@games.test")
    harness.run_queued_tasks()
    harness.reply("s2", "BID 2")
    before = len(harness.sent_facts("receipt"))
    with written(harness, statement, *values), written(harness, content, *inside):
        played(harness, game)
    told: list[Any] = harness.sent_facts("receipt")[before:]
    assert [facts.stored_orders for facts in told] == [()]


GIVE = ("CORRECT a coin was forgotten", "GIVE 2 COINS TO player 1")


def kept_request(harness: ServerHarness, game: str, *lines: str) -> tuple[str, list[object]]:
    """Let a master's ruling be carried out; a statement that puts its request back as it was before."""
    word = send_commands(harness, game, *lines, who=MASTER).acts[0].word
    api.execute(harness.web, game, get_user_id(harness, MASTER), lines, word, WEB)
    (command,) = (row for row in harness.load_rows(ResolverRequest) if row.state == RequestState.PENDING)
    harness.run_queued_tasks()
    return copied(command)


@pytest.mark.parametrize(
    "lines",
    [
        GIVE,
        pytest.param(("UNDO 3",), marks=pytest.mark.night),
        pytest.param(("REWIND TO 1",), marks=pytest.mark.night),
        ("ROLL FORWARD 2", "GIVE 1 COIN TO player 1"),
        pytest.param(("REROLL 2",), marks=pytest.mark.night),
    ],
    ids=lambda lines: str(lines[0]).partition(" ")[0].lower(),
)
def test_a_ruling_is_carried_out_once(table: tuple[ServerHarness, str], lines: tuple[str, ...]) -> None:
    """A request for a ruling, put in again before the game goes on, makes no second entry and no letter."""
    harness, game = table
    appoint_outsider(harness, game)
    for seat in ("s1", "s2", "s3"):
        harness.reply(seat, "BID 0")
    send_confirmed(harness, game, *GIVE, who=MASTER)
    statement, values = kept_request(harness, game, *lines)
    send_confirmed(harness, game, *GIVE, who=MASTER)
    entry, letters = harness.load_game(game).entry, len(harness.sent)
    with written(harness, statement, *values):
        played(harness, game)
        assert (harness.load_game(game).entry, len(harness.sent)) == (entry, letters)
        assert set(column(harness, "SELECT state FROM resolver_requests")) == {"done"}


def test_a_ruling_is_not_carried_out_once_the_game_has_gone_on(table: tuple[ServerHarness, str]) -> None:
    """Entries that are called corrections in the database, while they are none, let no old request act again."""
    harness, game = table
    appoint_outsider(harness, game)
    wanted = ruling_request.RulingRequest(
        "correct", get_user_id(harness, MASTER), "Eve", "a slip", 1, ("GIVE 2 COINS TO player 1",)
    )
    with harness.web.db.transaction() as session:
        ruling_request.enqueue_ruling(harness.web, session, session.get_one(Game, game), wanted)
    statement, values = copied(harness.load_rows(ResolverRequest)[0])
    with written(harness, "UPDATE resolver_requests SET state = 'done'"):
        for seat in ("s1", "s2", "s3"):
            harness.reply(seat, "BID 0")
        entry = harness.load_game(game).entry
        assert entry > 1
        with written(harness, "UPDATE journal_entries SET gate = 'correction'"), written(harness, statement, *values):
            played(harness, game)
            assert harness.load_game(game).entry == entry


def overdue(harness: ServerHarness, game: str, entry: int) -> EntryRecord:
    """A day passes: what is recorded as the entry after this one."""
    harness.advance_time(hours=25)
    harness.run_scheduled_jobs()
    harness.run_queued_tasks()
    with harness.resolver.db.snapshot() as session:
        row = session.get_one(Game, game)
        return load_entry(session, load_game_keys(harness.resolver, row), row, entry + 1)


def bidding(
    harness: ServerHarness, game: str, statement: str, *, before: bool = False, word: str = ""
) -> list[tuple[str, str]]:
    """Two of three bid, the database is written to, the third bids: which answers were counted, and how they came.

    `before`: it is written to before anybody bids.  `word`: what the operator is told.
    """
    early = () if before else (("s1", "BID 1"), ("s2", "BID 2"))
    late = (*(("s1", "BID 1"), ("s2", "BID 2")), ("s3", "BID 0"))[len(early) :]
    for seat, line in early:
        harness.reply(seat, line)
    with written(harness, statement):
        for seat, line in late:
            harness.reply(seat, line)
        record = overdue(harness, game, 1)
        assert any((word or "called unanswered") in said for said in health.list_problems(harness.resolver))
    return [(one.seat, one.how) for one in record.counted]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE questions SET answered_at = NULL, state = 'unanswered' WHERE seat = 's2'",
        "UPDATE questions SET answered_at = NULL, resolve_now = TRUE, due_at = 1, closes_at = 1 WHERE seat = 's2'",
        "DELETE FROM questions WHERE seat = 's2'",
    ],
)
def test_orders_that_lie_there_count_whatever_the_table_of_questions_says(
    table: tuple[ServerHarness, str], statement: str
) -> None:
    """A question that was made to look unanswered, or overdue, does not turn a player's orders into the default."""
    harness, game = table
    harness.run_scheduled_jobs()
    assert bidding(harness, game, statement) == [("s1", "orders"), ("s2", "orders"), ("s3", "orders")]


@pytest.mark.parametrize(("other", "before"), [(0, False), (7, False), (0, True)])
def test_orders_count_whatever_entry_their_question_is_said_to_be_of(
    table: tuple[ServerHarness, str], other: int, before: bool
) -> None:
    """A question that was made one of another entry takes its player's orders all the same, and doctor names it."""
    harness, game = table
    harness.run_scheduled_jobs()
    harness.requeue_stuck_work()
    statement = f"UPDATE questions SET opening_entry = {other} WHERE seat = 's2'"
    found = bidding(harness, game, statement, before=before, word="question to s2 was said to be of another entry")
    assert found == [("s1", "orders"), ("s2", "orders"), ("s3", "orders")]


def test_orders_count_though_play_looks_at_the_game_before_its_gate_closes(table: tuple[ServerHarness, str]) -> None:
    """Orders to a question that was made one of another entry count, even if play put the question right before."""
    harness, game = table
    harness.run_scheduled_jobs()
    harness.requeue_stuck_work()
    with written(harness, "UPDATE questions SET opening_entry = 0 WHERE seat = 's2'"):
        harness.reply("s2", "BID 2")
        played(harness, game)
        for seat in ("s1", "s3"):
            harness.reply(seat, "BID 0")
        record = overdue(harness, game, 1)
    assert [one.how for one in record.counted] == ["orders"] * 3


@pytest.mark.parametrize("note", ["gone", "older"])
def test_doctor_names_orders_that_do_not_fit_their_question(table: tuple[ServerHarness, str], note: str) -> None:
    """Where what play noted of a question was taken away, or put back, orders that fit no more are named by doctor."""
    harness, game = table
    harness.run_scheduled_jobs()
    appoint_outsider(harness, game)
    harness.requeue_stuck_work()
    older = harness.load_game(game).orders_checkpoint if note == "older" else None
    send_confirmed(harness, game, *GIVE, who=MASTER)
    assert not any("put back" in said for said in health.list_problems(harness.resolver))
    if older is not None:
        with written(harness, "UPDATE games SET orders_checkpoint = ?", older):
            played(harness, game)
            assert any(
                "noted at entry 1 was put back at entry 2" in said for said in health.list_problems(harness.resolver)
            )
    harness.reply("s2", "BID 2")
    changed = "UPDATE questions SET opening_entry = 0 WHERE seat = 's2'"
    with written(harness, changed), written(harness, "UPDATE games SET orders_checkpoint = ?", older):
        for seat in ("s1", "s3"):
            harness.reply(seat, "BID 0")
        harness.advance_time(hours=25)
        harness.run_scheduled_jobs()
        harness.run_queued_tasks()
        found = health.list_problems(harness.resolver)
    assert any("Was the database written to? `pbem game resume`" in said for said in found)


def test_a_question_that_was_deleted_is_still_the_one_that_was_answered(table: tuple[ServerHarness, str]) -> None:
    """A question whose row was deleted after another entry was made is put again as the one it was."""
    harness, game = table
    harness.run_scheduled_jobs()
    appoint_outsider(harness, game)
    harness.reply("s2", "BID 2")
    send_confirmed(harness, game, *GIVE, who=MASTER)
    entry = harness.load_game(game).entry
    assert entry > 1
    with written(harness, "DELETE FROM questions WHERE seat = 's2'"):
        for seat in ("s1", "s3"):
            harness.reply(seat, "BID 0")
        record = overdue(harness, game, entry)
    assert [one.how for one in record.counted] == ["orders"] * 3


def test_orders_of_an_earlier_question_are_not_orders_of_this_one(table: tuple[ServerHarness, str]) -> None:
    """Orders from before a rewind, put in again with a question that is said to be the old one, do not count."""
    harness, game = table
    harness.run_scheduled_jobs()
    appoint_outsider(harness, game)
    harness.reply("s2", "BID 2")
    (row,) = harness.load_rows(SealedOrdersRow)
    statement, values = copied(row)
    for seat in ("s1", "s3"):
        harness.reply(seat, "BID 0")
    send_confirmed(harness, game, "REWIND TO 1", who=MASTER)
    entry = harness.load_game(game).entry
    question = "UPDATE questions SET opening_entry = ? WHERE seat = 's2'"
    with written(harness, question, row.opening_entry), written(harness, statement, *values):
        for seat in ("s1", "s3"):
            harness.reply(seat, "BID 0")
        record = overdue(harness, game, entry)
    assert [one.how for one in record.counted] == ["orders", "default", "orders"]


def test_a_ruling_that_was_withheld_is_not_carried_out_later(table: tuple[ServerHarness, str]) -> None:
    """A request for a ruling that was taken away, and put in two days later, changes nothing; its master is told.

    So is one that waits as its author's time as master ends.
    """
    harness, game = table
    number = appoint_outsider(harness, game)
    word = send_commands(harness, game, *GIVE, who=MASTER).acts[0].word
    api.execute(harness.web, game, get_user_id(harness, MASTER), GIVE, word, WEB)
    (command,) = (row for row in harness.load_rows(ResolverRequest) if row.state == RequestState.PENDING)
    statement, values = copied(command)
    with written(harness, "DELETE FROM resolver_requests"):
        harness.run_queued_tasks()
        harness.advance_time(days=2)
        with written(harness, statement, *values):
            played(harness, game)
            assert harness.load_game(game).entry == 1
    told = [act for address, facts in harness.sent if address.kind == "master" for act in facts.acts]
    assert told[-1].problem.code == "ruling_late"
    wanted = ruling_request.RulingRequest("correct", number, "Eve", "a slip", 1, ("GIVE 2 COINS TO player 1",))
    with harness.web.db.transaction() as session:
        row = session.get_one(Game, game)
        ruling_request.enqueue_ruling(harness.web, session, row, wanted)
        permissions.appoint_master(harness.web, session, row, session.get_one(User, 1))
        permissions.dismiss_master(harness.web, session, row, number)
    played(harness, game)
    assert harness.load_game(game).entry == 1
    last = harness.sent_facts("master")[-1]
    assert ([said.code for said in last.lead], last.view) == (["ruling_dropped"], None)


@pytest.mark.parametrize("lines", [("BID 2",), ("ON PARRY: PARRY Oak Shield",), ("FOR MARCH", "ATTACK Mill")])
def test_a_withdrawal_reaches_what_would_count(table: tuple[ServerHarness, str], lines: tuple[str, ...]) -> None:
    """Orders whose row says that they stand no more, while play would count them, are withdrawn like any other."""
    harness, _ = table
    harness.reply("s2", *lines)
    assert harness.load_rows(SealedOrdersRow)
    with written(harness, "UPDATE sealed_orders SET is_current = FALSE WHERE seat = 's2'"):
        receipt = harness.reply("s2", "WITHDRAW")
        assert [command.outcome for command in receipt.commands] == ["done"]
        assert all(row.end_signature for row in harness.load_rows(SealedOrdersRow))


def test_a_table_whose_masters_were_deleted_is_nobodys(table: tuple[ServerHarness, str]) -> None:
    """The host, whose place another took, is no master again because the rows that say so are gone."""
    harness, game = table
    appoint_outsider(harness, game)
    with written(harness, "DELETE FROM masters"):
        assert permissions.find_membership(harness.web, 1, game, permissions.Permission.MASTERS) is None
        facts = api.execute(harness.web, game, 1, ["CORRECT", "GIVE 1 COIN TO player 1", "END"], "", WEB)
        assert {act.outcome for act in facts.acts} == {"refused"}


def test_what_an_email_said_is_known_again_in_its_own_answer_alone(table: tuple[ServerHarness, str]) -> None:
    """Where another seat's email is put in the place of one's own, a reply finds out no line of that."""
    harness, _ = table
    mine, other = harness.reply_token("s2"), harness.reply_token("s3")
    with harness.mailer.db.snapshot() as session:
        assert all(printed_emails.load(harness.mailer, session, token) for token in (mine, other))
    its = "SELECT {} FROM printed_emails WHERE token_hash = ? AND kind = 'started'"
    put = f"email_key = ({its.format('email_key')}), content_ciphertext = ({its.format('content_ciphertext')})"
    hashes = (token_hash("printed", token) for token in (other, other, mine))
    statement = f"UPDATE printed_emails SET {put} WHERE token_hash = ?"
    with written(harness, statement, *hashes), harness.mailer.db.snapshot() as session:
        assert not printed_emails.load(harness.mailer, session, mine)
