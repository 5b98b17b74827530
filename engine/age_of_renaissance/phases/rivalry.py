"""§9.5.2  Trade rivalries: attacks, Conversion on both sides, the dice, and Manuscripts."""

from dataclasses import replace
from typing import Final

from engine.age_of_renaissance.acts import Game, Seen, reply
from engine.age_of_renaissance.board import OLD, Board
from engine.age_of_renaissance.catalogue import CARDS, PROVINCES
from engine.age_of_renaissance.events import CardsExchanged, RivalryFought
from engine.age_of_renaissance.orders import Attack, Exchange, UseConversion
from engine.age_of_renaissance.phases import strength
from engine.age_of_renaissance.phases.lifting import offer_lift
from engine.age_of_renaissance.phases.placing import attack_terms, count_room, reach, way_in
from engine.age_of_renaissance.phases.strength import defenders
from engine.kernel.orders import Problem, Question
from engine.kernel.pace import ask_reaction
from engine.kernel.position import ExecuteOrders, Step
from engine.kernel.viewers import Seat

PROBLEMS: Final = (
    "nobody_there",  # {province, room}: no defenders; PLACE accepts up to `room` tokens
    "too_weak",  # `placing.attack_terms`
    "no_conversion",  # {}: H is not owned
    "conversion_resisted",  # {province, seats}: these defenders own H (R7)
    "conversion_used",  # {province, seats}: used against these already this turn
    "no_such_power",  # {power}: no capital of this game
    "card_not_held",  # {cards}: none of them is in hand
)
NOTES: Final = (
    "odds",  # {province, wins, of}: the preview presumes a win
    "unforeseen",  # {what: conversion, province, seats}: these may defend by Conversion; {what: manuscripts, province}
)


class Fight(Step, saved="aor.Fight"):
    """An attack to resolve. `gate`: where defenders were asked for Conversion; "" if none was."""

    order: Attack
    number: int
    via: str
    gate: str
    rest: ExecuteOrders


class SwapCards(Step, saved="aor.SwapCards"):
    """Carry out the captor's answer at `gate` (Manuscripts)."""

    seat: Seat
    victim: Seat
    province: str
    gate: str


def refuse_attack(seen: Seen, decision: Question, order: Attack) -> Problem | None:
    """§9.5.2, R1  Return why an attack cannot be made, or None."""
    board, seat, province = seen.board, decision.seat, order.province
    if order.convert and not board.has(seat, "H"):
        return Problem("no_conversion", lasting=True)
    way = way_in(board, seat, province, order.tokens)
    if isinstance(way, Problem):
        return way
    foes = defenders(board, seat, province)
    if not foes:
        return Problem("nobody_there", {"province": province, "room": max(count_room(board, province), 0)})
    if order.tokens < strength.needed(board, seat, province):
        return Problem("too_weak", attack_terms(board, seat, province, order.tokens))
    return _refuse_conversion(board, seat, province, foes) if order.convert else None


def _refuse_conversion(board: Board, seat: Seat, province: str, foes: tuple[Seat, ...]) -> Problem | None:
    """§9.5.2, R7  Refuse Conversion if a defender has it, or it was used against a defender this turn."""
    holders = tuple(foe for foe in foes if board.has(foe, "H"))
    if holders:
        return Problem("conversion_resisted", {"province": province, "seats": holders})
    used = tuple(foe for foe in foes if foe in board.powers[seat].converted)
    return Problem("conversion_used", {"province": province, "seats": used}) if used else None


