"""What later versions do otherwise; a game that was set up before goes on as it did."""

import pytest

from engine.amalfi import events as e
from engine.amalfi import orders as o
from engine.amalfi.phases.optional import provision
from engine.amalfi.phases.turns import EndActions
from engine.amalfi.readings import SINCE
from engine.amalfi.ruleset import RULES
from tests.engine.amalfi.build import (
    ANN,
    BOB,
    At,
    Went,
    act,
    answer,
    asked,
    dock,
    game,
    hand,
    judged,
    laid,
    light,
    owns,
    play,
    queue,
    refused,
    row,
    stow,
    told,
)

COUNCIL = ("c01", "c02", "c03", "c04")


@pytest.mark.holds("amalfi", "option", "readings=1")
@pytest.mark.holds("amalfi", "option", "readings=2")
def test_a_new_game_goes_by_the_readings_of_its_version() -> None:
    """A game that names no readings was set up before there were any to choose."""
    assert RULES.meta.chosen({})["readings"] == RULES.meta.version
    assert {str(version) for version in SINCE.values()} == {"2", RULES.meta.version}


# --- engagement


def michelangelo(readings: str, *engaged: str) -> Went:
    """Michelangelo acquires a painting whose bonus refreshes a character."""
    at = game(readings=readings)
    laid(at, ANN, *engaged, engaged=True)
    laid(at, ANN, "c57")
    stow(at, ANN, bay=1, jewel=2)
    row(at, "atelier", "book05", "book06", "book07", "book08", "painting02")
    return act(at, o.Engage("c57", get="painting02"))


@pytest.mark.holds("amalfi", "ruling", "A19")
def test_who_is_being_engaged_is_not_refreshed_by_what_that_brings() -> None:
    """Engagement: the effect is applied, then the card is turned; another character is refreshed (A19)."""
    alone = michelangelo("2")
    assert told(alone, e.BenefitLost) == [e.BenefitLost(seat=ANN, what="untap", cause="painting02")]
    assert alone.position.board.players[ANN].engaged == ("c57",)
    assert told(michelangelo("2", "c59"), e.Refreshed)[0].characters == ("c59",)
    several = michelangelo("2", "c59", "c69")
    assert asked(several) == (("refresh", ANN),)
    (line,) = judged(several.position, ANN, o.Refresh(("c57",)), "refresh")
    assert line.problem is not None
    assert line.problem.code == "not_engaged"
    assert told(answer(several, ANN, o.Refresh(("c57",))), e.BenefitLost)
    assert told(michelangelo("1"), e.Refreshed)[0].characters == ("c57",)


def test_who_is_being_engaged_is_not_refreshed_by_the_double_icon_either() -> None:
    """Francesco di Giorgio builds the fourth ship: only a character can be had."""
    at = game(period=4)
    laid(at, ANN, "c66")
    stow(at, ANN, bay=5, wood=2)
    row(at, "council", *COUNCIL)
    went = act(at, o.Engage("c66", refresh=("c66",)))
    assert not told(went, e.Refreshed)
    (question,) = (d for d in went.position.core.open if d.asks == "take")
    assert "either" not in question.limits


def test_who_refreshes_all_by_an_invitation_that_an_engagement_gives_stays_turned() -> None:
    """Vespasiano invites Soliman, who refreshes everybody who is turned already."""
    at = game()
    laid(at, ANN, "c59", engaged=True)
    laid(at, ANN, "c72")
    hand(at, ANN, "c29")
    stow(at, ANN, bay=1, spice=1)
    went = act(at, o.Engage("c72", get="c29"))
    assert told(went, e.Refreshed)[0].characters == ("c59",)


# --- what is said with an action


