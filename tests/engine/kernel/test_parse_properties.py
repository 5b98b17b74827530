"""Laws of the order language: every form parses what it prints, and no text whatever raises."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.kernel.forms import Fact, Form, Slot
from engine.kernel.grammar import Grammar, Section, SectionKey
from engine.kernel.orders import Clause, Condition, Line
from engine.kernel.parse import parse_letter
from engine.kernel.phrases import Phrases
from engine.kernel.printing import heading, print_clause, print_reaction, to_quotable
from engine.kernel.spelling import distance, fold_tokens
from tests.budget import budget
from tests.engine.kernel.imaginary_game import EVERY, EXPANSION, FACTS, FIELD, GRAMMAR, PURCHASES, REACTIONS, SHOP

LANGUAGES = st.sampled_from(("fr", "en"))


def values(slot: Slot) -> st.SearchStrategy[object]:
    """Every value that a slot may hold."""
    one: st.SearchStrategy[object]
    if slot.choices:
        one = st.sampled_from([c.value for c in slot.choices])
    elif slot.text:
        plain = st.text(st.characters(codec="utf-8"), min_size=1, max_size=30)
        one = plain.map(to_quotable).filter(fold_tokens)
    else:
        one = st.integers(slot.low if slot.low is not None else -50, slot.high if slot.high is not None else 200)
    several = st.lists(one, min_size=1, max_size=4).map(tuple) if slot.many else one
    return st.one_of(st.just(slot.default), several) if slot.optional else several


def clauses(forms: tuple[Form, ...]) -> st.SearchStrategy[Clause]:
    """Any order of these forms, under up to two conditions."""
    order = st.sampled_from(forms).flatmap(
        lambda f: st.fixed_dictionaries({s.name: values(s) for s in f.slots}).map(f.make)
    )
    return st.builds(Clause, order, st.lists(st.sampled_from(FACTS).flatmap(conditions), max_size=2).map(tuple))


def conditions(fact: Fact) -> st.SearchStrategy[Condition]:
    """Any condition about a fact."""
    about = st.fixed_dictionaries({s.name: values(s) for s in fact.slots})
    return st.builds(Condition, st.just(fact.name), about, st.booleans())


def lines(forms: tuple[Form, ...]) -> st.SearchStrategy[Line]:
    """Any line of these forms."""
    plan = st.lists(clauses(forms), min_size=1, max_size=3).map(tuple)
    otherwise = st.lists(clauses(forms), max_size=2).map(tuple)
    drawn = st.builds(Line, plan, st.integers(1, 9), otherwise)
    return drawn.map(lambda line: line if line.may_retry else replace(line, repeat=1))


@settings(max_examples=budget(30, 600))
@given(line=st.one_of(lines(FIELD), lines(SHOP), lines(EVERY)), language=LANGUAGES, reader=LANGUAGES)
def test_every_form_parses_what_it_prints(line: Line, language: str, reader: str) -> None:
    """It holds for every language it is printed in and every language of the player."""
    grammar = Grammar((Section(EXPANSION, EVERY, 4, open=True),), (), FACTS, reader)
    text = print_clause(EVERY, line, language, FACTS)
    written = parse_letter([text], grammar).sets[SectionKey("expansion", 4)]
    assert written.orders == (line,), text


@settings(max_examples=budget(15, 300))
@given(
    now=st.lists(lines(FIELD), max_size=4).map(tuple),
    later=st.lists(lines(SHOP), max_size=4).map(tuple),
    reaction=st.none() | clauses(REACTIONS[0].forms if isinstance(REACTIONS[0].forms, tuple) else ()),
    language=LANGUAGES,
)
def test_a_printed_letter_reads_back_as_itself(
    now: tuple[Line, ...], later: tuple[Line, ...], reaction: Clause | None, language: str
) -> None:
    """Sets, the empty set, headings and reactions: a report's template can be mailed back."""
    ahead = GRAMMAR.sections[2]
    line = None if reaction is None else Line((reaction,))
    letter = [
        *print_clause(FIELD, now, language, FACTS).split("\n"),
        print_reaction(REACTIONS[0], line, language, FACTS),
        heading(ahead, language),
        *print_clause(SHOP, later, language, FACTS).split("\n"),
        "END",
    ]
    found = parse_letter(letter, GRAMMAR)
    assert ahead.topic == PURCHASES
    assert {key: s.orders for key, s in found.sets.items()} == {
        SectionKey("expansion", 4): now,
        SectionKey("purchases", None): later,
    }
    assert found.sets[SectionKey("expansion", 4)].is_pass == (not now)
    assert (found.reactions["civil"].line, found.reactions["civil"].is_withdrawal) == (line, line is None)
    assert not found.skipped
    assert not found.unmatched


