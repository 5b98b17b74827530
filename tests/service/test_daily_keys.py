"""Letters are sealed to a key that lives a day: what logs, replicas and copies keep of them opens to nobody later."""

import base64
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, event, update
from sqlalchemy.exc import IntegrityError

from pbem.crypto import (
    CryptoError,
    EmailContext,
    KeyFolder,
    MailerKey,
    TamperedError,
    UnknownKey,
    VerifyKeys,
    unseal_email,
)
from pbem.crypto.key_files import read_ring
from pbem.service.base import services
from pbem.service.base.services import DeliveryFailure, NoMailKey
from pbem.service.deadlines import interruptions
from pbem.service.mail import daily_keys, delivery
from pbem.service.mail.inbox import MOST_TRIES
from pbem.service.mail.inbox_queue import store_message
from pbem.service.tasks import health, jobs
from pbem.smtp_process import is_local_recipient
from pbem.store.models import DailyKey, InboundEmailBody, OutboundEmail, OutboundEmailBody
from tests.service.canary_words import files
from tests.service.database_copy import DatabaseCopy
from tests.service.server_fixtures import ServerHarness, build, start_game
from tests.service.test_exactly_once import Death, Killed
from tests.service.test_secrets import bunch
from tests.service.test_signed_rows import written
from tests.web.form_browser import Browser, site
from worker.app import skip_when_unavailable

CIPHERTEXT = b"s\x00\x00\x00\x11pbem ciphertext 1"


def post_folder(state: Path) -> Path:
    """All keys of post."""
    return KeyFolder(state / "keys").folder_of("mailer")


def pairs(state: Path) -> set[str]:
    """The files of the keys that live a day."""
    return {path.name for path in (post_folder(state) / "days").glob("*.keys")}


@contextmanager
def logged(harness: ServerHarness) -> Iterator[set[bytes]]:
    """Every ciphertext that is written into the database meanwhile: what a log or a replica keeps of it."""
    found: set[bytes] = set()

    def note(connection: Any, cursor: Any, statement: str, values: Any, *rest: Any) -> None:
        found.update(value for value in flat(values) if value.startswith(CIPHERTEXT))

    event.listen(harness.resolver.db.engine, "before_cursor_execute", note)
    yield found
    event.remove(harness.resolver.db.engine, "before_cursor_execute", note)


def flat(values: Any) -> Iterator[bytes]:
    """All bytes among the values of a statement, of one row or of many."""
    values = getattr(values, "obj", values) if not isinstance(values, memoryview) else values  # as psycopg wraps them
    if isinstance(values, bytes | memoryview):
        yield bytes(values)
    elif isinstance(values, Mapping | Sequence) and not isinstance(values, str):
        for value in values.values() if isinstance(values, Mapping) else values:
            yield from flat(value)


def opened(state: Path, harness: ServerHarness, ciphertexts: set[bytes]) -> set[bytes]:
    """The ciphertexts that all keys of post open, as whichever letter of the database."""
    secrets, verify = bunch(post_folder(state), VerifyKeys(())).secrets, harness.web.verify
    places = [EmailContext(row.id, "addressed") for row in harness.load_inbound_emails()]
    places += [
        EmailContext(row.key, kind) for row in harness.load_rows(OutboundEmail) for kind in ("queued", "rendered")
    ]
    return {
        ciphertext
        for ciphertext in ciphertexts
        if any(_opens(s, verify, p, ciphertext) for s in secrets for p in places)
    }


def _opens(secret: bytes, verify: VerifyKeys, place: EmailContext, ciphertext: bytes) -> bool:
    try:
        unseal_email(MailerKey([secret]), verify, place, ciphertext)
    except CryptoError:
        return False
    return True


def next_day(harness: ServerHarness) -> None:
    """A day later post has looked twice, so that what is due then is done."""
    harness.advance_time(days=1)
    daily_keys.rotate_if_due(harness.mailer)
    harness.advance_time(minutes=11)
    daily_keys.rotate_if_due(harness.mailer)


