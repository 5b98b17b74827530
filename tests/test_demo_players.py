"""Players who know nothing but their letters: what they read in a template."""

from pbem.demo.players import template_lines

TEMPLATE = """\
; Take the semicolon off the lines that you keep.
; --- purchases
; BUY a stone
; IF I HOLD bread: BUY two
; --- the vote (one line)
; VOTE peace
; --- campaign
; --- draft 2
; FOR DRAFT 2: KEEP Petrarch
; FOR TURN 3 VOTE
END
"""


def test_a_template_offers_lines_for_each_question() -> None:
    """Each question gets its likely lines, behind its number too, and none that is under a condition or for later.

    Where none is likely it is the empty set of the question.
    """
    assert template_lines(TEMPLATE) == [
        ["BUY a stone"],
        ["VOTE peace"],
        ["PASS campaign"],
        ["FOR DRAFT 2: KEEP Petrarch"],
    ]


def test_a_letter_without_a_template_offers_nothing() -> None:
    """A letter that asks nothing is not answered."""
    assert template_lines("; a remark\nEND\n") == []
