"""The order language, sentence by sentence: what a line means, what is refused and why, what is talk."""

from dataclasses import replace

import pytest

from engine.kernel.forms import Fact
from engine.kernel.gates import Gate
from engine.kernel.grammar import Grammar, Section, SectionKey, build_grammar
from engine.kernel.orders import AskMe, Clause, Condition, Line, Order, Problem
from engine.kernel.parse import parse_letter
from engine.kernel.printing import print_clause
from engine.kernel.run import start
from engine.kernel.secrets import seen_by
from engine.kernel.viewers import Seat
from tests.bilingual import words
from tests.engine.kernel.imaginary_game import (
    CRAFTS,
    EVERY,
    FACTS,
    FIELD,
    GRAMMAR,
    LEARN,
    OPEN,
    PLACE,
    PURCHASES,
    REACTIONS,
    SHOP,
    SHOPS,
    TOKENS,
    TOPICS,
    WAR,
    Hire,
    Learn,
    Loss,
    Raid,
    Settle,
    bidding,
    read,
)
from tests.toy.rules import Toy

NOW = SectionKey("expansion", 4)
SHOPPING = Grammar((Section(PURCHASES, SHOP, 4, open=True),), REACTIONS, FACTS, "en", TOPICS)


def line_of(text: str, grammar: Grammar = GRAMMAR) -> Line:
    """The one line that a text gives in the open section."""
    found = read(text, grammar=grammar)
    (written,) = next(iter(found.sets.values())).lines
    assert written.problem is None, written.problem
    assert written.line is not None
    return written.line


def order_of(text: str, grammar: Grammar = GRAMMAR) -> Order:
    """The one unconditional order that a text gives."""
    line = line_of(text, grammar)
    assert line == Line((Clause(line.plan[0].order),))
    return line.plan[0].order


def rows(table: str) -> list[tuple[str, ...]]:
    """Return the cells of a table of text: a row on each line, parted by ` = `; `#` begins a remark."""
    written = (line for line in table.splitlines() if line and not line.startswith("# "))
    return [tuple(cell.strip() for cell in line.split(" =")) for line in written]


def problem_of(text: str, grammar: Grammar = GRAMMAR) -> Problem:
    """The problem of a text that refuses the open section."""
    (written,) = next(iter(read(text, grammar=grammar).sets.values())).lines
    assert written.problem is not None, written.line
    return written.problem


def is_talk(text: str, grammar: Grammar = GRAMMAR) -> bool:
    """Return True if a text alone in a letter is skipped and does nothing."""
    found = read(text, grammar=grammar)
    nothing_else = not (
        found.sets or found.reactions or found.commands or found.luck or found.unmatched or found.has_end
    )
    return nothing_else and found.skipped == ((1, text.strip()),)


FIRENZE = Condition("hold", {"place": "firenze"})
ROMA = Settle("roma", 4)


# -- what a line means -------------------------------------------------------------------------------------------

