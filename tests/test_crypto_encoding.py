"""How the vault writes values into bytes: injectively, and read back strictly."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.crypto import CryptoError, TamperedError
from pbem.crypto.encoding import Reader, encode_tuple, pad, unpad

names = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
numbers = st.integers(0, 2**64 - 1)
plains = st.binary(max_size=1500)


@given(st.lists(st.one_of(names, numbers, plains), max_size=6), st.lists(st.one_of(names, numbers, plains), max_size=6))
def test_two_lists_of_values_never_write_the_same_bytes(
    one: list[str | int | bytes], two: list[str | int | bytes]
) -> None:
    """Packing is injective: equal bytes only from equal values of equal kinds."""
    same = [(type(part), part) for part in one] == [(type(part), part) for part in two]
    assert (encode_tuple("t", *one) == encode_tuple("t", *two)) is same


@given(names, numbers, plains)
def test_what_is_packed_reads_back(text: str, number: int, blob: bytes) -> None:
    """A reader gives back text, number and bytes in order, and then nothing."""
    reader = Reader("x", "t", encode_tuple("t", text, number, blob))
    assert (reader.text(), reader.number(), reader.blob()) == (text, number, blob)
    reader.expect_end()


@pytest.mark.parametrize("number", [-1, 1 << 64, True])
def test_a_number_that_cannot_be_written_is_refused(number: int) -> None:
    """Numbers out of range and booleans are refused with a VaultError, not written wrongly."""
    with pytest.raises(CryptoError):
        encode_tuple("t", number)


def test_a_name_that_utf8_cannot_write_is_refused_without_being_quoted() -> None:
    """A lone surrogate is a VaultError whose text does not hold the name."""
    with pytest.raises(CryptoError) as caught:
        encode_tuple("t", "marker\ud800")
    assert "marker" not in str(caught.value)


@given(plains, st.sampled_from([512, 1024]))
def test_filling_comes_off_again_and_leaves_whole_steps(plain: bytes, step: int) -> None:
    """Padding is undone exactly and makes every length a multiple of the step."""
    filled = pad(plain, step)
    assert len(filled) % step == 0
    assert unpad("x", filled) == plain


def test_filling_that_is_not_zeros_is_refused() -> None:
    """A filled text cannot carry anything beside its content."""
    with pytest.raises(TamperedError):
        unpad("x", pad(b"a", 512)[:-1] + b"!")
