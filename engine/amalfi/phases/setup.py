"""Mise en place, and the six ways to deal hands."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from engine.amalfi import events as e
from engine.amalfi import orders as o
from engine.amalfi.acts import Game, Seen, note_replies, refill, reply
from engine.amalfi.board import Board, Player
from engine.amalfi.catalogue import (
    ARTWORKS,
    CHARACTERS,
    COLOURS,
    DEALS,
    DECREES,
    HANDS,
    PERIODS,
    PRIVATE,
    START,
    TITLE_PILES,
    TITLES,
    Category,
)
from engine.amalfi.phases.closing import BeginPeriod
from engine.kernel.orders import Orders, Problem, Question, unconditional
from engine.kernel.position import Options, Step
from engine.kernel.secrets import Secret
from engine.kernel.turn_chapters import Defaults, Gates, Refusals, Steps
from engine.kernel.viewers import PUBLIC, Seat

PROBLEMS = (
    "hand_taken",  # {hand}: another player has chosen this packet
    "packet_twice",  # {hand}: a packet is named twice in a list
    "not_to_choose",  # {character}: not among the cards to choose from
    "keep_exactly",  # {count, kept}: exactly `kept` cards are kept
)
END_GAME: Final = tuple(c.id for c in CHARACTERS.values() if c.category is Category.END_GAME)
OTHERS: Final = tuple(c.id for c in CHARACTERS.values() if c.category is not Category.END_GAME)


class AskHand(Step, saved="amalfi.AskHand"):
    """Let a player choose a packet. `gate`: where it was asked; "" before."""

    seat: Seat
    gate: str = ""


class AskPreferences(Step, saved="amalfi.AskPreferences"):
    """Let all players list packets at once. `gate`: where it was asked; "" before."""

    gate: str = ""


class Pick(Step, saved="amalfi.Pick"):
    """Let each player keep a card of their packet.

    `number`: the number of this pick. `gate`: where it was asked.
    """

    number: int
    gate: str = ""


class KeepCards(Step, saved="amalfi.KeepCards"):
    """Let each player keep cards of a packet, or of those put aside. `topic`: the question."""

    topic: str
    where: str
    gate: str = ""


class OpenCouncil(Step, saved="amalfi.OpenCouncil"):
    """Make the deck of all undealt cards, open the Council, and begin the first period."""


def blank(seats: Sequence[Seat], options: Options) -> Board:
    """Return the board: each player has a colour, four ships in the bay and six in the yard."""
    players = {seat: Player(seat, colour) for seat, colour in zip(seats, COLOURS, strict=False)}
    return Board(players, first=seats[0], hands=tuple(HANDS))


def begin(table: Game) -> None:
    """Lay out the board, then deal hands by the option."""
    seats = table.core.seats
    decrees = table.shuffle("decrees", tuple(DECREES))[:PERIODS]
    titles = tuple(
        title
        for back, count in TITLE_PILES.items()
        for title in table.shuffle(f"titles/{back}", [t.id for t in TITLES.values() if t.back == back])[:count]
    )
    first = seats[table.roll("first", len(seats)) - 1]
    table.emit(e.BoardLaid(decrees=decrees, titles=titles, first=first))
    table.emit(e.BreadDealt(bread=dict(zip(table.board.seats, START["bread"], strict=False))))
    for row, cards in (("atlas", PRIVATE), ("atelier", tuple(ARTWORKS))):
        table.emit(e.DeckShuffled(row=row, cards=tuple(map(Secret, table.shuffle(row, cards)))))
        refill(table, row)
    table.emit(e.CharactersSetOut(cards=tuple(map(Secret, CHARACTERS))))
    table.then(OpenCouncil())
    _DEALS[table.core.options["hands"]](table)


def open_council(table: Game, step: OpenCouncil) -> None:
    """Mise en place §10: Make the deck, open the Council, and begin the first period."""
    cards = tuple(card.value for card in table.board.returned)
    table.emit(e.DeckShuffled(row="council", cards=tuple(map(Secret, table.shuffle("council", cards)))))
    refill(table, "council")
    table.then(BeginPeriod(1))


# --- standard


def _standard(table: Game) -> None:
    """Mise en place §9: Choose packets counter-clockwise, from the first player's right."""
    table.then(*(AskHand(seat) for seat in reversed(table.board.seats)))


