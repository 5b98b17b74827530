"""Signing in by a mailed link, signing out, and how one reads: language, name, zone."""

from flask import Response, request, session
from flask.typing import ResponseReturnValue

from engine.kernel.languages import LANGUAGES
from pbem.addresses import is_address
from pbem.service.access import inviting, people
from pbem.service.base.services import Refused
from pbem.service.seats import signing_in
from pbem.vault import is_token
from pbem.web import rates
from pbem.web.fields import sent
from pbem.web.site import NEXT, PageVisit, page
from pbem.web.visitor import LANGUAGE, SHARED, SIGNED, local, see


def sign_in(visit: PageVisit) -> ResponseReturnValue:
    """Ask for a link.  The answer is the same whatever the address: it tells nobody who plays here."""
    if not sent():
        return page(visit, "sign_in.html", sent=False)
    address = request.form.get("address", "")
    if is_address(address):
        signing_in.ask_sign_in(visit.services, address, visit.language, rates.line())
    return page(visit, "sign_in.html", sent=True)


def signing_keys(visit: PageVisit) -> ResponseReturnValue:
    """The public keys with which the server signs receipts, a role and a key on each line."""
    return Response(visit.services.verify.text(), mimetype="text/plain")


def enter(visit: PageVisit, token: str) -> ResponseReturnValue:
    """The mailed link: looking at it does nothing, its button signs in, once."""
    if not sent():
        return page(visit, "enter.html", token=token if is_token(token) else "", failed=False)
    user = signing_in.sign_in(visit.services, token) if is_token(token) else None
    if user is None:
        return page(visit, "enter.html", token="", failed=True), 410
    wanted = str(session.get(NEXT, "/"))
    begin(visit, user)
    if SHARED in request.form:
        session[SHARED] = True
    return see(local(wanted))


def begin(visit: PageVisit, user: int, *, proved: bool = True) -> None:
    """From here on this browser is this person's; `proved`: they came by a letter to their address."""
    _forget(visit)
    session[SIGNED] = people.open_session(visit.services, user, proved=proved)
    session.permanent = True


def _forget(visit: PageVisit) -> None:
    """Nothing of the session before survives signing in or out: neither its number nor its form key."""
    if before := str(session.get(SIGNED, "")):
        people.close_session(visit.services, before)
    session.clear()


def sign_out(visit: PageVisit) -> ResponseReturnValue:
    """End the session, here and for any copy of its cookie."""
    _forget(visit)
    session[LANGUAGE] = visit.language
    answer = see("/")
    answer.headers["Clear-Site-Data"] = '"storage"'  # what the play page kept of orders in this browser
    return answer


def language(visit: PageVisit) -> ResponseReturnValue:
    """Switch the language of the pages, and, for a person who is signed in, of their letters."""
    chosen = request.form.get("language", "")
    if chosen in LANGUAGES:
        session[LANGUAGE] = chosen
        if visit.person is not None:
            people.set_language(visit.services, visit.person.id, chosen)
    return see(local(request.form.get("back", "/")))


def settings(visit: PageVisit) -> ResponseReturnValue:
    """Name and zone, and whether one can be invited."""
    if not sent():
        return _settings(visit, visit.me.name, visit.me.zone)
    if "invitations" in request.form:
        inviting.settle(visit.services, visit.me.id, wanted=request.form["invitations"] == "on")
        return _settings(visit, visit.me.name, visit.me.zone, done=True)
    name, zone = request.form.get("name", ""), request.form.get("zone", "").strip()
    problem = ""
    try:
        if not people.settle(visit.services, visit.me.id, name=name, zone=zone):
            problem = visit.say("settings.refused")
    except Refused as refused:
        problem = visit.say(f"refused.{refused.code}", **refused.terms)
    answer = _settings(visit, name, zone, problem, done=not problem)
    return (answer, 422) if problem else answer


def _settings(visit: PageVisit, name: str, zone: str, problem: str = "", *, done: bool = False) -> str:
    wanted = inviting.is_wanted(visit.services, visit.me.id)
    return page(visit, "settings.html", done=done, problem=problem, name=name, zone=zone, wanted=wanted)
