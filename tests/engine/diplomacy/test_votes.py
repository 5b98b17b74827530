"""Votes: a draw or a concession, secret until all who are left agree."""

import pytest

from engine.diplomacy import RULES
from engine.diplomacy import events as e
from engine.diplomacy.board import Board
from engine.diplomacy.orders import Concede, VoteDraw
from engine.kernel.events import Ended, Event
from engine.kernel.position import Position
from engine.kernel.secrets import Secret, redact, seen_by
from tests.engine.diplomacy.build import Lines, resolve
from tests.engine.diplomacy.test_table import AT, FRANCE, dealt, read_orders, refused, resolved, table, units

GERMANY, ITALY = AT["Germany"], AT["Italy"]
UNITS = {"France": ["A PAR", "A BUR"], "Germany": ["A MUN"], "Italy": ["A ROM"]}
CENTRES = {"France": ["PAR"], "Germany": ["MUN"], "Italy": ["ROM", "NAP", "VEN"]}


def three(letters: Lines, **options: str) -> tuple[Position[Board], list[Event]]:
    """A game in which three powers are left, after what they wrote."""
    after, events = resolved(table(UNITS, centres=CENTRES, **options), letters)
    return after, list(events)


@pytest.mark.holds("diplomacy", "event", "diplomacy.DrawAgreed")
@pytest.mark.holds("diplomacy", "ending", "draw")
def test_the_game_is_a_draw_if_all_who_are_left_vote_for_it() -> None:
    """They share the first place whatever they own; the orders of the phase are not carried out."""
    after, events = three({power: ["VOTE DRAW"] for power in UNITS} | {"France": ["A BUR - BEL", "vote draw"]})
    assert [event.powers for event in events if isinstance(event, e.DrawAgreed)] == [("France", "Germany", "Italy")]
    (ended,) = (event for event in events if isinstance(event, Ended))
    assert (ended.reason, set(ended.ranking[0])) == ("draw", {FRANCE, GERMANY, ITALY})
    assert after.core.over
    assert "A BUR" in units(after)


@pytest.mark.holds("diplomacy", "event", "diplomacy.Conceded")
@pytest.mark.holds("diplomacy", "ending", "concession")
def test_a_power_wins_if_all_others_concede() -> None:
    """The winner need not vote; it is first although another owns more centres."""
    after, events = three({"Germany": ["CONCEDE TO France"], "Italy": ["concède à la France"]})
    (ended,) = (event for event in events if isinstance(event, Ended))
    assert (ended.reason, ended.ranking[:3]) == ("concession", ((FRANCE,), (ITALY,), (GERMANY,)))
    assert after.board.winner == "France"


@pytest.mark.parametrize(
    "letters",
    [
        {"France": ["VOTE DRAW"], "Germany": ["VOTE DRAW"]},
        {"France": ["VOTE DRAW"], "Germany": ["VOTE DRAW"], "Italy": ["CONCEDE TO France"]},
        {"Germany": ["CONCEDE TO France"]},
        {power: ["IF MUN IS FREE: VOTE DRAW"] for power in UNITS},
        {"France": ["VOTE DRAW FRANCE ITALY"], "Germany": ["VOTE DRAW"], "Italy": ["VOTE DRAW"]},
    ],
)
def test_a_vote_that_does_not_carry_changes_nothing_and_is_told_to_nobody(letters: Lines) -> None:
    """The next phase begins, without the vote; no view and no event that others see says that there was one."""
    after, events = three(letters, draw_includes="listed")
    assert [q.topic for q in after.core.questions] == ["fall"] * 3
    assert not after.board.orders
    for power, seat in AT.items():
        told = repr([event for event in events if event.visible_to is None or seat in event.visible_to])
        voted = any("VOTE" in line or "CONCEDE" in line for line in letters.get(power, ()))
        assert ("VoteDraw" in told or "Concede" in told) <= voted


def test_a_vote_lies_under_cover_until_all_have_answered() -> None:
    """While another is asked again, nobody sees it but its author."""
    after, _ = three({"France": ["VOTE DRAW"], "Germany": ["IF MUN IS FREE: A MUN - KIE ELSE ASK ME"]})
    with seen_by(GERMANY):
        seen = redact(after, GERMANY)
        assert not seen.board.orders[FRANCE].visible
        assert "VoteDraw" not in repr(RULES.present_view(seen, GERMANY))
    assert after.board.orders[FRANCE] == Secret((VoteDraw(),), frozenset({FRANCE}))