ORDERS = """
# Language, case, accents, spaces, list marks, quotes, abbreviations and slips of the pen do not matter.
ATTACK Firenze 8 = ATTACK Firenze 8
attaquer florence 8 = ATTACK Firenze 8
Attaquer Firenze 8 = ATTACK Firenze 8
RAID Florence, 8 = ATTACK Firenze 8
attaquer FLORENCE: 8 = ATTACK Firenze 8
att firenze 8 = ATTACK Firenze 8
ATTAQUE Florence 8 = ATTACK Firenze 8
ATAQUER Florence 8 = ATTACK Firenze 8
ATTACK Firenzee 8 = ATTACK Firenze 8
attack Fir 8 = ATTACK Firenze 8
ATTACK Firenze eight = ATTACK Firenze 8
attaquer Florence avec huit pions = ATTACK Firenze 8
ATTACK Firenze with 8 tokens = ATTACK Firenze 8
attack 8 Firenze = ATTACK Firenze 8
Attaquer\u00a0Florence\u00a08 = ATTACK Firenze 8
ATT\u200bACK Firenze 8 = ATTACK Firenze 8
1. ATTACK Firenze 8 = ATTACK Firenze 8
2) attack Firenze 8 = ATTACK Firenze 8
- ATTACK Firenze 8 = ATTACK Firenze 8
• ATTACK Firenze 8 = ATTACK Firenze 8
* ATTACK Firenze 08 = ATTACK Firenze 8
ATTACK Firenze - 8 = ATTACK Firenze 8
**ATTACK** “Firenze” 8. = ATTACK Firenze 8
ATTACK Firenze 8 ; my best idea yet = ATTACK Firenze 8
  attack   Firenze   8   = ATTACK Firenze 8
# Whole names win; else the one name that words or letters abbreviate; else the one that is near.
PLACE Saint Jean d'Acre 3 = PLACE Acre 3
PLACE saint-jean-d’acre 3 = PLACE Acre 3
PLACE Saint Jean d Acre 3 = PLACE Acre 3
PLACE SaintJeanDAcre 3 = PLACE Acre 3
PLACE St Jean d'Acre 3 = PLACE Acre 3
PLACE Saint Jean Acre 3 = PLACE Acre 3
PLACE Saint Jean de L 3 = PLACE Saint Jean de Luz 3
PLACE Saint Malo 3 = PLACE Saint Malo 3
PLACE saint m 3 = PLACE Saint Malo 3
PLACE Mars 3 = PLACE Marseilles 3
PLACE Montpelier 3 = PLACE Montpellier 3
PLACE Monptellier 3 = PLACE Montpellier 3
PLACE Roma 3 = PLACE Roma 3
PLACE Romag 3 = PLACE Romagna 3
PLACE la Romagne 3 = PLACE Romagna 3
# A led slot stands anywhere after the keyword, an optional one may be left out, text goes to the end.
JOUER Rébellion À Firenze = PLAY Rebellion AT Firenze
PLAY AT Florence Rebellion = PLAY Rebellion AT Firenze
jouer Rebellion chez Florence = PLAY Rebellion AT Firenze
PLAY Rebellion Firenze = PLAY Rebellion AT Firenze
PLAY Guerre civile = PLAY Civil War
play civ = PLAY Civil War
PLAY Coeur de lion = PLAY Lion Heart
PLAY Cœur-de-Lion = PLAY Lion Heart
SELL Cloth/Wine AS Cloth = SELL Cloth/Wine AS Cloth
VENDRE drap vin COMME vin = SELL Cloth/Wine AS Wine
VENDRE Or = SELL Gold
FIT OUT Galley = FIT OUT Galley
FIT OUT Galley 2 = FIT OUT Galley 2
FIT OUT Galley, 2 = FIT OUT Galley, 2
FIT OUT Galley 2 2 = FIT OUT Galley 2 2
SHOUT To arms, or else! = SHOUT "To arms, or else!"
CRIER "Aux armes" = SHOUT "Aux armes"
SHOUT "To arms, friends," = SHOUT "To arms, friends,"
SHOUT "He said:" ELSE SHOUT "no:" = SHOUT "He said:" ELSE SHOUT "no:"
"""
# Conditions, alternatives, repeats and ELSE, in either language and mixed; a keyword need not be said again.
PLANS = """
ATTACK Firenze 8 UP TO 2 TIMES ELSE PLACE Roma 4 = ATTACK Firenze 8 UP TO 2 TIMES ELSE PLACE Roma 4
ATTAQUER Florence 8 JUSQU'À deux FOIS SINON PLACER Rome 4 = ATTACK Firenze 8 UP TO 2 TIMES ELSE PLACE Roma 4
ATTACK Firenze 8 jusqu’a 3 fois = ATTACK Firenze 8 UP TO 3 TIMES
ATTACK Firenze 8 x2 = ATTACK Firenze 8 UP TO 2 TIMES
ATTACK Firenze 8 (×2) = ATTACK Firenze 8 UP TO 2 TIMES
ATTACK Firenze 8 2x = ATTACK Firenze 8 UP TO 2 TIMES
ATTACK Firenze 8, 3 times = ATTACK Firenze 8 UP TO 3 TIMES
ATTACK Firenze 8 twice = ATTACK Firenze 8 UP TO 2 TIMES
PLACE Roma 4 OR PLACE Romagna 1 = PLACE Roma 4 OR PLACE Romagna 1
PLACE Roma 4 OR Romagna 1 = PLACE Roma 4 OR PLACE Romagna 1
PLACER Rome 4 SINON Romagne 1 SINON Acre 2 = PLACE Roma 4 ELSE PLACE Romagna 1 OR PLACE Acre 2
PLACE Roma 4 OR ELSE PLACE Romagna 1 = PLACE Roma 4 ELSE PLACE Romagna 1
PLACE Roma 4 OU SINON PLACER Romagne 1 = PLACE Roma 4 ELSE PLACE Romagna 1
VENDRE OR OU VENDRE VIN = SELL Gold OR SELL Wine
VENDRE OR OU VIN = SELL Gold OR SELL Wine
SELL OR OR SELL WINE = SELL Gold OR SELL Wine
IF I HOLD Firenze: PLACE Roma 4 = IF I HOLD Firenze: PLACE Roma 4
SI JE TIENS Florence, PLACER Rome 4 = IF I HOLD Firenze: PLACE Roma 4
si je tiens florence alors placer rome 4 = IF I HOLD Firenze: PLACE Roma 4
IF I HOLD Firenze PLACE Roma 4 = IF I HOLD Firenze: PLACE Roma 4
IF I HLOD Firenze: PLACE Roma 4 = IF I HOLD Firenze: PLACE Roma 4
IF I HOLD Firenze AND I HAVE 20 ducats: PLACE Roma 4 = IF I HOLD Firenze AND I HAVE 20: PLACE Roma 4
SI JE TIENS Florence ET J'AI 20 : PLACER Rome 4 = IF I HOLD Firenze AND I HAVE 20: PLACE Roma 4
IF NOT I HOLD Firenze: PLACE Roma 4 = UNLESS I HOLD Firenze: PLACE Roma 4
IF I DO NOT HOLD Firenze: PLACE Roma 4 = UNLESS I HOLD Firenze: PLACE Roma 4
IF I don't HOLD Firenze: PLACE Roma 4 = UNLESS I HOLD Firenze: PLACE Roma 4
SI JE NE TIENS PAS Florence : PLACER Rome 4 = UNLESS I HOLD Firenze: PLACE Roma 4
SAUF SI JE TIENS Florence : PLACER Rome 4 = UNLESS I HOLD Firenze: PLACE Roma 4
IF I HOLD Firenze AND I DO NOT HAVE 20: PLACE Roma 4 = IF I HOLD Firenze AND NOT I HAVE 20: PLACE Roma 4
IF I HOLD Firenze: PLACE Roma 4 OR Acre 1 = IF I HOLD Firenze: PLACE Roma 4 OR PLACE Acre 1
IF I HOLD Firenze: PLACE Roma 4 OR IF I HAVE 20: Acre 1 = IF I HOLD Firenze: PLACE Roma 4 OR IF I HAVE 20: PLACE Acre 1
IF I HOLD Firenze: PLACE Roma 4 OR IN ANY CASE: Acre 1 = IF I HOLD Firenze: PLACE Roma 4 OR IN ANY CASE: PLACE Acre 1
IF I HOLD Roma: PLACE Roma 4 ELSE IF I HAVE 20: Acre 1 = IF I HOLD Roma: PLACE Roma 4 ELSE IF I HAVE 20: PLACE Acre 1
"""
# The longest keyword that fits the line wins, and a list may be parted by commas, `and` or spaces.
PURCHASED = """
ACHETER N W = BUY N, W
BUY N, W and A = BUY N, W, A
acheter n et w = BUY N, W
BUY Silk Road = BUY Silk Road
ACHETER Route soie, A = BUY Silk Road, A
ach N = BUY N
BUY CARD = BUY CARD
acheter carte = BUY CARD
ACHETER car = BUY CARD
BUY SHIP Galley 2 = BUY SHIP Galley 2
ACHETER NAVIRE Galère = BUY SHIP Galley
BUY SHIP car = BUY SHIP Caravel
"""
# Digits, and words up to twenty; signs, in whatever character the keyboard makes of them.
BIDS = """
ENCHÈRE 3 = BID 3
enchere : 3 = BID 3
MISE trois = BID 3
BID three tokens = BID 3
ENCHÈRE dix-sept = BID 17
BID -2 = BID -2
BID −2 = BID -2
BID minus two = BID -2
MISE moins 2 = BID -2
BID 0 = BID 0
BID ２ = BID 2
"""


