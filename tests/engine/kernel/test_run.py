"""The loop: start, advance, correct, fold."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from engine.kernel.apply import PatchRefused
from engine.kernel.codec import dump
from engine.kernel.dice import HmacDraws
from engine.kernel.events import Corrected, Defaulted, Ended, Event, GateResolved, ReadingAdopted, StatePatched
from engine.kernel.options import uses_reading
from engine.kernel.orders import Clause, Line, Orders, unconditional
from engine.kernel.rules import Option
from engine.kernel.run import Advance, GateNotOpen, advance, correct, empty_state, fold, inverse_events, set_up, start
from engine.kernel.secrets import Secret, redact, truth
from engine.kernel.viewers import PUBLIC, Seat
from tests.bilingual import words
from tests.scripted_draws import ScriptedDraws
from tests.toy import RULES
from tests.toy.board import Board
from tests.toy.events import Bought, Fought, Left, Paid, Parried, Scouted, Stacked
from tests.toy.orders import Attack, Bid, Leave, Parry, Scout, Sell
from tests.toy.second import SECOND

ANN, BOB, CLEO = Seat("ann"), Seat("bob"), Seat("cleo")
DEAL = {"deal": ("wine", "silk", "oak", "wool", "iron", "salt", "spice")}


def begun(**options: str) -> Advance[Board]:
    """Ann holds wine and silk, Bob oak and wool, Cleo iron and salt; spice lies on top."""
    return start(RULES, (ANN, BOB, CLEO), options, b"run", draws=ScriptedDraws(DEAL, HmacDraws(b"run", b"")))


def go(at: Advance[Board], gate: str, answers: Mapping[Seat, Orders], **dice: int) -> Advance[Board]:
    """Close a gate; dice by name, with `_` for `/`."""
    script = {name.replace("_", "/"): number for name, number in dice.items()}
    return advance(
        RULES, at.position, gate, answers, str(gate).encode(), ScriptedDraws(script, HmacDraws(b"run", b"go"))
    )


def bids(at: Advance[Board], ann: int, bob: int, cleo: int, **dice: int) -> Advance[Board]:
    """All three bid."""
    answers = {ANN: unconditional(Bid(ann)), BOB: unconditional(Bid(bob)), CLEO: unconditional(Bid(cleo))}
    return go(at, "bid/1", answers, **dice)


def facts(at: Advance[Board], kind: type[Event]) -> list[Event]:
    """The facts of one kind."""
    return [event for event in at.events if type(event) is kind]


def test_a_game_starts_up_to_its_first_question() -> None:
    """All seats are asked for bids; the questions that do not block stay open beside them."""
    core = begun().position.core
    assert core.is_waiting()
    assert core.gates() == ("leave/1/ann", "leave/1/bob", "leave/1/cleo", "bid/1")
    assert [d.seat for d in core.gate("bid/1")] == [ANN, BOB, CLEO]


def test_options_are_filled_in_and_unknown_ones_refused() -> None:
    """A game keeps the value of every option; a name or value that does not exist stops it from being made."""
    assert begun(pace="in_order").position.core.options == {
        "pace": "in_order",
        "failures": "next",
        "turns": "3",
        "income": "2",
        "fair": "no",
    }
    with pytest.raises(ValueError, match="toy has no option colour=red"):
        begun(colour="red")
    with pytest.raises(ValueError, match="toy has no option pace=fast"):
        begun(pace="fast")


def test_an_option_may_be_for_some_numbers_of_players_alone() -> None:
    """A value that is not for so many is refused with the number, and not among those that are open to them."""
    scenario = Option("scenario", words("s", "s"), {"old": words("a", "a"), "new": words("b", "b")}, {"new": (4, 5)})
    meta = replace(RULES.meta, options=(scenario,))
    assert (scenario.open_to(3), scenario.open_to(4)) == (("old",), ("old", "new"))
    assert meta.chosen({"scenario": "new"}, 4) == meta.chosen({"scenario": "new"}) == {"scenario": "new"}
    with pytest.raises(ValueError, match="toy has no option scenario=new for 3 players"):
        meta.chosen({"scenario": "new"}, 3)


def test_a_master_adopts_newer_readings_and_takes_that_back() -> None:
    """From then on the game is played by them; undone, by those of before."""
    rules = SECOND
    before = set_up(rules, empty_state(rules, (ANN, BOB), RULES.meta.chosen({}), b"run")).position
    adopted = ReadingAdopted(option="readings", value="2")
    after = correct(rules, before, Corrected(by="gm", reason="newer", edits=(adopted,))).position
    assert uses_reading(after.core.options, 2)
    with truth():
        back = inverse_events(rules, after, (adopted,), before)
    assert back == (ReadingAdopted(option="readings", value="1"),)


@pytest.mark.parametrize(
    ("gate", "seats"), [("bid/1", (ANN, BOB)), ("bid/2", (ANN, BOB, CLEO)), ("bid/1", ()), ("leave/1/ann", (ANN, BOB))]
)
def test_a_gate_closes_for_exactly_those_it_asks(gate: str, seats: tuple[Seat, ...]) -> None:
    """A missing answer, one too many, none at all, or a gate that is not open is refused, and nothing is told."""
    with pytest.raises(GateNotOpen):
        go(begun(), gate, {seat: unconditional(Bid(0)) for seat in seats})


def test_answers_are_opened_in_the_order_of_the_table() -> None:
    """The order in which players answered makes no difference."""
    at = begun()
    one = go(at, "bid/1", {ANN: unconditional(Bid(1)), BOB: unconditional(Bid(2)), CLEO: unconditional(Bid(0))})
    two = go(at, "bid/1", {CLEO: unconditional(Bid(0)), BOB: unconditional(Bid(2)), ANN: unconditional(Bid(1))})
    assert dump(one.events) == dump(two.events)
    assert facts(one, GateResolved) == [GateResolved(gate="bid/1", seats=(ANN, BOB, CLEO))]


def test_who_missed_the_deadline_is_named() -> None:
    """An answer by default is told as such, with its seat."""
    answers = {ANN: unconditional(Bid(1)), BOB: unconditional(Bid(0)), CLEO: unconditional(Bid(0))}
    at = advance(RULES, begun().position, "bid/1", answers, defaulted=(BOB,))
    assert at.events[0] == Defaulted(seat=BOB, gate="bid/1", topic="bid")


def test_a_secret_bid_buys_what_the_buyer_alone_knows() -> None:
    """Equal bids are parted by the die of their name; the card is known to its buyer."""
    at = bids(begun(), 3, 3, 1, tie_1=2)
    (bought,) = facts(at, Bought)
    assert bought == Bought(bids={ANN: 3, BOB: 3, CLEO: 1}, seat=BOB, card=Secret("spice", frozenset({BOB})))
    assert at.position.board.coins == {ANN: 8, BOB: 5, CLEO: 8}
    assert [d.name for d in at.draws] == ["tie/1"]
    assert "spice" in dump(redact(at.events, BOB))
    assert "spice" not in dump(redact(at.events, ANN)) + dump(redact(at.position, PUBLIC))


def marched(at: Advance[Board], ann: Orders = (), bob: Orders = (), cleo: Orders = (), **dice: int) -> Advance[Board]:
    """All three march, in the sealed pace."""
    return go(at, "march/1", {ANN: ann, BOB: bob, CLEO: cleo}, **dice)


def test_a_question_stops_the_loop_and_the_rest_waits_sealed() -> None:
    """An attack asks everybody who holds cards, with or without a shield; the other lines wait unread."""
    at = marched(
        bids(begun(), 1, 0, 0),
        ann=unconditional(Attack("mill", 2), Sell(("wine",))),
        bob=unconditional(Attack("abbey", 3)),
    )
    core = at.position.core
    assert [d.seat for d in core.gate("shield/1/1")] == [BOB, CLEO]
    assert "abbey" in dump(core.agenda)
    assert "abbey" not in "".join(dump(redact(at.position, v)) + dump(redact(at.events, v)) for v in (ANN, CLEO))
    assert redact(at.position, BOB).core.agenda == ()


def test_a_parry_turns_the_attack_away_and_the_rest_goes_on() -> None:
    """The first shield of the table is shown, the other stays hidden; the next line is taken up."""
    at = marched(bids(begun(), 1, 0, 0), ann=unconditional(Attack("mill", 2), Sell(("wine",))))
    at = go(at, "shield/1/1", {BOB: unconditional(Parry("oak")), CLEO: unconditional(Parry("iron"))})
    assert facts(at, Parried) == [Parried(seat=BOB, card="oak")]
    assert facts(at, Fought) == [Fought(seat=ANN, town="mill", rolls=(), won=False)]
    assert at.position.board.discard == ("oak", "wine")
    assert facts(at, Paid) == [Paid(income={ANN: 0, BOB: 0, CLEO: 0})]


def test_a_repeated_line_rolls_again_until_it_wins() -> None:
    """UP TO 2 TIMES: a lost fight is fought once more, with dice of their own names."""
    line = Line((Clause(Attack("mill", 1)),), repeat=2)
    at = marched(bids(begun(), 0, 1, 0), ann=(line,))
    at = go(at, "shield/1/1", {BOB: (), CLEO: ()}, march_1_1_0=2)
    at = go(at, "shield/1/2", {BOB: (), CLEO: ()}, march_1_2_0=3)
    assert facts(at, Fought) == [Fought(seat=ANN, town="mill", rolls=(3,), won=True)]
    assert at.position.board.owner == {"mill": ANN}


def test_what_is_scouted_is_known_to_two() -> None:
    """Knowledge grows: owner and scout know the card; the third seat reads only that there was a look."""
    at = marched(bids(begun(), 1, 0, 0), cleo=unconditional(Scout("bob")))
    assert facts(at, Scouted) == [Scouted(seat=CLEO, of=BOB, place=0, card=Secret("oak", frozenset({BOB, CLEO})))]
    assert "oak" in dump(redact(at.position, CLEO))
    assert "oak" not in dump(redact(at.position, ANN)) + dump(redact(at.events, ANN))


def test_a_player_who_leaves_is_asked_nothing_more() -> None:
    """A question that does not block acts at once; the gate then closes without the seat."""
    at = go(begun(), "leave/1/bob", {BOB: unconditional(Leave("adieu"))})
    assert facts(at, Left) == [Left(seat=BOB, farewell="adieu")]
    assert {d.seat for d in at.position.core.questions} == {ANN, CLEO}
    assert facts(at, Stacked) != []
    after = go(at, "bid/1", {ANN: unconditional(Bid(1)), CLEO: unconditional(Bid(0))})
    assert [d.seat for d in after.position.core.gate("march/1")] == [ANN, CLEO]


def test_a_game_that_ended_has_nothing_left_to_do() -> None:
    """The last seat ends the game: no agenda, no questions, reason and ranking told."""
    at = go(begun(), "leave/1/bob", {BOB: unconditional(Leave())})
    at = go(at, "leave/1/ann", {ANN: unconditional(Leave())})
    core = at.position.core
    assert (core.over, core.ending, core.agenda, core.questions) == (True, "alone", (), ())
    points = {ANN: 0, BOB: 0, CLEO: 8}
    assert facts(at, Ended) == [Ended(reason="alone", ranking=((CLEO,), (ANN, BOB)), points=points)]


def test_in_order_each_seat_has_a_gate_of_its_own() -> None:
    """The same rules ask one after the other, when the option says so."""
    at = bids(begun(pace="in_order"), 1, 0, 0)
    assert [d.gate for d in at.position.core.questions if d.blocking] == ["march/1/ann"]
    at = go(at, "march/1/ann", {ANN: ()})
    assert [d.gate for d in at.position.core.questions if d.blocking] == ["march/1/bob"]


def test_a_dropped_set_is_asked_again_before_the_others_go_on() -> None:
    """`again`: the failed seat answers at a new gate, and the next seat's lines wait for it."""
    looks = unconditional(Scout("ann"), Scout("ann"), Scout("cleo"))
    at = bids(begun(failures="again"), 0, 1, 0)
    at = marched(at, ann=unconditional(Sell(("wine",))), bob=looks, cleo=unconditional(Sell(("salt",))))
    assert [(d.gate, d.seat) for d in at.position.core.questions if d.blocking] == [("march/1~1", BOB)]
    assert at.position.board.discard == ("wine",)
    at = go(at, "march/1~1", {BOB: unconditional(Scout("cleo"))})
    assert at.position.board.discard == ("wine", "salt")


