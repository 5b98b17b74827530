"""Hands, cards laid and standing instructions are known to those who may know them, and questions tell no hand."""

from collections.abc import Iterator

import pytest

from engine.kernel.codec import dump
from engine.kernel.orders import Clause, Condition, Line
from engine.kernel.secrets import redact, seen_by
from engine.kernel.viewers import GM, PUBLIC, Seat
from engine.renaissance import orders as o
from engine.renaissance.board import Phase
from engine.renaissance.meta import META
from engine.renaissance.phases.reactions import TOPICS
from engine.renaissance.ruleset import RULES
from tests.engine.renaissance import build
from tests.engine.renaissance.build import BLUE, GOLD, GREEN, RED, VIOLET


def besieged() -> build.At:
    """Milan has attacked Genoa; Venice, which has a card, is asked to sell."""
    position = build.game()
    build.hand(position, GREEN, "canon", "chevaliers", "felon")
    build.hand(position, RED, "suisses", "ingenieur")
    build.hand(position, BLUE, "condottiere")
    gate = build.ask(position, "combat", GREEN)
    return build.play(position, gate, {GREEN: o.Attack("genova", ("canon", "chevaliers", "felon"))}).position


@pytest.mark.parametrize("viewer", [RED, BLUE, PUBLIC, GM])
def test_cards_laid_face_down_are_known_to_their_player_alone(viewer: str) -> None:
    """Combat  Their number is public; nobody else reads which they are, in the position or in what is presented."""
    position = besieged()
    seen = redact(position, viewer)
    assert not {"canon.1", "chevaliers.1", "felon.1"} & set(_words(dump(seen)))
    with seen_by(viewer):
        battle = RULES.present_view(seen, viewer)["battle"]
    assert [laid["card"] for laid in battle["attack"]] == ["", "", ""]
    with seen_by(GREEN):
        own = RULES.present_view(redact(position, GREEN), GREEN)["battle"]
    assert [laid["card"] for laid in own["attack"]] == ["canon", "chevaliers", "felon"]


def _words(text: str) -> Iterator[str]:
    return (word for word in text.split('"') if word)


def test_when_cards_are_shown_everybody_knows_them_the_public_too() -> None:
    """Combat  Both sides reveal together, after both have laid."""
    position = besieged()
    position = build.play(position, "sales/2/1", {}).position
    assert "suisses.1" not in dump(redact(position, GREEN))
    position = build.play(position, "defence/2/1", {}).position
    for viewer in (GOLD, PUBLIC, GM):
        assert {"canon.1", "suisses.1"} <= set(_words(dump(redact(position, viewer))))


@pytest.mark.parametrize("viewer", [RED, BLUE, PUBLIC, GM])
def test_which_cards_of_those_seen_by_all_lie_face_down_is_told_to_nobody(viewer: str) -> None:
    """Combat  "Face cachée": a troop that came back in the sight of all is laid like any other, until it is shown."""
    laid = (("canon", "suisses"), ("piquiers", "suisses"), ("piquiers", "chevaliers"))
    positions = []
    for cards in laid:
        position = build.game()
        build.hand(position, GREEN, "piquiers", "chevaliers", shown=("canon", "suisses"))
        build.hand(position, RED, "piquiers")
        gate = build.ask(position, "combat", GREEN)
        positions.append(build.play(position, gate, {GREEN: o.Attack("genova", cards)}).position)
    assert len({dump(redact(position, viewer).board) for position in positions}) == 1
    with seen_by(viewer):
        power = RULES.present_view(redact(positions[2], viewer), viewer)["powers"][GREEN]
    assert (power["cards"], power["shown"]) == (2, ())
    with seen_by(GREEN):
        own = RULES.present_view(redact(positions[2], GREEN), GREEN)
    assert (own["own"]["hand"], own["powers"][GREEN]["shown"]) == (("canon", "suisses"), ("canon", "suisses"))
    shown = build.play(positions[2], "defence/2/1", {}).position
    with seen_by(viewer):
        view = RULES.present_view(redact(shown, viewer), viewer)
    assert view["powers"][GREEN]["shown"] == ("canon", "suisses")


