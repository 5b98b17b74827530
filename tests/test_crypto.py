"""The vault's seals: what goes in comes out, in its own place, under its own key, and otherwise not at all."""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem import crypto
from pbem.crypto import (
    CryptoError,
    DecryptionError,
    EmailContext,
    MailerKey,
    MasterKeys,
    OrdersContext,
    OrdersKind,
    OwnOrdersContext,
    PositionKey,
    RequestKey,
    ResolverKey,
    SealedOrders,
    SigningKey,
    TamperedError,
    UnknownKey,
    VerifyKeys,
    ViewContext,
    ViewKey,
    WrappedGameKeys,
)
from pbem.crypto.encoding import Reader, encode_tuple
from pbem.crypto.keys import RESOLVER_ONLY, WEB_ONLY

ROLES = get_args(crypto.Role)
SIGN = {role: SigningKey(role, os.urandom(32)) for role in ROLES}
VERIFY = VerifyKeys([(role, key.public_bytes()) for role, key in SIGN.items()])
MASTER = MasterKeys({1: os.urandom(32)})
WRAPPED = crypto.create_game_keys(MASTER, SIGN["resolver"], "g1")
GAME = crypto.unwrap_game_keys(MASTER, "g1", WRAPPED)
ORDERS_KEY = crypto.load_orders_key(VERIFY, "g1", WRAPPED.public)
VIEW = ViewKey({1: os.urandom(32)})
POST, PLAY = MailerKey.create(), ResolverKey.create()
SALT = bytes(range(32))
PLACE = OrdersContext("g1", "expansion/5", 41, "venezia", 2, "orders")

names = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
numbers = st.integers(0, 2**64 - 1)
plains = st.binary(max_size=1500)
salts = st.binary(min_size=32, max_size=32)
contexts = st.builds(
    OrdersContext, st.just("g1"), names, numbers, names, numbers, st.sampled_from(get_args(OrdersKind))
)


def sealed_orders(orders: bytes = b"PLACER Montpellier 2", place: OrdersContext = PLACE) -> SealedOrders:
    """Sealed orders accepted by post."""
    return crypto.seal_orders(ORDERS_KEY, SIGN["mailer"], place, orders, SALT)


VIEW_PLACE = ViewContext("g1", 42, "venezia", "position")
LETTER = EmailContext("letter-7", "raw")
ASKED = OwnOrdersContext("g1", "venezia", "request-3")
REQUEST = RequestKey.create()

OPENERS: dict[str, tuple[bytes, Callable[[bytes], object]]] = {
    "orders": (
        sealed_orders().to_bytes(),
        lambda blob: crypto.unseal_orders(GAME, VERIFY, PLACE, SealedOrders.from_bytes(blob)),
    ),
    "entry": (
        crypto.seal_entry(GAME.position, "g1", 42, "events", b"fought"),
        lambda blob: crypto.unseal_entry(GAME.position, "g1", 42, "events", blob),
    ),
    "view": (
        crypto.seal_view(VIEW, SIGN["resolver"], VIEW_PLACE, b"hand"),
        lambda blob: crypto.unseal_view(VIEW, VERIFY, VIEW_PLACE, blob),
    ),
    "letter": (
        crypto.seal_email(POST.public(), SIGN["smtp"], LETTER, b"From: x"),
        lambda blob: crypto.unseal_email(POST, VERIFY, LETTER, blob),
    ),
    "quarantined": (
        crypto.seal_quarantined(PLAY.public(), SIGN["mailer"], LETTER, b"From: x"),
        lambda blob: crypto.open_quarantined(PLAY, VERIFY, LETTER, blob),
    ),
    "answer": (
        crypto.seal_reply(REQUEST.public, SIGN["resolver"], ASKED, b"PLACER Roma 1"),
        lambda blob: REQUEST.open(VERIFY, ASKED, blob),
    ),
    "request": (
        crypto.sign_request(SIGN["web"], ASKED, crypto.OwnOrdersRequest(1, 2, REQUEST.public)),
        lambda blob: crypto.verify_request(VERIFY, ASKED, blob),
    ),
    "orders key": (WRAPPED.public, lambda blob: crypto.load_orders_key(VERIFY, "g1", blob)),
    "game keys": (
        replace(WRAPPED, public=b"").to_bytes(),
        lambda blob: crypto.unwrap_game_keys(MASTER, "g1", _of_g1(blob)),
    ),
}


