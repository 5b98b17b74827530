"""A whole turn of six late in the game, by letters: many advances, and every question that interrupts answered ahead,
but for the one of `test_reduced_province`.

Yellow (Venezia) owns Urban Growth and Arts and Techniques, Violet (Genoa) Mills and all markers are out, Blue
(Barcelona) Printed Word and Manuscripts, Red (Paris) Renaissance, Green (London) Galleon, New World, Patronage and
Conversion, Brown (Hamburg) Conversion, Cosmopolitan, Bank, Middle Class and Enlightenment.
"""

import pytest

from engine.age_of_renaissance.atlas import Hull, Ship
from engine.age_of_renaissance.board import Phase, Piece, War
from engine.age_of_renaissance.catalogue import CARDS, MISERY
from engine.age_of_renaissance.events import (
    AdvanceBought,
    CardDiscarded,
    CardDrawn,
    CardsExchanged,
    IncomeTaken,
    LeaderClaimed,
    MarkerLifted,
    MarketMoved,
    MiseryMoved,
    OrderSet,
    Paid,
    ProvinceCeded,
    Refunded,
    RivalryFought,
    ShipUpgraded,
    TokensMoved,
    WarRolled,
)
from engine.age_of_renaissance.phases.turn import BeginPhase, BeginTurn
from engine.age_of_renaissance.ruleset import RULES
from engine.kernel.secrets import seen_by
from tests.engine.age_of_renaissance.build import (
    BLUE,
    BROWN,
    GREEN,
    RED,
    SEATS,
    VIOLET,
    YELLOW,
    At,
    advances,
    cash,
    control,
    game,
    hand,
    held,
    piece,
    pile,
    ship,
)
from tests.playthroughs.email_game import Story

VIOLETS = (
    "montpellier",
    "suez",
    "cairo",
    "alexandria",
    "aleppo",
    "cyprus",
    "tunis",
    "tripoli",
    "heraklion",
    "saloniki",
    "constantinople",
    "smyrna",
    "fez",
    "algiers",
    "grenada",
    "sevilla",
    "lisboa",
    "toledo",
    "valencia",
    "napoli",
    "roma",
    "firenze",
    "lyon",
    "marseille",
)
"""With Genoa that is all twenty-five."""


def rivalry(province: str, seat: str, green: int, black: int, white: int) -> dict[str, int]:
    """The three dice of the first attack on a province."""
    dice = zip(("green", "black", "white"), (green, black, white), strict=True)
    return {f"rivalry/9/{province}/{seat}/1/{colour}": roll for colour, roll in dice}


SCRIPT = {
    f"war/9/history/{YELLOW}/{GREEN}/2/attacker": 3,
    f"war/9/history/{YELLOW}/{GREEN}/2/defender": 3,
    f"manuscripts/9/montpellier/{BLUE}": 1,
    **rivalry("montpellier", BLUE, 6, 1, 1),
    **rivalry("lubeck", BROWN, 1, 6, 1),
}


def before_tokens() -> At:
    """The table before the tokens for turn 9 are bought."""
    position = game(6, turn=8, phase=Phase.TOKENS)
    pile(
        position,
        "fur_3",
        "silk_3",
        "spice_3",
        "gold_3",
        "cloth_3",
        "wine_3",
        "metal_3",
        "las_casas",
        "newton",
        "vesalius",
        "da_vinci",
        "religious_strife",
        epoch=3,
    )
    for seat in SEATS:
        cash(position, seat, 200)
    for seat, letters in {
        YELLOW: "NOPV",
        VIOLET: "IJKLM",
        BLUE: "AINO",
        RED: "NOPQ",
        GREEN: "ASTVUEFH",
        BROWN: "FHIJKLZDRY",
    }.items():
        advances(position, seat, letters)
    position.board.powers[BROWN].advances -= {"J"}
    ship(position, VIOLET, Hull.SEAWORTHY, 10)
    ship(position, GREEN, Hull.GALLEON, 1)
    control(position, VIOLET, *VIOLETS)
    control(position, YELLOW, "milano", "belgrad")
    control(position, RED, "bruges")
    control(position, GREEN, "lubeck")
    piece(position, BROWN, "dubrovnik", old=1)
    piece(position, BROWN, "stettin", old=1)
    hand(position, YELLOW, "wool_1a")
    hand(position, VIOLET, "fur_1")
    hand(position, BLUE, "civil_war", "galileo", "oldenburg", "stone_1a")
    hand(position, GREEN, "gunpowder")
    position.board.markets = {"spice": 1}
    position.board.wars = (War(YELLOW, GREEN, turn=8, rolls=1),)
    return position


