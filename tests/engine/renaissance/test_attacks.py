"""Annonce du combat: what may be attacked, from where, how often; a campaign line by line."""

import pytest

from engine.kernel.orders import Clause, Line, Problem
from engine.renaissance import events as e
from engine.renaissance import orders as o
from tests.engine.renaissance import build
from tests.engine.renaissance.build import BLUE, GOLD, GREEN, ORANGE, RED, VIOLET, Fight
from tests.engine.renaissance.test_battle import ON_GENOVA, table

ON_BRESCIA = o.Attack("brescia", ("canon", "canon"))


def test_an_attack_wants_two_troops_or_condottieri_and_at_most_one_red() -> None:
    """Combat  Two troops and a red card, with a Condottiere in any of the three places."""
    position = table("canon", "chevaliers", "condottiere", "condottiere", "condottiere", "felon", "ingenieur")
    fine = [
        ("canon", "chevaliers"),
        ("canon", "condottiere", "felon"),
        ("canon", "chevaliers", "condottiere"),
        ("condottiere", "condottiere", "condottiere"),
        ("condottiere", "condottiere", "felon"),
    ]
    wrong = [
        ("canon",),
        ("canon", "felon"),
        ("felon", "ingenieur", "canon"),
        ("canon", "canon", "felon", "felon"),
        ("condottiere",),
        ("canon", "chevaliers", "condottiere", "condottiere"),
        ("canon", "chevaliers", "condottiere", "felon"),
    ]
    assert all(build.code(position, GREEN, "combat", o.Attack("genova", cards)) == "" for cards in fine)
    assert all(build.code(position, GREEN, "combat", o.Attack("genova", cards)) == "two_troops" for cards in wrong)
    refused = build.refusal(position, GREEN, "combat", o.Attack("genova", ("suisses", "canon")))
    assert refused == Problem("cards_not_held", {"cards": ("suisses",)})


def test_free_and_own_cities_are_not_attacked() -> None:
    """Phase 2  Free cities are taken by expansion alone."""
    position = table()
    assert build.code(position, GREEN, "combat", o.Attack("piacenza", ("canon", "chevaliers"))) == "free_city"
    assert build.code(position, GREEN, "combat", o.Attack("pavia", ("canon", "chevaliers"))) == "own_city"


@pytest.mark.holds("renaissance", "ruling", "A10")
def test_an_attack_goes_by_road_or_from_port_to_port() -> None:
    """A10  A road where there is one, without landing; else the sea, with it; else not at all."""
    position = table()
    build.hand(position, RED, "canon", "chevaliers")
    build.hand(position, BLUE, "canon", "chevaliers")
    assert build.code(position, GREEN, "combat", o.Attack("roma", ("canon", "chevaliers"))) == "not_linked"
    build.city(position, "savona", BLUE)
    road = Fight(position, RED, o.Attack("savona", ("canon", "chevaliers"), "genova"))
    assert "landing" not in road.events_of(e.BattleDecided)[0].defence
    sea = Fight(position, RED, o.Attack("venezia", ("canon", "chevaliers"), "ajaccio"))
    assert sea.events_of(e.BattleDecided)[0].defence == {"cards": 6, "walls": 2, "ground": 1, "landing": 1, "die": 3}


def test_a_landing_wants_a_port_on_either_side_and_a_road_comes_first() -> None:
    """Phase 2  No landing in an inland city; of two origins, a road is taken unless the order names another."""
    position = table()
    build.hand(position, RED, "canon", "chevaliers")
    build.city(position, "savona", BLUE)
    cards = ("canon", "chevaliers")
    assert build.code(position, RED, "combat", o.Attack("viterbo", cards)) == "not_linked"
    assert build.code(position, RED, "combat", o.Attack("roma", cards)) == ""
    (battle,) = (event.battle for event in Fight(position, RED, o.Attack("savona", cards)).events_of(e.AttackAnnounced))
    assert (battle.origin, battle.way) == ("genova", "road")


def test_a_city_is_attacked_once_a_turn_by_the_same_player_wherever_from() -> None:
    """Annonce du combat  Another city of one's own does not lead a second attack on it."""
    position = table("canon", "canon", "canon", "canon", defence=("suisses",))
    build.city(position, "casale", GREEN)
    canons = ("canon", "canon")
    again = [o.Attack("genova", canons, "casale")]
    fight = Fight(position, GREEN, o.Attack("genova", canons, "pavia"), dice=(1, 6), more=again)
    assert fight.position.board.powers[GREEN].targets == ("genova",)
    assert build.held(fight.position, GREEN) == ("canon", "canon")


def test_a_second_attack_on_a_city_in_one_set_is_refused_for_what_stands() -> None:
    """Annonce du combat  The preview presumes that the first one wins; the rule is once a turn by the same player."""
    position = table("canon", "canon", "canon", "canon")
    build.city(position, "casale", GREEN)
    canons = ("canon", "canon")
    attacks = (o.Attack("genova", canons, "pavia"), o.Attack("genova", canons, "casale"))
    results = build.judged(position, GREEN, "combat", attacks)
    assert [result.problem.code if result.problem else "" for result in results] == ["", "attacked_already"]


