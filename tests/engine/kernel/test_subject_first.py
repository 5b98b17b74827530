"""Orders that begin with the thing that is ordered, as `A PAR - BUR` does; the keyword may be a mark."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from engine.kernel.forms import Form, Topic
from engine.kernel.grammar import Grammar, Section
from engine.kernel.orders import Clause, Line, Order
from engine.kernel.parse import parse_letter
from engine.kernel.printing import help_rows, line_from_fields, print_line
from engine.kernel.refusals import nearest_line
from tests.bilingual import words
from tests.engine.kernel.imaginary_game import PLACE, choices


class Sail(Order):
    ship: str
    place: str


class Wait(Order):
    ship: str


class Escort(Order):
    ship: str
    of: str
    place: str = ""


_SHIPS = choices(
    ("gull", "Mouette", "Gull"), ("white gull", "Mouette blanche", "White Gull"), ("tern", "Sterne", "Tern")
)
SHIP = replace(PLACE, name="ship", kind="ship", choices=_SHIPS, leading=True)
OF = replace(SHIP, name="of", leading=False)
DASH = words("-|VERS", "-|TO")
FORMS = (
    Form(DASH, Sail, (SHIP, PLACE)),
    Form(words("ATTEND|A", "WAITS|W"), Wait, (SHIP,)),
    Form(
        words("ESCORTE|E", "ESCORTS|E"),
        Escort,
        (SHIP, OF, replace(PLACE, lead=DASH, optional=True, default="")),
        fillers=words("fiable", "trusty"),
    ),
)
TOPIC = Topic("move", words("MOUVEMENTS", "MOVES"), lines=True)
SECTION = Section(TOPIC, FORMS, open=True)
GRAMMAR = Grammar((SECTION,), (), (), "en", (TOPIC,))
CLAY, IRON = PLACE.choices[0].value, PLACE.choices[1].value
FIRST, SECOND = (choice.names.printed("en") for choice in PLACE.choices[:2])


def line_of(text: str) -> Line:
    """The line that a text means."""
    (found,) = parse_letter([text], GRAMMAR).sets[SECTION.key].lines
    assert found.line is not None, found.problem
    return found.line


@pytest.mark.parametrize(
    ("text", "order"),
    [
        (f"Gull - {FIRST}", Sail("gull", CLAY)),
        (f"gull {FIRST}", Sail("gull", CLAY)),
        (f"Gull to {FIRST}", Sail("gull", CLAY)),
        (f"TO gull {FIRST}", Sail("gull", CLAY)),
        ("white gull w", Wait("white gull")),
        ("W Gull", Wait("gull")),
        ("Tern E Gull", Escort("tern", "gull")),
        (f"Tern E Gull - {FIRST}", Escort("tern", "gull", CLAY)),
        (f"Sterne escorte la fiable Mouette {FIRST}", Escort("tern", "gull", CLAY)),
        (f"tern escorts trusty white gull to {FIRST}", Escort("tern", "white gull", CLAY)),
    ],
)
def test_the_subject_comes_first_or_behind_the_keyword(text: str, order: Order) -> None:
    """A keyword that is a mark may be left out, and so may a lead word; the words of a form that mean nothing, too."""
    assert line_of(text) == Line((Clause(order),))


def test_after_else_the_subject_need_not_be_said_again() -> None:
    """`Gull - Clay ELSE Iron` is about the same ship."""
    assert line_of(f"Gull - {FIRST} ELSE {SECOND}").fallback == (Clause(Sail("gull", IRON)),)


@pytest.mark.parametrize("order", [Sail("white gull", CLAY), Wait("gull"), Escort("tern", "gull", CLAY)])
def test_an_order_is_read_as_it_is_printed(order: Order) -> None:
    """In both languages."""
    for language in ("en", "fr"):
        assert line_of(print_line(FORMS, Line((Clause(order),)), language)) == Line((Clause(order),))


def test_help_and_fields_of_a_page_write_the_subject_first() -> None:
    """As the receipt prints it."""
    assert [row.usage.partition(" [UP")[0] for row in help_rows(SECTION, "en")][1] == "<province> WAITS"
    assert line_from_fields(FORMS[0], {"ship": "gull", "place": CLAY}, "en") == f"Gull - {FIRST}"
    assert nearest_line(replace(SECTION, open=False), FORMS[1], {"ship": "tern"}, "en") == "Tern WAITS"


@pytest.mark.parametrize(
    ("text", "code"),
    [("White Gull Nowhere", "unknown_name"), ("Tern escorts", "missing"), ("white gull waits long", "extra_words")],
)
def test_a_line_with_a_subject_that_cannot_be_read_is_refused(text: str, code: str) -> None:
    """It begins like an order, so it is not skipped as talk."""
    (found,) = parse_letter([text], GRAMMAR).sets[SECTION.key].lines
    assert found.problem is not None
    assert found.problem.code == code


def test_a_refusal_offers_a_line_about_the_same_subject() -> None:
    """What was understood is kept."""
    (found,) = parse_letter(["Tern waits long"], GRAMMAR).sets[SECTION.key].lines
    assert found.problem is not None
    assert found.problem.terms["accepted"] == "Tern WAITS"


def test_an_ordinary_sentence_that_begins_with_a_name_is_skipped() -> None:
    """One word that happens to be a name is no order yet."""
    assert parse_letter(["Gull or not, I greet you"], GRAMMAR).skipped


class Roundabout(Form):
    """A way that is written with the places on it."""

    def make(self, values: Mapping[str, object]) -> Order:
        return Sail(str(values["ship"]), str(values["place"]))


def test_a_variant_is_read_where_no_form_fits_and_is_never_printed() -> None:
    """A place between is understood; the order is printed, explained and helped with as its form says."""
    between = replace(PLACE, name="between", many=True)
    sail = replace(FORMS[0], variants=(Roundabout(DASH, Sail, (SHIP, between, PLACE)),))
    section = Section(TOPIC, (sail, *FORMS[1:]), open=True)
    grammar = Grammar((section,), (), (), "en", (TOPIC,))
    third = PLACE.choices[2].names.printed("en")
    texts = [f"Gull - {FIRST} - {SECOND} - {third}", f"Gull {FIRST}"]
    around, plain = parse_letter(texts, grammar).sets[section.key].lines
    assert around.line == Line((Clause(Sail("gull", PLACE.choices[2].value)),))
    assert plain.line == Line((Clause(Sail("gull", CLAY)),))
    assert print_line(section.forms, around.line, "en") == f"Gull - {third}"
    assert len(help_rows(section, "en")) == len(FORMS)