def inviting(readings: str, spice: int, order: o.Invite) -> list[tuple[int, dict[str, int], int]]:
    """What is paid when Alexander VI is invited, and invites Catherine de' Medici for 1."""
    at = game(readings=readings)
    hand(at, ANN, "c32", "c21")
    stow(at, ANN, bay=2, spice=spice)
    return [(paid.cost, dict(paid.holds), paid.emergency) for paid in told(act(at, order), e.Paid)]


def test_what_was_said_to_pay_for_a_character_pays_for_nothing_that_it_gives() -> None:
    """Invitation: its cost is paid; what its effect gives is paid with least waste, and without an emergency."""
    order = o.Invite("c32", pay=("spice", "spice"), get="c21")
    assert inviting("2", 4, order) == [(3, {"spice": 2}, 0), (1, {"spice": 1}, 0)]
    assert inviting("1", 4, order) == [(3, {"spice": 2}, 0), (1, {"spice": 2}, 0)]
    order = o.Invite("c32", emergency=("spice",), get="c21")
    assert inviting("2", 1, order) == [(3, {}, 1), (1, {"spice": 1}, 0)]
    assert inviting("1", 1, order) == [(3, {}, 1), (1, {}, 1)]


def test_what_is_said_with_an_answer_about_an_action_counts_for_it() -> None:
    """Effets bonus: who names the artwork names whom its bonus takes, and is not asked again."""

    def went(readings: str) -> Went:
        at = game(readings=readings)
        laid(at, ANN, "c57")
        stow(at, ANN, bay=1, wine=2)
        row(at, "council", *COUNCIL)
        row(at, "atelier", "book05", "book06", "book07", "book08", "book03")
        return answer(act(at, o.Engage("c57", take=("c02",))), ANN, o.Acquire("book03", take=("c03",)))

    assert [taken.character for taken in told(went("2"), e.CharacterTaken)] == ["c03"]
    assert [taken.character for taken in told(went("1"), e.CharacterTaken)] == ["c02"]


def test_an_answer_keeps_what_was_said_before_and_names_no_further_action() -> None:
    """What the answer leaves out was said with the action; a name that could not be had then is not taken up again."""
    at = game()
    laid(at, ANN, "c72")
    hand(at, ANN, "c32", "c36")
    stow(at, ANN, bay=1, spice=1)
    went = act(at, o.Engage("c72", get="c40"))
    assert asked(went) == (("get", ANN),)
    went = answer(went, ANN, o.Invite("c32", pay=("spice",)))
    assert asked(went) == (("get", ANN),)


@pytest.mark.holds("amalfi", "ruling", "A21")
def test_who_names_a_destination_that_cannot_be_paid_uses_no_other_one() -> None:
    """A21: Gérard Mercator pays the bread of the destination that is named; the line is refused, so ELSE comes next."""

    def mercator(readings: str) -> At:
        at = game(readings=readings)
        laid(at, ANN, "c75")
        owns(at, ANN, "pd06", "pd31")
        at.board.players[ANN].bread = 1
        return at

    assert refused(mercator("2"), ANN, o.Engage("c75", use="pd31")) == "not_private"
    assert refused(mercator("2"), ANN, o.Engage("c75", use="pd06")) == ""
    assert refused(mercator("2"), ANN, o.Engage("c75")) == ""
    used = told(act(mercator("1"), o.Engage("c75", use="pd31")), e.UsedFromAfar)
    assert [one.place for one in used] == ["pd06"]


def four_ships(readings: str) -> At:
    """A fourth ship can be built; one character is engaged, one is not."""
    at = game(period=4, readings=readings)
    laid(at, ANN, "c59")
    laid(at, ANN, "c69", engaged=True)
    stow(at, ANN, bay=0, wood=4)
    row(at, "council", *COUNCIL)
    return at


