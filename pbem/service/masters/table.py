"""A master's acts about the table: how it stands, a word to all, what it has settled, and looking behind the screen."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from sqlalchemy import select

from engine.kernel.catalogues import words
from engine.kernel.forms import Choice, Form, Slot
from engine.kernel.names import Seat
from engine.kernel.orders import Order
from pbem.narration.facts import ReportFacts, Said
from pbem.service.access import masters
from pbem.service.base.calendar import MINUTE_MS
from pbem.service.base.services import Refused
from pbem.service.game import frames, views
from pbem.service.masters.clock import Look as Ahead
from pbem.service.masters.clock import blocking, held_seats, look
from pbem.service.masters.forms import names, one, row_of, seat_slot, text_slot
from pbem.service.masters.opening import OPEN
from pbem.service.masters.people import ANY_STATE
from pbem.service.masters.registry import Action, Desk, Outcome, register
from pbem.service.post.outbox import draft
from pbem.service.seats import applications, offered_seats
from pbem.service.time import pauses
from pbem.store.models import Command, LetterOut
from pbem.store.models_master import Asking
from pbem.vault import new_token

LONGEST_TEXT: Final = 2000


class Status(Order):
    """How the table stands."""


class Broadcast(Order):
    """A word to all."""

    text: str = ""


class Switch(Order):
    """Something that a table has, or has not."""

    on: str


class TwoPersons(Switch):
    """Dangerous acts need a second master."""


class Approval(Switch):
    """Whoever wants a seat must be approved."""


class Patience(Order):
    """After how many days without a sign of life the seats may elect another master."""

    days: int


class Open(Order):
    """Look beyond what everybody sees."""

    what: str
    seat: str = ""


# --- how it stands


def status(desk: Desk, order: Status) -> Outcome:
    """Everything that a master should know, and that everybody may."""
    table = masters.settled(desk.session, desk.game)
    said = [
        Said("masters", {"names": tuple(user.name for user in masters.masters_of(desk.session, desk.game)),
                         "two": table.two, "approval": table.approval, "days": table.gone_days}),
        Said("state", {"state": desk.game.state, "entry": desk.game.entry}),
    ]  # fmt: skip
    if desk.game.state == "running":
        said += [*look(desk, Ahead()).said, *_deadlines(desk), *_standing_still(desk)]
    said += _asking(desk)
    if table.called_at is not None:
        said.append(Said("called", {"moment": table.called_at // 1000}))
    return Outcome((*said, *_waiting_acts(desk)))


def _asking(desk: Desk) -> list[Said]:
    """Who asks for a seat, and who is asked whether he takes one."""
    found = []
    for row, user in applications.waiting(desk.session, desk.game.id):
        who: dict[str, object] = {"name": user.name, "address": user.address}
        place = row.seat != applications.ANY
        found.append(Said("asked_for", {**who, "seat": names(desk)[row.seat]}) if place else Said("asked_in", who))
    for row, user in offered_seats.pending(desk.session, desk.game.id):
        terms = {"name": user.name, "seat": names(desk)[row.seat], "moment": offered_seats.until(row)}
        found.append(Said("offer_waits", terms))
    return found


def _deadlines(desk: Desk) -> list[Said]:
    due = sorted({row.due_at for row in blocking(desk) if row.due_at is not None})
    return [Said("deadline_is", {"moment": moment // 1000}) for moment in due[:1]]


def _standing_still(desk: Desk) -> list[Said]:
    found = []
    still = pauses.paused(desk.session, desk.game.id)
    if still is not None:
        found.append(Said("stands_still", {"moment": still.began_at // 1000, "cause": still.cause}))
    held = held_seats(desk)
    if held:
        found.append(Said("held_seats", {"names": tuple(names(desk)[seat] for seat in held)}))
    return found


def _waiting_acts(desk: Desk) -> list[Said]:
    waits = Asking.game_id == desk.game.id, Asking.line != "", Asking.used_at.is_(None), Asking.entry == desk.game.entry
    return [Said("agree_waits", {"line": row.line}) for row in desk.session.scalars(select(Asking).where(*waits))]


# --- a word to all


def _text(desk: Desk, order: Broadcast) -> str:
    text = " ".join(" ".join((order.text, *desk.body)).split())
    if not text:
        raise Refused("no_text")
    if len(text) > LONGEST_TEXT:
        raise Refused("too_long", most=LONGEST_TEXT)
    return text


def _would_broadcast(desk: Desk, order: Broadcast) -> Outcome:
    return Outcome((Said("would_broadcast", {"text": _text(desk, order)}),))


def _broadcast(desk: Desk, order: Broadcast) -> Outcome:
    text = _text(desk, order)
    told = (Said("broadcast", {"text": text}),)
    return Outcome((Said("was_broadcast"),), tells=told, reason=text)


# --- what a table has settled


def _would_two(desk: Desk, order: TwoPersons) -> Outcome:
    if order.on == "on" and len(masters.masters_of(desk.session, desk.game)) < 2:
        raise Refused("no_second_master")
    return Outcome((Said(f"would_two_{order.on}"),))


def _two(desk: Desk, order: TwoPersons) -> Outcome:
    _would_two(desk, order)
    masters.settled(desk.session, desk.game).two = order.on == "on"
    return Outcome((Said(f"two_{order.on}"),))


def _would_approval(desk: Desk, order: Approval) -> Outcome:
    return Outcome((Said(f"would_approval_{order.on}"),))


def _approval(desk: Desk, order: Approval) -> Outcome:
    masters.settled(desk.session, desk.game).approval = order.on == "on"
    return Outcome((Said(f"approval_{order.on}"),))


def _would_patience(desk: Desk, order: Patience) -> Outcome:
    return Outcome((Said("would_patience", {"days": order.days}),))


def _patience(desk: Desk, order: Patience) -> Outcome:
    masters.settled(desk.session, desk.game).gone_days = order.days
    return Outcome((Said("patience", {"days": order.days}),))


# --- behind the screen


def _would_open(desk: Desk, order: Open) -> Outcome:
    """Everybody is told before anything is shown; sealed orders that are not carried out are shown to nobody."""
    if order.what != "deck" and not order.seat:
        raise Refused("whose")
    terms = {"name": names(desk)[order.seat] if order.seat else "", "what": order.what}
    mine = masters.standing(desk.session, desk.game, desk.user.id).seat
    if mine is not None and (order.what == "deck" or order.seat != mine):
        raise Refused("plays_himself")
    return Outcome((Said("would_open", terms),))


def _open(desk: Desk, order: Open) -> Outcome:
    terms = dict(_would_open(desk, order).said[0].terms)
    for row in masters.rows_of(desk.session, desk.game, desk.now):
        if row.user_id == desk.user.id:
            row.blind = False
    if order.what in ("deck", "orders"):
        _ask_play(desk, order)
    else:
        _show_seat(desk, order.seat)
    return Outcome((Said("opens", terms),), tells=(Said("opened", terms),))


def _show_seat(desk: Desk, seat: str) -> None:
    """What the seat sees goes out to the master, after the letters that tell everybody."""
    key = f"{desk.game.id}.{desk.user.id}.{desk.mark}.opened"
    draft(desk.office, desk.session, key=key, kind="opened", facts=seen_of(desk, seat), user_id=desk.user.id,
          game_id=desk.game.id, entry=desk.game.entry)  # fmt: skip
    desk.session.flush()
    desk.session.get_one(LetterOut, key).due_at = desk.now + MINUTE_MS


def seen_of(desk: Desk, seat: str) -> ReportFacts:
    """A seat's own view, as a letter that takes no answer."""
    frame = frames.frame_of(desk.office, desk.session, desk.game, seat, desk.user, "", desk.now)
    frame = replace(frame, links=replace(frame.links, leave="", mute=""))
    return ReportFacts(frame, views.last_view(desk.office, desk.session, desk.game, Seat(row_of(desk, seat).seat)))


