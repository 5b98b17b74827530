"""What a game master can put right in Diplomacy: each correction as a fact, bounded, taken back."""

import pytest

from engine.diplomacy import RULES
from engine.diplomacy.board import Board
from engine.diplomacy.corrections import CentreRighted
from engine.kernel.correction_events import CorrectionRefused
from engine.kernel.corrections import Ruling
from engine.kernel.events import Corrected, Event
from engine.kernel.position import Position
from engine.kernel.printing import to_keyword
from engine.kernel.run import Advance, correct, inverse_events, ruling_events
from engine.kernel.secrets import redact, truth
from engine.kernel.viewers import PUBLIC
from pbem.service.masters.rulings import parse_ruling_orders
from tests.engine.diplomacy.test_table import dealt, units


def edits(line: str, language: str = "en") -> tuple[Event, ...]:
    """The facts that a line makes."""
    orders = parse_ruling_orders(RULES, redact(dealt(), PUBLIC), [line], language)
    with truth():
        return ruling_events(RULES, Ruling(dealt(), lambda entry, seat: ()), orders)


def put_right(line: str, language: str = "en") -> Advance[Board]:
    """The position after a ruling of this line."""
    return correct(RULES, dealt(), Corrected(by="Roland", reason="a slip", edits=edits(line, language)), b"luck")


def back(made: Advance[Board]) -> Position[Board]:
    """The position after it was taken back."""
    (ruling,) = made.events
    assert isinstance(ruling, Corrected)
    with truth():
        inverse = inverse_events(RULES, made.position, ruling.edits, dealt())
    return correct(RULES, made.position, Corrected(by="Roland", reason="it was right", edits=inverse)).position


@pytest.mark.parametrize(
    ("line", "language", "gone", "new"),
    [
        ("PLACE A BUR OF France", "en", set(), {"A BUR"}),
        ("PLACE A PAR OF Germany", "en", set(), set()),
        ("PLACER F ESPAGNE CS DE LA FRANCE", "fr", set(), {"F SPA/SC"}),
        ("PLACE F STP NC OF Russia", "en", {"F STP/SC"}, {"F STP/NC"}),
        ("REMOVE A PAR", "en", {"A PAR"}, set()),
        ("RETIRER Paris", "fr", {"A PAR"}, set()),
    ],
)
def test_units_are_put_right_and_taken_back(line: str, language: str, gone: set[str], new: set[str]) -> None:
    """A unit is placed, in place of another too, or removed; undoing restores the board, and no invariant breaks."""
    made = put_right(line, language)
    assert units(made.position) == units(dealt()) - gone | new
    assert made.position != dealt()
    assert not RULES.list_violations(made.position)
    assert back(made) == dealt()


@pytest.mark.parametrize(
    ("line", "province", "before", "after"),
    [
        ("CENTRE BEL TO France", "BEL", "", "France"),
        ("CENTRE PAR TO Germany", "PAR", "France", "Germany"),
        ("CENTRE PAR TO NOBODY", "PAR", "France", ""),
    ],
)
def test_the_owner_of_a_centre_is_put_right(line: str, province: str, before: str, after: str) -> None:
    """Nobody may own it, too."""
    made = put_right(line)
    assert edits(line) == (CentreRighted(province=province, before=before, after=after),)
    assert made.position.board.centres.get(province, "") == after
    assert back(made) == dealt()


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("REMOVE A BUR", "nothing_there"),
        ("REMOVE A BRE", "nothing_there"),
        ("PLACE F STP OF Russia", "cannot_stand"),
        ("PLACE A PAR OF France", "nothing_changes"),
        ("CENTRE BUR TO France", "no_centre"),
        ("CENTRE PAR TO France", "nothing_changes"),
    ],
)
def test_what_cannot_be_put_right_is_refused(line: str, code: str) -> None:
    """With the reason."""
    with pytest.raises(CorrectionRefused) as refused:
        edits(line)
    assert refused.value.problem.code == code


def test_a_game_without_cards_offers_its_master_none() -> None:
    """What could never be done is not offered."""
    offered = {to_keyword(form.keyword, "en") for form in RULES.corrections.forms(dealt())}
    assert {"PLACE", "REMOVE", "CENTRE"} < offered
    assert not {"DEAL", "SHUFFLE CARD OF", "GIVE"} & offered
