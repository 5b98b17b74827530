"""The pages: server-rendered, complete without scripts.  They ask the services and hold no rule of any game."""

from collections.abc import Callable

from flask import Flask
from jinja2 import ChoiceLoader, FileSystemLoader, PackageLoader, StrictUndefined

from engine.kernel.languages import Language
from pbem.narration.folders import folders
from pbem.narration.narrator import narrator
from pbem.narration.tidying import spaced
from pbem.service.base.services import NotOurs, Services
from pbem.web.api import concerns, open_to_programs, refused, unbelieved
from pbem.web.compression import compress
from pbem.web.places import Name, Number
from pbem.web.rates import limited
from pbem.web.routes import ROUTES
from pbem.web.security import Pages, cookies, error_pages, guard, quiet_log
from pbem.web.site import Look, Narrates, Site
from pbem.web.visitor import Route, View, guarded, visitor

__all__ = ["ROUTES", "Look", "Site", "make"]


def make(services: Services, look: Look, narrate: Callable[[str, Language], Narrates] = narrator) -> Flask:
    """The application of the web server; raises NotOurs where the services hold no keys of the web."""
    if services.web is None:
        raise NotOurs("only the web server makes pages")
    app = Pages(__name__, static_folder="static", static_url_path="/static", template_folder=None)
    _templates(app)
    cookies(app, look, services.web.session)
    csrf = guard(app, look)
    compress(app)
    app.extensions["pbem"] = Site(services, look, narrate)
    app.url_map.converters.update(default=Name, string=Name, int=Number)
    for route in ROUTES:
        _add(app, services, route, look, guarded(route, csrf))
    open_to_programs(app, services, look)
    error_pages(app, visitor, concerns, refused, unbelieved)
    quiet_log()
    return app


def _templates(app: Flask) -> None:
    """Nothing undefined is let through, and everything that is told is escaped.  Games bring their tables' pages."""
    ours = PackageLoader(__name__, "templates")
    app.jinja_loader = ChoiceLoader([ours, FileSystemLoader(folders())])
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.filters["spaced"] = spaced
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True


def _add(app: Flask, services: Services, route: Route, look: Look, view: View) -> None:
    posts = look.sign_ins_per_minute if route.rare else None
    view = limited(services, route.endpoint, view, look.requests_per_minute, posts=posts)
    app.add_url_rule(
        route.rule,
        route.endpoint,
        view,
        methods=list(route.methods),
        provide_automatic_options=False,
        strict_slashes=False,
    )
