"""The links at the foot of letters: no more letters, leave the game.  Looking at a page never does anything."""

from flask import request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from pbem.service.access import people
from pbem.service.base.services import Refused
from pbem.service.seats import substitutes
from pbem.states import GameState
from pbem.vault import new_token
from pbem.web.fields import sent
from pbem.web.site import PageVisit, page
from pbem.web.visitor import see


def mute(visit: PageVisit) -> ResponseReturnValue:
    """Stop one's letters, or let them come again."""
    if sent():
        people.mute(visit.services, visit.me.id, request.form.get("letters") != "on")
        return see(f"/games/{visit.game}/mute")
    return page(visit, "mute.html", muted=visit.me.muted)


def unsubscribe(visit: PageVisit, token: str) -> ResponseReturnValue:
    """The same without signing in, by the link of a letter; a mail program may send the POST itself (RFC 8058)."""
    person = people.muting(visit.services, token)
    if person is None:
        raise NotFound
    if sent():
        people.mute(visit.services, person.id, True)
    reader = PageVisit(visit.site, None, person.language)
    return page(reader, "unsubscribe.html", done=sent(), token=token)


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
