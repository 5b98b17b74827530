"""Several records under one signature: each is believed by itself, in its place, and nothing else is."""

from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.crypto import Role, SigningKey, TamperedError, VerifyKeys, merkle_tree
from pbem.crypto.encoding import Reader, encode_tuple

SAID = (
    "",
    "00",
    "10",
    "2021",
    "3031",
    "40414243",
    "5051525354555657",
    "606162636465666768696a6b6c6d6e6f",
)
ROOTS = {
    1: "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    2: "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    3: "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    7: "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    8: "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
}
"""Of the first so many records, as implementations of Certificate Transparency (RFC 6962) are tested."""

ONLY: tuple[Role, ...] = ("resolver",)
PLAY, POST = SigningKey("resolver", b"\1" * 32), SigningKey("mailer", b"\2" * 32)


def keys() -> VerifyKeys:
    """Keys that have checked nothing yet."""
    return VerifyKeys((key.role, key.public_bytes()) for key in (PLAY, POST))


class Parts(NamedTuple):
    """What a record that was signed with others carries."""

    key: bytes
    signature: bytes
    place: int
    size: int
    path: bytes


def parts(signed: bytes) -> Parts:
    """Read them."""
    reader = Reader("record", "pbem signatures 1", signed)
    return Parts(reader.blob(), reader.blob(), reader.number(), reader.number(), reader.blob())


@pytest.mark.parametrize(("size", "root"), ROOTS.items())
def test_the_tree_is_the_one_of_the_standard(size: int, root: str) -> None:
    """Known records have the known root, from each of their places."""
    records = [bytes.fromhex(said) for said in SAID[:size]]
    found, paths = merkle_tree.build(records)
    assert found.hex() == root
    assert [merkle_tree.root_from_path(record, n, size, paths[n]).hex() for n, record in enumerate(records)] == [
        root
    ] * size


@given(st.lists(st.binary(max_size=4), min_size=1, max_size=40))
def test_each_record_is_believed_in_its_place(messages: list[bytes]) -> None:
    """However many are signed together, each is believed, and costs a path of as many hashes as the tree is high."""
    known = keys()
    for message, signed in zip(messages, PLAY.sign_batch("row", messages), strict=True):
        assert known.verify("row", message, signed, ONLY) == "resolver"
        assert len(signed) < 170 + 32 * (len(messages) - 1).bit_length()


@given(st.integers(2, 20), st.data())
def test_nothing_else_is_believed(size: int, data: st.DataObject) -> None:
    """Another record, kind, place, size, path or key: each is refused, before and after the tree was believed."""
    messages = [b"%d" % number for number in range(size)]
    at = data.draw(st.integers(0, size - 1))
    signed = PLAY.sign_batch("row", messages)
    name, signature, place, _, path = parts(signed[at])
    bit = data.draw(st.integers(0, 8 * len(path) - 1))
    flipped = (int.from_bytes(path, "big") ^ 1 << bit).to_bytes(len(path), "big")
    others = [
        ("row", b"another", signed[at]),
        ("view", messages[at], signed[at]),
        ("row", messages[at], signed[at - 1]),
        *(
            ("row", messages[at], encode_tuple("pbem signatures 1", *fields))
            for fields in (
                (name, signature, place + 1, size, path),
                (name, signature, place, size + 1, path),
                (name, signature, place, (1 << 64) - 1, path),
                (name, signature, (1 << 64) - 1, size, path),
                (name, signature, place, 0, path),
                (name, signature, place, size, path[32:]),
                (name, signature, place, size, path + path[:32]),
                (name, signature, place, size, flipped),
                (name, bytes(64), place, size, path),
                (POST.name, signature, place, size, path),
            )
        ),
    ]
    known = keys()
    for _ in range(2):
        for what, message, refused in others:
            with pytest.raises(TamperedError):
                known.verify(what, message, refused, ("resolver", "mailer"))
        assert known.verify("row", messages[at], signed[at], ONLY) == "resolver"


def test_a_role_signs_for_itself_alone() -> None:
    """Who signs a tree in which a record speaks of another role is not believed in that role's name.

    Neither before nor after the tree was believed for a record of its own.
    """
    own, forged = b"own", b"forged"
    root, paths = merkle_tree.build(
        [
            encode_tuple("pbem signature 1", "row", "resolver", own),
            encode_tuple("pbem signature 1", "row", "mailer", forged),
        ]
    )
    signature, known = PLAY._private.sign(encode_tuple("pbem signature of many 1", "resolver", 2, root)), keys()
    for _ in range(2):
        for name in (PLAY.name, POST.name):
            with pytest.raises(TamperedError):
                known.verify(
                    "row",
                    forged,
                    encode_tuple("pbem signatures 1", name, signature, 1, 2, paths[1]),
                    ("resolver", "mailer"),
                )
        assert (
            known.verify("row", own, encode_tuple("pbem signatures 1", PLAY.name, signature, 0, 2, paths[0]), ONLY)
            == "resolver"
        )


def test_a_node_is_no_record() -> None:
    """Two hashes that stand within a tree are not taken for a record of it."""
    root, paths = merkle_tree.build([b"a", b"b", b"c", b"d"])
    inner = merkle_tree.build([b"a", b"b"])[0] + merkle_tree.build([b"c", b"d"])[0]
    assert len(inner) == 64
    assert merkle_tree.root_from_path(inner, 0, 1, b"") != root
    assert merkle_tree.root_from_path(b"a", 0, 4, paths[0]) == root


def test_one_record_is_signed_as_ever() -> None:
    """A list of one is written as a single signature, and none as nothing."""
    assert PLAY.sign_batch("row", [b"a"]) == [PLAY.sign("row", b"a")]
    assert PLAY.sign_batch("row", []) == []
