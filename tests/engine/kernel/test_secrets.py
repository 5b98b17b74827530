"""Values that know who may read them, and copies in which the unknown is absent."""

from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.kernel.secrets import (
    Hidden,
    Mask,
    Sealed,
    Secret,
    deep_copy,
    has_truth,
    redact,
    redact_for_all,
    seen_by,
    truth,
)
from engine.kernel.viewers import PUBLIC, Seat, Viewer

ANN, BOB = Seat("ann"), Seat("bob")


@dataclass(frozen=True)
class Card:
    """A frozen thing that may hold a secret."""

    name: object
    visible_to: frozenset[Seat] | None = None


@dataclass
class Desk:
    """A thing that changes."""

    cards: tuple[object, ...] = ()
    papers: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Purse:
    """A frozen thing that holds nothing but a secret."""

    coins: Secret[int]


@dataclass(frozen=True)
class Modest:
    """A thing that decides for itself what others see."""

    diary: str

    def redacted(self, viewer: Viewer) -> "Modest":
        """Nobody sees anything of the diary."""
        return Modest("")


def test_nothing_secret_is_read_outside_a_reader() -> None:
    """Without `seen_by` the value raises, even for those who know it."""
    with pytest.raises(Hidden):
        _ = Secret("silk", frozenset({ANN})).value
    with pytest.raises(Hidden):
        _ = Sealed("silk").value


def test_a_secret_is_read_by_those_who_know_it_and_nobody_else() -> None:
    """A seat reads what it knows; other seats and the public do not; the engine reads all."""
    card = Secret("silk", frozenset({ANN}))
    with seen_by(ANN):
        assert card.visible
        assert card.value == "silk"
    for viewer in (BOB, PUBLIC, "gm", ""):
        with seen_by(viewer), pytest.raises(Hidden):
            _ = card.value
    with truth():
        assert Secret("silk").value == "silk"


def test_what_is_sealed_is_not_even_its_owners() -> None:
    """Only the engine opens a seal, not even its owner."""
    with seen_by(ANN), pytest.raises(Hidden):
        _ = Sealed("attack").value
    with truth():
        assert Sealed("attack").value == "attack"


def test_readers_nest_and_end() -> None:
    """The reader before comes back, whatever happens within."""
    with truth():
        with seen_by(ANN):
            assert not has_truth()
        assert has_truth()
        with pytest.raises(RuntimeError), seen_by(BOB):
            raise RuntimeError
        assert has_truth()
    assert not has_truth()


def test_a_masked_value_is_read_by_nobody() -> None:
    """In a redacted copy the unknown is absent, not hidden: not even the engine finds it there."""
    copy = redact(Secret("silk"), ANN)
    assert copy.held is Mask.UNKNOWN
    with truth(), pytest.raises(Hidden):
        _ = copy.value


def test_no_text_of_a_secret_holds_its_value() -> None:
    """A log or a traceback tells nothing of the value."""
    hand = (Secret("silk", frozenset({ANN})), Sealed("silk"))
    with truth():
        assert "silk" not in f"{hand!r} {hand[0]!s} {Card(hand[0])!r}"
    with pytest.raises(Hidden) as hidden:
        _ = hand[0].value
    assert "silk" not in str(hidden.value)


def test_knowledge_grows_by_showing() -> None:
    """Showing makes another value; the first stays as it was."""
    card = Secret("silk")
    assert card.shown_to(ANN).shown_to(BOB).known_to == {ANN, BOB}
    assert card.known_to == frozenset()


def test_who_else_knows_is_masked_too() -> None:
    """A copy tells its reader that they know, and not that others do."""
    card = Secret("silk", frozenset({ANN, BOB}))
    assert redact(card, ANN) == Secret("silk", frozenset({ANN}))
    assert redact(card, PUBLIC) == redact(Secret("wool"), PUBLIC)


def test_redaction_reaches_every_depth() -> None:
    """Tuples, mappings, dataclasses and secrets within secrets are masked alike."""
    inner = Secret((Secret("silk", frozenset({BOB})), "wool"), frozenset({ANN}))
    desk = Desk((Card(inner),), {"seal": Sealed("silk"), "note": Secret(7)})
    copy = redact(desk, ANN)
    assert copy.cards == (Card(Secret((Secret(Mask.UNKNOWN), "wool"), frozenset({ANN}))),)
    assert copy.papers == {"seal": Sealed(Mask.UNKNOWN), "note": Secret(Mask.UNKNOWN)}
    assert desk.papers["note"] == Secret(7)
    assert redact((Purse(Secret(7)),), ANN) == (Purse(Secret(Mask.UNKNOWN)),)


def test_what_is_not_told_leaves_no_gap() -> None:
    """A thing told to others is dropped from a sequence, and nothing says that it was there."""
    told = (Card("a"), Card("b", visible_to=frozenset({BOB})), Card("c", visible_to=frozenset()))
    assert [c.name for c in redact(told, ANN)] == ["a"]
    assert [c.name for c in redact(told, BOB)] == ["a", "b"]
    assert [c.name for c in redact(told, PUBLIC)] == ["a"]


def test_a_class_may_redact_itself_first() -> None:
    """What a class leaves out for its viewer is left out."""
    assert redact((Modest("dear diary"),), ANN) == (Modest(""),)


def test_what_redaction_does_not_know_it_refuses() -> None:
    """A class that is neither plain nor a dataclass raises instead of leaking."""
    with pytest.raises(TypeError, match="cannot be redacted"):
        redact((object(),), ANN)


def test_a_copy_is_changed_without_changing_the_first() -> None:
    """Mutable dataclasses, dicts and lists are copied at every depth; frozen values are shared."""
    desk = Desk((Card("a"),), {"list": [1], "desk": Desk(papers={"x": 1})})
    copy = deep_copy(desk)
    copy.cards = ()
    copy.papers["list"].append(2)  # type: ignore[attr-defined]
    copy.papers["desk"].papers["x"] = 2  # type: ignore[attr-defined]
    assert desk == Desk((Card("a"),), {"list": [1], "desk": Desk(papers={"x": 1})})
    assert deep_copy(desk).cards[0] is desk.cards[0]


VALUES = st.recursive(
    st.builds(Secret, st.text(), st.frozensets(st.sampled_from([ANN, BOB]))) | st.text() | st.integers(),
    lambda inner: st.lists(inner).map(tuple) | st.dictionaries(st.text(), inner) | st.builds(Secret, inner),
)


@given(VALUES, st.sampled_from([ANN, BOB, PUBLIC]))
def test_redacting_twice_is_redacting_once(thing: object, viewer: Viewer) -> None:
    """A viewer's copy holds nothing more that they must not see."""
    once = redact(thing, viewer)
    assert redact(once, viewer) == once


TOLD = st.none() | st.frozensets(st.sampled_from([ANN, BOB]))
THINGS = VALUES | st.lists(st.builds(Card, VALUES, TOLD) | st.builds(Modest, st.text()) | VALUES).map(tuple)


@given(st.builds(Desk, st.tuples(THINGS, THINGS), st.dictionaries(st.text(), THINGS | st.builds(Sealed, st.text()))))
def test_redacting_for_all_is_redacting_for_each(desk: Desk) -> None:
    """Made together, the copies of several viewers are the same; where nothing is secret, it is one for all."""
    assert redact_for_all(desk, (ANN, BOB, PUBLIC)) == {viewer: redact(desk, viewer) for viewer in (ANN, BOB, PUBLIC)}
    plain = Desk((Card("a"), ("b",)), {"c": Card("d")})
    assert all(copy is plain for copy in redact_for_all(plain, (ANN, PUBLIC)).values())
