"""A33 to A42: where versions 2 and 3 read the rulebook otherwise; a game of before keeps the older readings."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from engine.kernel.codec import dump, load
from engine.kernel.dice import Hmac, Scripted
from engine.kernel.forms import Form
from engine.kernel.grammar import Grammar, Section, SectionKey
from engine.kernel.names import Seat
from engine.kernel.orders import Clause, Condition, Decision, Line, Pace
from engine.kernel.parse import read_letter
from engine.kernel.printing import printed_order
from engine.kernel.run import Advance, start
from engine.kernel.secrets import Secret, redact, seen_by
from engine.renaissance import events as e
from engine.renaissance import orders as o
from engine.renaissance.board import Battle, Board, Laid, Offer, Phase
from engine.renaissance.conditions import FACTS
from engine.renaissance.phases.turn import BeginTurn
from engine.renaissance.phases.turn import Sequence as Begin
from engine.renaissance.readings import SINCE
from engine.renaissance.ruleset import RULES
from tests.engine.renaissance import build
from tests.engine.renaissance.build import BLUE, GOLD, GREEN, NAVY, RED, VIOLET, Fight
from tests.games import SEATS


def opened(players: int, script: dict[str, int | Sequence[object]] | None = None, **options: str) -> Advance[Board]:
    """A game just begun."""
    return start(RULES, SEATS[:players], options, b"seed", draws=Scripted(script or {}, Hmac(b"seed", b"luck")))


def test_every_reading_is_in_force_in_a_new_game_and_in_none_of_before() -> None:
    """A game that names no readings was set up before there were any to choose."""
    assert RULES.meta.chosen({})["readings"] == RULES.meta.version == "3"
    assert {str(version) for version in SINCE.values()} <= set(RULES.meta.plays)


# --- A33


@pytest.mark.holds("renaissance", "ruling", "A33")
@pytest.mark.parametrize(("readings", "code"), [("3", "second_port"), ("2", "second_port"), ("1", "")])
def test_a_port_just_taken_is_not_the_second_port_of_an_expansion_by_sea(readings: str, code: str) -> None:
    """Phase 1 - Expansion  "Si elles possèdent 2 ports": two of one's own before the phase."""
    position = build.game(readings=readings)
    build.city(position, "ajaccio", None)
    build.city(position, "bari", RED)
    position.board.powers[RED].settled = (("genova", "bari"),)
    assert build.code(position, RED, "expansion", o.Settle("palermo", "bari")) == code
    build.city(position, "savona", RED)
    assert build.code(position, RED, "expansion", o.Settle("palermo", "bari")) == ""


def test_a_port_taken_by_road_is_the_base_of_the_one_expansion_by_sea() -> None:
    """Phase 1 - Expansion  What was taken first may be the base of the second, also of a nation with one sea."""
    position = build.game()
    build.city(position, "piombino", VIOLET)
    position.board.powers[VIOLET].settled = (("viterbo", "piombino"),)
    assert build.code(position, VIOLET, "expansion", o.Settle("bari", "piombino")) == ""


# --- A34


@pytest.mark.holds("renaissance", "ruling", "A34")
def test_who_wishes_for_no_nation_takes_none_that_another_wishes_for() -> None:
    """Préparation  Wishes first, in the drawn order; what is left is drawn by lot."""
    ann, bob, cleo = SEATS[:3]
    answers: dict[Seat, build.Answer] = {ann: (), bob: (), cleo: o.Claim(("florence",))}
    script: build.Script = {"nations/0": [ann, bob, cleo], "nations/0/left": ["venise", "rome"]}
    went = build.play(opened(3, nations="chosen").position, "nations/0", answers, script)
    taken = {event.seat: (event.nation, event.drawn) for event in build.told(went.events, e.NationTaken)}
    assert taken == {ann: ("venise", True), bob: ("rome", True), cleo: ("florence", False)}
    older = opened(3, nations="chosen", readings="1").position
    went = build.play(older, "nations/0", answers, {"nations/0": [ann, bob, cleo]})
    assert build.told(went.events, e.NationTaken)[0].nation == "florence"


