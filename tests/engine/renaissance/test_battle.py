"""Combat: what each side lays and adds up, who reacts, what becomes of cards and city."""

import pytest

from engine.kernel.orders import Clause, Condition, Line, Orders, Question
from engine.kernel.secrets import Secret, redact, seen_by
from engine.kernel.viewers import Seat
from engine.renaissance import events as e
from engine.renaissance import orders as o
from engine.renaissance.board import Battle, Laid
from engine.renaissance.catalogue import kind_of
from engine.renaissance.forms import FORMS
from engine.renaissance.ruleset import RULES
from tests.engine.renaissance import build
from tests.engine.renaissance.build import BLUE, GREEN, RED, VIOLET, Fight

ON_GENOVA = o.Attack("genova", ("canon", "chevaliers"), "pavia")
"""Milan on Genoa: a road, a mountain."""


def table(*attack: str, defence: tuple[str, ...] = ()) -> build.At:
    """Milan holds these cards, Genoa those."""
    position = build.game()
    build.hand(position, GREEN, *(attack or ("canon", "chevaliers")))
    build.hand(position, RED, *defence)
    return position


def totals(fight: Fight) -> tuple[int, int]:
    """Both totals."""
    (decided,) = fight.events_of(e.BattleDecided)
    return sum(decided.attack.values()), sum(decided.defence.values())


@pytest.mark.holds("renaissance", "ruling", "A2")
def test_both_sides_add_cards_die_walls_and_ground() -> None:
    """Combat  6 + 5 + 2 against 4, a garrison's 2, a mountain's 1 and a die of 6: all parts are told.

    Résultat du combat  Equal totals: the defender keeps the city, and nobody a card.
    """
    fight = Fight(table(defence=("arquebusiers",)), GREEN, ON_GENOVA, dice=(2, 6))
    (decided,) = fight.events_of(e.BattleDecided)
    assert decided.attack == {"cards": 11, "die": 2}
    assert decided.defence == {"cards": 4, "walls": 2, "ground": 1, "die": 6}
    assert decided.won_by == "tie"
    board = fight.position.board
    assert board.cities["genova"].owner == RED
    assert build.held(fight.position, GREEN) == build.held(fight.position, RED) == ()
    assert sorted(board.discard) == ["arquebusiers.1", "canon.1", "chevaliers.1"]


def test_a_victorious_attacker_takes_the_city_with_all_in_it_and_lays_troops_aside() -> None:
    """Résultat du combat  Walls, palace and artist come with it; troops lie face up until the attacker's turn ends."""
    position = table("canon", "suisses", "ingenieur")
    build.city(position, "genova", RED, 2, artist="bramante")
    fight = Fight(position, GREEN, o.Attack("genova", ("canon", "suisses", "ingenieur")), dice=(4, 1))
    city = fight.position.board.cities["genova"]
    assert (city.owner, city.level, city.artist) == (GREEN, 2, "bramante")
    assert fight.events_of(e.BattleEnded)[0].aside == ("canon.1", "suisses.1")
    assert fight.events_of(e.CampaignEnded)[0].cards == ("canon.1", "suisses.1")
    assert fight.position.board.powers[GREEN].shown == ("canon.1", "suisses.1")
    assert fight.position.board.discard == ("ingenieur.1",)


def test_troops_laid_aside_do_not_attack_again_in_the_turn() -> None:
    """Résultat du combat  What won the first attack is not there for the second, which lapses."""
    fight = Fight(table(), GREEN, ON_GENOVA, dice=(6, 1), more=[o.Attack("brescia", ("canon", "chevaliers"))])
    build.city(fight.position, "brescia", BLUE)
    assert fight.position.board.powers[GREEN].targets == ("genova",)


def test_a_victorious_defender_has_the_troop_back_at_once_seen_by_all() -> None:
    """Résultat du combat  The blue card is in hand again; the attacker's cards are gone."""
    fight = Fight(table(defence=("suisses",)), GREEN, ON_GENOVA, dice=(1, 6))
    assert fight.position.board.powers[RED].shown == ("suisses.1",)
    assert fight.position.board.cities["genova"].owner == RED
    assert sorted(fight.position.board.discard) == ["canon.1", "chevaliers.1"]


