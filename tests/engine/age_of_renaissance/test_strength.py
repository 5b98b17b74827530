"""§9.5.2  What an attack needs: the examples of the rulebook, each modifier, and the published odds."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.age_of_renaissance.atlas import Hull, Ship
from engine.age_of_renaissance.board import Piece
from engine.age_of_renaissance.catalogue import ODDS, PROVINCES
from engine.age_of_renaissance.events import RivalryFought
from engine.age_of_renaissance.orders import Attack, Place
from engine.age_of_renaissance.phases import strength
from engine.age_of_renaissance.phases.strength import Force, attack, defence, defenders, resistance, wins
from engine.kernel.viewers import Seat
from tests.engine.age_of_renaissance.build import At, events_of
from tests.engine.age_of_renaissance.expansion_positions import (
    SIX,
    carry,
    clear,
    code,
    field,
    give,
    power,
    problem,
    put,
    rolls,
)

WEAPONS = ("stirrups", "armor", "long_bow", "gunpowder")
ARSENALS = [arms for n in range(3) for arms in itertools.combinations(WEAPONS, n)]


def needs(seen: At, seat: str, province: str) -> int:
    """What the engine says that an attack needs, which must be what it accepts."""
    needed = strength.needed(seen.board, Seat(seat), province)
    letters = seen.board.powers[Seat(seat)].advances
    give(seen, seat, tokens=20, ship=Ship(Hull.GALLEON, 4), advances="".join(letters | set("AST")))
    if needed > 1:
        assert code(seen, seat, Attack(province, needed - 1)) == "too_weak"
    assert code(seen, seat, Attack(province, needed)) == "fine"
    return needed


# --- the five examples


def test_one_token_in_tunis_takes_five_to_attack() -> None:
    """§9.5.2 example 1  Capacity 4 and one token there: five tokens, whether new or two old and three new."""
    seen = field(*SIX)
    assert strength.needed(seen.board, Seat("green"), "tunis") == 0
    assert strength.odds(seen.board, Seat("green"), "tunis") == 0
    put(seen, "blue", "tunis", old=1)
    assert needs(seen, "green", "tunis") == 5
    put(seen, "green", "tunis", old=2)
    assert needs(seen, "green", "tunis") == 3


@pytest.mark.holds("age_of_renaissance", "ruling", "R16")
def test_a_beaten_attacker_loses_their_old_tokens_too() -> None:
    """§9.5.2 example 1, R16  After a defeat all tokens of the attacker there are lost, old and new."""
    seen = field(*SIX)
    put(seen, "blue", "tunis", old=1)
    put(seen, "green", "tunis", old=2)
    give(seen, "green", tokens=3)
    done = carry(seen, {"green": [Attack("tunis", 3)]}, rolls("green", "tunis", (1, 2, 3)))
    assert "green" not in done.position.board.pieces["tunis"]
    assert power(done, "green").stock == 36


def test_a_small_galley_cannot_bring_enough_to_fez() -> None:
    """§9.5.2 example 2  Fez under a marker takes four tokens, five with its satellite Oran: too much for Galley 2."""
    seen = field(*SIX)
    put(seen, "red", "fez", marker="old")
    put(seen, "green", "sevilla", old=1)
    give(seen, "green", tokens=10, ship=Ship(Hull.GALLEY, 2))
    refusal = problem(seen, "green", Attack("fez", 4))
    assert (refusal.code, refusal.terms["left"]) == ("ship_load", 2)
    give(seen, "green", ship=Ship(Hull.SEAWORTHY, 10))
    assert code(seen, "green", Attack("fez", 3)) == "too_weak"
    assert code(seen, "green", Attack("fez", 4)) == "fine"
    put(seen, "red", "oran", old=1)
    assert code(seen, "green", Attack("fez", 4)) == "too_weak"
    assert code(seen, "green", Attack("fez", 5)) == "fine"


def belgrad() -> At:
    """Venezia has Vassal, has played Stirrups, and controls Belgrad."""
    seen = field(*SIX)
    give(seen, "yellow", advances="W", weapons=("stirrups",))
    put(seen, "yellow", "belgrad", marker="old")
    return seen


def test_vassal_and_stirrups_defend_belgrad() -> None:
    """§9.5.2 example 3  With capacity 2, Vassal and Stirrups a marker takes six tokens, one token five, or four of
    Genoa with Vassal: both capitals lie in the region. Beside the token one more may stay without a fight.
    """
    seen = belgrad()
    assert needs(seen, "green", "belgrad") == 6
    put(seen, "yellow", "belgrad", old=1)
    assert needs(seen, "green", "belgrad") == 5
    put(seen, "green", "budapest", old=1)
    assert code(seen, "green", Place("belgrad", 1)) == "fine"
    refusal = problem(seen, "green", Place("belgrad", 2))
    assert (refusal.code, refusal.terms["needs"], refusal.terms["room"]) == ("needs_attack", 5, 1)
    give(seen, "violet", advances="W")
    assert needs(seen, "violet", "belgrad") == 4
    put(seen, "yellow", "tunis", old=1)
    assert needs(seen, "violet", "tunis") == 4 + 1 + 1


def test_bari_and_oran_with_advantages() -> None:
    """§9.5.2 examples 4 and 5, R1  Bari under Vassal: three tokens for London, two with Gunpowder, one for Genoa with
    Vassal and Gunpowder. Oran: one with an advantage, three against one, too many for Galley 2.
    """
    seen = field(*SIX)
    put(seen, "yellow", "bari", old=1)
    give(seen, "yellow", advances="W")
    assert needs(seen, "green", "bari") == 3
    give(seen, "green", weapons=("gunpowder",))
    assert needs(seen, "green", "bari") == 2
    give(seen, "green", weapons=())
    give(seen, "violet", advances="W", weapons=("gunpowder",))
    assert needs(seen, "violet", "bari") == 1
    seen = oran()
    give(seen, "green", weapons=("armor",))
    assert code(seen, "green", Attack("oran", 1)) == "fine"
    give(seen, "green", weapons=())
    give(seen, "red", weapons=("armor",))
    assert code(seen, "green", Attack("oran", 3)) == "ship_load"
    refusal = problem(seen, "green", Attack("oran", 2))
    assert (refusal.code, refusal.terms["needs"], refusal.terms["nearest"]) == ("too_weak", 3, 0)


def oran() -> At:
    """Paris has a token in Oran; London plays third and reaches it with Galley 2."""
    seen = field("yellow", "violet", "green", "blue", "red", "brown")
    put(seen, "red", "oran", old=1)
    put(seen, "green", "grenada", old=1)
    give(seen, "green", tokens=8, ship=Ship(Hull.GALLEY, 2))
    return seen


@pytest.mark.parametrize(("dice", "won"), [((4, 1, 6), True), ((3, 2, 2), False)])
def test_a_four_beats_rank_three_and_a_three_does_not(dice: tuple[int, int, int], won: bool) -> None:
    """§9.5.2 example 5  London's two tokens win and leave one, or lose; what does not stay goes back to stock."""
    done = carry(oran(), {"green": [Attack("oran", 2)]}, rolls("green", "oran", dice))
    assert [fought.won for fought in events_of(done, RivalryFought)] == [won]
    assert done.position.board.pieces["oran"] == ({"green": Piece(new=1)} if won else {"red": Piece(old=1)})
    assert (power(done, "red").stock, power(done, "green").stock) == ((36, 34) if won else (35, 35))


