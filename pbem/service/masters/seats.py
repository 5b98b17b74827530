"""A master's acts about seats: answer for one, replace or remove its player, put it out as the rulebook says."""

from dataclasses import replace
from typing import Any, Final

from engine.kernel.catalogues import words
from engine.kernel.codec import dump
from engine.kernel.forms import Form
from engine.kernel.names import Seat
from engine.kernel.orders import Clause, Decision, Line, Order
from engine.kernel.parse import read_letter
from engine.kernel.secrets import seen_by
from pbem.narration.facts import Said
from pbem.service.base import limits
from pbem.service.base.answer_state import submitted
from pbem.service.base.services import Refused
from pbem.service.game import ballots, frames, views
from pbem.service.game.journal import Filed
from pbem.service.masters.forms import names, of_seat, row_of, seat_slot, text_slot
from pbem.service.masters.people import ADDRESS, called, known, person
from pbem.service.masters.registry import Action, Desk, Outcome, register
from pbem.service.orders import receiving
from pbem.service.orders.submission import Ticket
from pbem.service.post import receipts
from pbem.service.seats import offered_seats, seat_offers, substitutes
from pbem.store.games import open_decisions
from pbem.store.models import DecisionRow, SeatRow, User
from pbem.store.models_master import Application

MOST_LINES: Final = 200


class AnswerFor(Order):
    """Answer for a seat: its player is told, with the lines."""

    seat: str


class Replace(Order):
    """Ask somebody to take a seat over."""

    seat: str
    address: str


class TakeBack(Order):
    """Whoever was asked to take a seat is asked no more."""

    seat: str


class Eject(Order):
    """Remove a player: the seat looks for another one."""

    seat: str


class Eliminate(Order):
    """Eliminate a seat for good, as the rulebook says."""

    seat: str


# --- answering


def _sitting(desk: Desk, seat: str) -> tuple[SeatRow, User]:
    row = row_of(desk, seat)
    user = desk.session.get(User, row.user_id) if row.user_id is not None else None
    if user is None:
        raise Refused("seat_empty", name=names(desk)[seat])
    return row, user


def _ticket(desk: Desk, seat: str) -> Ticket:
    """The way of a letter of that seat, with what its receipt says of who wrote it."""
    row, user = _sitting(desk, seat)
    token = frames.new_reply_token(desk.session, desk.game.id, row.seat, desk.game.entry, desk.now)
    return Ticket(desk.game, row, user, desk.game.entry, token, ("by_master",))


def _would_answer(desk: Desk, order: AnswerFor) -> Outcome:
    """What can be said without looking into the seat's hand: which lines could be read as orders at all."""
    if not any(line.strip() for line in desk.body) or len(desk.body) > MOST_LINES:
        raise Refused("no_lines")
    row, _ = _sitting(desk, order.seat)
    if not any(one.blocking for one in open_decisions(desk.session, desk.game.id, row.seat)):
        raise Refused("not_asked", name=names(desk)[order.seat])
    laid = receiving.lay_open(desk.office, desk.session, _ticket(desk, order.seat), desk.body, dry=True)
    reading = read_letter(list(desk.body), laid.grammar)
    read = sum(1 for lot in reading.sets.values() for line in lot.lines if line.line is not None)
    passed = any(lot.passed for lot in reading.sets.values())
    unread = tuple(line.text for lot in reading.sets.values() for line in lot.lines if line.line is None)
    unread = (*unread, *(line.text for line in reading.astray), *(text for _, text in reading.skipped))
    if not read and not passed and not reading.riders:
        raise Refused("no_orders")
    return Outcome((Said("would_answer", {"name": names(desk)[order.seat], "read": read, "unread": unread}),))


def _answer(desk: Desk, order: AnswerFor) -> Outcome:
    """Judge and seal them as any order; whether and why one cannot stand is told to the seat's player alone.

    It would say something of what he holds: the master hears the same either way.
    """
    _would_answer(desk, order)
    row, user = _sitting(desk, order.seat)
    laid = receiving.lay_open(desk.office, desk.session, _ticket(desk, order.seat), desk.body, dry=False)
    laid.reading, laid.said = replace(laid.reading, commands=()), ()  # nobody resigns, is away or talks for another
    facts = receiving.judged(laid, desk.body)
    receipts.file_receipt(desk.office, desk.session, desk.game, row, user, f"receipt.{desk.game.id}.{desk.mark}", facts)
    receipts.want_play(desk.office, desk.session, desk.game)
    return Outcome((Said("answered", {"name": names(desk)[order.seat]}),))


# --- other players


def _would_replace(desk: Desk, order: Replace) -> Outcome:
    name, found = called(desk, order.address), known(desk, order.address)
    if found is not None and not substitutes.may_sit(desk.session, desk.game.id, found.id):
        raise Refused("sat_before", name=found.name)
    asked = offered_seats.of_seat(desk.session, desk.game.id, order.seat)
    if asked is not None:
        raise Refused("offered_already", seat=names(desk)[order.seat], name=asked[1].name)
    return Outcome((Said("would_offer", {"seat": names(desk)[order.seat], "name": name}),))


def _replace(desk: Desk, order: Replace) -> Outcome:
    """Whoever is named is asked; the seat is his when he says yes."""
    _would_replace(desk, order)
    if limits.over(desk.office, desk.session, "invitations", str(desk.user.id)):
        raise Refused("asked_too_often")
    user, row = person(desk, order.address), row_of(desk, order.seat)
    made = seat_offers.offer(desk.office, desk.session, desk.game, row, user, desk.user)
    said = (
        Said("offered_to", {"seat": names(desk)[order.seat], "name": user.name, "moment": offered_seats.until(made)}),
    )
    return Outcome(said, tells=said)