def test_the_double_icon_is_asked_where_what_was_said_cannot_be_done() -> None:
    """Construction: one of the two is chosen; who named a character that is not engaged loses nothing."""
    went = act(four_ships("2"), o.Build(4, refresh=("c59",)))
    assert asked(went) == (("take", ANN),)
    assert told(act(four_ships("2"), o.Build(4, refresh=("c69",))), e.Refreshed)
    both = act(four_ships("2"), o.Build(4, take=("c60",), refresh=("c69",)))
    assert told(both, e.Refreshed)[0].characters == ("c69",)
    first = act(four_ships("2"), o.Build(4, take=("c03",), refresh=("c69",)))
    assert [taken.character for taken in told(first, e.CharacterTaken)] == ["c03"]
    old = four_ships("1")
    old.board.players[ANN].engaged = ()
    assert told(act(old, o.Build(4, refresh=("c59",))), e.BenefitLost)
    assert asked(act(four_ships("1"), o.Build(4, take=("c60",), refresh=("c69",)))) == (("take", ANN),)


@pytest.mark.holds("amalfi", "ruling", "A12")
def test_no_more_ships_come_back_from_docks_than_were_named() -> None:
    """A12: up to two; the other ship goes on to hold its dock."""

    def recalled(readings: str, *places: str) -> list[tuple[str, ...]]:
        at = game(readings=readings)
        hand(at, ANN, "c30")
        stow(at, ANN, bay=4, spice=2)
        dock(at, "candia", ANN)
        dock(at, "ragusa", ANN)
        return [came.places for came in told(act(at, o.Invite("c30", recall=places)), e.ShipsRecalled)]

    assert recalled("2", "ragusa") == [("ragusa",)]
    assert recalled("2") == recalled("2", "roma") == [("candia", "ragusa")]
    assert recalled("1", "ragusa") == [("candia", "ragusa")]


def test_the_rightmost_named_after_others_can_be_had_when_they_cannot() -> None:
    """Prendre un Personnage en main: the right half of the Council costs nothing, so such a preference stands."""
    for readings, codes in (("2", ("", "")), ("1", ("not_in_council", "slot_too_dear"))):
        at = game(readings=readings)
        at.board.players[ANN].bread = 0
        row(at, "council", *COUNCIL)
        went = act(at, o.Sail("pisa"))
        for card, code in zip(("c60", "c01"), codes, strict=True):
            assert refused(went.position, ANN, o.Take((card, "rightmost")), "take") == code
    went = act(game(), o.Sail("pisa"))
    taken = told(answer(went, ANN, o.Take(("c60", "rightmost"))), e.CharacterTaken)
    assert [one.character for one in taken] == ["c04"]


# --- optional actions, and the meal


def test_ships_become_bread_in_an_action_that_sends_none() -> None:
    """Les actions optionnelles: at any time; only a turn that gains resources holds them back (page 17)."""
    at = game()
    stow(at, ANN, bay=3, wood=1)
    row(at, "council", *COUNCIL)
    went = act(at, o.Sail("pisa"))
    assert asked(went) == (("take", ANN),)
    assert not refused(went.position, ANN, o.Lower(("wood",)), "free")
    assert not refused(went.position, ANN, o.Supply(1), "free")
    for readings, code in (("2", ""), ("1", "in_the_middle")):
        at = game(readings=readings)
        assert refused(act(at, o.Sail("pisa")).position, ANN, o.Supply(1), "free") == code
    at = game()
    owns(at, ANN, "pd17")
    assert refused(act(at, o.Sail("pd17")).position, ANN, o.Supply(1), "free") == "in_the_middle"
    assert refused(act(game(), o.Sail("venezia")).position, ANN, o.Supply(1), "free") == "in_the_middle"
    for readings, code in (("2", "in_the_middle"), ("1", "")):
        at = game(readings=readings)
        light(at, "cagliari", ANN)
        went = act(at, o.Sail("cagliari"))
        assert asked(went) == (("light", ANN),)
        assert refused(went.position, ANN, o.Lower(("wood",)), "free") == code
    at = game()
    light(at, "cagliari", BOB)
    assert not refused(act(at, o.Sail("cagliari")).position, BOB, o.Supply(1), "free")
    went = act(game(), o.Sail("gaeta", send=("wood",)))
    assert asked(went) == (("take", ANN),)
    assert not refused(went.position, ANN, o.Lower(("wood",)), "free")


