"""What characters do: each of the 75, and each verb of the catalogue."""

from typing import Any

import pytest

from engine.amalfi import events as e
from engine.amalfi import orders as o
from engine.amalfi.catalogue import ALL, CHARACTERS, Category, Mod, On, Op, Verb
from engine.amalfi.ruleset import RULES
from engine.amalfi.values import (
    council_bread,
    discount,
    emergency_value,
    end_points,
    hold_value,
    light_cost,
    meal,
    row_cost,
    triggered_by,
)
from engine.kernel.events import Event
from engine.kernel.orders import single_order
from engine.kernel.secrets import redact, seen_by
from tests.engine.amalfi.build import (
    ANN,
    BOB,
    At,
    Went,
    act,
    answer,
    dock,
    does,
    events_of,
    game,
    hand,
    hand_of,
    judged,
    light,
    owns,
    place_characters,
    questions_in,
    refused,
    row,
    stow,
)


def of(category: Category) -> list[str]:
    """The characters of a category."""
    return [card.id for card in CHARACTERS.values() if card.category is category]


SHOWN: dict[Verb, type[Event]] = {
    Verb.BREAD: e.BreadGained,
    Verb.PAY_BREAD: e.BreadPaid,
    Verb.VP: e.PointsGained,
    Verb.VP_PER: e.PointsGained,
    Verb.SEND: e.ShipsSent,
    Verb.CHARACTER: e.CharacterTaken,
    Verb.LIGHTHOUSE: e.LighthouseErected,
    Verb.UNTAP: e.Refreshed,
    Verb.ACQUIRE: e.Acquired,
    Verb.DISCOVER: e.Discovered,
    Verb.INVITE: e.Invited,
    Verb.BUILD: e.Built,
    Verb.RECALL: e.ShipsRecalled,
    Verb.LAUNCH: e.ShipsLaunched,
    Verb.USE_PRIVATE: e.UsedFromAfar,
    Verb.DISCARD_FOR_VP: e.GivenUp,
}
"""The fact that tells of each verb."""
GETS = {Verb.ACQUIRE: "book05", Verb.DISCOVER: "pd06", Verb.INVITE: "c20"}


def rich(card: str) -> At:
    """A table where every effect finds what it needs."""
    at = game()
    at.board.players[ANN].bread = 4
    owns(at, ANN, "pd07", "book01", "painting01", "monument01")
    row(at, "atelier", "book05", "book06", "book07", "book08", "book09")
    row(at, "atlas", "pd06", "pd08", "pd09", "pd10", "pd11")
    light(at, "palermo", ANN)
    for engaged in ("c59", "c69"):
        if engaged != card:
            place_characters(at, ANN, engaged, engaged=True)
    hand(at, ANN, *(held for held in ("c20", "c21") if held != card))
    stow(at, ANN, bay=3, port=1, wine=1, wood=1, cloth=1, jewel=1)
    return at


@pytest.mark.parametrize("card", [*of(Category.IMMEDIATE), *of(Category.ENGAGEABLE)])
@pytest.mark.holds("amalfi", "event", "amalfi.GivenUp")
def test_every_immediate_and_engageable_character_does_what_its_text_says(card: str) -> None:
    """Each op of its effect shows as a fact that names the card."""
    at = rich(card)
    character = CHARACTERS[card]
    if any(op.op is Verb.RECALL for op in character.effects):
        dock(at, "tripoli", ANN)
        dock(at, "roma", ANN)
    get = next((GETS[op.op] for op in character.effects if op.op in GETS), "")
    choices: dict[str, Any] = {
        "send": ("wood",) * sum(op.n for op in character.effects if op.hold == "any"),
        "take": ("rightmost",),
        "erect": ("ragusa", "candia"),
        "refresh": ("c69",),
        "get": get,
        "recall": ("tripoli",),
    }
    if character.category is Category.IMMEDIATE:
        hand(at, ANN, card)
        went = act(at, o.Invite(card, **choices))
    else:
        place_characters(at, ANN, card)
        went = act(at, o.Engage(card, use="pd07", discard="c21", **choices))
    for op in character.effects:
        found = [event for event in went.events if isinstance(event, SHOWN[op.op])]
        assert found, f"{op} of {card}"


