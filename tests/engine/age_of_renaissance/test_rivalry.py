"""§9.5.2  Rivalries as they are fought: attacks and their repeats, Conversion on both sides, Manuscripts."""

from collections.abc import Callable

import pytest

from engine.age_of_renaissance.board import Piece
from engine.age_of_renaissance.catalogue import ODDS
from engine.age_of_renaissance.events import CardsExchanged, RivalryFought
from engine.age_of_renaissance.orders import Attack, Exchange, Place, UseConversion
from engine.kernel.events import LineStarted, QuestionsAsked
from engine.kernel.secrets import redact, seen_by
from engine.kernel.viewers import Seat
from tests.engine.age_of_renaissance import build
from tests.engine.age_of_renaissance.build import At, Went, events_of
from tests.engine.age_of_renaissance.expansion_positions import (
    SIX,
    Sets,
    again,
    answer,
    at,
    carry,
    code,
    field,
    give,
    power,
    problem,
    put,
    rolls,
    rulings,
)

WON, LOST = (1, 6, 1), (1, 1, 6)
YELLOW, VIOLET, BLUE = Seat("yellow"), Seat("violet"), Seat("blue")


def firenze(**letters: str) -> At:
    """Genoa controls Firenze; Venezia plays last with twenty tokens. Advances by colour."""
    seen = field("blue", "violet", "yellow")
    put(seen, "violet", "firenze", marker="old")
    give(seen, "yellow", tokens=20)
    for colour, owned in letters.items():
        give(seen, colour, advances=owned)
    return seen


def fought(went: Went) -> RivalryFought:
    """The one rivalry of an entry."""
    (event,) = events_of(went, RivalryFought)
    return event


def questions_in(went: Went) -> list[tuple[str, str]]:
    """Gates and seats asked in an entry."""
    return [(d.gate, str(d.seat)) for event in events_of(went, QuestionsAsked) for d in event.decisions]


# --- fighting


def test_the_winner_puts_a_new_marker_and_all_losers_go_to_stock() -> None:
    """§9.5.2  The attacker's tokens become a new marker, the loser's pieces go home; beaten, they are lost."""
    went = carry(firenze(), {"yellow": [Attack("firenze", 8)]}, rolls("yellow", "firenze", WON))
    assert at(went, "firenze", "yellow") == Piece(marker="new")
    assert at(went, "firenze", "violet") == Piece()
    assert (power(went, "yellow").stock, power(went, "yellow").markers) == (36, 23)
    assert power(went, "violet").markers == 24
    build.sound(went.position)
    went = carry(firenze(), {"yellow": [Attack("firenze", 8)]}, rolls("yellow", "firenze", LOST))
    assert at(went, "firenze", "violet") == Piece(marker="old")
    assert fought(went).left == ""
    assert power(went, "yellow").fought["firenze"][-1] == "L"
    build.sound(went.position)


def test_the_event_tells_how_it_came() -> None:
    """§9.5.2  A rivalry is told with tokens, way, strengths on both sides, rank and dice."""
    seen = firenze(violet="W")
    give(seen, "yellow", weapons=("armor",))
    event = fought(carry(seen, {"yellow": [Attack("firenze", 9)]}, rolls("yellow", "firenze", (3, 5, 6))))
    assert (event.tokens, event.via, event.number, event.strength) == (9, "land", 1, 10)
    assert event.against == ((VIOLET, 5),)
    assert (event.rank, event.dice, event.by, event.won) == (6, (3, 5, 6), None, False)


@pytest.mark.parametrize(
    ("tries", "dice", "numbers", "milano"),
    [
        (2, (LOST, WON), "LW", Piece()),
        (2, (LOST, LOST), "LL", Piece(marker="new")),
        (5, (LOST, LOST), "LL", Piece(marker="new")),
    ],
)
def test_an_attack_is_repeated_until_it_succeeds(
    tries: int, dice: tuple[tuple[int, int, int], ...], numbers: str, milano: Piece
) -> None:
    """§9.5.2  A failed attack may be repeated in the same phase, while there are tokens; a success ends the line, and
    after the last try what was ordered otherwise is done.
    """
    line = again(Attack("firenze", 8), tries, Place("milano", 3))
    went = carry(firenze(), {"yellow": [line]}, rolls("yellow", "firenze", *dice))
    assert power(went, "yellow").fought == {"firenze": numbers}
    assert at(went, "milano", "yellow") == milano
    assert [event.otherwise for event in events_of(went, LineStarted)][-1] == milano.controls


