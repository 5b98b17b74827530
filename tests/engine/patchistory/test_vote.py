"""7. Vote, 8. Fin d'une Ère, and the end of the game."""

from collections.abc import Mapping

import pytest

from engine.kernel.events import Ended
from engine.kernel.secrets import Secret
from engine.kernel.viewers import Seat
from engine.patchistory.board import Phase, Poll
from engine.patchistory.events import (
    CardPut,
    CardScored,
    CardsDropped,
    CardsRevealed,
    EraBegan,
    Gained,
    PhaseBegan,
    TurnBegan,
    VotesShown,
    WorkerSentBack,
)
from engine.patchistory.orders import PutCard, SendBack, Votes
from engine.patchistory.phases.ending import ranking
from engine.patchistory.phases.turn import BeginTurn, EndTurn
from engine.patchistory.phases.vote import CountVotes, least, ranks, share
from engine.patchistory.territory import Square
from tests.engine.patchistory.build import (
    BLUE,
    GREEN,
    RED,
    SEATS,
    YELLOW,
    At,
    Went,
    code,
    enter,
    events_of,
    game,
    has,
    lay,
    open_gate,
    play,
    queue,
    refused,
    route,
    stock,
    workers,
)

HANDS = dict(
    zip(
        SEATS,
        ("rank_military", "rank_food_production", "rank_culture_production", "rank_wastelands"),
        strict=True,
    )
)


def voting(seats: int = 4, **options: str) -> At:
    """A fifth round: each holds one card of the example, and ten votes."""
    position = game(seats, turn=5, phase=Phase.VOTE, **options)
    board = position.board
    for seat in SEATS[:seats]:
        board.players[seat].cards = (Secret(HANDS[seat], frozenset({seat})),)
        stock(position, seat, vote=10)
    return position


def revealed(position: At) -> Went:
    """The cards on the table, in the order of their names."""
    began = enter(position, Phase.VOTE).position
    order = sorted(HANDS[seat] for seat in position.board.players)
    return play(began, "prosperity/5", {}, {"vote/5": order})


# --- cards and ranks


def test_everybody_puts_a_card_and_all_are_shuffled() -> None:
    """1., 2.: one each, face down, then revealed in an order of chance; nobody learns whose is whose."""
    went = revealed(voting())
    assert sorted(events_of(went, CardsRevealed)[0].cards) == sorted(HANDS.values())
    assert all(event.visible_to == frozenset({event.seat}) for event in events_of(went, CardPut))
    assert all(not player.cards for player in went.position.board.players.values())


def test_a_card_must_be_in_hand() -> None:
    """1.: one of one's own cards; without an answer the first."""
    position = voting()
    assert code(refused(position, RED, "prosperity", PutCard("rank_wastelands"))) == "not_in_hand"
    assert refused(position, RED, "prosperity", PutCard("rank_military")) is None


@pytest.mark.holds("patchistory", "ruling", "A-29")
@pytest.mark.parametrize(
    ("numbers", "places"),
    [
        ((5, 4, 3, 2), (1, 2, 3, 4)),
        ((1, 3, 2, 2), (4, 1, 3, 3)),
        ((3, 1, 1, 1), (1, 4, 4, 4)),
        ((2, 2, 1, 0), (2, 2, 3, 4)),
        ((1, 1, 1, 1), (4, 4, 4, 4)),
    ],
)
def test_tied_players_take_the_lowest_rank_of_their_group(numbers: tuple[int, ...], places: tuple[int, ...]) -> None:
    """En cas d'Égalité: two who tie go one down, three two."""
    found = ranks(dict(zip(SEATS, numbers, strict=True)))
    assert tuple(found[seat] for seat in SEATS) == places


def test_players_are_ranked_on_the_aspect() -> None:
    """3.: the greatest number of what the card names comes first."""
    position = voting()
    lay(position, GREEN, "napoleon")
    seen = events_of(revealed(position), CardsRevealed)[0].ranks["rank_military"]
    assert seen == {GREEN: 1, RED: 4, BLUE: 4, YELLOW: 4}


