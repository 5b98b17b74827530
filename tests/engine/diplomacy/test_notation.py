"""Orders as people write them, in English and French; what can be meant twice is asked back."""

from dataclasses import replace

import pytest

from engine.diplomacy.catalogue import PROVINCES
from engine.diplomacy.notation import read_order
from engine.diplomacy.orders import Build, Convoy, Disband, Hold, Move, Retreat, Support, Waive
from engine.diplomacy.positions import POSITIONS
from engine.diplomacy.validation import validate_orders
from engine.kernel.orders import Order, Problem
from tests.engine.diplomacy.build import board_of

NAMES_OF_UNITS = ("unit", "of", "army")
UNITS = {
    "France": ["A PAR", "A MUN", "F ENG", "A TYR"],
    "England": ["F NTH", "A LON", "F TYS"],
    "Germany": ["A BER"],
    "Russia": ["F STP/SC", "F POR"],
}


def read(text: str, phase: str = "S1901M", power: str = "France") -> Order | Problem:
    """What a power's line means."""
    stars = {power: ["*A VIE", "*F EDI"]} if phase.endswith("R") else UNITS
    found = read_order(text, board_of(stars, phase).phase)
    return found if isinstance(found, Problem | Build) else _by_province(found)


def _by_province(order: Order) -> Order:
    """The order with provinces instead of units, as it counts."""
    named = {name: str(value).rpartition(" ")[2] for name, value in vars(order).items() if name in NAMES_OF_UNITS}
    return replace(order, **named)


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("A Par-Bur", Move("PAR", "BUR")),
        ("A PAR - BUR", Move("PAR", "BUR")),
        ("Par Bur", Move("PAR", "BUR")),
        ("apar-bur", Move("PAR", "BUR")),
        ("  army paris -> burgundy. ", Move("PAR", "BUR")),
        ("A Par – Bur", Move("PAR", "BUR")),
        ("French army Paris moves to Burgundy", Move("PAR", "BUR")),
        ("F NTH C A Lon - Nwy", Convoy("NTH", "LON", "NWY")),
        ("A Lon - Nwy via convoy", Move("LON", "NWY", "sea")),
        ("A Lon - NTH - Nwy", Move("LON", "NWY", "sea")),
        ("A LON-ENG-MAO-SPA", Move("LON", "SPA", "sea")),
        ("A Lon - Nth - Nwy via convoy", Move("LON", "NWY", "sea")),
        ("A Londres - mer du Nord - Norvège", Move("LON", "NWY", "sea")),
        ("F eng S F nth lon", Support("ENG", "NTH", "LON")),
        ("A Lon - Yor by land", Move("LON", "YOR", "land")),
        ("English A Lon - Yor", Move("LON", "YOR")),
        ("F eng S F nth-lon", Support("ENG", "NTH", "LON")),
        ("A mun S A ber", Support("MUN", "BER")),
        ("A mun S German A ber", Support("MUN", "BER")),
        ("A mun s ber h", Support("MUN", "BER")),
        ("F stp(sc) - bot", Move("STP", "BOT")),
        ("F StP/sc - gob", Move("STP", "BOT")),
        ("F st. petersburg south coast holds", Hold("STP")),
        ("F por - spa/nc", Move("POR", "SPA/NC")),
        ("F Por - Mid-Atlantic Ocean", Move("POR", "MAO")),
        ("F Por - mid atlantic ocean", Move("POR", "MAO")),
        ("english - north sea", Move("ENG", "NTH")),
        ("F tyr h", Hold("TYS")),
        ("A tyr h", Hold("TYR")),
        ("A Paris tient", Hold("PAR")),
        ("Armée Paris va en Bourgogne", Move("PAR", "BUR")),
        ("L'armée de Paris - Bourgogne", Move("PAR", "BUR")),
        ("F Manche soutient F Mer du Nord - Londres", Support("ENG", "NTH", "LON")),
        ("Flotte Mer du Nord convoie A Londres - Norvège", Convoy("NTH", "LON", "NWY")),
        ("A Londres - Norvège par convoi", Move("LON", "NWY", "sea")),
        ("F Saint-Pétersbourg/cs - Golfe de Botnie", Move("STP", "BOT")),
    ],
)
def test_movement_is_read_as_it_is_written(text: str, order: Order) -> None:
    """Case, accents, spaces, a missing A or F and a power's name are forgiven (C6)."""
    assert read(text) == order


