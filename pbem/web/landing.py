"""What a stranger sees: each game with a real board, tables that look for players, and a practice table to try one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import Response, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from engine.kernel import samples
from engine.kernel.pictures import Draws, Theme
from engine.kernel.rules import Meta
from pbem.narration.folders import about
from pbem.narration.tidying import spaced_all
from pbem.service.base.services import Refused
from pbem.service.pages import game_pages
from pbem.service.seats import open_tables
from pbem.service.seats import practice as tables
from pbem.web import auth, rates
from pbem.web.maps import THEMES
from pbem.web.site import PageVisit, page
from pbem.web.visitor import see


@dataclass(frozen=True)
class Title:
    """A game as a stranger meets it; `about`: what its own file says, empty for a game that brings none."""

    meta: Meta
    about: Mapping[str, Any]
    drawn: bool


def titles(visit: PageVisit) -> Sequence[Title]:
    """All games that can be played here."""
    return [title(visit, meta) for meta in game_pages.games(visit.services)]


def title(visit: PageVisit, meta: Meta) -> Title:
    """One of them."""
    return Title(meta, _told(visit, meta.name), isinstance(visit.services.rules(meta.name), Draws))


def _told(visit: PageVisit, title: str) -> Mapping[str, Any]:
    """What a game says of itself, its marks with the spaces that keep them from beginning a line."""
    told: Mapping[str, Any] = spaced_all(about(title, visit.language), visit.language)
    return told


def welcome(visit: PageVisit, problem: str = "") -> str:
    """The page for a visitor who is not signed in."""
    offers = open_tables.offers(visit.services, 0).rows
    return page(visit, "welcome.html", titles=titles(visit), offers=offers, problem=problem)


def sample(visit: PageVisit, title: str) -> Response:
    """The board of a game between bots, as everybody would see it: the same for all, drawn once and kept."""
    rules = visit.services.installed.get(title)
    if rules is None or not isinstance(rules, Draws):
        raise NotFound
    theme = request.args.get("theme", "")
    key = ("sample", title, visit.language, theme)
    paper = THEMES.get(theme, Theme.AUTO)
    drawn = visit.site.kept.get(key, lambda: samples.sample(rules, visit.language, paper))
    return Response(str(drawn), mimetype="image/svg+xml")


def practice(visit: PageVisit) -> ResponseReturnValue:
    """Begin a practice table as a guest; who is signed in already has tables of their own."""
    if visit.person is not None:
        return see("/")
    title = request.form.get("game", "")
    name, table = visit.say("practice.guest"), visit.say("practice.table")
    try:
        user, game = tables.begin(visit.services, title, name, table, visit.language, rates.line())
    except Refused as refused:
        return welcome(visit, visit.say(f"refused.{refused.code}", **refused.terms)), 409
    auth.begin(visit, user)
    return see(f"/games/{game}")


def guide(visit: PageVisit, title: str) -> Mapping[str, Any]:
    """The first turn of a game for a guest; nothing for anybody else."""
    return _told(visit, title).get("first", {}) if visit.me.guest else {}
