"""§9.5  The phase as a whole: Indulgences, the sequence of sets, the card for tokens, bonus and consolidation."""

from collections.abc import Sequence

import pytest

from engine.age_of_renaissance.board import Phase, Piece
from engine.age_of_renaissance.events import (
    CardDrawn,
    Consolidated,
    Eliminated,
    LastTurnCame,
    MiseryMoved,
    Paid,
    Placed,
    Received,
    TokensMoved,
    TokensReturned,
)
from engine.age_of_renaissance.orders import BuyCard, Indulge, Place
from engine.age_of_renaissance.ruleset import RULES
from engine.kernel.events import LinesDropped, QuestionsAsked
from engine.kernel.orders import Problem, Question
from engine.kernel.viewers import Seat
from tests.engine.age_of_renaissance import build
from tests.engine.age_of_renaissance.build import At, Went, events_of
from tests.engine.age_of_renaissance.expansion_positions import (
    answer,
    at,
    carry,
    code,
    field,
    give,
    lines,
    power,
    problem,
    put,
    rulings,
)

BLUE, VIOLET, YELLOW = Seat("blue"), Seat("violet"), Seat("yellow")


def three(**tokens: int) -> At:
    """Barcelona, Genoa, Venezia in order of play, with tokens by colour."""
    seen = field("blue", "violet", "yellow")
    for colour, count in tokens.items():
        give(seen, colour, tokens=count)
    return seen


def questions_in(went: Went) -> list[tuple[str, str]]:
    """Gates and seats asked in an entry."""
    return [(d.gate, str(d.seat)) for event in events_of(went, QuestionsAsked) for d in event.decisions]


# --- Indulgences


def sinners(holders: str, **tokens: int) -> Went:
    """The phase begins; these colours (by initial) hold Indulgences."""
    seen = three(**tokens)
    for colour in ("blue", "violet", "yellow"):
        if colour[0] in holders:
            give(seen, colour, advances="F")
    return build.enter(seen, Phase.EXPANSION)


def test_indulgences_move_two_tokens_for_each_player_on_the_other_side() -> None:
    """§9.5 Indulgences  A holder gains two tokens for each who has it not; each of those loses two for each holder."""
    one = sinners("b", blue=5, violet=6, yellow=7)
    assert [power(one, c).expansion for c in ("blue", "violet", "yellow")] == [9, 4, 5]
    two = sinners("bv", blue=5, violet=6, yellow=7)
    assert [power(two, c).expansion for c in ("blue", "violet", "yellow")] == [7, 8, 3]
    build.sound(two.position)


@pytest.mark.parametrize(("holders", "gone"), [("", ""), ("bvy", ""), ("b", "y")])
def test_indulgences_count_those_in_the_game(holders: str, gone: str) -> None:
    """§9.5 Indulgences, R43  Where all or none hold it nothing moves; who is out is neither counted nor hit."""
    seen = three(blue=5, violet=6)
    for colour in ("blue", "violet", "yellow"):
        give(seen, colour, advances="F" if colour[0] in holders else "", eliminated=colour[0] in gone)
    went = build.enter(seen, Phase.EXPANSION)
    assert {e.seat: e.tokens for e in events_of(went, TokensMoved)} == ({BLUE: 2, VIOLET: -2} if gone else {})


def test_a_holder_without_stock_gets_ducats() -> None:
    """§9.5 Indulgences  For each token that the stock lacks the holder receives a ducat."""
    went = sinners("b", blue=35, violet=6, yellow=7)
    assert (power(went, "blue").expansion, power(went, "blue").cash) == (36, 43)
    assert events_of(went, Received) == [Received(seat=BLUE, ducats=3, cause="F")]


@pytest.mark.holds("age_of_renaissance", "ruling", "R37")
@pytest.mark.holds("age_of_renaissance", "topic", "indulgences")
@pytest.mark.holds("age_of_renaissance", "form", "DUCATS", "MÉCONTENTEMENT")
def test_missing_tokens_are_a_choice() -> None:
    """R37  A player short of tokens pays a ducat for each that is missing, or takes one step of misery in all."""
    went = sinners("b", blue=5, violet=1, yellow=0)
    assert questions_in(went) == [("indulgences/5", "violet"), ("indulgences/5", "yellow")]
    assert [dict(d.limits) for d in went.position.core.questions] == [{"ducats": 1}, {"ducats": 2}]
    done = answer(went, "indulgences/5", {"violet": [Indulge("ducats")], "yellow": [Indulge("misery")]})
    assert events_of(done, Paid) == [Paid(seat=VIOLET, ducats=1, cause="F")]
    assert events_of(done, MiseryMoved) == [MiseryMoved(seat=YELLOW, before=0, after=1, cause="F")]
    assert done.position.core.gates() == ("expansion/5",)
    refused = build.refused(three(), YELLOW, "indulgences", Indulge("prayers"))
    assert refused is not None
    assert refused.code == "no_such_payment"


