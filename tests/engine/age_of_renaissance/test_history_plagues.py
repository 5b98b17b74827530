"""A2  Events that strike everybody or a whole region, decrees and weapons."""

import pytest

from engine.age_of_renaissance.board import NOTHING, OLD, Piece
from engine.age_of_renaissance.catalogue import CATEGORIES, MISERY, PROVINCES
from engine.age_of_renaissance.events import CardPlayed, Eliminated, MarkerReduced, PiecesRemoved, Received
from engine.age_of_renaissance.orders import Play
from tests.engine.age_of_renaissance.build import (
    BLUE,
    VIOLET,
    YELLOW,
    advances,
    control,
    events_of,
    game,
    hand,
    misery,
    piece,
    refused,
)
from tests.engine.age_of_renaissance.phase_play import code, history, miseries, plays

# --- Uprisings, Famine, Mysticism, Religious Strife


@pytest.mark.parametrize(
    ("card", "steps"), [("uprisings", (30, 10, 0)), ("religious_strife", (10, 20, 0)), ("mysticism", (30, 40, 0))]
)
def test_advances_make_general_events_worse_or_better(card: str, steps: tuple[int, int, int]) -> None:
    """A2, R29, R43  A step for each advance of Commerce or Religion; four less one for each of the Sciences; for its
    player too, but for nobody out of the game.
    """
    position = game()
    advances(position, YELLOW, "IJKAG")
    advances(position, VIOLET, "IEH")
    advances(position, BLUE, "IE")
    position.board.powers[BLUE].eliminated = True
    after = miseries(plays(position, YELLOW, card).position)
    assert tuple(after[capital] for capital in ("venezia", "genoa", "barcelona")) == steps


@pytest.mark.holds("age_of_renaissance", "ruling", "R29")
def test_famine_is_moderated_by_grain_and_agronomy() -> None:
    """A2, R29  Four steps less one per province of grain controlled and one for Agronomy, never below none."""
    position = game(6)
    grain = [p.id for p in PROVINCES.values() if "grain" in p.goods]
    control(position, YELLOW, *grain[:2])
    control(position, BLUE, *grain[2:6])
    advances(position, BLUE, "K")
    advances(position, VIOLET, "K")
    after = miseries(plays(position, YELLOW, "famine").position)
    assert [after[c] for c in ("venezia", "genoa", "barcelona", "paris")] == [20, 30, 0, 40]


def test_mysticism_is_a_burden_when_all_hold_the_sciences() -> None:
    """A2, §7.2  When all players hold all four Sciences it cannot be played any more."""
    position = game()
    for seat in (YELLOW, VIOLET, BLUE):
        advances(position, seat, "ABCD")
    hand(position, BLUE, "mysticism")
    assert code(position, BLUE, "history", Play("mysticism")) == "burden_held"
    advances(position, BLUE, "ABC")
    assert code(position, BLUE, "history", Play("mysticism")) == ""


def test_a_general_event_may_eliminate_its_player() -> None:
    """§9.4.4  Beyond 1000 one is out; cards that return are discarded, the others leave the game."""
    position = game()
    misery(position, YELLOW, 900)
    hand(position, YELLOW, "famine", "wool_1a", "stirrups")
    went = history(position, {YELLOW: (Play("famine"), Play("wool_1a"))})
    gone = events_of(went, Eliminated)[0]
    assert (gone.discarded, gone.removed) == (("wool_1a",), ("stirrups",))
    assert [e.card for e in events_of(went, CardPlayed)] == ["famine"]
    assert went.position.board.powers[YELLOW].misery == len(MISERY)


# --- Papal Decree


@pytest.mark.parametrize("category", list(CATEGORIES))
def test_papal_decree_forbids_one_of_three_categories(category: str) -> None:
    """A2 Bulle papale  Sciences, Religion or Voyages may be forbidden in the next purchases, nothing else."""
    allowed = category in ("sciences", "religion", "voyages")
    position = game()
    hand(position, YELLOW, "papal_bull")
    decree = Play("papal_bull", (category,))
    assert code(position, YELLOW, "history", decree) == ("" if allowed else "wrong_category")
    assert history(position, {YELLOW: decree}).position.board.banned == (category if allowed else "")


def test_religious_strife_ends_a_decree_of_the_turn() -> None:
    """A2  Religious Strife played later in the turn cancels the decree; played before, it does not."""
    position = game()
    hand(position, YELLOW, "papal_bull", "religious_strife")
    later = history(position, {YELLOW: (Play("papal_bull", ("sciences",)), Play("religious_strife"))})
    assert later.position.board.banned == ""
    before = history(position, {YELLOW: (Play("religious_strife"), Play("papal_bull", ("sciences",)))})
    assert before.position.board.banned == "sciences"


