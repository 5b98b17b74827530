"""Amounts of things: `2 wood, 1 wine`, read as it is printed, in every language, within bounds."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.kernel.forms import Form, Topic
from engine.kernel.grammar import Grammar, Section
from engine.kernel.languages import LANGUAGES, Language
from engine.kernel.orders import Clause, Line, Order
from engine.kernel.parse import parse_letter
from engine.kernel.parsed import ParsedLine
from engine.kernel.phrasebook import (
    amounts_of,
    as_optional,
    choices,
    is_within,
    number,
    one_choice,
    some_choices,
    with_lead,
)
from engine.kernel.printing import CannotPrint, example, print_order, usage
from tests.bilingual import words
from tests.toy.orders import OFFER

THINGS = choices(
    (
        ("wood", words("bois", "wood")),
        ("wine", words("vin", "wine")),
        ("cloth", words("drap", "cloth")),
        ("galley2", words("Galère 2", "Galley 2")),
    )
)
PORTS = choices((("roma", words("Rome", "Roma")), ("pisa", words("Pise", "Pisa"))))


class Pay(Order):
    goods: Mapping[str, int]
    port: str = ""
    turns: int = 1


class Save(Order):
    things: tuple[str, ...]


GOODS = replace(amounts_of("goods", "goods", words("denrées", "goods"), THINGS, 1, 9), suggested=("wood", "wine"))
PAY = Form(
    words("PAYER", "PAY"),
    Pay,
    (
        GOODS,
        as_optional(with_lead(one_choice("port", "port", words("port", "port"), PORTS), words("À", "TO")), ""),
        as_optional(with_lead(number("turns", words("tours", "turns"), 1, 9), words("PENDANT", "DURING")), 1),
    ),
)
AID = Form(words("AIDER", "AID"), Pay, (replace(GOODS, low=3, high=3),))
TOPIC = Topic("pay", words("PAIEMENT", "PAYMENT"))


def read(text: str, form: Form = PAY, language: Language = "en") -> ParsedLine:
    """The one line that a text is read as."""
    (found,) = parse_letter([text], Grammar((Section(TOPIC, (form,), open=True),), language=language)).sets.values()
    return found.lines[0]


def goods(text: str, form: Form = PAY) -> Mapping[str, int] | None:
    """The amounts that a text says, or None where it is refused."""
    line = read(text, form).line
    order = line.plan[0].order if line is not None else None
    return order.goods if isinstance(order, Pay) else None


@pytest.mark.parametrize(
    "text",
    [
        "PAY 2 wood, 1 wine",
        "PAYER 2 bois, 1 vin",
        "PAY wood x 2, wine",
        "PAY wood, wood, wine",
        "PAY 2 wood and 1 wine",
        "PAYER 2 bois et un vin",
        "PAY two wood 1 wine",
        "PAY wine, 2x wood",
        "PAY wood 2, wine 1",
        "PAY 2 × wood + wine",
        "pay 1 wine 1 wood 1 wood",
        "PAY wood 2 wine 1",
    ],
)
def test_amounts_are_read_however_they_are_written(text: str) -> None:
    """A number before or behind its thing, a thing repeated, commas, `and` or spaces: it comes to the same."""
    assert goods(text) == {"wood": 2, "wine": 1}


def test_words_that_say_two_amounts_say_neither() -> None:
    """`wood 2 wine` may be two wood and a wine, or a wood and two wine: it is refused, with a line that is plain."""
    problem = read("PAY wood 2 wine").problem
    assert problem is not None
    assert problem.code == "ambiguous"
    assert goods(str(problem.terms["accepted"])) is not None


@pytest.mark.parametrize(
    ("text", "form", "code"),
    [
        ("PAY 10 wood", PAY, "out_of_range"),
        ("PAY 0 wood", PAY, "out_of_range"),
        ("PAY 99999999999999999999 wood", PAY, "out_of_range"),
        ("PAY 5 wood, 5 wine", PAY, "sum_out_of_range"),
        ("AID 2 wood", AID, "sum_out_of_range"),
        ("AID wood, wood, wine, wine", AID, "sum_out_of_range"),
        ("PAY 2 gold", PAY, "unknown_name"),
        ("PAY", PAY, "missing"),
        ("PAY 2", PAY, "missing"),
    ],
)
def test_what_is_out_of_bounds_is_refused_with_what_would_do(text: str, form: Form, code: str) -> None:
    """The refusal says what is wrong, between which bounds, and proposes a line that can be read."""
    problem = read(text, form).problem
    assert problem is not None
    assert problem.code == code
    assert goods(str(problem.terms["accepted"]), form) is not None
    if code.endswith("out_of_range"):
        assert (problem.terms["low"], problem.terms["high"]) == (form.slots[0].low, form.slots[0].high)


def test_a_number_of_nothing_is_refused_where_things_may_be_counted() -> None:
    """`SAVE 2` names nothing: the thing is missing, for a tuple of things as for amounts."""
    save = Form(
        words("SAUVER", "SAVE"),
        Save,
        (some_choices("things", "thing", words("objets", "things"), THINGS, counted=True),),
    )
    problem = read("SAVE 2", save).problem
    assert problem is not None
    assert problem.code == "missing"


def test_one_of_a_thing_may_mean_another_choice_than_the_thing_alone() -> None:
    """`SAVE 1 wood` is not `SAVE wood` where the slot says so, and is printed as it is read."""
    each = (*THINGS, *choices((("one", words("1 bois", "1 wood")),)))
    slot = replace(
        some_choices("things", "thing", words("objets", "things"), each, counted=True), unit_choices={"wood": "one"}
    )
    save = Form(words("SAUVER", "SAVE"), Save, (slot,))
    for text, things in (
        ("SAVE wood", ("wood",)),
        ("SAVE 1 wood", ("one",)),
        ("SAVE wood x 1, wine", ("one", "wine")),
        ("SAVE one wood and 1 wine", ("one", "wine")),
        ("SAVE 2 wood", ("wood", "wood")),
    ):
        assert read(text, save).line == Line((Clause(Save(things)),))
        assert read(print_order((save,), Save(things), "en"), save).line == Line((Clause(Save(things)),))


AMOUNTS = st.dictionaries(st.sampled_from([c.value for c in THINGS]), st.integers(1, 9), min_size=1).filter(
    lambda amounts: sum(amounts.values()) <= 9
)


@given(
    amounts=AMOUNTS,
    port=st.sampled_from(["", "roma", "pisa"]),
    turns=st.integers(1, 9),
    language=st.sampled_from(LANGUAGES),
)
def test_amounts_are_read_as_they_are_printed(
    amounts: Mapping[str, int], port: str, turns: int, language: Language
) -> None:
    """Whatever is paid, where and how often: its line says it, in every language, and is kept within its form."""
    order = Pay(amounts, port, turns)
    assert read(print_order((PAY,), order, language), language=language).line == Line((Clause(order),))
    assert is_within(PAY, order)


@pytest.mark.parametrize("amounts", [{}, {"wood": 0}, {"gold": 1}])
def test_what_no_line_says_is_not_printed(amounts: Mapping[str, int]) -> None:
    """Nothing, none of something, and what has no name here are no amounts."""
    with pytest.raises(CannotPrint):
        print_order((PAY,), Pay(amounts), "en")


def test_help_shows_how_amounts_are_written() -> None:
    """The usage names the number, the example can be sent, and can be read."""
    assert usage(OFFER, "en") == "OFFER n <goods>, ..."
    assert example(AID, "en") == "AID 3 wood"
    assert goods(example(AID, "fr"), AID) == {"wood": 3}