def test_who_finds_all_wishes_taken_waits_until_the_others_are_served() -> None:
    """Préparation  A seat whose wish is gone draws with those that had none."""
    ann, bob, cleo = SEATS[:3]
    answers: dict[Seat, build.Answer] = {ann: o.Claim(("rome",)), bob: o.Claim(("rome",)), cleo: o.Claim(("florence",))}
    went = build.play(opened(3, nations="chosen").position, "nations/0", answers, {"nations/0": [ann, bob, cleo]})
    taken = {event.seat: (event.nation, event.drawn) for event in build.told(went.events, e.NationTaken)}
    assert taken == {ann: ("rome", False), bob: ("venise", True), cleo: ("florence", False)}


# --- A35


@pytest.mark.holds("renaissance", "ruling", "A35")
def test_in_order_start_cities_rampart_and_palace_are_asked_one_after_the_other() -> None:
    """Préparation, 1515  "En suivant l'ordre du tour de jeu": who comes later sees what was founded before."""
    position = opened(4, scenario="1515", pace="order").position
    for seat in position.board.order:
        assert [d.seat for d in position.core.open if d.blocking] == [seat]
        position = build.play(position, f"setup/0/{seat}", {}).position
        assert position.board.held(seat)
    assert position.board.turn == 1
    older = opened(4, scenario="1515", pace="order", readings="1").position
    assert [d.seat for d in older.core.open if d.blocking] == list(older.board.order)


# --- A36


def sold(readings: str, cards: int, *to: str) -> list[Seat]:
    """To whom Blue offers, with so many Condottieri in hand, when Green attacks Genova."""
    position = build.game(readings=readings)
    build.hand(position, GREEN, "canon", "suisses")
    build.hand(position, RED, "piquiers")
    build.hand(position, BLUE, *["condottiere"] * cards)
    fight = Fight(position, GREEN, o.Attack("genova", ("canon", "suisses")), {(BLUE, "sales"): o.Sell(to)})
    return [event.to for event in fight.told(e.CondottiereOffered)]


@pytest.mark.holds("renaissance", "ruling", "A36")
def test_one_seller_may_sell_to_one_side_twice() -> None:
    """Vente de Condottiere  Only the number of cards that a side may lay is limited."""
    assert sold("2", 2, "attacker", "attacker") == [GREEN, GREEN]
    assert sold("2", 3, "attacker", "milan", "defender") == [GREEN, GREEN, RED]
    assert sold("1", 2, "attacker", "attacker") == [GREEN]


def test_with_one_card_it_is_sold_to_the_side_named_first() -> None:
    """Vente de Condottiere  A standing `SELL ATTACKER, DEFENDER` does what can be done."""
    assert sold("2", 1, "attacker", "defender") == [GREEN]
    assert sold("2", 1, "defender", "attacker") == [RED]
    assert sold("1", 1, "attacker", "defender") == []


# --- A37


@pytest.mark.holds("renaissance", "ruling", "A37")
@pytest.mark.parametrize(
    ("scenario", "years"), [("1494", (1494, 1502)), ("1499", (1499, 1507)), ("1515", (1515, 1523))]
)
def test_a_scenario_has_its_own_years(scenario: str, years: tuple[int, int]) -> None:
    """Scénarios optionnels  The first turn is that of the title; a turn is eight years, as in 1454."""
    position = build.game(scenario=scenario, turn=0)
    told = [
        event.year
        for turn in (0, 1)
        for event in build.told(build.queue(_at(position, turn), BeginTurn()).events, e.TurnBegan)
    ]
    assert tuple(told) == years
    assert RULES.present(_at(position, 2), NAVY)["year"] == years[1]
    older = build.queue(build.game(scenario=scenario, turn=0, readings="1"), BeginTurn())
    assert build.told(older.events, e.TurnBegan)[0].year == 1454


def _at(position: build.At, turn: int) -> build.At:
    position.board.turn = turn
    return position


# --- A38


def at_council(turn: int) -> Advance[Board]:
    """The last campaign of a turn is over; Gold has offered Firenze for Roma."""
    position = build.game(turn=turn)
    position.board.offers = (Offer(GOLD, "firenze", "roma"),)
    return build.queue(position, Begin("council"), Begin("scoring"))


