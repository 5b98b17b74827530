"""1. Enchères: the offer, the rules of bidding, the first auction, two players."""

from typing import Any

import pytest

from engine.kernel.orders import AskMe, Clause, Condition, Line
from engine.kernel.run import start
from engine.kernel.secrets import Secret
from engine.patchistory.board import Lot, Phase, Stake
from engine.patchistory.catalogue import BLACK, WHITE
from engine.patchistory.events import BidMade, BidsShown, MoneyLent, Offered, TileTaken, Waited
from engine.patchistory.orders import Bid, Take
from engine.patchistory.ruleset import RULES
from tests.engine.patchistory.build import (
    BLUE,
    GREEN,
    RED,
    SEATS,
    YELLOW,
    At,
    Went,
    code,
    enter,
    events_of,
    game,
    has,
    judged,
    lay,
    play,
    refused,
    stock,
)

GATE = "auction/2"


def offered(seats: int = 4, **options: Any) -> At:
    """An auction whose plans are asked."""
    return enter(game(seats, **options), Phase.AUCTION).position


def won(went: Went) -> dict[str, str]:
    """Who took which lot."""
    return {event.lot.name: event.seat for event in events_of(went, TileTaken)}


# --- the offer


@pytest.mark.holds("patchistory", "ruling", "A-01")
@pytest.mark.parametrize("seats", [3, 4])
def test_sides_alternate_and_begin_with_the_other_colour_next_round(seats: int) -> None:
    """As many tiles as players, colours in turn; the next round begins with the other colour (Préparation, A-01)."""
    first = enter(game(seats), Phase.AUCTION, {"side/2": 1})
    sides = [lot.side for lot in events_of(first, Offered)[0].lots]
    assert sides == [WHITE, BLACK, WHITE, BLACK][:seats]
    again = game(seats, turn=3)
    again.board.led = first.position.board.led
    sides = [lot.side for lot in events_of(enter(again, Phase.AUCTION, {}), Offered)[0].lots]
    assert sides == [BLACK, WHITE, BLACK, WHITE][:seats]


# --- bidding


def test_the_example_of_the_rulebook() -> None:
    """Gandhi 3 on A, Alexander 1 on B, Yi 1 on C, Bismarck 4 on A, Gandhi 5, Bismarck moves to B, Alexander to D."""
    went = play(
        offered(),
        GATE,
        {
            RED: [Bid("A", 3, 5)],
            GREEN: [Bid("B", 1)],
            BLUE: [Bid("C", 1)],
            YELLOW: [Bid("A", 4), Bid("B", 4)],
        },
    )
    bids = [(event.seat, event.lot, event.money) for event in events_of(went, BidMade)]
    assert bids == [
        (RED, "A", 3),
        (GREEN, "B", 1),
        (BLUE, "C", 1),
        (YELLOW, "A", 4),
        (RED, "A", 5),
        (YELLOW, "B", 4),
        (GREEN, "D", 1),
    ]
    assert won(went) == {"A": RED, "B": YELLOW, "C": BLUE, "D": GREEN}
    assert [has(went.position, seat, "money") for seat in SEATS] == [4, 8, 8, 5]


def test_money_bid_is_never_taken_back() -> None:
    """5.: a bid that moves takes the whole of it along, even beyond the limit of the line that moves it."""
    went = play(offered(), GATE, {RED: [Bid("A", 5), Bid("B", 1, 2)], GREEN: [Bid("A", 6)]})
    assert ("B", 5) in [(event.lot, event.money) for event in events_of(went, BidMade) if event.seat == RED]
    assert has(went.position, RED, "money") == 4


def test_who_stands_neither_raises_nor_moves() -> None:
    """4.: a bid that has not been outbid stays as it is, whatever its author's plan says of when it is."""
    position = enter(game(3, turn=1), Phase.AUCTION).position
    for seat, bid in zip(position.board.seats, (Bid("A", 3), Bid("B", 2), Bid("A", 4)), strict=False):
        position = play(position, f"opening/1/{seat}", {seat: bid}).position
    first, second, third = position.board.seats
    assert refused(position, second, "auction", Bid("B", 1, 3)) is None
    went = play(position, "auction/1", {second: Bid("B", 1, 3), third: [], first: Bid("C", 1)})
    assert [(event.seat, event.lot) for event in events_of(went, BidMade)] == [(first, "C")]
    assert won(went) == {"A": third, "B": second, "C": first}


