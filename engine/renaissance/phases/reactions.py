"""Answers during a battle: sales, hiring, the defence, counters, bribes, Signe de Dieu, Retraite.

Each may be answered in advance for the turn, with conditions; then only its form is checked until a battle asks.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.kernel.gates import Gate
from engine.kernel.orders import Order, Orders, Problem, Question, unconditional
from engine.kernel.position import ExecuteOrders
from engine.kernel.secrets import Sealed, Secret
from engine.kernel.turn_chapters import Defaults, Refusals, Sets
from engine.kernel.viewers import Seat
from engine.renaissance import orders as o
from engine.renaissance.acts import Game, Seen, lacking, unused
from engine.renaissance.board import Battle, Board, Laid
from engine.renaissance.catalogue import ALONE, CARDS, HIRE, HIRED_FREE, TROOPS, WEAPONS, kind_of
from engine.renaissance.events import (
    CardsSaved,
    CondottiereHired,
    CondottiereOffered,
    CondottiereTurned,
    DefenceLaid,
    RedCancelled,
    SignLaid,
)
from engine.renaissance.phases import strength
from engine.renaissance.phases.diplomacy import spendable

PROBLEMS: Final = (
    "not_layable",  # {card}
    "blue_wanted",  # {}: a player with a blue card must lay one, or a Condottiere (A8)
    "red_alone",  # {card}: a red card needs a blue card or Condottiere (Combat)
    "cards_not_held",  # {cards}
    "no_room",  # {room}: places left after the Condottieri bought
    "condottieri_unpaid",  # {price, ducats} (A6)
    "no_card",  # {card}: not in hand
    "nobody_there",  # {to}: none of them is a belligerent
    "no_offer",  # {}
    "cannot_pay",  # {price, ducats}
    "nothing_named",  # {}
    "enough_bribes",  # {most, spent}
    "cannot_double",  # {card}: not among the own cards that count
    "sign_laid",  # {}: one in a battle
    "not_saved",  # {cards}: none of them can be taken back
)
NOTES: Final = ("unforeseen",)  # {what: hire}: the card is unknown

PLACES: Final = 2
"""The most cards that a defender lays; an attacker may lay one more."""
TOPICS: Final = ("sales", "hire", "defence", "counter", "traitor", "sign", "retreat")
_ALONE: Final = {alone: kind for kind, alone in ALONE.items()}


class Reply(ExecuteOrders, saved="ren.Reply"):
    """An answer: the first possible line is done."""


def answered(table: Game, gate: str, answers: Mapping[Seat, Orders]) -> None:
    """Queue the answers in order of play, before the battle continues."""
    asks = Gate.parse(gate).topic
    for power in reversed(table.board.playing()):
        if power.seat in answers:
            table.then(Reply(power.seat, gate, asks, Sealed(answers[power.seat])))


def reply(table: Game, step: Reply) -> None:
    """Do the first possible line; impossible ones fail, visible to their owner alone."""
    order, _ = table.next_order(step)
    battle = table.board.battle
    if order is not None and battle is not None and of_battle(step.gate):
        ACTS[type(order)](table, battle, step.seat, order)


def of_battle(gate: str) -> bool:
    """Return True if a gate belongs to a battle (`sales/3/1`); advance orders are for the turn (`sales/3`)."""
    return bool(Gate.parse(gate).about)


def asked_now(seen: Seen, decision: Question) -> Battle | None:
    """Return the battle that asks; None for an answer in advance."""
    return seen.board.battle if of_battle(decision.gate) else None


# --- sales


def sell(table: Game, battle: Battle, seat: Seat, order: o.Sell) -> None:
    """A7, A36  Offer a Condottiere for each belligerent named, as far as there are cards."""
    held = table.board.kinds(seat).count("condottiere")
    for buyer in buyers(table.board, battle, order.to)[:held]:
        table.emit(CondottiereOffered(seat=seat, to=buyer))


def buyers(board: Board, battle: Battle, named: tuple[str, ...]) -> tuple[Seat, ...]:
    """Return the belligerents meant by these names, as often as they are named (A36)."""
    roles = {"attacker": battle.attacker, "defender": battle.defender}
    nations = {board.powers[seat].nation: seat for seat in (battle.attacker, battle.defender)}
    return tuple(seat for name in named if (seat := roles.get(name) or nations.get(name)) is not None)


def refuse_sell(seen: Seen, decision: Question, order: o.Sell) -> Problem | None:
    """A36  Require at least one Condottiere in hand."""
    board, battle = seen.board, asked_now(seen, decision)
    if battle is None:
        return None
    if not buyers(board, battle, order.to):
        return Problem("nobody_there", {"to": order.to})
    held = "condottiere" in board.kinds(decision.seat)
    return None if held else Problem("no_card", {"card": "condottiere"})


def hire(table: Game, battle: Battle, seat: Seat, order: o.Hire) -> None:
    """A7, A40  Buy in the order of the offers, as many as can be paid and laid.

    An attacker lays one as the third card first, then in place of the weakest troop.
    """
    if table.trial:
        table.note(Problem("unforeseen", {"what": "hire"}))
        return
    sellers = [seller for seller, buyer in battle.offers if buyer == seat]
    count = min(order.count, _room(battle, seat), spendable(table.board, seat) // HIRE)
    for seller in sellers[:count]:
        card = (table.board.copies(seller, ("condottiere",)) or ("",))[0]
        now = table.board.battle or battle
        back = _replaced(now, seat)
        table.emit(
            CondottiereHired(
                seat=seat,
                seller=seller,
                card=Secret(card, frozenset({seat, seller})),
                back=None if back is None else back.card,
                paid=HIRE,
            )
        )


def _replaced(battle: Battle, seat: Seat) -> Laid | None:
    if seat != battle.attacker or len(battle.attack) <= PLACES:
        return None
    troops = [laid for laid in battle.attack if laid.troop]
    return min(troops, key=lambda laid: kind_of(laid.card.value).value, default=None)


def _room(battle: Battle, seat: Seat) -> int:
    """Vente de Condottiere  Return how many may still be laid, by an attacker also in place of troops (A7)."""
    mine = battle.side(seat)
    room = PLACES - len(mine)
    return 1 + room + sum(laid.troop for laid in mine) if seat == battle.attacker else room


def refuse_hire(seen: Seen, decision: Question, order: o.Hire) -> Problem | None:
    """Vente de Condottiere, A40  Require room and a ducat for at least one."""
    if order.count < 1:
        return Problem("nothing_named", lasting=True)
    board, battle, seat = seen.board, asked_now(seen, decision), decision.seat
    if battle is None:
        return None
    if not any(buyer == seat for _, buyer in battle.offers):
        return Problem("no_offer")
    room = _room(battle, seat)
    if room < 1:
        return Problem("no_room", {"room": room})
    ducats = spendable(board, seat)
    return Problem("cannot_pay", {"price": HIRE, "ducats": ducats}) if ducats < HIRE else None


# --- the defence


def can_lay(table: Game, seat: Seat) -> bool:
    """Return True if the seat may have cards to lay, by public knowledge."""
    free = unused(table.core.options, table.board, seat, "milan", "condottiere")
    return table.board.powers[seat].cards > 0 or free


def strongest(board: Board, seat: Seat) -> tuple[str, ...]:
    """Return the blue cards of a hand that the reader knows, the strongest first."""
    troops = [card for card in board.holding(seat) if kind_of(card).value]
    return tuple(sorted(troops, key=lambda card: -kind_of(card).value))


def lay(table: Game, battle: Battle, seat: Seat, order: o.Lay) -> None:
    """Combat  Lay the cards face down."""
    cards = chosen(table.position, seat, order) or ()
    secrets = tuple(Secret(card, frozenset({seat})) for card in cards)
    table.emit(DefenceLaid(seat=seat, cards=secrets))


def chosen(seen: Seen, seat: Seat, order: o.Lay) -> tuple[str, ...] | None:
    """Return the cards that an order means, or None if they are not held.

    Milan's free Condottiere is used before one that costs.
    """
    board, troops = seen.board, strongest(seen.board, seat)
    if order.card in ("strongest", "weakest"):
        card = troops[:1] if order.card == "strongest" else troops[-1:]
        kinds = tuple(kind_of(c).id for c in card)
    else:
        kinds = () if order.card == "none" else (order.card,)
    wanted = [kind for kind in (*kinds, order.red) if kind]
    free = "condottiere" in wanted and unused(seen.core.options, board, seat, "milan", "condottiere")
    if free:
        wanted.remove("condottiere")
    found = board.copies(seat, tuple(wanted))
    if found is None or not free:
        return found
    return (*found, HIRED_FREE)


def refuse_lay(seen: Seen, decision: Question, order: o.Lay) -> Problem | None:
    """Combat, A8  Require a blue card or a Condottiere, and at most one red card."""
    if order.card not in (*TROOPS, "condottiere", "strongest", "weakest", "none"):
        return Problem("not_layable", {"card": order.card}, lasting=True)
    if order.red and order.red not in (*WEAPONS, "condottiere"):
        return Problem("not_layable", {"card": order.red}, lasting=True)
    board, battle, seat = seen.board, asked_now(seen, decision), decision.seat
    if battle is None:
        return None
    problem = _refuse_places(battle, order, bool(strongest(board, seat)))
    if problem is not None:
        return problem
    cards = chosen(seen, seat, order)
    if cards is None:
        named = (card for card in (order.card, order.red) if card and card not in ("none", "strongest", "weakest"))
        return Problem("cards_not_held", {"cards": lacking(seen.core.options, board, seat, named)})
    price = HIRE * sum(CARDS.get(card) == "condottiere" for card in cards)
    ducats = spendable(board, seat)
    return Problem("condottieri_unpaid", {"price": price, "ducats": ducats}) if price > ducats else None


def _refuse_places(battle: Battle, order: o.Lay, blue: bool) -> Problem | None:
    """Combat, A8  Check the places; a Condottiere bought before fills one.

    `blue`: the seat holds a blue card.
    """
    room = PLACES - len(battle.defence)
    if (order.card != "none") + bool(order.red) > room:
        return Problem("no_room", {"room": room})
    if order.card == "none" and not battle.defence and blue:
        return Problem("blue_wanted")
    if order.card == "none" and not battle.defence and order.red in WEAPONS:
        return Problem("red_alone", {"card": order.red})
    if order.card in ("strongest", "weakest") and not blue:
        return Problem("cards_not_held", {"cards": (order.card,)})
    return None


# --- counters and bribes


def counter(table: Game, battle: Battle, seat: Seat, order: o.Counter) -> None:
    """Le contre  Cancel both red cards."""
    red = strength.weapon(battle.attack)
    assert red is not None, "judged before"
    kind = kind_of(red.card.value).id
    card = (table.board.copies(seat, (kind,)) or ("",))[0]
    table.emit(RedCancelled(seat=seat, kind=kind, attack=red.card.value, defence=card, from_hand=True))


def refuse_counter(seen: Seen, decision: Question, order: o.Counter) -> Problem | None:
    """A14  Require the same red card in hand."""
    battle = asked_now(seen, decision)
    red = strength.weapon(battle.attack) if battle is not None else None
    if red is None:
        return None
    kind = kind_of(red.card.value).id
    return None if kind in seen.board.kinds(decision.seat) else Problem("no_card", {"card": kind})


def bribe(table: Game, battle: Battle, seat: Seat, order: o.Bribe) -> None:
    """A5  Bribe the Condottiere that was rolled last and betrays."""
    loser = battle.foe(seat)
    for laid in battle.side(loser):
        if laid.is_a("condottiere") and not laid.gone and laid.value is None:
            table.emit(CondottiereTurned(seat=seat, loser=loser, card=laid.card.value, paid=HIRE))
            return


def refuse_bribe(seen: Seen, decision: Question, order: o.Bribe) -> Problem | None:
    """A5  Require a ducat, within the limit for the turn (0: no limit)."""
    power = seen.board.powers[decision.seat]
    if asked_now(seen, decision) is None:
        return None
    if power.ducats < HIRE:
        return Problem("cannot_pay", {"price": HIRE, "ducats": power.ducats})
    if order.most and power.bribes + HIRE > order.most:
        return Problem("enough_bribes", {"most": order.most, "spent": power.bribes})
    return None


# --- Signe de Dieu and Retraite


def sign(table: Game, battle: Battle, seat: Seat, order: o.Sign) -> None:
    """Signe de Dieu  Double the named card."""
    laid = _to_double(battle, seat, order.card)
    assert laid is not None, "judged before"
    card = (table.board.copies(seat, ("signe_de_dieu",)) or ("",))[0]
    table.emit(SignLaid(seat=seat, sign=card, card=laid.card.value))


def _to_double(battle: Battle, seat: Seat, kind: str) -> Laid | None:
    able = strength.doubling(battle, seat)
    return next((laid for laid in able if kind == "strongest" or laid.is_a(kind)), None)


def refuse_sign(seen: Seen, decision: Question, order: o.Sign) -> Problem | None:
    """A15  Require the first Signe de Dieu of the seat in this battle, and an own card that counts."""
    if order.card not in (*TROOPS, "condottiere", "strongest"):
        return Problem("cannot_double", {"card": order.card}, lasting=True)
    battle, seat = asked_now(seen, decision), decision.seat
    if battle is None:
        return None
    if "signe_de_dieu" not in seen.board.kinds(seat):
        return Problem("no_card", {"card": "signe_de_dieu"})
    if seat in battle.signs:
        return Problem("sign_laid")
    found = _to_double(battle, seat, order.card)
    return None if found is not None else Problem("cannot_double", {"card": order.card})


def savable(battle: Battle, seat: Seat) -> tuple[str, ...]:
    """Return the blue cards of a side that a Retraite could take back; not those already lost."""
    return tuple(laid.card.value for laid in battle.side(seat) if laid.troop and not laid.gone)


def may_retreat(table: Game, seat: Seat) -> bool:
    """Return True if the seat may hold a Retraite, by public knowledge; Naples' privilege counts as one (A26)."""
    free = unused(table.core.options, table.board, seat, "naples", "retraite")
    return table.board.powers[seat].cards > 0 or free