def ask_hand(table: Game, step: AskHand) -> None:
    """Ask for one of the remaining packets, by default the first.

    The contents are public, because they are printed.
    """
    if not step.gate:
        gate = f"hand/0/{step.seat}"
        table.then(AskHand(step.seat, gate))
        table.ask(Question(gate, step.seat, "hand"))
        return
    order = reply(table, step.gate, step.seat)
    _take_packet(table, step.seat, (order.hand,) if isinstance(order, o.ChooseHand) else ())


def _listed(table: Game) -> None:
    """By option: Ask all players for their order of preference at once."""
    table.then(AskPreferences())


def ask_preferences(table: Game, step: AskPreferences) -> None:
    """Ask for sealed lists, then hand out packets in the order of Mise en place §9, each the best that is left."""
    if not step.gate:
        gate = "packets/0"
        table.then(AskPreferences(gate))
        table.ask(*(Question(gate, seat, "packets") for seat in table.board.seats))
        return
    for seat in reversed(table.board.seats):
        order = reply(table, step.gate, seat)
        _take_packet(table, seat, order.hands if isinstance(order, o.ListHands) else ())


def _take_packet(table: Game, seat: Seat, wished: Sequence[str]) -> None:
    """Give a player the first packet of a list that is left, or the first of all that are."""
    left = table.board.hands
    hand = next((hand for hand in wished if hand in left), left[0])
    everybody = frozenset((*table.core.seats, Seat(PUBLIC)))
    cards = tuple(Secret(card, everybody) for card in HANDS[hand].cards)
    table.emit(e.HandChosen(seat=seat, hand=hand, cards=cards))


# --- dealt hands


def _deal(table: Game, name: str, cards: Sequence[str], count: int, where: str) -> None:
    """Deal `count` of these cards, shuffled, to each player."""
    shuffled = table.shuffle(f"deal/{name}", cards)
    for n, seat in enumerate(table.board.seats):
        dealt = shuffled[n * count : (n + 1) * count]
        table.emit(e.HandDealt(seat=seat, cards=tuple(Secret(card, frozenset({seat})) for card in dealt), where=where))


def _blind(table: Game) -> None:
    """À l'aveugle: Deal hands at random."""
    _deal(table, "all", tuple(CHARACTERS), DEALS["blind"]["deal"], "hand")


def _personal(table: Game) -> None:
    """Sélection personnelle: Deal cards to choose from."""
    _deal(table, "end_game", END_GAME, DEALS["personal"]["end_game"], "packet")
    _deal(table, "others", OTHERS, DEALS["personal"]["others"], "packet")
    table.then(KeepCards("keep", "packet"))


def _full_draft(table: Game) -> None:
    """Draft complet: Draft whole hands."""
    _deal(table, "all", tuple(CHARACTERS), DEALS["full_draft"]["deal"], "packet")
    table.then(Pick(1))


def _score_draft(table: Game) -> None:
    """Draft avec score: Draft hands, with end-of-game cards put aside."""
    _deal(table, "end_game", END_GAME, DEALS["score_draft"]["end_game"], "aside")
    _deal(table, "others", OTHERS, DEALS["score_draft"]["others"], "packet")
    table.then(Pick(1), KeepCards("score", "aside"))


def pick(table: Game, step: Pick) -> None:
    """Let each player keep one card in secret and pass the rest to the left; the last card returns face down."""
    board = table.board
    if not step.gate:
        gate = f"pick/0/{step.number}"
        table.then(Pick(step.number, gate))
        table.ask(*(Question(gate, seat, "pick") for seat in board.seats))
        return
    for seat in board.seats:
        _keep(table, seat, step.gate, "packet", 1)
    packets = {seat: board.players[seat].packet for seat in board.seats}
    if all(len(packet) == 1 for packet in packets.values()):
        for seat, packet in packets.items():
            table.emit(e.CardsReturned(seat=seat, cards=packet, where="packet"))
        return
    passed = {}
    for seat, to in zip(board.seats, board.seats[1:] + board.seats[:1], strict=True):
        passed[to] = tuple(Secret(card.value, frozenset({to})) for card in packets[seat])
    table.emit(e.PacketsPassed(number=step.number, packets=passed))
    table.then(Pick(step.number + 1))