def sweep(harness: ServerHarness) -> None:
    """Find what was forgotten, and do it as a worker does."""
    jobs.requeue_stuck_work(harness.scheduler)
    while harness.queued_tasks:
        with skip_when_unavailable():
            harness.run_task(*harness.queued_tasks.pop(0))


def test_no_finished_letter_of_an_earlier_day_opens(state_dir: Path) -> None:
    """With every byte ever written to the database, and all keys that post has today, no letter done before opens."""
    harness = build(state_dir)
    with logged(harness) as early:
        start_game(harness, "toy", 2)
        harness.reply("s1", "BID 1")
    assert len(opened(state_dir, harness, early)) >= 2
    with logged(harness) as today:
        next_day(harness)
        harness.reply("s2", "BID 0")
    assert opened(state_dir, harness, early) == set()
    assert opened(state_dir, harness, today)
    assert len(pairs(state_dir)) == 1


def test_a_letter_that_waits_is_sealed_anew(state_dir: Path) -> None:
    """Letters in and out that lie for days are read and sent then, and the bytes of before open to nobody."""
    harness = build(state_dir)
    start_game(harness, "toy", 2)
    harness.configure(send_email=lambda message: DeliveryFailure("451"))
    with logged(harness) as early:
        harness.reply("s1", "BID 1")
        harness.receive_reply(harness.reply_token("s2"), ["BID 0"])
    waiting = {row.key for row in harness.load_rows(OutboundEmail) if row.state == "rendered"}
    for _ in range(2):
        next_day(harness)
    assert opened(state_dir, harness, early) == set()
    assert len(pairs(state_dir)) == len(harness.load_rows(DailyKey)) == 1
    harness.configure(send_email=lambda message: None)
    harness.advance_time(days=1)
    harness.requeue_stuck_work()
    delivery.deliver(harness.mailer)
    assert waiting
    assert {row.state for row in harness.load_rows(OutboundEmail)} == {"sent"}
    assert [row.state for row in harness.load_inbound_emails()] == ["processed"] * 2


def test_the_private_half_is_in_no_file_but_its_own(state_dir: Path) -> None:
    """Neither the database nor anything beside it holds a private half; its file is for its owner alone."""
    harness = build(state_dir)
    start_game(harness, "toy", 2)
    next_day(harness)
    (name,) = pairs(state_dir)
    path = post_folder(state_dir) / "days" / name
    (secret,) = read_ring(path, "post day", 0o400).values()
    held = {n for n, blob in files(state_dir).items() if secret in blob or base64.b64encode(secret) in blob}
    assert {Path(n).name for n in held} == {name}
    assert path.stat().st_mode & 0o777 == 0o400
    assert path.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.both_databases
@pytest.mark.parametrize("point", services.DAILY_KEY_POINTS)
def test_a_worker_that_dies_at_any_step_loses_nothing(state_dir: Path, point: str) -> None:
    """Whatever step is the last, the next worker ends with one key, and what waited is read or sent once."""
    harness = build(state_dir)
    start_game(harness, "toy", 2)
    harness.configure(send_email=lambda message: DeliveryFailure("451"))
    harness.reply("s1", "BID 1")
    harness.receive_reply(harness.reply_token("s2"), ["BID 0"])
    death = Death({point: 0})
    harness.mailer = with_point(harness, death)
    with pytest.raises(Killed):
        next_day(harness)
    assert death.met
    wire = list[bytes]()
    harness.configure(send_email=lambda message: wire.append(message.wire))
    harness.requeue_stuck_work()
    harness.advance_time(days=1)
    delivery.deliver(harness.mailer)
    next_day(harness)
    assert len(pairs(state_dir)) == len(harness.load_rows(DailyKey)) == 1
    assert [row.state for row in harness.load_inbound_emails()] == ["processed"] * 2
    assert {row.state for row in harness.load_rows(OutboundEmail)} == {"sent"}
    assert len(wire) == len(set(wire))


def with_point(harness: ServerHarness, death: Death) -> Any:
    """Post, as it dies there."""
    harness.configure(fault_point=death)
    return harness.mailer


