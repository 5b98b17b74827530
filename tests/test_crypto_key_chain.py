"""Several machines of post reach the same keys of the day from one file, and none keeps what opened earlier days."""

import threading
from pathlib import Path

import pytest

from pbem.crypto import (
    DerivedKeyChain,
    EmailContext,
    KeyFileError,
    KeyFolder,
    MailerKeys,
    MailerPublicKey,
    SmtpKeys,
    seal_email,
)
from pbem.crypto.daily_keys import DailyKeys
from pbem.crypto.key_chain import AHEAD, NAME


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """The folders of two machines, the second a copy of the first."""
    one, other = tmp_path / "one", tmp_path / "other"
    DerivedKeyChain(one).create()
    _copied(one / NAME, other)
    return one, other


def _copied(chain: Path, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    (folder / NAME).write_bytes(chain.read_bytes())
    (folder / NAME).chmod(0o400)


def _ciphertext(state: Path, public: MailerPublicKey) -> bytes:
    """A letter as the door seals it."""
    keys = SmtpKeys.load(KeyFolder.create(state / "keys").folder_of("smtp"))
    return seal_email(public, keys.signing, EmailContext("a", "addressed"), b"Dear all")


def test_what_one_machine_makes_the_other_finds(folders: tuple[Path, Path]) -> None:
    """Each day either of them makes the key, and the other holds it, however far it has fallen behind."""
    one, other = map(DailyKeys, folders)
    for maker, finder in ((one, other), (other, one)):
        for _ in range(3):
            public = maker.create()
        assert finder.has(public)
    assert one.shares_chain()
    assert not DailyKeys(folders[0].parent / "third").shares_chain()


def test_two_that_make_a_key_at_once_make_the_same(folders: tuple[Path, Path]) -> None:
    """At midnight both may: they need not ask each other."""
    one, other = map(DailyKeys, folders)
    assert one.create().name == other.create().name


def test_a_letter_opens_on_the_machine_that_did_not_make_its_key(folders: tuple[Path, Path], tmp_path: Path) -> None:
    """A worker that meets a letter under a key it has not seen goes on to it, also while its folder is in use."""
    one, other = map(DailyKeys, folders)
    ciphertext = _ciphertext(tmp_path, one.create())
    with other.exclusive() as ours:
        assert ours
        assert other.load_opening_keys(ciphertext) is not None
    keys = MailerKeys.load(KeyFolder(tmp_path / "keys").folder_of("mailer"), folders[1])
    assert keys.days.load_opening_keys(ciphertext) is not None


def test_a_worker_waits_for_another_one_of_its_machine(folders: tuple[Path, Path], tmp_path: Path) -> None:
    """What is made while another worker destroys keys would be destroyed with them: it is made afterwards."""
    maker, held, waits = DailyKeys(folders[0]), DailyKeys(folders[1]), DailyKeys(folders[1])
    public, found = maker.create(), list[bool]()
    with held.exclusive():
        thread = threading.Thread(target=lambda: found.append(waits.has(public)))
        thread.start()
        held.destroy_except([])
        assert found == []
    thread.join(60)
    assert found == [True]


def test_nothing_that_is_left_leads_back(folders: tuple[Path, Path], tmp_path: Path) -> None:
    """Once a key is destroyed, neither its machine nor a chain taken then makes it again."""
    one = DailyKeys(folders[0])
    public = one.create()
    one.create()
    ciphertext = _ciphertext(tmp_path, public)
    one.destroy_except([])
    assert [path.name for path in folders[0].iterdir() if path.suffix == ".keys"] == []
    _copied(folders[0] / NAME, tmp_path / "stolen")
    for keys in (one, DailyKeys(tmp_path / "stolen")):
        assert not keys.has(public)
        assert keys.load_opening_keys(ciphertext) is None


def test_a_step_that_is_cut_short_is_taken_again(folders: tuple[Path, Path]) -> None:
    """A worker that dies between the key and the chain's step makes the same key when it comes back."""
    one = DailyKeys(folders[0])
    _, secret = DerivedKeyChain(folders[0]).next()
    public = one._store(secret)
    assert one.create().name == public.name


def test_a_key_of_no_chain_is_not_looked_for_without_end(folders: tuple[Path, Path], tmp_path: Path) -> None:
    """A machine whose chain is another's does not hold its keys, and keeps its own place."""
    other = DailyKeys(tmp_path / "alone")
    DerivedKeyChain(tmp_path / "alone").create()
    before = (folders[0] / NAME).read_bytes()
    assert not DailyKeys(folders[0]).has(other.create())
    assert (folders[0] / NAME).read_bytes() == before
    assert AHEAD >= 366


def test_a_chain_is_never_begun_over_another(folders: tuple[Path, Path]) -> None:
    """The other machines would be left behind."""
    with pytest.raises(KeyFileError, match="there already"):
        DerivedKeyChain(folders[0]).create()
