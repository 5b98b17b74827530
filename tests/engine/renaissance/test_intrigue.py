"""Les cartes jaunes and the privileges of states."""

from collections.abc import Mapping

import pytest

from engine.kernel.orders import Order
from engine.kernel.viewers import Seat
from engine.renaissance import events as e
from engine.renaissance import orders as o
from tests.engine.renaissance import build
from tests.engine.renaissance.build import AMBER, BLUE, GOLD, GREEN, NAVY, OLIVE, ORANGE, RED, VIOLET, Fight


def campaign(position: build.At, seat: Seat, *lines: Order, script: Mapping[str, int] | None = None) -> build.Went:
    """A combat turn without battles."""
    gate = build.ask(position, "combat", seat)
    return build.play(position, gate, {seat: lines}, dict(script or {}))


# --- Pillards


@pytest.mark.parametrize(
    ("level", "throw", "won", "ducats"), [(1, 2, False, 6), (1, 3, True, 7), (2, 4, False, 6), (2, 5, True, 8)]
)
def test_looters_need_a_die_above_the_walls(level: int, throw: int, won: bool, ducats: int) -> None:
    """Pillards  One ducat from a garrison, two from a rampart; never a bonus for mountain or marsh."""
    position = build.game()
    build.hand(position, GREEN, "pillards")
    build.city(position, "genova", RED, level)
    went = campaign(position, GREEN, o.Pillage("genova"), script={"pillage/2/1": throw})
    board = went.position.board
    assert (board.cities["genova"].pillaged, board.powers[GREEN].ducats) == (won, ducats)
    assert board.discard == ("pillards.1",)


@pytest.mark.holds("renaissance", "ruling", "A3")
def test_a_free_city_is_looted_without_a_die() -> None:
    """A3  A free city yields one ducat, and is marked like any other."""
    position = build.game()
    build.hand(position, GREEN, "pillards")
    went = campaign(position, GREEN, o.Pillage("siena"))
    assert went.position.board.powers[GREEN].ducats == 7
    assert build.events_of(went.events, e.Pillaged)[0].throw == 0


def test_who_cannot_be_looted() -> None:
    """A3  An own city, a fortress, a marked city, any city when no marker is left."""
    position = build.game()
    build.hand(position, GREEN, "pillards")
    build.city(position, "genova", RED, 3)
    build.city(position, "roma", VIOLET, pillaged=True)
    found = [build.code(position, GREEN, "combat", o.Pillage(t)) for t in ("milano", "genova", "roma", "napoli")]
    assert found == ["own_city", "fortress_safe", "pillaged_already", ""]
    for town in ("ajaccio", "firenze", "pistoia", "venezia", "ragusa", "viterbo", "capua", "siena", "pisa"):
        build.city(position, town, BLUE, pillaged=True)
    assert build.code(position, GREEN, "combat", o.Pillage("napoli")) == "no_marker_left"
    assert build.code(position, RED, "combat", o.Pillage("napoli")) == "no_card"


# --- Ambassadeur


def embassy(position: build.At, order: o.Embassy, first: int, second: int, corrupt: int = 1) -> build.Went:
    """Milan's embassy with these dice."""
    build.hand(position, GREEN, "ambassadeur")
    name = "embassy/2/1"
    return campaign(
        position, GREEN, order, script={f"{name}/1": first, f"{name}/2": second, f"{name}/corrupt": corrupt}
    )


BOTH = o.Embassy(("genova",), ("genova", "firenze"))


@pytest.mark.parametrize(
    ("dice", "effect"),
    [
        ((1, 1), "corruption"),
        ((3, 3), "corruption"),
        ((3, 4), "upkeep"),
        ((4, 4), "upkeep"),
        ((4, 5), "help"),
        ((6, 6), "help"),
    ],
)
def test_the_embassys_table(dice: tuple[int, int], effect: str) -> None:
    """Ambassadeur  2 to 6, 7 and 8, 9 to 12."""
    position = build.game()
    build.city(position, "firenze", GOLD, 2)
    went = embassy(position, BOTH, *dice)
    assert build.events_of(went.events, e.EmbassyHeard)[0].effect == effect
    assert went.position.board.powers[GREEN].cards == (2 if effect == "help" else 0)
    assert went.position.board.level("firenze") == (1 if effect == "upkeep" else 2)


