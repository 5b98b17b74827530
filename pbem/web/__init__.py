"""The pages: server-rendered, complete without scripts.  They ask the services and hold no rule of any game."""

from collections.abc import Callable

from flask import Flask
from jinja2 import ChoiceLoader, FileSystemLoader, PackageLoader, StrictUndefined

from engine.kernel.languages import Language
from pbem.narration.folders import template_folders
from pbem.narration.narrator import narrator
from pbem.narration.text_cleanup import FILTERS
from pbem.service.base.services import MissingKeyError, Services
from pbem.web.access import Route, View, current_request, require
from pbem.web.apart import keep_body
from pbem.web.api import invalid_signature_response, is_api_path, refused_response, register
from pbem.web.compression import compress
from pbem.web.rates import limited
from pbem.web.routes import ROUTES, NameConverter, NumberConverter
from pbem.web.security import PageErrors, configure_cookies, install_error_pages, install_guards, silence_request_log
from pbem.web.site import Narrator, Site, WebConfig

__all__ = ["ROUTES", "Site", "WebConfig", "create_pages"]


def create_pages(services: Services, look: WebConfig, narrate: Callable[[str, Language], Narrator] = narrator) -> Flask:
    """The application of the web server; raises MissingKeyError where the services hold no keys of the web."""
    if services.web is None:
        raise MissingKeyError("only the web server makes pages")
    app = PageErrors(__name__, static_folder="static", static_url_path="/static", template_folder=None)
    _templates(app)
    configure_cookies(app, look, services.web.session)
    csrf = install_guards(app, look)
    compress(app)
    app.before_request(keep_body)
    app.extensions["pbem"] = Site(services, look, narrate)
    app.url_map.converters.update(default=NameConverter, string=NameConverter, int=NumberConverter)
    for route in ROUTES:
        _add_route(app, services, route, look, require(route, csrf))
    register(app, services, look)
    install_error_pages(app, current_request, is_api_path, refused_response, invalid_signature_response)
    silence_request_log()
    return app


def _templates(app: Flask) -> None:
    """Nothing undefined is let through, and everything that is told is escaped.  Games bring their tables' pages."""
    ours = PackageLoader(__name__, "templates")
    app.jinja_loader = ChoiceLoader([ours, FileSystemLoader(template_folders())])
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.filters |= FILTERS
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True


def _add_route(app: Flask, services: Services, route: Route, look: WebConfig, view: View) -> None:
    posts = look.sign_ins_per_minute if route.is_rate_limited else None
    view = limited(services, route.endpoint, view, look.requests_per_minute, posts=posts)
    app.add_url_rule(
        route.rule,
        route.endpoint,
        view,
        methods=list(route.methods),
        provide_automatic_options=False,
        strict_slashes=False,
    )
