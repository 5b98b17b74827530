"""A table that forms: its link, its bots, its invitations, and giving it up; and the page that the link leads to."""

from collections.abc import Callable, Mapping

from flask import request
from flask.typing import ResponseReturnValue

from pbem.service.access.permissions import find_membership
from pbem.service.base.services import RequestRefused
from pbem.service.seats import bots, open_tables, tables
from pbem.web import auth, landing, rates
from pbem.web.access import redirect_to, refuse_unverified
from pbem.web.form_input import browser_zone, is_post, parse_number
from pbem.web.site import PageRequest, remember_next, render_form, render_page
from pbem.web.tables import lobby


def edit_lobby(visit: PageRequest) -> ResponseReturnValue:
    """What a host does with a table that forms, by the button that was pressed."""
    wanted, seat = request.form.get("act", ""), request.form.get("seat", "")
    services, game, me = visit.services, visit.game, visit.me.id
    acts: Mapping[str, Callable[[], None]] = {
        "bots": lambda: bots.seat_bots(
            services, game, me, request.form.get("pace", ""), parse_number(request.form, "count", 1)
        ),
        "no_bot": lambda: bots.remove_bot(services, game, me, seat),
        "link": lambda: open_tables.create_link(services, game, me),
        "no_link": lambda: open_tables.revoke_link(services, game, me),
        "again": lambda: tables.resend_invitation(services, game, me, seat),
        "uninvite": lambda: tables.revoke_invitation(services, game, me, seat),
        "cancel": lambda: tables.cancel_game(services, game, me),
    }
    try:
        if wanted in acts:
            acts[wanted]()
    except RequestRefused as refused:
        return lobby(visit, visit.refusal(refused)), 422
    return redirect_to("/" if wanted == "cancel" else f"/games/{game}")


def join_by_link(visit: PageRequest, token: str) -> ResponseReturnValue:
    """The link of a table: looking at it does nothing, its button takes a seat, as a guest for who is not signed in."""
    shown = open_tables.find_game_by_link(visit.services, token)
    if shown is None:
        return render_page(visit, "join_link.html", table=None), 404
    if visit.person is not None and visit.person.is_unverified:
        return refuse_unverified(visit)
    signed = visit.person is not None and visit.person.email_verified
    if not signed:
        remember_next(request.path)
    elif find_membership(visit.services, visit.me.id, shown.game) is not None:
        return redirect_to(f"/games/{shown.game}")
    problem = ""
    if is_post():
        try:
            game = (
                open_tables.join_by_link(visit.services, token, visit.me.id, _seed_words())
                if signed
                else _join_as_guest(visit, token)
            )
            return redirect_to(f"/games/{game}")
        except RequestRefused as refused:
            problem = visit.refusal(refused)
    facts = {"table": shown, "game": landing.load_game_type(visit, shown.meta), "signed": signed, "given": request.form}
    return render_form(visit, "join_link.html", token=token, problem=problem, **facts, status=409)


def _seed_words() -> str:
    return request.form.get("words", "")


def _join_as_guest(visit: PageRequest, token: str) -> str:
    address, name = request.form.get("address", ""), request.form.get("name", "")
    game, guest = open_tables.join_as_guest(
        visit.services, token, address, name, _seed_words(), visit.language, rates.client_key(), browser_zone()
    )
    auth.start_session(visit, guest)
    remember_next(f"/games/{game}")
    return game