LETTERS = {
    YELLOW: (
        "fr",
        (
            "PIONS 0\nSUR MARCHÉ : ANNULER Épices\nSUR CARTE SUPPLÉMENTAIRE : CARTE SUPPLÉMENTAIRE\n"
            "SUR DÉFAUSSE : DÉFAUSSER Laine\nSUR GUERRE PERDUE : CÉDER Belgrad, Milano\nSUR INDULGENCES : DUCATS"
        ),
    ),
    VIOLET: ("en", "TOKENS 10\nON MILLS: MILLS Wine shortage\nON MARKERS: LIFT Suez"),
    BLUE: ("en", "TOKENS 16\nON MANUSCRIPTS: EXCHANGE Stone"),
    RED: (
        "fr",
        (
            "PIONS 4\nSUR GUERRE CIVILE : PIONS\nSUR INDULGENCES : MÉCONTENTEMENT\n"
            "SUR RENAISSANCE : CHANGER devant expansion GUERRE CIVILE ensuite"
        ),
    ),
    GREEN: ("en", "TOKENS 20\nON TIED WAR: ARM Gunpowder"),
    BROWN: ("fr", "PIONS 20\nSUR ÉGALITÉ : DERNIER\nSUR CONVERSION : UTILISER CONVERSION CONTRE Genoa"),
}
"""The letters that buy the tokens for turn 9, with the reactions for it."""


def opened(**instead: str) -> Story:
    """Tokens are bought and reactions filed; `instead`: other letters of some seats."""
    story = Story.upon(RULES, before_tokens(), SCRIPT, BeginPhase(Phase.TOKENS), BeginTurn())
    for seat, (language, text) in LETTERS.items():
        story.letter(seat, instead.get(seat, text), language)
    return story


def passed(story: Story) -> None:
    """Everybody who still owes something passes it."""
    owing = [seat for seat in SEATS if story.open_questions(seat)]
    for seat in owing:
        story.letter(seat, "PASSER")


def history(story: Story) -> None:
    """Phase 3: Blue strikes Red with a Civil War, and plays two leaders."""
    story.letter(BLUE, "JOUER Guerre civile CONTRE Paris\nJOUER Galilée\nJOUER Henry Oldenburg")
    passed(story)


def purchases(story: Story) -> None:
    """Phase 4: Green enlarges its galleon and claims Oldenburg for Enlightenment."""
    story.letter(GREEN, "SHIP\nBUY Enlightenment WITH Henry Oldenburg\nSTABILISE", "en")
    passed(story)


def expansion(story: Story) -> None:
    """Phase 5."""
    story.letter(VIOLET, "PLACER Palermo 2\nATTAQUER Dubrovnik 4")
    story.letter(BLUE, "ATTAQUER Montpellier 4")
    story.letter(GREEN, "PLACE China 3\nPLACE North America 3\nATTACK Bruges 8 BY CONVERSION", "en")
    story.letter(BROWN, "ATTAQUER Lübeck 6")
    passed(story)


@pytest.fixture(scope="module")
def story() -> Story:
    """The whole turn, played once."""
    played = opened()
    history(played)
    purchases(played)
    expansion(played)
    return played


@pytest.mark.holds(
    "age_of_renaissance",
    "reaction",
    "conversion",
    "manuscripts",
    "renaissance",
    "indulgences",
    "weapon",
    "war",
    "civil_war",
    "rank",
    "surplus",
    "extra",
    "discard",
    "mills",
    "lift",
)
def test_reactions_answer_every_interruption(story: Story) -> None:
    """Four letters of each player make the turn: the thirteen kinds of interruption were all answered ahead."""
    assert sorted({asks for _, asks in story.used}) == [
        "civil_war",
        "conversion",
        "discard",
        "extra",
        "indulgences",
        "lift",
        "manuscripts",
        "mills",
        "rank",
        "renaissance",
        "surplus",
        "war",
        "weapon",
    ]
    assert story.board.phase is Phase.TOKENS