def test_a_correction_is_folded_and_told_like_any_fact() -> None:
    """A master's ruling uses the game's own facts; each edit is told to whom it is for."""
    ruling = Corrected(
        by="gm",
        reason="as printed",
        edits=(ReadingAdopted(option="income", value="1"), Paid(income={ANN: 2}, visible_to=frozenset({ANN}))),
    )
    before = begun()
    at = correct(RULES, before.position, ruling)
    assert at.position.core.options["income"] == "1"
    assert at.position.board.coins[ANN] == 10
    assert dump(fold(RULES, before.position, at.events)) == dump(at.position)
    (told,) = redact(at.events, BOB)
    assert isinstance(told, Corrected)
    assert told.edits == (ReadingAdopted(option="income", value="1"),)


def test_a_patch_changes_one_value_and_refuses_another_one() -> None:
    """The last resort names what it expects; if that is not there any more, nothing changes."""
    patch = StatePatched(path=("coins", "bob"), old=8, new=7)
    at = correct(RULES, begun().position, Corrected(by="gm", reason="slip", edits=(patch,)))
    assert at.position.board.coins == {ANN: 8, BOB: 7, CLEO: 8}
    before = dump(at.position)
    with pytest.raises(PatchRefused, match="another one by now"):
        correct(RULES, at.position, Corrected(by="gm", reason="twice", edits=(patch,)))
    assert dump(at.position) == before


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (("hands", "bob", "1"), "wool", "salt"),
        (("hands", "bob", "2"), "wool", "salt"),
        (("turn", "deep"), 1, 2),
        (("nowhere",), 1, 2),
        (("hands", "bob", "first"), 1, 2),
    ],
)
def test_a_patch_that_leads_nowhere_is_refused(path: tuple[str, ...], old: object, new: object) -> None:
    """A path through what has no parts, or to another value, is no patch."""
    patch = Corrected(by="gm", reason="slip", edits=(StatePatched(path=path, old=old, new=new),))
    with pytest.raises(PatchRefused):
        correct(RULES, begun().position, patch)


def test_a_patch_reaches_into_a_hand() -> None:
    """Tuples are patched by place, and a secret by a secret: the others see masks."""
    old, new = Secret("wool", frozenset({BOB})), Secret("timber", frozenset({BOB}))
    patch = StatePatched(path=("hands", "bob", "1"), old=old, new=new)
    at = correct(RULES, begun().position, Corrected(by="gm", reason="slip", edits=(patch,)))
    assert at.position.board.hands[BOB][1] == new
    assert "timber" not in dump(redact(at.events, ANN))