def test_what_a_crash_left_of_a_key_is_destroyed(state_dir: Path) -> None:
    """A private half that no row knows, whole or half written, does not stay."""
    harness = build(state_dir)
    days = post_folder(state_dir) / "days"
    harness.mailer.mailer_keys.days.create()
    (days / ".0123.keys.part").write_text("half of one", encoding="ascii")
    (days / ".0123.keys.part").chmod(0o400)
    next_day(harness)
    assert {path.name for path in days.iterdir()} == {".lock", *pairs(state_dir)}
    assert len(pairs(state_dir)) == 1


@pytest.mark.both_databases
def test_several_workers_change_keys_while_letters_come(state_dir: Path) -> None:
    """However many workers look at once, and letters come meanwhile: one key is left, and every letter opens."""
    harness = build(state_dir)
    start_game(harness, "toy", 2)
    harness.configure(send_email=lambda message: DeliveryFailure("451"))
    harness.advance_time(days=1)
    faults = list[BaseException]()

    def rotate() -> None:
        try:
            for _ in range(5):
                daily_keys.rotate_if_due(harness.mailer)
        except BaseException as error:  # noqa: BLE001 - told by the test
            faults.append(error)

    workers = [threading.Thread(target=rotate) for _ in range(4)]
    for worker in workers:
        worker.start()
    for number in range(20):
        store_message(harness.smtp, (f"o+{harness.reply_token('s1')}@games.test",), str(number).encode())
    for worker in workers:
        worker.join()
    harness.advance_time(minutes=11)
    daily_keys.rotate_if_due(harness.mailer)
    assert faults == []
    assert len(pairs(state_dir)) == len(harness.load_rows(DailyKey)) == 1
    for row in harness.load_rows(InboundEmailBody):
        assert daily_keys.unseal(harness.mailer, EmailContext(row.email_key, "addressed"), row.content_ciphertext)


def test_one_worker_at_a_time_changes_keys(state_dir: Path) -> None:
    """While another worker holds the folder, nothing is done."""
    harness = build(state_dir)
    before = pairs(state_dir)
    harness.advance_time(days=1)
    with harness.mailer.mailer_keys.days.exclusive() as ours:
        assert ours
        daily_keys.rotate_if_due(harness.mailer)
        assert pairs(state_dir) == before
    daily_keys.rotate_if_due(harness.mailer)
    assert len(pairs(state_dir)) == 2


@pytest.mark.both_databases
def test_a_letter_that_is_sealed_as_its_key_goes_is_refused(state_dir: Path) -> None:
    """The database keeps the key that a letter refers to, and takes none that refers to a key that is gone."""
    harness = build(state_dir)
    start_game(harness, "toy", 2)
    harness.receive_reply(harness.reply_token("s1"), ["BID 1"])
    with pytest.raises(IntegrityError), harness.mailer.db.transaction() as session:
        session.execute(delete(DailyKey))
    with pytest.raises(IntegrityError), harness.mailer.db.transaction() as session:
        session.execute(update(InboundEmailBody).values(daily_key_id=99))


@pytest.mark.both_databases
def test_a_key_that_a_stranger_put_in_is_not_used(state_dir: Path) -> None:
    """With nothing but a connection to the database nobody has letters sealed to a key of their own."""
    harness = build(state_dir)
    start_game(harness, "toy", 2)
    statement = (
        "INSERT INTO daily_keys (public_key, created_at, restored_at, signed) "
        "SELECT ?, created_at, 0, signed FROM daily_keys"
    )
    with written(harness, statement, MailerKey.create().public_key()):
        for sealing in (
            lambda: harness.receive_reply(harness.reply_token("s1"), ["BID 1"]),
            lambda: harness.reply("s2", "BID 1"),
        ):
            with pytest.raises(TamperedError):
                sealing()


