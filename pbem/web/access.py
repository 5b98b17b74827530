"""Who asks: their session, their language, and whether the page is for them.  Every route names whom it is for."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from flask import Response, abort, current_app, redirect, request, session
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import CSRFProtect

from engine.kernel.languages import DEFAULT, LANGUAGES
from pbem.common.states import GameState
from pbem.service.access import operators, users
from pbem.service.access.permissions import Membership, Permission, find_membership
from pbem.web.form_input import is_post
from pbem.web.security import is_cross_site, lacks_session_cookie
from pbem.web.site import PageRequest, Site, remember_next, render_page

SIGNED = "s"
LANGUAGE = "language"
SHARED = "shared"
"""In the session of somebody who said that others use this computer: their browser keeps nothing of what they write."""


View = Callable[..., ResponseReturnValue]


@dataclass(frozen=True)
class Route:
    """One address: its methods, for whom, what answers.

    `form`: whether a POST must come from a form of ours; the one exception is the unsubscription that a mail
    program sends by itself (RFC 8058).  `is_rate_limited`: a POST that strangers can make mails go out by.
    `guests`: it is part of playing at one table.  Those who have not verified an address find nothing else that is for
    people who are signed in: guests at a practice table, and whom a table's link has seated.
    """

    rule: str
    methods: tuple[str, ...]
    permission: Permission
    view: View
    form: bool = True
    is_rate_limited: bool = False
    guests: bool = False

    @property
    def endpoint(self) -> str:
        """Its name, which is that of the function that answers."""
        return self.view.__name__


def current_site() -> Site:
    """The site that this application serves."""
    found: Site = current_app.extensions["pbem"]
    return found


def current_request(*, unsure: bool = False) -> PageRequest:
    """Who asks.  `unsure`: for the page of an error, which must come even when the database is away."""
    try:
        person = users.user_of_session(current_site().services, str(session.get(SIGNED, "")))
    except Exception:
        if not unsure:
            raise
        person = None
    return PageRequest(current_site(), person, person.language if person is not None else _choose_language())


def _choose_language() -> str:
    chosen = session.get(LANGUAGE)
    if chosen in LANGUAGES:
        return str(chosen)
    return request.accept_languages.best_match(LANGUAGES, DEFAULT) or DEFAULT


def require(route: Route, csrf: CSRFProtect) -> View:
    """The view of a route behind its guard."""

    def view(**at: Any) -> ResponseReturnValue:
        if is_post():
            if route.form:
                _check_form_origin(csrf)
            return answered(at)
        with current_site().services.shared_snapshot():
            return answered(at)

    def answered(at: dict[str, Any]) -> ResponseReturnValue:
        if lacks_session_cookie():
            return _render_continue()
        visit = current_request()
        if route.permission is Permission.OPERATOR and not operators.is_operator(visit.services, visit.person):
            abort(404)
        if route.permission not in (Permission.ANYBODY, Permission.BEARER) and visit.person is None:
            return _redirect_to_sign_in()
        if visit.person is not None and not visit.person.email_verified and not _is_for_guests(route):
            return refuse_unverified(visit)
        if "game" in at:
            membership = _find_membership(visit, at.pop("game"), route.permission)
            visit = replace(visit, membership=membership)
            if not visit.me.email_verified and not membership.is_playing:
                return refuse_unverified(visit)
            if membership.state == GameState.HELD:
                return render_page(visit, "held.html"), 503
        return route.view(visit, **at)

    view.__name__ = route.endpoint  # limits are kept by the name of the view
    return view


def refuse_unverified(visit: PageRequest) -> ResponseReturnValue:
    """Say what somebody can do first who has not verified an address."""
    return render_page(visit, "guest.html"), 403


def _is_for_guests(route: Route) -> bool:
    return route.guests or route.permission in (Permission.ANYBODY, Permission.BEARER)


def _check_form_origin(csrf: CSRFProtect) -> None:
    """A POST comes from a page of ours, in the same browser."""
    if is_cross_site():
        abort(400)
    csrf.protect()


def _render_continue() -> ResponseReturnValue:
    """A step of our own between a link elsewhere and the page: strict cookies are sent from here on.

    It touches no session, so that following a link overwrites none.
    """
    language = request.accept_languages.best_match(LANGUAGES, DEFAULT) or DEFAULT
    return render_page(PageRequest(current_site(), None, language), "continue.html", path=request.path)


def _redirect_to_sign_in() -> ResponseReturnValue:
    if not is_post():
        remember_next(request.path)
    return redirect("/sign-in", 303)


def _find_membership(visit: PageRequest, game: str, who: Permission) -> Membership:
    """How the visitor stands to a table; strangers find no table, whether there is one or not."""
    place = find_membership(visit.services, visit.me.id, game, who)
    if place is None:
        abort(404)
    return place


def safe_path(path: str) -> str:
    """A path of our own to go back to; the home page instead of anything else."""
    plain = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isascii() and path.isprintable()
    return path if plain and not set(path) & set("\\?#:@ ") else "/"


def redirect_to(path: str) -> Response:
    """Go on to another page after a POST."""
    return Response("", 303, {"Location": path})