def test_the_loser_discards_all_that_they_laid_and_the_winner_the_red_card_and_condottieri() -> None:
    """Résultat du combat  Only blue cards stay with the winner, be they attacker or defender."""
    position = table("canon", "condottiere", defence=("suisses", "ingenieur"))
    replies: dict[tuple[Seat, str], build.Answer] = {(RED, "defence"): o.Lay("suisses", "ingenieur")}
    attack = o.Attack("genova", ("canon", "condottiere"))
    won = Fight(position, GREEN, attack, replies, dice=(6, 1), condottieri=(6,))
    assert won.events_of(e.BattleDecided)[0].won_by == "attack"
    assert sorted(won.position.board.discard) == ["condottiere.1", "ingenieur.1", "suisses.1"]
    assert build.held(won.position, RED) == ()
    held = Fight(position, GREEN, attack, replies, dice=(1, 6), condottieri=(6,))
    assert held.events_of(e.BattleDecided)[0].won_by == "defence"
    assert sorted(held.position.board.discard) == ["canon.1", "condottiere.1", "ingenieur.1"]
    assert build.held(held.position, RED) == ("suisses",)


def test_a_retreat_saves_cards_of_either_side_on_a_tie() -> None:
    """Retraite, A16  Both lose all on a tie; the attacker's saved card lies aside, the defender's is in hand."""
    position = table("canon", "chevaliers", "retraite", defence=("arquebusiers", "retraite"))
    replies: dict[tuple[Seat, str], build.Answer] = {
        (GREEN, "retreat"): o.Withdraw(("canon",)),
        (RED, "retreat"): o.Withdraw(("arquebusiers",)),
    }
    fight = Fight(position, GREEN, ON_GENOVA, replies, dice=(2, 6))
    assert fight.events_of(e.BattleDecided)[0].won_by == "tie"
    (ended,) = fight.events_of(e.BattleEnded)
    assert (ended.aside, ended.back, ended.discarded) == (("canon.1",), ("arquebusiers.1",), ("chevaliers.1",))


@pytest.mark.holds("renaissance", "ruling", "A8")
def test_who_has_a_blue_card_must_lay_it_and_else_defends_with_walls_alone() -> None:
    """A8  `none` is refused while a blue card is held; with Condottieri alone the defender may lay one or nothing."""
    position = table(defence=("piquiers", "condottiere"))
    fight = Fight(position, GREEN, ON_GENOVA, {(RED, "defence"): o.Lay("none")})
    assert fight.events_of(e.CardsShown)[0].defence == ("piquiers.1",)
    for kind, laid in (("none", ()), ("condottiere", ("condottiere.1",))):
        position = table(defence=("condottiere",))
        fight = Fight(position, GREEN, ON_GENOVA, {(RED, "defence"): o.Lay(kind)}, condottieri=(3,))
        assert fight.events_of(e.CardsShown)[0].defence == laid
    fight = Fight(table(), GREEN, ON_GENOVA)
    assert fight.events_of(e.CardsShown)[0].defence == ()
    assert "defence" not in fight.topics()


def test_without_blue_card_or_condottiere_walls_die_and_ground_alone_defend() -> None:
    """Combat  No red card is laid beside nothing; one in hand still counters; a Condottiere bought is a card to lay by.

    The rulebook: a defender who has no blue card left adds the walls, the die and the bonuses of the ground only.
    """
    position = table(defence=("ingenieur",))
    fight = Fight(position, GREEN, ON_GENOVA, {(RED, "defence"): o.Lay("none", "ingenieur")})
    assert fight.events_of(e.BattleDecided)[0].defence == {"walls": 2, "ground": 1, "die": 3}
    position = table("canon", "chevaliers", "ingenieur", defence=("ingenieur",))
    replies: dict[tuple[Seat, str], build.Answer] = {
        (RED, "defence"): o.Lay("none", "ingenieur"),
        (RED, "counter"): o.Counter(),
        (BLUE, "sales"): o.Sell(("genes",)),
        (RED, "hire"): o.Hire(),
    }
    fight = Fight(position, GREEN, o.Attack("genova", ("canon", "chevaliers", "ingenieur")), replies)
    assert fight.events_of(e.CardsShown)[0].defence == ()
    assert fight.events_of(e.RedCancelled)[0].from_hand
    position = table(defence=("ingenieur",))
    build.hand(position, BLUE, "condottiere")
    fight = Fight(position, GREEN, ON_GENOVA, replies, condottieri=(5,))
    assert fight.events_of(e.BattleDecided)[0].defence["cards"] == 5 + 2


