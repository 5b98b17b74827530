"""§9.5  Placing tokens: reach, ships, caravans, capacity, satellites, and control markers running out."""

import pytest

from engine.age_of_renaissance.atlas import Hull, Ship
from engine.age_of_renaissance.board import Piece
from engine.age_of_renaissance.catalogue import PROVINCES
from engine.age_of_renaissance.events import MarkerLifted, MarkerReduced, Placed, TokensReturned
from engine.age_of_renaissance.orders import Attack, Lift, Place
from engine.age_of_renaissance.phases import placing
from engine.age_of_renaissance.ruleset import RULES
from engine.kernel.events import QuestionsAsked
from engine.kernel.orders import Question
from engine.kernel.validation import preview_orders
from engine.kernel.viewers import Seat
from tests.engine.age_of_renaissance import build
from tests.engine.age_of_renaissance.build import At, Went, events_of
from tests.engine.age_of_renaissance.expansion_positions import (
    GATE,
    again,
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
    rolls,
    run_out,
)


def galleon(seen: At) -> None:
    """Barcelona has Galleon 1 and what it takes to build it."""
    give(seen, "blue", ship=Ship(Hull.GALLEON, 1), advances="AST")


def three(tokens: int = 14) -> At:
    """Barcelona, Genoa and Venezia in this order of play; Barcelona has tokens."""
    seen = field("blue", "violet", "yellow")
    give(seen, "blue", tokens=tokens)
    return seen


# --- putting tokens down


def test_tokens_lie_new_in_the_province_and_leave_the_pool() -> None:
    """§9.5  Tokens placed come from those bought and lie new side up; what is left of these goes back to stock."""
    went = carry(three(), {"blue": [Place("toledo", 2)]})
    assert at(went, "toledo", "blue") == Piece(new=2)
    assert events_of(went, Placed) == [Placed(seat=Seat("blue"), province="toledo", tokens=2, via="land", marker=False)]
    assert events_of(went, TokensReturned) == [TokensReturned(seat=Seat("blue"), tokens=12)]
    assert (power(went, "blue").expansion, power(went, "blue").stock) == (0, 34)
    assert events_of(carry(three(tokens=2), {"blue": [Place("toledo", 2)]}), TokensReturned) == []


def test_tokens_that_fill_a_province_become_a_new_marker() -> None:
    """R47  One power's tokens, old and new, that fill a province alone become a new marker, and go to stock.

    §2.2  Together with another's they make none.
    """
    went = carry(three(tokens=3), {"blue": [Place("toledo", 3)]})
    assert at(went, "toledo", "blue") == Piece(marker="new")
    assert (power(went, "blue").stock, power(went, "blue").markers) == (36, 23)
    build.sound(went.position)
    seen = three(tokens=2)
    put(seen, "blue", "toledo", old=1)
    went = carry(seen, {"blue": [Place("toledo", 2)]})
    assert (at(went, "toledo", "blue"), power(went, "blue").stock) == (Piece(marker="new"), 36)
    seen = three()
    put(seen, "violet", "toledo", old=1)
    assert at(carry(seen, {"blue": [Place("toledo", 2)]}), "toledo", "blue") == Piece(new=2)


def test_new_tokens_are_no_base() -> None:
    """§9.5  What was placed in this phase is no base: Toledo entered now does not open Lisboa; an old token does."""
    seen = three()
    orders = Place("toledo", 1), Place("lisboa", 1)
    assert code(seen, "blue", *orders) == "out_of_reach"
    put(seen, "blue", "toledo", old=1)
    assert code(seen, "blue", *orders) == "fine"


@pytest.mark.holds("age_of_renaissance", "ruling", "R54")
def test_old_tokens_that_became_a_marker_stay_a_base() -> None:
    """§9.5, example of play, turn 2  Where old tokens filled a province or won it, one may go on from there."""
    seen = three()
    put(seen, "blue", "toledo", old=1)
    went = carry(seen, {"blue": [Place("toledo", 2), Place("lisboa", 1)]}, close=True)
    assert at(went, "lisboa", "blue") == Piece(old=1)
    assert power(went, "blue").roots == frozenset()
    seen = three()
    put(seen, "blue", "toledo", old=1)
    put(seen, "violet", "toledo", old=1)
    went = carry(seen, {"blue": [Attack("toledo", 3), Place("lisboa", 1)]}, rolls("blue", "toledo", (6, 1, 1)))
    assert at(went, "lisboa", "blue") == Piece(new=1)


