"""A board of zones in words: letters tell it zone by zone, with what has changed; a map has no such words."""

from dataclasses import replace

import pytest

from engine.age_of_renaissance import RULES as AGE_OF_RENAISSANCE
from engine.kernel.languages import Language
from engine.kernel.secrets import redact
from pbem.narration import facts as f
from pbem.narration.game_texts import zone_texts
from pbem.narration.letters import render
from tests.narration.cases import case_of
from tests.narration.text_checks import A, B
from tests.toy import RULES

TOY = case_of("toy")


def report(language: Language) -> str:
    """A report of the toy, without its breaks of lines."""
    facts = f.ReportFacts(TOY.frame(A, language), redact(TOY.position(0), A))
    return " ".join(render(facts).text.split())


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ["The board", "Towns: Harbour: -; Mill: -; Abbey: -."]),
        ("fr", ["Le plateau", "Places : Le Port: - ; Le Moulin: - ; L'Abbaye: -."]),
    ],
)
def test_a_letter_tells_the_board_zone_by_zone(language: Language, said: list[str]) -> None:
    """Who reads plain letters is told what lies in every zone, in their language."""
    letter = report(language).replace("\xa0", " ").replace("’", "'")
    assert [part for part in said if part not in letter] == []


def test_the_words_of_a_zone_say_what_has_changed() -> None:
    """Beside what lies there, what was otherwise when its reader last looked."""
    before = TOY.position(0)
    after = replace(before, board=replace(before.board, owner={"mill": B}))
    views = [RULES.present_view(redact(position, A), A) for position in (before, after)]
    towns, *others = zone_texts(RULES, views[1], "en", views[0])
    assert (towns.title, towns.lines[1:]) == ("Towns", ("Changed: Mill: player 2.",))
    assert not any("Changed" in line for zone in others for line in zone.lines)


def test_a_game_without_zones_has_no_such_words() -> None:
    """A map is told by the game's own words."""
    assert zone_texts(AGE_OF_RENAISSANCE, {}, "en") == ()