def test_equal_tokens_and_the_rank_chosen_ahead(story: Story) -> None:
    """§9.7, R38  Green and Brown bought twenty each; Brown, who chose its capital later, wanted to play after Green."""
    bought = next(event for event in story.events_of(OrderSet) if event.cause == "tokens")
    assert [seat for seat, _ in bought.slots] == [YELLOW, RED, VIOLET, BLUE, GREEN, BROWN]


def test_the_draw_and_the_cards(story: Story) -> None:
    """§9.1, §9.2  Spice is bought off for 9, Mills make wine scarce, Yellow buys a card for 10 and discards wool."""
    moved = [(e.good, e.by, e.cause, e.seat, e.ducats) for e in story.events_of(MarketMoved)][:2]
    assert moved == [("spice", -1, "cancelled", YELLOW, 9), ("wine", 1, "J", VIOLET, 0)]
    assert [(e.seat, e.ducats) for e in story.events_of(CardDrawn) if e.cause == "extra"] == [(YELLOW, 10)]
    assert [(e.seat, e.card) for e in story.events_of(CardDiscarded)] == [(YELLOW, "wool_1a")]


def test_the_tied_war_is_decided_by_a_weapon(story: Story) -> None:
    """A2 Guerre, R15  Three all, but Green has fired: one for gunpowder, and Belgrad is ceded as Yellow preferred."""
    (rolled,) = story.events_of(WarRolled)
    assert (rolled.dice, rolled.bonus, rolled.winner) == ((3, 3), (0, 1), GREEN)
    assert [(e.loser, e.winner, e.province) for e in story.events_of(ProvinceCeded)] == [(YELLOW, GREEN, "belgrad")]


def test_printed_word_and_patronage(story: Story) -> None:
    """§9.3.3  Galileo pays Blue 20 for Astronomy; Green claims Oldenburg and pays 30 less for Enlightenment."""
    assert [(e.seat, e.card, e.ducats) for e in story.events_of(Refunded)] == [(BLUE, "galileo", 20)]
    assert [(e.seat, e.card) for e in story.events_of(LeaderClaimed)] == [(GREEN, "oldenburg")]
    (bought,) = story.events_of(AdvanceBought)
    assert bought.letter == "D"
    assert ("oldenburg", 30) in bought.credits
    assert bought.paid == 120 - sum(ducats for _, ducats in bought.credits)
    assert [(e.seat, e.ship) for e in story.events_of(ShipUpgraded)] == [(GREEN, Ship(Hull.GALLEON, 2))]


def test_civil_war_and_renaissance(story: Story) -> None:
    """A2, R8, R46  Red gives half of four tokens; put last by Civil War, it then changes places with Brown."""
    lost = [(e.seat, e.tokens) for e in story.events_of(TokensMoved) if e.cause == "civil_war"]
    assert lost == [(RED, -2)]
    orders = [(e.cause, [seat for seat, _ in e.slots]) for e in story.events_of(OrderSet)][1:]
    assert orders == [
        ("civil_war", [YELLOW, VIOLET, BLUE, GREEN, BROWN, RED]),
        ("Q", [YELLOW, VIOLET, BLUE, GREEN, RED, BROWN]),
    ]


def test_renaissance_before_civil_war() -> None:
    """R8  Asked to come first, the swap brings Red before Yellow, and Civil War puts it last all the same."""
    first = LETTERS[RED][1].replace("GUERRE CIVILE ensuite", "GUERRE CIVILE d'abord")
    story = opened(**{RED: first})
    history(story)
    purchases(story)
    orders = [(e.cause, [seat for seat, _ in e.slots]) for e in story.events_of(OrderSet)][1:]
    assert orders == [
        ("Q", [RED, YELLOW, VIOLET, BLUE, GREEN, BROWN]),
        ("civil_war", [YELLOW, VIOLET, BLUE, GREEN, BROWN, RED]),
    ]


