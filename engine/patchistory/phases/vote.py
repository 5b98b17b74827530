"""7. Vote: sacrifices before it, a prosperity card each, ranks, votes card by card, and the count."""

from collections.abc import Mapping, Sequence
from typing import Final

from engine.kernel.orders import Order, Orders, Pace, Problem, Question, unconditional
from engine.kernel.pace import ask_reaction
from engine.kernel.position import Step
from engine.kernel.turn_chapters import Defaults, Gates, Refusals, Steps
from engine.kernel.viewers import Seat
from engine.patchistory.acts import Game, Seen, gain, note_replies, reply
from engine.patchistory.board import Board, Poll
from engine.patchistory.catalogue import PROSPERITY, VOTE, Effect, Op, When
from engine.patchistory.effects import counted
from engine.patchistory.events import (
    CardPut,
    CardScored,
    CardsDropped,
    CardsRevealed,
    Gained,
    VoteEnded,
    VotesShown,
    WorkerSentBack,
)
from engine.patchistory.orders import PutCard, SendBack, Votes
from engine.patchistory.territory import specials

PROBLEMS = (
    "not_in_hand",  # {card}
    "too_many_votes",  # {votes, amount}
    "number_for_each",  # {cards, count}: neither one number for the card that is asked nor one for each card
)


class Sacrifice(Step, saved="patch.Sacrifice"):
    """Chichen Itza: the answer to how many workers go back."""

    seat: Seat
    room: str
    gate: str


class PutCards(Step, saved="patch.PutCards"):
    """1., 2.: cards are put and revealed. `gate`: where they were asked (`` : not yet)."""

    gate: str = ""


class Ballot(Step, saved="patch.Ballot"):
    """4.: the vote on the card at this place. `gate`: where it was asked (`` : not yet)."""

    place: int
    gate: str = ""


class CountVotes(Step, saved="patch.CountVotes"):
    """5., 6., 7.: the count."""


def begin(table: Game) -> None:
    """A-42: what happens before the vote, then the cards."""
    board = table.board
    for seat in board.seats:
        gain(table, seat, When.VOTE)
    table.then(PutCards())
    for seat in board.seats:
        for room in specials(board.players[seat].territory):
            if any(_sacrifices(effect) for effect in room.effects) and board.in_play(seat):
                table.then(Sacrifice(seat, room.id, ask_reaction(table, "sacrifice", seat, (seat,))))


def _sacrifices(effect: Effect) -> bool:
    return effect.when is When.VOTE and effect.op is Op.RETURN_WORKERS_FOR


def sacrifice(table: Game, step: Sacrifice) -> None:
    """Any number of workers, for so much each."""
    order = reply(table, step.gate, step.seat)
    if not isinstance(order, SendBack):
        return
    for square in order.squares:
        table.emit(WorkerSentBack(seat=step.seat, square=square, number=0, cause=step.room))
    for name in order.routes:
        table.emit(WorkerSentBack(seat=step.seat, square="", number=int(name), cause=step.room))
    each = next(room for room in specials(table.board.players[step.seat].territory) if room.id == step.room)
    effect = next(effect for effect in each.effects if _sacrifices(effect))
    times = len(order.squares) + len(order.routes)
    symbols = {name: n * times for name, n in effect.symbols.items()}
    table.emit(Gained(seat=step.seat, symbols=symbols, cause=step.room))


# --- the cards


def put_cards(table: Game, step: PutCards) -> None:
    """1.-3.: one card each, face down; shuffled, revealed, and all players ranked on each (A-42)."""
    seats = table.board.seats
    if not step.gate:
        gate = f"prosperity/{table.board.turn}"
        table.then(PutCards(gate))
        table.ask(*(Question(gate, seat, "prosperity") for seat in seats))
        return
    put = sorted(_put(table, step.gate, seat) for seat in seats)
    cards = table.shuffle(f"vote/{table.board.turn}", put)
    ranks = {card: ranked(table.board, card) for card in cards}
    table.emit(CardsRevealed(cards=cards, ranks=ranks))
    table.then(*(Ballot(place) for place in range(_ballots(table))), CountVotes())


def _put(table: Game, gate: str, seat: Seat) -> str:
    """The card that was chosen, or the first in hand."""
    order, hand = reply(table, gate, seat), table.board.players[seat].cards
    wanted = order.card if isinstance(order, PutCard) else hand[0].value
    card = next(card for card in hand if card.value == wanted)
    table.emit(CardPut(seat=seat, card=card, visible_to=frozenset({seat})))
    return wanted


def ranked(board: Board, card: str) -> Mapping[Seat, int]:
    """3.: the greatest number first; tied players take the lowest rank of their group."""
    what = PROSPERITY[card].counts
    return ranks({seat: counted(board, seat, what) for seat in board.seats})


def ranks(numbers: Mapping[Seat, int]) -> Mapping[Seat, int]:
    """Players tied, k of them, at rank r are all of rank r + k - 1 (En cas d'Égalité)."""
    return {seat: sum(other >= n for other in numbers.values()) for seat, n in numbers.items()}