def test_a_hand_is_read_by_its_owner_and_counted_by_all() -> None:
    """Other players see only the number of cards."""
    position = build.game()
    build.hand(position, RED, "suisses", shown=("canon",))
    with seen_by(BLUE):
        view = RULES.present_view(redact(position, BLUE), BLUE)
    assert (view["powers"][RED]["cards"], view["powers"][RED]["shown"]) == (2, ("canon",))
    with seen_by(RED):
        assert RULES.present_view(redact(position, RED), RED)["own"]["hand"] == ("canon", "suisses")


@pytest.mark.parametrize("hand", [("condottiere",), ("mariage",), ("piquiers",)])
def test_who_is_asked_to_sell_does_not_tell_who_has_a_condottiere(hand: tuple[str, ...]) -> None:
    """Whatever the third party holds, the same is asked, and only they see that what is offered to them differs."""
    position = build.game()
    build.hand(position, GREEN, "canon", "chevaliers")
    build.hand(position, BLUE, *hand)
    gate = build.ask(position, "combat", GREEN)
    went = build.play(position, gate, {GREEN: o.Attack("genova", ("canon", "chevaliers"))})
    assert [(d.seat, d.topic) for d in went.position.core.questions if d.blocking] == [(BLUE, "sales")]


def test_campaigns_that_wait_are_in_no_view() -> None:
    """Sealed pace: while one battle is fought nobody reads what the others have ordered, not even they themselves."""
    position = build.game()
    build.hand(position, GREEN, "canon", "chevaliers")
    build.hand(position, BLUE, "suisses", "suisses")
    build.order(position, GREEN, BLUE, GOLD, RED, VIOLET, build.ORANGE)
    gate = build.ask(position, "combat", GREEN, BLUE)
    answers: dict[Seat, build.Answer] = {
        GREEN: o.Attack("genova", ("canon", "chevaliers")),
        BLUE: o.Attack("ajaccio", ("suisses", "suisses")),
    }
    position = build.play(position, gate, answers).position
    assert position.board.battle is not None
    for viewer in (*position.core.seats, PUBLIC):
        assert "ren.Attack/" not in dump(redact(position, viewer))


# --- what may be filed ahead


def gates(position: build.At, seat: Seat) -> list[str]:
    """What a seat may answer ahead."""
    with seen_by(seat):
        return [decision.gate for decision in RULES.advance_questions(redact(position, seat), seat)]


def test_standing_instructions_may_be_filed_from_the_first_letter_of_a_turn() -> None:
    """All seven reactions, the stop before the count, the sequences to come, and the vote of the next turn."""
    position = build.game(phase=Phase.STATE)
    reactions = [f"{asks}/2" for asks in (*TOPICS, "council")]
    assert gates(position, GOLD) == [*reactions, "purchases/2", "expansion/2", "combat/2", "vote/3"]
    position.board.phase = Phase.COMBAT
    assert gates(position, GOLD) == [*reactions, "vote/3"]
    position.board.phase = Phase.COUNCIL
    assert gates(position, GOLD) == ["council/2", "vote/3"]
    assert {topic.key for topic in META.topics if topic.is_reaction} == {*TOPICS, "council"}


def test_in_order_who_plays_later_may_file_while_another_is_asked() -> None:
    """The gate is the seat's own; a player who has played may not file."""
    position = build.game(phase=Phase.PURCHASES, pace="order")
    build.reopen(position, "purchases", RED)
    assert f"purchases/2/{GREEN}" in gates(position, GREEN)
    assert f"purchases/2/{GOLD}" not in gates(position, GOLD)


