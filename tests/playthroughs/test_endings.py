"""Every way in which a game ends, played by letters from a table laid out shortly before."""

import pytest

from engine.age_of_renaissance.acts import GameOver
from engine.age_of_renaissance.board import Phase
from engine.age_of_renaissance.catalogue import ADVANCES
from engine.age_of_renaissance.events import (
    CardDrawn,
    CardPlayed,
    Eliminated,
    IncomeTaken,
    LastTurnCame,
    PhaseBegan,
    TokensBought,
    WarOver,
    WarRolled,
)
from engine.age_of_renaissance.phases.turn import BeginPhase, BeginTurn
from engine.age_of_renaissance.ruleset import RULES
from engine.kernel.events import Ended, QuestionsAsked
from engine.kernel.orders import Question
from tests.engine.age_of_renaissance.build import (
    BLUE,
    VIOLET,
    YELLOW,
    advances,
    cash,
    game,
    hand,
    misery,
    pile,
    tokens,
)
from tests.playthroughs.email_game import Story

ALL = "".join(ADVANCES)


def passed(story: Story, *seats: str) -> None:
    """Everybody who owes something passes it."""
    for seat in seats:
        if story.open_questions(seat):
            story.letter(seat, "PASSER")


def ended(story: Story) -> Ended:
    """How the game ended: it is told once, and nobody is asked any more."""
    (end,) = story.events_of(Ended)
    assert story.position.core.over
    assert story.position.core.ending == end.reason
    assert story.position.core.questions == ()
    found: Ended = end
    return found


@pytest.mark.holds("age_of_renaissance", "ending", "all_advances")
def test_the_game_ends_with_all_twenty_six_advances() -> None:
    """§11  Yellow buys the last two; the turn is played to its end with the last cards, and nobody buys tokens."""
    position = game(3, turn=7)
    advances(position, YELLOW, ALL.replace("D", "").replace("H", ""))
    cash(position, YELLOW, 400)
    pile(position, "fur_3", "silk_3", "spice_3", "gold_3", "cloth_3", "wine_3", epoch=3)
    story = Story.upon(RULES, position, {}, BeginTurn())
    passed(story, YELLOW, VIOLET, BLUE)
    story.letter(YELLOW, "ACHETER D H\nSTABILISER")
    passed(story, VIOLET, BLUE)
    assert [event.reason for event in story.events_of(LastTurnCame)] == ["all_advances"]
    assert not story.position.core.over
    passed(story, YELLOW, VIOLET, BLUE)
    assert story.board.phase is Phase.FINAL
    story.letter(YELLOW, "JOUER Fourrure")
    story.letter(VIOLET, "PLAY Silk", "en")
    story.letter(BLUE, "PASSER")
    end = ended(story)
    assert (end.reason, end.ranking[0]) == ("all_advances", (YELLOW,))
    assert [event.card for event in story.events_of(CardPlayed)] == ["fur_3", "silk_3", "spice_3"]
    assert not story.events_of(TokensBought)
    total = sum(advance.cost for advance in ADVANCES.values())
    assert end.points[YELLOW] == total + story.board.powers[YELLOW].cash


@pytest.mark.holds("age_of_renaissance", "ending", "last_card")
def test_the_game_ends_with_the_last_card_of_the_last_pile() -> None:
    """§4.7, R26  Drawing it brings on the last turn: played in full, and nobody draws in it any more."""
    position = game(3, turn=7)
    pile(position, "fur_3", "silk_3", "spice_3", epoch=3)
    tokens(position, YELLOW, 5)
    story = Story.upon(RULES, position, {}, BeginTurn())
    assert [event.card.held for event in story.events_of(CardDrawn)] == ["fur_3", "silk_3", "spice_3"]
    assert [event.reason for event in story.events_of(LastTurnCame)] == ["last_card"]
    passed(story, YELLOW, VIOLET, BLUE)
    passed(story, YELLOW, VIOLET, BLUE)
    assert story.refused(YELLOW, "ACHETER CARTE") == ["no_card_left"]
    story.letter(YELLOW, "PLACER Milano 3")
    passed(story, VIOLET, BLUE)
    phases = [event.phase for event in story.events_of(PhaseBegan)]
    assert phases[-2:] == [Phase.INCOME, Phase.FINAL]
    assert len(story.events_of(CardDrawn)) == 3
    passed(story, YELLOW, VIOLET, BLUE)
    assert ended(story).reason == "last_card"
    assert [len(power.hand) for power in story.board.powers.values()] == [0, 0, 0]