@pytest.mark.parametrize(("level", "without", "engineer", "felon"), [(1, 2, 0, 0), (2, 4, 2, 0), (3, 6, 4, 0)])
def test_engineer_and_felon_lower_the_walls_for_this_battle_alone(
    level: int, without: int, engineer: int, felon: int
) -> None:
    """Ingénieur: one level less; Félon: none; ground stays, and so do the walls after the battle."""
    for red, walls in ((None, without), ("ingenieur", engineer), ("felon", felon)):
        cards = ("canon", "chevaliers", *((red,) if red else ()))
        position = table(*cards)
        build.city(position, "genova", RED, level)
        fight = Fight(position, GREEN, o.Attack("genova", cards))
        (decided,) = fight.events_of(e.BattleDecided)
        assert decided.defence.get("walls", 0) == walls
        assert decided.attack["cards"] == 11
        assert decided.defence["ground"] == 1
        assert fight.position.board.level("genova") == level


def test_an_engineer_in_defence_adds_two() -> None:
    """Ingénieur  Laid by the defender against no Ingénieur."""
    replies = {(RED, "defence"): o.Lay("strongest", "ingenieur")}
    fight = Fight(table(defence=("piquiers", "ingenieur")), GREEN, ON_GENOVA, replies)
    assert fight.events_of(e.BattleDecided)[0].defence["cards"] == 5


@pytest.mark.holds("renaissance", "ruling", "A12")
def test_a_felon_in_defence_takes_the_strongest_troop() -> None:
    """A12  The canon is gone, and discarded; a Retraite cannot save it."""
    position = table("canon", "chevaliers", "retraite", defence=("piquiers", "felon"))
    replies = {(RED, "defence"): o.Lay("strongest", "felon"), (GREEN, "retreat"): o.Withdraw(("canon",))}
    fight = Fight(position, GREEN, ON_GENOVA, replies)
    assert fight.events_of(e.TroopLost)[0].card == "canon.1"
    assert fight.events_of(e.BattleDecided)[0].attack["cards"] == 5
    assert "canon.1" in fight.position.board.discard
    assert fight.events_of(e.CardsSaved) == []


def test_a_felon_in_defence_does_nothing_to_condottieri() -> None:
    """A12  With two Condottieri there is no troop to lose."""
    position = table("condottiere", "condottiere", defence=("piquiers", "felon"))
    replies = {(RED, "defence"): o.Lay("strongest", "felon")}
    fight = Fight(position, GREEN, o.Attack("genova", ("condottiere", "condottiere")), replies, condottieri=(6, 6))
    assert fight.events_of(e.TroopLost)[0].card == ""
    assert fight.events_of(e.BattleDecided)[0].attack["cards"] == 12


@pytest.mark.holds("renaissance", "ruling", "A13")
@pytest.mark.parametrize("red", ["ingenieur", "felon"])
def test_equal_reds_laid_by_both_cancel_each_other(red: str) -> None:
    """A13  No +2, no troop lost, no lower walls."""
    position = table("canon", "chevaliers", red, defence=("piquiers", red))
    replies = {(RED, "defence"): o.Lay("strongest", red)}
    fight = Fight(position, GREEN, o.Attack("genova", ("canon", "chevaliers", red)), replies)
    assert not fight.events_of(e.RedCancelled)[0].from_hand
    assert totals(fight) == (14, 3 + 2 + 1 + 3)
    assert fight.events_of(e.TroopLost) == []


def test_different_reds_do_not_cancel_each_other() -> None:
    """A13  An Ingénieur against a Félon: walls are lower, and the strongest troop is gone."""
    position = table("canon", "chevaliers", "ingenieur", defence=("piquiers", "felon"))
    replies = {(RED, "defence"): o.Lay("strongest", "felon")}
    fight = Fight(position, GREEN, o.Attack("genova", ("canon", "chevaliers", "ingenieur")), replies)
    assert fight.events_of(e.RedCancelled) == []
    assert fight.events_of(e.BattleDecided)[0].defence == {"cards": 3, "ground": 1, "die": 3}
    assert fight.events_of(e.TroopLost)[0].card == "canon.1"