def test_without_enough_ducats_it_is_the_step() -> None:
    """R37  By default ducats are paid; a player with too few is not asked: they take the step."""
    seen, asked_of = three(violet=2), Question("indulgences/5", YELLOW, "indulgences", {"ducats": 2})
    give(seen, "blue", advances="F")
    assert RULES.default_orders(seen, asked_of) == lines(Indulge("ducats"))
    build.cash(seen, YELLOW, 1)
    assert RULES.default_orders(seen, asked_of) == lines(Indulge("misery"))
    went = build.enter(seen, Phase.EXPANSION)
    assert events_of(went, MiseryMoved) == [MiseryMoved(seat=YELLOW, before=0, after=1, cause="F")]
    assert power(went, "yellow").cash == 1
    assert went.position.core.gates() == ("expansion/5",)


def test_piled_cash_is_not_told_by_who_is_asked() -> None:
    """R33, R37  Where cash is piled everybody who lacks tokens is asked, whatever they have."""
    seen = field("blue", "violet", "yellow", cash="piled")
    give(seen, "blue", advances="F")
    build.cash(seen, YELLOW, 1)
    went = build.enter(seen, Phase.EXPANSION)
    assert questions_in(went) == [("indulgences/5", "violet"), ("indulgences/5", "yellow")]
    (poor,) = [d for d in went.position.core.questions if d.seat == YELLOW]
    assert build.refused(went.position, YELLOW, "indulgences", Indulge("ducats"), ducats=2) == Problem(
        "too_poor", {"ducats": 2, "cash": 1}
    )
    assert poor.limits["ducats"] == 2


def test_indulgences_may_eliminate() -> None:
    """§9.4.4, §9.5  A step beyond 1000 puts a player out before the sets are asked for."""
    seen = three(violet=2)
    give(seen, "blue", advances="F")
    build.cash(seen, YELLOW, 0)
    build.misery(seen, YELLOW, 1000)
    went = build.enter(seen, Phase.EXPANSION)
    assert [event.seat for event in events_of(went, Eliminated)] == [YELLOW]
    assert questions_in(went) == [("expansion/5", "blue"), ("expansion/5", "violet")]


# --- the sequence of sets


@pytest.mark.holds("age_of_renaissance", "option", "pace=order")
def test_in_order_each_is_asked_in_turn() -> None:
    """§9.5  In the pace `order` each is asked in turn, and sees what those before them did."""
    seen = field("blue", "violet", "yellow", pace="order")
    give(seen, "violet", tokens=4)
    went = build.enter(seen, Phase.EXPANSION)
    assert questions_in(went) == [("expansion/5/blue", "blue")]
    second = answer(went, "expansion/5/blue", {"blue": []})
    third = answer(second, "expansion/5/violet", {"violet": [Place("firenze", 4)]})
    assert at(third, "firenze", "violet") == Piece(marker="new")
    assert third.position.core.gates() == ("expansion/5/yellow",)
    done = answer(third, "expansion/5/yellow", {"yellow": []}, {})
    assert len(events_of(done, Consolidated)) == 1


@pytest.mark.holds("age_of_renaissance", "option", "failures=again")
def test_a_set_asked_again_has_its_tokens_still() -> None:
    """§9.5  Where the rest is asked again after a failed line, unused tokens wait for it, and so do the later sets."""
    seen = field("blue", "violet", "yellow", failures="again")
    give(seen, "blue", tokens=6)
    give(seen, "violet", tokens=4)
    went = carry(seen, {"blue": [Place("toledo", 3), Place("roma", 1)], "violet": [Place("firenze", 4)]})
    assert [event.lines for event in events_of(went, LinesDropped)] == [0]
    assert questions_in(went) == [("expansion/5~1", "blue")]
    assert events_of(went, TokensReturned) == []
    done = answer(went, "expansion/5~1", {"blue": [Place("valencia", 2)]})
    assert [(e.seat, e.province) for e in events_of(done, Placed)] == [(BLUE, "valencia"), (VIOLET, "firenze")]
    assert events_of(done, TokensReturned) == [TokensReturned(seat=BLUE, tokens=1)]


def test_who_leaves_while_others_are_asked_is_done_with() -> None:
    """§11.3  When a player leaves while the phase waits for another, their set and payments come to nothing."""
    seen = field("blue", "violet", "yellow", failures="again")
    give(seen, "blue", tokens=6)
    give(seen, "violet", tokens=4)
    went = carry(seen, {"blue": [Place("roma", 1)], "violet": [Place("firenze", 4)]})
    for colour in ("blue", "violet"):
        give(went.position, colour, tokens=0, eliminated=True)
    done = answer(went, "expansion/5~1", {"blue": []})
    assert events_of(done, Placed) == []
    assert events_of(done, TokensReturned) == []


def test_who_leaves_instead_of_paying_pays_nothing() -> None:
    """§11.3, R37  Indulgences ask nothing more of a player who has left."""
    went = sinners("b", violet=1, yellow=2)
    give(went.position, "violet", eliminated=True)
    done = answer(went, "indulgences/5", {"violet": [Indulge("ducats")]})
    assert events_of(done, Paid) == []
    assert events_of(done, MiseryMoved) == []


