"""Mise en place, and the five ways to deal hands."""

from collections.abc import Mapping

import pytest

from engine.amalfi import events as e
from engine.amalfi import orders as o
from engine.amalfi.catalogue import CHARACTERS, HANDS, TITLES, Category
from engine.amalfi.ruleset import RULES
from engine.kernel.run import start
from engine.kernel.secrets import redact, seen_by, truth
from engine.kernel.viewers import Seat
from tests.engine.amalfi.build import (
    ANN,
    BOB,
    CLEO,
    SEATS,
    Answer,
    Went,
    events_of,
    hand_of,
    play,
    questions_in,
    refused,
    sound,
)


def begun(seats: int = 3, **options: str) -> Went:
    """A new game, up to its first question."""
    return start(RULES, SEATS[:seats], options, b"seed")


def through(went: Went, answers: Mapping[Seat, Answer] | None = None) -> Went:
    """Every question answered with its default until the first period begins."""
    while not went.position.board.period:
        position = went.position
        gate = position.core.gates()[0]
        given: dict[Seat, Answer] = dict(answers or {})
        for decision in position.core.gate(gate):
            with seen_by(decision.seat):
                default = RULES.default_orders(redact(position, decision.seat), decision)
            given.setdefault(decision.seat, default)
        went, answers = play(position, gate, given), None
    return went


def test_the_board_is_laid_with_decrees_titles_rows_and_bread() -> None:
    """Mise en place: four decrees, a dark and two light titles, five tiles, five artworks; bread by seat."""
    board = begun().position.board
    assert len(set(board.decrees)) == 4
    assert [TITLES[title].back for title in board.titles] == ["dark", "light", "light"]
    assert (len(board.rows["atlas"]), len(board.rows["atelier"]), board.rows["council"]) == (5, 5, ())
    assert [board.players[seat].bread for seat in board.seats] == [3, 4, 5]
    assert {(p.bay, p.yard) for p in board.players.values()} == {(4, 6)}


def test_packets_are_chosen_counter_clockwise_from_the_right_of_the_first_player() -> None:
    """§9; the others join the deck, then four cards open the Council."""
    went = begun()
    order = went.position.board.seats
    for seat, hand in zip(reversed(order), ("phare", "livre", "ancre"), strict=True):
        assert questions_in(went) == (("hand", seat),)
        assert not refused(went.position, seat, o.ChooseHand(hand), "hand")
        went = play(went.position, f"hand/0/{seat}", {seat: o.ChooseHand(hand)})
        assert hand_of(went.position, seat) == HANDS[hand].cards
    board = went.position.board
    assert len(board.rows["council"]) == 4
    assert len(board.decks["council"]) == 75 - 18 - 4
    assert events_of(went, e.PeriodBegan) == [e.PeriodBegan(turn=1, first=order[0])]
    sound(went.position)


def test_a_packet_is_chosen_once_and_who_is_late_takes_the_first_that_is_left() -> None:
    """The default."""
    went = begun()
    seat = went.position.board.seats[-1]
    went = play(went.position, f"hand/0/{seat}", {seat: ()})
    assert hand_of(went.position, seat) == HANDS["ancre"].cards
    assert refused(went.position, ANN, o.ChooseHand("ancre"), "hand") == "hand_taken"
    done = through(begun())
    assert {len(hand_of(done.position, s)) for s in done.position.board.seats} == {6}


def test_blind_hands_are_six_of_all_cards() -> None:
    """À l'aveugle: nobody is asked; nobody knows another's cards."""
    went = begun(hands="blind")
    assert events_of(went, e.PeriodBegan)
    assert {len(player.hand) for player in went.position.board.players.values()} == {6}
    with seen_by(BOB):
        seen = redact(went.position, BOB)
        assert [card.visible for card in seen.board.players[ANN].hand] == [False] * 6
        assert all(card.visible for card in seen.board.players[BOB].hand)
    sound(went.position)


def test_of_two_scoring_cards_and_eight_others_six_are_kept() -> None:
    """Sélection personnelle: in secret, all at once."""
    went = begun(hands="personal")
    assert {ask for ask, _ in questions_in(went)} == {"keep"}
    with truth():
        cards = tuple(card.value for card in went.position.board.players[ANN].packet)
    assert [CHARACTERS[card].category is Category.END_GAME for card in cards].count(True) == 2
    assert refused(went.position, ANN, o.Keep(cards[:5]), "keep") == "keep_exactly"
    assert refused(went.position, ANN, o.Keep((cards[0],) * 6), "keep") == "keep_exactly"
    other = next(card for card in CHARACTERS if card not in cards)
    assert refused(went.position, ANN, o.Keep((other, *cards[:5])), "keep") == "not_to_choose"
    went = through(went, {ANN: o.Keep(cards[4:])})
    assert hand_of(went.position, ANN) == cards[4:]
    sound(went.position)