@pytest.mark.holds("renaissance", "ruling", "A38")
def test_before_the_last_count_there_is_a_stop_for_gifts_and_swaps() -> None:
    """Diplomatie  "À n'importe quel moment du jeu": after the last campaign too, and what is agreed there counts."""
    position = at_council(6).position
    asked = [d for d in position.core.open if d.blocking]
    assert [(d.asks, d.seat) for d in asked] == [("council", seat) for seat in position.board.order]
    assert {d.pace for d in asked} == {Pace.TURN}
    answers: dict[Seat, build.Answer] = {
        VIOLET: o.Accept("roma", "firenze"),
        GREEN: o.Give("genes", 2),
    }
    went = build.play(position, "council/6", answers)
    assert went.position.core.over
    assert [(s.seat, s.to) for s in build.told(went.events, e.Swapped)] == [(GOLD, VIOLET)]
    assert [(g.seat, g.ducats) for g in build.told(went.events, e.Gave)] == [(GREEN, 2)]
    assert "roma" in went.position.board.held(GOLD)
    kinds = [type(event) for event in went.events]
    assert kinds.index(e.Swapped) < kinds.index(e.PointsScored)


def test_before_an_earlier_count_the_stop_is_a_reaction() -> None:
    """Diplomatie, A38  Tables that do not wait for reactions go on at once; answers given ahead count."""
    position = at_council(3).position
    assert {(d.asks, d.pace) for d in position.core.open if d.blocking} == {("council", Pace.REACTION)}


@pytest.mark.holds("renaissance", "option", "readings=1")
def test_a_game_of_before_has_no_stop() -> None:
    """A38  A turn under way by the older readings goes from the campaigns to the count."""
    names = [step.name for step in _agenda(build.game(turn=2, readings="1"))]
    assert "council" not in names
    assert "council" in [step.name for step in _agenda(build.game(turn=2))]


def _agenda(position: build.At) -> list[Begin]:
    position.board.turn = 1
    with build.knowing():
        return [s for s in build.queue(position, BeginTurn()).position.core.agenda if isinstance(s, Begin)]


@pytest.mark.holds("renaissance", "rider", "council")
def test_a_consent_can_be_filed_ahead_with_a_condition() -> None:
    """Diplomatie, A38  From the first letter of a turn on, before there is an offer; the stop judges it."""
    position = build.game(phase=Phase.PURCHASES)
    if_roma = Condition("hold", {"city": "roma"})
    ahead = (Line((Clause(o.Accept("roma", "firenze"), (if_roma,)),)),)
    assert all(found.stands for found in build.judged(position, VIOLET, "council", ahead))
    assert build.code(position, VIOLET, "council", o.Accept("atlantis", "firenze")) == "no_such_city"
    assert "council/2" in {d.gate for d in RULES.ahead(position, VIOLET)}
    position = at_council(6).position
    assert build.code(position, VIOLET, "council", o.Accept("viterbo", "firenze")) == "no_such_offer"
    went = build.play(position, "council/6", {VIOLET: ahead})
    assert len(build.told(went.events, e.Swapped)) == 1


# --- A39


def saved(readings: str, lost: Sequence[str], retreats: int, *named: str) -> tuple[str, ...]:
    """What Green saves of an attack on Genova that is lost, with so many Retraites in hand."""
    position = build.game(readings=readings)
    build.hand(position, GREEN, *lost, *["retraite"] * retreats)
    build.hand(position, RED, "suisses")
    replies = {(GREEN, "retreat"): o.Withdraw(named)}
    fight = Fight(position, GREEN, o.Attack("genova", tuple(lost)), replies, dice=(1, 6))
    assert build.held(fight.position, GREEN).count("retraite") == retreats - len(fight.told(e.CardsSaved)[0].retreats)
    return fight.told(e.CardsSaved)[0].cards


