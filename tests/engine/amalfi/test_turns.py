"""Phase 1: whose turn it is, actions on file, alternatives, sealed rounds."""

from engine.amalfi import events as e
from engine.amalfi import orders as o
from engine.amalfi.board import Phase, Wishes
from engine.amalfi.catalogue import ARTWORKS
from engine.amalfi.ruleset import RULES
from engine.kernel.events import LineFailed, QuestionRepeated
from engine.kernel.orders import AskMe, Clause, Condition, Line
from engine.kernel.secrets import Sealed, redact, seen_by
from engine.kernel.viewers import Seat
from tests.engine.amalfi.build import (
    ANN,
    BOB,
    CLEO,
    Answer,
    Went,
    act,
    events_of,
    game,
    judged,
    light,
    place_characters,
    play,
    questions_in,
    queue,
    stow,
)


def test_the_compass_is_shown_with_who_took_it() -> None:
    """The first to pass takes it at once, though the period goes on in its order (Phase 1)."""
    at = game(3)
    assert RULES.present_view(redact(at, ANN), ANN)["first"] == ANN
    went = act(act(at, o.Sail("ragusa")).position, (), BOB)
    assert RULES.present_view(redact(went.position, ANN), ANN)["first"] == BOB
    assert went.position.board.seats == (ANN, BOB, CLEO)


def test_turns_go_clockwise_from_the_compass_until_all_have_passed() -> None:
    """One main action each; who has passed is skipped for the rest of the period."""
    went = act(game(3), o.Sail("ragusa"))
    assert questions_in(went) == (("action", BOB),)
    went = act(went.position, (), BOB)
    assert events_of(went, e.Passed) == [e.Passed(seat=BOB, compass=True)]
    went = act(went.position, o.Sail("candia"), CLEO)
    assert questions_in(went) == (("action", ANN),)
    went = act(went.position, o.Finish())
    assert events_of(went, e.Passed) == [e.Passed(seat=ANN, compass=False)]
    assert questions_in(went) == (("action", CLEO),)
    went = act(went.position, o.Finish(), CLEO)
    assert events_of(went, e.PeriodBegan) == [e.PeriodBegan(turn=2, first=BOB)]


def test_a_line_is_judged_while_what_another_said_of_their_action_is_sealed() -> None:
    """Their action waits for an answer; a line that would let them use a lighthouse is tried all the same."""
    at = game()
    light(at, "cagliari", BOB)
    at.board.players[BOB].bread = 0
    at.board.players[BOB].wishes = Sealed(Wishes(light=("wood",)))
    (line,) = judged(at, ANN, o.Sail("cagliari"))
    assert line.problem is None


def test_who_can_do_no_action_any_more_passes_unasked() -> None:
    """Each action takes a ship of the bay or is paid by ships, but to engage; in a sealed round too."""
    at = game()
    stow(at, BOB, bay=0, port=4)
    went = act(at, o.Sail("ragusa"))
    assert events_of(went, e.Passed) == [e.Passed(seat=BOB, compass=True)]
    assert questions_in(went) == (("action", ANN),)
    place_characters(at, BOB, "c59")
    assert questions_in(act(at, o.Sail("ragusa"))) == (("action", BOB),)
    sealed = sealed_round().position
    stow(sealed, BOB, bay=1, port=3)
    sails = {ANN: o.Sail("ragusa"), BOB: o.Sail("palermo"), CLEO: o.Sail("candia")}
    later = play(sealed, sealed.core.gates()[0], sails)
    assert questions_in(later) == (("action", ANN), ("action", CLEO))
    last = play(later.position, later.position.core.gates()[0], {ANN: o.Finish(), CLEO: o.Finish()})
    assert [passed.seat for passed in events_of(last, e.Passed)] == [ANN, BOB, CLEO]