@pytest.mark.parametrize(("level", "throw", "won"), [(1, 2, False), (1, 3, True), (2, 4, False), (2, 5, True)])
def test_corruption_needs_a_die_above_the_walls_and_keeps_them(level: int, throw: int, won: bool) -> None:
    """Corruption, A17  The rampart stays with the city."""
    position = build.game()
    build.city(position, "genova", RED, level)
    went = embassy(position, BOTH, 1, 2, throw)
    city = went.position.board.cities["genova"]
    assert (city.owner, city.level) == (GREEN if won else RED, level)


def test_a_palace_or_a_fortress_is_never_corrupted_and_the_next_city_is_meant() -> None:
    """Corruption  The first of the list that can be; if none can, the line is refused."""
    position = build.game()
    build.city(position, "genova", RED, palace=True)
    build.city(position, "ajaccio", RED, 3)
    went = embassy(position, o.Embassy(("genova", "ajaccio", "firenze")), 1, 1, 6)
    assert build.events_of(went.events, e.Corrupted)[0].city == "firenze"
    assert build.code(position, GREEN, "combat", o.Embassy(("genova",))) == "palace_there"
    assert build.code(position, GREEN, "combat", o.Embassy(("ajaccio",))) == "fortress_safe"
    assert build.code(position, GREEN, "combat", o.Embassy((), ("firenze",))) == "no_walls"


def test_without_a_garrison_token_neither_corruption_nor_marriage_takes_a_city() -> None:
    """A21  21 tokens of each nation, whatever the way."""
    position = build.game()
    build.hand(position, GREEN, "ambassadeur", "mariage")
    for town in [town for town, city in position.board.cities.items() if city.owner is None][:19]:
        build.city(position, town, GREEN)
    assert build.code(position, GREEN, "combat", o.Embassy(("genova",))) == "no_garrison_left"
    assert build.code(position, GREEN, "combat", o.Marry("genova")) == "no_garrison_left"


def test_a_last_city_may_be_corrupted() -> None:
    """Disparition de l'un des joueurs  A player who loses their last city this way is out for the turn."""
    position = build.game()
    build.city(position, "ajaccio", BLUE)
    assert embassy(position, BOTH, 1, 1, 6).position.board.powers[RED].eliminated


@pytest.mark.parametrize("order", [o.Marry("genova"), o.Embassy(("genova",))])
def test_a_city_married_or_corrupted_this_turn_is_no_base(order: Order) -> None:
    """A9  Like one taken in battle."""
    position = build.game()
    build.hand(position, GREEN, "ambassadeur", "mariage", "canon", "canon")
    build.city(position, "savona", BLUE)
    script = {"embassy/2/1/1": 1, "embassy/2/1/2": 1, "embassy/2/1/corrupt": 6}
    went = campaign(position, GREEN, order, script=script)
    assert went.position.board.cities["genova"].owner == GREEN
    attack = o.Attack("savona", ("canon", "canon"), "genova")
    assert build.code(went.position, GREEN, "combat", attack) == "origin_taken"


def test_florence_lures_only_to_a_palace_without_artist() -> None:
    """Pouvoirs par état  A free palace of its own."""
    position = build.game(power_florence="on")
    build.city(position, "roma", VIOLET, artist="bramante")
    build.city(position, "firenze", GOLD, artist="piero")
    assert build.code(position, GOLD, "combat", o.Lure("roma", "firenze")) == "artist_there"
    assert build.code(position, GOLD, "combat", o.Lure("roma", "pistoia")) == "no_palace"
    build.city(position, "pistoia", GOLD, palace=True)
    assert build.code(position, GOLD, "combat", o.Lure("firenze", "pistoia")) == "no_artist_there"
    assert build.code(position, GOLD, "combat", o.Lure("roma", "pistoia")) == ""


@pytest.mark.holds("renaissance", "ruling", "A18")
def test_poor_upkeep_hits_any_city_or_none() -> None:
    """A18  One's own too; with no city named it is declined."""
    position = build.game()
    build.city(position, "milano", GREEN, 3)
    assert embassy(position, o.Embassy((), ("milano",)), 3, 4).position.board.level("milano") == 2
    declined = embassy(position, o.Embassy(("firenze",)), 3, 4)
    assert build.events_of(declined.events, e.Ruined) == []