# --- votes


def test_votes_are_given_card_by_card() -> None:
    """4.: in secret for the first card revealed, then for the next; each sees what came before."""
    went = revealed(voting())
    assert went.position.core.gates() == ("votes/5/1",)
    went = play(went.position, "votes/5/1", {RED: Votes((6,)), GREEN: Votes((2,))})
    assert dict(events_of(went, VotesShown)[0].votes) == {RED: 6, GREEN: 2, BLUE: 0, YELLOW: 0}
    assert has(went.position, RED, "vote") == 4
    assert went.position.core.gates() == ("votes/5/2",)
    assert code(refused(went.position, RED, "votes", Votes((5,)), place=1)) == "too_many_votes"


def test_one_answer_may_stand_for_every_card() -> None:
    """A number for each card: its author is not asked again, and nobody is once all have given one."""
    went = revealed(voting())
    went = play(went.position, "votes/5/1", {RED: Votes((4, 3, 2, 1)), GREEN: Votes((2,))})
    assert [d.seat for d in went.position.core.questions] == [GREEN, BLUE, YELLOW]
    others = {BLUE: Votes((0, 0, 0, 0)), YELLOW: Votes((0, 1, 0, 2)), GREEN: Votes((0, 0, 0, 1))}
    went = play(went.position, "votes/5/2", others)
    assert [(event.votes[RED], event.votes[YELLOW]) for event in events_of(went, VotesShown)] == [
        (3, 1),
        (2, 0),
        (1, 2),
    ]
    assert not went.position.core.questions


def test_votes_at_once_are_a_departure_that_a_table_may_choose() -> None:
    """With `voting=once` all cards are asked together, and the numbers are for the cards in their order."""
    went = revealed(voting(voting="once"))
    went = play(went.position, "votes/5/1", {RED: Votes((1, 2, 3, 4))})
    assert [event.votes[RED] for event in events_of(went, VotesShown)] == [1, 2, 3, 4]
    assert not went.position.core.questions


def test_votes_at_once_are_no_more_than_there_are() -> None:
    """4., `voting=once`: a number alone would be for each card, four times what lies behind the screen."""
    asked = revealed(voting(voting="once")).position
    assert code(refused(asked, RED, "votes", Votes((6,)))) == "number_for_each"
    assert code(refused(asked, RED, "votes", Votes((6, 2, 2, 1)))) == "too_many_votes"
    assert refused(asked, RED, "votes", Votes((6, 2, 2, 0))) is None
    assert refused(asked, RED, "votes", Votes((0,))) is None


@pytest.mark.parametrize("counts", [(5, 5), (5, 5, 0, 0, 0)])
def test_several_numbers_are_one_for_each_card(counts: tuple[int, ...]) -> None:
    """4.: two numbers for the third of four cards would be for the first two, and give it nothing."""
    asked = revealed(voting()).position
    assert code(refused(asked, RED, "votes", Votes(counts), place=2)) == "number_for_each"
    assert refused(asked, RED, "votes", Votes((0, 0, 5, 5)), place=2) is None
    assert refused(asked, RED, "votes", Votes((5,)), place=2) is None


# --- the count


def counted(position: At, polls: Mapping[str, tuple[Mapping[Seat, int], int]]) -> Went:
    """The count of these cards: their ranks, and all votes given by Red."""
    position.board.polls = tuple(Poll(card, ranked, {RED: votes}) for card, (ranked, votes) in polls.items())
    return queue(position, CountVotes())


def places(*numbers: int) -> dict[Seat, int]:
    """Ranks by seat."""
    return dict(zip(SEATS, numbers, strict=False))