@pytest.mark.parametrize(("hands", "rounds"), [("full_draft", 6), ("score_draft", 5)])
@pytest.mark.holds("amalfi", "ruling", "A26")
def test_in_a_draft_packets_go_round_to_the_left_until_six_cards_are_kept(hands: str, rounds: int) -> None:
    """Draft complet; draft avec score, where one of three scoring cards is kept at the end."""
    went = begun(hands=hands)
    order = went.position.board.seats
    with truth():
        packet = tuple(card.value for card in went.position.board.players[order[0]].packet)
    first = play(went.position, "pick/0/1", {seat: o.Keep(_packet(went, seat)[:1]) for seat in order})
    assert _packet(first, order[1]) == packet[1:]
    done = through(went)
    assert {len(hand_of(done.position, seat)) for seat in order} == {6}
    kept = [card for card in hand_of(done.position, order[0]) if CHARACTERS[card].category is Category.END_GAME]
    assert hands == "full_draft" or len(kept) == 1
    assert rounds == done_rounds(went)
    sound(done.position)


def _packet(went: Went, seat: Seat) -> tuple[str, ...]:
    with truth():
        return tuple(card.value for card in went.position.board.players[seat].packet)


def done_rounds(went: Went) -> int:
    """How often everybody picks."""
    rounds = 0
    while questions_in(went) and questions_in(went)[0][0] == "pick":
        rounds += 1
        gate = went.position.core.gates()[0]
        went = play(went.position, gate, dict.fromkeys(went.position.board.seats, ()))
    return rounds


def test_only_who_has_a_packet_now_sees_what_is_left_of_it() -> None:
    """A draft is secret: whoever passed a packet on would see in it which card the next player keeps."""
    went = begun(hands="full_draft")
    order = went.position.board.seats
    went = play(went.position, "pick/0/1", dict.fromkeys(order, ()))
    for viewer, knows in ((order[0], False), (order[1], True), (order[2], False)):
        with seen_by(viewer):
            seen = redact(went.position, viewer)
            assert all(card.visible == knows for card in seen.board.players[order[1]].packet)


@pytest.mark.parametrize("hands", ["full_draft", "score_draft"])
def test_nobody_drafts_alone(hands: str) -> None:
    """Two to four players."""
    with pytest.raises(ValueError, match=hands):
        begun(1, hands=hands)


def test_corrections_of_seats_move_players_at_the_table() -> None:
    """Seats are clockwise by colour, from the Compass."""
    from engine.amalfi.apply import swapped

    board = begun().position.board
    board.first = ANN
    swapped(board, BOB, CLEO)
    assert board.seats == (ANN, CLEO, BOB)


def test_packets_by_sealed_lists_are_one_wait() -> None:
    """By option: all are asked at once; packets go counter-clockwise, each the best of a list that is left."""
    went = begun(3, hands="list")
    assert {(one.seat, one.topic) for one in went.position.core.questions} == {(seat, "packets") for seat in SEATS[:3]}
    first, second, third, *_ = HANDS
    assert refused(went.position, ANN, o.ListHands((first, first)), "packets") == "packet_twice"
    wished = {ANN: (second, first), BOB: (second, third), CLEO: (second,)}
    lists: dict[Seat, Answer] = {seat: o.ListHands(hands) for seat, hands in wished.items()}
    went = play(went.position, "packets/0", lists)
    chosen = {one.seat: one.hand for one in events_of(went, e.HandChosen)}
    assert list(chosen) == list(reversed(went.position.board.seats))
    left = list(HANDS)
    for seat, hand in chosen.items():
        assert hand == next((wish for wish in wished[seat] if wish in left), left[0])
        left.remove(hand)
    assert went.position.board.period == 1
    sound(went.position)


def test_without_lists_packets_go_as_printed() -> None:
    """Who answers nothing takes the first packet that is left."""
    went = through(begun(4, hands="list"))
    chosen = {seat: hand_of(went.position, seat) for seat in SEATS}
    for seat, hand in zip(reversed(went.position.board.seats), HANDS.values(), strict=False):
        assert set(chosen[seat]) == set(hand.cards)