@pytest.mark.holds("renaissance", "ruling", "A14")
def test_a_counter_comes_from_the_hand_though_another_red_was_laid() -> None:
    """A14  The Félon of the attacker is cancelled by one in hand, beside a laid Ingénieur."""
    position = table("canon", "chevaliers", "felon", defence=("piquiers", "ingenieur", "felon"))
    replies = {(RED, "defence"): o.Lay("strongest", "ingenieur"), (RED, "counter"): o.Counter()}
    fight = Fight(position, GREEN, o.Attack("genova", ("canon", "chevaliers", "felon")), replies)
    assert fight.events_of(e.RedCancelled)[0].from_hand
    assert fight.events_of(e.BattleDecided)[0].defence == {"cards": 5, "walls": 2, "ground": 1, "die": 3}


def test_a_counter_is_asked_of_a_defender_with_cards_whatever_they_are() -> None:
    """ARCHITECTURE: asking must not tell a hand; the default counters if it can."""
    for hand, countered in ((("piquiers", "mariage"), 0), (("piquiers", "ingenieur"), 1)):
        position = table("canon", "chevaliers", "ingenieur", defence=hand)
        fight = Fight(position, GREEN, o.Attack("genova", ("canon", "chevaliers", "ingenieur")))
        assert "counter" in fight.topics()
        assert len(fight.events_of(e.RedCancelled)) == countered


def test_a_declined_counter_leaves_the_attackers_red() -> None:
    """Le contre  A counter may be declined."""
    position = table("canon", "chevaliers", "ingenieur", defence=("piquiers", "ingenieur"))
    nothing: Orders = ()
    fight = Fight(
        position, GREEN, o.Attack("genova", ("canon", "chevaliers", "ingenieur")), {(RED, "counter"): nothing}
    )
    assert fight.events_of(e.RedCancelled) == []


# --- Condottieri


def test_each_condottiere_costs_a_ducat_and_is_discarded() -> None:
    """Condottiere  Three in attack, two in defence, all paid to the bank when they are shown."""
    position = table("condottiere", "condottiere", "condottiere", defence=("condottiere", "condottiere"))
    replies = {(RED, "defence"): o.Lay("condottiere", "condottiere")}
    attack = o.Attack("genova", ("condottiere", "condottiere", "condottiere"))
    fight = Fight(position, GREEN, attack, replies, condottieri=(3, 5, 6, 3, 6))
    powers = fight.position.board.powers
    assert (powers[GREEN].ducats, powers[RED].ducats) == (3, 4)
    assert totals(fight) == (4 + 5 + 6 + 3, 4 + 6 + 2 + 1 + 3)
    assert len(fight.position.board.discard) == 5


@pytest.mark.holds("renaissance", "ruling", "A6")
def test_a_condottiere_that_cannot_be_paid_is_not_laid() -> None:
    """A6  Neither in attack nor in defence."""
    position = table("canon", "condottiere", defence=("condottiere",))
    build.ducats(position, GREEN, 0)
    assert build.code(position, GREEN, "combat", o.Attack("genova", ("canon", "condottiere"))) == "condottieri_unpaid"


def test_money_given_away_after_the_announcement_leaves_a_condottiere_unpaid() -> None:
    """A6  What is due for cards laid cannot be given away; what a rout of the purse leaves unpaid does not fight."""
    position = table("canon", "condottiere")
    build.ducats(position, GREEN, 1)
    gate = build.ask(position, "combat", GREEN)
    build.hand(position, BLUE, "piquiers")
    went = build.play(position, gate, {GREEN: o.Attack("genova", ("canon", "condottiere"))})
    assert build.code(went.position, GREEN, "deals", o.Give("rome", 1)) == "not_enough"


def test_a_routed_condottiere_is_worth_nothing() -> None:
    """Déroute  The Condottiere flees, and is discarded."""
    position = table("canon", "condottiere")
    fight = Fight(position, GREEN, o.Attack("genova", ("canon", "condottiere")), condottieri=(1,))
    assert fight.events_of(e.BattleDecided)[0].attack["cards"] == 6
    assert "condottiere.1" in fight.position.board.discard


@pytest.mark.holds("renaissance", "ruling", "A5")
def test_a_betrayal_may_be_bought_and_thrown_again_and_again() -> None:
    """A5  A ducat to the bank each time; a Condottiere may change sides more than once in a battle."""
    position = table("canon", "condottiere", defence=("piquiers",))
    replies = {(RED, "traitor"): o.Bribe(), (GREEN, "traitor"): o.Bribe()}
    fight = Fight(position, GREEN, o.Attack("genova", ("canon", "condottiere")), replies, condottieri=(2, 2, 6))
    assert [turned.seat for turned in fight.events_of(e.CondottiereTurned)] == [RED, GREEN]
    powers = fight.position.board.powers
    assert (powers[GREEN].ducats, powers[RED].ducats) == (4, 5)
    assert fight.events_of(e.BattleDecided)[0].attack["cards"] == 12