def test_the_full_example_of_the_rulebook() -> None:
    """Vote - Exemple Complet: Napoleon, Elizabeth, Gandhi and Homer, with 15, 10, 1 and 11 votes."""
    position = voting()
    went = counted(
        position,
        {
            "rank_military": (places(1, 2, 3, 4), 15),
            "rank_food_production": (places(4, 3, 3, 1), 10),
            "rank_culture_production": (places(1, 4, 4, 4), 1),
            "rank_wastelands": (places(4, 1, 4, 4), 11),
        },
    )
    assert events_of(went, CardsDropped)[0].cards == ("rank_culture_production",)
    gains = [dict(event.culture) for event in events_of(went, CardScored)]
    assert gains == [
        {RED: 15, GREEN: 7, YELLOW: -7},
        {RED: -5, YELLOW: 10},
        {RED: -5, GREEN: 11, BLUE: -5, YELLOW: -5},
    ]
    assert [has(went.position, seat, "culture") for seat in SEATS] == [25, 38, 15, 18]
    assert all(has(went.position, seat, "vote") == 0 for seat in SEATS)


def test_several_least_cards_drop_all() -> None:
    """Where several cards tie for the fewest votes, none is counted."""
    polls = [Poll(card, {}, {RED: votes}) for card, votes in (("a", 2), ("b", 2), ("c", 5))]
    assert least(polls) == ("a", "b", "c")
    assert least(polls[1:]) == ("b",)


@pytest.mark.parametrize(
    ("players", "rank", "gain"),
    [(4, 1, 7), (4, 2, 3), (4, 3, 0), (4, 4, -3), (3, 1, 7), (3, 2, 3), (3, 3, 0)],
)
def test_seven_votes_by_rank(players: int, rank: int, gain: int) -> None:
    """Décompte: all, half rounded down, nothing; with four players the last discards half."""
    poll = Poll("a", {}, {RED: 7})
    assert share(poll, [poll], rank, players) == gain


@pytest.mark.parametrize(("more", "less", "gains"), [(9, 5, (9, 2)), (6, 6, (6, 6))])
def test_two_players_count_both_cards(more: int, less: int, gains: tuple[int, int]) -> None:
    """Two players: all votes on the greater card, half on the lesser; both in full where they are equal."""
    great, small = Poll("a", {}, {RED: more}), Poll("b", {}, {RED: less})
    assert (share(great, [great, small], 1, 2), share(small, [great, small], 1, 2)) == gains
    assert share(great, [great, small], 2, 2) == 0
    went = counted(voting(2), {"rank_military": (places(1, 2), 5), "rank_food_production": (places(2, 2), 3)})
    assert not events_of(went, CardsDropped)
    assert [has(went.position, seat, "culture") for seat in SEATS[:2]] == [25, 20]


def test_nobody_falls_below_nothing() -> None:
    """Culture never drops below 0."""
    position = voting()
    stock(position, YELLOW, culture=2)
    went = counted(
        position, {"rank_military": (places(1, 2, 3, 4), 20), "rank_food_production": (places(4, 4, 4, 4), 1)}
    )
    assert has(went.position, YELLOW, "culture") == 0


# --- what heroes and wonders do before, at the end of an era, and at the end


def test_chichen_itza_sends_workers_back_for_culture() -> None:
    """Chichen Itza: before the vote any number of workers of tiles and routes, 5 Culture each."""
    position = voting()
    lay(position, RED, "chichen_itza", "L9", "L10", "M9")
    number = route(position, RED, GREEN, spots={RED: 2})
    workers(position, RED, "I9", "J9")
    began = enter(position, Phase.VOTE).position
    went = play(began, open_gate(began), {RED: SendBack(("I9",), (str(number),))})
    assert len(events_of(went, WorkerSentBack)) == 2
    assert has(went.position, RED, "culture") == 30
    went = play(began, open_gate(began), {})
    assert not events_of(went, WorkerSentBack)