def retreats(seen: Seen, seat: Seat) -> int:
    """Return how many cards the seat can take back."""
    free = unused(seen.core.options, seen.board, seat, "naples", "retraite")
    return seen.board.kinds(seat).count("retraite") + free


def withdraw(table: Game, battle: Battle, seat: Seat, order: o.Withdraw) -> None:
    """Retraite, A39  Take back one card for each Retraite, in order of preference; the privilege is used first."""
    free = unused(table.core.options, table.board, seat, "naples", "retraite")
    cards = wanted(battle, seat, order.cards)[: retreats(table.position, seat)]
    played = table.board.copies(seat, ("retraite",) * (len(cards) - free)) or ()
    table.emit(CardsSaved(seat=seat, cards=cards, retreats=played, free=free))


def wanted(battle: Battle, seat: Seat, named: tuple[str, ...]) -> tuple[str, ...]:
    """A39  Return the cards that can be taken back, in the order of the kinds named.

    A kind named once means all its cards; with a number, as many.
    """
    left, kinds = savable(battle, seat), _kinds(named)
    found: list[str] = []
    for name, kind in zip(named, kinds, strict=True):
        same = [card for card in left if kind_of(card).id == kind and card not in found]
        single = kinds.count(kind) > 1 or name != kind
        found += same[: 1 if single else None]
    return tuple(found)