def test_before_post_has_a_key_no_letter_is_taken(state_dir: Path) -> None:
    """The door takes no letter that it could not seal, a page says to come again, the doctor what is missing."""
    harness = build(state_dir)
    start_game(harness, "toy", 2)
    address = f"o+{harness.reply_token('s1')}@games.test"
    with harness.mailer.db.transaction() as session:
        session.execute(update(OutboundEmailBody).values(daily_key_id=None))
        session.execute(delete(DailyKey))
    with pytest.raises(NoMailKey):
        store_message(harness.smtp, (address,), b"0")
    assert harness.load_inbound_emails() == []
    assert any("no key to seal letters to" in line for line in health.list_problems(harness.resolver))
    guest = Browser(site(harness))
    assert guest.post("/sign-in", {"address": "p1@games.test"}).status_code == 503
    daily_keys.rotate_if_due(harness.mailer)
    assert is_local_recipient(harness.smtp, address)
    assert store_message(harness.smtp, (address,), b"0")


def test_after_a_copy_is_put_back_letters_are_sealed_to_a_new_key(state_dir: Path) -> None:
    """Keys of the copy are not used; letters that it held are given up, told to the operator, and hold up no other."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 2, 48)
    harness.run_scheduled_jobs()
    harness.configure(send_email=lambda message: DeliveryFailure("451"))
    harness.reply("s1", "BID 1")
    harness.receive_reply(harness.reply_token("s2"), ["BID 0"])
    number = harness.load_inbound_emails()[-1].id
    harness.queued_tasks.clear()
    copy = DatabaseCopy(harness)
    harness.configure(send_email=lambda message: None)
    harness.advance_time(days=1)
    harness.requeue_stuck_work()
    next_day(harness)
    copy.put_back()
    with harness.resolver.db.transaction() as session:
        interruptions.record_restore(session, harness.resolver.now())
    with pytest.raises(NoMailKey):
        store_message(harness.smtp, (f"o+{harness.reply_token('s2')}@games.test",), b"0")
    harness.run_scheduled_jobs()
    harness.run_queued_tasks()
    for _ in range(delivery.LOST_TRIES + MOST_TRIES):
        harness.advance_time(hours=2)
        sweep(harness)
    assert next(row.state for row in harness.load_inbound_emails() if row.id == number) == "quarantined"
    errors = {row.state: row.error for row in harness.load_rows(OutboundEmail) if row.state != "sent"}
    assert errors == {"given_up": delivery.LOST}
    said = "\n".join(health.list_problems(harness.resolver))
    assert "Letters of a copy that was put back, whose keys were destroyed before: 1." in said
    assert "it opens to nobody" in said
    assert harness.sent_facts("deadline_changed")
    assert harness.reply("s2", "BID 1") is not None
    assert not harness.load_game(game).failure


def test_without_its_folder_letters_go_on_under_the_last_key(state_dir: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The log has one line when the folder cannot be used and one when it can again; doctor says how old the key is."""
    harness = build(state_dir)
    start_game(harness, "toy", 2)
    days = post_folder(state_dir) / "days"
    days.rename(state_dir / "elsewhere")
    days.write_bytes(b"")
    harness.advance_time(days=2)
    for _ in range(3):
        daily_keys.rotate_if_due(harness.mailer)
    harness.receive_reply(harness.reply_token("s1"), ["BID 1"])
    assert any("a key that is 48 h old" in line for line in health.list_problems(harness.resolver))
    days.unlink()
    (state_dir / "elsewhere").rename(days)
    daily_keys.rotate_if_due(harness.mailer)
    harness.run_queued_tasks()
    assert [row.state for row in harness.load_inbound_emails()] == ["processed"]
    lines = [line for line in caplog.messages if "day keys" in line]
    assert [line.split()[6] for line in lines] == ["away", "back"]


def test_a_destroyed_key_opens_nothing_in_a_process_that_had_used_it(state_dir: Path) -> None:
    """No worker keeps a private half in memory."""
    harness = build(state_dir)
    start_game(harness, "toy", 2)
    harness.receive_reply(harness.reply_token("s1"), ["BID 1"])
    (row,) = harness.load_rows(InboundEmailBody)
    place = EmailContext(row.email_key, "addressed")
    assert daily_keys.unseal(harness.mailer, place, row.content_ciphertext)
    harness.run_queued_tasks()
    next_day(harness)
    with pytest.raises(UnknownKey):
        daily_keys.unseal(harness.mailer, place, row.content_ciphertext)