def test_a_betrayal_that_is_not_bought_is_thrown_again_by_its_player() -> None:
    """A5  The foe declines, or has no ducat (and is then not asked)."""
    for ducats, asked in ((6, True), (0, False)):
        position = table("canon", "condottiere", defence=("piquiers",))
        build.ducats(position, RED, ducats)
        fight = Fight(position, GREEN, o.Attack("genova", ("canon", "condottiere")), condottieri=(2, 5))
        assert ("traitor" in fight.topics()) is asked
        assert fight.events_of(e.CondottiereThrown)[0].for_sale is asked
        assert fight.events_of(e.BattleDecided)[0].attack["cards"] == 11


def test_a_turncoat_does_not_count_against_the_new_sides_limit() -> None:
    """A5  A defender with two cards of their own may still buy a Condottiere."""
    position = table("canon", "condottiere", defence=("piquiers", "ingenieur"))
    replies = {(RED, "defence"): o.Lay("strongest", "ingenieur"), (RED, "traitor"): o.Bribe(1)}
    fight = Fight(position, GREEN, o.Attack("genova", ("canon", "condottiere")), replies, condottieri=(2, 6))
    assert fight.events_of(e.BattleDecided)[0].defence["cards"] == 3 + 2 + 6


def test_a_limit_on_bribes_holds_for_the_turn() -> None:
    """A5  `BRIBE 1` buys one turncoat a turn."""
    position = table("condottiere", "condottiere", defence=("piquiers",))
    replies = {(RED, "traitor"): o.Bribe(1)}
    attack = o.Attack("genova", ("condottiere", "condottiere"))
    fight = Fight(position, GREEN, attack, replies, condottieri=(2, 2, 5, 6))
    assert len(fight.events_of(e.CondottiereTurned)) == 1


# --- sales


def test_third_parties_with_cards_are_asked_to_sell_and_fighters_are_not() -> None:
    """A7  Everybody else who has a card is asked, whatever it is; a player without cards is not."""
    position = table(defence=("piquiers",))
    build.hand(position, BLUE, "mariage")
    fight = Fight(position, GREEN, ON_GENOVA)
    assert fight.asked[0] == ("sales", (BLUE,))


@pytest.mark.holds("renaissance", "ruling", "A7")
def test_a_condottiere_sold_fights_for_its_buyer_who_pays_the_seller() -> None:
    """A7  A ducat for the seller, nothing more to pay; both belligerents may be served by one seller."""
    position = table(defence=("piquiers",))
    build.hand(position, BLUE, "condottiere", "condottiere")
    replies = {
        (BLUE, "sales"): o.Sell(("attacker", "genes")),
        (GREEN, "hire"): o.Hire(),
        (RED, "hire"): o.Hire(),
    }
    fight = Fight(position, GREEN, ON_GENOVA, replies, condottieri=(6, 5))
    powers = fight.position.board.powers
    assert (powers[BLUE].ducats, powers[GREEN].ducats, powers[RED].ducats) == (8, 5, 5)
    assert fight.events_of(e.BattleDecided)[0].attack["cards"] == 6 + 5 + 6
    assert fight.events_of(e.BattleDecided)[0].defence["cards"] == 3 + 5


def test_a_hired_condottiere_takes_the_place_of_the_weakest_troop() -> None:
    """A7  The limits hold: the troop goes back to the hand; where all places are Condottieri's there is no room."""
    position = table("canon", "piquiers", "felon")
    build.hand(position, BLUE, "condottiere")
    replies = {(BLUE, "sales"): o.Sell(("milan",)), (GREEN, "hire"): o.Hire()}
    fight = Fight(position, GREEN, o.Attack("genova", ("canon", "piquiers", "felon")), replies, condottieri=(6,))
    assert fight.events_of(e.CardsShown)[0].attack == ("canon.1", "felon.1", "condottiere.1")
    assert "piquiers" in build.held(fight.position, GREEN)
    position = table("condottiere", "condottiere", "condottiere")
    build.hand(position, BLUE, "condottiere")
    attack = o.Attack("genova", ("condottiere", "condottiere", "condottiere"))
    fight = Fight(position, GREEN, attack, replies, condottieri=(6, 6, 6))
    assert fight.events_of(e.CondottiereHired) == []