WORDS = (
    "ATTACK ATTAQUER PLACE PLAY JOUER SELL BUY CARD SHIP FIT OUT SHOUT BID Firenze Florence Roma Romagna "
    "Saint Jean de Luz d'Acre Or Gold OU OR ELSE SINON IF SI I HOLD JE TIENS NOT NE PAS DO AND ET THEN ALORS "
    ": , ; - -3 3 8 99999999999 x x2 UP TO TIMES FOIS JUSQU'À FOR POUR TURN TOUR 5 EXPANSION PURCHASES ACHATS "
    'ON SUR CIVIL WAR GUERRE NONE RIEN PASS END. WITHDRAW RETIRER STATUS HELP REPORT LUCK AT À AS COMME " ½ '
    "3.5 > IN ANY CASE UNLESS vingt dix sept moins "
).split()
TEXTS = st.one_of(
    st.text(max_size=80),
    st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join),
    st.lists(st.sampled_from(WORDS) | st.text(max_size=6), max_size=12).map(" ".join),
)


def test_alternatives_without_end_are_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line of nothing but a name that is also a connective: twice as long, it costs about four times as much."""
    asked = 0
    order = Phrases.order

    def counted(self: Phrases, start: int, stop: int, like: Any = None) -> object:
        nonlocal asked
        asked += 1
        return order(self, start, stop, like)

    monkeypatch.setattr(Phrases, "order", counted)
    costs = []
    for often in (20, 40):
        asked = 0
        parse_letter(["VENDRE" + " OR" * often + " zzz"], GRAMMAR)
        costs.append(asked)
    assert costs[1] < 6 * costs[0]


@settings(max_examples=budget(50, 1000))
@given(letter=st.lists(TEXTS, max_size=6), language=LANGUAGES)
def test_no_text_raises_and_nothing_is_lost(letter: list[str], language: str) -> None:
    """Each line before END is in a set, a reaction, a command, luck, astray or skipped; or says nothing."""
    grammar = Grammar(GRAMMAR.sections, GRAMMAR.reactions, FACTS, language, GRAMMAR.topics)
    found = parse_letter(letter, grammar)
    placed = {n for n, _ in found.skipped} | {w.number for w in (*found.unmatched, *found.reactions.values())}
    placed |= {w.number for s in found.sets.values() for w in s.lines} | {c.number for c in found.commands}
    for written in (w for s in found.sets.values() for w in s.lines):
        assert (written.line is None) != (written.problem is None)
        assert written.text == letter[written.number - 1].strip()
    unplaced = [t for n, t in enumerate(letter, 1) if n not in placed and fold_tokens(t.partition(";")[0])]
    assert found.has_end or all(_is_repeated(t) for t in unplaced)


def _is_repeated(text: str) -> bool:
    """Luck, headings, PASS and reactions said again are kept without their line's number."""
    words = fold_tokens(text)
    spoken = {"luck", "chance", "for", "pour", "turn", "tour", "expansion", "purchases", "achats"}
    return not spoken.isdisjoint(words) or words[0] in {"pass", "rien", "on", "sur", "civil", "guerre", "war"}


@settings(max_examples=budget(4, 40))
@given(word=st.sampled_from(WORDS), times=st.integers(100, 5000))
def test_an_endless_line_is_read_like_any_other(word: str, times: int) -> None:
    """Repeating one word thousands of times neither raises nor recurses without end."""
    for head in ("", "PLAY ", "BUY N OR ", "IF I HOLD Roma AND ", "ON CIVIL WAR: CEDE ", "FOR "):
        parse_letter([head + f"{word} " * times], GRAMMAR)


def test_a_line_of_too_many_words_is_refused_not_ignored() -> None:
    """A line that begins like an order is meant as one."""
    written = parse_letter(["PLACE " + "Roma " * 300], GRAMMAR).sets[SectionKey("expansion", 4)].lines[0]
    assert written.problem is not None
    assert written.problem.code == "too_long"


@given(one=st.text("abcd", max_size=7), other=st.text("abcd", max_size=7), limit=st.integers(0, 3))
def test_distance_counts_edits_as_the_definition_does(one: str, other: str, limit: int) -> None:
    """Inserted, dropped, replaced and swapped letters, compared with the plain recursion."""
    assert distance(one, other, limit) == min(_edits(one, other), limit + 1)


def _edits(one: str, other: str) -> int:
    table = {(i, 0): i for i in range(len(one) + 1)} | {(0, j): j for j in range(len(other) + 1)}
    for i, a in enumerate(one, 1):
        for j, b in enumerate(other, 1):
            best = min(table[i - 1, j] + 1, table[i, j - 1] + 1, table[i - 1, j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                best = min(best, table[i - 2, j - 2] + 1)
            table[i, j] = best
    return table[len(one), len(other)]
