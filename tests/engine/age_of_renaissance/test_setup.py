"""§8  Set-up, from the deal to the first order of play, with the rulebook's own example."""

from collections.abc import Sequence

import pytest

from engine.age_of_renaissance.board import OLD
from engine.age_of_renaissance.catalogue import CAPITALS, CARDS, WITHHELD
from engine.age_of_renaissance.events import (
    BidMade,
    CapitalTaken,
    Eliminated,
    OrderSet,
    TieRolled,
)
from engine.age_of_renaissance.orders import Bid, Capitals, Keep, Leave, Place, Tokens
from engine.age_of_renaissance.ruleset import RULES
from engine.kernel.dice import HmacDraws
from engine.kernel.events import QuestionsAsked
from engine.kernel.orders import unconditional
from engine.kernel.run import advance, start
from engine.kernel.secrets import redact, truth
from engine.kernel.viewers import PUBLIC, Seat
from tests.engine.age_of_renaissance.build import SEATS, Answer, At, Went, events_of, held, orders, play, refused, sound
from tests.scripted_draws import ScriptedDraws

ROLAND, EDOUARD, ROMAIN = Seat("roland"), Seat("edouard"), Seat("romain")
EXAMPLE = (ROLAND, EDOUARD, ROMAIN)
DEAL = (
    "wool_1a",
    "enlightened_ruler",
    "stirrups",
    "stone_1a",
    "rebellion",
    "dionysius",
    "stone_1b",
    "cloth_wine_1",
    "papal_bull",
)


def begun(seats: Sequence[Seat] = EXAMPLE, **options: str) -> At:
    """The first position, with the example's deal."""
    return start(RULES, seats, options, b"seed", draws=ScriptedDraws({"deal": DEAL})).position


def closed(position: At, asks: str, answers: dict[Seat, Answer], script: dict[str, int | Sequence[object]]) -> Went:
    """A gate of the set-up closed; seats not named take the default."""
    gate = f"{asks}/0"
    with truth():
        given = {d.seat: RULES.default_orders(position, d) for d in position.core.gate(gate)}
    given.update({seat: orders(answer) for seat, answer in answers.items()})
    return advance(RULES, position, gate, given, draws=ScriptedDraws(script, HmacDraws(b"seed", b"")))


def example() -> tuple[Went, At]:
    """Bids and capitals of the example: the entry that settles them, and the position after it."""
    position = begun()
    keep: dict[Seat, Answer] = {
        ROLAND: Keep(("wool_1a", "stirrups")),
        EDOUARD: Keep(("rebellion", "dionysius")),
        ROMAIN: Keep(("cloth_wine_1", "papal_bull")),
    }
    position = closed(position, "keep", keep, {}).position
    position = closed(position, "bid", {ROLAND: Bid(3), ROMAIN: Bid(3)}, {}).position
    capitals: dict[Seat, Answer] = {ROMAIN: Capitals(("venezia",)), ROLAND: Capitals(("venezia", "barcelona"))}
    went = closed(position, "capitals", capitals, {"bid/1/roland": 2, "bid/1/romain": 5})
    return went, went.position


def test_each_player_gets_three_cards_and_forty_ducats() -> None:
    """§8.1, R35  Everybody starts with three cards that they alone can read, 40 ducats and no misery.

    Crusades, Walter, Rashid, Spice and Silk lie aside while the other cards of epoch 1 are dealt.
    """
    position = begun()
    assert (held(position, ROLAND), held(position, ROMAIN)) == (DEAL[:3], DEAL[6:])
    assert [(power.cash, power.misery) for power in position.board.powers.values()] == [(40, 0)] * 3
    assert sorted(position.board.withheld) == sorted(WITHHELD)
    assert {CARDS[card].epoch for card in position.board.later} == {2, 3}
    for viewer in (EDOUARD, PUBLIC):
        hand = redact(position, viewer).board.powers[ROLAND].hand
        assert len(hand) == 3
        assert not any(isinstance(card.held, str) for card in hand)


def test_nothing_is_shown_before_all_three_are_in() -> None:
    """§8.1, §8.3  Cards, bids and capitals are asked together, and a gate that closes first tells nobody anything."""
    position = begun()
    assert position.core.gates() == ("leave/0", "keep/0", "bid/0", "capitals/0")
    went = closed(position, "bid", {ROLAND: Bid(7)}, {})
    assert not events_of(went, BidMade)
    for viewer in (EDOUARD, PUBLIC):
        seen = redact(went.position, viewer).board
        assert all(not secret.visible for secret in seen.answers.values())
        assert seen.powers[ROLAND].cash == 40


