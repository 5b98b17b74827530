"""The pages: server-rendered, complete without scripts.  They ask the services and hold no rule of any game."""

from collections.abc import Callable
from functools import partial

from flask import Flask
from flask_limiter import Limiter
from jinja2 import ChoiceLoader, FileSystemLoader, PackageLoader, StrictUndefined

from engine.kernel.languages import Language
from pbem.narration.glossary import folders
from pbem.narration.narrator import narrator
from pbem.service.base.services import NotOurs, Office
from pbem.web.api import concerns, open_to_programs, refused
from pbem.web.places import Name, Number
from pbem.web.routes import ROUTES
from pbem.web.security import Pages, cookies, error_pages, guard, quiet_log
from pbem.web.site import Look, Narrates, Site
from pbem.web.visitor import Route, View, guarded, visitor

__all__ = ["ROUTES", "Look", "Site", "make"]


def make(office: Office, look: Look, narrate: Callable[[str, Language], Narrates] = narrator) -> Flask:
    """The application of the web server; raises NotOurs where the office holds no keys of the web."""
    if office.web is None:
        raise NotOurs("only the web server makes pages")
    app = Pages(__name__, static_folder="static", static_url_path="/static", template_folder=None)
    _templates(app)
    cookies(app, look, office.web.session)
    csrf, limiter = guard(app, look)
    app.extensions["pbem"] = Site(office, look, narrate)
    app.url_map.converters.update(default=Name, string=Name, int=Number)
    for route in ROUTES:
        _add(app, route, limiter, look, guarded(route, csrf))
    open_to_programs(app, limiter, look)
    error_pages(app, visitor, concerns, partial(refused, limiter=limiter))
    quiet_log()
    return app


def _templates(app: Flask) -> None:
    """Nothing undefined is let through, and everything that is told is escaped.  Games bring their tables' pages."""
    ours = PackageLoader(__name__, "templates")
    app.jinja_loader = ChoiceLoader([ours, FileSystemLoader(folders())])
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True


def _add(app: Flask, route: Route, limiter: Limiter, look: Look, view: View) -> None:
    if route.rare:
        view = limiter.limit(f"{look.sign_ins_per_minute} per minute", methods=["POST"])(view)
    app.add_url_rule(
        route.rule, route.endpoint, view, methods=list(route.methods), provide_automatic_options=False,
        strict_slashes=False,
    )  # fmt: skip
