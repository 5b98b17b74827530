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
from pbem.service.mail.intake import store_message
from pbem.service.tasks import health, jobs
from pbem.smtp_process import is_local_recipient
from pbem.store.models import DailyKey, InboundEmailBody, OutboundEmail, OutboundEmailBody
from tests.service.canary_words import files
from tests.service.database_copy import Copy
from tests.service.server_fixtures import Hall, build, seated
from tests.service.test_exactly_once import Death, Killed
from tests.service.test_secrets import bunch
from tests.service.test_signed_rows import written
from tests.web.form_browser import Browser, site
from worker.app import skip_when_unavailable

PARCEL = b"s\x00\x00\x00\x0dpbem parcel 1"


def post_folder(state: Path) -> Path:
    """All keys of post."""
    return KeyFolder(state / "keys").folder_of("mailer")


def pairs(state: Path) -> set[str]:
    """The files of the keys that live a day."""
    return {path.name for path in (post_folder(state) / "days").glob("*.keys")}


@contextmanager
def logged(hall: Hall) -> Iterator[set[bytes]]:
    """Every parcel that is written into the database meanwhile: what a log or a replica keeps of it."""
    found: set[bytes] = set()

    def note(connection: Any, cursor: Any, statement: str, values: Any, *rest: Any) -> None:
        found.update(value for value in flat(values) if value.startswith(PARCEL))

    event.listen(hall.play.db.engine, "before_cursor_execute", note)
    yield found
    event.remove(hall.play.db.engine, "before_cursor_execute", note)


def flat(values: Any) -> Iterator[bytes]:
    """All bytes among the values of a statement, of one row or of many."""
    values = getattr(values, "obj", values) if not isinstance(values, memoryview) else values  # as psycopg wraps them
    if isinstance(values, bytes | memoryview):
        yield bytes(values)
    elif isinstance(values, Mapping | Sequence) and not isinstance(values, str):
        for value in values.values() if isinstance(values, Mapping) else values:
            yield from flat(value)


def opened(state: Path, hall: Hall, parcels: set[bytes]) -> set[bytes]:
    """The parcels that all keys of post open, as whichever letter of the database."""
    secrets, verify = bunch(post_folder(state), VerifyKeys(())).secrets, hall.web.verify
    places = [EmailContext(row.id, "addressed") for row in hall.letters_in()]
    places += [EmailContext(row.key, kind) for row in hall.rows(OutboundEmail) for kind in ("queued", "rendered")]
    return {parcel for parcel in parcels if any(_opens(s, verify, p, parcel) for s in secrets for p in places)}


def _opens(secret: bytes, verify: VerifyKeys, place: EmailContext, parcel: bytes) -> bool:
    try:
        unseal_email(MailerKey([secret]), verify, place, parcel)
    except CryptoError:
        return False
    return True


def next_day(hall: Hall) -> None:
    """A day later post has looked twice, so that what is due then is done."""
    hall.pass_time(days=1)
    daily_keys.rotate_if_due(hall.post)
    hall.pass_time(minutes=11)
    daily_keys.rotate_if_due(hall.post)


def sweep(hall: Hall) -> None:
    """Find what was forgotten, and do it as a worker does."""
    jobs.requeue_stuck_work(hall.clock)
    while hall.woken:
        with skip_when_unavailable():
            hall.work(*hall.woken.pop(0))


def test_no_finished_letter_of_an_earlier_day_opens(state_dir: Path) -> None:
    """With every byte ever written to the database, and all keys that post has today, no letter done before opens."""
    hall = build(state_dir)
    with logged(hall) as early:
        seated(hall, "toy", 2)
        hall.say("s1", "BID 1")
    assert len(opened(state_dir, hall, early)) >= 2
    with logged(hall) as today:
        next_day(hall)
        hall.say("s2", "BID 0")
    assert opened(state_dir, hall, early) == set()
    assert opened(state_dir, hall, today)
    assert len(pairs(state_dir)) == 1


def test_a_letter_that_waits_is_sealed_anew(state_dir: Path) -> None:
    """Letters in and out that lie for days are read and sent then, and the bytes of before open to nobody."""
    hall = build(state_dir)
    seated(hall, "toy", 2)
    hall.everywhere(send_email=lambda message: DeliveryFailure("451"))
    with logged(hall) as early:
        hall.say("s1", "BID 1")
        hall.write_in(hall.token("s2"), ["BID 0"])
    waiting = {row.key for row in hall.rows(OutboundEmail) if row.state == "rendered"}
    for _ in range(2):
        next_day(hall)
    assert opened(state_dir, hall, early) == set()
    assert len(pairs(state_dir)) == len(hall.rows(DailyKey)) == 1
    hall.everywhere(send_email=lambda message: None)
    hall.pass_time(days=1)
    hall.sweep()
    delivery.deliver(hall.post)
    assert waiting
    assert {row.state for row in hall.rows(OutboundEmail)} == {"sent"}
    assert [row.state for row in hall.letters_in()] == ["processed"] * 2