def test_indulgences_both_ways(story: Story) -> None:
    """§9.5, R37  Two hold them, four do not: eight tokens for each; Yellow pays four ducats, Red a step of misery."""
    moved = {e.seat: e.tokens for e in story.events_of(TokensMoved) if e.cause == "F"}
    assert moved == {VIOLET: -4, BLUE: -4, RED: -2, GREEN: 8, BROWN: 8}
    assert [(e.seat, e.ducats) for e in story.events_of(Paid) if e.cause == "F"] == [(YELLOW, 4)]
    assert [(e.seat, e.after - e.before) for e in story.events_of(MiseryMoved) if e.cause == "F"] == [(RED, 1)]


def test_markers_run_out_and_one_is_lifted(story: Story) -> None:
    """R47  With all markers out, Palermo's tokens become one taken from Suez, where a token stays."""
    assert [(e.seat, e.lifted, e.province) for e in story.events_of(MarkerLifted)] == [(VIOLET, "suez", "palermo")]
    assert story.board.at("suez", VIOLET) == Piece(old=1)


def test_conversion_on_both_sides(story: Story) -> None:
    """§9.5.2  Brown turns Violet's attack away, Green wins Bruges: both without dice."""
    without = [(e.seat, e.province, e.by, e.won) for e in story.events_of(RivalryFought) if e.dice is None]
    assert without == [(VIOLET, "dubrovnik", BROWN, False), (GREEN, "bruges", GREEN, True)]
    assert story.board.powers[GREEN].converted == {RED}


def test_manuscripts(story: Story) -> None:
    """§9.5.2, R10  Blue has taken Montpellier from an old marker: stone goes for a card of Violet's."""
    (swap,) = story.events_of(CardsExchanged)
    assert (swap.seat, swap.victim) == (BLUE, VIOLET)
    with seen_by(VIOLET):
        assert (swap.given.value, swap.taken.value) == ("stone_1a", "fur_1")
    assert "stone_1a" in held(story.position, VIOLET)


def test_a_galleon_keeps_up_two_boxes(story: Story) -> None:
    """§9.4.1  The second galleon holds China and North America; a third box would have been refused."""
    assert story.board.at("china", GREEN).tokens == 3
    assert story.board.at("north_america", GREEN).tokens == 3
    again = opened()
    history(again)
    purchases(again)
    assert again.refused(GREEN, "PLACE China 3\nPLACE North America 3\nPLACE India 1", "en") == ["overseas_full"]


def test_cosmopolitan_in_attack(story: Story) -> None:
    """§9.5.2, R39  Lübeck resists with seven, gunpowder included; six tokens and the one in Stettin meet them."""
    fought = next(e for e in story.events_of(RivalryFought) if e.province == "lubeck")
    assert (fought.strength, fought.against, fought.dice, fought.won) == (7, ((GREEN, 4),), (1, 6, 1), True)


def test_bank_middle_class_and_enlightenment(story: Story) -> None:
    """§9.6  Brown's income of 15, 6 a province and 10 is matched by the bank; Enlightenment lowers misery."""
    income = next(e for e in story.events_of(IncomeTaken) if e.seat == BROWN)
    assert (income.provinces, income.base, income.middle) == (2, 15 + 6 * 2, 10)
    assert income.bank == 37
    enlightened = {e.seat for e in story.events_of(MiseryMoved) if e.cause == "D"}
    assert enlightened == {GREEN}


def test_nothing_of_a_hand_or_a_reaction_is_in_another_view(story: Story) -> None:
    """R35  What was filed ahead and never needed by others stays with its owner: the views hold known cards only."""
    for seat in SEATS:
        with seen_by(seat):
            known = [set(story.board.known_hand(other)) for other in SEATS if other != seat]
        others = {BLUE: {"stone_1a"}, VIOLET: {"fur_1"}}.get(seat, set())
        assert set().union(*known) == others
    assert set(CARDS) >= {"stone_1a", "fur_1"}
    assert MISERY[story.board.powers[YELLOW].misery] == 20
