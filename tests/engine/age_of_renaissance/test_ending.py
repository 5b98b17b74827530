"""§11  The last card play, the score, and every way in which the game ends."""

import pytest

from engine.age_of_renaissance.acts import GameOver
from engine.age_of_renaissance.board import Phase
from engine.age_of_renaissance.catalogue import ADVANCES, CARDS, MISERY
from engine.age_of_renaissance.events import (
    CardPlayed,
    CardsKept,
    CommodityPaid,
    LeadersLeft,
    MarkerReduced,
    MiseryMoved,
    Refunded,
    WarOver,
    WarRolled,
)
from engine.age_of_renaissance.meta import META
from engine.age_of_renaissance.orders import Forfeit, Leave, Play
from engine.age_of_renaissance.phases.targets import plays
from engine.age_of_renaissance.ruleset import RULES
from engine.kernel.events import Ended, LineFailed, LinesDropped
from engine.kernel.orders import Question
from engine.kernel.secrets import seen_by
from engine.kernel.viewers import Seat
from tests.engine.age_of_renaissance.build import (
    BLUE,
    RED,
    VIOLET,
    YELLOW,
    Answer,
    At,
    Went,
    advances,
    cash,
    control,
    enter,
    events_of,
    game,
    hand,
    held,
    misery,
    play,
    queue,
    reopen,
    sound,
)


def last(position: At) -> At:
    """The last card play begun, with nothing behind it."""
    return enter(position, Phase.FINAL).position


def played(went: Went) -> list[tuple[Seat, str, tuple[str, ...]]]:
    """The cards played, by whom and at what."""
    return [(event.seat, event.card, event.target) for event in events_of(went, CardPlayed)]


def test_cards_are_played_in_the_order_of_play_and_of_the_lines() -> None:
    """§11.1  Power after power, each plays its cards in the order that it wrote; who holds none is not asked."""
    position = game()
    hand(position, YELLOW, "wool_1a", "timber_1", "fur_1")
    hand(position, VIOLET, "stone_1a")
    position = last(position)
    assert [(d.gate, d.seat, d.topic) for d in position.core.questions] == [
        ("final/2", YELLOW, "final"),
        ("final/2", VIOLET, "final"),
    ]
    sets: dict[Seat, Answer] = {VIOLET: Play("stone_1a"), YELLOW: (Play("fur_1"), Play("timber_1"), Play("wool_1a"))}
    went = play(position, "final/2", sets)
    assert [card for _, card, _ in played(went)] == ["fur_1", "timber_1", "wool_1a", "stone_1a"]
    sound(went.position)


def test_what_is_not_ordered_is_played_in_hand_order_at_the_first_that_is_not_oneself() -> None:
    """§11.1  Every card must be played: what no line names follows, as the stated default."""
    position = game()
    hand(position, YELLOW, "stone_1a", "alchemist", "civil_war")
    went = play(last(position), "final/2", {YELLOW: Play("civil_war", ("barcelona",))})
    assert played(went)[0] == (YELLOW, "civil_war", ("barcelona",))
    position = went.position
    went = play(position, position.core.gates()[0], {}) if position.core.questions else went
    rest = [(card, target) for _, card, target in played(went) if card != "civil_war"]
    assert rest == [("stone_1a", ()), ("alchemist", ("genoa",))]
    assert held(went.position, YELLOW) == ()
    sound(went.position)


def test_the_default_spares_the_player_where_it_can() -> None:
    """§11.1  Rebellion falls on another's province first, on one's own where nobody else has any."""
    position = game()
    control(position, YELLOW, "toledo")
    control(position, BLUE, "lyon")
    hand(position, YELLOW, "rebellion")
    went = play(last(position), "final/2", {})
    assert [(event.seat, event.province) for event in events_of(went, MarkerReduced)] == [(BLUE, "lyon")]
    alone = game()
    control(alone, YELLOW, "toledo")
    hand(alone, YELLOW, "rebellion")
    went = play(last(alone), "final/2", {})
    assert [(event.seat, event.province) for event in events_of(went, MarkerReduced)] == [(YELLOW, "toledo")]


@pytest.mark.holds("age_of_renaissance", "ruling", "R52")
@pytest.mark.holds("age_of_renaissance", "event", "aor.CardsKept")
def test_a_card_that_cannot_be_played_stays_in_hand_in_the_last_card_play() -> None:
    """§7.2, §11.1, R52  "Elles restent dans la main du joueur": its owner alone learns of it; the others are played.

    What another card makes playable is played after it: Rebellion follows Crusades.
    """
    position = game()
    position.board.played = frozenset({"gunpowder"})
    hand(position, YELLOW, "stirrups", "rebellion", "wool_1a")
    went = play(last(position), "final/2", {})
    assert [card for _, card, _ in played(went)] == ["wool_1a"]
    assert [(event.cards, event.visible_to) for event in events_of(went, CardsKept)] == [
        (("stirrups", "rebellion"), frozenset({YELLOW}))
    ]
    assert held(went.position, YELLOW) == ("stirrups", "rebellion")
    sound(went.position)
    hand(position, YELLOW, "rebellion", "crusades")
    went = play(last(position), "final/2", {})
    assert [card for _, card, _ in played(went)] == ["crusades", "rebellion"]
    assert (held(went.position, YELLOW), events_of(went, CardsKept)) == ((), [])