def test_the_private_half_is_in_no_file_but_its_own(state_dir: Path) -> None:
    """Neither the database nor anything beside it holds a private half; its file is for its owner alone."""
    hall = build(state_dir)
    seated(hall, "toy", 2)
    next_day(hall)
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
    hall = build(state_dir)
    seated(hall, "toy", 2)
    hall.everywhere(send_email=lambda message: DeliveryFailure("451"))
    hall.say("s1", "BID 1")
    hall.write_in(hall.token("s2"), ["BID 0"])
    death = Death(point)
    hall.post = with_point(hall, death)
    with pytest.raises(Killed):
        next_day(hall)
    assert death.met
    wire = list[bytes]()
    hall.everywhere(send_email=lambda message: wire.append(message.wire))
    hall.sweep()
    hall.pass_time(days=1)
    delivery.deliver(hall.post)
    next_day(hall)
    assert len(pairs(state_dir)) == len(hall.rows(DailyKey)) == 1
    assert [row.state for row in hall.letters_in()] == ["processed"] * 2
    assert {row.state for row in hall.rows(OutboundEmail)} == {"sent"}
    assert len(wire) == len(set(wire))


def with_point(hall: Hall, death: Death) -> Any:
    """Post, as it dies there."""
    hall.everywhere(fault_point=death)
    return hall.post


def test_what_a_crash_left_of_a_key_is_destroyed(state_dir: Path) -> None:
    """A private half that no row knows, whole or half written, does not stay."""
    hall = build(state_dir)
    days = post_folder(state_dir) / "days"
    hall.post.mailer_keys.days.create()
    (days / ".0123.keys.part").write_text("half of one", encoding="ascii")
    (days / ".0123.keys.part").chmod(0o400)
    next_day(hall)
    assert {path.name for path in days.iterdir()} == {".lock", *pairs(state_dir)}
    assert len(pairs(state_dir)) == 1


@pytest.mark.both_databases
def test_several_workers_change_keys_while_letters_come(state_dir: Path) -> None:
    """However many workers look at once, and letters come meanwhile: one key is left, and every letter opens."""
    hall = build(state_dir)
    seated(hall, "toy", 2)
    hall.everywhere(send_email=lambda message: DeliveryFailure("451"))
    hall.pass_time(days=1)
    faults = list[BaseException]()

    def rotate() -> None:
        try:
            for _ in range(5):
                daily_keys.rotate_if_due(hall.post)
        except BaseException as error:  # noqa: BLE001 - told by the test
            faults.append(error)

    workers = [threading.Thread(target=rotate) for _ in range(4)]
    for worker in workers:
        worker.start()
    for number in range(20):
        store_message(hall.door, (f"o+{hall.token('s1')}@games.test",), str(number).encode())
    for worker in workers:
        worker.join()
    hall.pass_time(minutes=11)
    daily_keys.rotate_if_due(hall.post)
    assert faults == []
    assert len(pairs(state_dir)) == len(hall.rows(DailyKey)) == 1
    for row in hall.rows(InboundEmailBody):
        assert daily_keys.unseal(hall.post, EmailContext(row.email_key, "addressed"), row.content_ciphertext)


def test_one_worker_at_a_time_changes_keys(state_dir: Path) -> None:
    """While another worker holds the folder, nothing is done."""
    hall = build(state_dir)
    before = pairs(state_dir)
    hall.pass_time(days=1)
    with hall.post.mailer_keys.days.exclusive() as ours:
        assert ours
        daily_keys.rotate_if_due(hall.post)
        assert pairs(state_dir) == before
    daily_keys.rotate_if_due(hall.post)
    assert len(pairs(state_dir)) == 2


@pytest.mark.both_databases
def test_a_letter_that_is_sealed_as_its_key_goes_is_refused(state_dir: Path) -> None:
    """The database keeps the key that a letter refers to, and takes none that refers to a key that is gone."""
    hall = build(state_dir)
    seated(hall, "toy", 2)
    hall.write_in(hall.token("s1"), ["BID 1"])
    with pytest.raises(IntegrityError), hall.post.db.transaction() as session:
        session.execute(delete(DailyKey))
    with pytest.raises(IntegrityError), hall.post.db.transaction() as session:
        session.execute(update(InboundEmailBody).values(daily_key_id=99))