@pytest.mark.parametrize(("text", "means"), rows(ORDERS + PLANS))
def test_a_line_is_understood(text: str, means: str) -> None:
    """What is written freely is what is printed strictly."""
    assert print_clause(EVERY, line_of(text), "en", FACTS) == means


def test_each_else_may_have_a_condition_of_its_own() -> None:
    """The last ELSE is for any case, whatever the ones before it asked."""
    line = line_of("IF I HOLD Firenze: PLACE Roma 4 ELSE IF I HAVE 20: PLACE Acre 1 ELSE PLACE Romagna 1")
    rich = Condition("cash", {"least": 20})
    otherwise = (Clause(Settle("acre", 1), (rich,)), Clause(Settle("romagna", 1)))
    assert line == Line((Clause(ROMA, (FIRENZE,)),), 1, otherwise)


@pytest.mark.parametrize(
    ("text", "means", "grammar"),
    [(*row, SHOPPING) for row in rows(PURCHASED)] + [(*row, bidding()) for row in rows(BIDS)],
)
def test_an_order_of_another_question_is_understood(text: str, means: str, grammar: Grammar) -> None:
    """Forms that share their first word, and numbers."""
    assert print_clause(EVERY, order_of(text, grammar), "en") == means


# -- what is refused ---------------------------------------------------------------------------------------------

REFUSED = """
# The player is told what stopped the reading, not the first thing tried.
ATTACK Firenze 8 ELSE PLACE Rmoagnia lots = number_expected = lots
ATTACK Firenze ELSE PLACE Roma 4 = missing =
IF I HOLD Xanadu: PLACE Roma 4 = unknown_name = Xanadu
IF I EAT Firenze: PLACE Roma 4 = unknown_fact = I EAT Firenze
IF I HOLD Firenze: PLACE Xanadu 4 = unknown_name = Xanadu
ATTACK Firenze 8 UP TO 500 TIMES = out_of_range = UP TO 500 TIMES
# An order that cannot fail by chance is not tried again: the line is written as often as it is wanted.
PLACE Roma 4 UP TO 2 TIMES = not_retried = UP TO 2 TIMES
ATTACK Firenze 8 ELSE PLACE Roma 4 x2 = extra_words = x2
ATTACK Firenze 8 OR whatever = extra_words = OR whatever
PLACE Roma 4 OR Rmoagna 1 = extra_words = OR Rmoagna 1
"""
# No number is rounded, clipped or guessed.
NUMBERS = """
BID 41 = out_of_range
BID -4 = out_of_range
BID 99999999999999999999999999 = out_of_range
BID 3.5 = number_expected
BID ½ = number_expected
BID - 3 = number_expected
BID lots = number_expected
BID 3,5 = extra_words
BID 2 3 = extra_words
BID 1 000 = extra_words
BID = missing
BID ; 3 = missing
"""
# A name that could be two; the likely ones come first in the list, but never decide what was meant.
NAMES = """
PLACE Saint Jean 3 = ambiguous = Acre, Saint Jean de Luz
PLACE Mont 3 = ambiguous = Montferrat, Montpellier
PLACE Narwich 3 = ambiguous = Norwich, Harwich
PLACE Xanadu 3 = unknown_name = Romagna, Montferrat
PLACE Hurwotch 3 = unknown_name = Harwich
PLA Roma 4 = ambiguous = PLACE, PLAY
"""


