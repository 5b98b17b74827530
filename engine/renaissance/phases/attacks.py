"""Annonce du combat: from where, on what, with which cards; what may be attacked."""

from collections import Counter
from typing import Final

from engine.kernel.orders import Problem, Question
from engine.kernel.position import Options
from engine.kernel.secrets import Secret
from engine.kernel.turn_chapters import Refusals
from engine.kernel.viewers import Seat
from engine.renaissance import orders as o
from engine.renaissance.acts import Game, Seen, fall_out, no_such_city, privileged, unused
from engine.renaissance.board import Battle, Board, Laid
from engine.renaissance.catalogue import ATTACKS, CARDS, HIRE, HIRED_FREE, KINDS, ROADS, TOWNS, TROOPS, WEAPONS
from engine.renaissance.events import AttackAnnounced, BattleEnded, CardPlayed, HirePresumed
from engine.renaissance.phases.battle import begin

PROBLEMS: Final = (
    "free_city",  # {city}: only expansion takes it
    "own_city",  # {city}
    "one_attack_in_peace",  # {}
    "attacked_already",  # {city}: once a turn by the same player
    "married_to",  # {seat}: whom one has married this turn is not attacked
    "no_garrison_left",  # {} (A21)
    "not_linked",  # {city, origins}: no own city that may attack is joined to it by a road or by two ports
    "origin_spent",  # {origin}: one attack a turn from a city
    "origin_taken",  # {origin}: a city taken this turn is no base (A9)
    "not_your_origin",  # {origin}
    "two_troops",  # {cards}: two blue cards or Condottieri, and at most one red card or Condottiere
    "not_layable",  # {card}
    "cards_not_held",  # {cards}
    "condottieri_unpaid",  # {price, ducats} (A6)
    "no_card",  # {card}: no Chevauchée in hand
)
NOTES: Final = ("unforeseen",)  # {what: battle, city, walls}: the result, which is taken as won


def announce(table: Game, seat: Seat, order: o.Attack | o.Ride) -> None:
    """Annonce du combat  The cards of the order lie face down; then those who may interfere are asked."""
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
    """A trial takes the battle as won: Condottieri are paid, troops lie before the attacker, the city is theirs."""
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
    """A10  A road if there is one, else the sea."""
    return "road" if origin in ROADS[town] else "sea"


def linked(origin: str, town: str) -> bool:
    """Phase 2 - Combats  By a road, or from port to port."""
    return origin in ROADS[town] or (TOWNS[origin].port and TOWNS[town].port)


def bases(options: Options, board: Board, seat: Seat, town: str) -> tuple[str, ...]:
    """Own cities from which a city can be attacked now: by road first, then by sea."""
    power = board.powers[seat]
    taken = () if privileged(options, board, seat, "france") else power.taken
    able = [c for c in board.held(seat) if linked(c, town) and c not in power.origins and c not in taken]
    return tuple(sorted(able, key=lambda origin: way_of(origin, town) != "road"))


def picked(options: Options, board: Board, seat: Seat, kinds: tuple[str, ...]) -> tuple[str, ...] | None:
    """The cards for these kinds; Milan's free Condottiere before one that costs (A26). None: they are not held."""
    free = "condottiere" in kinds and unused(options, board, seat, "milan", "condottiere")
    wanted = list(kinds)
    if free:
        wanted.remove("condottiere")
    found = board.copies(seat, tuple(wanted))
    return None if found is None else ((*found, HIRED_FREE) if free else found)


def composed(kinds: tuple[str, ...]) -> bool:
    """Combat  Two blue cards or Condottieri; beside them an Ingénieur, a Félon or a third Condottiere, or nothing."""
    count = Counter(kinds)
    troops, hired = sum(count[kind] for kind in TROOPS), count["condottiere"]
    reds = sum(count[kind] for kind in WEAPONS)
    if len(kinds) != troops + hired + reds or troops > 2 or reds > 1:
        return False
    return troops + hired == 2 or (troops + hired == 3 and not reds and hired > 0)


def refuse_attack(seen: Seen, decision: Question, order: o.Attack) -> Problem | None:
    """Annonce du combat  What is attacked, from where, with what."""
    options, board, seat = seen.core.options, seen.board, decision.seat
    problem = _refuse_target(board, seat, order.city) or _refuse_origin(options, board, seat, order)
    return problem or _refuse_cards(options, board, seat, order.cards)


def refuse_ride(seen: Seen, decision: Question, order: o.Ride) -> Problem | None:
    """Chevauchée, A11  An attack without origin: the peace and the limit of one on each city hold."""
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
    if owner == seat:
        return Problem("own_city", {"city": town})
    if limit is not None and len(power.targets) >= limit:
        return Problem("one_attack_in_peace")
    if town in power.targets:
        return Problem("attacked_already", {"city": town})
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
        return Problem("cards_not_held", {"cards": kinds})
    price = HIRE * sum(CARDS.get(card) == "condottiere" for card in cards)
    ducats = board.powers[seat].ducats
    return Problem("condottieri_unpaid", {"price": price, "ducats": ducats}) if price > ducats else None


REFUSALS: Final[Refusals] = {o.Attack: refuse_attack, o.Ride: refuse_ride}
