"""A picture as its differences from another: put together again it is the same, and what is alike is not sent."""

import random
import re

from pbem.web.differences import Hunk, compute_hunks, hash_pieces


def patched(old: str, hunks: list[Hunk]) -> str:
    """What the page's script makes of it."""
    pieces, at, made = re.findall(r"<[^<]*", old), 0, []
    for start, count, put in hunks:
        made += [*pieces[at:start], put]
        at = start + count
    return "".join([*made, *pieces[at:]])


def drawn(*names: str) -> str:
    """A picture of a few places."""
    inside = "".join(f'<g id="{name}"><path d="M0 0"/><text>{name}</text></g>' for name in names)
    return f"<svg>{inside}</svg>"


def test_a_small_change_in_a_large_picture_is_small() -> None:
    """Two places more among five hundred are sent as two places."""
    names = [f"place{n}" for n in range(500)]
    more = [*names[:100], "here", *names[100:400], "there", *names[400:]]
    found = compute_hunks(drawn(*names), drawn(*more))
    assert patched(drawn(*names), found) == drawn(*more)
    assert sum(len(text) for _, _, text in found) < 200


def test_any_two_pictures_are_told_rightly() -> None:
    """Shuffled, doubled and cut at will: with a chance of its own, always the same."""
    chance = random.Random(15)
    for _ in range(300):
        old = drawn(*(str(chance.randrange(9)) for _ in range(chance.randrange(12))))
        new = drawn(*(str(chance.randrange(9)) for _ in range(chance.randrange(12))))
        found = compute_hunks(old, new)
        assert patched(old, found) == new
        assert (found == []) == (hash_pieces(old) == hash_pieces(new)) == (old == new)