@pytest.mark.holds("age_of_renaissance", "ruling", "R1")
def test_a_weak_attack_is_refused_with_the_figure_that_is_wanted() -> None:
    """§9.5.2, R1  A refusal names the tokens needed; where nobody stands, how many PLACE would put down."""
    refusal = problem(firenze(), "yellow", Attack("firenze", 7))
    assert (refusal.code, refusal.terms["needs"], refusal.terms["nearest"]) == ("too_weak", 8, 8)
    refusal = problem(firenze(), "yellow", Attack("milano", 3))
    assert (refusal.code, refusal.terms["room"]) == ("nobody_there", 3)
    seen = firenze()
    give(seen, "yellow", tokens=6)
    assert problem(seen, "yellow", Attack("firenze", 6)).terms["nearest"] == 0


def test_earlier_sets_change_what_later_ones_need() -> None:
    """§9.5  Sets are carried out in order of play: a later player must fight those who came before."""
    seen = field("blue", "violet", "yellow")
    give(seen, "violet", tokens=4)
    give(seen, "yellow", tokens=8)
    sets: Sets = {"violet": [Place("firenze", 4)], "yellow": [Place("firenze", 4), Attack("firenze", 8)]}
    went = carry(seen, sets, rolls("yellow", "firenze", WON))
    assert at(went, "firenze", "yellow") == Piece(marker="new")
    assert fought(went).against == ((VIOLET, 4),)


def test_all_defenders_lose_together() -> None:
    """§9.5.2  A player who wins against several takes the province from all of them."""
    seen = field(*SIX)
    put(seen, "violet", "milano", old=1)
    put(seen, "blue", "milano", old=1)
    give(seen, "yellow", tokens=5)
    went = carry(seen, {"yellow": [Attack("milano", 5)]}, rolls("yellow", "milano", (6, 1, 1)))
    assert list(went.position.board.pieces["milano"]) == ["yellow"]
    assert fought(went).against == ((VIOLET, 1), (BLUE, 1))
    build.sound(went.position)


def test_a_preview_takes_the_attack_as_won_and_tells_the_odds() -> None:
    """B1  A judged attack is taken as won, with the chance of it; what follows may build on it."""
    seen = firenze()
    give(seen, "yellow", weapons=("armor",))
    first, second = rulings(seen, "yellow", Attack("firenze", 8), Place("firenze", 1))
    (note,) = first.notes
    assert (note.code, note.terms["wins"], note.terms["of"]) == ("odds", 126, 216)
    assert ODDS[6, True, False].numerator * 216 == 126 * ODDS[6, True, False].denominator
    assert second.problem is not None
    assert second.problem.code == "already_yours"


def test_who_left_while_asked_fights_no_more() -> None:
    """§11.3  An attacker who leaves while a defender is asked brings no tokens: their set is over."""
    went = carry(firenze(violet="H"), {"yellow": [Attack("firenze", 8)]})
    gone = give(went.position, "yellow", eliminated=True)
    gone.stock, gone.expansion = 36, 0
    done = answer(went, "conversion/5/firenze/yellow/1", {"violet": []})
    assert events_of(done, RivalryFought) == []
    assert at(done, "firenze", "violet") == Piece(marker="old")


# --- Conversion


def test_what_conversion_needs() -> None:
    """§9.5.2 Conversion  It wants the strength to attack, works once a turn against each player, and never against an
    owner of it who is still in the game (§9.4.4, R43).
    """
    seen = firenze(yellow="H")
    assert code(seen, "yellow", Attack("firenze", 7, convert=True)) == "too_weak"
    put(seen, "violet", "milano", old=1)
    put(seen, "blue", "dubrovnik", old=1)
    orders = Attack("firenze", 8, convert=True), Attack("milano", 4, convert=True)
    assert code(seen, "yellow", *orders) == "conversion_used"
    assert code(seen, "yellow", orders[0], Attack("dubrovnik", 4, convert=True)) == "fine"
    give(seen, "violet", advances="H")
    assert code(seen, "yellow", orders[0]) == "conversion_resisted"
    give(seen, "violet", eliminated=True)
    assert code(seen, "yellow", orders[0]) == "fine"
    assert problem(firenze(), "yellow", orders[0]).lasting


@pytest.mark.holds("age_of_renaissance", "ruling", "R7")
def test_conversion_in_a_mixed_province() -> None:
    """R7  Where one of several defenders has it, it cannot be used; else it is used against each."""
    seen = field(*SIX)
    put(seen, "violet", "milano", old=1)
    put(seen, "blue", "milano", old=1)
    give(seen, "yellow", tokens=9, advances="H")
    went = carry(seen, {"yellow": [Attack("milano", 5, convert=True)]})
    assert (fought(went).by, fought(went).dice, fought(went).won) == (YELLOW, None, True)
    assert power(went, "yellow").converted == {VIOLET, BLUE}
    give(seen, "blue", advances="H")
    refusal = problem(seen, "yellow", Attack("milano", 5, convert=True))
    assert (refusal.code, refusal.terms["seats"]) == ("conversion_resisted", (BLUE,))


