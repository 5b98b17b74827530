"""How positions, facts and orders are written down, for ten years."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.kernel import codec
from engine.kernel.codec import DecodeError, added_field, dump, load, saved_class, saved_name, serializable, upcast
from engine.kernel.secrets import Mask, Sealed, Secret


@serializable("test.Colour")
class Colour(Enum):
    """Two values."""

    RED = "red"
    BLUE = "blue"


@serializable("test.Town", version=3)
@dataclass(frozen=True)
class Town:
    """A class in its third version."""

    name: str
    size: int
    owner: str


@upcast("test.Town", 1)
def _town_had_no_size(fields: dict[str, object]) -> dict[str, object]:
    return {**fields, "size": 1}


@upcast("test.Town", 2)
def _town_had_no_owner(fields: dict[str, object]) -> dict[str, object]:
    return {**fields, "owner": ""}


@serializable("test.Grown")
@dataclass(frozen=True)
class Grown:
    """A class that was given two fields since."""

    first: int
    a_word: str = added_field("")
    zeal: tuple[int, ...] = added_field(())


@pytest.fixture
def registry() -> Iterator[None]:
    """Forgets after a test what it registered."""
    before = dict(codec._by_name)
    yield
    codec._by_name.clear()
    codec._by_name.update(before)


HASHABLE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.binary() | st.sampled_from(Colour),
    lambda inner: st.lists(inner, max_size=3).map(tuple) | st.frozensets(inner, max_size=3),
    max_leaves=8,
)
THINGS = st.recursive(
    HASHABLE | st.builds(Town, st.text(), st.integers(), st.text()) | st.just(Mask.UNKNOWN),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(HASHABLE, inner, max_size=3)
        | st.builds(Secret, inner, st.frozensets(st.text()))
        | st.builds(Sealed, inner)
    ),
    max_leaves=12,
)


@given(THINGS)
def test_what_was_written_is_read_back(thing: object) -> None:
    """load(dump(x)) is x, of the same types, and is written in the same words."""
    text = dump(thing)
    assert load(text) == thing
    assert dump(load(text)) == text
    assert load(text.encode()) == thing


@given(THINGS)
def test_what_is_written_is_the_json_that_a_library_writes(thing: object) -> None:
    """A text is JSON with sorted keys, without spaces and with its signs as they are, to the byte."""
    text = dump(thing)
    assert json.dumps(json.loads(text), ensure_ascii=False, sort_keys=True, separators=(",", ":")) == text


@given(THINGS, st.lists(st.builds(Grown, THINGS, THINGS, THINGS) | THINGS, min_size=1, max_size=4))
def test_what_is_written_together_is_what_is_written_one_by_one(shared: object, others: list[object]) -> None:
    """Objects that share parts, that are one object, or that have nothing in common, have the texts they have alone."""
    sharing = [Grown(1, *parts) for parts in (("", shared), ("", others), (shared, others), ("", ()))]
    for things in (others, sharing, [shared, shared], [*sharing, shared]):
        assert codec.dump_all(things) == list(map(dump, things))


def test_sets_and_keys_have_their_order_for_good() -> None:
    """They stand in the order of their JSON in ASCII and with spaces, as in every file there is."""
    assert dump(frozenset({"z", "é", "a b"})) == '{"!":"set","v":["é","a b","z"]}'
    assert dump(frozenset({(1, 2), (1,), (10,)})) == '{"!":"set","v":[[1,2],[10],[1]]}'
    assert dump({2: "b", 10: "a"}) == '{"!":"dict","v":[[10,"a"],[2,"b"]]}'


def test_text_is_canonical() -> None:
    """Sorted keys, no spaces, texts as they are: equal things have equal texts."""
    assert dump({"b": 1, "a": "é"}) == '{"a":"é","b":1}'
    assert dump({2: "b", 1: "a"}) == dump({1: "a", 2: "b"})
    assert dump(frozenset({"b", "a"})) == dump(frozenset({"a", "b"}))
    assert dump(MappingProxyType({"a": 1})) == dump({"a": 1})


def test_true_is_not_one() -> None:
    """Truth values and numbers stay apart."""
    assert dump((True, 1)) == "[true,1]"


def test_a_mapping_that_looks_like_a_class_is_not_one() -> None:
    """A key that begins with `!` does not make a class of a mapping."""
    trap = {"!": "test.Town/3", "name": "x"}
    assert load(dump(trap)) == trap


def test_an_old_save_is_raised_version_by_version() -> None:
    """What an older version lacks is supplied, step by step."""
    assert load('{"!":"test.Town/1","name":"Oulx"}') == Town("Oulx", 1, "")
    assert load('{"!":"test.Town/2","name":"Oulx","size":4}') == Town("Oulx", 4, "")


@given(first=st.integers(), word=st.text(max_size=3), rest=st.tuples(st.integers()) | st.just(()))
def test_a_field_that_came_later_changes_no_bytes_of_before(first: int, word: str, rest: tuple[int, ...]) -> None:
    """Where it has its default it is not written, and what lacks it has its default; else it is kept as it was."""
    text = dump(Grown(first, word, rest))
    assert load(text) == Grown(first, word, rest)
    assert ("a_word" in json.loads(text), "zeal" in json.loads(text)) == (bool(word), bool(rest))
    assert list(json.loads(text)) == sorted(json.loads(text))
    assert load(f'{{"!":"test.Grown/1","first":{first}}}') == Grown(first)
    assert dump(load(f'{{"!":"test.Grown/1","first":{first}}}')) == f'{{"!":"test.Grown/1","first":{first}}}'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"!":"test.Town/4","name":""}', "newer than this program"),
        ('{"!":"test.Nowhere/1"}', "no class is saved as 'test.Nowhere'"),
        ("1.5", "a float was saved: 1.5"),
        ('{"a":1e3}', "a float was saved: 1e3"),
    ],
)
def test_what_cannot_be_read_is_refused(text: str, says: str) -> None:
    """An unknown class, a later version and a float raise Unreadable, and say which."""
    with pytest.raises(DecodeError, match=says):
        load(text)


def test_a_class_without_a_saved_name_is_refused() -> None:
    """Nothing is written that could not be read; the message names the class, not what it holds."""

    @dataclass(frozen=True)
    class Stranger:
        name: str

    with pytest.raises(DecodeError, match="Stranger has no saved name") as refused:
        dump((Stranger("silk"),))
    assert "silk" not in str(refused.value)


def test_floats_are_not_written() -> None:
    """No float enters a save."""
    with pytest.raises(DecodeError, match="float has no saved name"):
        dump((0.5,))


def test_a_saved_name_belongs_to_one_class(registry: None) -> None:
    """A second class under the same name is refused when it is defined."""
    with pytest.raises(ValueError, match=r"two classes are saved as test\.Town"):
        serializable("test.Town")(dataclass(type("Village", (), {})))
    with pytest.raises(ValueError, match=r"two classes are saved as test\.Town"):
        serializable("test.Town")(dataclass(type("Town", (), {"__module__": "another.game"})))


def test_names_and_classes_are_found_from_each_other() -> None:
    """A class knows its saved name, and a saved name its class."""
    assert saved_name(Town) == "test.Town"
    assert saved_class("test.Town") is Town