def _offered(desk: Desk, seat: str) -> tuple[Application, User]:
    found = offered_seats.of_seat(desk.session, desk.game.id, seat)
    if found is None:
        raise Refused("nothing_offered", name=names(desk)[seat])
    return found


def _would_take_back(desk: Desk, order: TakeBack) -> Outcome:
    _, user = _offered(desk, order.seat)
    return Outcome((Said("would_take_back", {"seat": names(desk)[order.seat], "name": user.name}),))


def _take_back(desk: Desk, order: TakeBack) -> Outcome:
    row, user = _offered(desk, order.seat)
    offered_seats.close(desk.office, desk.session, desk.game, row, user, "taken_back")
    said = (Said("took_back", {"seat": names(desk)[order.seat], "name": user.name}),)
    return Outcome(said, tells=said)


def _would_eject(desk: Desk, order: Eject) -> Outcome:
    _, user = _sitting(desk, order.seat)
    return Outcome((Said("would_eject", {"name": user.name}),))


def _eject(desk: Desk, order: Eject) -> Outcome:
    row, user = _sitting(desk, order.seat)
    substitutes.eject(desk.office, desk.session, desk.game, row)
    said = (Said("ejected", {"name": user.name}),)
    return Outcome(said, tells=said)


# --- out for good


def way_out(desk: Desk, seat: str) -> tuple[DecisionRow, Decision, Order]:
    """The question by which the rulebook lets a seat out, and the order that says so; raises Refused."""
    seen = views.last_view(desk.office, desk.session, desk.game, Seat(seat))
    rules, asked = desk.office.rules(desk.game.title), open_decisions(desk.session, desk.game.id, seat)
    rows = {row.gate: row for row in asked}
    for decision in seen.core.open:
        if decision.seat == seat and rules.meta.topic(decision.asks).quits and decision.gate in rows:
            with seen_by(Seat(seat)):
                form = next(iter(rules.forms(seen, decision)))
            return rows[decision.gate], decision, form.make({slot.name: slot.unsaid for slot in form.slots})
    raise Refused("no_way_out", name=names(desk)[seat])


def put_out(desk: Desk, seat: str) -> None:
    """File the order that lets the seat out, where it acts at once; what its player had filed stays unread."""
    row, _, order = way_out(desk, seat)
    keys = desk.office.accepting
    context = ballots.next_context(desk.session, desk.game.id, row.gate, row.opening_entry, seat, "orders")
    content = dump(Filed((Line((Clause(order),)),))).encode()
    key = ballots.sealing_key(desk.game, keys.verify)
    ballots.file(desk.office, desk.session, key, keys.signing, context, content)
    submitted(row, desk.now, passed=False)
    desk.game.play_wanted = desk.game.play_wanted or desk.now


def _would_eliminate(desk: Desk, order: Eliminate) -> Outcome:
    way_out(desk, order.seat)
    return Outcome((Said("would_eliminate", {"name": names(desk)[order.seat]}),))


def _eliminate(desk: Desk, order: Eliminate) -> Outcome:
    put_out(desk, order.seat)
    return Outcome((Said("eliminated", {"name": names(desk)[order.seat]}),))


def _answer_forms(desk: Desk) -> Any:
    return (Form(words("RÉPONDRE POUR", "ANSWER FOR"), AnswerFor, (seat_slot(desk),), about=words(
        "Répondre pour une place : ses ordres suivent, un par ligne, jusqu'à FIN. Son joueur les lira.",
        "Answer for a seat: its orders follow, one a line, up to END. Its player will read them.")),)  # fmt: skip


def _replace_forms(desk: Desk) -> Any:
    slots = (seat_slot(desk), text_slot("address", ADDRESS, lead=words("PAR", "BY")))
    return (Form(words("REMPLACER", "REPLACE"), Replace, slots, about=words(
        "Proposer une place à quelqu'un d'autre ; l'échange se fait avec son accord.",
        "Offer a seat to someone else; it is theirs once they accept.")),)  # fmt: skip


register(Action("answer", _answer_forms, _would_answer, _answer, body=True))
register(Action("replace", _replace_forms, _would_replace, _replace, dangerous=True, second=True))
register(Action("take_back", of_seat(words("REPRENDRE L'OFFRE|REPRENDRE", "TAKE BACK"), TakeBack, words(
    "Retirer l'offre d'une place, tant qu'elle n'est pas acceptée.",
    "Withdraw the offer of a seat that nobody has accepted yet.")), _would_take_back, _take_back))  # fmt: skip
register(Action("eject", of_seat(words("EXCLURE", "EJECT"), Eject, words(
    "Exclure un joueur ; sa place est proposée à d'autres.", "Remove a player; their seat is offered to others.")),
    _would_eject, _eject, dangerous=True, second=True))  # fmt: skip
register(Action("eliminate", of_seat(words("ÉLIMINER", "ELIMINATE"), Eliminate, words(
    "Éliminer une place pour de bon, selon la règle du jeu.",
    "Eliminate a seat for good, as the rulebook says.")),
    _would_eliminate, _eliminate, dangerous=True, second=True, consent=True))  # fmt: skip