@pytest.mark.parametrize(("text", "code", "word"), rows(REFUSED))
def test_the_fault_that_lies_furthest_on_is_reported(text: str, code: str, word: str) -> None:
    """The refusal names the words that could not be read."""
    problem = problem_of(text)
    assert (problem.code, problem.terms["word"]) == (code, word)


@pytest.mark.parametrize(("text", "code"), rows(NUMBERS))
def test_a_number_that_is_no_number_or_too_large_is_refused(text: str, code: str) -> None:
    """A refused number names the bounds."""
    problem = problem_of(text, bidding())
    assert problem.code == code
    assert code != "out_of_range" or (problem.terms["low"], problem.terms["high"]) == (-3, 40)


@pytest.mark.parametrize(("text", "code", "candidates"), rows(NAMES))
def test_what_could_be_two_is_refused_with_the_candidates(text: str, code: str, candidates: str) -> None:
    """Names and keywords alike: the rest of the line is not used to guess which."""
    problem = problem_of(text)
    assert (problem.code, problem.terms["candidates"]) == (code, tuple(candidates.split(", ")))


def test_what_is_legal_does_not_change_what_is_understood() -> None:
    """An ambiguous name stays refused when only one of its meanings would be accepted now."""
    slots = tuple(replace(s, suggested=("montp",)) if s.name == "place" else s for s in FIELD[1].slots)
    section = replace(OPEN, forms=(replace(FIELD[1], slots=slots),))
    problem = problem_of("PLACE Mont 3", replace(GRAMMAR, sections=(section,)))
    assert problem.terms["candidates"] == ("Montpellier", "Montferrat")


def test_a_fault_names_the_word_and_shows_the_nearest_accepted_line() -> None:
    """A refusal says what was written and what would be accepted now, and names no card that may not be held."""
    problem = problem_of("PLACE Romagna lots")
    assert problem == Problem(
        "number_expected",
        {"word": "lots", "candidates": ("3",), "slot": "tokens", "accepted": "PLACE Romagna 2"},
        lasting=True,
    )
    assert problem_of("ATTACK Montferrat").terms["accepted"] == "ATTACK Montferrat 3"
    assert problem_of("ATTAQUER", replace(GRAMMAR, language="fr")).terms["accepted"] == "ATTAQUER Montferrat 3"
    assert problem_of("PLAY").terms["accepted"] == ""


def test_two_forms_that_read_a_line_differently_are_not_guessed_between() -> None:
    """Where two orders fit equally well, the line is refused."""
    twin = replace(
        LEARN, order=Loss, slots=(replace(LEARN.slots[0], name="places", choices=CRAFTS),), fixed={"what": ""}
    )
    grammar = Grammar((Section(PURCHASES, (LEARN, twin), 4, open=True),))
    assert problem_of("BUY N", grammar).code == "ambiguous"


@pytest.mark.parametrize("kept", [False, True])
def test_one_order_ends_in_ask_me_only_where_what_follows_it_is_kept(kept: bool) -> None:
    """Where nothing would be left to ask about, the receipt says so instead of looking for a number."""
    section = replace(OPEN, topic=replace(OPEN.topic, lines=False, as_standing_orders=kept))
    found = read("PLACE Roma 4 ELSE ASK ME", grammar=Grammar((section,), REACTIONS, FACTS, "en", TOPICS))
    (written,) = next(iter(found.sets.values())).lines
    if kept:
        assert written.line == Line((Clause(ROMA),), 1, (Clause(AskMe()),))
    else:
        assert written.problem is not None
        assert (written.problem.code, written.problem.terms["word"]) == ("no_asking_here", "ASK ME")


# -- talk --------------------------------------------------------------------------------------------------------

TALK = """
Bonjour à tous,
Hello everybody!
Pour moi c'est bon
Pour info, je pars lundi
Pour info :
For now
For the record, I never liked Roma
If you want
If you want, play nice
Si tu veux
S'il te plaît, réponds vite
Sauf si tu préfères dimanche
On the other hand
On verra bien
Sur ce, bonne nuit
End of the week
Fin de semaine chargée
See you Sunday
Rien de neuf ici, sinon
Nothing new here
Player 3 is cheating
Or was it Tuesday?
Status quo for me I fear
Report from the front: all is quiet
--
Jean-Pierre
> ATTACK Firenze 8
 >> ATTACK Firenze 8
🙂
12
"""