def test_several_lines_are_one_action_a_turn() -> None:
    """The rest stays on file, and is taken when the turn comes round."""
    went = act(game(), [o.Sail("ragusa"), o.Sail("palermo")])
    assert [s.place for s in events_of(went, e.Sailed)] == ["ragusa"]
    went = act(went.position, o.Sail("candia"), BOB)
    assert [s.place for s in events_of(went, e.Sailed)] == ["candia", "palermo"]
    assert questions_in(went) == (("action", BOB),)


def test_what_is_on_file_is_known_to_its_author_alone() -> None:
    """Neither that there is anything, nor how much."""
    went = act(game(), [o.Sail("ragusa"), o.Sail("palermo"), o.Finish()])

    def on_file(viewer: Seat) -> object:
        seen = redact(went.position, viewer)
        with seen_by(viewer):
            return RULES.present_view(seen, viewer)["powers"][ANN]["queue"]

    assert (on_file(ANN), on_file(BOB)) == (2, 0)
    assert redact(went.position, BOB).board.players[ANN].queue is None


def test_a_line_that_cannot_be_done_gives_way_to_its_alternative_or_the_next_line() -> None:
    """In the same turn."""
    lines = [
        Line((Clause(o.Sail("candia")),), fallback=(Clause(o.Sail("tripoli")),)),
        Line((Clause(o.Sail("pd01")),)),
    ]
    at = game()
    at.board.docks["candia"] = BOB
    at.board.players[BOB].bay -= 1
    went = play(at, "action/1/ann/1", {ANN: (lines[1], lines[0])})
    assert [lapsed.seat for lapsed in events_of(went, LineFailed)] == [ANN]
    assert [s.place for s in events_of(went, e.Sailed)] == ["tripoli"]


def test_who_has_nothing_on_file_that_can_be_done_is_asked_anew_in_the_same_turn() -> None:
    """A missed plan is no pass."""
    went = act(game(), [o.Sail("ragusa"), o.Sail("palermo")])
    went = act(went.position, o.Sail("palermo"), BOB)
    assert events_of(went, LineFailed)
    assert questions_in(went) == (("action", ANN),)
    at = game()
    at.board.docks["candia"] = BOB
    at.board.players[BOB].bay -= 1
    went = play(at, "action/1/ann/1", {ANN: o.Sail("candia")})
    assert [d.gate for d in went.position.core.questions if d.blocking] == ["action/1/ann/1~1"]
    went = act(went.position, o.Sail("ragusa"))
    assert questions_in(went) == (("action", BOB),)


def test_a_queue_stops_where_its_author_says_ask_me() -> None:
    """By the line: new information that would have mattered brings the question back."""
    taken = Condition("free", {"place": "candia"})
    lines = (
        Line((Clause(o.Sail("ragusa")),)),
        Line((Clause(o.Sail("candia"), (taken,)),), fallback=(Clause(AskMe()),)),
        Line((Clause(o.Finish()),)),
    )
    went = act(game(), lines)
    went = act(went.position, o.Sail("candia"), BOB)
    assert events_of(went, QuestionRepeated)
    assert questions_in(went) == (("action", ANN),)
    went = act(went.position, o.Sail("tripoli"))
    assert [s.place for s in events_of(went, e.Sailed)] == ["tripoli"]


def test_conditions_ask_what_is_public_or_ones_own() -> None:
    """Docks, places for lighthouses, rows, bread, ships, who has passed."""
    at = game(period=2)
    board = at.board
    board.docks["candia"], board.lights["ragusa"] = BOB, (BOB, 1)
    board.players[BOB].bay -= 1

    def holds(fact: str, **about: str | int) -> bool:
        with seen_by(ANN):
            return RULES.fact_holds(at, ANN, Condition(fact, about))

    assert holds("free", place="ragusa")
    assert not holds("free", place="candia")
    assert holds("dark", place="candia")
    assert not holds("dark", place="ragusa")
    assert holds("offered", thing=board.rows["atelier"][0])
    assert not holds("offered", thing="monument18")
    first, council = board.rows["atelier"][0], board.rows["council"]
    assert holds("costs", thing=first, most=ARTWORKS[first].cost + 2)
    assert not holds("costs", thing=first, most=ARTWORKS[first].cost - 1)
    assert not holds("costs", thing="monument18", most=20), "it is not on offer"
    assert holds("costs", thing=council[-1], most=0)
    assert not holds("costs", thing=council[0], most=0)
    assert holds("bread", count=6)
    assert not holds("bread", count=7)
    assert holds("bay", count=4)
    assert not holds("hold", count=1, hold="wood")
    assert not holds("alone")
    board.players[BOB].done = True
    assert holds("alone")