def test_a_defender_who_hired_two_lays_nothing_more() -> None:
    """A7  With both places taken the defender is not asked; with one hired they lay one card."""
    position = table(defence=("suisses", "felon"))
    build.hand(position, BLUE, "condottiere")
    build.hand(position, VIOLET, "condottiere")
    sold = {(seat, "sales"): o.Sell(("defender",)) for seat in (BLUE, VIOLET)}
    fight = Fight(position, GREEN, ON_GENOVA, {**sold, (RED, "hire"): o.Hire(2)}, condottieri=(3, 3))
    assert "defence" not in fight.topics()
    assert fight.events_of(e.BattleDecided)[0].defence["cards"] == 8
    replies = {**sold, (RED, "hire"): o.Hire(1), (RED, "defence"): o.Lay("strongest", "felon")}
    fight = Fight(position, GREEN, ON_GENOVA, replies, condottieri=(3,))
    assert fight.events_of(e.BattleDecided)[0].defence["cards"] == 4 + 7
    assert [kind_of(card).id for card in fight.events_of(e.CardsShown)[0].defence] == ["condottiere", "suisses"]
    fight = Fight(position, GREEN, ON_GENOVA, {**replies, (RED, "defence"): o.Lay("none", "felon")}, condottieri=(3,))
    assert [kind_of(card).id for card in fight.events_of(e.CardsShown)[0].defence] == ["condottiere", "felon"]


@pytest.mark.holds("renaissance", "ruling", "A36")
@pytest.mark.parametrize(
    ("cards", "to", "offered"),
    [
        (2, ("attacker", "attacker"), [GREEN, GREEN]),
        (3, ("attacker", "milan", "defender"), [GREEN, GREEN, RED]),
        (1, ("attacker", "defender"), [GREEN]),
        (1, ("defender", "attacker"), [RED]),
        (1, ("naples",), []),
    ],
)
def test_a_seller_offers_as_many_as_are_held_the_first_named_first(
    cards: int, to: tuple[str, ...], offered: list[Seat]
) -> None:
    """A7, A36  Several to one side, too; an offer to a nation that does not fight is passed over."""
    position = table(defence=("piquiers",))
    build.hand(position, BLUE, *["condottiere"] * cards)
    fight = Fight(position, GREEN, ON_GENOVA, {(BLUE, "sales"): o.Sell(to)})
    assert [event.to for event in fight.events_of(e.CondottiereOffered)] == offered


def test_who_cannot_pay_is_not_asked_to_hire() -> None:
    """A7  A player without a ducat is not asked to buy."""
    position = table(defence=("piquiers",))
    build.hand(position, BLUE, "condottiere")
    build.ducats(position, RED, 0)
    poor = Fight(position, GREEN, ON_GENOVA, {(BLUE, "sales"): o.Sell(("defender",))})
    assert len(poor.events_of(e.CondottiereOffered)) == 1
    assert "hire" not in poor.topics()


@pytest.mark.holds("renaissance", "ruling", "A40")
@pytest.mark.parametrize(
    ("count", "ducats", "cards", "hired"),
    [
        (2, 2, ("canon", "suisses"), 2),
        (2, 1, ("canon", "suisses"), 1),
        (3, 6, ("canon", "suisses"), 2),
        (1, 6, ("canon", "suisses"), 1),
        (2, 6, ("condottiere", "condottiere"), 1),
        (2, 2, ("condottiere", "condottiere"), 0),
        (2, 6, ("canon", "condottiere"), 2),
        (2, 2, ("canon", "condottiere"), 1),
    ],
)
def test_a_standing_order_hires_as_many_as_can_be_paid_and_laid(
    count: int, ducats: int, cards: tuple[str, ...], hired: int
) -> None:
    """A40  `HIRE 2` with one ducat buys one; ducats due for cards laid stay (A6); in the order of the offers."""
    position = table(*cards, defence=("piquiers",))
    build.ducats(position, GREEN, ducats)
    replies: dict[tuple[Seat, str], build.Answer] = {(GREEN, "hire"): o.Hire(count)}
    for seller in (BLUE, VIOLET):
        build.hand(position, seller, "condottiere")
        replies[seller, "sales"] = o.Sell(("attacker",))
    fight = Fight(position, GREEN, o.Attack("genova", cards), replies, condottieri=(6,) * 5)
    offers = [event.seat for event in fight.events_of(e.CondottiereOffered)]
    assert [event.seller for event in fight.events_of(e.CondottiereHired)] == offers[:hired]