def test_a_province_won_or_filled_without_old_tokens_is_no_base() -> None:
    """§9.5, R54  "Les pions □ / ○ qui viennent d'être placés ne peuvent servir de base d'expansion"."""
    seen = three()
    put(seen, "violet", "toledo", old=1)
    went = carry(seen, {"blue": [Attack("toledo", 4), Place("lisboa", 1)]}, rolls("blue", "toledo", (6, 1, 1)))
    assert at(went, "toledo", "blue") == Piece(marker="new")
    assert at(went, "lisboa", "blue") == Piece()
    went = carry(three(), {"blue": [Place("toledo", 3), Place("lisboa", 1)]})
    assert (at(went, "toledo", "blue"), at(went, "lisboa", "blue")) == (Piece(marker="new"), Piece())


def test_the_own_capital_is_a_base_in_anybodys_hands() -> None:
    """§9.5, §9.4.1  A power expands from its capital even when another controls it, by land and by ship."""
    seen = three()
    put(seen, "blue", "barcelona")
    put(seen, "yellow", "barcelona", marker="old")
    assert [code(seen, "blue", Place(p, 1)) for p in ("valencia", "marseille")] == ["fine", "out_of_reach"]
    give(seen, "blue", ship=Ship(Hull.GALLEY, 2))
    assert code(seen, "blue", Place("marseille", 1)) == "fine"


# --- what cannot stand


def test_what_no_line_can_place() -> None:
    """§9.5, R18  No tokens into a province of one's own, fewer than one, or more than the lines before have left."""
    assert code(three(), "blue", Place("barcelona", 1)) == "already_yours"
    assert code(three(), "blue", Attack("barcelona", 1)) == "already_yours"
    assert code(three(tokens=5), "blue", Place("toledo", 3), Place("toledo", 1)) == "already_yours"
    assert code(three(), "blue", Place("toledo", 0)) == "no_tokens_named"
    assert code(three(), "blue", Attack("toledo", -3)) == "no_tokens_named"
    refusal = problem(three(tokens=4), "blue", Place("toledo", 3), Place("valencia", 2))
    assert (refusal.code, refusal.terms["pool"]) == ("too_few_tokens", 1)


def test_no_more_tokens_than_the_capacity() -> None:
    """§4.3  A market keeps no more tokens than its capacity."""
    refusal = problem(three(), "blue", Place("toledo", 4))
    assert (refusal.code, refusal.terms["room"]) == ("too_many_here", 3)
    assert refusal.lasting


def test_room_counts_what_lies_there() -> None:
    """§4.3  Own tokens take room too, and what does not fit now may fit later."""
    seen = three()
    put(seen, "blue", "toledo", old=2)
    refusal = problem(seen, "blue", Place("toledo", 2))
    assert (refusal.code, refusal.terms["room"], refusal.terms["there"]) == ("too_many_here", 1, 2)
    assert not refusal.lasting


def test_a_satellite_keeps_one_token_and_no_marker() -> None:
    """§4.3  A satellite holds one token, which never becomes a control marker."""
    seen = three()
    assert code(seen, "blue", Place("toulouse", 2)) == "too_many_here"
    assert code(seen, "blue", Place("toulouse", 1), Place("toulouse", 1)) == "too_many_here"
    assert at(carry(seen, {"blue": [Place("toulouse", 1)]}), "toulouse", "blue") == Piece(new=1)


def test_too_many_beside_another_is_an_attack() -> None:
    """§9.5.2  More than fits beside another's pieces needs ATTACK; the refusal says how many tokens and why."""
    seen = three()
    put(seen, "violet", "toledo", old=2)
    refusal = problem(seen, "blue", Place("toledo", 2))
    assert refusal.code == "needs_attack"
    terms = refusal.terms
    assert [terms[k] for k in ("room", "needs", "capacity", "there", "pool", "nearest")] == [1, 5, 3, 0, 14, 5]
    assert terms["defence"] == (("violet", {**dict.fromkeys(FORCE, 0), "pieces": 2}),)
    assert terms["attack"] == {**dict.fromkeys(FORCE, 0), "pieces": 2}
    put(seen, "violet", "toledo", marker="old")
    refusal = problem(seen, "blue", Place("toledo", 1))
    assert (refusal.code, refusal.terms["room"], refusal.terms["needs"]) == ("needs_attack", 0, 6)