@pytest.mark.holds("age_of_renaissance", "topic", "conversion")
@pytest.mark.holds("age_of_renaissance", "form", "UTILISER CONVERSION")
def test_defenders_who_could_convert_are_asked_before_the_dice() -> None:
    """§9.5.2, R7  A holder of Conversion unused against this attacker is asked; if they pass, the dice fall.

    A preview says who may use it; against an owner of Conversion nobody is asked.
    """
    went = carry(firenze(violet="H"), {"yellow": [Attack("firenze", 8)]})
    assert questions_in(went) == [("conversion/5/firenze/yellow/1", "violet")]
    assert events_of(went, RivalryFought) == []
    done = answer(went, "conversion/5/firenze/yellow/1", {"violet": []}, rolls("yellow", "firenze", WON))
    assert fought(done).won
    (ruling,) = rulings(firenze(violet="H"), "yellow", Attack("firenze", 8))
    assert [(note.code, note.terms.get("seats")) for note in ruling.notes] == [
        ("unforeseen", (VIOLET,)),
        ("odds", None),
    ]
    went = carry(firenze(violet="H", yellow="H"), {"yellow": [Attack("firenze", 8)]}, rolls("yellow", "firenze", WON))
    assert questions_in(went) == []


def test_a_defence_by_conversion_wins_without_dice() -> None:
    """§9.5.2 Conversion  The defender wins, once a turn against that attacker; the next attack falls to the dice."""
    went = carry(firenze(violet="H"), {"yellow": [again(Attack("firenze", 8), 2)]})
    script = rolls("yellow", "firenze", WON, first=2)
    done = answer(went, "conversion/5/firenze/yellow/1", {"violet": [UseConversion()]}, script)
    first, second = events_of(done, RivalryFought)
    assert (first.by, first.dice, first.won) == (VIOLET, None, False)
    assert (second.by, second.won) == (None, True)
    assert power(done, "violet").converted == {YELLOW}
    assert questions_in(done) == []


def test_a_defence_kept_for_other_powers_or_provinces_is_not_used() -> None:
    """§9.5.2  A defender may keep Conversion for some attackers, or some provinces."""
    gate = "conversion/5/firenze/yellow/1"
    for kept in (UseConversion(against=("barcelona",)), UseConversion(provinces=("roma",))):
        went = carry(firenze(violet="H"), {"yellow": [Attack("firenze", 8)]})
        assert fought(answer(went, gate, {"violet": [kept]}, rolls("yellow", "firenze", WON))).by is None
    for used in (UseConversion(against=("venezia",)), UseConversion(provinces=("roma", "firenze"))):
        went = carry(firenze(violet="H"), {"yellow": [Attack("firenze", 8)]})
        assert fought(answer(went, gate, {"violet": [used]})).by == VIOLET


def test_one_of_several_defenders_converts_for_all() -> None:
    """§9.5.2, R7  One defender's Conversion saves the others; of two who would use it, the first to play does."""
    seen = field(*SIX)
    put(seen, "violet", "milano", old=1)
    put(seen, "blue", "milano", old=1)
    give(seen, "yellow", tokens=5)
    for colour in ("violet", "blue"):
        give(seen, colour, advances="H")
    went = carry(seen, {"yellow": [Attack("milano", 5)]})
    both = {"violet": [UseConversion()], "blue": [UseConversion()]}
    done = answer(went, "conversion/5/milano/yellow/1", both)
    assert fought(done).by == VIOLET
    assert power(done, "blue").converted == frozenset()
    assert at(done, "milano", "blue") == Piece(old=1)
    assert done.position.board.answers == {}


def test_a_defence_names_powers_and_provinces_of_the_game() -> None:
    """§9.5.2  Conversion kept for a province or a power that does not exist is refused."""
    seen = firenze(violet="H")
    codes = []
    for order in (
        UseConversion(provinces=("atlantis",)),
        UseConversion(against=("hamburg",)),
        UseConversion(("genoa",)),
    ):
        refused = build.refused(seen, VIOLET, "conversion", order)
        codes.append(refused.code if refused else "fine")
    assert codes == ["no_such_province", "no_such_power", "fine"]


# --- Manuscripts