def test_a_bid_must_lead() -> None:
    """1.: at least one Money more than what lies there, within the limit and the purse."""
    position = offered(pace="order")
    position.board.bids = {GREEN: Stake("A", 4)}
    assert refused(position, RED, "auction", Bid("A", 1, 4)).terms == {"lot": "A", "needed": 5, "limit": 4}  # type: ignore[union-attr]
    assert refused(position, RED, "auction", Bid("A", 1, 5)) is None
    stock(position, RED, money=4)
    assert code(refused(position, RED, "auction", Bid("A", 1, 5))) == "no_money"
    assert code(refused(position, RED, "auction", Bid("A", 5, 2))) == "limit_below"


@pytest.mark.holds("patchistory", "ruling", "A-03")
def test_without_a_line_that_can_be_done_the_first_free_tile_is_taken() -> None:
    """A-03: an outbid player must act; the stated last resort is the first tile without a bid."""
    went = play(offered(), GATE, {RED: [Bid("A", 2)], GREEN: [Bid("A", 3)]})
    assert won(went)["D"] == RED
    assert [e.money for e in events_of(went, BidMade) if e.seat == RED] == [2, 2]


@pytest.mark.parametrize(
    ("more", "left_out"),
    [
        ((), ("B", "C", "D")),
        ((Bid("B", 2, 4), Bid("C", 1)), ("D",)),
        ((Bid("B", 2, 4), Bid("C", 1), Bid("D", 1)), None),
        ((AskMe(),), None),
    ],
)
def test_a_plan_tells_which_tiles_it_leaves_out(
    more: tuple[Bid | AskMe, ...], left_out: tuple[str, ...] | None
) -> None:
    """A plan that does not name every tile, behind ELSE neither, may get stuck unless it asks; the preview says so."""
    plan = (Line((Clause(Bid("A", 2, 4)),), fallback=tuple(Clause(order) for order in more)),)
    notes = [note for ruling in judged(offered(), RED, "auction", plan) for note in ruling.notes]
    assert [(note.code, note.terms["lots"]) for note in notes] == ([("may_stick", left_out)] if left_out else [])


def test_conditions_in_a_plan_are_asked_when_it_is_taken_up() -> None:
    """IF A IS FREE: BID A: the condition is asked whenever the author must act."""
    free = Condition("free", {"lot": "A"})
    lines = (Line((Clause(Bid("A", 2), (free,)),)), Line((Clause(Bid("C", 1)),)))
    went = play(offered(), GATE, {RED: [Bid("A", 2)], GREEN: lines})
    assert won(went) == {"A": RED, "C": GREEN, "B": BLUE, "D": YELLOW}


@pytest.mark.holds("patchistory", "ruling", "A-04")
def test_who_has_no_money_discards_culture() -> None:
    """6.: three Culture for one Money, once, and only with none at the start of the phase (A-04: what there is)."""
    position = game(4)
    stock(position, RED, money=0)
    stock(position, GREEN, money=0, culture=2)
    lent = events_of(enter(position, Phase.AUCTION), MoneyLent)
    assert [(event.seat, event.culture, event.money) for event in lent] == [(RED, 3, 1), (GREEN, 2, 1)]


def test_a_plan_may_end_by_asking_its_author() -> None:
    """ASK ME: where nothing of a plan can be done its author is asked, and the new plan goes on."""
    position = enter(game(3), Phase.AUCTION).position
    asking = (Line((Clause(Bid("A", 1, 2)),), 1, (Clause(AskMe()),)),)
    went = play(position, "auction/2", {RED: asking, GREEN: Bid("A", 3), BLUE: Bid("B", 1)})
    assert [(d.gate, d.seat) for d in went.position.core.questions] == [("auction/2/ann", RED)]
    went = play(went.position, "auction/2/ann", {RED: Bid("C", 2)})
    assert {e.seat: e.lot.name for e in events_of(went, TileTaken)} == {RED: "C", GREEN: "A", BLUE: "B"}