def _keep(table: Game, seat: Seat, gate: str, where: str, count: int) -> None:
    """Keep the named cards, by default the first ones."""
    order = reply(table, gate, seat)
    held = {card.value: card for card in getattr(table.board.players[seat], where)}
    named = order.characters if isinstance(order, o.Keep) else tuple(held)[:count]
    kept = tuple(Secret(held[name].value, frozenset({seat})) for name in named)
    table.emit(e.CardsKept(seat=seat, cards=kept, where=where))


def keep_cards(table: Game, step: KeepCards) -> None:
    """Let all players keep cards at once; the others return face down."""
    board = table.board
    if not step.gate:
        gate = f"{step.topic}/0"
        table.then(KeepCards(step.topic, step.where, gate))
        table.ask(*(Question(gate, seat, step.topic) for seat in board.seats))
        return
    for seat in board.seats:
        _keep(table, seat, step.gate, step.where, KEPT[step.topic])
        rest = getattr(board.players[seat], step.where)
        table.emit(e.CardsReturned(seat=seat, cards=rest, where=step.where))


# --- judging


KEPT: Final[Mapping[str, int]] = {"pick": 1, "keep": DEALS["personal"]["keep"], "score": 1}
"""How many cards are kept at each question."""
FROM: Final[Mapping[str, str]] = {"pick": "packet", "keep": "packet", "score": "aside"}
"""Where the cards of each question are."""


def choosable(board: Board, seat: Seat, asks: str) -> tuple[str, ...]:
    """Return the cards that a question is about, as far as the reader knows them."""
    cards: tuple[Secret[str], ...] = getattr(board.players[seat], FROM[asks])
    return tuple(card.value for card in cards if card.visible)


def _refuse_hand(seen: Seen, decision: Question, order: o.ChooseHand) -> Problem | None:
    return None if order.hand in seen.board.hands else Problem("hand_taken", {"hand": order.hand})


def _refuse_list(seen: Seen, decision: Question, order: o.ListHands) -> Problem | None:
    twice = next((hand for hand, count in Counter(order.hands).items() if count > 1), None)
    return Problem("packet_twice", {"hand": twice}) if twice is not None else None


def _refuse_keep(seen: Seen, decision: Question, order: o.Keep) -> Problem | None:
    found, count = choosable(seen.board, decision.seat, decision.topic), KEPT[decision.topic]
    wrong = next((card for card in order.characters if card not in found), None)
    if wrong is not None:
        return Problem("not_to_choose", {"character": wrong})
    kept = len(set(order.characters))
    if kept != count or kept != len(order.characters):
        return Problem("keep_exactly", {"count": count, "kept": kept})
    return None


def _default_hand(seen: Seen, decision: Question) -> Orders:
    return unconditional(o.ChooseHand(seen.board.hands[0]))


def _default_list(seen: Seen, decision: Question) -> Orders:
    return unconditional(o.ListHands(seen.board.hands))


def _default_keep(seen: Seen, decision: Question) -> Orders:
    return unconditional(o.Keep(choosable(seen.board, decision.seat, decision.topic)[: KEPT[decision.topic]]))


_DEALS: Final[Mapping[str, Callable[[Game], None]]] = {
    "standard": _standard,
    "list": _listed,
    "blind": _blind,
    "personal": _personal,
    "full_draft": _full_draft,
    "score_draft": _score_draft,
}
STEPS: Final[Steps] = {
    AskHand: ask_hand,
    AskPreferences: ask_preferences,
    Pick: pick,
    KeepCards: keep_cards,
    OpenCouncil: open_council,
}
GATES: Final[Gates] = dict.fromkeys(("hand", "packets", "pick", "keep", "score"), note_replies)
REFUSALS: Final[Refusals] = {o.ChooseHand: _refuse_hand, o.ListHands: _refuse_list, o.Keep: _refuse_keep}
DEFAULTS: Final[Defaults] = {
    "hand": _default_hand,
    "packets": _default_list,
    "pick": _default_keep,
    "keep": _default_keep,
    "score": _default_keep,
}