@pytest.mark.parametrize(
    ("ducats", "cards", "code"),
    [
        (0, ("canon.1", "suisses.1"), "cannot_pay"),
        (1, ("canon.1", "suisses.1"), ""),
        (6, ("condottiere.1", "condottiere.2", "condottiere.3"), "no_room"),
    ],
)
def test_what_can_be_bought_in_part_is_not_refused(ducats: int, cards: tuple[str, ...], code: str) -> None:
    """A40  At the door, too: ducats may still come as a gift; without any, or without a place, it is refused."""
    position = build.game()
    build.ducats(position, GREEN, ducats)
    laid = tuple(Laid(Secret(card, frozenset({GREEN}))) for card in cards)
    position.board.battle = Battle(
        1, GREEN, RED, "genova", "pavia", "road", attack=laid, offers=((BLUE, GREEN), (VIOLET, GREEN))
    )
    position.core.questions = (*position.core.questions, Question("hire/2/1", GREEN, "hire"))
    assert build.code(position, GREEN, "hire", o.Hire(2)) == code


# --- Signe de Dieu, Retraite


@pytest.mark.holds("renaissance", "ruling", "A15")
def test_the_losing_side_chooses_first_about_a_sign_then_the_other() -> None:
    """A15  The defender is losing and doubles; then the attacker loses and doubles; each but once."""
    position = table("canon", "chevaliers", "signe_de_dieu", defence=("suisses", "signe_de_dieu"))
    replies = {(RED, "sign"): o.Sign(), (GREEN, "sign"): o.Sign("canon")}
    fight = Fight(position, GREEN, ON_GENOVA, replies, dice=(4, 1))
    assert [sign.seat for sign in fight.events_of(e.SignLaid)] == [RED, GREEN]
    assert totals(fight) == (12 + 5 + 4, 14 + 2 + 1 + 1)


def test_who_passed_on_a_sign_is_asked_again_when_the_other_lays_one() -> None:
    """A15  Until both pass: when the loser passes and the winner doubles all the same, the loser may answer."""
    position = table("canon", "chevaliers", "signe_de_dieu", defence=("suisses", "mariage"))
    fight = Fight(position, GREEN, ON_GENOVA, {(GREEN, "sign"): o.Sign("canon")}, dice=(4, 1))
    assert [seats for asks, seats in fight.asked if asks == "sign"] == [(RED,), (GREEN,), (RED,)]


def test_on_a_tie_the_attacker_counts_as_losing() -> None:
    """A15  The attacker is asked first; when they have doubled the other is asked."""
    position = table("canon", "chevaliers", "mariage", defence=("arquebusiers", "mariage"))
    fight = Fight(position, GREEN, ON_GENOVA, dice=(2, 6))
    assert [seats for asks, seats in fight.asked if asks == "sign"] == [(GREEN,), (RED,)]


def test_a_sign_doubles_a_condottiere_too_and_only_what_still_counts() -> None:
    """Signe de Dieu  A blue card or a Condottiere; a routed one is not there."""
    position = table("canon", "condottiere", "signe_de_dieu")
    replies = {(GREEN, "sign"): o.Sign("condottiere")}
    fight = Fight(position, GREEN, o.Attack("genova", ("canon", "condottiere")), replies, condottieri=(5,))
    assert fight.events_of(e.BattleDecided)[0].attack["cards"] == 6 + 10
    fight = Fight(position, GREEN, o.Attack("genova", ("canon", "condottiere")), replies, condottieri=(1,))
    assert fight.events_of(e.SignLaid) == []


def test_the_fact_it_decides_holds_only_when_doubling_turns_the_battle() -> None:
    """`IF IT DECIDES: DOUBLE strongest` keeps the card where it would not help, or is not needed."""
    only = (Line((Clause(o.Sign(), (Condition("turns", {}),)),)),)
    for dice, signs in (((1, 3), 1), ((6, 1), 0)):
        position = table("canon", "chevaliers", "signe_de_dieu", defence=("suisses",))
        fight = Fight(position, GREEN, ON_GENOVA, {(GREEN, "sign"): only}, dice=dice)
        assert len(fight.events_of(e.SignLaid)) == signs