def test_the_third_card_is_shuffled_back() -> None:
    """§8.1  It lies where the shuffle puts it, on top if it must be, and its owner no longer knows where it is."""
    position = begun()
    for asks in ("keep", "bid"):
        position = closed(position, asks, {}, {}).position
    position = closed(position, "capitals", {}, {"kept": ("stirrups", "dionysius", "papal_bull")}).position
    assert held(position, ROLAND) == ("wool_1a", "enlightened_ruler")
    assert not any(card.known_to for card in position.board.deck)
    with truth():
        assert [card.value for card in position.board.deck[:3]] == ["stirrups", "dionysius", "papal_bull"]
    sound(position)


@pytest.mark.holds("age_of_renaissance", "event", "aor.TieRolled")
def test_equal_bids_are_decided_by_dice_and_the_higher_total_chooses_first() -> None:
    """§8.3, example  Romain wins the throw and takes Venezia, Roland Barcelona, Édouard Genoa by default; all pay."""
    went, position = example()
    assert [event.rolls for event in events_of(went, TieRolled)] == [((ROLAND, 2), (ROMAIN, 5))]
    taken = [(event.seat, event.capital, event.chosen) for event in events_of(went, CapitalTaken)]
    assert taken == [(ROMAIN, "venezia", 1), (ROLAND, "barcelona", 2), (EDOUARD, "genoa", 3)]
    assert position.board.at("venezia", ROMAIN).marker == OLD
    assert [position.board.powers[seat].cash for seat in EXAMPLE] == [37, 40, 37]


def test_equal_throws_are_thrown_again_until_decided() -> None:
    """§8.3  Only those who threw the same throw again."""
    position = begun()
    position = closed(position, "keep", {}, {}).position
    position = closed(position, "bid", {seat: Bid(5) for seat in EXAMPLE}, {}).position
    script: dict[str, int | Sequence[object]] = {
        "bid/1/roland": 4,
        "bid/1/edouard": 6,
        "bid/1/romain": 4,
        "bid/2/roland": 1,
        "bid/2/romain": 1,
        "bid/3/roland": 2,
        "bid/3/romain": 3,
    }
    went = closed(position, "capitals", {}, script)
    assert [event.seat for event in events_of(went, CapitalTaken)] == [EDOUARD, ROMAIN, ROLAND]
    assert len(events_of(went, TieRolled)) == 3


def test_a_preference_already_taken_passes_to_the_next_and_then_to_the_printed_order() -> None:
    """§8.3  A player who names only what others took gets the first capital left, as §8.2 prints them."""
    position = closed(closed(begun(), "keep", {}, {}).position, "bid", {ROMAIN: Bid(2), EDOUARD: Bid(1)}, {}).position
    went = closed(position, "capitals", {ROMAIN: Capitals(("genoa",)), EDOUARD: Capitals(("genoa",))}, {})
    assert [event.capital for event in events_of(went, CapitalTaken)] == ["genoa", "venezia", "barcelona"]


def test_in_the_pace_order_capitals_are_asked_one_at_a_time_in_descending_order_of_bids() -> None:
    """§8.3  When the bids are known the highest bidder is asked, then the next; the last takes what is left unasked."""
    position = begun(pace="order")
    assert position.core.gates() == ("leave/0", "keep/0", "bid/0")
    position = closed(position, "keep", {}, {}).position
    position = closed(position, "bid", {EDOUARD: Bid(4), ROMAIN: Bid(1)}, {}).position
    assert position.core.gates() == ("leave/0", "capitals/0/edouard")
    position = play(position, "capitals/0/edouard", {EDOUARD: Capitals(("barcelona",))}).position
    assert position.core.gates() == ("leave/0", "capitals/0/romain")
    assert refused(position, ROMAIN, "capitals", Capitals(("barcelona",))) is not None
    position = play(position, "capitals/0/romain", {ROMAIN: Capitals(("barcelona", "genoa"))}).position
    assert {seat: position.board.powers[seat].capital for seat in EXAMPLE} == {
        EDOUARD: "barcelona",
        ROMAIN: "genoa",
        ROLAND: "venezia",
    }
    assert position.core.gates() == ("leave/0", "tokens/1")