def _of_g1(blob: bytes) -> WrappedGameKeys:
    """Blob with what its reader looks at: the game it names and its public half are checked elsewhere."""
    wrapped = WrappedGameKeys.from_bytes(blob)
    if (wrapped.game, wrapped.public) != ("g1", b""):
        raise TamperedError("row", "it names another game")
    return wrapped


# --- round trips -------------------------------------------------------------------------------------------------


@given(contexts, plains, salts, st.sampled_from(["web", "mailer", "resolver"]))
def test_sealed_orders_open_to_their_orders_and_salt(
    place: OrdersContext, orders: bytes, salt: bytes, role: crypto.Role
) -> None:
    """What was sealed comes out of the stored bytes, with the salt, whichever role accepted it."""
    stored = crypto.seal_orders(ORDERS_KEY, SIGN[role], place, orders, salt).to_bytes()
    opened = crypto.unseal_orders(GAME, VERIFY, place, SealedOrders.from_bytes(stored))
    assert (opened.orders, opened.salt) == (orders, salt)


@given(names, numbers, names, plains, st.booleans())
def test_an_entry_opens_in_its_place(game: str, entry: int, kind: str, plain: bytes, compress: bool) -> None:
    """A journal part comes back, compressed or not."""
    blob = crypto.seal_entry(GAME.position, game, entry, kind, plain, compress=compress)
    assert crypto.unseal_entry(GAME.position, game, entry, kind, blob) == plain


@given(st.builds(ViewContext, names, numbers, names, names), plains, st.booleans())
def test_a_view_opens_in_its_place(place: ViewContext, plain: bytes, compress: bool) -> None:
    """A seat's view comes back, compressed or not."""
    blob = crypto.seal_view(VIEW, SIGN["resolver"], place, plain, compress=compress)
    assert crypto.unseal_view(VIEW, VERIFY, place, blob) == plain


@given(st.builds(EmailContext, names, names), plains, st.sampled_from(ROLES))
def test_a_letter_opens_for_post_and_a_quarantined_one_for_play(
    place: EmailContext, content: bytes, role: crypto.Role
) -> None:
    """Post opens letters from every role; play opens what web, post and play sent it."""
    letter = crypto.unseal_email(POST, VERIFY, place, crypto.seal_email(POST.public(), SIGN[role], place, content))
    assert (letter.content, letter.written_by) == (content, role)
    if role != "smtp":
        opened = crypto.open_quarantined(
            PLAY, VERIFY, place, crypto.seal_quarantined(PLAY.public(), SIGN[role], place, content)
        )
        assert (opened.content, opened.written_by) == (content, role)


@given(st.builds(OwnOrdersContext, names, names, names), plains)
def test_an_answer_is_read_once_by_the_browser_that_asked(place: OwnOrdersContext, content: bytes) -> None:
    """Request, answer and the key kept in a cookie fit together, and the key opens once."""
    key = RequestKey.create()
    wish = crypto.OwnOrdersRequest(7, 1_000, key.public)
    asked = crypto.verify_request(VERIFY, place, crypto.sign_request(SIGN["web"], place, wish))
    assert (asked.user, asked.at) == (7, 1_000)
    blob = crypto.seal_reply(asked.public, SIGN["resolver"], place, content)
    back = RequestKey.from_cookie(key.for_cookie())
    assert back.open(VERIFY, place, blob).content == content
    with pytest.raises(CryptoError, match="opened its answer already"):
        back.open(VERIFY, place, blob)


@pytest.mark.parametrize("text", ["", "é", "AAAA", "%%%", "A" * 43])
def test_a_cookie_that_is_no_key_is_refused(text: str) -> None:
    """A mangled cookie gets a sentence, not a traceback."""
    with pytest.raises(CryptoError, match="ask again"):
        RequestKey.from_cookie(text)


