"""The journal's chain, luck and seeds, and tokens: what proves or lets in, and tells nothing by itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem import crypto
from pbem.crypto import ChainBroken, ChainLink, CryptoError, EntryId, EntrySalts
from pbem.crypto.tokens import ALPHABET

SALT = bytes(range(32))

names = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
numbers = st.integers(0, 2**64 - 1)
salts = st.binary(min_size=32, max_size=32)

# --- chain -------------------------------------------------------------------------------------------------------

ENTRY = EntryId("g1", 3)
PRIVATE = {"venezia": b"drew Silk", "genova": b""}
ENTRY_SALTS = EntrySalts.fresh(PRIVATE)
LINK = crypto.hash_entry(ENTRY, crypto.GENESIS, b"public", PRIVATE, b"deck", ENTRY_SALTS)


def verify_entry(
    place: EntryId,
    previous: bytes,
    public_part: bytes,
    private: Mapping[str, bytes],
    rest: bytes,
    salts: EntrySalts,
    link: ChainLink,
) -> None:
    """Verify the link of an entry, and each of its private parts."""
    crypto.verify_link(place, previous, public_part, link)
    for seat in sorted(private):
        crypto.verify_part(place, seat, private[seat], salts.seats[seat], link)
    crypto.verify_part(place, None, rest, salts.rest, link)


def test_an_entry_as_written_verifies_from_its_stored_bytes() -> None:
    """Link and salts come back from the store, and the whole entry fits them."""
    link, opened = ChainLink.from_bytes(LINK.to_bytes()), EntrySalts.from_bytes(ENTRY_SALTS.to_bytes())
    verify_entry(ENTRY, crypto.GENESIS, b"public", PRIVATE, b"deck", opened, link)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"place": EntryId("g2", 3)}, "digest"),
        ({"place": EntryId("g1", 4)}, "digest"),
        ({"previous": b"\1" * 32}, "digest"),
        ({"public_part": b"other"}, "digest"),
        ({"private": PRIVATE | {"venezia": b"drew Cloth"}}, "seat venezia"),
        ({"private": PRIVATE | {"genova": b"drew Silk"}}, "seat genova"),
        ({"rest": b"another deck"}, "what no seat was told"),
        ({"salts": EntrySalts.fresh(PRIVATE)}, "private part"),
        ({"link": replace(LINK, rest=bytes(32))}, "digest"),
        ({"link": replace(LINK, seats={**LINK.seats, "genova": bytes(32)})}, "digest"),
        ({"link": replace(LINK, seats={**LINK.seats, "london": bytes(32)})}, "digest"),
    ],
)
def test_a_rewritten_entry_is_found_out_and_the_part_is_named(change: dict[str, object], named: str) -> None:
    """Each field of an entry that is changed after the fact breaks the chain, with the place of the break."""
    whole: dict[str, object] = {
        "place": ENTRY,
        "previous": crypto.GENESIS,
        "public_part": b"public",
        "private": PRIVATE,
        "rest": b"deck",
        "salts": ENTRY_SALTS,
        "link": LINK,
    }
    with pytest.raises(ChainBroken, match=named):
        verify_entry(**(whole | change))  # type: ignore[arg-type]


@given(st.lists(st.binary(max_size=20), min_size=2, max_size=5), st.data())
def test_changing_one_entry_changes_every_digest_after_it(publics: list[bytes], drawn: st.DataObject) -> None:
    """A journal's last digest holds all of it."""
    at = drawn.draw(st.integers(0, len(publics) - 1))
    rest = EntrySalts.fresh(())

    def digests(parts: list[bytes]) -> list[bytes]:
        found, before = [], crypto.GENESIS
        for number, part in enumerate(parts):
            before = crypto.hash_entry(EntryId("g", number), before, part, {}, b"", rest).digest
            found.append(before)
        return found

    one, two = digests(publics), digests([*publics[:at], publics[at] + b"!", *publics[at + 1 :]])
    assert one[:at] == two[:at]
    assert all(a != b for a, b in zip(one[at:], two[at:], strict=True))


def test_during_the_game_a_link_is_checked_without_salts_and_a_seat_checks_its_own_part() -> None:
    """Anybody can follow the chain at once, and a player their own part, while the others' stay closed."""
    crypto.verify_link(ENTRY, crypto.GENESIS, b"public", LINK)
    crypto.verify_part(ENTRY, "venezia", PRIVATE["venezia"], ENTRY_SALTS.seats["venezia"], LINK)
    with pytest.raises(ChainBroken, match="seat london"):
        crypto.verify_part(ENTRY, "london", b"", SALT, LINK)


def test_the_same_part_of_two_seats_or_entries_has_different_commitments() -> None:
    """Owner and entry are bound in: even under one salt equal secrets cannot be recognised as equal."""
    one_salt = EntrySalts({"a": SALT, "b": SALT}, SALT)
    links = [
        crypto.hash_entry(EntryId("g", n), crypto.GENESIS, b"", {"a": b"x", "b": b"x"}, b"x", one_salt) for n in (1, 2)
    ]
    assert len({digest for link in links for digest in (*link.seats.values(), link.rest)}) == 6