@pytest.mark.parametrize(("galley", "near", "tries"), [(2, "", 1), (4, "", 2), (2, "algiers", 2)])
def test_repeating_needs_a_neighbour_or_a_larger_fleet(galley: int, near: str, tries: int) -> None:
    """§9.5.2 example 5  The attack on Oran is repeated only from next to it, or with Galley 4."""
    seen = oran()
    give(seen, "green", ship=Ship(Hull.GALLEY, galley))
    if near:
        put(seen, "green", near, old=1)
    script = rolls("green", "oran", (1, 1, 1), (1, 1, 1))
    done = carry(seen, {"green": [Attack("oran", 2), Attack("oran", 2)]}, script)
    assert len(events_of(done, RivalryFought)) == tries


# --- each item


@pytest.mark.holds("age_of_renaissance", "ruling", "R6")
def test_genoa_retakes_genoa_with_five_or_six() -> None:
    """R6  Genoa needs five tokens to retake Genoa, six if the holder has Vassal there; its own is doubled too."""
    seen = field(*SIX)
    put(seen, "violet", "genoa")
    put(seen, "green", "genoa", marker="old")
    assert needs(seen, "violet", "genoa") == 5
    put(seen, "green", "genoa")
    put(seen, "yellow", "genoa", marker="old")
    give(seen, "yellow", advances="W")
    assert needs(seen, "violet", "genoa") == 6
    give(seen, "violet", advances="W")
    assert needs(seen, "violet", "genoa") == 5
    force = attack(seen.board, Seat("violet"), "genoa", 5, (Seat("yellow"),))
    assert force == Force(pieces=5, vassal=1, doubled=6)


