"""What is printed: receipts, templates, help rows, and the lines that web forms mean."""

from dataclasses import replace

import pytest

from engine.kernel.forms import Form, Slot
from engine.kernel.grammar import SectionKey
from engine.kernel.orders import Clause, Condition, Line, Problem
from engine.kernel.printing import (
    CannotPrint,
    HelpRow,
    example,
    heading,
    help_rows,
    line_from_fields,
    print_clause,
    print_reaction,
    usage,
)
from tests.bilingual import words
from tests.engine.kernel.imaginary_game import (
    CARD,
    CEDE,
    EVERY,
    FACTS,
    FIELD,
    FLEET,
    GRAMMAR,
    LATER,
    LEARN,
    LIKELY,
    MONEY,
    OPEN,
    PLAY,
    RAID,
    REACTIONS,
    SELL,
    SHOUT,
    Fleet,
    Loss,
    PlayCard,
    Raid,
    Sell,
    Settle,
    Shout,
    read,
)

FIRENZE = Condition("hold", {"place": "firenze"})
UNRICH = Condition("cash", {"least": 20}, negated=True)


@pytest.mark.parametrize(
    ("line", "french", "english"),
    [
        (
            Line((Clause(Raid("firenze", 8)),), 2, (Clause(Settle("roma", 4)),)),
            "ATTAQUER Florence 8 JUSQU'À 2 FOIS SINON PLACER Rome 4",
            "ATTACK Firenze 8 UP TO 2 TIMES ELSE PLACE Roma 4",
        ),
        (
            Line(
                (
                    Clause(PlayCard("revolt", "firenze"), (FIRENZE, UNRICH)),
                    Clause(Sell("both", "cloth"), (FIRENZE, UNRICH)),
                )
            ),
            "SI JE TIENS Florence ET NON J'AI 20 : JOUER Rébellion À Florence OU VENDRE Drap/Vin COMME Drap",
            "IF I HOLD Firenze AND NOT I HAVE 20: PLAY Rebellion AT Firenze OR SELL Cloth/Wine AS Cloth",
        ),
        (
            Line((Clause(Fleet("galley", 2), (UNRICH,)), Clause(Fleet("galley2")))),
            "SAUF SI J'AI 20 : ARMER Galère, 2 OU DANS TOUS LES CAS : ARMER Galère 2",
            "UNLESS I HAVE 20: FIT OUT Galley, 2 OR IN ANY CASE: FIT OUT Galley 2",
        ),
        (Line((Clause(Shout('say "no"; go')),)), "CRIER \"say 'no', go\"", "SHOUT \"say 'no', go\""),
    ],
)
def test_lines_are_shown_in_the_readers_language(line: Line, french: str, english: str) -> None:
    """Keywords, names, connectives and the space before a colon are those of the reader's language."""
    assert print_clause(EVERY, line, "fr", FACTS) == french
    assert print_clause(EVERY, line, "en", FACTS) == english


def test_parts_of_lines_and_whole_sets_are_printed_too() -> None:
    """Order, clause, condition, set, and the empty set as the word for passing."""
    assert print_clause(EVERY, Raid("roma", 3), "en") == "ATTACK Roma 3"
    assert print_clause(EVERY, Clause(Raid("roma", 3), (FIRENZE,)), "en", FACTS) == "IF I HOLD Firenze: ATTACK Roma 3"
    assert print_clause(EVERY, UNRICH, "en", FACTS) == "NOT I HAVE 20"
    assert print_clause(FIELD, LIKELY, "fr") == "PLACER Romagne 2\nATTAQUER Montferrat 3"
    assert (print_clause(FIELD, (), "fr"), print_clause(FIELD, (), "en")) == ("RIEN", "PASS")


def test_what_no_form_writes_is_not_printed_nor_told() -> None:
    """The error names the class alone: what was ordered is a secret."""
    with pytest.raises(CannotPrint) as caught:
        print_clause((LEARN,), Raid("firenze", 8), "en")
    assert str(caught.value) == "no form writes this Raid"
    with pytest.raises(CannotPrint):
        print_clause(FIELD, Raid("nowhere", 8), "en")
    with pytest.raises(CannotPrint):
        print_clause(FIELD, Condition("moon", {}), "en", FACTS)


def test_reactions_and_headings_are_printed_as_they_are_written() -> None:
    """Reactions and headings are printed with the line that withdraws them."""
    line = Line((Clause(Loss("money")),))
    assert print_reaction(REACTIONS[0], line, "en") == "ON CIVIL WAR: MONEY"
    assert print_reaction(REACTIONS[0], line, "fr") == "SUR GUERRE CIVILE : ARGENT"
    assert print_reaction(REACTIONS[0], None, "fr") == "SUR GUERRE CIVILE : RIEN"
    assert heading(LATER, "en") == "FOR TURN 5 EXPANSION"
    assert heading(LATER, "fr") == "POUR TOUR 5 EXPANSION"