@pytest.mark.holds("renaissance", "ruling", "A39")
@pytest.mark.parametrize("readings", ["3", "2"])
def test_of_two_equal_troops_one_alone_is_saved_where_a_number_says_so(readings: str) -> None:
    """Retraite  "On peut poser plusieurs cartes": so many as one likes; without a number all of a kind."""
    both = ("canon.1", "canon.2")
    twice = ("canon", "canon")
    assert saved(readings, twice, 2, "one_canon") == (both[:1] if readings == "3" else both)
    assert saved(readings, twice, 2, "canon") == both
    assert saved(readings, twice, 2, "canon", "canon") == both
    assert saved(readings, twice, 2, "one_canon", "one_canon") == both
    assert saved(readings, twice, 1, "canon") == both[:1]


def test_one_of_a_kind_beside_others_is_saved_in_the_order_of_preference() -> None:
    """Retraite, A39  A number holds for its kind alone; one of what was not lost is none."""
    assert saved("3", ("canon", "chevaliers"), 2, "one_chevaliers", "canon") == ("chevaliers.1", "canon.1")
    assert saved("3", ("canon", "chevaliers"), 2, "one_suisses", "one_canon") == ("canon.1",)


def retreating(readings: str) -> build.At:
    """Green has lost two Cannons at Genova, and is asked about the two Retraites in hand."""
    position = build.game(readings=readings)
    build.hand(position, GREEN, "canon", "canon", "retraite", "retraite")
    build.hand(position, RED, "suisses")
    gate = build.ask(position, "combat", GREEN)
    script = {"battle/2/1/attack": 1, "battle/2/1/defence": 6}
    went = build.play(position, gate, {GREEN: o.Attack("genova", ("canon", "canon"))}, script)
    while all(d.asks != "retreat" for d in went.position.core.open):
        went = build.play(went.position, next(d.gate for d in went.position.core.open if d.blocking), {}, script)
    return went.position


def read_by(readings: str, language: str, text: str) -> o.Withdraw:
    """The order that a line is read as, by the forms of a game."""
    position = retreating(readings)
    (form,) = forms_of(position, "retreat")
    section = Section(RULES.meta.topic("retreat"), (form,), open=True)
    grammar = Grammar((section,), (), FACTS, language, RULES.meta.topics)
    (line,) = read_letter([text], grammar).sets[SectionKey("retreat", None)].lines
    assert line.line is not None, line.problem
    order = line.line.plan[0].order
    assert isinstance(order, o.Withdraw)
    return order


def forms_of(position: build.At, asks: str) -> Sequence[Form]:
    """The forms of a question that is open to Green."""
    decision = next((d for d in position.core.open if d.asks == asks), Decision(f"{asks}/2", GREEN, asks))
    with seen_by(GREEN):
        return RULES.forms(redact(position, GREEN), decision)


def test_a_number_of_one_is_read_and_printed_where_it_counts() -> None:
    """Retraite, A39  A game of version 2 reads it as before: as all cards of the kind."""
    for language, text in (("fr", "REPRENDRE un canon"), ("en", "SAVE 1 cannon"), ("en", "SAVE cannon x 1")):
        assert read_by("3", language, text) == o.Withdraw(("one_canon",))
        assert read_by("2", language, text) == o.Withdraw(("canon",))
    forms = forms_of(retreating("3"), "retreat")
    assert printed_order(forms, o.Withdraw(("one_canon", "suisses")), "fr") == "REPRENDRE 1 Canon, Suisses"
    assert printed_order(forms, o.Withdraw(("canon", "one_suisses")), "en") == "SAVE Cannon, 1 Swiss"


def test_one_of_two_is_suggested_where_two_were_lost() -> None:
    """Retraite, A39  Who clicks can say it, too; in a game of version 2 there is nothing of the kind."""
    likely = {readings: forms_of(retreating(readings), "retreat")[0].slots[0].likely for readings in ("3", "2")}
    assert "one_canon" in likely["3"]
    assert "one_suisses" not in likely["3"]
    assert "one_canon" not in likely["2"]


@pytest.mark.holds("renaissance", "option", "readings=2")
@pytest.mark.parametrize(("asks", "older"), [("retreat", "named once"), ("hire", "or all if there are fewer")])
def test_help_says_what_holds_in_the_game(asks: str, older: str) -> None:
    """Retraite, Vente de Condottiere  A game of version 2 has the help of before."""
    for readings, said in (("3", False), ("2", True)):
        (form,) = forms_of(build.game(readings=readings), asks)
        assert (older in form.about.printed("en")) is said