def _ask_play(desk: Desk, order: Open) -> None:
    request = f"{desk.user.id} {order.what} {desk.mark}".encode()
    desk.session.add(
        Command(id=new_token(), kind=OPEN, game_id=desk.game.id, seat=order.seat or None, state="asked",
                request=request, made_at=desk.now)
    )  # fmt: skip
    desk.game.play_wanted = desk.game.play_wanted or desk.now


def _open_forms(desk: Desk) -> Sequence[Form]:
    what = (
        Choice("seat", words("place|la place|siège", "seat|the seat")),
        Choice("hand", words("main|la main", "hand|the hand")),
        Choice("deck", words("pioche|la pioche|le paquet", "deck|the deck")),
        Choice("orders", words("ordres|les ordres", "orders|the orders")),
    )
    slots = (
        Slot("what", "what", words("quoi", "what"), what),
        seat_slot(desk, optional=True),
    )
    return (Form(words("OUVRIR", "OPEN"), Open, slots, about=words(
        "Voir ce qui est caché ; toute la table l'apprend d'abord. Jamais d'ordres scellés.",
        "See what is hidden; everyone is told first. Never sealed orders.")),)  # fmt: skip


_ON: Final = Slot("on", "switch", words("oui ou non", "on or off"), (
    Choice("on", words("OUI|ON", "ON|YES")), Choice("off", words("NON|OFF", "OFF|NO")),
))  # fmt: skip

register(Action("status", one(Form(words("ÉTAT|STATUT", "STATUS"), Status, about=words(
    "Où en est la table, et qui elle attend.", "How the table stands, and who it is waiting for."))),
    status, status, looks=True, states=ANY_STATE))  # fmt: skip
register(Action("broadcast", one(Form(words("ANNONCER|ANNONCE", "BROADCAST|ANNOUNCE"), Broadcast, (
    text_slot("text", words("texte", "text"), optional=True),
), about=words("Écrire à toute la table ; le texte peut suivre, jusqu'à FIN.",
               "Write to the whole table; the text may follow, up to END."))),
    _would_broadcast, _broadcast, body=True, states=frozenset({"running", "over"})))  # fmt: skip
register(Action("two_persons", one(Form(words("DEUX PERSONNES", "TWO PERSONS|TWO-PERSON"), TwoPersons, (_ON,),
    about=words("Exiger l'accord d'un second maître pour les actes graves.",
                "Require a second master to agree to serious acts."))),
    _would_two, _two, second=True, states=ANY_STATE))  # fmt: skip
register(Action("approval", one(Form(words("APPROBATION", "APPROVAL"), Approval, (_ON,), about=words(
    "Exiger votre accord avant qu'une place soit prise.", "Require your consent before anyone takes a seat."))),
    _would_approval, _approval, states=ANY_STATE))  # fmt: skip
register(Action("patience", one(Form(words("PATIENCE", "PATIENCE"), Patience, (
    Slot("days", "number", words("jours", "days"), low=2, high=60),
), about=words("Nombre de jours sans nouvelles du maître au bout duquel la table peut en élire un autre.",
               "How many days the master may be silent before the table can elect another."))),
    _would_patience, _patience, states=ANY_STATE))  # fmt: skip
register(Action("open", _open_forms, _would_open, _open, dangerous=True, second=True, consent=True,
                person=True))  # fmt: skip