# --- Mariage


@pytest.mark.holds("renaissance", "ruling", "A4")
def test_a_marriage_buys_a_plain_garrison_of_its_owner() -> None:
    """A4  The owner gets two ducats and cannot refuse; a last city may go."""
    position = build.game()
    build.city(position, "ajaccio", BLUE)
    build.hand(position, GREEN, "mariage")
    went = campaign(position, GREEN, o.Marry("genova"))
    powers = went.position.board.powers
    assert (powers[GREEN].ducats, powers[RED].ducats) == (4, 8)
    assert powers[RED].eliminated


def test_whom_one_attacks_one_does_not_marry_and_the_other_way_round() -> None:
    """Mariage  A city is not attacked and married in the same turn, in either order."""
    position = build.game()
    build.hand(position, GREEN, "canon", "canon", "mariage")
    married = campaign(position, GREEN, o.Marry("ajaccio"), o.Attack("genova", ("canon", "canon")))
    assert build.events_of(married.events, e.AttackAnnounced) == []
    attack = o.Attack("genova", ("canon", "canon"))
    fought = Fight(position, GREEN, attack, dice=(1, 6), more=[o.Marry("ajaccio")])
    assert fought.events_of(e.Married) == []


def test_what_marriage_does_not_buy() -> None:
    """Mariage  It does not buy walls, palaces or free cities, nor anything without two ducats."""
    position = build.game()
    build.hand(position, GREEN, "mariage")
    build.city(position, "genova", RED, 2)
    build.city(position, "roma", VIOLET, palace=True)
    found = [build.code(position, GREEN, "combat", o.Marry(t)) for t in ("genova", "roma", "siena", "milano")]
    assert found == ["walls_there", "palace_there", "not_theirs", "not_theirs"]
    build.ducats(position, GREEN, 1)
    assert build.code(position, GREEN, "combat", o.Marry("ajaccio")) == "dowry"


# --- Artiste ou Banquier


def test_an_artist_comes_to_a_palace_and_stays_there() -> None:
    """Artiste  Drawn from what is left; no second one in the same palace."""
    position = build.game()
    build.city(position, "milano", GREEN, palace=True)
    build.hand(position, GREEN, "artiste_banquier", "artiste_banquier")
    place = position.board.supply.index("leonardo") + 1
    went = campaign(position, GREEN, o.Patronise("milano"), script={"artist/2/1": place})
    assert went.position.board.cities["milano"].artist == "leonardo"
    assert "leonardo" not in went.position.board.supply
    assert build.code(went.position, GREEN, "combat", o.Patronise("milano")) == "artist_there"
    assert build.code(went.position, GREEN, "combat", o.Patronise("pavia")) == "no_palace"


@pytest.mark.holds("renaissance", "ruling", "A24")
def test_savonarola_burns_the_palace_and_may_be_drawn_again() -> None:
    """A24  Palace and preacher go back to the box."""
    position = build.game()
    build.city(position, "milano", GREEN, palace=True)
    build.hand(position, GREEN, "artiste_banquier")
    place = position.board.supply.index("savonarole") + 1
    board = campaign(position, GREEN, o.Patronise("milano"), script={"artist/2/1": place}).position.board
    assert not board.cities["milano"].palace
    assert "savonarole" in board.supply
    assert board.left("palaces") == 10


@pytest.mark.holds("renaissance", "ruling", "A22")
def test_a_banker_brings_five_ducats_once_a_turn_for_each_palace() -> None:
    """A22  A palace brings five ducats with its artist or without."""
    position = build.game()
    build.city(position, "milano", GREEN, artist="bramante")
    build.hand(position, GREEN, "artiste_banquier", "artiste_banquier")
    went = campaign(position, GREEN, o.Bank("milano"), o.Bank("milano"))
    assert went.position.board.powers[GREEN].ducats == 11
    assert build.held(went.position, GREEN) == ("artiste_banquier",)