def _kinds(named: tuple[str, ...]) -> tuple[str, ...]:
    """Return the kinds of card that an order names (A39)."""
    return tuple(_ALONE.get(name, name) for name in named)


def refuse_withdraw(seen: Seen, decision: Question, order: o.Withdraw) -> Problem | None:
    """A16  Require a Retraite and at least one of the named blue cards on the table."""
    kinds = _kinds(order.cards)
    wrong = next((kind for kind in kinds if kind not in TROOPS), None)
    if wrong is not None:
        return Problem("not_saved", {"cards": (wrong,)}, lasting=True)
    battle, seat = asked_now(seen, decision), decision.seat
    if battle is None:
        return None
    if not retreats(seen, seat):
        return Problem("no_card", {"card": "retraite"})
    found = wanted(battle, seat, order.cards)
    return None if found else Problem("not_saved", {"cards": kinds})


# --- defaults


def default_defence(seen: Seen, decision: Question) -> Orders:
    """Return the strongest blue card without a red one; nothing without a blue card."""
    stands = refuse_lay(seen, decision, o.Lay("strongest")) is None
    return unconditional(o.Lay("strongest" if stands else "none"))


def default_counter(seen: Seen, decision: Question) -> Orders:
    """Return the counter, if the card is in hand."""
    return unconditional(o.Counter()) if refuse_counter(seen, decision, o.Counter()) is None else ()


ACTS: Final[Mapping[type[Order], Callable[[Game, Battle, Seat, Any], None]]] = {
    o.Sell: sell,
    o.Hire: hire,
    o.Lay: lay,
    o.Counter: counter,
    o.Bribe: bribe,
    o.Sign: sign,
    o.Withdraw: withdraw,
}
REFUSALS: Final[Refusals] = {
    o.Sell: refuse_sell,
    o.Hire: refuse_hire,
    o.Lay: refuse_lay,
    o.Counter: refuse_counter,
    o.Bribe: refuse_bribe,
    o.Sign: refuse_sign,
    o.Withdraw: refuse_withdraw,
}
DEFAULTS: Final[Defaults] = {
    "defence": default_defence,
    "counter": default_counter,
}
SETS: Final[Sets] = dict.fromkeys(TOPICS, Reply)