def test_in_order_each_is_asked_when_they_must_act() -> None:
    """In the pace `order` who has written a bid and no plan is asked when they are outbid, and not before."""
    position = offered(pace="order")
    assert position.core.gates() == (f"auction/2/{RED}",)
    went = play(position, f"auction/2/{RED}", {RED: [Bid("A", 1, 5)]})
    went = play(went.position, went.position.core.gates()[0], {GREEN: [Bid("A", 2)]})
    went = play(went.position, went.position.core.gates()[0], {BLUE: [Bid("B", 1)]})
    went = play(went.position, went.position.core.gates()[0], {YELLOW: [Bid("C", 1)]})
    assert [(event.seat, event.money) for event in events_of(went, BidMade)] == [(YELLOW, 1), (RED, 3)]
    assert went.position.core.questions[0].seat == GREEN


def test_in_order_a_plan_goes_on_to_its_last_resort() -> None:
    """In the pace `order`, too, a plan of which nothing can be done takes the first free tile, and asks nobody."""
    position = offered(pace="order")
    for seat, plan in zip(SEATS, ([Bid("A", 1, 5)], [Bid("A", 1, 2)], [Bid("B", 1)], [Bid("C", 1)]), strict=True):
        went = play(position, position.core.gates()[0], {seat: plan})
        position = went.position
    assert [(event.seat, event.lot, event.money) for event in events_of(went, BidMade)][-1] == (GREEN, "D", 2)
    assert won(went) == {"A": RED, "B": BLUE, "C": YELLOW, "D": GREEN}


@pytest.mark.parametrize(("plan", "noted"), [([Bid("A", 2)], []), ([Bid("A", 2, 4)], ["may_stick"])])
def test_in_order_only_a_plan_may_get_stuck(plan: list[Bid], noted: list[str]) -> None:
    """In the pace `order` a bid alone is warned of nothing: its author is asked again."""
    rulings = judged(offered(pace="order"), RED, "auction", plan)
    assert [note.code for ruling in rulings for note in ruling.notes] == noted


# --- the first auction


@pytest.mark.holds("patchistory", "ruling", "A-02")
@pytest.mark.holds("patchistory", "event", "patch.Waited")
def test_the_first_auction_lays_a_tile_at_a_time() -> None:
    """Each player may bid or wait as a tile is laid; the last must bid, then bidding goes on (Première Manche)."""
    position = start(RULES, SEATS, {}, b"seed").position
    order = position.board.seats
    went = play(position, f"opening/1/{order[0]}", {})
    assert [event.seat for event in events_of(went, Waited)] == [order[0]]
    assert len(went.position.board.offer) == 2
    went = play(went.position, f"opening/1/{order[1]}", {order[1]: Bid("B", 2)})
    went = play(went.position, f"opening/1/{order[2]}", {})
    assert len(went.position.board.offer) == 4
    went = play(went.position, f"opening/1/{order[3]}", {})
    assert [(event.seat, event.lot, event.money) for event in events_of(went, BidMade)] == [(order[3], "A", 1)]
    assert went.position.core.gates() == ("auction/1",)


def test_no_plan_is_asked_for_where_every_bid_stands() -> None:
    """2.: the auction is over with a bid on every tile, so nobody has anything to say (Première Manche)."""
    position = enter(game(3, turn=1), Phase.AUCTION).position
    for seat, lot in zip(position.board.seats, "ABC", strict=True):
        went = play(position, f"opening/1/{seat}", {seat: Bid(lot, 1)})
        position = went.position
    assert won(went) == dict(zip("ABC", position.board.seats, strict=True))
    assert not any(gate.startswith("auction") for gate in position.core.gates())


def test_a_first_bid_with_a_limit_is_a_plan_for_the_auction() -> None:
    """Who said with the first bid what follows when it is outbid is not asked again, and is taken at their word."""
    position = enter(game(3, turn=1), Phase.AUCTION).position
    first, second, third = position.board.seats
    planned = (Line((Clause(Bid("A", 1, 3)), Clause(Bid("C", 2)))),)
    for seat, bid in ((first, planned), (second, Bid("A", 2)), (third, Bid("B", 1))):
        position = play(position, f"opening/1/{seat}", {seat: bid}).position
    assert {decision.seat for decision in position.core.questions} == {second, third}
    went = play(position, "auction/1", {second: Bid("C", 2), third: []})
    assert [(event.seat, event.lot, event.money) for event in events_of(went, BidMade)] == [
        (first, "A", 3),
        (second, "C", 2),
    ]