# --- votes


def _ballots(table: Game) -> int:
    """How many times votes are asked: for each card, or once for all of them."""
    return len(table.board.polls) if table.core.options["voting"] == "card" else 1


def ballot(table: Game, step: Ballot) -> None:
    """4.: all in secret, then shown; card by card, or at once where the table departs from the rules."""
    board = table.board
    polls = board.polls[step.place :] if _ballots(table) == 1 else board.polls[step.place : step.place + 1]
    if not step.gate:
        cards = ",".join(poll.card for poll in polls)
        gate = f"votes/{board.turn}/{step.place + 1}"
        table.then(Ballot(step.place, gate))
        pace = Pace.CHOICE if _ballots(table) > 1 else Pace.TURN
        limits: dict[str, int | str] = {"cards": cards, "place": step.place}
        table.ask(*(Question(gate, seat, "votes", limits, pace=pace) for seat in board.seats))
        return
    given = {seat: reply(table, step.gate, seat) for seat in board.seats}
    for place, poll in enumerate(polls, step.place):
        votes = {seat: _votes(order, place) for seat, order in given.items()}
        table.emit(VotesShown(card=poll.card, votes=votes))


def _votes(order: Order | None, place: int) -> int:
    """For the card at this place of the vote; a single number is for the card that is asked."""
    if not isinstance(order, Votes):
        return 0
    if len(order.counts) == 1:
        return order.counts[0]
    return order.counts[place] if place < len(order.counts) else 0


def count_votes(table: Game, step: CountVotes) -> None:
    """5.-7.: with three or four players the least card is not counted, none if several tie; then the count."""
    polls = table.board.polls
    dropped = least(polls) if len(table.board.players) > 2 else ()
    if dropped:
        table.emit(CardsDropped(cards=dropped))
    for poll in polls:
        if poll.card not in dropped:
            _score(table, poll, polls)
    table.emit(VoteEnded())


def least(polls: Sequence[Poll]) -> tuple[str, ...]:
    """The card with the fewest votes; all cards where several tie for it."""
    fewest = min(poll.total for poll in polls)
    found = tuple(poll.card for poll in polls if poll.total == fewest)
    return found if len(found) == 1 else tuple(poll.card for poll in polls)


def _score(table: Game, poll: Poll, polls: Sequence[Poll]) -> None:
    """Décompte des Points de Vote; nobody falls below 0."""
    culture = {seat: share(poll, polls, rank, len(poll.ranks)) for seat, rank in poll.ranks.items()}
    players = table.board.players
    paid = {seat: n if n >= 0 else -players[seat].able("culture", -n) for seat, n in culture.items()}
    table.emit(CardScored(card=poll.card, votes=poll.total, culture={s: n for s, n in paid.items() if n}))


def share(poll: Poll, polls: Sequence[Poll], rank: int, players: int) -> int:
    """What a rank brings on a card: all votes, half of them, nothing, or with four players half as a loss."""
    votes = poll.total
    if players == 2:
        less = any(other.total > votes for other in polls)
        return (votes // 2 if less else votes) if rank == 1 else 0
    return {1: votes, 2: votes // 2, 3: 0, 4: -(votes // 2)}[rank]


# --- answers


def refuse_card(seen: Seen, decision: Question, order: PutCard) -> Problem | None:
    """1.: a card of one's hand."""
    hand = [card.value for card in seen.board.players[decision.seat].cards if card.visible]
    return None if order.card in hand else Problem("not_in_hand", {"card": order.card}, lasting=True)


def refuse_votes(seen: Seen, decision: Question, order: Votes) -> Problem | None:
    """4.: what lies behind the screen, for this card and those to come.

    Where all cards are asked at once a number alone would be for each of them: only nothing is said so.
    """
    cards, count = len(seen.board.polls), len(order.counts)
    alone = count == 1 and (seen.core.options["voting"] == "card" or not any(order.counts))
    if not alone and count != cards:
        return Problem("number_for_each", {"cards": cards, "count": count})
    place = decision.limits.get("place", 0)
    first = place if isinstance(place, int) and len(order.counts) > 1 else 0
    votes, amount = sum(order.counts[first:]), seen.board.players[decision.seat].amount(VOTE)
    return Problem("too_many_votes", {"votes": votes, "amount": amount}) if votes > amount else None


def first_card(seen: Seen, decision: Question) -> Orders:
    """Without an answer the first card in hand."""
    hand = seen.board.players[decision.seat].cards
    return unconditional(PutCard(hand[0].value)) if hand else ()


STEPS: Final[Steps] = {
    Sacrifice: sacrifice,
    PutCards: put_cards,
    Ballot: ballot,
    CountVotes: count_votes,
}
GATES: Final[Gates] = {"sacrifice": note_replies, "prosperity": note_replies, "votes": note_replies}
REFUSALS: Final[Refusals] = {PutCard: refuse_card, Votes: refuse_votes}
DEFAULTS: Final[Defaults] = {"prosperity": first_card}