def test_a_line_that_cannot_be_done_lapses_and_its_card_is_still_played() -> None:
    """§11.1, R50  A card aimed at nothing is played out by the default after the lines."""
    position = game()
    control(position, BLUE, "lyon")
    hand(position, YELLOW, "rebellion")
    hand(position, VIOLET, "pirates")
    went = play(last(position), "final/2", {YELLOW: Play("rebellion", ("paris",)), VIOLET: Play("pirates", ("genoa",))})
    assert [event.seat for event in events_of(went, LineFailed)] == [YELLOW]
    assert (YELLOW, "rebellion", ("lyon",)) in played(went)


def test_the_rest_is_asked_for_again_by_option_before_it_is_played_out() -> None:
    """§11.1  In the option `again` a failed line brings the question back; its answer comes before the default."""
    position = game(failures="again")
    hand(position, YELLOW, "rebellion", "wool_1a")
    hand(position, VIOLET, "stone_1a")
    control(position, BLUE, "lyon")
    went = play(last(position), "final/2", {YELLOW: Play("rebellion", ("paris",)), VIOLET: Play("stone_1a")})
    assert events_of(went, LinesDropped)[0].again
    assert went.position.core.gates() == ("final/2~1",)
    assert played(went) == []
    went = play(went.position, "final/2~1", {YELLOW: Play("wool_1a")})
    assert [card for _, card, _ in played(went)] == ["wool_1a", "rebellion", "stone_1a"]


def test_in_the_pace_order_each_power_is_asked_in_its_turn() -> None:
    """§11.1  The second sees what the first has played before it answers."""
    position = game(pace="order")
    hand(position, YELLOW, "wool_1a")
    hand(position, BLUE, "stone_1a")
    position = last(position)
    assert position.core.gates() == ("final/2/yellow",)
    went = play(position, "final/2/yellow", {})
    assert [card for _, card, _ in played(went)] == ["wool_1a"]
    assert went.position.core.gates() == ("final/2/blue",)
    assert [card for _, card, _ in played(play(went.position, "final/2/blue", {}))] == ["stone_1a"]


def test_who_is_out_of_the_game_plays_no_card() -> None:
    """§9.4.4, §11.3  The cards of a player who left, or whose own card eliminated them, are not played any more."""
    position = game(4, pace="order")
    hand(position, YELLOW, "wool_1a")
    hand(position, BLUE, "rebellion")
    leave = (Question("leave/0", seat, "leave", blocking=False) for seat in position.board.order)
    position = last(reopen(position, *leave).position)
    position = play(position, "leave/0", {BLUE: Leave()}).position
    went = play(position, "final/2/yellow", {})
    assert [card for _, card, _ in played(went)] == ["wool_1a"]
    assert went.position.core.gates() == ("leave/0",)
    position = game(4)
    misery(position, YELLOW, MISERY[-1])
    hand(position, YELLOW, "crusades", "wool_1a")
    went = play(last(position), "final/2", {YELLOW: (Play("crusades", ("cairo",)), Play("wool_1a"))})
    assert [card for _, card, _ in played(went)] == ["crusades"]
    sound(went.position)


def test_commodities_pay_with_the_markets_just_rolled() -> None:
    """§11.1  A shortage rolled on the last turn counts, and nobody may pay it away any more."""
    position = game()
    position.board.markets = {"wine": 1}
    hand(position, YELLOW, "wine_2")
    position = last(position)
    assert {d.topic for d in position.core.questions} == {"final"}
    went = play(position, "final/2", {})
    assert [(event.seat, event.market, event.ducats) for event in events_of(went, CommodityPaid)] == [(BLUE, 1, 20)]


@pytest.mark.parametrize(
    ("letters", "bought", "ducats"), [("OW", "", [20]), ("", "OW", [20]), ("O", "", []), ("W", "", [])]
)
def test_leaders_pay_only_who_owns_the_printed_word_and_the_advance(
    letters: str, bought: str, ducats: list[int]
) -> None:
    """§11.1  Charlemagne brings 20 ducats to an owner of Imprimerie and Vassal, however new, and to nobody else."""
    position = game()
    advances(position, YELLOW, letters, bought=bought)
    hand(position, YELLOW, "charlemagne")
    went = play(last(position), "final/2", {})
    assert [event.ducats for event in events_of(went, Refunded)] == ducats
    assert not events_of(went, LeadersLeft)


