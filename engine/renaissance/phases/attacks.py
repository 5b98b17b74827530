"""Annonce du combat: the origin, the target and the cards of an attack."""

from collections import Counter
from typing import Final

from engine.kernel.orders import Problem, Question
from engine.kernel.position import Options
from engine.kernel.secrets import Secret
from engine.kernel.turn_chapters import Refusals
from engine.kernel.viewers import Seat
from engine.renaissance import orders as o
from engine.renaissance.acts import Game, Seen, fall_out, lacking, no_such_city, privileged, unused
from engine.renaissance.board import Battle, Board, Laid
from engine.renaissance.catalogue import ATTACKS, CARDS, HIRE, HIRED_FREE, KINDS, ROADS, TOWNS, TROOPS, WEAPONS
from engine.renaissance.events import AttackAnnounced, BattleEnded, CardPlayed, HirePresumed
from engine.renaissance.phases.battle import begin

PROBLEMS: Final = (
    "nothing_to_attack",  # {}: no city of another player can be reached
    "no_two_troops",  # {}: nothing in hand to attack with
    "free_city",  # {city}: only expansion takes a free city
    "own_city",  # {city}
    "one_attack_in_peace",  # {}
    "attacked_already",  # {city}: once a turn by the same player
    "married_to",  # {seat}: no attack on a player married this turn
    "no_garrison_left",  # {} (A21)
    "not_linked",  # {city, origins}: no road or sea link from an own city that may attack
    "origin_spent",  # {origin}: one attack a turn from a city
    "origin_taken",  # {origin}: a city taken this turn is no base (A9)
    "not_your_origin",  # {origin}
    "two_troops",  # {cards}: two blue cards or Condottieri, and at most one red card or Condottiere
    "not_layable",  # {card}
    "cards_not_held",  # {cards}
    "condottieri_unpaid",  # {price, ducats} (A6)
    "no_card",  # {card}: no Chevauchée in hand
)
NOTES: Final = ("unforeseen",)  # {what: battle, city, walls}: the preview presumes a win


def announce(table: Game, seat: Seat, order: o.Attack | o.Ride) -> None:
    """Annonce du combat  Lay the cards of the order face down and begin the battle; a trial presumes a win."""
    board = table.board
    defender = board.cities[order.city].owner
    assert defender is not None, "judged before"
    origin, way = "", "ride"
    if isinstance(order, o.Ride):
        ride = (board.copies(seat, ("chevauchee",)) or ("",))[0]
        table.emit(CardPlayed(seat=seat, kind="chevauchee", card=ride))
    else:
        origin = order.origin or bases(table.core.options, board, seat, order.city)[0]
        way = way_of(origin, order.city)
    cards = picked(table.core.options, board, seat, order.cards) or ()
    laid = tuple(Laid(Secret(card, frozenset({seat}))) for card in cards)
    battle = Battle(board.battles + 1, seat, defender, order.city, origin, way, attack=laid)
    table.emit(AttackAnnounced(battle=battle))
    if table.trial:
        presume(table, battle)
    else:
        begin(table)


def presume(table: Game, battle: Battle) -> None:
    """Presume a win in a trial: pay Condottieri, set troops aside, take the city."""
    walls = table.board.level(battle.city)
    table.note(Problem("unforeseen", {"what": "battle", "city": battle.city, "walls": walls}))
    cards = tuple(laid.card.value for laid in battle.attack if laid.card.value != HIRED_FREE)
    free = len(cards) < len(battle.attack)
    price = HIRE * sum(CARDS[card] == "condottiere" for card in cards)
    if price or free:
        table.emit(HirePresumed(seat=battle.attacker, ducats=price, free=free))
    aside = tuple(card for card in cards if KINDS[CARDS[card]].value)
    gone = tuple(card for card in cards if card not in aside)
    table.emit(
        BattleEnded(
            attacker=battle.attacker,
            defender=battle.defender,
            city=battle.city,
            captured=True,
            aside=aside,
            back=(),
            discarded=gone,
        )
    )
    fall_out(table, battle.defender)


def way_of(origin: str, town: str) -> str:
    """A10  Return `road` if there is one, else `sea`."""
    return "road" if origin in ROADS[town] else "sea"


def linked(origin: str, town: str) -> bool:
    """Phase 2 - Combats  Return True if two cities are joined by a road, or both are ports."""
    return origin in ROADS[town] or (TOWNS[origin].port and TOWNS[town].port)