@pytest.mark.parametrize("text", TALK.strip("\n").split("\n"))
def test_a_line_like_no_keyword_is_skipped_and_listed(text: str) -> None:
    """Ordinary sentences are talk, even when they begin with FOR, IF, ON, END or a word near a keyword."""
    assert is_talk(text)


@pytest.mark.parametrize("text", ["BESIEGE Firenze with 8", "OCCUPY Roma", "- SIEGE Firenze 8", "ÉVACUER Roma"])
def test_chatter_that_is_shouted_like_an_order_is_doubtful(text: str) -> None:
    """It is listed by itself, so that its author is asked what it was meant for."""
    assert is_talk(text)
    assert read(text).ambiguous == (1,)
    assert read(text.capitalize(), "> " + text, "OK!").ambiguous == ()


@pytest.mark.parametrize(
    "text", ["Hello", "see you on Sunday", "BESIEGE Firenze with 8", "> ATTACK Firenze 8", "🙂", "x " * 500]
)
def test_on_a_form_a_line_that_is_no_order_refuses_the_set(text: str) -> None:
    """What stands beside it does not count either: the page is for orders, and nothing in it is talk."""
    found = parse_letter(("ATTACK Firenze 8", text, "; a remark", ""), GRAMMAR, chatter=False)
    (lot,) = found.sets.values()
    assert [line.problem is None for line in lot.lines] == [True, False]
    assert not found.skipped
    nothing_asked = parse_letter((text,), replace(GRAMMAR, sections=()), chatter=False)
    assert [line.problem.code for line in nothing_asked.unmatched if line.problem] == ["not_understood"]


@pytest.mark.parametrize("text", ["Play nice", "Place à la fête", "Attack at dawn, my friends", "Jouer, c'est vivre"])
def test_a_line_that_begins_with_an_order_keyword_refuses_the_set(text: str) -> None:
    """To lose an order is worse than to refuse a sentence."""
    assert problem_of(text).lasting


def test_empty_lines_and_comments_say_nothing() -> None:
    """They are not even listed as skipped."""
    found = read("", "   ", "; ATTACK Firenze 8", "  ;x", "\u200b")
    assert found == read()


# -- PASS, END, LUCK ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["PASS", "pass.", "Passer", "RIEN", "Nothing!", "je passe", "- RIEN -", "PASS EXPANSION"]
)
def test_pass_is_the_confirmed_empty_set(text: str) -> None:
    """PASS confirms the empty set, which an empty letter does not."""
    assert read(text).sets[NOW].is_pass
    assert read(text).sets[NOW].lines == ()
    assert NOW not in read("").sets


def test_pass_beside_orders_is_refused() -> None:
    """Either the orders or the PASS is a mistake, and only the player knows which."""
    for lines in (("PASS", "PLACE Roma 4"), ("PLACE Roma 4", "RIEN")):
        written = read(*lines).sets[NOW]
        assert not written.is_pass
        assert [w.problem.code for w in written.lines if w.problem] == ["pass_and_orders"]
        assert not written.readable


def test_pass_needs_a_name_when_two_questions_are_open() -> None:
    """A bare PASS refuses both; PASS with the section's name answers one."""
    both = replace(GRAMMAR, sections=(OPEN, replace(SHOPS, turn=4, open=True)))
    assert [w.problem.code for s in read("PASS", grammar=both).sets.values() for w in s.lines if w.problem] == [
        "ambiguous",
        "ambiguous",
    ]
    assert read("PASSER ACHATS", "PLACE Roma 4", grammar=both).sets[SectionKey("purchases", 4)].is_pass
    assert read("BUY N", "PLACE Roma 4", grammar=both).sets.keys() == {SectionKey("purchases", 4), NOW}


def test_pass_with_something_unreadable_is_refused_unless_it_is_a_sentence() -> None:
    """`PASS tokens please` may have been meant; `Pass me the salt, would you` hardly."""
    assert problem_of("PASS it all").code == "extra_words"
    assert is_talk("Pass me the salt, would you please")


@pytest.mark.parametrize("end", ["END", "fin", "End.", "*** FIN ***", "-- END --", "END ; thanks"])
def test_end_always_stops_reading(end: str) -> None:
    """What follows may be anything, orders included."""
    found = read("PLACE Roma 4", end, "ATTACK Firenze 8", "see you", "STATUS")
    assert found.has_end
    assert len(found.sets[NOW].lines) == 1
    assert not found.skipped
    assert not found.commands


def test_luck_keeps_the_words() -> None:
    """Words for luck are mixed into the draws exactly as they were typed."""
    assert read("LUCK my cat walked over the map", "chance : sept, huit").luck == (
        "my cat walked over the map",
        "sept, huit",
    )