@pytest.mark.holds("age_of_renaissance", "ruling", "R42")
def test_satellites_and_advantages_are_added_after_doubling() -> None:
    """§9.5.2, R6, R42  In Genoa, tokens and Vassal of Genoa are doubled; not the capacity, satellites, advantages."""
    seen = field(*SIX)
    assert needs(seen, "green", "genoa") == 5 + 2 * 5
    put(seen, "violet", "cagliari", old=1)
    give(seen, "violet", advances="WY", weapons=("armor",))
    force = defence(seen.board, Seat("violet"), "genoa", Seat("green"))
    assert force == Force(pieces=5, vassal=1, doubled=6, satellites=1, cosmopolitan=1, weapons=1)
    assert needs(seen, "green", "genoa") == 5 + 2 * (5 + 1) + 3


@pytest.mark.holds("age_of_renaissance", "ruling", "R39")
@pytest.mark.parametrize(
    ("marker", "new", "letters", "needed"),
    [("old", 1, "", 4), ("old", 0, "", 5), ("", 0, "", 3), ("old", 0, "Y", 6), ("", 0, "Y", 4)],
)
def test_satellites_in_defence(marker: str, new: int, letters: str, needed: int) -> None:
    """§9.5.2, R39  An old token there adds one to a marker, with Cosmopolitan two, to a token one with it alone."""
    seen = field(*SIX)
    put(seen, "red", "oran", old=1 - new, new=new)
    put(seen, "red", "algiers", marker=marker, old=0 if marker else 1)
    give(seen, "red", advances=letters)
    assert needs(seen, "green", "algiers") == needed


def test_cosmopolitan_attacks_from_satellites() -> None:
    """§9.5.2 Cosmopolitisme  Each own satellite that points there adds one to an attack; without Y none does."""
    seen = field(*SIX)
    put(seen, "red", "saloniki", marker="old")
    for satellite in ("corfu", "durazzo", "athina"):
        put(seen, "green", satellite, old=1)
    assert needs(seen, "green", "saloniki") == 4
    give(seen, "green", advances="Y")
    assert strength.needed(seen.board, Seat("green"), "saloniki") == 2


def test_at_least_as_many_tokens_as_the_capacity() -> None:
    """R1  However strong otherwise, an attack takes at least as many tokens as the capacity, old ones included."""
    seen = field(*SIX)
    put(seen, "red", "saloniki", old=1)
    for satellite in ("corfu", "durazzo", "athina", "galipoli"):
        put(seen, "green", satellite, old=1)
    give(seen, "green", advances="Y", weapons=("gunpowder",))
    assert needs(seen, "green", "saloniki") == 2
    put(seen, "green", "saloniki", old=1)
    assert needs(seen, "green", "saloniki") == 1


