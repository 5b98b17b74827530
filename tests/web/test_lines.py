"""From posted fields to lines, and where they go."""

from hypothesis import given
from hypothesis import strategies as st

from engine import GAMES
from engine.kernel.grammar import Grammar, build_grammar
from engine.kernel.parse import parse_letter
from engine.kernel.run import start
from engine.kernel.secrets import redact, seen_by
from engine.kernel.viewers import Seat
from pbem.web import order_builder
from tests.every_game import one_game
from tests.toy.rules import RULES

ANN, BOB = Seat("ann"), Seat("bob")


def grammar(language: str = "en") -> Grammar:
    """What Ann may write when bids are asked for."""
    made = start(RULES, [ANN, BOB], RULES.meta.chosen({}), b"s" * 32, b"luck")
    with seen_by(ANN):
        return build_grammar(RULES, redact(made.position, ANN), ANN, language)


GRAMMAR = grammar()
SECTIONS = order_builder.list_sections(GRAMMAR)
KEYS = tuple(f"{key}.{n}" for key, section in SECTIONS.items() for n in range(len(section.forms)))
TEXT = st.text(max_size=40)


@given(st.sampled_from(KEYS), st.data())
def test_what_the_lists_offer_is_understood(key: str, data: st.DataObject) -> None:
    """Every choice of every list makes a line that the parser reads, in its section, with the same values."""
    part = next(p for p in order_builder.build_parts(GRAMMAR, "en", ("bid",), str) if p.key == key.partition(".")[0])
    builder = next(b for b in part.builders if b.key == key)
    posted: dict[str, list[str]] = {}
    for field in builder.fields:
        options = [option.value for option in (*field.likely, *field.others)]
        if field.slot.choices:
            posted[field.name] = [data.draw(st.sampled_from(options))]
        elif not field.slot.text:
            posted[field.name] = [str(data.draw(st.integers(field.slot.low or 0, field.slot.high or 9)))]
    made = order_builder.build_line(GRAMMAR, key, posted, "en")
    assert made is not None
    text = order_builder.add_line("", part.section, made, "en", reaction=part.kind == "reaction")
    reading = parse_letter(text.splitlines(), GRAMMAR)
    read = [w for found in reading.sets.values() for w in found.lines] + list(reading.reactions.values())
    assert [w.problem for w in read] == [None]


def test_a_name_is_typed_where_a_menu_would_be_long() -> None:
    """A list of names that stands once on the page suggests them, and a typed name means what the choice means."""
    _, game = one_game("amalfi", 0)
    found = (entry.after.position for entry in game.entries)
    position = next(at for at in found if any(question.topic == "free" for question in at.core.questions))
    seat = position.core.questions[0].seat
    with seen_by(seat):
        asked = build_grammar(GAMES["amalfi"], redact(position, seat), seat, "en")
    parts = [part for part in order_builder.build_parts(asked, "en", (), str) if part.section.open]
    fields = [(builder, field) for part in parts for builder in part.builders for field in builder.fields]
    typed = [(builder, field) for builder, field in fields if field.list_id]
    assert len(typed) > 2 * len(order_builder.list_names(parts)) > 0
    for builder, field in typed:
        one = field.others[-1]
        lines = {
            order_builder.build_line(asked, builder.key, {field.name: [said]}, "en") for said in (one.value, one.label)
        }
        assert len(lines) == 1, (field.name, lines)
    assert all(
        len(field.others) <= order_builder.MOST_IN_MENU or field.likely for _, field in fields if not field.list_id
    )


@given(
    st.sampled_from((*KEYS, "s9.9", "x", "s0.", "s0.9", "")),
    st.dictionaries(
        st.sampled_from(
            [f"{k}.{n}" for k in KEYS for n in ("town", "armies", "cards", "coins", "of", "card", "farewell", "times")]
        ),
        st.lists(TEXT, max_size=3),
    ),
)
def test_no_posted_field_makes_more_than_one_line(key: str, posted: dict[str, list[str]]) -> None:
    """Whatever is posted, it is one line of text or nothing at all: no field can smuggle in a second order."""
    made = order_builder.build_line(GRAMMAR, key, posted, "en")
    assert made is None or len(made.splitlines()) == 1


@given(st.lists(TEXT, max_size=6), st.sampled_from(KEYS))
def test_adding_a_line_loses_none(rows: list[str], key: str) -> None:
    """All that was written stands in the same order after a line was added."""
    text = "\n".join(rows)
    section, made = SECTIONS[key.partition(".")[0]], order_builder.build_line(GRAMMAR, key, {}, "en")
    assert made is not None
    after = order_builder.add_line(text, section, made, "en", reaction=key.startswith("r")).splitlines()
    kept = iter(after)
    assert all(row in kept for row in text.splitlines() if row.strip())


def test_a_line_goes_to_its_own_place() -> None:
    """Open questions before the first heading, later phases under their own, nothing after END, remarks no heading."""
    section = {s.topic.key: s for s in GRAMMAR.sections}
    text = "; FOR MARCH\nFOR TURN 1 MARCH\nATTACK Mill\nEND\nbye"
    assert order_builder.add_line(text, section["bid"], "BID 1", "en", reaction=False).splitlines()[:2] == [
        "; FOR MARCH",
        "BID 1",
    ]
    after = order_builder.add_line(text, section["march"], "SELL Wool", "en", reaction=False).splitlines()
    assert after == ["; FOR MARCH", "FOR TURN 1 MARCH", "ATTACK Mill", "SELL Wool", "END", "bye"]
