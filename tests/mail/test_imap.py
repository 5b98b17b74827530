"""Letters fetched from a mailbox of a real Dovecot: each taken once, none lost, none deleted."""

import logging
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from pbem import smtp_process
from pbem.config.settings import Settings
from pbem.mail import imap
from pbem.mail.addresses import reply_address
from pbem.mail.imap import DONE, OTHER, ImapPoller, TryLater
from tests.mail import dovecot
from tests.mail.dovecot import PASSWORD, USER, Dovecot, until
from tests.service.server_fixtures import ServerHarness, build, start_game

NAME, DOMAIN = "games", "provider.test"
OLD = "IMAP4rev1 UIDPLUS"
"""What a server says that can neither move letters nor tell of them."""


@pytest.fixture(scope="module")
def started() -> Iterator[Dovecot]:
    """A server for all tests of this file."""
    dovecot.needed()
    with TemporaryDirectory(prefix="pbem-dv-") as folder, dovecot.running(Path(folder)) as found:
        yield found


@pytest.fixture
def server(started: Dovecot) -> Dovecot:
    """A mailbox with nothing in it, and no ledger of what was fetched."""
    started.clear()
    (started.folder / "fetched").unlink(missing_ok=True)
    return started


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing in a test waits long before it is tried again."""
    monkeypatch.setattr(imap, "PAUSES_S", (0.02, 0.2))
    monkeypatch.setattr(imap, "POLL_S", 0.05)


@contextmanager
def at_work(fetcher: ImapPoller) -> Iterator[None]:
    """A fetcher in a thread of its own."""
    stop = threading.Event()
    errand = threading.Thread(target=fetcher.run, args=(stop,), daemon=True)
    errand.start()
    try:
        yield
    finally:
        stop.set()
        errand.join(30)
    assert not errand.is_alive()


def letter(words: str, to: str = "o") -> bytes:
    """A letter; what a test takes for ours has this subject."""
    return f"From: a@players.test\r\nSubject: {to}\r\n\r\n{words}\r\n".encode()


class Taken:
    """What was taken, by a taker that fails as often as it is told to."""

    def __init__(self) -> None:
        self.raws: list[bytes] = []
        self.marks: list[str] = []
        self.failures: list[Exception] = []

    def __call__(self, raw: bytes, mark: str) -> bool:
        self.marks.append(mark)
        if self.failures:
            raise self.failures.pop()
        if b"poison" in raw:
            raise RuntimeError("words of a letter")
        if b"Subject: o" in raw:
            self.raws.append(raw)
            return True
        return False


def fetching(server: Dovecot, take: Callable[[bytes, str], bool], **other: object) -> ImapPoller:
    """A fetcher with its ledger beside the server."""
    return ImapPoller(take, server.box(**other), server.folder / "fetched")


def settled(server: Dovecot, done: int, other: int) -> Callable[[], bool]:
    """Whether so many letters lie in the two folders, and none in the INBOX."""
    return lambda: (len(server.holds()), len(server.holds(DONE)), len(server.holds(OTHER))) == (0, done, other)


def test_letters_are_taken_and_moved_and_what_is_not_ours_lies_apart(server: Dovecot) -> None:
    """What lay there and what comes later is taken, oldest first, and moved; what is not ours goes elsewhere."""
    server.deliver(letter("one"))
    server.deliver(letter("spam", "x"))
    taken = Taken()
    with at_work(fetching(server, taken)):
        until(settled(server, 1, 1), "the first letters")
        server.deliver(letter("two"))
        until(settled(server, 2, 1), "the letter that the server tells of")
    assert [b"one" in taken.raws[0], b"two" in taken.raws[1], len(taken.raws)] == [True, True, 2]
    assert server.holds(OTHER) == [letter("spam", "x")]


def test_a_server_that_neither_moves_nor_tells_will_do(tmp_path: Path) -> None:
    """Where the server lacks MOVE and IDLE it is asked again and again; letters that others struck out stay."""
    dovecot.needed()
    with TemporaryDirectory(prefix="pbem-dv-") as folder, dovecot.running(Path(folder), OLD) as server:
        server.deliver(letter("struck out by its owner"))
        with imap.log_in(server.box()) as line:
            line.client.uid("STORE", "1", "+FLAGS", "(\\Deleted)")
        taken = Taken()
        with at_work(fetching(server, taken)):
            server.deliver(letter("one"))
            until(lambda: (len(server.holds(DONE)), len(server.holds())) == (1, 1), "the copy without its original")
        assert len(taken.raws) == 1
        assert b"struck out" in server.holds()[0]


def test_nothing_is_moved_before_it_is_stored(server: Dovecot) -> None:
    """While nothing can be stored, letters stay where they are and the log says so once; then each is taken once."""
    taken = Taken()
    taken.failures = [TryLater("OperationalError")] * 4
    for number in range(3):
        server.deliver(letter(f"number {number}"))
    with at_work(fetching(server, taken)):
        until(settled(server, 3, 0), "the letters")
    assert len(taken.raws) == 3


def test_a_letter_that_cannot_be_taken_stops_no_other(
    server: Dovecot, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A letter over which our code stumbles stays in the mailbox; the log tells of it once, without a word of it."""
    monkeypatch.setattr(imap, "PAUSES_S", (3600.0, 3600.0))  # which those behind it do not wait for
    taken = Taken()
    for words in ("one", "poison", "two"):
        server.deliver(letter(words))
    with caplog.at_level(logging.WARNING), at_work(fetching(server, taken)):
        until(lambda: len(server.holds(DONE)) == 2, "the other letters")
        server.deliver(letter("three"))
        until(lambda: len(server.holds(DONE)) == 3, "a later letter")
    assert b"poison" in server.holds()[0]
    said = [record.getMessage() for record in caplog.records]
    assert said == ["a letter in the mailbox could not be taken or moved (RuntimeError); it stays there"]