def test_a_blob_that_is_not_the_answer_does_not_use_the_key_up() -> None:
    """Rubbish in the answer's row does not cost the player their answer."""
    key = RequestKey.create()
    with pytest.raises(TamperedError):
        key.open(VERIFY, ASKED, b"rubbish")
    assert key.open(VERIFY, ASKED, crypto.seal_reply(key.public, SIGN["resolver"], ASKED, b"x")).content == b"x"


# --- moved, altered, forged --------------------------------------------------------------------------------------


@given(plains)
def test_no_bytes_make_a_reader_fail_otherwise_than_by_tampered(blob: bytes) -> None:
    """Whatever lies in the store, opening it raises an Unopenable and nothing else."""
    for _, opener in OPENERS.values():
        with pytest.raises(DecryptionError):
            opener(blob)


@pytest.mark.parametrize(
    "moved",
    [
        replace(PLACE, game="g2"),
        replace(PLACE, gate="expansion/6"),
        replace(PLACE, opening_entry=42),
        replace(PLACE, seat="genova"),
        replace(PLACE, revision=3),
        replace(PLACE, kind="reaction"),
    ],
    ids=["game", "gate", "entry", "seat", "revision", "kind"],
)
def test_sealed_orders_moved_to_another_place_do_not_open(moved: OrdersContext) -> None:
    """Neither asking elsewhere for orders nor rewriting their context opens them, not even with the right game key."""
    keys = replace(GAME, game=moved.game)
    with pytest.raises(TamperedError, match="another place"):
        crypto.unseal_orders(keys, VERIFY, moved, sealed_orders())
    with pytest.raises(TamperedError, match="signature"):
        crypto.unseal_orders(keys, VERIFY, moved, replace(sealed_orders(), context=moved))


def test_the_seal_itself_is_bound_to_the_place_and_not_only_the_signature() -> None:
    """A role that signs another place over somebody's sealed bytes still gets nothing opened."""
    moved = replace(PLACE, seat="genova")
    other = crypto.seal_orders(ORDERS_KEY, SIGN["mailer"], moved, b"", SALT)
    reader = Reader("x", "pbem ciphertext 1", sealed_orders().ciphertext)
    suite, name, body = reader.text(), reader.blob(8), reader.blob()
    place = encode_tuple("pbem orders place 1", moved.to_bytes(), other.commitment)
    info = encode_tuple("pbem seal 1", suite, name, "orders", place)
    forged = encode_tuple("pbem ciphertext 1", suite, name, body, SIGN["mailer"].sign("orders", info + body))
    with pytest.raises(TamperedError, match="seal does not fit"):
        crypto.unseal_orders(GAME, VERIFY, moved, replace(other, ciphertext=forged))


def test_sealed_orders_with_another_commitment_do_not_open() -> None:
    """The commitment that the receipt carried is under the signature."""
    with pytest.raises(TamperedError, match="signature"):
        crypto.unseal_orders(
            GAME, VERIFY, PLACE, replace(sealed_orders(), commitment=sealed_orders(b"RIEN").commitment)
        )


@pytest.mark.parametrize("change", [{"game": "g2"}, {"entry": 43}, {"viewer": "genova"}, {"kind": "events"}])
def test_a_view_moved_to_another_place_does_not_open(change: dict[str, str | int]) -> None:
    """Game, entry, viewer and kind are each bound into a view."""
    with pytest.raises(TamperedError):
        crypto.unseal_view(VIEW, VERIFY, replace(VIEW_PLACE, **change), OPENERS["view"][0])  # type: ignore[arg-type]


@pytest.mark.parametrize("place", [("g2", 42, "events"), ("g1", 41, "events"), ("g1", 42, "position")])
def test_an_entry_moved_to_another_place_does_not_open(place: tuple[str, int, str]) -> None:
    """Game, entry and kind are each bound into a journal part."""
    with pytest.raises(TamperedError):
        crypto.unseal_entry(GAME.position, *place, OPENERS["entry"][0])