def manuscripts() -> At:
    """Venezia with Manuscripts and two cards against Genoa, which controls Firenze and holds three."""
    seen = firenze(yellow="N")
    build.hand(seen, YELLOW, "wool_1a", "famine")
    build.hand(seen, VIOLET, "timber_1", "mysticism", "war")
    return seen


def captured(seen: At) -> Went:
    """Firenze falls."""
    return carry(seen, {"yellow": [Attack("firenze", 8)]}, rolls("yellow", "firenze", WON))


GATE = "manuscripts/5/firenze/yellow"


@pytest.mark.holds("age_of_renaissance", "topic", "manuscripts")
@pytest.mark.holds("age_of_renaissance", "event", "aor.CardsExchanged")
@pytest.mark.holds("age_of_renaissance", "form", "ÉCHANGER")
def test_a_card_is_exchanged_after_a_capture() -> None:
    """§9.5.2 Manuscrits  One card chosen goes for one drawn from the victim's hand."""
    (ruling,) = rulings(manuscripts(), "yellow", Attack("firenze", 8))
    assert [note.terms.get("what") for note in ruling.notes] == [None, "manuscripts"]
    went = captured(manuscripts())
    assert questions_in(went) == [(GATE, "yellow")]
    done = answer(went, GATE, {"yellow": [Exchange(("famine",))]}, {GATE: 2})
    assert build.held(done.position, YELLOW) == ("wool_1a", "mysticism")
    assert build.held(done.position, VIOLET) == ("timber_1", "war", "famine")
    assert power(done, "yellow").exchanged
    build.sound(done.position)


def test_the_first_card_named_that_is_still_held_goes() -> None:
    """§9.5.2  Of several cards named, the first still in hand is given; with none, or passed, nothing happens."""
    done = answer(captured(manuscripts()), GATE, {"yellow": [Exchange(("war", "wool_1b", "famine"))]}, {GATE: 1})
    assert build.held(done.position, YELLOW) == ("famine", "timber_1")
    for orders in ([Exchange(("war", "no_card"))], []):
        none = answer(captured(manuscripts()), GATE, {"yellow": orders})
        assert events_of(none, CardsExchanged) == []
        assert not power(none, "yellow").exchanged


def test_only_the_two_know_the_cards() -> None:
    """§10, R10  Captor and victim know both cards; nobody else is told which they were."""
    done = answer(captured(manuscripts()), GATE, {"yellow": [Exchange(("famine",))]}, {GATE: 2})
    (event,) = events_of(done, CardsExchanged)
    for seat in (YELLOW, VIOLET):
        with seen_by(seat):
            assert (event.given.value, event.taken.value) == ("famine", "mysticism")
    masked = redact(event, BLUE)
    with seen_by(BLUE):
        assert not masked.given.visible
        assert not masked.taken.visible
    with seen_by(YELLOW):
        assert done.position.board.known_hand(VIOLET) == ("famine",)


def _exchanged(seen: At) -> None:
    give(seen, "yellow", exchanged=True)


def _tokens(seen: At) -> None:
    put(seen, "violet", "firenze", old=4)


def _new_marker(seen: At) -> None:
    put(seen, "violet", "firenze", marker="new")


def _victim_has_it(seen: At) -> None:
    give(seen, "violet", advances="N")


def _lacks_it(seen: At) -> None:
    give(seen, "yellow", advances="")


def _no_card(seen: At) -> None:
    build.hand(seen, YELLOW)


def _nothing_to_take(seen: At) -> None:
    build.hand(seen, VIOLET)


@pytest.mark.holds("age_of_renaissance", "ruling", "R10")
@pytest.mark.parametrize(
    "hindrance", [_exchanged, _tokens, _new_marker, _victim_has_it, _lacks_it, _no_card, _nothing_to_take]
)
def test_when_no_card_is_exchanged(hindrance: Callable[[At], None]) -> None:
    """§9.5.2 Manuscrits, R10, R49  Once a turn, for a province under an old marker, from who has not got it; by an
    owner of it; while both have a card.
    """
    seen = manuscripts()
    hindrance(seen)
    assert questions_in(captured(seen)) == []


def test_a_card_not_in_hand_cannot_be_promised_when_asked() -> None:
    """§9.5.2  When the question is open one of the cards named must be in hand; ahead it may still come."""
    seen = manuscripts()
    refused = build.refused(seen, YELLOW, "manuscripts", Exchange(("war",)), province="firenze")
    assert refused is not None
    assert refused.code == "card_not_held"
    assert build.refused(seen, YELLOW, "manuscripts", Exchange(("war",))) is None
    assert build.refused(seen, YELLOW, "manuscripts", Exchange(("famine",)), province="firenze") is None