def test_a_letter_that_cannot_be_moved_is_taken_once(server: Dovecot, caplog: pytest.LogCaptureFixture) -> None:
    """Where the server refuses to move letters, each is taken all the same, and none again by who comes after."""
    taken = Taken()
    server.deliver(letter("one"))
    with caplog.at_level(logging.WARNING), at_work(fetching(server, taken)):
        until(settled(server, 1, 0), "the folders and the first letter")
        shutil.rmtree(server.folder / "mail" / f".{DONE}")
        (server.folder / "mail" / f".{DONE}").write_text("no folder")
        for words in ("two", "three"):
            server.deliver(letter(words))
        until(lambda: len(taken.raws) == 3, "both")
        until(lambda: caplog.records, "the log")
    with at_work(fetching(server, taken)):
        server.deliver(letter("spam", "x"))
        until(lambda: server.holds(OTHER), "a letter that goes elsewhere")
    assert len(taken.raws) == 3


def test_of_a_letter_too_long_only_the_beginning_is_fetched(server: Dovecot) -> None:
    """However long a letter is, no more of it is taken than shows that it is too long."""
    taken = Taken()
    server.deliver(letter("x" * 70 + "\r\n" + "y" * 3_000_000))
    server.deliver(letter("short"))
    with at_work(fetching(server, taken, most_bytes=50_001)):
        until(settled(server, 2, 0), "both")
    assert sorted(map(len, taken.raws))[1] == 50_001


class Killed(BaseException):
    """The end of the process, as far as a thread can have one."""


@pytest.mark.parametrize(("where", "again"), [("imap.stored", 2), ("imap.recorded", 1), ("imap.moved", 1)])
def test_a_letter_taken_before_a_crash_is_not_taken_as_another(server: Dovecot, where: str, again: int) -> None:
    """Dead between store and move: once noted it is only moved; in the moment before, it comes with the same mark."""
    taken = Taken()
    server.deliver(letter("one"))

    def point(name: str) -> None:
        if name == where:
            raise Killed

    ledger = server.folder / "fetched"
    with pytest.raises(Killed):
        ImapPoller(taken, server.box(), ledger, point).run(threading.Event())
    with at_work(ImapPoller(taken, server.box(), ledger)):
        until(settled(server, 1, 0), "the letter")
    assert len(taken.raws) == again
    assert len(set(taken.raws)) == len(set(taken.marks)) == 1


def test_each_letter_has_a_mark_of_its_own_that_is_forgotten_with_it(server: Dovecot) -> None:
    """No two letters share a mark, and the file holds nothing of letters that were moved."""
    taken = Taken()
    for words in ("one", "one", "two"):
        server.deliver(letter(words))
    with at_work(fetching(server, taken)):
        until(settled(server, 3, 0), "the letters")
    server.deliver(letter("three"))
    with at_work(fetching(server, taken)):
        until(settled(server, 4, 0), "the last letter")
    assert len(set(taken.marks)) == 4
    assert {line.split()[1] for line in (server.folder / "fetched").read_text().splitlines()} == {"4"}


def test_a_mailbox_made_anew_brings_its_letters(server: Dovecot) -> None:
    """Numbers noted under another UIDVALIDITY mean nothing: a letter with such a number is taken."""
    (server.folder / "fetched").write_text("1 1\n17 2\n")
    server.deliver(letter("one"))
    taken = Taken()
    with at_work(fetching(server, taken)):
        until(settled(server, 1, 0), "the letter")
    assert len(taken.raws) == 1
    assert "17 2" not in (server.folder / "fetched").read_text()


