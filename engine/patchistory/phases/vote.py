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
    "number_for_each",  # {cards, count}: give one number for the asked card, or one for each card
)


class Sacrifice(Step, saved="patch.Sacrifice"):
    """Chichen Itza: carry out the answer of how many workers return."""

    seat: Seat
    room: str
    gate: str


class PutCards(Step, saved="patch.PutCards"):
    """1., 2.: Put and reveal the cards. `gate`: where they were asked; "" before."""

    gate: str = ""


class Ballot(Step, saved="patch.Ballot"):
    """4.: Vote on the card at this place. `gate`: where the votes were asked; "" before."""

    place: int
    gate: str = ""


class CountVotes(Step, saved="patch.CountVotes"):
    """5., 6., 7.: Count the votes."""


def begin(table: Game) -> None:
    """A-42: Apply effects before the vote, then ask for the cards."""
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
    """Return any number of workers, with a gain for each."""
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
    """1.-3.: Take one card each, face down; shuffle and reveal them, and rank all players (A-42)."""
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
    """Put the chosen card, or the first in hand, and return it."""
    order, hand = reply(table, gate, seat), table.board.players[seat].cards
    wanted = order.card if isinstance(order, PutCard) else hand[0].value
    card = next(card for card in hand if card.value == wanted)
    table.emit(CardPut(seat=seat, card=card, visible_to=frozenset({seat})))
    return wanted


def ranked(board: Board, card: str) -> Mapping[Seat, int]:
    """3.: Return the players' ranks on a card, the greatest number first."""
    what = PROSPERITY[card].counts
    return ranks({seat: counted(board, seat, what) for seat in board.seats})


def ranks(numbers: Mapping[Seat, int]) -> Mapping[Seat, int]:
    """Return the ranks of numbers; k players tied at rank r all have rank r + k - 1 (En cas d'Égalité)."""
    return {seat: sum(other >= n for other in numbers.values()) for seat, n in numbers.items()}


# --- votes


def _ballots(table: Game) -> int:
    """Return how many times votes are asked: for each card, or once for all."""
    return len(table.board.polls) if table.core.options["voting"] == "card" else 1


def ballot(table: Game, step: Ballot) -> None:
    """4.: Ask for secret votes, then show them; card by card, or by option all at once.

    Players who gave a number for each card are not asked again.
    """
    board = table.board
    polls = board.polls[step.place :] if _ballots(table) == 1 else board.polls[step.place : step.place + 1]
    if not step.gate:
        cards = ",".join(poll.card for poll in polls)
        gate = f"votes/{board.turn}/{step.place + 1}"
        table.then(Ballot(step.place, gate))
        pace = Pace.CHOICE if _ballots(table) > 1 else Pace.TURN
        limits: dict[str, int | str] = {"cards": cards, "place": step.place}
        asked = (seat for seat in board.seats if f"{gate}/{seat}" not in board.answers)
        table.ask(*(Question(gate, seat, "votes", limits, pace=pace) for seat in asked))
        return
    given = {seat: reply(table, step.gate, seat) for seat in board.seats}
    for place, poll in enumerate(polls, step.place):
        votes = {seat: _votes(order, place) for seat, order in given.items()}
        table.emit(VotesShown(card=poll.card, votes=votes))
    if step.place + 1 < _ballots(table):
        plans = {s: unconditional(o) for s, o in given.items() if isinstance(o, Votes) and len(o.counts) > 1}
        note_replies(table, f"votes/{board.turn}/{step.place + 2}", plans)


def _votes(order: Order | None, place: int) -> int:
    """Return the votes for the card at this place; a single number is for the asked card."""
    if not isinstance(order, Votes):
        return 0
    if len(order.counts) == 1:
        return order.counts[0]
    return order.counts[place] if place < len(order.counts) else 0


def count_votes(table: Game, step: CountVotes) -> None:
    """5.-7.: Score the cards.

    With three or four players the least voted card does not count; none does if several tie.
    """
    polls = table.board.polls
    dropped = least(polls) if len(table.board.players) > 2 else ()
    if dropped:
        table.emit(CardsDropped(cards=dropped))
    for poll in polls:
        if poll.card not in dropped:
            _score(table, poll, polls)
    table.emit(VoteEnded())


def least(polls: Sequence[Poll]) -> tuple[str, ...]:
    """Return the card with the fewest votes; all cards if several tie for it."""
    fewest = min(poll.total for poll in polls)
    found = tuple(poll.card for poll in polls if poll.total == fewest)
    return found if len(found) == 1 else tuple(poll.card for poll in polls)


def _score(table: Game, poll: Poll, polls: Sequence[Poll]) -> None:
    """Décompte des Points de Vote: score a card; no player falls below 0."""
    culture = {seat: share(poll, polls, rank, len(poll.ranks)) for seat, rank in poll.ranks.items()}
    players = table.board.players
    paid = {seat: n if n >= 0 else -players[seat].able("culture", -n) for seat, n in culture.items()}
    table.emit(CardScored(card=poll.card, votes=poll.total, culture={s: n for s, n in paid.items() if n}))


def share(poll: Poll, polls: Sequence[Poll], rank: int, players: int) -> int:
    """Return the Culture of a rank on a card: all votes, half, nothing; with four players, minus half for the last."""
    votes = poll.total
    if players == 2:
        if rank != 1:
            return 0
        return votes // 2 if any(other.total > votes for other in polls) else votes
    return {1: votes, 2: votes // 2, 3: 0, 4: -(votes // 2)}[rank]


# --- answers


def refuse_card(seen: Seen, decision: Question, order: PutCard) -> Problem | None:
    """1.: Require a card of the hand."""
    hand = [card.value for card in seen.board.players[decision.seat].cards if card.visible]
    return None if order.card in hand else Problem("not_in_hand", {"card": order.card}, lasting=True)


def refuse_votes(seen: Seen, decision: Question, order: Votes) -> Problem | None:
    """4.: Require the votes, for this card and the later ones.

    If all cards are asked at once, a single number is accepted only if it is 0.
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
    """Return the first card in hand."""
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
