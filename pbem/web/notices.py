"""The links at the foot of letters: no more letters, leave the game.  Looking at a page never does anything."""

from flask import request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from pbem.service.access import inviting, letter_choices, people
from pbem.service.access.letter_choices import Choices
from pbem.service.base.services import Refused
from pbem.service.post import unsubscribing
from pbem.service.seats import substitutes
from pbem.states import GameState
from pbem.vault import new_token
from pbem.web.fields import sent
from pbem.web.site import PageVisit, page
from pbem.web.visitor import see


def mute(visit: PageVisit) -> ResponseReturnValue:
    """Stop the letters of this table or let them come again, and choose how much mail one gets of all."""
    act = request.form.get("letters")
    if sent() and act in ("on", "off"):
        (unsubscribing.stop if act == "off" else unsubscribing.resume)(visit.services, visit.me.id, visit.game)
        if act == "on":
            people.mute(visit.services, visit.me.id, False)
        return see(f"/games/{visit.game}/mute")
    if sent():
        wanted = Choices(request.form.get("amount", ""), "page_receipts" in request.form, "pictures" in request.form)
        if not letter_choices.choose(visit.services, visit.me.id, wanted):
            return _letters(visit), 422
        return see(f"/games/{visit.game}/mute")
    return _letters(visit)


def _letters(visit: PageVisit) -> str:
    chosen = letter_choices.chosen(visit.services, visit.me.id)
    quiet = visit.me.muted or unsubscribing.is_stopped(visit.services, visit.me.id, visit.game)
    return page(visit, "mute.html", muted=quiet, chosen=chosen, amounts=letter_choices.AMOUNTS)


def unsubscribe(visit: PageVisit, token: str, table: str) -> ResponseReturnValue:
    """Stop the letters of a table, or send them again, by the link of a letter and without signing in.

    A mail program may send the POST itself (RFC 8058).
    """
    person = people.muting(visit.services, token)
    if person is None:
        raise NotFound
    again = request.form.get("letters") == "on"
    if sent():
        (unsubscribing.resume if again else unsubscribing.stop)(visit.services, person.id, table)
    reader = PageVisit(visit.site, None, person.language)
    return page(reader, "unsubscribe.html", done=sent() and not again, again=sent() and again)


def invitations(visit: PageVisit, token: str) -> ResponseReturnValue:
    """End all invitations to a person, or let them come again, by the link of a letter that asked them something.

    Looking does nothing; a mail program may send the POST itself (RFC 8058), which ends them.
    """
    person = inviting.whose(visit.services, token)
    if person is None:
        raise NotFound
    if sent():
        inviting.settle(visit.services, person.id, wanted=request.form.get("invitations") == "on")
    reader = PageVisit(visit.site, None, person.language)
    return page(reader, "invitations.html", wanted=inviting.is_wanted(visit.services, person.id))


def leave(visit: PageVisit) -> ResponseReturnValue:
    """Give one's seat up: a page that says what it means, and a button that asks for a second consent."""
    if visit.place is None or visit.place.state != GameState.RUNNING:
        raise NotFound
    if not sent():
        return page(visit, "leave.html", outcome="", form=new_token())
    if request.form.get("sure") != "yes":
        return page(visit, "leave.html", outcome="unsure", form=new_token()), 422
    try:
        substitutes.resign_signed_in(visit.services, visit.me.id, visit.game)
    except Refused:
        return page(visit, "leave.html", outcome="closed", form=new_token()), 409
    return page(visit, "leave.html", outcome="done", form=new_token())