def hungry(readings: str) -> At:
    """Ten ships eat eight bread; the granary is full with six."""
    at = game(readings=readings)
    stow(at, ANN, bay=8, wood=2)
    return at


def test_no_ship_is_lowered_for_bread_that_the_granary_has_no_room_for() -> None:
    """Le Pain: what is to be paid must be stored before; a full granary asks nobody and provides nothing."""
    at = hungry("2")
    assert provision(at, ANN) == {}
    assert asked(queue(at, EndActions()))[:1] != (("meal", ANN),)
    at.board.players[ANN].bread = 5
    assert provision(at, ANN) == {"wood": 1}
    went = queue(at, EndActions())
    assert asked(went) == (("meal", ANN),)
    fed = told(answer(went, ANN, [o.Provide(), o.Provide()]), e.Fed)[0]
    assert (fed.due, fed.paid, fed.lost) == (8, 6, 6)
    old = hungry("1")
    assert provision(old, ANN) == {"wood": 1}
    assert asked(queue(old, EndActions())) == (("meal", ANN),)


# --- lighthouses


def lit(readings: str, **ships: int) -> At:
    """Bob's lighthouse at Cagliari, where wine is sent, with one bread where two are paid."""
    at = game(readings=readings)
    light(at, "cagliari", BOB)
    stow(at, BOB, **ships)
    at.board.players[BOB].bread = 1
    return at


def test_the_owner_of_a_lighthouse_may_raise_the_bread_for_it_first() -> None:
    """Utilisation des phares, page 12: optional actions are done in the turn of others, too, so the owner is asked."""
    went = act(lit("3", bay=0, wood=2), o.Sail("cagliari"))
    assert asked(went) == (("light", BOB),)
    assert refused(went.position, BOB, o.Light(("wine",)), "light", place="cagliari") == "no_ship_to_sail"
    assert not refused(went.position, BOB, o.Light(("jewel",)), "light", place="cagliari")
    assert not refused(went.position, BOB, o.Light(("wine",)), "light"), "ahead it stands"
    free = next(d.gate for d in went.position.core.open if (d.seat, d.asks) == (BOB, "free"))
    lowered = play(went.position, free, {BOB: o.Lower(("wood",))})
    used = answer(lowered, BOB, o.Light(("wine",)))
    assert told(used, e.LighthouseUsed) == [e.LighthouseUsed(seat=BOB, place="cagliari", hold="wine", bread=2)]
    poor = act(lit("3", bay=2), o.Sail("cagliari"))
    assert refused(poor.position, BOB, o.Light(("wine",)), "light", place="cagliari") == "bread_missing"
    assert told(answer(poor, BOB, o.Light()), e.BreadGained)


def test_who_could_raise_no_bread_or_no_ship_is_not_asked() -> None:
    """One ship cannot be supplied and sent; and games of before ask nobody who cannot pay at once."""
    for at in (lit("3", bay=1), lit("3", bay=0), lit("2", bay=2), lit("2", bay=0, wood=2)):
        assert told(act(at, o.Sail("cagliari")), e.BreadGained)
    at = lit("3", bay=1)
    hand(at, BOB, "c08")
    assert asked(act(at, o.Sail("cagliari"))) == (("light", BOB),)


def test_who_sails_to_an_own_lighthouse_raises_bread_before() -> None:
    """Page 17: in a turn that gains resources not in the middle; a line before it can."""
    at = game(readings="3")
    light(at, "cagliari", ANN)
    stow(at, ANN, bay=3, wood=2)
    at.board.players[ANN].bread = 2
    assert told(act(at, o.Sail("cagliari")), e.BreadGained)
