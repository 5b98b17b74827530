"""What an entry of the journal holds, as it is saved: the chain binds these very texts, written by the codec."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.kernel.codec import dump, serializable
from engine.kernel.dice import Draw
from engine.kernel.events import Event
from engine.kernel.orders import Orders
from engine.kernel.run import AnswerKey
from engine.kernel.viewers import Seat
from pbem.crypto.beacon import round_value
from pbem.crypto.chain import FixedEntryId, beacon_seed, draw_entropy, draw_entropy_of_round, hash_fixed_answers


@serializable("pbem.CommitmentOpening")
@dataclass(frozen=True)
class CommitmentOpening:
    """What opens the commitment of orders: their place, what the receipt said, the salt, the text committed to."""

    context: bytes
    commitment: str
    salt: bytes
    content: str


@serializable("pbem.CountedAnswer")
@dataclass(frozen=True)
class CountedAnswer:
    """An answer that was counted: the orders, and how they came.

    `question`: the name of its question, where the gate asks its seats several; empty where that is the gate's.
    `how`: `orders`, `reaction`, `advance`, `default` (the deadline passed), `standing` or `bot` (standing orders of the
    seat, or a bot, stood in for it), or `unasked` (a choice for which nothing was on file, in a game whose option says
    that such choices take the default).

    `context`, `commitment` and `salt` let anybody check, once the record is opened, that `content` (all that was
    sealed, as it was) is what the receipt acknowledged; what was sealed with a reaction may hold other reactions too.
    """

    seat: str
    orders: Orders
    how: str
    words: str = ""
    context: bytes = b""
    commitment: str = ""
    salt: bytes = b""
    content: str = ""
    question: str = ""

    @property
    def key(self) -> AnswerKey:
        """How the rules are given it."""
        return (self.question, Seat(self.seat)) if self.question else Seat(self.seat)


def answers_by_key(counted: Sequence[CountedAnswer]) -> dict[AnswerKey, Orders]:
    """What was answered at a gate, as the rules are given it."""
    return {one.key: one.orders for one in counted}


def missed_seats(counted: Sequence[CountedAnswer]) -> list[AnswerKey]:
    """The answers that nobody gave in time and no plan either, as the rules are told of them."""
    return [one.key for one in counted if one.how == "default"]


@serializable("pbem.SupersededOrders")
@dataclass(frozen=True)
class SupersededOrders:
    """Sealed orders of a counted seat that were not counted: their place, their commitment, and why.

    `fate`: `superseded` (by a later revision), `withdrawn` or `void` (it could stand no more), these two with the
    signature of who said so.
    """

    context: bytes
    commitment: str
    fate: str
    signed: bytes = b""


@serializable("pbem.RecordedOrders")
@dataclass(frozen=True)
class RecordedOrders:
    """What is sealed: the orders, and the words that their author adds to the luck of the entry.

    The words need no place of their own in the luck: it is made of the commitments of the sealed orders that count, and
    a commitment binds all that was sealed, so other words would have been another draw.

    `ahead`: where a resolver sealed the orders anew as their gate opened, what opens the commitment of the receipt.
    """

    orders: Orders
    words: str = ""
    ahead: CommitmentOpening | None = None


@serializable("pbem.BeaconDraw")
@dataclass(frozen=True)
class BeaconDraw:
    """The round of the public beacon that an entry's draws are mixed with, and what was told before it was signed.

    `chain`: the hash of its network.  `at`: when the answers were fixed and told (seconds).  `digest`: what was told of
    them, which `salt` opens (see `hash_fixed_answers`).  `signature`: empty where a master, `by`, let the entry be
    drawn without.
    """

    chain: str
    round: int
    at: int
    salt: bytes
    digest: str
    signature: bytes = b""
    by: str = ""


ORDERS: Final = 1
"""How a game mixes its luck: of the orders that were counted."""
BEACON: Final = 2
"""How a game does whose table has chosen the public beacon: of the orders, and of a round that was not signed yet."""


@serializable("pbem.EntryRecord")
@dataclass(frozen=True)
class EntryRecord:
    """The whole of an entry, for the end of the game.

    `base`: the entry from whose position this one goes on, where it is not the one before: a rewind.  `replay_of`:
    the entry that is told again here: its draws stand by their names, but for `rerolled`; all others are of this luck.
    `superseded`: the sealed orders of these seats that were not counted.  `mixing`: `ORDERS` or `BEACON`.
    `drawn`: the round of the beacon that is mixed in.  `command`: the number of the request for a ruling that it is of.
    `version`: of the rules that made it; a running game may go on under newer ones.
    """

    game: str
    number: int
    gate: str
    created_at: int
    counted: tuple[CountedAnswer, ...]
    luck: bytes
    events: tuple[Event, ...]
    draws: tuple[Draw, ...]
    base: int | None = None
    replay_of: int | None = None
    rerolled: tuple[str, ...] = ()
    superseded: tuple[SupersededOrders, ...] = ()
    mixing: int = ORDERS
    drawn: BeaconDraw | None = None
    command: str = ""
    version: str = ""


def draw_entropy_of(game: str, number: int, counted: Sequence[CountedAnswer], drawn: BeaconDraw | None = None) -> bytes:
    """Mix what the draws of an entry are made of: the orders counted, and the round where there is one."""
    own = draw_entropy(
        game, number, [(c.seat, dump((c.orders, c.words)).encode() if c.commitment else None) for c in counted]
    )
    if drawn is None or not drawn.signature:
        return own
    return draw_entropy_of_round(own, drawn.chain, drawn.round, round_value(drawn.signature))


def entry_digest_of(
    game: str, number: int, counted: Sequence[CountedAnswer], drawn: BeaconDraw, seed: bytes = b""
) -> str:
    """What is told of the answers that are fixed before their round is signed; `drawn`: its salt, round and moment.

    `seed`: of the deal, which no answers make.
    """
    bound = beacon_seed(seed) if seed else draw_entropy_of(game, number, counted)
    made = [(one.seat, one.commitment) for one in counted]
    place = FixedEntryId(game, number, drawn.chain, drawn.round, drawn.at)
    return hash_fixed_answers(drawn.salt, place, bound, made)


@serializable("pbem.PublicPart")
@dataclass(frozen=True)
class PublicPart:
    """What everybody may have of an entry from the moment it is made."""

    game: str
    number: int
    gate: str
    created_at: int
    defaulted: tuple[str, ...]
    events: tuple[Event, ...]
