"""Signing in by a mailed link, signing out, and how one reads: language, name, zone."""

from flask import Response, request, session
from flask.typing import ResponseReturnValue

from engine.kernel.languages import LANGUAGES
from pbem.common.addresses import is_address
from pbem.crypto import is_token
from pbem.service.access import mail_preferences, users
from pbem.service.base.services import RequestRefused
from pbem.service.seats.sign_in import Asker, redeem_link, request_sign_in
from pbem.web import known_browsers, rates
from pbem.web.access import LANGUAGE, SHARED, SIGNED, redirect_to, safe_path
from pbem.web.form_input import browser_zone, is_post
from pbem.web.site import NEXT, PageRequest, render_page


def sign_in(visit: PageRequest) -> ResponseReturnValue:
    """Ask for a link.  The answer is the same whatever the address: it tells nobody who plays here."""
    if not is_post():
        return render_page(visit, "sign_in.html", sent=False)
    address = request.form.get("address", "")
    if is_address(address):
        request_sign_in(visit.services, address, visit.language, _asker(visit, address))
    return render_page(visit, "sign_in.html", sent=True)


def _asker(visit: PageRequest, address: str) -> Asker:
    guest = visit.person.id if visit.person is not None and visit.person.is_unverified else 0
    return Asker(rates.client_key(), known_browsers.recognize(address), guest)


def show_signing_keys(visit: PageRequest) -> ResponseReturnValue:
    """The public keys with which the server signs receipts, a role and a key on each line."""
    return Response(visit.services.verify.text(), mimetype="text/plain")


def complete_sign_in(visit: PageRequest, token: str) -> ResponseReturnValue:
    """The mailed link: looking at it does nothing, its button signs in, once."""
    if not is_post():
        return render_page(visit, "complete_sign_in.html", token=token if is_token(token) else "", failed=False)
    user = redeem_link(visit.services, token) if is_token(token) else None
    if user is None:
        return render_page(visit, "complete_sign_in.html", token="", failed=True), 410
    wanted = str(session.get(NEXT, "/"))
    start_session(visit, user)
    answer = redirect_to(safe_path(wanted))
    if SHARED in request.form:
        session[SHARED] = True
    elif (person := users.user_of_session(visit.services, str(session[SIGNED]))) is not None:
        known_browsers.remember(answer, person.address)
    return answer


def start_session(visit: PageRequest, user: int) -> None:
    """From here on this browser is this person's."""
    _clear_cookies(visit)
    session[SIGNED] = users.open_session(visit.services, user, browser_zone())
    session.permanent = True


def _clear_cookies(visit: PageRequest) -> None:
    """Nothing of the session before survives signing in or out: neither its number nor its form key."""
    if before := str(session.get(SIGNED, "")):
        users.close_session(visit.services, before)
    session.clear()


def sign_out(visit: PageRequest) -> ResponseReturnValue:
    """End the session, here and for any copy of its cookie."""
    _clear_cookies(visit)
    session[LANGUAGE] = visit.language
    answer = redirect_to("/")
    answer.headers["Clear-Site-Data"] = '"storage"'  # what the play page kept of orders in this browser
    return answer


def change_language(visit: PageRequest) -> ResponseReturnValue:
    """Switch the language of the pages, and, for a person who is signed in, of their letters."""
    chosen = request.form.get("language", "")
    if chosen in LANGUAGES:
        session[LANGUAGE] = chosen
        if visit.person is not None:
            users.set_language(visit.services, visit.person.id, chosen)
    return redirect_to(safe_path(request.form.get("back", "/")))


def edit_settings(visit: PageRequest) -> ResponseReturnValue:
    """Name and zone, and whether one can be invited."""
    if not is_post():
        return _save_settings(visit, visit.me.name, visit.me.zone)
    if "invitations" in request.form:
        mail_preferences.set_invitation_opt_out_by_user(
            visit.services, visit.me.id, wanted=request.form["invitations"] == "on"
        )
        return _save_settings(visit, visit.me.name, visit.me.zone, done=True)
    name, zone = request.form.get("name", visit.me.name), request.form.get("zone", "").strip()
    problem = ""
    try:
        if not users.update_profile(visit.services, visit.me.id, name=name, zone=zone):
            problem = visit.translate("settings.refused")
    except RequestRefused as refused:
        problem = visit.refusal(refused)
    answer = _save_settings(visit, name, zone, problem, done=not problem)
    return (answer, 422) if problem else answer


def _save_settings(visit: PageRequest, name: str, zone: str, problem: str = "", *, done: bool = False) -> str:
    wanted = mail_preferences.accepts_invitations(visit.services, visit.me.id)
    return render_page(visit, "settings.html", done=done, problem=problem, name=name, zone=zone, wanted=wanted)