def test_notre_dame_brings_votes_before_the_vote() -> None:
    """Notre-Dame: two votes before the vote."""
    position = voting()
    lay(position, RED, "notre_dame")
    assert has(enter(position, Phase.VOTE).position, RED, "vote") == 12


@pytest.mark.parametrize(("room", "culture"), [("pyramids_of_giza", 32), ("taj_mahal", 38), ("ziggurat_of_ur", 16)])
def test_wonders_at_the_end_of_an_era(room: str, culture: int) -> None:
    """8.: the Pyramids, the Taj Mahal, the Ziggurat bring or take Culture at the end of each era."""
    position = game(turn=5)
    lay(position, RED, room)
    assert has(enter(position, Phase.ERA_END).position, RED, "culture") == culture


def test_a_loss_stops_at_nothing() -> None:
    """The Ziggurat takes what there is."""
    position = game(turn=5)
    lay(position, RED, "ziggurat_of_ur")
    stock(position, RED, culture=3)
    assert has(enter(position, Phase.ERA_END).position, RED, "culture") == 0


@pytest.mark.holds("patchistory", "ruling", "A-36", "A-37", "A-46")
def test_wonders_at_the_end_of_the_game() -> None:
    """Wall Street, the Statue of Liberty and Gandhi count when the game ends."""
    position = game(turn=15)
    lay(position, RED, "wall_street", "L9", "L10")
    lay(position, GREEN, "statue_of_liberty", "L9", "L10")
    lay(position, BLUE, "mahatma_gandhi", "L9", "L10")
    stock(position, RED, money=7)
    player = position.board.players[GREEN]
    cleared = Square("capital", "A", "farm", "wasteland", True)
    bombed = Square("capital", "B", "market", "wasteland")
    player.territory = {**player.territory, "I9": cleared, "J9": bombed, "M9": Square("p", "A", "wasteland")}
    went = queue(position, EndTurn())
    gained = {event.seat: dict(event.symbols) for event in events_of(went, Gained)}
    assert gained == {RED: {"culture": 3}, GREEN: {"culture": 3}, BLUE: {"culture": 1}}
    ended = events_of(went, Ended)[0]
    assert ended.points == {RED: 23, GREEN: 23, BLUE: 21}
    assert ended.ranking == ((RED, GREEN), (BLUE,))


@pytest.mark.holds("patchistory", "ruling", "A-40")
def test_equals_share_the_victory() -> None:
    """A-40: the same Culture, the same place."""
    assert ranking({RED: 5, GREEN: 9, BLUE: 9}) == ((GREEN, BLUE), (RED,))


# --- rounds and eras


def test_the_marker_goes_to_the_left() -> None:
    """At the end of each round the next player to the left is first."""
    went = queue(game(4, turn=2), BeginTurn())
    assert events_of(went, TurnBegan)[0].first == GREEN


@pytest.mark.parametrize("turn", [6, 11])
def test_an_era_begins_with_its_own_tiles(turn: int) -> None:
    """8.: what is left of the old era goes out of the game; the tiles of the new one are shuffled."""
    position = game(4, turn=turn - 1)
    went = queue(position, BeginTurn())
    event = events_of(went, EraBegan)[0]
    assert event.era == (turn - 1) // 5 + 1
    board = went.position.board
    assert len(board.deck) + len(board.offer) == 25
    assert len(board.gone) == 25


@pytest.mark.holds("patchistory", "ruling", "A-42")
def test_a_fifth_round_has_three_phases_more() -> None:
    """Upkeep of heroes and wonders, vote and end of era come in the last round of an era alone."""
    for turn, last in ((4, False), (5, True)):
        went = queue(game(4, turn=turn - 1), BeginTurn())
        agenda = [getattr(step, "phase", None) for step in went.position.core.agenda]
        assert (Phase.VOTE in agenda) is last
        assert events_of(went, PhaseBegan)[0].phase is Phase.AUCTION