FORCE = ("pieces", "vassal", "doubled", "satellites", "cosmopolitan", "weapons")


@pytest.mark.parametrize(
    ("province", "letters", "expected"),
    [
        ("atlantis", "", "no_such_province"),
        ("hamburg", "AST", "out_of_play"),
        ("varna", "AST", "silk_road"),
        ("varna", "ASTR", "fine"),
        ("china", "", "galleon"),
        ("china", "AST", "fine"),
        ("north_america", "AST", "new_world"),
        ("north_america", "ASTU", "fine"),
        ("trebizond", "", "silk_road"),
    ],
)
def test_provinces_that_are_closed(province: str, letters: str, expected: str) -> None:
    """§8.2, §9.5, §9.4.1  Regions out of play, region V without R, overseas without T, the Americas without U."""
    seen = three()
    if letters:
        give(seen, "blue", ship=Ship(Hull.GALLEON, 1), advances=letters)
    assert code(seen, "blue", Place(province, 1)) == expected
    refusal = problem(seen, "blue", Place(province, 1))
    assert refusal.lasting == (expected != "fine")


# --- ships


def test_a_ship_lands_its_load_in_each_province_in_a_phase() -> None:
    """§9.4.1  Galley 2 brings two tokens into a province, as often as one likes into others."""
    seen = three()
    give(seen, "blue", ship=Ship(Hull.GALLEY, 2))
    assert code(seen, "blue", Place("grenada", 2), Place("marseille", 2)) == "fine"
    refusal = problem(seen, "blue", Place("marseille", 2), Place("marseille", 1))
    assert (refusal.code, refusal.terms["load"], refusal.terms["landed"], refusal.terms["left"]) == (
        "ship_load",
        2,
        2,
        0,
    )


def test_tokens_lost_in_attacks_were_landed_too() -> None:
    """§9.4.1, example of play, turn 3  Two attacks with three tokens are all that Galley 6 brings to Grenada."""
    seen = field("blue", "yellow", "violet")
    put(seen, "blue", "grenada", marker="old")
    give(seen, "violet", tokens=12, ship=Ship(Hull.GALLEY, 6), weapons=("armor",))
    put(seen, "violet", "oran", old=1)
    went = carry(seen, {"violet": [again(Attack("grenada", 3), 4)]}, rolls("violet", "grenada", (1, 3, 4), (1, 1, 5)))
    assert power(went, "violet").landed == {"grenada": 6}
    assert power(went, "violet").fought == {"grenada": "LL"}


@pytest.mark.holds("age_of_renaissance", "ruling", "R48")
def test_old_tokens_in_the_province_make_it_land() -> None:
    """R48  A province that holds old tokens of one's own is reached by land: no ship's limit."""
    seen = three()
    give(seen, "blue", ship=Ship(Hull.GALLEY, 2))
    put(seen, "blue", "marseille", old=1)
    went = carry(seen, {"blue": [Place("marseille", 4)]})
    assert events_of(went, Placed)[0].via == "held"
    assert power(went, "blue").landed == {}


def test_a_galleon_carries_any_number() -> None:
    """§9.4.1  Galleon transports without limit to any coast."""
    seen = three(tokens=20)
    galleon(seen)
    went = carry(seen, {"blue": [Place("alexandria", 5), Place("china", 5)]})
    assert [(p.via, p.marker) for p in events_of(went, Placed)] == [("ship", True), ("ocean", True)]


def test_galleon_one_keeps_up_a_single_overseas_box() -> None:
    """§9.4.1  The level of the Galleon is the number of overseas boxes held or newly entered."""
    seen = three(tokens=20)
    galleon(seen)
    refusal = problem(seen, "blue", Place("china", 2), Place("india", 1))
    assert (refusal.code, refusal.terms["room"], refusal.terms["held"]) == ("overseas_full", 1, 1)
    assert code(seen, "blue", Place("china", 2), Place("china", 3)) == "fine"
    give(seen, "blue", ship=Ship(Hull.GALLEON, 2))
    assert code(seen, "blue", Place("china", 2), Place("india", 1)) == "fine"


# --- caravans


def belgrad(old: int = 0, marker: str = "") -> At:
    """Venezia stands in Dubrovnik with a caravan; Genoa is in Belgrad."""
    seen = field("yellow", "violet", "blue")
    put(seen, "yellow", "dubrovnik", marker="old")
    put(seen, "violet", "belgrad", old=old, marker=marker)
    give(seen, "yellow", tokens=12, advances="I")
    return seen