@pytest.mark.holds("age_of_renaissance", "ending", "epoch_over")
def test_the_game_ends_with_the_last_card_of_the_agreed_epoch() -> None:
    """§11  Epoch 1 alone was agreed: its last card ends the game, the later epochs are never begun."""
    position = game(3, turn=7, epochs="1")
    pile(position, "wool_1a", "wool_1b", "fur_1")
    story = Story.upon(RULES, position, {}, BeginTurn())
    assert [event.reason for event in story.events_of(LastTurnCame)] == ["epoch_over"]
    for _ in range(4):
        passed(story, YELLOW, VIOLET, BLUE)
    assert ended(story).reason == "epoch_over"
    assert story.board.epoch == 1


@pytest.mark.holds("age_of_renaissance", "ending", "alone")
def test_the_game_ends_when_one_player_is_left() -> None:
    """§11.3, R32  Violet leaves while history is asked, Blue while purchases are: Yellow is alone, and has won."""
    position = game(3, turn=4)
    hand(position, VIOLET, "war")
    cash(position, BLUE, 300)
    leaving = tuple(Question("leave/0", seat, "leave", blocking=False) for seat in (YELLOW, VIOLET, BLUE))
    story = Story.upon(RULES, position, {}, BeginTurn())
    story.correct(QuestionsAsked(decisions=leaving), reason="laid out")
    story.letter(VIOLET, "QUITTER LA PARTIE")
    assert [(event.seat, event.cause) for event in story.events_of(Eliminated)] == [(VIOLET, "left")]
    assert "war" in story.board.discard
    assert story.open_questions(VIOLET) == []
    passed(story, YELLOW, BLUE)
    story.letter(BLUE, "LEAVE THE GAME", "en")
    end = ended(story)
    assert (end.reason, end.ranking) == ("alone", ((YELLOW,), (VIOLET, BLUE)))


def test_equals_share_the_victory() -> None:
    """§11.2, R31  Alchemist's gold takes Violet's last lead away: both have 60, and have won together."""
    position = game(3, turn=7, phase=Phase.FINAL)
    for seat, ducats in ((YELLOW, 60), (VIOLET, 120), (BLUE, 20)):
        cash(position, seat, ducats)
    hand(position, YELLOW, "alchemist")
    story = Story.upon(RULES, position, {}, BeginPhase(Phase.FINAL), GameOver("last_card"))
    story.letter(YELLOW, "JOUER Pierre philosophale CONTRE Genoa")
    end = ended(story)
    assert end.points == {YELLOW: 60, VIOLET: 60, BLUE: 20}
    assert end.ranking == ((YELLOW, VIOLET), (BLUE,))


def test_misery_eliminates_and_the_others_play_on() -> None:
    """§9.4.4, R27, R43  Blue goes beyond 1000: no card, no question, no income; its slot and its capital stay."""
    position = game(3, turn=4)
    misery(position, BLUE, 1000)
    hand(position, YELLOW, "mysticism")
    hand(position, BLUE, "wool_1a", "walter")
    story = Story.upon(RULES, position, {}, BeginTurn())
    story.letter(YELLOW, "JOUER Mysticisme")
    passed(story, VIOLET, BLUE)
    (out,) = story.events_of(Eliminated)
    assert (out.seat, out.cause) == (BLUE, "misery")
    assert set(out.discarded) | set(out.removed) >= {"wool_1a", "walter"}
    for _ in range(2):
        passed(story, YELLOW, VIOLET)
        assert story.open_questions(BLUE) == []
    income = {event.seat for event in story.events_of(IncomeTaken)}
    assert income == {YELLOW, VIOLET}
    story.letter(YELLOW, "PIONS 5")
    story.letter(VIOLET, "PIONS 3")
    assert story.board.turn == 6
    assert story.board.order == (BLUE, VIOLET, YELLOW)
    assert story.board.at("barcelona", BLUE).controls
    assert not story.position.core.over


def test_a_tied_war_in_the_last_card_play() -> None:
    """§11.1, R15, R41  Tied as Yellow declares it, rolled again at Violet's turn: Blue's weapon decides it."""
    position = game(3, turn=7, phase=Phase.FINAL)
    position.board.last_turn = "last_card"
    hand(position, YELLOW, "war")
    hand(position, BLUE, "stirrups", "wool_1a")
    script = {f"war/7/final/{YELLOW}/{BLUE}/{n}/{side}": 3 for n in (1, 2, 3) for side in ("attacker", "defender")}
    story = Story.upon(RULES, position, script, BeginPhase(Phase.FINAL), GameOver("last_card"))
    story.letter(BLUE, "JOUER Laine\nSUR GUERRE INDÉCISE : ARMER Étriers")
    story.letter(YELLOW, "JOUER Guerre CONTRE Barcelona")
    assert [(event.winner, event.bonus) for event in story.events_of(WarRolled)] == [(None, (0, 0)), (BLUE, (0, 1))]
    assert story.used == [(BLUE, "weapon")]
    end = ended(story)
    assert end.reason == "last_card"
    assert not story.events_of(WarOver)
    assert end.points == {YELLOW: 40 - 30, VIOLET: 40, BLUE: 40 - 20}