def test_a_guessed_private_part_cannot_be_tried_against_its_commitment() -> None:
    """What everybody sees of an entry changes with the salts alone, so a small secret is not a plain hash."""
    other = crypto.hash_entry(ENTRY, crypto.GENESIS, b"public", PRIVATE, b"deck", EntrySalts.fresh(PRIVATE))
    assert all(other.seats[seat] != LINK.seats[seat] for seat in PRIVATE)
    assert other.rest != LINK.rest


def test_every_seat_needs_its_salt_and_a_digest_its_length() -> None:
    """An entry cannot be linked with a seat left out or a previous digest that is none."""
    with pytest.raises(CryptoError, match="own salt"):
        crypto.hash_entry(ENTRY, crypto.GENESIS, b"", {"venezia": b""}, b"", ENTRY_SALTS)
    with pytest.raises(CryptoError, match="32 bytes"):
        crypto.hash_entry(ENTRY, b"short", b"", PRIVATE, b"", ENTRY_SALTS)


# --- luck and seed -----------------------------------------------------------------------------------------------

counted = st.lists(st.tuples(names, st.one_of(st.none(), st.binary(max_size=9))), max_size=4)


@given(st.tuples(names, numbers, counted), st.tuples(names, numbers, counted))
def test_luck_depends_on_game_entry_and_each_counted_set_or_default_in_order(
    one: tuple[str, int, list[tuple[str, bytes | None]]], two: tuple[str, int, list[tuple[str, bytes | None]]]
) -> None:
    """Only equal facts give equal luck; a default is not an empty set of orders."""
    assert (crypto.draw_entropy(*one) == crypto.draw_entropy(*two)) is (one == two)
    assert crypto.draw_entropy("g", 1, [("a", None)]) != crypto.draw_entropy("g", 1, [("a", b"")])
    assert crypto.draw_entropy("g", 1, [("a", b"x"), ("b", b"y")]) != crypto.draw_entropy(
        "g", 1, [("b", b"y"), ("a", b"x")]
    )


joined = st.lists(st.tuples(names, st.text(st.characters(), max_size=10), st.binary(max_size=10)), max_size=3)


@given(salts, joined, joined)
def test_the_deal_depends_on_the_promised_seed_and_on_every_joiner(
    seed: bytes, one: list[tuple[str, str, bytes]], two: list[tuple[str, str, bytes]]
) -> None:
    """Nobody, the host included, knows the deal before the last joiner's words and nonce are in."""
    assert (crypto.mix_seed(seed, one) == crypto.mix_seed(seed, two)) is (one == two)
    assert crypto.mix_seed(seed, one) != crypto.mix_seed(bytes(32) if any(seed) else b"\1" * 32, one)
    assert len(crypto.mix_seed(seed, one)) == 32


@given(salts, salts)
def test_the_promise_of_a_seed_fits_that_seed_only(one: bytes, two: bytes) -> None:
    """The digest in the invitation fixes the seed."""
    assert (crypto.hash_seed(one) == crypto.hash_seed(two)) is (one == two)


@pytest.mark.parametrize("use", [crypto.hash_seed, lambda seed: crypto.mix_seed(seed, [])])
def test_a_seed_short_enough_to_guess_is_refused(use: Callable[[bytes], object]) -> None:
    """A promise of less than 32 random bytes would be no secret."""
    with pytest.raises(CryptoError, match="32 bytes"):
        use(b"dice")


# --- tokens ------------------------------------------------------------------------------------------------------


def test_tokens_are_short_plain_and_never_the_same() -> None:
    """Twenty-six signs without vowels, from an alphabet that all mail systems keep, no two alike."""
    made = [crypto.new_token() for _ in range(500)]
    assert len(set(made)) == 500
    assert all(crypto.is_token(token) and len(token) == 26 for token in made)
    assert set("".join(made)) == set(ALPHABET)
    assert not set(ALPHABET) & set("aeiouyl")
    assert len(ALPHABET) ** 26 > 2**126


@given(st.text(alphabet=ALPHABET, min_size=26, max_size=26))
def test_a_token_is_known_again_in_any_case_and_for_its_purpose_only(token: str) -> None:
    """Mail systems may change the case of a local part; a token of one purpose opens no other."""
    stored = crypto.token_hash("reply", token)
    assert crypto.is_token(token.upper())
    assert crypto.token_hash("reply", token.upper()) == stored
    assert crypto.token_hash("sign-in", token) != stored
    assert token.encode() not in stored


@given(st.text(st.characters()))
def test_any_text_can_be_held_against_a_stored_token(text: str) -> None:
    """What a stranger writes in an address never raises, and never fits."""
    assert crypto.token_hash("reply", text) != crypto.token_hash("reply", crypto.new_token())
    assert crypto.is_token(text) in (True, False)