@pytest.mark.parametrize("asks", ["expansion", "conversion", "manuscripts", "lift"])
def test_the_default_is_to_do_nothing(asks: str) -> None:
    """§9.5  When a deadline passes nothing is placed, nobody converts, no card is exchanged, no marker lifted."""
    seen = three(blue=5)
    assert RULES.default_orders(seen, Question(f"{asks}/5", BLUE, asks)) == ()


def test_a_preview_of_a_card_says_that_it_cannot_be_foreseen() -> None:
    """§9.5.1  A judged purchase of a card costs its tokens and says that the card is not known."""
    first, second = rulings(three(blue=4), "blue", BuyCard(), Place("toledo", 2))
    assert [(note.code, note.terms["what"]) for note in first.notes] == [("unforeseen", "card")]
    assert second.problem is not None
    assert second.problem.terms["pool"] == 1


# --- the card for tokens (§9.5.1)


def test_the_price_of_a_card_rises_with_each_that_anybody_buys() -> None:
    """§9.5.1  The first card of a phase costs three tokens, the second six, whoever buys."""
    seen = three(blue=7, violet=7, yellow=9)
    went = carry(seen, {c: [BuyCard()] for c in ("blue", "violet", "yellow")})
    assert [(e.seat, e.tokens) for e in events_of(went, CardDrawn)] == [(BLUE, 3), (VIOLET, 6), (YELLOW, 9)]
    assert power(went, "violet").stock == 36
    build.sound(went.position)
    seen = three(blue=4)
    seen.board.cards_bought = 4
    refusal = problem(build.enter(seen, Phase.EXPANSION).position, "blue", Place("toledo", 2), BuyCard())
    assert (refusal.code, refusal.terms["tokens"], refusal.terms["pool"]) == ("card_too_dear", 3, 2)


def test_the_last_card_brings_the_last_turn_and_none_follows() -> None:
    """R26  Buying the last card of the last pile brings on the last turn; after it there is none to buy."""
    seen = field("blue", "violet", "yellow", epochs="1")
    build.pile(seen, "stone_1a")
    give(seen, "blue", tokens=3)
    give(seen, "violet", tokens=9)
    went = carry(seen, {"blue": [BuyCard()], "violet": [BuyCard()]})
    assert [e.reason for e in events_of(went, LastTurnCame)] == ["epoch_over"]
    assert len(events_of(went, CardDrawn)) == 1
    give(went.position, "violet", tokens=9)
    assert code(went.position, "violet", BuyCard()) == "no_card_left"


def test_a_card_of_a_pile_still_to_be_made_is_paid_for_when_lines_are_judged() -> None:
    """§4.7, §9.5.1  Also while the pile is empty the card costs its tokens, and there is one in the phase."""
    seen = three(blue=5)
    build.pile(seen)
    assert code(seen, "blue", BuyCard()) == "fine"
    assert code(seen, "blue", BuyCard(), BuyCard()) == "card_bought_already"
    assert code(seen, "blue", BuyCard(), Place("toledo", 3)) == "too_few_tokens"


# --- bonus and consolidation


@pytest.mark.parametrize(
    ("pieces", "gone", "winner", "cause"),
    [
        ((("blue", "toledo"), ("violet", "milano"), ("violet", "lyon")), "", VIOLET, "bonus"),
        ((("yellow", "milano"), ("violet", "lyon")), "", VIOLET, "bonus_tied"),
        ((("violet", "milano"), ("violet", "lyon"), ("yellow", "roma")), "violet", YELLOW, "bonus"),
    ],
)
def test_most_new_markers_draw_a_card(pieces: Sequence[tuple[str, str]], gone: str, winner: Seat, cause: str) -> None:
    """§9.5.3, R43, example of play, turns 2 and 3  Free; of equals in the game, who expanded earlier draws, and it is
    not said to have taken the most.
    """
    seen = three()
    for colour, province in pieces:
        put(seen, colour, province, marker="new")
    if gone:
        give(seen, gone, eliminated=True)
    drawn = events_of(carry(seen, {}, close=True), CardDrawn)
    assert [(e.seat, e.cause, e.tokens, e.ducats) for e in drawn] == [(winner, cause, 0, 0)]


@pytest.mark.holds("age_of_renaissance", "ruling", "R23")
def test_no_bonus_without_a_new_marker() -> None:
    """R23  At least one new marker; old ones, such as the one that Crusades bring, do not count."""
    seen = three()
    put(seen, "yellow", "saint_jean_d_acre", marker="old")
    assert events_of(carry(seen, {}, close=True), CardDrawn) == []


def test_all_new_pieces_turn_old() -> None:
    """§9.5.4  New tokens and markers are turned over; together with old tokens they are one kind."""
    seen = three()
    put(seen, "violet", "lyon", marker="new")
    put(seen, "yellow", "roma", old=1, new=2)
    went = carry(seen, {}, close=True)
    assert at(went, "lyon", "violet") == Piece(marker="old")
    assert at(went, "roma", "yellow") == Piece(old=3)