def test_cards_that_an_earlier_line_uses_are_refused_for_that() -> None:
    """They are in hand: the other line takes them."""
    position = table("canon", "canon")
    build.city(position, "roma", BLUE)
    canons = ("canon", "canon")
    attacks = (o.Attack("genova", canons, "pavia"), o.Attack("brescia", canons, "milano"))
    build.city(position, "brescia", BLUE)
    results = build.judged(position, GREEN, "combat", attacks)
    assert [result.problem.code if result.problem else "" for result in results] == ["", "used_before"]


def test_one_attack_from_a_city_and_one_on_a_city_each_turn() -> None:
    """Annonce du combat  A player attacks once from a city and once a city in a turn."""
    position = table("canon", "canon", "canon", "canon", "canon", "canon")
    build.city(position, "brescia", BLUE)
    build.city(position, "piacenza", BLUE)
    canons = ("canon", "canon")
    more = [
        o.Attack("piacenza", canons, "pavia"),
        o.Attack("genova", canons, "milano"),
        o.Attack("brescia", canons, "milano"),
    ]
    fight = Fight(position, GREEN, o.Attack("genova", canons, "pavia"), dice=(1, 6), more=more)
    assert fight.position.board.powers[GREEN].targets == ("genova", "brescia")


def test_peace_allows_one_attack_of_any_kind() -> None:
    """Séquence 1, A11  A Chevauchée counts."""
    position = table("canon", "canon", "chevaliers", "chevaliers", "chevauchee")
    position.board.state = "peace"
    more = [o.Ride("roma", ("canon", "chevaliers"))]
    fight = Fight(position, GREEN, ON_GENOVA, more=more)
    assert fight.position.board.powers[GREEN].targets == ("genova",)
    first = Fight(position, GREEN, more[0], more=[ON_GENOVA])
    assert first.position.board.powers[GREEN].targets == ("roma",)


@pytest.mark.holds("renaissance", "ruling", "A11")
def test_a_ride_reaches_any_enemy_city_without_ground_or_landing() -> None:
    """Chevauchée, A11  No origin, no bonus of the ground; the card is discarded."""
    position = table("canon", "chevaliers", "chevauchee")
    fight = Fight(position, GREEN, o.Ride("napoli", ("canon", "chevaliers")))
    assert fight.events_of(e.BattleDecided)[0].defence == {"walls": 2, "die": 3}
    assert "chevauchee.1" in fight.position.board.discard
    assert fight.position.board.powers[GREEN].origins == ()
    assert build.code(table(), GREEN, "combat", o.Ride("napoli", ("canon", "chevaliers"))) == "no_card"


@pytest.mark.holds("renaissance", "ruling", "A9")
def test_a_city_taken_this_turn_is_no_base() -> None:
    """A9  A city taken by attack is no base in that turn; one taken by expansion is."""
    position = table("canon", "suisses", "chevaliers", "chevaliers")
    build.city(position, "savona", BLUE)
    more = [o.Attack("savona", ("chevaliers", "chevaliers"), "genova")]
    fight = Fight(position, GREEN, o.Attack("genova", ("canon", "suisses")), dice=(6, 1), more=more)
    assert fight.position.board.powers[GREEN].targets == ("genova",)
    position.board.powers[GREEN].settled = (("pavia", "piacenza"),)
    build.city(position, "piacenza", GREEN)
    assert build.code(position, GREEN, "combat", o.Attack("genova", ("canon", "suisses"), "piacenza")) == ""


@pytest.mark.holds("renaissance", "ruling", "A21")
def test_without_a_garrison_token_no_city_is_taken() -> None:
    """A21  21 tokens of each nation: with all on the map, neither attack nor expansion."""
    position = table()
    free = [t for t, c in position.board.cities.items() if c.owner is None]
    for town in free[:19]:
        build.city(position, town, GREEN)
    assert build.code(position, GREEN, "combat", ON_GENOVA) == "no_garrison_left"
    assert build.code(position, GREEN, "expansion", o.Settle(free[19])) == "no_garrison_left"


def test_a_beaten_attack_goes_on_with_the_next_alternative() -> None:
    """A plan tried twice: after a defeat comes its other clause; after a victory the line is done."""
    line = Line((Clause(ON_BRESCIA), Clause(o.Attack("genova", ("piquiers", "piquiers")))), 2)
    for dice, targets in (((1, 6), ("brescia", "genova")), ((6, 1), ("brescia",))):
        position = table("canon", "canon", "piquiers", "piquiers")
        build.city(position, "brescia", BLUE, 3)
        build.hand(position, BLUE, "piquiers")
        assert all(ruling.is_valid for ruling in build.judged(position, GREEN, "combat", (line,)))
        script = {"battle/2/1/attack": dice[0], "battle/2/1/defence": dice[1]}
        went = build.play(position, build.ask(position, "combat", GREEN), {GREEN: (line,)}, script)
        while went.position.board.acting == GREEN:
            went = build.play(went.position, went.position.core.gates()[0], {}, script)
        assert went.position.board.powers[GREEN].targets == targets