def test_no_artist_is_left_when_eleven_have_come_and_the_preacher_is_all_there_is() -> None:
    """Artiste  Twelve tokens; with an empty supply the card brings a banker alone."""
    position = build.game()
    build.city(position, "milano", GREEN, palace=True)
    build.hand(position, GREEN, "artiste_banquier")
    position.board.supply = ()
    assert build.code(position, GREEN, "combat", o.Patronise("milano")) == "no_artist_left"
    assert build.code(position, GREEN, "combat", o.Bank("milano")) == ""


@pytest.mark.holds("renaissance", "ruling", "A1")
def test_yellow_cards_are_played_in_the_combat_turn_alone() -> None:
    """A1  No other question takes them; there, in any number, before and after attacks."""
    position = build.game()
    build.hand(position, GREEN, "canon", "canon", "pillards", "pillards")
    assert build.code(position, GREEN, "purchases", o.Pillage("roma")) == "not_here"
    gate = build.ask(position, "combat", GREEN)
    lines = (o.Pillage("siena"), o.Attack("genova", ("canon", "canon")), o.Pillage("pisa"))
    events = list((went := build.play(position, gate, {GREEN: lines})).events)
    while went.position.board.acting == GREEN:
        went = build.play(went.position, went.position.core.gates()[0], {})
        events += went.events
    assert [event.city for event in build.events_of(events, e.Pillaged)] == ["siena", "pisa"]


# --- privileges


@pytest.mark.holds("renaissance", "privilege", "genes")
@pytest.mark.holds("renaissance", "option", "power_genes=on")
def test_genoa_attacks_without_ground_or_landing_against_it() -> None:
    """Gênes  On a marsh, from the sea: walls and die alone. Without the privilege, two more."""
    for power, bonus in (("on", {}), ("off", {"ground": 1, "landing": 1})):
        position = build.game(power_genes=power)
        build.hand(position, RED, "canon", "canon")
        fight = Fight(position, RED, o.Attack("venezia", ("canon", "canon")))
        assert fight.events_of(e.BattleDecided)[0].defence == {"walls": 2, "die": 3, **bonus}


@pytest.mark.holds("renaissance", "ruling", "A31")
@pytest.mark.holds("renaissance", "privilege", "florence")
@pytest.mark.holds("renaissance", "option", "power_florence=on")
@pytest.mark.holds("renaissance", "event", "ren.ArtistLured")
@pytest.mark.holds("renaissance", "form", "DÉBAUCHER")
@pytest.mark.parametrize(("throw", "won"), [(4, False), (5, True)])
def test_florence_lures_an_artist_on_five_or_six_once_a_turn(throw: int, won: bool) -> None:
    """A31  To a free palace of its own, from any palace of another player."""
    position = build.game(power_florence="on")
    build.city(position, "firenze", GOLD, palace=True)
    build.city(position, "roma", VIOLET, artist="bramante")
    order = o.Lure("roma", "firenze")
    went = campaign(position, GOLD, order, order, script={"lure/2": throw})
    assert (went.position.board.cities["firenze"].artist == "bramante") is won
    assert len(build.events_of(went.events, e.ArtistLured)) == 1
    assert build.code(position, VIOLET, "combat", order) == "no_privilege"
    assert build.code(position, GOLD, "combat", o.Lure("milano", "firenze")) == "no_artist_there"


@pytest.mark.holds("renaissance", "privilege", "naples")
@pytest.mark.holds("renaissance", "option", "power_naples=on")
def test_naples_has_a_retreat_each_turn() -> None:
    """A26  Naples is asked even with an empty hand, since all know of its privilege."""
    position = build.game(power_naples="on")
    build.hand(position, ORANGE, "piquiers")
    build.hand(position, VIOLET, "suisses", "suisses")
    replies: dict[tuple[Seat, str], build.Answer] = {(ORANGE, "retreat"): o.Withdraw(("piquiers",))}
    fight = Fight(position, VIOLET, o.Attack("capua", ("suisses", "suisses")), replies, dice=(6, 1))
    (saved,) = fight.events_of(e.CardsSaved)
    assert (saved.free, saved.retreats) == (True, ())
    assert "retraite" in fight.position.board.powers[ORANGE].used