def converters(board: Board, seat: Seat, foes: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """§9.5.2, R7  Return the defenders who could win by Conversion against this attacker."""
    if board.has(seat, "H"):
        return ()
    return tuple(foe for foe in foes if board.has(foe, "H") and seat not in board.powers[foe].converted)


def attack(table: Game, order: Attack, rest: ExecuteOrders) -> None:
    """§9.5.2  Make an attack; defenders with Conversion are asked first."""
    board, seat = table.board, rest.seat
    way = reach(board, seat, order.province)
    number = len(board.powers[seat].fought.get(order.province, "")) + 1
    step = Fight(order, number, way.how.value if way else "", "", rest)
    asked = () if order.convert else converters(board, seat, defenders(board, seat, order.province))
    if not asked:
        fight(table, step)
        return
    if table.trial:
        table.note(Problem("unforeseen", {"what": "conversion", "province": order.province, "seats": asked}))
    about = f"{order.province}/{seat}/{number}"
    gate = ask_reaction(table, "conversion", about, asked, province=order.province, attacker=board.powers[seat].capital)
    table.then(replace(step, gate=gate))


def fight(table: Game, step: Fight) -> None:
    """§9.5.2  Resolve one attack. After a defeat the line may try again; after a victory it is done."""
    board, order, seat = table.board, step.order, step.rest.seat
    converts = tuple(foe for foe in defenders(board, seat, order.province) if _converts(table, step, foe))
    if board.powers[seat].eliminated:
        return
    event = _outcome(table, step, seat if order.convert else next(iter(converts), None))
    captured = next((foe for foe, _ in event.against if board.at(order.province, foe).marker == OLD), None)
    table.emit(event)
    table.then(step.rest.line_done() if event.won else step.rest)
    if event.left == "token" and not PROVINCES[order.province].satellite:
        offer_lift(table, seat, order.province, "won")
    if event.won and captured is not None:
        offer_exchange(table, seat, captured, order.province)


def _outcome(table: Game, step: Fight, by: Seat | None) -> RivalryFought:
    """Return the result: by Conversion of `by`, else by dice; a trial presumes a win."""
    board, province, seat = table.board, step.order.province, step.rest.seat
    power, foes = board.powers[seat], defenders(board, seat, province)
    force = strength.attack(board, seat, province, board.at(province, seat).tokens + step.order.tokens, foes)
    dice = None
    if by is not None:
        won = by == seat
    elif table.trial:
        won = True
        _tell_odds(table, seat, province)
    else:
        dice = _throw(table, seat, step)
        won = strength.wins(power.slot, board.has(seat, "G"), force.weapons > 0, dice)
    left = ""
    if won:
        left = "marker" if power.markers > 0 and not PROVINCES[province].satellite else "token"
    return RivalryFought(
        seat=seat,
        province=province,
        tokens=step.order.tokens,
        via=step.via,
        number=step.number,
        strength=force.total,
        against=tuple((foe, strength.defence(board, foe, province, seat).total) for foe in foes),
        rank=power.slot,
        dice=dice,
        by=by,
        won=won,
        left=left,
    )


def _throw(table: Game, seat: Seat, step: Fight) -> tuple[int, int, int]:
    """§9.5.2  Return three dice rolled at once, including the green one if it cannot help."""
    name = f"rivalry/{table.board.turn}/{step.order.province}/{seat}/{step.number}"
    return table.roll(f"{name}/green"), table.roll(f"{name}/black"), table.roll(f"{name}/white")


def _tell_odds(table: Game, seat: Seat, province: str) -> None:
    chance = strength.odds(table.board, seat, province)
    wins = chance.numerator * (216 // chance.denominator)
    table.note(Problem("odds", {"province": province, "wins": wins, "of": 216}))


def _converts(table: Game, step: Fight, foe: Seat) -> bool:
    """§9.5.2  Return True if a defender uses Conversion, by the powers and provinces in the answer."""
    order = reply(table, step.gate, foe) if step.gate else None
    if not isinstance(order, UseConversion) or not table.board.has(foe, "H"):
        return False
    attacker = table.board.powers[step.rest.seat].capital
    there = not order.provinces or step.order.province in order.provinces
    return there and (not order.against or attacker in order.against)


def refuse_conversion(seen: Seen, decision: Question, order: UseConversion) -> Problem | None:
    """Return why these powers or provinces cannot be named, or None."""
    for province in order.provinces:
        if province not in PROVINCES:
            return Problem("no_such_province", {"province": province}, lasting=True)
    for capital in order.against:
        if seen.board.power_of(capital) is None:
            return Problem("no_such_power", {"power": capital}, lasting=True)
    return None


# --- Manuscripts


def offer_exchange(table: Game, seat: Seat, victim: Seat, province: str) -> None:
    """§9.5.2 Manuscrits, R10, R49  Offer an exchange, once a turn, after capturing an old control marker.

    The victim must lack Manuscripts, and both must have cards.
    """
    board = table.board
    power, loser = board.powers[seat], board.powers[victim]
    if not board.has(seat, "N") or power.exchanged or board.has(victim, "N") or not (power.hand and loser.hand):
        return
    if table.trial:
        table.note(Problem("unforeseen", {"what": "manuscripts", "province": province}))
        return
    gate = ask_reaction(table, "manuscripts", f"{province}/{seat}", (seat,), province=province, victim=loser.capital)
    table.then(SwapCards(seat, victim, province, gate))


def swap_cards(table: Game, step: SwapCards) -> None:
    """§9.5.2  Exchange the first named card in hand for one drawn from the victim's hand; both know both."""
    order = reply(table, step.gate, step.seat)
    board = table.board
    mine, theirs = board.powers[step.seat].hand, board.powers[step.victim].hand
    if not isinstance(order, Exchange) or not theirs:
        return
    held = (board.copy_held(step.seat, card) for card in order.cards if card in CARDS)
    chosen = next((card for card in held if card is not None), None)
    given = next((secret for secret in mine if secret.value == chosen), None)
    if given is None:
        return
    drawn = table.roll(f"manuscripts/{board.turn}/{step.province}/{step.seat}", len(theirs))
    both = (step.seat, step.victim)
    taken = theirs[drawn - 1].shown_to(*both)
    table.emit(CardsExchanged(seat=step.seat, victim=step.victim, given=given.shown_to(*both), taken=taken))


def refuse_exchange(seen: Seen, decision: Question, order: Exchange) -> Problem | None:
    """§9.5.2  Require one of the cards in hand; in advance, any card is accepted."""
    if not decision.limits and order.cards:
        return None
    held = (seen.board.copy_held(decision.seat, card) for card in order.cards if card in CARDS)
    if any(card is not None for card in held):
        return None
    return Problem("card_not_held", {"cards": order.cards})