@pytest.mark.holds("age_of_renaissance", "ruling", "R17")
@pytest.mark.parametrize(
    ("old", "new", "marker", "letters", "expected"),
    [
        (1, 0, "", "I", "fine"),
        (1, 0, "", "", "out_of_reach"),
        (2, 0, "", "I", "out_of_reach"),
        (0, 2, "", "I", "fine"),
        (0, 0, "old", "I", "out_of_reach"),
        (0, 0, "new", "I", "fine"),
    ],
)
def test_what_bars_a_caravan(old: int, new: int, marker: str, letters: str, expected: str) -> None:
    """§9.5 Caravane, R17  An opponent's old marker, or old tokens equal to the capacity, bar the way; no new piece."""
    seen = belgrad(marker=marker)
    put(seen, "violet", "belgrad", old=old, new=new, marker=marker)
    give(seen, "yellow", advances=letters)
    assert code(seen, "yellow", Place("durazzo", 1)) == expected


def test_a_conquered_province_opens_the_way() -> None:
    """R17, example of play, turn 3  After winning Belgrad the caravan goes on to Durazzo in the same phase."""
    seen = belgrad(marker="old")
    orders = Attack("belgrad", 4), Place("durazzo", 1)
    assert code(seen, "yellow", *orders) == "fine"
    assert not problem(seen, "yellow", Place("durazzo", 1)).lasting
    won = carry(seen, {"yellow": list(orders)}, rolls("yellow", "belgrad", (1, 2, 1)))
    assert at(won, "durazzo", "yellow") == Piece(new=1)
    lost = carry(seen, {"yellow": list(orders)}, rolls("yellow", "belgrad", (1, 1, 1)))
    assert at(lost, "durazzo", "yellow") == Piece()


def test_caravan_and_ship_do_not_combine() -> None:
    """§9.5 Caravane  A caravan does not start where a ship would land."""
    seen = field("yellow", "violet", "blue")
    give(seen, "violet", tokens=5, ship=Ship(Hull.GALLEY, 2), advances="I")
    assert code(seen, "violet", Place("napoli", 1)) == "fine"
    assert code(seen, "violet", Place("bari", 1)) == "out_of_reach"


# --- markers running out


def offered(went: Went) -> list[tuple[str, str]]:
    """The gates asked in this entry, and of whom."""
    return [(d.gate, str(d.seat)) for event in events_of(went, QuestionsAsked) for d in event.decisions]


def test_without_a_marker_the_tokens_stay() -> None:
    """R47  With no marker left the tokens that fill a province stay, unless an old one is lifted elsewhere: asked.

    A satellite takes no marker (§4.3): nothing is asked for it, nor where no old marker can be lifted.
    """
    went = carry(run_out(), {"blue": [Place("toledo", 3)]})
    assert offered(went) == [("lift/5/toledo/blue/filled", "blue")]
    for orders in ([], [Lift(("valencia",))]):
        stayed = answer(went, "lift/5/toledo/blue/filled", {"blue": orders})
        assert at(stayed, "toledo", "blue") == Piece(new=3)
        assert events_of(stayed, MarkerLifted) == []
        build.sound(stayed.position)
    seen = run_out()
    put(seen, "violet", "leon", old=1)
    put(seen, "blue", "san_sebastian", old=1)
    went = carry(seen, {"blue": [Attack("leon", 2)]}, rolls("blue", "leon", (6, 6, 1)))
    assert (at(went, "leon", "blue"), offered(went)) == (Piece(new=1), [])
    for place, _ in list(seen.board.held(Seat("blue"))):
        put(seen, "blue", place, marker="new")
    went = carry(seen, {"blue": [Place("toledo", 3)]})
    assert (at(went, "toledo", "blue"), offered(went)) == (Piece(new=3), [])