# --- A40


def hired(
    readings: str, count: int, ducats: int, cards: Sequence[str] = ("canon", "suisses"), offered: int = 2
) -> list[Seat]:
    """From whom Green hires, in an attack on Genova, with so many ducats; Blue and Violet offer a Condottiere each."""
    position = build.game(readings=readings)
    build.hand(position, GREEN, *cards)
    build.hand(position, RED, "piquiers")
    build.ducats(position, GREEN, ducats)
    sellers = (BLUE, VIOLET)[:offered]
    for seat in sellers:
        build.hand(position, seat, "condottiere")
    replies: dict[tuple[Seat, str], build.Answer] = {(seat, "sales"): o.Sell(("attacker",)) for seat in sellers}
    replies[GREEN, "hire"] = o.Hire(count)
    fight = Fight(position, GREEN, o.Attack("genova", tuple(cards)), replies, condottieri=(6,) * 5)
    return [event.seller for event in fight.told(e.CondottiereHired)]


@pytest.mark.holds("renaissance", "ruling", "A40")
def test_a_standing_order_hires_as_many_as_can_be_paid() -> None:
    """Vente de Condottiere  `HIRE 2` with one ducat buys one, as who has one card to sell sells one (A36)."""
    both = hired("3", 2, 2)
    assert len(both) == 2
    assert hired("3", 2, 1) == both[:1]
    assert hired("3", 3, 6) == both
    assert hired("3", 1, 6) == both[:1]
    assert hired("2", 2, 1) == []
    assert hired("2", 2, 2) == hired("2", 3, 6) == both


def test_no_more_are_hired_than_can_be_laid_and_paid_beside_those_laid() -> None:
    """Vente de Condottiere  "Ne doit pas être en infraction avec le nombre maximum"; ducats due stay (A6)."""
    hands = ("condottiere", "condottiere")
    assert len(hired("3", 2, 6, hands)) == 1
    assert hired("2", 2, 6, hands) == []
    assert hired("3", 2, 2, hands) == hired("2", 1, 2, hands) == []
    mixed = ("canon", "condottiere")
    assert len(hired("3", 2, 6, mixed)) == len(hired("2", 2, 6, mixed)) == 2
    assert len(hired("3", 2, 2, mixed)) == 1


@pytest.mark.parametrize(
    ("readings", "codes"), [("3", ("cannot_pay", "", "")), ("2", ("cannot_pay", "cannot_pay", ""))]
)
def test_what_can_be_bought_in_part_is_not_refused(readings: str, codes: tuple[str, ...]) -> None:
    """Vente de Condottiere, A40  At the door, too: ducats may still come as a gift; without any it is refused."""
    for ducats, code in enumerate(codes):
        position = build.game(readings=readings)
        build.ducats(position, GREEN, ducats)
        laid = tuple(Laid(Secret(card, frozenset({GREEN}))) for card in ("canon.1", "suisses.1"))
        position.board.battle = Battle(
            1, GREEN, RED, "genova", "pavia", "road", attack=laid, offers=((BLUE, GREEN), (VIOLET, GREEN))
        )
        position.core.open = (*position.core.open, Decision("hire/2/1", GREEN, "hire"))
        assert build.code(position, GREEN, "hire", o.Hire(2)) == code


# --- A41


def offered_firenze(readings: str) -> build.At:
    """Firenze is Venice's, Milan offers Milano for it, and Florence comes back there."""
    position = build.game(readings=readings)
    build.city(position, "firenze", BLUE)
    build.city(position, "pistoia", BLUE)
    build.city(position, "bologna", BLUE)
    position.board.powers[GOLD].eliminated = True
    position.board.offers = (
        Offer(GREEN, "milano", "firenze"),
        Offer(BLUE, "firenze", "roma"),
        Offer(BLUE, "bologna", "roma"),
    )
    position.core.open = (*position.core.open, Decision("return/2", GOLD, "return"))
    return build.play(position, "return/2", {GOLD: o.Return("firenze")}).position


