"""What holds for every expansion, whatever the board and whatever is ordered."""

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.age_of_renaissance.atlas import Hull, Ship
from engine.age_of_renaissance.board import NEW, OLD
from engine.age_of_renaissance.catalogue import PROVINCES, REGIONS_IN_PLAY
from engine.age_of_renaissance.orders import Attack, BuyCard, Exchange, Lift, Place, UseConversion
from engine.age_of_renaissance.phases import expansion, placing
from engine.age_of_renaissance.ruleset import RULES
from engine.kernel.codec import dump, load
from engine.kernel.events import LineFailed
from engine.kernel.orders import Line, Order, Orders, Question
from engine.kernel.run import advance, fold
from engine.kernel.validation import all_valid, check_orders
from engine.kernel.viewers import Seat
from tests.budget import budget
from tests.engine.age_of_renaissance import build
from tests.engine.age_of_renaissance.build import At, events_of
from tests.engine.age_of_renaissance.expansion_positions import GATE, again, field, give, lines, put

LAND = [p.id for p in PROVINCES.values() if p.region in REGIONS_IN_PLAY[3]]
SHIPS = (None, Ship(Hull.GALLEY, 2), Ship(Hull.GALLEY, 8), Ship(Hull.SEAWORTHY, 10), Ship(Hull.GALLEON, 1))
CARDS = ("famine", "mysticism", "war", "stirrups", "wool_1a", "metal_1")

province = st.sampled_from(LAND)
order: st.SearchStrategy[Order] = st.one_of(
    st.builds(Place, province, st.integers(1, 5)),
    st.builds(Attack, province, st.integers(1, 12), st.booleans()),
    st.builds(BuyCard),
    st.builds(Lift, st.lists(province, min_size=1, max_size=3).map(tuple)),
)
line: st.SearchStrategy[Line] = st.one_of(
    order.map(lambda o: lines(o)[0]),
    st.builds(again, order, st.integers(1, 3), order),
)


@st.composite
def boards(draw: st.DrawFn) -> At:
    """Three powers somewhere in the game, their pieces anywhere that the rules let them be."""
    seen = field(*draw(st.permutations(("blue", "violet", "yellow"))))
    for index, seat in enumerate(seen.board.order):
        letters = draw(st.sets(st.sampled_from("AGHIWYNRSTU")))
        ship = draw(st.sampled_from(SHIPS))
        weapons = draw(st.sets(st.sampled_from(("stirrups", "armor", "long_bow", "gunpowder")), max_size=2))
        give(seen, seat, advances="".join(letters), ship=ship, weapons=tuple(sorted(weapons)))
        build.hand(seen, seat, *CARDS[2 * index : 2 * index + draw(st.integers(0, 2))])
    for place, seats in draw(st.dictionaries(province, st.permutations(seen.board.order), max_size=40)).items():
        _settle(seen, place, seats, draw(st.sampled_from(("marker", "tokens", "shared"))))
    for seat in seen.board.order:
        left = seen.board.powers[seat].stock
        give(seen, seat, tokens=draw(st.integers(0, left)))
    return seen


def _settle(seen: At, place: str, seats: list[Seat], how: str) -> None:
    """Pieces in a province: a marker, tokens of one, or one token each of two."""
    if seen.board.pieces.get(place) or any(not seen.board.powers[s].stock for s in seats[:2]):
        return
    capacity = PROVINCES[place].capacity
    if how == "marker" and not PROVINCES[place].satellite and seen.board.powers[seats[0]].markers:
        put(seen, seats[0], place, marker=OLD)
    elif how == "shared" and capacity > 1:
        put(seen, seats[0], place, old=1)
        put(seen, seats[1], place, old=1)
    else:
        put(seen, seats[0], place, old=1)


def sets_of(seen: At) -> st.SearchStrategy[dict[Seat, Orders]]:
    """A set for each power."""
    return st.fixed_dictionaries({seat: st.lists(line, max_size=6).map(tuple) for seat in seen.board.order})


