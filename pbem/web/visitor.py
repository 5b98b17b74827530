"""Who asks: their session, their language, and whether the page is for them.  Every route names whom it is for."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from flask import Response, abort, current_app, redirect, request, session
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import CSRFProtect

from engine.kernel.languages import DEFAULT, LANGUAGES
from pbem.service.access import operators, people
from pbem.service.access.permissions import Place, Who, let_in
from pbem.states import GameState
from pbem.web.fields import sent
from pbem.web.security import from_elsewhere, without_cookie
from pbem.web.site import PageVisit, Site, page, remember

SIGNED = "s"
LANGUAGE = "language"
SHARED = "shared"
"""In the session of somebody who said that others use this computer: their browser keeps nothing of what they write."""


View = Callable[..., ResponseReturnValue]


@dataclass(frozen=True)
class Route:
    """One address: its methods, for whom, what answers.

    `form`: whether a POST must come from a form of ours; the one exception is the unsubscription that a mail
    program sends by itself (RFC 8058).  `rare`: a POST that strangers can make mails go out by.
    `guests`: it is part of a practice table, whose guest finds nothing else that is for people who are signed in.
    """

    rule: str
    endpoint: str
    methods: tuple[str, ...]
    who: Who
    view: View
    form: bool = True
    rare: bool = False
    guests: bool = False


def site() -> Site:
    """The site that this application serves."""
    found: Site = current_app.extensions["pbem"]
    return found


def visitor(*, unsure: bool = False) -> PageVisit:
    """Who asks.  `unsure`: for the page of an error, which must come even when the database is away."""
    try:
        person = people.person_of(site().services, str(session.get(SIGNED, "")))
    except Exception:
        if not unsure:
            raise
        person = None
    return PageVisit(site(), person, person.language if person is not None else _language())


def _language() -> str:
    chosen = session.get(LANGUAGE)
    if chosen in LANGUAGES:
        return str(chosen)
    return request.accept_languages.best_match(LANGUAGES, DEFAULT) or DEFAULT


def guarded(route: Route, csrf: CSRFProtect) -> View:
    """The view of a route behind its guard."""

    def view(**at: Any) -> ResponseReturnValue:
        if sent():
            if route.form:
                _ours(csrf)
            return answered(at)
        with site().services.one_look():
            return answered(at)

    def answered(at: dict[str, Any]) -> ResponseReturnValue:
        if without_cookie():
            return _come_in()
        visit = visitor()
        if route.who is Who.OPERATOR and not operators.named(visit.services, visit.person):
            abort(404)
        if route.who not in (Who.ANYBODY, Who.BEARER) and visit.person is None:
            return _sign_in_first()
        if visit.person is not None and visit.person.guest and not _for_guests(route):
            return page(visit, "guest.html"), 403
        if "game" in at:
            visit = replace(visit, place=_place(visit, at.pop("game"), route.who))
            if visit.place is not None and visit.place.state == GameState.HELD:
                return page(visit, "held.html"), 503
        return route.view(visit, **at)

    view.__name__ = route.endpoint  # limits are kept by the name of the view
    return view


def _for_guests(route: Route) -> bool:
    return route.guests or route.who in (Who.ANYBODY, Who.BEARER)


def _ours(csrf: CSRFProtect) -> None:
    """A POST comes from a page of ours, in the same browser."""
    if from_elsewhere():
        abort(400)
    csrf.protect()


def _come_in() -> ResponseReturnValue:
    """A step of our own between a link elsewhere and the page: strict cookies are sent from here on.

    It touches no session, so that following a link overwrites none.
    """
    language = request.accept_languages.best_match(LANGUAGES, DEFAULT) or DEFAULT
    return page(PageVisit(site(), None, language), "continue.html", path=request.path)


def _sign_in_first() -> ResponseReturnValue:
    if not sent():
        remember(request.path)
    return redirect("/sign-in", 303)


def _place(visit: PageVisit, game: str, who: Who) -> Place:
    """How the visitor stands to a table; strangers find no table, whether there is one or not."""
    place = let_in(visit.services, visit.me.id, game, who)
    if place is None:
        abort(404)
    return place


def local(path: str) -> str:
    """A path of our own to go back to; the home page instead of anything else."""
    plain = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isascii() and path.isprintable()
    return path if plain and not set(path) & set("\\?#:@ ") else "/"


def see(path: str) -> Response:
    """Go on to another page after a POST."""
    return Response("", 303, {"Location": path})