@pytest.mark.holds("renaissance", "ruling", "A41")
def test_with_the_city_of_a_return_go_the_offers_of_its_swap() -> None:
    """Disparition, Diplomatie  What Milan offered Venice is no offer to Florence; other offers stand."""
    position = offered_firenze("3")
    assert position.board.offers == (Offer(BLUE, "bologna", "roma"),)
    assert build.code(position, GOLD, "deals", o.Accept("firenze", "milano")) == "no_such_offer"
    older = offered_firenze("2")
    assert len(older.board.offers) == 3
    assert build.code(older, GOLD, "deals", o.Accept("firenze", "milano")) == ""


def test_a_return_of_before_is_written_as_it_was() -> None:
    """A41  The fact says nothing more in a game of version 2, so that its journal stays word for word."""
    said = e.Returned(seat=GOLD, city="firenze", loser=BLUE, ducats=6)
    assert "lapsed" not in dump(said)
    assert load(dump(replace(said, lapsed=True))).lapsed


# --- A42


def after_a_swap(readings: str, dice: tuple[int, int]) -> list[str]:
    """Milan took Genova by corruption, and gave it away; its attack on it has an alternative, Brescia."""
    position = build.game(readings=readings)
    build.hand(position, GREEN, "canon", "suisses", "chevaliers", "arquebusiers")
    build.hand(position, RED, "suisses")
    build.city(position, "brescia", BLUE)
    power = position.board.powers[GREEN]
    power.taken = ("genova",)
    first = Clause(o.Attack("genova", ("chevaliers", "arquebusiers")))
    second = Clause(o.Attack("brescia", ("canon", "suisses")))
    gate = build.ask(position, "combat", GREEN)
    script = {"battle/2/1/attack": dice[0], "battle/2/1/defence": dice[1]}
    went = build.play(position, gate, {GREEN: (Line((first, second), 2),)}, script)
    events = list(went.events)
    while went.position.board.battle is not None:
        went = build.play(went.position, next(d.gate for d in went.position.core.open if d.blocking), {}, script)
        events += went.events
    return [event.battle.city for event in build.told(events, e.AttackAnnounced)]


@pytest.mark.holds("renaissance", "ruling", "A42")
def test_after_a_defeat_a_line_goes_on_whoever_took_the_city_before() -> None:
    """Phase 2 - Combats, Diplomatie  Taken, swapped away, and attacked in vain: the alternative is tried."""
    assert after_a_swap("3", (1, 6)) == ["genova", "brescia"]
    assert after_a_swap("3", (6, 1)) == ["genova"]
    assert after_a_swap("2", (1, 6)) == ["genova"]
    assert after_a_swap("2", (6, 1)) == ["genova"]


# --- previews (A6, A26)


def previewed(position: build.At, *attacks: o.Attack) -> list[str]:
    """What is found about each line of a campaign; empty where it stands."""
    found = build.judged(position, GREEN, "combat", attacks)
    return [judgement.problem.code if judgement.problem else "" for judgement in found]


@pytest.mark.holds("renaissance", "event", "ren.HirePresumed")
def test_a_preview_pays_the_condottieri_of_an_attack() -> None:
    """Condottiere, A6  One ducat pays one: a second attack with another is refused before it is sent."""
    position = build.game()
    build.hand(position, GREEN, "canon", "suisses", "condottiere", "condottiere")
    first = o.Attack("genova", ("canon", "condottiere"), "pavia")
    build.city(position, "brescia", GOLD)
    second = o.Attack("brescia", ("suisses", "condottiere"), "milano")
    build.ducats(position, GREEN, 2)
    assert previewed(position, first, second) == ["", ""]
    build.ducats(position, GREEN, 1)
    assert previewed(position, first, second) == ["", "condottieri_unpaid"]


def test_a_preview_uses_milans_free_condottiere_once() -> None:
    """Pouvoirs par état, A26  It is one card a turn: the second attack needs one of the hand."""
    position = build.game(power_milan="on")
    build.hand(position, GREEN, "canon", "suisses")
    build.city(position, "brescia", GOLD)
    build.ducats(position, GREEN, 0)
    first = o.Attack("genova", ("canon", "condottiere"), "pavia")
    second = o.Attack("brescia", ("suisses", "condottiere"), "milano")
    assert previewed(position, first, second) == ["", "cards_not_held"]