def test_an_eliminated_player_files_nothing_until_they_return() -> None:
    """A23  An eliminated player has nothing to answer ahead."""
    position = build.game()
    position.board.powers[GOLD].eliminated = True
    assert gates(position, GOLD) == []


def test_a_standing_instruction_answers_city_by_city() -> None:
    """`IF Genova IS ATTACKED: LAY strongest WITH ingénieur OR IN ANY CASE: LAY weakest`."""
    reaction = Line(
        (
            Clause(o.Lay("strongest", "ingenieur"), (Condition("attacked", {"city": "genova"}),)),
            Clause(o.Lay("weakest")),
        )
    )
    for town, laid in (("genova", ("suisses.1", "ingenieur.1")), ("ajaccio", ("piquiers.1",))):
        position = build.game()
        build.hand(position, GREEN, "canon", "canon")
        build.hand(position, RED, "suisses", "piquiers", "ingenieur")
        build.city(position, "bari", GREEN)
        fight = build.Fight(position, GREEN, o.Attack(town, ("canon", "canon")), {(RED, "defence"): (reaction,)})
        (shown,) = fight.events_of(build.CardsShown)
        assert shown.defence == laid


CONDITIONS = [
    (Condition("hold", {"city": "milano"}), True),
    (Condition("hold", {"city": "roma"}), False),
    (Condition("holds", {"nation": "rome", "city": "roma"}), True),
    (Condition("holds", {"nation": "france", "city": "roma"}), False),
    (Condition("free", {"city": "siena"}), True),
    (Condition("fell", {"city": "pisa"}), True),
    (Condition("fell", {"city": "siena"}), False),
    (Condition("beaten", {"city": "genova"}), True),
    (Condition("have", {"count": 2, "what": "blue"}), True),
    (Condition("have", {"count": 3, "what": "blue"}), False),
    (Condition("have", {"count": 1, "what": "condottiere"}), True),
    (Condition("have", {"count": 7, "what": "ducats"}), False),
    (Condition("have", {"count": 4, "what": "cards"}), True),
    (Condition("have", {"count": 3, "what": "cities"}), False),
    (Condition("in_hand", {"card": "felon"}), True),
    (Condition("in_hand", {"card": "mariage"}), False),
    (Condition("walls", {"city": "genova"}), True),
    (Condition("attacked", {"city": "genova"}), False),
    (Condition("attacks", {"nation": "milan"}), False),
    (Condition("losing", {}), False),
    (Condition("turns", {}), False),
    (Condition("war", {}), True),
]


@pytest.mark.parametrize(
    ("condition", "holds"), CONDITIONS, ids=[f"{c.fact}{list(c.about.values())}" for c, _ in CONDITIONS]
)
def test_what_if_may_ask(condition: Condition, holds: bool) -> None:
    """Each fact on a position that shows it, and on one that does not."""
    position = build.game()
    build.hand(position, GREEN, "canon", "chevaliers", "condottiere", "felon")
    build.city(position, "genova", RED, 2)
    position.board.fallen = ("pisa",)
    position.board.powers[GREEN].beaten = ("genova",)
    with seen_by(GREEN):
        assert RULES.fact_holds(redact(position, GREEN), GREEN, condition) is holds


def test_facts_of_a_battle_hold_while_it_is_fought() -> None:
    """Of a battle all know the city attacked, the attacker's nation, and the losing side once the dice lie."""
    position = build.play(besieged(), "sales/2/1", {}).position
    went = build.play(position, "defence/2/1", {}, {"battle/2/1/attack": 1, "battle/2/1/defence": 6})
    for seat, losing in ((RED, False), (GREEN, True), (BLUE, False)):
        with seen_by(seat):
            seen = redact(went.position, seat)
            assert RULES.fact_holds(seen, seat, Condition("attacked", {"city": "genova"}))
            assert RULES.fact_holds(seen, seat, Condition("attacks", {"nation": "milan"}))
            assert RULES.fact_holds(seen, seat, Condition("losing", {})) is losing