@pytest.mark.parametrize("card", of(Category.END_GAME))
def test_every_end_of_game_character_counts_its_things_up_to_its_maximum(card: str) -> None:
    """Raphaël: 7 paintings would be 28 points, but 24 is the most."""
    at = game(period=4)
    character = CHARACTERS[card]
    others = [c for c in ("c16", "c36", "c57", "c02", "c37", "c58") if c != card]
    place_characters(at, ANN, card, *others)
    owns(at, ANN, *(f"{kind}{n:02}" for kind in ("book", "painting", "monument") for n in range(1, 8)))
    owns(at, ANN, *(f"pd{n:02}" for n in range(1, 8)))
    for n in range(1, 7):
        light(at, f"pd{n:02}", ANN)
    at.board.claims = dict.fromkeys(at.board.titles, (ANN,))
    at.board.players[ANN].bread = 12
    stow(at, ANN, bay=0, wine=8)
    at.board.players[ANN].bay, at.board.players[ANN].yard = 2, 0
    count, points = end_points(at.board, ANN, card)
    assert points == min(character.most, count * character.vp) > 0
    assert card != "c01" or (count, points) == (7, 24)


# --- permanent characters


@pytest.mark.parametrize("card", [c for c in of(Category.PERMANENT) if CHARACTERS[c].mod])
def test_every_lasting_change_is_in_force(card: str) -> None:
    """Costs, values, meals and slots."""
    at, character = game(), CHARACTERS[card]
    row(at, "council", "c01", "c02", "c03", "c04")
    row(at, "atelier", "book05", "book06", "book07", "book08", "book09")
    stow(at, ANN, bay=4, port=2)

    def figures() -> tuple[object, ...]:
        board = at.board
        return {
            Mod.COST: (discount(board, ANN, character.action or "none"),),
            Mod.HOLD: (hold_value(board, ANN, character.hold or "wood"),),
            Mod.EMERGENCY: (emergency_value(board, ANN),),
            Mod.LIGHT: (light_cost(board, ANN),),
            Mod.MEAL: (meal(board, ANN),),
            Mod.NO_EXTRA: (row_cost(board, ANN, "atelier", "book05"),),
            Mod.COUNCIL: council_bread(board, ANN, "c01"),
        }[character.mod or Mod.COST]

    before = figures()
    place_characters(at, ANN, card)
    assert figures() != before


@pytest.mark.parametrize("card", [c for c in of(Category.PERMANENT) if CHARACTERS[c].on])
def test_every_permanent_character_acts_when_its_moment_comes(card: str) -> None:
    """Only then, and for its owner alone."""
    at, character = game(), CHARACTERS[card]
    place_characters(at, ANN, card)
    assert character.on is not None
    steps = triggered_by(at.board, ANN, character.on, character.type)
    assert [(effect.id, ops) for effect, ops in steps] == [(card, character.effects)]
    assert not triggered_by(at.board, BOB, character.on, character.type)
    other = On.BUILD if character.on is not On.BUILD else On.ENGAGE
    assert not triggered_by(at.board, ANN, other, character.type)


def test_permanent_characters_that_wait_for_actions() -> None:
    """Alberti, Botticelli and Petrarch wait for artworks of a type, Toscanelli for tiles, Montefeltro, Vittoria."""
    at = game()
    place_characters(at, ANN, "c36", "c37", "c41", "c46", "c53", "c59")
    row(at, "atelier", "book01", "book02", "book03", "monument01", "painting02")
    row(at, "atlas", "pd06", "pd07", "pd08", "pd11", "pd09")
    hand(at, ANN, "c60")
    stow(at, ANN, bay=0, jewel=2, cloth=3, spice=3)
    assert [p.points for p in events_of(act(at, o.Acquire("painting02")), e.PointsGained)] == [2]
    assert [p.points for p in events_of(act(at, o.Acquire("monument01")), e.PointsGained)] == [3]
    assert [p.cause for p in events_of(act(at, o.Discover("pd09")), e.PointsGained)] == ["c41"]
    assert [p.cause for p in events_of(act(at, o.Engage("c59")), e.PointsGained)] == ["c46"]
    assert [p.cause for p in events_of(act(at, o.Invite("c60")), e.PointsGained)] == ["c53"]