@pytest.mark.holds("renaissance", "ruling", "A42")
@pytest.mark.parametrize(("dice", "attacked"), [((1, 6), ["genova", "brescia"]), ((6, 1), ["genova"])])
def test_after_a_defeat_a_line_goes_on_whoever_took_the_city_before(dice: tuple[int, int], attacked: list[str]) -> None:
    """A42  Taken by corruption, swapped away, and attacked: after a defeat the alternative is tried."""
    position = table("canon", "suisses", "chevaliers", "arquebusiers", defence=("suisses",))
    build.city(position, "brescia", BLUE)
    position.board.powers[GREEN].taken = ("genova",)
    first = Clause(o.Attack("genova", ("chevaliers", "arquebusiers")))
    line = Line((first, Clause(o.Attack("brescia", ("canon", "suisses")))), 2)
    script = {"battle/2/1/attack": dice[0], "battle/2/1/defence": dice[1]}
    went = build.play(position, build.ask(position, "combat", GREEN), {GREEN: (line,)}, script)
    events = list(went.events)
    while went.position.board.battle is not None:
        went = build.play(went.position, next(d.gate for d in went.position.core.questions if d.blocking), {}, script)
        events += went.events
    assert [event.battle.city for event in build.events_of(events, e.AttackAnnounced)] == attacked


@pytest.mark.holds("renaissance", "event", "ren.Eliminated")
def test_a_player_without_city_is_out_for_the_rest_of_the_turn() -> None:
    """A23  The player is asked nothing more, and their campaign is not carried out."""
    position = table("canon", "suisses")
    build.city(position, "ajaccio", BLUE)
    build.hand(position, RED, "canon", "canon")
    build.order(position, GREEN, RED, VIOLET, BLUE, GOLD, ORANGE)
    gate, script = build.ask(position, "combat", GREEN, RED), {"battle/2/1/attack": 6, "battle/2/1/defence": 1}
    answers = {GREEN: o.Attack("genova", ("canon", "suisses")), RED: o.Attack("pisa", ("canon", "canon"))}
    went = build.play(position, gate, answers, script)
    events = list(went.events)
    while went.position.board.battle is not None:
        went = build.play(went.position, went.position.core.gates()[0], {}, script)
        events += went.events
    assert build.events_of(events, e.Eliminated)[0].seat == RED
    assert went.position.board.powers[RED].eliminated
    assert [b.seat for b in build.events_of(events, e.CampaignBegan)] == [GREEN]


def test_a_reaction_that_lapses_is_not_asked_again() -> None:
    """Option `failures: again`  A battle waits for a set of orders once more, never for an interruption."""
    position = build.game(failures="again")
    build.hand(position, GREEN, "canon", "chevaliers")
    build.hand(position, BLUE, "condottiere")
    fight = Fight(position, GREEN, ON_GENOVA, {(BLUE, "sales"): o.Sell(("naples",))})
    assert fight.topics().count("sales") == 1


# --- previews


def previewed(position: build.At, *attacks: o.Attack) -> list[str]:
    """What is found about each line of a campaign; empty where it stands."""
    found = build.judged(position, GREEN, "combat", attacks)
    return [judgement.problem.code if judgement.problem else "" for judgement in found]


@pytest.mark.holds("renaissance", "event", "ren.HirePresumed")
def test_a_preview_pays_the_condottieri_of_an_attack() -> None:
    """Condottiere, A6  One ducat pays one: a second attack with another is refused before it is sent."""
    position = table("canon", "suisses", "condottiere", "condottiere")
    first = o.Attack("genova", ("canon", "condottiere"), "pavia")
    build.city(position, "brescia", GOLD)
    second = o.Attack("brescia", ("suisses", "condottiere"), "milano")
    for ducats, problem in ((2, ""), (1, "condottieri_unpaid")):
        build.ducats(position, GREEN, ducats)
        assert previewed(position, first, second) == ["", problem]


def test_a_preview_uses_milans_free_condottiere_once() -> None:
    """Pouvoirs par état, A26  It is one card a turn: the second attack needs one of the hand."""
    position = build.game(power_milan="on")
    build.hand(position, GREEN, "canon", "suisses")
    build.city(position, "brescia", GOLD)
    build.ducats(position, GREEN, 0)
    first = o.Attack("genova", ("canon", "condottiere"), "pavia")
    second = o.Attack("brescia", ("suisses", "condottiere"), "milano")
    assert previewed(position, first, second) == ["", "used_before"]