def test_several_defenders_are_beaten_together() -> None:
    """§9.5.2, R16  Tokens, Vassal, advantages and satellites of all defenders count, the capacity once."""
    seen = field(*SIX)
    put(seen, "violet", "milano", old=1)
    put(seen, "yellow", "milano", old=1)
    put(seen, "green", "lyon", old=1)
    assert needs(seen, "green", "milano") == 5
    give(seen, "violet", advances="W")
    give(seen, "yellow", advances="W", weapons=("armor",))
    assert needs(seen, "green", "milano") == 8
    assert defenders(seen.board, Seat("green"), "milano") == ("yellow", "violet")


@pytest.mark.holds("age_of_renaissance", "ruling", "R14")
@pytest.mark.parametrize("mine", ARSENALS)
@pytest.mark.parametrize("theirs", ARSENALS)
def test_a_better_advantage_undoes_a_lesser_one(mine: tuple[str, ...], theirs: tuple[str, ...]) -> None:
    """A2, R14  Each advantage counts one unless the opponent has played a later kind; those of one power add up."""
    seen = field(*SIX)
    put(seen, "red", "tunis", old=1)
    give(seen, "green", weapons=mine)
    give(seen, "red", weapons=theirs)
    rank = WEAPONS.index
    counted = [w for w in mine if all(rank(w) >= rank(o) for o in theirs)]
    against = [w for w in theirs if all(rank(w) >= rank(o) for o in mine)]
    assert attack(seen.board, Seat("green"), "tunis", 5, (Seat("red"),)).weapons == len(counted)
    assert defence(seen.board, Seat("red"), "tunis", Seat("green")).weapons == len(against)


def test_an_advantage_counts_only_if_no_defender_undoes_it() -> None:
    """A2, R14  If one of two defenders has a better advantage, the attacker's gives no strength and wins no tie."""
    seen = field(*SIX)
    put(seen, "red", "tunis", old=1)
    put(seen, "blue", "tunis", old=1)
    give(seen, "green", weapons=("armor",))
    give(seen, "red", weapons=("stirrups",))
    give(seen, "blue", weapons=("long_bow",))
    for foes in itertools.permutations((Seat("blue"), Seat("red"))):
        assert attack(seen.board, Seat("green"), "tunis", 6, foes).weapons == 0
    assert resistance(seen.board, Seat("green"), "tunis", (Seat("blue"), Seat("red"))) == 4 + 1 + 1 + 1
    assert strength.odds(seen.board, Seat("green"), "tunis") == ODDS[4, False, False]


def test_who_has_left_defends_with_vassal_alone() -> None:
    """§9.4.4, R43  An eliminated power's pieces count with Vassal; no doubling, satellite, Cosmopolitan, advantage."""
    seen = field(*SIX)
    put(seen, "violet", "cagliari", old=1)
    give(seen, "violet", advances="WY", eliminated=True, weapons=("gunpowder",))
    assert defence(seen.board, Seat("violet"), "genoa", Seat("green")) == Force(pieces=5, vassal=1)
    assert needs(seen, "green", "genoa") == 11


# --- the odds


@pytest.mark.parametrize(("rank", "weapon", "faith"), list(ODDS))
def test_the_published_odds_come_out(rank: int, weapon: bool, faith: bool) -> None:
    """B1, §9.5.2  Faith wins with a green die equal to the rank, an advantage with black equal to white."""
    colours = [*SIX[1:]]
    colours.insert(rank - 1, "yellow")
    seen = field(*colours)
    put(seen, "violet", "bari", old=1)
    put(seen, "yellow", "napoli", old=1)
    give(seen, "yellow", tokens=3, advances="G" if faith else "", weapons=("armor",) if weapon else ())
    assert strength.odds(seen.board, Seat("yellow"), "bari") == ODDS[rank, weapon, faith]
    throws = {(rank, 1, 2): faith}
    if rank > 1:
        throws |= {(rank - 1, 2, 2): weapon, (rank - 1, 1, 2): False, (rank - 1, 2, 1): True}
    for dice, won in throws.items():
        done = carry(seen, {"yellow": [Attack("bari", 2)]}, rolls("yellow", "bari", dice))
        assert [(fought.rank, fought.dice, fought.won) for fought in events_of(done, RivalryFought)] == [
            (rank, dice, won)
        ]


