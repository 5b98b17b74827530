"""The keys themselves: their files, which process is given which, and that none ever shows."""

from __future__ import annotations

import copy
import os
import pickle
import stat
import traceback
from base64 import b64decode, b64encode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import get_args

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand

from pbem import crypto
from pbem.crypto import (
    REQUIRED_KEYS,
    CryptoError,
    DecryptionError,
    EmailContext,
    GameKeys,
    KeyFileError,
    KeyFolder,
    MailerKey,
    MailerKeys,
    MasterKeys,
    OrdersContext,
    OrdersSecretKey,
    OwnOrdersContext,
    PositionKey,
    RequestKey,
    ResolverKey,
    ResolverKeys,
    Role,
    SealedOrders,
    SessionSecret,
    SigningKey,
    SmtpKeys,
    UnknownKey,
    VerifyKeys,
    ViewContext,
    ViewKey,
    WebKeys,
)
from pbem.crypto import keys as key_rings
from pbem.crypto.encoding import Reader, encode_tuple
from pbem.crypto.key_folder import KeyName
from pbem.crypto.keys import OpeningKeys, SymmetricRing

ROLES: tuple[Role, ...] = get_args(Role)
WORD = b"ORDERS-OF-VENEZIA"
PLACE = OrdersContext("g1", "expansion/5", 41, "venezia", 2, "orders")
VIEW_PLACE = ViewContext("g1", 42, "venezia", "position")
LETTER = EmailContext("letter-7", "raw")
ASKED = OwnOrdersContext("g1", "venezia", "request-3")


@dataclass
class House:
    """An installation with one record of each kind, as the processes would write them."""

    folder: KeyFolder
    web: WebKeys
    post: MailerKeys
    play: ResolverKeys
    door: SmtpKeys
    wrapped: crypto.WrappedGameKeys
    game: GameKeys
    asked: RequestKey
    records: dict[str, bytes]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    """Keys written to disk, loaded by each process from its own folder, and a record of each kind."""
    folder = KeyFolder.create(tmp_path_factory.mktemp("house") / "keys")
    web, post = WebKeys.load(folder.folder_of("web")), MailerKeys.load(folder.folder_of("mailer"))
    play, door = ResolverKeys.load(folder.folder_of("resolver")), SmtpKeys.load(folder.folder_of("smtp"))
    wrapped = crypto.create_game_keys(play.master, play.signing, "g1")
    game = crypto.unwrap_game_keys(play.master, "g1", wrapped)
    asked, salt = RequestKey.create(), os.urandom(32)
    key = crypto.load_orders_key(web.verify, "g1", wrapped.public)
    records = {
        "orders": crypto.seal_orders(key, web.signing, PLACE, WORD, salt).to_bytes(),
        "position key": wrapped.position,
        "orders key": wrapped.orders,
        "entry": crypto.seal_entry(game.position, "g1", 42, "events", WORD),
        "view": crypto.seal_view(play.view, play.signing, VIEW_PLACE, WORD),
        "letter": crypto.seal_email(door.mailer, door.signing, LETTER, WORD),
        "draft": crypto.seal_email(play.mailer, play.signing, LETTER, WORD),
        "quarantined": crypto.seal_quarantined(post.resolver, post.signing, LETTER, WORD),
        "answer": crypto.seal_reply(asked.public, play.signing, ASKED, WORD),
    }
    return House(folder, web, post, play, door, wrapped, game, asked, records)


# --- who can read what -------------------------------------------------------------------------------------------

READERS: dict[str, frozenset[Role]] = {
    "orders": frozenset({"resolver"}),
    "position key": frozenset({"resolver"}),
    "orders key": frozenset({"resolver"}),
    "entry": frozenset({"resolver"}),
    "view": frozenset({"web", "mailer", "resolver"}),
    "letter": frozenset({"mailer"}),
    "draft": frozenset({"mailer"}),
    "quarantined": frozenset({"resolver"}),
    "answer": frozenset(),
}
"""The table: which process's key folder, with the whole database, opens which record."""