@pytest.mark.holds("age_of_renaissance", "ruling", "R47")
@pytest.mark.holds("age_of_renaissance", "topic", "lift")
@pytest.mark.holds("age_of_renaissance", "event", "aor.MarkerLifted")
def test_a_marker_lifted_elsewhere_takes_the_place_of_the_tokens() -> None:
    """§9.5.2, R47  The first province named that still has an old marker gives it up for a token; one must be named."""
    went = carry(run_out(), {"blue": [Place("toledo", 3)]})
    lifted = answer(went, "lift/5/toledo/blue/filled", {"blue": [Lift(("toledo", "sevilla", "lisboa"))]})
    assert events_of(lifted, MarkerLifted) == [MarkerLifted(seat=Seat("blue"), lifted="sevilla", province="toledo")]
    assert at(lifted, "toledo", "blue") == Piece(marker="new")
    assert at(lifted, "sevilla", "blue") == Piece(old=1)
    assert at(lifted, "lisboa", "blue") == Piece(marker="old")
    build.sound(lifted.position)
    refused = build.refused(run_out(), Seat("blue"), "lift", Lift(("toledo",)), province="madrid")
    assert refused is not None
    assert refused.code == "no_marker_there"
    assert build.refused(run_out(), Seat("blue"), "lift", Lift(("toledo",))) is None


def test_a_province_won_without_a_marker_left() -> None:
    """§9.5.2, R47  The winner of a rivalry leaves a token, and may lift a marker elsewhere for it."""
    seen = run_out()
    put(seen, "violet", "toledo", old=1)
    went = carry(seen, {"blue": [Attack("toledo", 4)]}, rolls("blue", "toledo", (6, 6, 1)))
    assert at(went, "toledo", "blue") == Piece(new=1)
    assert offered(went) == [("lift/5/toledo/blue/won", "blue")]
    lifted = answer(went, "lift/5/toledo/blue/won", {"blue": [Lift(("lisboa",))]})
    assert at(lifted, "toledo", "blue") == Piece(marker="new")
    build.sound(lifted.position)


@pytest.mark.holds("age_of_renaissance", "ruling", "R18")
def test_a_marker_is_lifted_at_will_only_when_none_is_left() -> None:
    """R18  A marker becomes a token at will only when all twenty-five are out, and with a token for its place."""
    refusal = problem(run_out(row=1), "blue", Lift(("lisboa",)))
    assert (refusal.code, refusal.terms["left"]) == ("markers_left", 1)
    assert code(run_out(), "blue", Lift(("lisboa",))) == "fine"
    assert code(run_out(), "blue", Lift(("toledo",))) == "no_marker_there"
    assert code(run_out(), "blue", Lift(())) == "no_province_named"
    assert code(run_out(), "blue", Lift(("atlantis",))) == "no_such_province"
    seen = run_out()
    give(seen, "blue", stock=0, expansion=0)
    assert code(seen, "blue", Lift(("lisboa",))) == "no_token_left"


def test_a_marker_lifted_by_a_line_serves_the_next() -> None:
    """R18, R47  LIFT Lisboa, then PLACE Toledo 3: the marker is there when the tokens fill the province."""
    went = carry(run_out(), {"blue": [Lift(("lisboa",)), Place("toledo", 3)]})
    assert events_of(went, MarkerReduced)[0].source == "stock"
    assert at(went, "lisboa", "blue") == Piece(old=1)
    assert at(went, "toledo", "blue") == Piece(marker="new")
    assert offered(went) == []


def test_a_marker_that_came_back_stands_where_tokens_fill_a_province() -> None:
    """R47  A power that has a marker again puts it, at the end of its set, where its tokens fill a province alone."""
    seen = run_out()
    put(seen, "blue", "toledo", old=3)
    put(seen, "blue", "valencia", old=2)
    put(seen, "blue", "lisboa", old=2)
    went = carry(seen, {"blue": []})
    assert at(went, "valencia", "blue") == Piece(marker="new")
    assert at(went, "toledo", "blue") == Piece(old=3)
    build.sound(went.position)


# --- what others ask of this chapter


def test_what_place_accepts_is_told() -> None:
    """§9.5  `placeable_counts` gives the numbers that PLACE accepts; a preview leaves the rest for more lines."""
    seen = three(tokens=14)
    give(seen, "blue", ship=Ship(Hull.GALLEY, 2))
    put(seen, "violet", "toledo", old=1)
    for province in ("toledo", "valencia", "marseille", "roma", "barcelona", "toulouse", "sarai", "atlantis"):
        accepted = [n for n in range(1, 15) if code(seen, "blue", Place(province, n)) == "fine"]
        can = placing.placeable_counts(seen.board, Seat("blue"), province) if province in PROVINCES else ()
        assert list(can) == accepted
    asked = Question(GATE, Seat("blue"), "expansion")
    after = preview_orders(RULES, three(tokens=5), asked, lines(Place("toledo", 3))).position
    assert after.board.powers[Seat("blue")].expansion == 2