@pytest.mark.parametrize("bid", [Bid("A", 1, 2), Bid("A", 1)])
def test_a_first_bid_may_ask_its_author_when_it_is_outbid(bid: Bid) -> None:
    """BID A ELSE ASK ME in the first auction: its author owes no plan, and is asked when the bid is beaten for good."""
    position = enter(game(3, turn=1), Phase.AUCTION).position
    first, second, third = position.board.seats
    asking = (Line((Clause(bid),), fallback=(Clause(AskMe()),)),)
    for seat, orders in ((first, asking), (second, Bid("A", 3)), (third, Bid("B", 1))):
        position = play(position, f"opening/1/{seat}", {seat: orders}).position
    assert {decision.seat for decision in position.core.questions} == {second, third}
    position = play(position, "auction/1", {second: [], third: []}).position
    assert [(d.gate, d.seat) for d in position.core.questions] == [(f"auction/1/{first}", first)]
    went = play(position, f"auction/1/{first}", {first: Bid("C", 1)})
    assert won(went) == {"A": second, "B": third, "C": first}


# --- Vasco da Gama


@pytest.mark.holds("patchistory", "ruling", "A-32")
def test_vasco_da_gama_takes_a_tile_before_the_auction() -> None:
    """Vasco de Gama: one of the tiles free, and no part in the auction that follows (A-32: the next one alone)."""
    position = game(3, turn=7)
    lay(position, RED, "vasco_da_gama")
    position.board.players[RED].sails = True
    began = enter(position, Phase.AUCTION)
    went = play(began.position, began.position.core.gates()[0], {RED: Take("B")})
    assert won(went) == {"B": RED}
    assert {d.seat for d in went.position.core.questions} == {GREEN, BLUE}
    assert not went.position.board.players[RED].sails
    assert has(went.position, RED, "money") == 9


@pytest.mark.holds("patchistory", "reaction", "voyage")
def test_two_players_and_vasco_da_gama() -> None:
    """A-32: with two players the rival takes the other tile free, and discards nothing for it."""
    position = game(2, turn=7)
    lay(position, RED, "vasco_da_gama")
    position.board.players[RED].sails = True
    stock(position, GREEN, money=0)
    began = enter(position, Phase.AUCTION)
    went = play(began.position, began.position.core.gates()[0], {RED: Take("A")})
    assert won(went) == {"A": RED, "B": GREEN}
    assert not events_of(went, MoneyLent)


# --- two players


def pair(red: Bid, green: Bid) -> Went:
    """An auction of two players."""
    return play(offered(2), GATE, {RED: red, GREEN: green})


def test_two_players_take_what_they_choose() -> None:
    """P. 15: different tiles, each takes their own; both bids are shown and paid."""
    went = pair(Bid("B", 3), Bid("A", 1))
    assert won(went) == {"B": RED, "A": GREEN}
    assert events_of(went, BidsShown)[0].bids == ((RED, "B", 3), (GREEN, "A", 1))
    assert [has(went.position, seat, "money") for seat in (RED, GREEN)] == [6, 8]


def test_two_players_want_the_same_tile() -> None:
    """P. 15: the higher bid takes it, the first player among equals; the other has the other tile."""
    assert won(pair(Bid("A", 2), Bid("A", 4))) == {"A": GREEN, "B": RED}
    assert won(pair(Bid("B", 4), Bid("B", 4))) == {"B": RED, "A": GREEN}


def test_two_players_may_name_a_second_choice() -> None:
    """Of several lines the first that can be done is the bid; the others are not looked at."""
    position = offered(2)
    plan = [Bid("A", 99), Bid("B", 3), Bid("A", 1)]
    went = play(position, GATE, {RED: plan, GREEN: Bid("B", 2)})
    assert won(went) == {"B": RED, "A": GREEN}
    assert has(went.position, RED, "money") == 6


def test_two_players_bid_once() -> None:
    """P. 15: a secret sum has no limit to be raised to."""
    position = offered(2)
    assert code(refused(position, RED, "auction", Bid("A", 2, 5))) == "no_raise_here"
    assert [line.plan[0].order for line in RULES.default_orders(position, position.core.questions[0])] == [Bid("A")]


def test_a_lot_must_be_on_offer() -> None:
    """A tile that is not on the table is not bid for."""
    position = offered(3)
    assert code(refused(position, RED, "auction", Bid("D"))) == "no_such_lot"
    position.board.offer = (Lot("A", "I-01", WHITE),)
    position.board.deck = (Secret("I-02"),)
    assert code(refused(position, RED, "voyage", Take("B"))) == "no_such_lot"