@pytest.mark.holds("age_of_renaissance", "ruling", "R40")
def test_a_tie_goes_to_whose_advantage_holds() -> None:
    """R40  Black equal to white wins for an attacker whose advantage is not undone, whatever the defender played."""
    tie = (1, 4, 4)
    assert wins(6, False, True, tie)
    assert not wins(6, False, False, tie)
    seen = field(*SIX)
    put(seen, "blue", "bari", old=1)
    put(seen, "brown", "napoli", old=1)
    give(seen, "brown", tokens=3, weapons=("long_bow",))
    give(seen, "blue", weapons=("armor",))
    done = carry(seen, {"brown": [Attack("bari", 2)]}, rolls("brown", "bari", tie))
    assert done.position.board.at("bari", Seat("brown")).new == 1
    give(seen, "blue", weapons=("gunpowder",))
    done = carry(seen, {"brown": [Attack("bari", 3)]}, rolls("brown", "bari", tie))
    assert [fought.won for fought in events_of(done, RivalryFought)] == [False]


@pytest.mark.parametrize(("colour", "rank"), [("blue", 2), ("violet", 4), ("yellow", 6)])
def test_with_three_players_the_ranks_are_two_four_and_six(colour: str, rank: int) -> None:
    """§3, §9.5.2  The green die is compared with the rank on the table, not with the place among the players."""
    seen = field("blue", "violet", "yellow")
    put(seen, "violet" if colour == "yellow" else "yellow", "bari", old=1)
    give(seen, colour, tokens=2, ship=Ship(Hull.GALLEON, 1))
    for green in range(rank, min(rank + 2, 7)):
        done = carry(seen, {colour: [Attack("bari", 2)]}, rolls(colour, "bari", (green, 1, 1)))
        assert [(fought.rank, fought.won) for fought in events_of(done, RivalryFought)] == [(rank, green > rank)]


@given(
    st.sampled_from([p.id for p in PROVINCES.values() if p.region in ("IV", "VII", "VIII")]),
    st.integers(0, 4),
    st.sets(st.sampled_from("WYG")),
    st.sets(st.sampled_from("WY")),
    st.sets(st.sampled_from(WEAPONS), max_size=2),
    st.sets(st.sampled_from(WEAPONS), max_size=2),
    st.booleans(),
)
def test_the_fewest_tokens_are_just_enough(
    province: str,
    old: int,
    mine: set[str],
    theirs: set[str],
    my_weapons: set[str],
    their_weapons: set[str],
    marker: bool,
) -> None:
    """§9.5.2, R1  The needed tokens are enough, and one fewer are not."""
    seen = field(*SIX)
    here = PROVINCES[province]
    clear(seen, province)
    if marker and not here.satellite:
        put(seen, "yellow", province, marker="old")
    else:
        put(seen, "yellow", province, old=1)
        put(seen, "violet", province, old=min(old, here.capacity - 1))
    give(seen, "violet", advances="".join(mine), weapons=tuple(my_weapons))
    give(seen, "yellow", advances="".join(theirs), weapons=tuple(their_weapons))
    _just_enough(seen, province, strength.needed(seen.board, Seat("violet"), province))


def _just_enough(seen: At, province: str, needed: int) -> None:
    foes = defenders(seen.board, Seat("violet"), province)
    there, want = seen.board.at(province, Seat("violet")).tokens, resistance(seen.board, Seat("violet"), province, foes)

    def enough(new: int) -> bool:
        total = there + new
        force = attack(seen.board, Seat("violet"), province, total, foes)
        return total >= PROVINCES[province].capacity and force.total >= want

    assert enough(needed)
    assert needed == 1 or not enough(needed - 1)