@pytest.mark.holds("age_of_renaissance", "ruling", "R46")
@pytest.mark.parametrize(("answer", "left"), [("money", 29), ("tokens", 40), ("", 40)])
def test_the_victim_of_civil_war_chooses_in_the_last_card_play_too(answer: str, left: int) -> None:
    """§11.1, A2, R46  "Les événements sont joués normalement": half of the tokens, of which none is left, is none."""
    position = game()
    cash(position, VIOLET, 40, 21)
    hand(position, YELLOW, "civil_war")
    went = play(last(position), "final/2", {YELLOW: Play("civil_war", ("genoa",))})
    assert [(d.topic, d.seat) for d in went.position.core.questions] == [("civil_war", VIOLET)]
    with seen_by(VIOLET):
        given = (Forfeit(answer),) if answer else RULES.default_orders(went.position, went.position.core.questions[0])
    after = play(went.position, went.position.core.questions[0].gate, {VIOLET: given}).position.board.powers[VIOLET]
    assert (after.cash, after.expansion) == (left, 0)


@pytest.mark.holds("age_of_renaissance", "ruling", "R41")
@pytest.mark.holds("age_of_renaissance", "event", "aor.WarOver")
def test_a_tied_war_goes_on_at_each_following_turn_and_ends_undecided() -> None:
    """§11.1, R41  Declared by the fourth of six, a War is rolled three times; both take a step at each tie, no more."""
    position = game(6)
    hand(position, RED, "war")
    script = {f"war/2/final/{RED}/{VIOLET}/{n}/{side}": 3 for n in (1, 2, 3) for side in ("attacker", "defender")}
    went = play(last(position), "final/2", {RED: Play("war", ("genoa",))}, script)
    assert [event.winner for event in events_of(went, WarRolled)] == [None, None, None]
    assert [event.seat for event in events_of(went, MiseryMoved)] == [RED, VIOLET] * 3
    assert [(war.attacker, war.defender, war.rolls) for war in went.position.board.wars] == [(RED, VIOLET, 3)]
    over = queue(went.position, GameOver("last_card"))
    assert [(event.attacker, event.defender) for event in events_of(over, WarOver)] == [(RED, VIOLET)]
    assert not events_of(over, MiseryMoved)


@pytest.mark.holds("age_of_renaissance", "ruling", "R31")
def test_the_score_is_advances_and_cash_less_misery() -> None:
    """§11.2, R31  Astronomy and Vassal (90), 12 ducats, misery 30: 72; two equal ones win together."""
    position = game()
    advances(position, YELLOW, "AW")
    for seat, ducats in ((YELLOW, 12), (VIOLET, 72), (BLUE, 71)):
        cash(position, seat, ducats)
    misery(position, YELLOW, 30)
    (ended,) = events_of(queue(position, GameOver("last_card")), Ended)
    assert ended.points == {YELLOW: ADVANCES["A"].cost + ADVANCES["W"].cost + 12 - 30, VIOLET: 72, BLUE: 71}
    assert ended.ranking == ((YELLOW, VIOLET), (BLUE,))


def test_an_eliminated_player_comes_last_whatever_they_had() -> None:
    """§9.4.4, §11.2  An eliminated player cannot win."""
    position = game(4)
    cash(position, RED, 900)
    power = position.board.powers[RED]
    power.eliminated, power.misery = True, len(MISERY)
    ended = events_of(queue(position, GameOver("last_card")), Ended)[0]
    assert ended.ranking == ((YELLOW, VIOLET, BLUE), (RED,))
    assert ended.points[RED] == 900 - 1000


def test_nobody_wins_when_the_last_players_go_together() -> None:
    """§9.4.4  If one event eliminates everybody, the first rank stays empty and the game ends all the same."""
    position = game()
    for seat in (YELLOW, VIOLET, BLUE):
        misery(position, seat, MISERY[-1])
    hand(position, YELLOW, "mysticism")
    position.board.last_turn = "last_card"
    went = play(last(position), "final/2", {})
    ended = events_of(went, Ended)
    assert [event.reason for event in ended] == ["alone"]
    assert ended[0].ranking == ((), (YELLOW, VIOLET, BLUE))


@pytest.mark.holds("age_of_renaissance", "ruling", "R32")
@pytest.mark.parametrize("reason", sorted(META.endings))
def test_every_reason_to_end_has_its_words_and_ends_the_game(reason: str) -> None:
    """R32  All advances, the last card, the agreed epoch, the last player: each has a name, and nothing follows."""
    went = queue(game(), GameOver(reason))
    assert events_of(went, Ended)[0].reason == reason
    assert (went.position.core.over, went.position.core.agenda, went.position.core.questions) == (True, (), ())
    assert all(META.endings[reason].all_forms())


def test_all_cards_can_be_played_out() -> None:
    """§11.1  Whatever a hand holds, what can be played leaves it, and no piece or card is lost."""
    for first in range(0, len(CARDS), 16):
        position = game(6)
        hand(position, YELLOW, *list(CARDS)[first : first + 16])
        position = last(position)
        while position.core.questions:
            gate = position.core.gates()[0]
            answers = {d.seat: RULES.default_orders(position, d) for d in position.core.gate(gate)}
            position = play(position, gate, answers).position
        with seen_by(YELLOW):
            left = [card for card in held(position, YELLOW) if next(iter(plays(position, YELLOW, card)), None)]
        assert left == []
        sound(position)
