"""The links at the foot of letters: no more letters, leave the game.  Looking at a page never does anything."""

from flask import request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from pbem.common.states import GameState
from pbem.crypto import new_token
from pbem.service.access import mail_preferences, users
from pbem.service.access.mail_preferences import MailPreferences
from pbem.service.base.services import RequestRefused
from pbem.service.mail import notifications
from pbem.service.seats import substitutes
from pbem.web.access import redirect_to
from pbem.web.form_input import is_post
from pbem.web.site import PageRequest, render_page


def mute_game(visit: PageRequest) -> ResponseReturnValue:
    """Stop the letters of this table or let them come again, and choose how much mail one gets of all."""
    act = request.form.get("letters")
    if is_post() and act in ("on", "off"):
        (notifications.mute_game if act == "off" else notifications.unmute_game)(
            visit.services, visit.me.id, visit.game
        )
        if act == "on":
            users.set_muted(visit.services, visit.me.id, False)
        return redirect_to(f"/games/{visit.game}/mute")
    if is_post():
        wanted = MailPreferences(
            request.form.get("amount", ""), "page_receipts" in request.form, "pictures" in request.form
        )
        if not mail_preferences.update_preferences(visit.services, visit.me.id, wanted):
            return _set_game_muted(visit), 422
        return redirect_to(f"/games/{visit.game}/mute")
    return _set_game_muted(visit)


def _set_game_muted(visit: PageRequest) -> str:
    chosen = mail_preferences.load_preferences_by_id(visit.services, visit.me.id)
    quiet = visit.me.muted or notifications.is_game_muted(visit.services, visit.me.id, visit.game)
    return render_page(visit, "mail_preferences.html", muted=quiet, chosen=chosen, amounts=mail_preferences.AMOUNTS)


def unsubscribe(visit: PageRequest, token: str, table: str) -> ResponseReturnValue:
    """Stop the letters of a table, or send them again, by the link of a letter and without signing in.

    A mail program may send the POST itself (RFC 8058).
    """
    person = users.user_of_unsubscribe_token(visit.services, token)
    if person is None:
        raise NotFound
    again = request.form.get("letters") == "on"
    if is_post():
        (notifications.unmute_game if again else notifications.mute_game)(visit.services, person.id, table)
    reader = PageRequest(visit.site, None, person.language)
    return render_page(reader, "unsubscribe.html", done=is_post() and not again, again=is_post() and again)


def edit_invitations(visit: PageRequest, token: str) -> ResponseReturnValue:
    """End all invitations to a person, or let them come again, by the link of a letter that asked them something.

    Looking does nothing; a mail program may send the POST itself (RFC 8058), which ends them.
    """
    person = users.user_of_unsubscribe_token(visit.services, token)
    if person is None:
        raise NotFound
    if is_post():
        mail_preferences.set_invitation_opt_out_by_user(
            visit.services, person.id, wanted=request.form.get("invitations") == "on"
        )
    reader = PageRequest(visit.site, None, person.language)
    return render_page(
        reader, "invitations.html", wanted=mail_preferences.accepts_invitations(visit.services, person.id)
    )


def resign(visit: PageRequest) -> ResponseReturnValue:
    """Give one's seat up: a page that says what it means, and a button that asks for a second consent."""
    if visit.membership is None or visit.membership.state != GameState.RUNNING:
        raise NotFound
    if not is_post():
        return render_page(visit, "resign.html", outcome="", form=new_token())
    if request.form.get("sure") != "yes":
        return render_page(visit, "resign.html", outcome="unsure", form=new_token()), 422
    try:
        substitutes.offer_own_seat(visit.services, visit.me.id, visit.game)
    except RequestRefused:
        return render_page(visit, "resign.html", outcome="closed", form=new_token()), 409
    return render_page(visit, "resign.html", outcome="done", form=new_token())