@pytest.mark.holds("amalfi", "ruling", "A20")
def test_who_waits_for_invitations_does_not_act_for_itself() -> None:
    """A20."""
    at = game()
    hand(at, ANN, "c53")
    stow(at, ANN, bay=0, wine=2)
    assert not events_of(act(at, o.Invite("c53")), e.PointsGained)


# --- verbs in tight places


@pytest.mark.parametrize(
    "op",
    [
        Op(Verb.RECALL),
        Op(Verb.LAUNCH),
        Op(Verb.UNTAP),
        Op(Verb.USE_PRIVATE),
        Op(Verb.DISCARD_FOR_VP, vp=3),
        Op(Verb.ACQUIRE, minus=0),
        Op(Verb.DISCOVER),
        Op(Verb.INVITE),
        Op(Verb.BUILD, minus=1),
        Op(Verb.SEND, hold="wood"),
    ],
)
def test_a_benefit_that_cannot_be_used_is_lost(op: Op) -> None:
    """Nothing docked, nothing in the port, nobody engaged, no tile, no hand, nothing to pay with."""
    at = game()
    at.board.players[ANN].bread = 0
    stow(at, ANN, bay=0)
    at.board.players[ANN].yard = 10
    assert events_of(does(at, ANN, op), e.BenefitLost) == [e.BenefitLost(seat=ANN, what=op.op.value, cause="test")]


def test_a_benefit_is_lost_where_nothing_is_left_to_have() -> None:
    """No place for a lighthouse, no slot that can be paid, no ship in the yard, no card in the row."""
    at = game()
    for place in at.board.public:
        if at.board.has_slot(place):
            light(at, place, BOB if at.board.left(BOB) else "rival")
    assert events_of(does(at, ANN, Op(Verb.LIGHTHOUSE)), e.BenefitLost)
    at = game()
    at.board.players[ANN].yard, at.board.players[ANN].bay = 0, 10
    assert events_of(does(at, ANN, Op(Verb.BUILD, free=True)), e.BenefitLost)
    at = game()
    at.board.rows["atelier"], at.board.decks["atelier"] = (), ()
    at.board.players[BOB].artworks = tuple(game().board.rows["atelier"]) + tuple(
        str(c.held) for c in game().board.decks["atelier"]
    )
    assert not events_of(does(at, ANN, Op(Verb.DISCARD_ARTWORK)), e.CardDiscarded)


def test_effects_with_a_choice_ask_who_said_nothing() -> None:
    """Ships to recall, characters to refresh, destinations to use, cards to give up, an action: each is asked."""
    at = rich("none")
    for place in ("ragusa", "candia", "tripoli"):
        dock(at, place, ANN)
    owns(at, ANN, "pd12")
    at.board.players[ANN].bread = 4
    recalled = does(at, ANN, Op(Verb.RECALL, n=2))
    assert questions_in(recalled) == (("recall", ANN),)
    assert refused(recalled.position, ANN, o.Recall(("roma",)), "recall") == "no_ship_there"
    assert refused(recalled.position, ANN, o.Recall(("ragusa", "candia")), "recall", ships=1) == "too_many"
    assert events_of(answer(recalled, ANN, o.Recall(("ragusa",))), e.ShipsRecalled)[0].places == ("ragusa",)
    refreshed = does(at, ANN, Op(Verb.UNTAP))
    assert questions_in(refreshed) == (("refresh", ANN),)
    assert refused(refreshed.position, ANN, o.Refresh(("c01",)), "refresh") == "not_engaged"
    assert events_of(answer(refreshed, ANN, o.Refresh(("c69",))), e.Refreshed)[0].characters == ("c69",)
    used = does(at, ANN, Op(Verb.USE_PRIVATE))
    assert refused(used.position, ANN, o.Use("pd36"), "use") == "not_private"
    assert events_of(answer(used, ANN, o.Use("pd12")), e.UsedFromAfar)[0].bread == 1
    given = does(at, ANN, Op(Verb.DISCARD_FOR_VP, vp=3))
    assert refused(given.position, ANN, o.GiveUp("c22"), "give_up") == "not_in_hand"
    gone = answer(given, ANN, o.GiveUp("c21"))
    assert gone.position.board.players[ANN].vp == 3
    assert hand_of(gone.position, ANN) == ("c20",)