# -- sections ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "FOR TURN 5 EXPANSION",
        "POUR TOUR 5 EXPANSION",
        "pour le tour 5, expansion :",
        "Pour l'expansion du tour 5",
        "FOR EXPANSION OF TURN 5",
        "FOR TURN five EXPNASION",
        "Turn 5 expansion:",
    ],
)
def test_for_opens_a_section_ahead_up_to_the_next(text: str) -> None:
    """Lines of the open phase come first; each later line belongs to the heading above it."""
    found = read("PLACE Roma 4", text, "ATTACK Firenze 8", "FOR PURCHASES", "BUY N", "BUY CARD")
    assert {key: s.orders for key, s in found.sets.items()} == {
        NOW: (Line((Clause(ROMA),)),),
        SectionKey("expansion", 5): (Line((Clause(Raid("firenze", 8)),)),),
        SectionKey("purchases", None): (Line((Clause(Learn(("n",))),)), Line((Clause(Hire("card")),))),
    }


def test_for_may_name_the_turn_of_a_section_for_any_turn() -> None:
    """A section may name its turn, and the same heading twice is one section."""
    found = read("FOR TURN 6 PURCHASES", "BUY N", "FOR TURN 6 PURCHASES", "BUY W", "POUR ACHATS", "PASS")
    assert len(found.sets[SectionKey("purchases", 6)].lines) == 2
    assert found.sets[SectionKey("purchases", None)].is_pass


def test_an_order_may_stand_on_the_line_of_its_heading() -> None:
    """`FOR PURCHASES: BUY N` is a heading and an order."""
    found = read("FOR PURCHASES: BUY N", "BUY W", "FOR TURN 5 EXPANSION PLACE Roma 4")
    assert len(found.sets[SectionKey("purchases", None)].orders) == 2
    assert found.sets[SectionKey("expansion", 5)].orders == (Line((Clause(ROMA),)),)


@pytest.mark.parametrize("text", ["PURCHASES", "--- PURCHASES", "ACHATS"])
def test_a_topic_alone_in_capitals_is_a_heading(text: str) -> None:
    """Who writes the phases of a turn in one letter heads each as the letters print them."""
    found = read("PLACE Roma 4", text, "BUY N")
    assert {key: s.orders for key, s in found.sets.items()} == {
        NOW: (Line((Clause(ROMA),)),),
        SectionKey("purchases", None): (Line((Clause(Learn(("n",))),)),),
    }


@pytest.mark.parametrize("text", ["Purchases:", "achats :"])
def test_a_topic_before_a_colon_is_a_heading(text: str) -> None:
    """A topic that ends in a colon heads the lines below it, in small letters too."""
    found = read("PLACE Roma 4", text, "BUY N")
    assert {key: s.orders for key, s in found.sets.items()} == {
        NOW: (Line((Clause(ROMA),)),),
        SectionKey("purchases", None): (Line((Clause(Learn(("n",))),)),),
    }


def test_a_shouted_name_of_what_cannot_be_answered_is_talk() -> None:
    """Whoever shouts a word of the game opens nothing and loses nothing: the line is listed as not understood."""
    found = read("FINAL", "PLACE Roma 4")
    assert found.sets.keys() == {NOW}
    assert found.ambiguous == (1,)


@pytest.mark.parametrize("text", ["FOR FINAL", "FOR TURN 9 EXPANSION", "FOR TURN 5 dinner", "FOR EXPANSION and more"])
def test_lines_under_a_heading_that_cannot_be_answered_belong_nowhere(text: str) -> None:
    """The lines are refused, and do not fall into the open section."""
    found = read(text, "PLACE Roma 4", "RIEN", "STATUS")
    assert not found.sets
    assert [w.number for w in found.unmatched] == [1, 2, 3]
    assert all(w.problem is not None for w in found.unmatched)
    assert [c.name for c in found.commands] == ["status"]


def test_an_order_of_another_section_is_refused_with_its_heading() -> None:
    """`PLACE` while a bid is asked would be lost if it were taken for talk."""
    problem = problem_of("PLACE Roma 4", bidding())
    assert (problem.code, problem.terms["accepted"]) == ("other_section", "FOR TURN 5 EXPANSION")
    problem = problem_of("CEDE Roma")
    assert (problem.code, problem.terms["accepted"]) == ("other_section", "ON CIVIL WAR: CEDE Roma")


def test_orders_while_nothing_is_asked_are_refused() -> None:
    """Sections ahead must be named; nothing is guessed into them."""
    found = read("BUY N", "PASS", "Hello", grammar=replace(GRAMMAR, sections=(SHOPS,)))
    assert [w.problem.code for w in found.unmatched if w.problem] == ["other_section", "not_open"]
    assert found.skipped == ((3, "Hello"),)


def test_a_set_keeps_the_number_and_text_of_each_line() -> None:
    """The receipt shows what was written beside what was understood."""
    found = read("Hi all", "", "  placer Rome 4 ; yes ", "PLACE Xanadu 1")
    good, bad = found.sets[NOW].lines
    assert (good.number, good.text) == (3, "placer Rome 4 ; yes")
    assert (bad.number, bad.line) == (4, None)
    assert found.skipped == ((1, "Hi all"),)