def secrets_in(folder: Path) -> Iterator[bytes]:
    """Every 32 bytes that stand in any file of a folder, public or not."""
    for path in sorted(folder.iterdir()):
        for line in path.read_text().splitlines()[1:]:
            yield b64decode(line.split()[1])


def rings(secret: bytes) -> Iterator[SymmetricRing | OpeningKeys]:
    """The same 32 bytes as every kind of key that opens anything."""
    for kind in (MasterKeys, ViewKey, PositionKey):
        yield kind({1: secret})
    for pair in (MailerKey, ResolverKey, OrdersSecretKey):
        yield pair([secret])


def opened(house: House, key: SymmetricRing | OpeningKeys) -> set[str]:
    """The records that one key opens, by trying it on each with the right place and all verify keys."""
    verify, records = house.play.verify, house.records
    tries: dict[str, Callable[[], object]] = {}
    if isinstance(key, MasterKeys):
        for purpose in ("position key", "orders key"):
            tries[purpose] = partial(key.decrypt, purpose, encode_tuple("pbem wrap 1", "g1"), records[purpose])
    if isinstance(key, PositionKey):
        tries["entry"] = lambda: crypto.unseal_entry(key, "g1", 42, "events", records["entry"])
    if isinstance(key, ViewKey):
        tries["view"] = lambda: crypto.unseal_view(key, verify, VIEW_PLACE, records["view"])
    if isinstance(key, MailerKey):
        for kind in ("letter", "draft"):
            tries[kind] = partial(crypto.unseal_email, key, verify, LETTER, records[kind])
    if isinstance(key, ResolverKey):
        tries["quarantined"] = lambda: crypto.open_quarantined(key, verify, LETTER, records["quarantined"])
    if isinstance(key, OpeningKeys):
        place = ASKED.to_bytes()
        tries["answer"] = lambda: key.open(verify, ROLES, "read-back answer", place, records["answer"])
    if isinstance(key, OrdersSecretKey):
        game, sealed = GameKeys("g1", house.game.position, key), SealedOrders.from_bytes(records["orders"])
        tries["orders"] = lambda: crypto.unseal_orders(game, verify, PLACE, sealed)
    return {kind for kind, attempt in tries.items() if _opens(attempt)}