@pytest.mark.parametrize("op", [Op(Verb.RECALL), Op(Verb.UNTAP), Op(Verb.USE_PRIVATE), Op(Verb.DISCARD_FOR_VP)])
def test_an_effect_may_be_declined(op: Op) -> None:
    """An empty answer loses it."""
    at = rich("none")
    for place in ("ragusa", "candia"):
        dock(at, place, ANN)
    owns(at, ANN, "pd12")
    went = answer(does(at, ANN, op), ANN, ())
    assert events_of(went, e.BenefitLost)


@pytest.mark.holds("amalfi", "ruling", "A19")
def test_who_refreshes_never_refreshes_themself() -> None:
    """A19: another character, else the benefit is lost; and one alone where two are engaged."""
    at = game()
    place_characters(at, ANN, "c59", engaged=True)
    assert events_of(does(at, ANN, Op(Verb.UNTAP, n=1), cause="c59"), e.BenefitLost)
    place_characters(at, ANN, "c69", engaged=True)
    assert events_of(does(at, ANN, Op(Verb.UNTAP, n=1), cause="c59"), e.Refreshed)[0].characters == ("c69",)


@pytest.mark.holds("amalfi", "ruling", "A19")
def test_who_is_being_engaged_is_not_refreshed_by_what_that_brings() -> None:
    """Engagement: the effect, then the card is turned; Michelangelo acquires a painting that refreshes another."""

    def michelangelo(*engaged: str) -> Went:
        at = game()
        place_characters(at, ANN, *engaged, engaged=True)
        place_characters(at, ANN, "c57")
        stow(at, ANN, bay=1, jewel=2)
        row(at, "atelier", "book05", "book06", "book07", "book08", "painting02")
        return act(at, o.Engage("c57", get="painting02"))

    alone = michelangelo()
    assert events_of(alone, e.BenefitLost) == [e.BenefitLost(seat=ANN, what="untap", cause="painting02")]
    assert alone.position.board.players[ANN].engaged == ("c57",)
    assert events_of(michelangelo("c59"), e.Refreshed)[0].characters == ("c59",)
    several = michelangelo("c59", "c69")
    assert questions_in(several) == (("refresh", ANN),)
    (line,) = judged(several.position, ANN, o.Refresh(("c57",)), "refresh")
    assert line.problem is not None
    assert line.problem.code == "not_engaged"
    assert events_of(answer(several, ANN, o.Refresh(("c57",))), e.BenefitLost)


def test_who_is_being_engaged_is_not_refreshed_by_the_double_icon_either() -> None:
    """Francesco di Giorgio builds the fourth ship: only a character can be had."""
    at = game(period=4)
    place_characters(at, ANN, "c66")
    stow(at, ANN, bay=5, wood=2)
    row(at, "council", "c01", "c02", "c03", "c04")
    went = act(at, o.Engage("c66", refresh=("c66",)))
    assert not events_of(went, e.Refreshed)
    (question,) = (d for d in went.position.core.questions if d.topic == "take")
    assert "either" not in question.limits


def test_who_refreshes_all_by_an_invitation_that_an_engagement_gives_stays_turned() -> None:
    """Vespasiano invites Soliman, who refreshes everybody who is turned already."""
    at = game()
    place_characters(at, ANN, "c59", engaged=True)
    place_characters(at, ANN, "c72")
    hand(at, ANN, "c29")
    stow(at, ANN, bay=1, spice=1)
    went = act(at, o.Engage("c72", get="c29"))
    assert events_of(went, e.Refreshed)[0].characters == ("c59",)


