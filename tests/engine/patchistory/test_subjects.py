"""The subjects of letters: a turn is called as the rulebook calls it, an era and a round."""

from dataclasses import replace

import pytest

from engine.kernel.languages import Language
from engine.kernel.secrets import redact
from pbem.narration import facts as f
from pbem.narration.letters import render
from tests.narration.cases import cases
from tests.narration.wording import A

CASE = next(case for case in cases() if case.game == "patchistory")


@pytest.mark.parametrize(
    ("turn", "language", "subject"),
    [
        (1, "fr", "[Rose] Ère I, manche 1"),
        (5, "fr", "[Rose] Ère I, manche 5"),
        (6, "en", "[Rose] Era II, round 1"),
        (15, "en", "[Rose] Era III, round 5"),
    ],
)
def test_a_subject_names_the_era_and_the_round(turn: int, language: Language, subject: str) -> None:
    """Three eras of five rounds each: the sixth round is the first of the second era."""
    position = CASE.position(0)
    then = replace(position, board=replace(position.board, turn=turn))
    facts = f.ReportFacts(CASE.frame(A, language), redact(then, A))
    assert render(facts).subject.replace("\xa0", " ") == subject