# -- reactions ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "asks", "order"),
    [
        ("ON CIVIL WAR: MONEY", "civil", Loss("money")),
        ("SUR GUERRE CIVILE : ARGENT", "civil", Loss("money")),
        ("En cas de guerre civile, argent", "civil", Loss("money")),
        ("IN CASE OF CIVIL WAR -> money", "civil", Loss("money")),
        ("ON CIVL WAR: MONY", "civil", Loss("money")),
        ("Civil War: money", "civil", Loss("money")),
        ("ON WAR: CEDE Roma and Acre", "war", Loss("places", ("roma", "acre"))),
        ("SUR GUERRE : Rome, Acre", "war", Loss("places", ("roma", "acre"))),
    ],
)
def test_on_answers_a_question_ahead(text: str, asks: str, order: Order) -> None:
    """The longest topic that fits is meant; with one form, its keyword may be left out."""
    found = read(text)
    assert found.reactions[asks].line == Line((Clause(order),))
    assert not found.sets


@pytest.mark.parametrize("text", ["ON CIVIL WAR: NONE", "SUR GUERRE CIVILE : RIEN", "on civil war nothing"])
def test_none_takes_a_reaction_back(text: str) -> None:
    """Taking a reaction back is no answer of its own."""
    written = read(text).reactions["civil"]
    assert written.is_withdrawal
    assert (written.line, written.problem) == (None, None)


def test_a_reaction_that_cannot_be_read_refuses_itself_alone() -> None:
    """The set beside it is untouched, and the reaction's problem shows a reaction that would be read."""
    found = read("PLACE Roma 4", "ON CIVIL WAR: tears")
    assert found.sets[NOW].readable
    problem = found.reactions["civil"].problem
    assert problem is not None
    assert problem.terms["candidates"] == ("MONEY", "CEDE")
    assert str(problem.terms["accepted"]).startswith("ON CIVIL WAR: ")
    unknown = read("ON WAR: tears").reactions["war"].problem
    assert unknown is not None
    assert unknown.terms["accepted"] == ""


def test_two_answers_to_one_question_contradict_each_other() -> None:
    """The same answer twice counts once; two different ones are refused."""
    assert read("ON CIVIL WAR: MONEY", "SUR GUERRE CIVILE : ARGENT").reactions["civil"].problem is None
    problem = read("ON CIVIL WAR: MONEY", "ON CIVIL WAR: CEDE Roma").reactions["civil"].problem
    assert problem is not None
    assert problem.code == "said_twice"


def test_a_reaction_whose_question_is_open_answers_it() -> None:
    """ON WAR while War is asked is the answer, not a reaction for a later one."""
    asked = Section(WAR, REACTIONS[1].forms, 4, open=True)
    grammar = replace(GRAMMAR, sections=(asked,), reactions=REACTIONS[:1])
    assert read("ON WAR: CEDE Roma", grammar=grammar).sets[SectionKey("war", 4)].orders
    assert read("CEDE Roma", grammar=grammar).sets[SectionKey("war", 4)].orders


# -- commands ----------------------------------------------------------------------------------------------------


COMMANDS = """
STATUS = status
état ? = status
Statut = status
staus = status
HELP = help
aide = help
REPORT = report
rapport = report
WITHDRAW = withdraw
retirer = withdraw
PREVIEW = preview
Essai. = preview
APERÇU = preview
preview = preview
"""


@pytest.mark.parametrize(("text", "name"), rows(COMMANDS))
def test_commands_stand_beside_orders(text: str, name: str) -> None:
    """Commands are read in either language, anywhere before END, and change no set."""
    found = read("PLACE Roma 4", text)
    assert [c.name for c in found.commands] == [name]
    assert len(found.sets[NOW].lines) == 1


def test_commands_may_say_what_they_are_about() -> None:
    """HELP may name a word, REPORT a turn, WITHDRAW a section or a reaction."""
    found = read("HELP attack", "REPORT TURN 3", "RAPPORT 2", "WITHDRAW PURCHASES", "RETIRER SUR GUERRE CIVILE")
    helped, third, second, section, reaction = found.commands
    assert helped.word == "attack"
    assert (third.turn, second.turn) == (3, 2)
    assert section.section == SectionKey("purchases", None)
    assert reaction.reaction == "civil"
    assert read("WITHDRAW FOR TURN 5 EXPANSION").commands[0].section == SectionKey("expansion", 5)


def test_a_withdrawal_of_something_unknown_withdraws_nothing() -> None:
    """It is refused with the known names, and never taken for a withdrawal of everything."""
    (command,) = read("WITHDRAW my consent").commands
    assert command.problem is not None
    assert command.problem.terms["candidates"]