def test_a_draw_may_leave_out_powers_that_agree_where_the_table_lists_them() -> None:
    """All vote for the same list, in any order; who is not on it comes behind."""
    letters = {
        "France": ["VOTE DRAW BETWEEN France, Germany"],
        "Germany": ["VOTE DRAW germany and france"],
        "Italy": ["VOTE NULLE ENTRE France, Allemagne"],
    }
    _, events = three(letters, draw_includes="listed")
    (ended,) = (event for event in events if isinstance(event, Ended))
    assert (set(ended.ranking[0]), ended.ranking[1]) == ({FRANCE, GERMANY}, (ITALY,))


@pytest.mark.parametrize(
    ("lines", "options", "codes"),
    [
        (["VOTE DRAW FRANCE GERMANY"], {}, ["draw_of_all"]),
        (["VOTE DRAW FRANCE GERMANY ITALY"], {}, [""]),
        (["VOTE DRAW FRANCE GERMANY"], {"draw_includes": "listed"}, [""]),
        (["VOTE DRAW FRANCE"], {"draw_includes": "listed"}, ["draw_of_one"]),
        (["VOTE DRAW FRANCE TURKEY"], {"draw_includes": "listed"}, ["not_left"]),
        (["CONCEDE TO TURKEY"], {}, ["not_left"]),
        (["CONCEDE TO FRANCE"], {}, ["concedes_to_itself"]),
        (["VOTE DRAW", "CONCEDE TO ITALY"], {}, ["", "already_voted"]),
    ],
)
def test_a_vote_that_cannot_count_is_refused(lines: list[str], options: dict[str, str], codes: list[str]) -> None:
    """As every order: at once, in the receipt."""
    assert refused(table(UNITS, centres=CENTRES, **options), "France", *lines) == codes


@pytest.mark.parametrize(
    ("score", "letters", "points"),
    [
        ("centres", {power: ["VOTE DRAW"] for power in UNITS}, (1, 1, 3)),
        ("draw_size", {power: ["VOTE DRAW"] for power in UNITS}, (333, 333, 333)),
        ("squares", {power: ["VOTE DRAW"] for power in UNITS}, (90, 90, 818)),
        ("squares", {"Germany": ["CONCEDE TO France"], "Italy": ["CONCEDE TO France"]}, (1000, 0, 0)),
        ("draw_size", {power: ["VOTE DRAW FRANCE GERMANY"] for power in UNITS}, (500, 500, 0)),
    ],
)
def test_a_finished_game_states_the_points_that_its_table_chose(
    score: str, letters: Lines, points: tuple[int, int, int]
) -> None:
    """One for each centre, or a thousand shared by the size of the draw or by the squares of centres."""
    _, events = three(letters, score=score, draw_includes="listed")
    (ended,) = (event for event in events if isinstance(event, Ended))
    assert tuple(ended.points[seat] for seat in (FRANCE, GERMANY, ITALY)) == points


def test_a_power_with_centres_but_no_unit_has_a_vote() -> None:
    """It is asked with the others, and its bot votes for a draw."""
    position = table({"France": ["A PAR"], "Germany": ["A MUN"]}, "S1902M", CENTRES)
    after, _ = resolved(position, {})
    assert ITALY in {q.seat for q in after.core.questions}
    question = next(q for q in after.core.questions if q.seat == ITALY)
    with seen_by(ITALY):
        (line,) = RULES.suggest_orders(redact(after, ITALY), question)
    assert line.plan[0].order == VoteDraw()
    after, _ = resolved(after, {"France": ["VOTE DRAW"], "Germany": ["VOTE DRAW"]})
    assert not after.core.over


def test_votes_are_written_in_both_languages() -> None:
    """As they are printed, and as people write them."""
    lines = ["VOTE FOR A DRAW", "vote la nulle", "VOTE NULLE", "concede france", "CONCEDES TO THE FRANCE"]
    read = read_orders(dealt(), GERMANY, lines)
    assert [line.plan[0].order for line in read] == [VoteDraw()] * 3 + [Concede("France")] * 2


def test_votes_of_a_position_without_a_table_count_too() -> None:
    """`pbem try` ends such a game."""
    attempt = resolve({"France": ["A PAR"], "Germany": ["A MUN"]}, {"France": ["VOTE DRAW"], "Germany": ["VOTE DRAW"]})
    assert attempt.board.drawn == ("France", "Germany")
