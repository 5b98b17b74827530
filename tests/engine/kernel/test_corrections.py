"""What all games' corrections share: orders into facts, facts taken back, draws that stand."""

from collections.abc import Sequence
from typing import Any

import pytest

from engine import GAMES
from engine.kernel.correction_events import CorrectionRefused, FigureCorrected
from engine.kernel.corrections import Ruling
from engine.kernel.dice import Draw, HmacDraws, RecordedDraws
from engine.kernel.events import Corrected, Event, ReadingAdopted, StatePatched
from engine.kernel.orders import Order
from engine.kernel.position import Position
from engine.kernel.rules import SupportsCorrections
from engine.kernel.rulings import Adopt, Give, Patch, Take
from engine.kernel.run import correct, fold, inverse_events, ruling_events, start
from engine.kernel.secrets import redact, seen_by, truth
from engine.kernel.viewers import PUBLIC, Seat
from tests.bot_games import plain
from tests.scripted_draws import ScriptedDraws
from tests.toy import RULES
from tests.toy.board import Board

ANN, BOB = Seat("ann"), Seat("bob")


def has_figures(title: str) -> bool:
    """Return True if a game's master may correct figures of seats."""
    rules = GAMES[title]
    return isinstance(rules, SupportsCorrections) and bool(rules.corrections.figures)


def begun() -> Position[Board]:
    """The smallest game, dealt."""
    return start(RULES, (ANN, BOB), {}, b"seed").position


def facts(*orders: Order, position: Position[Board] | None = None) -> tuple[Event, ...]:
    """What orders make in truth."""
    with truth():
        return ruling_events(RULES, Ruling(position or begun(), lambda entry, seat: ()), orders)


def after(edits: Sequence[Event], position: Position[Board] | None = None) -> Position[Board]:
    """The position that a ruling leaves."""
    return correct(RULES, position or begun(), Corrected(by="gm", reason="slip", edits=tuple(edits))).position


def test_orders_become_facts_judged_one_after_the_other() -> None:
    """The second order is judged on what the first leaves, and the facts fold to the position."""
    edits = facts(Give(2, "coins", "ann"), Take(1, "coins", "ann"))
    assert edits == (FigureCorrected(seat=ANN, what="coins", by=2), FigureCorrected(seat=ANN, what="coins", by=-1))
    made = after(edits)
    assert made == fold(RULES, begun(), [Corrected(by="gm", reason="slip", edits=edits)])
    assert made.board.coins[ANN] == begun().board.coins[ANN] + 1


@pytest.mark.parametrize("title", sorted(title for title in GAMES if has_figures(title)))
def test_the_value_of_a_figure_is_what_a_correction_changes(title: str) -> None:
    """In each game it differs after a correction by as much; the public is told none that is hidden from it."""
    rules: Any = GAMES[title]
    position = plain(rules).position
    corrections = rules.corrections
    seats = position.core.seats
    with truth():
        stands = corrections.present(position)
        assert list(stands) == [(seat, what) for seat in seats for what in corrections.figures]
        for (seat, what), value in stands.items():
            ruling, by = Ruling(position, lambda entry, seat: ()), -1 if value else 1
            after = fold(rules, position, corrections.figure(ruling, seat, what, by))
            assert corrections.present(after) == {**stands, (seat, what): value + by}, (seat, what)
    with seen_by(PUBLIC):
        shown = corrections.present(redact(position, PUBLIC))
    assert bool(shown) == (title != "patchistory"), "whose goods and votes lie behind screens"
    assert shown.items() <= stands.items()


def test_what_breaks_an_invariant_is_refused_with_its_reason() -> None:
    """The reason is the game's own."""
    with pytest.raises(CorrectionRefused) as refused:
        facts(Take(900, "coins", "ann"))
    assert refused.value.problem.code == "coins"


def test_a_trial_reads_nothing_hidden() -> None:
    """On the public view, read as the public: invariants that it cannot look at are left to the truth."""
    seen = redact(begun(), PUBLIC)
    with seen_by(PUBLIC):
        tried = ruling_events(RULES, Ruling(seen, lambda entry, seat: (), trial=True), (Give(2, "coins", "ann"),))
    assert tried == facts(Give(2, "coins", "ann"))


def test_facts_are_taken_back_the_last_one_first() -> None:
    """Figures, readings and patches are taken back alike, to what was there before."""
    orders = (Give(2, "coins", "ann"), Adopt("income", "1"), Patch("turn = 1 -> 2"))
    edits = facts(*orders)
    made = after(edits)
    assert (made.core.options["income"], made.board.turn) == ("1", 2)
    with truth():
        inverse = inverse_events(RULES, made, edits, begun())
    assert [type(event) for event in inverse] == [StatePatched, ReadingAdopted, FigureCorrected]
    assert after(inverse, made) == begun()


def test_what_was_spent_since_cannot_be_taken_back() -> None:
    """Once play has moved on only a rewind can put it right."""
    edits = facts(Give(2, "coins", "ann"))
    made = after(edits)
    spent = after(facts(Take(made.board.coins[ANN], "coins", "ann"), position=made), made)
    with truth(), pytest.raises(CorrectionRefused) as refused:
        inverse_events(RULES, spent, edits, begun())
    assert refused.value.problem.code == "moved_on"


@pytest.mark.parametrize("text", ["", "turn", "turn = 1", "turn = one -> 2", "turn = 1 -> {", "turn = 1.5 -> 2"])
def test_a_patch_that_is_none_is_refused(text: str) -> None:
    """A patch needs a path, the value that is there, and the value that should be."""
    with pytest.raises(CorrectionRefused) as refused:
        facts(Patch(text))
    assert refused.value.problem.code == "no_such_value"


def test_the_same_reading_is_not_adopted_twice() -> None:
    """A reading in force is refused, since nothing would change."""
    made = after(facts(Adopt("income", "1")))
    with pytest.raises(CorrectionRefused) as refused:
        facts(Adopt("income", "1"), position=made)
    assert refused.value.problem.code == "reading_known"


def test_kept_draws_stand_by_their_names_but_for_those_made_anew() -> None:
    """A draw is also made anew if its number of sides differs, or its name was not drawn then."""
    then = (Draw("a", 6, 3), Draw("b", 6, 5), Draw("deal", 3, (2, 0, 1)))
    own = ScriptedDraws({"b": 1, "c": 2, "a": 4, "deal": ("x", "y")})
    kept = RecordedDraws(then, own, anew=("b",))
    assert (kept.roll("a", 6), kept.roll("b", 6), kept.roll("c", 6)) == (3, 1, 2)
    assert kept.roll("a", 8) == 4
    assert (kept.shuffle("deal", "xyz"), kept.shuffle("deal", "xy")) == ((2, 0, 1), (0, 1))
    assert RecordedDraws(then, HmacDraws(b"seed", b"luck")).roll("new", 6) == HmacDraws(b"seed", b"luck").roll("new", 6)