def sealed_round() -> Went:
    """A sealed round of three players, as it opens."""
    from engine.amalfi.phases.turns import NextTurn

    at = game(3, pace="sealed")
    at.board.active, at.board.round = None, 0
    return queue(at, NextTurn())


def test_in_a_sealed_round_all_are_asked_together_and_act_in_turn_order() -> None:
    """A departure from the rules, called so where it is offered."""
    went = sealed_round()
    assert questions_in(went) == (("action", ANN), ("action", BOB), ("action", CLEO))
    went = play(went.position, "action/1/1", {ANN: o.Sail("ragusa"), BOB: o.Sail("ragusa"), CLEO: o.Sail("candia")})
    assert [s.place for s in events_of(went, e.Sailed)] == ["ragusa"]
    assert [d.gate for d in went.position.core.questions if d.blocking] == ["action/1/1~1"]
    went = play(went.position, "action/1/1~1", {BOB: o.Sail("tripoli")})
    assert [s.place for s in events_of(went, e.Sailed)] == ["tripoli", "candia"]
    assert questions_in(went) == (("action", ANN), ("action", BOB), ("action", CLEO))


def test_in_a_sealed_round_who_has_actions_on_file_is_not_asked() -> None:
    """And nothing is told of what the others have filed before all have answered."""
    went = sealed_round()
    answers: dict[Seat, Answer] = {ANN: [o.Sail("ragusa"), o.Finish()], BOB: o.Sail("candia"), CLEO: ()}
    went = play(went.position, "action/1/1", answers)
    assert questions_in(went) == (("action", BOB),)


def test_who_is_still_to_come_may_file_an_action_ahead() -> None:
    """For this round, or the next one; not who has passed, nor who has actions on file; reactions stand for all."""
    at = game(3)

    def ahead(seat: Seat) -> set[str]:
        seen = redact(at, seat)
        with seen_by(seat):
            return {decision.gate for decision in RULES.advance_questions(seen, seat)}

    assert "action/1/ann/2" in ahead(ANN)
    assert "action/1/bob/1" in ahead(BOB)
    assert {"meal/1", "take/1", "erect/1"} <= ahead(BOB)
    at.board.players[BOB].done = True
    assert not any(gate.startswith("action") for gate in ahead(BOB))
    sealed = sealed_round().position
    with seen_by(ANN):
        assert "action/1/2" in {d.gate for d in RULES.advance_questions(redact(sealed, ANN), ANN)}
    at.board.phase = Phase.DECREES
    assert "meal/1" not in ahead(ANN), "it is eaten"
    assert "decree/1" in ahead(ANN)
    at.board.period = 0
    assert not ahead(ANN)


def test_what_lighthouses_do_is_said_once_for_the_game() -> None:
    """With the action that erects the first one, or before: the answer stays until it is changed."""
    at = game()
    seen = redact(at, ANN)
    with seen_by(ANN):
        assert any(decision.topic == "light" for decision in RULES.advance_questions(seen, ANN))
    assert RULES.meta.topic("light").lasts


def test_a_missed_deadline_passes_for_the_period() -> None:
    """The stated default."""
    at = game()
    (decision,) = (d for d in at.core.questions if d.topic == "action")
    with seen_by(ANN):
        assert RULES.default_orders(redact(at, ANN), decision) == ()