@pytest.mark.holds("renaissance", "ruling", "A26")
@pytest.mark.holds("renaissance", "privilege", "milan")
@pytest.mark.holds("renaissance", "option", "power_milan=on")
def test_milan_has_a_condottiere_each_turn_that_costs_nothing() -> None:
    """A26  Laid like a card of the hand; in no pile afterwards, and used up for the turn."""
    position = build.game(power_milan="on")
    build.hand(position, GREEN, "canon", "canon")
    build.ducats(position, GREEN, 0)
    fight = Fight(position, GREEN, o.Attack("genova", ("canon", "condottiere")), condottieri=(6,))
    assert fight.events_of(e.BattleDecided)[0].attack["cards"] == 12
    assert fight.events_of(e.CardsShown)[0].paid == {}
    assert fight.position.board.discard == ()
    position = fight.position
    build.city(position, "brescia", BLUE)
    assert build.code(position, GREEN, "combat", o.Attack("brescia", ("canon", "condottiere"))) == "cards_not_held"


def test_milan_defends_with_its_privilege_though_it_has_no_card() -> None:
    """A26  Milan is asked without cards, since all know of its privilege."""
    position = build.game(power_milan="on")
    build.hand(position, RED, "canon", "canon")
    replies: dict[tuple[Seat, str], build.Answer] = {(GREEN, "defence"): o.Lay("condottiere")}
    fight = Fight(position, RED, o.Attack("pavia", ("canon", "canon")), replies, condottieri=(5,))
    assert fight.events_of(e.BattleDecided)[0].defence["cards"] == 5


@pytest.mark.holds("renaissance", "privilege", "espagne")
@pytest.mark.holds("renaissance", "option", "power_espagne=on")
def test_spain_loots_once_a_turn_without_a_card() -> None:
    """A26  Spain loots once a turn without a card."""
    position = build.game(scenario="1515", power_espagne="on")
    went = campaign(position, AMBER, o.Pillage("siena"), o.Pillage("perugia"))
    assert [event.city for event in build.events_of(went.events, e.Pillaged)] == ["siena"]
    assert went.position.board.powers[AMBER].ducats == 7


@pytest.mark.holds("renaissance", "privilege", "france")
@pytest.mark.holds("renaissance", "option", "power_france=on")
def test_france_attacks_from_a_city_taken_this_turn() -> None:
    """A9  Only France with its privilege attacks from a city taken this turn."""
    for power, targets in (("on", ("milano", "brescia")), ("off", ("milano",))):
        position = build.game(scenario="1515", power_france=power)
        build.city(position, "brescia", OLIVE)
        build.city(position, "casale", NAVY)
        build.city(position, "pavia", NAVY)
        build.hand(position, NAVY, "canon", "canon", "suisses", "suisses")
        more = [o.Attack("brescia", ("canon", "canon"), "milano")]
        fight = Fight(position, NAVY, o.Attack("milano", ("suisses", "suisses")), dice=(6, 1), more=more)
        assert fight.position.board.powers[NAVY].targets == targets


@pytest.mark.holds("renaissance", "privilege", "suisse")
@pytest.mark.holds("renaissance", "option", "power_suisse=on")
@pytest.mark.parametrize(("side", "attack", "defence"), [("attack", 1, 0), ("defence", 0, 1)])
def test_the_swiss_have_a_point_in_attack_or_in_defence(side: str, attack: int, defence: int) -> None:
    """A30  As announced for the turn."""
    position = build.game(scenario="1515", power_suisse="on")
    position.board.powers[OLIVE].stance = side
    build.hand(position, OLIVE, "canon", "canon")
    build.hand(position, NAVY, "canon", "canon")
    attacking = Fight(position, OLIVE, o.Attack("torino", ("canon", "canon")))
    assert attacking.events_of(e.BattleDecided)[0].attack.get("swiss", 0) == attack
    defending = Fight(position, NAVY, o.Attack("casale", ("canon", "canon")))
    assert defending.events_of(e.BattleDecided)[0].defence.get("swiss", 0) == defence


def test_without_its_option_no_state_has_a_privilege() -> None:
    """Pouvoirs par état  Each is optional."""
    position = build.game()
    build.hand(position, GREEN, "canon")
    assert build.code(position, GREEN, "combat", o.Attack("genova", ("canon", "condottiere"))) == "cards_not_held"
    assert build.code(position, GOLD, "combat", o.Lure("roma", "firenze")) == "no_privilege"