@pytest.mark.parametrize("moved", [replace(LETTER, letter="letter-8"), replace(LETTER, kind="wire")])
def test_a_letter_moved_to_another_row_does_not_open(moved: EmailContext) -> None:
    """Row and kind are each bound into a letter, quarantined or not."""
    with pytest.raises(TamperedError):
        crypto.unseal_email(POST, VERIFY, moved, OPENERS["letter"][0])
    with pytest.raises(TamperedError):
        crypto.open_quarantined(PLAY, VERIFY, moved, OPENERS["quarantined"][0])


@pytest.mark.parametrize("change", [{"game": "g2"}, {"seat": "genova"}, {"request": "request-4"}])
def test_a_request_and_its_answer_fit_no_other_seat_or_request(change: dict[str, str]) -> None:
    """Nobody can have another seat's orders answered, nor an old answer served again."""
    moved = replace(ASKED, **change)
    with pytest.raises(TamperedError):
        crypto.verify_request(VERIFY, moved, OPENERS["request"][0])
    with pytest.raises(TamperedError):
        REQUEST.open(VERIFY, moved, OPENERS["answer"][0])


@given(st.sampled_from(sorted(OPENERS)), st.data())
def test_no_single_flipped_bit_goes_unseen(kind: str, drawn: st.DataObject) -> None:
    """Whatever bit of whatever record is flipped, it does not open."""
    blob, opener = OPENERS[kind]
    bit = drawn.draw(st.integers(0, len(blob) * 8 - 1))
    flipped = bytearray(blob)
    flipped[bit // 8] ^= 1 << bit % 8
    with pytest.raises(DecryptionError):
        opener(bytes(flipped))


@pytest.mark.parametrize("kind", sorted(OPENERS))
def test_no_record_opens_as_another_kind_or_cut_or_with_more_behind(kind: str) -> None:
    """A record in another record's place, cut short or lengthened, does not open."""
    blob, opener = OPENERS[kind]
    others = [other for name, (other, _) in OPENERS.items() if name != kind]
    for wrong in (*others, b"", blob[:-1], blob + b"\0"):
        with pytest.raises(DecryptionError):
            opener(wrong)


FORGERS: dict[str, tuple[crypto.Role, ...]] = {
    "orders": ("smtp",),
    "view": ("web", "mailer", "smtp"),
    "quarantined": ("smtp",),
    "answer": ("web", "mailer", "smtp"),
    "request": ("mailer", "resolver", "smtp"),
    "orders key": ("web", "mailer", "smtp"),
}


def _written_by(kind: str, signing: SigningKey) -> bytes:
    made: dict[str, Callable[[], bytes]] = {
        "orders": lambda: crypto.seal_orders(ORDERS_KEY, signing, PLACE, b"x", SALT).to_bytes(),
        "view": lambda: crypto.seal_view(VIEW, signing, VIEW_PLACE, b"x"),
        "letter": lambda: crypto.seal_email(POST.public(), signing, LETTER, b"x"),
        "quarantined": lambda: crypto.seal_quarantined(PLAY.public(), signing, LETTER, b"x"),
        "answer": lambda: crypto.seal_reply(REQUEST.public, signing, ASKED, b"x"),
        "request": lambda: crypto.sign_request(signing, ASKED, crypto.OwnOrdersRequest(1, 2, REQUEST.public)),
        "orders key": lambda: crypto.create_game_keys(MASTER, signing, "g1").public,
    }
    return made[kind]()


@pytest.mark.parametrize("kind", ["letter", *FORGERS])
def test_only_the_offices_that_may_write_a_record_are_believed(kind: str) -> None:
    """A record signed by a role that has no business writing it, or by a stranger, does not open."""
    strangers = [SigningKey(role, os.urandom(32)) for role in ROLES]
    for signing in [SIGN[role] for role in FORGERS.get(kind, ())] + strangers:
        with pytest.raises(TamperedError, match="not signed by a role"):
            OPENERS[kind][1](_written_by(kind, signing))


def test_one_office_cannot_sign_under_the_name_of_another() -> None:
    """The role is under the signature, so a key listed for one role does not speak for another."""
    liar = SigningKey("resolver", b"\7" * 32)
    known = VerifyKeys([("web", liar.public_bytes()), ("resolver", SIGN["resolver"].public_bytes())])
    with pytest.raises(TamperedError):
        known.verify("view", b"m", liar.sign("view", b"m"), RESOLVER_ONLY)
    with pytest.raises(TamperedError, match="signature"):
        known.verify("view", b"m", liar.sign("view", b"m"), WEB_ONLY)


# --- wrong keys and rotation -------------------------------------------------------------------------------------


def test_another_key_of_the_same_kind_opens_nothing() -> None:
    """Each record needs the very key it was sealed under."""
    stranger = crypto.unwrap_game_keys(MASTER, "g1", crypto.create_game_keys(MASTER, SIGN["resolver"], "g1"))
    tries: list[Callable[[], object]] = [
        lambda: crypto.unseal_orders(stranger, VERIFY, PLACE, sealed_orders()),
        lambda: crypto.unseal_entry(stranger.position, "g1", 42, "events", OPENERS["entry"][0]),
        lambda: crypto.unseal_view(ViewKey({1: bytes(32)}), VERIFY, VIEW_PLACE, OPENERS["view"][0]),
        lambda: crypto.unseal_email(MailerKey.create(), VERIFY, LETTER, OPENERS["letter"][0]),
        lambda: crypto.open_quarantined(ResolverKey.create(), VERIFY, LETTER, OPENERS["quarantined"][0]),
        lambda: RequestKey.create().open(VERIFY, ASKED, OPENERS["answer"][0]),
        lambda: crypto.unwrap_game_keys(MasterKeys({1: bytes(32)}), "g1", WRAPPED),
    ]
    for attempt in tries:
        with pytest.raises(DecryptionError):
            attempt()


def test_equal_secrets_under_another_kind_of_key_open_nothing() -> None:
    """Even if one secret served as two kinds of key, a record of one kind does not open as the other."""
    secret = os.urandom(32)
    box = ViewKey({1: secret}).encrypt("x", b"c", b"plain")
    for kind in (MasterKeys, PositionKey):
        with pytest.raises(TamperedError):
            kind({1: secret}).decrypt("x", b"c", box)


def test_wrapped_keys_do_not_open_for_another_game_nor_in_each_others_place() -> None:
    """Game and purpose are bound into the wrapping, so rows and columns cannot be exchanged."""
    with pytest.raises(TamperedError):
        crypto.unwrap_game_keys(MASTER, "g2", WRAPPED)
    with pytest.raises(TamperedError):
        crypto.unwrap_game_keys(MASTER, "g1", replace(WRAPPED, position=WRAPPED.orders, orders=WRAPPED.position))
    with pytest.raises(TamperedError):
        crypto.load_orders_key(VERIFY, "g2", WRAPPED.public)


def test_after_rewrapping_the_old_master_key_is_no_longer_needed() -> None:
    """Rotation re-wraps the keys and touches nothing that they sealed; the retired version then opens nothing."""
    old, new = os.urandom(32), os.urandom(32)
    before = crypto.create_game_keys(MasterKeys({1: old}), SIGN["resolver"], "g1")
    sealed = crypto.seal_orders(
        crypto.load_orders_key(VERIFY, "g1", before.public), SIGN["web"], PLACE, b"orders", SALT
    )
    after = crypto.rewrap(MasterKeys({1: old, 2: new}), WrappedGameKeys.from_bytes(before.to_bytes()))
    keys = crypto.unwrap_game_keys(MasterKeys({2: new}), "g1", after)
    assert crypto.unseal_orders(keys, VERIFY, PLACE, sealed).orders == b"orders"
    assert after.public == before.public
    with pytest.raises(UnknownKey, match="version 2"):
        crypto.unwrap_game_keys(MasterKeys({1: old}), "g1", after)
    with pytest.raises(UnknownKey, match="version 1"):
        crypto.unwrap_game_keys(MasterKeys({2: new}), "g1", before)


def test_a_pair_ring_opens_old_ciphertexts_and_seals_to_the_newest() -> None:
    """After a new pair, what was sealed to the old one still opens, and what comes next needs the new one."""
    one, two = os.urandom(32), os.urandom(32)
    both = MailerKey([one, two])
    old = crypto.seal_email(MailerKey([one]).public(), SIGN["smtp"], LETTER, b"old")
    new = crypto.seal_email(both.public(), SIGN["smtp"], LETTER, b"new")
    assert [crypto.unseal_email(both, VERIFY, LETTER, blob).content for blob in (old, new)] == [b"old", b"new"]
    with pytest.raises(UnknownKey):
        crypto.unseal_email(MailerKey([one]), VERIFY, LETTER, new)


def test_a_public_key_of_small_order_is_refused() -> None:
    """Nothing is sealed to a key with which everybody could read it."""
    with pytest.raises(CryptoError, match="no usable public key"):
        crypto.OrdersPublicKey(bytes(32)).seal(SIGN["web"], "orders", b"", b"")


# --- lengths -----------------------------------------------------------------------------------------------------


@given(st.binary(max_size=440), st.binary(max_size=440))
def test_the_length_of_what_is_sealed_does_not_tell_the_length_of_the_orders(one: bytes, two: bytes) -> None:
    """Any two sets of up to 440 bytes are sealed to one length."""
    assert len(sealed_orders(one).to_bytes()) == len(sealed_orders(two).to_bytes())


@given(st.integers(0, 5000))
def test_every_ciphertext_grows_in_steps_of_512_bytes(length: int) -> None:
    """Letters, quarantined ones too, and answers show their length to 512 bytes."""
    blob = crypto.seal_email(POST.public(), SIGN["smtp"], LETTER, b"x" * length)
    assert (len(blob) - len(OPENERS["letter"][0])) % 512 == 0


@given(st.binary(max_size=1000), st.binary(max_size=1000))
def test_entries_and_views_hide_their_length_within_a_step(one: bytes, two: bytes) -> None:
    """A journal part or view of up to 1000 bytes shows nothing by its length."""
    entries = {len(crypto.seal_entry(GAME.position, "g", 1, "k", plain)) for plain in (one, two)}
    views = {len(crypto.seal_view(VIEW, SIGN["resolver"], VIEW_PLACE, plain)) for plain in (one, two)}
    assert len(entries) == len(views) == 1


def sealed_beside(plain: bytes, base: bytes) -> bytes:
    """A view that is compressed beside another text, sealed."""
    return crypto.seal_views(VIEW, SIGN["resolver"], [crypto.View(VIEW_PLACE, plain, compress=True, base=base)])[0]


@given(st.binary(min_size=1, max_size=300), st.binary(min_size=1, max_size=300), st.binary(min_size=1, max_size=2000))
def test_compressed_views_hide_their_length_within_a_step(one: bytes, two: bytes, another: bytes) -> None:
    """A compressed view shows nothing by its length up to 300 bytes, alone or beside another text."""
    for beside in (b"", another):
        sealed = (sealed_beside(p, beside) for p in (one, two))
        assert len({len(blob) for blob in sealed}) == 1


@given(plains, st.binary(min_size=1), st.binary(min_size=1))
def test_a_view_beside_another_text_opens_with_it_only(plain: bytes, another: bytes, third: bytes) -> None:
    """A view that was sealed beside another text needs it again, and says that it does."""
    blob = sealed_beside(plain, another)
    assert crypto.is_delta_encrypted(blob)
    assert not crypto.is_delta_encrypted(crypto.seal_view(VIEW, SIGN["resolver"], VIEW_PLACE, plain, compress=True))
    assert crypto.unseal_view(VIEW, VERIFY, VIEW_PLACE, blob, another) == plain
    for wrong in {b"", third} - {another}:
        with pytest.raises(crypto.TamperedError):
            crypto.unseal_view(VIEW, VERIFY, VIEW_PLACE, blob, wrong)


def test_a_seats_view_is_small_beside_the_publics() -> None:
    """A view that differs from another by a hand costs little more than the hand."""
    state = b"".join(b"province %d holds %d, " % (n, n * 7919 % 100_003) for n in range(600))
    alone = crypto.seal_view(VIEW, SIGN["resolver"], VIEW_PLACE, state + b"hand", compress=True)
    beside = sealed_beside(state + b"hand", state)
    assert len(beside) < len(alone) // 3


@given(names, numbers, plains, plains, plains)
def test_an_entry_opens_though_a_stretch_of_it_is_compressed(
    game: str, entry: int, before: bytes, wordless: bytes, after: bytes
) -> None:
    """A record of which a stretch alone may be compressed comes back whole."""
    plain = before + wordless + after
    blob = crypto.seal_entry(GAME.position, game, entry, "record", plain, wordless=wordless)
    assert crypto.unseal_entry(GAME.position, game, entry, "record", blob) == plain


def test_what_players_wrote_is_not_compressed_with_the_rest() -> None:
    """Words outside of the stretch named as wordless cost what they are long, whatever is beside them."""
    facts, words = b'{"card":"Famine"},' * 200, b"Famine, I say! " * 200
    seal = partial(crypto.seal_entry, GAME.position, "g", 1, "record", wordless=facts)
    plain, compressed = len(seal(facts + words)), len(seal(facts))
    assert len(words) - 1024 <= plain - compressed <= len(words) + 1024


def test_sealing_twice_gives_different_bytes() -> None:
    """The same orders sealed twice cannot be recognised as equal, commitments under fresh salts included."""
    two = [crypto.seal_orders(ORDERS_KEY, SIGN["web"], PLACE, b"x", os.urandom(32)) for _ in range(2)]
    assert two[0].ciphertext != two[1].ciphertext
    assert two[0].commitment != two[1].commitment


def test_a_state_that_repeats_itself_is_kept_small_when_asked() -> None:
    """Compression works, and only where the caller promised that it is safe."""
    state = b'{"province":"Firenze","tokens":3},' * 500
    packed = crypto.seal_entry(GAME.position, "g", 1, "position", state, compress=True)
    assert len(packed) < len(state) // 5 < len(crypto.seal_entry(GAME.position, "g", 1, "answers", state))


# --- commitments -------------------------------------------------------------------------------------------------


@given(contexts, plains, salts)
def test_a_commitment_is_the_hmac_that_its_description_says(place: OrdersContext, orders: bytes, salt: bytes) -> None:
    """Anybody can recompute a receipt's commitment from salt, context and orders with standard tools."""
    expected = hmac.new(salt, encode_tuple("pbem commitment 1", place.to_bytes(), orders), hashlib.sha256).hexdigest()
    made = crypto.commit_to_orders(salt, place, orders)
    assert made == expected
    assert crypto.verify_commitment(f" {made.upper()}\n", salt, place, orders)


@given(plains, plains, salts, salts)
def test_a_commitment_fits_no_other_orders_salt_or_place(one: bytes, two: bytes, salt: bytes, other: bytes) -> None:
    """A commitment holds its author to these orders in this place."""
    made = crypto.commit_to_orders(salt, PLACE, one)
    assert crypto.verify_commitment(made, salt, PLACE, two) is (one == two)
    assert crypto.verify_commitment(made, other, PLACE, one) is (salt == other)
    assert not crypto.verify_commitment(made, salt, replace(PLACE, revision=3), one)


def test_a_salt_of_another_length_is_refused() -> None:
    """HMAC keys of other lengths could collide by zero filling, so a salt has 32 bytes."""
    with pytest.raises(CryptoError):
        crypto.commit_to_orders(b"short", PLACE, b"")


def test_sealed_orders_whose_commitment_does_not_fit_do_not_open() -> None:
    """Not even a role can put other orders under an acknowledged commitment."""
    claimed = crypto.commit_to_orders(SALT, PLACE, b"acknowledged")
    place = encode_tuple("pbem orders place 1", PLACE.to_bytes(), claimed)
    inside = encode_tuple("pbem orders inside 1", SALT, b"adjudicated", 0)
    ciphertext = ORDERS_KEY.seal(SIGN["web"], "orders", place, inside)
    with pytest.raises(TamperedError, match="commitment"):
        crypto.unseal_orders(GAME, VERIFY, PLACE, SealedOrders(PLACE, claimed, ciphertext))