def test_help_shows_usage_purpose_and_an_example() -> None:
    """The repeat is offered only where a set is carried out line by line; the example is what would be accepted."""
    section = replace(OPEN, examples=[line.plan[0].order for line in LIKELY])
    assert help_rows(section, "fr")[0] == HelpRow(
        "ATTAQUER <province> <pions> [JUSQU'À n FOIS]", "Attaquer.", "ATTAQUER Montferrat 3"
    )
    assert usage(PLAY, "en") == "PLAY <card> [AT <province>]"
    assert usage(LEARN, "en") == "BUY <advances>, ..."
    assert usage(SELL, "fr") == "VENDRE <marchandise> [COMME <marchandise>]"
    assert help_rows(REACTIONS[0], "en")[0] == HelpRow("MONEY", "", "MONEY")


@pytest.mark.parametrize("form", EVERY)
@pytest.mark.parametrize("language", ["fr", "en"])
def test_the_example_of_each_form_is_readable(form: Form, language: str) -> None:
    """What is likely in each place that must be filled makes a line that can be sent as it stands."""
    section = OPEN.__class__(OPEN.topic, (form,), 4, open=True)
    found = read(example(hoped(form), language), grammar=GRAMMAR.__class__((section,)))
    assert found.sets[SectionKey("expansion", 4)].readable
    assert found.sets[SectionKey("expansion", 4)].orders


def hoped(form: Form, optional: bool = False) -> Form:
    """A form of which the first things to choose would be accepted now, where they must (or may) be named."""
    return replace(form, slots=tuple(_hoped(slot) if optional or not slot.optional else slot for slot in form.slots))


def _hoped(slot: Slot) -> Slot:
    return replace(slot, suggested=[choice.value for choice in slot.choices[:1]])


@pytest.mark.parametrize("form", [PLAY, SELL, LEARN, CEDE])
def test_no_example_names_what_nobody_knows_to_make_sense(form: Form) -> None:
    """Of all cards, towns and wares few can be meant in a position: where none is likely, none is named."""
    assert example(form, "en") == ""
    assert help_rows(replace(LATER, forms=(form,)), "en")[0].example == ""


def test_no_example_names_a_thing_twice() -> None:
    """What is likely in one place and in another may be the same thing, which no order means."""
    assert example(hoped(SELL), "en") == "SELL Gold"
    assert example(hoped(SELL, optional=True), "en") == ""
    assert example(hoped(SELL, optional=True), "en", {"good": "both"}) == "SELL Cloth/Wine AS Gold"


def test_the_example_of_what_is_not_asked_yet_is_what_the_game_suggests() -> None:
    """A suggested order is shown whole, with what is optional in its form."""
    section = replace(LATER, forms=(PLAY, CEDE), examples=[PlayCard("revolt", "roma")])
    assert [row.example for row in help_rows(section, "en")] == ["PLAY Rebellion AT Roma", ""]


@pytest.mark.parametrize(
    ("form", "fields", "text"),
    [
        (RAID, {"place": "firenze", "crews": "8"}, "ATTACK Firenze 8"),
        (RAID, {"place": "florence", "crews": " 8 "}, "ATTACK florence 8"),
        (RAID, {"place": "firenze", "crews": ""}, "ATTACK Firenze"),
        (PLAY, {"tale": "revolt", "place": "roma"}, "PLAY Rebellion AT Roma"),
        (PLAY, {"tale": "revolt"}, "PLAY Rebellion"),
        (LEARN, {"crafts": "n,silk"}, "BUY N, Silk Road"),
        (FLEET, {"ship": "galley", "count": "2"}, "FIT OUT Galley, 2"),
        (SHOUT, {"what": 'to "arms"; now'}, "SHOUT \"to 'arms', now\""),
        (CARD, {}, "BUY CARD"),
        (MONEY, {"stray": "ATTACK"}, "MONEY"),
        (RAID, {"place": "roma\nEND", "crews": "3; 4"}, "ATTACK roma END 3, 4"),
    ],
)
def test_posted_fields_become_the_line_that_a_letter_would_hold(form: Form, fields: dict[str, str], text: str) -> None:
    """Web and mail are one thing: what is posted is written down, then read by the same parser."""
    assert line_from_fields(form, fields) == text


def test_a_posted_repeat_is_written_in_the_players_language() -> None:
    """A repeat is written in words, and a single try is not."""
    fields = {"place": "roma", "crews": "3"}
    assert line_from_fields(RAID, fields, "fr", times=2) == "ATTAQUER Rome 3 JUSQU'À 2 FOIS"


def test_the_accepted_line_shares_what_was_understood() -> None:
    """Without a likely line of that form, the form's own likely values fill the gaps."""
    section = OPEN.__class__(OPEN.topic, FIELD, 4, open=True)
    found = read("ATTACK Firenze lots", grammar=GRAMMAR.__class__((section,)))
    (written,) = found.sets[SectionKey("expansion", 4)].lines
    assert written.problem == Problem(
        "number_expected",
        {"word": "lots", "candidates": ("3",), "slot": "tokens", "accepted": "ATTACK Firenze 3"},
        lasting=True,
    )
    assert words("a", "b").printed("fr") == "a"