def test_a_server_that_goes_away_is_told_once_and_found_again(
    server: Dovecot, caplog: pytest.LogCaptureFixture
) -> None:
    """A line that breaks is opened again after longer and longer pauses, and the log has two lines of it."""
    taken = Taken()
    with caplog.at_level(logging.WARNING), at_work(fetching(server, taken)):
        server.deliver(letter("one"))
        until(settled(server, 1, 0), "the first letter")
        server.stop()
        until(lambda: len(caplog.records) == 1, "the first line")
        assert imap.connection_problem(server.box()).startswith("nothing listens on that port")
        server.start()
        server.deliver(letter("two"))
        until(settled(server, 2, 0), "the second letter")
    told = [record.getMessage() for record in caplog.records]
    assert [line.split(" (")[0].rsplit(" after", 1)[0] for line in told] == [
        "the mailbox is away",
        "the mailbox is back",
    ]
    assert len(taken.raws) == 2


def test_a_wrong_password_is_told_without_it(server: Dovecot, caplog: pytest.LogCaptureFixture) -> None:
    """A password that is refused is tried again more and more seldom; neither log nor doctor shows it or the user."""
    with caplog.at_level(logging.DEBUG), at_work(fetching(server, Taken(), password="Xyzzy 10")):
        until(lambda: caplog.records, "the log")
    assert [record.getMessage() for record in caplog.records] == ["the mailbox is away (MailboxLoginError)"]
    assert imap.connection_problem(server.box(password="Xyzzy 10")) == "it refuses this user or password"
    assert imap.connection_problem(server.box()) == ""
    assert PASSWORD not in repr(server.box())


# --- with the door behind it


@pytest.fixture
def harness(tmp_path: Path) -> ServerHarness:
    """A table whose letters come to a mailbox at a provider."""
    made = build(tmp_path)
    start_game(made, "toy", 2)
    made.configure(mail_domain=DOMAIN, mailbox_local_part=NAME)
    return made


def settings_for(server: Dovecot, state: Path) -> Settings:
    """The settings of a door that fetches from this mailbox."""
    (server.folder / "password").write_text(f"{PASSWORD}\n")
    (server.folder / "password").chmod(0o600)
    env = {
        **Settings.with_embedded(state).variables,
        "PBEM_MAIL_DOMAIN": DOMAIN,
        "PBEM_MAILBOX_LOCAL_PART": NAME,
        "PBEM_MAILBOX_HOST": "127.0.0.1",
        "PBEM_MAILBOX_PORT": str(server.port),
        "PBEM_MAILBOX_TLS": "none",
        "PBEM_MAILBOX_USER": USER,
        "PBEM_MAILBOX_PASSWORD_FILE": str(server.folder / "password"),
    }
    return Settings.from_env(env, "smtp", keys_exist=False)


def stored(harness: ServerHarness) -> list[bytes]:
    """What the door has stored, sealed."""
    with harness.smtp.db.snapshot() as session:
        return list(session.scalars(text("SELECT content_ciphertext FROM inbound_email_bodies")))


def test_a_players_letter_is_stored_sealed_and_answered(
    server: Dovecot, harness: ServerHarness, state_dir: Path
) -> None:
    """A letter to an address with a token of ours is stored under the key of the day; a wrong token is none of ours."""
    right = reply_address(harness.reply_token("s1"), DOMAIN, NAME)
    wrong = reply_address("b" * 26, DOMAIN, NAME)
    for to in (right, wrong, USER):
        server.deliver(f"From: a@b.test\r\nTo: {to}\r\nSubject: Re\r\n\r\nBID 3\r\n".encode(), to)
    fetcher = smtp_process.build_poller(harness.smtp, settings_for(server, state_dir))
    assert fetcher is not None
    with at_work(fetcher):
        until(settled(server, 1, 2), "the letters")
    (sealed,) = stored(harness)
    assert b"BID 3" not in sealed
    assert harness.reply_token("s1").encode() not in sealed


def test_a_letter_that_comes_again_under_its_mark_is_stored_once(harness: ServerHarness) -> None:
    """What was stored under a mark is not stored again, for none of its recipients; under another mark it is."""
    two = ", ".join(reply_address(harness.reply_token(seat), DOMAIN, NAME) for seat in ("s1", "s2"))
    raw = f"From: a@b.test\r\nTo: {two}\r\n\r\nBID 3\r\n".encode()
    assert smtp_process.accept_message(harness.smtp, raw, "5f")
    before = stored(harness)
    assert smtp_process.accept_message(harness.smtp, raw, "5f")
    assert stored(harness) == before
    assert len(before) == 2
    assert smtp_process.accept_message(harness.smtp, raw, "60")
    assert len(stored(harness)) == 4


def test_an_outage_of_the_database_is_no_fault_of_a_letter(
    harness: ServerHarness, state_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A database that is away is told as such, so that the letters behind need not each be tried."""

    def fail(*_: object) -> bool:
        raise OperationalError("SELECT", {}, Exception())

    monkeypatch.setattr(smtp_process, "is_local_recipient", fail)
    with pytest.raises(TryLater):
        smtp_process.accept_message(
            harness.smtp, f"To: {reply_address(harness.reply_token('s1'), DOMAIN, NAME)}\r\n\r\nx".encode(), "m"
        )