def _opens(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except DecryptionError:
        return False
    return True


@pytest.mark.parametrize("role", ROLES)
def test_each_key_folder_opens_what_the_table_says_and_nothing_else(house: House, role: Role) -> None:
    """Every 32 bytes of a process's files, tried as every kind of key on every record, open its part of the table."""
    found: set[str] = set()
    for secret in secrets_in(house.folder.folder_of(role)):
        for key in rings(secret):
            found |= opened(house, key)
    if role == "resolver":  # its master key opens the game's keys, and those the sealed orders and the journal
        game = crypto.unwrap_game_keys(house.play.master, "g1", house.wrapped)
        found |= opened(house, game.position) | opened(house, game.orders)
    assert found == {kind for kind, readers in READERS.items() if role in readers}


def test_no_plain_word_stands_in_any_record(house: House) -> None:
    """Sealed orders are in no stored blob, plain or base64."""
    for blob in house.records.values():
        assert WORD not in blob
        assert b64encode(WORD)[:-4] not in blob


def test_the_browser_alone_reads_the_answer(house: House) -> None:
    """The one record that no process can open again opens with the key from the cookie."""
    back = RequestKey.from_cookie(house.asked.for_cookie())
    assert back.open(house.web.verify, ASKED, house.records["answer"]).content == WORD


def test_each_process_loads_from_a_folder_that_holds_its_own_files_only(house: House) -> None:
    """The files of a process are exactly those named as needed, and private keys of others are not among them."""
    for role in ROLES:
        assert {path.name for path in house.folder.folder_of(role).iterdir()} == set(REQUIRED_KEYS[role])
    holders = {
        name: {role for role in ROLES if name in REQUIRED_KEYS[role]}
        for names in REQUIRED_KEYS.values()
        for name in names
    }
    assert holders["master.keys"] == holders["resolver.keys"] == {"resolver"}
    assert (holders["mailer.keys"], holders["session.keys"]) == ({"mailer"}, {"web"})
    assert holders["view.keys"] == {"web", "mailer", "resolver"}
    signing = [(house.folder.folder_of(role) / "signing.keys").read_bytes() for role in ROLES]
    assert len(set(signing)) == len(ROLES)


@pytest.mark.parametrize(
    ("load", "role"),
    [(WebKeys.load, "mailer"), (MailerKeys.load, "web"), (ResolverKeys.load, "web"), (SmtpKeys.load, "web")],
)
def test_a_process_cannot_start_on_the_folder_of_another(
    house: House, load: Callable[[Path], object], role: Role
) -> None:
    """A folder mixed up in the configuration is refused with the name of the file that is missing or wrong."""
    with pytest.raises(KeyFileError, match="key"):
        load(house.folder.folder_of(role))


# --- nothing shows -----------------------------------------------------------------------------------------------


def everything_guarded(house: House) -> list[object]:
    """One of each kind of thing that must not leave its process."""
    one = os.urandom(32)
    sealed = SealedOrders.from_bytes(house.records["orders"])
    return [
        house.web,
        house.post,
        house.play,
        house.door,
        house.game,
        house.game.position,
        house.game.orders,
        house.play.master,
        house.play.view,
        house.post.opening,
        house.play.opening,
        house.web.session,
        house.web.signing,
        RequestKey.create(),
        SessionSecret({1: one}),
        crypto.EntrySalts.fresh(["venezia"]),
        crypto.unseal_orders(house.game, house.play.verify, PLACE, sealed),
        crypto.unseal_email(house.post.opening, house.post.verify, LETTER, house.records["letter"]),
    ]


def shapes(secret: bytes) -> list[str]:
    """How a secret could show in a text."""
    plain = secret.decode("latin-1")
    return [plain, repr(secret)[2:-1], secret.hex(), b64encode(secret).decode(), urlsafe_b64encode(secret).decode()]


def all_secrets(house: House) -> list[bytes]:
    """Every private 32 bytes of the installation, and the canary."""
    private = [path for role in ROLES for path in house.folder.folder_of(role).glob("*.keys")]
    lines = [line for path in private for line in path.read_text().splitlines()[1:]]
    return [WORD, *(b64decode(line.split()[1]) for line in lines)]


def test_keys_and_opened_contents_print_as_their_class_alone(house: House) -> None:
    """repr, str and format of keys, opened orders and letters, and salts hold no secret."""
    for thing in everything_guarded(house):
        for text in (repr(thing), str(thing), f"{thing}", repr([thing]), repr({"k": thing})):
            assert type(thing).__name__ in text
            assert not [s for secret in all_secrets(house) for s in shapes(secret) if s in text]


def test_keys_and_opened_contents_are_neither_pickled_nor_copied(house: House) -> None:
    """None of them can become a task argument or a cache entry by accident."""
    for thing in everything_guarded(house):
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            with pytest.raises(TypeError, match="stays where it was loaded"):
                pickle.dumps(thing, protocol)
        for duplicate in (copy.copy, copy.deepcopy):
            with pytest.raises(TypeError, match="stays where it was loaded"):
                duplicate(thing)


def failures(house: House) -> list[Callable[[], object]]:
    """One failing call of each kind, each of which has secrets at hand."""
    verify, records = house.play.verify, house.records
    moved = EmailContext("letter-8", "raw")
    sealed = SealedOrders.from_bytes(records["orders"])
    elsewhere = OrdersContext("g1", "expansion/5", 41, "genova", 2, "orders")
    return [
        lambda: crypto.unseal_orders(house.game, verify, elsewhere, sealed),
        lambda: crypto.unseal_orders(house.game, verify, PLACE, SealedOrders(PLACE, "00" * 32, sealed.ciphertext)),
        lambda: crypto.unseal_entry(house.game.position, "g1", 43, "events", records["entry"]),
        lambda: crypto.unseal_view(
            house.web.view, verify, ViewContext("g1", 42, "genova", "position"), records["view"]
        ),
        lambda: crypto.unseal_email(house.post.opening, verify, moved, records["letter"]),
        lambda: crypto.open_quarantined(house.play.opening, verify, moved, records["quarantined"]),
        lambda: house.asked.open(verify, OwnOrdersContext("g1", "genova", "request-3"), records["answer"]),
        lambda: crypto.unwrap_game_keys(house.play.master, "g2", house.wrapped),
        lambda: crypto.unseal_email(MailerKey.create(), verify, LETTER, records["letter"]),
        lambda: MasterKeys({1: b"short"}),
        lambda: crypto.commit_to_orders(b"short", PLACE, WORD),
    ]


@pytest.mark.parametrize("number", range(11))
def test_a_failure_prints_no_secret_even_with_the_values_of_all_variables(house: House, number: int) -> None:
    """The vault's own exceptions and frames, as an error tracker would print them, hold no key and no content."""
    attempt = failures(house)[number]
    with pytest.raises(CryptoError) as caught:
        attempt()
    stack = caught.value.__traceback__
    assert stack is not None
    report = traceback.TracebackException(type(caught.value), caught.value, stack, capture_locals=number != 10)
    text = "".join(report.format()) + repr(caught.value.args) + repr(caught.value.__context__)
    assert not [s for secret in all_secrets(house) for s in shapes(secret) if s in text]


# --- files -------------------------------------------------------------------------------------------------------


def test_private_files_are_for_their_owner_only_and_nothing_is_left_beside_them(house: House) -> None:
    """Folders 0700, private files 0400, public ones 0444, and no draft of the folder remains."""
    top = house.folder.path
    assert [path.name for path in top.parent.iterdir()] == [top.name]
    for role in ROLES:
        assert stat.S_IMODE(house.folder.folder_of(role).stat().st_mode) == 0o700
        for path in house.folder.folder_of(role).iterdir():
            assert stat.S_IMODE(path.stat().st_mode) == (0o400 if path.suffix == ".keys" else 0o444)


def test_existing_keys_are_never_overwritten(house: House) -> None:
    """Making keys where some are is refused with a sentence, and the old ones stay."""
    before = all_secrets(house)
    with pytest.raises(KeyFileError, match="new or empty folder"):
        KeyFolder.create(house.folder.path)
    assert all_secrets(house) == before
    assert len(list(house.folder.path.parent.iterdir())) == 1


def test_keys_that_cannot_be_written_are_refused_with_a_sentence(tmp_path: Path) -> None:
    """A file where a folder should be gives a sentence, not a traceback."""
    (tmp_path / "taken").write_text("x")
    with pytest.raises(KeyFileError, match="No keys were written"):
        KeyFolder.create(tmp_path / "taken" / "keys")


@pytest.mark.parametrize(
    "content",
    [
        "",
        "pbem view keys, format 1\n",
        "pbem view keys, format 2\n1 {}\n",
        "pbem master keys, format 1\n1 {}\n",
        "pbem view keys, format 1\n1 short\n",
        "pbem view keys, format 1\nx {}\n",
        "pbem view keys, format 1\n1 {} {}\n",
        "pbem view keys, format 1\n1 {}\n1 {}\n",
        "pbem view keys, format 1\n1 AAAA\n",
        "pbem view keys, format 1\n1 é{}\n",
        "pbem view keys, format 1\n² {}\n",
    ],
)
def test_a_file_that_is_no_key_file_is_refused_without_being_quoted(tmp_path: Path, content: str) -> None:
    """A damaged, foreign or future file is named with what would help; none of its content is shown."""
    folder = KeyFolder.create(tmp_path / "keys")
    secret = b64encode(os.urandom(32)).decode()
    path = folder.folder_of("web") / "view.keys"
    path.chmod(0o600)
    path.write_text(content.replace("{}", secret))
    with pytest.raises(KeyFileError, match="does not hold view keys") as caught:
        WebKeys.load(folder.folder_of("web"))
    assert secret not in "".join(traceback.format_exception(caught.value))


def test_a_file_of_verify_keys_that_names_no_office_is_refused(tmp_path: Path) -> None:
    """Only known roles can be believed."""
    folder = KeyFolder.create(tmp_path / "keys")
    path = folder.folder_of("web") / "verify.pub"
    path.chmod(0o600)
    path.write_text(path.read_text().replace("resolver ", "bank "))
    with pytest.raises(KeyFileError, match="verify keys"):
        WebKeys.load(folder.folder_of("web"))


# --- rotation ----------------------------------------------------------------------------------------------------


def test_after_rotation_old_records_open_and_new_ones_need_the_new_keys(tmp_path: Path) -> None:
    """Each kind of key can be replaced while the old version still reads; retiring it ends that."""
    folder = KeyFolder.create(tmp_path / "keys")
    old_play, old_post = ResolverKeys.load(folder.folder_of("resolver")), MailerKeys.load(folder.folder_of("mailer"))
    view = crypto.seal_view(old_play.view, old_play.signing, VIEW_PLACE, WORD)
    letter = crypto.seal_email(old_play.mailer, old_play.signing, LETTER, WORD)
    game = crypto.create_game_keys(old_play.master, old_play.signing, "g1")
    old_key = crypto.load_orders_key(old_post.verify, "g1", game.public)
    kinds: tuple[KeyName, ...] = ("master", "view", "session", "mailer", "resolver", "signing")
    for kind in kinds:
        folder.rotate(kind)
    web, post, play = (
        WebKeys.load(folder.folder_of("web")),
        MailerKeys.load(folder.folder_of("mailer")),
        ResolverKeys.load(folder.folder_of("resolver")),
    )
    assert crypto.unseal_view(web.view, web.verify, VIEW_PLACE, view) == WORD
    assert crypto.unseal_email(post.opening, post.verify, LETTER, letter).content == WORD
    assert crypto.load_orders_key(web.verify, "g1", game.public).name == old_key.name
    new_view = crypto.seal_view(play.view, play.signing, VIEW_PLACE, WORD)
    with pytest.raises(UnknownKey):
        crypto.unseal_view(old_post.view, play.verify, VIEW_PLACE, new_view)
    with pytest.raises(UnknownKey):
        crypto.unseal_email(
            old_post.opening, post.verify, LETTER, crypto.seal_email(play.mailer, play.signing, LETTER, WORD)
        )
    game = crypto.rewrap(play.master, game)
    for kind in kinds[:-1]:
        folder.prune(kind)
    play, post = ResolverKeys.load(folder.folder_of("resolver")), MailerKeys.load(folder.folder_of("mailer"))
    assert crypto.unwrap_game_keys(play.master, "g1", game).game == "g1"
    assert crypto.unseal_view(play.view, play.verify, VIEW_PLACE, new_view) == WORD
    for attempt in (
        lambda: crypto.unseal_view(post.view, post.verify, VIEW_PLACE, view),
        lambda: crypto.unseal_email(post.opening, post.verify, LETTER, letter),
    ):
        with pytest.raises(UnknownKey):
            attempt()


def test_a_retired_signing_key_is_no_longer_believed(tmp_path: Path) -> None:
    """After a signing key was stolen, rotating and retiring shuts its thief out."""
    folder = KeyFolder.create(tmp_path / "keys")
    stolen = ResolverKeys.load(folder.folder_of("resolver"))
    forged = crypto.seal_view(stolen.view, stolen.signing, VIEW_PLACE, b"forged")
    folder.rotate("signing")
    folder.prune("signing")
    play, web = ResolverKeys.load(folder.folder_of("resolver")), WebKeys.load(folder.folder_of("web"))
    with pytest.raises(crypto.TamperedError, match="not signed by a role"):
        crypto.unseal_view(web.view, web.verify, VIEW_PLACE, forged)
    made = crypto.seal_view(play.view, play.signing, VIEW_PLACE, WORD)
    assert crypto.unseal_view(web.view, web.verify, VIEW_PLACE, made) == WORD


def test_a_rotation_cut_short_is_completed_by_the_next_one(tmp_path: Path) -> None:
    """If only some folders got the new version, rotating again brings all to the same ring."""
    folder, other = KeyFolder.create(tmp_path / "keys"), KeyFolder(tmp_path / "keys")
    before = (folder.folder_of("web") / "view.keys").read_bytes()
    folder.rotate("view")
    web = folder.folder_of("web") / "view.keys"
    web.chmod(0o600)
    web.write_bytes(before)
    web.chmod(0o400)
    other.rotate("view")
    rings_now = {(folder.folder_of(role) / "view.keys").read_bytes() for role in ("web", "mailer", "resolver")}
    assert len(rings_now) == 1
    assert rings_now.pop().count(b"\n") == 4


def test_session_secrets_come_newest_first() -> None:
    """The newest secret signs cookies, older ones still verify them."""
    assert SessionSecret({1: b"a" * 32, 3: b"c" * 32, 2: b"b" * 32}).reveal() == (b"c" * 32, b"b" * 32, b"a" * 32)


@pytest.mark.parametrize("make", [MasterKeys, SessionSecret])
@pytest.mark.parametrize("ring", [{}, {1: b"x" * 31}])
def test_a_ring_without_a_whole_key_is_refused(
    make: Callable[[dict[int, bytes]], object], ring: dict[int, bytes]
) -> None:
    """No key class can be made from nothing or from a cut key."""
    with pytest.raises(CryptoError, match="32 bytes"):
        make(ring)


def test_a_pair_needs_a_secret_and_a_public_half_its_length() -> None:
    """No pair and no public half can be made from nothing or from a cut key."""
    with pytest.raises(CryptoError, match="at least one secret"):
        MailerKey([])
    with pytest.raises(CryptoError, match="32 bytes"):
        crypto.MailerPublicKey(b"short")


def test_a_signing_key_verifies_under_its_own_office(house: House) -> None:
    """What a role signs is known as that role's, for each of them."""
    for role in ROLES:
        key = SigningKey(role, os.urandom(32))
        assert VerifyKeys([(role, key.public_bytes())]).verify("x", b"m", key.sign("x", b"m"), ROLES) == role


def test_a_derived_key_seals_no_more_records_than_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    """After so many records, and in a process that was forked, another key is derived; all records open anywhere."""
    monkeypatch.setattr(key_rings, "MAX_RECORDS", 3)
    monkeypatch.setattr(key_rings, "MAX_DERIVED", 2)
    secret = bytes(range(32))
    ring, reader = ViewKey({1: secret}), ViewKey({1: secret})
    boxes = [ring.encrypt("x", b"c", b"plain") for _ in range(7)]
    monkeypatch.setattr(os, "getpid", lambda: 1)
    boxes.append(ring.encrypt("x", b"c", b"plain"))
    salts = [salt_of(box) for box in boxes]
    assert [salts.count(salt) for salt in dict.fromkeys(salts)] == [3, 3, 1, 1]
    assert {reader.decrypt("x", b"c", box) for box in boxes} == {b"plain"}
    assert is_opened_by_hkdf(secret, boxes[0])


def salt_of(box: bytes) -> bytes:
    """What the key of a record was derived by."""
    reader = Reader("x", "pbem box 1", box)
    reader.number()
    return reader.blob(key_rings.SALT)


def is_opened_by_hkdf(secret: bytes, box: bytes) -> bool:
    """Return True if a record opens under what HKDF makes of the secret."""
    info = encode_tuple("pbem record key 1", "view", 1, salt_of(box))
    cipher = AESGCM(HKDFExpand(SHA256(), 32, info).derive(secret))
    reader = Reader("x", "pbem box 1", box)
    _, _, nonce, body = reader.number(), reader.blob(), reader.blob(), reader.blob()
    return cipher.decrypt(nonce, body, encode_tuple("pbem bound 1", "view", 1, "x", b"c")) == b"plain"