def test_an_order_form_goes_before_a_command_of_the_same_word() -> None:
    """A game may have an order RETIRER; alone, the word is still the command."""
    form = replace(FIELD[1], keyword=words("RETIRER", FIELD[1].keyword.printed("en")))
    grammar = replace(GRAMMAR, sections=(replace(OPEN, forms=(form,)),))
    assert order_of("RETIRER Rome 2", grammar) == Settle("roma", 2)
    assert read("RETIRER", grammar=grammar).commands[0].name == "withdraw"


def test_the_topic_of_the_open_question_is_no_keyword() -> None:
    """`Tokens` alone is talk; as a heading it needs FOR, a colon or capitals."""
    assert TOKENS.words.of("en") == ("TOKENS",)
    assert is_talk("Tokens", bidding())
    assert read("Tokens:", "BID 3", grammar=bidding()).sets[SectionKey("tokens", 4)].orders


# -- facts told of a subject, and grammars of a real game --------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "negated"),
    [
        ("IF Firenze IS EMPTY: PLACE Roma 4", False),
        ("SI Florence EST VIDE : PLACER Rome 4", False),
        ("IF Firenze IS NOT EMPTY: PLACE Roma 4", True),
        ("SI Florence N'EST PAS VIDE : PLACER Rome 4", True),
        ("UNLESS Firenze IS EMPTY: PLACE Roma 4", True),
    ],
)
def test_a_fact_may_be_told_of_its_subject(text: str, negated: bool) -> None:
    """The subject stands before the verb or its denial, as in speech."""
    empty = Fact("empty", words("EST VIDE", "IS EMPTY"), (replace(PLACE, leading=True),))
    said = Condition("empty", {"place": "firenze"}, negated)
    assert line_of(text, replace(GRAMMAR, facts=(empty,))) == Line((Clause(ROMA, (said,)),))


def test_a_grammar_is_made_of_what_the_rules_ask() -> None:
    """Open questions are sections with the lines accepted now, and each possible reaction is a section of its own."""
    rules, seat = Toy(), Seat("red")
    position = start(rules, (seat, Seat("blue")), {}, bytes(32), b"").position
    with seen_by(seat):
        made = build_grammar(rules, position, seat, "fr")
        asked = [d for d in position.core.questions if d.seat == seat]
        ahead = rules.advance_questions(position, seat)
    assert [s.key for s in made.sections if s.open] == [SectionKey(d.topic, Gate.parse(d.gate).turn) for d in asked]
    assert len(made.sections) + len(made.reactions) == len(asked) + len(ahead)
    assert all(s.topic.is_reaction for s in made.reactions)
    assert (made.topics, made.language) == (rules.meta.topics, "fr")
    assert (Gate.parse("expansion/5").turn, Gate.parse("keep").turn) == (5, None)


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("PLACE Firenze 4; PLACE Milano 2", "PLACE Milano 2"),
        ("PLACE Firenze 4 ; and then; place Milano 2", "place Milano 2"),
        ("PLACE Firenze 4; WITHDRAW", "WITHDRAW"),
        ("PLACE Firenze 4; ON WAR: FUEL", "ON WAR: FUEL"),
        ("That is all; PASS", "PASS"),
    ],
)
@pytest.mark.parametrize("chatter", [True, False])
def test_an_order_after_a_semicolon_is_refused_and_not_taken_for_a_comment(text: str, lost: str, chatter: bool) -> None:
    """The whole line is refused with a sentence that names what would be lost; nothing of its section counts."""
    found = parse_letter((text,), GRAMMAR, chatter=chatter)
    (line,) = next(iter(found.sets.values())).lines
    assert line.line is None
    assert line.problem is not None
    assert (line.problem.code, line.problem.terms["word"]) == ("after_semicolon", lost)
    assert not found.commands


def test_orders_below_end_are_listed() -> None:
    """What begins like an order or a command below END is not read, and is named; talk is not."""
    found = read("PLACE Firenze 4", "END", "Best wishes", "PLACE Milano 2", "; PLACE Roma 1", "END", "STATUS", "Zoe")
    assert found.below_end == ("PLACE Milano 2", "STATUS")
    assert [line.text for line in next(iter(found.sets.values())).lines] == ["PLACE Firenze 4"]


def test_orders_on_the_line_of_end_are_listed() -> None:
    """Behind the semicolon of END, as below it."""
    found = read("PLACE Firenze 4", "END ; PLACE Milano 2; and so on;STATUS", "PLACE Roma 1")
    assert found.below_end == ("PLACE Milano 2", "STATUS", "PLACE Roma 1")
    assert [line.text for line in next(iter(found.sets.values())).lines] == ["PLACE Firenze 4"]


def test_a_line_with_more_remarks_than_words_of_an_order_is_too_long() -> None:
    """It costs no more than reading so many; semicolons alone and words said twice are nothing to read."""
    kept = line_of("PLACE Firenze 4" + ";" * 50_000 + "; then" * 10_000)
    assert kept == line_of("PLACE Firenze 4")
    found = read("PLACE Firenze 4" + "".join(f"; word{number}" for number in range(10_000)) + "; PLACE Milano 2")
    (line,) = next(iter(found.sets.values())).lines
    assert line.problem is not None
    assert line.problem.code == "too_long"