def test_the_defaults_of_the_set_up() -> None:
    """§8  A player who says nothing keeps the first two cards, bids nothing, and prefers the capitals as printed."""
    position = begun()
    decisions = {d.topic: d for d in position.core.questions if d.seat == EDOUARD}
    with truth():
        given = {asks: RULES.default_orders(position, d) for asks, d in decisions.items()}
    assert given["keep"] == unconditional(Keep(DEAL[3:5]))
    assert given["bid"] == unconditional(Bid(0))
    assert given["capitals"] == unconditional(Capitals(CAPITALS[3]))
    assert given["leave"] == ()


@pytest.mark.parametrize(
    ("asks", "answer", "code"),
    [
        ("keep", Keep(("wool_1a",)), "keep_so_many"),
        ("keep", Keep(("wool_1a", "wool_1a")), "not_in_hand"),
        ("keep", Keep(("wool_1a", "rebellion")), "not_in_hand"),
        ("keep", Keep(("wool_1a", "bread")), "no_such_card"),
        ("bid", Bid(-1), "below_zero"),
        ("bid", Bid(41), "too_dear"),
        ("capitals", Capitals(()), "no_capital_named"),
        ("capitals", Capitals(("paris",)), "no_such_capital"),
        ("capitals", Capitals(("genoa", "genoa")), "named_twice"),
        ("bid", Place("venezia", 1), "not_here"),
    ],
)
def test_what_the_set_up_refuses(asks: str, answer: Keep | Bid | Capitals | Place, code: str) -> None:
    """§8  An answer that cannot be carried out is refused with its reason."""
    problem = refused(begun(), ROLAND, asks, answer)
    assert problem is not None
    assert problem.code == code
    assert problem.lasting


def test_a_card_is_named_by_what_it_shows() -> None:
    """§8.1  Of two cards that show the same, either name keeps the one that is held."""
    position = begun()
    assert refused(position, EDOUARD, "keep", Keep(("stone_1b", "rebellion"))) is None
    position = closed(position, "keep", {EDOUARD: Keep(("stone_1b", "rebellion"))}, {}).position
    position = closed(closed(position, "bid", {}, {}).position, "capitals", {}, {}).position
    assert held(position, EDOUARD) == ("stone_1a", "rebellion")


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_set_up_is_sound_for_every_number_of_players(players: int) -> None:
    """§8.2  With three to six players each has a capital of the game and the pieces add up."""
    position = start(RULES, SEATS[:players], {}, b"seed").position
    for asks in ("keep", "bid", "capitals"):
        position = closed(position, asks, {}, {}).position
    assert sorted(power.capital for power in position.board.powers.values()) == sorted(CAPITALS[players])
    sound(position)


def test_a_player_who_leaves_during_the_set_up_takes_no_capital() -> None:
    """§11.3  A player who leaves before the capitals are chosen is out, and the game goes on without them."""
    position = begun()
    went = play(position, "leave/0", {EDOUARD: Leave()})
    assert [(event.seat, event.cause) for event in events_of(went, Eliminated)] == [(EDOUARD, "left")]
    assert {d.seat for d in went.position.core.questions} == {ROLAND, ROMAIN}
    position = went.position
    for asks in ("keep", "bid", "capitals"):
        went = closed(position, asks, {}, {})
        position = went.position
    assert position.board.powers[EDOUARD].capital == ""
    went = play(position, "tokens/1", {ROLAND: Tokens(1), ROMAIN: Tokens(2)})
    assert [seat for seat, _ in events_of(went, OrderSet)[0].slots] == [EDOUARD, ROLAND, ROMAIN]
    sound(went.position)
    position = begun(pace="order")
    position = closed(closed(position, "keep", {}, {}).position, "bid", {ROLAND: Bid(4), ROMAIN: Bid(1)}, {}).position
    position = play(position, "leave/0", {ROMAIN: Leave()}).position
    assert play(position, "capitals/0/roland", {}).position.core.gates() == ("leave/0", "capitals/0/edouard")


def test_the_question_whether_to_leave_stays_open_when_it_is_passed() -> None:
    """§11.3  Passing is no farewell: the question may be answered later."""
    went = play(begun(), "leave/0", {EDOUARD: ()})
    assert not events_of(went, Eliminated)
    assert any(d.seat == EDOUARD and d.topic == "leave" for d in went.position.core.questions)
    assert events_of(went, QuestionsAsked)