@pytest.mark.parametrize(
    ("text", "phase", "order"),
    [
        ("A Vie retreats Boh", "S1901R", Retreat("VIE", "BOH")),
        ("A Vie R Boh", "S1901R", Retreat("VIE", "BOH")),
        ("A Vie - Tyr", "S1901R", Retreat("VIE", "TYR")),
        ("A Vienne se replie Bohême", "S1901R", Retreat("VIE", "BOH")),
        ("A Vie disband", "S1901R", Disband("VIE")),
        ("disband A Vie", "S1901R", Disband("VIE")),
        ("build f stp nc", "W1901A", Build("F STP/NC")),
        ("B A Par", "W1901A", Build("A PAR")),
        ("A PAR B", "W1901A", Build("A PAR")),
        ("construit F Brest", "W1901A", Build("F BRE")),
        ("remove A Par", "W1901A", Disband("PAR")),
        ("D F ENG", "W1901A", Disband("ENG")),
        ("F ENG D", "W1901A", Disband("ENG")),
        ("retire Manche", "W1901A", Disband("ENG")),
        ("waive", "W1901A", Waive()),
        ("je passe", "W1901A", None),
    ],
)
def test_retreats_and_adjustments_are_read(text: str, phase: str, order: Order | None) -> None:
    """What a line means depends on the phase; what is no order is refused."""
    found = read(text, phase)
    assert found == order if order is not None else isinstance(found, Problem)


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("A liv - edi", ("A LVN", "A LVP")),
        ("F nth - nor", ("NAF", "NAO", "NTH", "NWG", "NWY")),
        ("F por - atl", ("MAO", "NAO")),
        ("A Lon - Nth - Nor", ("NAF", "NAO", "NTH", "NWG", "NWY")),
        ("A Lon - Iri - liv", ("LVN", "LVP")),
        ("F por - gul", ("BOT", "LYO")),
        ("tyr holds", ("Tyrolia", "Tyrrhenian Sea")),
    ],
)
def test_what_judges_read_differently_is_asked_back(text: str, places: tuple[str, ...]) -> None:
    """The answer lists the places that can be meant."""
    found = read(text)
    assert isinstance(found, Problem)
    assert (found.code, found.terms["candidates"]) == ("ambiguous", places)


def test_a_short_french_name_that_begins_many_places_is_asked_back() -> None:
    """`mer` begins ten places."""
    found = read("F nth - mer")
    assert isinstance(found, Problem)
    places = found.terms["candidates"]
    assert isinstance(places, tuple)
    assert len(places) == 10


def test_a_place_that_does_not_exist_is_refused_with_near_ones() -> None:
    """There is no Bretagne on the board."""
    found = read("F Manche convoie A Londres - Bretagne")
    assert isinstance(found, Problem)
    assert (found.code, found.terms["word"]) == ("unknown_name", "Bretagne")


def test_every_place_is_read_by_its_letters_its_names_and_what_judges_write() -> None:
    """In both languages; of names only what is asked back is left out."""
    for p, province in PROVINCES.items():
        start, here = ("F nth", "NTH") if province.kind == "sea" else ("A lon", "LON")
        for name in (p, p.lower(), *province.words.all_forms(), *province.judges_write):
            if name not in ("nor", "liv"):
                assert read(f"{start} - {name}") == Move(here, p), name


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("A PAR - MOS", "unreachable"),
        ("A BER H", "not_yours"),
        ("A BOH H", "nothing_there"),
        ("F ENG - LON/SC", ""),
        ("A PAR - PAR", "stays_there"),
        ("A PAR S A PAR", "supports_itself"),
        ("A PAR S A BER - KIE", "cannot_support"),
        ("A MUN S A BER - VIE", "cannot_go"),
        ("F ENG C A MUN - LON", "no_convoy"),
        ("F ENG C F NTH - LON", "not_an_army"),
        ("A TYR C A MUN - LON", "cannot_convoy"),
    ],
)
def test_the_impossible_is_refused_at_once(text: str, code: str) -> None:
    """C9: what cannot be is refused with its reason; what may turn out useless is not."""
    order = read(text)
    assert not isinstance(order, Problem), order
    (result,) = validate_orders(board_of(UNITS), "France", [order])
    assert (result.code if isinstance(result, Problem) else "") == code


@pytest.mark.parametrize("line", ["F NAP - TYR", "F ION S F NAP - TYR"])
def test_of_a_fleet_tyr_is_asked_back(line: str) -> None:
    """`TYR` is Tyrolia, but many write it for the sea, which is TYS."""
    board = board_of({"Italy": ["F NAP", "F ION"]})
    attempt = POSITIONS.resolve_lines(board, {"Italy": [line]})
    ((_, problem),) = attempt.refused["Italy"]
    assert problem.code == "inland_of_fleet"
    assert POSITIONS.describe(problem, "en").endswith("the Tyrrhenian Sea is TYS.")


def test_of_two_orders_for_a_unit_the_first_counts() -> None:
    """The second is refused, and the receipt can say so."""
    attempt = POSITIONS.resolve_lines(POSITIONS.start_position(), {"France": ["A PAR - BUR", "A PAR - GAS"]})
    assert [(line, problem.code) for line, problem in attempt.refused["France"]] == [("A PAR - GAS", "already_ordered")]


def test_without_a_table_a_line_is_one_order() -> None:
    """A condition is read, and refused with the reason; what is no order at all, too."""
    lines = ["IF BUR IS FREE: A PAR - BUR", "hello there", "A PAR - BUG"]
    attempt = POSITIONS.resolve_lines(POSITIONS.start_position(), {"France": lines})
    said = [POSITIONS.describe(problem, "en") for _, problem in attempt.refused["France"]]
    assert said[0] == "Here a line is one order, without conditions and second choices."
    assert said[1].startswith("“hello there” is not understood; orders are written as A PAR - BUR")
    assert said[2] == "There is no place “BUG”. Nearest: BUD, BUL, BUR."