@pytest.mark.both_databases
def test_a_key_that_a_stranger_put_in_is_not_used(state_dir: Path) -> None:
    """With nothing but a connection to the database nobody has letters sealed to a key of their own."""
    hall = build(state_dir)
    seated(hall, "toy", 2)
    statement = (
        "INSERT INTO daily_keys (public_key, created_at, restored_at, signed) "
        "SELECT ?, created_at, 0, signed FROM daily_keys"
    )
    with written(hall, statement, MailerKey.create().public_key()):
        for sealing in (lambda: hall.write_in(hall.token("s1"), ["BID 1"]), lambda: hall.say("s2", "BID 1")):
            with pytest.raises(TamperedError):
                sealing()


def test_before_post_has_a_key_no_letter_is_taken(state_dir: Path) -> None:
    """The door takes no letter that it could not seal, a page says to come again, the doctor what is missing."""
    hall = build(state_dir)
    seated(hall, "toy", 2)
    address = f"o+{hall.token('s1')}@games.test"
    with hall.post.db.transaction() as session:
        session.execute(update(OutboundEmailBody).values(daily_key_id=None))
        session.execute(delete(DailyKey))
    with pytest.raises(NoMailKey):
        store_message(hall.door, (address,), b"0")
    assert hall.letters_in() == []
    assert any("no key to seal letters to" in line for line in health.list_problems(hall.play))
    guest = Browser(site(hall))
    assert guest.post("/sign-in", {"address": "p1@games.test"}).status_code == 503
    daily_keys.rotate_if_due(hall.post)
    assert is_local_recipient(hall.door, address)
    assert store_message(hall.door, (address,), b"0")


def test_after_a_copy_is_put_back_letters_are_sealed_to_a_new_key(state_dir: Path) -> None:
    """Keys of the copy are not used; letters that it held are given up, told to the operator, and hold up no other."""
    hall = build(state_dir)
    game = seated(hall, "toy", 2, 48)
    hall.tick()
    hall.everywhere(send_email=lambda message: DeliveryFailure("451"))
    hall.say("s1", "BID 1")
    hall.write_in(hall.token("s2"), ["BID 0"])
    number = hall.letters_in()[-1].id
    hall.woken.clear()
    copy = Copy(hall)
    hall.everywhere(send_email=lambda message: None)
    hall.pass_time(days=1)
    hall.sweep()
    next_day(hall)
    copy.put_back()
    interruptions.record_restore(hall.web)
    with pytest.raises(NoMailKey):
        store_message(hall.door, (f"o+{hall.token('s2')}@games.test",), b"0")
    hall.tick()
    hall.settle()
    for _ in range(delivery.LOST_TRIES + MOST_TRIES):
        hall.pass_time(hours=2)
        sweep(hall)
    assert next(row.state for row in hall.letters_in() if row.id == number) == "quarantined"
    errors = {row.state: row.error for row in hall.rows(OutboundEmail) if row.state != "sent"}
    assert errors == {"failed": delivery.LOST}
    said = "\n".join(health.list_problems(hall.play))
    assert "Letters of a copy that was put back, whose keys were destroyed before: 1." in said
    assert "it opens to nobody" in said
    assert hall.of("moved")
    assert hall.say("s2", "BID 1") is not None
    assert not hall.game(game).failure


def test_without_its_folder_letters_go_on_under_the_last_key(state_dir: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The log has one line when the folder cannot be used and one when it can again; doctor says how old the key is."""
    hall = build(state_dir)
    seated(hall, "toy", 2)
    days = post_folder(state_dir) / "days"
    days.rename(state_dir / "elsewhere")
    days.write_bytes(b"")
    hall.pass_time(days=2)
    for _ in range(3):
        daily_keys.rotate_if_due(hall.post)
    hall.write_in(hall.token("s1"), ["BID 1"])
    assert any("a key that is 48 h old" in line for line in health.list_problems(hall.play))
    days.unlink()
    (state_dir / "elsewhere").rename(days)
    daily_keys.rotate_if_due(hall.post)
    hall.settle()
    assert [row.state for row in hall.letters_in()] == ["processed"]
    lines = [line for line in caplog.messages if "day keys" in line]
    assert [line.split()[6] for line in lines] == ["away", "back"]


def test_a_destroyed_key_opens_nothing_in_a_process_that_had_used_it(state_dir: Path) -> None:
    """No worker keeps a private half in memory."""
    hall = build(state_dir)
    seated(hall, "toy", 2)
    hall.write_in(hall.token("s1"), ["BID 1"])
    (row,) = hall.rows(InboundEmailBody)
    place = EmailContext(row.email_key, "addressed")
    assert daily_keys.unseal(hall.post, place, row.content_ciphertext)
    hall.settle()
    next_day(hall)
    with pytest.raises(UnknownKey):
        daily_keys.unseal(hall.post, place, row.content_ciphertext)
