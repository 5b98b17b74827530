"""Reactions: answers given ahead, added up, changed until they are used, ended with their turn."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.kernel.orders import Pace
from engine.kernel.secrets import truth
from pbem.narration.facts import EndedReaction
from pbem.store.models import OutboundEmail, SealedOrdersRow
from tests.budget import budget
from tests.service.server_fixtures import ServerHarness, build, start_game
from tests.toy import steps
from tests.toy.board import SHIELDS
from tests.toy.events import Parried
from tests.toy.rules import Toy


def shields(harness: ServerHarness, game: str) -> dict[str, list[str]]:
    """The shields in each hand."""
    position = harness.load_state(game)
    with truth():
        return {seat: [c.value for c in hand if c.value in SHIELDS] for seat, hand in position.board.hands.items()}


def spoken(card: str) -> str:
    """A shield's name as a letter writes it."""
    return SHIELDS[card].printed("en")


def holder_of_a_shield(folder: Path, hours: int | None = None) -> tuple[ServerHarness, str, str, str, str]:
    """A game in which a seat holds a shield: harness, game, holder, other seat, shield.  `hours`: for an answer."""
    harness = build(folder)
    game = start_game(harness, "toy", 4, hours)
    held = shields(harness, game)
    holder = next(seat for seat in held if held[seat])
    other = next(seat for seat in held if seat != holder)
    return harness, game, holder, other, held[holder][0]


def to_the_march(harness: ServerHarness) -> None:
    """All bid nothing."""
    for seat in ("s1", "s2", "s3", "s4"):
        harness.reply(seat, "BID 0")


def all_march(harness: ServerHarness, attacker: str) -> None:
    """One attacks, the others pass."""
    for seat in ("s1", "s2", "s3", "s4"):
        harness.reply(seat, *(["ATTACK Mill WITH 1"] if seat == attacker else ["PASS"]))


def notes(harness: ServerHarness) -> list[EndedReaction]:
    """What reports told of reactions."""
    return [note for facts in harness.sent_facts("report") for note in facts.ended_reactions]


@pytest.mark.parametrize("pace", [Pace.REACTION, Pace.TURN])
def test_a_reaction_answers_the_question_that_comes_up(
    state_dir: Path, monkeypatch: pytest.MonkeyPatch, pace: Pace
) -> None:
    """A reaction parries the attack later in the turn, whether it is asked as a reaction or like any other question."""
    asked = steps.shield
    monkeypatch.setattr(steps, "shield", lambda *about: replace(asked(*about), pace=pace))
    harness, game, holder, other, shield = holder_of_a_shield(state_dir)
    harness.reply(holder, f"ON PARRY: PARRY {spoken(shield)}")
    to_the_march(harness)
    all_march(harness, other)
    for decision in [d for d in harness.load_state(game).core.questions if d.topic == "shield"]:
        if decision.seat != holder:
            harness.reply(decision.seat, "PASS")
    assert not [d for d in harness.load_state(game).core.questions if d.topic == "shield"], "play went on at once"
    mine = [f for f in harness.sent_facts("report") if f.frame.reader.seat == holder]
    assert [o.answered for f in mine for o in f.questions if o.decision.topic == "shield"] == [True]
    assert [e.card for f in mine for e in f.events if isinstance(e, Parried)] == [shield]
    to_the_march(harness)
    assert [(n.topic, n.used) for n in notes(harness)] == [("shield", True)]


def test_a_refused_set_leaves_the_reaction_of_the_same_letter(state_dir: Path) -> None:
    """A line that is refused in a set does not touch a reaction beside it, nor what stood before."""
    harness, _, holder, _, shield = holder_of_a_shield(state_dir)
    harness.reply(holder, "BID 2")
    receipt = harness.reply(holder, "BID 99", f"ON PARRY: PARRY {spoken(shield)}")
    assert [s.taken for s in receipt.sets] == [False]
    assert [r.problem for r in receipt.reactions] == [None]
    assert [s.topic for s in receipt.stored_orders] == ["bid"]
    assert [r.topic for r in receipt.stored_reactions] == ["shield"]


def test_an_unused_reaction_ends_with_its_turn_and_its_owner_is_told(state_dir: Path) -> None:
    """At the end of the turn a reaction that was not needed is destroyed, and that is told once, to its owner alone."""
    harness, _, holder, _, shield = holder_of_a_shield(state_dir)
    harness.reply(holder, f"ON PARRY: PARRY {spoken(shield)}")
    to_the_march(harness)
    all_march(harness, "nobody")
    ended = [
        (address.seat, note.topic, note.used)
        for address, facts in harness.sent
        if address.kind == "report"
        for note in facts.ended_reactions
    ]
    assert ended == [(holder, "shield", False)]
    assert [row for row in harness.load_rows(SealedOrdersRow) if row.kind == "reaction"] == []


def test_a_reaction_that_lasts_answers_in_every_turn_until_it_is_changed(
    state_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The newest one counts, the end of a turn changes nothing, and a withdrawal ends it."""
    topics = tuple(replace(t, lasts=True) if t.key == "shield" else t for t in Toy.meta.topics)
    monkeypatch.setattr(Toy, "meta", replace(Toy.meta, topics=topics))
    harness, _, holder, _, shield = holder_of_a_shield(state_dir)
    harness.reply(holder, f"ON PARRY: PARRY {spoken(shield)}")
    for turn in range(2):
        to_the_march(harness)
        all_march(harness, "nobody")
        receipt = harness.reply(holder, "STATUS")
        assert [one.topic for one in receipt.stored_reactions] == ["shield"], turn
    assert not notes(harness)
    assert harness.reply(holder, "ON PARRY: NONE").stored_reactions == ()


def test_a_reaction_filed_by_an_old_letter_is_not_for_the_new_turn(state_dir: Path) -> None:
    """An answer to a report of the turn before files no reaction for the turn that has begun since."""
    harness, _, holder, _, shield = holder_of_a_shield(state_dir)
    token = harness.reply_token(holder)
    to_the_march(harness)
    all_march(harness, "nobody")
    harness.receive_reply(token, [f"ON PARRY: PARRY {spoken(shield)}"])
    harness.run_queued_tasks()
    assert [row for row in harness.load_rows(SealedOrdersRow) if row.kind == "reaction"] == []


WRITTEN = st.lists(
    st.sampled_from(["ON PARRY: NONE", "ON PARRY: PARRY Oak Shield", "ON PARRY: PARRY Iron Shield", "WITHDRAW"]),
    min_size=1,
    max_size=5,
)


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> ServerHarness:
    """A game that stays where it is, for many examples."""
    harness = build(tmp_path_factory.mktemp("reactions"))
    start_game(harness, "toy", 2)
    harness.configure(limits={"letters": 1_000_000})
    return harness


@settings(max_examples=budget(4, 12), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(letters=WRITTEN)
def test_what_stands_is_what_the_last_letter_said(lasting: ServerHarness, letters: list[str]) -> None:
    """Whatever is filed, changed and withdrawn, the receipt says that the newest answer stands, or none.

    What stands is listed where it is more than the letter itself filed.
    """
    receipt = [lasting.reply("s1", line) for line in letters][-1]
    listed = receipt.stored_reactions or receipt.reactions
    stands = [spoken(clause.order.card) for r in listed for line in r.orders for clause in line.plan]
    wanted = letters[-1].rpartition("PARRY ")[2]
    assert stands == ([wanted] if "Shield" in wanted else [])
    assert not [row for row in lasting.load_rows(OutboundEmail) if row.state == "held"]