def test_a_retreat_saves_a_troop_for_each_card_and_never_a_condottiere() -> None:
    """Retraite  Several may be played; an attacker cannot attack with saved troops in the same turn."""
    position = table("canon", "chevaliers", "retraite", "retraite", defence=("suisses",))
    replies = {(GREEN, "retreat"): o.Withdraw(("chevaliers", "canon"))}
    more = [o.Attack("savona", ("canon", "chevaliers"))]
    build.city(position, "savona", BLUE)
    fight = Fight(position, GREEN, ON_GENOVA, replies, dice=(1, 6), more=more)
    assert fight.events_of(e.CardsSaved)[0].cards == ("chevaliers.1", "canon.1")
    assert fight.position.board.powers[GREEN].targets == ("genova",)
    assert build.held(fight.position, GREEN) == ("canon", "chevaliers")


@pytest.mark.holds("renaissance", "ruling", "A39")
@pytest.mark.parametrize(
    ("lost", "retreats", "named", "saved"),
    [
        (("canon", "canon"), 2, ("one_canon",), ("canon.1",)),
        (("canon", "canon"), 2, ("canon",), ("canon.1", "canon.2")),
        (("canon", "canon"), 2, ("canon", "canon"), ("canon.1", "canon.2")),
        (("canon", "canon"), 2, ("one_canon", "one_canon"), ("canon.1", "canon.2")),
        (("canon", "canon"), 1, ("canon",), ("canon.1",)),
        (("canon", "chevaliers"), 1, ("suisses", "canon", "chevaliers"), ("canon.1",)),
        (("canon", "chevaliers"), 2, ("one_chevaliers", "canon"), ("chevaliers.1", "canon.1")),
        (("canon", "chevaliers"), 2, ("one_suisses", "one_canon"), ("canon.1",)),
    ],
)
def test_troops_are_saved_in_the_order_named_as_many_as_there_are_retreats(
    lost: tuple[str, ...], retreats: int, named: tuple[str, ...], saved: tuple[str, ...]
) -> None:
    """A39  "On peut poser plusieurs cartes": of a kind with a number so many, without one all."""
    position = table(*lost, *["retraite"] * retreats, defence=("suisses",))
    fight = Fight(position, GREEN, o.Attack("genova", lost), {(GREEN, "retreat"): o.Withdraw(named)}, dice=(1, 6))
    assert fight.events_of(e.CardsSaved)[0].cards == saved
    assert build.held(fight.position, GREEN).count("retraite") == retreats - len(saved)


def test_one_of_two_is_suggested_where_two_were_lost() -> None:
    """A39  Who clicks can say it, too."""
    position = table("canon", "canon", "retraite", "retraite", defence=("suisses",))
    gate = build.ask(position, "combat", GREEN)
    script = {"battle/2/1/attack": 1, "battle/2/1/defence": 6}
    went = build.play(position, gate, {GREEN: o.Attack("genova", ("canon", "canon"))}, script)
    while not (asked := [d for d in went.position.core.questions if d.topic == "retreat"]):
        went = build.play(went.position, next(d.gate for d in went.position.core.questions if d.blocking), {}, script)
    with seen_by(GREEN):
        (form,) = RULES.forms(redact(went.position, GREEN), asked[0])
        likely = form.slots[0].suggested
    assert "one_canon" in likely
    assert "one_suisses" not in likely


@pytest.mark.parametrize(
    ("asks", "english", "french"),
    [
        ("retreat", "without a number means all its cards", "sans nombre vaut pour toutes ses cartes"),
        ("hire", "as you can pay", "que vous pouvez payer"),
    ],
)
def test_help_says_what_a_number_means(asks: str, english: str, french: str) -> None:
    """Retraite, Vente de Condottiere, A39, A40"""
    (form,) = FORMS[asks]
    assert english in form.about.printed("en")
    assert french in form.about.printed("fr")


@pytest.mark.holds("renaissance", "ruling", "A16")
def test_only_losers_are_asked_about_a_retreat_both_on_a_tie() -> None:
    """A16  On a tie the attacker is asked first."""
    position = table("canon", "chevaliers", "mariage", defence=("arquebusiers", "mariage"))
    tie = Fight(position, GREEN, ON_GENOVA, dice=(2, 6))
    assert [seats for asks, seats in tie.asked if asks == "retreat"] == [(GREEN,), (RED,)]
    won = Fight(position, GREEN, ON_GENOVA, dice=(6, 1))
    assert [seats for asks, seats in won.asked if asks == "retreat"] == [(RED,)]