@pytest.mark.parametrize(("epoch", "reason"), [(2, ""), (3, "burden_after")])
def test_religious_strife_in_epoch_three_makes_decrees_a_burden(epoch: int, reason: str) -> None:
    """A2, §7.2  Only Religious Strife played in epoch 3 makes Papal Decree unplayable for good."""
    position = game()
    position.board.epoch = epoch
    hand(position, YELLOW, "papal_bull")
    went = plays(position, VIOLET, "religious_strife")
    assert code(went.position, YELLOW, "history", Play("papal_bull", ("sciences",))) == reason


# --- Black Death and Mongols


def test_black_death_empties_a_region() -> None:
    """A2 Peste noire  In the region all tokens go home, then each marker becomes a token, its player's too; elsewhere
    nothing changes.
    """
    position = game()
    control(position, YELLOW, "roma", "suez")
    piece(position, YELLOW, "bari", old=1)
    piece(position, VIOLET, "napoli", old=2)
    board = plays(position, YELLOW, "black_death", PROVINCES["roma"].region).position.board
    assert [board.at(province, YELLOW) for province in ("venezia", "roma", "bari", "suez")] == [
        Piece(old=1),
        Piece(old=1),
        NOTHING,
        Piece(marker=OLD),
    ]
    assert "napoli" not in board.pieces


def test_black_death_takes_all_tokens_before_the_first_marker_falls() -> None:
    """A2 Peste noire, R13  With every token on the map, those of the region that went home replace its markers."""
    position = game()
    piece(position, YELLOW, "napoli", old=3)
    power = position.board.powers[YELLOW]
    for province in PROVINCES.values():
        if province.region in ("IV", "VI", "VIII") and province.id not in position.board.pieces:
            piece(position, YELLOW, province.id, old=min(max(province.capacity - 1, 1), power.stock))
    assert (power.stock, power.expansion) == (0, 0)
    went = plays(position, BLUE, "black_death", PROVINCES["venezia"].region)
    assert [e.source for e in events_of(went, MarkerReduced) if e.seat == YELLOW] == ["stock"]
    assert went.position.board.at("venezia", YELLOW) == Piece(old=1)


def test_black_death_strikes_one_of_the_regions_in_play_that_is_not_empty() -> None:
    """A2, §4.6, R50  Overseas groups are no region; a region out of play or empty cannot be struck."""
    position = game()
    hand(position, YELLOW, "black_death")
    found = [code(position, YELLOW, "history", Play("black_death", (r,))) for r in ("far_east", "II", "VI", "VII")]
    assert found == ["not_a_region", "not_in_play", "untouched", ""]


@pytest.mark.holds("age_of_renaissance", "ruling", "R43")
def test_events_on_the_board_touch_pieces_of_the_eliminated() -> None:
    """R43  Rebellion, Pirates, Black Death and Crusades strike what an eliminated player left behind."""
    position = game()
    control(position, BLUE, "saint_jean_d_acre", "roma")
    position.board.powers[BLUE].eliminated = True
    assert events_of(plays(position, YELLOW, "rebellion", "roma"), MarkerReduced)[0].seat == BLUE
    assert events_of(plays(position, YELLOW, "pirates", "roma"), MarkerReduced)[0].seat == BLUE
    assert events_of(plays(position, YELLOW, "black_death", "VI"), MarkerReduced)[0].seat == BLUE
    assert events_of(plays(position, YELLOW, "crusades", "saint_jean_d_acre"), PiecesRemoved)[0].seat == BLUE
    hand(position, YELLOW, "alchemist")
    assert code(position, YELLOW, "history", Play("alchemist", ("barcelona",))) == "power_gone"


def test_mongols_bring_ten_ducats() -> None:
    """A2 Invasions mongoles  Ten ducats from the bank; the card leaves the game."""
    went = plays(game(), YELLOW, "mongols")
    assert [(e.seat, e.ducats) for e in events_of(went, Received)] == [(YELLOW, 10)]
    assert went.position.board.removed[-1:] == ("mongols",)


# --- weapons


@pytest.mark.parametrize("card", ["stirrups", "armor", "long_bow", "gunpowder"])
def test_a_weapon_is_in_force_until_the_end_of_the_turn(card: str) -> None:
    """A2  Stirrups, Armor, Long Bow and Gunpowder lie before their player this turn, and leave the game."""
    went = plays(game(), YELLOW, card)
    assert went.position.board.powers[YELLOW].weapons == (card,)
    assert went.position.board.removed[-1:] == (card,)


@pytest.mark.parametrize("newer", ["long_bow", "gunpowder"])
@pytest.mark.parametrize("older", ["stirrups", "armor"])
def test_newer_weapons_make_older_ones_a_burden(older: str, newer: str) -> None:
    """A2, §7.2  Stirrups and Armor cannot be played once Long Bow or Gunpowder have been, by anybody."""
    position = game()
    hand(position, VIOLET, older)
    went = plays(position, YELLOW, newer)
    problem = refused(went.position, VIOLET, "history", Play(older))
    assert problem is not None
    assert (problem.code, dict(problem.terms)["after"], problem.lasting) == ("burden_after", newer, True)