def bases(options: Options, board: Board, seat: Seat, town: str) -> tuple[str, ...]:
    """Return the own cities from which a city can be attacked now: by road first, then by sea."""
    power = board.powers[seat]
    taken = () if privileged(options, board, seat, "france") else power.taken
    able = [c for c in board.held(seat) if linked(c, town) and c not in power.origins and c not in taken]
    return tuple(sorted(able, key=lambda origin: way_of(origin, town) != "road"))


def picked(options: Options, board: Board, seat: Seat, kinds: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the cards for these kinds, or None if they are not held.

    Milan's free Condottiere is used before one that costs (A26).
    """
    free = "condottiere" in kinds and unused(options, board, seat, "milan", "condottiere")
    wanted = list(kinds)
    if free:
        wanted.remove("condottiere")
    found = board.copies(seat, tuple(wanted))
    if found is None or not free:
        return found
    return (*found, HIRED_FREE)


def composed(kinds: tuple[str, ...]) -> bool:
    """Combat  Return True for two blue cards or Condottieri, with at most one Ingénieur, Félon or third Condottiere."""
    count = Counter(kinds)
    troops, hired = sum(count[kind] for kind in TROOPS), count["condottiere"]
    reds = sum(count[kind] for kind in WEAPONS)
    if len(kinds) != troops + hired + reds or troops > 2 or reds > 1:
        return False
    return troops + hired == 2 or (troops + hired == 3 and not reds and hired > 0)


def refuse_attack(seen: Seen, decision: Question, order: o.Attack) -> Problem | None:
    """Annonce du combat  Return why the target, the origin or the cards are not possible, or None."""
    options, board, seat = seen.core.options, seen.board, decision.seat
    problem = _refuse_target(board, seat, order.city) or _refuse_origin(options, board, seat, order)
    return problem or _refuse_cards(options, board, seat, order.cards)


def refuse_ride(seen: Seen, decision: Question, order: o.Ride) -> Problem | None:
    """Chevauchée, A11  Return why the target or the cards are not possible, or None.

    Peace, and one attack on each city, limit it too.
    """
    board, seat = seen.board, decision.seat
    if "chevauchee" not in board.kinds(seat):
        return Problem("no_card", {"card": "chevauchee"})
    problem = _refuse_target(board, seat, order.city)
    return problem or _refuse_cards(seen.core.options, board, seat, order.cards)


def _refuse_target(board: Board, seat: Seat, town: str) -> Problem | None:
    problem = no_such_city(board, town)
    if problem is not None:
        return problem
    power, owner, limit = board.powers[seat], board.cities[town].owner, ATTACKS[board.state]
    if owner is None:
        return Problem("free_city", {"city": town})
    if town in power.targets:
        return Problem("attacked_already", {"city": town})
    if owner == seat:
        return Problem("own_city", {"city": town})
    if limit is not None and len(power.targets) >= limit:
        return Problem("one_attack_in_peace")
    if owner in power.married:
        return Problem("married_to", {"seat": owner})
    return None if board.garrisons(seat) else Problem("no_garrison_left")


def _refuse_origin(options: Options, board: Board, seat: Seat, order: o.Attack) -> Problem | None:
    power, can = board.powers[seat], bases(options, board, seat, order.city)
    if order.origin in can or (can and not order.origin):
        return None
    if not order.origin:
        return Problem("not_linked", {"city": order.city, "origins": can})
    problem = no_such_city(board, order.origin)
    if problem is not None:
        return problem
    if board.cities[order.origin].owner != seat:
        return Problem("not_your_origin", {"origin": order.origin})
    if order.origin in power.origins:
        return Problem("origin_spent", {"origin": order.origin})
    if linked(order.origin, order.city):
        return Problem("origin_taken", {"origin": order.origin})
    return Problem("not_linked", {"city": order.city, "origins": can})


def _refuse_cards(options: Options, board: Board, seat: Seat, kinds: tuple[str, ...]) -> Problem | None:
    wrong = next((kind for kind in kinds if kind not in (*TROOPS, *WEAPONS, "condottiere")), None)
    if wrong is not None:
        return Problem("not_layable", {"card": wrong}, lasting=True)
    if not composed(kinds):
        return Problem("two_troops", {"cards": kinds}, lasting=True)
    cards = picked(options, board, seat, kinds)
    if cards is None:
        return Problem("cards_not_held", {"cards": lacking(options, board, seat, kinds)})
    price = HIRE * sum(CARDS.get(card) == "condottiere" for card in cards)
    ducats = board.powers[seat].ducats
    return Problem("condottieri_unpaid", {"price": price, "ducats": ducats}) if price > ducats else None


REFUSALS: Final[Refusals] = {o.Attack: refuse_attack, o.Ride: refuse_ride}