def opened(seen: At) -> At:
    """The sets are asked for, and the phase ends behind them."""
    seen.core.agenda = (expansion.CloseExpansion(),)
    seen.core.questions = tuple(Question(GATE, seat, "expansion") for seat in seen.board.order)
    return seen


@settings(max_examples=budget(12, 150))
@given(st.data())
def test_the_phase_always_comes_to_its_end(data: st.DataObject) -> None:
    """§9.5, R16, R47  Whatever is ordered: no piece is lost or minted, facts make the position, nothing new is left."""
    seen = opened(data.draw(boards()))
    build.sound(seen)
    gate, answers = GATE, data.draw(sets_of(seen))
    for number in range(200):
        before = dump(seen)
        went = advance(RULES, seen, gate, answers, str(number).encode())
        assert dump(seen) == before
        assert dump(fold(RULES, seen, went.events)) == dump(went.position)
        assert dump(load(dump(went.position))) == dump(went.position)
        build.sound(went.position)
        seen = went.position
        if not seen.core.questions:
            break
        gate = seen.core.gates()[0]
        answers = {d.seat: data.draw(_replies(seen, d)) for d in seen.core.gate(gate)}
    assert not seen.core.questions
    assert all(piece.marker != NEW and not piece.new for here in seen.board.pieces.values() for piece in here.values())
    assert all(power.expansion == 0 and not power.roots for power in seen.board.powers.values())
    assert seen.board.answers == {}


def _replies(seen: At, decision: Question) -> st.SearchStrategy[Orders]:
    """Answers to the questions that interrupt the phase."""
    mine = tuple(place for place, _ in seen.board.held(decision.seat))
    chosen: dict[str, Order] = {
        "conversion": UseConversion(),
        "manuscripts": Exchange(build.held(seen, decision.seat)),
        "lift": Lift(mine),
    }
    return st.sampled_from(((), lines(chosen[decision.topic])))


@settings(max_examples=budget(12, 150))
@given(st.data())
def test_what_a_refusal_offers_is_accepted(data: st.DataObject) -> None:
    """§9.5.2  A refusal's nearest attack, and the tokens that it says fit, are accepted as they stand."""
    seen = opened(data.draw(boards()))
    seat = data.draw(st.sampled_from(seen.board.order))
    decision = Question(GATE, seat, "expansion")
    wanted = data.draw(order)
    (ruling,) = check_orders(RULES, seen, decision, lines(wanted))
    if ruling.problem is None or not isinstance(wanted, Place | Attack):
        return
    nearest, room = ruling.problem.terms.get("nearest"), ruling.problem.terms.get("room")
    if isinstance(nearest, int) and nearest:
        assert all_valid(check_orders(RULES, seen, decision, lines(Attack(wanted.province, nearest))))
    if ruling.problem.code in ("nobody_there", "too_many_here", "needs_attack") and isinstance(room, int):
        placed = placing.placeable_counts(seen.board, seat, wanted.province)
        assert len(placed) <= room


@settings(max_examples=budget(12, 100))
@given(st.data())
def test_an_accepted_set_is_carried_out_when_it_comes_first_and_wins(data: st.DataObject) -> None:
    """§9.5  An accepted set is carried out line by line for the first player, as long as no throw is lost."""
    seen = opened(data.draw(boards()))
    seat = seen.board.order[0]
    decision = Question(GATE, seat, "expansion")
    wanted = tuple(one for one in data.draw(st.lists(order, max_size=6)) if not isinstance(one, Attack | Lift))
    kept: list[Order] = []
    for one in wanted:
        if all_valid(check_orders(RULES, seen, decision, lines(*kept, one))):
            kept.append(one)
    others: dict[Seat, Orders] = dict.fromkeys(seen.board.order, ())
    went = advance(RULES, seen, GATE, {**others, seat: lines(*kept)}, b"luck")
    assert events_of(went, LineFailed) == []