@pytest.mark.parametrize(
    ("named", "back"),
    [(("ragusa",), ("ragusa",)), ((), ("candia", "ragusa")), (("roma",), ("candia", "ragusa"))],
)
@pytest.mark.holds("amalfi", "ruling", "A12")
def test_no_more_ships_come_back_from_docks_than_were_named(named: tuple[str, ...], back: tuple[str, ...]) -> None:
    """A12: up to two; the other ship goes on to hold its dock."""
    at = game()
    hand(at, ANN, "c30")
    stow(at, ANN, bay=4, spice=2)
    dock(at, "candia", ANN)
    dock(at, "ragusa", ANN)
    assert [came.places for came in events_of(act(at, o.Invite("c30", recall=named)), e.ShipsRecalled)] == [back]


@pytest.mark.holds("amalfi", "event", "amalfi.UsedFromAfar")
@pytest.mark.holds("amalfi", "ruling", "A21")
def test_a_destination_used_from_afar_costs_its_bread_and_its_lighthouse_works() -> None:
    """A21: without a ship, although the dock is taken; the owner of the lighthouse is asked as ever."""
    at = game()
    owns(at, ANN, "pd12")
    dock(at, "pd12", ANN)
    light(at, "pd12", BOB)
    stow(at, ANN, bay=1)
    at.board.players[ANN].bread = at.board.players[BOB].bread = 3
    went = does(at, ANN, Op(Verb.USE_PRIVATE))
    went = went if events_of(went, e.UsedFromAfar) else answer(went, ANN, o.Use("pd12"))
    while ("light", BOB) not in questions_in(went):
        went = answer(went, ANN, ())
    assert went.position.board.docks["pd12"] == ANN


@pytest.mark.holds("amalfi", "ruling", "A21")
def test_who_names_a_destination_that_cannot_be_paid_uses_no_other_one() -> None:
    """A21: Gérard Mercator pays the bread of the destination that is named; the line is refused, so ELSE comes next."""
    at = game()
    place_characters(at, ANN, "c75")
    owns(at, ANN, "pd06", "pd31")
    at.board.players[ANN].bread = 1
    assert refused(at, ANN, o.Engage("c75", use="pd31")) == "not_private"
    assert refused(at, ANN, o.Engage("c75", use="pd06")) == ""
    assert refused(at, ANN, o.Engage("c75")) == ""


def test_too_many_ships_are_not_sent() -> None:
    """No more than the question says."""
    went = does(game(), ANN, Op(Verb.SEND, n=2, hold="any"))
    assert refused(went.position, ANN, o.Send(("wood",) * 3), "send", ships=2) == "too_many"
    assert events_of(answer(went, ANN, o.Send(("none",))), e.BenefitLost)


def get(op: Verb, minus: int = 0) -> Went:
    """An action that an effect gives, asked for."""
    return does(rich("none"), ANN, Op(op, minus=minus))


@pytest.mark.holds("amalfi", "ruling", "A18")
def test_an_action_that_an_effect_gives_is_asked_paid_and_followed_by_all_its_bonuses() -> None:
    """A18."""
    went = get(Verb.ACQUIRE, 2)
    assert questions_in(went) == (("get", ANN),)
    went = answer(went, ANN, o.Acquire("book09", pay=("wine",), emergency=("wine",)))
    assert (events_of(went, e.Paid)[0].cost, events_of(went, e.ShipsSent)[0].cause) == (4, "book09")
    assert events_of(answer(get(Verb.DISCOVER, 9), ANN, o.Discover("pd11")), e.Paid)[0].cost == 1
    assert events_of(answer(get(Verb.INVITE, 2), ANN, o.Invite("c20")), e.PointsGained)[0].points == 5
    assert events_of(answer(get(Verb.INVITE), ANN, ()), e.BenefitLost)


@pytest.mark.parametrize("verb", [Verb.ACQUIRE, Verb.DISCOVER, Verb.INVITE])
def test_a_missed_answer_about_an_action_takes_the_best_suggestion(verb: Verb) -> None:
    """The first line of the letter is what happens without an answer, if it is worth its price."""
    went = get(verb, 9)
    (asked,) = (d for d in went.position.core.questions if d.topic == "get")
    seen = redact(went.position, ANN)
    with seen_by(ANN):
        assert RULES.default_orders(seen, asked) == RULES.suggest_orders(seen, asked)[:1]


def test_a_missed_answer_gives_the_least_valuable_character_up_for_points() -> None:
    """Who engaged the character wanted the points."""
    at = game()
    hand(at, ANN, "c21", "c22")
    went = does(at, ANN, Op(Verb.DISCARD_FOR_VP, vp=3))
    (asked,) = (d for d in went.position.core.questions if d.topic == "give_up")
    with seen_by(ANN):
        assert isinstance(single_order(RULES.default_orders(redact(went.position, ANN), asked)), o.GiveUp)


def test_what_is_said_with_an_answer_about_an_action_counts_for_it() -> None:
    """Effets bonus: who names the artwork names whom its bonus takes, and is not asked again."""
    at = game()
    place_characters(at, ANN, "c57")
    stow(at, ANN, bay=1, wine=2)
    row(at, "council", "c01", "c02", "c03", "c04")
    row(at, "atelier", "book05", "book06", "book07", "book08", "book03")
    went = answer(act(at, o.Engage("c57", take=("c02",))), ANN, o.Acquire("book03", take=("c03",)))
    assert [taken.character for taken in events_of(went, e.CharacterTaken)] == ["c03"]


def test_an_answer_keeps_what_was_said_before_and_names_no_further_action() -> None:
    """What the answer leaves out was said with the action; a name that could not be had then is not taken up again."""
    at = game()
    place_characters(at, ANN, "c72")
    hand(at, ANN, "c32", "c36")
    stow(at, ANN, bay=1, spice=1)
    went = act(at, o.Engage("c72", get="c40"))
    assert questions_in(went) == (("get", ANN),)
    went = answer(went, ANN, o.Invite("c32", pay=("spice",)))
    assert questions_in(went) == (("get", ANN),)


def test_who_might_invite_is_asked_whatever_the_hand_holds() -> None:
    """Being asked must tell nothing of a hand."""
    at = game()
    hand(at, ANN, "c18")
    stow(at, ANN, bay=0)
    at.board.players[ANN].yard = 10
    assert questions_in(does(at, ANN, Op(Verb.INVITE))) == (("get", ANN),)


def test_a_ship_of_francesco_di_giorgio_costs_one_less_and_goes_to_the_bay() -> None:
    """What was said pays; else least waste; without wood the effect is lost."""
    at = game()
    place_characters(at, ANN, "c66")
    stow(at, ANN, bay=1, wood=2)
    went = act(at, o.Engage("c66", pay=("wood",), emergency=("wood",)))
    assert (events_of(went, e.Paid)[0].cost, events_of(went, e.Built)[0].to) == (4, "bay")
    went = act(at, o.Engage("c66", pay=("wood",)))
    assert events_of(went, e.Paid)[0].holds == {"wood": 2}


@pytest.mark.holds("amalfi", "event", "amalfi.ShipsLaunched")
def test_all_that_is_engaged_or_in_the_port_comes_back_at_once() -> None:
    """Soliman and Francesco Sforza."""
    at = rich("none")
    assert set(events_of(does(at, ANN, Op(Verb.UNTAP, n=ALL)), e.Refreshed)[0].characters) == {"c59", "c69"}
    assert events_of(does(at, ANN, Op(Verb.LAUNCH, n=ALL)), e.ShipsLaunched)[0].ships == 1


def test_a_thing_of_another_kind_is_not_what_the_effect_gives() -> None:
    """Michelangelo acquires artworks: who names a tile is asked."""
    at = rich("c57")
    place_characters(at, ANN, "c57")
    assert questions_in(act(at, o.Engage("c57", get="pd06"))) == (("get", ANN),)


def test_two_characters_are_taken_one_after_the_other() -> None:
    """Gutenberg: the row moves in between, and no slot is paid."""
    at = game()
    at.board.players[ANN].bread = 0
    hand(at, ANN, "c16")
    stow(at, ANN, bay=0, spice=1)
    row(at, "council", "c01", "c02", "c03", "c04")
    went = act(at, o.Invite("c16", take=("c01", "c02")))
    assert [(t.character, t.paid) for t in events_of(went, e.CharacterTaken)] == [("c01", 0), ("c02", 0)]
